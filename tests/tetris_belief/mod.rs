//! Belief of the Tetris agent against the truth, in virtual time.

mod faults;
mod long;
mod rig;
mod tally;
