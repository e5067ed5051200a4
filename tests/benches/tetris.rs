//! Tetris: rating a placement, placing pieces, one decision of the slower policies.
//! `cargo bench --profile dev --bench tetris`

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use kibitzer::games::tetris::policies::features::Ground;
use kibitzer::games::tetris::policies::pile::Small;
use kibitzer::games::tetris::policies::{MoveModel, Position, by_name, names, shape, sim};
use kibitzer::games::tetris::rules::{Board, Kind};
use kibitzer::types::Budget;

fn main() {
    divan::main();
}

/// A pile as they are after some hundred pieces.
const PILE: &str = "........../........../........../........../........../........../\
                    ........../........../........../........../........../........../\
                    ........../........../........../#........./##...#..##/##.####.##/\
                    ##.#######/######.###";
/// Pieces of a measurement.
const PIECES: u64 = 2048;

fn pile() -> Board {
    Board::from_text(PILE).expect("a board")
}

/// The features of all 34 placements of a T.
#[divan::bench]
fn rate(bencher: Bencher) {
    let ground = Ground::new(&Small::of(&pile()));
    let shapes = &shape::standard()[Kind::T.index()];
    bencher.counter(ItemsCount::new(34_u32)).bench_local(|| {
        let mut holes = 0;
        for shape in shapes.turns() {
            for left in 1..=11 - usize::from(shape.width) {
                holes += black_box(&ground).rate(shape, left).holes;
            }
        }
        holes
    });
}

/// Pieces placed, each at the best of all its placements: the time per item is that of one.
#[divan::bench(args = ["dellacherie", "dt10", "one-piece:kibitzer", "kibitzer", "two-piece:dt10"], sample_count = 20, sample_size = 1)]
fn place(bencher: Bencher, name: &str) {
    let setting = sim::Setting {
        cols: 10,
        rows: 20,
        moves: MoveModel::AfterOneStep,
        next_shown: name.starts_with("two"),
        seed: 1,
        budget: Budget::default(),
    };
    let mut player = names::player(name).expect("known");
    bencher
        .counter(ItemsCount::new(PIECES))
        .bench_local(|| sim::play(&mut player, &setting, &mut |t| t.pieces < PIECES));
}

/// One decision as a game asks for it.
#[divan::bench(args = ["kibitzer", "two-piece:kibitzer", "expectimax:kibitzer:1", "beam:kibitzer:8"], sample_count = 20)]
fn choose(bencher: Bencher, name: &str) {
    let board = pile();
    let mut policy = by_name(name).expect("known");
    let budget = Budget::default();
    let position = Position {
        board: &board,
        kind: Kind::T,
        next: Some(Kind::S),
        model: MoveModel::AnyOrder,
        allowed: None,
    };
    bencher.bench_local(|| policy.choose(black_box(&position), &budget));
}
