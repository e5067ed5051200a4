//! Policies for Flood-It: given a board and a budget, which colour to play.
//!
//! All of them work on the graph of one-coloured regions. None may keep anything that changes
//! a later answer except by making it better (the optimal policy keeps its plan), look at a
//! clock other than through the gauge, or play on a board without a move.

mod bits;
mod bound;
mod graph;
mod lookahead;
mod optimal;

use crate::games::flood::rules::Board;
use crate::types::Budget;

pub use lookahead::Lookahead;
pub use optimal::{BestStart, MEMORY, Optimal, best_start};

/// What a policy chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The colour to play.
    pub colour: u8,
    /// The policy's value of it, larger is better; the unit is the policy's.
    pub score: f64,
    /// Positions visited.
    pub nodes: u64,
    /// For a person: the plan, a proof.
    pub note: String,
    /// All moves to the end, this one first, if the policy knows.
    pub plan: Option<Vec<u8>>,
    /// No solution has fewer moves than this, as far as proven.
    pub lower_bound: u32,
}

impl Choice {
    /// Whether the plan is proven to be as short as any.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.plan
            .as_ref()
            .is_some_and(|p| p.len() as u64 == u64::from(self.lower_bound))
    }
}

/// A way to choose moves.
pub trait FloodPolicy: Send {
    /// Its name as on the command line.
    fn name(&self) -> &'static str;

    /// Chooses a colour that gains at least one region; `None` when the board is solved.
    /// Returns soon after the budget is spent, with the best so far.
    fn decide(&mut self, board: &Board, budget: &Budget) -> Option<Choice>;
}

/// The names that [`by_name`] knows.
pub const NAMES: [&str; 3] = ["optimal", "lookahead", "greedy"];

/// The policy of this name; `depth` is for `lookahead` (the reference looks 4 moves ahead),
/// `memory` in bytes for `optimal`.
#[must_use]
pub fn by_name(name: &str, depth: u32, memory: usize) -> Option<Box<dyn FloodPolicy>> {
    match name {
        "optimal" => Some(Box::new(Optimal::new(memory))),
        "lookahead" => Some(Box::new(Lookahead::new(depth))),
        "greedy" => Some(Box::new(Lookahead::greedy())),
        _ => None,
    }
}
