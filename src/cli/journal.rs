//! `kibitzer journal`: what happened in earlier runs.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};

use crate::config::Folders;
use crate::journal::export::{export, json, story};
use crate::journal::read::{Filter, MismatchRow, Reader, Reads, RunRow, Which};
use crate::journal::restarts::RestartRow;

/// Options of `kibitzer journal`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kibitzer journal runs
  kibitzer journal show latest
  kibitzer journal mismatches --run 12 --cause covered
  kibitzer journal export latest --out failure
  kibitzer journal restarts --limit 20
  kibitzer journal runs --json --limit 5 | jq .why")]
pub struct Options {
    #[command(subcommand)]
    what: What,
    /// The journal; by default journal.path of the configuration
    #[arg(long, global = true, value_name = "PATH")]
    db: Option<PathBuf>,
    /// One JSON object per line
    #[arg(long, global = true)]
    json: bool,
    /// At most this many, the newest
    #[arg(long, global = true, value_name = "N")]
    limit: Option<u32>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List the runs, newest first
    Runs,
    /// List where the screen was not as expected
    #[command(after_help = "Examples:
  kibitzer journal mismatches --limit 10
  kibitzer journal mismatches --run latest --cause click-lost")]
    Mismatches {
        /// Only of this run (a number or `latest`)
        #[arg(long, value_name = "RUN")]
        run: Option<Which>,
        /// Only with this cause (covered, click-lost, user-moved, ...)
        #[arg(long, value_name = "CAUSE")]
        cause: Option<String>,
    },
    /// List why sessions of `kibitzer serve` were begun again, newest first
    #[command(after_help = "Examples:
  kibitzer journal restarts
  kibitzer journal restarts --json | jq -r .why | sort | uniq -c")]
    Restarts,
    /// Show everything of a run in the order of time
    #[command(after_help = "Examples:
  kibitzer journal show latest
  kibitzer journal show 12 --json | jq 'select(.event == \"mismatch\")'")]
    Show {
        /// Its number, or `latest`
        #[arg(default_value = "latest")]
        run: Which,
    },
    /// Write a folder that explains a run: text, events, configuration, pictures
    #[command(after_help = "Examples:
  kibitzer journal export latest
  kibitzer journal export 12 --out failure && tar czf failure.tgz failure")]
    Export {
        /// Its number, or `latest`
        #[arg(default_value = "latest")]
        run: Which,
        /// The folder; by default run-N here
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

/// Runs `kibitzer journal`.
///
/// # Errors
/// When it cannot be done; the text says what to change.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let path = match &options.db {
        Some(path) => path.clone(),
        None => usual_place()?,
    };
    let reader = Reader::open(&path)?;
    let reads = reader.reads();
    let text = match &options.what {
        What::Runs => runs(reads, options)?,
        What::Mismatches { run, cause } => mismatches(reads, options, *run, cause.as_deref())?,
        What::Restarts => restarts(reads, options)?,
        What::Show { run } => show(reads, options, *run)?,
        What::Export { run, out } => export_run(reads, options, *run, out.clone())?,
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The journal of the configuration, which must be readable for it.
fn usual_place() -> anyhow::Result<PathBuf> {
    let sources = crate::config::Sources::of_process(None, Vec::new());
    match crate::config::Settings::load(&sources) {
        Ok(settings) => Ok(settings.journal.path),
        // A wrong key elsewhere must not keep a person from reading what happened.
        Err(error) => {
            eprintln!(
                "kibitzer: the configuration is not usable, so the usual place is taken: {error}"
            );
            Folders::new(&sources.env)
                .journal()
                .context("neither XDG_STATE_HOME nor HOME is set; name the journal with --db")
        }
    }
}

/// A reader that stops reading (`| head`) is no failure.
fn print(text: &str) -> anyhow::Result<()> {
    use std::io::Write;
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        done => done.context("writing to stdout"),
    }
}

fn lines<T: serde::Serialize>(rows: &[T]) -> String {
    rows.iter().map(|r| json(r) + "\n").collect()
}

/// Columns padded to their widest value; the last is not padded.
fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let head: Vec<String> = head.iter().map(|h| (*h).to_owned()).collect();
    let all = || std::iter::once(&head).chain(rows);
    let widths: Vec<usize> = (0..head.len())
        .map(|i| all().map(|r| r[i].chars().count()).max().unwrap_or(0))
        .collect();
    let mut out = String::new();
    for row in all() {
        let mut line = String::new();
        for (value, width) in row.iter().zip(&widths) {
            line.push_str(&format!("{value:<width$}  "));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn runs(reads: Reads<'_>, options: &Options) -> anyhow::Result<String> {
    let rows = reads.runs(options.limit)?;
    if options.json {
        return Ok(lines(&rows));
    }
    if rows.is_empty() {
        return Ok("no runs yet: `kibitzer play` and `kibitzer watch` record them\n".into());
    }
    let rows: Vec<Vec<String>> = rows.iter().map(run_line).collect();
    let head = [
        "run",
        "started (UTC)",
        "command",
        "game",
        "policy",
        "won",
        "lost",
        "drawn",
        "aborted",
        "moves",
        "mismatches",
        "seconds",
        "ended",
    ];
    Ok(table(&head, &rows))
}

fn run_line(r: &RunRow) -> Vec<String> {
    vec![
        r.run.to_string(),
        r.started.clone().unwrap_or_else(|| "-".into()),
        r.command.clone(),
        r.game.clone(),
        r.policy.clone(),
        r.won.to_string(),
        r.lost.to_string(),
        r.drawn.to_string(),
        r.aborted.to_string(),
        r.moves.to_string(),
        r.mismatches.to_string(),
        r.ended_at
            .map_or_else(|| "-".into(), |us| format!("{:.1}", us as f64 / 1e6)),
        r.why.clone(),
    ]
}

fn mismatches(
    reads: Reads<'_>,
    options: &Options,
    run: Option<Which>,
    cause: Option<&str>,
) -> anyhow::Result<String> {
    let run = run
        .map(|which| reads.run(which))
        .transpose()?
        .map(|r| r.run);
    let rows = reads.mismatches(&Filter {
        run,
        cause: cause.map(str::to_owned),
        limit: options.limit,
    })?;
    if options.json {
        return Ok(lines(&rows));
    }
    if rows.is_empty() {
        return Ok(no_mismatches(&reads.causes()?));
    }
    let rows: Vec<Vec<String>> = rows.iter().map(mismatch_line).collect();
    let head = [
        "run", "seconds", "frame", "cause", "handling", "cells", "picture", "details",
    ];
    Ok(table(&head, &rows))
}

fn no_mismatches(causes: &[(String, u64)]) -> String {
    if causes.is_empty() {
        return "no mismatches: everything seen so far was as expected\n".into();
    }
    let known: Vec<String> = causes.iter().map(|(c, n)| format!("{c} ({n})")).collect();
    format!("no such mismatches; the journal has {}\n", known.join(", "))
}

fn mismatch_line(m: &MismatchRow) -> Vec<String> {
    use crate::journal::read::Evidence;
    let picture = match m.evidence {
        Evidence::None => "-",
        Evidence::Picture(_) => "kept",
        Evidence::Pending => "unfinished",
        Evidence::Dropped => "deleted",
    };
    vec![
        m.run.to_string(),
        format!("{:.3}", m.at as f64 / 1e6),
        m.frame_seq.to_string(),
        m.cause.clone(),
        m.handling.clone(),
        m.cells.len().to_string(),
        picture.into(),
        m.text.clone(),
    ]
}

fn restarts(reads: Reads<'_>, options: &Options) -> anyhow::Result<String> {
    let rows = reads.restarts(options.limit)?;
    if options.json {
        return Ok(lines(&rows));
    }
    if rows.is_empty() {
        return Ok("no restarts: no session of `kibitzer serve` has failed\n".into());
    }
    let line = |r: &RestartRow| {
        vec![
            r.at.clone(),
            r.session.to_string(),
            r.profile.clone(),
            r.run.map_or_else(|| "-".into(), |run| run.to_string()),
            r.attempt.to_string(),
            format!("{} s", r.pause_ms.div_ceil(1000)),
            r.why.clone(),
        ]
    };
    let rows: Vec<Vec<String>> = rows.iter().map(line).collect();
    let head = [
        "failed (UTC)",
        "session",
        "profile",
        "run",
        "attempt",
        "pause",
        "why",
    ];
    Ok(table(&head, &rows))
}

fn show(reads: Reads<'_>, options: &Options, which: Which) -> anyhow::Result<String> {
    let run = reads.run(which)?;
    let entries = reads.last_of(run.run, options.limit)?;
    let latencies = reads.latencies(run.run)?;
    if !options.json {
        return Ok(story(&run, &entries, &latencies, false));
    }
    let mut head = serde_json::to_value(&run).context("the run as JSON")?;
    head["event"] = "run".into();
    head["latencies_us"] = serde_json::to_value(&latencies).context("the latencies as JSON")?;
    Ok(format!("{head}\n{}", lines(&entries)))
}

fn export_run(
    reads: Reads<'_>,
    options: &Options,
    which: Which,
    out: Option<PathBuf>,
) -> anyhow::Result<String> {
    let number = reads.run(which)?.run;
    let folder = out.unwrap_or_else(|| format!("run-{number}").into());
    let done = export(reads, Which::Number(number), &folder)?;
    Ok(if options.json {
        let line = serde_json::json!({
            "run": number, "folder": done.folder, "events": done.events, "pictures": done.pictures,
        });
        format!("{line}\n")
    } else {
        format!(
            "run {number}: {} events and {} pictures in {}\n",
            done.events,
            done.pictures,
            done.folder.display()
        )
    })
}
