//! One frame's reading as the belief needs it: which cells are filled, and what it costs to say
//! otherwise.
//!
//! Takes a [`Reading`], gives occupancy in rules coordinates (from the bottom) in buffers that are
//! reused. Must never guess at a cell that was not read.

use super::super::rules::{Board, JUNK, Pose, System};
use crate::types::{GridSize, Label, Reading};

/// Empty.
pub const FREE: u8 = 0;
/// Filled.
pub const FULL: u8 = 1;
/// Not readable.
pub const DARK: u8 = 2;

/// A reading in rules coordinates.
#[derive(Clone, Debug, Default)]
pub struct View {
    cols: usize,
    rows: usize,
    /// Row-major from the bottom: [`FREE`], [`FULL`], [`DARK`].
    seen: Vec<u8>,
    /// What it costs to say that a cell is not as seen; 0 for dark cells.
    cost: Vec<f32>,
    /// Board values of filled cells: a kind's number or [`JUNK`].
    value: Vec<u8>,
    dark: usize,
}

/// How far a pile is from what was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gap {
    /// Cost of all differences.
    pub cost: f32,
    /// Cells seen filled that should be empty.
    pub extra: i32,
    /// Cells seen empty that should be filled.
    pub missing: i32,
}

impl Gap {
    /// Cells that differ.
    #[must_use]
    pub const fn cells(&self) -> i32 {
        self.extra + self.missing
    }
}

impl View {
    /// Takes a reading; `false` when it is not of this size. `values` are the board values of the
    /// classes from 1; a class beyond them is filled with something unknown.
    pub fn take(&mut self, reading: &Reading, size: GridSize, values: &[u8]) -> bool {
        let (cols, rows) = (usize::from(size.cols), usize::from(size.rows));
        if reading.size != size || reading.cells.len() != cols * rows {
            return false;
        }
        (self.cols, self.rows) = (cols, rows);
        self.seen.resize(cols * rows, DARK);
        self.cost.resize(cols * rows, 0.0);
        self.value.resize(cols * rows, 0);
        self.dark = 0;
        for y in 0..rows {
            for x in 0..cols {
                let cell = reading.cells[(rows - 1 - y) * cols + x];
                let i = y * cols + x;
                let (seen, value) = match cell.label {
                    Label::Unknown => (DARK, 0),
                    Label::Class(0) => (FREE, 0),
                    Label::Class(c) => {
                        let value = values.get(usize::from(c)).copied().unwrap_or(JUNK);
                        (FULL, value)
                    }
                };
                self.seen[i] = seen;
                self.value[i] = value;
                self.cost[i] = if seen == DARK {
                    self.dark += 1;
                    0.0
                } else {
                    // About log((1 - e) / e) for an error of 1 % in a certain cell.
                    0.5 + 4.0 * cell.confidence
                };
            }
        }
        true
    }

    /// Does not look at the rows below this one; they do not count as dark.
    pub fn hide_below(&mut self, row: u16) {
        let n = (usize::from(row) * self.cols).min(self.seen.len());
        self.dark -= self.seen[..n].iter().filter(|&&s| s == DARK).count();
        self.seen[..n].fill(DARK);
        self.cost[..n].fill(0.0);
    }

    /// Cells that could not be read.
    #[must_use]
    pub const fn dark(&self) -> usize {
        self.dark
    }

    /// All cells from the bottom row.
    #[must_use]
    pub fn cells(&self) -> &[u8] {
        &self.seen
    }

    /// Board values of filled cells.
    #[must_use]
    pub fn values(&self) -> &[u8] {
        &self.value
    }

    /// Columns.
    #[must_use]
    pub const fn cols(&self) -> usize {
        self.cols
    }

    /// What was seen at (x, y); dark outside.
    #[must_use]
    pub fn at(&self, x: i16, y: i16) -> u8 {
        self.index(x, y).map_or(DARK, |i| self.seen[i])
    }

    /// The index of (x, y), if it is on the board.
    #[must_use]
    pub fn index(&self, x: i16, y: i16) -> Option<usize> {
        let inside = x >= 0 && y >= 0 && (x as usize) < self.cols && (y as usize) < self.rows;
        inside.then(|| y as usize * self.cols + x as usize)
    }

    /// How far a pile without a piece is from what was seen.
    #[must_use]
    pub fn gap(&self, pile: &Board) -> Gap {
        self.gap_from(pile, 0)
    }

    /// The same for the rows from this one up.
    #[must_use]
    pub fn gap_from(&self, pile: &Board, row: u16) -> Gap {
        let mut gap = Gap::default();
        let cells = self.seen.iter().zip(pile.cells()).zip(&self.cost);
        for ((&seen, &cell), &cost) in cells.skip(usize::from(row) * self.cols) {
            if seen != DARK && (seen == FULL) != (cell != 0) {
                gap.cost += cost;
                if seen == FULL {
                    gap.extra += 1;
                } else {
                    gap.missing += 1;
                }
            }
        }
        gap
    }

    /// The gap of the same pile with a piece on empty cells of it, and how many of the piece's
    /// cells were seen filled.
    #[must_use]
    pub fn gap_with(&self, mut gap: Gap, system: &System, pose: Pose) -> (Gap, u8) {
        let mut evidence = 0;
        for (x, y) in system.cells(pose) {
            let Some(i) = self.index(x, y) else { continue };
            match self.seen[i] {
                FULL => {
                    gap.cost -= self.cost[i];
                    gap.extra -= 1;
                    evidence += 1;
                }
                FREE => {
                    gap.cost += self.cost[i];
                    gap.missing += 1;
                }
                _ => {}
            }
        }
        (gap, evidence)
    }

    /// How well the colours of a piece's cells fit its kind, as a cost; 0 without colours.
    #[must_use]
    pub fn colour_cost(&self, system: &System, pose: Pose) -> f32 {
        let mut cost = 0.0;
        for (x, y) in system.cells(pose) {
            if let Some(i) = self.index(x, y)
                && self.seen[i] == FULL
                && (1..JUNK).contains(&self.value[i])
                && self.value[i] != pose.kind.number()
            {
                cost += 0.5;
            }
        }
        cost
    }
}
