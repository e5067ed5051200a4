//! The searches against brute force on the rules' own boards, and how they answer.

use std::time::Duration;

use kibitzer::games::tetris::policies::features::{Counts, FEATURES};
use kibitzer::games::tetris::policies::{
    Model, MoveModel, Placement, Position, by_name, names, sim,
};
use kibitzer::games::tetris::rules::{Board, JUNK, Kind};
use kibitzer::types::Budget;

use super::{board, position, slow};

/// Low piles of ten columns: everything can be reached.
fn piles() -> Vec<Board> {
    let mut piles = vec![Board::empty(10, 14)];
    for seed in 1_u32..8 {
        let mut pile = Board::empty(10, 14);
        for x in 0..10_u32 {
            let height = (seed.wrapping_mul(2_654_435_761) >> (2 * x)) % 5;
            for y in 0..height {
                if (seed + x * 7 + y * 3) % 5 > 0 {
                    pile.set(x as i16, y as i16, JUNK);
                }
            }
        }
        pile.clear_full();
        piles.push(pile);
    }
    piles
}

fn weights(name: &str) -> [f64; FEATURES] {
    Model::built_in(name).expect(name).weights
}

/// What a placement does itself, without the pile it leaves.
fn gain(counts: &Counts, weights: &[f64; FEATURES]) -> f64 {
    (0..3).map(|i| weights[i] * counts.values()[i]).sum()
}

/// The best value of one piece.
fn best_one(board: &Board, kind: Kind, weights: &[f64; FEATURES]) -> f64 {
    Placement::all(kind, board.cols())
        .map(|p| slow::of_placement(board, &p).value(weights))
        .fold(f64::NEG_INFINITY, f64::max)
}

/// Every placement with the value that `rest` gives to what comes after it.
fn brute(
    board: &Board,
    kind: Kind,
    weights: &[f64; FEATURES],
    rest: &dyn Fn(&Board) -> f64,
) -> Vec<(Placement, f64)> {
    Placement::all(kind, board.cols())
        .map(|p| {
            let (after, _) = p.applied(board).expect("between the walls");
            let own = gain(&slow::of_placement(board, &p), weights);
            (p, own + rest(&after))
        })
        .collect()
}

/// The policy's choice is one of the best by brute force and has its value.
fn agrees(name: &str, board: &Board, kind: Kind, next: Option<Kind>, all: &[(Placement, f64)]) {
    let mut policy = by_name(name).expect(name);
    let asked = position(board, kind, next, MoveModel::AfterOneStep);
    let choice = policy
        .choose(&asked, &Budget::default())
        .expect("a placement");
    let best = all.iter().map(|a| a.1).fold(f64::NEG_INFINITY, f64::max);
    assert!(
        (choice.value - best).abs() < 1e-6,
        "{name} {kind} {}",
        board.text()
    );
    let mine = all.iter().find(|a| a.0 == choice.placement).expect("known");
    assert!(
        (mine.1 - best).abs() < 1e-6,
        "{name} {kind} {}",
        board.text()
    );
}

#[test]
fn one_piece_is_the_best_of_all_placements() {
    for pile in piles() {
        for kind in Kind::ALL {
            for name in ["dellacherie", "bcts", "dt10", "dt20", "el-tetris"] {
                let weights = weights(name);
                let all: Vec<(Placement, f64)> = Placement::all(kind, 10)
                    .map(|p| (p, slow::of_placement(&pile, &p).value(&weights)))
                    .collect();
                agrees(name, &pile, kind, None, &all);
                agrees(&format!("two-piece:{name}"), &pile, kind, None, &all);
            }
        }
    }
}

#[test]
fn two_pieces_are_the_best_of_all_pairs() {
    for (i, pile) in piles().iter().enumerate() {
        let kind = Kind::ALL[i % 7];
        for next in Kind::ALL {
            let weights = weights("dellacherie");
            let all = brute(pile, kind, &weights, &|after| {
                best_one(after, next, &weights)
            });
            agrees("two-piece:dellacherie", pile, kind, Some(next), &all);
        }
    }
}

