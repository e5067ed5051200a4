//! The mind's attention to what is outside the board: where the frame lies, whether it is
//! hidden, where the pointer is, and finding the board (again).

use super::super::eyes::Found;
use super::super::strokes::{cropped, on_board, park};
use super::{Effect, Mind, REFIND_INTERVAL, Sent};
use crate::reconcile::Contradiction;
use crate::types::{
    Action, Cause, Event, Frame, Handling, Hidden, Rect, Status, Stroke, Time,
};
use std::sync::Arc;
use std::time::Duration;

/// A still picture without a board is searched again this often; a changed one at once.
const SEEK_INTERVAL: Duration = Duration::from_millis(200);

impl Mind {
    /// Finds the board in a frame; returns whether it can be read now.
    pub(super) fn seek(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) -> bool {
        if !frame.changed && now < self.next_find {
            return false;
        }
        self.next_find = now + SEEK_INTERVAL;
        let began = self.stopwatch.now();
        let found = self.eyes.find(&frame.picture);
        let took = self.stopwatch.now().since(began);
        match found {
            Found::Nothing => {
                self.reconciler.interrupted();
                if self.agent.status() != Status::Unknown && !self.lost_reported {
                    self.lost_reported = true;
                    let text = "no board is found any more";
                    self.mismatch(Cause::BoardLost, Handling::Refind, text, Some(frame), out);
                }
                return false;
            }
            Found::Again => {}
            Found::Other => {
                self.agent.forget();
                self.reconciler.reset();
                self.under_way = None;
            }
        }
        self.lost_reported = false;
        self.note_calibration(frame.seq, took, out);
        true
    }

    /// A board that cannot be read for long may have classes that were never seen (a new game
    /// after a late start) or lie elsewhere: learn it again, if a good board is there.
    pub(super) fn relearn(&mut self, frame: &Frame, out: &mut Vec<Effect>) {
        let began = self.stopwatch.now();
        match self.eyes.find(&frame.picture) {
            Found::Nothing => return,
            Found::Again => self.reconciler.interrupted(),
            Found::Other => {
                self.agent.forget();
                self.reconciler.reset();
                self.under_way = None;
            }
        }
        self.chosen = None;
        let took = self.stopwatch.now().since(began);
        self.note_calibration(frame.seq, took, out);
    }

    fn note_calibration(&self, frame_seq: u64, took: Duration, out: &mut Vec<Effect>) {
        let Some(c) = self.eyes.calibration() else {
            return;
        };
        let hex = |rgb: [f32; 3]| rgb.map(|v| v.round().clamp(0.0, 255.0) as u8);
        let name = |l: &crate::types::ClassLook| {
            let [r, g, b] = hex(l.rgb);
            format!("{} #{r:02x}{g:02x}{b:02x}", l.letter)
        };
        out.push(Effect::Note(Event::Calibrated {
            frame_seq,
            size: c.size,
            corners: c.px_from_cell.corners(c.size),
            quality: c.quality,
            classes: c.classes.iter().map(name).collect(),
            took,
        }));
    }

    /// Frames of another size, or a board elsewhere in them: what is believed about the place is void.
    pub(super) fn lose_sight(&mut self) {
        self.eyes.lose();
        self.reconciler.interrupted();
        self.chosen = None;
        self.next_find = Time::ZERO;
    }

    /// Notices a window that was moved or pushed over the edge of the screen.
    pub(super) fn watch_place(&mut self, frame: &Frame, out: &mut Vec<Effect>) {
        let Some(place) = frame.placement else {
            return;
        };
        let last = self.placement.replace(place);
        let Some(last) = last else {
            return;
        };
        let origin = |r: Rect| (r.x, r.y);
        if origin(last.on_screen) != origin(place.on_screen) {
            self.chosen = None;
            let (x, y) = origin(place.on_screen);
            let text = format!("the window lies at {x},{y} now");
            self.mismatch(Cause::WindowMoved, Handling::LookAgain, &text, None, out);
        }
        let whole = |p: &crate::types::Placement, f: &Frame| {
            (p.visible.width, p.visible.height) == (f.picture.width(), f.picture.height())
        };
        if whole(&last, frame) && !whole(&place, frame) {
            self.chosen = None;
            let text = "a part of the window lies outside the screen";
            self.mismatch(Cause::OffScreen, Handling::Pause, text, None, out);
        }
    }

