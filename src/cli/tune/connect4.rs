//! `kibitzer tune connect4`: which K serves minimax best, by play of every value against every
//! other. Each game is a line of a log, with its moves; a run takes the log up where it ends.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use rayon::prelude::*;

use crate::cli::out::say;
use crate::cli::progress::bar;
use crate::cli::worklog::Worklog;
use crate::games::connect4::duel;
use crate::games::connect4::policies::mover;
use crate::games::duel::{Duel, Ending, Side};
use crate::types::{Budget, GridSize};

const EXAMPLES: &str = "\
Every pair of values plays the same openings (up to six seeded random moves), each side once.
A log line: the two values, the opening's number, who moved first, the result for the first value
named (1, 0.5 or 0), the moves. The log is taken up where it ends.

Example:
  kibitzer tune connect4 --depth 6 --openings 100 --log k.tsv";

/// First line of logs; what comes after the number must be the same for a log to be taken up.
const HEAD: &str = "kibitzer tune connect4 1";

/// Options of `kibitzer tune connect4`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Moves that minimax looks ahead
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=12))]
    depth: u32,
    /// Values of K
    #[arg(
        long,
        value_name = "K,K",
        value_delimiter = ',',
        default_value = "0,0.05,0.1,0.15,0.2,0.25,0.3"
    )]
    values: Vec<f64>,
    /// Openings for each pair of values
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    openings: u64,
    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The log
    #[arg(long, value_name = "FILE")]
    log: PathBuf,
    /// Threads [default: as many as cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// A game to play: places of the values, the opening, whether the first value moves first.
type Game = (usize, usize, u64, bool);

/// Runs `kibitzer tune connect4`.
///
/// # Errors
/// When a value is none, or the log is of something else or cannot be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    for (i, k) in options.values.iter().enumerate() {
        if !(0.0..=1.0).contains(k) {
            bail!("--values: {k} is not within 0 to 1");
        }
        if options.values[..i].contains(k) {
            bail!("--values: {k} is given twice");
        }
    }
    if options.values.len() < 2 {
        bail!("--values: one value has nobody to play against; write at least two, as 0.1,0.2");
    }
    let head = format!(
        "{HEAD}, depth {}, seed {}, values {:?}",
        options.depth, options.seed, options.values
    );
    let (mut log, lines) = Worklog::take_up(&options.log, &head, "--log")?;
    let mut done = HashSet::new();
    let mut results = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let (game, points) =
            result(line, options.values.len()).map_err(|text| log.wrong(i, &text))?;
        if !done.insert(game) {
            return Err(log.wrong(i, "this game is there already"));
        }
        results.push((game, points));
    }
    let mut left = Vec::new();
    for opening in 0..options.openings {
        for a in 0..options.values.len() {
            for b in 0..a {
                left.extend([true, false].map(|first| (b, a, opening, first)));
            }
        }
    }
    left.retain(|g| !done.contains(g));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.unwrap_or(0))
        .build()
        .context("--threads: the system does not give as many; ask for fewer")?;
    let bar = bar(Some(left.len() as u64), "{wide_bar} {pos}/{len} {eta}");
    // The log is written in order, so that the same options give the same log.
    for games in left.chunks(64) {
        let played: Vec<anyhow::Result<(f64, String)>> =
            pool.install(|| games.par_iter().map(|g| play(options, *g)).collect());
        let mut text = String::new();
        for (game, played) in games.iter().zip(played) {
            let (points, moves) = played?;
            text += &format!(
                "{}\t{}\t{}\t{}\t{points}\t{moves}\n",
                game.0, game.1, game.2, game.3
            );
            results.push((*game, points));
        }
        log.add(&text)?;
        bar.inc(games.len() as u64);
    }
    bar.finish_and_clear();
    report(options, &results);
    Ok(ExitCode::SUCCESS)
}

