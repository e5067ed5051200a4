//! How much of a budget is spent: the only place of the policies that looks at a clock.

use crate::types::{Budget, Clock, SystemClock};

/// Counts nodes and says when to stop.
#[derive(Debug)]
pub struct Gauge<'a> {
    budget: &'a Budget,
    clock: Option<SystemClock>,
    /// The search's number with the witness of the budget.
    search: usize,
    /// In a replay: the nodes after which its time was spent.
    told: Option<u64>,
    nodes: u64,
    look: u64,
    spent: bool,
}

/// Nodes between two looks at the clock and the stop switch.
const STRIDE: u64 = 64;

impl<'a> Gauge<'a> {
    /// Starts counting now; a clock is read only if the budget has a time.
    #[must_use]
    pub fn start(budget: &'a Budget) -> Self {
        let (search, told) = budget.witness.search().unwrap_or_default();
        let timed = budget.time.filter(|_| told.is_none());
        let mut gauge = Self {
            budget,
            clock: timed.map(|_| SystemClock::start()),
            search,
            told,
            nodes: 0,
            look: 0,
            spent: false,
        };
        gauge.look();
        gauge
    }

    /// One more node; false when the budget is spent.
    #[inline]
    pub fn node(&mut self) -> bool {
        self.add(1)
    }

    /// So many more nodes; false when the budget is spent.
    #[inline]
    pub fn add(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        if self.nodes >= self.look {
            self.look();
        }
        !self.spent
    }

    fn look(&mut self) {
        let limit = self.budget.nodes.unwrap_or(u64::MAX);
        self.look = (self.nodes + STRIDE).min(limit.max(self.nodes + 1));
        let mut over = self.budget.stop.is_pulled();
        if let (Some(clock), Some(time)) = (&self.clock, self.budget.time) {
            over |= u128::from(clock.now().0) >= time.as_micros();
        }
        if let Some(told) = self.told {
            over = self.nodes >= told;
        } else if over && !self.spent {
            self.budget.witness.spent(self.search, self.nodes);
        }
        self.spent |= over || self.nodes >= limit;
    }

    /// Whether the budget is spent.
    #[must_use]
    pub const fn is_spent(&self) -> bool {
        self.spent
    }

    /// Whether there is any limit but the stop switch.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.budget.time.is_some() || self.budget.nodes.is_some()
    }

    /// The share of the budget that is spent, 0 to 1; 0 if there is no limit.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.budget.witness.share(|| self.measured())
    }

    fn measured(&self) -> f64 {
        let nodes = self
            .budget
            .nodes
            .map_or(0.0, |limit| self.nodes as f64 / (limit.max(1)) as f64);
        let time = match (&self.clock, self.budget.time) {
            (Some(clock), Some(time)) if !time.is_zero() => {
                clock.now().0 as f64 / time.as_micros() as f64
            }
            (Some(_), Some(_)) => 1.0,
            _ => 0.0,
        };
        nodes.max(time).min(1.0)
    }

    /// Nodes so far.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::time::Duration;

    use crate::types::{Time, Witness};

    #[test]
    fn nodes_end_exactly() {
        let budget = Budget {
            nodes: Some(100),
            ..Budget::default()
        };
        let mut gauge = Gauge::start(&budget);
        let mut n = 0;
        while gauge.node() {
            n += 1;
        }
        assert_eq!((n, gauge.nodes()), (99, 100));
        assert!(gauge.is_spent());
    }

    #[test]
    fn a_search_that_ran_out_of_time_ends_at_the_same_node_again() {
        let mut budget = Budget {
            time: Some(Duration::from_millis(2)),
            witness: Witness::keeping(),
            ..Budget::default()
        };
        let run = |budget: &Budget| {
            let mut gauge = Gauge::start(budget);
            let mut shares = Vec::new();
            while gauge.node() {
                if gauge.nodes().is_multiple_of(1000) {
                    shares.push(gauge.share());
                }
            }
            (gauge.nodes(), shares)
        };
        let first = run(&budget);
        assert!(first.0 >= STRIDE);
        let kept = budget.witness.take();
        budget.witness = Witness::telling();
        budget.witness.tell(kept, Time::ZERO);
        assert_eq!(run(&budget), first);
        assert!(!budget.witness.ran_short());
    }

    #[test]
    fn time_and_stop_end_it_soon() {
        let timed = Budget {
            time: Some(Duration::ZERO),
            ..Budget::default()
        };
        assert!(Gauge::start(&timed).is_spent());
        let stopped = Budget::default();
        let mut gauge = Gauge::start(&stopped);
        assert!((0..1000).all(|_| gauge.node()));
        stopped.stop.pull("test");
        assert!(!(0..=STRIDE).all(|_| gauge.node()));
    }
}
