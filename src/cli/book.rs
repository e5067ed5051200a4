//! `kibitzer book GAME`: makes an opening book; can be stopped and taken up again.

mod connect4;

use std::process::ExitCode;

/// Options of `kibitzer book`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, clap::Subcommand)]
enum Game {
    /// Exact scores of Connect-4 openings
    Connect4(connect4::Options),
}

/// Runs `kibitzer book`.
///
/// # Errors
/// When a file cannot be read or written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    match &options.game {
        Game::Connect4(o) => connect4::run(o),
    }
}
