//! `kibitzer bench flood`: how many moves the policies need and what they cost.
//!
//! Every solution is replayed by the rules before it counts.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::memory;
use super::missed::Missed;
use super::table::Table;
use crate::cli::cpu::thread_time;
use crate::cli::solve::flood::{Start, centred, start};
use crate::games::flood::policies::{self, FloodPolicy};
use crate::games::flood::rules::{Board, SeededBoards};
use crate::types::{Budget, GridSize};

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

/// A harder set, with figures published for solvers that prove their solutions, on boards of
/// their own.
struct Hard {
    cols: u16,
    rows: u16,
    colours: usize,
    centre: bool,
    /// Mean moves.
    moves: f64,
    /// Mean CPU milliseconds, where published.
    ms: Option<f64>,
}

/// The last is the kind of the challenge of 100,000 boards, whose fewest moves are 1,985,078: a
/// move is every change of the centre's colour.
const HARD: [Hard; 4] = [
    hard(14, 14, 8, 24.582, Some(118.0)),
    hard(18, 18, 6, 24.837, Some(165.0)),
    hard(12, 12, 12, 27.635, Some(181.0)),
    Hard {
        centre: true,
        ..hard(19, 19, 6, 19.850_78, None)
    },
];

const fn hard(cols: u16, rows: u16, colours: usize, moves: f64, ms: Option<f64>) -> Hard {
    Hard {
        cols,
        rows,
        colours,
        centre: false,
        moves,
        ms,
    }
}

/// How far the mean of 100 boards may be from the published one: their moves spread by little more
/// than 1, so that this is about four times the error of the mean.
const MEAN_WITHIN: f64 = 0.5;
/// What the process may take beside the memory given to a policy, in MB.
const BESIDE_MB: f64 = 100.0;
/// Positions of the bounded runs, their memory in MB, and how many moves more than proven ones they
/// may need in the mean.
const BOUNDED: (u64, usize, f64) = (5000, 8, 1.0);

const EXAMPLES: &str = "\
Without --boards: 1000 boards of 14x14 with 6 colours from a fixed seed, the same everywhere.
Boards in a file are a line each, or as many lines as a board has rows with blank lines between.
With --hard there are runs of `optimal` with little time and memory as well: it always answers.

Examples:
  kibitzer bench flood --prove
  kibitzer bench flood --boards pc19_tiles.txt --policy optimal
  kibitzer bench flood --boards floodtest.txt --start centre --policy optimal
  kibitzer bench flood --hard --prove";

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
    /// Where boards of files start: COL,ROW or `centre`
    #[arg(long, value_name = "COL,ROW", default_value = "0,0", value_parser = start)]
    start: Start,
    /// Harder sets: more colours, larger boards, start in the centre (100 boards each unless told
    /// otherwise)
    #[arg(long)]
    hard: bool,
    /// Seed of the harder sets
    #[arg(long, value_name = "N", default_value_t = SEED, requires = "hard")]
    seed: u64,
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
    published: Option<(f64, Option<f64>)>,
}

/// A policy as it is measured.
struct Run<'a> {
    policy: &'a str,
    label: String,
    nodes: Option<u64>,
    /// In MB.
    memory: usize,
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
    /// Peak memory of the process, and what it held before, in MB.
    peak: f64,
    before: f64,
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
            "peak MB",
            "published moves",
            "published ms",
        ],
    );
    let mut missed = Missed::default();
    for set in sets(options)? {
        let mut best = None;
        for run in runs(options) {
            let figures = measure(&set, &run, options)?;
            missed.extend(misses(&set, &run, &figures, best, options));
            if run.policy == "optimal" && run.nodes.is_none() {
                best.get_or_insert_with(|| mean(figures.moves as f64, &figures));
            }
            table.row(row(&set, &run, &figures));
        }
    }
    table.finish();
    Ok(missed.verdict(options.prove))
}

/// The policies asked for, and with harder sets `optimal` held short.
fn runs(options: &Options) -> Vec<Run<'_>> {
    let whole = options.policy.iter().map(|name| Run {
        policy: name,
        label: name.clone(),
        nodes: None,
        memory: options.memory,
    });
    let mut runs: Vec<Run> = whole.collect();
    if options.hard && options.policy.iter().any(|n| n == "optimal") {
        let (nodes, memory, _) = BOUNDED;
        runs.push(Run {
            policy: "optimal",
            label: format!("optimal, {nodes} positions"),
            nodes: Some(nodes),
            memory: options.memory,
        });
        runs.push(Run {
            policy: "optimal",
            label: format!("optimal, {memory} MB"),
            nodes: None,
            memory,
        });
    }
    runs
}

