//! Five in a row (gomoku): stones on any free cell; five in a row win.

pub mod agent;
mod match_game;
mod openings;
pub mod policies;
pub mod rules;
pub mod target;
pub mod vision;

use match_game::NAME;
pub use match_game::{board_of, duel};
pub use policies::mover;
