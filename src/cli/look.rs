//! `kibitzer look`

use std::process::ExitCode;

/// Options of `kibitzer look`.
#[derive(Debug, clap::Args)]
pub struct Options {}

/// Runs `kibitzer look`.
///
/// # Errors
/// When it cannot be done; the text says what to change.
pub fn run(_options: &Options) -> anyhow::Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}
