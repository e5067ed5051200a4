//! Brains that play, over each protocol.

use kibitzer::brains::external;
use kibitzer::games::duel::{Ending, Mover as _, Side};
use kibitzer::games::flood;
use kibitzer::games::flood::rules::Board;
use kibitzer::types::Cell;

use super::bots::{AMPLE, First, bad, bot, budget, game};

#[test]
fn the_example_wins_a_game_of_connect4() {
    let text = bot("jsonl", "bot.py", "");
    let mut bot = external::mover(&text, "connect4", None, Box::new(First)).expect("it starts");
    let mut game = game("connect4", &[]);
    while game.ending().is_none() {
        let thought = match game.to_move() {
            Side::First => bot.choose(game.as_ref(), &budget(AMPLE)).expect("a move"),
            Side::Second => First.choose(game.as_ref(), &budget(AMPLE)).expect("a move"),
        };
        if game.to_move() == Side::First {
            assert_eq!(thought.note, "by bot.py");
        }
        game.play(&thought.action).expect("allowed");
    }
    assert_eq!(
        game.ending(),
        Some(Ending::Won(Side::First)),
        "{}",
        game.board()
    );
}

#[test]
fn the_example_solves_a_flood_it_board() {
    let text = bot("jsonl", "bot.py", "");
    let fallback = flood::policies::by_name("optimal", 1, 1 << 20).expect("optimal");
    let mut policy = external::flood(&text, fallback).expect("it starts");
    assert_eq!(policy.name(), text);
    let mut board = Board::from_text("abcd/bcda/cdab/aabb", Cell::new(1, 1)).expect("a board");
    let mut moves = 0;
    while let Some(choice) = policy.decide(&board, &budget(AMPLE)) {
        assert_eq!(choice.note, "by bot.py");
        board.flood(choice.colour);
        moves += 1;
    }
    assert!(board.is_solved() && moves < 16, "{moves} moves");
}

#[test]
fn the_example_is_not_asked_for_what_it_does_not_play() {
    let text = bot("jsonl", "bot.py", "");
    let mut bot = external::mover(&text, "gomoku", None, Box::new(First)).expect("it starts");
    let thought = bot
        .choose(game("gomoku", &[]).as_ref(), &budget(AMPLE))
        .expect("a move");
    let wanted = "it plays [\"flood\",\"connect4\"], not gomoku; it is killed and given up; first \
                  makes this move";
    assert!(thought.note.contains(wanted), "{}", thought.note);
}

/// The good side of the bad bots: whole games, new ones, and ones that go back.
fn follows(protocol: &str, name: &str, openings: &[&[&str]]) {
    let text = bad(protocol, "none");
    let mut bot = external::mover(&text, name, None, Box::new(First)).expect("it starts");
    for opening in openings {
        let mut game = game(name, opening);
        for _ in 0..3 {
            let thought = bot.choose(game.as_ref(), &budget(AMPLE)).expect("a move");
            assert!(
                !thought.note.contains("makes this move"),
                "{}",
                thought.note
            );
            game.play(&thought.action).expect("allowed");
            let reply = First.choose(game.as_ref(), &budget(AMPLE)).expect("a move");
            game.play(&reply.action).expect("allowed");
        }
    }
}

#[test]
fn an_engine_follows_games_that_begin_anew_and_go_back() {
    follows(
        "piskvork",
        "gomoku",
        &[
            &[],
            &["7,7"],
            &["7,7", "0,0", "8,8"],
            &["7,7", "0,0", "9,9"],
            &[],
            &["7,7", "8,8"],
        ],
    );
    follows("jsonl", "gomoku", &[&[], &["7,7"]]);
    follows("connect4-line", "connect4", &[&[], &["4", "4"], &["1"]]);
    follows("jsonl", "connect4", &[&["4"], &[]]);
}

#[test]
fn what_is_no_policy_from_outside_is_told() {
    let told = |text: &str, game: &str| {
        let brain = external::outsider(text, game, None);
        brain.err().expect("an error").to_string()
    };
    assert!(told("tbp:x", "gomoku").contains("there are piskvork:COMMAND, jsonl:COMMAND"));
    assert!(told("jsonl:", "connect4").contains("write a program and its arguments"));
    assert!(told("jsonl:/no/such/bot", "connect4").contains("cannot be started: /no/such/bot"));
    assert!(external::is_external("jsonl:x") && !external::is_external("optimal:memory=3"));
}

#[test]
fn boards_are_decided_by_brains_as_games_are() {
    use kibitzer::games::{connect4, gomoku};
    let ours = || connect4::policies::by_name("minimax:depth=2").expect("minimax");
    for (text, says) in [
        (bad("connect4-line", "none"), ""),
        (bot("jsonl", "bot.py", ""), "by bot.py"),
        (
            bad("jsonl", "crash-start"),
            "no weights; it is started again; minimax makes this move",
        ),
    ] {
        let mut policy = external::connect4(&text, ours()).expect("it starts");
        assert_eq!(policy.name(), text);
        for line in [
            "",
            "44",
            "4435",
            "....X../....O../....X../....O../....X../....O.X",
        ] {
            let board = connect4::rules::parse_position(line).expect("a position");
            let choice = policy.decide(&board, &budget(AMPLE)).expect("a move");
            assert!(board.is_legal(choice.column));
            if !says.starts_with("no weights") || line.is_empty() {
                assert!(choice.note.contains(says), "{text}: {}", choice.note);
            }
        }
    }
    let ours = || gomoku::policies::by_name("evaluator").expect("evaluator");
    for fault in ["none", "lie", "crash"] {
        let mut policy =
            external::gomoku(&bad("piskvork", fault), None, ours()).expect("it starts");
        let size = kibitzer::types::GridSize::new(15, 15);
        let rule = gomoku::rules::Rule::FiveOrMore;
        for line in ["7,7", "7,7 8,8 9,9"] {
            let board = gomoku::rules::parse_position(line, 1, size, rule).expect("a position");
            let choice = policy.decide(&board, &budget(AMPLE)).expect("a move");
            assert_eq!(board.at(choice.cell), gomoku::rules::Square::Empty);
        }
    }
}
