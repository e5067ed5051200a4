//! The rules of Connect-4: boards of any size, moves, notation, a fast form of small boards.
//!
//! Takes plain data, gives plain data. Must never import anything but `types`, and never panic on
//! a board or a line that somebody else made.

pub mod bits;
mod board;
mod notation;
#[cfg(test)]
mod tests;

pub use board::{Board, BoardError, Disc, MAX_SIDE};
pub use notation::{NotationError, column_of, letter, parse_position};
