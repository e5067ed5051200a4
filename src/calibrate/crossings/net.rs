//! A net: two families of equally spaced lines on a flat board, as a camera sees them.
//!
//! Takes marks (points that lie on lines of known number), gives the transform by least squares.
//! Its cell space has its lines at whole numbers, unlike that of a calibration.

use crate::calibrate::solve::Normal;
use crate::types::{Point, PxFromCell};

/// A family of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Lines of constant x.
    Down,
    /// Lines of constant y.
    Across,
}

/// A point that lies on a line.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// Where it was seen.
    pub px: Point,
    /// The family of its line.
    pub way: Way,
    /// The number of its line.
    pub line: i32,
}

/// First and last line of each family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// First line that runs down.
    pub x0: i32,
    /// First line that runs across.
    pub y0: i32,
    /// Last line that runs down.
    pub x1: i32,
    /// Last line that runs across.
    pub y1: i32,
}

impl Extent {
    /// Lines that run down, and across.
    #[must_use]
    pub const fn lines(&self) -> (i32, i32) {
        (self.x1 - self.x0 + 1, self.y1 - self.y0 + 1)
    }
}

/// Lines and where they lie.
#[derive(Clone, Copy, Debug)]
pub struct Net {
    /// The transform; line x = 3 lies at 3.
    pub px_from_cell: PxFromCell,
    /// And back.
    pub cell_from_px: PxFromCell,
    /// The lines that were seen.
    pub extent: Extent,
    /// How much lines differ from what lies beside them, 0 to 255.
    pub contrast: f32,
    /// From which difference on there is a line: more than texture and noise make.
    pub floor: f32,
    /// What lies beside lines, in the channel in which they are looked for.
    pub ground: f32,
}

/// Root mean square distance of marks from their lines, in cells, beyond which they are of no
/// common net.
const LOOSE: f64 = 0.12;

/// Sides of a cell as seen: shortest, and how much longer one may be than the other.
const LEAST_PITCH: f64 = 4.5;
const LONGEST_SIDES: f64 = 3.0;

impl Net {
    /// The net on which marks lie; its lines go from 0 to `last`.
    #[must_use]
    pub fn fitted(marks: &[Mark], last: [i32; 2], contrast: f32) -> Option<Self> {
        let (px_from_cell, cell_from_px, rms) = fit(marks)?;
        if rms > LOOSE {
            return None;
        }
        let net = Self {
            px_from_cell,
            cell_from_px,
            extent: Extent {
                x0: 0,
                y0: 0,
                x1: last[0],
                y1: last[1],
            },
            contrast,
            floor: 0.3 * contrast,
            ground: 128.0,
        };
        net.is_sane().then_some(net)
    }

    /// The same lines, brought onto better marks.
    #[must_use]
    pub fn settled(&self, marks: &[Mark]) -> Option<Self> {
        let (px_from_cell, cell_from_px, _) = fit(marks)?;
        let net = Self {
            px_from_cell,
            cell_from_px,
            ..*self
        };
        net.is_sane().then_some(net)
    }

    /// Where a crossing (or any point of the net) lies.
    #[must_use]
    pub fn px(&self, x: f64, y: f64) -> Point {
        self.px_from_cell.map(Point::new(x, y))
    }

    /// Width and height of a cell around a point of the net, in px.
    #[must_use]
    pub fn pitch(&self, x: f64, y: f64) -> [f64; 2] {
        [
            self.px(x - 0.5, y).distance(self.px(x + 0.5, y)),
            self.px(x, y - 0.5).distance(self.px(x, y + 0.5)),
        ]
    }

    /// Middle of the extent.
    #[must_use]
    pub fn middle(&self) -> Point {
        let e = &self.extent;
        Point::new(f64::from(e.x0 + e.x1) / 2.0, f64::from(e.y0 + e.y1) / 2.0)
    }

    /// Whether all of the extent lies before the camera in cells of possible size and shape.
    fn is_sane(&self) -> bool {
        let e = &self.extent;
        let depth = |x: f64, y: f64| {
            let m = &self.px_from_cell.0;
            m[6] * x + m[7] * y + m[8]
        };
        let c = self.middle();
        let middle = depth(c.x, c.y);
        for (x, y) in [(e.x0, e.y0), (e.x1, e.y0), (e.x0, e.y1), (e.x1, e.y1)] {
            let (x, y) = (f64::from(x), f64::from(y));
            if !(0.3..3.3).contains(&(depth(x, y) / middle)) {
                return false;
            }
            let (o, p, q) = (self.px(x, y), self.px(x + 0.5, y), self.px(x, y + 0.5));
            let (a, b) = (2.0 * o.distance(p), 2.0 * o.distance(q));
            if a.min(b) < LEAST_PITCH || a.max(b) > LONGEST_SIDES * a.min(b) {
                return false;
            }
            let turn = (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
            if turn < 0.45 * a * b / 4.0 {
                return false;
            }
        }
        true
    }
}

/// The homography under which marks lie on their lines, its inverse, and the root mean square
/// distance of marks from their lines in cells, far-off ones counted less.
fn fit(marks: &[Mark]) -> Option<(PxFromCell, PxFromCell, f64)> {
    if marks.len() < 8 {
        return None;
    }
    let n = marks.len() as f64;
    let (cx, cy) = marks
        .iter()
        .fold((0.0, 0.0), |(x, y), m| (x + m.px.x / n, y + m.px.y / n));
    let scale = marks
        .iter()
        .map(|m| (m.px.x - cx).hypot(m.px.y - cy))
        .fold(1.0, f64::max);
    // The inverse is linear in its own elements: (g0 u + g1 v + g2) / (g6 u + g7 v + 1) = line.
    let mut g = [0.0f64; 8];
    let mut rms = f64::INFINITY;
    for round in 0..5 {
        let mut normal = Normal::<8>::default();
        let (mut sum, mut weights) = (0.0, 0.0);
        for m in marks {
            let (u, v, k) = (
                (m.px.x - cx) / scale,
                (m.px.y - cy) / scale,
                f64::from(m.line),
            );
            let at = usize::from(m.way == Way::Across) * 3;
            let mut weight = 1.0;
            if round > 0 {
                let far = g[6] * u + g[7] * v + 1.0;
                if far < 0.05 {
                    return None;
                }
                let off = (g[at] * u + g[at + 1] * v + g[at + 2]) / far - k;
                let reach = if round == 1 { 0.3 } else { 0.08 };
                let robust = 1.0 / (1.0 + (off / reach).powi(2));
                weight = robust / (far * far);
                sum += robust * off * off;
                weights += robust;
            }
            let mut row = [0.0; 8];
            row[at] = u;
            row[at + 1] = v;
            row[at + 2] = 1.0;
            row[6] = -k * u;
            row[7] = -k * v;
            normal.add(&row, k, weight);
        }
        // A small patch says next to nothing about perspective.
        for i in [6, 7] {
            let mut row = [0.0; 8];
            row[i] = 1.0;
            normal.add(&row, 0.0, 0.3);
        }
        if round > 0 {
            rms = (sum / weights.max(1e-9)).sqrt();
        }
        g = normal.solve()?;
    }
    let row = |a: f64, b: f64, c: f64| [a / scale, b / scale, c - (a * cx + b * cy) / scale];
    let (r0, r1, r2) = (
        row(g[0], g[1], g[2]),
        row(g[3], g[4], g[5]),
        row(g[6], g[7], 1.0),
    );
    let back = PxFromCell([
        r0[0], r0[1], r0[2], r1[0], r1[1], r1[2], r2[0], r2[1], r2[2],
    ]);
    Some((back.inverse()?, back, rms))
}
