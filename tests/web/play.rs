//! Games over the interface: what is answered is what the library says, and what is no position, no
//! turn and no number is told in a sentence.

use kibitzer::games::connect4::policies::{Connect4Policy as _, Perfect};
use kibitzer::games::connect4::rules as connect4;
use kibitzer::games::flood::rules as flood;
use kibitzer::games::gomoku::policies::{Evaluator, GomokuPolicy as _, Windows};
use kibitzer::games::gomoku::rules as gomoku;
use kibitzer::types::{Budget, Cell, GridSize};
use serde_json::{Value, json};

use super::client::Daemon;

fn ask(daemon: &Daemon, game: &str, asked: &Value) -> Value {
    let answer = daemon.post(&format!("/api/play/{game}"), &asked.to_string());
    assert_eq!(answer.status, 200, "{asked}: {}", answer.text());
    answer.json()
}

fn refused(daemon: &Daemon, game: &str, asked: &Value, says: &str) {
    let answer = daemon.post(&format!("/api/play/{game}"), &asked.to_string());
    assert_eq!(answer.status, 422, "{asked}: {}", answer.text());
    let error = answer.json()["error"].clone();
    let error = error.as_str().unwrap_or_default();
    assert!(error.contains(says), "{asked}: {error}");
}

/// A whole game: the evaluator of the server against itself, checked move by move.
#[test]
fn the_evaluators_replies_are_the_librarys_to_the_end_of_a_game() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let size = GridSize::new(10, 10);
    let mut board = gomoku::Board::new(size, gomoku::Rule::FiveOrMore).expect("a board");
    let mut position = "10x10:".to_owned();
    let mut last = Value::Null;
    while !board.is_over() {
        // The coefficient changes from move to move, as a person may change it.
        let a = 0.5 + 0.1 * (board.stones() % 6) as f64;
        let side = board.to_move().letter().to_string();
        let asked = json!({"position": position, "a": a, "side": side, "values": true});
        last = ask(&daemon, "gomoku", &asked);
        let mut evaluator = Evaluator::new(a, Windows::Full, None);
        let choice = evaluator
            .decide(&board, &Budget::default())
            .expect("a move");
        assert_eq!(last["move"], gomoku::action(choice.cell), "{position}");
        assert_eq!(last["score"], choice.score);
        let values = last["values"].as_array().expect("values");
        assert_eq!(values.len(), evaluator.weigh(&board).len());
        for (value, weight) in values.iter().zip(evaluator.weigh(&board)) {
            assert_eq!(value["cell"], gomoku::action(weight.cell));
            assert_eq!(value["value"], evaluator.value(&board, weight.cell));
        }
        board.play(choice.cell).expect("allowed");
        position = format!("{position} {}", gomoku::action(choice.cell));
        assert_eq!(last["board"], board.text().0);
        assert_eq!(last["over"], board.is_over());
    }
    let winner = board.winner().map(|w| w.letter().to_string());
    assert_eq!(last["winner"], json!(winner));
    let row = last["row"].as_array().expect("a row");
    assert!(
        winner.is_none() && row.is_empty() || row.len() >= 5,
        "{row:?}"
    );
    let over = ask(
        &daemon,
        "gomoku",
        &json!({"position": position, "values": true}),
    );
    assert_eq!(over["move"], Value::Null);
    assert_eq!((&over["row"], &over["values"]), (&last["row"], &json!([])));
}

#[test]
fn a_search_replies_within_its_time_and_sees_what_wins() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let asked = json!({"position": "15x15:7,7 0,0 8,7 0,2 9,7 0,4", "policy": "search", "side": "X", "time_ms": 300});
    let answer = ask(&daemon, "gomoku", &asked);
    assert!(
        ["6,7", "10,7"].contains(&answer["move"].as_str().unwrap_or_default()),
        "an open four: {answer:#}"
    );
    let looked = ask(
        &daemon,
        "gomoku",
        &json!({"position": "10x10:4,4", "reply": false}),
    );
    assert_eq!(
        (&looked["move"], &looked["to_move"]),
        (&Value::Null, &json!("O"))
    );
}

