//! What a person may be told before a move.

use crate::types::Cell;

/// A hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice<M> {
    /// The best move known.
    pub best: Option<M>,
    /// What is written on cells: the value of the move that leads there.
    pub scores: Vec<(Cell, String)>,
}
