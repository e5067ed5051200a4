//! `kibitzer solve GAME`: positions on stdin, one JSON object per line on stdout. Each answer is
//! flushed at once, so that another program can hold it as a co-process.

pub(super) mod connect4;
pub(super) mod flood;
pub(super) mod gomoku;
mod list;
pub(super) mod tetris;
mod triplex;

use std::io::{BufRead as _, Write as _};
use std::process::ExitCode;

use anyhow::Context as _;
use serde::Serialize;

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

/// Who plays Connect-4 and five in a row when nobody says.
pub(super) const CONNECT4_POLICY: &str = "perfect";
pub(super) const GOMOKU_POLICY: &str = "search";

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
    let mut all_good = true;
    for (i, line) in std::io::stdin().lock().split(b'\n').enumerate() {
        let line = line.context("stdin cannot be read")?;
        // What is not UTF-8 is no cell either, and is named as such.
        let line = String::from_utf8_lossy(&line);
        if line.trim().is_empty() || line.starts_with(';') {
            continue;
        }
        let object = match answer(&line, i + 1) {
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
