//! What the agent says: moves, ends, results.

use serde_json::{Map, Value};

use super::{DuelAgent, Piece};
use crate::games::duel::Side;
use crate::games::duel::belief::Belief;
use crate::games::duel::grid::Grid;
use crate::games::duel::rules::{End, end_by, winning_places};
use crate::types::{BoardText, Outcome, Unseen};

impl DuelAgent {
    /// Moves in words: `red plays 4, yellow plays 3`.
    pub(super) fn told(&self, plies: &[Piece]) -> String {
        let one = |p: &Piece| {
            let who = match (self.sides.side_of(p.kind), self.sides.ours()) {
                (Some(side), Some(ours)) if side == ours => "we play",
                (Some(_), Some(_)) => "the opponent plays",
                (Some(Side::First), None) => "the first side plays",
                _ => "the second side plays",
            };
            let (letter, action) = (self.sides.letter(p.kind), self.seat.rules().action(p.at));
            format!("{who} {action} ({letter})")
        };
        plies.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// A game's end as we see it; who looks on sees it as the side that moved first.
    pub(super) fn outcome(&self, end: &End) -> Outcome {
        match end {
            End::Full => Outcome::Draw,
            End::Row(kind, _) => {
                let winner = self.sides.side_of(*kind);
                match winner == Some(self.sides.ours().unwrap_or(Side::First)) {
                    true => Outcome::Won,
                    false => Outcome::Lost,
                }
            }
        }
    }

    pub(super) fn end_in_words(&self, belief: &Belief) -> Option<String> {
        Some(match belief.end()? {
            End::Full => "the board is full".to_owned(),
            End::Row(kind, cells) => format!(
                "{} of {} stand in a row",
                cells.len(),
                self.sides.letter(*kind)
            ),
        })
    }

    pub(super) fn text_of(&self, grid: &Grid) -> BoardText {
        let letters = grid.kinds().iter().map(|&k| self.sides.letter(k));
        BoardText::from_cells(grid.size().cols.into(), letters)
    }
    /// How the game must have ended, if the board is gone or covered now.
    pub(super) fn unseen(&self) -> Option<Unseen> {
        if self.sides.looks_on() {
            return None;
        }
        let belief = self.belief.as_ref().filter(|b| b.end().is_none())?;
        if self.pending.is_some() {
            let after = self.expecting()?;
            let outcome = self.outcome(after.end()?);
            let why = "the board changed before our last move was seen, which ended the game";
            return Some(Unseen {
                outcome,
                why: why.to_owned(),
            });
        }
        let (grid, ours) = (belief.grid(), self.sides.ours()?);
        let turn = self.sides.to_move(grid).filter(|turn| *turn != ours)?;
        let kind = self.sides.kind_of(turn)?;
        let rules = self.seat.rules();
        let (outcome, what) = if winning_places(rules, grid, kind).next().is_some() {
            (Outcome::Lost, "could win at once")
        } else {
            let mut places = grid.size().cells().filter(|&at| rules.may_put(grid, at));
            let at = places.next().filter(|_| places.next().is_none())?;
            let full = end_by(rules, &grid.with(Piece { at, kind }), at)?;
            (self.outcome(&full), "had the last free place")
        };
        Some(Unseen {
            outcome,
            why: format!(
                "the board changed when the opponent was to move and {what}: its last move was \
                 not seen"
            ),
        })
    }

    /// What only this game knows of its result.
    pub(super) fn note(&self) -> Map<String, Value> {
        let name = |side: Side| match side {
            Side::First => "first",
            Side::Second => "second",
        };
        let letter = |side: Side| {
            let kind = self.sides.kind_of(side);
            kind.map(|k| self.sides.letter(k).to_string())
        };
        let winner = self.belief.as_ref().and_then(|b| match b.end()? {
            End::Row(kind, _) => self.sides.side_of(*kind),
            End::Full => None,
        });
        let mut note = Map::new();
        note.insert("side".into(), self.sides.ours().map(name).into());
        note.insert("colour".into(), self.sides.ours().and_then(letter).into());
        note.insert("winner".into(), winner.map(name).into());
        let size = self.belief.as_ref().map(|b| b.grid().size().to_string());
        note.insert("size".into(), size.into());
        note
    }
}
