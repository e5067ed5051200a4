//! Screen profiles: how one program shows a game and takes moves. One TOML file each.
//!
//! Takes a file or a name; gives a [`Profile`] or every problem with its line. What is absent is
//! found on the screen. Must never hold what can be found, unless a user has saved it.

mod camera;
mod duel;
mod find;
mod hands;
mod keys;
mod read;
mod remove;
mod save;
mod script;
mod steps;
#[cfg(test)]
mod tests;
mod tetris;
mod write;

use std::path::PathBuf;
use std::time::Duration;

pub use duel::{Drop, Duel, Stands};
pub use find::{Known, SHIPPED, file, known, load};
pub use remove::{NotRemoved, is_own, remove};
pub use save::{NotSaved, save};

use crate::types::{
    BoardKind, Calibration, CameraSpec, Cell, Control, GridSize, HandsSpec, Point, Rect, Script,
    SideGrid,
};

/// The newest format of profiles read and written here.
pub const VERSION: i64 = 1;

/// One screen layout.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The file's name without `.toml`.
    pub name: String,
    /// Where frames come from.
    pub source: Source,
    /// The game's name as on the command line.
    pub game: String,
    /// Moves allowed, where the program shows it and the rules do not tell.
    pub limit: Option<u32>,
    /// What starts a new game, in order; empty when the program has nothing for it.
    pub new_game: Vec<Control>,
    /// What is done beside moves: at the start, between games, when a dialog comes.
    pub script: Script,
    /// The cell that a game starts from (for Flood-It the flooded corner); `None` is the game's
    /// usual one.
    pub start: Option<Cell>,
    /// Columns and rows, where they are not to be found.
    pub size: Option<GridSize>,
    /// What the cells are; `None` is the game's usual kind.
    pub kind: Option<BoardKind>,
    /// How the classes look, where that is not to be found.
    pub classes: Vec<Class>,
    /// A calibration made earlier, to start from.
    pub calibration: Option<Calibration>,
    /// How a move is made.
    pub click: Click,
    /// Timing of the program.
    pub timing: Timing,
    /// Who makes the move when a policy from outside does not; `None` leaves it to the
    /// configuration.
    pub fallback: Option<String>,
    /// What presses the keys; `None` leaves it to the source.
    pub hands: Option<HandsSpec>,
    /// What only Tetris needs.
    pub tetris: Tetris,
    /// What only games of two sides need.
    pub duel: Duel,
}

/// Where frames come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A window; every part given must fit.
    Window {
        /// Part of the title; with a leading `=` the whole title.
        title: Option<String>,
        /// Class or instance.
        class: Option<String>,
        /// Its id.
        id: Option<u32>,
    },
    /// A monitor by its number from 1 or its name; `all` is all of them together.
    Screen(String),
    /// A part of the screen, in root-window pixels.
    Region(Rect),
    /// A picture, a folder of pictures or a video; relative paths are relative to the profile.
    File(PathBuf),
    /// A camera.
    Camera(CameraSpec),
    /// A built-in target with its own settings.
    Simulated(serde_json::Value),
}

/// `[tetris]`; `None` is the standard's, or the usual one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tetris {
    /// How pieces appear and turn, by name.
    pub system: Option<String>,
    /// The box with the next piece.
    pub next: Option<SideGrid>,
    /// The keys.
    pub left: Option<String>,
    /// See above.
    pub right: Option<String>,
    /// See above.
    pub rotate: Option<String>,
    /// See above.
    pub drop: Option<String>,
    /// From one fall step to the next, at the start.
    pub fall: Option<Duration>,
    /// How long complete rows take to vanish.
    pub clear: Option<Duration>,
    /// Whether it is played without looking at the pile.
    pub dead_reckoning: bool,
}

/// How one class looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its letter on boards as text.
    pub letter: char,
    /// Its colour.
    pub rgb: [u8; 3],
}

/// How a move is made.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Click {
    /// By clicking a cell.
    #[default]
    Cell,
    /// By clicking the button of a class.
    Swatches(Vec<Swatch>),
}

/// The button of a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swatch {
    /// The class's letter.
    pub letter: char,
    /// Its centre in cell space.
    pub at: Point,
}

/// Timing of the program; `None` leaves it to the configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// How long the board must be unchanged before it is believed.
    pub settle: Option<Duration>,
    /// How long a button or key is held down.
    pub hold: Option<Duration>,
    /// Least time between two strokes.
    pub gap: Option<Duration>,
    /// An action whose effect is not seen within this has had none.
    pub confirm: Option<Duration>,
}
