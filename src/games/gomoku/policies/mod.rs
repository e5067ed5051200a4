//! Policies for five in a row: given a board and a budget, where to put the next stone.
//!
//! None may look at a clock other than through the gauge, or keep anything that changes a later
//! answer except by making it better.

mod evaluator;
mod mover;
mod search;

use super::rules::{Board, action};
use crate::games::spec::{Listed, Setting, Spec, SpecError};
use crate::types::{Budget, Cell};

pub use evaluator::{Evaluator, Weight, Windows};
pub use mover::mover;
pub use search::{MEMORY, Prover, Replay, Search, Shortage};

/// Who plays when nobody says.
pub const USUAL: &str = "search";

/// What is proven about a position, for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// Nothing.
    #[default]
    None,
    /// It wins, at the latest with its n-th stone from here, all stones of both counted.
    Win(u32),
    /// It loses, at the latest with the n-th stone from here, if the other side plays right.
    Loss(u32),
}

/// What a policy chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Where to put the stone.
    pub cell: Cell,
    /// The policy's value of it, larger is better; the unit is the policy's.
    pub score: f64,
    /// Positions visited.
    pub nodes: u64,
    /// Moves looked ahead, if the policy looks ahead.
    pub depth: u32,
    /// The moves expected, this one first.
    pub pv: Vec<Cell>,
    /// What is proven.
    pub proof: Proof,
}

impl Choice {
    /// The expected moves for a person.
    #[must_use]
    pub fn note(&self) -> String {
        let moves: Vec<String> = self.pv.iter().map(|&c| action(c)).collect();
        let proof = match self.proof {
            Proof::None => String::new(),
            Proof::Win(n) => format!("wins in {n}; "),
            Proof::Loss(n) => format!("loses in {n}; "),
        };
        format!("{proof}depth {}: {}", self.depth, moves.join(" "))
    }
}

/// A way to choose moves.
pub trait GomokuPolicy: Send {
    /// Its name as on the command line.
    fn name(&self) -> &str;

    /// Chooses an empty cell; `None` when the game is over. Returns soon after the budget is
    /// spent, with the best so far.
    fn decide(&mut self, board: &Board, budget: &Budget) -> Option<Choice>;
}

/// The policies with their options.
pub const LIST: &[Listed] = &[
    Listed {
        name: "search",
        about: "looks far ahead: fours and threes to the end, everything else as deep as the budget lets it",
        options: &[
            Setting {
                key: "memory",
                default: "32",
                about: "MB for positions met, 1 to 4096",
            },
            Setting {
                key: "threads",
                default: "1",
                about: "1 to 64; only one gives the same answers again",
            },
        ],
    },
    Listed {
        name: "evaluator",
        about: "the reference's: looks one stone ahead and weighs the windows of five through it",
        options: &[
            Setting {
                key: "a",
                default: "0.8",
                about: "weight of what the other side would gain there, 0.1 to 3.6; higher defends more",
            },
            Setting {
                key: "windows",
                default: "full",
                about: "full, or truncated: also windows that the border cuts short",
            },
            Setting {
                key: "win",
                default: "the game's rule",
                about: "exact or five-or-more: when it takes the game to be over",
            },
        ],
    },
];

/// The policy of a text like `evaluator:a=0.5`.
///
/// # Errors
/// For an unknown name, key or value, with what there is.
pub fn by_name(text: &str) -> Result<Box<dyn GomokuPolicy>, SpecError> {
    let mut spec = Spec::parse(text, LIST)?;
    if spec.name() == "search" {
        return Ok(Box::new(Search::from_spec(&mut spec)?));
    }
    Ok(Box::new(Evaluator::from_spec(&mut spec)?))
}
