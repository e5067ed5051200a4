//! The built-in five in a row: a person against a policy, or two people, in many looks, with known
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

use std::time::Duration;

use contest::Player;
pub use style::Style;

use super::policies::by_name;
use super::rules::{Board, BoardError, Rule, Square, parse_action};
use crate::games::facing::{
    self, Advice, Face, FacingTarget, Manner, Plan, Rims, Session, Steer, Thinker as _, budget,
};
use crate::games::spec::SpecError;
use crate::types::{Cell, GridSize, Picture, Point, Time};

/// Who plays against a person when nobody says. Its table is small: it plays one game at a time.
pub const POLICY: &str = "search:memory=16";

/// Nodes of a move at the highest level, and of a hint: less than half a second.
pub const NODES: u64 = 200_000;

/// What is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Columns and rows.
    pub size: GridSize,
    /// How many in a row win.
    pub rule: Rule,
    /// The policy with its options; `None` is a second person.
    pub policy: Option<String>,
    /// Moves already made, as `7,7 8,8` or `h8 i7`.
    pub moves: String,
    /// Who starts, how well the policy plays, how soon it replies.
    pub play: facing::Setup,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            size: GridSize::new(15, 15),
            rule: Rule::FiveOrMore,
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
    #[error("move {0}, `{1}`, cannot be made: write moves as 7,7 or h8, separated by spaces")]
    Move(usize, String),
}

/// A running game.
pub type GomokuTarget = FacingTarget<GomokuFace>;

/// A game about to start, in a picture of this size in px.
///
/// # Errors
/// When there is no such board or policy, or the moves are none.
pub fn target(
    setup: &Setup,
    style: Style,
    picture: (u32, u32),
) -> Result<GomokuTarget, SetupError> {
    let board = Board::new(setup.size, setup.rule)?;
    let policy = match setup.policy.as_deref() {
        Some(spec) => Some(Box::new(Player(by_name(spec)?)) as _),
        None => None,
    };
    let mut session = Session::new(board, setup.play.clone(), policy, Time::ZERO);
    for (i, text) in setup.moves.split_whitespace().enumerate() {
        let wrong = || SetupError::Move(i + 1, text.to_owned());
        let cell = parse_action(text, setup.size).ok_or_else(wrong)?;
        if !session.set_up(&[cell], Time::ZERO) {
            return Err(wrong());
        }
    }
    // With its own table: a hint changes nothing in how the policy plays.
    let adviser = Player(by_name(POLICY)?);
    Ok(FacingTarget::new(
        GomokuFace { style, adviser },
        session,
        picture,
    ))
}

/// The picture in which cells have this side in px.
#[must_use]
pub fn picture(size: GridSize, style: &Style, cell: u32) -> (u32, u32) {
    Plan::picture_for(cell, size, style.rims())
}

/// How the game looks and is held.
pub struct GomokuFace {
    style: Style,
    adviser: Player,
}

impl GomokuFace {
    /// Its look.
    #[must_use]
    pub const fn style(&self) -> &Style {
        &self.style
    }
}

impl Face for GomokuFace {
    type Board = Board;

    fn game(&self) -> &'static str {
        "five in a row"
    }

    fn manner(&self) -> &Manner {
        &self.style.manner
    }

    fn rims(&self) -> Rims {
        self.style.rims()
    }

    fn line(&self) -> f64 {
        self.style.line.1
    }

    fn scene(&self, plan: &Plan, out: &mut Picture) {
        paint::scene(&self.style, plan, out);
    }

    fn stone(&self, plan: &Plan, cell: Cell, stone: usize, out: &mut Picture) {
        paint::stone(&self.style, plan, cell, stone, out);
    }

    fn travel(&self, _cell: Cell) -> Duration {
        self.style.appear
    }

    fn travelling(
        &self,
        plan: &Plan,
        cell: Cell,
        stone: usize,
        since: Duration,
        out: &mut Picture,
    ) {
        paint::appearing(&self.style, plan, cell, stone, since, out);
    }

    /// The nearest crossing, or the square.
    fn aim(&self, board: &Board, at: Point) -> Option<Cell> {
        // Beyond the largest number it is outside, too.
        let place = |v: f64| (v >= 0.0).then_some(v as u16);
        let cell = Cell::new(place(at.x)?, place(at.y)?);
        (board.at(cell) == Square::Empty && board.winner().is_none()).then_some(cell)
    }

    /// Arrows move the cursor, Return and space put a stone there.
    fn steer(&self, board: &Board, cursor: Option<Cell>, key: &str) -> Option<Steer<Cell>> {
        let size = board.size();
        let arrow = matches!(key, "Left" | "Right" | "Up" | "Down");
        let Some(Cell { col, row }) = cursor else {
            return arrow.then(|| Steer::To(Cell::new(size.cols / 2, size.rows / 2)));
        };
        let next = match key {
            "Left" => Cell::new(col.saturating_sub(1), row),
            "Right" => Cell::new((col + 1).min(size.cols - 1), row),
            "Up" => Cell::new(col, row.saturating_sub(1)),
            "Down" => Cell::new(col, (row + 1).min(size.rows - 1)),
            "Return" | "space" => return Some(Steer::Play(Cell::new(col, row))),
            _ => return None,
        };
        Some(Steer::To(next))
    }

    fn repeats(&self, key: &str) -> bool {
        matches!(key, "Left" | "Right" | "Up" | "Down")
    }

    fn pending(&self, plan: &Plan, cell: Cell, stone: usize, by_keys: bool, out: &mut Picture) {
        if self.style.ghost || by_keys {
            paint::ghost(&self.style, plan, cell, stone, out);
        }
    }

    /// The game has no exact values.
    fn advise(&mut self, board: &Board, _scores: bool) -> Advice<Cell> {
        Advice {
            best: self.adviser.answer(board, &budget(NODES, 0)),
            scores: Vec::new(),
        }
    }
}
