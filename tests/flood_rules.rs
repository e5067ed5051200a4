//! The rules proven by counting: how many distinct positions n moves can lead to, against a
//! second implementation that shares no code and no method with the first.

use std::collections::BTreeSet;

use kibitzer::games::flood::rules::{Board, SeededBoards};
use kibitzer::types::{Cell, GridSize};

/// Distinct positions after 0, 1, 2, ... moves (each move to another colour on the board).
fn counts(board: &Board, depth: usize) -> Vec<usize> {
    let mut level = BTreeSet::from([board.text().0]);
    let mut counts = vec![1];
    for _ in 0..depth {
        let mut next = BTreeSet::new();
        for text in &level {
            let board = Board::from_text(text, board.start()).expect("its own text");
            for colour in 0..36 {
                if board.is_move(colour) {
                    next.insert(board.after(colour).text().0);
                }
            }
        }
        counts.push(next.len());
        level = next;
    }
    counts
}

/// The same on grids of characters, where the region is grown by sweeping over the whole grid
/// until nothing changes.
fn naive_counts(rows: &str, start: (usize, usize), depth: usize) -> Vec<usize> {
    type Grid = Vec<Vec<char>>;
    fn play(grid: &Grid, start: (usize, usize), to: char) -> Grid {
        let from = grid[start.1][start.0];
        let mut out = grid.clone();
        let mut wet = vec![vec![false; grid[0].len()]; grid.len()];
        wet[start.1][start.0] = true;
        loop {
            let before = wet.clone();
            for y in 0..grid.len() {
                for x in 0..grid[0].len() {
                    let near = |dx: isize, dy: isize| {
                        let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                        before.get(y).and_then(|r| r.get(x)) == Some(&true)
                    };
                    let touches = near(1, 0) || near(-1, 0) || near(0, 1) || near(0, -1);
                    if touches && grid[y][x] == from {
                        wet[y][x] = true;
                    }
                }
            }
            if wet == before {
                break;
            }
        }
        for y in 0..grid.len() {
            for x in 0..grid[0].len() {
                if wet[y][x] {
                    out[y][x] = to;
                }
            }
        }
        out
    }
    let first: Grid = rows.split('/').map(|r| r.chars().collect()).collect();
    let mut level = BTreeSet::from([first]);
    let mut counts = vec![1];
    for _ in 0..depth {
        let mut next = BTreeSet::new();
        for grid in &level {
            let colours: BTreeSet<char> = grid.iter().flatten().copied().collect();
            for to in colours {
                if to != grid[start.1][start.0] {
                    next.insert(play(grid, start, to));
                }
            }
        }
        counts.push(next.len());
        level = next;
    }
    counts
}

#[test]
fn positions_after_n_moves_are_as_counted() {
    let seeded = |cols, rows, colours| {
        let size = GridSize::new(cols, rows);
        let board = SeededBoards::new(42, size, colours).next();
        board.expect("endless")
    };
    let centre = |board: Board| {
        let size = board.size();
        board.with_start(Cell::new(size.cols / 2, size.rows / 2))
    };
    let table: [(Board, &[usize]); 6] = [
        (seeded(1, 1, 3), &[1, 0, 0]),
        (seeded(2, 2, 3), &[1, 2, 2, 1, 0, 0]),
        (seeded(9, 1, 4), &[1, 3, 5, 7, 9, 11, 13, 14]),
        (seeded(4, 4, 4), &[1, 3, 7, 13, 30, 53, 66, 66]),
        (centre(seeded(5, 4, 5)), &[1, 4, 12, 27, 38, 39, 39]),
        (seeded(14, 14, 6), &[1, 5, 16, 35, 82]),
    ];
    for (board, wanted) in table {
        let start = (board.start().col.into(), board.start().row.into());
        let depth = wanted.len() - 1;
        assert_eq!(counts(&board, depth), wanted, "{}", board.text());
        assert_eq!(naive_counts(&board.text().0, start, depth), wanted);
    }
}
