//! `kibitzer tune GAME`: a search for better weights that can be stopped and taken up again.

mod connect4;
mod tetris;

use std::process::ExitCode;

/// Options of `kibitzer tune`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, clap::Subcommand)]
enum Game {
    /// The scaling K of Connect-4's minimax, by play against itself
    Connect4(connect4::Options),
    /// Weights of the Tetris features
    Tetris(tetris::Options),
}

/// Runs `kibitzer tune`.
///
/// # Errors
/// When a file cannot be read or written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    match &options.game {
        Game::Connect4(o) => connect4::run(o),
        Game::Tetris(o) => tetris::run(o),
    }
}
