//! `kibitzer bench connect4`: exact scores of positions, checked, and what they cost.
//!
//! How it compares with another solver in one run is `cargo bench --bench connect4 -- --prove`,
//! since the other is no part of the program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use serde_json::{Value, json};

use super::missed::Missed;
use super::table::Table;
use crate::cli::cpu::thread_time;
use crate::games::connect4::policies::{
    Bounds, Connect4Policy as _, MEMORY, Perfect, book, score_of_win,
};
use crate::games::connect4::rules::{Board, parse_position};
use crate::types::Budget;

/// Seed of the random positions.
const SEED: u64 = 0xC044_EC74;
/// Discs of the random positions, and how many there are of each.
const RANDOM: [usize; 9] = [2, 4, 6, 8, 10, 12, 16, 20, 24];
const RANDOM_COUNT: usize = 30;
/// CPU time of the empty board without a book, at most.
const EMPTY_S: f64 = 60.0;
/// CPU time of a position's best move with the book: at most, and the median over all positions of
/// a run.
const BOOK_MS: f64 = 500.0;
const BOOK_MEDIAN_MS: f64 = 10.0;

const EXAMPLES: &str = "\
Positions are lines of `MOVES SCORE`, the columns played from 1 and the exact score. Without
--positions: 30 seeded random positions of 2, 4, ... 24 discs each, their scores unknown.

Examples:
  kibitzer bench connect4 --book none --empty
  kibitzer bench connect4 --positions Test_L2_R2 Test_L1_R1 --book none --prove
  kibitzer bench connect4 --positions Test_* --moves --prove";

/// Options of `kibitzer bench connect4`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Files of positions and their scores
    #[arg(long, value_name = "FILE", num_args = 1..)]
    positions: Vec<PathBuf>,
    /// The first so many of each file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Look for the best move too, and check that it has the score
    #[arg(long)]
    moves: bool,
    /// Also the empty board
    #[arg(long)]
    empty: bool,
    /// Opening book: own or none
    #[arg(long, value_name = "BOOK", default_value = "own", value_parser = ["own", "none"])]
    book: String,
    /// Keep what is found from one position to the next
    #[arg(long)]
    keep: bool,
    /// Memory of the table, in MB
    #[arg(long, value_name = "MB", default_value_t = (MEMORY >> 20) as u32, value_parser = clap::value_parser!(u32).range(1..=65536))]
    memory: u32,
    /// Exit status 1 when a figure that must hold is missed
    #[arg(long)]
    prove: bool,
}

struct Set {
    name: String,
    /// Positions, with their scores if they are known.
    positions: Vec<(Board, Option<i32>)>,
}

#[derive(Default)]
struct Figures {
    wrong: usize,
    nodes: u64,
    times: Vec<Duration>,
}

/// Runs `kibitzer bench connect4`.
///
/// # Errors
/// When positions cannot be read.
pub fn run(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    let mut table = Table::new(
        json,
        &[
            "positions",
            "count",
            "wrong",
            "mean ms",
            "median ms",
            "p99 ms",
            "max ms",
            "nodes",
        ],
    );
    let mut policy = Perfect::new((options.memory as usize) << 20);
    if options.book == "own" {
        policy = policy.with_book(book::own());
    }
    let (mut missed, mut all) = (Missed::default(), Vec::new());
    for set in sets(options)? {
        let mut figures = measure(&set, &mut policy, options)?;
        figures.times.sort_unstable();
        missed.extend(misses(&set, &figures, options));
        table.row(row(&set, &figures));
        all.append(&mut figures.times);
    }
    table.finish();
    all.sort_unstable();
    let median = share(&all, 0.5);
    missed.must(options.book != "own" || median <= BOOK_MEDIAN_MS, || {
        format!("median {median:.1} ms of CPU time, more than {BOOK_MEDIAN_MS}")
    });
    Ok(missed.verdict(options.prove))
}

fn sets(options: &Options) -> anyhow::Result<Vec<Set>> {
    let limit = options.limit.map_or(usize::MAX, |n| n as usize);
    let mut sets: Vec<Set> = match options.positions.as_slice() {
        [] => RANDOM
            .map(|discs| random(discs, RANDOM_COUNT.min(limit)))
            .into(),
        files => files
            .iter()
            .map(|f| read(f, limit))
            .collect::<anyhow::Result<_>>()?,
    };
    if options.empty {
        sets.push(Set {
            name: "empty".to_owned(),
            positions: vec![(Board::usual(), Some(1))],
        });
    }
    Ok(sets)
}

