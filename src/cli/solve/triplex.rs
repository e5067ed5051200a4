//! `kibitzer solve triplex`

use std::process::ExitCode;

use serde::Serialize;

use super::{Bad, Limits, chosen, each_line};
use crate::brains::external;
use crate::cli::cpu::thread_time;
use crate::games::triplex::policies::{self, TriplexPolicy};
use crate::games::triplex::rules::{Entry, Placement, Tiling, parse_line};
use crate::types::Budget;

const EXAMPLES: &str = "\
Levels, one a line: `triplex1 FIELD FIGURE...`. The field is WxH, or its rows joined by `/` with `.`
where it is free and letters where pieces lie. A figure is its rows joined by `/`, 1 to 5 squares
`x`, with `N*` before it if there are several; one may be written with `o`: it may be turned and
mirrored. A solution after `=` is checked; a comment after `;` is passed over, and so are blank lines.

Examples:
  $ echo 'triplex1 3x2 2*xx x/x' | kibitzer solve triplex --all
  {\"move\":\"xx@0,0\",\"score\":1.0,...,\"solutions\":2,\"unique\":false,...}
  $ kibitzer levels triplex 6x6 | kibitzer solve triplex

`move` is the first figure of the solution, with the column and row of its box from 0,0. A line
that is no level gives {\"error\":\"...\",\"line\":N} and, at the end, exit status 1.";

/// Solutions that are listed unless a limit is given: a large field of dominoes has more than any
/// memory holds.
const MOST: u64 = 1_000_000;

/// Options of `kibitzer solve triplex`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Who solves: exact or reading, or another program, which gives one solution: jsonl:COMMAND
    #[arg(long, default_value = policies::USUAL)]
    policy: String,
    /// Who solves what another program does not
    #[arg(long, value_name = "POLICY", default_value = policies::USUAL)]
    fallback: String,
    /// Find and list all solutions, not just whether there are two
    #[arg(long)]
    all: bool,
    /// Stop after so many solutions [default: 2, or 1000000 with --all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    #[command(flatten)]
    limits: Limits,
}

/// One line of the answer.
#[derive(Debug, Serialize)]
struct Answer {
    /// The first figure of the solution and where its box begins; none if none was found.
    r#move: Option<String>,
    /// 1 if a solution was found, else 0.
    score: f64,
    nodes: u64,
    /// CPU time of this thread.
    micros: u64,
    /// Solutions found; there are no more if `complete`.
    solutions: u64,
    complete: bool,
    /// Whether there is exactly one; null if the search was cut short before that was known.
    unique: Option<bool>,
    /// Figures laid down in the search.
    iterations: u64,
    /// The first solution, row by row.
    solution: Option<Vec<String>>,
    /// All of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<Vec<Vec<String>>>,
}

/// Runs `kibitzer solve triplex`.
///
/// # Errors
/// When there is no such policy, stdin cannot be read or stdout not be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut policy = chosen(
        &options.policy,
        &options.fallback,
        |name| Ok(policies::by_name(name)?),
        external::triplex,
    )?;
    let budget = options.limits.budget();
    each_line(|line, number| match parse_line(line, number) {
        Ok(entry) => Ok(solve(&entry, policy.as_mut(), &budget, options)),
        Err(error) => Err(Bad {
            error: error.to_string(),
            line: error.line,
        }),
    })
}

fn solve(
    entry: &Entry,
    policy: &mut dyn TriplexPolicy,
    budget: &Budget,
    options: &Options,
) -> Answer {
    let limit = match (options.limit, options.all) {
        (Some(n), _) => n,
        (None, true) => MOST,
        (None, false) => 2,
    };
    let before = thread_time();
    let mut kept: Vec<Tiling> = Vec::new();
    let mut count = 0;
    let outcome = policy.solve(&entry.level, budget, &mut |tiling| {
        count += 1;
        if options.all || kept.is_empty() {
            kept.push(tiling);
        }
        count < limit
    });
    let micros = (thread_time() - before).as_micros();
    let rows = |tiling: &Tiling| -> Vec<String> {
        let text = tiling.text(entry.level.field());
        text.rows().map(str::to_owned).collect()
    };
    let first = kept.first();
    Answer {
        r#move: first.and_then(|t| t.placements().first()).map(shown),
        score: if first.is_some() { 1.0 } else { 0.0 },
        nodes: outcome.iterations,
        micros: u64::try_from(micros).unwrap_or(u64::MAX),
        solutions: outcome.solutions,
        complete: outcome.complete,
        unique: outcome.unique(),
        iterations: outcome.iterations,
        solution: first.map(rows),
        all: options.all.then(|| kept.iter().map(rows).collect()),
    }
}

fn shown(placement: &Placement) -> String {
    let at = placement.at;
    format!("{}@{},{}", placement.figure, at.col, at.row)
}
