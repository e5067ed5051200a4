//! `kibitzer bench flood`: how many moves the policies need and what they cost.
//!
//! Every solution is replayed by the rules before it counts.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::table::Table;
use crate::cli::cpu::thread_time;
use crate::games::flood::policies::{self, FloodPolicy};
use crate::games::flood::rules::{Board, SeededBoards, parse_position};
use crate::types::{Budget, Cell, GridSize, Stop};

/// Seed of the default boards, on which other programs' results are published.
const SEED: u64 = 0x0141_46C0_FFEE;
/// Moves allowed on 14x14 with six colours.
const LIMIT: usize = 25;

/// Figures of the set of 1000 seeded boards: what solvers that prove their solutions and an
/// independent greedy and 4-ply player need in all.
const SEEDED: Published = Published {
    optimal: 20107,
    lookahead: 22063,
    greedy: 26282,
};
/// Fewest moves on the 1000 boards of Programming Challenge 19.
const CHALLENGE_19: usize = 20086;
/// Games of 1000 that the reference's four moves ahead win within the limit, at least.
const WINS_OF_LOOKAHEAD: usize = 950;
/// Mean CPU time for a proven solution, in milliseconds, at most.
const MEAN_MS: f64 = 5.0;

struct Published {
    optimal: usize,
    lookahead: usize,
    greedy: usize,
}

/// Sets that are harder, with moves and CPU seconds published for a solver that proves its
/// solutions (1000 boards of its own of each kind).
const HARD: [(u16, u16, usize, f64, f64); 3] = [
    (14, 14, 8, 24.582, 118.0),
    (18, 18, 6, 24.837, 165.0),
    (12, 12, 12, 27.635, 181.0),
];

const EXAMPLES: &str = "\
Without --boards: 1000 boards of 14x14 with 6 colours from a fixed seed, the same everywhere.

Examples:
  kibitzer bench flood --prove
  kibitzer bench flood --boards pc19_tiles.txt --policy optimal
  kibitzer bench flood --hard --limit-boards 100";

/// Options of `kibitzer bench flood`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Files of boards, one a line, as for `kibitzer solve flood`
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "hard")]
    boards: Vec<PathBuf>,
    /// The first so many boards of each set
    #[arg(long, value_name = "N")]
    limit_boards: Option<usize>,
    /// Policies
    #[arg(long, value_name = "A,B", value_delimiter = ',', default_value = "optimal,lookahead,greedy",
          value_parser = clap::builder::PossibleValuesParser::new(policies::NAMES))]
    policy: Vec<String>,
    /// Three harder sets: more colours, larger boards (100 boards each unless told otherwise)
    #[arg(long)]
    hard: bool,
    /// Exit status 1 when a figure that must hold is missed
    #[arg(long)]
    prove: bool,
    /// Time for each decision, in milliseconds [default: as long as it takes]
    #[arg(long, value_name = "N")]
    time_ms: Option<u64>,
    /// Memory that `optimal` may use, in MB
    #[arg(long, value_name = "MB", default_value_t = policies::MEMORY >> 20)]
    memory: usize,
}

struct Set {
    name: String,
    boards: Vec<Board>,
    /// Mean moves and CPU milliseconds published for a solver that proves its solutions.
    published: Option<(f64, f64)>,
}

#[derive(Default)]
struct Figures {
    games: usize,
    moves: usize,
    wins: usize,
    proven: usize,
    nodes: u64,
    cpu: Duration,
    worst: Duration,
}

/// Runs `kibitzer bench flood`.
///
/// # Errors
/// When boards cannot be read or a solution is none.
pub fn run(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    let mut table = Table::new(
        json,
        &[
            "boards",
            "policy",
            "games",
            "moves",
            "mean",
            "within 25",
            "proven",
            "cpu ms",
            "worst ms",
            "nodes",
            "published moves",
            "published ms",
        ],
    );
    let mut missed = Vec::new();
    for set in sets(options)? {
        for name in &options.policy {
            let figures = measure(&set, name, options)?;
            if options.prove {
                missed.extend(misses(&set, name, &figures));
            }
            table.row(row(&set, name, &figures));
        }
    }
    table.finish();
    for miss in &missed {
        eprintln!("missed: {miss}");
    }
    Ok(if missed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn sets(options: &Options) -> anyhow::Result<Vec<Set>> {
    let limit = options.limit_boards.unwrap_or(usize::MAX);
    let seeded = |cols, rows, colours, count: usize, published| {
        let size = GridSize::new(cols, rows);
        Set {
            name: format!("{size}x{colours}"),
            boards: SeededBoards::new(SEED, size, colours).take(count).collect(),
            published,
        }
    };
    if options.hard {
        let count = options.limit_boards.unwrap_or(100);
        let sets = HARD.map(|(cols, rows, colours, moves, seconds)| {
            // Seconds for 1000 boards are milliseconds for one.
            seeded(cols, rows, colours, count, Some((moves, seconds)))
        });
        return Ok(sets.into());
    }
    if options.boards.is_empty() {
        return Ok(vec![seeded(14, 14, 6, limit.min(1000), None)]);
    }
    options.boards.iter().map(|p| read(p, limit)).collect()
}

fn read(path: &Path, limit: usize) -> anyhow::Result<Set> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| format!("{name} cannot be read"))?;
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty());
    let boards = lines.take(limit).map(|(i, line)| {
        let position = parse_position(line, i + 1, Cell::default());
        position.map(|p| p.board).with_context(|| name.clone())
    });
    let boards: Vec<Board> = boards.collect::<anyhow::Result<_>>()?;
    if boards.is_empty() {
        bail!("{name} has no boards: write one a line");
    }
    Ok(Set {
        name: path
            .file_stem()
            .map_or(name, |s| s.to_string_lossy().into()),
        boards,
        published: None,
    })
}

