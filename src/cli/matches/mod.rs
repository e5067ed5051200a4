//! `kibitzer match GAME A B`: policies and programs from outside against each other.

mod elo;
mod record;
pub(in crate::cli) mod referee;
pub(in crate::cli) mod seats;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context as _, bail};
use indicatif::ProgressBar;
use serde_json::json;

use crate::cli::out::say;
use crate::cli::progress::bar;
use crate::cli::{logging, signals};
use crate::games::duel::{Duel, Side};
use crate::types::{Budget, GridSize, Stop, Witness};

use elo::Tally;
use record::Header;
use referee::{Played, Result};
use seats::{GAMES, Seat};

const EXAMPLES: &str = "\
Players are policies of the game (`kibitzer solve GAME --list`) or other programs: piskvork:COMMAND,
connect4-line:COMMAND, jsonl:COMMAND. Every opening is played twice, each player moving first once.
An illegal move, a crash, or no move within its time and the grace loses the game.

Examples:
  kibitzer match gomoku search evaluator --games 20 --time 0.3
  kibitzer match gomoku search 'piskvork:./pbrain-pela' --size 20x20 --out games.txt
  kibitzer match connect4 perfect 'jsonl:python3 bot.py' --games 10 --json

The Elo difference comes with the error that holds 95 % of the time, from the results of pairs of
games with the same opening (a pair gives 0, 1/2, 1, 3/2 or 2 points: pentanomial). LOS is the
likelihood that A is the stronger one.";

/// Options of `kibitzer match`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The game: connect4 or gomoku
    #[arg(value_name = "GAME", value_parser = game)]
    game: &'static str,
    /// The one player
    #[arg(value_name = "A")]
    a: String,
    /// The other
    #[arg(value_name = "B")]
    b: String,
    /// Games to play, an even number
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = even)]
    games: usize,
    /// Seconds for each move [default: 0.3, or any time with --nodes]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Positions to visit for each move, by those who count them
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Columns and rows [default: 7x6 and 15x15]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<GridSize>,
    /// What differs from the usual rules: for gomoku five-or-more or exact, for connect4 how many in
    /// a row win
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,
    /// How many different openings, or a file with one a line (moves apart by blanks) [default: one
    /// for each pair of games]; 0 is the empty board
    #[arg(long, value_name = "N|FILE")]
    openings: Option<String>,
    /// Seed of openings and of the players' random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Seconds that a move may take beyond its time
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    grace: Duration,
    /// MiB that programs from outside are told they may use [default: no limit]
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,
    /// The record of all games, moves with scores
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// One JSON object per game and one at the end, nothing else on stdout
    #[arg(long)]
    json: bool,
}

fn game(text: &str) -> std::result::Result<&'static str, String> {
    let known = GAMES.into_iter().find(|g| *g == text);
    known.ok_or_else(|| match text {
        "flood" | "tetris" | "triplex" => format!(
            "{text} is played alone: a match needs a game for two, {}",
            GAMES.join(" or ")
        ),
        _ => format!("there are {}", GAMES.join(" and ")),
    })
}

fn even(text: &str) -> std::result::Result<usize, String> {
    match text.parse() {
        Ok(n) if n > 0 && n % 2 == 0 && n <= 1_000_000 => Ok(n),
        _ => Err("an even number: every opening is played twice".to_owned()),
    }
}

fn seconds(text: &str) -> std::result::Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(s) if (0.0..=86_400.0).contains(&s) => Ok(Duration::from_secs_f64(s)),
        _ => Err("write seconds, from 0 to 86400".to_owned()),
    }
}

fn size(text: &str) -> std::result::Result<GridSize, String> {
    let sides = text.split_once(['x', 'X']);
    let sides = sides.and_then(|(c, r)| Some(GridSize::new(c.parse().ok()?, r.parse().ok()?)));
    sides.ok_or_else(|| "write WxH, for instance 15x15".to_owned())
}

/// Moves are made in this time when nobody says.
const USUAL: Duration = Duration::from_millis(300);

