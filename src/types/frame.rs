//! One frame from a source, and what a source may say instead of a frame.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::camera::CameraTrouble;
use super::geometry::{Point, Rect};
use super::picture::Picture;
use super::script::OtherWindow;
use super::time::Time;

/// A stable name of a source, as written in profiles: `window:Flood`, `file:/a/b.png`.
pub type SourceId = Arc<str>;

/// A picture with the moment its light was captured.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Counts the frames of this source from 1; gaps are frames dropped on purpose.
    pub seq: u64,
    /// When the pixels were read (screen) or exposed (camera): never when they were handled.
    pub captured_at: Time,
    /// Where it comes from.
    pub source: SourceId,
    /// The pixels.
    pub picture: Arc<Picture>,
    /// Whether any pixel differs from the frame this source delivered before; true for its
    /// first. An unchanged frame is still evidence: it says what was to be seen at its time.
    pub changed: bool,
    /// Where the frame lies on a screen that can be clicked; `None` for cameras and files.
    pub placement: Option<Placement>,
    /// The other windows of the display; `None` where nobody has asked for them, or where the
    /// source cannot tell.
    pub windows: Option<Arc<[OtherWindow]>>,
}

/// Where a frame lies on the screen, in root-window pixels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// The frame's rectangle in screen coordinates; its size in screen units may differ
    /// from the picture's by a scale factor (HiDPI).
    pub on_screen: Rect,
    /// The part of the frame that is on the screen, in the frame's own pixels.
    pub visible: Rect,
    /// The window's id, if the frame is a window's content.
    pub window: Option<u32>,
    /// Whether another window lies over part of the visible area, as far as the system tells.
    pub obscured: bool,
    /// Where the pointer is, in the frame's own pixels, if the system tells; it may lie outside.
    pub pointer: Option<Point>,
}

impl Placement {
    /// Screen coordinates of a point of the frame, given the picture's size in px.
    #[must_use]
    pub fn screen_from_px(&self, px: Point, width: u32, height: u32) -> Point {
        Point::new(
            f64::from(self.on_screen.x)
                + px.x * f64::from(self.on_screen.width) / f64::from(width.max(1)),
            f64::from(self.on_screen.y)
                + px.y * f64::from(self.on_screen.height) / f64::from(height.max(1)),
        )
    }
}

/// What a source says when asked for the next frame.
#[derive(Clone, Debug)]
pub enum Feed {
    /// A new frame.
    Frame(Frame),
    /// Nothing new before the deadline; the source is alive.
    Quiet,
    /// The source exists but cannot be seen now; acting must stop.
    Hidden(Hidden),
    /// No frame will ever come again; the text says why, for a person.
    Ended(String),
}

/// Why a source that exists shows nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hidden {
    /// The window is minimised or unmapped.
    Minimised,
    /// The window lies wholly outside the screen.
    OffScreen,
    /// The source repeats the same picture although it should change (a hung camera),
    /// or has not answered for too long.
    Frozen,
    /// The camera does not work now.
    Camera(CameraTrouble),
}

impl Hidden {
    /// Whether a person must be told of it who knows what it was `before`. A window may pass
    /// through several of these states on its way back; a camera's trouble needs another remedy
    /// each time.
    #[must_use]
    pub fn is_news_after(self, before: Self) -> bool {
        let camera = |hidden| matches!(hidden, Self::Camera(_));
        self != before && (camera(self) || camera(before))
    }
}

impl std::fmt::Display for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Minimised => "minimised",
            Self::OffScreen => "off screen",
            Self::Frozen => "frozen",
            Self::Camera(trouble) => return trouble.fmt(f),
        })
    }
}
