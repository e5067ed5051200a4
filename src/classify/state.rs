//! What a reading as a whole says about the board.

use crate::types::{BoardState, Label, Reading};

/// Below this fit (see [`Reader::fit`](super::Reader::fit)) the lattice does not lie on a board.
const FITS: f32 = 0.5;

/// The state of the board: Unknown cells that lie together, or very few of them, are covered,
/// Unknown cells everywhere are an animation, and where neither colours nor lattice are left there is no
/// board. The end of a game is for its rules to tell.
#[must_use]
pub fn state(reading: &Reading, fit: Option<f32>) -> BoardState {
    let n = reading.cells.len();
    let unknown = reading.unknown();
    let fits = fit.is_none_or(|f| f >= FITS);
    if n == 0 || (unknown * 10 >= n * 9 && fit.is_none_or(|f| f < FITS)) {
        return BoardState::Absent;
    }
    if unknown == 0 {
        return if fits {
            BoardState::Ok
        } else {
            BoardState::Absent
        };
    }
    if unknown * 10 >= n * 9 {
        return BoardState::Animating;
    }
    // Together: a box around the Unknown cells holds mostly Unknown ones.
    let cols = usize::from(reading.size.cols).max(1);
    let (mut x0, mut y0, mut x1, mut y1) = (usize::MAX, usize::MAX, 0, 0);
    for (i, cell) in reading.cells.iter().enumerate() {
        if cell.label == Label::Unknown {
            x0 = x0.min(i % cols);
            x1 = x1.max(i % cols);
            y0 = y0.min(i / cols);
            y1 = y1.max(i / cols);
        }
    }
    // A few of very many are a glare here and a finger there, not a board in motion.
    let few = unknown <= 2 || unknown * 50 <= n;
    let boxed = (x1 - x0 + 1) * (y1 - y0 + 1);
    if unknown * 2 >= boxed || few {
        BoardState::Covered
    } else {
        BoardState::Animating
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{CellReading, GridSize};

    fn reading(rows: &str) -> Reading {
        let cols = rows.find('/').unwrap_or(rows.len());
        let cells: Vec<CellReading> = rows
            .chars()
            .filter(|&c| c != '/')
            .map(|c| CellReading {
                label: match c {
                    '?' => Label::Unknown,
                    c => Label::Class(c as u8 - b'a'),
                },
                confidence: 1.0,
            })
            .collect();
        let size = GridSize::new(cols as u16, (cells.len() / cols) as u16);
        Reading {
            size,
            cells,
            beside: Vec::new(),
        }
    }

    #[test]
    fn unknown_cells_together_are_covered_and_scattered_ones_move() {
        let whole = reading("abab/baba/abba/baab");
        assert_eq!(state(&whole, Some(0.98)), BoardState::Ok);
        assert_eq!(state(&whole, Some(0.1)), BoardState::Absent);
        let popup = reading("abab/b??a/a??a/baab");
        assert_eq!(state(&popup, Some(0.9)), BoardState::Covered);
        let wave = reading("a?ab/b?b?/?bb?/ba?b");
        assert_eq!(state(&wave, Some(0.9)), BoardState::Animating);
        // Three of 196, in different corners.
        let row = "aaaaaaaaaaaaaa";
        let large = format!("?aaaaaaaaaaaa?/{}/aaaaaaaaaaaaa?", [row; 12].join("/"));
        assert_eq!(state(&reading(&large), Some(0.9)), BoardState::Covered);
        let nothing = reading("????/????/????/????");
        assert_eq!(state(&nothing, Some(0.0)), BoardState::Absent);
        assert_eq!(state(&nothing, None), BoardState::Absent);
        assert_eq!(state(&nothing, Some(0.9)), BoardState::Animating);
    }
}
