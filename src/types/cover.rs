//! What lies over a stack: popups and flashes hide rows and rectangles of cells.
//!
//! Takes which cells are filled and the colours they seem to have, gives the cells of which nothing
//! can be said. Rows that are full vanish, so that rows full of one colour, or nearly where they are
//! one below the other, are something else; nor do pieces of one colour make a large rectangle
//! where there are many colours.

/// Least rows and columns of a rectangle of one colour that is no pieces.
const LEAST: (usize, usize) = (3, 7);

/// Colours from which on a rectangle of one of them is no chance.
const MANY: usize = 5;

/// Most columns and rows; on larger boards nothing is said to be hidden.
const MOST: usize = 64;

/// Which cells are hidden. A row is a word, so that looking at a frame needs no memory.
#[derive(Clone, Copy, Debug)]
pub struct Covered {
    cols: usize,
    rows: [u64; MOST],
}

impl Covered {
    /// Whether a cell is hidden, counted row by row.
    #[must_use]
    pub fn hides(&self, cell: usize) -> bool {
        let row = cell.checked_div(self.cols).and_then(|y| self.rows.get(y));
        row.is_some_and(|row| row.checked_shr((cell % self.cols) as u32).unwrap_or(0) & 1 == 1)
    }
}

/// Cells that are hidden of a board of so many; `label` tells the colours of filled cells.
#[must_use]
pub fn covered(label: impl Fn(usize) -> Option<usize>, cells: usize, cols: usize) -> Covered {
    let mut out = Covered {
        cols,
        rows: [0; MOST],
    };
    let rows = cells.checked_div(cols).unwrap_or(0);
    if cols > MOST || rows > MOST {
        return out;
    }
    let all = u64::MAX.checked_shr((MOST - cols) as u32).unwrap_or(0);
    let at = |x: usize, y: usize| label(y * cols + x);
    let full = |y: usize| (0..cols).all(|x| at(x, y).is_some());
    for y in (0..rows).filter(|&y| full(y)) {
        let beside = y > 0 && full(y - 1) || y + 1 < rows && full(y + 1);
        let like = |x: usize| (0..cols).filter(|&z| at(z, y) == at(x, y)).count();
        let alike = (0..cols).map(like).max().unwrap_or(0);
        if beside && alike * 5 >= cols * 4 || alike == cols {
            out.rows[y] = all;
        }
    }
    let kinds = (0..rows * cols)
        .filter_map(&label)
        .fold(0u64, |seen, k| seen | 1 << (k % MOST));
    if (kinds.count_ones() as usize) < MANY {
        return out;
    }
    // For each colour the runs of columns that are of it in rows one below the other.
    for kind in (0..MOST).filter(|k| kinds >> k & 1 == 1) {
        for top in 0..rows {
            let mut run = all;
            for low in top..rows {
                let of_kind = (0..cols).filter(|&x| at(x, low) == Some(kind));
                run &= of_kind.fold(0, |row, x| row | 1 << x);
                if run == 0 {
                    break;
                }
                if low + 1 < top + LEAST.0 {
                    continue;
                }
                let long = lasting(run, LEAST.1);
                for row in &mut out.rows[top..=low] {
                    *row |= long;
                }
            }
        }
    }
    out
}

/// The bits of a row that stand in runs of at least so many.
fn lasting(row: u64, least: usize) -> u64 {
    let starts = (1..least).fold(row, |starts, by| starts & row >> by);
    (0..least).fold(0, |all, by| all | starts << by)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(text: &str) -> String {
        let cols = text.find('/').unwrap_or(text.len());
        let labels: Vec<Option<usize>> = text
            .chars()
            .filter(|c| *c != '/')
            .map(|c| c.to_digit(10).map(|d| d as usize))
            .collect();
        let out = covered(|i| labels[i], labels.len(), cols);
        let mark = |i| if out.hides(i) { '?' } else { '.' };
        (0..labels.len()).map(mark).collect()
    }

    #[test]
    fn full_rows_one_below_the_other_are_hidden() {
        let popup = "...../11111/11211/1.112";
        assert_eq!(hidden(popup), ".....??????????.....");
        // Rows about to vanish.
        let cleared = "...../12311/22312/1.112";
        assert!(!hidden(cleared).contains('?'));
    }

    #[test]
    fn of_a_board_that_is_too_large_nothing_is_said() {
        let wide = ["1".repeat(80), "1".repeat(80)].join("/");
        assert!(!hidden(&wide).contains('?'));
    }

    #[test]
    fn a_full_row_of_one_colour_is_a_flash() {
        assert_eq!(hidden("..../2222/1.11"), "....????....");
    }

    #[test]
    fn a_large_rectangle_of_one_colour_is_a_popup() {
        let popup = "........./4444444../4444444../4444444../1.2.3.5.1";
        assert_eq!(
            hidden(popup),
            ".........???????..???????..???????..........."
        );
        let few = "........./4444444../4444444../4444444../1.1.1.1.1";
        assert!(!hidden(few).contains('?'));
        let pieces = "........./4444...../4444444../44...44../1.2.3.5.1";
        assert!(!hidden(pieces).contains('?'));
    }
}
