//! The search of the position itself: wins by fours and by threats first, then one depth after
//! the other until the budget is spent.

use super::cell::{WINS, WINS_BY_FOUR};
use super::field::{cell, cells_of, number};
use super::moves::{defences, either, fours};
use super::prover::{self, FOURS};
use super::seeker::{DECIDED, INFINITE, MATE, Seeker};
use crate::types::Cell;

/// What was found.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// The best move and what is expected after it; never empty.
    pub(super) line: Vec<u16>,
    pub(super) value: i32,
    pub(super) depth: u32,
    /// Whether a decided value holds against everything that the rules allow.
    pub(super) proven: bool,
}

/// A move at the root.
#[derive(Clone, Copy, Debug)]
struct Try {
    at: u16,
    nodes: u64,
}

/// Depths at most.
const DEEP: i32 = 60;
/// Shares of the budget spent, at most, when the search for a win by threats ends, and that for
/// one of the other side's if it were its turn; and for one of its after a move that looks best.
const OWN_THREATS: f64 = 0.06;
const OTHER_THREATS: f64 = 0.1;
const CHECK: f64 = 0.06;
/// Half the window around the last depth's value in which the next one's is expected.
const HALF: i32 = 60;

/// Searches until the budget is spent, everything is decided, or there is nothing to decide.
pub(super) fn search(s: &mut Seeker<'_>) -> Found {
    if let Some(found) = at_sight(s) {
        return found;
    }
    let other = 1 - s.field.turn;
    let win = |line: Vec<u16>, stones: u32| Found {
        line,
        value: MATE - stones as i32,
        depth: stones,
        proven: true,
    };
    let memory = &mut *s.memory;
    let by_fours = memory
        .fours
        .search(&mut s.field, FOURS, 50_000, &mut s.gauge);
    if let Some(stones) = by_fours {
        return win(memory.fours.line().collect(), stones);
    }
    if let Some((at, stones)) = threats(s, OWN_THREATS) {
        return win(vec![at], stones);
    }
    // Whether the other side would win by threats if it were its turn.
    s.field.pass();
    let menaced = threats(s, OTHER_THREATS).is_some();
    s.field.pass();

    let mut tries = tries(s);
    let mut found = Found {
        line: vec![tries[0].at],
        value: s.field.value(),
        depth: 1,
        proven: false,
    };
    if tries.len() == 1 && s.field.can_win_by_four(other) {
        return found;
    }
    deepen(s, &mut tries, menaced, &mut found);
    if found.value > DECIDED {
        prove_win(s, &mut found);
    } else if found.value < -DECIDED {
        let loss = every_move_loses(s);
        found.proven = loss.is_some();
        found.value = loss.map_or(found.value, |n| n as i32 - MATE);
    }
    found
}

/// What needs no search.
fn at_sight(s: &Seeker<'_>) -> Option<Found> {
    let (own, other) = (s.field.turn, 1 - s.field.turn);
    let one = |at: u16, value: i32, proven: bool| Found {
        line: vec![at],
        value,
        depth: 1,
        proven,
    };
    if let Some(at) = s.field.first(own, WINS) {
        return Some(one(at, MATE - 1, true));
    }
    if s.field.free == 1 {
        // The last stone, and it does not win.
        let last = cells_of(s.field.empty_cells()).next();
        return Some(one(last?, 0, false));
    }
    if s.field.is_bare() {
        // Nothing tells one cell from another but how far the border is.
        let size = s.field.size();
        let middle = number(Cell::new(size.cols / 2, size.rows / 2));
        let free = |at: &u16| s.field.is_empty(*at);
        let at = Some(middle).filter(free);
        let at = at.or_else(|| cells_of(s.field.empty_cells()).next());
        return Some(one(at?, s.field.value(), false));
    }
    if let Some(at) = s.field.first(other, WINS) {
        let lost = s.field.count_of(other, WINS) > 1;
        let value = if lost { 2 - MATE } else { s.field.value() };
        return Some(one(at, value, lost));
    }
    let at = s.field.first(own, WINS_BY_FOUR)?;
    Some(one(at, MATE - 3, true))
}

