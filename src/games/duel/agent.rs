//! A game for two as the loop sees it: the belief, the move under way, who is who, and a seat with
//! the rules and the policy.
//!
//! Takes readings whose class 0 is an empty place and whose other classes are kinds of pieces,
//! gives stories and decisions. Must never wait, retry or judge how often something may happen:
//! that is the reconciler's.

mod accept;
mod partial;
#[cfg(test)]
mod tests;
mod words;

use serde_json::{Map, Value};

use super::Side;
use super::belief::Belief;
use super::explain::{Explained, explain, may_be_start};
use super::grid::{EMPTY, Grid, Piece};
use super::seat::{Position, Seat};
use super::sides::{Sides, Who};
use crate::types::{
    Agent, BoardText, Budget, Cause, Cell, ClassLook, Control, Decision, Label, Reading, Status,
    Story, Time, Unseen,
};

/// Of a finished game that goes on after an undo, so many moves at most were taken back.
const TAKEN_BACK: usize = 2;
/// A board with no more pieces than this is another game, however like the last one it looks.
const FEW: usize = 2;

/// A move under way.
#[derive(Clone, Copy, Debug)]
struct Pending {
    at: Cell,
    side: Side,
    /// It was made once more.
    again: bool,
}

/// One game for two.
pub struct DuelAgent {
    seat: Box<dyn Seat>,
    sides: Sides,
    belief: Option<Belief>,
    pending: Option<Pending>,
    /// The belief before it was last forgotten.
    last: Option<Belief>,
    /// The board on which a move was last asked for, and when it was first.
    asked: Option<(Grid, Time)>,
    /// Why there was no move when one was asked for.
    no_move: Option<String>,
    /// The last thing that was accepted.
    news: String,
}

impl DuelAgent {
    /// An agent that has seen no board yet.
    #[must_use]
    pub fn new(seat: Box<dyn Seat>, who: Who) -> Self {
        Self {
            seat,
            sides: Sides::new(who),
            belief: None,
            pending: None,
            last: None,
            asked: None,
            no_move: None,
            news: String::new(),
        }
    }

    /// The position with the move under way, if the kind of its piece is known.
    fn expecting(&self) -> Option<Belief> {
        let pending = self.pending?;
        let mut belief = self.belief.clone()?;
        let kind = self.sides.kind_of(pending.side)?;
        belief.put(
            self.seat.rules(),
            Piece {
                at: pending.at,
                kind,
            },
        );
        Some(belief)
    }

    /// Whether a reading shows the move under way and nothing else.
    fn is_done(&self, seen: &Reading, belief: &Belief) -> bool {
        let Some(pending) = self.pending else {
            return false;
        };
        let grid = belief.grid();
        if seen.size != grid.size() || seen.cells.len() != grid.kinds().len() {
            return false;
        }
        let place = seen.size.index(pending.at);
        let mut others = seen.cells.iter().zip(grid.kinds()).enumerate();
        let kept = others.all(|(i, (c, kind))| i == place || c.label == Label::Class(*kind));
        let turn = self.sides.turn(grid);
        let fits = |kind: u8| kind != EMPTY && turn.allows(kind);
        kept && matches!(seen.cells[place].label, Label::Class(kind) if fits(kind))
    }

    /// What happened, for a board all of whose cells were read and that is not the believed one.
    fn explained(&self, belief: &Belief, seen: &Grid) -> Explained {
        let turn = self.sides.turn(belief.grid());
        let start = self.pending.map(|p| p.at);
        explain(self.seat.rules(), belief, turn, start, seen)
    }

    /// Why these moves are not what was waited for; `None` if they are.
    fn cause(&self, belief: &Belief, plies: &[Piece]) -> Option<Cause> {
        if self.sides.looks_on() {
            return None;
        }
        let action = |piece: &Piece| self.seat.rules().action(piece.at);
        match (self.pending, self.sides.ours()) {
            (Some(pending), _) if plies[0].at == pending.at => match plies {
                [_] | [_, _] => None,
                [ours, _, again, ..] if action(ours) == action(again) => Some(Cause::ClickDoubled),
                _ => Some(Cause::UserMoved),
            },
            // We began because nobody did, and somebody did.
            (Some(_), _) if belief.grid().count() == 0 && plies.len() == 1 => None,
            (Some(_), _) if self.is_theirs_after_all(belief, plies) => None,
            (Some(_), _) if plies.len() == 1 => Some(Cause::WrongMove),
            (None, _) if plies.len() == 1 && self.sides.is_in_doubt() => None,
            (None, Some(ours)) if plies.len() == 1 => {
                let theirs = self.sides.to_move(belief.grid()) != Some(ours);
                (!theirs).then_some(Cause::UserMoved)
            }
            (None, None) => None,
            _ => Some(Cause::UserMoved),
        }
    }

