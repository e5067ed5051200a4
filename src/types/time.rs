//! Time as data: a microsecond count since the run began, and the clocks that give it.
//!
//! Everything that decides takes a [`Time`] as an argument; only the shell
//! around the loop owns a [`Clock`]. Must never be compared across runs: the
//! wall-clock start of a run stands in the journal.

use std::ops::{Add, Sub};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Microseconds since the run began, monotonic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub u64);

impl Time {
    /// The moment the run began.
    pub const ZERO: Self = Self(0);

    /// A time this many milliseconds after the start of the run.
    #[must_use]
    pub const fn from_millis(ms: u64) -> Self {
        Self(ms * 1000)
    }

    /// How long ago `earlier` was; zero if it is in the future.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Time {
    type Output = Self;
    fn add(self, d: Duration) -> Self {
        // A run would have to last half a million years to saturate.
        Self(
            self.0
                .saturating_add(u64::try_from(d.as_micros()).unwrap_or(u64::MAX)),
        )
    }
}

impl Sub for Time {
    type Output = Duration;
    fn sub(self, earlier: Self) -> Duration {
        self.since(earlier)
    }
}

/// Something that tells the time and can wait for it.
pub trait Clock: Send + Sync {
    /// Now, since the start of the run.
    fn now(&self) -> Time;
    /// Returns when `now()` is at least `when`.
    fn sleep_until(&self, when: Time);
}

/// The machine's monotonic clock, starting at zero.
#[derive(Debug)]
pub struct SystemClock(Instant);

impl SystemClock {
    /// A clock that reads zero now.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Time {
        Time(u64::try_from(self.0.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    fn sleep_until(&self, when: Time) {
        let wait = when.since(self.now());
        if !wait.is_zero() {
            std::thread::sleep(wait);
        }
    }
}

/// A clock that moves only when told: tests and replays run in virtual time.
#[derive(Debug, Default)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// Sets the time; it never goes back.
    pub fn set(&self, when: Time) {
        self.0.fetch_max(when.0, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Time {
        Time(self.0.load(Ordering::SeqCst))
    }

    /// Waiting in virtual time is moving the clock.
    fn sleep_until(&self, when: Time) {
        self.set(when);
    }
}
