//! What changes while a camera looks on: exposure, mains light, the shutter, knocks, bad frames.
//!
//! Plain data, readable from TOML, and what follows from it for a moment or a frame; the same
//! seed gives the same course of things. Times are those of the run.

use serde::{Deserialize, Serialize};

use super::model::Pose;
use super::noise::mix;
use crate::types::Time;

/// Light that swings with the mains.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mains {
    /// Part of the light that swings, up and down.
    pub depth: f64,
    /// Swings a second: 100 or 120.
    pub hertz: f64,
}

/// The camera is knocked and stands differently from then on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knock {
    /// When, in seconds of the run.
    pub at: f64,
    /// How it stands then.
    pub pose: Pose,
}

/// How a frame can be bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// From some line on, blocks of other colours: data got lost on the way.
    Blocks,
    /// From some line on, everything is shifted aside.
    Torn,
    /// Far out of focus.
    Blurred,
    /// Far too bright.
    Flash,
    /// From some line on, one colour.
    Cut,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Blocks,
        Self::Torn,
        Self::Blurred,
        Self::Flash,
        Self::Cut,
    ];
}

/// What changes with time; by default nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Passing {
    /// How far the exposure drifts up and down (0.3: light times 0.7 to 1.4), slowly.
    pub drift: f64,
    /// Seconds of one drift up and down; 0 is 20 s.
    pub drift_period: f64,
    /// Mains light: bands that wander, because lines are read one after the other.
    pub mains: Option<Mains>,
    /// Seconds from the first line to the last: a rolling shutter. 0 takes all lines at once.
    pub readout: f64,
    /// Seconds for which each line gathers light: what changes meanwhile is seen half.
    pub exposure: f64,
    /// Changes of the pose, in the order of time.
    pub knocks: Vec<Knock>,
    /// Share of bad frames.
    pub faults: f64,
}

impl Passing {
    /// The factor of all light at a moment.
    #[must_use]
    pub fn light(&self, seed: u64, at: Time) -> f64 {
        let t = at.0 as f64 * 1e-6;
        let mut light = 1.0;
        if self.drift > 0.0 {
            let period = if self.drift_period > 0.0 {
                self.drift_period
            } else {
                20.0
            };
            let phase = (seed % 997) as f64 / 997.0;
            let swing = (std::f64::consts::TAU * (t / period + phase)).sin();
            light *= (self.drift * swing).exp();
        }
        if let Some(m) = self.mains {
            light *= 1.0 + m.depth * (std::f64::consts::TAU * (t * m.hertz).fract()).sin();
        }
        light
    }

    /// How the camera stands at a moment, if it was knocked before.
    #[must_use]
    pub fn pose(&self, at: Time) -> Option<Pose> {
        let t = at.0 as f64 * 1e-6;
        let past = self.knocks.partition_point(|k| k.at <= t);
        self.knocks[..past].last().map(|k| k.pose)
    }

    /// Whether a frame is bad, and how; the number decides all further details of it.
    #[must_use]
    pub fn fault(&self, seed: u64, seq: u64) -> Option<(Fault, u64)> {
        let drawn = mix(seed ^ mix(seq ^ 0xfa17));
        let share = (drawn >> 11) as f64 / (1u64 << 53) as f64;
        let detail = mix(drawn);
        (share < self.faults).then(|| (Fault::ALL[(detail % 5) as usize], mix(detail)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_frames_come_at_their_rate_and_again_the_same() {
        let p = Passing {
            faults: 0.05,
            ..Passing::default()
        };
        let bad = |seed| -> Vec<u64> {
            (0..4000)
                .filter(|&seq| p.fault(seed, seq).is_some())
                .collect()
        };
        assert!((140..260).contains(&bad(1).len()), "{}", bad(1).len());
        assert_eq!(bad(1), bad(1));
        assert_ne!(bad(1), bad(2));
    }

    #[test]
    fn light_swings_around_one_and_knocks_last() {
        let knocked = Pose {
            roll: 3.0,
            ..Pose::default()
        };
        let p = Passing {
            drift: 0.3,
            drift_period: 10.0,
            mains: Some(Mains {
                depth: 0.1,
                hertz: 100.0,
            }),
            knocks: vec![Knock {
                at: 2.0,
                pose: knocked,
            }],
            ..Passing::default()
        };
        let all: Vec<f64> = (0..10_000)
            .map(|ms| {
                p.light(
                    3,
                    Time::from_millis(ms) + std::time::Duration::from_micros(ms % 7 * 1300),
                )
            })
            .collect();
        let most = all.iter().copied().fold(0.0, f64::max);
        let least = all.iter().copied().fold(9.0, f64::min);
        assert!((1.3..1.5).contains(&most) && (0.6..0.75).contains(&least));
        assert_eq!(p.pose(Time::from_millis(1999)), None);
        assert_eq!(p.pose(Time::from_millis(2000)), Some(knocked));
    }
}
