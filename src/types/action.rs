//! What hands may be asked to do, and the token without which they do nothing.

use super::geometry::{Cell, Point};
use super::time::Time;

/// Counts the actions of a run from 1.
pub type ActionId = u64;

/// A control as a game means it, before the one transform turns it into screen coordinates.
#[derive(Clone, Debug, PartialEq)]
pub enum Control {
    /// Click the centre of a cell.
    Cell(Cell),
    /// Click a point given in cell space; it may lie outside the board (a palette button).
    At(Point),
    /// Press and release a key by its name: `n`, `Left`, `space`.
    Key(String),
}

/// One thing done with mouse or keyboard, in screen coordinates.
#[derive(Clone, Debug, PartialEq)]
pub enum Stroke {
    /// Move the pointer here, make sure the target lies under it, press and release the left button.
    Click(Point),
    /// Press and release a key.
    Key(String),
    /// Leave the pointer here, where it hides nothing.
    Park(Point),
    /// Give the window the focus, where there are windows.
    Focus,
}

impl std::fmt::Display for Stroke {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Click(p) => write!(f, "click {:.1},{:.1}", p.x, p.y),
            Self::Key(k) => write!(f, "key {k}"),
            Self::Park(p) => write!(f, "park {:.0},{:.0}", p.x, p.y),
            Self::Focus => f.write_str("focus"),
        }
    }
}

/// Strokes that belong together, the frame that caused them and when they become wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Its number in the run.
    pub id: ActionId,
    /// The frame on which it was decided.
    pub cause_seq: u64,
    /// When that frame was captured.
    pub cause_at: Time,
    /// Never performed at or after this time.
    pub expires_at: Time,
    /// In order.
    pub strokes: Vec<Stroke>,
    /// The window that must lie under the pointer, if the hands can tell.
    pub window: Option<u32>,
    /// Where that window's content began in the frame, in screen coordinates: a window that has
    /// moved since is not clicked.
    pub origin: Option<(i32, i32)>,
}

/// Permission to act, for one action. Only the gate makes one: a test looks for any
/// other caller of `Armed::grant`.
#[derive(Debug)]
pub struct Armed {
    action: ActionId,
    expires_at: Time,
}

impl Armed {
    /// Permission to perform the strokes of one action before it expires.
    pub(crate) const fn grant(action: ActionId, expires_at: Time) -> Self {
        Self { action, expires_at }
    }

    /// The action it is for.
    #[must_use]
    pub const fn action(&self) -> ActionId {
        self.action
    }

    /// When it becomes void.
    #[must_use]
    pub const fn expires_at(&self) -> Time {
        self.expires_at
    }

    /// Whether it may still be used.
    #[must_use]
    pub fn is_valid(&self, now: Time) -> bool {
        now < self.expires_at
    }
}
