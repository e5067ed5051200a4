//! The reference rig: one "computer" shows Tetris, the other sees it through a webcam and plays it
//! through a relay board wired to the keyboard. Game, webcam and board are simulated; everything
//! between the webcam's pixels and the bytes on the serial line is what plays on real ones.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::ensure;

use super::film::Film;
use super::viewer::Viewer;
use crate::act::Hands;
use crate::assemble;
use crate::capture::simulated::SimulatedSource;
use crate::cli::out::say;
use crate::cli::recipe::{Asks, Recipe, Terms};
use crate::cli::recorder::{RecordOptions, taped};
use crate::cli::recording::Recording;
use crate::cli::request::SettingsOptions;
use crate::cli::terminal::{Show, Terminal};
use crate::cli::trouble::{LAST_SEED, TroubleOptions};
use crate::cli::{logging, signals, target::window};
use crate::config::Settings;
use crate::games::tetris::agent::Mode;
use crate::games::tetris::rules::Setup;
use crate::games::tetris::target::{self, TetrisTarget};
use crate::pipeline::mind::Mind;
use crate::pipeline::run::{Observer, Report, Rig, run as run_loop};
use crate::types::{
    Arming, BoardText, Clock, Event, Frame, ManualClock, Outcome, Picture, Point, Pointer, Stop,
    SystemClock, Target, Time,
};
use crate::web::publisher::Publisher;
use crate::web::session::Session;
use crate::web::{self, Asked, Daemon, Listening, ServeOptions};

const EXAMPLES: &str = "\
Examples:
  kibitzer demo
  kibitzer demo --dashboard                    seen in a browser while it runs
  kibitzer demo --window                       with the game's own window
  kibitzer demo --level 10 --pieces 200 --lost 0.05 --knocks 20
  kibitzer demo --fast --mode dead-reckoning   the reference's way, in virtual time
  kibitzer demo flood                          Flood-It by a simulated mouse";

/// Options of `kibitzer demo`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(id = "demo-tetris")]
pub struct Options {
    /// Seed of pieces, camera and faults
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=LAST_SEED))]
    seed: u64,
    /// Pieces to place; with them the game is won
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pieces: u32,
    /// Level of the game, 1 to 10
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=10))]
    level: u8,
    /// The policy, for example two-piece, dt10, expectimax
    #[arg(long, value_name = "NAME")]
    policy: Option<String>,
    /// Hide the next piece
    #[arg(long)]
    no_next: bool,
    /// How it is played: by looking at all of the board, or as the reference did it
    #[arg(long, value_name = "MODE", default_value = "belief", value_parser = ["belief", "dead-reckoning"])]
    mode: String,
    #[command(flatten)]
    trouble: TroubleOptions,
    /// Run in virtual time, as fast as the machine can
    #[arg(long)]
    fast: bool,
    /// Show the run in a browser, at this address; port 0 takes any free one
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, default_missing_value = "127.0.0.1:8747")]
    dashboard: Option<SocketAddr>,
    /// Show the game in a window of its own, too
    #[arg(long, conflicts_with = "fast")]
    window: bool,
    /// Where the recording is written: .mp4, .avi or .gif
    #[arg(long, value_name = "FILE")]
    recording: Option<PathBuf>,
    /// Where the last frame is written, with the found grid drawn on it
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// One JSON object per finished game, nothing else on stdout
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    record: RecordOptions,
    #[command(flatten)]
    settings: SettingsOptions,
}

/// Frames a second of the webcam.
const FPS: f64 = 30.0;
/// From one knock against the camera to the next: one or two in a demo.
const KNOCKS: Duration = Duration::from_secs(30);
/// The size of the game's picture in px.
const SCREEN: (u32, u32) = (640, 480);

