//! The mind's finding of the board: at first, again after it was lost, and anew when it cannot be
//! read as it was learnt.

use std::time::Duration;

use super::super::eyes::Candidate;
use super::super::strokes::cut_off;
use super::{Effect, TurnMind};
use crate::reconcile::Doubt;
use crate::types::{Cause, Event, Frame, Handling, Picture, Status, Story, Time};

/// A still picture without a board is searched again this often; a changed one at once.
const SEEK_INTERVAL: Duration = Duration::from_millis(200);
/// A search is followed by a rest of so much for each pixel of the picture, however much has
/// changed: about as long as searching a busy picture without a board takes. It goes by the size
/// and not by the time that was needed, so that a replay rests as long.
const SEEK_REST: Duration = Duration::from_nanos(200);
/// How often a board that cannot be read is looked for again, and how long it must have been so.
const RELEARN_INTERVAL: Duration = Duration::from_secs(1);
/// The same when what can be read is as believed: then something lies over the rest, and
/// learning would take it for a part of the board.
const RELEARN_COVERED: Duration = Duration::from_secs(3);
/// For so long another board found where one was lost may be what is left of it.
const PART_PATIENCE: Duration = Duration::from_secs(5);
/// A window of another size is looked at once its picture has been the same for this long: a
/// program that has not drawn yet shows its old board in the old place.
const REST: Duration = Duration::from_millis(100);
/// But it is looked at after this long, whatever goes on in it.
const UNREST: Duration = Duration::from_secs(1);

/// A window whose size has changed and that may still be drawing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unrest {
    /// The last change of size.
    resized: Time,
    /// The last change of anything.
    changed: Time,
    /// The last size.
    size: (u32, u32),
}

impl TurnMind {
    /// Frames of another size than the calibration's: the board must be found again.
    pub(super) fn watch_size(&mut self, frame: &Frame, out: &mut Vec<Effect>) {
        let size = (frame.picture.width(), frame.picture.height());
        let at = frame.captured_at;
        if let Some(unrest) = &mut self.unrest {
            if unrest.size != size {
                (unrest.resized, unrest.size) = (at, size);
            }
            if frame.changed {
                unrest.changed = at;
            }
            return;
        }
        if self.eyes.calibration().is_none() || self.eyes.fits(&frame.picture) {
            return;
        }
        let text = format!("the frames are {}x{} now", size.0, size.1);
        let cause = Cause::WindowResized;
        self.mismatch(cause, Handling::Refind, &text, Some(frame), out);
        self.lose_sight(at);
        self.unrest = Some(Unrest {
            resized: at,
            changed: at,
            size,
        });
    }

    fn is_restless(&mut self, frame: &Frame) -> bool {
        let Some(unrest) = self.unrest else {
            return false;
        };
        let at = frame.captured_at;
        let restless = at.since(unrest.changed) < REST && at.since(unrest.resized) < UNREST;
        if !restless {
            self.unrest = None;
        }
        restless
    }

    /// What is believed about the place of the board is void.
    pub(super) fn lose_sight(&mut self, at: Time) {
        self.eyes.lose();
        self.reconciler.interrupted();
        self.next_find = Time::ZERO;
        self.lost_at = at;
    }

    /// Finds the board in a frame; returns whether it can be read now.
    pub(super) fn seek(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) -> bool {
        let too_soon = now < self.next_seek || !frame.changed && now < self.next_find;
        if self.is_restless(frame) || too_soon {
            return false;
        }
        self.next_find = now + SEEK_INTERVAL;
        self.veiled &= obscured(frame);
        self.cut &= !whole(frame);
        if !self.eyes.has_known() && obscured(frame) {
            // Of a board that was never seen whole nobody can say whether this is all of it.
            self.veil("a window lies over the one that is watched", frame, out);
            return false;
        }
        let (found, took) = self.look(&frame.picture);
        // A large picture without a board must not keep a core busy.
        self.next_seek = now + SEEK_REST * frame.picture.pixels().len() as u32;
        let found = found.filter(|c| self.is_whole(c, frame, out));
        let lost_for = frame.captured_at.since(self.lost_at);
        let found = found
            .filter(|c| c.is_again() || !self.eyes.is_part_of_known(c) || lost_for > PART_PATIENCE);
        let Some(found) = found else {
            self.reconciler.interrupted();
            let lost = self.agent.status() != Status::Unknown && !self.cut && !self.veiled;
            if lost && !self.lost_reported {
                self.lost_reported = true;
                let text = "no board is found any more";
                self.mismatch(Cause::BoardLost, Handling::Refind, text, Some(frame), out);
            }
            return false;
        };
        self.lost_reported = false;
        self.adopt(found, frame.seq, took, out)
    }

