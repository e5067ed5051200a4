//! What the messages of a recording hold.

use serde::{Deserialize, Serialize};

use crate::types::{Cause, Hidden, OtherWindow, Placement, Testimony};

/// The newest format that is written and read here.
pub const FORMAT: u32 = 1;

/// What stands before the first message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`] of the writer.
    pub format: u32,
    /// The writer's version.
    pub version: String,
    /// When the run's clock read zero, in milliseconds since 1970.
    pub started_ms: i64,
    /// Answers of the policy cannot be asked for again (a program from outside, several threads):
    /// a replay takes those that were kept.
    pub retold: bool,
    /// Command, source, game and policy, for a person.
    pub run: serde_json::Value,
    /// What the run is assembled from again; whoever assembles knows what it holds.
    pub recipe: serde_json::Value,
}

/// The topics of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// Pixels.
    Frame,
    /// What a tick was given.
    Input,
    /// The board as seen.
    Reading,
    /// The board as believed.
    Belief,
    /// A policy's choice.
    Decision,
    /// Strokes that were asked for.
    Action,
    /// Seen was not what was expected.
    Mismatch,
    /// A game has ended.
    Result,
    /// Everything else that the journal keeps.
    Event,
    /// What hands and shell were asked for.
    Effect,
    /// Words for a person.
    Log,
}

impl Topic {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Frame,
        Self::Input,
        Self::Reading,
        Self::Belief,
        Self::Decision,
        Self::Action,
        Self::Mismatch,
        Self::Result,
        Self::Event,
        Self::Effect,
        Self::Log,
    ];

    /// Its name in the file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Frame => "/frame",
            Self::Input => "/input",
            Self::Reading => "/reading",
            Self::Belief => "/belief",
            Self::Decision => "/decision",
            Self::Action => "/action",
            Self::Mismatch => "/mismatch",
            Self::Result => "/result",
            Self::Event => "/event",
            Self::Effect => "/effect",
            Self::Log => "/log",
        }
    }

    /// The topic of this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.name() == name)
    }
}

/// A message of `/input`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InputLine {
    /// Counts the ticks of the run from 1.
    pub tick: u64,
    /// When it ran, in microseconds of the run.
    pub now: u64,
    /// How many messages of outcome follow.
    pub outcomes: u32,
    /// What it was given.
    pub what: InputWhat,
    /// What it learnt beside that.
    #[serde(default, skip_serializing_if = "Testimony::is_empty")]
    pub testimony: Testimony,
}

/// What a tick was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputWhat {
    /// A frame.
    Frame(FrameFacts),
    /// No new frame for a while.
    Quiet,
    /// The source shows nothing.
    Hidden(Hidden),
    /// The source is gone for good.
    Ended(String),
    /// The hands have acted.
    Performed {
        /// When the last key or button went down, in microseconds of the run.
        down: u64,
        /// When it was let go.
        up: u64,
    },
    /// The hands have refused.
    Refused {
        /// What it looks like.
        cause: Cause,
        /// Their words.
        why: String,
    },
    /// A person has armed or disarmed the run.
    Arm(bool),
    /// The run was to end, and why.
    End(String),
}

/// A frame without its pixels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameFacts {
    /// The source's number of it.
    pub seq: u64,
    /// When its light was captured, in microseconds of the run.
    pub captured_at: u64,
    /// Where it comes from.
    pub source: String,
    /// Whether any pixel differs from the frame that the source delivered before.
    pub changed: bool,
    /// The number of the picture on `/frame` that holds its pixels, from 1; `None`: they are lost,
    /// because the disk was too slow.
    pub picture: Option<u64>,
    /// Where it lay on the screen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<Placement>,
    /// The other windows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub windows: Option<Vec<OtherWindow>>,
}

/// A file that is kept with a recording: the profile, its pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// Its name, without folders.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}
