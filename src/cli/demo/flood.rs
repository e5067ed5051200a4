//! The Flood-It demo: the built-in game seen through a simulated webcam and played by a simulated
//! mouse.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use super::viewer::Viewer;
use crate::act::simulated::Faults;
use crate::assemble::{self, Order, SourceSpec};
use crate::capture::simulated::CameraModel;
use crate::capture::simulated::model::{Light, Pose, Room, Sensor};
use crate::cli::out::say;
use crate::cli::recipe::{Asks, Recipe, Terms};
use crate::cli::recorder::{RecordOptions, taped};
use crate::cli::request::SettingsOptions;
use crate::cli::terminal::{Show, Terminal};
use crate::cli::trouble::LAST_SEED;
use crate::cli::{logging, signals};
use crate::games::flood::target::{FloodTarget, Setup, Style};
use crate::pipeline::blocking::Blocking;
use crate::pipeline::run::{Rig, run as run_loop};
use crate::types::{
    Arming, Clock, GridSize, KeyTiming, ManualClock, Outcome, Point, Stop, SystemClock, Target,
};

const EXAMPLES: &str = "\
Examples:
  kibitzer demo flood
  kibitzer demo flood --seed 7 --size 20x12 --colours 8 --games 3
  kibitzer demo flood --fast --lost 0.1        virtual time; one click in ten is lost";

/// Options of `kibitzer demo flood`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(id = "demo-flood")]
pub struct Options {
    /// Seed of board, camera noise and faults
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=LAST_SEED))]
    seed: u64,
    /// Columns and rows of the board
    #[arg(long, value_name = "WxH", default_value = "14x14", value_parser = size)]
    size: GridSize,
    /// Number of colours, 3 to 8
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(3..=8))]
    colours: u8,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The policy: greedy, lookahead, optimal
    #[arg(long, value_name = "NAME")]
    policy: Option<String>,
    /// Run in virtual time, as fast as the machine can
    #[arg(long)]
    fast: bool,
    /// Share of the clicks that are lost, 0 to 0.9
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    lost: f64,
    /// Where the last frame is written, with the found grid drawn on it
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Write the first frame in which the board was found, too
    #[arg(long, value_name = "FILE")]
    first_picture: Option<PathBuf>,
    /// One JSON object per finished game, nothing else on stdout
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    record: RecordOptions,
    #[command(flatten)]
    settings: SettingsOptions,
}

fn size(text: &str) -> Result<GridSize, String> {
    let (w, h) = text
        .split_once('x')
        .ok_or("write it as WxH, for example 14x14")?;
    let side = |s: &str| match s.trim().parse::<u16>() {
        Ok(n @ 4..=40) => Ok(n),
        _ => Err(format!("{s}: from 4 to 40 are allowed")),
    };
    Ok(GridSize::new(side(w)?, side(h)?))
}

/// Frames a second of the simulated webcam.
const FPS: f64 = 30.0;

/// Runs `kibitzer demo flood`: success only if every game was won.
///
/// # Errors
/// When the journal or the picture cannot be written.
pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let settings = options.settings.load(&[
        ("policy.name", options.policy.clone()),
        ("play.seed", Some(options.seed.to_string())),
    ])?;
    anyhow::ensure!(
        (0.0..=0.9).contains(&options.lost),
        "--lost {}: a share from 0 to 0.9 is allowed",
        options.lost
    );
    let _log = logging::start(&settings);
    let clock: Arc<dyn Clock> = if options.fast {
        Arc::new(ManualClock::default())
    } else {
        Arc::new(SystemClock::start())
    };
    let stop = Stop::new();
    signals::watch(&stop)?;

    let setup = Setup {
        size: options.size,
        colours: options.colours,
        seed: options.seed,
        ..Setup::default()
    };
    let style = Style::plain(options.size, 32.0);
    let camera = webcam(&style, options.seed);
    let target: Arc<Mutex<dyn Target>> = Arc::new(Mutex::new(FloodTarget::new(setup, style)?));
    let faults = Faults {
        lost: options.lost,
        seed: options.seed,
        ..Faults::default()
    };
    let (feeder, hands) = assemble::simulated(target, Some(camera), &clock, FPS, faults);

    let terms = Terms {
        armed: true,
        games: Some(options.games),
        ..Terms::default()
    };
    let mut order = Order::bare(
        "demo",
        "demo".to_owned(),
        SourceSpec::Simulated,
        "flood",
        &settings,
    );
    terms.apply(&mut order)?;
    let taping = options.record.prepare(&mut order);
    let player = assemble::player(&order, &settings, KeyTiming::default())?;
    let started = assemble::started(&order, "simulated:camera", &player, &settings);
    let journal = assemble::open_journal(&settings, &clock)?;
    let mind = assemble::mind(order, player, &settings, &clock, &stop)?;
    let asks = Asks::BuiltIn("flood".to_owned());
    let recipe = Recipe::new("demo", asks, terms, &settings, KeyTiming::default());
    let (mind, taped) = taped(taping, mind, &recipe, &started, &settings, &clock)?;
    let show = if options.json {
        Show::Json
    } else {
        Show::Boards
    };
    let mut viewer = Viewer::new(Terminal::new(show));
    let rig = Rig {
        feeder,
        hands: Some(Box::new(Blocking::new(hands, Arc::clone(&clock)))),
        mind,
        journal: Box::new(journal),
        clock,
        stop,
        arming: Arming::new(),
        observer: &mut viewer,
    };
    let report = run_loop(rig, started)?;
    let recording = taped.map(|taped| taped.finish(&report));

    let path = options
        .picture
        .clone()
        .unwrap_or_else(|| std::env::temp_dir().join("kibitzer-demo.png"));
    if let Some(last) = viewer.last() {
        last.save(&path)?;
    }
    if let (Some(first), Some(path)) = (viewer.first(), &options.first_picture) {
        first.save(path)?;
    }
    if !options.json {
        say(&format!(
            "last frame with the found grid: {}",
            path.display()
        ));
        say(&format!("journal: {}", settings.journal.path.display()));
        say("read it with: kibitzer journal show latest");
        if let Some(path) = recording {
            say(&format!(
                "run it again with: kibitzer replay {}",
                path.display()
            ));
        }
    }
    let won = report
        .games
        .iter()
        .filter(|g| g.result == Outcome::Won)
        .count();
    if report.ending.complete && won == report.games.len() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("kibitzer: {}", report.ending.why);
    Ok(ExitCode::FAILURE)
}

/// A webcam that stands to the left of the screen and above it, in a room with uneven light.
fn webcam(style: &Style, seed: u64) -> CameraModel {
    let (w, h) = (f64::from(style.picture.0), f64::from(style.picture.1));
    // The whole window with a margin, whatever the board's size.
    let zoom = (960.0 / w).min(540.0 / h) * 0.82;
    CameraModel {
        picture: (960, 540),
        seed,
        pose: Pose {
            tilt_x: -14.0,
            tilt_y: 20.0,
            roll: 3.0,
            aim: Point::new(w / 2.0, h / 2.0),
            zoom,
        },
        room: Room::Gradient([0.03, 0.03, 0.04], [0.25, 0.22, 0.18]),
        light: Light {
            ratio: 1.8,
            angle: 30.0,
            cast: [1.0, 0.94, 0.86],
            ..Light::default()
        },
        sensor: Sensor {
            blur: 0.9,
            read_noise: 2.5,
            shot_noise: 4.0,
            ..Sensor::default()
        },
        ..CameraModel::default()
    }
}
