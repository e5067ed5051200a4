//! The built-in Tetris: a calibration target that is a game.
//!
//! Takes keys and times, draws itself. Must never be asked anything by the stages.

pub mod paint;
pub mod palette;
