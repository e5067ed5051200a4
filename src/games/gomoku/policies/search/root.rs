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

    if let Some((at, n)) = threats(s, f64::from(super::seeker::T[13]) / 100.0) {
        return Found {
            line: vec![at],
            value: MATE - n as i32,
            depth: n,
        };
    }
    // Whether the other side would win by threats if it were its turn.
    s.field.pass();
    let menaced = threats(s, f64::from(super::seeker::T[13]) / 60.0).is_some();
    s.field.pass();
    let mut checked = Vec::new();

    let mut tries = tries(s);
    let mut found = one(tries[0].at, s.field.value());
    if s.field.free == 1 || tries.len() == 1 && s.field.can_win_by_four(other) {
        return found;
    }
    let mut centre = 0;
    for depth in 1..=60 {
        s.root_depth = depth;
        let mut half = super::seeker::T[1];
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
        while menaced && depth >= 4 && is_refuted(s, &mut tries, &mut checked, found.line[0]) {
            found.line = vec![tries[0].at];
            centre = iterate(s, &mut tries, depth, -INFINITE, INFINITE, &mut found);
            if s.gauge.is_spent() {
                return found;
            }
        }
        if centre.abs() > DECIDED && depth >= 2 {
            break;
        }
        tries[1..].sort_by_key(|t| std::cmp::Reverse(t.nodes));
    }
    found
}

/// A win by threats, looked for until this share of the budget is spent: the first move and the
/// stones until five.
fn threats(s: &mut Seeker<'_>, share: f64) -> Option<(u16, u32)> {
    let memory = &mut *s.memory;
    for _ in 0..SLICES {
        if s.gauge.share() >= share {
            break;
        }
        let found = memory
            .threats
            .search(&mut s.field, &mut memory.fours, SLICE, &mut s.gauge);
        if found.is_some() || memory.threats.visited() < SLICE {
            return found;
        }
    }
    None
}

/// Positions that a threats search visits between two looks at the budget, and how often it looks.
const SLICE: u32 = 250;
const SLICES: u32 = 800;

/// Whether the best move loses to threats of the other side; if so it is no longer tried.
fn is_refuted(s: &mut Seeker<'_>, tries: &mut Vec<Try>, checked: &mut Vec<u16>, at: u16) -> bool {
    if tries.len() < 2 || checked.contains(&at) {
        return false;
    }
    s.field.make(at);
    let share = s.gauge.share() + 0.06;
    let refuted = threats(s, share).is_some();
    s.field.undo(at);
    checked.push(at);
    if refuted {
        tries.retain(|t| t.at != at);
    }
    refuted
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
