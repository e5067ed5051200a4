//! Finding the board of a game that does not wait, and noticing that it lies elsewhere.

use std::time::Duration;

use super::super::drift::Drift;
use super::super::eyes::Candidate;
use super::{CERTAIN, Effect, LiveMind};
use crate::types::{Cause, Event, Frame, Handling, Hidden, Picture, Time};

/// A search is followed by a rest of so much for each pixel of the picture: about as long as
/// searching takes, so that frames go on being taken. By size and not by the time that was needed,
/// so that a replay rests as long.
const REST: Duration = Duration::from_nanos(100);
/// A board that makes no sense for so long is looked for again: several frames, since a single
/// bad one is common.
const PATIENCE: Duration = Duration::from_millis(130);
/// And again after so long, while it goes on making none.
const INTERVAL: Duration = Duration::from_millis(250);
/// What is known about finding.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Search {
    /// Not before this.
    next: Time,
    /// Since when what is seen makes no sense.
    doubt_since: Option<Time>,
    /// The tick of the last search.
    pub(super) tick: Option<Time>,
    /// When the last picture was captured in which no board was found.
    pub(super) failed_at: Option<Time>,
    /// That no board is found was told.
    lost_reported: bool,
}

impl LiveMind {
    /// Reads the frame, finding the board first if there is none; whether it was read.
    pub(super) fn look(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) -> bool {
        let picture = &frame.picture;
        if self.eyes.calibration().is_some() && !self.eyes.fits(picture) {
            let text = format!(
                "the frames are {}x{} now",
                picture.width(),
                picture.height()
            );
            let cause = Cause::WindowResized;
            self.mismatch(cause, Handling::Refind, &text, Some(frame), out);
            self.eyes.lose();
        }
        if self.eyes.calibration().is_none() && !self.seek(frame, now, out) {
            return false;
        }
        tracing::trace_span!("read").in_scope(|| self.eyes.read(picture))
    }

    fn seek(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) -> bool {
        if now < self.search.next || self.start_is_due(now) {
            return false;
        }
        self.search.tick = Some(now);
        let (found, took) = self.find(&frame.picture, now);
        if let Some(found) = found {
            self.search.lost_reported = false;
            return self.adopt(found, took, out);
        }
        self.search.failed_at = Some(frame.captured_at);
        if self.eyes.has_known() && !self.search.lost_reported {
            self.search.lost_reported = true;
            let text = "no board is found any more";
            self.mismatch(Cause::BoardLost, Handling::Refind, text, Some(frame), out);
        }
        false
    }

    fn find(&mut self, picture: &Picture, now: Time) -> (Option<Candidate>, Duration) {
        let began = self.stopwatch.now();
        let found = tracing::trace_span!("find").in_scope(|| self.eyes.look(picture));
        // Rounded down to 32 bits of nanoseconds times pixels: pictures are smaller than that.
        self.search.next = now + REST * picture.pixels().len() as u32;
        (found, self.stopwatch.now().since(began))
    }

    fn adopt(&mut self, found: Candidate, took: Duration, out: &mut Vec<Effect>) -> bool {
        let again = found.is_again();
        if !self.eyes.adopt(found) {
            return false;
        }
        if !again {
            self.agent.forget();
        }
        if let Some(c) = self.eyes.calibration() {
            let letters: Vec<char> = c.classes.iter().map(|look| look.letter).collect();
            self.agent.learn_classes(&letters);
        }
        self.search.doubt_since = None;
        self.note_calibration(took, out);
        true
    }

    /// After a frame was explained: one that makes no sense may show the board elsewhere.
    pub(super) fn watch_sight(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        let unknown = self.eyes.reading().unknown();
        let few = self.eyes.reading().size.len() / 20;
        let sense = unknown <= few && (self.agent.confidence() >= CERTAIN || !self.is_playing());
        if sense {
            self.search.doubt_since = None;
            return;
        }
        let at = frame.captured_at;
        let since = *self.search.doubt_since.get_or_insert(at);
        if at.since(since) < PATIENCE || now < self.search.next {
            return;
        }
        let (found, took) = self.find(&frame.picture, now);
        self.search.next = self.search.next.max(now + INTERVAL);
        let Some(found) = found else {
            return;
        };
        let drift = self.eyes.calibration();
        let drift = drift.and_then(|old| Drift::between(old, found.calibration()));
        if found.is_again() && drift.is_some_and(|d| d.cells < Drift::LEAST) {
            return;
        }
        let text = match drift {
            Some(drift) => format!("the board lies {drift}"),
            None => format!("a board of {} is found", found.calibration().size),
        };
        let cause = Cause::BoardMoved;
        self.mismatch(cause, Handling::Refind, &text, Some(frame), out);
        if self.adopt(found, took, out) && self.eyes.read(&frame.picture) {
            let mut findings = Vec::new();
            self.agent.see(self.eyes.reading(), at, &mut findings);
            for finding in findings {
                self.report(finding, frame, out);
            }
        }
    }

    /// The source shows nothing: told once, until a frame comes again.
    pub(super) fn hide(&mut self, hidden: Hidden, out: &mut Vec<Effect>) {
        let before = self.hidden.replace(hidden);
        if before.is_some_and(|before| !hidden.is_news_after(before)) {
            return;
        }
        let text = format!("the source is {hidden}");
        self.mismatch(hidden.into(), Handling::Pause, &text, None, out);
    }

    fn note_calibration(&self, took: Duration, out: &mut Vec<Effect>) {
        let Some(c) = self.eyes.calibration() else {
            return;
        };
        out.push(Effect::Note(Event::calibrated(self.frame_seq, c, took)));
    }
}
