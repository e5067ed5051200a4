//! `kibitzer calibrate`: find the board of a window, screen or camera once, or be shown it by hand; say how
//! good the finding is, and write it down as a profile, or read it again with one.

mod camera;
mod check;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use serde_json::json;

use super::annotate;
use crate::assemble::{self, Order, SourceSpec, written};
use crate::calibrate::shown;
use crate::capture::FrameSource;
use crate::capture::files::load;
use crate::capture::pace::Pace;
use crate::cli::files;
use crate::cli::out::say;
use crate::cli::request::Request;
use crate::config::profile::Profile;
use crate::games::flood;
use crate::pipeline::eyes::Eyes;
use crate::pipeline::hand::{self, Hand, Nudge};
use crate::pipeline::saved;
use crate::types::{BoardKind, Calibration, Clock, Feed, GridSize, Picture, Point, SystemClock};

const EXAMPLES: &str = "\
Examples:
  kibitzer calibrate --window Flood --game flood
  kibitzer calibrate --window Flood --game flood --name my-flood --annotate seen.png
  kibitzer calibrate --screen 1 --game flood --size 14x14
  kibitzer calibrate --camera C920 --game connect4 --name rig
A camera is let settle first, then its exposure, gain, white balance and focus are locked and written
into the profile; the flicker of the light is measured.
A board that is not found is shown by its corners, cells with names teach what lies on it:
  kibitzer calibrate --window Chess4 --game connect4 --size 7x6 \\
      --corners \"40,90 460,90 460,450 40,450\" --teach \"3,5=red 2,5=yellow 0,0=empty\"
  kibitzer calibrate chess4 --nudge \"left=-0.5 bottom=1\" --force
  kibitzer calibrate chess4 --check --picture screenshot.png

The profile is written to calibration/NAME.toml and used by `kibitzer play NAME`.";

/// How long a board is looked for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Options of `kibitzer calibrate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(flatten)]
    request: Request,
    /// The profile's name; without it that of the given profile, or one made from the window's
    /// title
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The folder the profile is written to
    #[arg(long, value_name = "FOLDER", default_value = "calibration")]
    into: PathBuf,
    /// Write over an existing profile
    #[arg(long)]
    force: bool,
    /// Look at this picture instead of the source
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// The board's size, where it is known
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<GridSize>,
    /// What its cells are, where the game has boards of several kinds: cells, holes, crossings,
    /// squares or stack
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Option<BoardKind>,
    /// The board's outer corners in px, from the top left one on clockwise, as `look --json`
    /// prints them
    #[arg(long, value_name = "X,Y X,Y X,Y X,Y", value_parser = hand::corners,
        allow_hyphen_values = true)]
    corners: Option<[Point; 4]>,
    /// The middles of the four corner cells instead: corner holes, or the outermost crossings
    #[arg(long, value_name = "X,Y X,Y X,Y X,Y", value_parser = hand::corners,
        allow_hyphen_values = true, conflicts_with = "corners")]
    centres: Option<[Point; 4]>,
    /// Move edges of the board by px to the right or down, as \"left=-0.5 top=1\"
    #[arg(long, value_name = "EDGE=PX ...", value_parser = hand::nudge, allow_hyphen_values = true)]
    nudge: Option<Nudge>,
    /// Name cells, column and row from 0, as \"3,4=red 5,5=empty\"
    #[arg(long, value_name = "COL,ROW=NAME ...")]
    teach: Vec<String>,
    /// Only read the board again with the profile, and print what is uncertain
    #[arg(long, conflicts_with_all = ["corners", "centres", "nudge", "teach", "name"])]
    check: bool,
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

/// A kind of board by its name in profiles.
fn kind(text: &str) -> Result<BoardKind, String> {
    BoardKind::from_name(text).ok_or_else(|| {
        let known: Vec<&str> = BoardKind::ALL.iter().map(|k| k.name()).collect();
        format!("there are {}", known.join(", "))
    })
}