/// Runs `kibitzer demo`: success only if the game was won.
///
/// # Errors
/// When a part cannot be set up, or the journal, the recording or the picture cannot be written.
pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    options.trouble.check()?;
    let clock: Arc<dyn Clock> = if options.fast {
        Arc::new(ManualClock::default())
    } else {
        Arc::new(SystemClock::start())
    };
    let stop = Stop::new();
    signals::watch(&stop)?;
    let target = Arc::new(Mutex::new(TetrisTarget::new(
        target::Options {
            setup: Setup {
                level: options.level,
                seed: options.seed,
                ..Setup::default()
            },
            picture: SCREEN,
            next: !options.no_next,
            start_screen: false,
            ..target::Options::default()
        },
        clock.now(),
    )?));
    if !options.window {
        return play(options, &target, &clock, &stop);
    }
    let shown = Box::new(OnClock {
        target: Arc::clone(&target) as _,
        clock: Arc::clone(&clock),
    });
    std::thread::scope(|scope| {
        // Windows belong to the first thread of a program; the loop takes another one.
        let played = scope.spawn(|| play(options, &target, &clock, &stop));
        let closed = window::show(shown, SCREEN);
        stop.pull("the game's window was closed");
        let played = played
            .join()
            .unwrap_or_else(|_| Err(anyhow::anyhow!("the loop panicked")));
        closed.and(played)
    })
}

