//! A built-in target in place of a screen: its source and its hands.
//!
//! Takes a target, perhaps a camera in front of it, and what goes wrong; gives frames and hands.
//! The hands know the true geometry, so that a wrong calibration clicks beside.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use super::player::{GameOptions, Player, player};
use super::webcam::{Trouble, webcam};
use super::wires::Wires;
use super::{Assembled, Order, mind, open_journal, started, targets, threaded};
use crate::act::simulated::{Faults, SimulatedMouse};
use crate::act::{Actuator, Hands};
use crate::capture::simulated::{CameraModel, SimulatedSource, Webcam};
use crate::capture::{CaptureError, FrameSource};
use crate::config::Settings;
use crate::pipeline::blocking::Blocking;
use crate::pipeline::run::Feeder;
use crate::types::sheet::Sheet;
use crate::types::{Clock, Feed, KeyTiming, ManualClock, Stop, SystemClock, Target, Time};

/// A profile's `[source.simulated]`: a built-in target, how it is looked at and played.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stage {
    /// Virtual time: as fast as the machine can.
    pub fast: bool,
    /// The target's settings, by its game.
    pub target: serde_json::Map<String, serde_json::Value>,
    /// The webcam in front of it; without one every frame is a screenshot.
    pub camera: Option<CameraSettings>,
    /// What goes wrong between the hands and the target.
    pub hands: Faults,
}

/// The simulated webcam of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CameraSettings {
    /// Decides where it stands, its light and its noise.
    pub seed: u64,
    /// Share of the frames that are badly spoiled, 0 to 0.9.
    pub spoiled: f64,
    /// Seconds from one knock to the next, 1 to 86400; 0 is never.
    pub knocks: f64,
    /// Depth of the screen's pixel grid against the sensor's, 0 to 0.3.
    pub moire: f64,
}

impl Default for CameraSettings {
    fn default() -> Self {
        Self {
            seed: 1,
            spoiled: 0.0,
            knocks: 0.0,
            moire: 0.0,
        }
    }
}

impl Stage {
    /// From a profile's data.
    ///
    /// # Errors
    /// For a setting that does not exist or is out of its range; those of the target are looked at
    /// when it is built.
    pub fn parse(settings: &serde_json::Value) -> anyhow::Result<Self> {
        let stage = Self::deserialize(settings)?;
        let camera = stage.camera.unwrap_or_default();
        for (name, share, most) in [
            ("hands.lost", stage.hands.lost, 0.9),
            ("hands.doubled", stage.hands.doubled, 0.9),
            ("camera.spoiled", camera.spoiled, 0.9),
            ("camera.moire", camera.moire, 0.3),
        ] {
            ensure!(
                (0.0..=most).contains(&share),
                "{name} = {share}: from 0 to {most} is allowed"
            );
        }
        let knocks = camera.knocks;
        ensure!(
            knocks == 0.0 || (1.0..=86_400.0).contains(&knocks),
            "camera.knocks = {knocks}: from 1 to 86400 seconds are allowed, or 0 for never"
        );
        Ok(stage)
    }

    /// Fills in what the built-in targets show and a profile needs not say, before anything is made
    /// of the order: a replay reads the profile only.
    pub fn complete(&self, order: &mut Order) {
        if let GameOptions::Tetris { next, agent } = &mut order.options {
            let shown = self.target.get("next") != Some(&serde_json::Value::Bool(false));
            *next = shown.then(|| next.unwrap_or(Sheet::of(agent.size).next));
            order.size = Some(agent.size);
        }
    }
}

impl CameraSettings {
    /// The webcam in front of a screen of this size.
    #[must_use]
    pub fn webcam(&self, screen: (u32, u32)) -> Webcam {
        let trouble = Trouble {
            spoiled: self.spoiled,
            knocks: (self.knocks > 0.0).then(|| Duration::from_secs_f64(self.knocks)),
        };
        let usual = webcam(screen, trouble, self.seed);
        let mut model = usual.model().clone();
        model.sensor.moire = self.moire;
        Webcam::new(model, usual.passing().clone())
    }
}

/// The clock of a run: the machine's, or a virtual one where the order is a fast simulation.
#[must_use]
pub fn clock(order: &Order) -> Arc<dyn Clock> {
    match &order.simulated {
        Some(stage) if stage.fast => Arc::new(ManualClock::default()),
        _ => Arc::new(SystemClock::start()),
    }
}

