//! Recordings: everything that entered the ticks of a run and everything that came out, in one
//! MCAP file that Foxglove opens and `kibitzer replay` runs again.
//!
//! Takes ticks from the loop, which never waits for the disk; gives them back in order. Must never
//! keep pixels that differ from what was seen, end a run because its recording cannot go on, or
//! hide that something is missing: ticks are numbered, and a gap is told.
//!
//! | topic | what |
//! |---|---|
//! | `/frame` | pixels as PNG (`foxglove.CompressedImage`), only where they changed |
//! | `/input` | what a tick was given: the frame's facts, what the hands did, readings of the clock |
//! | `/reading`, `/belief` | the board as seen and as believed, where it changed |
//! | `/decision`, `/action`, `/mismatch`, `/result`, `/event` | what came out, for the journal |
//! | `/effect` | what came out, for hands and shell |
//! | `/log` | words for a person (`foxglove.Log`) |
//!
//! What made the run (command, profile, configuration, seeds) stands before the first message: as
//! a metadata record, and the profile with its pictures as attachments. Chunks are complete in the
//! file once a second, so that a process that is killed loses no more than that.

mod caps;
mod copy;
mod effects;
mod file;
mod lines;
mod pixels;
mod read;
mod schemas;
#[cfg(test)]
mod tests;
mod writer;

pub use caps::{Caps, free, is_ours, tidy};
pub use copy::copy;
pub use effects::{EffectLine, evidence_mark};
pub use lines::{Beside, FORMAT, FrameFacts, Header, InputLine, InputWhat, Topic};
pub use read::{Reader, RecordedTick, RecordingError};
pub use writer::{Place, Recorder, Recording, Tick};
