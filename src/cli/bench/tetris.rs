//! `kibitzer bench tetris`: how long the policies' games are and what a placement costs.

mod prove;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};

use super::table::Table;
use crate::cli::cpu::thread_time;
use crate::games::tetris::policies::names::player;
use crate::games::tetris::policies::player::Plan;
use crate::games::tetris::policies::rare::{self, Effort};
use crate::games::tetris::policies::sim::{self, Setting, Tally};
use crate::games::tetris::policies::{MoveModel, tail};
use crate::games::tetris::rules::{MAX_SIZE, MIN_SIZE};
use crate::types::Budget;

const EXAMPLES: &str = "\
`rows` is the mean of rows in a game, the last one that did not end counted; `+-` its standard
error (games are geometric: the mean by the root of their number). `tail` is the factor by which
the histogram of pile heights falls from row to row, `predicted` the mean length by carrying it on
to the row above the board; `climbed` the same by --climb, from how often piles rise from each
height to the next. `bins` are the shares of games in bins of 0.593 mean lengths, as the standard
gives them; `law` the shares that the geometric law has: .447 .247 .137 .076 .042 .023.

Examples:
  kibitzer bench tetris --board 10x10 --policy dellacherie,dt10 --deaths 1000
  kibitzer bench tetris --board 10x20 --policy kibitzer --climb 2000
  kibitzer bench tetris --prove";

/// Options of `kibitzer bench tetris`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Boards, columns by rows
    #[arg(long, value_name = "CxR,..", value_delimiter = ',', default_value = "10x10", value_parser = board)]
    board: Vec<(u16, u16)>,
    /// Policies, as for `kibitzer solve tetris`
    #[arg(
        long,
        value_name = "A,B",
        value_delimiter = ',',
        default_value = "dellacherie,bcts,dt10,dt20,kibitzer"
    )]
    policy: Vec<String>,
    /// Where pieces can go: f, s, a or i, as for `kibitzer solve tetris`
    #[arg(long, value_name = "MODEL", default_value = "f", value_parser = crate::cli::solve::tetris::model)]
    model: MoveModel,
    /// Show the next piece to every policy (two-piece and beam see it always)
    #[arg(long)]
    next: bool,
    /// Play until so many games are over [default: 1000, or 10 s of CPU time]
    #[arg(long, value_name = "N")]
    deaths: Option<u64>,
    /// Play so many pieces
    #[arg(long, value_name = "N")]
    pieces: Option<u64>,
    /// Play for so many seconds of CPU time
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Estimate long games by starting so often from each height
    #[arg(long, value_name = "N")]
    climb: Option<u32>,
    /// Seed of the pieces
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Exit status 1 when a figure that must hold is missed; measures what it needs
    #[arg(long)]
    prove: bool,
    /// Only the checks whose name contains this
    #[arg(long, value_name = "NAME", requires = "prove")]
    only: Option<String>,
}

/// A board's size as on the command line.
pub(in crate::cli) fn board(text: &str) -> Result<(u16, u16), String> {
    let size = text.split_once('x').and_then(|(c, r)| {
        let size: (u16, u16) = (c.parse().ok()?, r.parse().ok()?);
        let fits = |n, min, max| (min..=max).contains(&n);
        (fits(size.0, MIN_SIZE.0, MAX_SIZE.0) && fits(size.1, MIN_SIZE.1, MAX_SIZE.1))
            .then_some(size)
    });
    size.ok_or_else(|| "write COLUMNSxROWS, 4x4 to 200x400, for instance 10x20".to_owned())
}

/// Repetitions of a climb, from whose differences its error comes.
const BATCHES: u32 = 8;

/// What was measured of one policy on one board.
#[derive(Debug)]
struct Figures {
    tally: Tally,
    /// CPU time.
    cpu: Duration,
}

impl Figures {
    /// Mean rows, the game that did not end counted.
    fn mean(&self) -> f64 {
        self.tally.rows as f64 / self.tally.deaths().max(1) as f64
    }

    /// Standard error of the mean.
    fn error(&self) -> f64 {
        self.mean() / (self.tally.deaths().max(1) as f64).sqrt()
    }

    /// Placements per second and core.
    fn speed(&self) -> f64 {
        self.tally.pieces as f64 / self.cpu.as_secs_f64().max(1e-9)
    }
}

/// When to stop.
#[derive(Clone, Copy, Debug, Default)]
struct Until {
    deaths: Option<u64>,
    pieces: Option<u64>,
    seconds: Option<f64>,
}

fn setting(size: (u16, u16), moves: MoveModel, next_shown: bool, seed: u64) -> Setting {
    Setting {
        cols: size.0,
        rows: size.1,
        moves,
        next_shown,
        seed,
        budget: Budget::default(),
    }
}

