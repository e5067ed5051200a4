//! Games of two players who move in turn, as a referee sees them: moves are texts, so that a match
//! between any two players, ours or another program's, knows no game.
//!
//! A `Duel` is one game under way and knows its rules; a `Mover` is somebody who chooses moves. A
//! mover that starts processes lives in `brains`; those here think only. Must never trust a mover:
//! a move counts when `Duel::play` has taken it.
//!
//! The modules below are such games as they are seen on a screen: `grid` what lies where, `rules`
//! and `seat` what one game adds, `belief`, `sides` and `explain` what is believed and why, `agent`
//! all of it as the loop sees it.

pub mod agent;
pub mod belief;
pub mod explain;
pub mod grid;
mod paths;
mod proof;
pub mod rules;
pub mod seat;
pub mod sides;
pub mod turn;

use crate::types::{BoardText, Budget, GridSize};

/// One of the two players, by who moved first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Makes the first move of the game.
    First,
    /// The other.
    Second,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Somebody has won.
    Won(Side),
    /// Nobody can any more, or there is no move left.
    Draw,
}

/// A game under way.
pub trait Duel: Send {
    /// The game's name as on the command line.
    fn game(&self) -> &'static str;

    /// Columns and rows of the board.
    fn size(&self) -> GridSize;

    /// What else differs from the usual rules, as the game's command line writes it, for instance
    /// `exact`; empty for the usual ones.
    fn rules(&self) -> String;

    /// The moves so far, in the game's notation.
    fn moves(&self) -> &[String];

    /// Whose turn it is.
    fn to_move(&self) -> Side {
        match self.moves().len() % 2 {
            0 => Side::First,
            _ => Side::Second,
        }
    }

    /// Makes a move.
    ///
    /// # Errors
    /// For a move that is not allowed, with the reason; nothing has changed then.
    fn play(&mut self, action: &str) -> Result<(), String>;

    /// How it ended, if it has.
    fn ending(&self) -> Option<Ending>;

    /// The board for a person.
    fn board(&self) -> BoardText;

    /// A game with the same board and rules and no move made.
    fn fresh(&self) -> Box<dyn Duel>;

    /// The first moves of a game that is not decided by them, so that two players who always play
    /// the same do not play the same game again; other ones for another seed.
    fn opening(&self, seed: u64) -> Vec<String>;
}

/// What a mover chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The move in the game's notation.
    pub action: String,
    /// The mover's value of it, in the mover's own unit; `None` if it does not say.
    pub score: Option<f64>,
    /// Positions visited; 0 if it does not say.
    pub nodes: u64,
    /// For a person.
    pub note: String,
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{who}: {text}")]
pub struct NoMove {
    /// Whose move it was.
    pub who: String,
    /// What happened and what can be done about it.
    pub text: String,
}

/// Somebody who chooses moves.
pub trait Mover: Send {
    /// Its name for results.
    fn name(&self) -> &str;

    /// Chooses a move in a game that is not over. The game may be another one than before, or have
    /// gone on by any number of moves, or back.
    ///
    /// # Errors
    /// When it cannot: a process that hangs, dies or lies.
    fn choose(&mut self, game: &dyn Duel, budget: &Budget) -> Result<Thought, NoMove>;
}
