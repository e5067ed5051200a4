//! A protocol of lines for Connect-4, both ways: a position as column digits in, the best column
//! and the scores out.
//!
//! A line from the host is a position: the columns played from the empty board, a character each,
//! digits from 1 at the left (`444` is three discs in the middle; after 9 comes a), or `-` for the
//! empty board. A board that is not 7x6 with four in a row comes before it: `9x7x5:123`. Each
//! position has one line of answer:
//!
//! ```text
//! 4                              the best column; enough for a brain
//! 4 1                            and its score
//! 4 1 -2 -1 0 1 0 -1 -2          and the scores of all columns; `.` is a full one
//! error the game is over         there is no move
//! ```
//!
//! Scores are the brain's own, larger is better for the side to move, `?` where it has none; those
//! of a perfect player count how early the game is won: 1 with the last disc that the winner can
//! place, one more for each disc earlier, negative when it is lost, 0 for a draw.
//!
//! `time 380` (milliseconds for each answer from now on) has no answer; a brain that does not care
//! passes over it. The end of the input, or `quit`, is the end.

mod client;
mod engine;
pub mod words;

pub use client::Connect4Line;
pub use engine::Engine;
