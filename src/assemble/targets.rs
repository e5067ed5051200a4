//! The built-in targets by the names of their games: what may be set, and the running target.
//!
//! Takes plain settings, of a command line or of a profile's `[source.simulated.target]`; gives a
//! target with the size of its picture. Must never open anything.

use std::time::Duration;

use anyhow::{Context as _, anyhow, bail, ensure};
use serde::Deserialize;

use crate::games::facing::manner::{Manner, Mark, Message};
use crate::games::facing::{self, Level, Seat};
use crate::games::flood::target::{self as flood, FloodTarget};
use crate::games::gomoku::rules::Rule;
use crate::games::tetris::rules::{MAX_LEVEL, MIN_LEVEL};
use crate::games::{connect4::target as connect4, gomoku::target as gomoku, tetris};
use crate::types::{GridSize, Target, Time};

/// The policy's name for a second person.
pub const NOBODY: &str = "nobody";

/// Sides of a cell that a picture can be drawn with, in px.
const CELLS: std::ops::RangeInclusive<u32> = 8..=200;

/// The longest a reply may be held back, in milliseconds.
const LONGEST_DELAY: u64 = 600_000;

/// The longest that a move may be under way, in milliseconds for each step of it.
const LONGEST_MOTION: u64 = 5_000;

/// A target about to be shown.
pub struct Built {
    /// It.
    pub target: Box<dyn Target>,
    /// Width and height of its picture in px.
    pub picture: (u32, u32),
}

/// A target by the game's name and its settings as data.
///
/// # Errors
/// For a game without such a target, a setting that does not exist or a value that is none.
pub fn target(game: &str, settings: &serde_json::Value) -> anyhow::Result<Built> {
    match game {
        "flood" => FloodSettings::deserialize(settings)?.build(),
        "connect4" => TableSettings::deserialize(settings)?.connect4(),
        "gomoku" => TableSettings::deserialize(settings)?.gomoku(),
        "tetris" => TetrisSettings::deserialize(settings)?.build(),
        other => bail!("there is no built-in target of \"{other}\""),
    }
}

/// What can be set of the built-in Flood-It.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FloodSettings {
    /// Columns and rows.
    pub size: String,
    /// Number of colours, 3 to 8.
    pub colours: u8,
    /// Seed of the boards.
    pub seed: u64,
    /// Side of a cell in px.
    pub cell: u32,
}

impl Default for FloodSettings {
    fn default() -> Self {
        Self {
            size: "14x14".to_owned(),
            colours: 6,
            seed: 0,
            cell: 32,
        }
    }
}

impl FloodSettings {
    /// The built-in Flood-It.
    ///
    /// # Errors
    /// For a value that is none.
    pub fn build(&self) -> anyhow::Result<Built> {
        let size = size(&self.size)?;
        let sides = 2..=40;
        ensure!(
            sides.contains(&size.cols) && sides.contains(&size.rows),
            "size = \"{size}\": from 2x2 to 40x40 are allowed"
        );
        ensure!(
            (3..=8).contains(&self.colours),
            "colours = {}: from 3 to 8 are allowed",
            self.colours
        );
        let setup = flood::Setup {
            size,
            colours: self.colours,
            seed: self.seed,
            ..flood::Setup::default()
        };
        let style = flood::Style::plain(size, f64::from(cell(self.cell)?));
        let picture = style.picture;
        Ok(Built {
            target: Box::new(FloodTarget::new(setup, style)?),
            picture,
        })
    }
}

/// What can be set of the built-in Tetris, which is 10x20 in a picture of 640x480.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TetrisSettings {
    /// Level, 1 to 10.
    pub level: u8,
    /// Whether the next piece is shown.
    pub next: bool,
    /// Seed of the pieces.
    pub seed: u64,
}

impl Default for TetrisSettings {
    fn default() -> Self {
        Self {
            level: 6,
            next: true,
            seed: 1,
        }
    }
}

impl TetrisSettings {
    /// The built-in Tetris; its first piece is under way.
    ///
    /// # Errors
    /// For a value that is none.
    pub fn build(&self) -> anyhow::Result<Built> {
        ensure!(
            (MIN_LEVEL..=MAX_LEVEL).contains(&self.level),
            "level = {}: from {MIN_LEVEL} to {MAX_LEVEL} are allowed",
            self.level
        );
        let options = tetris::target::Options {
            setup: tetris::rules::Setup {
                level: self.level,
                seed: self.seed,
                ..tetris::rules::Setup::default()
            },
            next: self.next,
            start_screen: false,
            ..tetris::target::Options::default()
        };
        let picture = options.picture;
        // Runs begin at the beginning of their clock.
        let target = tetris::target::TetrisTarget::new(options, Time::ZERO)?;
        Ok(Built {
            target: Box::new(target),
            picture,
        })
    }
}