/// Runs `kibitzer match`: success when all games were played.
///
/// # Errors
/// When a player does not exist or cannot play this game, or a file cannot be read or written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    logging::warnings();
    let stop = Stop::new();
    signals::watch(&stop)?;
    let start = seats::duel(options.game, options.size, options.rule.as_deref())?;
    let openings = openings(options, start.as_ref())?;
    let hall = Hall {
        options,
        openings: &openings,
        stop: &stop,
        next: AtomicUsize::new(0),
        results: Mutex::new(Results::new(options)?),
    };
    // Who cannot play is told before anything is played.
    for text in [&options.a, &options.b] {
        hall.seat(text)?.check(start.as_ref())?;
    }
    let threads = usize::from(options.threads).min(options.games / 2);
    let failed = std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads)
            .map(|_| {
                let (hall, start) = (&hall, start.fresh());
                let play = move || {
                    hall.play(start.as_ref())
                        .inspect_err(|_| hall.stop.pull("a game failed"))
                };
                let started = std::thread::Builder::new().spawn_scoped(scope, play);
                if started.is_err() {
                    stop.pull("the system does not give as many threads");
                }
                started
            })
            .collect();
        let joined = all.into_iter().map(|t| {
            let thread = t.with_context(|| {
                format!("--threads {threads}: the system does not give as many; ask for fewer")
            })?;
            match thread.join() {
                Ok(done) => done,
                Err(_) => bail!("a game ended in a panic; its message is above"),
            }
        });
        joined.collect::<anyhow::Result<Vec<()>>>().err()
    });
    let results = hall
        .results
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    results.bar.finish_and_clear();
    if let Some(error) = failed {
        return Err(error);
    }
    results.summary(options);
    let all = results.tally.games() == options.games;
    if !all {
        eprintln!(
            "kibitzer: {} of {} games played: {}",
            results.tally.games(),
            options.games,
            stop.reason().unwrap_or("stopped")
        );
    }
    Ok(match all {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// The openings in the order in which they are played.
fn openings(options: &Options, start: &dyn Duel) -> anyhow::Result<Vec<Vec<String>>> {
    let pairs = options.games / 2;
    let seeded = |n: usize| (0..n as u64).map(|i| start.opening(options.seed.wrapping_add(i)));
    match options.openings.as_deref() {
        None => Ok(seeded(pairs).collect()),
        Some(text) => match text.parse::<usize>() {
            Ok(0) => Ok(vec![Vec::new()]),
            Ok(n) => Ok(seeded(n.min(pairs)).collect()),
            Err(_) => seats::opening_file(Path::new(text), start),
        },
    }
}

/// Where the games take place.
struct Hall<'a> {
    options: &'a Options,
    openings: &'a [Vec<String>],
    stop: &'a Stop,
    /// The next pair of games.
    next: AtomicUsize,
    results: Mutex<Results>,
}

impl Hall<'_> {
    fn seat(&self, text: &str) -> anyhow::Result<Seat> {
        let memory = self.options.memory.map(|mb| mb.saturating_mul(1 << 20));
        Ok(Seat::new(
            text,
            self.options.game,
            memory,
            self.options.grace,
        )?)
    }

    /// Plays pairs of games until there are no more.
    fn play(&self, start: &dyn Duel) -> anyhow::Result<()> {
        let options = self.options;
        let (mut a, mut b) = (self.seat(&options.a)?, self.seat(&options.b)?);
        loop {
            let pair = self.next.fetch_add(1, Ordering::Relaxed);
            if pair >= options.games / 2 || self.stop.is_pulled() {
                return Ok(());
            }
            let opening = &self.openings[pair % self.openings.len()];
            let budget = Budget {
                time: options.time.or(options.nodes.is_none().then_some(USUAL)),
                nodes: options.nodes,
                seed: options.seed.wrapping_add(pair as u64),
                stop: self.stop.clone(),
                witness: Witness::default(),
            };
            let mut both = Vec::new();
            for a_first in [true, false] {
                let players = match a_first {
                    true => [&mut a, &mut b],
                    false => [&mut b, &mut a],
                };
                let game = start.fresh();
                let played = referee::play(game, opening, players, &budget, options.grace);
                let Some(played) = played else {
                    // Stopped in the middle: neither game of the pair counts.
                    return Ok(());
                };
                both.push((a_first, played));
            }
            let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
            results.take(options, start, pair, opening.len(), both)?;
        }
    }
}

