//! The policies against plain search, known results and worked values.

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

use super::*;
use crate::games::connect4::duel;
use crate::games::connect4::rules::parse_position;
use crate::games::gauge::Gauge;
use crate::types::{GridSize, Stop};

fn board(line: &str) -> Board {
    parse_position(line).expect(line)
}

fn small() -> Perfect {
    Perfect::new(1 << 20)
}

/// A random position with at most so many empty cells, not over.
fn random(size: GridSize, row: u16, empty: usize, seed: u64) -> Option<Board> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut board = Board::new(size, row).ok()?;
    while size.len() - board.discs() > empty {
        let quiet = |&c: &usize| {
            let mut next = board.clone();
            next.play(c).is_ok() && !next.is_over()
        };
        let legal: Vec<usize> = board.legal().filter(quiet).collect();
        if legal.is_empty() {
            return None;
        }
        board
            .play(legal[random.random_range(0..legal.len())])
            .expect("legal");
    }
    Some(board)
}

/// The first random position in which nobody wins at once.
fn quiet(size: GridSize, empty: usize) -> Board {
    let mut all = (0..).filter_map(|seed| random(size, 4, empty, seed));
    let first = all.find(|b| b.legal().all(|c| !b.wins(c)));
    first.expect("there are many")
}

fn agrees_with_plain_search(policy: &mut Perfect, board: &Board) {
    let budget = Budget::default();
    let choice = policy.analyse(board, &budget).expect("it is not over");
    let (plain, _) = general::solve(board, &mut Gauge::start(&budget));
    let what = format!("{:?} {}\n{}", board.size(), board.row(), board.text());
    assert_eq!(choice.bounds, Some(plain), "{what}");
    let columns = choice.columns.expect("they were asked for");
    for (col, bounds) in columns.iter().enumerate() {
        assert_eq!(bounds.is_some(), board.is_legal(col), "{what}");
        let Some(bounds) = bounds else { continue };
        let mut next = board.clone();
        next.play(col).expect("legal");
        let wanted = match next.winner() {
            Some(_) => general::score_of_win(board.size().len(), board.discs()),
            None if next.is_over() => 0,
            None => -general::solve(&next, &mut Gauge::start(&budget))
                .0
                .exact()
                .expect("solved"),
        };
        assert_eq!(bounds.exact(), Some(wanted), "column {col} of {what}");
    }
    assert_eq!(
        columns[choice.column], choice.bounds,
        "the best column of {what}"
    );
}

#[test]
fn late_positions_of_many_boards_are_as_plain_search_says() {
    let sizes = [
        (7, 6, 4),
        (7, 6, 4),
        (7, 6, 4),
        (4, 4, 4),
        (5, 4, 4),
        (6, 5, 4),
        (6, 6, 4),
        (8, 8, 4),
        (7, 8, 4),
        (8, 6, 4),
        (8, 7, 4),
        (7, 6, 5),
        (8, 8, 5),
        (5, 6, 3),
        (3, 8, 4),
        (6, 4, 4),
        (6, 4, 4),
        (6, 4, 4),
        (8, 2, 4),
        (4, 6, 3),
        (7, 6, 3),
        (1, 6, 4),
        (8, 4, 6),
        (2, 8, 2),
        (8, 8, 8),
    ];
    for (i, &(cols, rows, row)) in sizes.iter().enumerate() {
        let mut policy = small();
        for seed in 0..12 {
            if let Some(board) = random(GridSize::new(cols, rows), row, 13, seed + 100 * i as u64) {
                agrees_with_plain_search(&mut policy, &board);
            }
        }
    }
}

#[test]
fn small_boards_have_their_known_results() {
    for (size, sign) in [("4x4", 0), ("5x4", 0), ("4x5", 0), ("6x4", -1), ("4x6", 0)] {
        let (bounds, _) = small().score(&board(&format!("{size}:")), &Budget::default());
        let score = bounds.exact().expect("solved");
        assert_eq!(score.signum(), sign, "{size}: {score}");
    }
}

