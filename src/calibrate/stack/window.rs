//! Where on an endless lattice a board of known size lies: its sides, lower edge and, less
//! surely, its upper edge are lines beside which something else begins.
//!
//! Takes planes, a lattice and the cells in which it was seen; gives transforms, likeliest first.

use super::super::cell::distance;
use super::super::extent::Span;
use super::super::planes::Planes;
use super::super::refine::product;
use crate::types::{GridSize, Point, PxFromCell};

/// Difference of colour that counts as something else.
const CLEAR: f32 = 56.0;

/// Part of a side along which something else must begin.
const LEAST: f32 = 0.5;

/// Places tried at most.
const MOST: usize = 4000;

/// How clearly something else begins beyond each side of each cell of a part of the lattice.
struct Sides {
    from: (i32, i32),
    size: (i32, i32),
    /// Left, right, upper, lower side; 0 to 1.
    clear: Vec<[f32; 4]>,
}

impl Sides {
    fn new(planes: &Planes, at: &PxFromCell, span: Span) -> Self {
        let (from, size) = ((span.x0, span.y0), (span.x1 - span.x0, span.y1 - span.y0));
        let mut clear = Vec::with_capacity((size.0 * size.1).max(0) as usize);
        for y in span.y0..span.y1 {
            for x in span.x0..span.x1 {
                let c = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                clear.push(
                    [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)]
                        .map(|way| beyond(planes, at, c, way)),
                );
            }
        }
        Self { from, size, clear }
    }

    fn at(&self, x: i32, y: i32, side: usize) -> f32 {
        let (x, y) = (x - self.from.0, y - self.from.1);
        let inside = x >= 0 && y >= 0 && x < self.size.0 && y < self.size.1;
        if inside {
            self.clear[(y * self.size.0 + x) as usize][side]
        } else {
            0.0
        }
    }
}

/// How different from a cell's own colour is what lies on or beyond one of its sides.
fn beyond(planes: &Planes, at: &PxFromCell, c: Point, (dx, dy): (f64, f64)) -> f32 {
    let seen = |t: f64, aside: f64| {
        let p = Point::new(c.x + t * dx + aside * dy, c.y + t * dy + aside * dx);
        planes.between(at.map(p))
    };
    let mut most = f32::MAX;
    // The less clear of two places counts.
    for aside in [-0.22, 0.22] {
        let Some(own) = seen(0.2, aside) else {
            return 0.0;
        };
        let mut clear = 0.0f32;
        for t in [0.5, 0.56, 0.62, 0.7, 0.8] {
            clear = clear.max(seen(t, aside).map_or(CLEAR, |v| distance(v, own)));
        }
        most = most.min(clear);
    }
    (most / CLEAR).min(1.0)
}

/// Transforms of boards that may be there.
#[must_use]
pub fn places(planes: &Planes, at: &PxFromCell, core: Span, size: GridSize) -> Vec<PxFromCell> {
    let (w, h) = (i32::from(size.cols), i32::from(size.rows));
    let ends = |a: i32, b: i32, n: i32| (a.min(b - n), a.max(b - n));
    let ((xa, xb), (ya, yb)) = (ends(core.x0, core.x1, w), ends(core.y0, core.y1, h));
    if (xb - xa + 1) as usize * (yb - ya + 1) as usize > MOST || w < 3 || h < 3 {
        return Vec::new();
    }
    let part = Span {
        x0: xa,
        y0: ya,
        x1: xb + w,
        y1: yb + h,
    };
    let sides = Sides::new(planes, at, part);
    let mut found: Vec<(f32, PxFromCell)> = Vec::new();
    for y0 in ya..=yb {
        for x0 in xa..=xb {
            let (x, y) = (f64::from(x0), f64::from(y0));
            let here = PxFromCell(product(&at.0, &[1.0, 0.0, x, 0.0, 1.0, y, 0.0, 0.0, 1.0]));
            if here.corners(size).iter().any(|&c| !planes.contains(c)) {
                continue;
            }
            let down =
                |x: i32, side| (y0..y0 + h).map(|y| sides.at(x, y, side)).sum::<f32>() / h as f32;
            let across =
                |y: i32, side| (x0..x0 + w).map(|x| sides.at(x, y, side)).sum::<f32>() / w as f32;
            let (left, right) = (down(x0, 0), down(x0 + w - 1, 1));
            let (top, low) = (across(y0, 2), across(y0 + h - 1, 3));
            if left.min(right).min(low) < LEAST {
                continue;
            }
            // Within the board no line runs from top to bottom.
            let inner = (x0..x0 + w - 1).map(|x| down(x, 1)).fold(0.0, f32::max);
            found.push((left + right + low + 0.7 * top - 0.5 * inner, here));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().take(3).map(|f| f.1).collect()
}
