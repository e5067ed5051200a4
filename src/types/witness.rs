//! What a tick learns of the world beside its input: when its clock was read, when a budget was
//! spent, what a program from outside answered.
//!
//! A witness keeps it while a run is recorded, and tells it again in a replay, so that the tick is
//! repeated exactly although a policy is limited by time. Without a recording there is none, and
//! nothing is kept. Must never change what it is asked about while it keeps.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::time::{Clock, Time};

/// What was learnt during one tick, in the order in which it was asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Testimony {
    /// Readings of the mind's clock, in microseconds of the run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clock: Vec<u64>,
    /// For each search begun: the nodes after which its time was spent or it was stopped; `None`
    /// where neither happened.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spent: Vec<Option<u64>>,
    /// Each time a search asked which share of its budget was spent, 0 to 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<f64>,
    /// What policies answered that cannot be asked again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<serde_json::Value>,
}

impl Testimony {
    /// Whether nothing was asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Somebody who keeps what ticks learn, or tells it again; by default nobody.
#[derive(Clone, Debug, Default)]
pub struct Witness(Option<Arc<Mutex<Inner>>>);

#[derive(Debug, Default)]
struct Inner {
    telling: bool,
    testimony: Testimony,
    /// How much of each list has been told.
    told: [usize; 4],
    last: Time,
    short: bool,
}

impl PartialEq for Witness {
    /// Whether it is the same one, or nobody twice.
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

impl Witness {
    /// One that keeps.
    #[must_use]
    pub fn keeping() -> Self {
        Self(Some(Arc::default()))
    }

    /// One that tells what it is given with [`Witness::tell`].
    #[must_use]
    pub fn telling() -> Self {
        let inner = Inner {
            telling: true,
            ..Inner::default()
        };
        Self(Some(Arc::new(Mutex::new(inner))))
    }

    /// Whether there is one at all.
    #[must_use]
    pub const fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// Whether it tells what was kept before.
    #[must_use]
    pub fn is_telling(&self) -> bool {
        self.inner().is_some_and(|w| w.telling)
    }

    /// What was kept since it was last taken.
    #[must_use]
    pub fn take(&self) -> Testimony {
        self.inner()
            .map(|mut w| std::mem::take(&mut w.testimony))
            .unwrap_or_default()
    }

    /// What is to be told from now on, in a tick at `now`.
    pub fn tell(&self, testimony: Testimony, now: Time) {
        if let Some(mut w) = self.inner() {
            (w.testimony, w.told, w.last) = (testimony, [0; 4], now);
        }
    }

    /// Whether more was asked for than was kept: the replay has gone another way. Asked once.
    #[must_use]
    pub fn ran_short(&self) -> bool {
        self.inner()
            .is_some_and(|mut w| std::mem::take(&mut w.short))
    }

    /// A clock's reading.
    pub fn time(&self, real: impl FnOnce() -> Time) -> Time {
        let Some(mut w) = self.inner() else {
            return real();
        };
        if w.telling {
            let told = w.next(0, |t| &t.clock);
            let now = told.map_or(w.last, Time);
            w.last = now;
            return now;
        }
        let now = real();
        w.testimony.clock.push(now.0);
        now
    }

    /// A search begins: its number, for [`Witness::spent`], and where it is told again, the nodes
    /// after which it was spent by time (`u64::MAX` where it was not).
    #[must_use]
    pub fn search(&self) -> Option<(usize, Option<u64>)> {
        let mut w = self.inner()?;
        if w.telling {
            let told = w.next(1, |t| &t.spent);
            return Some((0, Some(told.flatten().unwrap_or(u64::MAX))));
        }
        w.testimony.spent.push(None);
        Some((w.testimony.spent.len() - 1, None))
    }

    /// The search with this number was spent by time, or stopped, after so many nodes.
    pub fn spent(&self, search: usize, nodes: u64) {
        if let Some(mut w) = self.inner()
            && !w.telling
            && let Some(entry) = w.testimony.spent.get_mut(search)
        {
            entry.get_or_insert(nodes);
        }
    }

