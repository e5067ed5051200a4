//! The cells of a row that wins, to be shown.

use crate::types::{Cell, GridSize};

/// The cells of all runs of at least `row` that lie on cells for which `is` holds, in order.
#[must_use]
pub fn rows(size: GridSize, row: u16, is: impl Fn(Cell) -> bool) -> Vec<Cell> {
    let along = |from: Cell, (dx, dy): (i32, i32)| {
        let cell = |k: i32| {
            let col = u16::try_from(i32::from(from.col) + k * dx).ok()?;
            let row = u16::try_from(i32::from(from.row) + k * dy).ok()?;
            let cell = Cell::new(col, row);
            (col < size.cols && row < size.rows && is(cell)).then_some(cell)
        };
        // Only where a run begins.
        let run: Vec<Cell> = match cell(-1) {
            Some(_) => Vec::new(),
            None => (0..).map_while(cell).collect(),
        };
        run
    };
    let mut found: Vec<Cell> = size
        .cells()
        .flat_map(|from| [(1, 0), (0, 1), (1, 1), (1, -1)].map(|d| along(from, d)))
        .filter(|run| run.len() >= usize::from(row))
        .flatten()
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, row: u16) -> String {
        let lines: Vec<&str> = text.split('/').collect();
        let size = GridSize::new(lines[0].len() as u16, lines.len() as u16);
        let is = |c: Cell| lines[usize::from(c.row)].as_bytes()[usize::from(c.col)] == b'X';
        let found = rows(size, row, is);
        let mark = |y: u16| -> String {
            let at = |x| {
                if found.contains(&Cell::new(x, y)) {
                    '*'
                } else {
                    '.'
                }
            };
            (0..size.cols).map(at).collect()
        };
        (0..size.rows).map(mark).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn every_run_that_is_long_enough_is_found_in_all_directions() {
        assert_eq!(marked("XXX.X/X...X/X...X", 3), "***.*/*...*/*...*");
        assert_eq!(marked("X..X/.XX./.XX./X..X", 4), "*..*/.**./.**./*..*");
        assert_eq!(marked("XX.X/XX.X/....", 3), "..../..../....");
    }
}
