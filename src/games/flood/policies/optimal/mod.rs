//! The fewest moves, proven; and when the budget is too small for that, a good plan and how
//! many moves are needed at least.
//!
//! A quick beam search gives a first plan, the exact search proves it or finds a shorter one; if
//! it cannot be done within the budget, wider beams use what is left of it. The plan is kept: while
//! the board follows a proven plan, the next move costs nothing.

mod astar;
mod beam;
mod open;
mod pairs;
mod seen;
mod starts;

use super::graph::{Graph, with_graph};
use super::{Choice, FloodPolicy};
use crate::games::flood::rules::Board;
use crate::games::gauge::Gauge;
use crate::types::Budget;
use astar::{End, Search};
use beam::beam;

pub use starts::{BestStart, best_start};

/// Memory of the exact search unless another is given, in bytes.
pub const MEMORY: usize = 512 << 20;
/// Width of the beam that gives the first plan.
const FIRST_WIDTH: usize = 4;
/// Width of the widest beam when there is no limit but memory, and when there is one.
const WIDE: usize = 1 << 10;
const WIDEST: usize = 1 << 16;
/// Share of a budget after which a proof that is far off is given up for a better plan, and
/// after which one that is near is.
const FAR_SHARE: f64 = 0.2;
const NEAR_SHARE: f64 = 0.6;

/// The exact policy.
#[derive(Clone, Debug)]
pub struct Optimal {
    memory: usize,
    kept: Option<Kept>,
}

/// What is known about the board that should be seen next.
#[derive(Clone, Debug)]
struct Kept {
    board: Board,
    moves: Vec<u8>,
    lower: u32,
}

struct Found {
    /// In the graph's colours.
    moves: Vec<u8>,
    lower: u32,
}

impl Optimal {
    /// With `memory` bytes at most for the exact search; what it needs beside that is small.
    #[must_use]
    pub const fn new(memory: usize) -> Self {
        Self { memory, kept: None }
    }

    /// What was kept for this board, if it followed the plan.
    fn kept(&self, board: &Board) -> Option<&Kept> {
        self.kept.as_ref().filter(|k| k.board == *board)
    }

    fn choice(&mut self, board: &Board, moves: Vec<u8>, lower: u32, nodes: u64) -> Option<Choice> {
        let (&colour, rest) = moves.split_first()?;
        self.kept = Some(Kept {
            board: board.after(colour),
            moves: rest.to_vec(),
            lower: lower.saturating_sub(1),
        });
        let count = moves.len();
        let note = if count as u64 == u64::from(lower) {
            format!("{count} to go, proven to be the fewest")
        } else {
            format!("{count} to go, at least {lower} needed")
        };
        Some(Choice {
            colour,
            score: -(count as f64),
            nodes,
            note,
            plan: Some(moves),
            lower_bound: lower,
        })
    }
}

impl Default for Optimal {
    fn default() -> Self {
        Self::new(MEMORY)
    }
}

impl FloodPolicy for Optimal {
    fn name(&self) -> &'static str {
        "optimal"
    }

    fn decide(&mut self, board: &Board, budget: &Budget) -> Option<Choice> {
        if board.is_solved() {
            return None;
        }
        let known = self.kept(board).map(|k| (k.moves.clone(), k.lower));
        if let Some((moves, lower)) = &known
            && moves.len() as u64 == u64::from(*lower)
        {
            return self.choice(board, moves.clone(), *lower, 0);
        }
        let mut gauge = Gauge::start(budget);
        let upper = known.as_ref().map_or(u32::MAX, |(m, _)| m.len() as u32);
        let (mut moves, mut lower) = with_graph!(board, |graph| {
            let found = solve(graph, upper, self.memory, budget, &mut gauge);
            let colours = found.moves.iter().map(|&c| graph.palette[usize::from(c)]);
            (colours.collect::<Vec<u8>>(), found.lower)
        });
        if let Some((before, proven)) = known {
            lower = lower.max(proven);
            // Nothing shorter was found.
            if moves.is_empty() {
                moves = before;
            }
        }
        self.choice(board, moves, lower, gauge.nodes())
    }
}

/// A solution shorter than `upper` moves (none: no moves), and how many are needed at least.
fn solve<const N: usize>(
    graph: &Graph<N>,
    upper: u32,
    memory: usize,
    budget: &Budget,
    gauge: &mut Gauge,
) -> Found {
    let mut best = Best {
        moves: beam(graph, FIRST_WIDTH, upper, gauge).unwrap_or_default(),
        upper,
    };
    best.upper = best.upper.min(best.len().unwrap_or(upper));
    let limited = budget.time.is_some() || budget.nodes.is_some();
    let mut search = Search::new(graph, best.upper, memory);
    let end = search.run(gauge, |gauge, gap| {
        let share = if gap > 1 { FAR_SHARE } else { NEAR_SHARE };
        !limited || gauge.share() < share
    });
    let lower = search.lower_bound();
    if let End::Solved(moves) = end {
        return Found {
            lower: moves.len() as u32,
            moves,
        };
    }
    best.take(search.into_best());
    if end == End::NoneShorter {
        return Found {
            moves: best.moves,
            lower,
        };
    }
    let widest = if limited { WIDEST } else { WIDE };
    let widest = widest.min(memory / beam::bytes_per_position(graph));
    let mut width = 4 * FIRST_WIDTH;
    while !gauge.is_spent() && width <= widest && best.upper > lower {
        best.take(beam(graph, width, best.upper, gauge));
        width *= 2;
    }
    Found {
        moves: best.moves,
        lower,
    }
}

struct Best {
    moves: Vec<u8>,
    upper: u32,
}

impl Best {
    fn len(&self) -> Option<u32> {
        (!self.moves.is_empty()).then_some(self.moves.len() as u32)
    }

    fn take(&mut self, moves: Option<Vec<u8>>) {
        if let Some(moves) = moves {
            self.upper = moves.len() as u32;
            self.moves = moves;
        }
    }
}

#[cfg(test)]
mod tests;
