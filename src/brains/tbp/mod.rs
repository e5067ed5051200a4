//! The Tetris Bot Protocol, from the side of the host: other programs' bots as policies here.
//!
//! One JSON object a line, in the published order: the bot's `info`, our `rules`, its `ready` (or
//! `error`), our `start`; then `suggest` and its `suggestion` for each piece, and `play` and
//! `new_piece` when the piece was put as we believed; `stop` before another `start`, `quit` at the
//! end. Unknown types and fields are ignored.
//!
//! **What it has no words for.** *No hold*: `hold` is null, and moves of another piece than the
//! falling one are passed over. *Height*: its board is 40 rows of 10, the lowest 40 of ours from the
//! bottom; a bot that takes the game to be over at another height than ours plays on. *Width*: only
//! boards of ten columns are played. *Drops only*: a move that does not end where a drop from above
//! ends, or cannot be reached, is passed over; with no move left the fallback puts this piece, and
//! the bot is told where. *Previews*: the queue is the falling piece and the next one, if it is
//! shown; a bot that wants more falls silent, which is noticed. *Randomness*: `uniform`, by the
//! extension for it.

mod client;
mod place;

pub use client::Tbp;
pub use place::{Location, Orientation};
