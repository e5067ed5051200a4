//! What goes wrong between a simulated game and its player: options that demo and bench share.

use std::time::Duration;

use anyhow::ensure;

use crate::act::simulated::Faults;
use crate::assemble::Trouble;

/// The largest seed: settings hold whole numbers of TOML, which have a sign.
pub const LAST_SEED: u64 = i64::MAX as u64;

/// Options for the faults of the simulated devices.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct TroubleOptions {
    /// Share of the presses that are lost, 0 to 0.9
    #[arg(long, value_name = "SHARE", default_value_t = 0.02)]
    lost: f64,
    /// Share of the presses that act twice, 0 to 0.9
    #[arg(long, value_name = "SHARE", default_value_t = 0.01)]
    doubled: f64,
    /// Share of the frames that are badly spoiled, 0 to 0.9
    #[arg(long, value_name = "SHARE", default_value_t = 0.03)]
    spoiled: f64,
    /// Seconds from one knock against the camera to the next, 1 to 86400; 0 is never
    /// [default: 300, in a demo 30]
    #[arg(long, value_name = "SECONDS")]
    knocks: Option<f64>,
}

impl TroubleOptions {
    /// Whether all of it can be.
    ///
    /// # Errors
    /// For a number out of its range, with the range.
    pub fn check(&self) -> anyhow::Result<()> {
        for (name, share) in [
            ("--lost", self.lost),
            ("--doubled", self.doubled),
            ("--spoiled", self.spoiled),
        ] {
            ensure!(
                (0.0..=0.9).contains(&share),
                "{name} {share}: a share from 0 to 0.9 is allowed"
            );
        }
        let knocks = self.knocks.unwrap_or_default();
        ensure!(
            knocks == 0.0 || (1.0..=86_400.0).contains(&knocks),
            "--knocks {knocks}: from 1 to 86400 seconds are allowed, or 0 for never"
        );
        Ok(())
    }

    /// What befalls the webcam; `usual` is the time between knocks where none is said. For
    /// options that were checked.
    #[must_use]
    pub fn of_webcam(&self, usual: Duration) -> Trouble {
        let every = self.knocks.map_or(usual, Duration::from_secs_f64);
        Trouble {
            spoiled: self.spoiled,
            knocks: (!every.is_zero()).then_some(every),
        }
    }

    /// What befalls the keys: 5 to 15 ms on their way, and the faults asked for.
    #[must_use]
    pub const fn of_keys(&self, seed: u64) -> Faults {
        Faults {
            lost: self.lost,
            doubled: self.doubled,
            latency_ms: 5,
            jitter_ms: 10,
            seed,
        }
    }
}
