//! How the time of a decision is shared: what a brain is told, how long it is waited for, and what
//! is left for whoever takes over.

use std::time::{Duration, Instant};

use crate::types::{Budget, Stop};

/// A brain is waited for this long when nobody limits the time; it is told a little less.
const UNLIMITED: Duration = Duration::from_secs(10);
/// The most that is kept back for the fallback.
const RESERVE: Duration = Duration::from_millis(100);
/// An end that the clock cannot say is as far away as this.
const FAR: Duration = Duration::from_secs(365 * 24 * 3600);
/// The least that the fallback gets.
const LEAST: Duration = Duration::from_millis(1);

/// One decision's time.
#[derive(Clone, Debug)]
pub struct Share {
    /// What the brain is told that it has.
    pub told: Duration,
    /// Until when its answer is waited for.
    pub until: Instant,
    /// The stop switch.
    pub stop: Stop,
    begun: Instant,
    total: Option<Duration>,
}

impl Share {
    /// A brain with a fallback behind it: a fifth of the time, 100 ms at most, is kept back, and
    /// of the rest the brain is told a twentieth less, so that its answer has time to arrive.
    #[must_use]
    pub fn with_fallback(budget: &Budget) -> Self {
        let total = budget.time.unwrap_or(UNLIMITED);
        let wait = total - (total / 5).min(RESERVE);
        let on_the_way = (wait / 20).clamp(Duration::from_millis(1), Duration::from_millis(30));
        Self::new(budget, wait.saturating_sub(on_the_way), wait)
    }

    /// A brain alone: it is told all of the time and waited for `grace` longer.
    #[must_use]
    pub fn alone(budget: &Budget, grace: Duration) -> Self {
        let total = budget.time.unwrap_or(UNLIMITED);
        Self::new(budget, total, total.saturating_add(grace))
    }

    fn new(budget: &Budget, told: Duration, wait: Duration) -> Self {
        let begun = Instant::now();
        Self {
            told: told.max(LEAST),
            until: begun.checked_add(wait).unwrap_or(begun + FAR),
            stop: budget.stop.clone(),
            begun,
            total: budget.time,
        }
    }

    /// The same, but the brain is told another time.
    #[must_use]
    pub fn telling(self, told: Duration) -> Self {
        Self { told, ..self }
    }

    /// The same, but waited for no longer than this from now on; a game that does not wait is
    /// looked at again then.
    #[must_use]
    pub fn for_now(&self, most: Duration) -> Instant {
        let now = Instant::now();
        self.until.min(now.checked_add(most).unwrap_or(now + FAR))
    }

    /// `told` in whole milliseconds, at least 1.
    #[must_use]
    pub fn told_ms(&self) -> u64 {
        u64::try_from(self.told.as_millis())
            .unwrap_or(u64::MAX)
            .max(1)
    }

    /// What is left of the budget.
    #[must_use]
    pub fn rest(&self, budget: &Budget) -> Budget {
        let gone = self.begun.elapsed();
        Budget {
            time: self.total.map(|t| t.saturating_sub(gone).max(LEAST)),
            ..budget.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(ms: u64) -> Budget {
        Budget {
            time: Some(Duration::from_millis(ms)),
            ..Budget::default()
        }
    }

    #[test]
    fn something_is_left_for_the_fallback() {
        for (ms, told, left) in [
            (10, 7, 2),
            (100, 76, 20),
            (500, 380, 100),
            (5000, 4870, 100),
        ] {
            let share = Share::with_fallback(&budget(ms));
            assert_eq!(share.told_ms(), told, "{ms}");
            let wait = share.until - share.begun;
            assert_eq!(
                Duration::from_millis(ms) - wait,
                Duration::from_millis(left)
            );
            let rest = share.rest(&budget(ms)).time.expect("limited");
            assert!(rest <= Duration::from_millis(ms));
        }
    }

    #[test]
    fn alone_it_has_all_and_some_grace() {
        let share = Share::alone(&budget(300), Duration::from_secs(1));
        assert_eq!(share.told_ms(), 300);
        assert_eq!(share.until - share.begun, Duration::from_millis(1300));
    }

    #[test]
    fn no_time_is_too_long_for_the_clock() {
        let budget = Budget {
            time: Some(Duration::MAX),
            ..budget(0)
        };
        for share in [
            Share::alone(&budget, Duration::MAX),
            Share::with_fallback(&budget),
        ] {
            assert!(share.until >= share.begun + FAR);
            assert_eq!(share.told_ms(), u64::MAX);
            assert_eq!(share.for_now(Duration::MAX), share.until);
        }
    }
}