#[test]
fn expectimax_is_the_mean_over_all_kinds() {
    for (i, pile) in piles().iter().enumerate().step_by(3) {
        let weights = weights("dt10");
        let mean = |after: &Board| -> f64 {
            let sum: f64 = Kind::ALL
                .iter()
                .map(|&k| best_one(after, k, &weights))
                .sum();
            sum / 7.0
        };
        let all = brute(pile, Kind::ALL[i % 7], &weights, &mean);
        agrees("expectimax:dt10:1", pile, Kind::ALL[i % 7], None, &all);
        // As wide as there are placements a beam is the same.
        agrees("beam:dt10:100", pile, Kind::ALL[i % 7], None, &all);
    }
}

#[test]
fn a_lost_game_is_seen_one_piece_ahead() {
    // Two free rows: the T on its side in the left column would leave the middle as it is; what
    // fills the row in the middle is the only way that lets every next piece appear.
    let high = board(
        "........../........../####.#####/####.#####/####.#####/####.#####/####.#####/####.#####",
    );
    let mut deep = by_name("expectimax:dt10:1").expect("known");
    let asked = position(&high, Kind::I, None, MoveModel::AfterOneStep);
    // Nothing but the flat I fits under the top: it cannot fall, and stays.
    let choice = deep.choose(&asked, &Budget::default()).expect("it appears");
    assert_eq!(choice.placement.turn, 0);
    let mut one = by_name("one-piece").expect("known");
    assert!(one.choose(&asked, &Budget::default()).is_some());
    let blocked = board("....#...../........../........../..........");
    let asked = position(&blocked, Kind::O, None, MoveModel::AfterOneStep);
    assert_eq!(deep.choose(&asked, &Budget::default()), None);
}

#[test]
fn equal_values_are_told_apart_as_dellacherie_does() {
    // An O in either corner of an empty board is the same; columns moved: 4 to the left, 4 to the
    // right; left is preferred.
    let empty = Board::empty(10, 20);
    let mut policy = by_name("dellacherie").expect("known");
    let asked = position(&empty, Kind::O, None, MoveModel::AfterOneStep);
    let choice = policy
        .choose(&asked, &Budget::default())
        .expect("a placement");
    assert_eq!(choice.placement.left, 0);
    assert_eq!(choice.alternatives[0].0.left, 8);
    assert_eq!(choice.alternatives[0].1, choice.value);
    // An I on an empty board of nine columns: three places lie as well, the farthest is taken.
    let found = policy
        .choose(
            &position(&Board::empty(8, 8), Kind::I, None, MoveModel::Ideal),
            &Budget::default(),
        )
        .expect("a placement");
    assert_eq!((found.placement.turn, found.placement.left), (0, 0));
}