    /// A board that cannot be read for long may have classes that were never seen (a new game
    /// after a late start) or lie elsewhere: learns it again if that explains what is seen.
    pub(super) fn relearn_if_due(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        let (lasted, doubt) = self.reconciler.trouble_at(frame.captured_at);
        let believed = self.agent.status() != Status::Unknown;
        let settle = self.reconciler.patience().settle;
        let still = self.reconciler.still_at(frame.captured_at) >= settle;
        let patience = match doubt {
            Doubt::None => return,
            // The first pieces of their kind: nothing that is known looks like them.
            Doubt::Covered if still && self.agent.may_be_new(self.eyes.reading()) => settle,
            Doubt::Covered => RELEARN_COVERED,
            Doubt::Strange if believed => RELEARN_INTERVAL,
            Doubt::Strange => settle,
        };
        // What can be read is settled by the rules, not by learning.
        let readable = self.eyes.reading().unknown() == 0;
        if readable || lasted < patience || now < self.next_find || obscured(frame) {
            return;
        }
        self.next_find = now + RELEARN_INTERVAL;
        let (found, took) = self.look(&frame.picture);
        let Some(found) = found.filter(|c| self.is_whole(c, frame, out)) else {
            return;
        };
        let Some(reading) = self.eyes.read_as(&found, &frame.picture) else {
            return;
        };
        if reading.unknown() > 0 {
            return;
        }
        let explains = match self.agent.interpret(&reading) {
            Story::Same | Story::Done | Story::Moved { .. } => true,
            Story::Passing | Story::Ended { .. } => false,
            // What lies over a board is not to be learnt as a part of it.
            Story::Other { cells, .. } => {
                doubt == Doubt::Strange
                    && (!believed || cells.len() * 2 >= reading.size.len() || covers_known(frame))
            }
            Story::Partial { .. } => false,
        };
        let part = !found.is_again() && self.eyes.is_part_of_known(&found);
        if explains && !(part && lasted < PART_PATIENCE) {
            self.adopt(found, frame.seq, took, out);
        }
    }

    /// Finding, with the time it took.
    fn look(&self, picture: &Picture) -> (Option<Candidate>, Duration) {
        let began = self.stopwatch.now();
        let found = tracing::trace_span!("find").in_scope(|| self.eyes.look(picture));
        (found, self.stopwatch.now().since(began))
    }

    /// Whether a candidate is surely a whole board; tells (once) what may hide the rest.
    fn is_whole(&mut self, found: &Candidate, frame: &Frame, out: &mut Vec<Effect>) -> bool {
        if let Some(place) = &frame.placement
            && cut_off(found.calibration(), place)
        {
            self.report_cut(out);
            return false;
        }
        if obscured(frame) && !found.is_again() {
            self.veil("a window lies over the one that is watched", frame, out);
            return false;
        }
        true
    }

    fn veil(&mut self, text: &str, frame: &Frame, out: &mut Vec<Effect>) {
        if !std::mem::replace(&mut self.veiled, true) {
            self.mismatch(Cause::Covered, Handling::Pause, text, Some(frame), out);
        }
    }

    fn adopt(
        &mut self,
        found: Candidate,
        frame_seq: u64,
        took: Duration,
        out: &mut Vec<Effect>,
    ) -> bool {
        let again = found.is_again();
        if !self.eyes.adopt(found) {
            return false;
        }
        self.reconciler.interrupted();
        if !again {
            self.forget();
        }
        if let Some(calibration) = self.eyes.calibration() {
            self.agent.looks(&calibration.classes);
        }
        self.note_calibration(frame_seq, took, out);
        true
    }

    /// What was believed applies no more.
    pub(super) fn forget(&mut self) {
        self.agent.forget();
        self.reconciler.reset();
        self.under_way = None;
        self.chosen = None;
    }

    fn note_calibration(&self, frame_seq: u64, took: Duration, out: &mut Vec<Effect>) {
        let Some(c) = self.eyes.calibration() else {
            return;
        };
        out.push(Effect::Note(Event::calibrated(frame_seq, c, took)));
    }
}

/// Whether the system says that a window lies over the frame.
pub(super) fn obscured(frame: &Frame) -> bool {
    frame.placement.is_some_and(|p| p.obscured)
}

/// Whether all of the frame is on the screen.
fn whole(frame: &Frame) -> bool {
    let size = (frame.picture.width(), frame.picture.height());
    frame
        .placement
        .is_none_or(|p| (p.visible.width, p.visible.height) == size)
}

/// Whether the system would say so.
pub(super) fn covers_known(frame: &Frame) -> bool {
    frame.placement.is_some_and(|p| p.window.is_some())
}
