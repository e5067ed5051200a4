//! `kibitzer solve GAME`: positions on stdin, one JSON object per line on stdout. Each answer is
//! flushed at once, so that another program can hold it as a co-process.

mod flood;
pub(super) mod tetris;

use std::process::ExitCode;

/// Options of `kibitzer solve`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, clap::Subcommand)]
enum Game {
    /// Flood-It boards, a line of digits each
    Flood(flood::Options),
    /// Tetris positions, a board, a piece and perhaps the next one a line
    Tetris(tetris::Options),
}

/// Runs `kibitzer solve`.
///
/// # Errors
/// When stdin cannot be read or stdout not be written; a bad line is exit status 1, not an error.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    match &options.game {
        Game::Flood(o) => flood::run(o),
        Game::Tetris(o) => tetris::run(o),
    }
}
