//! `kibitzer demo`: the main job with nothing but the machine.

mod film;
mod flood;
mod tetris;
mod viewer;

use std::process::ExitCode;

use clap::Subcommand;

/// Options of `kibitzer demo`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Options {
    #[command(subcommand)]
    game: Option<Game>,
    #[command(flatten)]
    tetris: tetris::Options,
}

#[derive(Debug, Subcommand)]
enum Game {
    /// The reference rig: Tetris, seen through a simulated webcam and played by a relay board
    Tetris(tetris::Options),
    /// Flood-It, seen through a simulated webcam and played by a simulated mouse
    Flood(flood::Options),
}

/// Runs `kibitzer demo`.
///
/// # Errors
/// When a part cannot be set up, or the journal or a picture cannot be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    match &options.game {
        Some(Game::Tetris(options)) => tetris::run(options),
        Some(Game::Flood(options)) => flood::run(options),
        None => tetris::run(&options.tetris),
    }
}
