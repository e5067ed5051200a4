//! `kibitzer book connect4`: every position of so many discs is solved, and those of fewer follow.
//!
//! What is solved is written at once to a work file of one line each, so that a run that ends
//! early loses nothing.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, bail};
use rustc_hash::FxHashMap;

use crate::cli::cpu::thread_time;
use crate::cli::files;
use crate::cli::out::say;
use crate::cli::progress::bar;
use crate::cli::solve::connect4 as solving;
use crate::cli::worklog::Worklog;
use crate::games::connect4::policies::Perfect;
use crate::games::connect4::policies::book::making::{Position, induce, levels};
use crate::games::connect4::policies::book::{Line, OpeningBook};
use crate::types::Budget;

const EXAMPLES: &str = "\
The work file keeps what is solved; run the same command again to go on from it, or from the book
itself. When all positions of that many discs are solved, the book holds every position of up to as
many; until then it holds what is solved and what follows from it.

CPU time for all of it, roughly: 6 discs 30 minutes, 7 discs 50 minutes, 8 discs 2 hours.

Example:
  nice kibitzer book connect4 --plies 8 --out connect4.book --seconds 3600";

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
    if path == options.out {
        bail!(
            "{}: the work file must be another one than the book; name another --work",
            path.display()
        );
    }
    let (mut known, mut work) = take_up(&path, &options.out)?;
    let levels = levels(options.plies.into());
    let deepest = levels.last().map(Vec::as_slice).unwrap_or_default();
    let needed = deepest.iter().filter(|p| !p.wins_at_once());
    let left: Vec<Position> = needed
        .filter(|p| !known.contains_key(&p.key))
        .copied()
        .collect();
    // Before hours of work, so that a place that cannot be written is told at once.
    write(options, &levels, &known)?;
    let found = solve(options, &mut work, &left)?;
    let solved = found.len();
    known.extend(found);
    let (book, complete) = write(options, &levels, &known)?;
    let whole = match complete {
        0 => String::new(),
        levels => format!(", all of up to {} discs", levels - 1),
    };
    say(&format!(
        "{}: {} positions{whole}, {} bytes; {} of {} discs left to solve",
        options.out.display(),
        book.len(),
        book.to_bytes().len(),
        left.len() - solved,
        options.plies
    ));
    Ok(ExitCode::SUCCESS)
}

/// Writes the book of all that is known, and gives it with the number of levels, from the empty
/// board on, of which nothing is missing.
fn write(
    options: &Options,
    levels: &[Vec<Position>],
    known: &Known,
) -> anyhow::Result<(OpeningBook, usize)> {
    let (lines, complete) = induce(levels, known);
    // With nothing whole the empty board would be missing too; the format has no number for that.
    let whole = u8::try_from(complete.saturating_sub(1)).unwrap_or(0);
    let book = OpeningBook::new(lines, options.plies, whole);
    files::replace(&options.out, &book.to_bytes())?;
    Ok((book, complete))
}

/// What the book that is there and the work file know, and the work file to go on with.
fn take_up(path: &Path, book: &Path) -> anyhow::Result<(Known, Worklog)> {
    let (work, lines) = Worklog::take_up(path, HEAD, "--work")?;
    let old = solving::read(book);
    let old = old.context("the book that is there: name another --out or remove it")?;
    let lines_of_old = old.iter().flat_map(OpeningBook::lines);
    let mut known: Known = lines_of_old.map(|l| (l.key, (l.score, l.best))).collect();
    for (i, text) in lines.iter().enumerate() {
        let line = entry(text).ok_or_else(|| work.wrong(i, "this is no solved position"))?;
        let before = known.insert(line.key, (line.score, line.best));
        if before.is_some_and(|(score, _)| score != line.score) {
            let what = format!(
                "another score than in {} or in a line before",
                book.display()
            );
            return Err(work.wrong(i, &what));
        }
    }
    Ok((known, work))
}

/// `KEY SCORE BEST`, the key in hexadecimal, the best column from 0.
fn entry(text: &str) -> Option<Line> {
    let mut words = text.split(' ');
    let line = Line {
        key: u64::from_str_radix(words.next()?, 16).ok()?,
        score: words.next()?.parse().ok()?,
        best: words.next()?.parse().ok()?,
    };
    (words.next().is_none() && line.is_possible()).then_some(line)
}

/// What threads have in common while they solve.
struct Work<'a> {
    log: &'a mut Worklog,
    known: Known,
    cpu: Duration,
    failed: anyhow::Result<()>,
}

/// Solves positions until all are or the time is over.
fn solve(options: &Options, log: &mut Worklog, left: &[Position]) -> anyhow::Result<Known> {
    let bar = bar(
        Some(left.len() as u64),
        "{wide_bar} {pos}/{len} {eta_precise} {msg}",
    );
    let began = std::time::Instant::now();
    let time = options.seconds.map(Duration::from_secs);
    let budget = Budget::default();
    let next = AtomicUsize::new(0);
    let work = Mutex::new(Work {
        log,
        known: Known::default(),
        cpu: Duration::ZERO,
        failed: Ok(()),
    });
    // What a thread that panicked has written is right.
    let work_of = || work.lock().unwrap_or_else(PoisonError::into_inner);
    let is_over = || time.is_some_and(|t| began.elapsed() >= t) || budget.stop.is_pulled();
    let solve_one = |policy: &mut Perfect, position: &Position| {
        let before = thread_time();
        let Some((score, best)) = policy.line(position.bits, &budget) else {
            return;
        };
        let mut work = work_of();
        if let Err(e) = work
            .log
            .add(&format!("{:x} {score} {best}\n", position.key))
        {
            work.failed = Err(e);
            budget.stop.pull("the work file cannot be written");
        }
        work.known.insert(position.key, (score, best));
        work.cpu += thread_time().saturating_sub(before);
        bar.set_message(format!("{} s of CPU", work.cpu.as_secs()));
        bar.inc(1);
    };
    let worker = || {
        let mut policy = Perfect::new((options.memory as usize) << 20);
        loop {
            let from = next.fetch_add(BLOCK, Relaxed);
            let block = left.get(from..left.len().min(from.saturating_add(BLOCK)));
            let Some(block) = block.filter(|b| !b.is_empty()) else {
                return;
            };
            for position in block {
                if is_over() {
                    return;
                }
                solve_one(&mut policy, position);
            }
        }
    };
    std::thread::scope(|scope| {
        for n in 0..options.threads {
            let started = std::thread::Builder::new().spawn_scoped(scope, worker);
            if let Err(e) = started {
                let e = anyhow::Error::new(e);
                let text = format!("--threads: the system does not give more than {n}");
                work_of().failed = Err(e.context(text));
                budget.stop.pull("the system does not give as many threads");
                return;
            }
        }
    });
    bar.finish_and_clear();
    let work = work.into_inner().unwrap_or_else(PoisonError::into_inner);
    work.failed.map(|()| work.known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_work_file_are_positions() {
        assert!(entry("0 1 3").is_some());
        for bad in [
            "",
            "0",
            "0 1",
            "0 1 3 4",
            "0  1 3",
            "x 1 3",
            "0 1 7",
            "0 22 3",
            "0 -2147483648 3",
            "0 -22 3",
            "7f 1 3",
            "ffffffffffffffff 1 3",
            "fffffffffffffffff 1 3",
            "6 1 3",
        ] {
            assert!(entry(bad).is_none(), "{bad}");
        }
    }
}
