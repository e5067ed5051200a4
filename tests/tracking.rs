//! Boards that lie elsewhere all of a sudden: a camera that is knocked again and again, a page
//! that is zoomed and scrolled inside its window.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kibitzer::act::simulated::Faults;
use kibitzer::assemble::{self, CameraSettings, Order, SourceSpec, targets};
use kibitzer::config::{Settings, Sources};
use kibitzer::pipeline::blocking::Blocking;
use kibitzer::pipeline::drift::Drift;
use kibitzer::pipeline::mind::Mind;
use kibitzer::pipeline::run::{Observer, Rig, run};
use kibitzer::types::*;
use serde_json::json;

use crate::rig::scene::{Log, Scene};

/// A board is found again within this, in seconds.
const SOON: f64 = 0.5;

/// For so long a knocked camera is looked through, in seconds.
const LONG: f64 = 10.0;

/// The moments, in seconds, at which the board was said to lie elsewhere.
fn found_elsewhere(log: &Log) -> Vec<(f64, String)> {
    let moved = |(at, event): (Time, Event)| match event {
        Event::Mismatch {
            cause: Cause::BoardMoved,
            text,
            ..
        } => Some((at.0 as f64 * 1e-6, text)),
        _ => None,
    };
    log.all().into_iter().filter_map(moved).collect()
}

/// Looks on for so long.
struct Until(Time, Stop);

impl Observer for Until {
    fn event(&mut self, _: Time, _: &Event, _: &dyn Mind) {}
    fn frame(&mut self, frame: &Frame, _: &dyn Mind) {
        if frame.captured_at >= self.0 {
            self.1.pull("seen enough");
        }
    }
}

/// Plays on a built-in target in front of a webcam that is knocked every few seconds; what was
/// told, and when it was knocked.
fn knocked(game: &str, target: &serde_json::Value, seed: u64, every: f64) -> (Log, Vec<f64>) {
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
    let stop = Stop::new();
    let settings = Settings::load(&Sources {
        file: None,
        env: vec![("HOME".into(), "/nowhere".into())],
        overrides: vec![
            ("play.seed".into(), "1".into()),
            ("policy.memory_mb".into(), "16".into()),
        ],
    })
    .expect("valid settings");
    let source = SourceSpec::Simulated;
    let order = Order {
        armed: true,
        ..Order::bare("test", "test".into(), source, game, &settings)
    };
    let built = targets::target(game, target).expect("a target");
    let camera = CameraSettings {
        seed,
        knocks: every,
        ..CameraSettings::default()
    };
    let webcam = camera.webcam(built.picture);
    let knocks: Vec<f64> = webcam.passing().knocks.iter().map(|k| k.at).collect();
    let knocks = knocks.into_iter().filter(|k| *k < LONG).collect();
    let shared: Arc<Mutex<dyn Target>> = Arc::new(Mutex::new(built.target));
    let (source, hands) = assemble::through_webcam(shared, webcam, &clock, 30.0, Faults::default());
    let player = assemble::player(&order, &settings, KeyTiming::default()).expect("a player");
    let started = assemble::started(&order, "simulated", &player, &settings);
    let log = Log::default();
    let rig = Rig {
        feeder: assemble::direct(source),
        hands: Some(Box::new(Blocking::new(hands, Arc::clone(&clock)))),
        mind: assemble::mind(order, player, &settings, &clock, &stop).expect("a mind"),
        journal: Box::new(log.clone()),
        clock,
        stop: stop.clone(),
        arming: Arming::new(),
        observer: &mut Until(Time((LONG * 1e6) as u64), stop),
    };
    run(rig, started).expect("a run that ends");
    (log, knocks)
}

