//! Hands without a device: they click and type into a built-in target, with faults on request.
//!
//! Must never act without a permit.

pub mod board;
pub mod commands;
pub mod keyboard;
mod mouse;

use std::time::Duration;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

pub use board::{Manner, SimulatedBoard};
pub use keyboard::SimulatedKeyboard;
pub use mouse::{SimulatedMouse, TargetFromFrame};

/// What goes wrong between the hands and the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Faults {
    /// Share of the clicks and keys that never arrive.
    pub lost: f64,
    /// Share of those that arrive twice.
    pub doubled: f64,
    /// How long each takes to arrive, in milliseconds.
    pub latency_ms: u32,
    /// How much longer it may take, in milliseconds; drawn for each, evenly.
    pub jitter_ms: u32,
    /// Seed of the faults.
    pub seed: u64,
}

impl Faults {
    /// How often the next input arrives: 0, 1 or 2 times.
    fn arrivals(&self, rng: &mut ChaCha8Rng) -> u8 {
        let chance: f64 = rng.random();
        if chance < self.lost {
            0
        } else if chance < self.lost + self.doubled {
            2
        } else {
            1
        }
    }

    /// How long the next input takes to arrive.
    fn delay(&self, rng: &mut ChaCha8Rng) -> Duration {
        // Without jitter nothing is drawn, so that it changes no run that has none.
        let jitter = match self.jitter_ms {
            0 => 0,
            most => rng.random_range(0..=u64::from(most) * 1000),
        };
        Duration::from_millis(u64::from(self.latency_ms)) + Duration::from_micros(jitter)
    }
}
