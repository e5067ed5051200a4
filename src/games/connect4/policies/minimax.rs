//! The reference's policy: negamax over a few moves, values scaled by depth.
//!
//! A move that wins is worth 10, one that fills the board 0, one at the end of the depth 0, any
//! other minus what the position after it is worth. A position is worth its best move times
//! `1 - K * depth`, where the position to decide on has depth 0: so near wins count more and near
//! losses hurt more. With depth 6 and K = 0.2 the deepest moves count nothing.

use super::{Choice, Connect4Policy};
use crate::games::connect4::rules::Board;
use crate::games::gauge::Gauge;
use crate::types::Budget;

/// How far the reference looks.
pub const DEPTH: u32 = 6;
/// The reference's scaling, for six moves.
pub const K: f64 = 0.2;
/// What a win is worth.
const WIN: f64 = 10.0;

/// The reference's policy.
#[derive(Clone, Debug)]
pub struct Minimax {
    depth: u32,
    k: f64,
    vary: bool,
}

impl Minimax {
    /// Looks `depth` moves ahead with this `k`; with `vary` further where fewer columns are left.
    #[must_use]
    pub const fn new(depth: u32, k: f64, vary: bool) -> Self {
        Self { depth, k, vary }
    }

    /// How far it looks on a board: with `vary` about as many positions as on an empty one.
    #[must_use]
    pub fn depth_on(&self, board: &Board) -> u32 {
        let left = u32::try_from(board.size().len() - board.discs()).unwrap_or(u32::MAX);
        let columns = f64::from(board.size().cols);
        let depth = match board.legal().count() {
            _ if !self.vary => self.depth,
            0 | 1 => left,
            legal => {
                let further = f64::from(self.depth) * columns.ln() / (legal as f64).ln();
                // From 1 to 35 columns this is a small number.
                further as u32
            }
        };
        depth.clamp(1, left.max(1))
    }

    /// `1 - K * depth`; where the depth has grown beyond what K is for, a value counts nothing
    /// rather than against itself.
    fn share(&self, depth: u32) -> f64 {
        (1.0 - self.k * f64::from(depth)).max(0.0)
    }

    /// The worth of a position at this depth, if it is within the window; else a bound of it.
    fn worth(&self, board: &mut Board, depth: u32, window: (f64, f64), look: &mut Look) -> f64 {
        let share = self.share(depth);
        if share <= 0.0 {
            return 0.0;
        }
        let (low, high) = (window.0 / share, window.1 / share);
        let mut best = f64::NEG_INFINITY;
        for &col in look.order.clone().iter() {
            if !board.is_legal(col) {
                continue;
            }
            let value = self.after(board, col, depth, (best.max(low), high), look);
            best = best.max(value);
            if best >= high || look.spent {
                break;
            }
        }
        best * share
    }

    /// The worth of a move in a position at this depth.
    fn after(
        &self,
        board: &mut Board,
        col: usize,
        depth: u32,
        (low, high): (f64, f64),
        look: &mut Look,
    ) -> f64 {
        look.spent |= !look.gauge.node();
        if board.wins(col) {
            return WIN;
        }
        if board.play(col).is_err() {
            return 0.0;
        }
        let value = if board.is_over() || depth + 1 >= look.deepest || look.spent {
            0.0
        } else {
            -self.worth(board, depth + 1, (-high, -low), look)
        };
        board.undo(col);
        value
    }
}

/// What a decision carries along.
struct Look<'a, 'b> {
    gauge: &'a mut Gauge<'b>,
    deepest: u32,
    spent: bool,
    /// Columns from the middle outwards, the left one of two first.
    order: std::rc::Rc<[usize]>,
}

/// Columns from the middle outwards, the left one of two first.
pub(super) fn from_middle(cols: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..cols).collect();
    order.sort_by_key(|&c| (2 * c + 1).abs_diff(cols));
    order
}

impl Connect4Policy for Minimax {
    fn name(&self) -> &'static str {
        "minimax"
    }

    /// Of equal moves the one nearest to the middle, the left one of two.
    fn decide(&mut self, board: &Board, budget: &Budget) -> Option<Choice> {
        if board.is_over() {
            return None;
        }
        let mut gauge = Gauge::start(budget);
        let mut board = board.clone();
        let mut look = Look {
            spent: gauge.is_spent(),
            deepest: self.depth_on(&board),
            order: from_middle(board.size().cols.into()).into(),
            gauge: &mut gauge,
        };
        let mut best: Option<(f64, usize)> = None;
        for &col in look.order.clone().iter() {
            if !board.is_legal(col) {
                continue;
            }
            let low = best.map_or(f64::NEG_INFINITY, |b| b.0);
            let value = self.after(&mut board, col, 0, (low, f64::INFINITY), &mut look);
            if best.is_none() || (!look.spent && value > low) {
                best = Some((value, col));
            }
            if look.spent {
                break;
            }
        }
        let (depth, spent) = (look.deepest, look.spent);
        best.map(|(value, column)| Choice {
            column,
            score: value * self.share(0),
            bounds: None,
            nodes: gauge.nodes(),
            note: match spent {
                false => format!("{depth} moves ahead"),
                true => format!("less than {depth} moves ahead: the budget is spent"),
            },
            columns: None,
        })
    }
}
