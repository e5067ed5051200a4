//! Search.

use super::follow;
use super::table::{Known, Table};
use crate::games::connect4::rules::bits::{Bits, Shape, Word, at_most_one};

/// A position as the search carries it.
#[derive(Clone, Copy, Debug)]
pub struct Node<W> {
    pub own: W,
    pub mask: W,
    pub own_win: W,
    pub opp_win: W,
    pub n: i32,
}

#[derive(Debug)]
pub struct Search<S: Shape> {
    pub shape: S,
    pub total: i32,
    pub table: Table,
    pub nodes: u64,
    pub stat: [u64; 16],
    pub knobs: [i32; 8],
    /// Columns from the middle outwards get more.
    centre: [i32; 16],
}

#[derive(Clone, Copy)]
struct Child<W> {
    cell: W,
    win: W,
    order: i32,
    col: u32,
    key: u64,
}

impl<S: Shape<Word = u64>> Search<S> {
    pub fn new(shape: S, bytes: usize) -> Self {
        let cols = shape.cols() as i32;
        Self {
            shape,
            total: shape.cells().count() as i32,
            table: Table::new(bytes, shape.stride() * shape.cols()),
            nodes: 0,
            stat: [0; 16],
            knobs: [0; 8],
            centre: std::array::from_fn(|c| -(2 * c as i32 - (cols - 1)).abs()),
        }
    }

    pub fn node(&self, bits: Bits<u64>) -> Node<u64> {
        let empty = self.shape.cells() & !bits.mask;
        Node {
            own: bits.own,
            mask: bits.mask,
            own_win: self.shape.completing(bits.own) & empty,
            opp_win: self.shape.completing(bits.own ^ bits.mask) & empty,
            n: bits.mask.count() as i32,
        }
    }

    /// Exact score.
    pub fn solve(&mut self, bits: Bits<u64>) -> i32 {
        let node = self.node(bits);
        let playable = node.mask + self.shape.bottom() & self.shape.cells();
        if playable & node.own_win != 0 {
            return (self.total + 1 - node.n) / 2;
        }
        let mut lo = -(self.total - node.n) / 2;
        let mut hi = (self.total - 1 - node.n) / 2;
        while lo < hi {
            let mut mid = lo + (hi - lo) / 2;
            if mid <= 0 && lo / 2 < mid {
                mid = lo / 2;
            } else if mid >= 0 && hi / 2 > mid {
                mid = hi / 2;
            }
            let v = self.search(node, mid, mid + 1);
            if v <= mid {
                hi = v;
            } else {
                lo = v;
            }
        }
        lo
    }

