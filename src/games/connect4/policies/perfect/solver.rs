//! Exact scores: which windows to search, until bounds meet or the budget is spent.

use super::search::{Book, Node, Search};
use super::table::Table;
use crate::games::connect4::rules::bits::{Bits, Shape, Word};
use crate::games::gauge::Gauge;

/// What a score is known to lie between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// At least this.
    pub lower: i32,
    /// At most this.
    pub upper: i32,
}

impl Bounds {
    /// The score, if it is known.
    #[must_use]
    pub fn exact(self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The score, or the middle of what it lies between.
    #[must_use]
    pub fn middle(self) -> f64 {
        f64::midpoint(self.lower.into(), self.upper.into())
    }

    /// Of a score that is known.
    #[must_use]
    pub const fn of(score: i32) -> Self {
        Self {
            lower: score,
            upper: score,
        }
    }

    /// For the other player.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self {
            lower: -self.upper,
            upper: -self.lower,
        }
    }
}

/// What is known of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// The column to play, from 0.
    pub best: u32,
    /// The position's score.
    pub score: Bounds,
    /// The score of each column's move, for the player who makes it; `None` where the column is
    /// full.
    pub columns: Vec<Option<Bounds>>,
}

impl Analysis {
    /// Only a score.
    pub(super) const fn of(score: Bounds) -> Self {
        Self {
            best: 0,
            score,
            columns: Vec::new(),
        }
    }
}

/// Scores beyond this are those of quick wins and looked for first: that is cheap, since they need
/// not be followed far.
const QUICK: i32 = 12;

/// Where to cut an interval.
fn middle(b: Bounds) -> i32 {
    let (lo, hi) = (b.lower, b.upper);
    if lo < 0 && hi > 0 {
        if lo < -QUICK {
            lo / 2
        } else if hi > QUICK {
            hi / 2
        } else {
            0
        }
    } else if lo >= 0 {
        if hi > QUICK && lo + 1 < hi / 2 {
            hi / 2
        } else {
            lo
        }
    } else if lo < -QUICK && hi - 1 > lo / 2 {
        lo / 2
    } else {
        hi - 1
    }
}

/// Solves positions of one shape.
pub struct Solver<'a, 'b, S: Shape> {
    shape: S,
    total: i32,
    search: Search<'a, 'b, S>,
}

impl<'a, 'b, S: Shape> Solver<'a, 'b, S> {
    /// A solver that keeps what it finds in the table. `nodes` is the budget's number of nodes.
    pub fn new(
        shape: S,
        table: &'a mut Table,
        book: Option<&'a dyn Book<S::Word>>,
        gauge: &'a mut Gauge<'b>,
        nodes: Option<u64>,
    ) -> Self {
        Self {
            shape,
            total: shape.cells().count() as i32,
            search: Search::new(shape, table, book, gauge, nodes),
        }
    }

    /// Nodes so far.
    pub fn nodes(&self) -> u64 {
        self.search.nodes()
    }

    /// Tells the gauge of all nodes so far.
    pub fn count(&mut self) {
        self.search.count();
    }

    /// The score of whoever wins with the move after so many discs.
    fn score_of_win(&self, discs: i32) -> i32 {
        (self.total + 1 - discs) / 2
    }

    fn playable(&self, bits: Bits<S::Word>) -> S::Word {
        (bits.mask + self.shape.bottom()) & self.shape.cells()
    }

    fn wins(&self, bits: Bits<S::Word>) -> S::Word {
        self.shape.completing(bits.own) & self.playable(bits)
    }

    /// The score of a position that is not over, as far as the budget goes; at first it is known to
    /// lie within the bounds.
    pub fn score(&mut self, bits: Bits<S::Word>, known: Option<Bounds>) -> Bounds {
        let discs = bits.mask.count() as i32;
        if self.wins(bits) != S::Word::ZERO {
            return Bounds::of(self.score_of_win(discs));
        }
        if discs >= self.total {
            return Bounds::of(0);
        }
        if let Some((score, _)) = self.search.booked(bits) {
            return Bounds::of(score);
        }
        let mut bounds = Bounds {
            lower: -((self.total - discs) / 2),
            upper: (self.total - 1 - discs) / 2,
        };
        if let Some(known) = known {
            bounds.lower = bounds.lower.max(known.lower).min(bounds.upper);
            bounds.upper = bounds.upper.min(known.upper).max(bounds.lower);
        }
        let node = self.search.node(bits);
        while bounds.lower < bounds.upper {
            let cut = middle(bounds);
            let value = self.search.bound(node, cut, cut + 1);
            if self.search.is_spent() {
                break;
            }
            if value <= cut {
                bounds.upper = value.max(bounds.lower);
            } else {
                bounds.lower = value.min(bounds.upper);
            }
        }
        bounds
    }

