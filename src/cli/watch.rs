//! `kibitzer watch`: look on and know the move, without touching anything.

use std::process::ExitCode;

use crate::assemble;
use crate::cli::out::say;
use crate::cli::recipe::Terms;
use crate::cli::recorder::{RecordOptions, tape};
use crate::cli::request::Request;
use crate::cli::terminal::{Show, Terminal};
use crate::cli::{logging, signals};
use crate::pipeline::run::{Rig, run as run_loop};
use crate::types::{Arming, Stop};

const EXAMPLES: &str = "\
Examples:
  kibitzer watch --window Flood --game flood
  kibitzer watch sgt-flood --policy greedy
  kibitzer watch --screen 1 --game flood --json
  kibitzer watch xvier --record seen.mcap";

/// Options of `kibitzer watch`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(flatten)]
    request: Request,
    #[command(flatten)]
    record: RecordOptions,
    /// The policy, as `kibitzer solve GAME --list` names it, or another program: jsonl:COMMAND
    #[arg(long, value_name = "NAME")]
    policy: Option<String>,
    /// Moves to look ahead
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// One JSON object per finished game, nothing else on stdout
    #[arg(long)]
    json: bool,
}

/// Runs `kibitzer watch` until the source ends or it is stopped.
///
/// # Errors
/// When a part cannot be opened, or events can no longer be kept.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let settings = options.request.settings.load(&[
        ("policy.name", options.policy.clone()),
        ("policy.depth", options.depth.map(|d| d.to_string())),
    ])?;
    let _log = logging::start(&settings);
    let mut order = options.request.order("watch", &settings)?;
    let clock = assemble::clock(&order);
    let stop = Stop::new();
    signals::watch(&stop)?;
    let taping = options.record.prepare(&mut order);
    let parts = assemble::open(order, &settings, &clock, &stop)?;
    let terms = Terms::default();
    let (parts, taped) = tape(taping, &options.request, terms, parts, &settings, &clock)?;
    let mut terminal = Terminal::new(if options.json {
        Show::Json
    } else {
        Show::Boards
    });
    let rig = Rig {
        feeder: parts.feeder,
        hands: None,
        mind: parts.mind,
        journal: Box::new(parts.journal),
        clock,
        stop: stop.clone(),
        arming: Arming::new(),
        observer: &mut terminal,
    };
    let report = run_loop(rig, parts.started)?;
    if let Some(path) = taped.map(|taped| taped.finish(&report))
        && !options.json
    {
        say(&format!("recording: {}", path.display()));
    }
    // Being stopped is the usual end of watching.
    if !stop.is_pulled() {
        eprintln!("kibitzer: {}", report.ending.why);
    }
    Ok(ExitCode::SUCCESS)
}
