//! How long the board has looked the same, measured on its labels and not on the whole picture:
//! a blinking cursor beside the board is no movement.

use std::time::Duration;

use crate::types::{Reading, Time};

/// The last reading and since when it has not changed.
#[derive(Debug, Default)]
pub struct Stillness {
    last: Reading,
    since: Time,
    frames: u32,
}

impl Stillness {
    /// Takes the next reading; returns for how long these labels have been seen, from the first
    /// frame that showed them to this one (zero when they are new).
    pub fn update(&mut self, reading: &Reading, captured_at: Time) -> Duration {
        if self.frames > 0 && self.last.same_labels(reading) {
            self.frames += 1;
        } else {
            self.last.size = reading.size;
            self.last.cells.clone_from(&reading.cells);
            self.since = captured_at;
            self.frames = 1;
        }
        captured_at.since(self.since)
    }

    /// Frames in a row with these labels.
    #[must_use]
    pub const fn frames(&self) -> u32 {
        self.frames
    }

    /// For how long these labels had been seen by the last frame, captured at this time.
    #[must_use]
    pub fn lasted(&self, at: Time) -> Duration {
        match self.frames {
            0 => Duration::ZERO,
            _ => at.since(self.since),
        }
    }

    /// Forgets what was seen: the next frame begins a new stillness.
    pub fn reset(&mut self) {
        self.frames = 0;
    }
}
