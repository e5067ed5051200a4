//! The search for bounds of a score: alpha-beta with a null window mostly, over positions in which
//! nobody can win at once.
//!
//! Takes a position and a window, gives a bound as sharp as it comes by. Knows no clock: it counts
//! nodes and asks the gauge in strides.

use super::follow;
use super::table::{Known, NO_COLUMN, Table};
use crate::games::connect4::rules::bits::{Bits, Shape, Word, at_most_one};
use crate::games::gauge::Gauge;

/// Nodes between two questions to the gauge.
const STRIDE: u64 = 512;
/// With fewer cells left than this children are not looked up before the search: it is quicker.
const PROBE_FROM: i32 = 8;
/// Up to so many discs a position and its mirror image are one.
const MIRRORED: i32 = 12;
/// Up to so many discs rows of which two are there count in the order.
const PAIRS_UNTIL: i32 = 20;
/// More than all other reasons to try a child first.
const FIRST: i32 = 1000;

/// A position as the search carries it. The player to move cannot win at once.
#[derive(Clone, Copy, Debug)]
pub struct Node<W> {
    /// Discs of the player to move.
    pub own: W,
    /// All discs.
    pub mask: W,
    /// Empty cells with which the opponent makes a row.
    pub opp_win: W,
    /// Number of discs.
    pub discs: i32,
}

/// Scores that are known without search.
pub trait Book<W> {
    /// Positions of more discs are not in it.
    fn deepest(&self) -> i32;
    /// The score of a position, by its key or its mirror image's, whichever is smaller.
    fn score(&self, key: W) -> Option<i32>;
    /// A best column of a position by the same key, in the position of that key.
    fn best(&self, key: W) -> Option<u32>;
}

/// A search under way.
pub struct Search<'a, 'b, S: Shape> {
    shape: S,
    table: &'a mut Table,
    book: Option<&'a dyn Book<S::Word>>,
    book_until: i32,
    gauge: &'a mut Gauge<'b>,
    /// The budget's number of nodes, and how many more to do before the gauge is asked.
    limit: u64,
    stride: u64,
    /// Nodes that the gauge knows nothing of yet.
    uncounted: u64,
    spent: bool,
    /// Whether the search has been broken off only for the table to grow.
    crowded: bool,
    total: i32,
    follows: bool,
    /// Columns nearer to the middle have more.
    centre: [i32; 8],
}

#[derive(Clone, Copy)]
struct Child<W> {
    cell: W,
    /// Cells with which the player who moved there makes a row.
    win: W,
    order: i32,
    col: u32,
    key: W,
    /// Whether the answer is forced, so that there is no entry in the table.
    forced: bool,
}

impl<'a, 'b, S: Shape> Search<'a, 'b, S> {
    /// A search that keeps what it finds in the table. `nodes` is the budget's number of nodes.
    pub fn new(
        shape: S,
        table: &'a mut Table,
        book: Option<&'a dyn Book<S::Word>>,
        gauge: &'a mut Gauge<'b>,
        nodes: Option<u64>,
    ) -> Self {
        let cols = shape.cols() as i32;
        Self {
            shape,
            table,
            book_until: book.map_or(-1, Book::deepest),
            book,
            spent: gauge.is_spent(),
            crowded: false,
            gauge,
            limit: nodes.unwrap_or(u64::MAX),
            stride: nodes.map_or(STRIDE, |n| n.clamp(1, STRIDE)),
            uncounted: 0,
            total: shape.cells().count() as i32,
            follows: shape.rows().is_multiple_of(2),
            centre: std::array::from_fn(|c| -(2 * c as i32 - (cols - 1)).abs()),
        }
    }

    /// The position as a node.
    pub fn node(&self, bits: Bits<S::Word>) -> Node<S::Word> {
        let empty = self.shape.cells() & !bits.mask;
        Node {
            own: bits.own,
            mask: bits.mask,
            opp_win: self.shape.completing(bits.own ^ bits.mask) & empty,
            discs: bits.mask.count() as i32,
        }
    }

    /// Whether the budget is spent: what the last search said is then worth nothing.
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// Tells the gauge what it does not know yet.
    pub fn count(&mut self) {
        self.crowded = self.table.is_crowded();
        self.spent |= !self.gauge.add(self.uncounted);
        self.uncounted = 0;
        let left = self.limit.saturating_sub(self.gauge.nodes());
        self.stride = left.clamp(1, STRIDE);
    }

    /// All nodes so far.
    pub fn nodes(&self) -> u64 {
        self.gauge.nodes() + self.uncounted
    }

    /// The key of a position in table and book, and whether it is that of its mirror image.
    #[inline(always)]
    pub fn key(&self, own: S::Word, mask: S::Word, discs: i32) -> (S::Word, bool) {
        let key = own + mask;
        if discs > MIRRORED {
            return (key, false);
        }
        let mirrored = self.shape.mirror(own) + self.shape.mirror(mask);
        (key.min(mirrored), mirrored < key)
    }

