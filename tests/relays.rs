//! Relays on a serial line, against a board that is simulated on a pseudo-terminal: the bytes and
//! their order, a board that goes away, and every way out.

mod away;
mod chip;
mod find;
mod firmware;
mod game;
mod kills;
mod kinds;
mod ways_out;
mod wire;

use std::io::Read as _;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, RwLockReadGuard};
use std::time::{Duration, Instant};

use kibitzer::act::serial::RelayKeyboard;
use kibitzer::act::simulated::{Faults, Manner, SimulatedBoard};
use kibitzer::act::{ActError, Actuator};
use kibitzer::decide::{Facts, Gate, Limits};
use kibitzer::types::{
    Action, Armed, BoardText, Picture, Point, RelayHands, Stop, Stroke, SystemClock, Target, Time,
};

use crate::support::together;

#[derive(Default)]
pub struct Pad(pub Vec<String>);

impl Target for Pad {
    fn render(&mut self, _: Time, _: &mut Picture) {}
    fn click(&mut self, _: Point, _: Time) {}
    fn key(&mut self, name: &str, _: Time) {
        self.0.push(name.to_owned());
    }
    fn truth(&self) -> BoardText {
        BoardText::default()
    }
}

pub struct Bench {
    pub clock: Arc<SystemClock>,
    pub pad: Arc<Mutex<Pad>>,
    pub board: SimulatedBoard,
    pub stop: Stop,
    _folder: tempfile::TempDir,
    /// Letting go of everything reaches the boards of all tests of this process.
    pub together: Option<RwLockReadGuard<'static, ()>>,
}

pub fn wiring() -> Vec<(String, u8)> {
    [("Left", 0), ("Right", 1), ("Up", 2), ("space", 3), ("r", 4)]
        .map(|(k, r)| (k.to_owned(), r))
        .to_vec()
}

impl Bench {
    pub fn with(manner: Manner, faults: Faults) -> Self {
        Self::wired(manner, faults, wiring())
    }

    pub fn wired(manner: Manner, faults: Faults, wiring: Vec<(String, u8)>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let clock = Arc::new(SystemClock::start());
        let pad = Arc::new(Mutex::new(Pad::default()));
        let board = SimulatedBoard::start(
            &folder.path().join("board"),
            wiring,
            Arc::clone(&pad) as Arc<Mutex<dyn Target>>,
            clock.clone(),
            faults,
            manner,
        );
        Self {
            clock,
            pad,
            board: board.expect("a pseudo-terminal"),
            stop: Stop::new(),
            _folder: folder,
            together: Some(together()),
        }
    }

    pub fn new() -> Self {
        Self::with(Manner::default(), Faults::default())
    }

    pub fn spec(&self) -> RelayHands {
        RelayHands::adr2200(&self.port(), wiring())
    }

    pub fn port(&self) -> String {
        self.board.path().display().to_string()
    }

    pub fn open(&self, spec: RelayHands) -> Result<RelayKeyboard, ActError> {
        RelayKeyboard::open(spec, self.clock.clone(), self.stop.clone())
    }

    pub fn hands(&self) -> RelayKeyboard {
        self.open(self.spec()).expect("a board that answers")
    }

    /// What was heard, once it ends so; commands are separated by spaces.
    pub fn heard_until(&self, end: &str) -> String {
        let began = Instant::now();
        loop {
            let text = self.heard();
            if text.ends_with(end) {
                return text;
            }
            assert!(began.elapsed() < Duration::from_secs(20), "heard {text:?}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub fn heard(&self) -> String {
        let bytes: Vec<u8> = self.board.heard().iter().map(|(_, b)| *b).collect();
        String::from_utf8_lossy(&bytes).replace('\r', " ")
    }
}

/// Permission until this time.
pub fn permit_until(now: Time, until: Time) -> Armed {
    let limits = Limits {
        min_interval: Duration::ZERO,
        max_age: Duration::ZERO,
        expiry: until.since(now),
    };
    let facts = Facts {
        now,
        captured_at: now,
        certain: true,
        still: true,
        reachable: true,
    };
    Gate::new(true, limits).ask(&facts).expect("all is well")
}

/// Permission that outlasts every test.
pub fn permit() -> Armed {
    permit_until(Time::ZERO, Time::from_millis(3_600_000))
}

pub fn press(hands: &mut dyn Actuator, key: &str) -> Result<(), ActError> {
    hands.perform(&Stroke::Key(key.into()), None, &permit())
}

pub fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "waiting for {what}"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

pub fn action(keys: &[&str]) -> Action {
    Action {
        id: 1,
        cause_seq: 1,
        cause_at: Time::ZERO,
        expires_at: Time::from_millis(600_000),
        strokes: keys.iter().map(|k| Stroke::Key((*k).into())).collect(),
        window: None,
        origin: None,
    }
}

/// A process that is killed with the test.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    pub fn signal(&self, name: &str) {
        let pid = self.0.id().to_string();
        let sent = Command::new("kill").args([name, &pid]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// How it ended, and what it said on stderr and stdout.
    pub fn end(&mut self) -> (std::process::ExitStatus, String, String) {
        let status = self.0.wait().expect("it ends");
        let mut said = String::new();
        if let Some(err) = &mut self.0.stderr {
            err.read_to_string(&mut said).expect("text");
        }
        let mut told = String::new();
        if let Some(out) = &mut self.0.stdout {
            out.read_to_string(&mut told).expect("text");
        }
        (status, said, told)
    }
}