fn read(path: &Path, limit: usize) -> anyhow::Result<Set> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| format!("{name} cannot be read"))?;
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty());
    let positions = lines.take(limit).map(|(i, line)| {
        position(line).map_err(|e| anyhow!("{name}, line {}: {e}: write MOVES SCORE", i + 1))
    });
    let positions: Vec<_> = positions.collect::<anyhow::Result<_>>()?;
    if positions.is_empty() {
        bail!("{name} has no positions: write MOVES SCORE, one a line");
    }
    Ok(Set {
        name: path
            .file_name()
            .map_or(name, |s| s.to_string_lossy().into()),
        positions,
    })
}

/// A position that is not over, and its score.
fn position(line: &str) -> Result<(Board, Option<i32>), String> {
    let (moves, score) = line.trim().split_once(' ').ok_or("one word alone")?;
    let board = parse_position(moves).map_err(|e| e.to_string())?;
    if board.is_over() {
        return Err("the game is over".to_owned());
    }
    let score = score.trim();
    let number = score.parse().map_err(|_| format!("`{score}` is no score"));
    Ok((board, Some(number?)))
}

/// Random moves, none of which wins; nobody can win at once in the end.
fn random(discs: usize, count: usize) -> Set {
    let mut random = ChaCha8Rng::seed_from_u64(SEED + discs as u64);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut board = Board::usual();
        while board.discs() < discs && !board.is_over() {
            let legal: Vec<usize> = board.legal().collect();
            let col = legal[random.random_range(0..legal.len())];
            if board.play(col).is_err() {
                break;
            }
        }
        if !board.is_over() && board.legal().all(|c| !board.wins(c)) {
            positions.push((board, None));
        }
    }
    Set {
        name: format!("random, {discs} discs"),
        positions,
    }
}

fn measure(set: &Set, policy: &mut Perfect, options: &Options) -> anyhow::Result<Figures> {
    let budget = Budget::default();
    let mut figures = Figures::default();
    for (board, wanted) in &set.positions {
        if !options.keep {
            policy.forget();
        }
        let before = thread_time();
        let (bounds, nodes, column) = match options.moves {
            false => {
                let (bounds, nodes) = policy.score(board, &budget);
                (Some(bounds), nodes, None)
            }
            true => {
                let choice = policy.decide(board, &budget);
                let choice = choice.context("a position is over: there is no move")?;
                (choice.bounds, choice.nodes, Some(choice.column))
            }
        };
        figures.times.push(thread_time().saturating_sub(before));
        figures.nodes += nodes;
        let score = bounds.and_then(Bounds::exact);
        let mut right = score.is_some() && wanted.is_none_or(|w| Some(w) == score);
        if let (Some(column), Some(score)) = (column, score) {
            right &= reaches(policy, board, column, score, &budget);
        }
        figures.wrong += usize::from(!right);
    }
    Ok(figures)
}

/// Whether a move reaches a score.
fn reaches(
    policy: &mut Perfect,
    board: &Board,
    column: usize,
    score: i32,
    budget: &Budget,
) -> bool {
    let mut next = board.clone();
    if next.play(column).is_err() {
        return false;
    }
    match next.winner() {
        Some(_) => score == score_of_win(board.size().len(), board.discs()),
        None if next.is_over() => score == 0,
        None => policy.score(&next, budget).0.exact() == Some(-score),
    }
}

/// A share of the sorted times, in milliseconds.
fn share(times: &[Duration], share: f64) -> f64 {
    let at = (times.len() as f64 * share) as usize;
    let time = times.get(at.min(times.len().saturating_sub(1)));
    time.map_or(0.0, |t| t.as_secs_f64() * 1e3)
}

fn row(set: &Set, f: &Figures) -> Vec<Value> {
    let count = f.times.len().max(1) as f64;
    let total: Duration = f.times.iter().sum();
    vec![
        json!(set.name),
        json!(f.times.len()),
        json!(f.wrong),
        json!(total.as_secs_f64() * 1e3 / count),
        json!(share(&f.times, 0.5)),
        json!(share(&f.times, 0.99)),
        json!(share(&f.times, 1.0)),
        json!(f.nodes as f64 / count),
    ]
}

/// Figures that must hold and do not.
fn misses(set: &Set, f: &Figures, options: &Options) -> Missed {
    let mut missed = Missed::default();
    let mut must = |holds: bool, text: String| {
        missed.must(holds, || format!("{}: {text}", set.name));
    };
    must(f.wrong == 0, format!("{} scores are wrong", f.wrong));
    let most = share(&f.times, 1.0);
    if options.book == "own" {
        must(
            most <= BOOK_MS,
            format!("{most:.0} ms of CPU time for one, more than {BOOK_MS}"),
        );
    } else if set.name == "empty" {
        must(
            most <= EMPTY_S * 1e3,
            format!("{:.1} s of CPU time, more than {EMPTY_S}", most / 1e3),
        );
    }
    missed
}
