//! A target without a window: shown on a virtual camera as a webcam would see it, and played through
//! a simulated relay board. For trying out a whole rig without a camera, a board or a screen.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, bail};

use super::super::signals;
use crate::act::simulated::{Faults, Manner, SimulatedBoard};
use crate::assemble::{self, Trouble};
use crate::capture::FrameSource as _;
use crate::capture::camera::show::VirtualCamera;
use crate::capture::simulated::SimulatedSource;
use crate::cli::out::say;
use crate::games::tetris::target::TetrisTarget;
use crate::types::{Clock, Feed, Stop, SystemClock, Target, Time};

/// Relays and keys as the reference rig has them.
const WIRING: [(&str, u8); 5] = [("Left", 0), ("Right", 1), ("Up", 2), ("space", 3), ("r", 4)];

/// From one word on how the game stands to the next.
const REPORT: Duration = Duration::from_secs(5);

/// How it is shown and played.
#[derive(Debug, clap::Args)]
pub struct RigOptions {
    /// Show it on this virtual camera (a device of v4l2loopback), as a webcam would see it, instead of
    /// in a window
    #[arg(long, value_name = "DEVICE")]
    camera: Option<PathBuf>,
    /// Take keys from a simulated relay board (ADR2200) that listens at a port of this name: relay 0
    /// Left, 1 Right, 2 Up, 3 space, 4 r
    #[arg(long, value_name = "PORT", requires = "camera")]
    board: Option<PathBuf>,
    /// Pictures a second of the camera
    #[arg(long, value_name = "N", default_value_t = 30.0, requires = "camera")]
    rate: f64,
    /// Width and height of the camera's picture
    #[arg(long, value_name = "WxH", default_value = "640x480", value_parser = super::window_size, requires = "camera")]
    camera_size: (u32, u32),
}

impl RigOptions {
    /// The virtual camera that it is shown on, if it is.
    pub fn camera(&self) -> Option<&Path> {
        self.camera.as_deref()
    }
}

/// Shows it until the program is stopped; says now and then how far the game has come.
///
/// # Errors
/// When the camera cannot be fed, or the board has no port.
pub fn run(
    target: TetrisTarget,
    screen: (u32, u32),
    camera: &Path,
    options: &RigOptions,
) -> anyhow::Result<()> {
    if !(0.1..=240.0).contains(&options.rate) {
        bail!("--rate {}: from 0.1 to 240 are allowed", options.rate);
    }
    let stop = Stop::new();
    signals::watch(&stop)?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let target = Arc::new(Mutex::new(target));
    let keys: Arc<Mutex<dyn Target>> = Arc::clone(&target) as _;
    let seen: Arc<Mutex<dyn Target>> = Arc::clone(&target) as _;
    let board = match &options.board {
        Some(port) => {
            let wiring = WIRING.map(|(key, relay)| (key.to_owned(), relay)).to_vec();
            let manner = Manner::default();
            let time = Arc::clone(&clock);
            let board = SimulatedBoard::start(port, wiring, keys, time, Faults::default(), manner);
            Some(board.with_context(|| format!("--board {}", port.display()))?)
        }
        None => None,
    };
    let still = Trouble {
        spoiled: 0.0,
        knocks: None,
    };
    let webcam = assemble::webcam_of(screen, options.camera_size, still, 1);
    let mut source = SimulatedSource::webcam(seen, webcam, Arc::clone(&clock), options.rate);
    let mut shown = VirtualCamera::open(camera, options.camera_size)?;
    let mut told = clock.now();
    while !stop.is_pulled() {
        if clock.now().since(told) >= REPORT {
            told = clock.now();
            let presses = board.as_ref().map_or(0, |b| b.presses().len());
            report(&target, told, presses);
        }
        if let Feed::Frame(frame) = source.next(clock.now() + Duration::from_millis(100))? {
            shown.show(&frame.picture)?;
        }
    }
    Ok(())
}

/// How far the game has come.
fn report(target: &Mutex<TetrisTarget>, now: Time, presses: usize) {
    let target = target.lock().unwrap_or_else(PoisonError::into_inner);
    let game = target.game();
    say(&format!(
        "{:8.1}  {} pieces, {} rows, {} points; {presses} presses",
        now.0 as f64 / 1e6,
        game.pieces(),
        game.lines(),
        game.score()
    ));
}
