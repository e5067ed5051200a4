//! Five in a row (gomoku): stones on any free cell; five in a row win.

mod match_game;
mod openings;
pub mod policies;
pub mod rules;
pub mod vision;

pub use match_game::{board_of, duel};
pub use policies::mover;