    /// The share of a budget that is spent.
    pub fn share(&self, real: impl FnOnce() -> f64) -> f64 {
        let Some(mut w) = self.inner() else {
            return real();
        };
        if w.telling {
            // A search that asks for more than was kept is not the one that was recorded.
            return w.next(2, |t| &t.shares).unwrap_or(1.0);
        }
        let share = real();
        w.testimony.shares.push(share);
        share
    }

    /// Keeps an answer that cannot be asked for again.
    pub fn keep_answer(&self, answer: serde_json::Value) {
        if let Some(mut w) = self.inner()
            && !w.telling
        {
            w.testimony.answers.push(answer);
        }
    }

    /// The next answer that was kept.
    #[must_use]
    pub fn told_answer(&self) -> Option<serde_json::Value> {
        self.inner()?.next(3, |t| &t.answers)
    }

    fn inner(&self) -> Option<MutexGuard<'_, Inner>> {
        let inner = self.0.as_ref()?;
        Some(inner.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Inner {
    fn next<T: Clone>(&mut self, list: usize, of: impl Fn(&Testimony) -> &Vec<T>) -> Option<T> {
        let told = of(&self.testimony).get(self.told[list]).cloned();
        self.told[list] += 1;
        self.short |= told.is_none();
        told
    }
}

/// A clock whose readings a witness keeps or tells.
pub struct Watched {
    clock: Arc<dyn Clock>,
    witness: Witness,
}

impl Watched {
    /// This clock, read before this witness.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, witness: Witness) -> Self {
        Self { clock, witness }
    }
}

impl Clock for Watched {
    fn now(&self) -> Time {
        self.witness.time(|| self.clock.now())
    }

    fn sleep_until(&self, when: Time) {
        self.clock.sleep_until(when);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ManualClock;

    #[test]
    fn what_is_kept_is_told_again_in_order() {
        let keeps = Witness::keeping();
        let manual = Arc::new(ManualClock::default());
        let clock = Watched::new(Arc::clone(&manual) as _, keeps.clone());
        for ms in [3, 3, 9] {
            manual.set(Time::from_millis(ms));
            assert_eq!(clock.now(), Time::from_millis(ms));
        }
        assert_eq!(keeps.search(), Some((0, None)));
        assert_eq!(keeps.search(), Some((1, None)));
        keeps.spent(1, 640);
        keeps.spent(1, 700);
        assert!((keeps.share(|| 0.25) - 0.25).abs() < 1e-12);
        keeps.keep_answer("e4".into());
        let kept = keeps.take();
        assert!(keeps.take().is_empty());
        let text = serde_json::to_string(&kept).expect("plain data");
        let read: Testimony = serde_json::from_str(&text).expect("as written");
        assert_eq!(read, kept);

        let tells = Witness::telling();
        let clock = Watched::new(manual, tells.clone());
        tells.tell(read, Time::ZERO);
        let again: Vec<Time> = (0..3).map(|_| clock.now()).collect();
        assert_eq!(again, [3, 3, 9].map(Time::from_millis));
        assert_eq!(tells.search(), Some((0, Some(u64::MAX))));
        assert_eq!(tells.search(), Some((0, Some(640))));
        assert!((tells.share(|| 0.9) - 0.25).abs() < 1e-12);
        assert_eq!(tells.told_answer(), Some("e4".into()));
        assert!(!tells.ran_short());
        assert_eq!(clock.now(), Time::from_millis(9), "it stands still");
        assert!(tells.ran_short() && !tells.ran_short());
    }

    #[test]
    fn nobody_keeps_nothing() {
        let nobody = Witness::default();
        assert!(!nobody.is_there() && nobody.search().is_none());
        assert_eq!(nobody.time(|| Time(7)), Time(7));
        assert!(nobody.take().is_empty());
    }
}
