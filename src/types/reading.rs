//! What was read from a frame: a label and a confidence for each cell, and the state of the board.

use super::geometry::GridSize;

/// Index of a class of cells (a colour, a piece kind) in the calibration's list.
pub type ClassId = u8;

/// What one cell looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// One of the calibrated classes.
    Class(ClassId),
    /// None of them with enough certainty: doubt is a value.
    Unknown,
}

/// One cell's label and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellReading {
    /// The label.
    pub label: Label,
    /// 0 (a guess) to 1 (no other class comes near); 0 for Unknown.
    pub confidence: f32,
}

/// All cells of one frame, row-major; the buffer is reused from frame to frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Columns and rows.
    pub size: GridSize,
    /// `size.len()` readings.
    pub cells: Vec<CellReading>,
    /// The cells of the grids beside the board, one grid after the other, row-major.
    pub beside: Vec<CellReading>,
}

impl Reading {
    /// The lowest confidence of all cells.
    #[must_use]
    pub fn confidence(&self) -> f32 {
        self.cells.iter().map(|c| c.confidence).fold(1.0, f32::min)
    }

    /// How many cells are Unknown.
    #[must_use]
    pub fn unknown(&self) -> usize {
        self.cells
            .iter()
            .filter(|c| c.label == Label::Unknown)
            .count()
    }

    /// Whether every cell has the same label in both.
    #[must_use]
    pub fn same_labels(&self, other: &Self) -> bool {
        self.size == other.size
            && self
                .cells
                .iter()
                .zip(&other.cells)
                .all(|(a, b)| a.label == b.label)
    }
}

/// What is going on with the board as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardState {
    /// Every cell is one of the known classes.
    Ok,
    /// Something lies over part of it.
    Covered,
    /// It is changing from one position to another.
    Animating,
    /// The game says it has ended.
    GameOver,
    /// There is no board here.
    Absent,
}
