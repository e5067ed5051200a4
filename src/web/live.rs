//! What is known of a session at this moment, for whoever looks at it.
//!
//! Written by the session's loop, read by requests. Holding its lock must never take long: the
//! loop waits for it with every frame.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use tokio::sync::watch;

use super::histogram::Histogram;
use crate::types::{Calibration, GameResult, Picture, Reading};

/// So many of the last things that happened are kept for who looks on; the journal has all.
const KEPT: usize = 200;

/// Where a session stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Its parts are being opened.
    #[default]
    Opening,
    /// It runs.
    Running,
    /// It has failed and will be tried again.
    Restarting,
    /// It has done what was asked for, or was stopped.
    Ended,
}

/// The board as it is seen and believed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BoardView {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// Rows of letters as read; `?` cannot be read.
    pub seen: Vec<String>,
    /// Rows of letters as believed; empty when nothing is.
    pub believed: Vec<String>,
    /// Confidence of each cell, row by row, 0 to 1.
    pub confidence: Vec<f32>,
    /// Letter and colour of each class.
    pub classes: Vec<(char, String)>,
    /// px of the frame from cells: the 3 x 3 matrix of the one transform, row by row.
    pub px_from_cell: [f64; 9],
    /// How well the board was found, 0 to 1.
    pub quality: f32,
}

/// The last decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecisionView {
    /// The move in the game's notation.
    pub action: String,
    /// The policy's value of it.
    pub score: f64,
    /// Positions visited.
    pub nodes: u64,
    /// Milliseconds of thought.
    pub ms: f64,
    /// The policy's words: the plan, the alternatives.
    pub note: String,
}

/// One thing that happened, for the log of the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Told {
    /// Counts from 1 in the session.
    pub n: u64,
    /// Milliseconds since the run began.
    pub ms: u64,
    /// What kind of thing: started, found, decided, acted, confirmed, observed, mismatch, finished,
    /// ended.
    pub kind: &'static str,
    /// In words.
    pub text: String,
}

/// Everything that changes while a session lives.
#[derive(Debug, Default)]
pub struct Inner {
    /// Where it stands.
    pub phase: Phase,
    /// Why, or what it waits for, in words.
    pub words: String,
    /// Whether anything may be done.
    pub armed: bool,
    /// The source, once it is open.
    pub source: String,
    /// The policy, once it is known.
    pub policy: String,
    /// The last frame.
    pub picture: Option<Arc<Picture>>,
    /// Its number.
    pub frame_seq: u64,
    /// Frames of the last second, per second.
    pub fps: f64,
    /// Frames handled.
    pub frames: u64,
    /// The calibration, as of the last frame.
    pub calibration: Option<Arc<Calibration>>,
    /// The last reading.
    pub reading: Reading,
    /// What is seen and believed.
    pub board: Option<BoardView>,
    /// The last decision.
    pub decision: Option<DecisionView>,
    /// The strokes that were last asked for.
    pub sent: String,
    /// Finished games, the newest last.
    pub results: VecDeque<GameResult>,
    /// Games won, lost, drawn, aborted.
    pub tally: [u32; 4],
    /// Mismatches by cause.
    pub mismatches: BTreeMap<String, u64>,
    /// Actions asked for, and those seen to take effect.
    pub actions: (u64, u64),
    /// Positions that the policy has visited.
    pub nodes: u64,
    /// Times the run was begun again after a failure.
    pub restarts: u64,
    /// From a frame's light to the end of its handling.
    pub handled: Histogram,
    /// Finding a board.
    pub finding: Histogram,
    /// Thinking.
    pub thinking: Histogram,
    /// From an action to its effect being seen.
    pub confirming: Histogram,
    told: VecDeque<Told>,
    count: u64,
}

impl Inner {
    /// Adds to the log.
    pub fn tell(&mut self, ms: u64, kind: &'static str, text: String) {
        self.count += 1;
        if self.told.len() == KEPT {
            self.told.pop_front();
        }
        self.told.push_back(Told {
            n: self.count,
            ms,
            kind,
            text,
        });
    }

    /// What was told after the `n`th thing, as far as it is kept.
    pub fn since(&self, n: u64) -> impl Iterator<Item = &Told> {
        self.told.iter().filter(move |t| t.n > n)
    }
}

/// The shared state of one session.
#[derive(Debug)]
pub struct Live {
    inner: Mutex<Inner>,
    /// Counts changes; whoever streams waits for it.
    version: watch::Sender<u64>,
    /// The same for pictures alone.
    frames: watch::Sender<u64>,
}

impl Default for Live {
    fn default() -> Self {
        Self {
            inner: Mutex::default(),
            version: watch::Sender::new(0),
            frames: watch::Sender::new(0),
        }
    }
}

impl Live {
    /// The state, to be looked at or changed; a panic elsewhere leaves plain data that is still
    /// true.
    pub fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells who waits that something has changed.
    pub fn changed(&self) {
        self.version.send_modify(|n| *n += 1);
    }

    /// Tells who waits that there is another picture.
    pub fn frame_changed(&self) {
        self.frames.send_modify(|n| *n += 1);
    }

    /// Waits for changes.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Waits for pictures.
    #[must_use]
    pub fn pictures(&self) -> watch::Receiver<u64> {
        self.frames.subscribe()
    }

    /// Whether somebody is looking.
    #[must_use]
    pub fn is_watched(&self) -> bool {
        self.version.receiver_count() > 0
    }
}
