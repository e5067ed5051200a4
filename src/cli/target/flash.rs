//! `kibitzer target flash`

use std::process::ExitCode;
use std::time::Duration;

use serde_json::json;

use super::window;
use crate::cli::out::say;
use crate::pipeline::flash::Flash;

const EXAMPLES: &str = "\
Every key changes the picture: what `kibitzer probe` measures delays on. With --by-itself it changes
at moments of its own too, and tells how long the next key took to answer, one JSON object each.

Example:
  kibitzer target flash --by-itself";

/// Options of `kibitzer target flash`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Change at moments of its own too
    #[arg(long)]
    by_itself: bool,
    /// Seed of these moments
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Width and height of the window in px
    #[arg(long, value_name = "WxH", default_value = "640x480", value_parser = super::window_size)]
    size: (u32, u32),
}

/// Shows it until the window is closed.
///
/// # Errors
/// When there is no display.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let seed = options.by_itself.then_some(options.seed);
    let told = |took: Duration| {
        let ms = took.as_secs_f64() * 1e3;
        say(&json!({ "answered_ms": (ms * 10.0).round() / 10.0 }).to_string());
    };
    window::show(
        Box::new(Flash::new(options.size, seed, Box::new(told))),
        options.size,
    )?;
    Ok(ExitCode::SUCCESS)
}
