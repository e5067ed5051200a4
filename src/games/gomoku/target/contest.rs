//! The rules and policies of five in a row as a target asks for them.

use crate::games::duel::{Ending, Side};
use crate::games::facing::{Contest, Thinker};
use crate::games::gomoku::policies::GomokuPolicy;
use crate::games::gomoku::rules::{Board, Square, Stone};
use crate::types::{Budget, Cell, GridSize};

const fn side(stone: Stone) -> Side {
    match stone {
        Stone::X => Side::First,
        Stone::O => Side::Second,
    }
}

/// Moves are cells.
impl Contest for Board {
    type Move = Cell;

    fn size(&self) -> GridSize {
        Self::size(self)
    }

    fn at(&self, cell: Cell) -> Option<Side> {
        match Self::at(self, cell) {
            Square::Stone(stone) => Some(side(stone)),
            Square::Empty | Square::Blocked => None,
        }
    }

    fn landing(&self, action: Cell) -> Option<Cell> {
        let free = Self::at(self, action) == Square::Empty;
        (free && self.winner().is_none()).then_some(action)
    }

    fn play(&mut self, action: Cell) -> bool {
        Self::play(self, action).is_ok()
    }

    fn take_back(&mut self, action: Cell) {
        let taken = self.undo();
        debug_assert_eq!(taken, Some(action), "the last move");
    }

    fn to_move(&self) -> Side {
        side(Self::to_move(self))
    }

    fn ending(&self) -> Option<Ending> {
        match self.winner() {
            Some(winner) => Some(Ending::Won(side(winner))),
            None => self.is_full().then_some(Ending::Draw),
        }
    }

    fn wins(&self, run: usize) -> bool {
        u32::try_from(run).is_ok_and(|run| self.rule().wins(run))
    }

    /// The free cells around the stones, or the middle of an empty board: elsewhere a stone would
    /// not even look like a move.
    fn careless(&self) -> Vec<Cell> {
        let size = Self::size(self);
        let stone = |cell: Cell| matches!(Self::at(self, cell), Square::Stone(_));
        let near = |cell: Cell| {
            let around = |at: u16, side: u16| at.saturating_sub(1)..=(at + 1).min(side - 1);
            around(cell.col, size.cols)
                .any(|col| around(cell.row, size.rows).any(|row| stone(Cell::new(col, row))))
        };
        let free = |cell: &Cell| self.landing(*cell).is_some();
        let mut all: Vec<Cell> = size.cells().filter(free).filter(|&c| near(c)).collect();
        if all.is_empty() {
            let middle = Cell::new(size.cols / 2, size.rows / 2);
            all.extend(Some(middle).filter(free));
        }
        all
    }
}

/// A policy at the table, and as an adviser.
pub struct Player(pub Box<dyn GomokuPolicy>);

impl Thinker<Board> for Player {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn answer(&mut self, board: &Board, budget: &Budget) -> Option<Cell> {
        Some(self.0.decide(board, budget)?.cell)
    }
}