#[test]
fn what_is_wrong_with_five_in_a_row_is_told() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let wrong = [
        (json!({"position": "4x4:"}), "5 to 25"),
        (json!({"position": "26x10:"}), "5 to 25"),
        (json!({"position": "10x10:4,4 4,4"}), "not empty"),
        (json!({"position": "10x10:10,4"}), "10,4"),
        (json!({"position": "10x10:x"}), "no move"),
        (
            json!({"position": "10x10:0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0 4,1"}),
            "game is over",
        ),
        (json!({"position": "10x10:4,4", "side": "X"}), "turn of O"),
        (json!({"position": "10x10:", "side": "Z"}), "side"),
        (json!({"position": "10x10:", "a": 0.05}), "0.1 to 3.6"),
        (json!({"position": "10x10:", "a": 4}), "0.1 to 3.6"),
        (
            json!({"position": "10x10:", "policy": "piskvork:sh"}),
            "evaluator or search",
        ),
        (
            json!({"position": "10x10:", "policy": "search:threads=64"}),
            "evaluator or search",
        ),
        (
            json!({"position": "10x10:", "rule": "renju"}),
            "five-or-more or exact",
        ),
        (
            json!({"position": "10x10:", "time_ms": 60_000}),
            "10 to 5000",
        ),
        (json!({"position": "10x10:", "time_ms": 1}), "10 to 5000"),
        (json!({"position": "10x10:", "more": 1}), "more"),
        (json!({"moves": []}), "position"),
    ];
    for (asked, says) in wrong {
        refused(&daemon, "gomoku", &asked, says);
    }
    let large = json!({"position": "1,1 ".repeat(40_000)}).to_string();
    let answer = daemon.post("/api/play/gomoku", &large);
    assert_eq!(answer.status, 413);
    assert!(answer.json()["error"].is_string());
    for body in ["{", "{]", "\u{0}"] {
        let answer = daemon.post("/api/play/gomoku", body);
        assert_eq!(answer.status, 400, "{body}");
        assert!(answer.json()["error"].is_string());
    }
}

#[test]
fn every_column_has_its_exact_score() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    for line in [
        "7x6x4:",
        "7x6x4:4444",
        "7x6x4:44455554221",
        "7x6x4:2252576253462244111563365343671351441",
    ] {
        let board = connect4::parse_position(line).expect("a position");
        let mut perfect =
            Perfect::new(32 << 20).with_book(kibitzer::games::connect4::policies::book::own());
        let choice = perfect
            .analyse(&board, &Budget::default())
            .expect("not over");
        let wanted: Vec<Option<i32>> = (choice.columns.expect("all").iter())
            .map(|b| b.and_then(kibitzer::games::connect4::policies::Bounds::exact))
            .collect();
        let asked = json!({"position": line, "scores": true, "time_ms": 5000});
        let answer = ask(&daemon, "connect4", &asked);
        assert_eq!(answer["scores"], json!(wanted), "{line}");
        assert_eq!(answer["score"], choice.score, "{line}");
    }
    // The reference's player: the same as the library's, to the end of a game against perfect play.
    const EMPTY: &str = "7x6x4:";
    let mut line = EMPTY.to_owned();
    let last = loop {
        let perfect = (line.len() - EMPTY.len()).is_multiple_of(2);
        let policy = if perfect { "perfect" } else { "minimax" };
        let asked = json!({"position": line, "policy": policy, "time_ms": 5000});
        let answer = ask(&daemon, "connect4", &asked);
        line += answer["move"].as_str().expect("a move");
        let board = connect4::parse_position(&line).expect("legal");
        assert_eq!(answer["board"], board.text().0);
        if answer["over"] == true {
            break answer;
        }
    };
    assert_eq!(
        last["winner"], "X",
        "who plays perfectly from the first move wins"
    );
    assert!(last["row"].as_array().is_some_and(|r| r.len() >= 4));
}

#[test]
fn what_is_wrong_with_connect4_is_told() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let wrong = [
        (json!({"position": "99x6:"}), "1 to 35"),
        (json!({"position": "7x6x9:"}), "in a row"),
        (json!({"position": "7x6x4:8"}), "no column 8"),
        (json!({"position": "7x6x4:1111111"}), "column 1 is full"),
        (json!({"position": "7x6x4:12121212"}), "game is over"),
        (json!({"position": "7x6x4:4", "side": "X"}), "turn of O"),
        (json!({"position": "7x6x4:", "depth": 11}), "1 to 10"),
        (json!({"position": "7x6x4:", "depth": 0}), "1 to 10"),
        (
            json!({"position": "7x6x4:", "policy": "general"}),
            "perfect or minimax",
        ),
    ];
    for (asked, says) in wrong {
        refused(&daemon, "connect4", &asked, says);
    }
}

