//! `kibitzer bench web-games`: many games of five in a row against the evaluator at once, over
//! connections that are kept, against a `kibitzer serve` of its own; once alone, and once while other
//! games search.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::missed::Missed;
use super::table::Table;
use crate::games::gomoku::rules::{Board, Rule, Square, action, parse_action};
use crate::types::{Cell, GridSize};

/// The longest that 99 of 100 replies may take, in ms.
const P99_MS: f64 = 100.0;
/// Longer than any reply takes from a server that lives.
const PATIENCE: Duration = Duration::from_secs(120);
/// The board.
const SIZE: GridSize = GridSize::new(10, 10);
/// Games that search beside, in the second row.
const SEARCHES: usize = 4;

const EXAMPLES: &str = "\
Each game has a connection of its own and asks again at once: nobody thinks but the server.

Examples:
  kibitzer bench web-games
  kibitzer bench web-games --games 200 --prove";

/// Options of `kibitzer bench web-games`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..=2000))]
    games: u16,
    /// Games one after the other on each connection
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    rounds: u16,
    /// Seed of the moves against the evaluator
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Exit status 1 when the 99th percentile of a reply is 100 ms or more
    #[arg(long)]
    prove: bool,
}

/// The server; ended with this.
struct Server {
    child: Child,
    address: String,
    _home: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start() -> anyhow::Result<Self> {
        let home = tempfile::tempdir()?;
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .current_dir(home.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
            command.env(name, home.path());
        }
        let mut child = command.spawn().context("kibitzer serve")?;
        let lines = child.stdout.take().map(BufReader::new);
        let told = lines
            .into_iter()
            .flat_map(BufReader::lines)
            .find_map(|line| {
                let line = line.ok()?;
                let at = line.strip_prefix("dashboard: http://")?;
                Some(at.trim_end_matches('/').to_owned())
            });
        let server = Self {
            child,
            address: told.unwrap_or_default(),
            _home: home,
        };
        ensure!(
            !server.address.is_empty(),
            "kibitzer serve has not told where it listens"
        );
        Ok(server)
    }
}

/// One connection that is kept.
struct Line {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Line {
    fn open(address: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self {
            stream: BufReader::new(stream),
            host: address.to_owned(),
        })
    }

    /// The answer to a question, and how long it took.
    fn ask(&mut self, asked: &Value) -> anyhow::Result<(u16, Value, Duration)> {
        let body = asked.to_string();
        let request = format!(
            "POST /api/play/gomoku HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        let began = Instant::now();
        self.stream.get_mut().write_all(request.as_bytes())?;
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            ensure!(
                self.stream.read_line(&mut line)? > 0,
                "the server has closed the connection"
            );
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest.get(..3).unwrap_or_default().parse()?;
            } else if let Some(rest) = line.strip_prefix("content-length:") {
                length = rest.trim().parse()?;
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer)?;
        let took = began.elapsed();
        Ok((status, serde_json::from_slice(&answer)?, took))
    }
}

/// What came of some games.
#[derive(Default)]
struct Tally {
    games: usize,
    won: usize,
    took: Vec<Duration>,
}

/// Plays games to their end on one connection; the first move is the person's.
fn play(line: &mut Line, rounds: u16, seed: u64) -> anyhow::Result<Tally> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut tally = Tally::default();
    for _ in 0..rounds {
        let mut board = Board::new(SIZE, Rule::FiveOrMore)?;
        let mut position = format!("{SIZE}:");
        while !board.is_over() {
            let cell = somewhere(&board, &mut random).context("an empty cell")?;
            board.play(cell)?;
            position += &format!(" {}", action(cell));
            let a = f64::from(random.random_range(5..=10u8)) / 10.0;
            let (status, answer, took) = line.ask(&json!({"position": position, "a": a}))?;
            ensure!(status == 200, "{status}: {answer}");
            tally.took.push(took);
            if let Some(reply) = answer["move"].as_str() {
                board.play(parse_action(reply, SIZE).context("a move")?)?;
                position += &format!(" {reply}");
            }
            // Both sides must say the same of it.
            ensure!(answer["over"] == board.is_over(), "{position}: {answer}");
        }
        tally.games += 1;
        tally.won += usize::from(board.winner().is_some());
    }
    Ok(tally)
}

