//! `kibitzer bench hands`: how long a key takes by relays, and how exactly. Without `--port` the
//! board is simulated on a pseudo-terminal; with it a real board clicks its relays.

use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Context;
use serde_json::json;

use super::table::Table;
use crate::act::release::release_on_panic;
use crate::act::serial::RelayKeyboard;
use crate::act::simulated::{Faults, Manner, SimulatedBoard};
use crate::act::{ActError, Actuator as _};
use crate::cli::cpu::thread_time;
use crate::cli::signals;
use crate::decide::{Facts, Gate, Limits};
use crate::types::{
    Armed, Board, BoardText, Clock, Picture, Point, RELAY_BOARDS, RelayHands, Stop, Stroke,
    SystemClock, Target, Time,
};

/// Longest period of a key, as a multiple of what the settings say; half of all keys are shorter.
const SLACK: f64 = 1.25;

/// Options of `kibitzer bench hands`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// A real board on this serial port: its first relay clicks
    #[arg(long, value_name = "PORT")]
    port: Option<String>,
    /// The kind of board, real or simulated
    #[arg(long, value_name = "KIND", default_value = "adr2200", value_parser = kinds())]
    board: String,
    /// How many relays it has, where the kind alone does not say
    #[arg(long, value_name = "N")]
    size: Option<u8>,
    /// Keys to press
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    keys: u32,
    /// Wait before each key
    #[arg(long, value_name = "MS", default_value_t = 30)]
    lead_ms: u64,
    /// How long a key is held
    #[arg(long, value_name = "MS", default_value_t = 30)]
    hold_ms: u64,
    /// The shortest time between two commands
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=100))]
    spacing_ms: u64,
    /// The board never answers
    #[arg(long)]
    no_handshake: bool,
    /// Fail if a key is lost, or keys take longer than the settings say
    #[arg(long)]
    prove: bool,
}

/// The kinds of boards by their names.
fn kinds() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(RELAY_BOARDS.iter().map(|k| k.word))
}

/// Counts keys.
#[derive(Default)]
struct Counter(u32);

impl Target for Counter {
    fn render(&mut self, _: Time, _: &mut Picture) {}
    fn click(&mut self, _: Point, _: Time) {}
    fn key(&mut self, _: &str, _: Time) {
        self.0 += 1;
    }
    fn truth(&self) -> BoardText {
        BoardText::default()
    }
}

/// A simulated board and what it types into.
struct Simulated {
    board: SimulatedBoard,
    counter: Arc<Mutex<Counter>>,
}

impl Simulated {
    fn start(
        (board, size): (Board, u8),
        wiring: Vec<(String, u8)>,
        clock: Arc<dyn Clock>,
    ) -> anyhow::Result<Self> {
        let name = format!("kibitzer-board-{}", std::process::id());
        let counter = Arc::new(Mutex::new(Counter::default()));
        let target = Arc::clone(&counter) as Arc<Mutex<dyn Target>>;
        let manner = Manner {
            board,
            size,
            ..Manner::default()
        };
        let link = std::env::temp_dir().join(name);
        let board = SimulatedBoard::start(&link, wiring, target, clock, Faults::default(), manner)
            .context("starting the simulated board")?;
        Ok(Self { board, counter })
    }
}

/// What a key took.
struct Key {
    period: Duration,
    down: Time,
    up: Time,
}