/// Opens all parts of a run on a built-in target.
///
/// # Errors
/// When the target is none, or a part cannot be opened; the text says what to change.
pub(super) fn open(
    order: Order,
    stage: &Stage,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
    stop: &Stop,
) -> anyhow::Result<Assembled> {
    let player = player(&order, settings, KeyTiming::default())?;
    let data = serde_json::Value::Object(stage.target.clone());
    let built = targets::target(&order.game, &data)
        .with_context(|| format!("profile {}: source.simulated.target", order.profile))?;
    let target: Arc<Mutex<dyn Target>> = Arc::new(Mutex::new(built.target));
    let fps = settings.capture.fps;
    if matches!(player, Player::Live(_)) {
        return by_keys(order, stage, target, built.picture, settings, clock, stop);
    }
    let (source, hands) = match stage.camera {
        Some(camera) => {
            let webcam = camera.webcam(built.picture);
            through_webcam(target, webcam, clock, fps, stage.hands)
        }
        None => through_camera(target, None, clock, fps, stage.hands),
    };
    let journal = open_journal(settings, clock)?;
    let started = started(&order, &source.id(), &player, settings);
    let feeder = match stage.fast {
        true => direct(source),
        false => threaded(source, clock, stop, settings)?,
    };
    let hands: Option<Box<dyn Hands>> = match order.armed {
        true => Some(Box::new(Blocking::new(hands, Arc::clone(clock)))),
        false => None,
    };
    Ok(Assembled {
        feeder,
        hands,
        mind: mind(order, player, settings, clock, stop)?,
        journal,
        started,
        emergency: None,
    })
}

/// Opens all parts of a run on a target that does not wait: seen like every other, played by relays
/// across its keys.
fn by_keys(
    order: Order,
    stage: &Stage,
    target: Arc<Mutex<dyn Target>>,
    picture: (u32, u32),
    settings: &Settings,
    clock: &Arc<dyn Clock>,
    stop: &Stop,
) -> anyhow::Result<Assembled> {
    let keys = Arc::clone(&target);
    let time = Arc::clone(clock);
    let fps = settings.capture.fps;
    let source = match stage.camera {
        Some(camera) => SimulatedSource::webcam(target, camera.webcam(picture), time, fps),
        None => SimulatedSource::new(target, None, time, fps),
    };
    let wires = match order.armed {
        true => Some(Wires::open(keys, stage.hands, clock, stop, stage.fast)?),
        false => None,
    };
    let timing = wires
        .as_ref()
        .map_or_else(KeyTiming::default, |w| w.timing());
    let player = player(&order, settings, timing)?;
    let words = wires.as_ref().map_or("simulated", Wires::words);
    let started = started(&order, words, &player, settings);
    let source: Box<dyn FrameSource> = Box::new(source);
    Ok(Assembled {
        feeder: match stage.fast {
            true => direct(source),
            false => threaded(source, clock, stop, settings)?,
        },
        hands: wires.map(|w| Box::new(w) as Box<dyn Hands>),
        mind: mind(order, player, settings, clock, stop)?,
        journal: open_journal(settings, clock)?,
        started,
        emergency: None,
    })
}

/// Frames of a target through a webcam, and the hands that play it.
#[must_use]
pub fn through_webcam(
    target: Arc<Mutex<dyn Target>>,
    webcam: Webcam,
    clock: &Arc<dyn Clock>,
    fps: f64,
    faults: Faults,
) -> (Box<dyn FrameSource>, Box<dyn Actuator>) {
    let (model, passing) = (webcam.model().clone(), webcam.passing().clone());
    let time = Arc::clone(clock);
    let screen_from_frame = Box::new(move |p| {
        let mut now = model.clone();
        // Where it stands after the last knock.
        now.pose = passing.pose(time.now()).unwrap_or(now.pose);
        now.screen_from_camera(p)
    });
    let hands = SimulatedMouse::new(
        Arc::clone(&target),
        screen_from_frame,
        Arc::clone(clock),
        faults,
    );
    let source = SimulatedSource::webcam(target, webcam, Arc::clone(clock), fps);
    (Box::new(source), Box::new(hands))
}

/// A built-in target seen through a simulated camera, and the hands that play it.
#[must_use]
pub fn simulated(
    target: Arc<Mutex<dyn Target>>,
    camera: Option<CameraModel>,
    clock: &Arc<dyn Clock>,
    fps: f64,
    faults: Faults,
) -> (Box<dyn Feeder>, Box<dyn Actuator>) {
    let (source, hands) = through_camera(target, camera, clock, fps, faults);
    (direct(source), hands)
}

