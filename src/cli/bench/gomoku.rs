//! `kibitzer bench gomoku`: games against the reference's evaluator and against another program,
//! and a suite of tactical positions.
//!
//! Every move goes through the rules before it counts.

mod exhaustive;
mod games;
mod suite;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::json;

use super::missed::Missed;
use super::table::Table;
use crate::cli::solve::gomoku as arguments;
use crate::games::gomoku::duel;
use crate::games::gomoku::policies::USUAL;
use crate::games::gomoku::rules::Rule;
use crate::types::{Budget, GridSize};
use games::{Score, Wanted, play_match, seat};

/// Games of a match, and wins of it at least where wins are wanted.
const GAMES: usize = 20;
const WINS: usize = 18;
/// Sizes of boards against the evaluator: no game may be lost on any, and on these so many won.
const SIZES: [(u16, Wanted); 3] = [
    (10, Wanted::NoLoss),
    (15, Wanted::NoLossAndWins),
    (20, Wanted::NoLossAndWins),
];
/// Positions that the suite has at least.
const POSITIONS: usize = 60;
/// Time for a move: against the evaluator, against another program, in the suite.
const MS: [u64; 3] = [100, 1000, 1000];

const EXAMPLES: &str = "\
Sets:
  evaluator  20 games each on 10x10, 15x15 and 20x20 against the reference's evaluator
  suite      tactical positions: wins by fours, wins by threats, only defences
  figrid     20 games on 15x15 against pbrain-figrid, or the Piskvork program of --engine; install
             it with `cargo install figrid-board --version 1.2.0 --features embed-weights`
  all        these three; without the program the last is passed over

Games that the opponent loses by an illegal move, a crash or its time are forfeits: they are told with
the reason, and are no wins. Ours are losses.

Examples:
  kibitzer bench gomoku --set evaluator --prove
  kibitzer bench gomoku --check-suite
  kibitzer bench gomoku --set figrid --engine ~/.cargo/bin/pbrain-figrid --time-ms 1000";

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Set {
    Evaluator,
    Suite,
    Figrid,
    All,
}

/// Options of `kibitzer bench gomoku`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// What to measure
    #[arg(long, value_enum, default_value = "all")]
    set: Set,
    /// Who plays, with options as `NAME:key=value,...`
    #[arg(long, default_value = USUAL)]
    policy: String,
    /// A Piskvork program for the set `figrid`
    #[arg(long, value_name = "PATH", default_value = "pbrain-figrid")]
    engine: PathBuf,
    /// Games of each match
    #[arg(long, value_name = "N", default_value_t = GAMES)]
    games: usize,
    /// Time for a move, in milliseconds [default: 100 against the evaluator, else 1000]
    #[arg(long, value_name = "N", conflicts_with = "nodes")]
    time_ms: Option<u64>,
    /// Positions to visit for a move instead of a time: the same result on every machine
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// The board for the set `figrid`
    #[arg(long, default_value = "15x15", value_parser = arguments::size)]
    size: GridSize,
    /// Which rows win in the matches: five-or-more or exact
    #[arg(long, default_value = "five-or-more", value_parser = arguments::rule)]
    rule: Rule,
    /// Seed of the first opening
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Check the suite itself, by trying everything with nothing but the rules (minutes)
    #[arg(long)]
    check_suite: bool,
    /// Exit status 1 when a figure that must hold is missed
    #[arg(long)]
    prove: bool,
}

/// What a move may cost: `usual` milliseconds unless another limit is asked for.
fn budget(options: &Options, usual: u64) -> Budget {
    let ms = options.time_ms.unwrap_or(usual);
    Budget {
        time: options.nodes.is_none().then(|| Duration::from_millis(ms)),
        nodes: options.nodes,
        ..Budget::default()
    }
}

/// Runs `kibitzer bench gomoku`.
///
/// # Errors
/// When a policy is none, the suite is damaged, or the other program cannot be started.
pub fn run(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    let mut missed = Missed::default();
    if options.check_suite {
        missed.extend(exhaustive::check_all(&suite::positions()?, json)?);
    } else {
        let wanted = |set: Set| options.set == set || options.set == Set::All;
        if wanted(Set::Suite) {
            missed.extend(suite::measure(options, json)?);
        }
        if wanted(Set::Evaluator) || wanted(Set::Figrid) {
            matches(options, json, &mut missed)?;
        }
    }
    // The check of the suite is a proof in any case.
    Ok(missed.verdict(options.prove || options.check_suite))
}

/// The name of a program that speaks Piskvork, as one word whatever is in it.
fn piskvork(path: &str) -> String {
    format!("piskvork:'{}'", path.replace('\'', r"'\''"))
}

fn matches(options: &Options, json: bool, missed: &mut Missed) -> anyhow::Result<()> {
    let mut table = Table::new(
        json,
        &[
            "opponent", "board", "rule", "games", "wins", "draws", "losses", "forfeits", "ms",
            "worst ms",
        ],
    );
    let mut row = |opponent: &str, size: GridSize, ms: u64, score: &Score| {
        table.row(vec![
            json!(opponent),
            json!(size.to_string()),
            json!(options.rule.name()),
            json!(score.games()),
            json!(score.wins),
            json!(score.draws),
            json!(score.losses),
            json!(score.forfeits),
            json!(ms),
            json!(score.worst.as_secs_f64() * 1e3),
        ]);
    };
    if matches!(options.set, Set::Evaluator | Set::All) {
        let (ms, budget) = (options.time_ms.unwrap_or(MS[0]), budget(options, MS[0]));
        for (side, wanted) in SIZES {
            let size = GridSize::new(side, side);
            let (mut own, mut other) = (seat(&options.policy)?, seat("evaluator")?);
            let score = play_match(&mut own, &mut other, size, options, &budget)?;
            row("evaluator", size, ms, &score);
            missed.extend(score.misses("evaluator", size, wanted));
        }
    }
    if matches!(options.set, Set::Figrid | Set::All) {
        let (ms, budget) = (options.time_ms.unwrap_or(MS[1]), budget(options, MS[1]));
        let name = options.engine.display().to_string();
        let (mut own, mut other) = (seat(&options.policy)?, seat(&piskvork(&name))?);
        let game = duel(options.size, options.rule)?;
        match other.prepare(game.as_ref(), &budget) {
            Ok(()) => {
                let score = play_match(&mut own, &mut other, options.size, options, &budget)?;
                row(&name, options.size, ms, &score);
                missed.extend(score.misses(&name, options.size, Wanted::Wins));
            }
            Err(error) if options.set == Set::All => eprintln!("skipped: set figrid: {error}"),
            Err(error) => return Err(error.into()),
        }
    }
    table.finish();
    Ok(())
}