/// One depth after the other.
fn deepen(s: &mut Seeker<'_>, tries: &mut Vec<Try>, menaced: bool, found: &mut Found) {
    let mut checked = Vec::new();
    let mut centre = 0;
    for depth in 1..=DEEP {
        let mut half = HALF;
        let (mut low, mut high) = match depth {
            ..=4 => (-INFINITE, INFINITE),
            _ => (centre - half, centre + half),
        };
        loop {
            let value = iterate(s, tries, depth + s.ahead, low, high, found);
            if s.gauge.is_spent() {
                return;
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
        found.depth = (depth + s.ahead) as u32;
        while menaced && depth >= 4 && is_refuted(s, tries, &mut checked, found.line[0]) {
            found.line = vec![tries[0].at];
            centre = iterate(s, tries, depth, -INFINITE, INFINITE, found);
            if s.gauge.is_spent() {
                return;
            }
        }
        if centre.abs() > DECIDED && depth >= 2 || depth >= 40 && s.field.free < 40 {
            return;
        }
        tries[1..].sort_by_key(|t| std::cmp::Reverse(t.nodes));
    }
}

/// A win by threats, looked for until this share of the budget is spent: the first move and the
/// stones until five.
fn threats(s: &mut Seeker<'_>, share: f64) -> Option<(u16, u32)> {
    let memory = &mut *s.memory;
    for _ in 0..SLICES {
        if s.gauge.share() >= share {
            break;
        }
        let threats = &mut memory.threats;
        let found = threats.search(&mut s.field, &mut memory.fours, SLICE, &mut s.gauge);
        if found.is_some() || threats.visited() < SLICE {
            return found;
        }
    }
    None
}

/// Positions that a threats search visits between two looks at the budget, and how often it looks.
const SLICE: u32 = 1_000;
const SLICES: u32 = 800;

/// Whether the best move loses to threats of the other side; if so it is no longer tried.
fn is_refuted(s: &mut Seeker<'_>, tries: &mut Vec<Try>, checked: &mut Vec<u16>, at: u16) -> bool {
    if tries.len() < 2 || checked.contains(&at) {
        return false;
    }
    s.field.make(at);
    let share = s.gauge.share() + CHECK;
    let refuted = threats(s, share).is_some();
    s.field.undo(at);
    checked.push(at);
    if refuted {
        tries.retain(|t| t.at != at);
    }
    refuted
}

/// Whether the win that the search sees holds: after its first move, whatever the other side does,
/// there is a win by fours or threats. The search itself looks only at moves near stones.
fn prove_win(s: &mut Seeker<'_>, found: &mut Found) {
    let at = found.line[0];
    s.field.make(at);
    let loss = every_move_loses(s);
    s.field.undo(at);
    if let Some(stones) = loss {
        found.proven = true;
        found.value = MATE - 1 - stones as i32;
    }
}

/// Stones until five, if every move of the side to move loses to fours or threats.
fn every_move_loses(s: &mut Seeker<'_>) -> Option<u32> {
    let (fours, threats) = (&mut s.memory.fours, &mut s.memory.threats);
    prover::every_move_loses(&mut s.field, fours, threats, 5_000, &mut s.gauge)
}

/// Moves to try, in the order of how they look; at least one.
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
    let size = s.field.size();
    cells.sort_by_key(|&at| {
        let mine = i32::from(s.field.worth(at, own).attack);
        let theirs = i32::from(s.field.worth(at, other).defence);
        let c = cell(at);
        let (x, y) = (c.col.abs_diff(size.cols / 2), c.row.abs_diff(size.rows / 2));
        (-(mine + theirs), x.max(y))
    });
    cells.into_iter().map(|at| Try { at, nodes: 0 }).collect()
}

/// One depth within a window: the best value.
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
        let reduced = match i {
            4..=20 if depth >= 4 => 1,
            21.. if depth >= 4 => 2,
            _ => 0,
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