    /// The source shows nothing: told once, until a frame comes again.
    pub(super) fn hide(&mut self, hidden: Hidden, out: &mut Vec<Effect>) {
        self.chosen = None;
        self.reconciler.interrupted();
        if self.hidden.replace(hidden) == Some(hidden) {
            return;
        }
        let cause = match hidden {
            Hidden::Minimised => Cause::Minimised,
            Hidden::OffScreen => Cause::OffScreen,
            Hidden::Frozen => Cause::SourceFrozen,
        };
        let text = format!("the source is {hidden}");
        self.mismatch(cause, Handling::Pause, &text, None, out);
    }

    /// A pointer over the board may hide or highlight a cell: it is parked before the next look.
    pub(super) fn watch_pointer(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        let (Some(c), Some(place)) = (self.eyes.calibration(), frame.placement) else {
            return;
        };
        let over = place.pointer.is_some_and(|p| on_board(c, p));
        if !over {
            self.pointer_reported = false;
            return;
        }
        if self.pointer_reported || self.sent.is_some() || !self.gate.is_armed() {
            return;
        }
        let Some(at) = park(c, &place) else {
            return;
        };
        // Only a person or another program puts it there: every action of ours ends parked.
        self.pointer_reported = true;
        let text = "the pointer was over the board";
        self.mismatch(Cause::PointerOverBoard, Handling::Park, text, Some(frame), out);
        let facts = self.facts(frame, now, true);
        if let Ok(permit) = self.gate.ask(&facts) {
            self.sent = Some(Sent::Parking);
            let action = self.action(&permit, frame, vec![Stroke::Park(at)]);
            out.push(Effect::Act(action, permit));
        }
    }

    pub(super) fn note_contradiction(
        &mut self,
        c: Contradiction,
        frame: &Frame,
        out: &mut Vec<Effect>,
    ) {
        let seen = self.agent.text(self.eyes.reading());
        let text = match c.action {
            Some(action) => format!("after action {action}"),
            None => String::new(),
        };
        self.mismatches += 1;
        let evidence = self.evidence(frame);
        out.push(Effect::Note(Event::Mismatch {
            frame_seq: frame.seq,
            captured_at: frame.captured_at,
            expected: c.expected,
            seen,
            cells: c.cells,
            cause: c.cause,
            handling: c.handling,
            evidence,
            text,
        }));
    }

    /// A mismatch that is not about the cells of a board that was read.
    pub(super) fn mismatch(
        &mut self,
        cause: Cause,
        handling: Handling,
        text: &str,
        frame: Option<&Frame>,
        out: &mut Vec<Effect>,
    ) {
        self.mismatches += 1;
        let evidence = frame.and_then(|f| self.evidence(f));
        out.push(Effect::Note(Event::Mismatch {
            frame_seq: self.frame_seq,
            captured_at: self.captured_at,
            expected: self.agent.expected().or_else(|| self.agent.believed()).unwrap_or_default(),
            seen: crate::types::BoardText::default(),
            cells: Vec::new(),
            cause,
            handling,
            evidence,
            text: text.to_owned(),
        }));
    }

    fn evidence(&self, frame: &Frame) -> Option<Arc<crate::types::Picture>> {
        self.task.evidence.then(|| match self.eyes.calibration() {
            Some(c) if self.eyes.fits(&frame.picture) => Arc::new(cropped(&frame.picture, c)),
            _ => Arc::clone(&frame.picture),
        })
    }

    pub(super) fn action(
        &self,
        permit: &crate::types::Armed,
        frame: &Frame,
        strokes: Vec<Stroke>,
    ) -> Action {
        Action {
            id: permit.action(),
            cause_seq: frame.seq,
            cause_at: frame.captured_at,
            expires_at: permit.expires_at(),
            strokes,
            window: frame.placement.and_then(|p| p.window),
        }
    }

    /// In words, why nothing goes on.
    pub(super) fn standstill(&self) -> String {
        if let Some(hidden) = self.hidden {
            return format!("the source is {hidden}");
        }
        if self.eyes.calibration().is_none() {
            return "no board is found in the picture".to_owned();
        }
        let unknown = self.eyes.reading().unknown();
        if unknown > 0 {
            return format!("{unknown} cells cannot be read (something lies over the board?)");
        }
        "the board does not settle".to_owned()
    }

    /// When a board that cannot be read is next looked for.
    pub(super) fn relearn_if_due(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        if self.reconciler.troubled_for(now) > REFIND_INTERVAL && now >= self.next_find {
            self.next_find = now + REFIND_INTERVAL;
            self.relearn(frame, out);
        }
    }
}
