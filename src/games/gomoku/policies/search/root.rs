//! The search of the position itself: one depth after the other until the budget is spent.

use super::cell::{WINS, WINS_BY_FOUR};
use super::field::{cells_of, number};
use super::moves::{defences, either, fours};
use super::seeker::{DECIDED, INFINITE, MATE, Seeker};
use crate::types::Cell;

/// What was found.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// The best move and what is expected after it; never empty.
    pub(super) line: Vec<u16>,
    pub(super) value: i32,
    pub(super) depth: u32,
}

/// A move at the root.
#[derive(Clone, Debug)]
struct Try {
    at: u16,
    value: i32,
    nodes: u64,
}

/// Searches until the budget is spent, everything is decided, or there is nothing to decide.
pub(super) fn search(s: &mut Seeker<'_>) -> Found {
    let (own, other) = (s.field.turn, 1 - s.field.turn);
    let one = |at: u16, value: i32| Found {
        line: vec![at],
        value,
        depth: 1,
    };
    if let Some(at) = s.field.first(own, WINS) {
        return one(at, MATE - 1);
    }
    if s.field.is_bare() {
        // Nothing tells one cell from another but how far the border is.
        let size = s.field.size();
        let middle = number(Cell::new(size.cols / 2, size.rows / 2));
        let at = if s.field.is_empty(middle) {
            Some(middle)
        } else {
            cells_of(s.field.empty_cells()).next()
        };
        return one(at.unwrap_or(middle), s.field.value());
    }
    let lost = s.field.count_of(other, WINS) > 1;
    if let Some(at) = s.field.first(other, WINS) {
        // There is nothing to think about.
        return one(at, if lost { 2 - MATE } else { s.field.value() });
    }
    if let Some(at) = s.field.first(own, WINS_BY_FOUR) {
        return one(at, MATE - 3);
    }
    let found = s
        .memory
        .fours
        .search(&mut s.field, 40, 50_000, &mut s.gauge);
    if let Some(n) = found {
        return Found {
            line: s.memory.fours.line().collect(),
            value: MATE - n as i32,
            depth: n,
        };
    }

    if let Some(n) = threats(s, 0.12) {
        return n;
    }
    let mut tries = tries(s);
    let mut found = one(tries[0].at, s.field.value());
    if s.field.free == 1 || tries.len() == 1 && s.field.can_win_by_four(other) {
        return found;
    }
    let mut centre = 0;
    for depth in 1..=60 {
        s.root_depth = depth;
        let mut half = 40;
        let (mut low, mut high) = if depth > 4 {
            (centre - half, centre + half)
        } else {
            (-INFINITE, INFINITE)
        };
        loop {
            let value = iterate(s, &mut tries, depth, low, high, &mut found);
            if s.gauge.is_spent() {
                return found;
            }
            half *= 4;
            if value <= low && low > -INFINITE {
                low = if half > 1000 { -INFINITE } else { value - half };
            } else if value >= high && high < INFINITE {
                high = if half > 1000 { INFINITE } else { value + half };
            } else {
                centre = value;
                break;
            }
        }
        found.depth = depth as u32;
        if centre.abs() > DECIDED && depth >= 2 {
            break;
        }
        tries[1..].sort_by_key(|t| std::cmp::Reverse(t.nodes));
    }
    found
}

/// A win by threats, looked for until this share of the budget is spent.
fn threats(s: &mut Seeker<'_>, share: f64) -> Option<Found> {
    let memory = &mut *s.memory;
    while s.gauge.share() < share {
        let found = memory.threats.search(&mut s.field, &mut memory.fours, 500, &mut s.gauge);
        if let Some((at, n)) = found {
            return Some(Found {
                line: vec![at],
                value: MATE - n as i32,
                depth: n,
            });
        }
        if memory.threats.visited() < 500 {
            break;
        }
    }
    None
}

/// Moves to try, in the order of how they look.
fn tries(s: &Seeker<'_>) -> Vec<Try> {
    let (own, other) = (s.field.turn, 1 - s.field.turn);
    let mut set = s.field.near();
    if s.field.can_win_by_four(other) {
        set = either(defences(&s.field, other), &fours(&s.field, own));
    }
    let mut cells: Vec<u16> = cells_of(&set).collect();
    if cells.is_empty() {
        // Lost: take the cell that the other side wants, or whatever is left.
        let wanted = s.field.first(other, WINS_BY_FOUR);
        cells.extend(wanted.or_else(|| cells_of(s.field.empty_cells()).next()));
    }
    let middle = (s.field.size().cols / 2, s.field.size().rows / 2);
    cells.sort_by_key(|&at| {
        let worth =
            i32::from(s.field.worth(at, own).attack) + i32::from(s.field.worth(at, other).defence);
        let c = super::field::cell(at);
        (
            -worth,
            c.col.abs_diff(middle.0).max(c.row.abs_diff(middle.1)),
        )
    });
    let new = |at| Try {
        at,
        value: -INFINITE,
        nodes: 0,
    };
    cells.into_iter().map(new).collect()
}

/// One depth within a window.
fn iterate(
    s: &mut Seeker<'_>,
    tries: &mut [Try],
    depth: i32,
    low: i32,
    high: i32,
    found: &mut Found,
) -> i32 {
    let mut alpha = low;
    let mut best = -INFINITE;
    for i in 0..tries.len() {
        let at = tries[i].at;
        let before = s.gauge.nodes();
        s.make(at, 0);
        let below = depth - 1;
        let reduced = if depth >= 4 && i >= 4 {
            1 + i32::from(i > 20)
        } else {
            0
        };
        let value = if i == 0 {
            -s.search(-high, -alpha, below, 1, true, 0)
        } else {
            let mut v = -s.search(-alpha - 1, -alpha, below - reduced, 1, true, 0);
            if v > alpha && reduced > 0 && !s.gauge.is_spent() {
                v = -s.search(-alpha - 1, -alpha, below, 1, true, 0);
            }
            if v > alpha && v < high && !s.gauge.is_spent() {
                v = -s.search(-high, -alpha, below, 1, true, 0);
            }
            v
        };
        s.field.undo(at);
        if s.gauge.is_spent() {
            return best;
        }
        tries[i].nodes = s.gauge.nodes() - before;
        tries[i].value = value;
        best = best.max(value);
        if value > alpha {
            alpha = value;
            s.memory.expect(0, at);
            found.line.clear();
            found.line.extend_from_slice(s.memory.line());
            found.value = value;
            tries[..=i].rotate_right(1);
            if value >= high {
                break;
            }
        }
    }
    best
}