    /// Whether these moves show that the other side has begun, where that was not certain.
    fn is_theirs_after_all(&self, belief: &Belief, plies: &[Piece]) -> bool {
        let Some(first) = plies.first() else {
            return false;
        };
        let elsewhere = self.pending.is_none_or(|p| p.at != first.at);
        let second = self.sides.kind_of(Side::Second) == Some(first.kind);
        match belief.grid().count() {
            1 => self.sides.is_unowned() && elsewhere,
            2 => self.sides.is_unordered() && (elsewhere || second),
            _ => false,
        }
    }

    fn story_of(&self, belief: &Belief, seen: &Grid) -> Story {
        let rules = self.seat.rules();
        if seen.pieces().any(|p| rules.hangs(seen, p.at)) {
            return Story::Passing;
        }
        let cells = match seen.size() == belief.grid().size() {
            true => seen.differing(belief.grid()),
            false => Vec::new(),
        };
        let other = |cause| Story::Other {
            cause,
            cells: cells.clone(),
        };
        match self.explained(belief, seen) {
            Explained::Forward(plies) => Story::Moved {
                cause: self.cause(belief, &plies),
                moves: plies.len(),
                cells,
            },
            Explained::Back { .. } => other(Cause::Undone),
            Explained::Fresh => other(Cause::NewGame),
            Explained::Renamed(_) => other(Cause::Recoloured),
            Explained::Nowhere => other(Cause::Impossible),
        }
    }
}

/// The believed position for a policy; `None` when it is not known whose turn it is.
fn position<'a>(sides: &Sides, belief: &'a Belief) -> Option<Position<'a>> {
    Some(Position {
        grid: belief.grid(),
        first: sides.kind_of(Side::First),
        turn: sides.to_move(belief.grid())?,
        plies: belief.is_whole().then(|| belief.plies()),
        last: belief.plies().last().copied(),
    })
}

