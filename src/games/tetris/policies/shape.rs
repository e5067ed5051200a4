//! The pieces as columns: what a placement adds to each column it touches.

use std::sync::LazyLock;

use crate::games::tetris::rules::{Kind, System};

/// One orientation of a kind. Every column of it is a run without a gap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Columns it takes, 1 to 4.
    pub width: u8,
    /// Rows it takes, 1 to 4.
    pub height: u8,
    /// For each column the rows from the piece's lowest row to the column's lowest cell.
    pub bottom: [u8; 4],
    /// Cells in each column.
    pub count: [u8; 4],
    /// The cells of each column as bits, from the piece's lowest row.
    pub cells: [u32; 4],
    /// For each row from the lowest the number of cells.
    pub in_row: [u8; 4],
    /// From the origin's column to the leftmost one: 0 or less.
    pub dx: i8,
    /// From the origin's row to the lowest one: 0 or less.
    pub dy: i8,
}

/// The orientations of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Shapes {
    turns: [Shape; 4],
    count: u8,
}

impl Shapes {
    /// In the order in which the rotate key goes through them.
    #[must_use]
    #[inline(always)]
    pub fn turns(&self) -> &[Shape] {
        &self.turns[..usize::from(self.count)]
    }
}

static STANDARD: LazyLock<[Shapes; 7]> = LazyLock::new(|| {
    let system = System::standard();
    Kind::ALL.map(|kind| {
        let mut shapes = Shapes {
            turns: [Shape::default(); 4],
            count: system.turns_of(kind).min(4),
        };
        for (shape, cells) in shapes.turns.iter_mut().zip(&*system.turns[kind.index()]) {
            *shape = of(cells);
        }
        shapes
    })
});

fn of(cells: &[(i8, i8); 4]) -> Shape {
    let dx = cells.iter().map(|c| c.0).min().unwrap_or(0);
    let dy = cells.iter().map(|c| c.1).min().unwrap_or(0);
    let mut shape = Shape {
        dx,
        dy,
        bottom: [u8::MAX; 4],
        ..Shape::default()
    };
    for &(x, y) in cells {
        let (col, row) = ((x - dx) as usize, (y - dy) as u8);
        shape.width = shape.width.max(col as u8 + 1);
        shape.height = shape.height.max(row + 1);
        shape.bottom[col] = shape.bottom[col].min(row);
        shape.count[col] += 1;
        shape.cells[col] |= 1 << row;
        shape.in_row[usize::from(row)] += 1;
    }
    for bottom in &mut shape.bottom[usize::from(shape.width)..] {
        *bottom = 0;
    }
    shape
}

/// The standard's orientations of all kinds, by [`Kind::index`].
#[must_use]
pub fn standard() -> &'static [Shapes; 7] {
    &STANDARD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_is_a_run() {
        let system = System::standard();
        for kind in Kind::ALL {
            let shapes = &standard()[kind.index()];
            assert_eq!(shapes.turns().len(), usize::from(system.turns_of(kind)));
            for (shape, cells) in shapes.turns().iter().zip(&*system.turns[kind.index()]) {
                let mut made: Vec<(i8, i8)> = (0..usize::from(shape.width))
                    .flat_map(|c| {
                        (0..shape.count[c]).map(move |i| {
                            (shape.dx + c as i8, shape.dy + (shape.bottom[c] + i) as i8)
                        })
                    })
                    .collect();
                let mut given = cells.to_vec();
                made.sort_unstable();
                given.sort_unstable();
                assert_eq!(made, given, "{kind}");
                assert_eq!(shape.in_row.iter().sum::<u8>(), 4);
            }
        }
    }
}
