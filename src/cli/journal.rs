//! `kibitzer journal`

use std::process::ExitCode;

/// Options of `kibitzer journal`.
#[derive(Debug, clap::Args)]
pub struct Options {}

/// Runs `kibitzer journal`.
///
/// # Errors
/// When it cannot be done; the text says what to change.
pub fn run(_options: &Options) -> anyhow::Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}
