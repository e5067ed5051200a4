//! `kibitzer replay`: a recorded run once more, in virtual time, and whether it goes the same way.

mod shown;
mod tape;

pub use shown::{Shown, difference};
pub use tape::Tape;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use super::logging;
use super::out::say;
use crate::journal::recording::is_ours;

const EXAMPLES: &str = "\
Examples:
  kibitzer replay recordings/kibitzer-20260301-203005.120-flood.mcap
  kibitzer replay tests/recordings              every recording of a folder
  kibitzer replay run.mcap --from-mismatch 2    shows the boards from there on
  kibitzer replay run.mcap --profile mine.toml  how it would have gone with this profile
  kibitzer replay report.tar.gz --json          the recording in a report

Exit status: 0 all equal, 1 something differs or cannot be read, 2 wrong usage.";

/// Options of `kibitzer replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// A recording, a report with one in it, or a folder of recordings
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Show what is seen, believed and done from the Nth mismatch on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    from_mismatch: Option<u32>,
    /// Play with this profile in place of the recorded one
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,
    /// One JSON object per recording
    #[arg(long)]
    json: bool,
}

/// Runs `kibitzer replay`: success only if every recording gave the same again.
///
/// # Errors
/// When there is no recording at the path.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    logging::warnings();
    let files = files(&options.path)?;
    let mut all_equal = true;
    for file in &files {
        match one(file, options) {
            Ok(equal) => all_equal &= equal,
            // One that cannot be read must not hide what the others say.
            Err(error) => {
                all_equal = false;
                if options.json {
                    let file = file.display().to_string();
                    say(&json!({"recording": file, "error": format!("{error:#}")}).to_string());
                } else {
                    eprintln!("kibitzer: {error:#}");
                }
            }
        }
    }
    Ok(if all_equal {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The recordings of a path, by name.
fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let place = || path.display().to_string();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).with_context(place)? {
        let file = entry.with_context(place)?.path();
        let named = file.extension().is_some_and(|e| e == "mcap");
        if file.is_file() && (named || is_ours(&file)) {
            files.push(file);
        }
    }
    if files.is_empty() {
        bail!(
            "{}: there are no recordings (*.mcap) in it; `kibitzer play --record {}` makes one",
            path.display(),
            path.display()
        );
    }
    files.sort();
    Ok(files)
}

fn one(file: &Path, options: &Options) -> anyhow::Result<bool> {
    let tape = Tape::open(file)?;
    let mut tell = |line: &str| say(line);
    let mut shown = Shown::new(options.from_mismatch.filter(|_| !options.json), &mut tell);
    let run = tape.run(options.profile.as_deref(), &mut shown)?;
    let done = &run.replayed;
    let equal = done.difference.is_none();
    let name = file.display();
    if options.json {
        say(&json!({
            "recording": name.to_string(),
            "run": run.header.run,
            "version": run.header.version,
            "equal": equal,
            "ticks": done.ticks,
            "frames": done.frames,
            "seconds": done.until.0 as f64 / 1e6,
            "events": done.events.len(),
            "mismatches": shown.mismatches(),
            "ended_early": !run.complete,
            "missing": done.missing,
            "retold": run.header.retold,
            "difference": done.difference.as_ref().map(|d| json!({
                "tick": d.tick,
                "seconds": d.at.0 as f64 / 1e6,
                "frame": d.frame_seq,
                "recorded": d.recorded.as_ref().map(|(t, v)| json!({t.name(): v})),
                "replayed": d.replayed.as_ref().map(|(t, v)| json!({t.name(): v})),
            })),
        })
        .to_string());
        return Ok(equal);
    }
    if let Some(n) = options.from_mismatch
        && shown.mismatches() < n
    {
        say(&format!(
            "there are {} mismatches in it",
            shown.mismatches()
        ));
    }
    let words = |v: &Value, key: &str| v[key].as_str().unwrap_or("?").to_owned();
    let what = format!(
        "{} of {} by {}: {} frames, {} events in {:.1} s",
        words(&run.header.run, "command"),
        words(&run.header.run, "game"),
        words(&run.header.run, "policy"),
        done.frames,
        done.events.len(),
        done.until.0 as f64 / 1e6
    );
    if let Some(d) = &done.difference {
        say(&format!("{name}: DIFFERENT: {what}"));
        for line in difference(d) {
            say(&line);
        }
    } else if done.missing > 0 {
        say(&format!("{name}: equal as far as it is whole: {what}"));
    } else {
        say(&format!("{name}: equal: {what}"));
    }
    if let Some((tick, at)) = done.missing_at {
        say(&format!(
            "  {} ticks or their pixels are missing (the disk was too slow), the first is tick \
             {tick} at {:.3} s: nothing after it is compared",
            done.missing,
            at.0 as f64 / 1e6
        ));
    }
    if !run.complete {
        say("  the file ends early: the recording process was ended, or the disk was full");
    }
    if run.header.retold {
        say(
            "  the policy's answers are the recorded ones: it may answer otherwise when asked again",
        );
    }
    if run.header.version != env!("CARGO_PKG_VERSION") {
        say(&format!("  recorded by Kibitzer {}", run.header.version));
    }
    Ok(equal)
}
