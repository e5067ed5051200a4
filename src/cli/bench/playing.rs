//! `kibitzer bench loop`: the whole loop on a real program, from a cold start, measured in its own
//! journal. A screen of its own is started (Xvfb, openbox), `sgt-flood` on it, and this program
//! plays it as a person would start it: without a profile.

use std::process::{Command, ExitCode};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::stage::Desktop;
use super::table::Table;
use crate::cli::out::say;
use crate::journal::read::{Reader, Spread, What, Which};

/// From the start of the program to the first click, in seconds.
const FIRST_CLICK: f64 = 1.5;
/// From one move to the next, thinking apart, in ms (median).
const PERIOD_MS: f64 = 25.0;

/// Options of `kibitzer bench loop`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The board, in the notation of sgt-flood
    #[arg(long, value_name = "WORDS", default_value = "14x14c6m0")]
    board: String,
    /// The policy
    #[arg(long, value_name = "NAME", default_value = crate::games::flood::policies::USUAL)]
    policy: String,
    /// Report a run of an existing journal instead: its number, or `latest`
    #[arg(long, value_name = "RUN")]
    run: Option<Which>,
    /// The journal of that run
    #[arg(long, value_name = "FILE", requires = "run")]
    db: Option<std::path::PathBuf>,
    /// Fail unless every game is won, the first click comes within 1.5 s and a move takes at most 25 ms
    #[arg(long)]
    prove: bool,
}

/// Runs `kibitzer bench loop`.
///
/// # Errors
/// When the screen or the game cannot be started.
pub fn run(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    if let Some(which) = options.run {
        let settings = crate::cli::request::SettingsOptions::default().load(&[])?;
        let path = options.db.clone().unwrap_or(settings.journal.path);
        let mut table = table(json);
        measure(&path, which, None, &mut table)?;
        table.finish();
        return Ok(ExitCode::SUCCESS);
    }
    let desktop = Desktop::start(1280, 800, Some("Clearlooks"))?;
    let (_game, _window) = desktop.flood(&options.board)?;
    let folder = std::env::temp_dir().join(format!("kibitzer-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let journal = folder.join("journal.db");
    let wall = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let began = Instant::now();
    let done = Command::new(std::env::current_exe()?)
        .args(["play", "--window", "Flood", "--game", "flood", "--json"])
        .args([
            "--games",
            &options.games.to_string(),
            "--policy",
            &options.policy,
        ])
        .args(["--journal", &journal.display().to_string()])
        .env("DISPLAY", desktop.display())
        .output()
        .context("starting kibitzer play")?;
    let seconds = began.elapsed().as_secs_f64();
    let mut table = table(json);
    let row = measure(
        &journal,
        Which::Latest,
        Some(wall.as_secs_f64()),
        &mut table,
    );
    // The journal of a failed run explains it and stays.
    let row = row.with_context(|| String::from_utf8_lossy(&done.stderr).into_owned())?;
    table.finish();
    if !json {
        say(&format!(
            "{} games in {seconds:.1} s; journal: {}",
            options.games,
            journal.display()
        ));
    }
    if !done.status.success() {
        bail!(
            "kibitzer play failed: {}",
            String::from_utf8_lossy(&done.stderr).trim()
        );
    }
    let mut missed = Vec::new();
    if row.won != options.games {
        missed.push(format!("{} of {} games won", row.won, options.games));
    }
    if row.first_click.is_none_or(|s| s > FIRST_CLICK) {
        missed.push(format!(
            "first click after {:?} s, at most {FIRST_CLICK}",
            row.first_click
        ));
    }
    if row.move_ms.is_none_or(|ms| ms > PERIOD_MS) {
        missed.push(format!("{:?} ms a move, at most {PERIOD_MS}", row.move_ms));
    }
    if options.prove && !missed.is_empty() {
        eprintln!("missed: {}", missed.join("; "));
        return Ok(ExitCode::FAILURE);
    }
    if missed.is_empty() {
        let _ = std::fs::remove_dir_all(&folder);
    }
    Ok(ExitCode::SUCCESS)
}

fn table(json: bool) -> Table {
    Table::new(
        json,
        &[
            "run",
            "policy",
            "games",
            "won",
            "moves",
            "mismatches",
            "first_click_s",
            "move_ms_median",
            "move_ms_p95",
            "thinking_ms_median",
            "move_less_thinking_ms",
            "screen_to_click_ms_median",
            "screen_to_click_ms_p95",
            "click_to_seen_ms_median",
        ],
    )
}

struct Row {
    won: u32,
    first_click: Option<f64>,
    move_ms: Option<f64>,
}

fn measure(
    path: &std::path::Path,
    which: Which,
    began: Option<f64>,
    table: &mut Table,
) -> anyhow::Result<Row> {
    let reader = Reader::open(path)?;
    let reads = reader.reads();
    let run = reads.run(which)?;
    let latencies = reads.latencies(run.run)?;
    let first_at = reads
        .timeline(run.run)?
        .into_iter()
        .find(|e| matches!(e.what, What::Acted { .. }))
        .map(|e| e.at);
    let started = run.started_ms.map(|ms| ms as f64 / 1e3);
    let first_click = match (started, first_at, began) {
        // From the moment the program was started, its own start-up included.
        (Some(started), Some(at), Some(began)) => Some(started + at as f64 / 1e6 - began),
        (_, Some(at), None) => Some(at as f64 / 1e6),
        _ => None,
    };
    let ms = |us: Option<u64>| us.map(|v| v as f64 / 1e3);
    let period = ms(latencies.period.median);
    let thinking = ms(latencies.thinking.median);
    let move_ms = period.map(|p| p - thinking.unwrap_or(0.0));
    let both = |s: &Spread| [json!(ms(s.median)), json!(ms(s.p95))];
    let [period_median, period_p95] = both(&latencies.period);
    let [screen_median, screen_p95] = both(&latencies.screen_to_click);
    let [seen_median, _] = both(&latencies.click_to_seen);
    table.row(vec![
        json!(run.run),
        json!(run.policy),
        json!(run.won + run.lost + run.drawn + run.aborted),
        json!(run.won),
        json!(run.moves),
        json!(run.mismatches),
        json!(first_click),
        period_median,
        period_p95,
        Value::from(thinking),
        Value::from(move_ms),
        screen_median,
        screen_p95,
        seen_median,
    ]);
    Ok(Row {
        won: run.won,
        first_click,
        move_ms,
    })
}
