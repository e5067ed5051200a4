//! The only place that knows every concrete device and game.
//!
//! Takes an [`Order`] (what the command line and a profile ask for, already validated) and gives
//! the parts of a run, opened. Must never start acting: that is the loop's.

pub mod easel;
mod order;
mod player;
mod policies;
mod retold;
mod rig;
mod simulated;
pub mod targets;
mod webcam;
mod wires;
pub mod written;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::bail;

use crate::act::emergency::{self, EmergencyWatch, Triggers};
use crate::act::mouse::{LastMove, X11Mouse};
use crate::act::release;
use crate::act::worker::Worker;
use crate::act::{self, Actuator};
pub use order::{Order, SourceSpec};
pub use player::{GAMES, GameOptions, LIVE, Player, SEEN, mind, player, wanted};
pub use policies::{PolicyEntry, policies, reaches_out};
pub use retold::is_retold;
pub use rig::rig_order;
pub use simulated::{CameraSettings, Stage, clock, direct, simulated, through_webcam};
pub use webcam::{Trouble, webcam, webcam_of};
pub use wires::Wires;

use crate::act::Hands;
use crate::capture::camera::{self, CameraSource};
use crate::capture::frozen::Patience as FrozenPatience;
use crate::capture::pace::Pace;
use crate::capture::playback::{FileSource, Playback};
#[cfg(feature = "portable-capture")]
use crate::capture::portable::{PortableScreen, PortableWindow};
use crate::capture::screen::ScreenSource;
use crate::capture::slot::{self, SlotReader};
use crate::capture::window::WindowSource;
use crate::capture::{CaptureError, FrameSource};
use crate::config::Settings;
use crate::journal::{Journal, Limits as JournalLimits};
use crate::pipeline::blocking::Blocking;
use crate::pipeline::mind::Mind;
use crate::pipeline::run::Feeder;
use crate::types::{CameraSpec, Clock, Event, Feed, HandsSpec, KeyTiming, ScreenHands, Stop, Time};

/// An opened run; the fields are the parts of a [`Rig`](crate::pipeline::run::Rig).
pub struct Assembled {
    /// Frames.
    pub feeder: Box<dyn Feeder>,
    /// Hands, when armed.
    pub hands: Option<Box<dyn Hands>>,
    /// State and logic.
    pub mind: Box<dyn Mind>,
    /// The store.
    pub journal: Journal,
    /// The first event of the run.
    pub started: Event,
    /// Keeps the emergency stop working while it lives.
    pub emergency: Option<EmergencyWatch>,
}

/// Opens the source of frames, on the calling thread's clock. `others`: a window's frames tell the
/// other windows of the display too.
///
/// # Errors
/// When it cannot be opened; the text says what there is instead.
pub fn source(
    spec: &SourceSpec,
    clock: &Arc<dyn Clock>,
    pace: &Pace,
    wait: Duration,
    others: bool,
) -> Result<(Box<dyn FrameSource>, Option<u32>), CaptureError> {
    let (time, turn) = (Arc::clone(clock), pace.clone());
    Ok(match spec {
        #[cfg(feature = "portable-capture")]
        SourceSpec::Window(query) if !on_x11() => {
            (Box::new(PortableWindow::open(query, time, turn)?), None)
        }
        #[cfg(feature = "portable-capture")]
        SourceSpec::Screen(area) if !on_x11() => (
            Box::new(PortableScreen::open(area.clone(), time, turn)?),
            None,
        ),
        SourceSpec::Window(query) => {
            let deadline = clock.now() + wait;
            let mut window = WindowSource::open_before(None, query, time, turn, deadline)?;
            if others {
                window.tell_others();
            }
            let id = window.window();
            (Box::new(window), Some(id))
        }
        SourceSpec::Screen(area) => {
            let screen = ScreenSource::open(None, area.clone(), time, turn)?;
            (Box::new(screen), None)
        }
        SourceSpec::Files(path) => (
            Box::new(FileSource::open(path, Playback::default(), time)?),
            None,
        ),
        SourceSpec::Camera(camera) => {
            let deadline = clock.now() + wait;
            (Box::new(CameraSource::open(camera, time, deadline)?), None)
        }
        SourceSpec::Simulated => {
            return Err(CaptureError::Open(
                "a simulated source is made together with its target, not opened".to_owned(),
            ));
        }
    })
}