#[test]
fn the_minimum_is_the_true_one_and_its_moves_lead_there() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let made = daemon
        .get("/api/play/flood/boards?size=14x14&colours=6&seed=22080310374")
        .json();
    assert_eq!(made["limit"], 25);
    let position = made["position"].as_str().expect("a position");
    let board = flood::parse_position(position, 1, Cell::default())
        .expect("its own")
        .board;
    let again = flood::SeededBoards::new(22_080_310_374, GridSize::new(14, 14), 6).next();
    assert_eq!(Some(&board), again.as_ref(), "the same everywhere");
    // A small board whose minimum can be seen: 3 moves, and 2 colours more than can be done in 2.
    let small = ask(&daemon, "flood", &json!({"position": "4x3:001201220110"}));
    assert_eq!(
        (&small["minimum"], &small["at_least"]),
        (&json!(3), &json!(3))
    );
    for (position, start) in [
        (position, [0, 0]),
        ("6x6:012345123450234501345012450123501234", [3, 2]),
    ] {
        let asked = json!({"position": position, "start": start, "time_ms": 5000});
        let answer = ask(&daemon, "flood", &asked);
        let [col, row] = start;
        let board = flood::parse_position(position, 1, Cell::new(col, row))
            .expect("a position")
            .board;
        let moves: Vec<u8> = (answer["moves"].as_str().expect("all of them").chars())
            .map(|c| c.to_digit(10).expect("a colour") as u8)
            .collect();
        assert_eq!(board.replay(&moves), Ok(()));
        assert_eq!(answer["at_most"], moves.len());
        if let Some(minimum) = answer["minimum"].as_u64() {
            assert_eq!(minimum, moves.len() as u64);
        }
    }
    for policy in ["lookahead", "greedy"] {
        let answer = ask(
            &daemon,
            "flood",
            &json!({"position": position, "policy": policy}),
        );
        assert!(answer["move"].is_string(), "{answer:#}");
    }
    let over = ask(&daemon, "flood", &json!({"position": "2x2:1111"}));
    assert_eq!(
        (&over["over"], &over["move"], &over["minimum"]),
        (&json!(true), &Value::Null, &json!(0))
    );
}

#[test]
fn what_is_wrong_with_a_flood_is_told() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let wrong = [
        (json!({"position": "65x1:0"}), "1 to 64"),
        (json!({"position": "2x2:012"}), "cells"),
        (json!({"position": "2x2:01!2"}), "not a colour"),
        (json!({"position": "2x2:0112", "start": [2, 0]}), "outside"),
        (json!({"position": "2x2:0112", "policy": "best"}), "optimal"),
        (json!({"position": "2x2:0112", "depth": 7}), "1 to 6"),
    ];
    for (asked, says) in wrong {
        refused(&daemon, "flood", &asked, says);
    }
    for (query, status) in [
        ("", 400),
        ("seed=x", 400),
        ("seed=1&size=1x9", 422),
        ("seed=1&size=99x9", 422),
        ("seed=1&size=9", 200),
        ("seed=1&colours=1", 422),
        ("seed=1&colours=11", 422),
        ("seed=1&more=1", 400),
    ] {
        let answer = daemon.get(&format!("/api/play/flood/boards?{query}"));
        assert_eq!(answer.status, status, "{query}: {}", answer.text());
        assert_eq!(answer.json()["error"].is_string(), status != 200, "{query}");
    }
}

/// Searches fill the line; the evaluator answers all the while, and so do the pages.
#[test]
fn the_evaluator_does_not_wait_behind_searches() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let search =
        json!({"position": "19x19:9,9 8,8 10,8", "policy": "search", "time_ms": 800}).to_string();
    std::thread::scope(|scope| {
        let busy: Vec<_> = (0..24)
            .map(|_| scope.spawn(|| daemon.post("/api/play/gomoku", &search).status))
            .collect();
        // Once somebody is turned away the line is full, and stays so for seconds.
        while !busy.iter().any(std::thread::ScopedJoinHandle::is_finished) {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let asked = json!({"position": "10x10:4,4"});
        assert!(ask(&daemon, "gomoku", &asked)["move"].is_string());
        assert!(
            busy.iter().any(|b| !b.is_finished()),
            "answered while others still think"
        );
        assert_eq!(daemon.get("/games/").status, 200);
        // Whoever waits is let go: its connection ends with this.
        let statuses: Vec<u16> = busy
            .into_iter()
            .map(|b| b.join().expect("no panic"))
            .collect();
        assert!(
            statuses.contains(&200) && statuses.contains(&503),
            "{statuses:?}"
        );
        assert!(
            statuses.iter().all(|s| [200, 503].contains(s)),
            "{statuses:?}"
        );
    });
}
