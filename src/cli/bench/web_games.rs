//! `kibitzer bench web-games`: many games of five in a row against the evaluator at once, over
//! connections that are kept, against a `kibitzer serve` of its own; once alone, and once while other
//! games search.

use std::process::ExitCode;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::missed::Missed;
use super::server::{Line, Server, ms_of};
use super::table::Table;
use crate::games::gomoku::rules::{Board, Rule, Square, action, parse_action};
use crate::types::{Cell, GridSize};

/// The longest that 99 of 100 replies may take, in ms.
const P99_MS: f64 = 100.0;
/// What is asked.
const PATH: &str = "/api/play/gomoku";
/// The board.
const SIZE: GridSize = GridSize::new(10, 10);
/// Games that search beside, in the second row.
const SEARCHES: usize = 4;

const EXAMPLES: &str = "\
Each game has a connection of its own and asks again at once: nobody thinks but the server.

Examples:
  kibitzer bench web-games
  kibitzer bench web-games --games 200 --prove";

/// Options of `kibitzer bench web-games`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..=2000))]
    games: u16,
    /// Games one after the other on each connection
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    rounds: u16,
    /// Seed of the moves against the evaluator
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Exit status 1 when the 99th percentile of a reply is 100 ms or more
    #[arg(long)]
    prove: bool,
}

/// What came of some games.
#[derive(Default)]
struct Tally {
    games: usize,
    won: usize,
    took: Vec<Duration>,
}

/// Plays games to their end on one connection; the first move is the person's.
fn play(line: &mut Line, rounds: u16, seed: u64) -> anyhow::Result<Tally> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut tally = Tally::default();
    for _ in 0..rounds {
        let mut board = Board::new(SIZE, Rule::FiveOrMore)?;
        let mut position = format!("{SIZE}:");
        while !board.is_over() {
            let cell = somewhere(&board, &mut random).context("an empty cell")?;
            board.play(cell)?;
            position += &format!(" {}", action(cell));
            let a = f64::from(random.random_range(5..=10u8)) / 10.0;
            let asked = json!({"position": position, "a": a});
            let (status, answer, took) = line.ask("POST", PATH, Some(&asked))?;
            let answer: Value = serde_json::from_slice(&answer)?;
            ensure!(status == 200, "{status}: {answer}");
            tally.took.push(took);
            if let Some(reply) = answer["move"].as_str() {
                board.play(parse_action(reply, SIZE).context("a move")?)?;
                position += &format!(" {reply}");
            }
            // Both sides must say the same of it.
            ensure!(answer["over"] == board.is_over(), "{position}: {answer}");
        }
        tally.games += 1;
        tally.won += usize::from(board.winner().is_some());
    }
    Ok(tally)
}

/// An empty cell beside a stone, as a person plays who has no plan.
fn somewhere(board: &Board, random: &mut ChaCha8Rng) -> Option<Cell> {
    let stone = |c: Cell| matches!(board.at(c), Square::Stone(_));
    let near = |c: Cell| {
        let cols = c.col.saturating_sub(1)..=c.col + 1;
        cols.flat_map(|x| (c.row.saturating_sub(1)..=c.row + 1).map(move |y| Cell::new(x, y)))
            .any(stone)
    };
    let empty = |c: &Cell| board.at(*c) == Square::Empty;
    let all: Vec<Cell> = SIZE.cells().filter(empty).collect();
    let beside: Vec<Cell> = all.iter().copied().filter(|&c| near(c)).collect();
    beside
        .choose(random)
        .or_else(|| all.choose(random))
        .copied()
}

/// All games at once, with so many searches beside them as long as they go on.
fn together(server: &Server, options: &Options, searches: usize) -> anyhow::Result<Tally> {
    let games = usize::from(options.games);
    let (gate, done) = (Barrier::new(games), AtomicBool::new(false));
    let mut whole = Tally::default();
    std::thread::scope(|scope| {
        for _ in 0..searches {
            scope.spawn(|| search(server, &done));
        }
        let playing: Vec<_> = (0..games)
            .map(|i| {
                let gate = &gate;
                scope.spawn(move || {
                    let line = Line::open(server.address());
                    // Also those wait that cannot play: the others wait for them.
                    gate.wait();
                    play(
                        &mut line?,
                        options.rounds,
                        options.seed.wrapping_add(i as u64),
                    )
                })
            })
            .collect();
        let mut failed = None;
        for thread in playing {
            match thread.join() {
                Ok(Ok(tally)) => {
                    whole.games += tally.games;
                    whole.won += tally.won;
                    whole.took.extend(tally.took);
                }
                Ok(Err(error)) => failed = Some(error),
                Err(_) => failed = Some(anyhow::anyhow!("a fault in the bench")),
            }
        }
        done.store(true, Ordering::Relaxed);
        failed.map_or(Ok(()), Err)
    })?;
    whole.took.sort_unstable();
    Ok(whole)
}

/// Searches again and again until the others are done. What is wrong with it shows in their times.
fn search(server: &Server, done: &AtomicBool) {
    let asked = json!({"position": "15x15:7,7 8,8 7,9", "policy": "search", "time_ms": 500});
    let Ok(mut line) = Line::open(server.address()) else {
        return;
    };
    while !done.load(Ordering::Relaxed) && line.ask("POST", PATH, Some(&asked)).is_ok() {}
}

/// Runs `kibitzer bench web-games`.
///
/// # Errors
/// When the server cannot be started, or answers wrongly.
pub fn run(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    let server = Server::start(&[], None)?;
    let mut table = Table::new(
        json,
        &[
            "beside", "at_once", "games", "won", "replies", "per_s", "p50_ms", "p99_ms", "max_ms",
        ],
    );
    let mut missed = Missed::default();
    for searches in [0, SEARCHES] {
        let began = Instant::now();
        let tally = together(&server, options, searches)?;
        let seconds = began.elapsed().as_secs_f64();
        if tally.took.is_empty() {
            bail!("no game was played");
        }
        let part = |share: f64| ms_of(&tally.took, share);
        let beside = match searches {
            0 => "nothing".to_owned(),
            n => format!("{n} searches"),
        };
        let p99 = part(0.99);
        missed.must(p99 < P99_MS, || {
            format!("beside {beside}: 99 of 100 replies within {p99:.1} ms, not {P99_MS}")
        });
        table.row(vec![
            json!(beside),
            json!(options.games),
            json!(tally.games),
            json!(tally.won),
            json!(tally.took.len()),
            json!(tally.took.len() as f64 / seconds),
            json!(part(0.5)),
            json!(p99),
            json!(part(1.0)),
        ]);
    }
    table.finish();
    Ok(missed.verdict(options.prove))
}