    /// The column that the table knows as the best in a position.
    pub fn known_best(&self, bits: Bits<S::Word>) -> Option<u32> {
        let (key, mirrored) = self.key(bits.own, bits.mask, bits.mask.count() as i32);
        let found = self.table.get(key)?.best;
        (found != NO_COLUMN).then(|| self.column(found, mirrored))
    }

    /// Score and best column of a position by the book.
    pub fn booked(&self, bits: Bits<S::Word>) -> Option<(i32, u32)> {
        let discs = bits.mask.count() as i32;
        let book = self.book.filter(|_| discs <= self.book_until)?;
        let (key, mirrored) = self.key(bits.own, bits.mask, discs);
        Some((book.score(key)?, self.column(book.best(key)?, mirrored)))
    }

    #[inline(always)]
    fn column(&self, col: u32, mirrored: bool) -> u32 {
        if mirrored && col != NO_COLUMN {
            self.shape.cols() - 1 - col
        } else {
            col
        }
    }

    /// As [`Search::step`]; lets the table grow when it should.
    pub fn bound(&mut self, node: Node<S::Word>, alpha: i32, beta: i32) -> i32 {
        loop {
            let value = self.deepen(node, alpha, beta);
            if self.spent || !self.crowded {
                return value;
            }
            // What has been found is kept, so beginning anew costs little.
            self.table.grow();
            self.crowded = false;
        }
    }

