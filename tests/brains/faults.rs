//! Everything a brain can do wrong: the fallback makes the move in time, with a message that says
//! who, what and what now, and the game goes on.

use kibitzer::brains::external;
use kibitzer::games::duel::Thought;
use kibitzer::games::flood;
use kibitzer::games::flood::rules::Board;
use kibitzer::games::tetris;
use kibitzer::types::Cell;

use super::bots::{AMPLE, First, SHORT, bad, budget, game, started};

/// A fault, what the message says of it, and from which move on it is so.
const FAULTS: [(&str, &str, u32); 9] = [
    (
        "hang",
        "no answer in time; it is killed and started again",
        1,
    ),
    (
        "crash-start",
        "it has ended: exit status 1; its last words: Traceback: no weights; it is started again",
        1,
    ),
    (
        "crash",
        "it has ended: exit status 3; its last words: out of ideas; it is started again",
        2,
    ),
    ("lie", "illegal move", 1),
    (
        "slow",
        "no answer in time; it is killed and started again",
        1,
    ),
    (
        "endless",
        "a line of more than 65536 bytes; it is killed and started again",
        1,
    ),
    ("babble", "let me see", 1),
    ("close", "it closed its output", 1),
    ("deaf", "", 1),
];

/// Who does nothing is waited for; who does something wrong does it at once.
fn is_silent(fault: &str) -> bool {
    matches!(fault, "hang" | "slow" | "deaf" | "flood")
}

/// Plays two moves with a brain of this fault and looks at what is said. (That it ends is what is
/// seen of its not waiting: the silent ones are so for ever.)
fn play(protocol: &str, name: &str, fault: &str, says: &str, from: u32) {
    let text = bad(protocol, fault);
    let mut mover = external::mover(&text, name, None, Box::new(First)).expect("it starts");
    let mut game = game(name, &[]);
    let limit = if is_silent(fault) { SHORT } else { AMPLE };
    for number in 1..=2 {
        let mut ask = || mover.choose(game.as_ref(), &budget(limit)).expect("a move");
        let thought = match fault {
            // It greets nobody, for as long as it lives.
            "deaf" => ask(),
            _ => started(ask, |t: &Thought| &t.note),
        };
        game.play(&thought.action).expect("allowed");
        let note = &thought.note;
        if number < from {
            assert!(!note.contains("makes this move"), "{note}");
            continue;
        }
        assert!(note.contains(says), "{text}: {note}");
        assert!(note.starts_with(&text), "who it is: {note}");
        if number == 1 {
            assert!(
                note.ends_with("first makes this move; the first"),
                "what now: {note}"
            );
        }
    }
}

/// All faults of a protocol side by side: they mostly wait.
fn all_faults(protocol: &'static str, name: &'static str) {
    std::thread::scope(|scope| {
        for (fault, says, from) in FAULTS {
            scope.spawn(move || play(protocol, name, fault, says, from));
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
        play(
            protocol,
            name,
            "flood",
            "no answer in time; it is killed",
            1,
        );
    }
}

/// What a brain says beyond its answer is not taken for the answer to the next question.
#[test]
fn answers_that_nobody_asked_for_are_passed_over() {
    for (protocol, name) in [
        ("connect4-line", "connect4"),
        ("piskvork", "gomoku"),
        ("jsonl", "connect4"),
    ] {
        let text = bad(protocol, "twice");
        let mut mover = external::mover(&text, name, None, Box::new(First)).expect("it starts");
        let mut game = game(name, &[]);
        for _ in 0..6 {
            let thought = mover.choose(game.as_ref(), &budget(AMPLE)).expect("a move");
            assert!(!thought.note.contains("makes this"), "{}", thought.note);
            game.play(&thought.action).expect("allowed");
        }
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
        let limit = if is_silent(fault) { SHORT } else { AMPLE };
        let ask = || policy.decide(&board, &budget(limit)).expect("a move");
        let choice = started(ask, |c| &c.note);
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
        let limit = if is_silent(fault) { SHORT } else { AMPLE };
        let choice = policy.choose(&position, &budget(limit)).expect("a place");
        assert!(!choice.features.is_empty(), "{fault}: made by dt10");
    }
}
