//! Which moves the search looks at: all near stones, or only those that answer a threat.

use super::cell::{MAKES_FOUR, WINS_BY_FOUR};
use super::field::{Field, ROWS, Rows, STEPS, cells_of, place};
use super::line::{FOUR, OPEN_FOUR};

/// Cells that stop every way in which `attacker` could make an open four or two fours with its
/// next stone; neither side can make five. A move of the defender that is not among these and
/// makes no four of its own loses.
pub(super) fn defences(field: &Field, attacker: usize) -> Rows {
    let mut all = *field.empty_cells();
    for at in cells_of(field.set(attacker, WINS_BY_FOUR)) {
        let these = stops(field, attacker, at);
        for (row, other) in all.iter_mut().zip(&these) {
            *row &= other;
        }
    }
    all
}

/// Cells that stop the attacker's stone on `at` from winning by fours.
fn stops(field: &Field, attacker: usize, at: u16) -> Rows {
    let mut stops = [0; ROWS];
    let mut add = |cell: u16| {
        let (row, bit) = place(cell);
        stops[row] |= bit;
    };
    add(at);
    let four = field.patterns(at, attacker);
    let pattern = |d: usize| (four >> (4 * d) & 15) as u8;
    let open = (0..4).filter(|&d| pattern(d) == OPEN_FOUR).count();
    let fours = (0..4).filter(|&d| pattern(d) == FOUR).count();
    // What remains without direction d must not be enough.
    for d in (0..4).filter(|&d| pattern(d) >= FOUR) {
        let others_open = open - usize::from(pattern(d) == OPEN_FOUR);
        let others_four = fours - usize::from(pattern(d) == FOUR);
        if others_open > 0 || others_four > 1 {
            continue;
        }
        for sign in [-1, 1] {
            for k in 1..=field.reach() {
                let k = sign * k;
                let cell = at.wrapping_add_signed((k * STEPS[d]) as i16);
                if field.stone(cell) == super::line::WALL {
                    break;
                }
                if !field.is_empty(cell) {
                    continue;
                }
                let left = field.pattern_against(at, attacker, d, k);
                let enough = left == OPEN_FOUR || left == FOUR && others_four > 0;
                if !enough {
                    add(cell);
                }
            }
        }
    }
    stops
}

/// Cells where this colour makes a four.
pub(super) fn fours(field: &Field, colour: usize) -> Rows {
    let mut rows = *field.set(colour, MAKES_FOUR);
    for (row, more) in rows.iter_mut().zip(field.set(colour, WINS_BY_FOUR)) {
        *row |= more;
    }
    rows
}

/// The union of two sets.
pub(super) fn either(mut a: Rows, b: &Rows) -> Rows {
    for (row, more) in a.iter_mut().zip(b) {
        *row |= more;
    }
    a
}
