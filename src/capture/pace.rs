//! How often a screen is captured: a handle that the loop turns while the source runs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::types::{Clock, Time};

/// The time between two captures, shared by a source and whoever wants it faster or slower.
/// Clones are the same pace.
#[derive(Clone, Debug)]
pub struct Pace(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    micros: AtomicU64,
    turns: Mutex<u64>,
    turned: Condvar,
}

impl Pace {
    /// When nothing is expected: 30 pictures a second.
    pub const CALM: Duration = Duration::from_micros(33_333);
    /// Just after a click, to see its effect as soon as it is drawn.
    pub const EAGER: Duration = Duration::from_millis(2);

    /// A pace of its own.
    #[must_use]
    pub fn new(interval: Duration) -> Self {
        let pace = Self(Arc::new(Inner {
            micros: AtomicU64::new(0),
            turns: Mutex::new(0),
            turned: Condvar::new(),
        }));
        pace.set_interval(interval);
        pace
    }

    /// Changes the pace from now on: a source that waits for its next capture wakes up and
    /// counts the new interval from its last one. Zero is as fast as the source can.
    pub fn set_interval(&self, interval: Duration) {
        let micros = u64::try_from(interval.as_micros()).unwrap_or(u64::MAX);
        if self.0.micros.swap(micros, Ordering::SeqCst) != micros {
            *self.0.turns.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            self.0.turned.notify_all();
        }
    }

    /// The time between two captures.
    #[must_use]
    pub fn interval(&self) -> Duration {
        Duration::from_micros(self.0.micros.load(Ordering::SeqCst))
    }

    /// Returns at `deadline` with false, or with true when an interval has passed since `last`.
    #[must_use]
    pub fn wait(&self, clock: &dyn Clock, last: Option<Time>, deadline: Time) -> bool {
        let mut turns = self.0.turns.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let now = clock.now();
            let due = last.map_or(now, |last| last + self.interval());
            if due <= now {
                return true;
            }
            if now >= deadline {
                return false;
            }
            let until = due.min(deadline);
            let before = *turns;
            turns = self
                .0
                .turned
                .wait_timeout(turns, until.since(now))
                .unwrap_or_else(PoisonError::into_inner)
                .0;
            // A virtual clock stands still meanwhile; an unturned wait ends at its time.
            if *turns == before {
                drop(turns);
                clock.sleep_until(until);
                turns = self.0.turns.lock().unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self::new(Self::CALM)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::SystemClock;

    #[test]
    fn a_turn_wakes_the_waiter() {
        let pace = Pace::new(Duration::from_secs(3600));
        let clock = SystemClock::start();
        let last = clock.now();
        std::thread::scope(|s| {
            let waiter = s.spawn(|| pace.wait(&clock, Some(last), last + Duration::from_secs(60)));
            pace.set_interval(Duration::from_millis(1));
            assert!(waiter.join().expect("no panic"));
        });
        assert!(clock.now() < Time::from_millis(30_000));
    }

    #[test]
    fn the_deadline_comes_first_if_it_is_earlier() {
        let pace = Pace::new(Duration::from_secs(3600));
        let clock = SystemClock::start();
        let last = clock.now();
        assert!(!pace.wait(&clock, Some(last), last + Duration::from_millis(5)));
        assert!(pace.wait(&clock, None, last), "the first is due at once");
    }
}
