//! `kibitzer calibrate`: find the board of a window or screen once, show how good the finding is,
//! and write it down as a profile.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::json;

use super::{annotate, picture};
use crate::assemble::{self, Order, SourceSpec};
use crate::capture::FrameSource;
use crate::capture::pace::Pace;
use crate::capture::screen::Area;
use crate::cli::files;
use crate::cli::out::say;
use crate::cli::request::Request;
use crate::config::profile::{Class, Click, Duel, Profile, Source, Tetris, Timing};
use crate::games::flood;
use crate::pipeline::eyes::Eyes;
use crate::types::{Calibration, Clock, Feed, Frame, GridSize, SystemClock};

const EXAMPLES: &str = "\
Examples:
  kibitzer calibrate --window Flood --game flood
  kibitzer calibrate --window Flood --game flood --name my-flood --annotate seen.png
  kibitzer calibrate --screen 1 --game flood --size 14x14

The profile is written to calibration/NAME.toml and used by `kibitzer play NAME`.";

/// How long a board is looked for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Options of `kibitzer calibrate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(flatten)]
    request: Request,
    /// The profile's name; without it one is made from the window's title
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The folder the profile is written to
    #[arg(long, value_name = "FOLDER", default_value = "calibration")]
    into: PathBuf,
    /// Write over an existing profile
    #[arg(long)]
    force: bool,
    /// The board's size, where it is known
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<GridSize>,
    /// Write the picture with the grid and what was read drawn on it
    #[arg(long, value_name = "OUT.png")]
    annotate: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A size as WxH.
pub fn size(text: &str) -> Result<GridSize, String> {
    let (w, h) = text
        .split_once('x')
        .ok_or("write it as WxH, for example 14x14")?;
    let side = |s: &str| match s.trim().parse::<u16>() {
        Ok(n @ 1..=400) => Ok(n),
        _ => Err(format!("{s}: from 1 to 400 are allowed")),
    };
    Ok(GridSize::new(side(w)?, side(h)?))
}

/// Runs `kibitzer calibrate`: success if a board was found and the profile written.
///
/// # Errors
/// When the source cannot be opened, no board is found, or the profile not be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let settings = options.request.settings.load(&[])?;
    let _log = super::logging::start(&settings);
    let order = options.request.order("calibrate", &settings)?;
    let name = name(options, &order);
    let path = options.into.join(format!("{name}.toml"));
    if path.exists() && !options.force {
        bail!(
            "{}: exists already; choose another --name, or --force to write over it",
            path.display()
        );
    }
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let pace = Pace::new(Duration::from_millis(50));
    let (mut source, _) = assemble::source(&order.source, &clock, &pace, order.wait, false)?;
    let mut wanted = assemble::wanted(&order.game)?;
    wanted.size = options.size.or(order.size);
    let mut eyes = Eyes::new(wanted);
    let frame = look(source.as_mut(), &mut eyes, clock.as_ref())?;
    let Some(calibration) = eyes.calibration().cloned() else {
        bail!("no board is found in {}", order.profile);
    };
    eyes.read(&frame.picture);
    if let Some(out) = &options.annotate {
        let mut drawn = crate::types::Picture::clone(&frame.picture);
        annotate::draw(&mut drawn, &calibration, eyes.reading());
        picture::save_png(&drawn, out)?;
    }
    let board = flood::vision::text(&calibration, eyes.reading());
    let text = profile(&order, &name, &calibration)
        .to_toml()
        .context("writing the profile")?;
    write(&path, &text)?;
    report(
        options,
        &path,
        &calibration,
        &board.to_string(),
        eyes.reading().confidence(),
    );
    Ok(ExitCode::SUCCESS)
}

/// The first frame in which a board is found.
fn look(source: &mut dyn FrameSource, eyes: &mut Eyes, clock: &dyn Clock) -> anyhow::Result<Frame> {
    let deadline = clock.now() + PATIENCE;
    let mut why = "it delivered no picture".to_owned();
    while clock.now() < deadline {
        match source.next(deadline)? {
            Feed::Frame(frame) => {
                if eyes.find(&frame.picture) {
                    return Ok(frame);
                }
                why = format!(
                    "in {}x{} pixels nothing looks like a board of this game with quality {} or \
                     more; is it wholly visible?",
                    frame.picture.width(),
                    frame.picture.height(),
                    Calibration::MIN_QUALITY
                );
            }
            Feed::Quiet => {}
            Feed::Hidden(hidden) => why = format!("it is {hidden}"),
            Feed::Ended(end) => bail!("no board: {end}"),
        }
    }
    bail!("no board is found: {why}")
}

fn name(options: &Options, order: &Order) -> String {
    if let Some(name) = &options.name {
        return name.clone();
    }
    let slug: String = order
        .profile
        .to_lowercase()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    slug.split('-')
        .filter(|s| !s.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

fn profile(order: &Order, name: &str, calibration: &Calibration) -> Profile {
    let source = match &order.source {
        SourceSpec::Window(query) => Source::Window {
            title: query.title.as_ref().map(|t| {
                if query.exact {
                    format!("={t}")
                } else {
                    t.clone()
                }
            }),
            class: query.class.clone(),
            id: query.id,
        },
        SourceSpec::Screen(Area::Region(rect)) => Source::Region(*rect),
        SourceSpec::Screen(area) => {
            let area = area.to_string();
            Source::Screen(if area.is_empty() {
                "all".to_owned()
            } else {
                area
            })
        }
        SourceSpec::Files(path) => Source::File(path.clone()),
        SourceSpec::Simulated => Source::Simulated(json!({})),
    };
    let class = |c: &crate::types::ClassLook| Class {
        letter: c.letter,
        rgb: c.rgb.map(|v| v.round().clamp(0.0, 255.0) as u8),
    };
    Profile {
        name: name.to_owned(),
        source,
        game: order.game.clone(),
        limit: None,
        new_game: order.new_game.clone().unwrap_or_default(),
        script: order.script.clone(),
        start: None,
        size: Some(calibration.size),
        kind: Some(calibration.kind),
        classes: calibration.classes.iter().map(class).collect(),
        calibration: Some(calibration.clone()),
        click: Click::Cell,
        timing: Timing::default(),
        fallback: None,
        hands: None,
        tetris: Tetris::default(),
        duel: Duel::default(),
    }
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("writing {}", path.display()))?;
    }
    files::replace(path, text.as_bytes())
}

fn report(options: &Options, path: &Path, c: &Calibration, board: &str, confidence: f32) {
    let corners = c.px_from_cell.corners(c.size);
    if options.json {
        let rows: Vec<&str> = board.lines().collect();
        let corners: Vec<[f64; 2]> = corners.iter().map(|p| [p.x, p.y]).collect();
        say(&format!(
            "{}",
            json!({
                "profile": path, "cols": c.size.cols, "rows": c.size.rows, "quality": c.quality,
                "residual_px": c.residual, "confidence": confidence, "corners": corners,
                "board": rows,
            })
        ));
        return;
    }
    say(board);
    say(&format!(
        "{} cells, quality {:.2} (from {} up it is a board), edges off by {:.2} px, least \
         confidence {confidence:.2}",
        c.size,
        c.quality,
        Calibration::MIN_QUALITY,
        c.residual
    ));
    for class in &c.classes {
        let [r, g, b] = class.rgb.map(|v| v.round().clamp(0.0, 255.0) as u8);
        say(&format!(
            "  {} #{r:02x}{g:02x}{b:02x}, spread {:.1}",
            class.letter, class.spread
        ));
    }
    say(&format!("profile: {}", path.display()));
}
