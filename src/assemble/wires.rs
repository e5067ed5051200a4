//! The way from the hands to the keys of a simulated Tetris: relays across the keys, as on the
//! reference's rig.
//!
//! Takes the target and what goes wrong on the way; gives hands. In real time the bytes go over a
//! pseudo-terminal to a simulated board, which keeps its port as long as the hands live; virtual
//! time has no terminals. Must never press anything that no action asked for.

use std::sync::{Arc, Mutex};

use crate::act::serial::RelayKeyboard;
use crate::act::simulated::board::{Manner, SimulatedBoard};
use crate::act::simulated::{Faults, SimulatedKeyboard};
use crate::act::worker::Worker;
use crate::act::{ActError, Done, Hands};
use crate::types::{Action, Armed, Clock, KeyTiming, RelayHands, Stop, Target, Time};

/// The reference's wiring, and a relay more to begin another game.
pub const WIRING: [(&str, u8); 5] = [
    ("Left", 0),
    ("Right", 1),
    ("Up", 2),
    ("space", 3),
    ("Return", 4),
];

/// Hands that play a target by relays.
pub struct Wires {
    hands: Box<dyn Hands>,
    words: &'static str,
    /// Unplugged when it is dropped, after the hands.
    _board: Option<(SimulatedBoard, tempfile::TempDir)>,
}

impl Wires {
    /// Relays across the keys of a target; `fast` is virtual time.
    ///
    /// # Errors
    /// When there is no pseudo-terminal or no thread.
    pub fn open(
        target: Arc<Mutex<dyn Target>>,
        faults: Faults,
        clock: &Arc<dyn Clock>,
        stop: &Stop,
        fast: bool,
    ) -> anyhow::Result<Self> {
        let wiring: Vec<(String, u8)> = WIRING.map(|(key, n)| (key.to_owned(), n)).to_vec();
        if fast {
            let relays = RelayHands::adr2200("", wiring);
            let timing = KeyTiming {
                lead: relays.lead,
                hold: relays.hold,
                gap: relays.gap,
                latency: relays.latency,
            };
            return Ok(Self {
                hands: Box::new(SimulatedKeyboard::new(target, timing, faults)),
                words: "simulated:webcam, relay keyboard in virtual time",
                _board: None,
            });
        }
        let folder = tempfile::tempdir()?;
        let port = folder.path().join("relays");
        let manner = Manner {
            baud: 9600,
            ..Manner::default()
        };
        let time = Arc::clone(clock);
        let board = SimulatedBoard::start(&port, wiring.clone(), target, time, faults, manner)?;
        let relays = RelayHands::adr2200(&port.to_string_lossy(), wiring);
        let keyboard = RelayKeyboard::open(relays, Arc::clone(clock), stop.clone())?;
        Ok(Self {
            hands: Box::new(Worker::spawn(Box::new(keyboard), Arc::clone(clock))?),
            words: "simulated:webcam, ADR2200 on a pseudo-terminal",
            _board: Some((board, folder)),
        })
    }

    /// What the run's first event says of the source.
    #[must_use]
    pub const fn words(&self) -> &'static str {
        self.words
    }
}

impl Hands for Wires {
    fn start(&mut self, action: Action, permit: Armed, now: Time) -> Result<(), ActError> {
        self.hands.start(action, permit, now)
    }

    fn poll(&mut self, now: Time) -> Option<Result<Done, ActError>> {
        self.hands.poll(now)
    }

    fn due(&self) -> Option<Time> {
        self.hands.due()
    }

    fn release_all(&mut self) -> Result<(), ActError> {
        self.hands.release_all()
    }

    fn timing(&self) -> KeyTiming {
        self.hands.timing()
    }

    fn away(&self) -> Option<String> {
        self.hands.away()
    }
}