/// What can be set of the targets for two. What is not given is the game's usual value.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TableSettings {
    /// Columns and rows.
    pub size: Option<String>,
    /// So many in a row win; only Connect-4.
    pub row: Option<u16>,
    /// `five-or-more` or `exact`; only five in a row.
    pub rule: Option<String>,
    /// How it looks.
    pub style: Option<String>,
    /// How the last move is marked, instead of the look's own way.
    pub mark: Option<String>,
    /// Where the end is told, instead of the look's own way.
    pub message: Option<String>,
    /// How long a move is under way, in milliseconds, instead of the look's own time: a disc in its
    /// first row, a stone until it is there; 0 is at once.
    pub motion_ms: Option<u64>,
    /// Side of a cell in px.
    pub cell: Option<u32>,
    /// Who plays against a person; [`NOBODY`] for two people.
    pub policy: Option<String>,
    /// How well it plays, 1 to 9.
    pub level: u8,
    /// Who makes the first move: `you` or `opponent`.
    pub first: String,
    /// From a move at rest to the reply, in milliseconds.
    pub delay_ms: u64,
    /// Seed of the policy's slips.
    pub seed: u64,
    /// Moves already made.
    pub moves: String,
    /// Show the best move.
    pub hint: bool,
    /// Show what every column is worth; only Connect-4.
    pub scores: bool,
    /// Show markers and swatches around the board.
    pub markers: bool,
}

impl Default for TableSettings {
    fn default() -> Self {
        Self {
            size: None,
            row: None,
            rule: None,
            style: None,
            mark: None,
            message: None,
            motion_ms: None,
            cell: None,
            policy: None,
            level: Level::MOST.number(),
            first: "you".to_owned(),
            delay_ms: 300,
            seed: 0,
            moves: String::new(),
            hint: false,
            scores: false,
            markers: false,
        }
    }
}

impl TableSettings {
    /// The built-in Connect-4.
    ///
    /// # Errors
    /// For a value that is none.
    pub fn connect4(&self) -> anyhow::Result<Built> {
        ensure!(self.rule.is_none(), "rule is not for connect4: use row");
        let usual = connect4::Setup::default();
        let mut style = match &self.style {
            Some(name) => connect4::Style::by_name(name)
                .ok_or_else(|| unknown("style", name, &connect4::Style::NAMES))?,
            None => connect4::Style::default(),
        };
        self.change(&mut style.manner)?;
        if let Some(time) = self.motion()? {
            style.fall = style.fall.lasting(time);
        }
        let setup = connect4::Setup {
            size: self.size.as_deref().map_or(Ok(usual.size), size)?,
            row: self.row.unwrap_or(usual.row),
            policy: self.policy(usual.policy),
            moves: self.moves.clone(),
            play: self.play(usual.play)?,
        };
        let picture = connect4::picture(setup.size, &style, cell(self.cell.unwrap_or(60))?);
        let target = connect4::target(&setup, style, picture)?
            .with_sheet(self.markers)
            .with_hints(self.hint, self.scores);
        Ok(Built {
            target: Box::new(target),
            picture,
        })
    }

    /// The built-in five in a row.
    ///
    /// # Errors
    /// For a value that is none.
    pub fn gomoku(&self) -> anyhow::Result<Built> {
        ensure!(self.row.is_none(), "row is not for gomoku: use rule");
        ensure!(!self.scores, "scores are not for gomoku: use hint");
        let usual = gomoku::Setup::default();
        let mut style = match &self.style {
            Some(name) => gomoku::Style::by_name(name)
                .ok_or_else(|| unknown("style", name, &gomoku::Style::NAMES))?,
            None => gomoku::Style::default(),
        };
        self.change(&mut style.manner)?;
        style.appear = self.motion()?.unwrap_or(style.appear);
        let rule = match &self.rule {
            Some(name) => {
                let names = [Rule::FiveOrMore, Rule::Exact].map(Rule::name);
                Rule::by_name(name).ok_or_else(|| unknown("rule", name, &names))?
            }
            None => usual.rule,
        };
        let setup = gomoku::Setup {
            size: self.size.as_deref().map_or(Ok(usual.size), size)?,
            rule,
            policy: self.policy(usual.policy),
            moves: self.moves.clone(),
            play: self.play(usual.play)?,
        };
        let picture = gomoku::picture(setup.size, &style, cell(self.cell.unwrap_or(36))?);
        let target = gomoku::target(&setup, style, picture)?
            .with_sheet(self.markers)
            .with_hints(self.hint, false);
        Ok(Built {
            target: Box::new(target),
            picture,
        })
    }

    fn policy(&self, usual: Option<String>) -> Option<String> {
        match self.policy.as_deref() {
            None => usual,
            Some(NOBODY) => None,
            Some(name) => Some(name.to_owned()),
        }
    }

    fn play(&self, usual: facing::Setup) -> anyhow::Result<facing::Setup> {
        let level = self.level;
        let most = Level::MOST.number();
        ensure!(
            (1..=most).contains(&level),
            "level = {level}: from 1 to {most} are allowed"
        );
        let delay = self.delay_ms;
        ensure!(
            delay <= LONGEST_DELAY,
            "delay_ms = {delay}: up to {LONGEST_DELAY} are allowed"
        );
        let starts = match self.first.as_str() {
            "you" => Seat::You,
            "opponent" => Seat::Opponent,
            other => return Err(unknown("first", other, &["you", "opponent"])),
        };
        Ok(facing::Setup {
            starts,
            level: Level::new(level),
            seed: self.seed,
            delay: Duration::from_millis(delay),
            ..usual
        })
    }

