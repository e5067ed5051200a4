//! What a Tetris board looks like, and what one look at it says.
//!
//! Gives what to look for, how a reading is written as text, and the pile, the falling piece and
//! the next piece as far as a single reading tells them apart. Must never look at pixels (the
//! stages do) or remember anything (the belief does).

pub mod sight;
pub mod spawn;

use super::rules::{Kind, MAX_SIZE, MIN_SIZE};
use crate::types::{BoardKind, BoardText, CellReading, GridSize, Label, Reading, Wanted};

/// The class of a filled cell of which nothing else is known.
pub const FILLED: u8 = 8;

/// What is looked for where a game of this size is played.
#[must_use]
pub fn played(size: GridSize) -> Wanted {
    Wanted {
        size: Some(size),
        ..wanted()
    }
}

/// What is looked for in a picture of which nothing is known.
#[must_use]
pub fn wanted() -> Wanted {
    Wanted {
        kind: BoardKind::Stack,
        min: GridSize::new(MIN_SIZE.0, MIN_SIZE.1),
        max: GridSize::new(MAX_SIZE.0, MAX_SIZE.1),
        classes: (2, 9),
        size: None,
    }
}

/// What a cell holds: `None` is doubt, `Some(0)` empty, 1 to 7 a kind, [`FILLED`] anything else.
#[must_use]
pub fn value(cell: CellReading) -> Option<u8> {
    match cell.label {
        Label::Class(v) => Some(v.min(FILLED)),
        Label::Unknown => None,
    }
}

/// A reading as text: `.`, the letters of the kinds, `#` for other filled cells, `?` for doubt.
#[must_use]
pub fn text(reading: &Reading) -> BoardText {
    BoardText::from_cells(
        usize::from(reading.size.cols),
        reading.cells.iter().map(|&c| match value(c) {
            None => '?',
            Some(0) => '.',
            Some(v) => Kind::from_number(v).map_or('#', Kind::letter),
        }),
    )
}
