//! `kibitzer play`: watch a game and play it.

use std::process::ExitCode;

use crate::assemble;
use crate::cli::out::say;
use crate::cli::recipe::Terms;
use crate::cli::recorder::{RecordOptions, tape};
use crate::cli::request::Request;
use crate::cli::terminal::{Show, Terminal};
use crate::cli::{logging, signals};
use crate::pipeline::run::{Report, Rig, run as run_loop};
use crate::types::{Arming, Beginner, GameResult, Outcome, SideName, Stop};

const EXAMPLES: &str = "\
Examples:
  kibitzer play sgt-flood --games 20
  kibitzer play --window Flood --game flood --games 20 --json
  kibitzer play --window Flood --game flood --pace 40      one move every 1.5 seconds
  kibitzer play sgt-flood --dry-run                        decides, but touches nothing
  kibitzer play quadrapassel --rows 100                    plays Tetris for a hundred rows
  kibitzer play --window xvier --game connect4 --side yellow
  kibitzer play xvier --record recordings                  for `kibitzer replay`
  kibitzer play --window Gomoku --game gomoku --policy piskvork:./pbrain

Stop it with Ctrl+C, by holding Ctrl+Alt+X, or by pushing the pointer into a corner of the screen.";

/// Options of `kibitzer play`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(flatten)]
    request: Request,
    #[command(flatten)]
    record: RecordOptions,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Decide, but never touch mouse or keyboard
    #[arg(long)]
    dry_run: bool,
    /// One JSON object per finished game, nothing else on stdout
    #[arg(long)]
    json: bool,
    /// Show the board with every decision
    #[arg(long, conflicts_with = "json")]
    boards: bool,
    /// The policy, as `kibitzer solve GAME --list` names it, or another program: jsonl:COMMAND
    #[arg(long, value_name = "NAME")]
    policy: Option<String>,
    /// Moves to look ahead
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Which side is ours in a game for two: first, second, a colour, or the letter of a class;
    /// by default it is worked out from the play
    #[arg(long, value_name = "SIDE")]
    side: Option<SideName>,
    /// Who begins a game for two: we, they, a colour, or the letter of a class
    #[arg(long, value_name = "WHO")]
    begins: Option<Beginner>,
    /// A game that only ends by being lost (Tetris) is won with so many rows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rows: Option<u32>,
    /// A game that only ends by being lost (Tetris) is won with so many pieces
    #[arg(long, value_name = "N", conflicts_with = "rows", value_parser = clap::value_parser!(u32).range(1..))]
    pieces: Option<u32>,
    /// Moves per minute, or fast
    #[arg(long, value_name = "PACE")]
    pace: Option<String>,
    /// End the run when nothing could be done for this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    give_up: u64,
}

impl Options {
    fn terms(&self) -> Terms {
        Terms {
            armed: !self.dry_run,
            games: Some(self.games),
            side: self.side.map(|s| s.to_string()),
            begins: self.begins.map(|b| b.to_string()),
            rows: self.rows,
            pieces: self.pieces,
            give_up: Some(self.give_up),
        }
    }
}

/// Runs `kibitzer play`: success only if no game was aborted.
///
/// # Errors
/// When a part cannot be opened, or events can no longer be kept.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let settings = options.request.settings.load(&[
        ("policy.name", options.policy.clone()),
        ("policy.depth", options.depth.map(|d| d.to_string())),
        ("play.pace", options.pace.clone()),
    ])?;
    let _log = logging::start(&settings);
    let mut order = options.request.order("play", &settings)?;
    let terms = options.terms();
    terms.apply(&mut order)?;
    if options.dry_run && !options.json {
        for line in order.script.listed() {
            say(&format!("would do when due: {line}"));
        }
    }
    let clock = assemble::clock(&order);
    let stop = Stop::new();
    signals::watch(&stop)?;
    let taping = options.record.prepare(&mut order);
    let parts = assemble::open(order, &settings, &clock, &stop)?;
    let (parts, taped) = tape(taping, &options.request, terms, parts, &settings, &clock)?;
    let show = match (options.json, options.boards) {
        (true, _) => Show::Json,
        (_, true) => Show::Boards,
        _ => Show::Moves,
    };
    let mut terminal = Terminal::new(show);
    let rig = Rig {
        feeder: parts.feeder,
        hands: parts.hands,
        mind: parts.mind,
        journal: Box::new(parts.journal),
        clock,
        stop,
        arming: Arming::new(),
        observer: &mut terminal,
    };
    let report = run_loop(rig, parts.started)?;
    drop(parts.emergency);
    let recording = taped.map(|taped| taped.finish(&report));
    if !options.json {
        say(&summary(&report));
        if let Some(path) = recording {
            say(&format!("recording: {}", path.display()));
        }
    }
    Ok(conclude(&report))
}

/// The games of a run as the reference counts them: a win is a game finished within the moves
/// allowed, and wins in a row are what its titles are given for.
fn summary(report: &Report) -> String {
    let within = |g: &GameResult| {
        // A game that knows no limit counts its wins as they are.
        g.result == Outcome::Won && g.extra.get("within_limit") != Some(&false.into())
    };
    let (mut row, mut longest) = (0, 0);
    for game in &report.games {
        row = if within(game) { row + 1 } else { 0 };
        longest = longest.max(row);
    }
    let wins = report.games.iter().filter(|g| within(g)).count();
    let limited = report.games.iter().any(|g| g.extra.contains_key("limit"));
    let how = if limited {
        " within the moves allowed"
    } else {
        ""
    };
    format!(
        "{wins} of {} games won{how}, {longest} in a row",
        report.games.len()
    )
}

/// Exit status of a run: success only if all that was asked for was done.
fn conclude(report: &Report) -> ExitCode {
    let aborted = report.games.iter().any(|g| g.result == Outcome::Aborted);
    if report.ending.complete && !aborted {
        return ExitCode::SUCCESS;
    }
    eprintln!("kibitzer: {}", report.ending.why);
    ExitCode::FAILURE
}
