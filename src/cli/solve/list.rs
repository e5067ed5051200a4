//! `kibitzer solve GAME --list`: who can be asked, and what can be set.

use std::process::ExitCode;

use crate::assemble;
use crate::cli::out::say;

/// Lists the policies of a game and the forms of those from outside.
///
/// # Errors
/// Never, but for what cannot be written as JSON.
pub(super) fn run(game: &str, as_json: bool) -> anyhow::Result<ExitCode> {
    for entry in assemble::policies(game) {
        if as_json {
            say(&serde_json::to_string(&entry)?);
            continue;
        }
        say(&format!("{:<22} {}", entry.name, entry.about));
        for option in entry.options {
            let set = format!("  {}={}", option.key, option.default);
            say(&format!("{set:<22}   {}", option.about));
        }
    }
    if !as_json {
        say("\nOptions are written NAME:key=value,key=value; shown is what holds without them.");
    }
    Ok(ExitCode::SUCCESS)
}
