//! A protocol of lines for Connect-4, both ways: a position as column digits in, the best column
//! and the scores out.
//!
//! A line from the host is a position: the columns played from the empty board, digits from 1 at
//! the left (`444` is three discs in the middle), or `-` for the empty board. On boards of more
//! than nine columns they are numbers apart by commas (`10,10,3`). Each position has one line of
//! answer:
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
//! A line that begins with a word is a setting and has no answer; a brain that does not care passes
//! over it: `size 7x6 4` (columns, rows, in a row to win), `time 380` (milliseconds for each answer
//! from now on). The end of the input, or `quit`, is the end.

mod client;
mod engine;
mod words;

pub use client::Connect4Line;
pub use engine::{Engine, serve};
pub use words::{Answer, Request, parse_answer, parse_request};
