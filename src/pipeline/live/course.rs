//! The course of the games: how one is started, noticed, won or lost.

use std::time::Duration;

use super::{Effect, Ending, Goal, LiveMind, Sent, strokes_for};
use crate::types::{Cause, Control, Event, GameResult, Handling, Outcome, Status, Time};

/// Where the loop is in the course of the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// No game is known to run.
    #[default]
    Idle,
    /// No game is known to run, and one is to be started if none shows up.
    Waiting { since: Time, tries: u8 },
    /// A game runs.
    Playing { since: Time },
}

/// So long a game that runs already may take to be recognised before one is started.
const LOOK_FIRST: Duration = Duration::from_millis(1500);
/// So long a game that was started may take to show its first piece.
const START_PATIENCE: Duration = Duration::from_secs(5);
/// Starts that are tried.
const START_TRIES: u8 = 3;
/// Where a start is a single key, it leads from page to page: after so long the next page has
/// come, and the key is pressed again up to so often.
const NEXT_PAGE: Duration = Duration::from_millis(1200);
const PAGES: u8 = 6;
/// And so long a page takes to be drawn.
const PAGE: Duration = Duration::from_millis(300);
/// A frame older than this does not show the page that is there now.
const FRESH: Duration = Duration::from_millis(100);

impl LiveMind {
    pub(super) const fn is_playing(&self) -> bool {
        matches!(self.phase, Phase::Playing { .. })
    }

    /// After a frame: has a game begun, gone on, been won or lost?
    pub(super) fn follow_course(&mut self, now: Time, out: &mut Vec<Effect>) {
        let status = self.agent.status();
        match self.phase {
            Phase::Idle | Phase::Waiting { .. } => {
                if status == Status::ToMove {
                    self.phase = Phase::Playing {
                        since: self.captured_at,
                    };
                    self.mismatches = 0;
                    self.moves = self.agent.moves();
                    self.progress_at = Some(now);
                }
            }
            Phase::Playing { .. } => {
                let moves = self.agent.moves();
                if moves != self.moves {
                    self.moves = moves;
                    self.progress_at = Some(now);
                    out.push(Effect::Note(Event::Confirmed {
                        action: self.gate.last_granted(),
                        frame_seq: self.frame_seq,
                        captured_at: self.captured_at,
                    }));
                }
                if let Status::Over(outcome) = status {
                    let why = match outcome {
                        Outcome::Won => "the game was seen to be won",
                        Outcome::Lost => "the game was seen to be over",
                        Outcome::Draw => "the game was seen to be drawn",
                        Outcome::Aborted => "the game was given up",
                    };
                    self.finish(outcome, why, now, out);
                    self.conclude(out);
                } else if let Some(why) = self.reached() {
                    self.finish(Outcome::Won, &why, now, out);
                    self.conclude(out);
                }
            }
        }
    }

    fn reached(&self) -> Option<String> {
        match self.task.goal? {
            Goal::Pieces(n) => (self.agent.moves() >= n).then(|| format!("{n} pieces have landed")),
            Goal::Rows(n) => (self.agent.rows() >= n).then(|| format!("{n} rows are complete")),
        }
    }

    pub(super) fn finish(&mut self, outcome: Outcome, why: &str, now: Time, out: &mut Vec<Effect>) {
        let since = match self.phase {
            Phase::Playing { since } => since,
            Phase::Idle | Phase::Waiting { .. } => now,
        };
        self.games += 1;
        self.progress_at = Some(now);
        out.push(Effect::Note(Event::Finished(GameResult {
            game: self.agent.game().to_owned(),
            result: outcome,
            moves: self.agent.moves(),
            seconds: now.since(since).as_secs_f64(),
            mismatches: self.mismatches,
            why: why.to_owned(),
            extra: self.agent.result_note(),
        })));
        self.mismatches = 0;
        self.phase = Phase::Idle;
    }

    /// After a game: the end of the run, or the next one.
    fn conclude(&mut self, out: &mut Vec<Effect>) {
        if self.task.games.is_some_and(|n| self.games >= n) {
            self.gate.disarm();
            out.push(Effect::End(Ending {
                why: format!("{0} of {0} games played", self.games),
                complete: true,
            }));
        } else {
            self.agent.forget();
        }
    }

    /// No game runs: one is started, if that is asked for and it is time.
    pub(super) fn start_game(&mut self, now: Time, out: &mut Vec<Effect>) {
        if !self.gate.is_armed() || self.sent.is_some() || now < self.hold_until {
            return;
        }
        let (since, tries) = match self.phase {
            Phase::Playing { .. } => return,
            Phase::Idle => {
                self.phase = Phase::Waiting {
                    since: now,
                    tries: 0,
                };
                return;
            }
            Phase::Waiting { since, tries } => (since, tries),
        };
        let part = self.part();
        let scripted = self.runner.has(part);
        let (patience, most) = self.start_patience(tries);
        if self.task.start.is_empty() && !scripted || now.since(since) < patience {
            return;
        }
        // A search may have taken longer than an action stays valid.
        if self.search.tick == Some(now) || now.since(self.captured_at) > FRESH {
            return;
        }
        if !self.looked_since(since, tries) {
            return;
        }
        if tries >= most {
            let why = format!("a game was started {most} times and none was seen to run");
            self.mismatch(Cause::BoardLost, Handling::End, &why, None, out);
            super::Mind::end(self, &why, now, out);
            return;
        }
        if scripted {
            // Its steps come with the next frame.
            self.runner.begin(part, now);
            return;
        }
        let (eyes, place) = (self.eyes.calibration(), self.placement.as_ref());
        let Some(strokes) = strokes_for(&self.task.start, eyes, place) else {
            return;
        };
        if self.act(strokes, now, out) {
            self.sent = Some(Sent::Start);
        }
    }

    /// How long to wait before the next start, and how many are tried.
    fn start_patience(&self, tries: u8) -> (Duration, u8) {
        let (patience, most) = match self.task.start.as_slice() {
            [Control::Key(_)] if !self.runner.has(self.part()) => (NEXT_PAGE, PAGES),
            _ => (START_PATIENCE, START_TRIES),
        };
        (if tries == 0 { LOOK_FIRST } else { patience }, most)
    }

    /// Whether the page that came last was looked at: in a game that runs already, and whose board
    /// is not found yet, the same key may do something else.
    fn looked_since(&self, since: Time, tries: u8) -> bool {
        let shown = if tries == 0 { since } else { since + PAGE };
        self.eyes.calibration().is_some() || self.search.failed_at.is_some_and(|at| at >= shown)
    }

    /// Whether keys that start a game are due: they need no board, and looking for one in a page
    /// that has none may take longer than an action stays valid.
    pub(super) fn start_is_due(&self, now: Time) -> bool {
        let Phase::Waiting { since, tries } = self.phase else {
            return false;
        };
        let keys = (self.task.start.iter()).all(|c| matches!(c, Control::Key(_)));
        keys && !self.task.start.is_empty()
            && self.gate.is_armed()
            && self.sent.is_none()
            && now >= self.hold_until
            && now.since(since) >= self.start_patience(tries).0
            && self.looked_since(since, tries)
    }

    /// The steps that start a game have been made.
    pub(super) fn started(&mut self, now: Time) {
        let tries = match self.phase {
            Phase::Waiting { tries, .. } => tries,
            Phase::Idle | Phase::Playing { .. } => 0,
        };
        self.agent.forget();
        self.phase = Phase::Waiting {
            since: now,
            tries: tries + 1,
        };
    }
}
