//! `kibitzer look IMAGE`: find and read a board in a picture.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use serde_json::{Map, Value, json};

use super::request::SettingsOptions;
use super::{annotate, colour_name, picture};
use crate::assemble;
use crate::capture::files;
use crate::classify::{self, Reader};
use crate::cli::out::say;
use crate::config::profile::{self, Profile};
use crate::games::flood;
use crate::pipeline::eyes::Eyes;
use crate::types::{BoardKind, BoardState, BoardText, Calibration, ClassLook, Picture, Reading};

const EXAMPLES: &str = "\
Examples:
  kibitzer look screenshot.png
  kibitzer look photo.jpg --game flood --json
  kibitzer look photo.jpg --annotate seen.png";

/// Options of `kibitzer look`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Picture file: PNG, JPEG, GIF, BMP or WebP
    image: PathBuf,
    /// Game whose board is looked for
    #[arg(long, value_name = "GAME", value_parser = assemble::GAMES)]
    game: Option<String>,
    /// Profile whose size, colours and saved place are used
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Write the picture with the grid and what was read drawn on it
    #[arg(long, value_name = "OUT.png")]
    annotate: Option<PathBuf>,
    #[command(flatten)]
    settings: SettingsOptions,
}

/// What was found in a picture.
struct Found {
    calibration: Calibration,
    reading: Reading,
    board: BoardText,
    state: BoardState,
}

impl Found {
    /// The classes that are told apart; of a stack whose kinds look alike only the last is.
    fn classes(&self) -> impl Iterator<Item = &ClassLook> {
        let all = &self.calibration.classes;
        let stack = self.calibration.kind == BoardKind::Stack;
        all.iter().enumerate().filter_map(move |(i, c)| {
            let again = stack && all[i + 1..].iter().any(|later| later.rgb == c.rgb);
            (!again).then_some(c)
        })
    }
}

/// Runs `kibitzer look`.
///
/// # Errors
/// When the picture cannot be read or the annotated one not be written. A picture without a
/// board is an answer, not an error.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let picture = files::load(&options.image)?;
    let settings = options.settings.load(&[])?;
    let profile = match &options.profile {
        Some(name) => Some(profile::load(name, &settings.folders)?),
        None => None,
    };
    let game = match (&options.game, &profile) {
        (Some(game), Some(p)) if *game != p.game => {
            bail!("--game {game}: the profile {} is for {}", p.name, p.game)
        }
        (Some(game), _) => game.clone(),
        (None, Some(p)) => p.game.clone(),
        (None, None) => assemble::GAMES[0].to_owned(),
    };
    let found = find(&picture, &game, profile)?;
    if options.json {
        say(&format!("{}", as_json(&game, found.as_ref())));
    } else {
        print(found.as_ref());
    }
    if let Some(path) = &options.annotate {
        let mut drawn = picture;
        if let Some(f) = &found {
            annotate::draw(&mut drawn, &f.calibration, &f.reading);
        }
        picture::save_png(&drawn, path)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn find(picture: &Picture, game: &str, profile: Option<Profile>) -> anyhow::Result<Option<Found>> {
    let mut wanted = assemble::wanted(game)?;
    wanted.size = profile.as_ref().and_then(|p| p.size);
    let mut eyes = Eyes::new(wanted);
    if let Some(saved) = profile.and_then(|p| p.calibration) {
        eyes = eyes.with(saved);
    }
    if !eyes.find(picture) {
        return Ok(None);
    }
    let Some(calibration) = eyes.calibration().cloned() else {
        return Ok(None);
    };
    let reader = Reader::new(&calibration)?;
    let mut reading = Reading::default();
    reader.read(picture, &mut reading)?;
    let state = classify::state(&reading, reader.fit(picture));
    Ok(Some(Found {
        board: flood::vision::text(&calibration, &reading),
        state,
        calibration,
        reading,
    }))
}

fn hex(rgb: [f32; 3]) -> String {
    let [r, g, b] = rgb.map(|v| v.round().clamp(0.0, 255.0) as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn rounded(v: f64, digits: i32) -> f64 {
    let k = 10f64.powi(digits);
    (v * k).round() / k
}

fn as_json(game: &str, found: Option<&Found>) -> Value {
    let Some(f) = found else {
        return json!({
            "found": false, "game": game, "cols": 0, "rows": 0, "board": [], "classes": {},
            "corners": [], "quality": 0.0, "confidence": 0.0, "state": BoardState::Absent,
        });
    };
    let classes: Map<String, Value> = f
        .classes()
        .map(|c| (c.letter.to_string(), hex(c.rgb).into()))
        .collect();
    let corners: Vec<[f64; 2]> = f
        .calibration
        .px_from_cell
        .corners(f.calibration.size)
        .iter()
        .map(|p| [rounded(p.x, 2), rounded(p.y, 2)])
        .collect();
    json!({
        "found": true,
        "game": game,
        "cols": f.calibration.size.cols,
        "rows": f.calibration.size.rows,
        "board": f.board.rows().collect::<Vec<_>>(),
        "classes": classes,
        "corners": corners,
        "quality": rounded(f.calibration.quality.into(), 3),
        "confidence": rounded(f.reading.confidence().into(), 3),
        "state": f.state,
    })
}

fn print(found: Option<&Found>) {
    let Some(f) = found else {
        say("no board");
        return;
    };
    say(&format!("{}\n", f.board));
    for c in f.classes() {
        let mark = if c.mark.is_some() { ", marked" } else { "" };
        say(&format!(
            "{}  {}  {}{mark}",
            c.letter,
            hex(c.rgb),
            colour_name::of(c.rgb)
        ));
    }
    let state = serde_json::to_value(f.state).unwrap_or_default();
    say(&format!(
        "\n{} cells, quality {:.2}, confidence {:.2}, {}",
        f.calibration.size,
        f.calibration.quality,
        f.reading.confidence(),
        state.as_str().unwrap_or_default()
    ));
}
