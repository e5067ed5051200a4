//! The whole loop in virtual time: the built-in game, simulated source and hands, faults by seed.

mod hands;
pub mod scene;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use kibitzer::act::simulated::Faults;
use kibitzer::capture::simulated::CameraModel;
use kibitzer::capture::simulated::model::{Light, Pose, Room, Sensor};
use kibitzer::games::flood::target::{Setup, Style};
use kibitzer::pipeline::run::Report;
use kibitzer::types::*;

use self::scene::{Log, Scene};

fn won(report: &Report) -> usize {
    report
        .games
        .iter()
        .filter(|g| g.result == Outcome::Won)
        .count()
}

fn faulty(seed: u64) -> Scene {
    Scene {
        faults: Faults {
            lost: 0.2,
            doubled: 0.1,
            latency_ms: 7,
            seed,
            ..Faults::default()
        },
        games: 3,
        ..Scene::default()
    }
}

/// Decisions, acts and confirmations as letters, to be read in order: each move is decided once,
/// acted at least once, and confirmed once.
fn orderly(log: &Log) {
    let mut decided: Option<String> = None;
    let mut acted = None;
    for (_, event) in log.all() {
        match event {
            Event::Decided { board, .. } => {
                assert_ne!(
                    decided.as_ref(),
                    Some(&board.0),
                    "a position was decided twice"
                );
                decided = Some(board.0);
            }
            Event::Acted {
                action,
                retry,
                strokes,
                ..
            } => {
                assert!(Some(action) > acted, "numbers rise");
                assert!(retry <= 2, "two retries at most");
                assert!(
                    retry == 0 || acted.is_some(),
                    "a retry has a first try: {strokes}"
                );
                acted = Some(action);
            }
            // The move was given up: the same position is thought about anew.
            Event::Mismatch {
                handling: Handling::LookAgain,
                cause: Cause::ClickLost,
                ..
            } => decided = None,
            Event::Confirmed { action, .. } => assert_eq!(Some(action), acted, "the last act"),
            _ => {}
        }
    }
}

#[test]
fn lost_and_doubled_clicks_are_noticed_and_the_games_won() {
    let parts = faulty(11).parts();
    let (report, log) = parts.play();
    assert!(report.ending.complete, "{}", report.ending.why);
    assert_eq!(won(&report), 3);
    orderly(&log);
    // Keys are lost too: those are asked for again after a while, without a mismatch.
    let retried = log
        .all()
        .iter()
        .filter(|(_, e)| matches!(e, Event::Acted { retry: 1.., .. }))
        .count();
    let lost = log.mismatches(Cause::ClickLost);
    assert!(lost > 0, "one in five is lost");
    let given_up = |e: &Event| {
        matches!(
            e,
            Event::Mismatch {
                cause: Cause::ClickLost,
                handling: Handling::LookAgain,
                ..
            }
        )
    };
    let given_up = log.all().iter().filter(|(_, e)| given_up(e)).count();
    assert_eq!(
        lost,
        retried + given_up,
        "every lost click is told and made again"
    );
    assert!(
        log.causes().iter().all(|c| *c == Cause::ClickLost),
        "{:?}",
        log.causes()
    );
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run = |seed| faulty(seed).play().1.text();
    let first = run(3);
    assert!(first.lines().count() > 50);
    assert_eq!(first, run(3));
    assert_ne!(first, run(4));
}

#[test]
fn without_faults_there_is_no_mismatch_and_no_move_is_decided_twice() {
    for sweep_ms in [0, 120, 500] {
        let mut scene = Scene {
            games: 2,
            ..Scene::default()
        };
        scene.style.sweep_ms = sweep_ms;
        let (report, log) = scene.play();
        assert_eq!(won(&report), 2, "{sweep_ms}: {}", report.ending.why);
        orderly(&log);
        assert_eq!(log.causes(), [], "{sweep_ms}");
    }
}

/// Skin over a part of the board from one time to another.
fn hand_between(from_ms: u64, to_ms: u64, part: (u32, u32, u32, u32)) -> impl FnMut(Feed) -> Feed {
    move |feed| {
        let Feed::Frame(mut frame) = feed else {
            return feed;
        };
        let now = frame.captured_at;
        if now >= Time::from_millis(from_ms) && now < Time::from_millis(to_ms) {
            let picture = Arc::make_mut(&mut frame.picture);
            let (x0, y0, w, h) = part;
            for y in y0..y0 + h {
                for x in x0..x0 + w {
                    // A shaded surface, as skin is.
                    let shade = ((x + y) % 23) as u8;
                    picture.set(x.into(), y.into(), [205 - shade, 150 - shade, 120 - shade]);
                }
            }
        }
        Feed::Frame(frame)
    }
}

#[test]
fn a_hand_over_the_board_is_waited_for() {
    for part in [(60, 60, 90, 200), (0, 0, 272, 304), (0, 120, 272, 184)] {
        let parts = Scene::default()
            .parts()
            .see_through(hand_between(300, 2300, part));
        let (report, log) = parts.play();
        assert_eq!(won(&report), 1, "{part:?}: {}", report.ending.why);
        orderly(&log);
        assert_eq!(log.causes(), [Cause::Covered], "{part:?}");
        let acted_meanwhile = log.all().iter().any(|(at, e)| {
            let during = (400..2300).contains(&(at.0 / 1000));
            during && matches!(e, Event::Acted { .. })
        });
        assert!(!acted_meanwhile, "{part:?}: nothing is done behind a hand");
    }
}

