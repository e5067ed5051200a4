//! `kibitzer bench triplex`: how many levels there are, and what finding and solving them costs.
//!
//! Three tables: rectangles, the reference's filters, policies. Every figure that is published
//! stands beside ours.

mod published;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};

use super::memory;
use super::missed::Missed;
use super::table::Table;
use crate::cli::cpu::thread_time;
use crate::games::triplex::levels::filters::{self, Report};
use crate::games::triplex::levels::{
    Found, MEMORY, levels, levels_across, sizes_up_to, with_turnable,
};
use crate::games::triplex::policies::{self, only_solution};
use crate::types::GridSize;

/// Area of the largest rectangles that the reference finished.
const SMALL: usize = 36;
/// Area of the largest rectangles with published counts.
const LARGE: usize = 63;
/// Levels up to these areas.
const LEVELS: [(usize, usize); 2] = [(SMALL, 724), (LARGE, 5334)];
/// CPU time for all rectangles up to these areas, in seconds, at most.
const SECONDS: [(usize, f64); 2] = [(SMALL, 0.3), (LARGE, 60.0)];
/// Peak memory up to [`LARGE`], in MB, at most.
const MEGABYTES: f64 = 1000.0;
/// CPU time for 8x8, in seconds, at most.
const SECONDS_8X8: f64 = 600.0;
/// Levels up to [`SMALL`] that have a turnable figure.
const TURNABLE: usize = 555;

const EXAMPLES: &str = "\
Examples:
  kibitzer bench triplex
  kibitzer bench triplex --area 48
  kibitzer bench triplex --prove";

/// Options of `kibitzer bench triplex`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Rectangles of at most so many squares
    #[arg(long, value_name = "SQUARES", default_value_t = SMALL as u16, value_parser = clap::value_parser!(u16).range(4..=93))]
    area: u16,
    /// Everything to area 63, 8x8 and the 6x6 filters; exit status 1 when a figure that must hold is missed
    #[arg(long)]
    prove: bool,
}

/// What all rectangles together came to.
#[derive(Default)]
struct Sum {
    levels: Vec<Found>,
    cpu: Duration,
    peak: f64,
    /// Levels with a turnable figure, as far as they were looked at.
    turnable: usize,
    missed: Missed,
}

/// Runs `kibitzer bench triplex`.
///
/// # Errors
/// When there is too little memory for a rectangle.
pub fn run(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    let mut missed = Missed::default();
    let small = rectangles(options, json, &mut missed)?;
    filter_tables(options, json, &mut missed);
    policy_table(&small, json, &mut missed);
    Ok(missed.verdict(options.prove))
}

/// All rectangles; the levels of the small ones.
fn rectangles(options: &Options, json: bool, missed: &mut Missed) -> anyhow::Result<Vec<Found>> {
    let mut table = Table::new(
        json,
        &[
            "rectangle",
            "levels",
            "published",
            "hardest",
            "rotatable",
            "cpu ms",
            "peak MB",
            "reference's time",
        ],
    );
    let area = if options.prove {
        LARGE
    } else {
        options.area.into()
    };
    let mut sum = Sum::default();
    let mut small = Vec::new();
    for size in sizes_up_to(area) {
        rectangle(size, &mut table, &mut sum)?;
        let next_is_larger = |limit: usize| {
            size.len() <= limit && sizes_up_to(area.min(limit)).last() == Some(&size)
        };
        for (limit, count) in LEVELS.iter().filter(|l| next_is_larger(l.0) && area >= l.0) {
            totals(*limit, *count, &mut table, &mut sum);
        }
        if next_is_larger(SMALL.min(area)) {
            small.clone_from(&sum.levels);
        }
    }
    missed.extend(sum.missed);
    if options.prove {
        eight_by_eight(&mut table, missed)?;
    }
    table.finish();
    Ok(small)
}

fn rectangle(size: GridSize, table: &mut Table, sum: &mut Sum) -> anyhow::Result<usize> {
    memory::forget_peak();
    let before = thread_time();
    let found = levels(size, MEMORY, &mut |_| ()).context("there is too little memory")?;
    let cpu = thread_time().saturating_sub(before);
    let peak = memory::peak_megabytes();
    sum.cpu += cpu;
    sum.peak = sum.peak.max(peak);
    let published = published::of(size);
    let count = found.len();
    if let Some((levels, _)) = published {
        sum.missed.must(count == levels, || {
            format!("{size}: {count} levels, not {levels}")
        });
    }
    // Turnable figures only where their number is published: they take longer than the levels.
    let turnable = (size.len() <= SMALL).then(|| {
        found
            .iter()
            .filter(|f| with_turnable(f, 0).is_some())
            .count()
    });
    sum.turnable += turnable.unwrap_or(0);
    if count > 0 || published.is_some_and(|p| p.0 > 0) {
        table.row(vec![
            json!(size.to_string()),
            json!(count),
            published.map_or(json!("-"), |p| json!(p.0)),
            json!(found.iter().map(|f| f.iterations).max().unwrap_or(0)),
            turnable.map_or(json!("-"), |n| json!(n)),
            json!(cpu.as_secs_f64() * 1e3),
            json!(peak),
            json!(published.map_or("-", |p| p.1)),
        ]);
    }
    sum.levels.extend(found);
    Ok(count)
}

