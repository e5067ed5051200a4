//! `kibitzer report`: one file that explains a run to somebody who was not there.

mod bundle;
mod scrub;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Value, json};

use super::doctor;
use super::logging;
use super::out::say;
use super::request::SettingsOptions;
use crate::config::profile::{SHIPPED, known};
use crate::config::{Folders, Settings};
use crate::journal::export::export;
use crate::journal::read::{Reader, RunRow, Which};
use crate::journal::recording;
use bundle::Bundle;
use scrub::Scrub;

const EXAMPLES: &str = "\
Examples:
  kibitzer report
  kibitzer report --run 12 --out failure.tar.gz
  kibitzer report --recording recordings/kibitzer-20260301-203005.120-flood.mcap
  kibitzer replay kibitzer-report-12.tar.gz     runs the recording in it again

User and host names, home folders, addresses and what looks like a secret are removed from all
texts. Pictures are kept as they are: look at them before you hand the file on.";

/// Options of `kibitzer report`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The run: its number, or `latest`
    #[arg(long, value_name = "RUN", default_value = "latest")]
    run: Which,
    /// The file, ending in .tar.gz; by default kibitzer-report-N.tar.gz here
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The run's recording, or a folder to look for it in; by default ./recordings and the one in
    /// the state folder
    #[arg(long, value_name = "PATH")]
    recording: Option<PathBuf>,
    /// A larger recording is left out (MiB)
    #[arg(long, value_name = "MIB", default_value_t = USUAL_MB)]
    max_mb: u64,
    /// One JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: SettingsOptions,
}

/// A larger recording is left out where nobody says another size, in MiB.
const USUAL_MB: u64 = 200;
/// Most of an event list or a log that is kept, from its end, in bytes.
const TEXT: usize = 8 << 20;
/// Most of all pictures together, in bytes; the newest are kept.
const PICTURES: u64 = 64 << 20;

