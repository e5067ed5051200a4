//! Where frames come from: screens, windows, cameras, files, the simulated camera.
//!
//! Takes a description of a source and gives [`Feed`]s. Must never interpret what it captures.

pub mod camera;
pub mod files;
pub mod frozen;
pub mod pace;
pub mod playback;
pub mod pool;
#[cfg(feature = "portable-capture")]
pub mod portable;
pub mod query;
pub mod screen;
pub mod simulated;
pub mod slot;
mod video;
pub mod window;
pub mod x11;

use crate::types::{Feed, SourceId, Time};

/// Something that delivers frames.
pub trait FrameSource: Send {
    /// Its stable name.
    fn id(&self) -> SourceId;

    /// The next frame, or what there is instead at `deadline`.
    ///
    /// # Errors
    /// Only when the device fails in a way that waiting does not mend.
    fn next(&mut self, deadline: Time) -> Result<Feed, CaptureError>;
}

/// A source that does not work.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// It cannot be opened: the text names it and the fix.
    #[error("{0}")]
    Open(String),
    /// It was lost while running (the X server went away, a file became unreadable).
    #[error("{0}")]
    Lost(String),
}
