//! What a Connect-4 board may look like.

use crate::types::{BoardKind, GridSize, Wanted};

/// What is looked for: holes in a plate, 4x4 to 13x13, empty or with discs of two kinds.
#[must_use]
pub fn wanted() -> Wanted {
    Wanted {
        kind: BoardKind::Holes,
        min: GridSize::new(4, 4),
        max: GridSize::new(13, 13),
        classes: (1, 3),
        size: None,
    }
}
