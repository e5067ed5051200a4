//! `kibitzer bench tetris-real`: Tetris programs that nobody here wrote, on a screen of their own,
//! each game from a cold start: the program's title page, then `kibitzer play` with its profile.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::stage::{Desktop, TetrisProgram};
use super::table::Table;

/// Of five games so many must reach their rows.
const FOUR_OF_FIVE: f64 = 0.8;
/// Longest that a row may take on average before a game is broken off.
const PER_ROW: Duration = Duration::from_secs(4);
/// And for finding the board and starting the game.
const TO_START: Duration = Duration::from_secs(40);

/// Options of `kibitzer bench tetris-real`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The program; both where none is named
    #[arg(long, value_name = "NAME", value_parser = ["quadrapassel", "vitetris"])]
    program: Option<String>,
    /// Games with each program
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Rows to complete in each game (quadrapassel 100, vitetris 40)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rows: Option<u32>,
    /// The policy
    #[arg(long, value_name = "NAME")]
    policy: Option<String>,
    /// Keep the journals and a picture of the end of each game in this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<std::path::PathBuf>,
    /// Fail unless four of five games reach their rows
    #[arg(long)]
    prove: bool,
}

/// Runs `kibitzer bench tetris-real`.
///
/// # Errors
/// When a screen or a program cannot be started.
pub fn run(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    let all = [
        (TetrisProgram::Quadrapassel(1), 100),
        (TetrisProgram::Vitetris, 40),
    ];
    let named = |p: TetrisProgram| options.program.as_deref().is_none_or(|n| n == p.name());
    let mut table = Table::new(
        json,
        &[
            "program",
            "game",
            "result",
            "rows",
            "wanted",
            "pieces",
            "seconds",
            "mismatches",
            "fall_ms",
            "why",
        ],
    );
    let mut missed = Vec::new();
    for (program, usual) in all.into_iter().filter(|&(p, _)| named(p)) {
        if let Some(file) = program.missing() {
            bail!("{program} cannot be started: there is no {file}");
        }
        let rows = options.rows.unwrap_or(usual);
        let mut reached = 0;
        for game in 1..=options.games {
            let end = play(program, game, rows, options)?;
            let number = |name: &str| end.get(name).cloned().unwrap_or(Value::Null);
            let done = number("lines").as_u64().unwrap_or(0);
            reached += u32::from(done >= u64::from(rows));
            table.row(vec![
                json!(program.name()),
                json!(game),
                number("result"),
                json!(done),
                json!(rows),
                number("pieces"),
                number("seconds"),
                number("mismatches"),
                number("fall_ms"),
                number("why"),
            ]);
        }
        if f64::from(reached) < FOUR_OF_FIVE * f64::from(options.games) {
            let games = options.games;
            missed.push(format!(
                "{program}: {reached} of {games} games to {rows} rows"
            ));
        }
    }
    table.finish();
    if options.prove && !missed.is_empty() {
        eprintln!("missed: {}; wanted are four of five", missed.join("; "));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// One game from the title page on; the JSON object of its end, or why there is none.
fn play(program: TetrisProgram, game: u32, rows: u32, options: &Options) -> anyhow::Result<Value> {
    let desktop = Desktop::start(1280, 800, Some("Clearlooks"))?;
    let (_program, window) = desktop.tetris(program)?;
    let journal = desktop.folder().join("journal.db");
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(["play", program.name(), "--games", "1", "--json"])
        .args(["--rows", &rows.to_string(), "--give-up", "20"])
        .arg("--journal")
        .arg(&journal)
        .env("DISPLAY", desktop.display());
    if let Some(policy) = &options.policy {
        command.args(["--policy", policy]);
    }
    let end = ended(command, TO_START + PER_ROW * rows)?;
    if let Some(folder) = &options.keep {
        std::fs::create_dir_all(folder)?;
        let name = |what: &str| folder.join(format!("{program}-{game}{what}"));
        copy(&journal, &name(".db"))?;
        let picture = desktop.picture(desktop.client(window)?)?;
        picture.to_rgb().save(name(".png"))?;
    }
    Ok(end)
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    std::fs::copy(from, to).with_context(|| format!("{}: cannot be copied", from.display()))?;
    Ok(())
}

/// Waits for a run of one game; its last line, or why it has none.
fn ended(mut command: Command, limit: Duration) -> anyhow::Result<Value> {
    let until = Instant::now() + limit;
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("starting kibitzer play")?;
    while child.try_wait()?.is_none() {
        if Instant::now() > until {
            child.kill()?;
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    // A few lines at most: they fit into the pipe's own buffer.
    let out = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&out.stdout);
    let last = text.lines().rev().find(|l| l.starts_with('{'));
    let end = last.and_then(|l| serde_json::from_str(l).ok());
    Ok(end.unwrap_or_else(|| {
        let why = String::from_utf8_lossy(&out.stderr).trim().to_owned();
        let why = if why.is_empty() {
            format!("no game ended within {} s", limit.as_secs())
        } else {
            why
        };
        json!({ "result": "none", "why": why })
    }))
}
