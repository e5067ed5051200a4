//! What a command and a profile ask for: a source, a game, how it is played.
//!
//! Plain data, already validated. Must never hold anything that is open.

use std::path::PathBuf;
use std::time::Duration;

use super::player::GameOptions;
use super::simulated::Stage;
use crate::capture::query::WindowQuery;
use crate::capture::screen::Area;
use crate::config::Settings;
use crate::pipeline::live::Goal;
use crate::types::{Calibration, CameraSpec, Control, GridSize, HandsSpec, Script, Witness};

/// Where frames come from.
#[derive(Clone, Debug, PartialEq)]
pub enum SourceSpec {
    /// One window.
    Window(WindowQuery),
    /// A screen, a monitor or a region.
    Screen(Area),
    /// A picture, a folder of pictures or a video.
    Files(PathBuf),
    /// A camera.
    Camera(CameraSpec),
    /// A built-in target: its parts are made by [`simulated`](super::simulated::simulated), not opened.
    Simulated,
}

/// Everything that makes a run, as asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// The subcommand, for the journal.
    pub command: String,
    /// The profile's name, or how the source was named.
    pub profile: String,
    /// Where frames come from.
    pub source: SourceSpec,
    /// The built-in target that stands in for a screen, and what looks at it; `None` where the
    /// source is a real one, or its parts are made elsewhere.
    pub simulated: Option<Stage>,
    /// The game's name.
    pub game: String,
    /// The board's size, if it is known.
    pub size: Option<GridSize>,
    /// A calibration made earlier.
    pub calibration: Option<Calibration>,
    /// What the game needs to know of the program.
    pub options: GameOptions,
    /// Who makes the move when a policy from outside does not; `None`: the game's usual policy.
    pub fallback: Option<String>,
    /// How a new game is started.
    pub new_game: Option<Vec<Control>>,
    /// What is done beside moves.
    pub script: Script,
    /// When a game that only ends by being lost counts as won.
    pub goal: Option<Goal>,
    /// How long an unexpected board must be still.
    pub settle: Duration,
    /// When a move without effect is lost.
    pub confirm: Duration,
    /// What presses the keys, where a profile says it.
    pub hands: Option<HandsSpec>,
    /// How long a button or key is held down.
    pub hold: Duration,
    /// Least time between two actions.
    pub gap: Duration,
    /// Games to play.
    pub games: Option<u32>,
    /// Whether the gate is armed.
    pub armed: bool,
    /// An armed run begins disarmed and is armed and disarmed by a person.
    pub changeable: bool,
    /// How long to wait for the window to appear.
    pub wait: Duration,
    /// An armed run in which nothing succeeds for this long ends.
    pub give_up: Duration,
    /// Who keeps what ticks learn beside their input, or tells it again; usually nobody.
    pub witness: Witness,
}

/// How long a board must be still when nobody says: longer than a frame of any animation that is
/// known, shorter than a person notices.
const SETTLE: Duration = Duration::from_millis(150);

impl Order {
    /// An order for a program of which nothing is known: everything is found on the screen, a
    /// move is a click on a cell, and `n` starts a new game, as in most programs.
    #[must_use]
    pub fn bare(
        command: &str,
        profile: String,
        source: SourceSpec,
        game: &str,
        settings: &Settings,
    ) -> Self {
        Self {
            command: command.to_owned(),
            profile,
            source,
            simulated: None,
            game: game.to_owned(),
            size: None,
            calibration: None,
            options: GameOptions::usual(game),
            fallback: settings.policy.fallback.clone(),
            new_game: Some(vec![Control::Key("n".to_owned())]),
            script: Script::default(),
            goal: None,
            settle: settings.play.settle.unwrap_or(SETTLE),
            confirm: settings.play.confirm_timeout,
            hands: None,
            hold: Duration::ZERO,
            gap: Duration::ZERO,
            games: None,
            armed: false,
            changeable: false,
            wait: Duration::ZERO,
            give_up: Duration::from_secs(60),
            witness: Witness::default(),
        }
    }

    /// Whether no side of a game is played: every move in it is somebody else's.
    #[must_use]
    pub fn looks_on(&self) -> bool {
        self.command == "watch"
    }
}
