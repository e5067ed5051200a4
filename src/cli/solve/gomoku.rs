//! `kibitzer solve gomoku`

use std::process::ExitCode;
use std::time::Duration;

use serde::Serialize;

use super::{Bad, Limits, chosen, each_line};
use crate::brains::external;
use crate::cli::cpu::thread_time;
use crate::games::gomoku::policies::{self, GomokuPolicy, Proof};
use crate::games::gomoku::rules::{self, Board, Rule};
use crate::types::{Budget, GridSize};

const TIME: &str = "Time for each answer, in milliseconds [default: 1000, unless --nodes is given]";

const EXAMPLES: &str = "\
Positions, one a line: moves from the empty board (`7,7 8,8` from 0,0 at the top left, or `h8 i7`
with rows from the bottom), or rows of `.`, `X`, `O` joined by `/`, after which ` X` or ` O` may say
who is to move; `WxH:` may come first; blank lines are passed over.

Examples:
  $ echo '7,7 8,8 7,9' | kibitzer solve gomoku --time-ms 500
  {\"move\":\"7,8\",\"score\":-12.0,\"nodes\":...}
  $ kibitzer solve gomoku --size 20 --rule exact --policy evaluator:a=0.5 < positions.txt

With --nodes and one thread the answers are repeatable. A line that is no position gives
{\"error\":\"...\",\"line\":N} and, at the end, exit status 1.";

/// A move may take so long when nobody says anything: this game is not solved to its end.
const USUAL: Duration = Duration::from_secs(1);

/// Options of `kibitzer solve gomoku`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, mut_arg("time_ms", |a| a.help(TIME)))]
pub struct Options {
    /// Who decides: `search` or `evaluator`, with options as `NAME:key=value,...`, or another
    /// program: piskvork:COMMAND or jsonl:COMMAND
    #[arg(long, default_value = policies::USUAL)]
    policy: String,
    /// Who decides when another program does not
    #[arg(long, value_name = "POLICY", default_value = policies::USUAL)]
    fallback: String,
    #[command(flatten)]
    limits: Limits,
    /// Which rows win: five-or-more or exact
    #[arg(long, default_value = "five-or-more", value_parser = rule)]
    rule: Rule,
    /// Columns and rows of the board, for lines that do not say: `15` or `15x15`
    #[arg(long, default_value = "15x15", value_parser = size)]
    size: GridSize,
}

pub(in crate::cli) fn rule(text: &str) -> Result<Rule, String> {
    Rule::by_name(text).ok_or_else(|| "write five-or-more or exact".to_owned())
}

pub(in crate::cli) fn size(text: &str) -> Result<GridSize, String> {
    let size = rules::parse_size(text).ok_or("write for instance 15 or 15x15")?;
    Board::new(size, Rule::default())
        .map(|b| b.size())
        .map_err(|e| e.to_string())
}

/// One line of the answer.
#[derive(Debug, Serialize)]
struct Answer {
    /// None if the game is over.
    r#move: Option<String>,
    score: f64,
    nodes: u64,
    /// CPU time of this thread.
    micros: u64,
    depth: u32,
    /// The moves expected, this one first.
    pv: String,
    /// Whether it is proven that this move wins.
    win: bool,
    /// Stones until the proven end (both sides' counted), if one is proven.
    stones: Option<u32>,
    /// Whether it is proven that the side to move loses.
    loss: bool,
}

/// Runs `kibitzer solve gomoku`.
///
/// # Errors
/// When the policy is none, stdin cannot be read or stdout not be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut policy = chosen(
        &options.policy,
        &options.fallback,
        |name| Ok(policies::by_name(name)?),
        |name, fallback| external::gomoku(name, None, fallback),
    )?;
    let mut budget = options.limits.budget();
    if budget.nodes.is_none() {
        budget.time.get_or_insert(USUAL);
    }
    each_line(|line, number| {
        match rules::parse_position(line, number, options.size, options.rule) {
            Ok(board) => Ok(solve(&board, policy.as_mut(), &budget)),
            Err(error) => Err(Bad {
                error: error.to_string(),
                line: error.line,
            }),
        }
    })
}

fn solve(board: &Board, policy: &mut dyn GomokuPolicy, budget: &Budget) -> Answer {
    let before = thread_time();
    let choice = policy.decide(board, budget);
    let micros = (thread_time() - before).as_micros();
    let micros = u64::try_from(micros).unwrap_or(u64::MAX);
    let (win, loss, stones) = match choice.as_ref().map(|c| c.proof) {
        Some(Proof::Win(n)) => (true, false, Some(n)),
        Some(Proof::Loss(n)) => (false, true, Some(n)),
        Some(Proof::None) | None => (false, false, None),
    };
    let pv: Vec<String> = choice
        .iter()
        .flat_map(|c| &c.pv)
        .map(|&c| rules::action(c))
        .collect();
    Answer {
        r#move: choice.as_ref().map(|c| rules::action(c.cell)),
        score: choice.as_ref().map_or(0.0, |c| c.score),
        nodes: choice.as_ref().map_or(0, |c| c.nodes),
        micros,
        depth: choice.as_ref().map_or(0, |c| c.depth),
        pv: pv.join(" "),
        win,
        stones,
        loss,
    }
}
