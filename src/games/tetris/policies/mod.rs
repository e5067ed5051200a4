//! Policies for Tetris: given the pile, the piece and perhaps the next one, where to put it.
//!
//! The same position, budget of nodes and policy give the same choice. None may look at a clock
//! other than through the gauge, draw random numbers, or allocate for each placement it rates.

pub mod bits;
mod counting;
pub mod evolve;
pub mod features;
pub mod model;
pub mod names;
pub mod pile;
pub mod placement;
pub mod player;
pub mod rare;
pub mod reach;
pub mod search;
pub mod shape;
pub mod sim;
pub mod tail;
mod wells;

use super::rules::{Board, Kind};
use crate::types::Budget;

pub use model::Model;
pub use names::{LIST, USUAL, USUAL_WEIGHTS, UnknownPolicy, by_name};
pub use placement::Placement;
pub use player::Player;
pub use reach::MoveModel;

/// What a policy decides about.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// The pile, without the falling piece.
    pub board: &'a Board,
    /// The piece to place.
    pub kind: Kind,
    /// The piece after it, where it is shown.
    pub next: Option<Kind>,
    /// Where pieces can go (the later pieces, when `allowed` tells it for this one).
    pub model: MoveModel,
    /// Only these placements can be reached in the time that is left; `None`: all of the model.
    pub allowed: Option<&'a [Placement]>,
}

/// What a policy chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Where to put the piece.
    pub placement: Placement,
    /// The policy's value of it, larger is better; the unit is the policy's.
    pub value: f64,
    /// Placements rated.
    pub nodes: u64,
    /// The features of this placement, by name.
    pub features: Vec<(&'static str, f64)>,
    /// Where the next piece would go, if the policy looked that far.
    pub next_placement: Option<Placement>,
    /// The next best placements with their values, best first, at most four.
    pub alternatives: Vec<(Placement, f64)>,
}

/// A way to choose placements.
pub trait Policy: Send {
    /// Its name as on the command line.
    fn name(&self) -> &str;

    /// Chooses a placement; `None` when there is none: the piece cannot appear, or nothing of
    /// `allowed` fits between the walls. Returns soon after the budget is spent, with the best so
    /// far.
    fn choose(&mut self, position: &Position, budget: &Budget) -> Option<Choice>;
}
