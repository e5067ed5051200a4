//! `kibitzer tune tetris`: CMA-ES on the length of games, which is estimated by climbing: a
//! second of it says as much about 10x20 as an hour of play.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::cli::files;
use crate::cli::out::say;
use crate::cli::progress::bar;
use crate::games::tetris::policies::MoveModel;
use crate::games::tetris::policies::evolve::Evolution;
use crate::games::tetris::policies::features::FEATURES;
use crate::games::tetris::policies::model::{Card, Model};
use crate::games::tetris::policies::names;
use crate::games::tetris::policies::player::{Plan, Player};
use crate::games::tetris::policies::rare::{self, Effort};
use crate::games::tetris::policies::sim::Setting;
use crate::types::Budget;

const EXAMPLES: &str = "\
The checkpoint is written after every generation; run the same command again to go on from it.
The model file holds the centre of the search, as the policies read it: a name ending in .toml is
a policy of its weights.

Example:
  kibitzer tune tetris --start dt10 --board 10x20 --out own.toml --seconds 3600
  kibitzer bench tetris --board 10x20 --policy dt10,own.toml --climb 2000";

/// Format of checkpoints.
const VERSION: u32 = 1;
/// A weight of 0 is first tried at about this size.
const LEAST_SCALE: f64 = 0.5;

/// Options of `kibitzer tune tetris`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Weights to start from: a name or a .toml file
    #[arg(long, value_name = "WEIGHTS", default_value = "dt10")]
    start: String,
    /// The board, columns by rows
    #[arg(long, value_name = "CxR", default_value = "10x20", value_parser = crate::cli::bench::tetris::board)]
    board: (u16, u16),
    /// Where pieces can go, as for `kibitzer solve tetris`
    #[arg(long, value_name = "MODEL", default_value = "f", value_parser = crate::cli::solve::tetris::model)]
    model: MoveModel,
    /// Make the way to this height long, instead of the game
    #[arg(long, value_name = "ROWS")]
    goal: Option<u16>,
    /// The model file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The checkpoint [default: beside the model file, ending in .checkpoint.toml]
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Generations to do in this run [default: until --seconds, or for ever]
    #[arg(long, value_name = "N")]
    generations: Option<u64>,
    /// Seconds of this run
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// Trials in a generation
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u16).range(4..=1000))]
    trials: u16,
    /// Size of the first steps, as a share of each weight
    #[arg(long, value_name = "X", default_value_t = 0.25)]
    sigma: f64,
    /// Pieces of plain play for each trial
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    pieces: u64,
    /// Starts from each height for each trial
    #[arg(long, value_name = "N", default_value_t = 300)]
    starts: u32,
    /// Threads [default: as many as cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// All that a run needs to go on; as TOML, whose numbers are read as exactly as they are written.
#[derive(Debug, Serialize, Deserialize)]
struct Checkpoint {
    version: u32,
    /// What is being tuned, in words: a checkpoint of something else is refused.
    task: String,
    start: [f64; FEATURES],
    search: Evolution,
}

impl Checkpoint {
    fn read(path: &Path) -> anyhow::Result<Option<Self>> {
        let name = path.display();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e).context(format!("{name} cannot be read")),
        };
        let found: Self = toml_edit::de::from_str(&text)
            .with_context(|| format!("{name} is no checkpoint; remove it to start anew"))?;
        if found.version != VERSION {
            bail!(
                "{name}: version {} is not {VERSION}; remove it to start anew",
                found.version
            );
        }
        Ok(Some(found))
    }

    fn write(&self, path: &Path) -> anyhow::Result<()> {
        files::replace(path, toml_edit::ser::to_string(self)?.as_bytes())
    }

    fn weights(&self, at: &[f64]) -> [f64; FEATURES] {
        std::array::from_fn(|i| self.start[i] + at[i] * self.start[i].abs().max(LEAST_SCALE))
    }
}

