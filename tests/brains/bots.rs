//! The bots of this folder, and who stands behind them.

use std::path::Path;
use std::time::{Duration, Instant};

use kibitzer::games::connect4;
use kibitzer::games::duel::{Duel, Mover, NoMove, Thought};
use kibitzer::games::gomoku::{self, rules::Rule};
use kibitzer::types::{Budget, GridSize};

/// Enough for whoever answers at all, however busy the machine is.
pub const AMPLE: Duration = Duration::from_secs(120);
/// Too little for whoever does not.
pub const SHORT: Duration = Duration::from_millis(300);

/// A policy's name that runs a script of this folder.
pub fn bot(protocol: &str, script: &str, args: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/brains")
        .join(script);
    let text = format!("{protocol}:python3 '{}' {args}", path.display());
    text.trim().to_owned()
}

/// The one of them that misbehaves.
pub fn bad(protocol: &str, fault: &str) -> String {
    bot(protocol, "bad.py", &format!("{protocol} {fault}"))
}

pub fn budget(time: Duration) -> Budget {
    Budget {
        time: Some(time),
        ..Budget::default()
    }
}

/// A game for two with moves made.
pub fn game(name: &str, moves: &[&str]) -> Box<dyn Duel> {
    let mut game = match name {
        "connect4" => connect4::duel(GridSize::new(7, 6), 4).expect("the usual board"),
        _ => gomoku::duel(GridSize::new(15, 15), Rule::FiveOrMore).expect("a board"),
    };
    for m in moves {
        game.play(m).expect("allowed");
    }
    game
}

/// Plays the first move that is allowed.
pub struct First;

impl Mover for First {
    fn name(&self) -> &str {
        "first"
    }

    fn choose(&mut self, game: &dyn Duel, _: &Budget) -> Result<Thought, NoMove> {
        let size = game.size();
        let all: Vec<String> = match game.game() {
            "connect4" => (1..=size.cols).map(|c| c.to_string()).collect(),
            _ => size
                .cells()
                .map(|c| format!("{},{}", c.col, c.row))
                .collect(),
        };
        let allowed = |action: &String| {
            let mut copy = game.fresh();
            game.moves().iter().all(|m| copy.play(m).is_ok()) && copy.play(action).is_ok()
        };
        let action = all.into_iter().find(allowed).expect("a move");
        Ok(Thought {
            action,
            score: None,
            nodes: 0,
            note: "the first".into(),
        })
    }
}

/// Asks until the brain has started: what is said then. A start takes as long as it takes.
pub fn started<T>(mut ask: impl FnMut() -> T, note: impl Fn(&T) -> &str) -> T {
    let until = Instant::now() + AMPLE;
    loop {
        let answer = ask();
        if !note(&answer).contains("still starting") {
            return answer;
        }
        assert!(Instant::now() < until, "it never starts");
    }
}

/// Waits until something is so, for a long time on a busy machine.
pub fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + AMPLE;
    while !is_so() {
        assert!(Instant::now() < until, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process runs (a zombie does not).
pub fn runs(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat
        .rsplit(") ")
        .next()
        .and_then(|rest| rest.chars().next());
    state.is_some_and(|s| s != 'Z' && s != 'X')
}