#[test]
fn only_what_is_allowed_is_chosen() {
    let empty = Board::empty(10, 20);
    let t = |turn, left| Placement {
        kind: Kind::T,
        turn,
        left,
    };
    // Another kind's and one outside the walls are passed over.
    let other = Placement {
        kind: Kind::O,
        ..t(0, 0)
    };
    let allowed = [other, t(1, 3), t(2, 5), t(0, 8)];
    for name in names::names() {
        let mut policy = by_name(&name).expect("known");
        let asked = Position {
            allowed: Some(&allowed),
            ..position(&empty, Kind::T, Some(Kind::L), MoveModel::AfterOneStep)
        };
        let choice = policy
            .choose(&asked, &Budget::default())
            .expect("a placement");
        assert!([t(1, 3), t(2, 5)].contains(&choice.placement), "{name}");
        assert_eq!(choice.alternatives.len(), 1, "{name}");
        let none = Position {
            allowed: Some(&allowed[..1]),
            ..asked
        };
        assert_eq!(policy.choose(&none, &Budget::default()), None, "{name}");
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    for name in [
        "kibitzer",
        "two-piece:bcts",
        "expectimax:dt20:1",
        "beam:dt10:6",
    ] {
        let mut policy = by_name(name).expect("known");
        for pile in piles() {
            for nodes in [None, Some(1), Some(100), Some(2000)] {
                let asked = position(&pile, Kind::S, Some(Kind::Z), MoveModel::AnyOrder);
                let limited = Budget {
                    nodes,
                    ..Budget::default()
                };
                let first = policy.choose(&asked, &limited);
                assert!(first.is_some(), "{name} {nodes:?}");
                assert_eq!(policy.choose(&asked, &limited), first, "{name} {nodes:?}");
                assert_eq!(
                    by_name(name).expect("known").choose(&asked, &limited),
                    first
                );
            }
        }
    }
}

#[test]
fn a_spent_budget_ends_the_search_soon() {
    let mut policy = by_name("expectimax:dt10:4").expect("known");
    let empty = Board::empty(10, 20);
    let asked = position(&empty, Kind::J, None, MoveModel::AfterOneStep);
    let limited = Budget {
        nodes: Some(5000),
        ..Budget::default()
    };
    let choice = policy.choose(&asked, &limited).expect("a placement");
    assert!(choice.nodes < 30_000, "{}", choice.nodes);
    let stopped = Budget::default();
    stopped.stop.pull("test");
    assert!(policy.choose(&asked, &stopped).expect("a placement").nodes < 30_000);
    let timed = Budget {
        time: Some(Duration::ZERO),
        ..Budget::default()
    };
    assert!(policy.choose(&asked, &timed).is_some());
}

#[test]
fn boards_of_every_size_are_played() {
    for (cols, rows) in [(4, 4), (5, 30), (17, 28), (18, 20), (61, 60), (200, 400)] {
        for name in ["dellacherie", "kibitzer", "two-piece", "beam:3"] {
            let board = Board::empty(cols, rows);
            let asked = position(&board, Kind::L, Some(Kind::I), MoveModel::AfterOneStep);
            let limited = Budget {
                nodes: Some(2000),
                ..Budget::default()
            };
            let choice = by_name(name).expect("known").choose(&asked, &limited);
            let placement = choice.expect("a placement").placement;
            assert!(
                placement.applied(&board).is_some(),
                "{name} on {cols}x{rows}"
            );
        }
    }
}

#[test]
fn a_seed_is_a_game() {
    let play = |seed| {
        let setting = sim::Setting {
            cols: 10,
            rows: 10,
            moves: MoveModel::AfterOneStep,
            next_shown: false,
            seed,
            budget: Budget::default(),
        };
        let mut player = names::player("dellacherie").expect("known");
        sim::play(&mut player, &setting, &mut |t| t.deaths() < 20)
    };
    let tally = play(3);
    assert_eq!(play(3), tally);
    assert_ne!(play(4).games, tally.games);
    assert_eq!(tally.games.iter().sum::<u64>(), tally.rows);
    assert_eq!(tally.heights.iter().sum::<u64>(), tally.pieces);
    // Four cells a piece, ten a row, and what lay there at the ends.
    let left = (4 * tally.pieces) as i64 - (10 * tally.rows) as i64;
    assert!((0..=20 * 100).contains(&left), "{left}");
}

#[test]
fn a_game_is_what_the_policy_chooses_on_the_rules_boards() {
    // The simulator against plain boards: the same placements, piece for piece.
    let mut policy = by_name("dt10").expect("known");
    let mut board = Board::empty(10, 16);
    let mut pile = kibitzer::games::tetris::policies::pile::Pile::<u32, 20>::of(&board);
    for i in 0..300_u32 {
        let kind = Kind::ALL[(i.wrapping_mul(2_654_435_761) >> 7) as usize % 7];
        let asked = position(&board, kind, None, MoveModel::AfterOneStep);
        let Some(choice) = policy.choose(&asked, &Budget::default()) else {
            break;
        };
        let (after, rows) = choice.placement.applied(&board).expect("between the walls");
        assert_eq!(pile.play(&choice.placement), u32::from(rows));
        let shape = |b: &Board| b.cells().iter().map(|c| *c > 0).collect::<Vec<_>>();
        assert_eq!(shape(&pile.board()), shape(&after));
        board = after;
    }
}
