//! What differs from one Tetris program, keyboard and camera to another.

use std::time::Duration;

use super::super::rules::{JUNK, Kind, System};
use super::clock::FallPrior;
use super::press::KeyNames;
use crate::types::{GridSize, KeyTiming};

/// How the position is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The whole board is checked in every frame.
    #[default]
    RealityCheck,
    /// As the reference's rig did it: pieces are recognised where they appear, everything else
    /// is dead reckoning.
    DeadReckoning,
}

/// Everything a Tetris agent must be told.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentOptions {
    /// How pieces are made, appear and turn.
    pub system: System,
    /// Columns and rows of the board.
    pub size: GridSize,
    /// How long the hands take. `latency` is from a key going down to its effect being in a
    /// frame, at most: display, exposure and the hands' own uncertainty together.
    pub timing: KeyTiming,
    /// Names of the keys.
    pub keys: KeyNames,
    /// Whether the next piece may be used when a grid beside the board shows it.
    pub next_shown: bool,
    /// Columns and rows of that grid.
    pub next_grid: GridSize,
    /// What is known of the fall delay.
    pub fall: FallPrior,
    /// Whether fall steps come at their own times, whenever a piece appeared; else the first one
    /// comes a full delay after it.
    pub steady_clock: bool,
    /// How long the rows of a pile are not to be relied on after some of them were completed:
    /// programs let them flash, fade or bounce, while the next piece falls already.
    pub clearing: Duration,
    /// Press drop only once a frame has shown the piece where it shall land, and no key can
    /// change that any more. Where pieces fall too fast for that they fall by themselves.
    pub confirm_before_drop: bool,
    /// From one frame to the next.
    pub frame_interval: Duration,
    /// Board values of the classes by their number, from 0: kinds 1 to 7, [`JUNK`] for filled
    /// cells that tell no kind.
    pub values: Vec<u8>,
    /// How the position is known.
    pub mode: Mode,
}

impl AgentOptions {
    /// Board values for classes with these letters: `.` is empty, a letter that names no kind is
    /// only filled.
    #[must_use]
    pub fn values_of(letters: &[char]) -> Vec<u8> {
        let value = |letter: &char| match letter {
            '.' => 0,
            other => Kind::from_letter(*other).map_or(JUNK, Kind::number),
        };
        letters.iter().map(value).collect()
    }
}

impl Default for AgentOptions {
    /// The standard on a 10x20 board, by the reference's relays and a camera of 30 frames/s.
    fn default() -> Self {
        Self {
            system: System::standard(),
            size: GridSize::new(10, 20),
            timing: KeyTiming {
                lead: Duration::from_millis(30),
                hold: Duration::from_millis(30),
                gap: Duration::ZERO,
                latency: Duration::from_millis(70),
            },
            keys: KeyNames::default(),
            next_shown: true,
            next_grid: GridSize::new(4, 2),
            fall: FallPrior::Standard(None),
            steady_clock: false,
            clearing: Duration::ZERO,
            confirm_before_drop: true,
            frame_interval: Duration::from_millis(33),
            values: vec![0, 1, 2, 3, 4, 5, 6, 7, JUNK],
            mode: Mode::RealityCheck,
        }
    }
}
