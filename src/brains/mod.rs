//! Brains of other programs as policies, and ours for other programs: processes that speak a
//! protocol on their standard input and output.
//!
//! A brain never blocks its caller for longer than it was given, and is never trusted: what it
//! answers is checked by the rules.

pub mod brain;
pub mod duel;
pub mod takeover;
pub mod piskvork;
pub mod process;
pub mod share;
