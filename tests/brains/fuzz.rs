//! Every parser of brains against arbitrary and damaged lines, and our engines against arbitrary
//! conversations: never a panic, and silence only where the protocol wants it. More cases:
//! `PROPTEST_CASES=100000 cargo test brains::fuzz`.

use std::time::Instant;

use kibitzer::brains::connect4_line::words::{parse_answer, parse_request};
use kibitzer::brains::piskvork::words::{Command, Reply};
use kibitzer::brains::process::{Launch, Line, Lines};
use kibitzer::brains::serve::Engine as _;
use kibitzer::brains::tbp::Location;
use kibitzer::brains::{connect4_line, piskvork};
use kibitzer::games::connect4;
use kibitzer::games::gomoku::policies::by_name;
use kibitzer::types::Stop;
use proptest::prelude::*;

/// Lines of the protocol, right ones and almost right ones.
fn piskvork_line() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "START",
        "RECTSTART",
        "BEGIN",
        "TURN",
        "BOARD",
        "SWAP2BOARD",
        "DONE",
        "RESTART",
        "TAKEBACK",
        "PLAY",
        "ABOUT",
        "INFO rule",
        "INFO timeout_turn",
        "INFO time_left",
        "INFO",
        "YXSHOW",
        "",
    ]);
    let number = prop_oneof![8 => 0i64..8, 1 => any::<i64>()];
    let rest = prop_oneof![
        4 => (number.clone(), number.clone()).prop_map(|(x, y)| format!("{x},{y}")),
        2 => (number.clone(), number.clone(), 0i64..5).prop_map(|(x, y, o)| format!("{x},{y},{o}")),
        2 => (5i64..9).prop_map(|n| n.to_string()),
        1 => number.prop_map(|n| n.to_string()),
        1 => any::<String>(),
    ];
    prop_oneof![
        8 => (word, rest).prop_map(|(w, r)| format!("{w} {r}")),
        2 => prop::sample::select(vec!["BEGIN", "BOARD", "DONE", "RESTART", "SWAP2BOARD", "START 6"])
            .prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

/// Whether a line is one that a brain may say.
fn may_be_said(answer: &str) -> bool {
    answer.starts_with("name=")
        || matches!(
            Reply::parse(answer),
            Reply::Ok | Reply::Error(_) | Reply::Unknown(_) | Reply::Moves(_) | Reply::Swap
        )
}

proptest! {
    #[test]
    fn conversations_of_piskvork(lines in prop::collection::vec(piskvork_line(), 1..60)) {
        let policy = by_name("evaluator").expect("evaluator");
        let mut engine = piskvork::Engine::new(policy, 0, false, Stop::new());
        engine.answer("INFO timeout_turn 1", Instant::now(), &mut |_| {});
        for line in lines {
            let mut said = Vec::new();
            engine.answer(&line, Instant::now(), &mut |a| said.push(a.to_owned()));
            let command = Command::parse(&line);
            prop_assert!(said.len() <= 1, "{}: {:?}", line, said);
            prop_assert!(said.iter().all(|a| may_be_said(a)), "{}: {:?}", line, said);
            if matches!(command, Command::Info(..) | Command::End) {
                prop_assert!(said.is_empty(), "{}: {:?}", line, said);
            }
        }
    }

    #[test]
    fn replies(line in prop_oneof![any::<String>(), "[0-9, A-Z]{0,12}"]) {
        if let Reply::Moves(moves) = Reply::parse(&line) {
            prop_assert!(!moves.is_empty());
        }
    }

    #[test]
    fn connect4_answers(line in prop_oneof![any::<String>(), "[0-9a-z .?-]{0,20}"]) {
        match parse_answer(&line) {
            Ok(answer) => {
                let again = parse_answer(&answer.to_string());
                prop_assert_eq!(again, Ok(answer));
            }
            Err(e) => prop_assert!(e.contains("instead of a column"), "{}", e),
        }
    }

    #[test]
    fn connect4_requests(line in prop_oneof![any::<String>(), "[1-8]{0,30}", "[0-9x]{3,6}:[1-9a-z]{0,20}"]) {
        let policy = connect4::policies::by_name("minimax:depth=1").expect("minimax");
        let mut engine = connect4_line::Engine::new(policy, 0, Stop::new());
        let answer = engine.hear(&line);
        let is_position = matches!(
            parse_request(&line),
            connect4_line::words::Request::Position(_)
        );
        prop_assert_eq!(answer.is_some(), is_position, "{}: {:?}", line, answer);
    }

    #[test]
    fn locations(text in prop_oneof![
        any::<String>(),
        (any::<i64>(), any::<i64>(), "[OISZLJTX]", "(north|east|south|west|up)").prop_map(|(x, y, t, o)| {
            format!(r#"{{"type":"{t}","orientation":"{o}","x":{x},"y":{y}}}"#)
        }),
    ]) {
        if let Ok(value) = serde_json::from_str(&text)
            && let Ok(at) = Location::parse(&value)
        {
            prop_assert_eq!(Location::parse(&at.to_json()), Ok(at));
            let inside = at.cells().iter().all(|c| (0..10).contains(&c.0));
            prop_assert_eq!(at.placement(10).is_some(), inside);
        }
    }

    #[test]
    fn positions_as_objects(
        game in "(flood|tetris|connect4|gomoku|triplex)",
        rows in prop::collection::vec("[.XOa-c]{1,8}", 0..8),
        sides in (0u16..9, 0u16..9),
        start in any::<(u8, u8)>(),
        figures in prop::collection::vec("[xo./ =*]{1,6}", 0..6),
        line in any::<String>(),
    ) {
        use kibitzer::brains::jsonl::{Engine, Thinker};
        use kibitzer::games::{flood, tetris, triplex};
        let thinker = match game.as_str() {
            "flood" => Thinker::Flood(flood::policies::by_name("greedy", 1, 0).expect("greedy")),
            "tetris" => Thinker::Tetris(tetris::policies::by_name("dt10").expect("dt10")),
            "connect4" => Thinker::Connect4(
                connect4::policies::by_name("minimax:depth=1").expect("minimax"),
            ),
            "triplex" => Thinker::Triplex(triplex::policies::by_name("exact").expect("exact")),
            _ => Thinker::Gomoku(by_name("evaluator").expect("evaluator")),
        };
        let mut engine = Engine::new(thinker, Stop::new());
        let position = serde_json::json!({
            "type": "position", "game": game, "board": rows, "size": [sides.0, sides.1],
            "start": [start.0, start.1], "piece": "T", "figures": figures, "time_ms": 1,
        });
        let answer = engine.hear(&position.to_string()).expect("an answer");
        let answer: serde_json::Value = serde_json::from_str(&answer).expect("an object");
        prop_assert!(answer["move"].is_string() != answer["error"].is_string());
        engine.hear(&line);
    }

    #[test]
    fn commands(text in any::<String>()) {
        if let Err(e) = Launch::parse("x", &text) {
            prop_assert!(e.to_string().len() > 10);
        }
    }

    #[test]
    fn lines_do_not_depend_on_how_bytes_arrive(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'\n'), Just(b'\r'), Just(b'a')], 0..300),
        cuts in prop::collection::vec(1usize..20, 1..40),
    ) {
        let read = |parts: &mut dyn Iterator<Item = &[u8]>| {
            let (mut lines, mut all) = (Lines::default(), Vec::new());
            for part in parts {
                lines.take(part, |l| { all.push(l); true });
            }
            lines.end(|l| { all.push(l); true });
            all
        };
        let whole = read(&mut std::iter::once(&bytes[..]));
        let mut rest = &bytes[..];
        let mut cuts = cuts.iter().cycle();
        let mut parts = std::iter::from_fn(|| {
            let at = (*cuts.next()?).min(rest.len());
            let (part, after) = rest.split_at(at);
            rest = after;
            (!part.is_empty()).then_some(part)
        });
        prop_assert_eq!(read(&mut parts), whole.clone());
        for line in whole {
            if let Line::Whole(text) = line {
                prop_assert!(!text.trim().is_empty() && !text.contains(['\n', '\r']));
            }
        }
    }
}
