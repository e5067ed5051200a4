//! `kibitzer book connect4`: every position of so many discs is solved, and those of fewer follow.
//!
//! What is solved is written at once to a work file of one line each, so that a run that ends
//! early loses nothing.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use rustc_hash::FxHashMap;

use crate::cli::cpu::thread_time;
use crate::cli::out::say;
use crate::games::connect4::policies::Perfect;
use crate::games::connect4::policies::book::OpeningBook;
use crate::games::connect4::policies::book::making::{Position, induce, levels};
use crate::types::{Budget, Stop};

const EXAMPLES: &str = "\
The work file keeps what is solved; run the same command again to go on from it, or from the book
itself. When all positions of that many discs are solved, the book holds every position of up to as
many; until then it holds what is solved and what follows from it.

CPU time for all of it, roughly: 6 discs 30 minutes, 7 discs 50 minutes.

Example:
  nice kibitzer book connect4 --plies 7 --out connect4.book --seconds 3600";

/// First line of work files; the number is the version.
const HEAD: &str = "kibitzer book connect4 1";
/// Neighbouring positions that a thread takes at a time: they have much in common.
const BLOCK: usize = 16;

/// Options of `kibitzer book connect4`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Discs of the positions to solve
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u8).range(0..=10))]
    plies: u8,
    /// Stop after so many seconds [default: when all is solved]
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of each thread's table, in MB; what fits into the processor's cache is fastest
    #[arg(long, value_name = "MB", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=65536))]
    memory: u32,
    /// The book to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The work file [default: beside the book, ending in .work]
    #[arg(long, value_name = "FILE")]
    work: Option<PathBuf>,
}

/// What is solved: score and best column by key.
type Known = FxHashMap<u64, (i32, u32)>;

/// Runs `kibitzer book connect4`.
///
/// # Errors
/// When the work file is none or of another version, or a file cannot be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let path = options
        .work
        .clone()
        .unwrap_or_else(|| options.out.with_extension("work"));
    let mut known = take_up(&path)?;
    known.extend(of_book(&options.out)?);
    let levels = levels(options.plies.into());
    let deepest = levels.last().map(Vec::as_slice).unwrap_or_default();
    let needed = deepest.iter().filter(|p| !p.wins_at_once());
    let left: Vec<Position> = needed
        .filter(|p| !known.contains_key(&p.key))
        .copied()
        .collect();
    let found = solve(options, &path, &left)?;
    let solved = found.len();
    known.extend(found);
    let (lines, complete) = induce(&levels, &known);
    // With nothing whole the empty board would be missing too; the format has no number for that.
    let complete = complete.saturating_sub(1);
    let book = OpeningBook::new(lines, options.plies, u8::try_from(complete).unwrap_or(0));
    let bytes = book.to_bytes();
    std::fs::write(&options.out, &bytes)
        .with_context(|| format!("{} cannot be written", options.out.display()))?;
    say(&format!(
        "{}: {} positions, all of up to {complete} discs, {} bytes; {} of {} discs left to solve",
        options.out.display(),
        book.len(),
        bytes.len(),
        left.len() - solved,
        options.plies
    ));
    Ok(ExitCode::SUCCESS)
}

/// Reads a work file, or begins one.
fn take_up(path: &Path) -> anyhow::Result<Known> {
    let name = path.display();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            std::fs::write(path, format!("{HEAD}\n"))
                .with_context(|| format!("{name} cannot be written"))?;
            return Ok(Known::default());
        }
        Err(e) => return Err(e).context(format!("{name} cannot be read")),
    };
    let mut lines = text.split_inclusive('\n');
    if lines.next().map(str::trim_end) != Some(HEAD) {
        bail!("{name} is no work file of this version; name another --work or remove it");
    }
    let mut known = Known::default();
    for (i, line) in lines.enumerate() {
        // A run that was killed may have left half a line at the end.
        if !line.ends_with('\n') {
            std::fs::write(path, text.strip_suffix(line).unwrap_or(&text))
                .with_context(|| format!("{name} cannot be written"))?;
            break;
        }
        let (key, value) = entry(line.trim_end())
            .with_context(|| format!("{name}, line {}: this is no solved position", i + 2))?;
        known.insert(key, value);
    }
    Ok(known)
}

/// What a book that is there already knows.
fn of_book(path: &Path) -> anyhow::Result<Known> {
    let name = path.display();
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Known::default()),
        Err(e) => return Err(e).context(format!("{name} cannot be read")),
    };
    let book = OpeningBook::from_bytes(&bytes)
        .with_context(|| format!("{name}: name another --out or remove it"))?;
    let lines = book.lines().map(|l| (l.key, (l.score, l.best)));
    Ok(lines.collect())
}

/// `KEY SCORE BEST`, the key in hexadecimal, the best column from 0.
fn entry(line: &str) -> Option<(u64, (i32, u32))> {
    let mut words = line.split(' ');
    let key = u64::from_str_radix(words.next()?, 16).ok()?;
    let score: i32 = words.next()?.parse().ok()?;
    let best: u32 = words.next()?.parse().ok()?;
    let right = words.next().is_none() && score.abs() <= 21 && best < 7 && key >> 49 == 0;
    right.then_some((key, (score, best)))
}

/// Solves positions until all are or the time is over.
fn solve(options: &Options, path: &Path, left: &[Position]) -> anyhow::Result<Known> {
    let file = File::options().append(true).open(path);
    let name = path.display();
    let work = Mutex::new((
        file.with_context(|| format!("{name} cannot be written"))?,
        Known::default(),
        Ok(()),
    ));
    let bar = ProgressBar::new(left.len() as u64);
    // A template that is wrong is a mistake here and only changes the looks.
    let style = "{elapsed_precise} {wide_bar} {pos}/{len} {eta_precise} {msg}";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    let began = std::time::Instant::now();
    let time = options.seconds.map(Duration::from_secs);
    let budget = Budget {
        time: None,
        nodes: None,
        seed: 0,
        stop: Stop::new(),
    };
    let (next, cpu) = (AtomicUsize::new(0), Mutex::new(Duration::ZERO));
    let worker = || {
        let mut policy = Perfect::new((options.memory as usize) << 20);
        loop {
            let from = next.fetch_add(BLOCK, Relaxed);
            let block = left.get(from..left.len().min(from + BLOCK));
            let Some(block) = block.filter(|b| !b.is_empty()) else {
                break;
            };
            for position in block {
                if time.is_some_and(|t| began.elapsed() >= t) || budget.stop.is_pulled() {
                    return;
                }
                let before = thread_time();
                let Some((score, best)) = policy.line(position.bits, &budget) else {
                    return;
                };
                let Ok(mut work) = work.lock() else { return };
                let line = format!("{:x} {score} {best}\n", position.key);
                if let Err(e) = work.0.write_all(line.as_bytes()) {
                    work.2 = Err(e);
                    budget.stop.pull("the work file cannot be written");
                }
                work.1.insert(position.key, (score, best));
                drop(work);
                if let Ok(mut cpu) = cpu.lock() {
                    *cpu += thread_time().saturating_sub(before);
                    bar.set_message(format!("{} s of CPU", cpu.as_secs()));
                }
                bar.inc(1);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..options.threads {
            scope.spawn(worker);
        }
    });
    bar.finish_and_clear();
    let (_, known, written) = work
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    written.with_context(|| format!("{name} cannot be written"))?;
    Ok(known)
}
