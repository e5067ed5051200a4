//! `kibitzer target flood`

use std::process::ExitCode;

use super::window;
use crate::assemble::targets::{Built, FloodSettings};

const EXAMPLES: &str = "\
Click a cell or press N for a new game, U to take a move back.

Example:
  kibitzer target flood --size 14x14 --colours 6 --seed 42";

/// Options of `kibitzer target flood`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Columns and rows of the board
    #[arg(long, value_name = "CxR", default_value = "14x14", value_parser = |t: &str| super::pair::<u16>(t, [2, 2], [40, 40]))]
    size: (u16, u16),
    /// Number of colours, 3 to 8
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(3..=8))]
    colours: u8,
    /// Seed of the boards
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Side of a cell in px
    #[arg(long, value_name = "PX", default_value_t = 32, value_parser = clap::value_parser!(u32).range(8..=100))]
    cell: u32,
}

/// Shows it until the window is closed.
///
/// # Errors
/// When there is no display.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let (cols, rows) = options.size;
    let settings = FloodSettings {
        size: format!("{cols}x{rows}"),
        colours: options.colours,
        seed: options.seed,
        cell: options.cell,
    };
    let Built { target, picture } = settings.build()?;
    window::show(target, picture)?;
    Ok(ExitCode::SUCCESS)
}
