//! What the mind says about what happened: mismatches, their evidence, the end.

use std::sync::Arc;

use super::{Effect, Phase, TurnMind};
use crate::reconcile::Contradiction;
use crate::types::{BoardText, Cause, Event, Frame, Handling, Picture, Status};

impl TurnMind {
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
        let believed = self.agent.expected().or_else(|| self.agent.believed());
        out.push(Effect::Note(Event::Mismatch {
            frame_seq: self.frame_seq,
            captured_at: self.captured_at,
            expected: believed.unwrap_or_default(),
            seen: BoardText::default(),
            cells: Vec::new(),
            cause,
            handling,
            evidence,
            text: text.to_owned(),
        }));
    }

    fn evidence(&self, frame: &Frame) -> Option<Arc<Picture>> {
        (self.task.evidence).then(|| self.eyes.evidence(&frame.picture))
    }

    /// In words, why nothing goes on.
    pub(super) fn standstill(&self) -> String {
        if let Some(hidden) = self.hidden {
            return format!("the source is {hidden}");
        }
        if self.cut {
            return "a part of the board lies outside the screen".to_owned();
        }
        if self.veiled {
            return "another window lies over the one that is watched".to_owned();
        }
        if self.eyes.calibration().is_none() {
            return "no board is found in the picture (or its game is over already)".to_owned();
        }
        if let Some(refused) = &self.refused {
            return refused.clone();
        }
        if self.phase != Phase::Playing {
            return "the new game did not appear".to_owned();
        }
        let unknown = self.eyes.reading().unknown();
        if unknown > 0 {
            return format!("{unknown} cells cannot be read (something lies over the board?)");
        }
        if self.agent.status() == Status::Unknown && !self.agent.may_be_start(self.eyes.reading()) {
            return "the game on the screen is over already: start a new one".to_owned();
        }
        match self.agent.status() {
            Status::Theirs | Status::Unclear => self.agent.words().unwrap_or_default(),
            _ => "the board does not settle".to_owned(),
        }
    }
}
