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

/// Cells that are hidden; `labels` are the colours of filled cells, row by row.
#[must_use]
pub fn covered(labels: &[Option<usize>], cols: usize) -> Vec<bool> {
    let mut out = vec![false; labels.len()];
    if cols == 0 {
        return out;
    }
    let rows = labels.len() / cols;
    let row = |y: usize| &labels[y * cols..(y + 1) * cols];
    let full: Vec<bool> = (0..rows)
        .map(|y| row(y).iter().all(Option::is_some))
        .collect();
    for y in 0..rows {
        let beside = y > 0 && full[y - 1] || full.get(y + 1) == Some(&true);
        let most = (0..cols)
            .map(|x| row(y).iter().filter(|l| **l == row(y)[x]).count())
            .max();
        let alike = most.unwrap_or(0);
        if full[y] && (beside && alike * 5 >= cols * 4 || alike == cols) {
            out[y * cols..(y + 1) * cols].fill(true);
        }
    }
    let kinds: std::collections::BTreeSet<usize> = labels.iter().flatten().copied().collect();
    if kinds.len() < MANY {
        return out;
    }
    // For each colour the runs of columns that are of it in rows one below the other.
    for &kind in &kinds {
        let is = |x: usize, y: usize| labels[y * cols + x] == Some(kind);
        for top in 0..rows {
            let mut run: Vec<bool> = vec![true; cols];
            for low in top..rows {
                for (x, run) in run.iter_mut().enumerate() {
                    *run &= is(x, low);
                }
                if low + 1 < top + LEAST.0 {
                    continue;
                }
                let mut from = 0;
                for x in 0..=cols {
                    if x < cols && run[x] {
                        continue;
                    }
                    if x - from >= LEAST.1 {
                        for y in top..=low {
                            out[y * cols + from..y * cols + x].fill(true);
                        }
                    }
                    from = x + 1;
                }
            }
        }
    }
    out
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
        let out = covered(&labels, cols);
        out.iter().map(|&h| if h { '?' } else { '.' }).collect()
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
