//! Following a board that lies elsewhere than it did: a knocked camera, a page that was zoomed or
//! scrolled inside its window.
//!
//! What is read at the old place makes no sense then. The known board is looked for, and followed
//! only where what it shows is what was believed, or what the rules lead to.

use std::time::Duration;

use super::sight::obscured;
use super::{Effect, TurnMind};
use crate::pipeline::drift::Drift;
use crate::reconcile::Doubt;
use crate::types::{Cause, Frame, Handling, Status, Story, Time};

/// A board that makes no sense for so long is looked for elsewhere: several frames, since a single
/// bad one is common.
const PATIENCE: Duration = Duration::from_millis(130);
/// A lattice that fits the picture by less than this part of how well it did lies beside the
/// board, even where everything can be read: an empty board looks the same a little further on.
const OFF: f32 = 0.6;
/// And again after so long, while it goes on making none.
const INTERVAL: Duration = Duration::from_millis(200);
/// One in so many cells may be hidden by what moves over a board that is followed.
const FEW: usize = 12;
/// At most after so long, where it was looked for in vain: something lies over the board.
const LONGEST: Duration = Duration::from_secs(2);
/// But after a rest of so much for each pixel of the picture: by its size and not by the time that
/// was needed, so that a replay rests as long.
const REST: Duration = Duration::from_nanos(100);

/// How the lattice fits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footing {
    /// The best fit since the board was found.
    usual: Option<f32>,
    /// Since when it is off.
    off_since: Option<Time>,
    /// Not looked for elsewhere before this.
    next: Time,
    pause: Duration,
}

impl Default for Footing {
    fn default() -> Self {
        Self {
            usual: None,
            off_since: None,
            next: Time::ZERO,
            pause: INTERVAL,
        }
    }
}

impl Footing {
    /// Takes how a frame fits; since when it is off.
    fn see(&mut self, fit: Option<f32>, at: Time) -> Option<Time> {
        let usual = self.usual.unwrap_or(0.0);
        if fit.is_some_and(|f| f < OFF * usual) {
            return Some(*self.off_since.get_or_insert(at));
        }
        self.usual = fit.map(|f| f.max(usual)).or(self.usual);
        self.off_since = None;
        self.pause = INTERVAL;
        None
    }
}

impl TurnMind {
    /// Whether the lattice lies beside the board in this frame, so that nothing is to be made of
    /// what was read; where the board is found elsewhere it is used there from the next frame on.
    pub(super) fn has_slipped(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) -> bool {
        let fit = self.eyes.fit(&frame.picture);
        let Some(since) = self.footing.see(fit, frame.captured_at) else {
            return false;
        };
        if frame.captured_at.since(since) < PATIENCE {
            return true;
        }
        now >= self.footing.next && self.find_elsewhere(frame, now, out)
    }

    /// Looks for the board elsewhere if what is seen has made no sense for a while; whether it was
    /// found there.
    pub(super) fn track(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) -> bool {
        let (lasted, doubt) = self.reconciler.trouble_at(frame.captured_at);
        let due = doubt != Doubt::None && lasted >= PATIENCE && now >= self.footing.next;
        due && self.find_elsewhere(frame, now, out)
    }

    /// Looks for the known board at another place and uses it there; whether it was found.
    pub(super) fn find_elsewhere(
        &mut self,
        frame: &Frame,
        now: Time,
        out: &mut Vec<Effect>,
    ) -> bool {
        if obscured(frame) {
            return false;
        }
        let rest = REST * frame.picture.pixels().len() as u32;
        let pause = self.footing.pause;
        self.footing.next = now + rest.max(pause);
        self.footing.pause = (pause * 2).min(LONGEST);
        let (found, took) = self.look(&frame.picture);
        let Some(found) = found.filter(super::super::eyes::Candidate::is_again) else {
            return false;
        };
        let drift = { self.eyes.calibration() }
            .and_then(|old| Drift::between(old, found.calibration()))
            .filter(|d| d.cells >= Drift::LEAST);
        let Some(drift) = drift else {
            return false;
        };
        // It has moved, whatever is on its way on it: the next frames will tell.
        self.footing.pause = INTERVAL;
        let Some(reading) = self.eyes.read_as(&found, &frame.picture) else {
            return false;
        };
        let clear = reading.unknown() * FEW <= reading.size.len();
        let story = self.agent.interpret(&reading);
        let explained = self.agent.status() == Status::Unknown
            || matches!(story, Story::Same | Story::Done | Story::Moved { .. })
            || clear && matches!(story, Story::Passing | Story::Partial { agrees: true });
        if !explained || !self.is_whole(&found, frame, out) {
            return false;
        }
        let text = format!("the board lies {drift}");
        self.mismatch(Cause::BoardMoved, Handling::Refind, &text, Some(frame), out);
        self.adopt(found, true, (frame.seq, took), out)
    }
}