/// The worst hand: of a colour of the board. What it makes of the board is no position that
/// follows, and for as long as most of the board is as before it is not believed.
#[test]
fn a_hand_in_a_colour_of_the_board_is_no_new_game() {
    let parts = Scene::default().parts().see_through(move |feed| {
        let Feed::Frame(mut frame) = feed else {
            return feed;
        };
        if (300..2300).contains(&(frame.captured_at.0 / 1000)) {
            let picture = Arc::make_mut(&mut frame.picture);
            for y in 100..280 {
                for x in 90..180 {
                    picture.set(x, y, [0xff, 0x80, 0x00]);
                }
            }
        }
        Feed::Frame(frame)
    });
    let (report, log) = parts.play();
    assert_eq!(won(&report), 1, "{}", report.ending.why);
    orderly(&log);
    assert_eq!(log.mismatches(Cause::BoardChanged), 0, "{:?}", log.causes());
}

#[test]
fn through_a_camera_with_faults() {
    let setup = Setup {
        size: GridSize::new(14, 14),
        ..Scene::default().setup
    };
    let scene = Scene {
        style: Style::plain(setup.size, 32.0),
        setup,
        ..Scene::default()
    };
    let (w, h) = scene.style.picture;
    let (w, h) = (f64::from(w), f64::from(h));
    let camera = CameraModel {
        picture: (1280, 720),
        seed: 9,
        pose: Pose {
            tilt_x: -14.0,
            tilt_y: 20.0,
            roll: 3.0,
            aim: Point::new(w / 2.0, h / 2.0),
            zoom: 720.0 / h * 0.82,
        },
        room: Room::Gradient([0.03, 0.03, 0.04], [0.25, 0.22, 0.18]),
        light: Light {
            ratio: 1.8,
            angle: 30.0,
            cast: [1.0, 0.94, 0.86],
            ..Light::default()
        },
        sensor: Sensor {
            blur: 0.9,
            read_noise: 2.5,
            shot_noise: 4.0,
            ..Sensor::default()
        },
        ..CameraModel::default()
    };
    let faults = Faults {
        lost: 0.2,
        doubled: 0.1,
        latency_ms: 20,
        seed: 2,
        ..Faults::default()
    };
    let (report, log) = Scene {
        camera: Some(camera),
        // As a profile tells it.
        sized: true,
        faults,
        ..scene
    }
    .play();
    assert_eq!(won(&report), 1, "{}", report.ending.why);
    orderly(&log);
    assert!(log.mismatches(Cause::ClickLost) > 0);
}

#[test]
fn clicks_that_never_arrive_end_the_run() {
    let faults = Faults {
        lost: 1.0,
        ..Faults::default()
    };
    let (report, log) = Scene {
        faults,
        ..Scene::default()
    }
    .play();
    assert_eq!(report.games[0].result, Outcome::Aborted);
    assert_eq!(
        report.ending.why,
        "3 moves in a row had no effect: do clicks reach the game?"
    );
    let acts: Vec<u8> = log
        .all()
        .into_iter()
        .filter_map(|(_, e)| match e {
            Event::Acted { retry, .. } => Some(retry),
            _ => None,
        })
        .collect();
    assert_eq!(acts, [0, 1, 2, 0, 1, 2, 0, 1, 2], "two retries each");
    assert_eq!(log.mismatches(Cause::ClickLost), 9);
}

#[test]
fn a_new_game_that_does_not_come_ends_the_run() {
    let (report, log) = Scene {
        games: 2,
        keys: false,
        ..Scene::default()
    }
    .play();
    assert_eq!(won(&report), 1);
    assert_eq!(report.ending.why, "the new game did not appear");
    assert!(!report.ending.complete);
    let keys = log
        .all()
        .into_iter()
        .filter(|(_, e)| matches!(e, Event::Acted { strokes, .. } if strokes == "key n"));
    assert_eq!(keys.count(), 3);
}

/// A program that takes its time: the old board stays for two seconds after the key.
#[test]
fn the_old_board_is_not_taken_for_the_new_game() {
    let mut held: VecDeque<Frame> = VecDeque::new();
    let parts = Scene {
        games: 2,
        ..Scene::default()
    }
    .parts()
    .see_through(move |feed| {
        let Feed::Frame(frame) = feed else {
            return feed;
        };
        // What is shown is what was drawn two thirds of a second before.
        let (seq, captured_at) = (frame.seq, frame.captured_at);
        held.push_back(frame);
        if held.len() <= 40 {
            return Feed::Quiet;
        }
        let old = held.pop_front().expect("just pushed");
        Feed::Frame(Frame {
            seq,
            captured_at,
            ..old
        })
    });
    let (report, log) = parts.play();
    assert_eq!(won(&report), 2, "{}", report.ending.why);
    // The delay is longer than a click's patience, so each is made again before it is seen.
    assert!(
        log.causes().iter().all(|c| *c == Cause::ClickLost),
        "{:?}",
        log.causes()
    );
}

#[test]
fn a_source_that_shows_no_board_is_given_up() {
    let scene = Scene {
        give_up: Duration::from_secs(2),
        ..Scene::default()
    };
    let parts = scene.parts().see_through(|feed| match feed {
        Feed::Frame(frame) => {
            let grey = Picture::filled(frame.picture.width(), frame.picture.height(), [90; 3]);
            Feed::Frame(Frame {
                picture: Arc::new(grey),
                ..frame
            })
        }
        other => other,
    });
    let (report, _) = parts.play();
    assert!(report.games.is_empty());
    assert_eq!(
        report.ending.why,
        "nothing could be done for 2 s: no board is found in the picture (or its game is over already)"
    );
}

#[test]
fn a_slow_pace_is_no_standstill() {
    // Two actions a minute, and a run that is given up after twenty seconds without progress.
    let scene = Scene {
        pace: "2",
        ..Scene::default()
    };
    let (report, _) = scene.play();
    assert_eq!(won(&report), 1, "{}", report.ending.why);
}
