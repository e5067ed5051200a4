//! Everything a brain can do wrong: the fallback makes the move in time, with a message that says
//! who, what and what now, and the game goes on.

use std::time::{Duration, Instant};

use kibitzer::brains::external;
use kibitzer::games::flood;
use kibitzer::games::flood::rules::Board;
use kibitzer::games::tetris;
use kibitzer::types::Cell;

use super::bots::{First, bad, budget, game};

/// A decision's time; long, so that a busy machine does not matter.
const LIMIT: Duration = Duration::from_millis(1500);

/// What went wrong, as the message says it, and whether it is so from the first move.
const FAULTS: [(&str, &str, bool); 9] = [
    (
        "hang",
        "no answer in time; it is killed and started again",
        true,
    ),
    (
        "crash-start",
        "it has ended: exit status 1; its last words: Traceback: no weights; it is started again",
        true,
    ),
    (
        "crash",
        "it has ended: exit status 3; its last words: out of ideas; it is started again",
        false,
    ),
    ("lie", "illegal move", true),
    (
        "slow",
        "no answer in time; it is killed and started again",
        true,
    ),
    (
        "endless",
        "a line of more than 65536 bytes; it is killed and started again",
        true,
    ),
    ("babble", "let me see", true),
    ("close", "it closed its output", true),
    ("deaf", "", true),
];

/// Plays two moves with a brain of this fault and looks at what is said.
fn play(protocol: &str, name: &str, fault: &str, says: &str, from_the_first: bool) {
    let text = bad(protocol, fault);
    let mut mover = external::mover(&text, name, None, Box::new(First)).expect("it starts");
    let mut game = game(name, &[]);
    for number in 1..=2 {
        let began = Instant::now();
        let thought = mover.choose(game.as_ref(), &budget(LIMIT)).expect("a move");
        let took = began.elapsed();
        assert!(took < LIMIT, "{text}: {took:?}");
        game.play(&thought.action).expect("allowed");
        if number == 2 || from_the_first {
            let note = &thought.note;
            assert!(note.contains(says), "{text}: {note}");
            assert!(note.starts_with(&text), "who it is: {note}");
            if number == 1 {
                assert!(
                    note.ends_with("first makes this move; the first"),
                    "what now: {note}"
                );
            }
        } else {
            assert!(
                !thought.note.contains("makes this move"),
                "{}",
                thought.note
            );
        }
    }
}

/// All faults of a protocol side by side: they mostly wait.
fn all_faults(protocol: &'static str, name: &'static str) {
    std::thread::scope(|scope| {
        for (fault, says, first) in FAULTS {
            scope.spawn(move || play(protocol, name, fault, says, first));
        }
    });
}

#[test]
fn json_lines() {
    all_faults("jsonl", "connect4");
}

#[test]
fn piskvork() {
    all_faults("piskvork", "gomoku");
}

#[test]
fn connect4_lines() {
    all_faults("connect4-line", "connect4");
}

#[test]
fn a_flood_of_lines_that_mean_nothing_is_an_answer_that_does_not_come() {
    for (protocol, name) in [("jsonl", "gomoku"), ("piskvork", "gomoku")] {
        let text = bad(protocol, "flood");
        let mut mover = external::mover(&text, name, None, Box::new(First)).expect("it starts");
        // Once it has started; a flood costs the machine something.
        let until = Instant::now() + Duration::from_secs(20);
        let note = loop {
            let limit = Duration::from_millis(400);
            let game = game(name, &[]);
            let thought = mover.choose(game.as_ref(), &budget(limit)).expect("a move");
            if !thought.note.contains("still starting") {
                break thought.note;
            }
            assert!(Instant::now() < until, "{}", thought.note);
        };
        assert!(note.contains("no answer in time; it is killed"), "{note}");
    }
}

#[test]
fn flood_it_goes_on() {
    for (fault, says) in [
        ("hang", "no answer in time"),
        ("lie", "illegal move a"),
        ("crash-start", "no weights"),
    ] {
        let text = bad("jsonl", fault);
        let fallback = flood::policies::by_name("greedy", 1, 0).expect("greedy");
        let mut policy = external::flood(&text, fallback).expect("it starts");
        let board = Board::from_text("abc/bca/cab", Cell::default()).expect("a board");
        let began = Instant::now();
        let choice = policy.decide(&board, &budget(LIMIT)).expect("a move");
        assert!(began.elapsed() < LIMIT);
        assert!(board.is_move(choice.colour));
        assert!(choice.note.contains(says), "{}", choice.note);
        assert!(
            choice.note.contains("greedy makes this move"),
            "{}",
            choice.note
        );
    }
}

#[test]
fn tetris_goes_on() {
    use tetris::policies::{MoveModel, Position};
    use tetris::rules::{Board, Kind};
    let board = Board::from_text(&[".........."; 12].join("/")).expect("a board");
    for fault in ["hang", "lie", "crash-start", "babble"] {
        let fallback = tetris::policies::by_name("dt10").expect("dt10");
        let mut policy = external::tetris(&bad("jsonl", fault), fallback, None).expect("it starts");
        let position = Position {
            board: &board,
            kind: Kind::L,
            next: None,
            model: MoveModel::AnyOrder,
            allowed: None,
        };
        let began = Instant::now();
        let choice = policy.choose(&position, &budget(LIMIT)).expect("a place");
        assert!(began.elapsed() < LIMIT);
        assert!(!choice.features.is_empty(), "{fault}: made by dt10");
    }
}