    /// Whether a position's score is at most this; `None` when the budget is spent.
    fn is_at_most(&mut self, bits: Bits<S::Word>, score: i32) -> Option<bool> {
        let discs = bits.mask.count() as i32;
        if self.wins(bits) != S::Word::ZERO {
            return Some(self.score_of_win(discs) <= score);
        }
        let node: Node<S::Word> = self.search.node(bits);
        let value = self.search.bound(node, score, score + 1);
        (!self.search.is_spent()).then_some(value <= score)
    }

    /// The column to play in a position of this score that is not over: one whose move is proven
    /// to reach the score; when that is not known or the budget is spent, the likeliest.
    pub fn best(&mut self, bits: Bits<S::Word>, score: Bounds) -> u32 {
        let wins = self.wins(bits);
        if wins != S::Word::ZERO {
            return wins.lowest() / self.shape.stride();
        }
        if let Some((_, best)) = self.search.booked(bits) {
            return best;
        }
        let columns = self.ordered(bits);
        let likely = columns[0].unwrap_or(0);
        let (Some(score), false) = (score.exact(), self.search.is_spent()) else {
            return likely;
        };
        let mut left = columns.into_iter().flatten().peekable();
        while let Some(col) = left.next() {
            // Somebody must reach it, so the last need not prove it.
            if left.peek().is_none() {
                return col;
            }
            match self.is_at_most(self.after(bits, col), -score) {
                Some(true) => return col,
                Some(false) => {}
                None => return likely,
            }
        }
        likely
    }

    /// The score and the column to play.
    pub fn decide(&mut self, bits: Bits<S::Word>) -> Analysis {
        let score = self.score(bits, None);
        Analysis {
            best: self.best(bits, score),
            ..Analysis::of(score)
        }
    }

    /// Everything about a position that is not over, as far as the budget goes.
    pub fn analyse(&mut self, bits: Bits<S::Word>) -> Analysis {
        let score = self.score(bits, None);
        let best = self.best(bits, score);
        let mut columns = vec![None; self.shape.cols() as usize];
        let discs = bits.mask.count() as i32;
        for col in self.ordered(bits).into_iter().flatten() {
            let own = self.shape.column(col) & self.wins(bits) != S::Word::ZERO;
            columns[col as usize] = Some(if own {
                Bounds::of(self.score_of_win(discs))
            } else if col == best && score.exact().is_some() && !self.search.is_spent() {
                score
            } else {
                let known = Bounds {
                    lower: -score.upper,
                    upper: i32::MAX,
                };
                self.score(self.after(bits, col), Some(known)).turned()
            });
        }
        Analysis {
            best,
            score,
            columns,
        }
    }

    /// The position after a disc in a column that is not full.
    pub fn after(&self, bits: Bits<S::Word>, col: u32) -> Bits<S::Word> {
        bits.after(self.playable(bits) & self.shape.column(col))
    }

    /// The columns that are not full, the likeliest first.
    fn ordered(&self, bits: Bits<S::Word>) -> [Option<u32>; 8] {
        let zero = S::Word::ZERO;
        let (shape, playable) = (self.shape, self.playable(bits));
        let answers = shape.completing(bits.own ^ bits.mask);
        let known = self.search.known_best(bits);
        let mut found: [Option<(i32, u32)>; 8] = [None; 8];
        for col in 0..shape.cols() {
            let cell = playable & shape.column(col);
            if cell == zero {
                continue;
            }
            let mask = bits.mask | cell;
            let rows = shape.completing(bits.own | cell) & shape.cells() & !mask;
            let order = 10 * rows.count() as i32 - (2 * col as i32 + 1 - shape.cols() as i32).abs()
                + 100 * i32::from(known == Some(col))
                + 2000 * i32::from(cell & answers != zero)
                - 1000 * i32::from(cell << 1 & answers & shape.cells() != zero)
                + 9000 * i32::from(cell & self.wins(bits) != zero);
            found[col as usize] = Some((order, col));
        }
        found.sort_by_key(|f| f.map_or(i32::MAX, |(order, _)| -order));
        found.map(|f| f.map(|(_, col)| col))
    }
}
