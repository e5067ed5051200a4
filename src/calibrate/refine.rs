//! The lattice brought onto the edges it was guessed from.
//!
//! Takes planes, a transform and the colours of the cells, finds where the colour changes
//! between neighbouring cells to a fraction of a pixel, and moves the transform by robust least
//! squares: shift and scale alone for a screenshot, a full homography for a camera view.

use super::cell::{CellLook, Eye, distance};
use super::planes::Planes;
use super::solve::Normal;
use crate::types::{GridSize, Point, PxFromCell};

/// A place on a lattice line and where the colour really changes there.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// On the lattice line, in cell space.
    pub cell: Point,
    /// Whether the line runs down (the change is along x).
    pub down: bool,
    /// How far the change is from the line, in cells.
    pub off: f64,
    /// Distance between the edges of the two cells there, in cells.
    pub gap: f64,
    /// Whether the surroundings lie on one side.
    pub outer: bool,
    /// Whether the cells on both sides have the same colour; for the outline, whether there are
    /// no surroundings to be seen, because the picture ends.
    pub alike: bool,
}

/// What a refinement gives.
#[derive(Clone, Debug)]
pub struct Refined {
    /// The better transform.
    pub px_from_cell: PxFromCell,
    /// Root mean square distance in px between lines and edges, outliers left out.
    pub residual: f32,
}

/// Which transforms are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// Shift and scale of each axis.
    Upright,
    /// Shift, scale and shear: a small part of a tilted board.
    Sheared,
    /// A homography.
    Tilted,
}

/// How far from the line a change is looked for, in cells.
const REACH: f64 = 0.45;

/// How far inside a cell the walk begins: outside any mark in its middle.
const START: f64 = 0.3;

/// Most steps of a walk.
const MOST_STEPS: usize = 48;

