//! What a Flood-It board may look like.
//!
//! Gives what to look for and how a reading is written as text. Must never look at pixels: the
//! stages do.

use crate::types::{BoardKind, BoardText, Calibration, GridSize, Label, Reading, Wanted};

/// What is looked for: filled cells, 4x4 to 40x40, up to 12 colours. A game late in its course
/// may have no more than two colours left.
#[must_use]
pub fn wanted() -> Wanted {
    Wanted {
        kind: BoardKind::Cells,
        min: GridSize::new(4, 4),
        max: GridSize::new(40, 40),
        classes: (2, 12),
        size: None,
    }
}

/// A reading as text, in the letters of the calibration; `?` for cells that could not be read.
#[must_use]
pub fn text(calibration: &Calibration, reading: &Reading) -> BoardText {
    BoardText::from_cells(
        usize::from(reading.size.cols),
        reading.cells.iter().map(|c| match c.label {
            Label::Class(k) => calibration
                .classes
                .get(usize::from(k))
                .map_or('?', |c| c.letter),
            Label::Unknown => '?',
        }),
    )
}
