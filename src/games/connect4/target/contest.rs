//! The rules of Connect-4 as a target asks for them.

use crate::games::connect4::rules::{Board, Disc};
use crate::games::duel::{Ending, Side};
use crate::games::facing::Contest;
use crate::types::{Cell, GridSize};

const fn side(disc: Disc) -> Side {
    match disc {
        Disc::First => Side::First,
        Disc::Second => Side::Second,
    }
}

/// Moves are columns from 0.
impl Contest for Board {
    type Move = usize;

    fn size(&self) -> GridSize {
        Self::size(self)
    }

    fn at(&self, cell: Cell) -> Option<Side> {
        let row = Self::size(self).rows.checked_sub(cell.row + 1)?;
        Self::at(self, cell.col.into(), row.into()).map(side)
    }

    fn landing(&self, action: usize) -> Option<Cell> {
        if !self.is_legal(action) {
            return None;
        }
        let height = u16::try_from(self.height(action)).ok()?;
        let row = Self::size(self).rows.checked_sub(height + 1)?;
        Some(Cell::new(u16::try_from(action).ok()?, row))
    }

    fn play(&mut self, action: usize) -> bool {
        Self::play(self, action).is_ok()
    }

    fn take_back(&mut self, action: usize) {
        self.undo(action);
    }

    fn to_move(&self) -> Side {
        side(Self::to_move(self))
    }

    fn ending(&self) -> Option<Ending> {
        match self.winner() {
            Some(winner) => Some(Ending::Won(side(winner))),
            None => self.is_over().then_some(Ending::Draw),
        }
    }

    fn wins(&self, run: usize) -> bool {
        run >= self.row().into()
    }

    /// Any column with room.
    fn careless(&self) -> Vec<usize> {
        self.legal().collect()
    }
}
