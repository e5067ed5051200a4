//! `kibitzer levels GAME`: makes the levels of a puzzle.

mod triplex;

use std::process::ExitCode;

/// Options of `kibitzer levels`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, clap::Subcommand)]
enum Game {
    /// TripleX: all levels of a rectangle, or of all rectangles up to an area
    Triplex(triplex::Options),
}

/// Runs `kibitzer levels`.
///
/// # Errors
/// When a rectangle is too large or a file cannot be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    match &options.game {
        Game::Triplex(o) => triplex::run(o),
    }
}
