//! `kibitzer levels triplex`

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use serde_json::{Map, Value, json};

use crate::cli::files;
use crate::cli::out::say;
use crate::cli::progress::bar;
use crate::games::triplex::chain::Chain;
use crate::games::triplex::levels::{Found, MEMORY, levels, sizes_up_to, with_turnable};
use crate::games::triplex::page::Page;
use crate::games::triplex::rules::{Field, FieldError, block, one_line};
use crate::types::GridSize;

const EXAMPLES: &str = "\
A level is a set of figures of two and three squares that fills a rectangle in exactly one way,
without a straight cut through it. One line is written for each, as `kibitzer solve triplex` reads
them: the field, the figures (rows of squares joined by `/`), the solution and, after `;`, how many
figures the solver lays down until it knows that there is no other. They are sorted by that.

Examples:
  kibitzer levels triplex 6x6
  kibitzer levels triplex 4x3 --boards
  kibitzer levels triplex --up-to-area 36 --rotatable --out levels.txt
  kibitzer levels triplex --page triplex.html

The page is the whole game with the 724 levels that are part of the program, each sealed by the
solution of the one before. Open it in any browser; it needs no network.";

/// Options of `kibitzer levels triplex`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The rectangle, columns by rows
    #[arg(value_name = "WxH", required_unless_present_any = ["up_to_area", "page"], conflicts_with = "up_to_area", value_parser = size)]
    size: Option<GridSize>,
    /// All rectangles of at most so many squares, each once
    #[arg(long, value_name = "SQUARES", value_parser = clap::value_parser!(u16).range(4..=93))]
    up_to_area: Option<u16>,
    /// Mark the figure that may be turned, where a level has one: the one that makes it hardest
    #[arg(long)]
    rotatable: bool,
    /// Seed of the orientations in which turnable figures are shown
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// One JSON object per level
    #[arg(long, conflicts_with = "boards")]
    json: bool,
    /// A block of boards per level instead of a line
    #[arg(long)]
    boards: bool,
    /// Write to a file instead
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the game as one page for a browser, with the levels that are part of the program
    #[arg(long, value_name = "FILE", conflicts_with_all = ["size", "up_to_area", "rotatable", "json", "boards", "out"])]
    page: Option<PathBuf>,
    /// Memory for the search, in MB
    #[arg(long, value_name = "MB", default_value_t = MEMORY)]
    memory: usize,
}

fn size(text: &str) -> Result<GridSize, String> {
    match Field::parse(text) {
        Ok(field) if field.to_string() == text => Ok(field.size()),
        Err(error @ FieldError::Size(_)) => Err(error.to_string()),
        _ => Err("write columns x rows, for instance 6x6".to_owned()),
    }
}

/// Runs `kibitzer levels triplex`.
///
/// # Errors
/// When a rectangle is too large for the memory, or a file cannot be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    if let Some(path) = &options.page {
        files::replace(path, Page::shipped().html.as_bytes())?;
        let count = Chain::shipped().links().len();
        say(&format!("{}: {count} levels", path.display()));
        return Ok(ExitCode::SUCCESS);
    }
    let sizes = match (options.size, options.up_to_area) {
        (Some(size), _) => vec![size],
        (None, area) => sizes_up_to(area.unwrap_or(0).into()),
    };
    let mut all: Vec<Found> = Vec::new();
    for &size in &sizes {
        all.extend(one_size(size, options)?);
    }
    all.sort_by_cached_key(|f| (f.iterations, one_line(&f.level)));
    let lines = all.iter().enumerate().map(|(i, found)| {
        if options.json {
            object(i + 1, found).to_string()
        } else if options.boards {
            block(&found.level, Some(&found.solution))
        } else {
            line(found)
        }
    });
    match &options.out {
        Some(path) => {
            let text = lines.fold(head(options, &sizes, all.len()), |text, l| text + &l + "\n");
            files::replace(path, text.as_bytes())?;
            say(&format!("{}: {} levels", path.display(), all.len()));
        }
        None => lines.for_each(|l| say(&l)),
    }
    Ok(ExitCode::SUCCESS)
}

/// The levels of a rectangle, with progress on a terminal.
fn one_size(size: GridSize, options: &Options) -> anyhow::Result<Vec<Found>> {
    let bar = bar(Some(1000), "{msg} {wide_bar} {percent}%");
    bar.set_message(size.to_string());
    let mut found = levels(size, options.memory, &mut |share| {
        bar.set_position((share * 1000.0) as u64);
    })
    .context("raise --memory or take a smaller rectangle")?;
    if options.rotatable {
        bar.set_message(format!("{size}, turning"));
        let count = found.len().max(1) as u64;
        for (i, level) in found.iter_mut().enumerate() {
            bar.set_position(i as u64 * 1000 / count);
            if let Some(turning) = with_turnable(level, options.seed) {
                *level = turning;
            }
        }
    }
    bar.finish_and_clear();
    Ok(found)
}

/// A level as a line with all that is known of it.
fn line(found: &Found) -> String {
    format!(
        "{} = {} ; {} iterations",
        one_line(&found.level),
        found.solution.text(found.level.field()).0,
        found.iterations
    )
}

/// What a file begins with; nothing before JSON.
fn head(options: &Options, sizes: &[GridSize], count: usize) -> String {
    if options.json {
        return String::new();
    }
    let what = match (sizes, options.up_to_area) {
        (_, Some(area)) => format!("rectangles of at most {area} squares"),
        (sizes, None) => sizes.iter().map(GridSize::to_string).collect(),
    };
    let turning = if options.rotatable {
        format!(
            "; `o` marks the figure that may be turned (seed {})",
            options.seed
        )
    } else {
        String::new()
    };
    format!("; TripleX, {what}: {count} levels, easiest first{turning}\n")
}

/// A level as JSON.
pub fn object(number: usize, found: &Found) -> Value {
    let level = &found.level;
    let stock = level.stock().iter();
    let figures: Map<String, Value> = stock.map(|(f, n)| (f.to_string(), json!(n))).collect();
    let solution = found.solution.text(level.field());
    let turnable = level.turnable().map(|shown| {
        // As it lies: the figure of the solution that the stock has too few of.
        let lies = found
            .solution
            .placements()
            .iter()
            .map(|p| p.figure)
            .find(|f| {
                let used = found.solution.placements().iter();
                let there = level.stock().iter().find(|s| s.0 == *f).map_or(0, |s| s.1);
                used.filter(|p| p.figure == *f).count() > usize::from(there)
            });
        json!({"figure": lies.map(|f| f.to_string()), "shown": shown.to_string()})
    });
    json!({
        "number": number,
        "size": level.field().size().to_string(),
        "level": one_line(level),
        "figures": figures,
        "rotatable": turnable,
        "solution": solution.rows().collect::<Vec<_>>(),
        "iterations": found.iterations,
    })
}
