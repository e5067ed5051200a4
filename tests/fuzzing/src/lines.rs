//! Protocols of lines: what other programs say to ours, and answer.

use std::time::Instant;

use kibitzer::brains::connect4_line::words::{parse_answer, parse_request};
use kibitzer::brains::jsonl::{self, Thinker};
use kibitzer::brains::piskvork;
use kibitzer::brains::piskvork::words::{Command, Reply};
use kibitzer::brains::serve::Engine as _;
use kibitzer::brains::tbp::Location;
use kibitzer::brains::{connect4_line, process};
use kibitzer::games::{connect4, flood, gomoku, tetris, triplex};
use kibitzer::types::Stop;

fn lines(data: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(data)
        .lines()
        .take(40)
        .map(str::to_owned)
        .collect()
}

/// A conversation with our engine, and every line as an answer of another.
pub fn piskvork(data: &[u8]) {
    let policy = gomoku::policies::by_name("evaluator").expect("it exists");
    let mut engine = piskvork::Engine::new(policy, 0, false, Stop::new());
    engine.answer("INFO timeout_turn 1", Instant::now(), &mut |_| {});
    for line in lines(data) {
        let _ = Reply::parse(&line);
        let mut said = 0;
        engine.answer(&line, Instant::now(), &mut |_| said += 1);
        assert!(said <= 1, "{line}");
        if matches!(Command::parse(&line), Command::Info(..) | Command::End) {
            assert_eq!(said, 0, "{line}");
        }
    }
}

/// Places of pieces as bots tell them.
pub fn tbp(data: &[u8]) {
    for line in lines(data) {
        if let Ok(value) = serde_json::from_str(&line)
            && let Ok(at) = Location::parse(&value)
        {
            assert_eq!(Location::parse(&at.to_json()), Ok(at));
            let _ = at.placement(10);
        }
    }
}

/// A conversation about each game; the first byte says which.
pub fn jsonl(data: &[u8]) {
    let Some((&which, rest)) = data.split_first() else {
        return;
    };
    let thinker = match which % 5 {
        0 => Thinker::Flood(flood::policies::by_name("greedy", 1, 0).expect("it exists")),
        1 => Thinker::Tetris(tetris::policies::by_name("dt10").expect("it exists")),
        2 => Thinker::Connect4(connect4::policies::by_name("minimax:depth=1").expect("it exists")),
        3 => Thinker::Triplex(triplex::policies::by_name("exact").expect("it exists")),
        _ => Thinker::Gomoku(gomoku::policies::by_name("evaluator").expect("it exists")),
    };
    let mut engine = jsonl::Engine::new(thinker, Stop::new());
    for line in lines(rest).iter().take(4) {
        if let Some(answer) = engine.hear(line) {
            let _: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
        }
    }
}

/// Positions and answers of Connect-4 programs, and commands that start programs (not started).
pub fn connect4(data: &[u8]) {
    let policy = connect4::policies::by_name("minimax:depth=1").expect("it exists");
    let mut engine = connect4_line::Engine::new(policy, 0, Stop::new());
    for line in lines(data) {
        if let Ok(answer) = parse_answer(&line) {
            assert_eq!(parse_answer(&answer.to_string()), Ok(answer));
        }
        let is_position = matches!(
            parse_request(&line),
            connect4_line::words::Request::Position(_)
        );
        assert_eq!(engine.hear(&line).is_some(), is_position, "{line}");
        let _ = process::Launch::parse("bot", &line);
    }
}