/// Runs `kibitzer report`.
///
/// # Errors
/// When the file cannot be written, or the run that is named does not exist.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    logging::warnings();
    let made = make(options)?;
    if options.json {
        let path = made.out.display().to_string();
        let Made {
            run, files, bytes, ..
        } = made;
        say(&json!({"report": path, "run": run, "files": files, "bytes": bytes}).to_string());
    } else {
        say(&format!(
            "{}: {} files, {:.1} MB before packing; look at its pictures before you hand it on",
            made.out.display(),
            made.files,
            made.bytes as f64 / 1e6
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// A report that was written.
struct Made {
    out: PathBuf,
    /// The run's number; 0 for none.
    run: String,
    files: u32,
    /// Before packing.
    bytes: u64,
}

/// Writes the report of a run into a file that ends in `.tar.gz`.
///
/// # Errors
/// When it cannot be written, or there is no such run.
pub fn write(run: i64, out: &Path, settings: &SettingsOptions) -> anyhow::Result<()> {
    let options = Options {
        run: Which::Number(run),
        out: Some(out.to_owned()),
        recording: None,
        max_mb: USUAL_MB,
        json: false,
        settings: settings.clone(),
    };
    make(&options).map(|_| ())
}

fn make(options: &Options) -> anyhow::Result<Made> {
    let scrub = Scrub::of_process();
    // A configuration that cannot be used is a reason for a report, and the doctor tells it.
    let settings = options.settings.load(&[]);
    let journal = match &settings {
        Ok(settings) => Some(settings.journal.path.clone()),
        Err(_) => Folders::of_process().journal(),
    };
    let reader = journal.as_deref().map(Reader::open);
    let run = match &reader {
        Some(Ok(reader)) => match (reader.reads().run(options.run), options.run) {
            (Ok(run), _) => Some(run),
            (Err(error), Which::Number(_)) => bail!(error),
            (Err(_), Which::Latest) => None,
        },
        _ => None,
    };
    let number = run
        .as_ref()
        .map_or_else(|| "0".to_owned(), |r| r.run.to_string());
    let root = format!("kibitzer-report-{number}");
    let out = options
        .out
        .clone()
        .unwrap_or_else(|| format!("{root}.tar.gz").into());
    let name = out.to_string_lossy();
    if !(name.ends_with(".tar.gz") || name.ends_with(".tgz")) {
        bail!("--out {name}: the name of a report ends in .tar.gz");
    }
    let mut report = Report {
        bundle: Bundle::create(&out, &root)?,
        scrub,
        notes: Vec::new(),
    };
    report.doctor(&options.settings)?;
    match &settings {
        Ok(settings) => report.settings(settings)?,
        Err(error) => report.note(format!("the configuration cannot be used: {error:#}")),
    }
    match (&reader, &run) {
        (Some(Ok(reader)), Some(run)) => {
            report.journal(reader, run)?;
            let folders = settings.as_ref().ok().map(|s| &s.folders);
            report.profile(run, folders)?;
            report.recording(options, run, folders)?;
        }
        (Some(Err(error)), _) => report.note(error.to_string()),
        _ => report.note("nothing has been played yet".to_owned()),
    }
    let (files, bytes) = report.finish(run.as_ref())?;
    Ok(Made {
        out,
        run: number,
        files,
        bytes,
    })
}

struct Report {
    bundle: Bundle,
    scrub: Scrub,
    notes: Vec<String>,
}

impl Report {
    fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    fn text(&mut self, name: &str, text: &str) -> anyhow::Result<()> {
        let name = self.scrub.text(name);
        self.bundle.text(&name, &self.scrub.text(text))
    }

    /// A text of which only the end is kept where it is long.
    fn tail(&mut self, name: &str, path: &Path) -> anyhow::Result<()> {
        let Ok(bytes) = std::fs::read(path) else {
            return Ok(());
        };
        let from = bytes.len().saturating_sub(TEXT);
        if from > 0 {
            self.note(format!("{name}: its first {from} bytes are left out"));
        }
        let text = String::from_utf8_lossy(&bytes[from..]).into_owned();
        let whole = match (from, text.split_once('\n')) {
            (1.., Some((_, rest))) => rest,
            _ => &text,
        };
        self.text(name, whole)
    }

    fn doctor(&mut self, settings: &SettingsOptions) -> anyhow::Result<()> {
        let mut lines = String::new();
        let mut words = String::new();
        for finding in doctor::findings(settings) {
            let value = self.scrub.value(json!(finding));
            lines.push_str(&format!("{value}\n"));
            for line in finding.lines() {
                words.push_str(&line);
                words.push('\n');
            }
        }
        self.bundle.text("doctor.jsonl", &lines)?;
        self.text("doctor.txt", &words)
    }

    fn settings(&mut self, settings: &Settings) -> anyhow::Result<()> {
        self.text("config.toml", &settings.to_toml())?;
        if let Some(log) = &settings.log.file {
            self.tail("log/kibitzer.log", log)?;
            let mut older = log.clone().into_os_string();
            older.push(".1");
            self.tail("log/kibitzer.log.1", Path::new(&older))?;
        }
        Ok(())
    }

    /// What the journal has of the run: the same as `kibitzer journal export`.
    fn journal(&mut self, reader: &Reader, run: &RunRow) -> anyhow::Result<()> {
        let folder = tempfile::tempdir().context("a temporary folder")?;
        export(reader.reads(), Which::Number(run.run), folder.path())?;
        for name in ["run.txt", "run.json", "events.jsonl", "config.json"] {
            self.tail(&format!("journal/{name}"), &folder.path().join(name))?;
        }
        let pictures = std::fs::read_dir(folder.path().join("pictures"));
        let mut pictures: Vec<PathBuf> = pictures
            .into_iter()
            .flatten()
            .flatten()
            .map(|e| e.path())
            .collect();
        // Named by their place in the run.
        pictures.sort();
        let mut left = PICTURES;
        let mut dropped = 0;
        for path in pictures.iter().rev() {
            let size = path.metadata().map_or(0, |m| m.len());
            let Some(rest) = left.checked_sub(size) else {
                dropped += 1;
                continue;
            };
            left = rest;
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
            let name = format!("journal/pictures/{}", name.unwrap_or_default());
            self.bundle.file(&name, path)?;
        }
        if dropped > 0 {
            self.note(format!(
                "{dropped} pictures of mismatches are left out: too large"
            ));
        }
        Ok(())
    }

    fn profile(&mut self, run: &RunRow, folders: Option<&Folders>) -> anyhow::Result<()> {
        let found = folders.map(known).unwrap_or_default();
        let file = found.into_iter().find(|k| k.name == run.profile);
        let text = match file.and_then(|k| k.path) {
            Some(path) => std::fs::read_to_string(path).ok(),
            None => SHIPPED
                .iter()
                .find(|(name, _)| *name == run.profile)
                .map(|(_, text)| (*text).to_owned()),
        };
        match text {
            Some(text) => self.text("profile.toml", &text),
            None => {
                self.note(format!(
                    "there is no profile \"{}\" here (a recording holds its own)",
                    run.profile
                ));
                Ok(())
            }
        }
    }

    fn recording(
        &mut self,
        options: &Options,
        run: &RunRow,
        folders: Option<&Folders>,
    ) -> anyhow::Result<()> {
        let Some(path) = find_recording(options.recording.as_deref(), run, folders)? else {
            self.note(
                "there is no recording of this run: `kibitzer play --record recordings` makes one \
                 that can be run again"
                    .to_owned(),
            );
            return Ok(());
        };
        let size = path.metadata().map_or(0, |m| m.len());
        if size > options.max_mb << 20 {
            self.note(format!(
                "the recording of this run is left out: it has {} MiB (--max-mb)",
                size >> 20
            ));
            return Ok(());
        }
        let folder = tempfile::tempdir().context("a temporary folder")?;
        let clean = folder.path().join("clean.mcap");
        let scrub = self.scrub.clone();
        recording::copy(&path, &clean, &|v: Value| scrub.value(v), &|t| {
            scrub.text(t)
        })?;
        self.bundle.file("recording.mcap", &clean)
    }

    fn finish(mut self, run: Option<&RunRow>) -> anyhow::Result<(u32, u64)> {
        let mut text = format!(
            "A report of Kibitzer {}{}.\n\n\
             doctor.txt        what works on that machine and what does not\n\
             config.toml       the configuration in force\n\
             profile.toml      the profile of the run\n\
             journal/          the run: a story in run.txt, events, pictures of mismatches\n\
             log/              the end of the log\n\
             recording.mcap    all frames and decisions; Foxglove opens it, and\n\
             \x20                 `kibitzer replay THIS.tar.gz` runs it again\n\n\
             Names, home folders, addresses and what looks like a secret were removed from texts.\n\
             Pictures are as they were.\n",
            env!("CARGO_PKG_VERSION"),
            run.map_or_else(String::new, |r| format!(
                ": run {} of {}",
                r.run,
                r.started.as_deref().unwrap_or("an unknown time")
            ))
        );
        if !self.notes.is_empty() {
            text.push_str("\nNot in it:\n");
        }
        for note in std::mem::take(&mut self.notes) {
            text.push_str(&format!("- {note}\n"));
        }
        self.text("README.txt", &text)?;
        self.bundle.finish()
    }
}

/// A recording and its run have begun at the same moment, to within this, in milliseconds.
const SAME: i64 = 2000;

/// Folders where recordings are looked for.
#[must_use]
pub fn recordings(folders: Option<&Folders>) -> Vec<PathBuf> {
    let state = folders.and_then(|f| f.state.as_ref());
    let own = Some(PathBuf::from("recordings"));
    own.into_iter()
        .chain(state.map(|s| s.join("recordings")))
        .collect()
}

/// The recording of a run.
///
/// # Errors
/// When one is named that cannot be read.
pub fn find_recording(
    named: Option<&Path>,
    run: &RunRow,
    folders: Option<&Folders>,
) -> anyhow::Result<Option<PathBuf>> {
    let places: Vec<PathBuf> = match named {
        Some(path) if !path.is_dir() => {
            // The one that is named is the one, whatever it says.
            recording::Reader::open(path)?;
            return Ok(Some(path.to_owned()));
        }
        Some(folder) => vec![folder.to_owned()],
        None => recordings(folders),
    };
    let Some(started) = run.started_ms else {
        return Ok(None);
    };
    let mut best: Option<(i64, PathBuf)> = None;
    for place in places {
        for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_none_or(|e| e != "mcap") {
                continue;
            }
            // What cannot be read is not it.
            let Ok(reader) = recording::Reader::open(&path) else {
                continue;
            };
            let header = reader.header();
            let apart = (header.started_ms - started).abs();
            let same = apart <= SAME && header.run["game"] == run.game.as_str();
            if same && best.as_ref().is_none_or(|(least, _)| apart < *least) {
                best = Some((apart, path));
            }
        }
    }
    Ok(best.map(|(_, path)| path))
}
