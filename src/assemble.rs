//! The only place that knows every concrete device and game.
//!
//! Takes an [`Order`] (what the command line and a profile ask for, already validated) and gives
//! the parts of a run, opened. Must never start acting: that is the loop's.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use anyhow::bail;

use crate::act::emergency::{self, EmergencyWatch, Triggers};
use crate::act::mouse::X11Mouse;
use crate::act::release;
use crate::act::simulated::{Faults, SimulatedMouse};
use crate::act::{Actuator, Hands};
use crate::capture::frozen::Patience as FrozenPatience;
use crate::capture::pace::Pace;
use crate::capture::playback::{FileSource, Playback};
#[cfg(feature = "portable-capture")]
use crate::capture::portable::{PortableScreen, PortableWindow};
use crate::capture::query::WindowQuery;
use crate::capture::screen::{Area, ScreenSource};
use crate::capture::simulated::{CameraModel, SimulatedSource};
use crate::capture::slot::{self, SlotReader};
use crate::capture::window::WindowSource;
use crate::capture::{CaptureError, FrameSource};
use crate::config::Settings;
use crate::decide::{Gate, Limits};
use crate::games::flood;
use crate::journal::{Journal, Limits as JournalLimits};
use crate::pipeline::blocking::Blocking;
use crate::pipeline::eyes::Eyes;
use crate::pipeline::mind::Mind;
use crate::pipeline::run::Feeder;
use crate::pipeline::turn::{Task, TurnMind};
use crate::reconcile::{Patience, Reconciler};
use crate::types::{
    Agent, Budget, Calibration, Clock, Control, Event, Feed, GridSize, Stop, Target, Time, Wanted,
};

/// Where frames come from.
#[derive(Clone, Debug)]
pub enum SourceSpec {
    /// One window.
    Window(WindowQuery),
    /// A screen, a monitor or a region.
    Screen(Area),
    /// A picture, a folder of pictures or a video.
    Files(PathBuf),
    /// A built-in target: its parts are made by [`simulated`], not opened.
    Simulated,
}

/// Everything that makes a run, as asked for.
#[derive(Clone, Debug)]
pub struct Order {
    /// The subcommand, for the journal.
    pub command: String,
    /// The profile's name, or how the source was named.
    pub profile: String,
    /// Where frames come from.
    pub source: SourceSpec,
    /// The game's name.
    pub game: String,
    /// The board's size, if it is known.
    pub size: Option<GridSize>,
    /// A calibration made earlier.
    pub calibration: Option<Calibration>,
    /// What the game needs to know of the program.
    pub flood: flood::agent::AgentOptions,
    /// How a new game is started.
    pub new_game: Option<Vec<Control>>,
    /// How long an unexpected board must be still.
    pub settle: Duration,
    /// When a move without effect is lost.
    pub confirm: Duration,
    /// How long a button or key is held down.
    pub hold: Duration,
    /// Least time between two actions.
    pub gap: Duration,
    /// Games to play.
    pub games: Option<u32>,
    /// Whether the gate is armed.
    pub armed: bool,
    /// How long to wait for the window to appear.
    pub wait: Duration,
    /// An armed run in which nothing succeeds for this long ends.
    pub give_up: Duration,
}

/// How long a board must be still when nobody says: longer than a frame of any animation that is
/// known, shorter than a person notices.
const SETTLE: Duration = Duration::from_millis(150);

impl Order {
    /// An order for a program of which nothing is known: everything is found on the screen, a
    /// move is a click on a cell, and `n` starts a new game, as in most programs.
    #[must_use]
    pub fn bare(
        command: &str,
        profile: String,
        source: SourceSpec,
        game: &str,
        settings: &Settings,
    ) -> Self {
        Self {
            command: command.to_owned(),
            profile,
            source,
            game: game.to_owned(),
            size: None,
            calibration: None,
            flood: flood::agent::AgentOptions::default(),
            new_game: Some(vec![Control::Key("n".to_owned())]),
            settle: settings.play.settle.unwrap_or(SETTLE),
            confirm: settings.play.confirm_timeout,
            hold: Duration::ZERO,
            gap: Duration::ZERO,
            games: None,
            armed: false,
            wait: Duration::ZERO,
            give_up: Duration::from_secs(60),
        }
    }
}

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

/// How long a move may be thought about when nobody says: boards of the usual sizes are solved
/// in a few milliseconds, and huge ones must not stop the game.
const THINKING: Duration = Duration::from_millis(500);

/// The games there are.
pub const GAMES: [&str; 1] = ["flood"];

/// What a board of a game may be.
///
/// # Errors
/// For a game that does not exist, with the ones that do.
pub fn wanted(game: &str) -> anyhow::Result<Wanted> {
    match game {
        "flood" => Ok(flood::vision::wanted()),
        other => bail!(
            "there is no game \"{other}\"; there are: {}",
            GAMES.join(", ")
        ),
    }
}

