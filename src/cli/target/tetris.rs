//! `kibitzer target tetris`

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

use super::{rig, video, window};
use crate::games::tetris::rules::{Draw, MAX_SIZE, MIN_SIZE, Setup};
use crate::games::tetris::target::palette::Palette;
use crate::games::tetris::target::{self, TetrisTarget};
use crate::types::Time;

const EXAMPLES: &str = "\
All keys are shown by F1.

Examples:
  kibitzer target tetris
  kibitzer target tetris --start --level 3 --seed 42 --next --ai two-piece --auto
  kibitzer target tetris --load kibitzer-tetris.txt
  kibitzer target tetris --start --auto --video window:Tetris     then V
  kibitzer target tetris --camera /dev/video10 --board /tmp/relays
      a whole rig without hardware: play it by a profile with these two names as its camera and
      the port of its relays";

/// Options of `kibitzer target tetris`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Columns and rows of the board
    #[arg(long, value_name = "CxR", default_value = "10x20", value_parser = board)]
    size: (u16, u16),
    /// Level at the beginning, 1 to 10
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=10))]
    level: u8,
    /// Seed of the pieces [default: another one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Speed bias, -50 (slow) to 50 (several steps for each picture)
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(i8).range(-50..=50))]
    speed: i8,
    /// Only S and Z, in turn
    #[arg(long)]
    sz: bool,
    /// Width and height of the window's content in px
    #[arg(long, value_name = "WxH", default_value = "640x480", value_parser = super::window_size)]
    window: (u32, u32),
    /// Colours of the pieces
    #[arg(long, value_name = "NAME", default_value = "standard", value_parser = ["standard", "colour-blind"])]
    palette: String,
    /// All pieces in one colour
    #[arg(long)]
    mono: bool,
    /// Show the next piece
    #[arg(long)]
    next: bool,
    /// Show where the piece will land
    #[arg(long)]
    shadow: bool,
    /// Show where the AI would put the piece
    #[arg(long)]
    hint: bool,
    /// Always show the markers and colour swatches of calibration mode
    #[arg(long)]
    markers: bool,
    /// The AI for hints and for playing
    #[arg(long, value_name = "NAME", default_value = "dt10")]
    ai: String,
    /// Let the AI play
    #[arg(long)]
    auto: bool,
    /// Go on with a saved game
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Where Shift+W saves
    #[arg(long, value_name = "FILE", default_value = "kibitzer-tetris.txt")]
    save: PathBuf,
    /// What video mode (key V) looks at instead of the board: window:TITLE, screen:AREA,
    /// camera:NAME, or a picture, a folder of pictures, a video
    #[arg(long, value_name = "SOURCE")]
    video: Option<String>,
    /// Begin at once, without the start screen
    #[arg(long)]
    start: bool,
    #[command(flatten)]
    rig: rig::RigOptions,
}

fn board(text: &str) -> Result<(u16, u16), String> {
    super::pair(text, [MIN_SIZE.0, MIN_SIZE.1], [MAX_SIZE.0, MAX_SIZE.1])
}

/// A seed that nobody chose: nanoseconds since 1970.
fn any_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |d| d.as_nanos() as u64)
}

/// Shows it until the window is closed.
///
/// # Errors
/// When there is no display, no such AI, or the saved game cannot be loaded.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let setup = Setup {
        cols: options.size.0,
        rows: options.size.1,
        level: options.level,
        seed: options.seed.unwrap_or_else(any_seed),
        draw: if options.sz {
            Draw::AlternatingSz
        } else {
            Draw::Uniform
        },
        bias: options.speed,
        ..Setup::default()
    };
    let palette = match options.palette.as_str() {
        "colour-blind" => Palette::ColourBlind,
        _ => Palette::Standard,
    };
    let begin = target::Options {
        setup,
        picture: options.window,
        palette,
        monochrome: options.mono,
        next: options.next,
        shadow: options.shadow,
        hint: options.hint,
        sheet: options.markers,
        start_screen: !options.start,
        ai: options.ai.clone(),
        auto: options.auto,
        save: options.save.clone(),
    };
    let mut target =
        TetrisTarget::new(begin, Time::ZERO).with_context(|| format!("--ai {}", options.ai))?;
    if let Some(path) = &options.load {
        let name = path.display();
        let text = target::read_saved(path).with_context(|| format!("--load {name}"))?;
        target
            .load(&text, Time::ZERO)
            .with_context(|| format!("--load {name}"))?;
    }
    if let Some(source) = &options.video {
        target.set_video(video::open(source)?);
    }
    match options.rig.camera() {
        Some(camera) => rig::run(target, options.window, camera, &options.rig)?,
        None => window::show(Box::new(target), options.window)?,
    }
    Ok(ExitCode::SUCCESS)
}
