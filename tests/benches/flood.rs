//! Flood-It: a move, a decision of the reference's policy, a proven solution.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use kibitzer::games::flood::policies::{FloodPolicy, Lookahead, MEMORY, Optimal, best_start};
use kibitzer::games::flood::rules::{Board, SeededBoards};
use kibitzer::types::{Budget, GridSize};

fn main() {
    divan::main();
}

fn boards(count: usize) -> Vec<Board> {
    let size = GridSize::new(14, 14);
    SeededBoards::new(0x0141_46C0_FFEE, size, 6)
        .take(count)
        .collect()
}

/// Six moves on the first board.
#[divan::bench]
fn moves(bencher: Bencher) {
    let board = &boards(1)[0];
    bencher
        .counter(ItemsCount::new(6u32))
        .with_inputs(|| board.clone())
        .bench_local_values(|mut board| {
            for colour in [3, 5, 4, 5, 1, 3] {
                board.flood(black_box(colour));
            }
            board
        });
}

/// The first decision on the first board.
#[divan::bench]
fn lookahead(bencher: Bencher) {
    let board = &boards(1)[0];
    let budget = Budget::default();
    bencher.bench_local(|| Lookahead::new(4).decide(black_box(board), &budget));
}

/// Proven solutions of the first 50 boards; the time per item is the mean.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn optimal(bencher: Bencher) {
    let boards = boards(50);
    let budget = Budget::default();
    bencher
        .counter(ItemsCount::new(boards.len()))
        .bench_local(|| {
            for board in &boards {
                black_box(Optimal::default().decide(board, &budget));
            }
        });
}

/// Proven solutions of 20 boards with eight colours.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn eight_colours(bencher: Bencher) {
    let size = GridSize::new(14, 14);
    let boards: Vec<Board> = SeededBoards::new(0x0141_46C0_FFEE, size, 8)
        .take(20)
        .collect();
    let budget = Budget::default();
    bencher
        .counter(ItemsCount::new(boards.len()))
        .bench_local(|| {
            for board in &boards {
                black_box(Optimal::default().decide(board, &budget));
            }
        });
}

/// The start with the fewest moves on the first board.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn any_start(bencher: Bencher) {
    let board = &boards(1)[0];
    let budget = Budget::default();
    bencher.bench_local(|| best_start(black_box(board), MEMORY, &budget));
}
