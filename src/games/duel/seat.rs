//! Who sits at the board: a game's own part of an agent, its policy and its way of moving.

use super::Side;
use super::grid::{Grid, Piece};
use super::rules::Rules;
use crate::types::{Budget, Cell, ClassId, Control};

/// A position in which a side is to move.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// What lies where.
    pub grid: &'a Grid,
    /// The kind of the side that moved first; `None` on an empty board.
    pub first: Option<ClassId>,
    /// Whose turn it is.
    pub turn: Side,
    /// The moves that led here, the oldest first, if all are known.
    pub plies: Option<&'a [Piece]>,
    /// The last move, if it is known.
    pub last: Option<Piece>,
}

impl Position<'_> {
    /// Rows of `.`, `X` for the first side and `O` for the second, joined by `/`.
    #[must_use]
    pub fn rows(&self) -> String {
        let symbol = |kind: ClassId| match kind {
            super::grid::EMPTY => '.',
            kind if Some(kind) == self.first => 'X',
            _ => 'O',
        };
        let cells = self.grid.kinds().iter().map(|&kind| symbol(kind));
        crate::types::BoardText::from_cells(self.grid.size().cols.into(), cells).0
    }
}

/// What a policy chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// Where the piece comes to lie.
    pub at: Cell,
    /// The policy's value of it, in the policy's own unit.
    pub score: f64,
    /// Positions visited.
    pub nodes: u64,
    /// For a person.
    pub note: String,
}

/// A game with a policy and a way to make its moves.
pub trait Seat: Send {
    /// The rules.
    fn rules(&self) -> &dyn Rules;

    /// The policy's name.
    fn policy(&self) -> &str;

    /// Chooses a move.
    ///
    /// # Errors
    /// Why there is none in this position, for a person.
    fn think(&mut self, position: Position<'_>, budget: &Budget) -> Result<Chosen, String>;

    /// How to make a move.
    fn controls(&self, position: Position<'_>, at: Cell) -> Vec<Control>;

    /// How to make it once more when nothing is known of what the first try has left behind.
    fn again(&self, position: Position<'_>, at: Cell) -> Vec<Control> {
        self.controls(position, at)
    }
}