/// What must hold for all rectangles up to an area.
fn totals(area: usize, levels: usize, table: &mut Table, sum: &mut Sum) {
    let found = sum.levels.len();
    let seconds = sum.cpu.as_secs_f64();
    sum.missed.must(found == levels, || {
        format!("up to area {area}: {found} levels, not {levels}")
    });
    for (_, most) in SECONDS.iter().filter(|s| s.0 == area) {
        sum.missed.must(seconds < *most, || {
            format!("up to area {area}: {seconds:.2} s of CPU time, not below {most}")
        });
    }
    let peak = sum.peak;
    sum.missed.must(peak < MEGABYTES, || {
        format!("up to area {area}: {peak:.0} MB, not below {MEGABYTES}")
    });
    let turnable = (area == SMALL).then_some(sum.turnable);
    if let Some(count) = turnable {
        sum.missed.must(count == TURNABLE, || {
            format!("{count} levels have a turnable figure, not {TURNABLE}")
        });
    }
    table.row(vec![
        json!(format!("to area {area}")),
        json!(found),
        json!(levels),
        json!(sum.levels.iter().map(|f| f.iterations).max().unwrap_or(0)),
        turnable.map_or(json!("-"), |n| json!(n)),
        json!(seconds * 1e3),
        json!(sum.peak),
        json!(if area == SMALL {
            "45 days and more"
        } else {
            "-"
        }),
    ]);
}

/// 8x8, with the line in the middle and, as a check, a row lower; the figures of both must be the
/// same, and each must have one solution by the other policy as well.
fn eight_by_eight(table: &mut Table, missed: &mut Missed) -> anyhow::Result<()> {
    let size = GridSize::new(8, 8);
    let mut sum = Sum::default();
    rectangle(size, table, &mut sum)?;
    let seconds = sum.cpu.as_secs_f64();
    missed.must(seconds < SECONDS_8X8, || {
        format!("8x8: {seconds:.0} s of CPU time, not below {SECONDS_8X8}")
    });
    let below =
        levels_across(size, 5, MEMORY, &mut |_| ()).context("there is too little memory")?;
    missed.must(below == sum.levels, || {
        "8x8: another line between the halves gives other levels".to_owned()
    });
    let mut other = policies::by_name("reading")?;
    let alone = |f: &&Found| only_solution(&f.level, other.as_mut()).is_some();
    let unique = sum.levels.iter().filter(alone).count();
    missed.must(unique == sum.levels.len(), || {
        format!(
            "8x8: {unique} of {} levels have one solution",
            sum.levels.len()
        )
    });
    Ok(())
}

/// The reference's filters: by edges where that is possible, by tilings else.
fn filter_tables(options: &Options, json: bool, missed: &mut Missed) {
    let columns = [
        "rectangle",
        "filter",
        "checked",
        "passed",
        "published passed",
    ];
    let mut table = Table::new(json, &columns);
    let mut reports: Vec<(GridSize, Option<Report>)> = Vec::new();
    for (cols, rows) in [(4, 3), (5, 3), (4, 4)] {
        let size = GridSize::new(cols, rows);
        reports.push((size, filters::by_edges(size)));
    }
    let by_tilings: &[(u16, u16)] = if options.prove {
        &[(5, 4), (6, 4), (5, 5), (6, 5), (6, 6)]
    } else {
        &[(5, 4), (6, 4)]
    };
    for &(cols, rows) in by_tilings {
        let size = GridSize::new(cols, rows);
        reports.push((size, filters::by_tilings(size)));
    }
    for (size, report) in reports {
        let Some(report) = report else { continue };
        for row in &report.rows {
            let published = published::passed(size, row.filter);
            if let Some(wanted) = published {
                missed.must(row.passed == wanted, || {
                    format!(
                        "{size}, {}: {} passed, not {wanted}",
                        row.filter, row.passed
                    )
                });
            }
            table.row(vec![
                json!(size.to_string()),
                json!(row.filter),
                row.checked.map_or(json!("-"), |n| json!(n)),
                json!(row.passed),
                published.map_or(json!("-"), |n| json!(n)),
            ]);
        }
        let left = report.rows.last().map_or(0, |r| r.passed);
        missed.must(report.levels.len() as u64 == left, || {
            format!("{size}: counting and solving leave different levels")
        });
    }
    table.finish();
}

/// What the policies need for the small levels.
fn policy_table(levels: &[Found], json: bool, missed: &mut Missed) {
    let columns = [
        "policy",
        "levels",
        "one solution",
        "iterations",
        "most",
        "cpu ms",
    ];
    let mut table = Table::new(json, &columns);
    for listed in policies::LIST {
        let Ok(mut policy) = policies::by_name(listed.name) else {
            continue;
        };
        let before = thread_time();
        let solved = levels
            .iter()
            .map(|f| only_solution(&f.level, policy.as_mut()));
        let solved: Vec<_> = solved.collect();
        let cpu = thread_time().saturating_sub(before);
        let same = solved.iter().zip(levels);
        let same = same.filter(|(s, f)| s.as_ref().is_some_and(|s| s.0 == f.solution));
        let same = same.count();
        missed.must(same == levels.len(), || {
            format!("{}: {same} of {} levels solved", listed.name, levels.len())
        });
        let iterations = || solved.iter().flatten().map(|s| s.1);
        table.row(vec![
            json!(listed.name),
            json!(levels.len()),
            json!(same),
            json!(iterations().sum::<u64>()),
            json!(iterations().max().unwrap_or(0)),
            Value::from(cpu.as_secs_f64() * 1e3),
        ]);
    }
    table.finish();
}
