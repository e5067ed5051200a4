//! `kibitzer look IMAGE`: find and read a board in a picture, or in what a camera sees.

mod triplex;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use serde_json::{Map, Value, json};

use super::request::SettingsOptions;
use super::{annotate, cameras, picture};
use crate::assemble;
use crate::calibrate;
use crate::capture::files;
use crate::classify::{self, Reader};
use crate::cli::out::say;
use crate::config::profile::{self, Profile, Source};
use crate::games::flood;
use crate::pipeline::eyes::Eyes;
use crate::types::{
    BoardKind, BoardState, BoardText, Calibration, CameraName, CameraSpec, ClassLook, Picture,
    Point, Reading, colour_name,
};

const EXAMPLES: &str = "\
Examples:
  kibitzer look screenshot.png
  kibitzer look photo.jpg --game connect4 --json
  kibitzer look page.png --game triplex             the figures, and what to do next
  kibitzer look photo.jpg --annotate seen.png
  kibitzer look camera:C920 --annotate seen.png
  kibitzer look camera: --profile my-board          the profile's camera, set as it says";

/// Options of `kibitzer look`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Picture file: PNG, JPEG, GIF, BMP or WebP; or camera:NAME, with a name that `kibitzer cameras`
    /// lists or an address
    image: PathBuf,
    /// Game whose board is looked for; without it the best board of any game but triplex is taken
    #[arg(long, value_name = "GAME", value_parser = games())]
    game: Option<String>,
    /// Profile whose size, colours and saved place are used
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,
    /// The picture shows the board as a mirror does
    #[arg(long)]
    mirror: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Write the picture with the grid and what was read drawn on it
    #[arg(long, value_name = "OUT.png")]
    annotate: Option<PathBuf>,
    #[command(flatten)]
    settings: SettingsOptions,
}

/// TripleX by its name: it has figures of its own, and no lattice of the general kind.
const TRIPLEX: &str = "triplex";

/// The games that can be named.
fn games() -> clap::builder::PossibleValuesParser {
    assemble::SEEN.into_iter().chain([TRIPLEX]).into()
}

/// What was found in a picture.
struct Found {
    game: String,
    calibration: Calibration,
    reading: Reading,
    board: BoardText,
    state: BoardState,
    /// The other boards in it, best first.
    others: Vec<(String, Calibration)>,
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

    /// The same, found in the mirror image of a picture of this width.
    fn mirrored(mut self, width: u32) -> Self {
        let others = self.others.iter_mut().map(|(_, c)| c);
        for c in others.chain([&mut self.calibration]) {
            c.px_from_cell = c.px_from_cell.mirrored(f64::from(width));
        }
        self
    }
}