#[test]
fn boards_beyond_the_fast_form_are_played_honestly() {
    let mut policy = small();
    // A win at once, a win in three, and nothing within a small budget.
    let limited = Budget {
        nodes: Some(20_000),
        ..Budget::default()
    };
    let choice = policy
        .decide(&board("12x9:112233"), &limited)
        .expect("a move");
    assert_eq!(
        (choice.column, choice.bounds.and_then(Bounds::exact)),
        (3, Some((109 - 6) / 2))
    );
    let choice = policy.decide(&board("12x9:616"), &limited).expect("a move");
    let bounds = choice.bounds.expect("always");
    assert!(
        bounds.lower < 0 && bounds.upper > 0 && choice.nodes <= 20_001,
        "{choice:?}"
    );
    let all = policy
        .analyse(&board("9x2x3:1122"), &Budget::default())
        .expect("a move");
    assert_eq!(all.columns.expect("asked for").iter().flatten().count(), 7);
}

#[test]
fn known_scores_of_the_usual_board() {
    let mut policy = small();
    for (moves, score) in [
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("121212", 18),
    ] {
        let (bounds, _) = policy.score(&board(moves), &Budget::default());
        assert_eq!(bounds.exact(), Some(score), "{moves}");
    }
}

#[test]
fn a_spent_budget_gives_a_move_with_true_bounds() {
    let budget_of = |nodes| Budget {
        nodes: Some(nodes),
        ..Budget::default()
    };
    for moves in ["", "44", "4444", "123", "44444"] {
        let board = board(&format!("7x6:{moves}"));
        for nodes in [0, 1, 100, 3000] {
            let choice = Perfect::new(1 << 20)
                .decide(&board, &budget_of(nodes))
                .expect("a move");
            assert!(board.is_legal(choice.column));
            let bounds = choice.bounds.expect("always");
            assert!(
                bounds.lower <= bounds.upper && choice.nodes <= nodes + 1,
                "{choice:?}"
            );
            // Whoever begins in the middle wins; all of these are open for a while.
            assert!(bounds.exact().is_none(), "{choice:?}");
        }
    }
    let stop = Stop::new();
    stop.pull("test");
    let stopped = Budget {
        stop,
        ..Budget::default()
    };
    assert!(small().decide(&board("4"), &stopped).is_some());
    assert!(
        small()
            .decide(&board("4142434"), &Budget::default())
            .is_none(),
        "it is over"
    );
}

/// A changed count means a changed search: look at it, then write it down.
#[test]
fn signature() {
    let nodes: Vec<(usize, u64)> = ["44444", "4435", "4455", "1234567", "44535621"]
        .iter()
        .map(|moves| {
            let limited = Budget {
                nodes: Some(30_000),
                ..Budget::default()
            };
            let choice = small().decide(&board(moves), &limited).expect("a move");
            (choice.column, choice.nodes)
        })
        .collect();
    let solved: Vec<(usize, i32, u64)> = [
        "7422341735647741166133573473242566",
        "273345523561",
        "67152117737262713366376314254",
        "32164625",
    ]
    .iter()
    .map(|moves| board(moves))
    .chain([(7, 8), (8, 8)].map(|(cols, rows)| quiet(GridSize::new(cols, rows), 24)))
    .map(|board| {
        let choice = small().decide(&board, &Budget::default()).expect("a move");
        let score = choice.bounds.and_then(Bounds::exact).expect("solved");
        (choice.column, score, choice.nodes)
    })
    .collect();
    let wanted = [(2, 30_000), (1, 30_000), (2, 1), (2, 30_000), (4, 30_000)];
    assert_eq!(nodes, wanted, "limited");
    let wanted = [
        (1, 1, 4),
        (2, 2, 42_210),
        (4, 6, 1),
        (2, 11, 12_140),
        (2, 7, 180),
        (4, -12, 0),
    ];
    assert_eq!(solved, wanted, "solved");
}

fn worth(depth: u32, k: f64, line: &str) -> (usize, f64) {
    let mut policy = Minimax::new(depth, k, false);
    let choice = policy
        .decide(&board(line), &Budget::default())
        .expect("a move");
    (choice.column, (choice.score * 1e9).round() / 1e9)
}

