//! Connect-4: discs fall into columns; so many in a row win.

mod game;
pub mod policies;
pub mod rules;
pub mod vision;

pub use game::{NAME, board_of, duel};