/// Runs `kibitzer look`.
///
/// # Errors
/// When the picture cannot be read or the annotated one not be written. A picture without a
/// board is an answer, not an error.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let settings = options.settings.load(&[])?;
    let profile = match &options.profile {
        Some(name) => Some(profile::load(name, &settings.folders)?),
        None => None,
    };
    let picture = match options
        .image
        .to_str()
        .and_then(|t| t.strip_prefix("camera:"))
    {
        Some(name) => cameras::still(&wanted_camera(name, profile.as_ref())?)?,
        None => files::load(&options.image)?,
    };
    let game = match (&options.game, &profile) {
        (Some(game), Some(p)) if *game != p.game => {
            bail!("--game {game}: the profile {} is for {}", p.name, p.game)
        }
        (Some(game), _) => Some(game.clone()),
        (None, Some(p)) => Some(p.game.clone()),
        (None, None) => None,
    };
    if game.as_deref() == Some(TRIPLEX) {
        if options.annotate.is_some() || options.mirror {
            bail!("--game triplex: --annotate and --mirror are for boards of the other games");
        }
        return Ok(triplex::run(&picture, options.json));
    }
    let found = if options.mirror {
        find(&picture.mirrored(), game.as_deref(), profile)?.map(|f| f.mirrored(picture.width()))
    } else {
        find(&picture, game.as_deref(), profile)?
    };
    if options.json {
        say(&format!("{}", as_json(game.as_deref(), found.as_ref())));
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

/// The camera that is named, or that of the profile.
fn wanted_camera(name: &str, profile: Option<&Profile>) -> anyhow::Result<CameraSpec> {
    let own = match profile.map(|p| &p.source) {
        Some(Source::Camera(spec)) => Some(spec.clone()),
        _ => None,
    };
    match (name, own) {
        ("", Some(own)) => Ok(own),
        ("", None) => bail!("camera: which one? Write camera:NAME; `kibitzer cameras` lists them"),
        (name, own) => {
            let which = CameraName::from_text(name);
            Ok(match own {
                Some(own) => CameraSpec { which, ..own },
                None => CameraSpec::new(which),
            })
        }
    }
}

/// The best board in a picture, read; of any game where none is given.
fn find(
    picture: &Picture,
    game: Option<&str>,
    profile: Option<Profile>,
) -> anyhow::Result<Option<Found>> {
    let games = game.map_or(assemble::SEEN.to_vec(), |g| vec![g]);
    let size = profile.as_ref().and_then(|p| p.size);
    let mut all: Vec<(String, Calibration)> = Vec::new();
    for game in games {
        let mut wanted = assemble::wanted(game)?;
        wanted.size = size;
        let boards = calibrate::find(picture, &wanted).into_iter();
        all.extend({ boards }.map(|board| (game.to_owned(), board)));
    }
    all.retain(|(_, c)| c.quality >= Calibration::MIN_QUALITY);
    all.sort_by(|a, b| calibrate::rank(&b.1).total_cmp(&calibrate::rank(&a.1)));
    // A profile's classes keep their names, and its saved place is used where nothing is found.
    if let Some((saved, game)) = profile.and_then(|p| Some((p.calibration?, p.game))) {
        let mut wanted = assemble::wanted(&game)?;
        wanted.size = size;
        let mut eyes = Eyes::new(wanted).with(saved);
        if eyes.find(picture) {
            all.splice(0..0, eyes.calibration().map(|c| (game, c.clone())));
        }
    }
    let mut boards = distinct(all).into_iter();
    let Some((game, calibration)) = boards.next() else {
        return Ok(None);
    };
    let reader = Reader::new(&calibration)?;
    let mut reading = Reading::default();
    reader.read(picture, &mut reading)?;
    let state = classify::state(&reading, reader.fit(picture));
    Ok(Some(Found {
        board: flood::vision::text(&calibration, &reading),
        game,
        state,
        calibration,
        reading,
        others: boards.collect(),
    }))
}

/// Of findings of several games that overlap only the best; `all` are sorted, best first.
fn distinct(all: Vec<(String, Calibration)>) -> Vec<(String, Calibration)> {
    let mut boards: Vec<(String, Calibration)> = Vec::new();
    for board in all {
        let place = { boards.iter_mut() }.find(|b| calibrate::overlaps(&board.1, &b.1));
        let Some(before) = place else {
            boards.push(board);
            continue;
        };
        // Holes in a plate with discs that lie on each other are told by more than the colours
        // of cells: a nearly full board looks like cells, too.
        let kinds = (before.1.kind, board.1.kind);
        if kinds == (BoardKind::Cells, BoardKind::Holes) && before.1.size == board.1.size {
            *before = board;
        }
    }
    boards
}

fn hex(rgb: [f32; 3]) -> String {
    let [r, g, b] = rgb.map(|v| v.round().clamp(0.0, 255.0) as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn rounded(v: f64, digits: i32) -> f64 {
    let k = 10f64.powi(digits);
    (v * k).round() / k
}

fn corners(c: &Calibration) -> Vec<[f64; 2]> {
    let corners = c.px_from_cell.corners(c.size);
    { corners.iter() }
        .map(|p| [rounded(p.x, 2), rounded(p.y, 2)])
        .collect()
}

fn as_json(game: Option<&str>, found: Option<&Found>) -> Value {
    let Some(f) = found else {
        return json!({
            "found": false, "game": game, "cols": 0, "rows": 0, "board": [], "classes": {},
            "corners": [], "quality": 0.0, "confidence": 0.0, "state": BoardState::Absent,
            "others": [],
        });
    };
    let classes: Map<String, Value> = f
        .classes()
        .map(|c| (c.letter.to_string(), hex(c.rgb).into()))
        .collect();
    let others: Vec<Value> = { f.others.iter() }
        .map(|(game, c)| {
            json!({
                "game": game,
                "cols": c.size.cols,
                "rows": c.size.rows,
                "corners": corners(c),
                "quality": rounded(c.quality.into(), 3),
            })
        })
        .collect();
    json!({
        "found": true,
        "game": f.game,
        "cols": f.calibration.size.cols,
        "rows": f.calibration.size.rows,
        "board": f.board.rows().collect::<Vec<_>>(),
        "classes": classes,
        "corners": corners(&f.calibration),
        "quality": rounded(f.calibration.quality.into(), 3),
        "confidence": rounded(f.reading.confidence().into(), 3),
        "state": f.state,
        "others": others,
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
        "\n{}, {} cells, quality {:.2}, confidence {:.2}, {}",
        f.game,
        f.calibration.size,
        f.calibration.quality,
        f.reading.confidence(),
        state.as_str().unwrap_or_default()
    ));
    for (game, c) in &f.others {
        let at = c.px_from_cell.map(Point::new(0.0, 0.0));
        say(&format!(
            "another board: {game}, {} cells at {:.0},{:.0}, quality {:.2}",
            c.size, at.x, at.y, c.quality
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{GridSize, PxFromCell};

    #[test]
    fn a_full_board_of_holes_is_none_of_cells() {
        let board = |game: &str, kind, x, cols| {
            let at = PxFromCell::upright(Point::new(x, 10.0), 30.0, 30.0);
            let size = GridSize::new(cols, 6);
            (game.to_owned(), Calibration::at(kind, size, (900, 300), at))
        };
        let (cells, holes) = (BoardKind::Cells, BoardKind::Holes);
        let games = |all| -> Vec<String> { distinct(all).into_iter().map(|b| b.0).collect() };
        let discs = vec![
            board("flood", cells, 10.0, 7),
            board("connect4", holes, 10.0, 7),
        ];
        assert_eq!(games(discs), ["connect4"]);
        let part = vec![
            board("flood", cells, 10.0, 12),
            board("connect4", holes, 100.0, 7),
        ];
        assert_eq!(games(part), ["flood"]);
        let beside = vec![
            board("flood", cells, 10.0, 7),
            board("connect4", holes, 400.0, 7),
        ];
        assert_eq!(games(beside), ["flood", "connect4"]);
    }
}
