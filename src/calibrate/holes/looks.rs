//! What is seen in the holes and on the plate between them.
//!
//! Takes planes, a lattice and the shape of its holes; gives for each cell the colour that most of
//! its inside has, how much of it, and the colour of the plate at its corners.

use super::super::cell::distance;
use super::fine::Fine;
use super::rims::Shape;
use crate::types::colour::apart;
use crate::types::{GridSize, Point, PxFromCell};

/// Rings on which the inside is sampled: radius as a part of the hole's, and points. The edge of
/// a disc and what lies in the middle of it (a mark, a gloss) are each a smaller part.
const RINGS: [(f64, usize); 3] = [(0.22, 6), (0.45, 12), (0.68, 18)];
const POINTS: usize = 36;

/// Where the plate is sampled, in cells from a cell's middle along both axes: inside of the
/// cell's square, so that the plate may end half a cell beyond the outer holes.
pub const CORNER: f64 = 0.44;
pub const CORNERS: [(f64, f64); 4] = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];

/// The plate changes by no more than this across a cell.
const AGREE: f32 = 60.0;

/// What one cell looks like.
#[derive(Clone, Copy, Debug, Default)]
pub struct HoleLook {
    /// The colour of most of the inside.
    pub rgb: [f32; 3],
    /// The share of the inside that has it.
    pub share: f32,
    /// Median colour of the plate at its four corners.
    pub plate: [f32; 3],
    /// Whether the plate is seen at all of its corners.
    pub framed: bool,
    /// Whether enough of it lies inside of the picture.
    pub whole: bool,
}

/// Offsets of the points inside of a hole from its middle, in cells.
fn offsets(shape: &Shape) -> impl Iterator<Item = (f64, f64)> {
    let (rx, ry) = (f64::from(shape.rx), f64::from(shape.ry));
    RINGS.iter().flat_map(move |&(part, n)| {
        (0..n).map(move |k| {
            let angle = std::f64::consts::TAU * (k as f64 + 0.5) / n as f64;
            (part * rx * angle.cos(), part * ry * angle.sin())
        })
    })
}

/// Distance at which two points of one disc may differ.
#[must_use]
#[inline]
pub fn alike(noise: f32, a: [f32; 3], b: [f32; 3]) -> bool {
    let level = a[0].max(a[1]).max(a[2]).max(b[0]).max(b[1]).max(b[2]);
    distance(a, b) <= 10.0 + 2.5 * noise + 0.09 * level
}

/// All cells, row by row.
#[must_use]
pub fn looks(
    fine: &Fine,
    at: &PxFromCell,
    size: GridSize,
    shape: &Shape,
    noise: f32,
) -> Vec<HoleLook> {
    size.cells()
        .map(|c| (i32::from(c.col), i32::from(c.row)))
        .map(|cell| look_at(fine, at, cell, shape, noise))
        .collect()
}

/// One cell of the endless lattice.
#[must_use]
pub fn look_at(
    fine: &Fine,
    at: &PxFromCell,
    (x, y): (i32, i32),
    shape: &Shape,
    noise: f32,
) -> HoleLook {
    let c = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
    let seen = |dx: f64, dy: f64| fine.between(at.map(Point::new(c.x + dx, c.y + dy)));
    let mut points = [[0.0f32; 3]; POINTS];
    let mut n = 0;
    for (dx, dy) in offsets(shape) {
        if let Some(rgb) = seen(dx, dy) {
            points[n] = rgb;
            n += 1;
        }
    }
    let points = &points[..n];
    let (rgb, share) = commonest(points, noise);
    let corners: Vec<[f32; 3]> = CORNERS
        .into_iter()
        .filter_map(|(sx, sy)| seen(sx * CORNER, sy * CORNER))
        .collect();
    let plate = median(&corners);
    HoleLook {
        rgb,
        share,
        plate,
        framed: corners.len() == 4 && corners.iter().all(|&c| alike(noise, c, plate)),
        whole: n * 5 >= POINTS * 3 && corners.len() >= 2,
    }
}

/// The colour of the plate at the corners of a cell of the endless lattice: what all of them
/// but one agree on. `None` where they do not, or lie outside of the picture.
#[must_use]
pub fn plate_at(fine: &Fine, at: &PxFromCell, (x, y): (i32, i32), noise: f32) -> Option<[f32; 3]> {
    let (cx, cy) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
    let corners: Vec<[f32; 3]> = CORNERS
        .into_iter()
        .filter_map(|(sx, sy)| fine.between(at.map(Point::new(cx + sx * CORNER, cy + sy * CORNER))))
        .collect();
    if corners.len() < 2 {
        return None;
    }
    let like =
        |a: [f32; 3]| { corners.iter() }.filter(move |&&b| apart(a, b) < AGREE + 3.0 * noise);
    let best = corners.iter().copied().max_by_key(|&a| like(a).count())?;
    let agreed: Vec<[f32; 3]> = like(best).copied().collect();
    (agreed.len() >= corners.len().saturating_sub(1).max(2)).then(|| median(&agreed))
}

/// The colour that most points have, and their share.
fn commonest(points: &[[f32; 3]], noise: f32) -> ([f32; 3], f32) {
    let mut best = (0, 0);
    for (i, &a) in points.iter().enumerate() {
        let n = points.iter().filter(|&&b| alike(noise, a, b)).count();
        if n > best.0 {
            best = (n, i);
        }
    }
    let Some(&seed) = points.get(best.1) else {
        return ([0.0; 3], 0.0);
    };
    let near: Vec<[f32; 3]> = points
        .iter()
        .copied()
        .filter(|&b| alike(noise, seed, b))
        .collect();
    let n = near.len() as f32;
    let mean = [0, 1, 2].map(|c| near.iter().map(|p| p[c]).sum::<f32>() / n);
    (mean, n / points.len() as f32)
}

/// Channel-wise median.
#[must_use]
pub fn median(points: &[[f32; 3]]) -> [f32; 3] {
    if points.is_empty() {
        return [0.0; 3];
    }
    [0, 1, 2].map(|c| {
        let mut v: Vec<f32> = points.iter().map(|p| p[c]).collect();
        v.sort_by(f32::total_cmp);
        (v[(v.len() - 1) / 2] + v[v.len() / 2]) / 2.0
    })
}
