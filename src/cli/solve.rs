//! `kibitzer solve GAME`: positions on stdin, one JSON object per line on stdout. Each answer is
//! flushed at once, so that another program can hold it as a co-process.

pub(super) mod connect4;
pub(super) mod flood;
pub(super) mod gomoku;
mod list;
pub(super) mod tetris;
mod triplex;

use std::io::{BufRead, Read as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use serde::Serialize;

use crate::brains::external;
use crate::cli::logging;
use crate::games::spec::SpecError;
use crate::types::Budget;

/// Options of `kibitzer solve`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    game: Game,
    /// List the policies with their options, and solve nothing
    #[arg(long, global = true)]
    list: bool,
    /// With --list, one JSON object per policy
    #[arg(long, global = true, requires = "list")]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Game {
    /// Flood-It boards, a line of digits each
    Flood(flood::Options),
    /// Connect-4 positions, the columns played or rows a line
    Connect4(connect4::Options),
    /// Five in a row: positions as moves or as rows, one a line
    Gomoku(gomoku::Options),
    /// Tetris positions, a board, a piece and perhaps the next one a line
    Tetris(tetris::Options),
    /// TripleX levels, one a line
    Triplex(triplex::Options),
}

impl Game {
    const fn name(&self) -> &'static str {
        match self {
            Self::Flood(_) => "flood",
            Self::Connect4(_) => "connect4",
            Self::Gomoku(_) => "gomoku",
            Self::Tetris(_) => "tetris",
            Self::Triplex(_) => "triplex",
        }
    }
}

/// Runs `kibitzer solve`.
///
/// # Errors
/// When stdin cannot be read or stdout not be written; a bad line is exit status 1, not an error.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    if options.list {
        return list::run(options.game.name(), options.json);
    }
    match &options.game {
        Game::Flood(o) => flood::run(o),
        Game::Connect4(o) => connect4::run(o),
        Game::Gomoku(o) => gomoku::run(o),
        Game::Tetris(o) => tetris::run(o),
        Game::Triplex(o) => triplex::run(o),
    }
}

/// The policy of `--policy`; behind one from outside stands that of `--fallback`.
///
/// # Errors
/// When there is no such policy.
fn chosen<P>(
    policy: &str,
    fallback: &str,
    ours: impl Fn(&str) -> anyhow::Result<P>,
    outside: impl FnOnce(&str, P) -> Result<P, SpecError>,
) -> anyhow::Result<P> {
    if !external::is_external(policy) {
        return ours(policy).context("--policy");
    }
    logging::warnings();
    let fallback = ours(fallback).context("--fallback")?;
    outside(policy, fallback).context("--policy")
}

/// What one answer may cost.
#[derive(Clone, Copy, Debug, clap::Args)]
struct Limits {
    /// Time for each answer, in milliseconds [default: as long as it takes]
    #[arg(long, value_name = "N")]
    time_ms: Option<u64>,
    /// Positions to visit, placements to rate or figures to lay down for each answer [default: any
    /// number]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

impl Limits {
    fn budget(self) -> Budget {
        Budget {
            time: self.time_ms.map(Duration::from_millis),
            nodes: self.nodes,
            ..Budget::default()
        }
    }
}

/// A line that is no position.
#[derive(Debug, Serialize)]
struct Bad {
    error: String,
    line: usize,
}

/// Answers every line of stdin that is neither blank nor a comment (`;`); `answer` takes the line
/// and its number from 1.
///
/// # Errors
/// When stdin cannot be read or stdout not be written; a bad line is exit status 1.
fn each_line<A: Serialize>(
    mut answer: impl FnMut(&str, usize) -> Result<A, Bad>,
) -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let mut stdin = std::io::stdin().lock();
    let mut all_good = true;
    for number in 1.. {
        let Some(line) = line_of(&mut stdin).context("stdin cannot be read")? else {
            break;
        };
        let answered = match line {
            Some(line) if line.trim().is_empty() || line.starts_with(';') => continue,
            Some(line) => answer(&line, number),
            None => Err(Bad {
                error: format!("no position takes more than {LONGEST} bytes"),
                line: number,
            }),
        };
        let object = match answered {
            Ok(answer) => serde_json::to_string(&answer),
            Err(bad) => {
                all_good = false;
                serde_json::to_string(&bad)
            }
        };
        writeln!(out, "{}", object?)
            .and_then(|()| out.flush())
            .context("stdout cannot be written")?;
    }
    Ok(match all_good {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// The longest line that is read, in bytes: many times what the largest board takes.
const LONGEST: u64 = 1 << 20;

/// The next line without its end, `None` after the last; a line that is too long is read to its
/// end and not kept. What is not UTF-8 is no cell either, and is named as such.
fn line_of(input: &mut impl BufRead) -> std::io::Result<Option<Option<String>>> {
    let mut line = Vec::new();
    let read = input
        .by_ref()
        .take(LONGEST + 1)
        .read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    line.pop_if(|last| *last == b'\n');
    if line.len() as u64 <= LONGEST {
        return Ok(Some(Some(String::from_utf8_lossy(&line).into_owned())));
    }
    input.skip_until(b'\n')?;
    Ok(Some(None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_any_length_are_read_and_only_so_long_ones_kept() {
        let longest = "x".repeat(1 << 20);
        let text = format!("a\n\n{longest}\n{longest}x\r\nb\r\n{longest}yz\nlast");
        let mut input = std::io::BufReader::with_capacity(1000, text.as_bytes());
        let mut lines = Vec::new();
        while let Some(line) = line_of(&mut input).expect("text") {
            lines.push(line);
        }
        let whole = |text: &str| Some(text.to_owned());
        let wanted = [
            whole("a"),
            whole(""),
            whole(&longest),
            None,
            whole("b\r"),
            None,
            whole("last"),
        ];
        assert!(lines == wanted, "{} lines", lines.len());
    }
}
