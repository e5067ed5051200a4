//! One game of the rig: everything between the game's pixels and its keys, in virtual time.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustc_hash::FxHasher;

use super::Options;
use super::truth::{Judge, Shown, Verdict, Witness};
use crate::act::simulated::{Faults, SimulatedKeyboard};
use crate::assemble::{self, Order, Trouble};
use crate::capture::simulated::SimulatedSource;
use crate::config::{Settings, Sources};
use crate::games::tetris;
use crate::games::tetris::agent::Mode;
use crate::games::tetris::target::{self, TetrisTarget};
use crate::pipeline::mind::Mind;
use crate::pipeline::run::{Observer, Rig, run};
use crate::types::{
    Arming, Clock, Event, EventSink, Frame, KeyTiming, ManualClock, SinkError, Stop, Target, Time,
};

/// Frames a second of the webcam.
pub(super) const FPS: f64 = 30.0;
/// From one knock against the camera to the next.
const KNOCKS: Duration = Duration::from_secs(300);

/// How a game went.
#[derive(Clone, Debug)]
pub(super) struct Played {
    /// How it ended, in a word.
    pub result: String,
    /// Pieces that landed in truth.
    pub pieces: u32,
    /// Rows completed in truth.
    pub rows: u64,
    /// Virtual seconds.
    pub seconds: f64,
    /// Mismatches that were noticed.
    pub mismatches: u32,
    /// How long belief and truth were apart.
    pub apart: Verdict,
    /// Presses lost and doubled.
    pub keys: (u64, u64),
    /// Frames handled.
    pub frames: u64,
    /// A fingerprint of the journal.
    pub journal: u64,
}

/// The parts of a game.
pub(super) struct World {
    target: Arc<Mutex<TetrisTarget>>,
    order: Order,
    settings: Settings,
    trouble: Trouble,
    faults: Faults,
    timing: KeyTiming,
    seed: u64,
}

impl World {
    /// A game with this seed; `blind` is dead reckoning.
    pub(super) fn new(options: &Options, seed: u64, blind: bool) -> anyhow::Result<Self> {
        let settings = Settings::load(&Sources {
            file: None,
            env: Vec::new(),
            overrides: vec![
                ("policy.name".to_owned(), options.policy.clone()),
                ("play.seed".to_owned(), seed.to_string()),
                ("journal.evidence".to_owned(), "false".to_owned()),
                // Nothing is written there: the journal of a bench is a fingerprint.
                ("journal.path".to_owned(), "/nowhere/journal.db".to_owned()),
                ("log.file".to_owned(), "none".to_owned()),
                ("capture.fps".to_owned(), FPS.to_string()),
                // So long that a machine that is busy with other things decides the same.
                ("policy.time_ms".to_owned(), "60000".to_owned()),
            ],
        })?;
        let shown_next = !options.no_next;
        let setup = tetris::rules::Setup {
            level: options.level,
            seed,
            ..tetris::rules::Setup::default()
        };
        let target = TetrisTarget::new(
            target::Options {
                setup,
                next: shown_next,
                start_screen: false,
                ..target::Options::default()
            },
            Time::ZERO,
        )?;
        let mode = match blind {
            true => Mode::DeadReckoning,
            false => Mode::RealityCheck,
        };
        let order = assemble::rig_order(
            "bench",
            (options.level, options.pieces),
            shown_next,
            mode,
            &settings,
        );
        Ok(Self {
            target: Arc::new(Mutex::new(target)),
            order,
            settings,
            trouble: options.trouble.of_webcam(KNOCKS),
            faults: options.trouble.of_keys(seed),
            timing: KeyTiming {
                lead: Duration::from_millis(30),
                hold: Duration::from_millis(30),
                gap: Duration::ZERO,
                // Of the keyboard, and of a display and an exposure that begin just too early.
                latency: Duration::from_millis(70),
            },
            seed,
        })
    }

    /// Plays it.
    pub(super) fn play(self) -> anyhow::Result<Played> {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
        let stop = Stop::new();
        let inner: Arc<Mutex<dyn Target>> = Arc::clone(&self.target) as _;
        let hands = SimulatedKeyboard::new(Arc::clone(&inner), self.timing, self.faults);
        let witness = Witness::new(inner, hands.line());
        let shown = witness.shown();
        let picture = {
            let target = self
                .target
                .lock()
                .map_err(|_| anyhow::anyhow!("poisoned"))?;
            target.options().picture
        };
        let webcam = assemble::webcam(picture, self.trouble, self.seed);
        let watched: Arc<Mutex<dyn Target>> = Arc::new(Mutex::new(witness));
        let source = SimulatedSource::webcam(watched, webcam, Arc::clone(&clock), FPS);
        let player = assemble::player(&self.order, &self.settings, self.timing)?;
        let started = assemble::started(&self.order, "simulated:webcam", &player, &self.settings);
        let mind = assemble::mind(self.order, player, &self.settings, &clock, &stop)?;
        let sums = Arc::new(Mutex::new(Sums::default()));
        let keys = hands.line();
        let mut watcher = Watcher {
            shown,
            judge: Judge::default(),
            playing: false,
        };
        let rig = Rig {
            feeder: assemble::direct(Box::new(source)),
            hands: Some(Box::new(hands)),
            mind,
            journal: Box::new(Fingerprint(Arc::clone(&sums))),
            clock: Arc::clone(&clock),
            stop,
            arming: Arming::new(),
            observer: &mut watcher,
        };
        let report = run(rig, started)?;
        let end = clock.now();
        watcher.judge.settle(end);
        let sums = sums.lock().map_err(|_| anyhow::anyhow!("poisoned"))?;
        let target = self
            .target
            .lock()
            .map_err(|_| anyhow::anyhow!("poisoned"))?;
        let game = report.games.last();
        let word = serde_json::to_value(game.map(|g| g.result)).unwrap_or_default();
        Ok(Played {
            result: word.as_str().unwrap_or(&report.ending.why).to_owned(),
            pieces: u32::try_from(target.game().pieces()).unwrap_or(u32::MAX),
            rows: target.game().lines(),
            seconds: end.0 as f64 / 1e6,
            mismatches: game.map_or(0, |g| g.mismatches),
            apart: watcher.judge.verdict(),
            keys: keys.faults_made(),
            frames: report.frames.0,
            journal: sums.hasher.finish(),
        })
    }
}

/// What was recorded, as one number.
#[derive(Default)]
struct Sums {
    hasher: FxHasher,
}

/// A journal of which only the fingerprint is kept.
struct Fingerprint(Arc<Mutex<Sums>>);

impl EventSink for Fingerprint {
    fn record(&mut self, at: Time, event: &Event) -> Result<(), SinkError> {
        let mut sums = self
            .0
            .lock()
            .map_err(|_| SinkError("the fingerprint is poisoned".to_owned()))?;
        at.hash(&mut sums.hasher);
        format!("{event:?}").hash(&mut sums.hasher);
        Ok(())
    }
}

/// Holds every belief against the truth.
struct Watcher {
    shown: Shown,
    judge: Judge,
    playing: bool,
}

impl Observer for Watcher {
    fn event(&mut self, at: Time, event: &Event, _: &dyn Mind) {
        if let Event::Finished(_) = event {
            self.playing = false;
            self.judge.settle(at);
        }
    }

    fn frame(&mut self, frame: &Frame, mind: &dyn Mind) {
        let belief = mind.believed();
        // Before the first belief there is nothing to be wrong.
        self.playing |= belief.is_some();
        if self.playing {
            self.judge
                .frame(&self.shown, belief.as_ref(), frame.captured_at);
        }
    }
}
