//! Connect-4: discs fall into columns; so many in a row win.

pub mod agent;
mod game;
pub mod policies;
pub mod rules;
pub mod target;
pub mod vision;

pub use game::{NAME, board_of, duel};
