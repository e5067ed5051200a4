//! Proofs by themselves: whether a position is won by fours or by threats, and whether every move
//! of it loses.

use super::cell::WINS;
use super::field::{Field, cell, cells_of};
use super::moves::{defences, either, fours};
use super::vcf::Fours;
use super::vct::Threats;
use crate::games::gauge::Gauge;
use crate::games::gomoku::rules::Board;
use crate::types::{Budget, Cell};

/// Fours in a row that are looked at, at most.
pub(super) const FOURS: u8 = 40;

/// Looks for proofs; remembers what it has seen.
#[derive(Debug, Default)]
pub struct Prover {
    fours: Fours,
    threats: Threats,
}

impl Prover {
    /// The first move and the stones until five (both sides' counted) if the side to move wins by
    /// fours alone; `None` if no such win is found within the budget and `limit` positions.
    pub fn by_fours(&mut self, board: &Board, limit: u32, budget: &Budget) -> Option<(Cell, u32)> {
        let mut field = Field::new(board)?;
        let gauge = &mut Gauge::start(budget);
        let stones = self.fours.search(&mut field, FOURS, limit, gauge)?;
        Some((cell(self.fours.line().next()?), stones))
    }

    /// The same for a win by fours and open threes.
    pub fn by_threats(
        &mut self,
        board: &Board,
        limit: u32,
        budget: &Budget,
    ) -> Option<(Cell, u32)> {
        let mut field = Field::new(board)?;
        let gauge = &mut Gauge::start(budget);
        let threats = &mut self.threats;
        let (at, stones) = threats.search(&mut field, &mut self.fours, limit, gauge)?;
        Some((cell(at), stones))
    }

    /// Stones until five if every move of the side to move loses to fours or threats; each is
    /// looked at within `limit` positions.
    pub fn every_move_loses(&mut self, board: &Board, limit: u32, budget: &Budget) -> Option<u32> {
        let mut field = Field::new(board)?;
        let gauge = &mut Gauge::start(budget);
        every_move_loses(&mut field, &mut self.fours, &mut self.threats, limit, gauge)
    }
}

/// See [`Prover::every_move_loses`].
pub(super) fn every_move_loses(
    field: &mut Field,
    by_fours: &mut Fours,
    by_threats: &mut Threats,
    limit: u32,
    gauge: &mut Gauge<'_>,
) -> Option<u32> {
    let (own, other) = (field.turn, 1 - field.turn);
    // A board without an empty cell is a draw.
    if field.can_win(own) || field.free == 0 {
        return None;
    }
    let set = match field.count_of(other, WINS) {
        0 if field.can_win_by_four(own) => return None,
        0 if field.can_win_by_four(other) => either(defences(field, other), &fours(field, own)),
        0 => *field.empty_cells(),
        1 => *field.set(other, WINS),
        _ => return Some(2),
    };
    // A move that is not in the set loses to five at once or to a four that wins.
    let mut most = if field.can_win(other) { 2 } else { 4 };
    for at in cells_of(&set) {
        field.make(at);
        let mut won = by_fours.search(field, FOURS, limit, gauge);
        if won.is_none() {
            let found = by_threats.search(field, by_fours, limit, gauge);
            won = found.map(|(_, stones)| stones);
        }
        field.undo(at);
        most = most.max(1 + won?);
    }
    Some(most)
}
