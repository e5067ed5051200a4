//! Quadrilaterals that may be the outline of a well: two long lines that run down, joined at
//! their lower ends, and at the upper ones by a line, by nothing, or by the picture's edge.
//!
//! Takes lines of both ways, gives corners in px, likeliest first. Whether there is a board in one
//! is not asked here.

use super::super::super::chains::Way;
use super::lines::Line;
use crate::types::Point;

/// Height over width of an outline, as seen.
const SHAPE: (f64, f64) = (1.15, 3.4);

/// Smallest width and height of a well in px.
const LEAST: (f64, f64) = (24.0, 48.0);

/// Share of the sides, and of the lines across, that must be seen.
const SIDE: f64 = 0.34;
const FLOOR: f64 = 0.4;

/// What the picture's own edge counts for as a line across, and ends of the sides without one.
const EDGE: f64 = 0.6;
const OPEN: f64 = 0.5;

/// How much less likely an outline is for each end of a line that goes on beyond its corner.
const BEYOND: f64 = 0.85;

/// An outline that may be there.
#[derive(Clone, Copy, Debug)]
pub struct Quad {
    /// Corners: top left, top right, bottom right, bottom left.
    pub corners: [Point; 4],
    /// How much of it is seen, and how large it is.
    pub promise: f64,
    /// How many of its sides go on above its upper side.
    pub above: i32,
    /// Whether its upper side, and its lower one, is where the picture ends.
    pub cut: [bool; 2],
    /// Which two lines its sides are.
    pub sides: (usize, usize),
}

impl Quad {
    /// An outline with these corners that no line says.
    #[must_use]
    pub fn at(corners: [Point; 4]) -> Self {
        Self {
            corners,
            promise: 0.0,
            above: 0,
            cut: [false; 2],
            sides: (0, 0),
        }
    }
}

/// A way across from one side to the other.
#[derive(Clone, Copy)]
struct Crossbar {
    left: Point,
    right: Point,
    /// How much of it is seen, less where it does not end at the sides.
    seen: f64,
    /// Whether the picture ends there.
    cut: bool,
}

/// At most `most` outlines; `size` is width and height of the picture.
#[must_use]
pub fn quads(down: &[Line], across: &[Line], size: [f64; 2], most: usize) -> Vec<Quad> {
    let mut found: Vec<Quad> = Vec::new();
    let (upper, lower) = (edge(0.5, size), edge(size[1] - 0.5, size));
    let mut bars: Vec<Crossbar> = Vec::new();
    let begins: Vec<Vec<f64>> = down.iter().map(begins).collect();
    for (i, left) in down.iter().enumerate() {
        for (j, right) in down.iter().enumerate() {
            let y = f64::midpoint(left.pivot, right.pivot);
            // Nearly parallel: a well seen at forty degrees narrows by less than half.
            if right.at(y) - left.at(y) < LEAST.0 || (right.slope - left.slope).abs() > 0.6 {
                continue;
            }
            let ((l0, l1), (r0, r1)) = (left.ends(), right.ends());
            let overlap = l1.min(r1) - l0.max(r0);
            if overlap < 0.5 * (l1 - l0).min(r1 - r0) || overlap < 0.5 * LEAST.1 {
                continue;
            }
            bars.clear();
            bars.extend(across.iter().filter_map(|a| joined(left, right, a)));
            for at_edge in [&upper, &lower] {
                let bar = joined(left, right, at_edge);
                bars.extend(bar.map(|b| Crossbar {
                    seen: EDGE,
                    cut: true,
                    ..b
                }));
            }
            let slack = 0.12 * overlap;
            // Both sides reach a floor and a lid, or nearly.
            let floors = bars.iter().filter(|b| {
                l1 > b.left.y - slack && r1 > b.right.y - slack && b.left.y > f64::midpoint(l0, l1)
            });
            let low: Vec<Crossbar> = floors.copied().collect();
            let mut lids: Vec<Crossbar> = Vec::new();
            lids.extend(bars.iter().filter(|b| {
                l0 < b.left.y + slack && r0 < b.right.y + slack && b.left.y < f64::midpoint(l0, l1)
            }));
            for &a in &begins[i] {
                for &b in &begins[j] {
                    lids.push(Crossbar {
                        left: left.point(a),
                        right: right.point(b),
                        seen: OPEN,
                        cut: false,
                    });
                }
            }
            for floor in &low {
                for lid in &lids {
                    found
                        .extend(quad(left, right, lid, floor).map(|q| Quad { sides: (i, j), ..q }));
                }
            }
        }
    }
    found.sort_by(|a, b| b.promise.total_cmp(&a.promise));
    let mut out: Vec<Quad> = Vec::new();
    for q in found {
        // Lines that lie near each other make the same outline several times.
        let near = (0.025 * q.corners[3].distance(q.corners[2])).max(1.5);
        let again = out.iter().any(|o| {
            let mut far = o
                .corners
                .iter()
                .zip(&q.corners)
                .map(|(a, b)| a.distance(*b));
            far.all(|d| d < near)
        });
        if !again {
            out.push(q);
        }
        if out.len() == most {
            break;
        }
    }
    out
}

