//! `kibitzer bench tetris --prove`: the figures that must hold, each by its name.

use std::process::ExitCode;

use serde_json::json;

use super::super::table::Table;
use super::{Until, climb, measure, setting};
use crate::games::tetris::policies::MoveModel;

type Published = ((u16, u16), MoveModel, &'static str, f64, f64);

/// Mean rows that an independent simulator measured on the same rules, with its standard error:
/// board, model, policy, rows, error.
const TABLE: [Published; 12] = [
    ((10, 10), MoveModel::AfterOneStep, "dellacherie", 254.0, 5.0),
    ((10, 10), MoveModel::AfterOneStep, "bcts", 196.0, 4.0),
    ((10, 10), MoveModel::AfterOneStep, "dt10", 249.0, 7.0),
    ((10, 10), MoveModel::AfterOneStep, "dt20", 184.0, 4.0),
    (
        (10, 12),
        MoveModel::AfterOneStep,
        "dellacherie",
        1415.0,
        104.0,
    ),
    ((10, 12), MoveModel::AfterOneStep, "bcts", 1142.0, 72.0),
    ((10, 12), MoveModel::AfterOneStep, "dt10", 1348.0, 116.0),
    ((10, 12), MoveModel::AfterOneStep, "dt20", 1167.0, 73.0),
    ((10, 10), MoveModel::Ideal, "dellacherie", 2176.0, 121.0),
    ((10, 10), MoveModel::Ideal, "bcts", 3569.0, 317.0),
    ((10, 10), MoveModel::Ideal, "dt10", 5473.0, 664.0),
    ((10, 10), MoveModel::Ideal, "dt20", 4810.0, 548.0),
];
/// Two means may differ by so many of their common standard errors: with twelve comparisons one
/// in 30 runs fails by chance.
const ERRORS: f64 = 3.0;
/// Placements per second and core: one piece, two pieces.
const SPEEDS: [(&str, f64); 2] = [("dt10", 1.2e6), ("two-piece:dt10", 60e3)];
/// Rows with two pieces known, against one.
const TWO_PIECES: f64 = 30.0;
/// Rows of our own policy against the best of the others, dt10.
const OWN: f64 = 4.0;

struct Checks {
    table: Table,
    only: Option<String>,
    missed: usize,
}

impl Checks {
    fn wanted(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|o| name.contains(o.as_str()))
    }

    fn check(&mut self, name: &str, found: f64, error: f64, wanted: String, holds: bool) {
        self.missed += usize::from(!holds);
        let round = |x: f64| json!((x * 10.0).round() / 10.0);
        self.table.row(vec![
            json!(name),
            round(found),
            round(error),
            json!(wanted),
            json!(if holds { "holds" } else { "missed" }),
        ]);
    }
}

/// Measures and judges.
pub(super) fn run(only: Option<&str>, seed: u64, json: bool) -> anyhow::Result<ExitCode> {
    let mut checks = Checks {
        table: Table::new(json, &["check", "found", "+-", "wanted", "result"]),
        only: only.map(str::to_owned),
        missed: 0,
    };
    published(&mut checks, seed)?;
    speeds(&mut checks, seed)?;
    two_pieces(&mut checks, seed)?;
    own(&mut checks, seed)?;
    checks.table.finish();
    if checks.missed > 0 {
        eprintln!("missed: {} of the checks", checks.missed);
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn published(checks: &mut Checks, seed: u64) -> anyhow::Result<()> {
    for (size, moves, policy, rows, error) in TABLE {
        let model = moves.name();
        let name = format!("table {}x{} {model} {policy}", size.0, size.1);
        if !checks.wanted(&name) {
            continue;
        }
        let until = Until {
            deaths: Some(if size.1 == 10 && model == "f" {
                4000
            } else {
                800
            }),
            ..Until::default()
        };
        let figures = measure(policy, setting(size, moves, false, seed), until)?;
        let common = figures.error().hypot(error);
        let holds = (figures.mean() - rows).abs() <= ERRORS * common;
        let wanted = format!("{rows} +-{error}");
        checks.check(&name, figures.mean(), figures.error(), wanted, holds);
    }
    Ok(())
}

fn speeds(checks: &mut Checks, seed: u64) -> anyhow::Result<()> {
    for (policy, least) in SPEEDS {
        let name = format!("speed {policy}");
        if !checks.wanted(&name) {
            continue;
        }
        // The best of several: others on the machine only ever make it slower.
        let mut best = 0.0_f64;
        for i in 0..5 {
            let until = Until {
                seconds: Some(1.0),
                ..Until::default()
            };
            let standard = setting((10, 20), MoveModel::AfterOneStep, false, seed + i);
            best = best.max(measure(policy, standard, until)?.speed());
        }
        checks.check(&name, best, 0.0, format!("at least {least}"), best >= least);
    }
    Ok(())
}

fn two_pieces(checks: &mut Checks, seed: u64) -> anyhow::Result<()> {
    let name = "two pieces against one, dellacherie 10x10 f";
    if !checks.wanted(name) {
        return Ok(());
    }
    let half = || setting((10, 10), MoveModel::AfterOneStep, false, seed);
    let until = |deaths| Until {
        deaths: Some(deaths),
        ..Until::default()
    };
    let one = measure("dellacherie", half(), until(2000))?;
    let two = measure("two-piece:dellacherie", half(), until(12))?;
    let factor = two.mean() / one.mean();
    let error = factor * (one.error() / one.mean()).hypot(two.error() / two.mean());
    let wanted = format!("at least {TWO_PIECES}");
    checks.check(name, factor, error, wanted, factor >= TWO_PIECES);
    Ok(())
}

fn own(checks: &mut Checks, seed: u64) -> anyhow::Result<()> {
    for (size, starts) in [((10, 16), 2000), ((10, 20), 2000)] {
        let name = format!("kibitzer against dt10 {}x{} f", size.0, size.1);
        if !checks.wanted(&name) {
            continue;
        }
        let on = || setting(size, MoveModel::AfterOneStep, false, seed);
        let other = climb("dt10", on(), starts)?;
        let own = climb("kibitzer", on(), starts)?;
        let (factor, error) = match (own, other) {
            (Some(own), Some(other)) => {
                let factor = own.0 / other.0;
                (factor, factor * (own.1 / own.0).hypot(other.1 / other.0))
            }
            // Not one pile of all these came to the top.
            (None, Some(_)) => (f64::INFINITY, 0.0),
            _ => (0.0, 0.0),
        };
        let wanted = format!("at least {OWN}");
        checks.check(&name, factor, error, wanted, factor - error >= OWN);
    }
    Ok(())
}