fn sets(options: &Options) -> anyhow::Result<Vec<Set>> {
    let limit = options.limit_boards.unwrap_or(usize::MAX);
    let seeded = |seed, cols, rows, colours, count: usize, published| {
        let size = GridSize::new(cols, rows);
        Set {
            name: format!("{size}x{colours}"),
            boards: SeededBoards::new(seed, size, colours).take(count).collect(),
            published,
        }
    };
    if options.hard {
        let count = options.limit_boards.unwrap_or(100);
        let sets = HARD.map(|h| {
            let published = Some((h.moves, h.ms));
            let mut set = seeded(options.seed, h.cols, h.rows, h.colours, count, published);
            if h.centre {
                set.name += " centre";
                set.boards = set.boards.into_iter().map(centred).collect();
            }
            set
        });
        return Ok(sets.into());
    }
    if options.boards.is_empty() {
        return Ok(vec![seeded(SEED, 14, 14, 6, limit.min(1000), None)]);
    }
    anyhow::ensure!(
        options.start != Start::Any,
        "--start any: a bench needs one start"
    );
    let sets = options.boards.iter().map(|p| read(p, limit, options.start));
    sets.collect()
}

fn read(path: &Path, limit: usize, start: Start) -> anyhow::Result<Set> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| format!("{name} cannot be read"))?;
    let boards = lines(&text).into_iter().take(limit).map(|(number, line)| {
        let position = start.position(&line, number);
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

/// The boards of a text, each in a line, with the number of its first line. As many lines of
/// digits as each has digits, between blank lines, are one square board.
fn lines(text: &str) -> Vec<(usize, String)> {
    let all: Vec<String> = text
        .lines()
        .map(|l| l.split_whitespace().collect::<String>())
        .collect();
    let mut boards = Vec::new();
    let mut at = 0;
    for group in all.split(|l| l.is_empty()) {
        let side = group.len();
        if side > 1 && group.iter().all(|l| l.len() == side) {
            boards.push((at + 1, group.concat()));
        } else {
            let each = group.iter().enumerate();
            boards.extend(each.map(|(i, l)| (at + i + 1, l.clone())));
        }
        at += side + 1;
    }
    boards
}

fn measure(set: &Set, run: &Run, options: &Options) -> anyhow::Result<Figures> {
    let name = run.policy;
    let memory = run.memory.saturating_mul(1 << 20);
    memory::forget_peak();
    let mut policy = policies::by_name(name, policies::DEPTH, memory)
        .with_context(|| format!("--policy {name}: there is no such policy"))?;
    let budget = Budget {
        time: options.time_ms.map(Duration::from_millis),
        nodes: run.nodes,
        ..Budget::default()
    };
    let mut figures = Figures {
        before: memory::peak_megabytes(),
        ..Figures::default()
    };
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
    figures.peak = memory::peak_megabytes();
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

fn row(set: &Set, run: &Run, f: &Figures) -> Vec<Value> {
    let figures = set.published.filter(|_| run.label == "optimal");
    let published = |figure: Option<f64>| figure.map_or(json!("-"), |v| json!(v));
    vec![
        json!(set.name),
        json!(run.label),
        json!(f.games),
        json!(f.moves),
        json!(mean(f.moves as f64, f)),
        json!(f.wins),
        json!(f.proven),
        json!(mean(f.cpu.as_secs_f64() * 1e3, f)),
        json!(f.worst.as_secs_f64() * 1e3),
        json!(mean(f.nodes as f64, f)),
        json!(f.peak),
        published(figures.map(|p| p.0)),
        published(figures.and_then(|p| p.1)),
    ]
}

/// Figures that must hold and do not.
fn misses(set: &Set, run: &Run, f: &Figures, best: Option<f64>, options: &Options) -> Missed {
    let name = run.policy;
    let mut missed = Missed::default();
    let mut must = |holds: bool, text: String| {
        missed.must(holds, || format!("{}, {}: {text}", set.name, run.label));
    };
    let most = f.before + run.memory as f64 * 1.048_576 + BESIDE_MB;
    must(
        f.peak <= most,
        format!("{:.0} MB of memory, more than {most:.0}", f.peak),
    );
    if run.label != name {
        // Held short: every board was solved, or measuring had failed; but in how many moves?
        let moves = mean(f.moves as f64, f);
        let wanted = best.map_or(f64::MAX, |b| b + BOUNDED.2);
        must(
            moves <= wanted,
            format!("{moves:.2} moves in the mean, more than {wanted:.2}"),
        );
        return missed;
    }
    if let Some((moves, ms)) = set.published.filter(|_| name == "optimal") {
        let found = mean(f.moves as f64, f);
        must(
            (found - moves).abs() <= MEAN_WITHIN || f.games < 100,
            format!("{found:.2} moves in the mean, not about {moves:.2}"),
        );
        let cpu = mean(f.cpu.as_secs_f64() * 1e3, f);
        let most = ms.unwrap_or(f64::MAX);
        must(
            cpu < most,
            format!("{cpu:.1} ms of CPU time a board, not below {most}"),
        );
    }
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
            unproven == 0 || options.time_ms.is_some(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_lines_or_squares_of_lines() {
        let text = "012012012\n\n0 1\n1 0\n\n3x1:012\n001/110\n";
        let boards = lines(text);
        let wanted = [
            (1, "012012012"),
            (3, "0110"),
            (6, "3x1:012"),
            (7, "001/110"),
        ];
        let wanted = wanted.map(|(n, l)| (n, l.to_owned()));
        assert_eq!(boards, wanted);
    }
}
