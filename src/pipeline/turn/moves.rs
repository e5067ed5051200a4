//! The mind's part that decides and acts: choosing, passing the gate, the end of a game and the
//! beginning of the next.

use std::time::Duration;

use super::super::strokes::strokes_for;
use super::{
    Effect, Mind, NEW_GAME_PATIENCE, Phase, REFUSED_PAUSE, SCRIPT_PATIENCE, Sent, TurnMind,
};
use crate::decide::{Facts, Refusal};
use crate::types::{
    Action, Armed, Cause, Control, Decision, Event, Frame, GameResult, Handling, Outcome, Status,
    Stroke, Time,
};

/// After thinking for longer than this the board is looked at once more before a move is made:
/// somebody may have moved meanwhile.
const LONG_THOUGHT: Duration = Duration::from_millis(40);

/// Fireworks at the end of a game are over after so long.
const LAST_WORDS: Duration = Duration::from_secs(2);

impl TurnMind {
    /// The position is certain: have a move chosen (once) and try to make it.
    pub(super) fn choose(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        self.looks_again = false;
        if self.agent.status() != Status::ToMove || self.phase != Phase::Playing {
            return;
        }
        if self.chosen.is_none() {
            let began = self.stopwatch.now();
            let span = tracing::trace_span!("decide").entered();
            let decided = self.agent.decide(&self.task.budget, now);
            drop(span);
            let Some(decision) = decided else {
                return;
            };
            let took = self.stopwatch.now().since(began);
            out.push(Effect::Note(Event::Decided {
                frame_seq: frame.seq,
                captured_at: frame.captured_at,
                board: self.agent.believed().unwrap_or_default(),
                action: decision.action.clone(),
                score: decision.score,
                nodes: decision.nodes,
                took,
                note: decision.note.clone(),
            }));
            self.chosen = Some(decision);
            if took > LONG_THOUGHT {
                self.looks_again = true;
                return;
            }
        }
        self.act(frame, now, out);
    }

    /// Tries to pass the gate with the chosen move; a refusal is tried again on the next frame.
    pub(super) fn act(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        let in_doubt = self.reconciler.in_doubt(self.agent.as_ref());
        if now < self.hold_until || self.sent.is_some() || in_doubt {
            return;
        }
        let Some(decision) = self.chosen.clone() else {
            return;
        };
        if self.perform(&decision.controls, frame, now, out) {
            self.sent = Some(Sent::Move(decision));
            self.chosen = None;
        }
    }

    /// Makes the move under way once more, on a board that is as before it.
    pub(super) fn retry(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        if self.chosen.is_none()
            && let Some(decision) = self.under_way.clone()
        {
            let controls = self.agent.again(&decision);
            self.chosen = Some(Decision {
                controls,
                ..decision
            });
        }
        self.act(frame, now, out);
    }

    fn perform(
        &mut self,
        controls: &[Control],
        frame: &Frame,
        now: Time,
        out: &mut Vec<Effect>,
    ) -> bool {
        let Some(calibration) = self.eyes.calibration() else {
            return false;
        };
        let strokes = strokes_for(controls, Some(calibration), frame.placement.as_ref());
        // The clock may have gone on while the policy thought.
        let now = now.max(self.stopwatch.now());
        let facts = self.facts(frame, now, strokes.is_some());
        match self.gate.ask(&facts) {
            Ok(permit) => {
                let strokes = strokes.unwrap_or_default();
                out.push(Effect::Note(Event::Acted {
                    action: permit.action(),
                    frame_seq: frame.seq,
                    captured_at: frame.captured_at,
                    strokes: listed(&strokes),
                    retry: self.reconciler.retries(),
                }));
                let action = self.action(&permit, frame, strokes);
                out.push(Effect::Act(action, permit));
                true
            }
            // Watching is not a delay worth a word.
            Err(Refusal::NotArmed) => false,
            Err(Refusal::TooSoon(turn)) => {
                // Waiting for its turn is no standstill, however slow the pace.
                self.progress_at = Some(now);
                self.turn_at = turn;
                false
            }
            Err(refusal) => {
                tracing::debug!(?refusal, "the gate is closed");
                false
            }
        }
    }

    pub(super) fn action(&self, permit: &Armed, frame: &Frame, strokes: Vec<Stroke>) -> Action {
        let place = frame.placement.as_ref();
        Action {
            id: permit.action(),
            cause_seq: frame.seq,
            cause_at: frame.captured_at,
            expires_at: permit.expires_at(),
            strokes,
            window: place.and_then(|p| p.window),
            origin: place.map(|p| (p.on_screen.x, p.on_screen.y)),
        }
    }

