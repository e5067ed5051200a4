//! Five in a row: a search's nodes, stones put and taken back, wins by fours and by threats.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use kibitzer::games::gomoku::policies::{GomokuPolicy as _, MEMORY, Prover, Search};
use kibitzer::games::gomoku::rules::{Board, Rule, parse_position};
use kibitzer::types::{Budget, GridSize};

fn main() {
    divan::main();
}

const NODES: u64 = 50_000;
const QUIET: &str = "7,7 8,8 9,9 6,8 7,4 9,7";

fn board(text: &str, rule: Rule) -> Board {
    parse_position(text, 1, GridSize::new(15, 15), rule).expect("a position")
}

/// Positions of the suite of one kind.
fn suite(kind: &str) -> Vec<Board> {
    include_str!("../gomoku/suite.txt")
        .lines()
        .filter_map(|l| {
            let rest = l.strip_prefix(kind)?.trim();
            let (rule, rest) = rest.split_once(' ')?;
            let (position, _) = rest.split_once('=')?;
            Some(board(position, Rule::by_name(rule)?))
        })
        .collect()
}

fn budget(nodes: Option<u64>) -> Budget {
    Budget {
        nodes,
        ..Budget::default()
    }
}

fn search(bencher: Bencher, rule: Rule) {
    let (board, budget) = (board(QUIET, rule), budget(Some(NODES)));
    let mut search = Search::new(MEMORY, 1).expect("memory");
    bencher.counter(ItemsCount::new(NODES)).bench_local(|| {
        search.forget();
        search.decide(black_box(&board), &budget)
    });
}

/// Nodes a second where five or more win.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn nodes_five_or_more(bencher: Bencher) {
    search(bencher, Rule::FiveOrMore);
}

/// Nodes a second where exactly five win.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn nodes_exact(bencher: Bencher) {
    search(bencher, Rule::Exact);
}

/// Stones put on the search's board and taken back, by replaying a game of 60 stones.
#[divan::bench]
fn stones(bencher: Bencher) {
    let full = (0..60).map(|i| format!("{},{}", 3 + i % 9 / 2 * 2 + i / 9 % 2, 4 + i / 9));
    let mut board = Board::new(GridSize::new(15, 15), Rule::FiveOrMore).expect("a size");
    for text in full {
        let cell = kibitzer::games::gomoku::rules::parse_action(&text, board.size());
        let _ = board.play(cell.expect("a cell"));
        if board.winner().is_some() {
            board.undo();
        }
    }
    let mut replay = kibitzer::games::gomoku::policies::Replay::new(&board).expect("not over");
    bencher
        .counter(ItemsCount::new(replay.stones()))
        .bench_local(|| black_box(&mut replay).back_and_forth());
}

/// Wins by fours, all of the suite.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn fours(bencher: Bencher) {
    let (boards, budget) = (suite("fours"), budget(None));
    bencher
        .counter(ItemsCount::new(boards.len()))
        .with_inputs(Prover::default)
        .bench_local_values(|mut prover| {
            for board in &boards {
                black_box(prover.by_fours(board, 50_000, &budget));
            }
            prover
        });
}

/// Wins by threats, all of the suite.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn threats(bencher: Bencher) {
    let (boards, budget) = (suite("threats"), budget(None));
    bencher
        .counter(ItemsCount::new(boards.len()))
        .with_inputs(Prover::default)
        .bench_local_values(|mut prover| {
            for board in &boards {
                black_box(prover.by_threats(board, 50_000, &budget));
            }
            prover
        });
}
