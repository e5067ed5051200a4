//! What is done about frames that contradict the belief, without a belief, and at the end of a
//! game.
//!
//! Part of the agent: takes the view of the frame, changes the belief when [`correct`] says so.
//! Must never be reached by a frame that can be explained.

use std::time::Duration;

use super::super::rules::{Board, Kind};
use super::correct;
use super::live::TetrisAgent;
use super::split::split;
use super::view::{DARK, FULL};
use crate::types::{Cause, Cell, Finding, Handling, Time};

/// A game is over when for so long, and two fall delays, no piece appears where none can.
const OVER: Duration = Duration::from_millis(400);

impl TetrisAgent {
    pub(super) fn contradicted(&mut self, at: Time, out: &mut Vec<Finding>) {
        let ground = self.ground();
        let split = split(&self.view, ground);
        let was_blind = self.is_blind(at);
        let cause = correct::cause(ground, self.belief.piece, self.belief.over, &split);
        let cells: Vec<Cell> = (0..self.view.cells().len())
            .filter(|&i| {
                let full = self.belief.pile.cells()[i] != 0;
                self.view.cells()[i] != DARK && (self.view.cells()[i] == FULL) != full
            })
            .map(|i| self.cell(i))
            .collect();
        let Some(split) = self.doubt.strike(split, cause) else {
            if !std::mem::replace(&mut self.doubt.told, true) {
                let guess = if cause == Cause::BoardChanged {
                    Cause::Misread
                } else {
                    cause
                };
                let text = "nothing that can have happened leads to what is seen";
                self.find(guess, Handling::LookAgain, cells, text, out);
            }
            return;
        };
        let named = if was_blind && cause == Cause::BoardChanged {
            Cause::Covered
        } else {
            cause
        };
        let text = "what several frames show is believed";
        self.find(named, Handling::Accept, cells, text, out);
        let count = |b: &Board| b.cells().iter().filter(|&&v| v != 0).count();
        let (old, new) = (count(&self.belief.pile), count(&split.pile));
        self.belief.pile = split.pile;
        self.belief.piece = split.piece;
        if cause == Cause::NewGame {
            self.belief.restart();
        } else if cause == Cause::LandedEarly {
            self.belief.pieces += 1;
        } else if cause == Cause::BoardChanged && new > old {
            self.belief.pieces += ((new - old) / 4) as u32;
        }
        self.believe(at);
    }

    /// A position taken from frames alone is believed from now on.
    fn believe(&mut self, at: Time) {
        self.known = true;
        self.doubt.settle();
        self.doubt.suspects.clear();
        self.flights.clear();
        self.aim = None;
        self.belief.seen_at = at;
        self.belief.still_since = at;
        self.belief.next = self.shown;
        self.belief.started |= self.belief.piece.is_some();
        match self.belief.piece {
            Some(pose) => self.clock.found(pose.y, at),
            None => self.clock.landed(),
        }
    }

    /// Without a belief: two frames that show the same pile make one.
    pub(super) fn acquire(&mut self, at: Time) {
        if self.is_dark() {
            self.doubt.settle();
            return;
        }
        let split = split(&self.view, self.ground());
        if let Some(split) = self.doubt.strike(split, Cause::NewGame) {
            self.belief.pile = split.pile;
            self.belief.piece = split.piece;
            self.believe(at);
        }
    }

    /// Is the game over? No piece appears, and none can.
    pub(super) fn watch_end(&mut self, at: Time, out: &mut Vec<Finding>) {
        let belief = &self.belief;
        let patience = OVER + self.clock.delay() * 11 / 5;
        if belief.over || belief.seen_at != at || at.since(belief.still_since) < patience {
            return;
        }
        let ground = self.ground();
        let (cols, rows) = (self.options.size.cols, self.options.size.rows);
        let mut after = belief.pile.clone();
        if let Some(pose) = belief.piece {
            if !ground.rests(pose) {
                return;
            }
            after.lock(&self.options.system, pose);
            after.clear_full();
        }
        let ground = ground.with(&after);
        let system = &self.options.system;
        let blocked = |kind| (system.spawns(kind, cols, rows)).any(|pose| !ground.fits(pose));
        let none_can = match belief.next {
            Some(next) => blocked(next),
            None => Kind::ALL.into_iter().any(blocked),
        };
        if !none_can || !belief.started {
            return;
        }
        if let Some(pose) = belief.piece {
            self.aim = None;
            self.landed(pose, out);
        }
        self.belief.over = true;
        let text = "the next piece has no place";
        self.find(Cause::GameOver, Handling::Accept, Vec::new(), text, out);
    }
}
