//! The exact search against brute force, and what holds when it is cut short.

use std::collections::BTreeSet;
use std::time::Duration;

use super::*;
use crate::games::flood::policies::Lookahead;
use crate::games::flood::policies::bound;
use crate::games::flood::policies::graph::Flood;
use crate::games::flood::rules::SeededBoards;
use crate::types::{Cell, GridSize};

fn seeded(seed: u64, cols: u16, rows: u16, colours: usize) -> Board {
    let size = GridSize::new(cols, rows);
    let start = size.cell(seed as usize % size.len());
    let board = SeededBoards::new(seed, size, colours).next();
    board.expect("endless").with_start(start)
}

/// The fewest moves by trying all positions breadth first on the board itself.
fn fewest(board: &Board) -> usize {
    let mut level = BTreeSet::from([board.cells().to_vec()]);
    for moves in 0.. {
        let boards: Vec<Board> = level
            .iter()
            .map(|c| Board::new(board.size(), c.clone(), board.start()).expect("a board"))
            .collect();
        if boards.iter().any(Board::is_solved) {
            return moves;
        }
        level = boards
            .iter()
            .flat_map(|b| {
                let moves = (0..36).filter(|&c| b.is_move(c));
                moves.map(|c| b.after(c).cells().to_vec())
            })
            .collect();
    }
    unreachable!("every board can be solved")
}

#[test]
fn as_few_moves_as_brute_force() {
    for seed in 0..150 {
        let (cols, rows, colours) = match seed % 3 {
            0 => (4, 4, 3 + seed as usize % 3),
            1 => (5, 4, 4),
            _ => (9, 2, 5),
        };
        let board = seeded(seed, cols, rows, colours);
        let wanted = fewest(&board);
        if wanted == 0 {
            continue;
        }
        let choice = Optimal::default()
            .decide(&board, &Budget::default())
            .expect("a move");
        let plan = choice.plan.clone().expect("a plan");
        assert_eq!(board.replay(&plan), Ok(()), "{}", board.text());
        assert_eq!(plan.len(), wanted, "{}", board.text());
        assert!(choice.is_optimal());
        assert_eq!(plan[0], choice.colour);
    }
}

/// On the way of a shortest solution the moves left are known.
#[test]
fn the_estimates_are_never_too_high() {
    for seed in 0..40 {
        let board = seeded(seed, 8, 7, 4 + seed as usize % 3);
        let choice = Optimal::default()
            .decide(&board, &Budget::default())
            .expect("a move");
        let plan = choice.plan.expect("a plan");
        with_graph!(&board, |graph| {
            let samples = [graph.start()];
            let pairs = pairs::Pairs::new(graph, &samples);
            let mut flood = graph.start();
            let mut needs = pairs.needs(graph, &flood);
            for (played, &colour) in plan.iter().enumerate() {
                let left = (plan.len() - played) as u32;
                assert!(bound::moves_needed(graph, &flood) <= left);
                assert!(pairs.moves_needed(graph, &needs, &flood.wet) <= left);
                let c = graph
                    .palette
                    .iter()
                    .position(|&p| p == colour)
                    .expect("a colour");
                let gain = graph.gain(&flood, c);
                flood = graph.join(&flood, &gain);
                needs = pairs.after(&needs, &gain, &flood.wet);
                assert_eq!(needs, pairs.needs(graph, &flood), "kept up to date");
            }
            assert_eq!(bound::moves_needed(graph, &flood), 0);
            assert_eq!(pairs.moves_needed(graph, &needs, &flood.wet), 0);
        });
    }
}

#[test]
fn solved_where_a_shorter_one_is_refuted() {
    // Boards hard enough for the tables.
    let mut with_tables = 0;
    for seed in 100..106 {
        let board = seeded(seed, 13, 13, 6);
        with_graph!(&board, |graph| {
            let budget = Budget::default();
            let run = |memory| {
                let mut gauge = Gauge::start(&budget);
                let mut search = Search::new(graph, u32::MAX, memory);
                let end = search.run(&mut gauge, |_, _| true);
                (end, gauge.nodes())
            };
            let (End::Solved(moves), nodes) = run(MEMORY) else {
                panic!("it has memory enough");
            };
            with_tables += u32::from(nodes > 2000);
            let mut flood: Flood<_> = graph.start();
            for c in &moves {
                flood = graph.join(&flood, &graph.gain(&flood, usize::from(*c)));
            }
            assert!(flood.shore.is_empty());
            let mut gauge = Gauge::start(&budget);
            let shorter =
                Search::new(graph, moves.len() as u32, MEMORY).run(&mut gauge, |_, _| true);
            assert_eq!(shorter, End::NoneShorter);
            assert_eq!(run(0).0, End::Stopped);
        });
    }
    assert!(with_tables > 0, "none was hard enough to need the tables");
}

#[test]
fn a_proven_plan_is_followed_without_a_new_search() {
    let mut board = seeded(196, 12, 12, 5);
    let mut policy = Optimal::default();
    let first = policy.decide(&board, &Budget::default()).expect("a move");
    let plan = first.plan.expect("a plan");
    assert!(first.nodes > 0);
    for (i, &colour) in plan.iter().enumerate() {
        let choice = policy.decide(&board, &Budget::default()).expect("a move");
        assert_eq!(choice.colour, colour);
        assert_eq!(
            choice.nodes > 0,
            i == 0,
            "only a board not expected is searched"
        );
        assert_eq!(choice.lower_bound as usize, plan.len() - i);
        board.flood(colour);
    }
    assert!(policy.decide(&board, &Budget::default()).is_none());
}

