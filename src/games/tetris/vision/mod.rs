//! What a Tetris board may look like.

use crate::types::{BoardKind, GridSize, Wanted};

/// What is looked for: a stack of 10x20 cells, empty or of up to twelve looks.
#[must_use]
pub fn wanted() -> Wanted {
    Wanted {
        kind: BoardKind::Stack,
        min: GridSize::new(4, 4),
        max: GridSize::new(200, 400),
        classes: (1, 12),
        size: Some(GridSize::new(10, 20)),
    }
}
