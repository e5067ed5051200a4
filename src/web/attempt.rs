//! One attempt to carry out an order: its parts are opened, run to their end and closed.
//!
//! Takes what a session is to do and gives why it did not come to its end, and the number of its
//! run in the journal, which a restart names. Must never try again: that is the session's.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use super::daemon::Asked;
use super::live::Live;
use super::publisher::Publisher;
use crate::assemble::{self, Order, SourceSpec};
use crate::config::Settings;
use crate::journal::{Journal, RunId};
use crate::pipeline::mind::Ending;
use crate::pipeline::pulse::{Beating, Pulse, Resting};
use crate::pipeline::run::{Rig, run};
use crate::types::{Arming, Event, EventSink, SinkError, Stop, Time};

/// What a session is to do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What was asked for.
    pub asked: Asked,
    /// What it came to.
    pub order: Order,
    /// With what.
    pub settings: Settings,
}

impl Plan {
    /// As a session carries it out: with hands that a person may arm, in real time.
    #[must_use]
    pub fn new(asked: Asked, mut order: Order, settings: Settings) -> Self {
        order.games = asked.games;
        order.armed = !matches!(order.source, SourceSpec::Files(_));
        order.changeable = true;
        if let Some(stage) = &mut order.simulated {
            // Whoever looks on lives in real time.
            stage.fast = false;
        }
        Self {
            asked,
            order,
            settings,
        }
    }

    /// Whether a run would be the same with the other.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        self.order == other.order && self.settings.runs_like(&other.settings)
    }
}

/// What an attempt is seen and led by from outside.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) live: Arc<Live>,
    pub(super) pulse: Arc<Pulse>,
    pub(super) arming: Arming,
    pub(super) stop: Stop,
    /// The number of its run; 0 while none has begun.
    run: Arc<AtomicI64>,
}

impl Attempt {
    /// One that has not begun.
    pub(super) fn new(live: &Arc<Live>, pulse: &Arc<Pulse>, arming: &Arming, stop: Stop) -> Self {
        Self {
            live: Arc::clone(live),
            pulse: Arc::clone(pulse),
            arming: arming.clone(),
            stop,
            run: Arc::default(),
        }
    }

    /// The number of its run; `None` where none has begun: the journal counts from 1.
    pub(super) fn run(&self) -> Option<RunId> {
        Some(self.run.load(Ordering::SeqCst)).filter(|n| *n > 0)
    }

    /// Carries it out; `opened` is called when all is open and the loop begins, and `wanted` says
    /// whether it then begins armed.
    ///
    /// # Errors
    /// When a part cannot be opened or the journal cannot be written.
    pub(super) fn carry_out(
        &self,
        plan: &Plan,
        wanted: &AtomicBool,
        opened: impl FnOnce(),
    ) -> anyhow::Result<Ending> {
        let clock = assemble::clock(&plan.order);
        let parts = assemble::open(plan.order.clone(), &plan.settings, &clock, &self.stop)?;
        opened();
        if wanted.load(Ordering::SeqCst) {
            self.arming.ask(true);
        }
        let mut publisher = Publisher::new(Arc::clone(&self.live), Arc::clone(&clock));
        let rig = Rig {
            feeder: Box::new(Beating {
                feeder: parts.feeder,
                pulse: Arc::clone(&self.pulse),
            }),
            hands: parts.hands,
            mind: parts.mind,
            journal: Box::new(Numbered {
                journal: parts.journal,
                run: Arc::clone(&self.run),
            }),
            clock,
            stop: self.stop.clone(),
            arming: self.arming.clone(),
            observer: &mut publisher,
        };
        let _resting = Resting(&self.pulse);
        let report = run(rig, parts.started)?;
        drop(parts.emergency);
        Ok(report.ending)
    }
}

/// A journal that tells the number of its run.
struct Numbered {
    journal: Journal,
    run: Arc<AtomicI64>,
}

impl EventSink for Numbered {
    fn record(&mut self, at: Time, event: &Event) -> Result<(), SinkError> {
        let done = self.journal.record(at, event);
        let run = self.journal.run().unwrap_or_default();
        self.run.store(run, Ordering::SeqCst);
        done
    }
}
