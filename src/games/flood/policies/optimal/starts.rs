//! The start from which a board takes the fewest moves, if any cell may be the start.

use super::super::bound::moves_needed;
use super::super::graph::{number_regions, with_graph};
use super::beam::beam;
use super::{FIRST_WIDTH, Found, solve};
use crate::games::flood::rules::Board;
use crate::games::gauge::Gauge;
use crate::types::{Budget, Cell};

/// A start and the moves from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestStart {
    /// The first cell of the region to start from, row-major.
    pub start: Cell,
    /// Moves to the end; none if the board is solved.
    pub moves: Vec<u8>,
    /// No start has fewer, as far as proven.
    pub lower_bound: u32,
    /// Positions visited.
    pub nodes: u64,
}

/// One region as the start.
struct Start {
    board: Board,
    moves: Vec<u8>,
    lower: u32,
}

/// The start with the fewest moves; of equals the one whose first plan is shortest, then the
/// first, row-major. Within the budget and `memory` bytes; the start of `board` does not matter.
///
/// A quick plan for each region first: those whose moves needed are no fewer than the best plan
/// has are out, the others are searched for a shorter one, the most promising first.
#[must_use]
pub fn best_start(board: &Board, memory: usize, budget: &Budget) -> BestStart {
    let mut gauge = Gauge::start(budget);
    let mut starts: Vec<Start> = regions(board)
        .into_iter()
        .map(|cell| {
            let board = board.clone().with_start(cell);
            let (moves, lower) = with_graph!(&board, |graph| {
                let plan = beam(graph, FIRST_WIDTH, u32::MAX, &mut gauge).unwrap_or_default();
                let colours = plan.iter().map(|&c| graph.palette[usize::from(c)]);
                (colours.collect(), moves_needed(graph, &graph.start()))
            });
            Start {
                board,
                moves,
                lower,
            }
        })
        .collect();
    starts.sort_by_key(|s| (s.moves.len(), s.lower));
    let mut best = starts.first().map_or_else(Vec::new, |s| s.moves.clone());
    let mut cell = starts.first().map_or(board.start(), |s| s.board.start());
    let mut lower = u32::MAX;
    for start in &starts {
        // A board has fewer than 2^32 moves.
        let upper = best.len() as u32;
        if start.lower >= upper {
            lower = lower.min(upper);
            continue;
        }
        if gauge.is_spent() {
            lower = lower.min(start.lower);
            continue;
        }
        let found = with_graph!(&start.board, |graph| {
            let found = solve(graph, upper, memory, budget, &mut gauge);
            let colours = found.moves.iter().map(|&c| graph.palette[usize::from(c)]);
            Found {
                moves: colours.collect(),
                lower: found.lower,
            }
        });
        if !found.moves.is_empty() && found.moves.len() < best.len() {
            best = found.moves;
            cell = start.board.start();
        }
        lower = lower.min(found.lower.max(start.lower));
    }
    BestStart {
        start: cell,
        lower_bound: lower.min(best.len() as u32),
        moves: best,
        nodes: gauge.nodes(),
    }
}

/// The first cell of each region, row-major.
fn regions(board: &Board) -> Vec<Cell> {
    let (region, count) = number_regions(board);
    let mut first = vec![None; count];
    for (cell, &r) in board.size().cells().zip(&region) {
        first[usize::from(r)].get_or_insert(cell);
    }
    let mut cells: Vec<Cell> = first.into_iter().flatten().collect();
    cells.sort_by_key(|c| (c.row, c.col));
    cells
}