/// All places where neighbouring cells differ or a line or gap shows between them; `per_side` places on each side of a cell.
#[must_use]
pub fn crossings(
    planes: &Planes,
    px_from_cell: &PxFromCell,
    size: GridSize,
    looks: &[CellLook],
    per_side: usize,
    eye: Eye,
) -> Vec<Crossing> {
    let (cols, rows) = (usize::from(size.cols), usize::from(size.rows));
    if looks.len() != cols * rows {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut visit = |x: usize, y: usize, down: bool| {
        // The line to the left of (x, y), or above it; the cells on both sides may be outside.
        let here = (x < cols && y < rows).then(|| looks[y * cols + x].rim);
        let before = if down {
            (x > 0).then(|| looks[y * cols + x - 1].rim)
        } else {
            (y > 0).then(|| looks[(y - 1) * cols + x].rim)
        };
        for k in 0..per_side {
            let s = (k as f64 + 0.5) / per_side as f64 * 0.6 + 0.2;
            let cell = if down {
                Point::new(x as f64, y as f64 + s)
            } else {
                Point::new(x as f64 + s, y as f64)
            };
            let found = match (before, here) {
                (Some(a), Some(b)) => inner(planes, px_from_cell, cell, down, a, b, eye),
                (Some(a), None) => outer(planes, px_from_cell, cell, down, a, 1.0, eye),
                (None, Some(b)) => outer(planes, px_from_cell, cell, down, b, -1.0, eye),
                _ => None,
            };
            let outside = before.is_none() || here.is_none();
            let beyond = beside(cell, down, if before.is_none() { -0.2 } else { 0.2 });
            if outside && !planes.contains(px_from_cell.map(beyond)) {
                out.push(Crossing {
                    cell,
                    down,
                    off: 0.0,
                    gap: 0.0,
                    outer: true,
                    alike: true,
                });
            } else if let Some((off, gap)) = found {
                out.push(Crossing {
                    cell,
                    down,
                    off,
                    gap,
                    outer: outside,
                    alike: before.zip(here).is_some_and(|(a, b)| !eye.apart(a, b)),
                });
            }
        }
    };
    for y in 0..rows {
        for x in 0..=cols {
            visit(x, y, true);
        }
    }
    for x in 0..cols {
        for y in 0..=rows {
            visit(x, y, false);
        }
    }
    out
}

fn beside(cell: Point, down: bool, off: f64) -> Point {
    if down {
        Point::new(cell.x + off, cell.y)
    } else {
        Point::new(cell.x, cell.y + off)
    }
}

/// Steps of the walk across a line: two per pixel, within reason.
fn steps(px_from_cell: &PxFromCell, cell: Point, down: bool) -> usize {
    let a = px_from_cell.map(beside(cell, down, -REACH));
    let b = px_from_cell.map(beside(cell, down, REACH));
    ((a.distance(b) * 2.0) as usize).clamp(10, MOST_STEPS)
}

/// Walks from `from` to `to` (offsets in cells) until the colour is further than `limit` from
/// `colour`; gives the offset where that happens.
#[allow(clippy::too_many_arguments, reason = "one walk, seven plain numbers")]
fn leaves(
    planes: &Planes,
    px_from_cell: &PxFromCell,
    cell: Point,
    down: bool,
    (from, to): (f64, f64),
    steps: usize,
    colour: [f32; 3],
    limit: f32,
) -> Option<f64> {
    let mut before = 0.0f32;
    for i in 0..=steps {
        let t = from + (to - from) * i as f64 / steps as f64;
        let seen = planes.between(px_from_cell.map(beside(cell, down, t)))?;
        let d = distance(seen, colour);
        if d > limit {
            if i == 0 {
                return None;
            }
            let part = f64::from((limit - before) / (d - before).max(1e-6));
            return Some(t - (to - from) / steps as f64 * (1.0 - part));
        }
        before = d;
    }
    None
}

/// Where between two neighbouring cells (`cell` is a place on the line between them, `a` and `b`
/// their colours) the colour changes: offset of the middle of the change, and its width.
#[allow(clippy::too_many_arguments, reason = "one place, plain values")]
pub(super) fn inner(
    planes: &Planes,
    px_from_cell: &PxFromCell,
    cell: Point,
    down: bool,
    a: [f32; 3],
    b: [f32; 3],
    eye: Eye,
) -> Option<(f64, f64)> {
    // Cells may be apart: then each ends where the ground between them begins. It is what is
    // least a mixture of the two near the line.
    let mut ground = planes.between(px_from_cell.map(cell))?;
    let mut strange = distance(ground, nearest_mixture(ground, a, b));
    for t in [-0.2, -0.15, -0.1, -0.05, 0.05, 0.1, 0.15, 0.2] {
        let seen = planes.between(px_from_cell.map(beside(cell, down, t)))?;
        let d = distance(seen, nearest_mixture(seen, a, b));
        if d > 1.1 * strange {
            (ground, strange) = (seen, d);
        }
    }
    let (from_a, from_b) = (distance(ground, a), distance(ground, b));
    let apart = distance(a, b);
    let (leave_a, leave_b) = if eye.apart(ground, nearest_mixture(ground, a, b))
        && eye.apart(ground, a)
        && eye.apart(ground, b)
    {
        (from_a / 2.0, from_b / 2.0)
    } else if eye.apart(a, b) {
        (apart / 2.0, apart / 2.0)
    } else {
        return None;
    };
    let n = steps(px_from_cell, cell, down);
    let left = leaves(
        planes,
        px_from_cell,
        cell,
        down,
        (-START, REACH),
        n,
        a,
        leave_a,
    )?;
    let right = leaves(
        planes,
        px_from_cell,
        cell,
        down,
        (START, -REACH),
        n,
        b,
        leave_b,
    )?;
    Some(((left + right) / 2.0, (right - left).max(0.0)))
}

/// Of all mixtures of two colours the one nearest to a third.
#[must_use]
pub fn nearest_mixture(c: [f32; 3], a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    let d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    let n = d.iter().map(|v| v * v).sum::<f32>();
    let t = (0..3).map(|k| (c[k] - a[k]) * d[k]).sum::<f32>() / n.max(1e-3);
    let t = t.clamp(0.0, 1.0);
    [a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]]
}

