//! `kibitzer target connect4`

use std::process::ExitCode;

use super::{table, window};
use crate::assemble::targets::{Built, TableSettings};
use crate::games::connect4::rules::MAX_SIDE;
use crate::games::connect4::target::Style;

fn examples() -> String {
    format!(
        "\
Click a column, press its letter (A is the leftmost), or choose it with Left and Right and drop
with Down. {} Shift+H shows the exact score of every column; where H is a column, ? asks for a hint.

Examples:
  kibitzer target connect4
  kibitzer target connect4 --size 8x7 --policy minimax:depth=6 --level 5 --style rings
  kibitzer target connect4 --policy nobody --style wood           two people
  kibitzer target connect4 --first opponent --moves 4453 --scores",
        table::KEYS
    )
}

/// Options of `kibitzer target connect4`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples())]
#[group(id = "target-connect4")]
pub struct Options {
    /// Columns and rows of the board
    #[arg(long, value_name = "CxR", default_value = "7x6", value_parser = size)]
    size: (u16, u16),
    /// So many in a row win
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(2..=i64::from(MAX_SIDE)))]
    row: u16,
    /// How it looks
    #[arg(long, value_name = "NAME", default_value = Style::NAMES[0], value_parser = Style::NAMES)]
    style: String,
    /// Columns already played, the leftmost is 1
    #[arg(
        long,
        value_name = "COLUMNS",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,
    /// Show what every column is worth
    #[arg(long)]
    scores: bool,
    #[command(flatten)]
    table: table::Options,
}

fn size(text: &str) -> Result<(u16, u16), String> {
    super::pair(text, [1, 1], [MAX_SIDE, MAX_SIDE])
}

/// Shows it until the window is closed.
///
/// # Errors
/// When there is no display, no such board or policy, or the moves are none.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let (cols, rows) = options.size;
    let settings = TableSettings {
        size: Some(format!("{cols}x{rows}")),
        row: Some(options.row),
        style: Some(options.style.clone()),
        moves: options.moves.clone(),
        scores: options.scores,
        ..options.table.settings()
    };
    let Built { target, picture } = settings.connect4()?;
    window::show(target, picture)?;
    Ok(ExitCode::SUCCESS)
}
