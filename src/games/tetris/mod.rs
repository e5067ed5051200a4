//! Standard Tetris: seven pieces fall one after the other; complete rows vanish.

pub mod agent;
pub mod policies;
pub mod rules;
pub mod target;
pub mod vision;
