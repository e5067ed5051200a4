//! How a flat screen lies in a camera's picture: the two directions its lines vanish in.
//!
//! Takes chains of both ways, gives views in which the screen's lines run along the axes.
//! Nothing is warped: chains are carried into the view by their ends.

use super::chains::{Chain, Way};
use super::refine::product;
use super::solve::Normal;
use crate::types::{Point, PxFromCell};

/// A transform from the picture in which the lines of the screen run down and across.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// From px to view coordinates, which are about as large as px in the middle.
    pub view_from_px: PxFromCell,
    /// And back.
    pub px_from_view: PxFromCell,
}

/// A chain as a line: its ends, its length, the homogeneous line through it.
#[derive(Clone, Copy, Debug)]
struct Ray {
    middle: [f64; 2],
    along: [f64; 2],
    line: [f64; 3],
    length: f64,
}

/// Ends of a chain in px.
fn ends(c: &Chain, way: Way) -> (Point, Point) {
    let half = f64::from(c.len()) / 2.0;
    let middle = f64::from(c.from) + half;
    let at = f64::from(c.at);
    let lean = f64::from(c.slope) * half;
    match way {
        Way::Down => (
            Point::new(at - lean, middle - half),
            Point::new(at + lean, middle + half),
        ),
        Way::Across => (
            Point::new(middle - half, at - lean),
            Point::new(middle + half, at + lean),
        ),
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Rays of the longest chains, in coordinates with the picture's middle at 0 and its half
/// diagonal at 1.
fn rays(chains: &[Chain], way: Way, size: [f32; 2], most: usize) -> Vec<Ray> {
    let mut long: Vec<&Chain> = chains
        .iter()
        .filter(|c| c.len() >= 8.0 && f64::from(c.bend) < 0.5 + 0.01 * f64::from(c.len()))
        .collect();
    long.sort_by(|a, b| b.len().total_cmp(&a.len()));
    long.truncate(most);
    let (w, h) = (f64::from(size[0]), f64::from(size[1]));
    let scale = w.hypot(h) / 2.0;
    long.iter()
        .map(|c| {
            let (a, b) = ends(c, way);
            let p = [(a.x - w / 2.0) / scale, (a.y - h / 2.0) / scale];
            let q = [(b.x - w / 2.0) / scale, (b.y - h / 2.0) / scale];
            let d = [q[0] - p[0], q[1] - p[1]];
            let length = d[0].hypot(d[1]).max(1e-9);
            let along = [d[0] / length, d[1] / length];
            let line = [
                -along[1],
                along[0],
                along[1] * p[0] - along[0] * p[1],
            ];
            Ray {
                middle: [(p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0],
                along,
                line,
                length: length * scale,
            }
        })
        .collect()
}

/// Sine of the angle between a ray and the direction from its middle to the vanishing point.
fn miss(ray: &Ray, v: [f64; 3]) -> f64 {
    let d = [v[0] - v[2] * ray.middle[0], v[1] - v[2] * ray.middle[1]];
    let n = d[0].hypot(d[1]).max(1e-12);
    (d[0] * ray.along[1] - d[1] * ray.along[0]).abs() / n
}

/// How far a ray's direction may be off: its pixels are whole.
fn slack(ray: &Ray) -> f64 {
    0.008 + 0.5 / ray.length
}

fn support(rays: &[Ray], v: [f64; 3]) -> f64 {
    rays.iter()
        .map(|r| {
            let m = miss(r, v) / slack(r);
            if m < 3.0 { r.length.min(120.0) * (-m * m / 2.0).exp() } else { 0.0 }
        })
        .sum()
}

/// The vanishing points most rays agree on, best first.
fn vanishing(rays: &[Ray], way: Way, count: usize) -> Vec<[f64; 3]> {
    const BASES: usize = 48;
    let bases = &rays[..rays.len().min(BASES)];
    let mut found: Vec<(f64, [f64; 3])> = Vec::new();
    let straight = match way {
        Way::Down => [0.0, 1.0, 0.0],
        Way::Across => [1.0, 0.0, 0.0],
    };
    found.push((support(rays, straight), straight));
    for (i, a) in bases.iter().enumerate() {
        // Parallel to one ray, or through the meeting point of two.
        let alone = [a.along[0], a.along[1], 0.0];
        found.push((support(rays, alone), alone));
        for b in &bases[i + 1..] {
            let v = cross(a.line, b.line);
            let n = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
            // Two pieces of one line tell nothing; a point inside the picture is a corner.
            if n < 1e-3 || v[0].hypot(v[1]) < 1.3 * v[2].abs() {
                continue;
            }
            let v = v.map(|x| x / n);
            found.push((support(rays, v), v));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut out: Vec<[f64; 3]> = Vec::new();
    for (s, v) in found {
        if s < 30.0 || out.len() == count {
            break;
        }
        let v = settled(rays, v);
        let heading = |v: [f64; 3], at: [f64; 2]| {
            let d = [v[0] - v[2] * at[0], v[1] - v[2] * at[1]];
            let n = d[0].hypot(d[1]).max(1e-12);
            [d[0] / n, d[1] / n]
        };
        let steep = heading(v, [0.0, 0.0]);
        let fits = match way {
            Way::Down => steep[1].abs() > 0.5,
            Way::Across => steep[0].abs() > 0.5,
        };
        let is_new = out.iter().all(|&o| {
            [[0.0, 0.0], [0.4, 0.4], [-0.4, 0.4]].iter().any(|&at| {
                let (p, q) = (heading(v, at), heading(o, at));
                (p[0] * q[1] - p[1] * q[0]).abs() > 0.03
            })
        });
        if fits && is_new {
            out.push(v);
        }
    }
    out
}

/// The vanishing point moved to where the rays that agree with it meet best.
fn settled(rays: &[Ray], mut v: [f64; 3]) -> [f64; 3] {
    for _ in 0..4 {
        // In the direction of v: v + x e1 + y e2, with e1, e2 perpendicular to it.
        let e1 = unit(if v[2].abs() < 0.9 { cross(v, [0.0, 0.0, 1.0]) } else { cross(v, [1.0, 0.0, 0.0]) });
        let e2 = unit(cross(v, e1));
        let mut n = Normal::<2>::default();
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        for r in rays {
            let m = miss(r, v) / slack(r);
            if m > 2.5 {
                continue;
            }
            // The line's distance from v, as an angle seen from the ray's middle.
            let d = [v[0] - v[2] * r.middle[0], v[1] - v[2] * r.middle[1]];
            let k = 1.0 / (d[0].hypot(d[1]).max(1e-9) * slack(r));
            n.add(
                &[dot(r.line, e1) * k, dot(r.line, e2) * k],
                -dot(r.line, v) * k,
                r.length.min(120.0) * (1.0 - m / 2.5).max(0.05),
            );
        }
        n.damp(1e-9);
        let Some([x, y]) = n.solve() else { break };
        v = unit([0, 1, 2].map(|i| v[i] + x * e1[i] + y * e2[i]));
    }
    v
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let n = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt().max(1e-12);
    v.map(|x| x / n)
}

/// Views in which the lines of a screen may run along the axes, likeliest first.
#[must_use]
pub fn views(down: &[Chain], across: &[Chain], size: [f32; 2]) -> Vec<View> {
    const RAYS: usize = 300;
    let down = vanishing(&rays(down, Way::Down, size, RAYS), Way::Down, 2);
    let across = vanishing(&rays(across, Way::Across, size, RAYS), Way::Across, 2);
    let mut out = Vec::new();
    for &d in &down {
        for &a in &across {
            out.extend(view(d, a, size));
        }
    }
    out
}

/// The view for a pair of vanishing points.
fn view(down: [f64; 3], across: [f64; 3], size: [f32; 2]) -> Option<View> {
    let (w, h) = (f64::from(size[0]), f64::from(size[1]));
    let scale = w.hypot(h) / 2.0;
    let middle = [0.0, 0.0, 1.0];
    // Lines of constant x pass through the point where lines that run down vanish; far away is
    // the line through both points.
    let mut x = cross(down, middle);
    let mut y = cross(middle, across);
    let mut far = cross(down, across);
    if far[2].abs() < 0.25 * far[0].hypot(far[1]) {
        return None;
    }
    let k = far[2];
    far = far.map(|v| v / k);
    let (nx, ny) = (x[0].hypot(x[1]), y[0].hypot(y[1]));
    if nx < 1e-9 || ny < 1e-9 {
        return None;
    }
    let (sx, sy) = (if x[0] < 0.0 { -nx } else { nx }, if y[1] < 0.0 { -ny } else { ny });
    x = x.map(|v| v / sx);
    y = y.map(|v| v / sy);
    // From px: p = ((px - w/2) / scale, ...); the view is scaled back and shifted so that the
    // middle stays where it is.
    let row = |r: [f64; 3]| {
        [
            r[0] / scale,
            r[1] / scale,
            r[2] - r[0] * w / 2.0 / scale - r[1] * h / 2.0 / scale,
        ]
    };
    let (rx, ry, rf) = (row(x), row(y), row(far));
    let mut m = [0.0; 9];
    for i in 0..3 {
        m[i] = rx[i] * scale + rf[i] * w / 2.0;
        m[3 + i] = ry[i] * scale + rf[i] * h / 2.0;
        m[6 + i] = rf[i];
    }
    // Not divided by its last element, which may be small: the sign of the third row tells what
    // lies ahead.
    let view_from_px = PxFromCell(m);
    Some(View {
        view_from_px,
        px_from_view: view_from_px.inverse()?,
    })
}

impl View {
    /// Chains of both ways (down, across) carried into the view, which is then shifted so that
    /// they begin at 0, and its width and height. Chains that lie behind the camera or lean are
    /// left out.
    #[must_use]
    pub fn carried(&self, down: &[Chain], across: &[Chain]) -> Carried {
        let mut d = self.carry(down, Way::Down);
        let mut a = self.carry(across, Way::Across);
        let (mut lo, mut hi) = ([f32::INFINITY; 2], [0.0f32; 2]);
        for (chains, i, j) in [(&d, 0, 1), (&a, 1, 0)] {
            for c in chains {
                lo[i] = lo[i].min(c.at);
                lo[j] = lo[j].min(c.from);
                hi[i] = hi[i].max(c.at);
                hi[j] = hi[j].max(c.to);
            }
        }
        let lo = lo.map(|v| if v.is_finite() { v } else { 0.0 });
        for (chains, i, j) in [(&mut d, 0, 1), (&mut a, 1, 0)] {
            for c in chains {
                c.at -= lo[i];
                c.from -= lo[j];
                c.to -= lo[j];
            }
        }
        let back = [
            1.0,
            0.0,
            f64::from(lo[0]),
            0.0,
            1.0,
            f64::from(lo[1]),
            0.0,
            0.0,
            1.0,
        ];
        Carried {
            down: d,
            across: a,
            size: [hi[0] - lo[0], hi[1] - lo[1]].map(|v| v.max(1.0)),
            px_from_view: PxFromCell(product(&self.px_from_view.0, &back)),
        }
    }

    fn carry(&self, chains: &[Chain], way: Way) -> Vec<Chain> {
        let m = &self.view_from_px.0;
        // Things much nearer or farther than the middle of the picture are no part of a board
        // that could be read.
        let depth = |p: Point| m[6] * p.x + m[7] * p.y + m[8];
        let near = |p: Point| (0.3..3.5).contains(&depth(p));
        chains
            .iter()
            .filter_map(|c| {
                let (a, b) = ends(c, way);
                if !near(a) || !near(b) {
                    return None;
                }
                let (a, b) = (self.view_from_px.map(a), self.view_from_px.map(b));
                let (from, to, at, lean) = match way {
                    Way::Down => (a.y, b.y, (a.x + b.x) / 2.0, b.x - a.x),
                    Way::Across => (a.x, b.x, (a.y + b.y) / 2.0, b.y - a.y),
                };
                let len = to - from;
                (len > 1.0 && lean.abs() < (0.05 * len).max(1.2)).then_some(Chain {
                    from: from as f32,
                    to: to as f32,
                    at: at as f32,
                    slope: (lean / len) as f32,
                    ..*c
                })
            })
            .collect()
    }
}

/// Chains in a view.
#[derive(Clone, Debug)]
pub struct Carried {
    /// Those that run down the view.
    pub down: Vec<Chain>,
    /// Those that run across.
    pub across: Vec<Chain>,
    /// Width and height that hold them all.
    pub size: [f32; 2],
    /// From the view, whose origin is now 0, to px.
    pub px_from_view: PxFromCell,
}
