//! `kibitzer solve connect4`

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use serde::Serialize;

use super::{Bad, Limits, chosen, each_line};
use crate::brains::external;
use crate::cli::cpu::thread_time;
use crate::cli::files;
use crate::games::connect4::policies::book::{self, OpeningBook};
use crate::games::connect4::policies::{self, Bounds, Connect4Policy, Perfect, score_of_win};
use crate::games::connect4::rules::{Board, letter, parse_position};
use crate::types::Budget;

const EXAMPLES: &str = "\
Positions, one a line: the columns played so far (`4453`, the leftmost is 1, after 9 comes a), or
rows of `.XO` from the top joined by `/`, X having moved first. Before either perhaps the board,
`WxH:` or `WxHxN:` with N in a row (7x6x4 if not given): `9x7x5:556`. `7x6:` is the empty board.

Scores are exact with the policy `perfect`: half of what the cells and one more exceed the discs
before the winning move by (on 7x6: 22 less the winner's discs in the end), negative when the player
to move loses, 0 for a draw. `scores` has one for every column, null where it is full or not known
within the limits; `bounds` has what is proven.

Examples:
  $ echo 4444 | kibitzer solve connect4
  $ echo 7x6: | kibitzer solve connect4 --policy minimax:depth=8,vary=yes
  $ echo 8x8:4455 | kibitzer solve connect4 --time-ms 2000

A line that is no position gives {\"error\":\"...\",\"line\":N} and, at the end, exit status 1.";

/// Options of `kibitzer solve connect4`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Who solves, with options: perfect, minimax, minimax:depth=4,k=0.1,..., or another program:
    /// connect4-line:COMMAND or jsonl:COMMAND
    #[arg(long, value_name = "POLICY", default_value = policies::USUAL)]
    policy: String,
    /// Who solves what another program does not
    #[arg(long, value_name = "POLICY", default_value = policies::USUAL)]
    fallback: String,
    /// Only the position's move and score, not those of all columns
    #[arg(long)]
    move_only: bool,
    #[command(flatten)]
    limits: Limits,
    /// Memory of `perfect`, in MB [default: 128]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65536))]
    memory: Option<u32>,
    /// Opening book of `perfect`: own, none or a file [default: own]
    #[arg(long, value_name = "BOOK")]
    book: Option<String>,
}

/// What is known of a score, as JSON.
#[derive(Debug, Serialize)]
struct Interval(i32, i32);

impl From<Bounds> for Interval {
    fn from(b: Bounds) -> Self {
        Self(b.lower, b.upper)
    }
}

/// One line of the answer.
#[derive(Debug, Serialize)]
struct Answer {
    /// The column to play; none if the game is over.
    r#move: Option<char>,
    score: f64,
    nodes: u64,
    /// CPU time of this thread.
    micros: u64,
    /// Whether the score is proven.
    exact: bool,
    scores: Option<Vec<Option<i32>>>,
    /// What is proven: of the position, and of each column.
    bound: Option<Interval>,
    bounds: Option<Vec<Option<Interval>>>,
    note: String,
}

/// The policy that the options name.
pub(in crate::cli) fn policy(
    spec: &str,
    memory: Option<u32>,
    book: Option<&str>,
) -> anyhow::Result<Box<dyn Connect4Policy>> {
    if spec.trim() != "perfect" {
        let given = memory.map(|_| "--memory").or(book.map(|_| "--book"));
        if let Some(given) = given {
            anyhow::bail!(
                "{given} is for `--policy perfect` alone; write its options as perfect:memory=64,book=none"
            );
        }
        return Ok(policies::by_name(spec)?);
    }
    let memory = memory.map_or(policies::MEMORY, |mb| (mb as usize) << 20);
    let perfect = Perfect::new(memory);
    Ok(Box::new(match book {
        None | Some("own") => perfect.with_book(book::own()),
        Some("none") => perfect,
        Some(path) => {
            let book = read(Path::new(path))?;
            let book = book.with_context(|| {
                format!("--book {path}: there is no such file; write own, none or a file's name")
            })?;
            perfect.with_book(book.into())
        }
    }))
}

/// Reads a book; `None` when there is no such file.
pub(in crate::cli) fn read(path: &Path) -> anyhow::Result<Option<OpeningBook>> {
    let Some(bytes) = files::read(path, book::FORMAT, book::LARGEST)? else {
        return Ok(None);
    };
    let book = OpeningBook::from_bytes(&bytes);
    book.map(Some).with_context(|| path.display().to_string())
}

/// Runs `kibitzer solve connect4`.
///
/// # Errors
/// When there is no such policy or book, stdin cannot be read or stdout not be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let ours = |name: &str| policy(name, options.memory, options.book.as_deref());
    let mut policy = chosen(&options.policy, &options.fallback, ours, external::connect4)?;
    let budget = options.limits.budget();
    each_line(|line, number| match parse_position(line) {
        Ok(board) => Ok(solve(&board, policy.as_mut(), &budget, options.move_only)),
        Err(error) => Err(Bad {
            error: error.to_string(),
            line: number,
        }),
    })
}

fn solve(
    board: &Board,
    policy: &mut dyn Connect4Policy,
    budget: &Budget,
    move_only: bool,
) -> Answer {
    let before = thread_time();
    let choice = match move_only {
        true => policy.decide(board, budget),
        false => policy.analyse(board, budget),
    };
    let micros = u64::try_from((thread_time() - before).as_micros()).unwrap_or(u64::MAX);
    let Some(choice) = choice else {
        return over(board, micros);
    };
    let columns = choice.columns.as_ref();
    Answer {
        r#move: Some(letter(choice.column)),
        score: choice.score,
        nodes: choice.nodes,
        micros,
        exact: choice.bounds.is_some_and(|b| b.exact().is_some()),
        scores: columns.map(|c| c.iter().map(|b| b.and_then(Bounds::exact)).collect()),
        bound: choice.bounds.map(Interval::from),
        bounds: columns.map(|c| c.iter().map(|b| b.map(Interval::from)).collect()),
        note: choice.note,
    }
}

/// A game that is over has no move; its score is that of the move that ended it, turned.
fn over(board: &Board, micros: u64) -> Answer {
    let before = board.discs().saturating_sub(1);
    let score = match board.winner() {
        Some(_) => -score_of_win(board.size().len(), before),
        None => 0,
    };
    Answer {
        r#move: None,
        score: score.into(),
        nodes: 0,
        micros,
        exact: true,
        scores: None,
        bound: Some(Interval(score, score)),
        bounds: None,
        note: "the game is over".to_owned(),
    }
}
