//! What a board for five in a row may look like.

use crate::types::{BoardKind, GridSize, Wanted};

/// What is looked for: crossings of lines, 5x5 to 25x25, empty or with stones of two kinds.
#[must_use]
pub fn wanted() -> Wanted {
    Wanted {
        kind: BoardKind::Crossings,
        min: GridSize::new(5, 5),
        max: GridSize::new(25, 25),
        classes: (1, 3),
        size: None,
    }
}