fn through_camera(
    target: Arc<Mutex<dyn Target>>,
    camera: Option<CameraModel>,
    clock: &Arc<dyn Clock>,
    fps: f64,
    faults: Faults,
) -> (Box<dyn FrameSource>, Box<dyn Actuator>) {
    let model = camera.clone();
    let target_from_frame = Box::new(move |p| match &model {
        Some(camera) => camera.screen_from_camera(p),
        None => p,
    });
    let hands = SimulatedMouse::new(
        Arc::clone(&target),
        target_from_frame,
        Arc::clone(clock),
        faults,
    );
    let source = SimulatedSource::new(target, camera, Arc::clone(clock), fps);
    (Box::new(source), Box::new(hands))
}

/// A source asked by the loop itself, without a thread.
#[must_use]
pub fn direct(source: Box<dyn FrameSource>) -> Box<dyn Feeder> {
    Box::new(Direct(source))
}

/// A source asked by the loop itself: nothing is dropped and virtual time stays exact.
struct Direct(Box<dyn FrameSource>);

impl Feeder for Direct {
    fn wait(&mut self, deadline: Time) -> Result<Feed, CaptureError> {
        self.0.next(deadline)
    }

    fn dropped(&self) -> u64 {
        0
    }

    fn set_eager(&mut self, _eager: bool) {}
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::types::{Armed, Cell, Point, Stroke};

    /// A column and a crossing clicked through a tilted, knocked webcam, in a picture that it took.
    #[test]
    fn a_click_in_the_webcams_picture_is_the_move_that_is_seen_there() {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
        let all = [
            ("connect4", json!({"policy": "nobody"}), Cell::new(5, 5)),
            (
                "gomoku",
                json!({"policy": "nobody", "size": "9x9"}),
                Cell::new(6, 2),
            ),
        ];
        for (game, settings, cell) in all {
            let settings = settings.as_object().expect("an object").clone();
            let built = targets::target(game, &settings.into()).expect("a target");
            let (width, height) = built.picture;
            let camera = CameraSettings {
                seed: 5,
                knocks: 2.0,
                moire: 0.1,
                ..CameraSettings::default()
            };
            let webcam = camera.webcam(built.picture);
            let model = webcam.model().clone();
            let pose = webcam.passing().pose(Time::from_millis(60_000));
            let knocked = CameraModel {
                pose: pose.expect("knocked by then"),
                ..model.clone()
            };
            assert_ne!(knocked.pose, model.pose);
            assert!((model.sensor.moire - 0.1).abs() < 1e-9);
            // The board fills its picture but for the rims and the status line.
            let cells = match game {
                "connect4" => (7.0, 6.0),
                _ => (9.0, 9.0),
            };
            let c = cell.centre();
            let on_screen = Point::new(
                f64::from(width) * (0.5 + (c.x - cells.0 / 2.0) / (cells.0 + 1.0)),
                (f64::from(height) - 20.0) * (0.5 + (c.y - cells.1 / 2.0) / (cells.1 + 1.0)),
            );
            let target: Arc<Mutex<dyn Target>> = Arc::new(Mutex::new(built.target));
            let shared = Arc::clone(&target);
            let faults = Faults::default();
            let (mut source, mut hands) = through_webcam(shared, webcam, &clock, 30.0, faults);
            clock.sleep_until(Time::from_millis(60_000));
            let frame = source.next(Time::from_millis(61_000)).expect("no device");
            assert!(matches!(frame, Feed::Frame(_)));
            let permit = Armed::grant(1, Time::from_millis(90_000));
            let stroke = Stroke::Click(knocked.camera_from_screen(on_screen));
            hands.perform(&stroke, None, &permit).expect("valid");
            let truth = target.lock().expect("not poisoned").truth();
            let row = truth.rows().nth(cell.row.into()).expect("a row");
            assert_eq!(
                row.chars().nth(cell.col.into()),
                Some('X'),
                "{game}: {truth}"
            );
        }
    }

    #[test]
    fn a_stage_out_of_range_is_refused_by_name() {
        let all = [
            (json!({"camera": {"spoiled": 2}}), "camera.spoiled = 2"),
            (json!({"camera": {"knocks": 0.5}}), "camera.knocks = 0.5"),
            (json!({"hands": {"lost": -1}}), "hands.lost = -1"),
            (json!({"hands": {"lots": 1}}), "unknown field `lots`"),
            (json!({"slow": true}), "unknown field `slow`"),
        ];
        for (settings, wanted) in all {
            let error = Stage::parse(&settings).expect_err("refused").to_string();
            assert!(error.contains(wanted), "{error}");
        }
        assert_eq!(Stage::parse(&json!({})).expect("usual"), Stage::default());
    }
}
