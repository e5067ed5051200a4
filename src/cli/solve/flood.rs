//! `kibitzer solve flood`

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use serde::Serialize;

use super::{Bad, each_line};
use crate::brains::external;
use crate::cli::cpu::thread_time;
use crate::cli::logging;
use crate::games::flood::policies::{self, FloodPolicy};
use crate::games::flood::rules::{Position, parse_position};
use crate::types::{Budget, Cell, Stop};

const EXAMPLES: &str = "\
Positions, one a line: DIGITS (a square board, row by row), WxH:DIGITS, or rows joined by `/`;
a digit is 0-9 or a-z and stands for a colour; `,LIMIT` may follow and blank lines are passed over.

Example:
  $ echo '4x3:001201220110' | kibitzer solve flood
  {\"move\":\"1\",\"moves\":\"102\",\"length\":3,\"score\":-3.0,...}

A line that is no position gives {\"error\":\"...\",\"line\":N} and, at the end, exit status 1.";

/// Options of `kibitzer solve flood`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Who solves: optimal, lookahead or greedy (--list shows their options), or jsonl:COMMAND
    #[arg(long, value_name = "POLICY", default_value = "optimal")]
    policy: String,
    /// Who makes the moves that another program does not
    #[arg(long, value_name = "POLICY", default_value = "optimal")]
    fallback: String,
    /// Moves that `lookahead` looks ahead
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=12))]
    depth: u32,
    /// The cell whose region is flooded, counted from 0,0 at the top left
    #[arg(long, value_name = "COL,ROW", default_value = "0,0", value_parser = cell)]
    start: Cell,
    /// Time for each decision, in milliseconds [default: as long as it takes]
    #[arg(long, value_name = "N")]
    time_ms: Option<u64>,
    /// Positions to visit for each decision [default: any number]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Memory that `optimal` may use, in MB; without proof in it, the best plan found is given
    #[arg(long, value_name = "MB", default_value_t = policies::MEMORY >> 20)]
    memory: usize,
    /// Seed of random choices (none of the policies makes any)
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

fn cell(text: &str) -> Result<Cell, String> {
    let parsed = text
        .split_once(',')
        .and_then(|(c, r)| Some(Cell::new(c.trim().parse().ok()?, r.trim().parse().ok()?)));
    parsed.ok_or_else(|| "write COL,ROW, for instance 0,0".to_owned())
}

/// One line of the answer.
#[derive(Debug, Serialize)]
struct Answer {
    /// The first colour to play, in the position's own symbols; none if it is solved.
    r#move: Option<char>,
    moves: String,
    length: usize,
    score: f64,
    nodes: u64,
    /// CPU time of this thread.
    micros: u64,
    optimal: bool,
    lower_bound: u32,
}

/// Runs `kibitzer solve flood`.
///
/// # Errors
/// When stdin cannot be read or stdout not be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let memory = options.memory.saturating_mul(1 << 20);
    let ours = |name: &str| policies::by_spec(name, options.depth, memory);
    let mut policy = if external::is_external(&options.policy) {
        logging::warnings();
        let fallback = ours(&options.fallback).context("--fallback")?;
        external::flood(&options.policy, fallback).context("--policy")?
    } else {
        ours(&options.policy).context("--policy")?
    };
    let budget = Budget {
        time: options.time_ms.map(Duration::from_millis),
        nodes: options.nodes,
        seed: options.seed,
        stop: Stop::new(),
    };
    each_line(
        |line, number| match parse_position(line, number, options.start) {
            Ok(position) => Ok(solve(&position, policy.as_mut(), &budget)),
            Err(error) => Err(Bad {
                error: error.to_string(),
                line: error.line,
            }),
        },
    )
}

/// Plays to the end, by the plan if the policy has one, else move by move.
fn solve(position: &Position, policy: &mut dyn FloodPolicy, budget: &Budget) -> Answer {
    let before = thread_time();
    let mut board = position.board.clone();
    let mut moves = Vec::new();
    let (mut first, mut nodes) = (None, 0);
    while let Some(choice) = policy.decide(&board, budget) {
        nodes += choice.nodes;
        let plan = choice.plan.clone().unwrap_or_else(|| vec![choice.colour]);
        first.get_or_insert(choice);
        for colour in plan {
            board.flood(colour);
            moves.push(colour);
        }
    }
    let micros = (thread_time() - before).as_micros();
    let lower_bound = first.as_ref().map_or(0, |c| c.lower_bound);
    Answer {
        r#move: moves.first().map(|&c| position.symbol(c)),
        moves: moves.iter().map(|&c| position.symbol(c)).collect(),
        length: moves.len(),
        score: first.map_or(0.0, |c| c.score),
        nodes,
        micros: u64::try_from(micros).unwrap_or(u64::MAX),
        optimal: moves.len() as u64 == u64::from(lower_bound),
        lower_bound,
    }
}
