//! The mind's part that follows the profile's script: the first game, the next one, dialogs.

use super::super::script::{Due, Part, Planned, Scene};
use super::course::Phase;
use super::{Effect, LiveMind, Mind, Sent};
use crate::types::{BoardSight, Cause, Event, Frame, Handling, Time};

impl LiveMind {
    /// Whether the frame belongs to the script: then nothing else is done with it.
    pub(super) fn follow_script(
        &mut self,
        frame: &Frame,
        now: Time,
        out: &mut Vec<Effect>,
    ) -> bool {
        if self.runner.is_empty() || !self.gate.is_armed() {
            return false;
        }
        if matches!(self.sent, Some(Sent::Step)) {
            return true;
        }
        let first = self.games == 0 && !self.begun && !self.is_playing();
        if first && (self.runner.starts_always() || self.runner.start_is_seen(frame, now)) {
            self.runner.begin(Part::Start, now);
        }
        let scene = Scene {
            frame,
            calibration: self.eyes.calibration(),
            board: self.board_sight(frame),
        };
        match self.runner.look(&scene, now) {
            Due::Nothing => return false,
            Due::Wait => {}
            Due::Step(planned) => self.step(planned, now, out),
            Due::Done(Part::Dialog(_)) => self.progress_at = Some(now),
            Due::Done(Part::Start | Part::Again) => {
                self.begun = true;
                self.progress_at = Some(now);
                self.started(now);
            }
            Due::Failed(part, why) => {
                self.mismatch(
                    Cause::StepFailed,
                    Handling::LookAgain,
                    &why,
                    Some(frame),
                    out,
                );
                if !matches!(part, Part::Dialog(_)) {
                    self.started(now);
                }
            }
            Due::Stuck(why) => {
                self.mismatch(Cause::StepFailed, Handling::End, &why, Some(frame), out);
                self.end(&why, now, out);
            }
        }
        true
    }

    /// Which steps start the game that is wanted now.
    pub(super) fn part(&self) -> Part {
        if self.games == 0 {
            Part::Start
        } else {
            Part::Again
        }
    }

    /// How the board is. A game that does not wait has cells that cannot be read in every other
    /// frame, so only what the system says is a cover.
    fn board_sight(&self, frame: &Frame) -> Option<BoardSight> {
        if self.eyes.calibration().is_none() {
            Some(BoardSight::Absent)
        } else if frame.placement.is_some_and(|p| p.obscured) {
            Some(BoardSight::Covered)
        } else if self.games > 0 && !matches!(self.phase, Phase::Playing { .. }) {
            Some(BoardSight::Over)
        } else {
            None
        }
    }

    fn step(&mut self, planned: Planned, now: Time, out: &mut Vec<Effect>) {
        if now < self.hold_until || self.sent.is_some() {
            return;
        }
        let now = now.max(self.stopwatch.now());
        let Ok(permit) = self.gate.ask_for_step(now, self.captured_at, true) else {
            return;
        };
        out.push(Effect::Note(Event::Acted {
            action: permit.action(),
            frame_seq: self.frame_seq,
            captured_at: self.captured_at,
            strokes: planned.words,
            retry: 0,
        }));
        let mut action = self.action(&permit, planned.strokes);
        (action.window, action.origin) = (planned.window, planned.origin);
        self.sent = Some(Sent::Step);
        out.push(Effect::Act(action, permit));
    }
}
