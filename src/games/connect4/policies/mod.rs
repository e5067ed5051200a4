//! Policies for Connect-4: given a position and a budget, which column to play.
//!
//! `perfect` searches to the end, `minimax` a few moves ahead as the reference does, `general` as
//! far as it comes without any trick. None may keep
//! anything that changes a later answer except by making it better (what `perfect` has found stays
//! true), look at a clock other than through the gauge, or play in a position that is over.

pub mod book;
mod general;
mod minimax;
mod mover;
pub mod perfect;
#[cfg(test)]
mod tests;

use crate::games::connect4::rules::Board;
use crate::games::spec::{Listed, Setting, Spec, SpecError};
use crate::types::Budget;

pub use general::{General, score_of_win};
pub use minimax::Minimax;
pub use mover::mover;
pub use perfect::{Bounds, MEMORY, Perfect};

/// Who plays when nobody says.
pub const USUAL: &str = "perfect";

/// What a policy chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The column to play, from 0.
    pub column: usize,
    /// The policy's value of the position for the player to move; the unit is the policy's.
    pub score: f64,
    /// What the exact score lies between, as far as it is proven. It is half of what the number of
    /// cells and one more exceeds the discs before the winning move by, rounded down (on 7x6: 22
    /// less the discs of the winner in the end), negative if the player to move loses, 0 for a
    /// draw.
    pub bounds: Option<Bounds>,
    /// Positions visited.
    pub nodes: u64,
    /// For a person.
    pub note: String,
    /// Bounds of the score after each column, for the player who moves there, `None` where it is
    /// full; `None` if they were not asked for or the policy knows none.
    pub columns: Option<Vec<Option<Bounds>>>,
}

/// A way to choose moves.
pub trait Connect4Policy: Send {
    /// Its name as on the command line.
    fn name(&self) -> &str;

    /// Chooses a column; `None` when the game is over. Returns soon after the budget is spent, with
    /// the best so far.
    fn decide(&mut self, board: &Board, budget: &Budget) -> Option<Choice>;

    /// As [`Connect4Policy::decide`], and says what it knows of every column.
    fn analyse(&mut self, board: &Board, budget: &Budget) -> Option<Choice> {
        self.decide(board, budget)
    }
}

/// The policies and their options.
pub const LIST: &[Listed] = &[
    Listed {
        name: "perfect",
        about: "searches to the end: exact scores, the quickest win and the slowest loss",
        options: &[
            Setting {
                key: "memory",
                default: "128",
                about: "megabytes of its table, 1 to 65536 (a power of two is used)",
            },
            Setting {
                key: "book",
                default: "own",
                about: "own (what the program brings along) or none",
            },
        ],
    },
    Listed {
        name: "minimax",
        about: "looks some moves ahead, as the reference does",
        options: &[
            Setting {
                key: "depth",
                default: "6",
                about: "moves, 1 to 42",
            },
            Setting {
                key: "k",
                default: "0.2",
                about: "what a value loses per move down to it, as a share, 0 to 1",
            },
            Setting {
                key: "vary",
                default: "no",
                about: "no, or yes: looks further where fewer columns are left",
            },
        ],
    },
    Listed {
        name: "general",
        about: "searches deeper move by move without any trick, on boards of any size",
        options: &[],
    },
];

/// A policy by its name and options.
///
/// # Errors
/// An unknown name or option, or a value that is none.
pub fn by_name(spec: &str) -> Result<Box<dyn Connect4Policy>, SpecError> {
    let mut spec = Spec::parse(spec, LIST)?;
    match spec.name() {
        "perfect" => {
            let memory = spec.number("memory", perfect::MEMORY >> 20, 1..=65536)?;
            let mut policy = Perfect::new(memory << 20);
            if spec.word("book", &["own", "none"])? == 0 {
                policy = policy.with_book(book::own());
            }
            Ok(Box::new(policy))
        }
        "general" => Ok(Box::new(General)),
        _ => {
            let depth = spec.number("depth", minimax::DEPTH, 1..=42)?;
            let k = spec.number("k", minimax::K, 0.0..=1.0)?;
            let vary = spec.word("vary", &["no", "yes"])? == 1;
            Ok(Box::new(Minimax::new(depth, k, vary)))
        }
    }
}

/// What the score says, for a person.
fn note(board: &Board, bounds: Bounds) -> String {
    let cells = i32::try_from(board.size().len()).unwrap_or(i32::MAX);
    // The move that wins is made with so many discs on the board, by the player whose turn it is
    // then: of the two numbers that have this score the one of his parity.
    let moves = |score: i32, winner_moves: bool| {
        let discs = i32::try_from(board.discs()).unwrap_or(0);
        let at = cells + 1 - 2 * score;
        let at = at - i32::from(((at - discs) % 2 == 0) != winner_moves);
        at - discs + 1
    };
    match bounds.exact() {
        Some(0) => "a draw".to_owned(),
        Some(s) if s > 0 => format!("wins with move {} from here", moves(s, true)),
        Some(s) => format!("loses with move {} from here", moves(-s, false)),
        None if bounds.lower > 0 => "wins; how soon is not known".to_owned(),
        None if bounds.upper < 0 => "loses; how soon is not known".to_owned(),
        None => format!(
            "score {} to {}: the budget is spent",
            bounds.lower, bounds.upper
        ),
    }
}
