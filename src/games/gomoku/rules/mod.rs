//! The rules of five in a row: boards of 5 to 25 columns and rows, stones, who has won, notations.
//!
//! Takes plain data, gives plain data. Must never import anything but `types`, and never panic on
//! a board or a line that somebody else made.

mod board;
mod notation;

pub use board::{Board, BoardError, MoveError, Rule, SIDES, Square, Stone};
pub use notation::{NotationError, action, parse_action, parse_position, parse_size};
