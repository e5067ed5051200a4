//! `kibitzer target gomoku`

use std::process::ExitCode;

use super::{table, window};
use crate::assemble::targets::{Built, TableSettings};
use crate::games::gomoku::rules::{Rule, SIDES};
use crate::games::gomoku::target::Style;

fn examples() -> String {
    format!(
        "\
Click a crossing, or choose it with the arrows and put a stone there with Return. {}

Examples:
  kibitzer target gomoku
  kibitzer target gomoku --size 19x19 --policy evaluator --level 4 --style brown
  kibitzer target gomoku --policy nobody --style paper            two people
  kibitzer target gomoku --rule exact --first opponent --moves 'h8 i9'",
        table::KEYS
    )
}

/// Options of `kibitzer target gomoku`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples())]
#[group(id = "target-gomoku")]
pub struct Options {
    /// Columns and rows of the board
    #[arg(long, value_name = "CxR", default_value = "15x15", value_parser = size)]
    size: (u16, u16),
    /// How many in a row win
    #[arg(long, value_name = "RULE", default_value = Rule::FiveOrMore.name(), value_parser = [Rule::FiveOrMore.name(), Rule::Exact.name()])]
    rule: String,
    /// How it looks
    #[arg(long, value_name = "NAME", default_value = Style::NAMES[0], value_parser = Style::NAMES)]
    style: String,
    /// Moves already made, as '7,7 8,8' or 'h8 i7'
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,
    #[command(flatten)]
    table: table::Options,
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let (least, most) = (*SIDES.start(), *SIDES.end());
    super::pair(text, [least, least], [most, most])
}

/// Shows it until the window is closed.
///
/// # Errors
/// When there is no display, no such policy, or the moves are none.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let (cols, rows) = options.size;
    let settings = TableSettings {
        size: Some(format!("{cols}x{rows}")),
        rule: Some(options.rule.clone()),
        style: Some(options.style.clone()),
        moves: options.moves.clone(),
        ..options.table.settings()
    };
    let Built { target, picture } = settings.gomoku()?;
    window::show(target, picture)?;
    Ok(ExitCode::SUCCESS)
}