fn measure(name: &str, mut setting: Setting, until: Until) -> anyhow::Result<Figures> {
    let mut player = player(name).context("--policy")?;
    setting.next_shown |= matches!(player.plan(), Plan::Two | Plan::Beam(_));
    let before = thread_time();
    let tally = sim::play(&mut player, &setting, &mut |t| {
        until.deaths.is_none_or(|n| t.deaths() < n)
            && until.pieces.is_none_or(|n| t.pieces < n)
            && until
                .seconds
                .is_none_or(|s| thread_time().saturating_sub(before).as_secs_f64() < s)
    });
    Ok(Figures {
        tally,
        cpu: thread_time().saturating_sub(before),
    })
}

/// Mean rows by climbing, its standard error, and the CPU time.
fn climb(name: &str, mut setting: Setting, starts: u32) -> anyhow::Result<Option<(f64, f64)>> {
    let mut player = player(name).context("--policy")?;
    setting.next_shown |= matches!(player.plan(), Plan::Two | Plan::Beam(_));
    // Low boards have no room for a base of four rows.
    let base = 4.min(setting.rows / 3);
    let effort = Effort {
        base,
        first: base + 2,
        pieces: 500 * u64::from(starts),
        starts,
        batches: BATCHES,
        goal: None,
    };
    let estimate = rare::estimate(&mut player, &setting, &effort);
    Ok(estimate.map(|e| (e.rows, e.rows * e.error)))
}

/// Runs `kibitzer bench tetris`.
///
/// # Errors
/// When there is no such policy.
pub fn run(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    if options.prove {
        return prove::run(options.only.as_deref(), options.seed, json);
    }
    let mut until = Until {
        deaths: options.deaths,
        pieces: options.pieces,
        seconds: options.seconds,
    };
    if until.deaths.is_none() && until.pieces.is_none() && until.seconds.is_none() {
        until.deaths = Some(1000);
        until.seconds = Some(10.0);
    }
    let mut table = Table::new(
        json,
        &[
            "board",
            "model",
            "policy",
            "pieces",
            "games",
            "rows",
            "+-",
            "per second",
            "rated per second",
            "tail",
            "predicted",
            "predicted +-",
            "climbed",
            "climbed +-",
            "bins",
            "heights",
        ],
    );
    for &size in &options.board {
        for name in &options.policy {
            let setting = setting(size, options.model, options.next, options.seed);
            let figures = measure(name, setting.clone(), until)?;
            let climbed = match options.climb {
                Some(starts) => climb(name, setting, starts)?,
                None => None,
            };
            table.row(row(options, size, name, &figures, climbed));
        }
    }
    table.finish();
    Ok(ExitCode::SUCCESS)
}

fn row(
    options: &Options,
    size: (u16, u16),
    name: &str,
    figures: &Figures,
    climbed: Option<(f64, f64)>,
) -> Vec<Value> {
    let tally = &figures.tally;
    let tail = tail::fit(tally, size.0, size.1);
    let number = |n: Option<f64>| n.map_or(json!("-"), |n| json!((n * 10.0).round() / 10.0));
    let ended = tally.deaths() > 0;
    vec![
        json!(format!("{}x{}", size.0, size.1)),
        json!(options.model.name()),
        json!(name),
        json!(tally.pieces),
        json!(tally.deaths()),
        number(ended.then(|| figures.mean())),
        number(ended.then(|| figures.error())),
        json!(figures.speed().round() as u64),
        json!((tally.nodes as f64 / figures.cpu.as_secs_f64().max(1e-9)).round() as u64),
        tail.map_or(json!("-"), |t| json!((t.factor * 1e3).round() / 1e3)),
        number(tail.map(|t| t.rows)),
        number(tail.map(|t| t.rows * t.error)),
        number(climbed.map(|c| c.0)),
        number(climbed.map(|c| c.1)),
        json!(shares(tally)),
        json!(heights(tally)),
    ]
}

/// Shares of games in the standard's bins: 400,000 rows where the mean is 674,827.
fn shares(tally: &Tally) -> String {
    let mean = tally.rows as f64 / tally.deaths().max(1) as f64;
    let bin = mean * 400_000.0 / 674_827.0;
    let mut counts = [0_u32; 6];
    for &rows in &tally.games {
        if let Some(count) = counts.get_mut((rows as f64 / bin.max(1e-9)) as usize) {
            *count += 1;
        }
    }
    let share = |n: &u32| format!("{:.3}", f64::from(*n) / tally.deaths().max(1) as f64);
    let texts: Vec<String> = counts.iter().map(share).collect();
    texts.join(" ").replace("0.", ".")
}

/// Shares of the heights after each placement.
fn heights(tally: &Tally) -> String {
    let last = tally.heights.iter().rposition(|&n| n > 0).unwrap_or(0);
    let shares = tally.heights[..=last.min(tally.heights.len().saturating_sub(1))]
        .iter()
        .map(|&n| format!("{:.1e}", n as f64 / tally.pieces.max(1) as f64));
    shares.collect::<Vec<_>>().join(" ")
}
