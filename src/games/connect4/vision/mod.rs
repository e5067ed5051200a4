//! What a Connect-4 board may look like.
//!
//! Gives what to look for and how a reading is written as text. Must never look at pixels: the
//! stages do.

use crate::types::{BoardKind, BoardText, Calibration, GridSize, Label, Reading, Wanted};

/// What is looked for: holes in a plate, 4x4 to 13x13, empty or with discs of up to 12 kinds.
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

/// A reading as text: `.` for an empty hole, the initial of a disc's colour, `?` for doubt.
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
