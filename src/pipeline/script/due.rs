//! What a script is shown, and what it wants done.

use crate::types::{BoardSight, Calibration, Frame, Stroke};

/// Which part of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The first game.
    Start,
    /// The next game.
    Again,
    /// A dialog by its place in the list.
    Dialog(usize),
}

/// What is to be seen while a step is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The present calibration.
    pub calibration: Option<&'a Calibration>,
    /// How the board is, if it is not simply there.
    pub board: Option<BoardSight>,
}

/// A step that can be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// How; screen coordinates.
    pub strokes: Vec<Stroke>,
    /// The window it is for.
    pub window: Option<u32>,
    /// Where that window's content begins on the screen.
    pub origin: Option<(i32, i32)>,
    /// In words, for the journal.
    pub words: String,
}

/// What the script wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Due {
    /// Nothing.
    Nothing,
    /// A part is under way; nothing can be done just now.
    Wait,
    /// This step.
    Step(Planned),
    /// All steps of a part have been made.
    Done(Part),
    /// A step could not be made in time; the part is given up.
    Failed(Part, String),
    /// A dialog stays, whatever was answered.
    Stuck(String),
}
