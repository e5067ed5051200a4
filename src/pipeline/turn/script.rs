//! The mind's part that follows the profile's script: the first game, the next one, dialogs.

use super::super::script::{Due, Part, Planned, Scene};
use super::sight::obscured;
use super::{Effect, Mind, Phase, Sent, TurnMind};
use crate::types::{BoardSight, Cause, Event, Frame, Handling, Status, Time};

/// So long a game that runs already may take to be recognised before one is started.
const LOOK_FIRST: std::time::Duration = std::time::Duration::from_millis(1500);
/// So often a game is started before the run ends.
pub(super) const STARTS: u8 = 3;

impl TurnMind {
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
        self.ask_for_game(frame, now);
        if self.phase == Phase::Over && self.start_tries >= STARTS && self.script_starts() {
            self.end("the new game did not appear", now, out);
            return true;
        }
        let scene = Scene {
            frame,
            calibration: self.eyes.calibration(),
            board: self.board_sight(frame),
        };
        match self.runner.look(&scene, now) {
            Due::Nothing => return false,
            Due::Wait => {}
            Due::Step(planned) => self.step(planned, frame, now, out),
            Due::Done(part) => self.script_done(part, now),
            Due::Failed(part, why) => {
                self.mismatch(
                    Cause::StepFailed,
                    Handling::LookAgain,
                    &why,
                    Some(frame),
                    out,
                );
                if !matches!(part, Part::Dialog(_)) {
                    self.start_tries += 1;
                    self.phase = Phase::Over;
                    if self.start_tries >= STARTS {
                        self.end(&why, now, out);
                    }
                }
            }
            Due::Stuck(why) => {
                self.mismatch(Cause::StepFailed, Handling::End, &why, Some(frame), out);
                self.end(&why, now, out);
            }
        }
        // What was believed to be going on is looked at anew afterwards.
        self.reconciler.interrupted();
        true
    }

    /// Begins the steps for a game where one is wanted and none is seen.
    fn ask_for_game(&mut self, frame: &Frame, now: Time) {
        if self.start_overdue(now) {
            self.phase = Phase::Over;
        }
        let unknown = self.agent.status() == Status::Unknown;
        let since = *self.unknown_since.get_or_insert(now);
        if !unknown {
            self.unknown_since = None;
        }
        let first = self.games == 0 && !self.started;
        let due = match self.phase {
            Phase::Over => true,
            Phase::Starting { .. } => false,
            Phase::Playing if !first || self.game_began.is_some() => false,
            Phase::Playing => {
                self.runner.starts_always()
                    || unknown && now.since(since) >= LOOK_FIRST
                    || self.runner.start_is_seen(frame, now)
            }
        };
        if due && self.start_tries < STARTS {
            self.runner.begin(self.part(), now);
        }
    }

    /// Which steps start the game that is wanted now.
    fn part(&self) -> Part {
        if self.games == 0 {
            Part::Start
        } else {
            Part::Again
        }
    }

    /// Whether the script, and nothing else, starts the game that is wanted now.
    pub(super) fn script_starts(&self) -> bool {
        self.runner.has(self.part())
    }

    fn board_sight(&self, frame: &Frame) -> Option<BoardSight> {
        if self.eyes.calibration().is_none() {
            Some(BoardSight::Absent)
        } else if obscured(frame) || self.eyes.reading().unknown() > 0 {
            Some(BoardSight::Covered)
        } else if self.phase == Phase::Over {
            Some(BoardSight::Over)
        } else {
            None
        }
    }

    fn step(&mut self, planned: Planned, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        if now < self.hold_until {
            return;
        }
        // A search may have taken a while.
        let now = now.max(self.stopwatch.now());
        let Ok(permit) = self.gate.ask_for_step(now, frame.captured_at, true) else {
            return;
        };
        out.push(Effect::Note(Event::Acted {
            action: permit.action(),
            frame_seq: frame.seq,
            captured_at: frame.captured_at,
            strokes: planned.words,
            retry: self.start_tries,
        }));
        let mut action = self.action(&permit, frame, planned.strokes);
        (action.window, action.origin) = (planned.window, planned.origin);
        self.sent = Some(Sent::Step);
        out.push(Effect::Act(action, permit));
    }

    fn script_done(&mut self, part: Part, now: Time) {
        self.progress_at = Some(now);
        if !matches!(part, Part::Dialog(_)) {
            self.forget();
            self.started = true;
            self.start_tries += 1;
            self.phase = Phase::Starting { since: now };
        }
    }
}
