//! A protocol of our own for any game: one JSON object a line, on standard input and output. Meant
//! to be spoken by a few lines of any language; `tests/brains/bot.py` is one.
//!
//! First the host says hello, and the brain answers with the version that it speaks (1 is the only
//! one) and, if it likes, its name and its games:
//!
//! ```json
//! {"type":"hello","protocol":"kibitzer","version":1,"game":"connect4"}
//! {"type":"hello","version":1,"name":"centre first","games":["connect4","flood"]}
//! ```
//!
//! Then, for each decision, a position and its answer:
//!
//! ```json
//! {"type":"position","id":1,"game":"connect4","size":[7,6],"rules":"",
//!  "board":[".......",".......",".......",".......","...O...","...X..."],
//!  "moves":["4","4"],"to_move":"first","legal":["1","2","3","4","5","6","7"],
//!  "time_ms":380,"nodes":null,"seed":0}
//! {"id":1,"move":"3","score":0.5,"nodes":17,"note":"for people"}
//! ```
//!
//! Only `move` must be there. An answer with the `id` of another position is passed over; one
//! without `id` is to the first position that has no answer. `{"error":"..."}` says that there is
//! no move. `{"type":"bye"}`, or the end of the input, is the end. **Unknown types
//! and fields are ignored** on both sides, so that either can be extended. Lines that are no JSON
//! object are errors: what a brain has to say to people goes to its standard error.
//!
//! | field | what it is |
//! |---|---|
//! | `size` | columns and rows |
//! | `rules` | what differs from the usual rules, as on the command line; empty for nothing |
//! | `board` | rows of one character a cell, from the top; `.` is empty |
//! | `moves` | the moves so far, where they are known, in the game's notation |
//! | `to_move` | `first` or `second`, in games for two |
//! | `legal` | all moves, where they are few (not in five in a row); in Flood-It those that gain cells |
//! | `time_ms` | how long the answer may take |
//! | `nodes` | positions that may be visited; null for any number |
//! | `seed` | of random choices |
//!
//! | game | board | move | further fields |
//! |---|---|---|---|
//! | `flood` | a letter a colour | the letter to play | `start`: column and row of the flooded corner |
//! | `connect4` | `X` moved first, `O` second | column from 1 | |
//! | `gomoku` | the same | `x,y` from 0,0 at the top left | |
//! | `triplex` | letters where pieces lie, `#` covered | the packed field, its rows joined by `/`, a letter a figure | `figures` |
//! | `tetris` | letters of pieces, `#` | `TURN,LEFT`: presses of the rotate key, leftmost column from 0 | `piece`, `next` (or null) |
//!
//! A packing shows each figure by a letter that none of its neighbours has; `.#` and letters of the
//! field stay as they are. `figures` has each figure as its rows joined by `/`, once for each time
//! that it is there; of the one that is written with `o` instead of `x` any turn and mirror image
//! will do.

mod client;
mod duels;
mod engine;
mod position;

pub use client::{Answer, Jsonl};
pub(crate) use client::{object, text};
pub use engine::{Engine, Thinker};
pub use position::{gains, of_duel, of_flood, of_tetris, of_triplex, tetris_move};

/// The games that are played in it.
pub const GAMES: [&str; 5] = ["flood", "tetris", "connect4", "gomoku", "triplex"];

/// The version of the protocol.
pub const VERSION: u64 = 1;
