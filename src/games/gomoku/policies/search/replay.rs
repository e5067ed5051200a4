//! The search's board by itself, for measuring what a stone costs.

use super::field::{Field, number};
use crate::games::gomoku::rules::Board;

/// A game on the search's board, to be taken back and played again.
#[derive(Debug)]
pub struct Replay {
    field: Field,
    moves: Vec<u16>,
}

impl Replay {
    /// The moves that are known of a board that nobody has won; `None` if it is over.
    #[must_use]
    pub fn new(board: &Board) -> Option<Self> {
        let mut start = board.clone();
        while start.undo().is_some() {}
        let mut field = Field::new(&start)?;
        if board.is_over() {
            return None;
        }
        let moves: Vec<u16> = board.moves().iter().map(|&c| number(c)).collect();
        moves.iter().for_each(|&at| field.make(at));
        Some(Self { field, moves })
    }

    /// Stones of the game.
    #[must_use]
    pub fn stones(&self) -> usize {
        self.moves.len()
    }

    /// Takes every stone back and puts it again.
    pub fn back_and_forth(&mut self) {
        for &at in self.moves.iter().rev() {
            self.field.undo(at);
        }
        for &at in &self.moves {
            self.field.make(at);
        }
    }
}
