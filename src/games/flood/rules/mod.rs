//! The rules of Flood-It: boards, moves, notations, seeded boards.
//!
//! Takes plain data, gives plain data. Must never import anything but `types`, and never
//! panic on a board or a line that somebody else made.

mod between;
mod board;
mod notation;
mod seeded;

pub use between::moves_between;
pub use board::{Board, BoardError, MAX_COLOURS, MAX_SIDE, ReplayError};
pub use notation::{NotationError, Position, colour_of, letter, parse_position, symbol};
pub use seeded::SeededBoards;