    fn facts(&self, frame: &Frame, now: Time, reachable: bool) -> Facts {
        Facts {
            now,
            captured_at: frame.captured_at,
            certain: self.eyes.reading().unknown() == 0 || self.stays_covered(now),
            still: self.hidden.is_none(),
            reachable,
        }
    }

    /// After the end of a game: whether its program has left words over the board, which only the
    /// next game takes away.
    fn stays_covered(&self, now: Time) -> bool {
        let ended = self.progress_at.unwrap_or(now);
        self.phase == Phase::Over && now.since(ended) >= LAST_WORDS
    }

    /// The hands have done what was asked.
    pub(super) fn performed(&mut self, now: Time, out: &mut Vec<Effect>) {
        self.gate.ended(now);
        self.refusals = 0;
        self.refusal_reported = None;
        self.refused = None;
        match self.sent.take() {
            Some(Sent::Move(decision)) => {
                self.agent.commit(&decision);
                self.reconciler.sent(self.gate.last_granted(), now);
                self.under_way = Some(decision);
                self.set_eager(true, out);
            }
            Some(Sent::NewGame) => {
                self.forget();
                self.start_tries += 1;
                self.phase = Phase::Starting { since: now };
            }
            Some(Sent::Step) => self.runner.performed(now),
            Some(Sent::Parking) | None => {}
        }
    }

    /// The hands have not done it, for a reason that looking again may remove.
    pub(super) fn refused(&mut self, cause: Cause, why: &str, now: Time, out: &mut Vec<Effect>) {
        self.gate.ended(now);
        self.hold_until = now + REFUSED_PAUSE * (1 << self.refusals.min(4));
        self.refusals += 1;
        self.refused = Some(why.to_owned());
        match self.sent.take() {
            // Not made, so still to be made: the position is the same.
            Some(Sent::Move(decision)) => self.chosen = Some(decision),
            Some(Sent::Step) => self.runner.refused(why),
            Some(Sent::NewGame | Sent::Parking) | None => {}
        }
        let moving = self.is_moving(now);
        if cause == Cause::WindowMoved {
            // The next frame will show it, and that is the same trouble.
            self.moved_at = Some(now);
            if moving {
                return;
            }
        }
        if self.refusal_reported != Some(cause) {
            self.refusal_reported = Some(cause);
            self.mismatch(cause, Handling::LookAgain, why, None, out);
        }
    }

    /// After the end of a game: start another one, if there is a way and one is wanted.
    pub(super) fn next_game(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        if self.gate.is_armed() && self.script_starts() {
            // Its steps come before the next look.
            return;
        }
        let Some(controls) = self.task.new_game.clone().filter(|_| self.gate.is_armed()) else {
            // Somebody else may start one.
            self.forget();
            self.phase = Phase::Playing;
            self.game_began = None;
            return;
        };
        if now < self.hold_until || self.sent.is_some() {
            return;
        }
        if self.start_tries >= 3 {
            self.end("the new game did not appear", now, out);
            return;
        }
        if self.perform(&controls, frame, now, out) {
            self.sent = Some(Sent::NewGame);
        }
    }

    /// A new game was asked for too long ago.
    pub(super) fn start_overdue(&self, now: Time) -> bool {
        let patience = match self.script_starts() {
            true => SCRIPT_PATIENCE,
            false => NEW_GAME_PATIENCE,
        };
        matches!(self.phase, Phase::Starting { since } if now.since(since) > patience)
    }

    pub(super) fn finish(&mut self, outcome: Outcome, why: &str, now: Time, out: &mut Vec<Effect>) {
        self.games += 1;
        self.progress_at = Some(now);
        self.start_tries = 0;
        let began = self.game_began.take().unwrap_or(now);
        out.push(Effect::Note(Event::Finished(GameResult {
            game: self.agent.game().to_owned(),
            result: outcome,
            moves: self.agent.moves(),
            seconds: now.since(began).as_secs_f64(),
            mismatches: self.mismatches,
            why: why.to_owned(),
            extra: self.agent.result_note(),
        })));
        self.mismatches = 0;
        self.set_eager(false, out);
    }

    pub(super) fn set_eager(&mut self, eager: bool, out: &mut Vec<Effect>) {
        if self.eager != eager {
            self.eager = eager;
            out.push(Effect::Eager(eager));
        }
    }
}

fn listed(strokes: &[Stroke]) -> String {
    let all: Vec<String> = strokes.iter().map(ToString::to_string).collect();
    all.join(", ")
}