/// Runs `kibitzer tune tetris`.
///
/// # Errors
/// When the weights cannot be read, or the checkpoint is of another task or cannot be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let start = names::player(&options.start).context("--start")?;
    let path = options
        .checkpoint
        .clone()
        .unwrap_or_else(|| options.out.with_extension("checkpoint.toml"));
    let task = format!(
        "{} on {}x{} {}, goal {:?}, {} trials, {} pieces, {} starts, seed {}",
        options.start,
        options.board.0,
        options.board.1,
        options.model.name(),
        options.goal,
        options.trials,
        options.pieces,
        options.starts,
        options.seed
    );
    let mut state = match Checkpoint::read(&path)? {
        Some(found) if found.task != task => bail!(
            "{} is of another task ({}); name another --checkpoint or remove it",
            path.display(),
            found.task
        ),
        Some(found) => found,
        None => Checkpoint {
            version: VERSION,
            task,
            start: start.model().weights,
            search: Evolution::new(vec![0.0; FEATURES], options.sigma, options.seed),
        },
    };
    let mut model = start.model().clone();
    model.name = options
        .out
        .file_stem()
        .map_or_else(String::new, |s| s.to_string_lossy().into());
    model.card.measured = Vec::new();
    let threads = options.threads.unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?;
    let bar = bar(options.generations, "{wide_bar} {pos} {msg}");
    let began = Instant::now();
    let time = options.seconds.map(Duration::from_secs);
    let mut done = 0;
    while options.generations.is_none_or(|n| done < n) && time.is_none_or(|t| began.elapsed() < t) {
        let trials = state.search.ask(usize::from(options.trials));
        let values: Vec<f64> = pool.install(|| {
            let numbered: Vec<(usize, &Vec<f64>)> = trials.iter().enumerate().collect();
            numbered
                .par_iter()
                .map(|(i, trial)| {
                    let mut trial_model = model.clone();
                    trial_model.weights = state.weights(trial);
                    value(options, trial_model, state.search.generation, *i as u64)
                })
                .collect()
        });
        state.search.tell(&trials, &values);
        done += 1;
        state.write(&path)?;
        model.weights = state.weights(&state.search.mean);
        model.card = card(options, &state);
        files::replace(&options.out, model.text().as_bytes())?;
        let mut sorted = values;
        sorted.sort_by(f64::total_cmp);
        bar.inc(1);
        bar.set_message(format!(
            "generation {}: median {:.0} rows, best {:.0}, step {:.3}",
            state.search.generation,
            (-sorted[sorted.len() / 2]).exp(),
            (-sorted[0]).exp(),
            state.search.sigma
        ));
    }
    bar.finish_and_clear();
    say(&format!(
        "{}: generation {}, step {:.3}",
        options.out.display(),
        state.search.generation,
        state.search.sigma
    ));
    Ok(ExitCode::SUCCESS)
}

/// What is made small: minus the logarithm of the rows.
fn value(options: &Options, model: Model, generation: u64, trial: u64) -> f64 {
    let mut player = Player::new("trial", model, Plan::One);
    let setting = Setting {
        cols: options.board.0,
        rows: options.board.1,
        moves: options.model,
        next_shown: false,
        // The same pieces for nobody: the search must not fit a sequence.
        seed: (options.seed.wrapping_mul(1_000_003)).wrapping_add(generation * 1000 + trial),
        budget: Budget::default(),
    };
    let base = 4.min(options.board.1 / 3);
    let effort = Effort {
        base,
        first: base + 2,
        pieces: options.pieces,
        starts: options.starts,
        batches: 1,
        goal: options.goal,
    };
    // A pile that never comes to the top in all that time is better than all that do.
    const NEVER: f64 = -40.0;
    rare::estimate(&mut player, &setting, &effort).map_or(NEVER, |e| -e.rows.ln())
}

fn card(options: &Options, state: &Checkpoint) -> Card {
    let goal = options
        .goal
        .map_or("the end of the game".to_owned(), |g| format!("height {g}"));
    Card {
        origin: format!("kibitzer tune tetris, from {}", options.start),
        made: format!(
            "CMA-ES, {} generations of {} trials (seed {}): rows until {goal} on {}x{} under model {}, \
             estimated by climbing with {} pieces and {} starts",
            state.search.generation,
            options.trials,
            options.seed,
            options.board.0,
            options.board.1,
            options.model.name(),
            options.pieces,
            options.starts
        ),
        measured: Vec::new(),
    }
}