#[test]
fn a_spent_budget_gives_a_plan_and_what_is_proven() {
    let board = seeded(0, 40, 40, 12);
    let mut reference = Lookahead::new(4);
    let mut played = board.clone();
    let mut by_reference = 0;
    while let Some(choice) = reference.decide(&played, &Budget::default()) {
        played.flood(choice.colour);
        by_reference += 1;
    }
    for (nodes, better) in [(0, false), (10, false), (4000, true)] {
        let poor = Budget {
            nodes: Some(nodes),
            ..Budget::default()
        };
        let choice = Optimal::default().decide(&board, &poor).expect("a move");
        let plan = choice.plan.clone().expect("a plan");
        assert_eq!(board.replay(&plan), Ok(()));
        assert!(choice.lower_bound > 20 && !choice.is_optimal());
        assert!(choice.nodes < nodes + 2000, "{}", choice.nodes);
        assert!(!better || plan.len() < by_reference);
    }
    let stopped = Budget::default();
    stopped.stop.pull("test");
    assert!(Optimal::default().decide(&board, &stopped).is_some());
    let timed = Budget {
        time: Some(Duration::from_millis(1)),
        ..Budget::default()
    };
    assert!(Optimal::default().decide(&board, &timed).is_some());
}

#[test]
fn a_plan_not_proven_only_gets_better() {
    let mut board = seeded(3, 24, 24, 8);
    let mut policy = Optimal::default();
    let poor = Budget {
        nodes: Some(600),
        ..Budget::default()
    };
    let mut before = None;
    while let Some(choice) = policy.decide(&board, &poor) {
        let left = choice.plan.as_ref().expect("a plan").len();
        assert!(before.is_none_or(|b| left < b), "{before:?} {left}");
        assert!(choice.lower_bound as usize <= left);
        before = Some(left);
        board.flood(choice.colour);
    }
    assert!(board.is_solved());
}

#[test]
fn little_memory_gives_a_plan_without_proof() {
    let board = seeded(5, 18, 18, 8);
    let choice = Optimal::new(1 << 20)
        .decide(&board, &Budget::default())
        .expect("a move");
    assert_eq!(board.replay(&choice.plan.clone().expect("a plan")), Ok(()));
    assert!(choice.lower_bound > 10 && !choice.is_optimal());
}

#[test]
fn odd_boards_are_solved() {
    let strip: String = "ab".repeat(32);
    let snake = snake(63);
    for text in [
        "ab",
        "a/b",
        "abcdefghijklmnopqrstuvwxyz0123456789",
        &strip,
        &snake,
    ] {
        let board = Board::from_text(text, Cell::default()).expect("a board");
        let choice = Optimal::default()
            .decide(&board, &Budget::default())
            .expect("a move");
        assert_eq!(
            board.replay(&choice.plan.expect("a plan")),
            Ok(()),
            "{text}"
        );
    }
}

/// A path that winds over the whole board, two cells of a and b in turn, between walls of c: as
/// many regions in a row as a board can have.
fn snake(side: usize) -> String {
    let mut cells = vec![vec!['c'; side]; side];
    let mut path = Vec::new();
    for row in (0..side).step_by(2) {
        let right = row / 2 % 2 == 0;
        path.extend((0..side).map(|i| (row, if right { i } else { side - 1 - i })));
        if row + 2 < side {
            path.push((row + 1, if right { side - 1 } else { 0 }));
        }
    }
    for (i, (row, col)) in path.into_iter().enumerate() {
        cells[row][col] = if i / 5 % 2 == 0 { 'a' } else { 'b' };
    }
    let rows: Vec<String> = cells.into_iter().map(|r| r.into_iter().collect()).collect();
    rows.join("/")
}

#[test]
fn the_best_start_has_as_few_moves_as_any() {
    for seed in 0..40 {
        let board = seeded(seed, 5, 4, 4);
        let starts = board.size().cells();
        let each = starts.map(|c| fewest(&board.clone().with_start(c)));
        let wanted = each.min().expect("twenty starts");
        let found = best_start(&board, MEMORY, &Budget::default());
        assert_eq!(found.moves.len(), wanted, "seed {seed}");
        assert_eq!(found.lower_bound as usize, wanted, "seed {seed}");
        let replayed = board.with_start(found.start).replay(&found.moves);
        assert_eq!(replayed, Ok(()), "seed {seed}");
    }
}

#[test]
fn the_best_start_of_a_solved_board_needs_no_move() {
    let board = Board::from_text("aa/aa", Cell::new(1, 1)).expect("a board");
    let found = best_start(&board, MEMORY, &Budget::default());
    assert_eq!((found.start, found.lower_bound), (Cell::default(), 0));
    assert!(found.moves.is_empty());
}

#[test]
fn a_best_start_cut_short_is_a_plan_and_a_bound() {
    let board = seeded(3, 14, 14, 6);
    let whole = best_start(&board, MEMORY, &Budget::default());
    for nodes in [1, 300, 3000] {
        let limit = Budget {
            nodes: Some(nodes),
            ..Budget::default()
        };
        let found = best_start(&board, MEMORY, &limit);
        let replayed = board.clone().with_start(found.start).replay(&found.moves);
        assert_eq!(replayed, Ok(()));
        assert!(found.lower_bound as usize <= whole.moves.len());
        assert!(found.moves.len() >= whole.moves.len());
    }
}
