//! What is believed about a game.

use super::super::rules::{Board, Kind, Pose, earned_level, points};
use super::clock::FallClock;
use super::paths::Ground;
use crate::types::{BoardText, Time};

/// The believed position and its counts.
#[derive(Clone, Debug)]
pub struct Belief {
    /// The pile. Cells seen but never explained are junk.
    pub pile: Board,
    /// The piece where it was last seen; a landed one as long as nothing shows that it has landed.
    pub piece: Option<Pose>,
    /// When a frame last agreed.
    pub seen_at: Time,
    /// Since when nothing has changed.
    pub still_since: Time,
    /// The kind that comes next, if it is shown.
    pub next: Option<Kind>,
    /// Whether a piece was seen in this game.
    pub started: bool,
    /// Whether it is over.
    pub over: bool,
    /// Pieces that have landed.
    pub pieces: u32,
    /// Rows completed.
    pub lines: u32,
    /// The level by lines and by the fall delay.
    pub level: u8,
    /// Points, as far as they can be told.
    pub score: u64,
    /// Fall steps of the piece.
    pub fallen: u32,
}

impl Belief {
    /// An empty board on which nothing has happened.
    #[must_use]
    pub fn new(cols: u16, rows: u16) -> Self {
        Self {
            pile: Board::empty(cols, rows),
            piece: None,
            seen_at: Time::ZERO,
            still_since: Time::ZERO,
            next: None,
            started: false,
            over: false,
            pieces: 0,
            lines: 0,
            level: 1,
            score: 0,
            fallen: 0,
        }
    }

    /// A new game on the pile there is.
    pub fn restart(&mut self) {
        self.started = self.piece.is_some();
        self.over = false;
        (self.pieces, self.lines, self.score, self.fallen) = (0, 0, 0, 0);
        self.level = 1;
    }

    /// A piece becomes part of the pile; rows that vanish.
    pub fn land(
        &mut self,
        ground: &super::super::rules::System,
        pose: Pose,
        clock: &FallClock,
    ) -> u16 {
        self.level = (self.level)
            .max(clock.level().unwrap_or(1))
            .max(earned_level(self.lines.into()));
        self.score += points(self.level, self.fallen);
        self.pile.lock(ground, pose);
        let rows = self.pile.clear_full();
        self.lines += u32::from(rows);
        self.pieces += 1;
        self.piece = None;
        self.fallen = 0;
        rows
    }

    /// The whole board with a piece.
    #[must_use]
    pub fn text(&self, ground: Ground<'_>, piece: Option<Pose>) -> BoardText {
        let mut board = self.pile.clone();
        if let Some(pose) = piece {
            board.lock(ground.system, pose);
        }
        BoardText(board.text())
    }
}
