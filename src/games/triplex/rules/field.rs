//! Fields: a rectangle of squares, some of which pieces may lie on already.

use std::fmt;

use crate::types::{BoardText, Cell, GridSize};

/// Squares of the largest field.
pub const MOST_CELLS: usize = 128;

/// A rectangle with what lies on it. A free square is `.`; a piece that lies there already is
/// written with a letter, whatever covers a square otherwise with `#`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    size: GridSize,
    cells: Vec<u8>,
}

/// A text that is no field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// No squares, or too many.
    #[error("a field of {0} has no squares or more than {MOST_CELLS}")]
    Size(GridSize),
    /// Rows of different lengths.
    #[error("row {row} has {found} squares, the first has {wanted}: make all rows equally long")]
    Ragged {
        /// From 1.
        row: usize,
        /// Its squares.
        found: usize,
        /// Squares of the first row.
        wanted: usize,
    },
    /// A character that stands for nothing.
    #[error(
        "`{0}` is no square: write `.` where it is free, a letter where a piece lies, \
         `#` where it is covered"
    )]
    Character(char),
}

impl Field {
    /// An empty field.
    ///
    /// # Errors
    /// When it has no squares or more than [`MOST_CELLS`].
    pub fn new(size: GridSize) -> Result<Self, FieldError> {
        if size.is_empty() || size.len() > MOST_CELLS {
            return Err(FieldError::Size(size));
        }
        Ok(Self {
            size,
            cells: vec![b'.'; size.len()],
        })
    }

    /// Reads `WxH`, an empty field, or rows joined by `/`.
    ///
    /// # Errors
    /// See [`FieldError`].
    pub fn parse(text: &str) -> Result<Self, FieldError> {
        if let Some(size) = size_of(text) {
            return Self::new(size);
        }
        let rows: Vec<&str> = text.split('/').collect();
        let cols = rows.first().map_or(0, |r| r.chars().count());
        let mut cells = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            let found = row.chars().count();
            if found != cols {
                return Err(FieldError::Ragged {
                    row: i + 1,
                    found,
                    wanted: cols,
                });
            }
            for c in row.chars() {
                if !c.is_ascii_alphabetic() && c != '.' && c != '#' {
                    return Err(FieldError::Character(c));
                }
                // Just checked to be ASCII.
                cells.push(c as u8);
            }
        }
        let side = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        let size = GridSize::new(side(cols), side(rows.len()));
        let empty = Self::new(size)?;
        Ok(Self { cells, ..empty })
    }

    /// Columns and rows.
    #[must_use]
    pub const fn size(&self) -> GridSize {
        self.size
    }

    /// Whether a figure may come to lie on a square; false outside the field.
    #[must_use]
    pub fn is_free(&self, cell: Cell) -> bool {
        cell.col < self.size.cols
            && cell.row < self.size.rows
            && self.cells[self.size.index(cell)] == b'.'
    }

    /// How many squares are free.
    #[must_use]
    pub fn free(&self) -> usize {
        self.cells.iter().filter(|&&c| c == b'.').count()
    }

    /// What lies on each square, row-major.
    #[must_use]
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// Its rows.
    #[must_use]
    pub fn text(&self) -> BoardText {
        let cells = self.cells.iter().map(|&c| char::from(c));
        BoardText::from_cells(self.size.cols.into(), cells)
    }
}

impl fmt::Display for Field {
    /// As [`Field::parse`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.free() == self.size.len() {
            write!(f, "{}", self.size)
        } else {
            f.write_str(&self.text().0)
        }
    }
}

/// Reads `WxH`.
fn size_of(text: &str) -> Option<GridSize> {
    let (cols, rows) = text.split_once('x')?;
    let plain = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    if !plain(cols) || !plain(rows) {
        return None;
    }
    Some(GridSize::new(cols.parse().ok()?, rows.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_fields() {
        let empty = Field::parse("6x3").expect("empty");
        assert_eq!((empty.free(), empty.size()), (18, GridSize::new(6, 3)));
        assert_eq!(empty.to_string(), "6x3");
        let some = Field::parse("a.#/a..").expect("pieces");
        assert_eq!(some.free(), 3);
        assert!(!some.is_free(Cell::new(0, 1)) && some.is_free(Cell::new(1, 0)));
        assert!(!some.is_free(Cell::new(3, 0)), "outside");
        assert_eq!(some.to_string(), "a.#/a..");
    }

    #[test]
    fn what_is_no_field_is_refused() {
        let big = GridSize::new(43, 3);
        assert_eq!(Field::parse("43x3"), Err(FieldError::Size(big)));
        assert!(Field::parse("0x3").is_err() && Field::parse("").is_err());
        assert_eq!(Field::parse("../.é"), Err(FieldError::Character('é')));
        assert!(matches!(
            Field::parse("../."),
            Err(FieldError::Ragged { row: 2, .. })
        ));
    }
}
