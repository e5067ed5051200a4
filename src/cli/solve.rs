//! `kibitzer solve`

use std::process::ExitCode;

/// Options of `kibitzer solve`.
#[derive(Debug, clap::Args)]
pub struct Options {}

/// Runs `kibitzer solve`.
///
/// # Errors
/// When it cannot be done; the text says what to change.
pub fn run(_options: &Options) -> anyhow::Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}
