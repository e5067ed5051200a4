//! Standard Tetris: seven pieces fall one after the other; complete rows vanish.

pub mod rules;
pub mod target;
pub mod vision;
