//! What a board for five in a row may look like.
//!
//! Gives what to look for and how a reading is written as text. Must never look at pixels: the
//! stages do.

use crate::types::{BoardKind, BoardText, Calibration, GridSize, Label, Reading, Wanted};

/// What is looked for: crossings of lines with stones, or squares between lines with marks, 5x5
/// to 25x25, not necessarily as many columns as rows; empty places and two kinds of things.
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

/// A reading as text: `.` for empty places, the letters of the calibration (B and W for dark and
/// light stones, X and O for marks of those shapes, initials of colours for others), `?` for
/// places that could not be read.
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
