//! The policies of Connect-4 as somebody at the table, and as an adviser.

use crate::games::connect4::policies::{Bounds, Connect4Policy};
use crate::games::connect4::rules::Board;
use crate::games::facing::{Advice, Contest, Thinker, budget};
use crate::types::Budget;

/// A policy at the table.
pub struct Player(pub Box<dyn Connect4Policy>);

impl Thinker<Board> for Player {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn answer(&mut self, board: &Board, budget: &Budget) -> Option<usize> {
        Some(self.0.decide(board, budget)?.column)
    }
}

/// What a person may ask.
pub struct Adviser {
    policy: Box<dyn Connect4Policy>,
    nodes: u64,
}

impl Adviser {
    /// Somebody who visits at most so many nodes for an answer.
    pub fn new(policy: Box<dyn Connect4Policy>, nodes: u64) -> Self {
        Self { policy, nodes }
    }

    /// The best column; with `scores` the exact score of every column, or what it is at least or
    /// at most where the nodes did not suffice.
    pub fn advise(&mut self, board: &Board, scores: bool) -> Advice<usize> {
        let budget = budget(self.nodes, 0);
        let choice = match scores {
            true => self.policy.analyse(board, &budget),
            false => self.policy.decide(board, &budget),
        };
        let columns = choice.as_ref().and_then(|c| c.columns.as_deref());
        let columns = columns.unwrap_or_default().iter().enumerate();
        let scores = columns
            .filter_map(|(col, bounds)| Some((board.landing(col)?, text((*bounds)?))))
            .collect();
        Advice {
            best: choice.map(|c| c.column),
            scores,
        }
    }
}

/// A score for a person: `+3`, `0`, `-2`; `>0`, `<0` where only that much is known.
fn text(bounds: Bounds) -> String {
    match (bounds.exact(), bounds) {
        (Some(0), _) => "0".to_owned(),
        (Some(score), _) => format!("{score:+}"),
        (None, Bounds { lower: 1.., .. }) => ">0".to_owned(),
        (None, Bounds { upper, .. }) if upper < 0 => "<0".to_owned(),
        _ => "?".to_owned(),
    }
}
