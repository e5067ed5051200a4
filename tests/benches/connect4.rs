//! Connect-4: speed of the rules and the policies; with `--prove` the exact solver beside crate
//! `connect-four-ai` in one run, position by position, both with an empty table and no book.
//!
//! `cargo bench --profile dev --bench connect4 -- --prove` needs the six sets of positions with
//! their scores in `../shared/data/connect4`; `--sets a,b` and `--limit N` take a part of them.

#![allow(clippy::print_stdout)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use divan::{Bencher, black_box};
use kibitzer::games::connect4::policies::{Connect4Policy, Minimax, Perfect};
use kibitzer::games::connect4::rules::{Board, parse_position};
use kibitzer::types::Budget;

/// Sets, how many of their lines are compared, and the most of the other's time that ours may take.
const SETS: [(&str, usize, f64); 6] = [
    ("Test_L3_R1", 1000, 0.8),
    ("Test_L2_R1", 1000, 0.8),
    ("Test_L2_R2", 1000, 0.5),
    ("Test_L1_R1", 1000, 0.8),
    ("Test_L1_R2", 200, 0.5),
    ("Test_L1_R3", 30, 0.5),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    if !args.iter().any(|a| a == "--prove") {
        divan::main();
        return ExitCode::SUCCESS;
    }
    let value = |name: &str| {
        let at = args.iter().position(|a| a == name)?;
        args.get(at + 1).cloned()
    };
    let limit = value("--limit").and_then(|n| n.parse().ok());
    prove(value("--sets").as_deref(), limit)
}

fn board(moves: &str) -> Board {
    parse_position(moves).expect("a position")
}

/// CPU time of this thread.
fn cpu() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Times and nodes of both over a set, and how many of our scores are wrong.
#[derive(Default)]
struct Compared {
    count: usize,
    wrong: usize,
    ours: Duration,
    theirs: Duration,
    our_nodes: u64,
    their_nodes: u64,
    worst: Duration,
}

fn compare(text: &str, count: usize) -> Compared {
    let mut ours = Perfect::default();
    let mut theirs = connect_four_ai::Solver::empty();
    let mut all = Compared::default();
    for line in text.lines().take(count) {
        let (moves, score) = line.trim().split_once(' ').expect("MOVES SCORE");
        let wanted: i32 = score.trim().parse().expect("a score");
        let board = board(moves);
        ours.forget();
        let before = cpu();
        let (bounds, nodes) = ours.score(&board, &Budget::default());
        let time = cpu() - before;
        let position = connect_four_ai::Position::from_moves(moves).expect("a position");
        theirs.reset();
        let before = cpu();
        let their_score = theirs.solve(&position);
        all.theirs += cpu() - before;
        assert_eq!(i32::from(their_score), wanted, "the file is right");
        all.count += 1;
        all.wrong += usize::from(bounds.exact() != Some(wanted));
        all.ours += time;
        all.worst = all.worst.max(time);
        all.our_nodes += nodes;
        all.their_nodes += theirs.explored_positions as u64;
    }
    all
}

fn prove(sets: Option<&str>, limit: Option<usize>) -> ExitCode {
    let shared = std::env::var_os("KIBITZER_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    let mut missed = Vec::new();
    println!(
        "{:<12}{:>6}{:>7}{:>12}{:>12}{:>12}{:>14}{:>14}{:>8}{:>7}",
        "set",
        "count",
        "wrong",
        "ms",
        "worst ms",
        "their ms",
        "nodes",
        "their nodes",
        "ratio",
        "most"
    );
    for (name, count, most) in SETS {
        if sets.is_some_and(|s| s.split(',').all(|s| !name.ends_with(s))) {
            continue;
        }
        let path = shared.join("data/connect4").join(name);
        let Ok(text) = std::fs::read_to_string(&path) else {
            missed.push(format!("{name}: {} cannot be read", path.display()));
            continue;
        };
        let c = compare(&text, count.min(limit.unwrap_or(count)));
        let n = c.count.max(1) as f64;
        let ms = |t: Duration| t.as_secs_f64() * 1e3;
        let ratio = c.ours.as_secs_f64() / c.theirs.as_secs_f64();
        println!(
            "{name:<12}{:>6}{:>7}{:>12.4}{:>12.3}{:>12.4}{:>14.0}{:>14.0}{ratio:>8.3}{most:>7.2}",
            c.count,
            c.wrong,
            ms(c.ours) / n,
            ms(c.worst),
            ms(c.theirs) / n,
            c.our_nodes as f64 / n,
            c.their_nodes as f64 / n
        );
        if c.wrong > 0 {
            missed.push(format!("{name}: {} scores are wrong", c.wrong));
        }
        if ratio > most {
            missed.push(format!(
                "{name}: {ratio:.3} of the other's time, more than {most}"
            ));
        }
    }
    for miss in &missed {
        eprintln!("missed: {miss}");
    }
    match missed.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// A game of 41 moves.
#[divan::bench]
fn moves() -> Board {
    board(black_box("44444436616161333253355222757"))
}

/// A decision of the reference's policy on the empty board.
#[divan::bench]
fn minimax() {
    black_box(Minimax::new(6, 0.2, false).decide(black_box(&Board::usual()), &Budget::default()));
}

/// An exact score in the middle of a game, nothing known before.
#[divan::bench]
fn perfect(bencher: Bencher) {
    let mut policy = Perfect::default();
    let board = board("273345523561");
    bencher.bench_local(|| {
        policy.forget();
        policy.score(black_box(&board), &Budget::default())
    });
}
