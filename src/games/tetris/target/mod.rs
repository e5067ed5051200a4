//! The built-in Tetris: a calibration target that is a game.
//!
//! Takes keys and times, draws itself. Must never be asked anything by the stages.

mod grid;
pub mod keys;
pub mod paint;
pub mod palette;
mod text;
