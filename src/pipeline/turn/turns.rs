//! The mind's part in games of two sides: whose turn it is, what the other side does, games that end
//! or begin without being seen to.

use std::time::Duration;

use super::{Effect, Phase, TurnMind};
use crate::types::{ActionId, Event, Frame, Observation, Status, Time};

/// A side that has not moved for so long is said to think.
const THINKS: Duration = Duration::from_secs(2);

impl TurnMind {
    /// The other side, or somebody in a game that is only watched, has moved.
    pub(super) fn replied(
        &mut self,
        action: Option<ActionId>,
        since: Time,
        frame: &Frame,
        now: Time,
        out: &mut Vec<Effect>,
    ) {
        if let Some(action) = action {
            self.confirmed(action, now, out);
        }
        self.progress_at = Some(now);
        self.observed(Observation::Moved, since, out);
        self.moved_on(frame, now, out);
    }

    /// The position is certain and as before: whoever is to move may take any time for it.
    pub(super) fn watch_turn(&mut self, now: Time, out: &mut Vec<Effect>) {
        let status = self.agent.status();
        if self.phase != Phase::Playing || !matches!(status, Status::Theirs | Status::Unclear) {
            self.their_turn = None;
            return;
        }
        if status == Status::Theirs {
            self.progress_at = Some(now);
        }
        let (since, told) = *self.their_turn.get_or_insert((now, false));
        if !told && now.since(since) >= THINKS {
            self.their_turn = Some((since, true));
            self.observed(Observation::Waits, since, out);
        }
    }

    /// The board has been covered for so long that the game must have ended under it.
    pub(super) fn ended_unseen(&mut self, now: Time, out: &mut Vec<Effect>) {
        if let Some(end) = self.agent.ended_unseen() {
            self.chosen = None;
            self.under_way = None;
            self.conclude(end.outcome, &end.why, now, out);
        }
    }

    /// Another game has begun where one was under way: if that must have ended, it is counted.
    /// Returns whether the run is over with it.
    pub(super) fn swept(&mut self, now: Time, out: &mut Vec<Effect>) -> bool {
        if let Some(end) = self.agent.ended_unseen() {
            self.conclude(end.outcome, &end.why, now, out);
            if self.task.games.is_some_and(|n| self.games >= n) {
                return true;
            }
            self.phase = Phase::Playing;
        }
        self.game_began = Some(now);
        false
    }

    fn observed(&mut self, what: Observation, since: Time, out: &mut Vec<Effect>) {
        out.push(Effect::Note(Event::Observed {
            frame_seq: self.frame_seq,
            captured_at: self.captured_at,
            since,
            what,
            board: self.agent.believed().unwrap_or_default(),
            text: self.agent.words().unwrap_or_default(),
        }));
    }
}
