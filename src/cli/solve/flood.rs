//! `kibitzer solve flood`

use std::process::ExitCode;

use serde::Serialize;

use super::{Bad, Limits, chosen, each_line};
use crate::brains::external;
use crate::cli::cpu::thread_time;
use crate::games::flood::policies::{self, FloodPolicy, best_start};
use crate::games::flood::rules::{Board, NotationError, Position, parse_position};
use crate::types::{Budget, Cell};

const EXAMPLES: &str = "\
Positions, one a line: DIGITS (a square board, row by row), WxH:DIGITS, or rows joined by `/`;
a digit is 0-9 or a-z and stands for a colour; `,LIMIT` may follow and blank lines are passed over.

Example:
  $ echo '4x3:001201220110' | kibitzer solve flood
  {\"move\":\"1\",\"moves\":\"102\",\"length\":3,\"score\":-3.0,...}

With --start any the answer has \"start\":[COL,ROW] as well.
A line that is no position gives {\"error\":\"...\",\"line\":N} and, at the end, exit status 1.";

/// Options of `kibitzer solve flood`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Who solves: optimal, lookahead or greedy (--list shows their options), or jsonl:COMMAND
    #[arg(long, value_name = "POLICY", default_value = policies::USUAL)]
    policy: String,
    /// Who makes the moves that another program does not
    #[arg(long, value_name = "POLICY", default_value = policies::USUAL)]
    fallback: String,
    /// Moves that `lookahead` looks ahead
    #[arg(long, value_name = "N", default_value_t = policies::DEPTH, value_parser = clap::value_parser!(u32).range(1..=12))]
    depth: u32,
    /// The cell whose region is flooded, counted from 0,0 at the top left; or `centre`; or `any`: the one
    /// that takes the fewest moves, with --policy optimal
    #[arg(long, value_name = "COL,ROW", default_value = "0,0", value_parser = start)]
    start: Start,
    #[command(flatten)]
    limits: Limits,
    /// Memory that `optimal` may use, in MB; without proof in it, the best plan found is given
    #[arg(long, value_name = "MB", default_value_t = policies::MEMORY >> 20)]
    memory: usize,
    /// Seed of random choices (none of the policies makes any)
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// Where a flood starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At a cell.
    Cell(Cell),
    /// In the middle; of an even number of columns or rows in the right or lower of the two.
    Centre,
    /// Where it takes the fewest moves.
    Any,
}

/// Reads `COL,ROW`, `centre` or `any`.
pub fn start(text: &str) -> Result<Start, String> {
    let parsed = text
        .split_once(',')
        .and_then(|(c, r)| Some(Cell::new(c.trim().parse().ok()?, r.trim().parse().ok()?)));
    match (text, parsed) {
        ("centre" | "center", _) => Ok(Start::Centre),
        ("any", _) => Ok(Start::Any),
        (_, Some(cell)) => Ok(Start::Cell(cell)),
        _ => Err("write COL,ROW, for instance 0,0, or `centre` or `any`".to_owned()),
    }
}

impl Start {
    /// A line's position with this start; with [`Start::Any`] at the first cell.
    ///
    /// # Errors
    /// As `parse_position`.
    pub fn position(self, line: &str, number: usize) -> Result<Position, NotationError> {
        let first = match self {
            Self::Cell(cell) => cell,
            Self::Centre | Self::Any => Cell::default(),
        };
        let mut position = parse_position(line, number, first)?;
        if self == Self::Centre {
            position.board = centred(position.board);
        }
        Ok(position)
    }
}

/// The board with its start in the middle.
pub fn centred(board: Board) -> Board {
    let size = board.size();
    board.with_start(Cell::new(size.cols / 2, size.rows / 2))
}

/// One line of the answer.
#[derive(Debug, Serialize)]
struct Answer {
    /// The first colour to play, in the position's own symbols; none if it is solved.
    r#move: Option<char>,
    moves: String,
    length: usize,
    /// Column and row of the start, if it was to be found.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<(u16, u16)>,
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
    let ours = |name: &str| Ok(policies::by_spec(name, options.depth, memory)?);
    let mut policy = chosen(&options.policy, &options.fallback, ours, external::flood)?;
    let budget = Budget {
        seed: options.seed,
        ..options.limits.budget()
    };
    let any = options.start == Start::Any;
    anyhow::ensure!(
        !any || options.policy == "optimal",
        "--start any: only `--policy optimal` finds a start"
    );
    each_line(|line, number| match options.start.position(line, number) {
        Ok(position) if any => Ok(solve_anywhere(&position, memory, &budget)),
        Ok(position) => Ok(solve(&position, policy.as_mut(), &budget)),
        Err(error) => Err(Bad {
            error: error.to_string(),
            line: error.line,
        }),
    })
}

/// Finds the start with the fewest moves, and those.
fn solve_anywhere(position: &Position, memory: usize, budget: &Budget) -> Answer {
    let before = thread_time();
    let found = best_start(&position.board, memory, budget);
    let micros = (thread_time() - before).as_micros();
    Answer {
        r#move: found.moves.first().map(|&c| position.symbol(c)),
        moves: found.moves.iter().map(|&c| position.symbol(c)).collect(),
        length: found.moves.len(),
        start: Some((found.start.col, found.start.row)),
        score: -(found.moves.len() as f64),
        nodes: found.nodes,
        micros: u64::try_from(micros).unwrap_or(u64::MAX),
        optimal: found.moves.len() as u64 == u64::from(found.lower_bound),
        lower_bound: found.lower_bound,
    }
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
        start: None,
        score: first.map_or(0.0, |c| c.score),
        nodes,
        micros: u64::try_from(micros).unwrap_or(u64::MAX),
        optimal: moves.len() as u64 == u64::from(lower_bound),
        lower_bound,
    }
}
