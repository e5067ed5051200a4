//! Looks at cases one after another and keeps count.

use std::fs;
use std::path::Path;

use anyhow::Context;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use super::super::table::Table;
use super::eyes;
use super::score::{Tally, judge_any, report};
use crate::games::flood::target::cases::{Case, Truth};
use crate::types::Wanted;

/// Columns of the table.
pub const COLUMNS: [&str; 16] = [
    "set",
    "condition",
    "cases",
    "found",
    "right",
    "cells_right_pct",
    "unknown",
    "wrong_accepted",
    "false_finds",
    "extra",
    "lowest_right_quality",
    "highest_wrong_quality",
    "corner_px_median",
    "corner_px_max",
    "find_ms_median",
    "find_ms_max",
];

/// One set's counts, by condition and in all.
#[derive(Debug)]
pub struct Counts {
    wanted: Wanted,
    conditions: Vec<(String, Tally)>,
    /// Everything together.
    pub all: Tally,
}

impl Counts {
    /// Nothing yet; boards of this kind are looked for.
    #[must_use]
    pub fn new(wanted: Wanted) -> Self {
        Self {
            wanted,
            conditions: Vec::new(),
            all: Tally::default(),
        }
    }

    /// Looks at one case; `others` are further boards in it, of which any may be found.
    ///
    /// # Errors
    /// When a failure cannot be saved.
    pub fn take(
        &mut self,
        case: &Case,
        others: &[Truth],
        failures: Option<&Path>,
    ) -> anyhow::Result<()> {
        let before = cpu_millis();
        let calibrations = eyes::find(&case.picture, &self.wanted);
        let took = cpu_millis() - before;
        let findings = eyes::read(&case.picture, calibrations);
        let verdict = judge_any(case.truth.iter().chain(others), &findings);
        let failed = verdict.wrong || verdict.board && !(verdict.right && verdict.accepted);
        if failed {
            tracing::info!(case = %case.name, ?verdict, "missed");
            if let Some(dir) = failures {
                save(dir, case, &report(case, &findings))?;
            }
        }
        let at = self.conditions.iter().position(|c| c.0 == case.condition);
        let at = at.unwrap_or_else(|| {
            self.conditions
                .push((case.condition.clone(), Tally::default()));
            self.conditions.len() - 1
        });
        self.conditions[at].1.add(&verdict, took);
        self.all.add(&verdict, took);
        if failed {
            eprintln!("missed: {}", case.name);
        }
        Ok(())
    }

    /// Rows for each condition and for the whole set.
    pub fn rows(&self, set: &str, table: &mut Table) {
        for (condition, tally) in &self.conditions {
            table.row(row(set, condition, tally));
        }
        if self.conditions.len() != 1 {
            table.row(row(set, "all", &self.all));
        }
    }
}

fn row(set: &str, condition: &str, t: &Tally) -> Vec<Value> {
    let (corner, ms) = (t.corner_error(), t.find_millis());
    let part = |v: Option<(f64, f64)>, second: bool| {
        v.map_or(Value::from("-"), |(a, b)| json!(if second { b } else { a }))
    };
    let quality = |q: Option<f32>| q.map_or(Value::from("-"), |q| json!(f64::from(q)));
    vec![
        json!(set),
        json!(condition),
        json!(t.cases),
        json!(t.found),
        json!(t.right),
        if t.boards > 0 {
            json!(t.cells_right())
        } else {
            Value::from("-")
        },
        json!(t.cells.2),
        json!(t.wrong),
        json!(t.false_finds),
        json!(t.extra),
        quality(t.lowest_right),
        quality(t.highest_wrong),
        part(corner, false),
        part(corner, true),
        part(ms, false),
        part(ms, true),
    ]
}

/// Processor time of this process so far, all threads.
fn cpu_millis() -> f64 {
    let t = clock_gettime(ClockId::ProcessCPUTime);
    t.tv_sec as f64 * 1e3 + t.tv_nsec as f64 / 1e6
}

/// Writes the picture and a text beside it.
///
/// # Errors
/// When the folder cannot be written.
pub fn save(dir: &Path, case: &Case, text: &str) -> anyhow::Result<()> {
    fs::create_dir_all(dir).with_context(|| format!("{}: cannot be made", dir.display()))?;
    let name: String = case
        .name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || c == '.' {
                c
            } else {
                '_'
            }
        })
        .take(120)
        .collect();
    let path = dir.join(format!("{name}.png"));
    case.picture
        .to_rgb()
        .save(&path)
        .with_context(|| format!("{}: cannot be written", path.display()))?;
    let path = dir.join(format!("{name}.txt"));
    fs::write(&path, text).with_context(|| format!("{}: cannot be written", path.display()))
}