/// Everything but the game's window.
fn play(
    options: &Options,
    target: &Arc<Mutex<TetrisTarget>>,
    clock: &Arc<dyn Clock>,
    stop: &Stop,
) -> anyhow::Result<ExitCode> {
    let settings = options.settings.load(&[
        ("policy.name", options.policy.clone()),
        ("play.seed", Some(options.seed.to_string())),
        ("capture.fps", Some(FPS.to_string())),
        // In virtual time a machine that is busy with other things decides the same.
        ("policy.time_ms", options.fast.then(|| "60000".to_owned())),
    ])?;
    let _log = logging::start(&settings);
    let folder = std::env::temp_dir();
    let film_path = options.recording.clone();
    let film_path = film_path.unwrap_or_else(|| folder.join("kibitzer-demo.mp4"));
    // Ten pictures a second are smooth enough and small.
    let film = Film::new(Recording::new(&film_path, FPS / 3.0)?, 3);
    let keys = Arc::clone(target) as _;
    let faults = options.trouble.of_keys(options.seed);
    let hands = assemble::Wires::open(keys, faults, clock, stop, options.fast)?;
    let mode = match options.mode.as_str() {
        "dead-reckoning" => Mode::DeadReckoning,
        _ => Mode::RealityCheck,
    };
    let mut order = assemble::rig_order(
        "demo",
        (options.level, options.pieces),
        !options.no_next,
        mode,
        &settings,
    );
    let taping = options.record.prepare(&mut order);
    let webcam = assemble::webcam(SCREEN, options.trouble.of_webcam(KNOCKS), options.seed);
    let inner = Arc::clone(target) as _;
    let source = SimulatedSource::webcam(inner, webcam, Arc::clone(clock), FPS);
    let feeder = if options.fast {
        assemble::direct(Box::new(source))
    } else {
        assemble::threaded(Box::new(source), clock, stop, &settings)?
    };
    let player = assemble::player(&order, &settings, hands.timing())?;
    let started = assemble::started(&order, hands.words(), &player, &settings);
    let journal = assemble::open_journal(&settings, clock)?;
    let mind = assemble::mind(order, player, &settings, clock, stop)?;
    let asks = Asks::Rig {
        level: options.level,
        pieces: options.pieces,
        next: !options.no_next,
        blind: mode == Mode::DeadReckoning,
    };
    let timing = hands.timing();
    let recipe = Recipe::new("demo", asks, Terms::default(), &settings, timing);
    let (mind, taped) = taped(taping, mind, &recipe, &started, &settings, clock)?;
    let show = if options.json {
        Show::Json
    } else {
        Show::Boards
    };
    let page = options
        .dashboard
        .map(|at| page(at, &settings, stop))
        .transpose()?;
    if let Some((listening, _)) = page.as_ref().filter(|_| !options.json) {
        say(&format!("dashboard: http://{}/", listening.at));
    }
    let publisher = page
        .as_ref()
        .map(|(_, session)| Publisher::new(Arc::clone(session.live()), Arc::clone(clock)));
    let mut viewer = Filming {
        viewer: Viewer::new(Terminal::new(show)),
        film,
        publisher,
    };
    let rig = Rig {
        feeder,
        hands: Some(Box::new(hands)),
        mind,
        journal: Box::new(journal),
        clock: Arc::clone(clock),
        stop: stop.clone(),
        arming: Arming::new(),
        observer: &mut viewer,
    };
    let report = run_loop(rig, started)?;
    let recording = taped.map(|taped| taped.finish(&report));
    let Filming { viewer, film, .. } = viewer;
    let picture = options.picture.clone();
    let picture = picture.unwrap_or_else(|| folder.join("kibitzer-demo.png"));
    if let Some(last) = viewer.last() {
        last.save(&picture)?;
    }
    let pictures = film.finish()?;
    if !options.json {
        let truth = target.lock().unwrap_or_else(PoisonError::into_inner);
        say(&format!(
            "in truth: {} pieces, {} rows, {} points",
            truth.game().pieces(),
            truth.game().lines(),
            truth.game().score()
        ));
        if pictures > 0 {
            say(&format!("recording: {}", film_path.display()));
        }
        say(&format!(
            "last frame with the found grid: {}",
            picture.display()
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
    Ok(conclude(&report))
}

fn conclude(report: &Report) -> ExitCode {
    let won = report.games.iter().all(|g| g.result == Outcome::Won);
    if report.ending.complete && won {
        return ExitCode::SUCCESS;
    }
    let why = report.games.last().map_or(&report.ending.why, |g| &g.why);
    eprintln!("kibitzer: {why}");
    ExitCode::FAILURE
}

/// The run in a browser, as long as what is returned lives.
fn page(
    at: SocketAddr,
    settings: &Settings,
    stop: &Stop,
) -> anyhow::Result<(Listening, Arc<Session>)> {
    ensure!(
        at.ip().is_loopback(),
        "--dashboard {at}: a demo is shown to this machine only; `kibitzer serve` has a token for others"
    );
    let none =
        |_: &Asked| anyhow::bail!("a demo has one session: start `kibitzer serve` for others");
    let daemon = Daemon::new(settings.clone(), Box::new(none));
    let session = daemon.attach("tetris", "demo", stop.clone());
    let options = ServeOptions {
        at,
        names: Vec::new(),
        token: None,
    };
    Ok((web::start(daemon, &options, None)?, session))
}

/// A target that tells the time by the run's clock, whoever shows it.
struct OnClock {
    target: Arc<Mutex<dyn Target>>,
    clock: Arc<dyn Clock>,
}

impl OnClock {
    fn with<T>(&self, act: impl FnOnce(&mut dyn Target, Time) -> T) -> T {
        let mut target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
        act(&mut *target, self.clock.now())
    }
}

impl Target for OnClock {
    fn render(&mut self, _: Time, out: &mut Picture) {
        self.with(|target, now| target.render(now, out));
    }

    fn click(&mut self, px: Point, _: Time) {
        self.with(|target, now| target.click(px, now));
    }

    fn key(&mut self, name: &str, _: Time) {
        self.with(|target, now| target.key(name, now));
    }

    fn pointer(&mut self, pointer: Pointer, px: Point, _: Time) {
        self.with(|target, now| target.pointer(pointer, px, now));
    }

    fn truth(&self) -> BoardText {
        self.with(|target, _| target.truth())
    }
}

/// Prints, keeps frames, and films.
struct Filming {
    viewer: Viewer,
    film: Film,
    publisher: Option<Publisher>,
}

impl Observer for Filming {
    fn event(&mut self, at: Time, event: &Event, mind: &dyn Mind) {
        self.viewer.event(at, event, mind);
        self.film.event(at, event);
        if let Some(publisher) = &mut self.publisher {
            publisher.event(at, event, mind);
        }
    }

    fn frame(&mut self, frame: &Frame, mind: &dyn Mind) {
        self.viewer.frame(frame, mind);
        self.film.frame(frame, mind);
        if let Some(publisher) = &mut self.publisher {
            publisher.frame(frame, mind);
        }
    }
}
