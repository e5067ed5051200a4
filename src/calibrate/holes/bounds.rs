//! How far the rims of a lattice go on beyond the cells in which it was seen.
//!
//! Takes rims seen in a wider span. Says nothing of what a board is: that is for the extent.

use super::super::extent::Span;
use super::extent::HOLE;
use super::rims::{Rims, Shape};

/// How far rims may lie from where a lattice says while its extent is looked for, in cells.
const BEYOND: f32 = 0.1;

/// The lines beside those known that have rims as well, and none of the outer ones that have no rim.
/// One line in between may be hidden. Where a wall or a carpet lies around a board, parts of rims
/// are met everywhere, but hardly along a whole line.
#[must_use]
pub fn bounds(rims: &Rims, shape: &Shape, span: Span) -> Option<Span> {
    let within = rims.span;
    let share = |s: Span, slack: f32| {
        let cells = (s.y0..s.y1).flat_map(|y| (s.x0..s.x1).map(move |x| (x, y)));
        let holes = cells.filter(|&c| rims.rim_within(c, shape, slack) >= HOLE);
        holes.count() as f32 / s.size().len().max(1) as f32
    };
    // The line `by` lines beyond a side, or the outermost one itself; `None` where nothing was seen.
    let line = |s: Span, side: usize, by: i32| {
        let l = match side {
            0 => Span {
                x0: s.x0 - by,
                x1: s.x0 - by + 1,
                ..s
            },
            1 => Span {
                x0: s.x1 + by - 1,
                x1: s.x1 + by,
                ..s
            },
            2 => Span {
                y0: s.y0 - by,
                y1: s.y0 - by + 1,
                ..s
            },
            _ => Span {
                y0: s.y1 + by - 1,
                y1: s.y1 + by,
                ..s
            },
        };
        let seen = l.x0 >= within.x0 && l.y0 >= within.y0 && l.x1 <= within.x1 && l.y1 <= within.y1;
        seen.then_some(l)
    };
    let moved = |s: Span, side: usize, by: i32| match side {
        0 => Span { x0: s.x0 - by, ..s },
        1 => Span { x1: s.x1 + by, ..s },
        2 => Span { y0: s.y0 - by, ..s },
        _ => Span { y1: s.y1 + by, ..s },
    };
    let mut s = span;
    'again: loop {
        for side in 0..4 {
            // Beyond the cells that the lattice was fitted to it may be off.
            for (by, least, slack) in [(1, 0.5, BEYOND), (2, 0.5, 0.0)] {
                if line(s, side, by).is_some_and(|l| share(l, slack) > least) {
                    s = moved(s, side, by);
                    continue 'again;
                }
            }
        }
        break;
    }
    for side in 0..4 {
        while s.x0 < s.x1 && s.y0 < s.y1 && {
            let inner = moved(s, side, -1);
            let outer = line(inner, side, 1);
            outer.is_some_and(|l| share(l, BEYOND) == 0.0)
        } {
            s = moved(s, side, -1);
        }
    }
    (s.x0 < s.x1 && s.y0 < s.y1).then_some(s)
}
