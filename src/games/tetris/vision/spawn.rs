//! The reference's way of seeing: which of 4x2 cells at the top are occupied says which piece has
//! just appeared. Here it is a check on what the whole board says.

use super::super::rules::{Kind, System};
use super::value;
use crate::types::{Cell, Reading};

/// The piece that fills exactly these cells, row 0 at the top, when it appears by the standard.
#[must_use]
pub fn kind(occupied: [[bool; 4]; 2]) -> Option<Kind> {
    let system = System::standard();
    Kind::ALL.into_iter().find(|&k| {
        let mut cells = [[false; 4]; 2];
        for (x, y) in system.cells(system.spawn(k, 4, 2)) {
            let (Ok(col), Ok(row)) = (usize::try_from(x), usize::try_from(1 - y)) else {
                return false;
            };
            match cells.get_mut(row).and_then(|r| r.get_mut(col)) {
                Some(c) => *c = true,
                None => return false,
            }
        }
        cells == occupied
    })
}

/// The piece in the spawn region of a board: the two top rows of the four columns around the
/// middle. `None` when there is none, or when a cell is in doubt.
#[must_use]
pub fn seen(reading: &Reading) -> Option<Kind> {
    let size = reading.size;
    let first = (size.cols / 2).checked_sub(2)?;
    if size.rows < 2 || first + 4 > size.cols {
        return None;
    }
    let mut occupied = [[false; 4]; 2];
    for (row, cells) in (0u16..).zip(&mut occupied) {
        for (col, c) in (first..).zip(cells) {
            let cell = reading.cells.get(size.index(Cell::new(col, row)))?;
            *c = value(*cell)? != 0;
        }
    }
    kind(occupied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pattern_is_one_piece_and_any_other_is_none() {
        let mut found = Vec::new();
        for bits in 0..256u32 {
            let at = |row: usize, col: usize| bits >> (row * 4 + col) & 1 == 1;
            let occupied = [0, 1].map(|r| [0, 1, 2, 3].map(|c| at(r, c)));
            found.extend(kind(occupied));
        }
        found.sort();
        assert_eq!(found, Kind::ALL);
        let rows = |top: &str, low: &str| {
            let row = |t: &str| {
                let all: Vec<bool> = t.chars().map(|c| c == 'x').collect();
                [all[0], all[1], all[2], all[3]]
            };
            kind([row(top), row(low)])
        };
        assert_eq!(rows("xxxx", "...."), Some(Kind::I));
        assert_eq!(rows(".xx.", ".xx."), Some(Kind::O));
        assert_eq!(rows("..xx", ".xx."), Some(Kind::S));
        assert_eq!(rows(".xxx", "..x."), Some(Kind::T));
        assert_eq!(rows("xxx.", ".x.."), None, "one column aside");
    }
}