    /// [`Search::step`] all the way down, compiled for this processor: much of it counts bits, for
    /// which the oldest ones have no instruction.
    fn deepen(&mut self, node: Node<S::Word>, alpha: i32, beta: i32) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if counts_bits() {
            #[allow(unsafe_code)]
            // SAFETY: the features that the function is compiled for were just found.
            return unsafe { self.counting(node, alpha, beta) };
        }
        self.plain(node, alpha, beta)
    }

    fn plain(&mut self, node: Node<S::Word>, alpha: i32, beta: i32) -> i32 {
        self.step(node, alpha, beta, |s, n, a, b| s.plain(n, a, b))
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    fn counting(&mut self, node: Node<S::Word>, alpha: i32, beta: i32) -> i32 {
        self.step(node, alpha, beta, |s, n, a, b| s.counting(n, a, b))
    }

    /// A bound of the node's score: at least `beta`, then the score is at least that; at most
    /// `alpha`, then it is at most that; else the score itself. `deeper` does the same for the
    /// positions below.
    #[inline(always)]
    fn step(
        &mut self,
        node: Node<S::Word>,
        mut alpha: i32,
        mut beta: i32,
        deeper: impl Fn(&mut Self, Node<S::Word>, i32, i32) -> i32,
    ) -> i32 {
        let (shape, zero) = (self.shape, S::Word::ZERO);
        let cells = shape.cells();
        let Node {
            mut own,
            mut mask,
            mut opp_win,
            mut discs,
        } = node;
        // Moves that are forced, or the only ones that do not lose at once, are made here.
        let mut sign = 1;
        let moves = loop {
            let playable = (mask + shape.bottom()) & cells;
            if playable == zero {
                return 0;
            }
            let forced = playable & opp_win;
            if !at_most_one(forced) {
                return -sign * ((self.total - discs) / 2);
            }
            let moves = if forced != zero { forced } else { playable } & !(opp_win >> 1);
            if moves == zero {
                return -sign * ((self.total - discs) / 2);
            }
            if !at_most_one(moves) {
                break moves;
            }
            let moved = own | moves;
            own = own ^ mask;
            mask = mask | moves;
            opp_win = shape.completing(moved) & cells & !mask;
            discs += 1;
            (alpha, beta) = (-beta, -alpha);
            sign = -sign;
        };
        self.uncounted += 1;
        if self.uncounted >= self.stride {
            self.count();
        }
        if self.spent | self.crowded || discs >= self.total - 2 {
            return 0;
        }
        let mut lower = -((self.total - 2 - discs) / 2);
        let mut upper = (self.total - 1 - discs) / 2;
        let empty = cells & !mask;
        if !shape.has_row(own | empty) {
            upper = upper.min(0);
        }
        if !shape.has_row((own ^ mask) | empty) {
            lower = lower.max(0);
        }
        if lower >= beta || lower == upper {
            return sign * lower;
        }
        if upper <= alpha {
            return sign * upper;
        }
        let (key, mirrored) = self.key(own, mask, discs);
        if discs <= self.book_until
            && let Some(score) = self.book.and_then(|b| b.score(key))
        {
            return sign * score;
        }
        let mut best_col = NO_COLUMN;
        if let Some(found) = self.table.get(key) {
            lower = lower.max(found.lower);
            upper = upper.min(found.upper);
            if lower >= beta || lower == upper {
                return sign * lower;
            }
            if upper <= alpha {
                return sign * upper;
            }
            best_col = self.column(found.best, mirrored);
        }
        if self.follows
            && discs != node.discs
            && let Some(bound) = follow::upper(shape, discs & 1 == 0, own, mask, opp_win)
        {
            upper = upper.min(bound);
            if upper <= alpha {
                return sign * upper;
            }
        }
        let start = self.nodes();
        // What can be said of the children without search, and in which order to try them.
        let probes = discs < self.total - PROBE_FROM;
        let mut children = [Child {
            cell: zero,
            win: zero,
            order: 0,
            col: 0,
            key: zero,
            forced: false,
        }; 8];
        let mut count = 0;
        let mut left = moves;
        while left != zero {
            let cell = left & (!left + S::Word::ONE);
            left = left ^ cell;
            let mask = mask | cell;
            let win = shape.completing(own | cell) & cells & !mask;
            let playable = (mask + shape.bottom()) & cells;
            let forced = playable & win;
            let replies = if forced != zero { forced } else { playable } & !(win >> 1);
            if replies == zero || !at_most_one(forced) {
                // Won: the opponent can stop one row at most.
                return sign * ((self.total - 1 - discs) / 2);
            }
            if self.follows
                && let Some(bound) = follow::upper(
                    shape,
                    discs & 1 == 1,
                    other_discs(own, mask, cell),
                    mask,
                    win,
                )
            {
                lower = lower.max(-bound);
                if lower >= beta {
                    return sign * lower;
                }
            }
            let col = cell.lowest() / shape.stride();
            let mut order = 10 * win.count() as i32 + self.centre[col as usize];
            if discs < PAIRS_UNTIL {
                let mine = own | cell;
                let free = mine | cells & !mask;
                let mut pairs = 0;
                for s in [1, shape.rows(), shape.rows() + 1, shape.rows() + 2] {
                    let w = free & free >> s & free >> (2 * s) & free >> (3 * s);
                    let (a, b, c, d) = (mine, mine >> s, mine >> (2 * s), mine >> (3 * s));
                    let two = ((a | b) & (c | d) | a & b | c & d) & w;
                    pairs += two.count() as i32;
                }
                order += 2 * pairs;
            }
            if col == best_col {
                order += FIRST;
            }
            let mut child = Child {
                cell,
                win,
                order,
                col,
                key: zero,
                forced: forced != zero,
            };
            if probes && !child.forced {
                child.key = self.key(other_discs(own, mask, cell), mask, discs + 1).0;
            }
            let mut at = count;
            while at > 0 && children[at - 1].order < order {
                children[at] = children[at - 1];
                at -= 1;
            }
            children[at] = child;
            count += 1;
        }
        // What the table knows of them.
        let mut at_most = [i32::MAX; 8];
        if probes {
            let mut most = i32::MIN;
            for (child, at_most) in children[..count].iter().zip(&mut at_most) {
                if !child.forced
                    && let Some(found) = self.table.get(child.key)
                {
                    *at_most = -found.lower;
                    if -found.upper > lower {
                        lower = -found.upper;
                        best_col = child.col;
                    }
                }
                most = most.max(*at_most);
            }
            upper = upper.min(most.max(lower));
            if lower >= beta || upper <= alpha {
                let best = self.column(best_col, mirrored);
                self.table.put(key, Known { lower, upper, best }, 1);
                return sign * if lower >= beta { lower } else { upper };
            }
        }
        let mut best = i32::MIN;
        let mut bar = alpha.max(lower);
        for (child, &at_most) in children[..count].iter().zip(&at_most) {
            let value = if at_most <= bar {
                at_most
            } else {
                let next = Node {
                    own: own ^ mask,
                    mask: mask | child.cell,
                    opp_win: child.win,
                    discs: discs + 1,
                };
                -deeper(self, next, -beta, -bar)
            };
            if self.spent | self.crowded {
                return 0;
            }
            if value > best {
                best = value;
                best_col = child.col;
            }
            if value > bar {
                (lower, bar) = (value, value);
                if value >= beta {
                    break;
                }
            }
        }
        if best < beta {
            // Every child is at most this: those that failed low say so, and the others are exact.
            upper = upper.min(best.max(lower));
        }
        let work = self.nodes() - start;
        let known = Known {
            lower,
            upper,
            best: self.column(best_col, mirrored),
        };
        self.table.put(key, known, work);
        sign * best.max(lower).min(upper)
    }
}

/// Whether this processor has the instructions of [`Search::counting`].
#[cfg(target_arch = "x86_64")]
fn counts_bits() -> bool {
    is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

/// The discs of the player who did not move to `cell`, all discs after it being `mask`.
#[inline(always)]
fn other_discs<W: Word>(own: W, mask: W, cell: W) -> W {
    own ^ mask ^ cell
}