fn measure(set: &Set, name: &str, options: &Options) -> anyhow::Result<Figures> {
    let memory = options.memory.saturating_mul(1 << 20);
    let mut policy = policies::by_name(name, 4, memory)
        .with_context(|| format!("--policy {name}: there is no such policy"))?;
    let budget = Budget {
        time: options.time_ms.map(Duration::from_millis),
        nodes: None,
        seed: 0,
        stop: Stop::new(),
    };
    let mut figures = Figures::default();
    for (i, board) in set.boards.iter().enumerate() {
        let before = thread_time();
        let (moves, nodes, lower) = play(board, policy.as_mut(), &budget);
        let cpu = thread_time().saturating_sub(before);
        let checked = board.replay(&moves);
        checked.with_context(|| format!("{}, board {}: {name} is wrong", set.name, i + 1))?;
        figures.games += 1;
        figures.moves += moves.len();
        figures.wins += usize::from(moves.len() <= LIMIT);
        figures.proven += usize::from(moves.len() as u64 == u64::from(lower));
        figures.nodes += nodes;
        figures.cpu += cpu;
        figures.worst = figures.worst.max(cpu);
    }
    Ok(figures)
}

/// The moves to the end, positions visited, and how many moves are needed at least.
fn play(board: &Board, policy: &mut dyn FloodPolicy, budget: &Budget) -> (Vec<u8>, u64, u32) {
    let mut board = board.clone();
    let (mut moves, mut nodes, mut lower) = (Vec::new(), 0, None);
    while let Some(choice) = policy.decide(&board, budget) {
        board.flood(choice.colour);
        moves.push(choice.colour);
        nodes += choice.nodes;
        lower.get_or_insert(choice.lower_bound);
    }
    (moves, nodes, lower.unwrap_or(0))
}

fn mean(total: f64, figures: &Figures) -> f64 {
    total / figures.games.max(1) as f64
}

fn row(set: &Set, name: &str, f: &Figures) -> Vec<Value> {
    let published = |pick: fn((f64, f64)) -> f64| match set.published {
        Some(figures) if name == "optimal" => json!(pick(figures)),
        _ => json!("-"),
    };
    vec![
        json!(set.name),
        json!(name),
        json!(f.games),
        json!(f.moves),
        json!(mean(f.moves as f64, f)),
        json!(f.wins),
        json!(f.proven),
        json!(mean(f.cpu.as_secs_f64() * 1e3, f)),
        json!(f.worst.as_secs_f64() * 1e3),
        json!(mean(f.nodes as f64, f)),
        published(|p| p.0),
        published(|p| p.1),
    ]
}

/// Figures that must hold and do not.
fn misses(set: &Set, name: &str, f: &Figures) -> Vec<String> {
    let mut missed = Vec::new();
    let mut must = |holds: bool, text: String| {
        if !holds {
            missed.push(format!("{}, {name}: {text}", set.name));
        }
    };
    let whole = f.games == 1000;
    let seeded = whole && set.name == "14x14x6" || set.name == "rand14x14x6_1000";
    let total = match name {
        "optimal" if set.name == "pc19_tiles" => Some(CHALLENGE_19),
        "optimal" if seeded => Some(SEEDED.optimal),
        "lookahead" if seeded => Some(SEEDED.lookahead),
        "greedy" if seeded => Some(SEEDED.greedy),
        _ => None,
    };
    if let Some(wanted) = total.filter(|_| whole) {
        must(
            f.moves == wanted,
            format!("{} moves in all, not {wanted}", f.moves),
        );
    }
    let usual = set
        .boards
        .iter()
        .all(|b| b.size() == GridSize::new(14, 14) && b.colours() <= 6);
    if name == "optimal" {
        let unproven = f.games - f.proven;
        must(
            unproven == 0,
            format!("{unproven} solutions are not proven"),
        );
        let ms = mean(f.cpu.as_secs_f64() * 1e3, f);
        must(
            !usual || ms <= MEAN_MS,
            format!("{ms:.2} ms of CPU time a board, more than {MEAN_MS}"),
        );
    }
    if name == "lookahead" && usual {
        let wanted = WINS_OF_LOOKAHEAD * f.games / 1000;
        must(
            f.wins >= wanted,
            format!("{} wins within {LIMIT}, fewer than {wanted}", f.wins),
        );
    }
    missed
}
