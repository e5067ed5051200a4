//! The parts of a run in virtual time: the built-in game, a simulated source and simulated hands.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kibitzer::act::Actuator;
use kibitzer::act::simulated::Faults;
use kibitzer::assemble::{self, Order, SourceSpec};
use kibitzer::capture::CaptureError;
use kibitzer::capture::simulated::CameraModel;
use kibitzer::config::{Settings, Sources};
use kibitzer::games::flood::target::{FloodTarget, Setup, Style};
use kibitzer::pipeline::blocking::Blocking;
use kibitzer::pipeline::mind::Mind;
use kibitzer::pipeline::run::{Feeder, Observer, Report, Rig, RunError, run};
use kibitzer::types::*;

/// What is played and what goes wrong.
pub struct Scene {
    pub setup: Setup,
    pub style: Style,
    pub camera: Option<CameraModel>,
    /// Whether the board's size is known beforehand.
    pub sized: bool,
    pub faults: Faults,
    pub games: u32,
    pub give_up: Duration,
    pub keys: bool,
    pub pace: &'static str,
}

impl Default for Scene {
    fn default() -> Self {
        let setup = Setup {
            size: GridSize::new(10, 10),
            seed: 5,
            ..Setup::default()
        };
        Self {
            style: Style::plain(setup.size, 24.0),
            setup,
            camera: None,
            sized: false,
            faults: Faults::default(),
            games: 1,
            give_up: Duration::from_secs(20),
            keys: true,
            pace: "fast",
        }
    }
}

/// Everything that was told, in order.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<(Time, Event)>>>);

impl Log {
    pub fn all(&self) -> Vec<(Time, Event)> {
        self.0.lock().expect("not poisoned").clone()
    }

    /// As text, pictures as their sizes.
    pub fn text(&self) -> String {
        let line = |(at, event): (Time, Event)| match event {
            Event::Mismatch {
                evidence: Some(p),
                cause,
                seen,
                cells,
                text,
                ..
            } => format!(
                "{at:?} {cause} {seen:?} {cells:?} {text} {}x{}\n",
                p.width(),
                p.height()
            ),
            other => format!("{at:?} {other:?}\n"),
        };
        self.all().into_iter().map(line).collect()
    }

    pub fn mismatches(&self, wanted: Cause) -> usize {
        let is = |e: &Event| matches!(e, Event::Mismatch { cause, .. } if *cause == wanted);
        self.all().iter().filter(|(_, e)| is(e)).count()
    }

    pub fn causes(&self) -> Vec<Cause> {
        let cause = |(_, e)| match e {
            Event::Mismatch { cause, .. } => Some(cause),
            _ => None,
        };
        self.all().into_iter().filter_map(cause).collect()
    }
}

impl EventSink for Log {
    fn record(&mut self, at: Time, event: &Event) -> Result<(), SinkError> {
        self.0
            .lock()
            .expect("not poisoned")
            .push((at, event.clone()));
        Ok(())
    }
}

/// Looks on and says nothing.
pub struct Nobody;

impl Observer for Nobody {
    fn event(&mut self, _: Time, _: &Event, _: &dyn Mind) {}
    fn frame(&mut self, _: &Frame, _: &dyn Mind) {}
}

/// A game whose keys do nothing.
pub struct Deaf(FloodTarget);

impl Target for Deaf {
    fn render(&mut self, now: Time, out: &mut Picture) {
        self.0.render(now, out);
    }
    fn click(&mut self, px: Point, now: Time) {
        self.0.click(px, now);
    }
    fn key(&mut self, _: &str, _: Time) {}
    fn truth(&self) -> BoardText {
        self.0.truth()
    }
}

/// Something between source and loop that changes what is seen.
type Filter = Box<dyn FnMut(Feed) -> Feed>;

pub struct Filtered(Box<dyn Feeder>, Filter);

impl Feeder for Filtered {
    fn wait(&mut self, deadline: Time) -> Result<Feed, CaptureError> {
        self.0.wait(deadline).map(&mut self.1)
    }
    fn dropped(&self) -> u64 {
        self.0.dropped()
    }
    fn set_eager(&mut self, eager: bool) {
        self.0.set_eager(eager);
    }
}

/// The parts of a run in virtual time, to be changed before it starts.
pub struct Parts {
    pub feeder: Box<dyn Feeder>,
    pub hands: Box<dyn Actuator>,
    pub mind: Box<dyn Mind>,
    pub clock: Arc<dyn Clock>,
    pub stop: Stop,
    pub log: Log,
    pub started: Event,
}

impl Scene {
    pub fn parts(self) -> Parts {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
        let stop = Stop::new();
        let sources = Sources {
            file: None,
            env: vec![("HOME".into(), "/nowhere".into())],
            overrides: vec![
                ("play.seed".into(), "1".into()),
                ("play.pace".into(), self.pace.into()),
            ],
        };
        let settings = Settings::load(&sources).expect("the defaults are valid");
        let order = Order {
            size: self.sized.then_some(self.setup.size),
            games: Some(self.games),
            armed: true,
            give_up: self.give_up,
            ..Order::bare(
                "test",
                "test".into(),
                SourceSpec::Simulated,
                "flood",
                &settings,
            )
        };
        let game = FloodTarget::new(self.setup, self.style).expect("a possible game");
        let target: Arc<Mutex<dyn Target>> = if self.keys {
            Arc::new(Mutex::new(game))
        } else {
            Arc::new(Mutex::new(Deaf(game)))
        };
        let (feeder, hands) = assemble::simulated(target, self.camera, &clock, 60.0, self.faults);
        let player = assemble::player(&order, &settings, KeyTiming::default()).expect("flood");
        let started = assemble::started(&order, "simulated", &player, &settings);
        let mind = assemble::mind(order, player, &settings, &clock, &stop).expect("flood");
        Parts {
            feeder,
            hands,
            mind,
            clock,
            stop,
            log: Log::default(),
            started,
        }
    }

    pub fn play(self) -> (Report, Log) {
        self.parts().play()
    }
}

impl Parts {
    pub fn see_through(mut self, filter: impl FnMut(Feed) -> Feed + 'static) -> Self {
        self.feeder = Box::new(Filtered(self.feeder, Box::new(filter)));
        self
    }

    pub fn play(self) -> (Report, Log) {
        let log = self.log.clone();
        (self.run(&mut Nobody).expect("a run that ends"), log)
    }

    pub fn run(self, observer: &mut dyn Observer) -> Result<Report, RunError> {
        let rig = Rig {
            feeder: self.feeder,
            hands: Some(Box::new(Blocking::new(self.hands, Arc::clone(&self.clock)))),
            mind: self.mind,
            journal: Box::new(self.log),
            clock: self.clock,
            stop: self.stop,
            arming: Arming::new(),
            observer,
        };
        run(rig, self.started)
    }
}