/// An agent for a game with the policy that the settings ask for.
///
/// # Errors
/// For a game or a policy that does not exist, with the ones that do.
pub fn agent(
    game: &str,
    flood: flood::agent::AgentOptions,
    settings: &Settings,
) -> anyhow::Result<Box<dyn Agent>> {
    wanted(game)?;
    let name = settings.policy.name.as_deref().unwrap_or("optimal");
    // The reference looks four moves ahead.
    let depth = settings.policy.depth.unwrap_or(4);
    let memory = settings
        .policy
        .memory_mb
        .map_or(flood::policies::MEMORY, |mb| (mb as usize) << 20);
    let Some(policy) = flood::policies::by_name(name, depth, memory) else {
        bail!(
            "there is no policy \"{name}\" for flood; there are: {}",
            flood::policies::NAMES.join(", ")
        );
    };
    Ok(Box::new(flood::agent::FloodAgent::new(policy, flood)))
}

/// Opens the source of frames, on the calling thread's clock.
///
/// # Errors
/// When it cannot be opened; the text says what there is instead.
pub fn source(
    spec: &SourceSpec,
    clock: &Arc<dyn Clock>,
    pace: &Pace,
    wait: Duration,
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
            let window = WindowSource::open_before(None, query, time, turn, deadline)?;
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

/// Opens all parts of a run on this machine's screen.
///
/// # Errors
/// When any part cannot be opened; the text says what to change.
pub fn open(
    order: Order,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
    stop: &Stop,
) -> anyhow::Result<Assembled> {
    let journal = open_journal(settings, clock)?;
    let agent = agent(&order.game, order.flood.clone(), settings)?;
    let calm = Duration::from_secs_f64(1.0 / settings.capture.fps);
    let pace = Pace::new(calm);
    let (source, window) = source(&order.source, clock, &pace, order.wait)?;
    let id = source.id();
    let mut hands: Option<Box<dyn Hands>> = None;
    let mut emergency = None;
    if order.armed {
        if matches!(order.source, SourceSpec::Files(_)) {
            bail!("pictures and videos cannot be played, only watched: use `kibitzer watch`");
        }
        release::release_on_panic();
        let mut mouse = X11Mouse::open(None, Arc::clone(clock))?;
        mouse.set_target(window);
        mouse.set_hold(order.hold);
        let triggers = Triggers {
            chord: Some(settings.emergency.chord.to_string()),
            corners: settings.emergency.corner,
        };
        let last = Some(mouse.last_move());
        emergency = Some(emergency::watch(
            None,
            &triggers,
            last,
            Arc::clone(clock),
            stop.clone(),
        )?);
        hands = Some(Box::new(Blocking::new(Box::new(mouse), Arc::clone(clock))));
    }
    let frozen = FrozenPatience {
        silence: settings.capture.frozen.unwrap_or(Duration::MAX),
        ..FrozenPatience::STILL
    };
    let reader = slot::spawn(source, Arc::clone(clock), stop.clone(), frozen)?;
    let started = started(&order, &id, agent.as_ref(), settings);
    let mind = mind(order, agent, settings, clock, stop)?;
    let feeder = Threaded {
        reader,
        pace,
        calm,
        eager: settings.capture.eager,
    };
    Ok(Assembled {
        feeder: Box::new(feeder),
        hands,
        mind,
        journal,
        started,
        emergency,
    })
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
pub fn started(order: &Order, source: &str, agent: &dyn Agent, settings: &Settings) -> Event {
    Event::RunStarted {
        command: order.command.clone(),
        profile: order.profile.clone(),
        source: source.to_owned(),
        game: order.game.clone(),
        policy: agent.policy().to_owned(),
        config: settings.to_json(),
    }
}

/// State and logic for an order.
///
/// # Errors
/// For a game that does not exist.
pub fn mind(
    order: Order,
    agent: Box<dyn Agent>,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
    stop: &Stop,
) -> anyhow::Result<Box<dyn Mind>> {
    let mut wanted = wanted(&order.game)?;
    wanted.size = order.size;
    let mut eyes = Eyes::new(wanted);
    if let Some(saved) = order.calibration {
        eyes = eyes.with(saved);
    }
    let rate = Duration::from_secs_f64(1.0 / settings.play.max_actions_per_second);
    let gate = Gate::new(
        order.armed,
        Limits {
            min_interval: rate.max(settings.play.pace.period()).max(order.gap),
            max_age: settings.play.action_expiry,
            expiry: settings.play.action_expiry,
        },
    );
    let reconciler = Reconciler::new(Patience {
        settle: order.settle,
        confirm: order.confirm,
        retries: settings.play.retries,
    });
    let task = Task {
        games: order.games,
        new_game: order.new_game,
        budget: Budget {
            time: settings.policy.time.or(Some(THINKING)),
            nodes: None,
            seed: settings.play.seed.unwrap_or_default(),
            stop: stop.clone(),
        },
        give_up: order.give_up,
        evidence: settings.journal.evidence,
    };
    Ok(Box::new(TurnMind::new(
        eyes,
        agent,
        reconciler,
        gate,
        task,
        Arc::clone(clock),
    )))
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
    (Box::new(Direct(Box::new(source))), Box::new(hands))
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