#[test]
fn a_knocked_camera_finds_its_board_again_within_half_a_second() {
    let all = [
        (
            "connect4",
            json!({"policy": "minimax:depth=2", "style": "rings"}),
        ),
        ("gomoku", json!({"policy": "evaluator", "style": "dark"})),
    ];
    for (game, target) in all {
        let (log, knocks) = knocked(game, &target, 3, 2.0);
        assert!(knocks.len() >= 3, "{knocks:?}");
        let found = found_elsewhere(&log);
        for (at, text) in &found {
            let since = { knocks.iter().map(|k| at - k) }
                .filter(|d| *d >= 0.0)
                .fold(f64::MAX, f64::min);
            assert!(
                since < SOON,
                "{game}: {since:.2} s after a knock: {text}\n{}",
                log.text()
            );
            assert!(text.contains("px) away"), "{text}");
        }
        // A knock may be too small to matter; most are not.
        let seen = knocks.iter().filter(|k| **k + SOON < LONG).count();
        assert!(
            found.len() * 2 >= seen,
            "{game}: {found:?} of {knocks:?}\n{}",
            log.text()
        );
    }
}

/// The picture as a page shows it that was zoomed and scrolled: the window stays as large.
fn zoomed(picture: &Picture, zoom: f64, by: (f64, f64)) -> Picture {
    let (w, h) = (picture.width(), picture.height());
    let mut out = Picture::filled(w, h, [30, 30, 34]);
    for y in 0..h {
        for x in 0..w {
            let (sx, sy) = ((f64::from(x) - by.0) / zoom, (f64::from(y) - by.1) / zoom);
            if sx >= 0.0 && sy >= 0.0 && sx < f64::from(w) && sy < f64::from(h) {
                out.set(x.into(), y.into(), picture.rgb(sx as u32, sy as u32));
            }
        }
    }
    out
}

#[test]
fn a_page_that_is_zoomed_and_scrolled_is_followed() {
    for (zoom, by) in [
        (1.0, (18.0, 0.0)),
        (0.8, (20.0, 14.0)),
        (1.0, (7.0, 7.0)),
        (0.67, (0.0, 0.0)),
    ] {
        let began = Arc::new(Mutex::new(None));
        let shown = Arc::clone(&began);
        let scene = Scene {
            give_up: Duration::from_secs(5),
            // Nothing of what is clicked arrives: the same board is looked at all the time.
            faults: Faults {
                lost: 1.0,
                ..Faults::default()
            },
            ..Scene::default()
        };
        let (_, log) = scene
            .parts()
            .see_through(move |feed| match feed {
                Feed::Frame(frame) if frame.captured_at >= Time::from_millis(600) => {
                    shown
                        .lock()
                        .expect("not poisoned")
                        .get_or_insert(frame.captured_at);
                    Feed::Frame(Frame {
                        picture: Arc::new(zoomed(&frame.picture, zoom, by)),
                        ..frame
                    })
                }
                other => other,
            })
            .play();
        let began = began.lock().expect("not poisoned").expect("it was zoomed");
        let began = began.0 as f64 * 1e-6;
        let found = found_elsewhere(&log);
        let (at, text) = found
            .first()
            .unwrap_or_else(|| panic!("{zoom} {by:?}\n{}", log.text()));
        assert!(
            at - began < SOON,
            "{zoom} {by:?}: after {:.2} s",
            at - began
        );
        let percent = ((zoom - 1.0) * 100.0_f64).round().abs();
        assert_eq!(text.contains('%'), percent > 0.0, "{text}");
        assert!(
            percent == 0.0 || text.contains(&format!("{percent} % smaller")),
            "{text}"
        );
        assert_eq!(found.len(), 1, "{found:?}");
    }
}

#[test]
fn a_drift_is_told_in_cells_pixels_and_percent() {
    let at = |x: f64, pitch: f64| {
        let place = PxFromCell::upright(Point::new(x, 20.0), pitch, pitch);
        Calibration::at(BoardKind::Cells, GridSize::new(10, 8), (400, 300), place)
    };
    let told = |a: &Calibration, b: &Calibration| Drift::between(a, b).map(|d| d.to_string());
    let here = at(10.0, 20.0);
    let text = told(&here, &at(16.0, 20.0)).expect("the same board");
    assert_eq!(text, "0.30 cells (6.0 px) away from where it was");
    let text = told(&here, &at(10.0, 22.0)).expect("the same board");
    assert!(text.ends_with("10 % larger"), "{text}");
    let other = Calibration {
        image: (401, 300),
        ..here.clone()
    };
    assert_eq!(told(&here, &other), None);
}
