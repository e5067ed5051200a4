//! Short matches, and budgets that are kept.

use std::time::{Duration, Instant};

use kibitzer::games::duel::{Ending, Side};
use kibitzer::games::gomoku::policies::{GomokuPolicy as _, Proof, Search};
use kibitzer::games::gomoku::rules::{Board, Rule, parse_position};
use kibitzer::games::gomoku::{duel, mover};
use kibitzer::types::{Budget, GridSize, Stop};

fn budget(nodes: u64) -> Budget {
    Budget {
        nodes: Some(nodes),
        ..Budget::default()
    }
}

#[test]
fn the_evaluator_is_beaten_with_either_colour() {
    for (cols, rows, rule) in [
        (15, 15, Rule::FiveOrMore),
        (20, 20, Rule::FiveOrMore),
        (19, 13, Rule::Exact),
    ] {
        let start = duel(GridSize::new(cols, rows), rule).expect("a size");
        for (n, own) in [Side::First, Side::Second].into_iter().enumerate() {
            let mut game = start.fresh();
            for text in start.opening(n as u64 / 2) {
                game.play(&text).expect("allowed");
            }
            let mut search = mover("search:memory=1").expect("a policy");
            let mut other = mover("evaluator").expect("a policy");
            while game.ending().is_none() {
                let player = if game.to_move() == own {
                    &mut search
                } else {
                    &mut other
                };
                let thought = player
                    .choose(game.as_ref(), &budget(4_000))
                    .expect("a move");
                game.play(&thought.action).expect("an allowed move");
            }
            assert_eq!(
                game.ending(),
                Some(Ending::Won(own)),
                "{cols}x{rows}: {:?}",
                game.moves()
            );
        }
    }
}

#[test]
fn every_size_has_a_move_until_the_board_is_full() {
    for (cols, rows, rule) in [
        (5, 5, Rule::FiveOrMore),
        (5, 6, Rule::Exact),
        (25, 5, Rule::FiveOrMore),
        (6, 25, Rule::Exact),
    ] {
        let mut board = Board::new(GridSize::new(cols, rows), rule).expect("a size");
        let mut search = Search::new(1 << 16, 1).expect("memory");
        while let Some(choice) = search.decide(&board, &budget(150)) {
            board.play(choice.cell).expect("an empty cell");
        }
        assert!(board.is_over());
    }
}

/// The last stone of a board wins, or nobody does: then it is worth nothing.
#[test]
fn the_last_stone_is_worth_what_it_makes() {
    for (turn, proof, score) in [("X", Proof::Win(1), 29_999.0), ("O", Proof::None, 0.0)] {
        let text = format!("XXOXO/OXOXO/OXXOX/XOOXO/OXOX. {turn}");
        let board = parse_position(&text, 1, GridSize::new(5, 5), Rule::FiveOrMore);
        let mut board = board.expect("a position");
        let mut search = Search::new(1 << 16, 1).expect("memory");
        let choice = search.decide(&board, &budget(1_000)).expect("a move");
        assert_eq!((choice.proof, choice.score), (proof, score), "{turn}");
        board.play(choice.cell).expect("an empty cell");
        assert!(
            search.decide(&board, &budget(1_000)).is_none(),
            "it is over"
        );
    }
}

#[test]
fn what_the_system_does_not_give_is_told() {
    for bytes in [1 << 60, usize::MAX] {
        let error = Search::new(bytes, 2).expect_err("no machine has as much");
        let told = error.to_string();
        assert!(
            told.contains("does not give") && told.contains("MB of memory"),
            "{told}"
        );
    }
}

#[test]
fn budgets_are_kept() {
    let board =
        parse_position("8,8 9,9 8,7", 1, GridSize::new(20, 20), Rule::Exact).expect("a board");
    let mut search = Search::new(1 << 20, 1).expect("memory");
    // What is under way is finished: a few nodes more.
    for nodes in [0, 1, 10, 1_000] {
        let choice = search.decide(&board, &budget(nodes)).expect("a move");
        assert!(choice.nodes <= nodes + 16, "{} of {nodes}", choice.nodes);
    }
    let stop = Stop::new();
    stop.pull("test");
    let stopped = Budget {
        stop,
        ..budget(1 << 40)
    };
    assert!(search.decide(&board, &stopped).is_some());
    // No absolute times: only that a time ends it at all.
    let timed = Budget {
        time: Some(Duration::from_millis(30)),
        nodes: None,
        ..budget(0)
    };
    let before = Instant::now();
    assert!(search.decide(&board, &timed).is_some());
    assert!(before.elapsed() < Duration::from_secs(20));
}

#[test]
fn several_threads_find_what_one_finds() {
    // A four that is open at both ends after the move, or five at once.
    let board = parse_position(
        "7,7 1,1 8,7 3,2 9,7 12,4",
        1,
        GridSize::new(15, 15),
        Rule::FiveOrMore,
    );
    let board = board.expect("a board");
    let choice = Search::new(1 << 20, 3)
        .expect("three threads")
        .decide(&board, &budget(10_000))
        .expect("a move");
    assert_eq!(choice.proof, Proof::Win(3));
    let quiet =
        parse_position("7,7 8,8", 1, GridSize::new(15, 15), Rule::FiveOrMore).expect("a board");
    let choice = Search::new(1 << 20, 3)
        .expect("three threads")
        .decide(&quiet, &budget(3_000))
        .expect("a move");
    assert!(quiet.clone().play(choice.cell).is_ok());
}