fn quad(left: &Line, right: &Line, lid: &Crossbar, floor: &Crossbar) -> Option<Quad> {
    let (tl, tr, br, bl) = (lid.left, lid.right, floor.right, floor.left);
    if (bl.y - tl.y).min(br.y - tr.y) < LEAST.1 {
        return None;
    }
    let wide = f64::midpoint(bl.distance(br), tl.distance(tr));
    let high = f64::midpoint(bl.distance(tl), br.distance(tr));
    if !(SHAPE.0..=SHAPE.1).contains(&(high / wide)) {
        return None;
    }
    // The ends of two lines that do not belong together are nowhere near level.
    let lean = |a: Point, b: Point| (b.y - a.y) / (b.x - a.x).max(1.0);
    if (lean(tl, tr) - lean(bl, br)).abs() > 0.3 {
        return None;
    }
    let sides = (left.cover(tl.y, bl.y), right.cover(tr.y, br.y));
    if sides.0.min(sides.1) < SIDE {
        return None;
    }
    let above = above(left, tl.y, bl.y) + above(right, tr.y, br.y);
    let below = below(left, tl.y, bl.y) + below(right, tr.y, br.y);
    let beyond = above + below;
    let seen = (sides.0 * sides.1 * lid.seen * floor.seen).sqrt() * BEYOND.powi(beyond);
    Some(Quad {
        corners: [tl, tr, br, bl],
        promise: seen * (wide * high).sqrt(),
        above,
        cut: [lid.cut, floor.cut],
        sides: (0, 0),
    })
}

/// The part of a line across between two that run down, if it is seen there.
fn joined(left: &Line, right: &Line, across: &Line) -> Option<Crossbar> {
    let (a, b) = (left.meets(across)?, right.meets(across)?);
    if b.x - a.x < LEAST.0 {
        return None;
    }
    let seen = across.cover(a.x, b.x);
    let beyond = above(across, a.x, b.x) + below(across, a.x, b.x);
    (seen >= FLOOR).then(|| Crossbar {
        left: a,
        right: b,
        seen: seen * BEYOND.powi(beyond),
        cut: false,
    })
}

/// 1 if a line goes on before a stretch, else 0.
fn above(line: &Line, from: f64, to: f64) -> i32 {
    let part = |share: f64| share * (to - from);
    i32::from(line.cover(from - part(0.16), from - part(0.05)) > 0.7)
}

/// 1 if a line goes on behind a stretch, else 0.
fn below(line: &Line, from: f64, to: f64) -> i32 {
    let part = |share: f64| share * (to - from);
    i32::from(line.cover(to + part(0.05), to + part(0.16)) > 0.7)
}

/// Where long stretches of a line begin.
fn begins(line: &Line) -> Vec<f64> {
    const GAP: f32 = 12.0;
    let mut runs: Vec<(f32, f32)> = Vec::new();
    for &(a, b) in &line.seen {
        match runs.last_mut() {
            Some(last) if a - last.1 < GAP => last.1 = b,
            _ => runs.push((a, b)),
        }
    }
    runs.retain(|r| f64::from(r.1 - r.0) > 0.5 * LEAST.1);
    runs.iter().map(|r| f64::from(r.0)).take(3).collect()
}

/// The picture's own upper or lower edge as a line.
fn edge(y: f64, size: [f64; 2]) -> Line {
    Line {
        way: Way::Across,
        middle: y,
        slope: 0.0,
        pivot: size[0] / 2.0,
        seen: vec![(0.0, size[0] as f32)],
        length: size[0] as f32,
    }
}
