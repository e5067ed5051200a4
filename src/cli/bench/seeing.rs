//! `kibitzer bench seeing`

pub mod camera;
pub mod none;

use std::path::PathBuf;
use std::process::ExitCode;

/// Options of `kibitzer bench seeing`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[arg(long)]
    save: Option<PathBuf>,
    #[arg(long, default_value_t = 8)]
    seeds: u64,
}

/// Runs `kibitzer bench seeing`.
///
/// # Errors
/// When it cannot be measured.
pub fn run(o: &Options, _json: bool) -> anyhow::Result<ExitCode> {
    if let Some(dir) = &o.save {
        for seed in 0..o.seeds {
            for case in [
                crate::games::flood::target::cases::screenshot(seed),
                camera::case(seed),
                none::case(seed),
            ] {
                let name = case.name.replace([' ', '/', ',', ':'], "_");
                eprintln!("{}", case.name);
                case.picture
                    .to_rgb()
                    .save(dir.join(format!("{name}.png")))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