/// Runs `kibitzer bench hands`.
///
/// # Errors
/// When the board cannot be used; a missed figure is exit status 1, not an error.
pub fn run(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let stop = Stop::new();
    signals::watch(&stop)?;
    release_on_panic();
    let board = Board::named(&options.board).context("no such board")?;
    let kind = board.kind();
    // The simulated one may as well be the largest.
    let size = match (options.size, kind.sizes) {
        (Some(size), _) => size,
        (None, [.., largest]) if options.port.is_none() || kind.sizes.len() == 1 => *largest,
        _ => anyhow::bail!("which {}? write --size, one of {:?}", kind.name, kind.sizes),
    };
    let wiring = vec![("space".to_owned(), kind.first)];
    let (port, simulated) = match &options.port {
        Some(port) => (port.clone(), None),
        None => {
            let made = Simulated::start((board, size), wiring.clone(), Arc::clone(&clock))?;
            (made.board.path().display().to_string(), Some(made))
        }
    };
    let mut spec = RelayHands {
        lead: Duration::from_millis(options.lead_ms),
        hold: Duration::from_millis(options.hold_ms),
        ..RelayHands::new(board, size, &port, wiring)
    };
    spec.line.handshake &= !options.no_handshake;
    spec.line.spacing = Duration::from_millis(options.spacing_ms);
    let mut hands = RelayKeyboard::open(spec, Arc::clone(&clock), stop.clone())?;
    let nominal = hands.timing().period();
    let before = thread_time();
    let mut keys = Vec::with_capacity(options.keys as usize);
    for _ in 0..options.keys {
        let began = clock.now();
        match hands.perform(&Stroke::Key("space".into()), None, &permit(began)?) {
            Ok(()) => {}
            Err(ActError::Stopped) => anyhow::bail!("{}", stop.reason().unwrap_or("stopped")),
            Err(error) => return Err(error.into()),
        }
        let (down, up) = hands.last_key().unwrap_or((began, began));
        keys.push(Key {
            period: clock.now().since(began),
            down,
            up,
        });
    }
    let cpu = thread_time().saturating_sub(before) / options.keys;
    drop(hands);
    let misses = report(&keys, nominal, cpu, simulated.as_ref(), json);
    for miss in &misses {
        eprintln!("missed: {miss}");
    }
    Ok(match options.prove && !misses.is_empty() {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

/// Permission for one key: a bench has no board to be certain of.
fn permit(now: Time) -> anyhow::Result<Armed> {
    let limits = Limits {
        min_interval: Duration::ZERO,
        max_age: Duration::ZERO,
        expiry: Duration::from_secs(3600),
    };
    let facts = Facts {
        now,
        captured_at: now,
        certain: true,
        still: true,
        reachable: true,
    };
    let granted = Gate::new(true, limits).ask(&facts);
    granted.map_err(|why| anyhow::anyhow!("the gate refused: {why:?}"))
}

fn report(
    keys: &[Key],
    nominal: Duration,
    cpu: Duration,
    simulated: Option<&Simulated>,
    json: bool,
) -> Vec<String> {
    let columns = [
        "board",
        "keys",
        "arrived",
        "ms/key",
        "set to",
        "p95",
        "worst",
        "held p50",
        "held worst",
        "late p50",
        "late p95",
        "late worst",
        "cpu ms/key",
    ];
    let mut table = Table::new(json, &columns);
    let ms = |d: Duration| d.as_secs_f64() * 1e3;
    let mut periods: Vec<f64> = keys.iter().map(|k| ms(k.period)).collect();
    let mut misses = Vec::new();
    let (mut held, mut late) = (Vec::new(), Vec::new());
    let mut arrived = json!(null);
    if let Some(simulated) = simulated {
        // The last command may still be on the line.
        std::thread::sleep(Duration::from_millis(100));
        let presses = simulated.board.presses();
        for (key, (down, up, _)) in keys.iter().zip(&presses) {
            held.push(ms(up.since(*down)));
            late.push((down.0 as f64 - key.down.0 as f64) / 1e3);
        }
        let counter = simulated.counter.lock();
        let count = counter.map_or_else(|c| c.into_inner().0, |c| c.0);
        arrived = json!(count);
        if count as usize != keys.len() || presses.len() != keys.len() {
            misses.push(format!("{count} of {} keys arrived", keys.len()));
        }
        if simulated.board.closed() != 0 {
            misses.push("a relay is closed at the end".to_owned());
        }
    } else {
        held.extend(keys.iter().map(|k| ms(k.up.since(k.down))));
    }
    let [period, p95, worst] = quantiles(&mut periods);
    if period > ms(nominal) * SLACK {
        misses.push(format!(
            "{period:.1} ms for a key that takes {:.1} ms",
            ms(nominal)
        ));
    }
    let [held_middle, _, held_worst] = quantiles(&mut held);
    let [late_middle, late_95, late_worst] = quantiles(&mut late);
    table.row(vec![
        json!(if simulated.is_some() {
            "simulated"
        } else {
            "real"
        }),
        json!(keys.len()),
        arrived,
        json!(period),
        json!(ms(nominal)),
        json!(p95),
        json!(worst),
        json!(held_middle),
        json!(held_worst),
        json!(late_middle),
        json!(late_95),
        json!(late_worst),
        json!(ms(cpu)),
    ]);
    table.finish();
    misses
}

/// The middle, the 95th of a hundred, and the largest; zeros of nothing.
fn quantiles(values: &mut [f64]) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let last = values.len().saturating_sub(1) as f64;
        values
            .get((last * share).round() as usize)
            .copied()
            .unwrap_or(0.0)
    };
    [at(0.5), at(0.95), at(1.0)]
}