/// Whether there is an X server to capture from; a Wayland session has one only for old programs.
#[cfg(feature = "portable-capture")]
fn on_x11() -> bool {
    std::env::var_os("DISPLAY").is_some() && std::env::var_os("WAYLAND_DISPLAY").is_none()
}

/// Opens all parts of a run on this machine's screen, or on a built-in target where the order
/// says so.
///
/// # Errors
/// When any part cannot be opened; the text says what to change.
pub fn open(
    order: Order,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
    stop: &Stop,
) -> anyhow::Result<Assembled> {
    if let Some(stage) = order.simulated.clone() {
        return simulated::open(order, &stage, settings, clock, stop);
    }
    let mut order = order;
    if let SourceSpec::Camera(spec) = &order.source
        && let Some(why) = is_another(spec)
        && order.calibration.take().is_some()
    {
        tracing::warn!("the saved calibration is not used: {why}");
    }
    let journal = open_journal(settings, clock)?;
    // A policy that does not exist is told before anything is waited for or opened.
    drop(player(&order, settings, KeyTiming::default())?);
    let calm = Duration::from_secs_f64(1.0 / settings.capture.fps);
    let pace = Pace::new(calm);
    let (source, window) = source(
        &order.source,
        clock,
        &pace,
        order.wait,
        order.script.needs_windows(),
    )?;
    let id = source.id();
    if order.armed && matches!(order.source, SourceSpec::Files(_)) {
        bail!("pictures and videos cannot be played, only watched: use `kibitzer watch`");
    }
    if order.armed && matches!(order.source, SourceSpec::Camera(_)) && order.options.clicks() {
        bail!(
            "what a camera sees cannot be clicked: play with keys (where the game has keys, below \
             [controls] of a profile), look on with `kibitzer watch`, or name the window"
        );
    }
    let mut emergency = None;
    let mut actuator: Option<Box<dyn Actuator>> = None;
    if order.armed {
        let (opened, watch) = hands(&order, window, settings, clock, stop)?;
        (actuator, emergency) = (Some(opened), watch);
    }
    let timing = actuator
        .as_ref()
        .map_or_else(KeyTiming::default, |a| a.timing());
    let player = player(&order, settings, timing)?;
    let hands: Option<Box<dyn Hands>> = match (actuator, &player) {
        (None, _) => None,
        (Some(hands), Player::Turn(_)) => Some(Box::new(Blocking::new(hands, Arc::clone(clock)))),
        (Some(hands), Player::Live(_)) => Some(Box::new(Worker::spawn(hands, Arc::clone(clock))?)),
    };
    let eager = match &player {
        Player::Turn(_) => settings.capture.eager,
        Player::Live(_) => settings.capture.eager.max(LIVE),
    };
    let feeder = feed(source, pace, clock, stop, settings, eager)?;
    let started = started(&order, &id, &player, settings);
    let mind = mind(order, player, settings, clock, stop)?;
    Ok(Assembled {
        feeder,
        hands,
        mind,
        journal,
        started,
        emergency,
    })
}

/// Whether a calibration that was saved with a camera was made with another one than is there now;
/// the text names both.
fn is_another(spec: &CameraSpec) -> Option<String> {
    let made_with = spec.calibrated_with.as_deref()?;
    let now = camera::stable_name(&spec.which)?;
    (now != made_with).then(|| {
        format!(
            "it was made with the camera {made_with}, and this is {now}; the board is looked for \
             anew (kibitzer calibrate PROFILE --force saves it)"
        )
    })
}

/// A source on a thread of its own, at the pace of the settings.
///
/// # Errors
/// When the system gives no thread.
pub fn threaded(
    source: Box<dyn FrameSource>,
    clock: &Arc<dyn Clock>,
    stop: &Stop,
    settings: &Settings,
) -> anyhow::Result<Box<dyn Feeder>> {
    let pace = Pace::new(Duration::from_secs_f64(1.0 / settings.capture.fps));
    feed(source, pace, clock, stop, settings, settings.capture.eager)
}