/// What has come out so far.
struct Results {
    tally: Tally,
    record: Option<(PathBuf, std::fs::File)>,
    bar: ProgressBar,
    slowest: [Duration; 2],
    /// Games that did not end by the rules.
    forfeits: [u32; 2],
}

impl Results {
    fn new(options: &Options) -> anyhow::Result<Self> {
        let record = match &options.out {
            Some(path) => {
                let file = std::fs::File::create(path)
                    .with_context(|| format!("--out {}", path.display()))?;
                Some((path.clone(), file))
            }
            None => None,
        };
        let bar = bar(Some(options.games as u64), "{wide_bar} {pos}/{len} {msg}");
        Ok(Self {
            tally: Tally::default(),
            record,
            bar,
            slowest: [Duration::ZERO; 2],
            forfeits: [0; 2],
        })
    }

    fn take(
        &mut self,
        options: &Options,
        start: &dyn Duel,
        pair: usize,
        book: usize,
        both: Vec<(bool, Played)>,
    ) -> anyhow::Result<()> {
        let mut halves = 0;
        for (half, (a_first, played)) in both.iter().enumerate() {
            let [first, second] = match a_first {
                true => [&options.a, &options.b],
                false => [&options.b, &options.a],
            };
            let header = Header {
                game: start,
                number: 2 * pair + half + 1,
                round: (pair + 1, half + 1),
                players: [first, second],
                book,
                time: options.time.or(options.nodes.is_none().then_some(USUAL)),
                nodes: options.nodes,
                seed: options.seed,
            };
            if let Some((path, file)) = &mut self.record {
                record::write(file, &header, played)
                    .with_context(|| format!("--out {}", path.display()))?;
            }
            if options.json {
                say(&record::object(&header, played).to_string());
            }
            let a_is = match a_first {
                true => Side::First,
                false => Side::Second,
            };
            let points = match played.result {
                Result::Draw => 1,
                Result::Won(side) if side == a_is => 2,
                Result::Won(_) => 0,
            };
            halves += points;
            self.tally.game(points);
            for (i, side) in [(0, a_is), (1, a_is.other())] {
                self.slowest[i] = self.slowest[i].max(played.slowest(side));
                let lost = played.forfeit && played.result == Result::Won(side.other());
                self.forfeits[i] += u32::from(lost);
            }
            if played.forfeit && !options.json {
                self.bar
                    .suspend(|| eprintln!("game {}: {}", header.number, played.reason));
            }
        }
        self.tally.pair(halves);
        self.bar.inc(2);
        self.bar.set_message(self.tally.short());
        Ok(())
    }

    fn summary(&self, options: &Options) {
        let elo = self.tally.elo();
        let ms = |d: Duration| (d.as_secs_f64() * 1e4).round() / 10.0;
        if options.json {
            say(&json!({
                "summary": true,
                "game": options.game,
                "a": options.a,
                "b": options.b,
                "games": self.tally.games(),
                "wins": self.tally.wins(),
                "draws": self.tally.draws(),
                "losses": self.tally.losses(),
                "pairs": self.tally.pairs(),
                "elo": elo.map(|e| e.value),
                "elo_low": elo.and_then(|e| e.low),
                "elo_high": elo.and_then(|e| e.high),
                "error": "95 %, pentanomial",
                "los": self.tally.los(),
                "forfeits": self.forfeits,
                "slowest_ms": self.slowest.map(ms),
            })
            .to_string());
            return;
        }
        say(&format!("A {}", options.a));
        say(&format!("B {}", options.b));
        say(&format!(
            "{} games: A wins {}, draws {}, loses {}; pairs of 0, 1/2, 1, 3/2, 2 points: {}",
            self.tally.games(),
            self.tally.wins(),
            self.tally.draws(),
            self.tally.losses(),
            self.tally.pairs().map(|n| n.to_string()).join(" ")
        ));
        say(&format!("Elo of A over B: {}", self.tally.text()));
        let [a, b] = self.slowest.map(ms);
        let [lost_a, lost_b] = self.forfeits;
        say(&format!(
            "slowest move: A {a} ms, B {b} ms; lost by a crash, an illegal move or time: A {lost_a}, B {lost_b}"
        ));
    }
}
