//! The features as they are defined, cell by cell, with no thought for time.

use kibitzer::games::tetris::policies::Placement;
use kibitzer::games::tetris::policies::features::Counts;
use kibitzer::games::tetris::rules::{Board, System};

/// Whether a cell is filled; the walls and the floor are, the sky is not.
fn filled(board: &Board, x: i16, y: i16) -> bool {
    if x < 0 || x >= board.cols() as i16 || y < 0 {
        return true;
    }
    board.get(x, y).is_some_and(|v| v != 0)
}

fn height(board: &Board, x: i16) -> i16 {
    let rows = board.rows() as i16;
    (0..rows)
        .rev()
        .find(|&y| filled(board, x, y))
        .map_or(0, |y| y + 1)
}

/// What is counted about a pile alone.
pub fn of_pile(board: &Board) -> Counts {
    let (cols, rows) = (board.cols() as i16, board.rows() as i16);
    let mut counts = Counts::default();
    for y in 0..rows {
        for x in -1..cols {
            counts.row_transitions += i32::from(filled(board, x, y) != filled(board, x + 1, y));
        }
        counts.hole_rows +=
            i32::from((0..cols).any(|x| !filled(board, x, y) && y < height(board, x)));
    }
    for x in 0..cols {
        for y in -1..rows {
            counts.column_transitions += i32::from(filled(board, x, y) != filled(board, x, y + 1));
        }
        for y in 0..rows {
            let empty = !filled(board, x, y);
            counts.holes += i32::from(empty && y < height(board, x));
            if empty && filled(board, x - 1, y) && filled(board, x + 1, y) {
                counts.wells += (0..=y).rev().take_while(|&y| !filled(board, x, y)).count() as i32;
            }
            if empty {
                let run = (y + 1..rows).take_while(|&y| filled(board, x, y));
                counts.hole_depth += run.count() as i32;
            }
        }
        counts.height = counts.height.max(i32::from(height(board, x)));
    }
    let differs = |d: i16| (1..cols).any(|x| height(board, x - 1) - height(board, x) == d);
    counts.patterns = (-2..=2).filter(|&d| differs(d)).count() as i32;
    counts
}

/// What is counted about a placement.
pub fn of_placement(board: &Board, placement: &Placement) -> Counts {
    let pose = placement.landing(board).expect("between the walls");
    let cells = System::standard().cells(pose);
    let lowest = cells.iter().map(|c| c.1).min().expect("four");
    let highest = cells.iter().map(|c| c.1).max().expect("four");
    let mut locked = board.clone();
    locked.lock(&System::standard(), pose);
    let full = |y: i16| (0..board.cols() as i16).all(|x| filled(&locked, x, y));
    let mine = cells.iter().filter(|c| full(c.1)).count();
    let removed = locked.clone().clear_full();
    let (after, _) = placement.applied(board).expect("between the walls");
    Counts {
        landing2: i32::from(lowest + highest + 1),
        eroded: i32::from(removed) * mine as i32,
        removed: i32::from(removed),
        ..of_pile(&after)
    }
}