/// An empty cell beside a stone, as a person plays who has no plan.
fn somewhere(board: &Board, random: &mut ChaCha8Rng) -> Option<Cell> {
    let stone = |c: Cell| matches!(board.at(c), Square::Stone(_));
    let near = |c: Cell| {
        let cols = c.col.saturating_sub(1)..=c.col + 1;
        cols.flat_map(|x| (c.row.saturating_sub(1)..=c.row + 1).map(move |y| Cell::new(x, y)))
            .any(stone)
    };
    let empty = |c: &Cell| board.at(*c) == Square::Empty;
    let all: Vec<Cell> = SIZE.cells().filter(empty).collect();
    let beside: Vec<Cell> = all.iter().copied().filter(|&c| near(c)).collect();
    beside
        .choose(random)
        .or_else(|| all.choose(random))
        .copied()
}

/// All games at once, with so many searches beside them as long as they go on.
fn together(server: &Server, options: &Options, searches: usize) -> anyhow::Result<Tally> {
    let games = usize::from(options.games);
    let (gate, done) = (Barrier::new(games), AtomicBool::new(false));
    let mut whole = Tally::default();
    std::thread::scope(|scope| {
        for _ in 0..searches {
            scope.spawn(|| search(server, &done));
        }
        let playing: Vec<_> = (0..games)
            .map(|i| {
                let gate = &gate;
                scope.spawn(move || {
                    let line = Line::open(&server.address);
                    // Also those wait that cannot play: the others wait for them.
                    gate.wait();
                    play(
                        &mut line?,
                        options.rounds,
                        options.seed.wrapping_add(i as u64),
                    )
                })
            })
            .collect();
        let mut failed = None;
        for thread in playing {
            match thread.join() {
                Ok(Ok(tally)) => {
                    whole.games += tally.games;
                    whole.won += tally.won;
                    whole.took.extend(tally.took);
                }
                Ok(Err(error)) => failed = Some(error),
                Err(_) => failed = Some(anyhow::anyhow!("a fault in the bench")),
            }
        }
        done.store(true, Ordering::Relaxed);
        failed.map_or(Ok(()), Err)
    })?;
    whole.took.sort_unstable();
    Ok(whole)
}

/// Searches again and again until the others are done. What is wrong with it shows in their times.
fn search(server: &Server, done: &AtomicBool) {
    let asked = json!({"position": "15x15:7,7 8,8 7,9", "policy": "search", "time_ms": 500});
    let Ok(mut line) = Line::open(&server.address) else {
        return;
    };
    while !done.load(Ordering::Relaxed) && line.ask(&asked).is_ok() {}
}

/// Runs `kibitzer bench web-games`.
///
/// # Errors
/// When the server cannot be started, or answers wrongly.
pub fn run(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    let server = Server::start()?;
    let mut table = Table::new(
        json,
        &[
            "beside", "at_once", "games", "won", "replies", "per_s", "p50_ms", "p99_ms", "max_ms",
        ],
    );
    let mut missed = Missed::default();
    for searches in [0, SEARCHES] {
        let began = Instant::now();
        let tally = together(&server, options, searches)?;
        let seconds = began.elapsed().as_secs_f64();
        if tally.took.is_empty() {
            bail!("no game was played");
        }
        let part = |share: f64| {
            let at = (tally.took.len() as f64 * share).ceil() as usize;
            let at = at.clamp(1, tally.took.len()) - 1;
            tally.took[at].as_secs_f64() * 1e3
        };
        let beside = match searches {
            0 => "nothing".to_owned(),
            n => format!("{n} searches"),
        };
        let p99 = part(0.99);
        missed.must(p99 < P99_MS, || {
            format!("beside {beside}: 99 of 100 replies within {p99:.1} ms, not {P99_MS}")
        });
        table.row(vec![
            json!(beside),
            json!(options.games),
            json!(tally.games),
            json!(tally.won),
            json!(tally.took.len()),
            json!(tally.took.len() as f64 / seconds),
            json!(part(0.5)),
            json!(p99),
            json!(part(1.0)),
        ]);
    }
    table.finish();
    Ok(missed.verdict(options.prove))
}
