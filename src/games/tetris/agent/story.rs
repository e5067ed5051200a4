//! What one frame may show: the words in which it is explained.
//!
//! Plain data: the scene that is to be explained, and one explanation of it. Must never decide
//! which explanation is believed.

use super::super::rules::{Kind, Pose, System};
use super::paths::{Ground, Reach};
use super::press::Odds;
use super::view::{Gap, View};

/// What is explained.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The frame.
    pub view: &'a View,
    /// The believed pile and the rules.
    pub ground: Ground<'a>,
    /// The piece where it was last seen.
    pub piece: Option<Pose>,
    /// The keys on their way.
    pub keys: &'a [Odds],
    /// Fall steps since it was last seen, at least and at most.
    pub steps: (i16, i16),
    /// Whole fall delays since then, at most.
    pub delays: i16,
    /// The next kind, if it is shown.
    pub next: Option<Kind>,
    /// Whether a pile of which rows vanish cannot be read for a while.
    pub clearing: bool,
    /// Whether a piece may appear as soon as the one before it has landed.
    pub at_once: bool,
}

/// How a piece came to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landed {
    /// Where, before complete rows vanished.
    pub pose: Pose,
    /// Rows it completed.
    pub rows: u16,
    /// What became of the keys.
    pub marks: u32,
    /// The first key that has not acted on it.
    pub next: u8,
}

/// Something that neither the keys nor the fall clock account for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stranger {
    /// It is further down than it can have fallen.
    Fell,
    /// It is in another column or orientation.
    Moved,
}

/// One explanation.
#[derive(Clone, Copy, Debug)]
pub struct Story {
    /// Costs of what happened and of cells that are not as seen: lower is better.
    pub cost: f32,
    /// How it differs from what was seen.
    pub gap: Gap,
    /// Cells of the piece that were seen filled.
    pub evidence: u8,
    /// Cells of the piece that are on the board.
    pub visible: u8,
    /// The piece now; `None` when none is to be seen.
    pub piece: Option<Reach>,
    /// The piece that has landed since.
    pub landed: Option<Landed>,
    /// What only somebody else can have done.
    pub stranger: Option<Stranger>,
    /// How much worse the best story with another outcome is.
    pub lead: f32,
    /// The frame shows two moments; the story is not to be believed then.
    pub torn: bool,
}

impl Story {
    /// Whether both end with the same cells filled: orientations may look the same.
    #[must_use]
    pub fn ends_like(&self, other: &Self, system: &System) -> bool {
        let like = |a: Option<Pose>, b: Option<Pose>| match (a, b) {
            (Some(a), Some(b)) => a == b || a.kind == b.kind && system.same_cells(a, b),
            (a, b) => a == b,
        };
        like(self.piece.map(|p| p.pose), other.piece.map(|p| p.pose))
            && like(self.landed.map(|l| l.pose), other.landed.map(|l| l.pose))
    }
}
