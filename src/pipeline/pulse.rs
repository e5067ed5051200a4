//! The sign that something turns: whoever does useful work in turns beats, and somebody else looks
//! how long the last beat is ago.
//!
//! Must never beat by itself: a timer would go on beside a loop that hangs.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::run::Feeder;
use crate::capture::CaptureError;
use crate::types::{Feed, Time};

/// When somebody has last done something; `None` while nothing is expected of him.
#[derive(Debug, Default)]
pub struct Pulse(Mutex<Option<Instant>>);

impl Pulse {
    fn last(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// It turns; from now on beats are expected.
    pub fn beat(&self) {
        *self.last() = Some(Instant::now());
    }

    /// Nothing more is expected.
    pub fn rest(&self) {
        *self.last() = None;
    }

    /// How long the last beat is ago; `None` while none is expected.
    #[must_use]
    pub fn silence(&self) -> Option<Duration> {
        self.last().map(|at| at.elapsed())
    }
}

/// Has a pulse rest when it is dropped, however a run ends.
#[derive(Debug)]
pub struct Resting<'a>(pub &'a Pulse);

impl Drop for Resting<'_> {
    fn drop(&mut self) {
        self.0.rest();
    }
}

/// A feeder that beats whenever the loop comes back for another frame, which it does at least every
/// few hundredths of a second, also when there is none.
pub struct Beating {
    /// Who gives the frames.
    pub feeder: Box<dyn Feeder>,
    /// What beats.
    pub pulse: std::sync::Arc<Pulse>,
}

impl Feeder for Beating {
    fn wait(&mut self, deadline: Time) -> Result<Feed, CaptureError> {
        self.pulse.beat();
        self.feeder.wait(deadline)
    }

    fn dropped(&self) -> u64 {
        self.feeder.dropped()
    }

    fn set_eager(&mut self, eager: bool) {
        self.feeder.set_eager(eager);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_counted_only_while_beats_are_expected() {
        let pulse = Pulse::default();
        assert_eq!(pulse.silence(), None);
        pulse.beat();
        std::thread::sleep(Duration::from_millis(20));
        assert!(pulse.silence() >= Some(Duration::from_millis(20)));
        drop(Resting(&pulse));
        assert_eq!(pulse.silence(), None);
    }
}
