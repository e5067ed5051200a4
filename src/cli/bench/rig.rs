//! `kibitzer bench rig`: the reference rig in virtual time. The built-in Tetris is seen through a
//! simulated webcam and played by a simulated relay keyboard, with the faults of real ones, and
//! what is believed is held against the truth after every frame.

mod truth;
mod world;

use std::process::ExitCode;

use rayon::prelude::*;
use serde_json::{Value, json};

use self::world::{Played, World};
use super::table::Table;
use crate::cli::trouble::{LAST_SEED, TroubleOptions};

/// Options of `kibitzer bench rig`.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Games, each with a seed of its own
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    games: u64,
    /// Pieces that a game is played for
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    pieces: u32,
    /// Level of the game, 1 to 10
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=10))]
    level: u8,
    #[command(flatten)]
    trouble: TroubleOptions,
    /// The policy
    #[arg(long, value_name = "NAME", default_value = crate::games::tetris::policies::USUAL)]
    policy: String,
    /// Hide the next piece
    #[arg(long)]
    no_next: bool,
    /// How it is played: by looking at all of the board, or as the reference did it
    #[arg(long, value_name = "MODE", default_value = "both", value_parser = ["belief", "dead-reckoning", "both"])]
    mode: String,
    /// Seed of the first game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=LAST_SEED))]
    seed: u64,
    /// Fail unless nine of ten games reach their end and belief and truth never part for 2 seconds
    #[arg(long)]
    prove: bool,
}

/// Belief and truth may not part for longer, in seconds.
const APART: f64 = 2.0;

/// Runs `kibitzer bench rig`.
///
/// # Errors
/// When a game cannot be set up.
pub fn run(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    options.trouble.check()?;
    let modes: &[bool] = match options.mode.as_str() {
        "belief" => &[false],
        "dead-reckoning" => &[true],
        _ => &[false, true],
    };
    let mut table = Table::new(
        json,
        &[
            "mode",
            "seed",
            "result",
            "pieces",
            "rows",
            "seconds",
            "mismatches",
            "apart",
            "longest",
            "lost",
            "doubled",
            "frames",
            "journal",
        ],
    );
    let mut missed = Vec::new();
    for &blind in modes {
        let mode = if blind { "dead-reckoning" } else { "belief" };
        let seeds: Vec<u64> = (0..options.games)
            .map(|n| options.seed.wrapping_add(n) & LAST_SEED)
            .collect();
        let played: Vec<anyhow::Result<Played>> = seeds
            .par_iter()
            .map(|&seed| World::new(options, seed, blind)?.play())
            .collect();
        let mut ended = 0;
        let mut longest: f64 = 0.0;
        for (seed, played) in seeds.iter().zip(played) {
            let played = played?;
            ended += u64::from(played.pieces >= options.pieces);
            longest = longest.max(played.apart.longest);
            table.row(row(mode, *seed, &played));
        }
        if !blind {
            let wanted = options.games - options.games / 10;
            if ended < wanted {
                missed.push(format!("{ended} games reached their end, {wanted} must"));
            }
            if longest >= APART {
                missed.push(format!(
                    "belief and truth were apart for {longest:.2} s, less than {APART} s is allowed"
                ));
            }
        } else if ended * 2 > options.games {
            missed.push(format!("{ended} games by dead reckoning reached their end"));
        }
    }
    table.finish();
    if options.prove && !missed.is_empty() {
        eprintln!("missed: {}", missed.join("; "));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn row(mode: &str, seed: u64, played: &Played) -> Vec<Value> {
    vec![
        json!(mode),
        json!(seed),
        json!(played.result),
        json!(played.pieces),
        json!(played.rows),
        json!(played.seconds),
        json!(played.mismatches),
        json!(played.apart.times),
        json!(played.apart.longest),
        json!(played.keys.0),
        json!(played.keys.1),
        json!(played.frames),
        json!(format!("{:016x}", played.journal)),
    ]
}
