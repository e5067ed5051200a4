//! The built-in Connect-4: a person against a policy, or two people, in many looks, with known
//! truth.
//!
//! Takes a [`Setup`] and a [`Style`], then clicks and keys in px of its picture; gives pictures
//! and the true board. The same setup and the same inputs give the same pictures, as long as the
//! policy is limited by nodes. Must never start anything or look at a clock.

mod contest;
mod paint;
pub mod style;
#[cfg(test)]
mod tests;
mod thinking;

use std::time::Duration;

use style::Hover;
pub use style::Style;
use thinking::{Adviser, Player};

use super::policies::by_name;
use super::rules::{Board, BoardError, column_of};
use crate::games::facing::{self, Advice, Face, FacingTarget, Manner, Plan, Rims, Session, Steer};
use crate::games::spec::SpecError;
use crate::types::{Cell, GridSize, Picture, Point, Time};

/// Who plays against a person when nobody says. Its table is small: it plays one game at a time.
pub const POLICY: &str = "perfect:memory=32";

/// Nodes of a move at the highest level: the usual board is solved with fewer, by the book and
/// from eight discs on. Less than a second.
pub const NODES: u64 = 4_000_000;

/// Nodes of a hint, which may ask for the scores of all columns.
const HINT_NODES: u64 = 8_000_000;

/// Letters of columns on the keyboard, from the left; further columns are clicked or walked to.
const KEYS: std::ops::RangeInclusive<u8> = b'a'..=b'm';

/// What is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Columns and rows.
    pub size: GridSize,
    /// So many in a row win.
    pub row: u16,
    /// The policy with its options; `None` is a second person.
    pub policy: Option<String>,
    /// Columns already played, as `4453`; the leftmost is 1.
    pub moves: String,
    /// Who starts, how well the policy plays, how soon it replies.
    pub play: facing::Setup,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            size: GridSize::new(7, 6),
            row: 4,
            policy: Some(POLICY.to_owned()),
            moves: String::new(),
            play: facing::Setup {
                nodes: NODES,
                ..facing::Setup::default()
            },
        }
    }
}

/// A setup that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// No such board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// No such policy.
    #[error(transparent)]
    Policy(#[from] SpecError),
    /// A move that cannot be made.
    #[error(
        "move {0} of `{1}` cannot be made: write the columns one after the other, the leftmost is 1"
    )]
    Move(usize, String),
}

/// A running game.
pub type Connect4Target = FacingTarget<Connect4Face>;

/// A game about to start, in a picture of this size in px.
///
/// # Errors
/// When there is no such board or policy, or the moves are none.
pub fn target(
    setup: &Setup,
    style: Style,
    picture: (u32, u32),
) -> Result<Connect4Target, SetupError> {
    let board = Board::new(setup.size, setup.row)?;
    let policy = match setup.policy.as_deref() {
        Some(spec) => Some(Box::new(Player(by_name(spec)?)) as _),
        None => None,
    };
    let mut session = Session::new(board, setup.play.clone(), policy, Time::ZERO);
    for (i, c) in setup.moves.chars().enumerate() {
        let wrong = || SetupError::Move(i + 1, setup.moves.clone());
        let col = column_of(c).ok_or_else(wrong)?;
        if !session.set_up(&[col], Time::ZERO) {
            return Err(wrong());
        }
    }
    // With its own table: a hint changes nothing in how the policy plays.
    let face = Connect4Face {
        style,
        adviser: Adviser::new(by_name(POLICY)?, HINT_NODES),
    };
    Ok(FacingTarget::new(face, session, picture))
}

/// The picture in which cells have this side in px.
#[must_use]
pub fn picture(size: GridSize, style: &Style, cell: u32) -> (u32, u32) {
    Plan::picture_for(cell, size, style.rims())
}

/// How the game looks and is held.
pub struct Connect4Face {
    style: Style,
    adviser: Adviser,
}

impl Connect4Face {
    /// Its look.
    #[must_use]
    pub const fn style(&self) -> &Style {
        &self.style
    }
}

impl Face for Connect4Face {
    type Board = Board;

    fn game(&self) -> &'static str {
        "Connect-4"
    }

    fn manner(&self) -> &Manner {
        &self.style.manner
    }

    fn rims(&self) -> Rims {
        self.style.rims()
    }

    fn line(&self) -> f64 {
        0.03
    }

    fn scene(&self, plan: &Plan, out: &mut Picture) {
        paint::scene(&self.style, plan, out);
    }

    fn stone(&self, plan: &Plan, cell: Cell, stone: usize, out: &mut Picture) {
        paint::stone(&self.style, plan, cell, stone, out);
    }

    fn travel(&self, cell: Cell) -> Duration {
        paint::travel(self.style.fall, cell.row)
    }

    fn travelling(
        &self,
        plan: &Plan,
        cell: Cell,
        stone: usize,
        since: Duration,
        out: &mut Picture,
    ) {
        paint::falling(&self.style, plan, cell, stone, since, out);
    }

    /// Anywhere in a column, and in the row above it.
    fn aim(&self, board: &Board, at: Point) -> Option<usize> {
        let (cols, rows) = (board.size().cols, board.size().rows);
        let inside = at.x >= 0.0
            && at.x < f64::from(cols)
            && at.y >= -self.style.rims().top
            && at.y < f64::from(rows) + self.style.rim;
        let col = at.x as usize;
        (inside && board.is_legal(col)).then_some(col)
    }

    /// `a` is the leftmost column; Left and Right go along the top, Down and space drop.
    fn steer(&self, board: &Board, cursor: Option<Cell>, key: &str) -> Option<Steer<usize>> {
        let cols = board.size().cols;
        let at = |col: u16| Some(Steer::To(Cell::new(col, 0)));
        match (key, cursor) {
            ("Left" | "Right", None) => at(cols / 2),
            ("Left", Some(cell)) => at(cell.col.saturating_sub(1)),
            ("Right", Some(cell)) => at((cell.col + 1).min(cols - 1)),
            ("Down" | "space" | "Return", Some(cell)) => Some(Steer::Play(cell.col.into())),
            _ => {
                let &[byte] = key.as_bytes() else { return None };
                let col = KEYS
                    .contains(&byte)
                    .then(|| usize::from(byte - KEYS.start()))?;
                (col < cols.into()).then_some(Steer::Play(col))
            }
        }
    }

    fn repeats(&self, key: &str) -> bool {
        matches!(key, "Left" | "Right")
    }

    fn pending(&self, plan: &Plan, cell: Cell, stone: usize, by_keys: bool, out: &mut Picture) {
        match self.style.hover {
            Hover::Above => paint::above(&self.style, plan, cell.col, stone, out),
            Hover::None if !by_keys => {}
            // Whoever uses keys must see which column it is.
            Hover::Ghost | Hover::None => paint::ghost(&self.style, plan, cell, stone, out),
        }
    }

    fn advise(&mut self, board: &Board, scores: bool) -> Advice<usize> {
        self.adviser.advise(board, scores)
    }
}
