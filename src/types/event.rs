//! What happens in a run, as it is written into the journal.
//!
//! Events carry boards as text and causes as names, so that neither the journal nor the
//! dashboard knows any game.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::action::ActionId;
use super::board::BoardText;
use super::calibration::{Calibration, ClassLook};
use super::frame::Hidden;
use super::geometry::{Cell, GridSize, Point};
use super::picture::Picture;
use super::time::Time;

/// Why what was seen is not what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Our click had no effect.
    ClickLost,
    /// Our move had the effect of another move.
    WrongMove,
    /// Somebody else made a move that the rules allow.
    UserMoved,
    /// The position is one that no move leads to: a new game, an undo, another program.
    BoardChanged,
    /// No moves that the rules allow lead to the position, and none were taken back.
    Impossible,
    /// Moves were taken back.
    Undone,
    /// Our click acted twice.
    ClickDoubled,
    /// The same position in other colours.
    Recoloured,
    /// The board is elsewhere in the frame than it was.
    BoardMoved,
    /// The window has another place on the screen.
    WindowMoved,
    /// The frames have another size.
    WindowResized,
    /// Something lies over the board.
    Covered,
    /// The board is changing.
    Animation,
    /// The game has ended.
    Finished,
    /// The window is minimised or unmapped.
    Minimised,
    /// The window is partly or wholly outside the screen.
    OffScreen,
    /// The window or device is gone.
    SourceGone,
    /// The same picture again and again from a source that should change.
    SourceFrozen,
    /// Somebody put the pointer over the board.
    PointerOverBoard,
    /// The pointer did not go where it was sent.
    PointerElsewhere,
    /// Another window lay under the pointer where ours was expected.
    NotTarget,
    /// The relay board is away and is looked for.
    HandsAway,
    /// The camera does not work now and is waited for.
    CameraAway,
    /// An action was not made in time.
    Expired,
    /// No board is found any more.
    BoardLost,
    /// Nothing explains it but a wrong reading.
    Misread,
    /// Our key had no effect.
    KeyLost,
    /// Our key acted twice.
    KeyDoubled,
    /// A falling piece is lower than it can have fallen.
    FellFurther,
    /// A piece came to rest elsewhere than was planned.
    LandedEarly,
    /// Rows vanished that were not seen to be completed.
    RowCleared,
    /// A row was pushed in from below.
    JunkRow,
    /// A new game has begun.
    NewGame,
    /// The game has ended where it was not expected to.
    GameOver,
    /// A step of the profile's script could not be made.
    StepFailed,
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The name in JSON is the name everywhere.
        let name = serde_json::to_value(self).ok();
        f.write_str(name.as_ref().and_then(|v| v.as_str()).unwrap_or("unknown"))
    }
}

impl From<Hidden> for Cause {
    /// What a source that shows nothing is called as a mismatch.
    fn from(hidden: Hidden) -> Self {
        match hidden {
            Hidden::Minimised => Self::Minimised,
            Hidden::OffScreen => Self::OffScreen,
            Hidden::Frozen => Self::SourceFrozen,
            Hidden::Camera(_) => Self::CameraAway,
        }
    }
}

/// What was done about a mismatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Handling {
    /// Wait for it to pass.
    Wait,
    /// Look again before believing it.
    LookAgain,
    /// The same action once more.
    Retry,
    /// What is seen is the position now.
    Accept,
    /// Find the board again.
    Refind,
    /// Move the pointer off the board.
    Park,
    /// Do nothing until the board is whole again.
    Pause,
    /// End the run.
    End,
}

impl std::fmt::Display for Handling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = serde_json::to_value(self).ok();
        f.write_str(name.as_ref().and_then(|v| v.as_str()).unwrap_or("unknown"))
    }
}

/// What was waited for, or is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observation {
    /// The other side, or somebody in a game that is only watched, has moved.
    Moved,
    /// Nothing goes on until somebody else does something.
    Waits,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Won.
    Won,
    /// Lost.
    Lost,
    /// Drawn.
    Draw,
    /// Not played to its end.
    Aborted,
}

