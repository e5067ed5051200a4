//! `kibitzer bench flood`

use std::process::ExitCode;

/// Options of `kibitzer bench flood`.
#[derive(Debug, clap::Args)]
pub struct Options {}

/// Runs `kibitzer bench flood`.
///
/// # Errors
/// When it cannot be measured.
pub fn run(_options: &Options, _json: bool) -> anyhow::Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}