fn feed(
    source: Box<dyn FrameSource>,
    pace: Pace,
    clock: &Arc<dyn Clock>,
    stop: &Stop,
    settings: &Settings,
    eager: Duration,
) -> anyhow::Result<Box<dyn Feeder>> {
    let frozen = FrozenPatience {
        silence: settings.capture.frozen.unwrap_or(Duration::MAX),
        ..FrozenPatience::STILL
    };
    Ok(Box::new(Threaded {
        reader: slot::spawn(source, Arc::clone(clock), stop.clone(), frozen)?,
        pace,
        calm: Duration::from_secs_f64(1.0 / settings.capture.fps),
        eager,
    }))
}

/// The hands of an order with the emergency stop at work; a panic releases them from now on.
///
/// # Errors
/// When either cannot be opened; the text says what to change.
pub fn hands(
    order: &Order,
    window: Option<u32>,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
    stop: &Stop,
) -> anyhow::Result<(Box<dyn Actuator>, Option<EmergencyWatch>)> {
    release::release_on_panic();
    let (hands, last_move) = open_hands(order, window, clock, stop)?;
    let triggers = Triggers {
        chord: Some(settings.emergency.chord.to_string()),
        corners: settings.emergency.corner,
    };
    // Relays need no screen; where there is none, signals are what stops a run.
    let mut emergency = None;
    if last_move.is_some() || std::env::var_os("DISPLAY").is_some() {
        let clock = Arc::clone(clock);
        let watch = emergency::watch(None, &triggers, last_move, clock, stop.clone())?;
        emergency = Some(watch);
    }
    Ok((hands, emergency))
}

/// Hands, and where those with a pointer tell when they moved it.
type OpenHands = (Box<dyn Actuator>, Option<Arc<LastMove>>);

/// Opens the hands that the order asks for: mouse and keyboard of the screen unless it says
/// otherwise.
fn open_hands(
    order: &Order,
    window: Option<u32>,
    clock: &Arc<dyn Clock>,
    stop: &Stop,
) -> anyhow::Result<OpenHands> {
    let screen = match &order.hands {
        Some(HandsSpec::Screen(screen)) => *screen,
        Some(device) => {
            let hands = act::open(device, None, Arc::clone(clock), stop.clone())?;
            return Ok((hands, None));
        }
        None => usual_hands(order),
    };
    let mut mouse = X11Mouse::open(None, Arc::clone(clock))?;
    mouse.set_screen_hands(screen);
    mouse.set_target(window);
    let last = mouse.last_move();
    Ok((Box::new(mouse), Some(last)))
}

/// Mouse and keyboard where no profile says how: clicks and keys as short as the order has them,
/// but in a game that does not wait long enough to be seen by a program that looks once a picture.
fn usual_hands(order: &Order) -> ScreenHands {
    let usual = ScreenHands::default();
    let hold = match &order.options {
        GameOptions::Tetris { .. } if order.hold.is_zero() => usual.hold,
        _ => order.hold,
    };
    ScreenHands { hold, ..usual }
}

/// Opens the store.
///
/// # Errors
/// When it cannot be written; the text says what to change.
pub fn open_journal(settings: &Settings, clock: &Arc<dyn Clock>) -> anyhow::Result<Journal> {
    let limits = JournalLimits {
        max_mb: settings.journal.max_mb,
        evidence: settings.journal.evidence,
    };
    let mut journal = Journal::open(&settings.journal.path, limits)?;
    let age = clock.now().since(Time::ZERO);
    journal.starts_at(
        SystemTime::now()
            .checked_sub(age)
            .unwrap_or(SystemTime::UNIX_EPOCH),
    );
    Ok(journal)
}

/// The first event of a run.
#[must_use]
pub fn started(order: &Order, source: &str, player: &Player, settings: &Settings) -> Event {
    Event::RunStarted {
        command: order.command.clone(),
        profile: order.profile.clone(),
        source: source.to_owned(),
        game: order.game.clone(),
        policy: player.policy().to_owned(),
        config: settings.to_json(),
    }
}

/// A source on a thread of its own.
struct Threaded {
    reader: SlotReader,
    pace: Pace,
    calm: Duration,
    eager: Duration,
}

impl Feeder for Threaded {
    fn wait(&mut self, deadline: Time) -> Result<Feed, CaptureError> {
        self.reader.wait(deadline)
    }

    fn dropped(&self) -> u64 {
        self.reader.dropped()
    }

    fn set_eager(&mut self, eager: bool) {
        self.pace
            .set_interval(if eager { self.eager } else { self.calm });
    }
}
