//! The commands that the dashboard uses: doctor, report, replay.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::replay::{Shown, Tape, difference};
use super::request::SettingsOptions;
use super::{doctor, logging, report};
use crate::config::{Folders, Settings};
use crate::journal::recording::Reader;
use crate::web::lines::Lines;
use crate::web::tools::{Recorded, Tools};

/// Most lines of a replay that are told.
const MOST_LINES: usize = 4000;

/// All of them, with the settings of the daemon.
#[derive(Debug)]
pub struct Own {
    /// As they were given at its start.
    pub settings: SettingsOptions,
    /// Where things lie.
    pub folders: Folders,
}

impl Own {
    fn all(&self) -> Vec<(PathBuf, Recorded)> {
        let places = report::recordings(Some(&self.folders));
        let entries = { places.into_iter() }
            .flat_map(|p| std::fs::read_dir(p).into_iter().flatten().flatten());
        let mut found: Vec<(PathBuf, Recorded)> = Vec::new();
        for entry in entries {
            let path = entry.path();
            let id = path.file_stem().map(|s| s.to_string_lossy().into_owned());
            let is_one = path.extension().is_some_and(|e| e == "mcap");
            // One that is being written, or is damaged, cannot be run again.
            let (Some(id), true, Ok(reader)) = (id, is_one, Reader::open(&path)) else {
                continue;
            };
            if found.iter().any(|(_, other)| other.id == id) {
                continue;
            }
            let header = reader.header();
            let recorded = Recorded {
                id,
                started_ms: header.started_ms,
                run: header.run.clone(),
                bytes: entry.metadata().map_or(0, |m| m.len()),
            };
            found.push((path, recorded));
        }
        found.sort_by_key(|(_, r)| std::cmp::Reverse(r.started_ms));
        found
    }
}

impl Tools for Own {
    fn findings(&self) -> Vec<Value> {
        let all = doctor::findings(&self.settings).into_iter();
        all.map(|finding| json!(finding)).collect()
    }

    fn lines(&self) -> Arc<Lines> {
        logging::lines()
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        self.settings.load(&[])
    }

    fn report(&self, run: i64, out: &Path) -> anyhow::Result<()> {
        report::write(run, out, &self.settings)
    }

    fn recordings(&self) -> Vec<Recorded> {
        self.all()
            .into_iter()
            .map(|(_, recorded)| recorded)
            .collect()
    }

    fn replay(&self, id: &str, from_mismatch: Option<u32>) -> anyhow::Result<Value> {
        let all = self.all();
        let found = all.into_iter().find(|(_, recorded)| recorded.id == id);
        let (path, _) = found.with_context(|| format!("there is no recording \"{id}\""))?;
        let mut lines: Vec<String> = Vec::new();
        let mut tell = |line: &str| {
            if lines.len() < MOST_LINES {
                lines.push(line.to_owned());
            }
        };
        let mut shown = Shown::new(from_mismatch, &mut tell);
        let ran = Tape::open(&path)?.run(None, &mut shown)?;
        let mismatches = shown.mismatches();
        let done = &ran.replayed;
        Ok(json!({
            "recording": id,
            "run": ran.header.run,
            "version": ran.header.version,
            "equal": done.difference.is_none(),
            "frames": done.frames,
            "seconds": done.until.0 as f64 / 1e6,
            "mismatches": mismatches,
            "missing": done.missing,
            "complete": ran.complete,
            "difference": done.difference.as_ref().map(difference),
            "lines": lines,
        }))
    }
}
