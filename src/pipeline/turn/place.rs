//! The mind's attention to what is around the board: where the frame lies, whether it is hidden or
//! cut off by the screen's edge, and where the pointer is.

use std::time::Duration;

use super::super::strokes::{is_visible, on_board, park};
use super::sight::obscured;
use super::{Effect, Sent, TurnMind};
use crate::types::{Cause, Frame, Handling, Hidden, Stroke, Time};

/// A window that was moved is left alone for this long: it may be moved on. Two moves with less
/// than [`MOVE_PAUSE`] between them are one trouble.
const MOVE_REST: Duration = Duration::from_millis(100);
/// See [`MOVE_REST`].
const MOVE_PAUSE: Duration = Duration::from_millis(500);
/// The pointer is not parked more often than this: a person may want it where it is.
const PARK_INTERVAL: Duration = Duration::from_millis(500);

impl TurnMind {
    /// Notices a window that was moved.
    pub(super) fn watch_place(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        let Some(place) = frame.placement else {
            return;
        };
        let at = (place.on_screen.x, place.on_screen.y);
        let before = self.origin.replace(at);
        if before.is_none_or(|b| b == at) {
            return;
        }
        let moving = self.is_moving(now);
        self.moved_at = Some(now);
        self.hold_until = self.hold_until.max(now + MOVE_REST);
        if !moving {
            let text = format!("the window lies at {},{} now", at.0, at.1);
            self.mismatch(Cause::WindowMoved, Handling::LookAgain, &text, None, out);
        }
    }

    /// Whether the window has been seen to move just now.
    pub(super) fn is_moving(&self, now: Time) -> bool {
        self.moved_at.is_some_and(|t| now.since(t) < MOVE_PAUSE)
    }

    /// Whether all of the board is on the screen; told once when it is not.
    pub(super) fn watch_edges(&mut self, frame: &Frame, out: &mut Vec<Effect>) -> bool {
        let (Some(c), Some(place)) = (self.eyes.calibration(), &frame.placement) else {
            return true;
        };
        if is_visible(c, place) {
            self.cut = false;
            return true;
        }
        self.reconciler.interrupted();
        self.report_cut(out);
        false
    }

    pub(super) fn report_cut(&mut self, out: &mut Vec<Effect>) {
        if !std::mem::replace(&mut self.cut, true) {
            let text = "a part of the board lies outside the screen";
            self.mismatch(Cause::OffScreen, Handling::Pause, text, None, out);
        }
    }

    /// The source shows nothing: told once, until a frame comes again.
    pub(super) fn hide(&mut self, hidden: Hidden, out: &mut Vec<Effect>) {
        self.reconciler.interrupted();
        // On its way back a minimised window may be mapped before it is on the screen.
        let before = self.hidden.replace(hidden);
        if before.is_some_and(|before| !hidden.is_news_after(before)) {
            return;
        }
        let text = format!("the source is {hidden}");
        self.mismatch(hidden.into(), Handling::Pause, &text, None, out);
    }

    /// A pointer over the board may hide or highlight a cell: it is parked before the next look.
    pub(super) fn watch_pointer(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        let (Some(c), Some(place)) = (self.eyes.calibration(), frame.placement) else {
            return;
        };
        let over = place.pointer.is_some_and(|p| on_board(c, p));
        // Under another window the pointer is none of our business. A frame captured before our
        // last action ended shows our own pointer on its way.
        if !over
            || obscured(frame)
            || self.sent.is_some()
            || now < self.next_park
            || !self.gate.is_armed()
            || !self.gate.is_fresh(now, frame.captured_at)
        {
            return;
        }
        let Some(at) = park(c, &place) else {
            return;
        };
        self.next_park = now + PARK_INTERVAL;
        let text = "the pointer was over the board";
        let cause = Cause::PointerOverBoard;
        self.mismatch(cause, Handling::Park, text, Some(frame), out);
        if let Ok(permit) = self.gate.ask_to_park(now, frame.captured_at) {
            self.sent = Some(Sent::Parking);
            let action = self.action(&permit, frame, vec![Stroke::Park(at)]);
            out.push(Effect::Act(action, permit));
        }
    }
}