impl Agent for DuelAgent {
    fn game(&self) -> &'static str {
        self.seat.rules().game()
    }

    fn policy(&self) -> &str {
        self.seat.policy()
    }

    fn believed(&self) -> Option<BoardText> {
        self.belief.as_ref().map(|b| self.text_of(b.grid()))
    }

    /// With `?` where our piece will be, as long as nobody knows how it looks.
    fn expected(&self) -> Option<BoardText> {
        let belief = self.belief.as_ref()?;
        let pending = self.pending?;
        let ours = self.sides.kind_of(pending.side);
        let size = belief.grid().size();
        let letters = size.cells().map(|cell| match cell == pending.at {
            true => ours.map_or('?', |kind| self.sides.letter(kind)),
            false => self.sides.letter(belief.grid().at(cell)),
        });
        Some(BoardText::from_cells(size.cols.into(), letters))
    }

    fn text(&self, seen: &Reading) -> BoardText {
        let cells = seen.cells.iter().map(|c| match c.label {
            Label::Class(kind) => self.sides.letter(kind),
            Label::Unknown => '?',
        });
        BoardText::from_cells(seen.size.cols.into(), cells)
    }

    fn status(&self) -> Status {
        let Some(belief) = &self.belief else {
            return Status::Unknown;
        };
        if let Some(end) = belief.end() {
            return Status::Over(self.outcome(end));
        }
        if self.pending.is_some() {
            return Status::UnderWay;
        }
        if self.sides.missing(belief.grid()).is_some() {
            return Status::Unclear;
        }
        let turn = self.sides.to_move(belief.grid());
        match self.sides.ours() {
            _ if self.no_move.is_some() => Status::Unclear,
            Some(ours) if turn != Some(ours) && !self.sides.looks_on() => Status::Theirs,
            _ => Status::ToMove,
        }
    }

    fn interpret(&self, seen: &Reading) -> Story {
        let Some(belief) = &self.belief else {
            return match seen.unknown() > 0 || seen.cells.len() != seen.size.len() {
                true => Story::Partial { agrees: true },
                false => Story::Other {
                    cause: Cause::BoardChanged,
                    cells: Vec::new(),
                },
            };
        };
        if belief.grid().is(seen) {
            return Story::Same;
        }
        if self.is_done(seen, belief) {
            return Story::Done;
        }
        let Some(grid) = Grid::read(seen).filter(|grid| grid.both().is_some()) else {
            return self.partial(belief, seen);
        };
        if self.is_marked(seen) {
            let cells = grid.differing(belief.grid());
            return Story::Ended { cells };
        }
        let knows = |p: Piece| self.sides.knows(belief.grid(), p.kind);
        let strange = !grid.pieces().all(knows);
        match self.story_of(belief, &grid) {
            // A kind that takes no part is a mark, or something that lies over a cell.
            Story::Other {
                cause: Cause::Impossible,
                ..
            } if strange => self.partial(belief, seen),
            story => story,
        }
    }

    fn accept(&mut self, seen: &Reading, story: &Story) {
        match story {
            Story::Same | Story::Partial { .. } | Story::Passing => return,
            Story::Ended { .. } => {
                if let Some(plies) = self.belief.as_ref().and_then(|b| self.ended_by(b, seen)) {
                    self.advance(&plies);
                }
            }
            Story::Done | Story::Moved { .. } | Story::Other { .. } => {
                let Some(grid) = Grid::read(seen) else {
                    return;
                };
                match self.belief.is_some() {
                    true => self.take(&grid),
                    false => self.first(grid),
                }
                self.pending = None;
            }
        }
        self.no_move = None;
    }

    /// Not the last game's end with some pieces missing: a winning row that blinks.
    fn may_be_start(&self, seen: &Reading) -> bool {
        let Some(grid) = Grid::read(seen) else {
            return false;
        };
        let rest = |b: &Belief| {
            let left = grid.pieces().all(|p| b.grid().at(p.at) == p.kind);
            let earlier = |n: usize| *b.back_to(b.plies().len().saturating_sub(n)).grid() == grid;
            left && !(1..=TAKEN_BACK).any(earlier)
        };
        let over = self.last.as_ref().filter(|b| b.end().is_some());
        let old =
            over.is_some_and(|b| grid.count() > FEW && grid.size() == b.grid().size() && rest(b));
        !old && may_be_start(self.seat.rules(), &grid)
    }

    fn forget(&mut self) {
        self.last = self.belief.take().or_else(|| self.last.take());
        self.pending = None;
        self.asked = None;
        self.no_move = None;
    }

    fn decide(&mut self, budget: &Budget, now: Time) -> Option<Decision> {
        if self.status() != Status::ToMove {
            return None;
        }
        let belief = self.belief.clone()?;
        let grid = belief.grid();
        let since = match &self.asked {
            Some((asked, since)) if asked == grid => *since,
            _ => {
                self.asked = Some((grid.clone(), now));
                now
            }
        };
        if now.since(since) < self.sides.courtesy(grid) {
            return None;
        }
        let position = position(&self.sides, &belief)?;
        let turn = position.turn;
        let chosen = self.seat.think(position, budget);
        let chosen = match chosen {
            Ok(chosen) if self.seat.rules().may_put(grid, chosen.at) => chosen,
            Ok(chosen) => {
                let action = self.seat.rules().action(chosen.at);
                self.no_move = Some(format!("{}: {action} is no move here", self.policy()));
                return None;
            }
            Err(why) => {
                self.no_move = Some(why);
                return None;
            }
        };
        let controls = self.seat.controls(position, chosen.at);
        if controls.is_empty() {
            let action = self.seat.rules().action(chosen.at);
            self.no_move = Some(format!("nothing is known that makes the move {action}"));
            return None;
        }
        let kind = self.sides.kind_of(turn);
        let expected = kind.map(|kind| {
            let piece = Piece {
                at: chosen.at,
                kind,
            };
            self.text_of(&grid.with(piece))
        });
        Some(Decision {
            action: self.seat.rules().action(chosen.at),
            controls,
            expected,
            score: chosen.score,
            nodes: chosen.nodes,
            note: chosen.note,
        })
    }

    fn commit(&mut self, decision: &Decision) {
        let Some(belief) = &self.belief else {
            return;
        };
        let at = self.seat.rules().place(belief.grid(), &decision.action);
        let side = self.sides.to_move(belief.grid());
        self.pending = at.zip(side).map(|(at, side)| Pending {
            at,
            side,
            again: self.pending.is_some_and(|p| p.at == at),
        });
    }

    fn withdraw(&mut self) {
        if self.pending.take().is_some()
            && let Some(belief) = &self.belief
        {
            self.sides.give_way(belief.grid());
        }
    }

    fn again(&mut self, decision: &Decision) -> Vec<Control> {
        let known = self.belief.as_ref().and_then(|belief| {
            let at = self.seat.rules().place(belief.grid(), &decision.action)?;
            Some(self.seat.again(position(&self.sides, belief)?, at))
        });
        known.unwrap_or_else(|| decision.controls.clone())
    }

    fn looks(&mut self, classes: &[ClassLook]) {
        self.sides.look(classes);
    }

    fn may_be_new(&self, seen: &Reading) -> bool {
        self.belief.as_ref().is_some_and(|b| self.novel(b, seen))
    }

    fn moves_little(&self) -> bool {
        true
    }

    fn words(&self) -> Option<String> {
        let belief = self.belief.as_ref()?;
        let waits = || match self.status() {
            Status::Theirs if belief.grid().count() == 0 => Some("the opponent is to begin".into()),
            Status::Theirs => Some("the opponent thinks".into()),
            // As long as it may be our own piece that lies there.
            Status::ToMove if self.sides.is_in_doubt() => Some("the opponent thinks".into()),
            _ => None,
        };
        self.end_in_words(belief)
            .or_else(|| self.sides.missing(belief.grid()))
            .or_else(|| self.no_move.clone())
            .or_else(waits)
            .or_else(|| Some(self.news.clone()))
    }

    fn ended_unseen(&self) -> Option<Unseen> {
        self.unseen()
    }

    fn moves(&self) -> u32 {
        let pieces = self.belief.as_ref().map_or(0, |b| b.grid().count());
        u32::try_from(pieces).unwrap_or(u32::MAX)
    }

    fn result_note(&self) -> Map<String, Value> {
        self.note()
    }
}
