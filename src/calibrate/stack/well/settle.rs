//! The lattice of a well brought onto the edges between filled cells and empty ones.
//!
//! Takes a [`Found`], gives its transform, better than the lines around it said.

use super::super::super::refine::{Crossing, Freedom, settle};
use super::Found;
use super::cells::Filling;
use super::count::{Grid, Lines};
use super::field::{Field, INSIDE, RIM, SIZE};
use crate::types::{Point, PxFromCell};

/// Edges that determine shift and scale, those that determine a shear as well, and a view from
/// any side.
const UPRIGHT: usize = 8;
const SHEARED: usize = 24;
const TILTED: usize = 60;

/// Corners move no further than this, in cells: few edges on one side of a board must not drag
/// its other side along.
const FURTHEST: f64 = 0.45;

/// The transform, and the root mean square distance in px of edges from their lines.
#[must_use]
pub fn settled(found: &Found) -> (PxFromCell, f32) {
    let at = found.grid.px_from_cell(&found.field.px_from_unit);
    let seen = crossings(&found.field, &found.grid, &found.filling);
    let (freedom, least) = if found.upright {
        (Freedom::Upright, UPRIGHT)
    } else if seen.len() >= TILTED {
        (Freedom::Tilted, TILTED)
    } else {
        (Freedom::Sheared, SHEARED)
    };
    let size = found.grid.size;
    if seen.len() < least {
        return (at, 0.0);
    }
    let Some(better) = settle(&at, size, &seen, freedom) else {
        return (at, 0.0);
    };
    let pitch = at
        .map(Point::new(0.0, 0.0))
        .distance(at.map(Point::new(1.0, 0.0)));
    let pairs = at
        .corners(size)
        .into_iter()
        .zip(better.px_from_cell.corners(size));
    let far = pairs.map(|(p, q)| p.distance(q)).fold(0.0, f64::max);
    if far < FURTHEST * pitch {
        (better.px_from_cell, better.residual)
    } else {
        (at, 0.0)
    }
}

/// The distance from empty at a place in cells; `None` beyond the raster.
fn far(field: &Field, grid: &Grid, x: f64, y: f64) -> Option<f32> {
    let place = |l: &Lines, i: f64, length: usize| {
        RIM as f64 + (l.from + (l.to - l.from) * i / f64::from(l.count)) * length as f64 - 0.5
    };
    let (px, py) = (place(&grid.x, x, INSIDE.0), place(&grid.y, y, INSIDE.1));
    let inside = px >= 0.0 && py >= 0.0 && px + 1.0 < SIZE.0 as f64 && py + 1.0 < SIZE.1 as f64;
    if !inside {
        return None;
    }
    let (x0, y0) = (px as usize, py as usize);
    let (fx, fy) = ((px - x0 as f64) as f32, (py - y0 as f64) as f32);
    let v = |dx: usize, dy: usize| field.far[(y0 + dy) * SIZE.0 + x0 + dx];
    let top = v(0, 0) + (v(1, 0) - v(0, 0)) * fx;
    let low = v(0, 1) + (v(1, 1) - v(0, 1)) * fx;
    Some(top + (low - top) * fy)
}

/// Where filled cells end, beside the lines between them and empty ones.
fn crossings(field: &Field, grid: &Grid, filling: &Filling) -> Vec<Crossing> {
    let (cols, rows) = (usize::from(grid.size.cols), usize::from(grid.size.rows));
    let mut out = Vec::new();
    // Whether the block lies before the line.
    let mut before: Vec<bool> = Vec::new();
    for row in 0..rows {
        for col in 0..cols {
            let here = filling.filled[row * cols + col];
            let mut visit = |down: bool, other: bool| {
                if here != other
                    && let Some(c) = crossing(field, grid, down, (col, row), here)
                {
                    out.push(c);
                    before.push(here);
                }
            };
            if col + 1 < cols {
                visit(true, filling.filled[row * cols + col + 1]);
            }
            if row + 1 < rows {
                visit(false, filling.filled[(row + 1) * cols + col]);
            }
        }
    }
    // Blocks may be smaller than their cells: they end before the line on both of their sides,
    // and what matters is the middle between the two.
    for down in [true, false] {
        let middle = |first: bool| {
            let same = out.iter().zip(&before);
            let same = same.filter(|(c, b)| c.down == down && **b == first);
            let mut offs: Vec<f64> = same.map(|(c, _)| c.off).collect();
            offs.sort_by(f64::total_cmp);
            offs.get(offs.len() / 2).copied()
        };
        let (Some(end), Some(begin)) = (middle(true), middle(false)) else {
            continue;
        };
        let half = ((begin - end) / 2.0).clamp(-0.12, 0.12);
        for (c, &b) in out.iter_mut().zip(&before).filter(|(c, _)| c.down == down) {
            c.off += if b { half } else { -half };
        }
    }
    out
}

/// Where a block ends beside the line right of (or below) a cell; `block` says whether the block
/// lies before that line.
fn crossing(
    field: &Field,
    grid: &Grid,
    down: bool,
    (col, row): (usize, usize),
    block: bool,
) -> Option<Crossing> {
    const STEPS: i32 = 24;
    let cell = if down {
        Point::new(col as f64 + 1.0, row as f64 + 0.5)
    } else {
        Point::new(col as f64 + 0.5, row as f64 + 1.0)
    };
    let mean = |t: f64| -> Option<f32> {
        let mut sum = 0.0;
        for k in -2..=2 {
            let aside = 0.12 * f64::from(k);
            let (x, y) = if down {
                (cell.x + t, cell.y + aside)
            } else {
                (cell.x + aside, cell.y + t)
            };
            sum += far(field, grid, x, y)? / 5.0;
        }
        Some(sum)
    };
    let (a, b) = (mean(-0.36)?, mean(0.36)?);
    if (a - b).abs() < 0.5 * field.limit {
        return None;
    }
    let half = (a + b) / 2.0;
    // From the empty side to where the block begins.
    let place = |i: i32| {
        let t = 0.42 * (1.0 - 2.0 * f64::from(i) / f64::from(STEPS));
        if block { t } else { -t }
    };
    let mut last = mean(place(0))?;
    for i in 1..=STEPS {
        let v = mean(place(i))?;
        if v > half && last <= half {
            let part = f64::from((half - last) / (v - last).max(1e-3));
            return Some(Crossing {
                cell,
                down,
                off: place(i - 1) + (place(i) - place(i - 1)) * part,
                gap: 0.0,
                outer: false,
                alike: false,
            });
        }
        last = v;
    }
    None
}
