//! `kibitzer bench watch`: what looking on costs. A real game on a screen of its own is watched by
//! `kibitzer watch` as a process of its own, while somebody else plays it; its processor time and
//! memory are read from the system.

use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::json;

use super::process::cost;
use super::stage::Desktop;
use super::table::Table;
use crate::journal::read::{Reader, Which};

/// Largest share of one core, in per cent.
const CPU_PERCENT: f64 = 10.0;
/// Growth of memory from the end of the first fifth (at most five minutes) to the end of the run
/// that still counts as constant, in MiB: the allocator keeps that much in reserve. Until then the
/// database fills its page cache and a first new game is learnt, which on a busy machine takes
/// more than a minute.
const GROWTH_MIB: f64 = 2.0;

/// Options of `kibitzer bench watch`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// How long to watch, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(5..=86_400))]
    seconds: u64,
    /// Fail if it takes 10% of a core or its memory grows
    #[arg(long)]
    prove: bool,
}

/// The watching process; ended with this one.
struct Watcher(Child);

impl Drop for Watcher {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs `kibitzer bench watch`.
///
/// # Errors
/// When the screen or the game cannot be started, or the watcher ends early.
pub fn run(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    let desktop = Desktop::start(1280, 800, Some("Clearlooks"))?;
    let (_game, window) = desktop.flood("14x14c6m0#1")?;
    let folder = std::env::temp_dir().join(format!("kibitzer-watch-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let journal = folder.join("journal.db");
    let child = Command::new(std::env::current_exe()?)
        .args(["watch", "--window", "Flood", "--game", "flood", "--json"])
        .args(["--journal", &journal.display().to_string()])
        .env("DISPLAY", desktop.display())
        .stdout(Stdio::null())
        .spawn()
        .context("starting kibitzer watch")?;
    let mut watcher = Watcher(child);
    let pid = watcher.0.id();

    let total = Duration::from_secs(options.seconds);
    let warm = (total / 5).min(Duration::from_secs(300));
    let began = Instant::now();
    let mut first = None;
    let mut step = 0_i32;
    while began.elapsed() < total {
        std::thread::sleep(Duration::from_millis(1000));
        if let Some(status) = watcher.0.try_wait()? {
            anyhow::bail!("kibitzer watch ended by itself: {status}");
        }
        // A person plays: another cell each second, a new game now and then.
        let place = desktop.client(window)?;
        step += 1;
        if step % 40 == 0 {
            desktop.key('n')?;
        } else {
            let (col, row) = (step * 5 % 14, step * 3 % 14);
            desktop.click(place.x + 16 + 32 * col + 16, place.y + 41 + 32 * row + 16)?;
        }
        if first.is_none() && began.elapsed() >= warm {
            first = Some((cost(pid)?, began.elapsed()));
        }
    }
    let (end, end_at) = (cost(pid)?, began.elapsed());
    let (start, start_at) = first.context("the run was too short to measure")?;
    let stop = Command::new("kill")
        .args(["-TERM", &pid.to_string()])
        .status()?;
    anyhow::ensure!(stop.success(), "the watcher could not be stopped");
    let _ = watcher.0.wait();
    let frames = Reader::open(&journal)?.reads().run(Which::Latest)?.frames;

    let seconds = (end_at - start_at).as_secs_f64();
    let percent = (end.cpu_seconds - start.cpu_seconds) / seconds * 100.0;
    let growth = end.memory_mib - start.memory_mib;
    let mut table = Table::new(
        json,
        &[
            "seconds",
            "frames",
            "frames_per_second",
            "cpu_percent",
            "memory_mib",
            "growth_mib",
        ],
    );
    table.row(vec![
        json!(end_at.as_secs_f64()),
        json!(frames),
        json!(frames.map(|f| f as f64 / end_at.as_secs_f64())),
        json!(percent),
        json!(end.memory_mib),
        json!(growth),
    ]);
    table.finish();
    let _ = std::fs::remove_dir_all(&folder);
    if options.prove && (percent >= CPU_PERCENT || growth > GROWTH_MIB) {
        eprintln!(
            "missed: {percent:.1}% of a core (below {CPU_PERCENT}), {growth:.1} MiB of growth (at \
             most {GROWTH_MIB})"
        );
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
