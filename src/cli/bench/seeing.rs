//! `kibitzer bench seeing`: boards found and cells read, by set and condition.
//!
//! Sets: `screenshots`, `camera`, `none` and `hard` are drawn from seeds, and so are `holes` and
//! `no-holes` (Connect-4), `crossings` and `squares` (five in a row); `real` are windows of
//! sgt-flood under a private X server, `others` windows of programs without a board; `pictures`
//! are other people's screenshots where present. `photos` are photographed screens with Flood-It,
//! `paper` puzzles of lit paper, `styles` unusual looks, `stacks` single pictures of Tetris in
//! many programs and photographs. `tetris` is a game seen by a webcam for a while.

pub mod camera;
pub mod eyes;
pub mod hard;
pub mod holes;
pub mod lines;
pub mod none;
mod others;
pub mod paper;
pub mod photos;
pub mod pictures;
mod real;
mod run;
pub mod score;
pub mod stacks;
pub mod styles;
pub mod tetris;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;

use super::table::Table;
use crate::games::flood::target::cases::{Case, Truth, screenshot};
use crate::games::{connect4, flood, gomoku, tetris as stack};
use crate::types::Wanted;
use run::Counts;
use score::Tally;

/// Options of `kibitzer bench seeing`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// What to look at
    #[arg(long, value_enum, default_value_t = Set::All)]
    set: Set,
    /// Pictures per set instead of the set's own number
    #[arg(long)]
    seeds: Option<u64>,
    /// First seed
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Exit with status 1 if a figure that must hold is missed
    #[arg(long)]
    prove: bool,
    /// Write each missed picture and what was seen in it into this folder
    #[arg(long, value_name = "DIR")]
    save_failures: Option<PathBuf>,
    /// Only write the pictures into this folder
    #[arg(long, value_name = "DIR")]
    draw: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Set {
    Screenshots,
    Camera,
    None,
    Others,
    Real,
    Pictures,
    Hard,
    Holes,
    NoHoles,
    Crossings,
    Squares,
    Photos,
    Paper,
    Styles,
    Stacks,
    Tetris,
    All,
}

impl Set {
    const EACH: [Self; 15] = [
        Self::Screenshots,
        Self::Camera,
        Self::None,
        Self::Others,
        Self::Real,
        Self::Pictures,
        Self::Hard,
        Self::Holes,
        Self::NoHoles,
        Self::Crossings,
        Self::Squares,
        Self::Photos,
        Self::Paper,
        Self::Styles,
        Self::Stacks,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Screenshots => "screenshots",
            Self::Camera => "camera",
            Self::None => "none",
            Self::Others => "others",
            Self::Real => "real",
            Self::Pictures => "pictures",
            Self::Hard => "hard",
            Self::Holes => "holes",
            Self::NoHoles => "no-holes",
            Self::Crossings => "crossings",
            Self::Squares => "squares",
            Self::Photos => "photos",
            Self::Paper => "paper",
            Self::Styles => "styles",
            Self::Stacks => "stacks",
            Self::Tetris => "tetris",
            Self::All => "all",
        }
    }

    /// Pictures of the set when nobody says how many.
    const fn count(self) -> u64 {
        match self {
            Self::Camera => 200,
            Self::Real => 300,
            Self::None => 72,
            Self::Hard => 60,
            Self::Holes | Self::Crossings => 300,
            Self::NoHoles => 84,
            Self::Squares => 100,
            Self::Photos | Self::Stacks => 198,
            Self::Paper => 96,
            Self::Styles => 110,
            Self::Tetris => tetris::SETTINGS,
            _ => 160,
        }
    }

    /// What is looked for in its pictures.
    fn wanted(self) -> Wanted {
        match self {
            Self::Holes | Self::NoHoles => connect4::vision::wanted(),
            Self::Crossings | Self::Squares => gomoku::vision::wanted(),
            Self::Stacks => stack::vision::wanted(),
            _ => flood::vision::wanted(),
        }
    }

    /// What must hold of the set; the text says what does not.
    fn missed(self, t: &Tally) -> Option<String> {
        let all_right = t.right == t.boards && t.wrong == 0;
        let held = match self {
            Self::Real | Self::Pictures => all_right,
            Self::Camera => t.cells_right() >= 99.9 && t.wrong == 0,
            Self::Holes
            | Self::Crossings
            | Self::Squares
            | Self::Photos
            | Self::Paper
            | Self::Styles
            | Self::Stacks => t.cells_right() >= 99.5 && t.wrong == 0,
            Self::None | Self::NoHoles | Self::Others => t.false_finds == 0,
            _ => true,
        };
        (!held).then(|| {
            format!(
                "{}: {} of {} boards right, {:.3} % of the cells, {} wrong accepted, {} found where none is",
                self.name(),
                t.right,
                t.boards,
                t.cells_right(),
                t.wrong,
                t.false_finds
            )
        })
    }
}

