//! Configuration and screen profiles: as written, then as usable.
//!
//! Takes a file, environment variables and command-line settings; gives [`Settings`], plain data
//! that needs no further checks, or every problem at once, each with its file, line, key and what
//! is allowed. Must never guess: a key that is not known is an error, never ignored.
//!
//! Order, the later wins: built-in defaults, file, environment (`KIBITZER_SECTION__KEY`), command
//! line (`--set section.key=value`).

mod change;
mod chord;
mod document;
mod folders;
mod key;
mod keys;
mod problem;
pub mod profile;
mod usable;
mod written;

pub use change::{Change, Difference, KeyView, change};
pub use chord::Chord;
pub use folders::Folders;
pub use problem::{ConfigError, Problem};
pub use profile::Profile;
pub use usable::{
    Capture, Emergency, JournalKeeping, Log, Pace, Play, Policy, Recording, Settings,
};
pub use written::{Origin, Sources};

#[cfg(test)]
mod tests;