#[allow(clippy::too_many_arguments, reason = "one place, plain values")]
fn outer(
    planes: &Planes,
    px_from_cell: &PxFromCell,
    cell: Point,
    down: bool,
    colour: [f32; 3],
    outwards: f64,
    eye: Eye,
) -> Option<(f64, f64)> {
    // The first change met on the way out is the board's edge; what lies a little further tells
    // how large it is. (Further still there may be another: the edge of the screen.)
    let n = steps(px_from_cell, cell, down);
    let step = (START + REACH) / n as f64;
    let mut off = [0.0f32; MOST_STEPS + 4];
    let off = &mut off[..n + 4];
    let mut last = 0.0;
    for (i, o) in off.iter_mut().enumerate() {
        let t = outwards * (step * i as f64 - START);
        let Some(seen) = planes.between(px_from_cell.map(beside(cell, down, t))) else {
            // The picture ends; what comes is taken to go on as it was.
            *o = last;
            continue;
        };
        *o = distance(seen, colour);
        if i == 0 && eye.edge(seen, colour) {
            return None;
        }
        // Remembered as nothing until it is more than noise.
        if !eye.edge(seen, colour) {
            *o = 0.0;
        }
        last = *o;
    }
    let first = off.iter().position(|&d| d > 0.0).filter(|&i| i <= n)?;
    // A soft edge goes on for some pixels, which are two steps each.
    let far = (first..n)
        .find(|&i| off[i + 3] < 1.12 * off[i])
        .unwrap_or(n);
    let half = off[far].max(off[far + 3]) / 2.0;
    let i = (first..n + 4).find(|&i| off[i] > half)?;
    let before = off[i - 1];
    let part = f64::from((half - before) / (off[i] - before).max(1e-6));
    Some((outwards * (step * (i as f64 - 1.0 + part) - START), 0.0))
}

/// Moves the transform onto the crossings. `None` when they do not determine it.
#[must_use]
pub fn settle(
    px_from_cell: &PxFromCell,
    size: GridSize,
    crossings: &[Crossing],
    freedom: Freedom,
) -> Option<Refined> {
    // Where cells are apart, the outermost lattice lines lie half a gap outside the cells.
    let mut gaps: Vec<f64> = crossings
        .iter()
        .filter(|c| !c.outer)
        .map(|c| c.gap)
        .collect();
    let middle = gaps.len() / 2;
    let gap = if gaps.is_empty() {
        0.0
    } else {
        *gaps.select_nth_unstable_by(middle, f64::total_cmp).1
    };
    let observed: Vec<(Crossing, f64)> = crossings
        .iter()
        .filter(|c| !(c.outer && c.alike))
        .map(|c| {
            let end = if c.down {
                f64::from(size.cols)
            } else {
                f64::from(size.rows)
            };
            let at = if c.down { c.cell.x } else { c.cell.y };
            let out = match (c.outer, at < end / 2.0) {
                (false, _) => 0.0,
                (true, true) => -gap / 2.0,
                (true, false) => gap / 2.0,
            };
            (*c, at + c.off + out)
        })
        .collect();
    let mut moved = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    for round in 0..6 {
        let step = PxFromCell(moved);
        let off = |c: &Crossing, seen: f64| {
            let m = step.map(c.cell);
            seen - if c.down { m.x } else { m.y }
        };
        let mut sizes: Vec<f64> = observed.iter().map(|(c, s)| off(c, *s).abs()).collect();
        if sizes.len() < 6 {
            return None;
        }
        let k = sizes.len() / 2;
        let typical = *sizes.select_nth_unstable_by(k, f64::total_cmp).1;
        // Wide at first, so that a part that is off is drawn in and not left out.
        let scale = [0.5f64, 0.5, 0.35, 0.25, 0.0, 0.0][round].max((4.0 * typical).max(0.02));
        let weight = |c: &Crossing, seen: f64| {
            let r = off(c, seen) / scale;
            let w = if r.abs() < 1.0 {
                (1.0 - r * r).powi(2)
            } else {
                0.0
            };
            if c.outer { 0.4 * w } else { w }
        };
        moved = match freedom {
            Freedom::Upright => upright(&observed, weight)?,
            Freedom::Sheared => sheared(&observed, weight)?,
            Freedom::Tilted => tilted(&observed, weight)?,
        };
    }
    let better = PxFromCell(product(&px_from_cell.0, &moved));
    let (mut sum, mut n) = (0.0, 0);
    let step = PxFromCell(moved);
    for (c, seen) in &observed {
        let m = step.map(c.cell);
        let off = seen - if c.down { m.x } else { m.y };
        if off.abs() < 0.25 {
            let a = better.map(c.cell);
            let b = better.map(beside(c.cell, c.down, off));
            sum += a.distance(b).powi(2);
            n += 1;
        }
    }
    Some(Refined {
        px_from_cell: better,
        residual: (sum / f64::from(n.max(1))).sqrt() as f32,
    })
}

