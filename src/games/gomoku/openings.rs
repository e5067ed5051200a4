//! First moves for matches: a few stones near the middle that decide nothing.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::rules::{Board, Square};
use crate::types::Cell;

/// An empty board of the same size and rule.
pub(super) fn empty(board: &Board) -> Board {
    let mut board = board.clone();
    while board.undo().is_some() {}
    board
}

/// Four to six stones, or fewer on a small board.
pub(super) fn opening(like: &Board, seed: u64) -> Vec<Cell> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let start = empty(like);
    let size = start.size();
    let short = size.cols.min(size.rows);
    let most = match short {
        5..=7 => 2,
        8..=9 => 3,
        _ => 6,
    };
    // The middle, off the border where it can be.
    let reach = (short / 2).saturating_sub(3).clamp(1, 4);
    loop {
        let count = rng.random_range(2.min(most)..=most);
        let mut board = start.clone();
        while board.moves().len() < count {
            let col = size.cols / 2 + rng.random_range(0..=2 * reach) - reach;
            let row = size.rows / 2 + rng.random_range(0..=2 * reach) - reach;
            let _ = board.play(Cell::new(col, row));
        }
        if is_quiet(&board) {
            return board.moves().to_vec();
        }
    }
}

/// Nobody has three stones in a line of five cells.
fn is_quiet(board: &Board) -> bool {
    board.size().cells().all(|cell| {
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().all(|&(dx, dy)| {
            let mut counts = [0; 2];
            for k in 0..5i32 {
                let col = u16::try_from(i32::from(cell.col) + k * dx).unwrap_or(u16::MAX);
                let row = u16::try_from(i32::from(cell.row) + k * dy).unwrap_or(u16::MAX);
                if let Square::Stone(s) = board.at(Cell::new(col, row)) {
                    counts[s as usize] += 1;
                }
            }
            counts[0] < 3 && counts[1] < 3
        })
    })
}