/// A game of the log and the points of its first value; its moves must lead to them.
///
/// # Errors
/// What is wrong with the line.
fn result(line: &str, values: usize) -> Result<(Game, f64), String> {
    let parts: Vec<&str> = line.split('\t').collect();
    let &[a, b, opening, first, points, moves] = parts.as_slice() else {
        return Err("this is no game".to_owned());
    };
    let read = || -> Option<(Game, f64)> {
        let game: Game = (
            a.parse().ok()?,
            b.parse().ok()?,
            opening.parse().ok()?,
            first.parse().ok()?,
        );
        (game.0 < game.1 && game.1 < values).then_some((game, points.parse().ok()?))
    };
    let (game, told) = read().ok_or("this is no game")?;
    let mut played = usual()?;
    for column in moves.chars() {
        played.play(&column.to_string())?;
    }
    match played.ending() {
        Some(ending) if points_of(ending, game.3).to_bits() == f64::to_bits(told) => {
            Ok((game, told))
        }
        _ => Err("its moves do not lead to its result".to_owned()),
    }
}

/// A game on the usual board.
fn usual() -> Result<Box<dyn Duel>, String> {
    duel(GridSize::new(7, 6), 4).map_err(|e| e.to_string())
}

/// The points of the first value, which moved first or did not.
fn points_of(ending: Ending, first: bool) -> f64 {
    match ending {
        Ending::Draw => 0.5,
        Ending::Won(winner) => f64::from(u8::from((winner == Side::First) == first)),
    }
}

/// Plays a game: the points of the first value, and the moves.
fn play(options: &Options, (a, b, opening, first): Game) -> anyhow::Result<(f64, String)> {
    let spec = |i: usize| format!("minimax:depth={},k={}", options.depth, options.values[i]);
    let mut players = match first {
        true => [mover(&spec(a))?, mover(&spec(b))?],
        false => [mover(&spec(b))?, mover(&spec(a))?],
    };
    let mut game = usual().map_err(anyhow::Error::msg)?;
    let budget = Budget::default();
    for action in game.opening(options.seed.wrapping_mul(1_000_003).wrapping_add(opening)) {
        game.play(&action).map_err(anyhow::Error::msg)?;
    }
    let ending = loop {
        if let Some(ending) = game.ending() {
            break ending;
        }
        let player = &mut players[game.moves().len() % 2];
        let action = player.choose(&*game, &budget)?.action;
        game.play(&action).map_err(anyhow::Error::msg)?;
    };
    Ok((points_of(ending, first), game.moves().concat()))
}

/// Points of each value, and those against each other value.
fn report(options: &Options, results: &[(Game, f64)]) {
    let n = options.values.len();
    let mut table = vec![vec![(0.0, 0u32); n]; n];
    for &((a, b, ..), points) in results {
        table[a][b].0 += points;
        table[a][b].1 += 1;
        table[b][a].0 += 1.0 - points;
        table[b][a].1 += 1;
    }
    let share = |(points, games): (f64, u32)| match games {
        0 => "   -".to_owned(),
        _ => format!("{:4.0}", 100.0 * points / f64::from(games)),
    };
    let names: Vec<String> = options.values.iter().map(|k| format!("{k:>4}")).collect();
    say(&format!(
        "percent of points of each K, against {}",
        names.join(" ")
    ));
    let mut best = (0.0, 0.0);
    for (a, row) in table.iter().enumerate() {
        let all = row.iter().fold((0.0, 0), |t, c| (t.0 + c.0, t.1 + c.1));
        let percent = 100.0 * all.0 / f64::from(all.1.max(1));
        // Of independent games with a draw now and then; those of an opening are not quite.
        let error = 50.0 / f64::from(all.1.max(1)).sqrt();
        let cells: Vec<String> = row.iter().map(|&c| share(c)).collect();
        say(&format!(
            "{:>4}  {percent:5.1} +-{error:.1}             {}",
            options.values[a],
            cells.join(" ")
        ));
        if percent > best.0 {
            best = (percent, options.values[a]);
        }
    }
    say(&format!(
        "best: K = {} with {:.1} percent, {} games",
        best.1,
        best.0,
        results.len()
    ));
}