#[test]
fn minimax_has_the_worked_values() {
    // A win at once is worth 10.
    assert_eq!(worth(6, 0.2, "112233"), (3, 10.0));
    // Nothing in sight: 0, in the middle.
    assert_eq!(worth(6, 0.2, "7x6:"), (3, 0.0));
    // Three in the lowest row, both ends free: lost with the next move, -(10 * (1 - K)).
    assert_eq!(worth(6, 0.2, "31415"), (3, -8.0));
    assert_eq!(worth(6, 0.1, "31415"), (3, -9.0));
    // Two, with room on both sides, and the move: won with the third, 10 * (1 - 2K) * (1 - K).
    assert_eq!(worth(6, 0.2, "4151"), (2, 4.8));
    assert_eq!(worth(3, 0.2, "4151"), (2, 4.8));
    assert_eq!(worth(2, 0.2, "4151"), (3, 0.0));
    // The other to move with the same: he has to stop it now.
    assert_eq!(worth(6, 0.2, "415"), (2, 0.0));
    // A full board is worth nothing.
    assert_eq!(worth(6, 0.2, "5x2x4:123451234").1, 0.0);
}

/// The values without alpha-beta, as the definition reads.
fn by_definition(board: &Board, depth: u32, deepest: u32, k: f64) -> f64 {
    let mut best = f64::NEG_INFINITY;
    for col in board.legal() {
        let mut next = board.clone();
        next.play(col).expect("legal");
        let value = if next.winner().is_some() {
            10.0
        } else if next.is_over() || depth + 1 >= deepest {
            0.0
        } else {
            -by_definition(&next, depth + 1, deepest, k)
        };
        best = best.max(value);
    }
    best * (1.0 - k * f64::from(depth))
}

#[test]
fn minimax_is_its_definition() {
    for seed in 0..60 {
        let size = GridSize::new(4 + seed as u16 % 4, 4 + seed as u16 % 3);
        let Some(board) = random(size, 3 + seed as u16 % 2, 8 + seed as usize % 5, seed) else {
            continue;
        };
        for (depth, k) in [(1, 0.2), (4, 0.25), (6, 0.2), (5, 0.0)] {
            let choice = Minimax::new(depth, k, false)
                .decide(&board, &Budget::default())
                .expect("a move");
            let wanted = by_definition(&board, 0, depth, k);
            assert!(
                (choice.score - wanted).abs() < 1e-9,
                "depth {depth}, K {k}: {} not {wanted}\n{}",
                choice.score,
                board.text()
            );
        }
    }
}

#[test]
fn minimax_looks_further_where_columns_are_full() {
    let policy = Minimax::new(6, 0.2, true);
    assert_eq!(policy.depth_on(&board("7x6:")), 6);
    let four_left = board("OOX..../XXO..../OOX..../XXO..../OOX..../XXO....");
    assert!(
        policy.depth_on(&four_left) > 6,
        "{}",
        policy.depth_on(&four_left)
    );
    assert_eq!(Minimax::new(6, 0.2, false).depth_on(&four_left), 6);
}

#[test]
fn policies_are_made_from_their_text() {
    for good in [
        "perfect",
        "perfect:memory=1,book=none",
        "minimax",
        "minimax:depth=4,k=0.1,vary=yes",
    ] {
        let mut policy = by_name(good).expect(good);
        assert!(good.starts_with(policy.name()));
        assert!(
            policy
                .decide(
                    &board("444"),
                    &Budget {
                        nodes: Some(100),
                        ..Budget::default()
                    }
                )
                .is_some()
        );
    }
    for bad in [
        "",
        "perfekt",
        "perfect:memory=0",
        "perfect:book=mine",
        "minimax:depth=0",
        "minimax:k=2",
        "minimax:k",
    ] {
        assert!(by_name(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_policy_plays_a_duel() {
    let mut game = duel(GridSize::new(7, 6), 4).expect("the usual board");
    let mut players = [
        mover("minimax:depth=5").expect("right"),
        mover("minimax:depth=1").expect("right"),
    ];
    while game.ending().is_none() {
        let player = &mut players[game.moves().len() % 2];
        let thought = player.choose(&*game, &Budget::default()).expect("a move");
        game.play(&thought.action).expect("a legal move");
    }
    assert_eq!(
        game.ending(),
        Some(crate::games::duel::Ending::Won(
            crate::games::duel::Side::First
        ))
    );
    let over = players[0]
        .choose(&*game, &Budget::default())
        .expect_err("it is over");
    assert_eq!(over.to_string(), "minimax:depth=5: the game is over");
}