/// One finished game; its JSON object is what `kibitzer play --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameResult {
    /// The game's name.
    pub game: String,
    /// How it ended.
    pub result: Outcome,
    /// Moves made.
    pub moves: u32,
    /// From its first certain frame to its end.
    pub seconds: f64,
    /// Mismatches between belief and sight during it.
    pub mismatches: u32,
    /// Why it ended, in words.
    pub why: String,
    /// What only this game knows (for Flood-It its score).
    #[serde(flatten)]
    pub extra: serde_json::Map<String, serde_json::Value>,
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// A run has begun.
    RunStarted {
        /// The subcommand: play, watch, demo.
        command: String,
        /// The profile's name, or how the source was named.
        profile: String,
        /// The source.
        source: String,
        /// The game.
        game: String,
        /// The policy.
        policy: String,
        /// The usable configuration as JSON.
        config: String,
    },
    /// A board was found, or found again.
    Calibrated {
        /// The frame it was found in.
        frame_seq: u64,
        /// Columns and rows.
        size: GridSize,
        /// Outer corners in px: top left, top right, bottom right, bottom left.
        corners: [Point; 4],
        /// 0 to 1.
        quality: f32,
        /// Letter and colour of each class, `a #ff0000`.
        classes: Vec<String>,
        /// How long finding took.
        took: Duration,
    },
    /// A policy chose a move.
    Decided {
        /// The frame it was decided on.
        frame_seq: u64,
        /// When that was captured.
        captured_at: Time,
        /// The position.
        board: BoardText,
        /// The move in the game's notation.
        action: String,
        /// The policy's value.
        score: f64,
        /// Positions visited.
        nodes: u64,
        /// Time spent thinking.
        took: Duration,
        /// The policy's own words.
        note: String,
    },
    /// Strokes were made.
    Acted {
        /// The action.
        action: ActionId,
        /// The frame that caused it.
        frame_seq: u64,
        /// When that was captured.
        captured_at: Time,
        /// Its strokes as text.
        strokes: String,
        /// 0 for the first try.
        retry: u8,
    },
    /// The effect of an action was seen.
    Confirmed {
        /// The action.
        action: ActionId,
        /// The frame that shows it.
        frame_seq: u64,
        /// When that was captured.
        captured_at: Time,
    },
    /// Something went on as it should without us, or is waited for.
    Observed {
        /// The frame on which it was believed.
        frame_seq: u64,
        /// When that was captured.
        captured_at: Time,
        /// When the first frame was captured that showed it.
        since: Time,
        /// What it is.
        what: Observation,
        /// The position now.
        board: BoardText,
        /// The same for a person.
        text: String,
    },
    /// What was seen is not what was expected.
    Mismatch {
        /// The frame.
        frame_seq: u64,
        /// When it was captured.
        captured_at: Time,
        /// What was expected.
        expected: BoardText,
        /// What was seen; empty when no board was.
        seen: BoardText,
        /// The cells that differ.
        cells: Vec<Cell>,
        /// The explanation.
        cause: Cause,
        /// What was done.
        handling: Handling,
        /// The picture, cropped to the board.
        evidence: Option<Arc<Picture>>,
        /// Details for a person.
        text: String,
    },
    /// A game has ended.
    Finished(GameResult),
    /// The run has ended.
    RunEnded {
        /// Why, in words.
        why: String,
        /// Frames handled and frames dropped.
        frames: (u64, u64),
    },
}

impl Event {
    /// A board was found in the frame with this number.
    #[must_use]
    pub fn calibrated(frame_seq: u64, found: &Calibration, took: Duration) -> Self {
        Self::Calibrated {
            frame_seq,
            size: found.size,
            corners: found.px_from_cell.corners(found.size),
            quality: found.quality,
            classes: found.classes.iter().map(ClassLook::name).collect(),
            took,
        }
    }
}

/// Something that keeps events. An error means that the event is not kept.
pub trait EventSink: Send {
    /// Keeps the event durably before returning: an action is recorded before it is performed.
    ///
    /// # Errors
    /// When the event cannot be kept; the text says where and what to do about it.
    fn record(&mut self, at: Time, event: &Event) -> Result<(), SinkError>;
}

/// Why an event could not be kept.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SinkError(pub String);