    fn motion(&self) -> anyhow::Result<Option<Duration>> {
        let time = self.motion_ms.unwrap_or_default();
        ensure!(
            time <= LONGEST_MOTION,
            "motion_ms = {time}: up to {LONGEST_MOTION} are allowed"
        );
        Ok(self.motion_ms.map(Duration::from_millis))
    }

    /// Marks and messages that are asked for instead of the look's own.
    fn change(&self, manner: &mut Manner) -> anyhow::Result<()> {
        if let Some(name) = &self.mark {
            manner.mark = named("mark", name, &Mark::ALL)?;
        }
        if let Some(name) = &self.message {
            manner.message = named("message", name, &Message::ALL)?;
        }
        Ok(())
    }
}

fn named<T: Copy>(key: &str, name: &str, all: &[(&str, T)]) -> anyhow::Result<T> {
    let found = all.iter().find(|(n, _)| *n == name);
    found.map(|f| f.1).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|a| a.0).collect();
        unknown(key, name, &names)
    })
}

fn unknown(key: &str, name: &str, all: &[&str]) -> anyhow::Error {
    anyhow!("{key} = \"{name}\": there are: {}", all.join(", "))
}

/// `CxR`; whether there is such a board is the rules' affair.
fn size(text: &str) -> anyhow::Result<GridSize> {
    let sides = text.split_once('x').and_then(|(cols, rows)| {
        let side = |s: &str| s.trim().parse::<u16>().ok();
        Some(GridSize::new(side(cols)?, side(rows)?))
    });
    sides.with_context(|| format!("size = \"{text}\": write columns and rows as 7x6"))
}

fn cell(px: u32) -> anyhow::Result<u32> {
    let (least, most) = (CELLS.start(), CELLS.end());
    ensure!(
        CELLS.contains(&px),
        "cell = {px}: from {least} to {most} px are allowed"
    );
    Ok(px)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::types::{Picture, Time};

    #[test]
    fn targets_are_built_by_name_and_draw_their_picture() {
        let all = [
            ("flood", json!({"size": "6x5", "colours": 3, "cell": 20})),
            ("tetris", json!({"level": 3, "next": false, "seed": 9})),
            ("connect4", json!({})),
            (
                "connect4",
                json!({"size": "9x7", "row": 5, "style": "rings", "policy": "minimax:depth=2",
                       "level": 3, "first": "opponent", "scores": true, "markers": true,
                       "motion_ms": 0}),
            ),
            (
                "gomoku",
                json!({"size": "22x22", "rule": "exact", "style": "brown", "policy": "nobody",
                       "mark": "blink", "message": "board", "moves": "7,7 8,8"}),
            ),
        ];
        for (game, settings) in all {
            let mut built = target(game, &settings).expect("a target");
            let mut out = Picture::default();
            built.target.render(Time::ZERO, &mut out);
            assert_eq!((out.width(), out.height()), built.picture, "{game}");
            assert!(!built.target.truth().0.is_empty());
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_what_there_is() {
        let all = [
            ("go", json!({}), "no built-in target of \"go\""),
            ("tetris", json!({"level": 11}), "from 1 to 10"),
            ("tetris", json!({"size": "10x20"}), "unknown field `size`"),
            ("flood", json!({"colours": 9}), "from 3 to 8"),
            ("flood", json!({"size": "60000x60000"}), "2x2 to 40x40"),
            ("connect4", json!({"levle": 3}), "unknown field `levle`"),
            ("connect4", json!({"level": 0}), "from 1 to 9"),
            (
                "connect4",
                json!({"style": "blue"}),
                "there are: classic, rings",
            ),
            ("connect4", json!({"size": "7"}), "columns and rows as 7x6"),
            ("connect4", json!({"size": "90x6"}), "1 to 35"),
            ("connect4", json!({"rule": "exact"}), "use row"),
            ("connect4", json!({"policy": "lucky"}), "there are: perfect"),
            (
                "connect4",
                json!({"first": "me"}),
                "there are: you, opponent",
            ),
            ("connect4", json!({"cell": 3}), "from 8 to 200"),
            ("connect4", json!({"delay_ms": 9_000_000}), "up to 600000"),
            ("connect4", json!({"motion_ms": 5001}), "up to 5000"),
            ("gomoku", json!({"row": 6}), "use rule"),
            ("gomoku", json!({"rule": "renju"}), "five-or-more, exact"),
            ("gomoku", json!({"scores": true}), "use hint"),
            (
                "gomoku",
                json!({"mark": "x"}),
                "none, dot, ring, plus, blink",
            ),
            ("gomoku", json!({"message": "x"}), "status, board"),
            ("gomoku", json!({"moves": "h8 z99"}), "move 2, `z99`"),
        ];
        for (game, settings, wanted) in all {
            let error = target(game, &settings).err().expect("refused");
            assert!(format!("{error:#}").contains(wanted), "{error:#}");
        }
    }
}