    fn search(&mut self, node: Node<u64>, mut alpha: i32, mut beta: i32) -> i32 {
        let shape = self.shape;
        let cells = shape.cells();
        let Node {
            mut own,
            mut mask,
            mut own_win,
            mut opp_win,
            mut n,
        } = node;
        let mut sign = 1;
        let moves = loop {
            let playable = mask + shape.bottom() & cells;
            let forced = playable & opp_win;
            let mut moves = playable;
            if forced != 0 {
                if !at_most_one(forced) {
                    return -sign * ((self.total - n) / 2);
                }
                moves = forced;
            }
            moves &= !(opp_win >> 1);
            if moves == 0 {
                if playable == 0 {
                    return 0;
                }
                return -sign * ((self.total - n) / 2);
            }
            if !at_most_one(moves) {
                break moves;
            }
            let cell = moves;
            let mine = own | cell;
            own ^= mask;
            mask |= cell;
            let was = own_win;
            let _ = was;
            own_win = opp_win & !cell;
            opp_win = shape.completing(mine) & cells & !mask;
            n += 1;
            (alpha, beta) = (-beta, -alpha);
            sign = -sign;
        };
        self.nodes += 1;
        if n >= self.total - 2 {
            return 0;
        }
        let mut lower = -((self.total - 2 - n) / 2);
        let mut upper = (self.total - 1 - n) / 2;
        if lower >= beta {
            return sign * lower;
        }
        if upper <= alpha {
            return sign * upper;
        }
        let empty = cells & !mask;
        if self.knobs[0] & 1 == 0 {
            if !shape.has_row(own | empty) {
                upper = upper.min(0);
                if upper <= alpha {
                    self.stat[0] += 1;
                    return sign * upper;
                }
            }
            if !shape.has_row((own ^ mask) | empty) {
                lower = lower.max(0);
                if lower >= beta {
                    self.stat[1] += 1;
                    return sign * lower;
                }
            }
        }
        let key = own + mask;
        let mut best_col = 15;
        let mut known = Known {
            lower,
            upper,
            best: 15,
        };
        if let Some(found) = self.table.get(key) {
            self.stat[2] += 1;
            known = found;
            lower = lower.max(found.lower);
            upper = upper.min(found.upper);
            if lower >= beta || lower == upper {
                return sign * lower;
            }
            if upper <= alpha {
                return sign * upper;
            }
            best_col = found.best;
        }
        let start = self.nodes;
        // Children.
        let mut children = [Child {
            cell: 0,
            win: 0,
            order: 0,
            col: 0,
            key: 0,
        }; 8];
        let mut count = 0;
        let mut left = moves;
        while left != 0 {
            let cell = left & left.wrapping_neg();
            left ^= cell;
            let mask2 = mask | cell;
            let mine = own | cell;
            let win = shape.completing(mine) & cells & !mask2;
            let playable = mask2 + shape.bottom() & cells;
            let forced = playable & win;
            let replies = if forced != 0 { forced } else { playable } & !(win >> 1);
            if !at_most_one(forced) || replies == 0 {
                self.stat[3] += 1;
                return sign * ((self.total - 1 - n) / 2);
            }
            if self.knobs[0] & 2 == 0 {
                if let Some(bound) = follow::upper(shape, n & 1 == 1, own ^ mask, mask2, win) {
                    self.stat[4] += 1;
                    if -bound > lower {
                        lower = -bound;
                        if lower >= beta {
                            self.stat[5] += 1;
                            return sign * lower;
                        }
                    }
                }
            }
            let col = cell.lowest() / shape.stride();
            let mut order = 16 * win.count() as i32 + self.centre[col as usize];
            if col == best_col {
                order += 1000;
            }
            let key = if forced == 0 { (own ^ mask) + mask2 } else { 0 };
            let child = Child {
                cell,
                win,
                order,
                col,
                key,
            };
            let mut at = count;
            while at > 0 && children[at - 1].order < order {
                children[at] = children[at - 1];
                at -= 1;
            }
            children[at] = child;
            count += 1;
        }
        // Probe.
        let mut child_upper = [i32::MIN; 8];
        if n < self.total - self.knobs[1] {
            let mut max = i32::MIN;
            for i in 0..count {
                if children[i].key != 0
                    && let Some(found) = self.table.get(children[i].key)
                {
                    self.stat[6] += 1;
                    if -found.upper > lower {
                        lower = -found.upper;
                        best_col = children[i].col;
                        if lower >= beta {
                            self.stat[7] += 1;
                            self.table.put(
                                key,
                                Known {
                                    lower,
                                    upper,
                                    best: best_col,
                                },
                                1,
                            );
                            return sign * lower;
                        }
                    }
                    child_upper[i] = -found.lower;
                    max = max.max(-found.lower);
                } else {
                    max = i32::MAX;
                }
            }
            if max <= alpha {
                self.stat[8] += 1;
                self.table.put(
                    key,
                    Known {
                        lower,
                        upper: max.max(lower),
                        best: best_col,
                    },
                    1,
                );
                return sign * max.max(lower);
            }
        }
        let mut best = i32::MIN;
        let mut a = alpha.max(lower);
        for i in 0..count {
            let child = children[i];
            if child_upper[i] != i32::MIN && child_upper[i] <= a {
                best = best.max(child_upper[i]);
                continue;
            }
            let next = Node {
                own: own ^ mask,
                mask: mask | child.cell,
                own_win: opp_win & !child.cell,
                opp_win: child.win,
                n: n + 1,
            };
            let v = -self.search(next, -beta, -a);
            if v > best {
                best = v;
                best_col = child.col;
                if v >= beta {
                    break;
                }
                a = a.max(v);
            }
        }
        if best >= beta {
            lower = lower.max(best);
        } else if best <= alpha {
            upper = upper.min(best.max(lower));
        }
        let _ = known;
        let v = best.max(lower).min(upper);
        self.table.put(
            key,
            Known {
                lower,
                upper,
                best: best_col,
            },
            self.nodes - start,
        );
        sign * v
    }
}
