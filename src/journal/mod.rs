//! The store of a run: events in SQLite, evidence pictures, what is read back, export; and
//! recordings of all that a run was given and gave.
//!
//! Takes [`Event`](crate::types::Event)s through [`EventSink`](crate::types::EventSink) and gives
//! them back as rows, latencies or a folder that explains a failure. Must never lose an event that
//! was acknowledged, never look at a clock, and never know a game.
//!
//! What "acknowledged" means: [`Journal::record`](crate::types::EventSink::record) returns after
//! the rows are committed to the write-ahead log, so a killed process loses nothing. A power cut
//! may lose the last moments before it (the log is synchronised at checkpoints, not at every
//! commit, because that would cost milliseconds per move); it never damages the file.
//!
//! The one exception is a picture: the row of a mismatch is committed first, with its picture
//! pending; a second thread encodes the picture and adds it within milliseconds. A process killed
//! in between keeps the row, and the reader says that its picture was not finished.

mod background;
mod ballast;
mod error;
pub mod export;
pub mod read;
pub mod recording;
pub mod restarts;
mod room;
mod rows;
mod schema;
mod store;
#[cfg(test)]
mod tests;
pub mod wall;

pub use error::JournalError;
pub use store::{Journal, Limits, RunId};