fn upright(
    observed: &[(Crossing, f64)],
    weight: impl Fn(&Crossing, f64) -> f64,
) -> Option<[f64; 9]> {
    let mut x = Normal::<2>::default();
    let mut y = Normal::<2>::default();
    for (c, seen) in observed {
        let w = weight(c, *seen);
        if c.down {
            x.add(&[c.cell.x, 1.0], *seen, w);
        } else {
            y.add(&[c.cell.y, 1.0], *seen, w);
        }
    }
    let [sx, tx] = x.solve()?;
    let [sy, ty] = y.solve()?;
    Some([sx, 0.0, tx, 0.0, sy, ty, 0.0, 0.0, 1.0])
}

fn sheared(
    observed: &[(Crossing, f64)],
    weight: impl Fn(&Crossing, f64) -> f64,
) -> Option<[f64; 9]> {
    let mut x = Normal::<3>::default();
    let mut y = Normal::<3>::default();
    for (c, seen) in observed {
        let n = if c.down { &mut x } else { &mut y };
        n.add(&[c.cell.x, c.cell.y, 1.0], *seen, weight(c, *seen));
    }
    let [a, b, c] = x.solve()?;
    let [d, e, f] = y.solve()?;
    Some([a, b, c, d, e, f, 0.0, 0.0, 1.0])
}

fn tilted(
    observed: &[(Crossing, f64)],
    weight: impl Fn(&Crossing, f64) -> f64,
) -> Option<[f64; 9]> {
    let mut n = Normal::<8>::default();
    for (c, seen) in observed {
        let w = weight(c, *seen);
        let (x, y) = (c.cell.x, c.cell.y);
        let (px, py) = (-seen * x, -seen * y);
        if c.down {
            n.add(&[x, y, 1.0, 0.0, 0.0, 0.0, px, py], *seen, w);
        } else {
            n.add(&[0.0, 0.0, 0.0, x, y, 1.0, px, py], *seen, w);
        }
    }
    let m = n.solve()?;
    Some([m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], 1.0])
}

/// The matrix of `a` after `b`, scaled to end in 1.
#[must_use]
pub fn product(a: &[f64; 9], b: &[f64; 9]) -> [f64; 9] {
    let mut m = [0.0; 9];
    for r in 0..3 {
        for c in 0..3 {
            m[3 * r + c] = (0..3).map(|k| a[3 * r + k] * b[3 * k + c]).sum();
        }
    }
    let last = m[8];
    if last.abs() > 1e-12 {
        m.map(|v| v / last)
    } else {
        m
    }
}
