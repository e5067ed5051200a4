//! Exact search on boards of any size, without tricks: what the fast search is compared with, and
//! what plays on boards that are too large for it.
//!
//! Depth grows move by move. A row that is found is found at its earliest, so its score is exact;
//! until then all that is proven is that nobody wins within the depth.

use super::minimax::from_middle;
use super::perfect::Bounds;
use super::{Choice, Connect4Policy, note};
use crate::games::connect4::rules::Board;
use crate::games::gauge::Gauge;
use crate::types::Budget;

/// The plain search as a policy.
#[derive(Clone, Copy, Debug, Default)]
pub struct General;

impl Connect4Policy for General {
    fn name(&self) -> &'static str {
        "general"
    }

    fn decide(&mut self, board: &Board, budget: &Budget) -> Option<Choice> {
        if board.is_over() {
            return None;
        }
        let mut gauge = Gauge::start(budget);
        let (bounds, column) = solve(board, &mut gauge);
        Some(Choice {
            column,
            score: bounds.middle(),
            note: note(board, bounds),
            bounds: Some(bounds),
            nodes: gauge.nodes(),
            columns: None,
        })
    }
}

/// The score of whoever wins on a board of so many cells with the move after so many discs: half of
/// the cells that are left and one more, rounded down.
#[must_use]
pub fn score_of_win(cells: usize, discs: usize) -> i32 {
    i32::try_from((cells + 1).saturating_sub(discs) / 2).unwrap_or(i32::MAX)
}

/// What a search carries along.
struct Search<'a, 'b> {
    gauge: &'a mut Gauge<'b>,
    spent: bool,
    /// Whether the depth has ended a line.
    cut: bool,
    order: Vec<usize>,
}

/// What is known of a position that is not over, and the best column.
pub(super) fn solve(board: &Board, gauge: &mut Gauge) -> (Bounds, usize) {
    let cells = board.size().len();
    let left = cells - board.discs();
    let highest = score_of_win(cells, board.discs());
    let mut search = Search {
        spent: gauge.is_spent(),
        gauge,
        cut: false,
        order: from_middle(board.size().cols.into()),
    };
    let mut board = board.clone();
    let first = search.order.iter().copied().find(|&c| board.is_legal(c));
    let mut best = first.unwrap_or(0);
    let mut bounds = Bounds {
        lower: -highest,
        upper: highest,
    };
    for depth in 1..=left {
        search.cut = false;
        let (value, col) = search.best(&mut board, depth, -highest, highest);
        if search.spent {
            break;
        }
        best = col.unwrap_or(best);
        // Not won within the depth, by either: at best on the move after it.
        let later = score_of_win(cells, board.discs() + depth);
        bounds = match value {
            0 if search.cut => Bounds {
                lower: -later,
                upper: later,
            },
            _ => Bounds {
                lower: value,
                upper: value,
            },
        };
        if bounds.lower == bounds.upper {
            break;
        }
        // The best so far is tried first.
        search.order.retain(|&c| c != best);
        search.order.insert(0, best);
    }
    (bounds, best)
}

impl Search<'_, '_> {
    fn best(
        &mut self,
        board: &mut Board,
        depth: usize,
        low: i32,
        high: i32,
    ) -> (i32, Option<usize>) {
        self.spent |= !self.gauge.node();
        if self.spent {
            return (0, None);
        }
        for col in 0..self.order.len() {
            if board.wins(col) {
                return (score_of_win(board.size().len(), board.discs()), Some(col));
            }
        }
        if depth == 1 {
            self.cut |= board.discs() + 1 < board.size().len();
            return (0, self.order.iter().copied().find(|&c| board.is_legal(c)));
        }
        let mut best = (i32::MIN, None);
        for i in 0..self.order.len() {
            let col = self.order[i];
            if board.play(col).is_err() {
                continue;
            }
            let value = match board.is_over() {
                true => 0,
                false => -self.best(board, depth - 1, -high, -low.max(best.0)).0,
            };
            board.undo(col);
            if self.spent {
                return (0, best.1);
            }
            if value > best.0 {
                best = (value, Some(col));
                if value >= high {
                    break;
                }
            }
        }
        match best.1 {
            Some(_) => best,
            None => (0, None),
        }
    }
}
