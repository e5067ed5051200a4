//! The rules of standard Tetris: pieces, rotation, boards.
//!
//! Takes plain data and times, gives plain data. Must never import anything but `types`, look at a
//! clock or draw a random number that it was not given.
//!
//! **Coordinates** of the rules: x counts columns from 0 at the left, y counts rows from 0 at the
//! bottom. The top of a board is for whoever draws or reads it: boards as text begin with the top
//! row, as everywhere.

mod board;
mod dealer;
mod engine;
mod kind;
mod programs;
mod save;
mod system;
mod timing;

pub use board::{Board, BoardError, JUNK, MAX_SIZE, MIN_SIZE};
pub use dealer::{Dealer, Draw};
pub use engine::{Game, Happened, Key, Landing, Setup};
pub use kind::Kind;
pub use programs::Pace;
pub use save::{HEADER, SaveError};
pub use system::{Offset, Pose, System};
pub use timing::{
    FRAME, MAX_BIAS, MAX_LEVEL, MIN_LEVEL, biased_delay, delay, earned_level, points,
};