/// Runs `kibitzer bench seeing`.
///
/// # Errors
/// When it cannot be measured.
pub fn run(o: &Options, json: bool) -> anyhow::Result<ExitCode> {
    if o.set == Set::Tetris {
        let settings = (o.from, o.seeds.unwrap_or(Set::Tetris.count()));
        let missed = tetris::run(settings, o.save_failures.as_deref(), json)?;
        return Ok(verdict(&missed, o.prove));
    }
    let mut table = Table::new(json, &run::COLUMNS);
    let mut missed = Vec::new();
    for set in Set::EACH {
        if o.set != Set::All && o.set != set {
            continue;
        }
        let mut counts = Counts::new(set.wanted());
        each(set, o, &mut |case, others| match &o.draw {
            Some(dir) => run::save(dir, case, &score::report(case, &[])),
            None => counts.take(case, others, o.save_failures.as_deref()),
        })?;
        if counts.all.cases > 0 {
            counts.rows(set.name(), &mut table);
            missed.extend(set.missed(&counts.all));
        }
    }
    table.finish();
    Ok(verdict(&missed, o.prove))
}

fn verdict(missed: &[String], prove: bool) -> ExitCode {
    for line in missed {
        eprintln!("must hold: {line}");
    }
    if prove && !missed.is_empty() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Hands out the cases of a set one by one, each with further boards of which any may be found.
fn each(
    set: Set,
    o: &Options,
    take: &mut dyn FnMut(&Case, &[Truth]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let seeds = o.from..o.from + o.seeds.unwrap_or(set.count());
    let draw: fn(u64) -> Case = match set {
        Set::Screenshots => screenshot,
        Set::Camera => camera::case,
        Set::None => none::case,
        Set::Hard => hard::case,
        Set::Holes => holes::case,
        Set::NoHoles => holes::none::case,
        Set::Crossings => lines::crossings,
        Set::Squares => lines::squares,
        Set::Photos => photos::case,
        Set::Paper => paper::case,
        Set::Styles => styles::case,
        Set::Stacks => {
            for seed in seeds {
                let drawn = stacks::case(seed);
                take(&drawn.case, &drawn.others)?;
            }
            return Ok(());
        }
        Set::Others => return others::each(&mut |case| take(case, &[])),
        Set::Real => {
            let count = seeds.end - seeds.start;
            return real::each(seeds.start, count, &mut |case| take(case, &[]));
        }
        Set::Pictures => {
            let Some(folder) = pictures::folder() else {
                eprintln!("skipped: no pictures");
                return Ok(());
            };
            for case in pictures::cases(&folder)? {
                take(&case, &[])?;
            }
            return Ok(());
        }
        // Tetris is looked at for a while and not case by case.
        Set::Tetris | Set::All => return Ok(()),
    };
    for seed in seeds {
        take(&draw(seed), &[])?;
    }
    Ok(())
}