/// Runs `kibitzer calibrate`: success if a board was found and the profile written, or nothing
/// was uncertain in what was read again.
///
/// # Errors
/// When the source cannot be opened, no board is found or can be learnt as it is shown, or the
/// profile not be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let settings = options.request.settings.load(&[])?;
    let _log = super::logging::start(&settings);
    let mut order = options.request.order("calibrate", &settings)?;
    let mut lessons = Vec::new();
    for text in &options.teach {
        lessons.extend(shown::lessons(text).map_err(|e| anyhow!("--teach {e}"))?);
    }
    let hand = Hand {
        corners: options.corners,
        centres: options.centres,
        nudge: options.nudge,
        lessons,
    };
    let mut flicker = None;
    let base = options.request.profile(&settings)?;
    if options.check && base.is_none() {
        bail!("--check reads a board again with a PROFILE: name one");
    }
    let kind = base.as_ref().and_then(|b| b.kind);
    let name = name(options, &order, base.as_ref());
    let path = options.into.join(format!("{name}.toml"));
    if path.exists() && !options.force && !options.check {
        bail!(
            "{}: exists already; choose another --name, or --force to write over it",
            path.display()
        );
    }
    let mut wanted = assemble::wanted(&order.game)?;
    wanted.size = options.size.or(order.size);
    wanted.kind = options.kind.or(kind).unwrap_or(wanted.kind);
    let mut eyes = Eyes::new(wanted.clone());
    if let Some(saved) = &order.calibration {
        eyes = eyes.with(saved.clone());
    }
    if let SourceSpec::Camera(spec) = &order.source
        && options.picture.is_none()
        && !options.check
    {
        let steadied = camera::steady(spec, order.wait)?;
        if !options.json {
            steadied.words.iter().for_each(|line| say(line));
        }
        flicker = steadied.flicker;
        order.source = SourceSpec::Camera(steadied.spec);
    }
    let picture = if hand.places() {
        picture(options, &order, &mut |_| Ok(()))?
    } else {
        picture(options, &order, &mut |p| {
            // A board that is moved a little is the one that was saved.
            let saved = order.calibration.as_ref().filter(|_| hand.nudge.is_some());
            let found = match saved.and_then(|c| saved::near(c, p)) {
                Some(c) => eyes.show(c),
                None => eyes.find(p),
            };
            if found { Ok(()) } else { Err(not_found(p)) }
        })?
    };
    if !hand.is_empty() {
        let known = eyes.calibration().filter(|_| !hand.places()).cloned();
        eyes.show(hand.apply(&picture, &wanted, known.as_ref())?);
    }
    let Some(mut calibration) = eyes.calibration().cloned() else {
        bail!("the board reaches outside the picture: check the corners");
    };
    eyes.read(&picture);
    if let Some(out) = &options.annotate {
        let mut drawn = Picture::clone(&picture);
        annotate::draw(&mut drawn, &calibration, eyes.reading());
        super::picture::save_png(&drawn, out)?;
    }
    if options.check {
        calibration.quality = saved::fitness(&calibration, &picture).unwrap_or(0.0);
        return Ok(check::report(&calibration, eyes.reading(), options.json));
    }
    if calibration.quality < Calibration::MIN_QUALITY {
        bail!(
            "what is seen does not fit this board: quality {:.2}, needed is {}; look at it with \
             --annotate, correct the corners, the size or --nudge, or name cells with --teach",
            calibration.quality,
            Calibration::MIN_QUALITY
        );
    }
    let board = flood::vision::text(&calibration, eyes.reading());
    let profile = match base {
        Some(base) => written::renewed(base, &order, &name, &calibration),
        None => written::profile(&order, &name, &calibration),
    };
    let text = profile.to_toml().context("writing the profile")?;
    write(&path, &text)?;
    let confidence = eyes.reading().confidence();
    report(
        options,
        &path,
        &calibration,
        &board.to_string(),
        (confidence, flicker),
    );
    Ok(ExitCode::SUCCESS)
}

/// The first picture in which `is_it` finds what is looked for.
fn picture(
    options: &Options,
    order: &Order,
    is_it: &mut dyn FnMut(&Picture) -> Result<(), String>,
) -> anyhow::Result<Arc<Picture>> {
    if let Some(file) = &options.picture {
        let picture = Arc::new(load(file)?);
        is_it(&picture).map_err(|why| anyhow!("{}: no board is found: {why}", file.display()))?;
        return Ok(picture);
    }
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let pace = Pace::new(Duration::from_millis(50));
    let (mut source, _) = assemble::source(&order.source, &clock, &pace, order.wait, false)?;
    look(source.as_mut(), is_it, clock.as_ref())
}

/// Why a picture has no board.
fn not_found(picture: &Picture) -> String {
    format!(
        "in {}x{} pixels nothing looks like a board of this game with quality {} or more; is it \
         wholly visible? It can be shown with --corners and --size",
        picture.width(),
        picture.height(),
        Calibration::MIN_QUALITY
    )
}

/// The first frame that is the one that is looked for.
fn look(
    source: &mut dyn FrameSource,
    is_it: &mut dyn FnMut(&Picture) -> Result<(), String>,
    clock: &dyn Clock,
) -> anyhow::Result<Arc<Picture>> {
    let deadline = clock.now() + PATIENCE;
    let mut why = "it delivered no picture".to_owned();
    while clock.now() < deadline {
        match source.next(deadline)? {
            Feed::Frame(frame) => match is_it(&frame.picture) {
                Ok(()) => return Ok(frame.picture),
                Err(none) => why = none,
            },
            Feed::Quiet => {}
            Feed::Hidden(hidden) => why = format!("it is {hidden}"),
            Feed::Ended(end) => bail!("no board is found: {why}; {end}"),
        }
    }
    bail!("no board is found: {why}")
}

fn name(options: &Options, order: &Order, base: Option<&Profile>) -> String {
    if let Some(name) = &options.name {
        return name.clone();
    }
    if let Some(base) = base {
        return base.name.clone();
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

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("writing {}", path.display()))?;
    }
    files::replace(path, text.as_bytes())
}

fn report(
    options: &Options,
    path: &Path,
    c: &Calibration,
    board: &str,
    (confidence, flicker): (f32, Option<f64>),
) {
    let corners = c.px_from_cell.corners(c.size);
    if options.json {
        let rows: Vec<&str> = board.lines().collect();
        let corners: Vec<[f64; 2]> = corners.iter().map(|p| [p.x, p.y]).collect();
        say(&format!(
            "{}",
            json!({
                "profile": path, "cols": c.size.cols, "rows": c.size.rows, "quality": c.quality,
                "residual_px": c.residual, "confidence": confidence, "corners": corners,
                "board": rows, "flicker": flicker,
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
