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
use crate::games::spec::{Listed, Setting, Spec, SpecError};
use crate::types::Budget;

pub use lookahead::Lookahead;
pub use optimal::{BestStart, MEMORY, Optimal, best_start};

/// Who plays when nobody says.
pub const USUAL: &str = "optimal";

/// Moves that `lookahead` looks ahead when nobody says: as many as the reference.
pub const DEPTH: u32 = 4;

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
    fn name(&self) -> &str;

    /// Chooses a colour that gains at least one region; `None` when the board is solved.
    /// Returns soon after the budget is spent, with the best so far.
    fn decide(&mut self, board: &Board, budget: &Budget) -> Option<Choice>;
}

/// The policies with their options.
pub const LIST: &[Listed] = &[
    Listed {
        name: "optimal",
        about: "the fewest moves, proven where its memory is enough",
        options: &[Setting {
            key: "memory",
            default: "512",
            about: "MiB for search, 1 to 1000000; without proof in it the best plan found is played",
        }],
    },
    Listed {
        name: "lookahead",
        about: "the reference's: the most cells after so many moves",
        options: &[Setting {
            key: "depth",
            default: "4",
            about: "moves, 1 to 12",
        }],
    },
    Listed {
        name: "greedy",
        about: "the reference's first: the most cells at once",
        options: &[],
    },
];

/// The policy of a text like `lookahead:depth=3`. What the text leaves open is `depth` moves for
/// `lookahead` and `memory` bytes for `optimal`.
///
/// # Errors
/// For an unknown name, key or value, with what there is.
pub fn by_spec(text: &str, depth: u32, memory: usize) -> Result<Box<dyn FloodPolicy>, SpecError> {
    let mut spec = Spec::parse(text, LIST)?;
    let memory = match spec.number("memory", 0usize, 1..=1_000_000)? {
        0 => memory,
        mb => mb << 20,
    };
    let depth = spec.number("depth", depth, 1..=12.max(depth))?;
    let policy = by_name(spec.name(), depth, memory);
    policy.ok_or_else(|| spec.error("there is no such policy"))
}

/// The names that [`by_name`] knows.
pub const NAMES: [&str; 3] = ["optimal", "lookahead", "greedy"];

/// The policy of this name; `depth` is for `lookahead`, `memory` in bytes for `optimal`.
#[must_use]
pub fn by_name(name: &str, depth: u32, memory: usize) -> Option<Box<dyn FloodPolicy>> {
    match name {
        "optimal" => Some(Box::new(Optimal::new(memory))),
        "lookahead" => Some(Box::new(Lookahead::new(depth))),
        "greedy" => Some(Box::new(Lookahead::greedy())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_what_there_is() {
        let names: Vec<&str> = LIST.iter().map(|l| l.name).collect();
        assert_eq!(names, NAMES);
        for listed in LIST {
            let policy = by_spec(listed.name, 4, MEMORY).expect("listed");
            assert_eq!(policy.name(), listed.name);
            for option in listed.options {
                let text = format!("{}:{}={}", listed.name, option.key, option.default);
                by_spec(&text, 4, MEMORY).expect("its own default");
            }
        }
        assert_eq!(LIST[0].options[0].default, (MEMORY >> 20).to_string());
        assert_eq!(LIST[1].options[0].default, DEPTH.to_string());
        by_spec(USUAL, DEPTH, MEMORY).expect("it is one of them");
        let told = |text: &str| by_spec(text, 4, MEMORY).err().expect("none").to_string();
        assert!(told("lookahead:depth=13").contains("1 to 12"));
        assert!(told("optimum").contains("there are: optimal"));
    }
}
