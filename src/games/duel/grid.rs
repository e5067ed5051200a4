//! What lies where on a board, as it is seen: kinds of pieces by their class, not by their side.
//! Whose they are is worked out elsewhere.

use crate::types::{Cell, ClassId, GridSize, Label, Reading};

/// The class of cells without a piece.
pub const EMPTY: ClassId = 0;

/// A piece at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Where.
    pub at: Cell,
    /// Of which kind; never [`EMPTY`].
    pub kind: ClassId,
}

/// A board full of places, some with a piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    size: GridSize,
    kinds: Vec<ClassId>,
}

impl Grid {
    /// An empty board.
    #[must_use]
    pub fn new(size: GridSize) -> Self {
        Self {
            size,
            kinds: vec![EMPTY; size.len()],
        }
    }

    /// The board of a reading, if every cell was read.
    #[must_use]
    pub fn read(seen: &Reading) -> Option<Self> {
        let kinds = seen.cells.iter().map(|c| match c.label {
            Label::Class(kind) => Some(kind),
            Label::Unknown => None,
        });
        let kinds: Vec<ClassId> = kinds.collect::<Option<_>>()?;
        (kinds.len() == seen.size.len()).then_some(Self {
            size: seen.size,
            kinds,
        })
    }

    /// Columns and rows.
    #[must_use]
    pub const fn size(&self) -> GridSize {
        self.size
    }

    /// What lies in a cell; outside there is nothing.
    #[must_use]
    pub fn at(&self, cell: Cell) -> ClassId {
        if cell.col < self.size.cols && cell.row < self.size.rows {
            self.kinds[self.size.index(cell)]
        } else {
            EMPTY
        }
    }

    /// Lays a piece into a cell, or takes it away with [`EMPTY`]; does nothing outside.
    pub fn set(&mut self, cell: Cell, kind: ClassId) {
        if cell.col < self.size.cols && cell.row < self.size.rows {
            self.kinds[self.size.index(cell)] = kind;
        }
    }

    /// The same board with one piece more.
    #[must_use]
    pub fn with(&self, piece: Piece) -> Self {
        let mut grid = self.clone();
        grid.set(piece.at, piece.kind);
        grid
    }

    /// The same board in other kinds.
    #[must_use]
    pub fn renamed(&self, name: impl Fn(ClassId) -> ClassId) -> Self {
        let rename = |&kind: &ClassId| if kind == EMPTY { EMPTY } else { name(kind) };
        Self {
            size: self.size,
            kinds: self.kinds.iter().map(rename).collect(),
        }
    }

    /// All kinds, row-major, [`EMPTY`] where nothing lies.
    #[must_use]
    pub fn kinds(&self) -> &[ClassId] {
        &self.kinds
    }

    /// The pieces, row by row.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> {
        let pieces = self.kinds.iter().enumerate();
        pieces
            .filter(|(_, kind)| **kind != EMPTY)
            .map(|(i, &kind)| Piece {
                at: self.size.cell(i),
                kind,
            })
    }

    /// How many pieces there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.kinds.iter().filter(|k| **k != EMPTY).count()
    }

    /// How many pieces of a kind there are.
    #[must_use]
    pub fn count_of(&self, kind: ClassId) -> usize {
        self.kinds.iter().filter(|k| **k == kind).count()
    }

    /// The one of two kinds that has a piece more, and the other: who has begun, and who has not.
    #[must_use]
    pub fn more_by_one(&self, a: ClassId, b: ClassId) -> Option<(ClassId, ClassId)> {
        match (self.count_of(a), self.count_of(b)) {
            (x, y) if x == y + 1 => Some((a, b)),
            (x, y) if y == x + 1 => Some((b, a)),
            _ => None,
        }
    }

    /// Whether there is no room for another piece.
    #[must_use]
    pub fn is_full(&self) -> bool {
        !self.kinds.contains(&EMPTY)
    }

    /// The kinds of the pieces; `None` if there are more than two, which no game has.
    #[must_use]
    pub fn both(&self) -> Option<[Option<ClassId>; 2]> {
        let mut found = [None; 2];
        for &kind in self.kinds.iter().filter(|k| **k != EMPTY) {
            match found {
                [Some(a), _] if a == kind => {}
                [_, Some(b)] if b == kind => {}
                [None, _] => found[0] = Some(kind),
                [_, None] => found[1] = Some(kind),
                _ => return None,
            }
        }
        Some(found)
    }

    /// Whether a reading shows exactly this, every cell of it.
    #[must_use]
    pub fn is(&self, seen: &Reading) -> bool {
        let mut pairs = seen.cells.iter().zip(&self.kinds);
        seen.size == self.size
            && seen.cells.len() == self.kinds.len()
            && pairs.all(|(c, kind)| c.label == Label::Class(*kind))
    }

    /// The cells in which two boards of one size differ.
    #[must_use]
    pub fn differing(&self, other: &Self) -> Vec<Cell> {
        let pairs = self.kinds.iter().zip(&other.kinds).enumerate();
        pairs
            .filter(|(_, (a, b))| a != b)
            .map(|(i, _)| self.size.cell(i))
            .collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::types::CellReading;

    /// A reading from rows: `.` nothing, `a` and `b` pieces (classes 1 and 2), `?` unreadable.
    pub fn reading(rows: &str) -> Reading {
        let label = |c: char| match c {
            '.' => Label::Class(EMPTY),
            '?' => Label::Unknown,
            c => Label::Class(c as u8 - b'a' + 1),
        };
        let cells = rows.chars().filter(|c| *c != '/').map(|c| CellReading {
            label: label(c),
            confidence: f32::from(u8::from(c != '?')),
        });
        let cells: Vec<_> = cells.collect();
        let cols = rows.find('/').unwrap_or(rows.len());
        Reading {
            size: GridSize::new(cols as u16, (cells.len() / cols) as u16),
            cells,
            beside: Vec::new(),
        }
    }

    pub fn grid(rows: &str) -> Grid {
        Grid::read(&reading(rows)).expect("all cells can be read")
    }

    #[test]
    fn kinds_are_counted_and_three_are_too_many() {
        let g = grid(".ab/aa.");
        assert_eq!((g.count(), g.count_of(1), g.count_of(2)), (4, 3, 1));
        assert_eq!(g.both(), Some([Some(1), Some(2)]));
        assert_eq!(grid("../..").both(), Some([None, None]));
        assert_eq!(grid("ab/c.").both(), None);
        assert!(g.is(&reading(".ab/aa.")) && !g.is(&reading(".a?/aa.")));
        assert_eq!(g.differing(&grid(".ab/.a.")), [Cell::new(0, 1)]);
    }
}
