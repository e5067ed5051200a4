//! The rims of supposed holes: where colour changes on the way from a cell's middle outwards.
//!
//! Takes planes, a lattice and the cells to look at; gives steps of colour along rays, the one
//! shape that most rims have, how much of a rim each cell has, and a lattice brought onto the
//! rims. All lengths are cells of the lattice.

use super::super::cell::distance;
use super::super::extent::Span;
use super::super::refine::product;
use super::super::solve::Normal;
use super::extent::HOLE;
use super::fine::Fine;
use crate::types::{Point, PxFromCell};

/// Rays from each middle.
pub const RAYS: usize = 20;

/// Places on a ray: from [`FIRST`] on in steps of [`STRIDE`].
const PLACES: usize = 22;
const FIRST: f32 = 0.11;
const STRIDE: f32 = 0.025;

/// Steps kept for each ray.
const KEPT: usize = 4;

/// Radii of holes, in cells.
const RADII: (f32, f32) = (0.17, 0.53);

/// Width over height of a cell that a board may have, as logarithm.
const ASPECTS: [f32; 7] = [0.0, -0.08, 0.08, -0.16, 0.16, -0.25, 0.25];

/// A step of colour on a ray.
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    /// How far from the middle, in cells.
    pub t: f32,
    /// Distance of the colours on both sides; 0 where there is no step.
    pub size: f32,
}

/// Half axes of a hole along x and y, in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Along x.
    pub rx: f32,
    /// Along y.
    pub ry: f32,
}

impl Shape {
    /// Radius along a ray.
    #[must_use]
    pub fn along(&self, ray: usize) -> f32 {
        let [c, s] = direction(ray);
        1.0 / ((c / self.rx).powi(2) + (s / self.ry).powi(2)).sqrt()
    }

    /// The same shape on a board that is turned by a quarter.
    #[must_use]
    pub const fn turned(&self) -> Self {
        Self {
            rx: self.ry,
            ry: self.rx,
        }
    }

    /// Radius along every ray.
    #[must_use]
    pub fn rays(&self) -> [f32; RAYS] {
        std::array::from_fn(|ray| self.along(ray))
    }

    /// Radius of the circle of the same area.
    #[must_use]
    pub fn mean(&self) -> f32 {
        (self.rx * self.ry).sqrt()
    }
}

/// Unit vector of a ray in cell space.
#[must_use]
pub fn direction(ray: usize) -> [f32; 2] {
    let angle = std::f32::consts::TAU * ray as f32 / RAYS as f32;
    [angle.cos(), angle.sin()]
}

/// Whether a ray is nearer to a diagonal than to an axis.
fn is_diagonal(ray: usize) -> bool {
    let [c, s] = direction(ray);
    (2.0 * c * s).abs() > std::f32::consts::FRAC_1_SQRT_2
}

/// What rays from the middles of cells meet.
#[derive(Clone, Debug)]
pub struct Rims {
    /// The cells looked at.
    pub span: Span,
    steps: Vec<[Step; KEPT]>,
    /// How far each ray stays inside of the picture.
    reach: Vec<f32>,
    /// Distance at which steps still belong to a rim.
    slack: f32,
}

impl Rims {
    /// Looks at all cells of a span. `least` is the smallest step of colour; `pitch` the width
    /// of a cell in px.
    #[must_use]
    pub fn seen(fine: &Fine, at: &PxFromCell, span: Span, least: f32, pitch: f64) -> Self {
        let size = span.size();
        let mut steps = Vec::with_capacity(size.len() * RAYS);
        let mut reach = Vec::with_capacity(size.len() * RAYS);
        let mut colours = [[0.0f32; 3]; PLACES];
        let rays: [[f64; 2]; RAYS] = std::array::from_fn(|r| direction(r).map(f64::from));
        for y in span.y0..span.y1 {
            for x in span.x0..span.x1 {
                let (cx, cy) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                let m = &at.0;
                // Along a ray all three homogeneous coordinates grow evenly.
                let middle = [0, 1, 2].map(|k| m[3 * k] * cx + m[3 * k + 1] * cy + m[3 * k + 2]);
                for [dx, dy] in &rays {
                    let way = [0, 1, 2].map(|k| m[3 * k] * dx + m[3 * k + 1] * dy);
                    let mut known = 0;
                    for (i, colour) in colours.iter_mut().enumerate() {
                        let t = f64::from(FIRST + STRIDE * i as f32);
                        let w = 1.0 / (middle[2] + t * way[2]);
                        let p =
                            Point::new((middle[0] + t * way[0]) * w, (middle[1] + t * way[1]) * w);
                        match fine.between(p) {
                            Some(c) => *colour = c,
                            None => break,
                        }
                        known = i + 1;
                    }
                    steps.push(strongest(&colours[..known], least));
                    reach.push(FIRST + STRIDE * (known as f32 - 2.0));
                }
            }
        }
        Self {
            span,
            steps,
            reach,
            // A ring around a hole has two edges, either of which may be the clearer one.
            slack: (1.2 / pitch as f32).max(0.058),
        }
    }

    fn index(&self, x: i32, y: i32) -> usize {
        let w = (self.span.x1 - self.span.x0) as usize;
        (y - self.span.y0) as usize * w + (x - self.span.x0) as usize
    }

    fn of(&self, x: i32, y: i32) -> &[[Step; KEPT]] {
        &self.steps[self.index(x, y) * RAYS..][..RAYS]
    }

    fn cells(&self, span: Span) -> impl Iterator<Item = (i32, i32)> + use<> {
        let s = self.span;
        let (x0, x1) = (span.x0.max(s.x0), span.x1.min(s.x1));
        let (y0, y1) = (span.y0.max(s.y0), span.y1.min(s.y1));
        (y0..y1).flat_map(move |y| (x0..x1).map(move |x| (x, y)))
    }

    /// The shape that most rims in a span have.
    #[must_use]
    pub fn shape(&self, span: Span) -> Option<Shape> {
        const BINS: usize = 40;
        let width = (RADII.1 - RADII.0) / BINS as f32;
        let mut best: Option<(f32, Shape)> = None;
        let mut scores = [0.0f32; BINS];
        for log in ASPECTS {
            let a = log.exp();
            let unit = Shape {
                rx: 1.0 / a.sqrt(),
                ry: a.sqrt(),
            };
            let mut bins = [0.0f32; BINS];
            let along: [f32; RAYS] = std::array::from_fn(|r| unit.along(r));
            for (x, y) in self.cells(span) {
                for (steps, along) in self.of(x, y).iter().zip(along) {
                    for s in steps.iter().filter(|s| s.size > 0.0) {
                        let b = (s.t / along - RADII.0) / width;
                        if b >= 0.0 && b < BINS as f32 {
                            bins[b as usize] += 1.0;
                        }
                    }
                }
            }
            // Square cells are usual, so another shape must explain clearly more.
            let share = 1.0 - 0.35 * log.abs();
            let near = |k: usize| bins.get(k).copied().unwrap_or(0.0);
            let own: [f32; BINS] = std::array::from_fn(|i| {
                let sum = near(i)
                    + 0.7 * (near(i + 1) + near(i.wrapping_sub(1)))
                    + 0.3 * (near(i + 2) + near(i.wrapping_sub(2)));
                sum * share
            });
            let top = own.into_iter().fold(0.0, f32::max);
            if top > best.map_or(0.0, |b| b.0) {
                scores = own;
                best = Some((top, unit));
            }
        }
        let (top, unit) = best?;
        let at = |i: usize| {
            let r = RADII.0 + (i as f32 + 0.5) * width;
            Shape {
                rx: r * unit.rx,
                ry: r * unit.ry,
            }
        };
        let first = scores.iter().position(|&s| s >= top)?;
        let cells = |shape: &Shape| {
            let all = self.cells(span);
            all.filter(|&c| self.rim(c, shape) >= 0.6).count()
        };
        // Rings pressed into discs lie inside of the rim, which the empty holes have as well.
        let inner = at(first);
        let known = cells(&inner);
        let farther = (first + 1..BINS).rev().filter(|&i| {
            let next = |k: usize| scores.get(k).copied().unwrap_or(0.0);
            at(i).rx > 1.2 * inner.rx
                && scores[i] > 0.4 * top
                && scores[i] >= next(i + 1)
                && scores[i] >= next(i - 1)
        });
        let outer = farther.map(at).find(|s| cells(s) * 20 >= known * 19);
        Some(outer.unwrap_or(inner))
    }

    /// The step nearest to the rim on each ray, as distance outwards from it.
    fn offs<'a>(
        &'a self,
        (x, y): (i32, i32),
        shape: &'a [f32; RAYS],
        slack: f32,
    ) -> impl Iterator<Item = (usize, f32)> + 'a {
        self.of(x, y)
            .iter()
            .enumerate()
            .filter_map(move |(ray, steps)| {
                let rim = shape[ray];
                steps
                    .iter()
                    .filter(|s| s.size > 0.0)
                    .map(|s| s.t - rim)
                    .filter(|off| off.abs() < slack)
                    .min_by(|a, b| a.abs().total_cmp(&b.abs()))
                    .map(|off| (ray, off))
            })
    }

    /// How much of a rim a cell has, 0 to 1; 0 where less than half of it lies in the picture.
    ///
    /// Rays along the axes and those between them count as much as each other: the sides of a
    /// square meet only the former.
    #[must_use]
    pub fn rim(&self, cell: (i32, i32), shape: &Shape) -> f32 {
        self.rim_within(cell, shape, self.slack)
    }

    /// The same where the rim may lie further off, in cells.
    #[must_use]
    pub fn rim_within(&self, cell: (i32, i32), shape: &Shape, slack: f32) -> f32 {
        let slack = slack.max(self.slack);
        let rays = shape.rays();
        let reach = &self.reach[self.index(cell.0, cell.1) * RAYS..][..RAYS];
        let mut inside = [0usize; 2];
        for (ray, reach) in reach.iter().enumerate() {
            inside[usize::from(is_diagonal(ray))] += usize::from(*reach >= rays[ray]);
        }
        if (inside[0] + inside[1]) * 2 < RAYS || inside.contains(&0) {
            return 0.0;
        }
        let mut met = [0usize; 2];
        for (ray, _) in self.offs(cell, &rays, slack) {
            met[usize::from(is_diagonal(ray))] += 1;
        }
        let part = |k: usize| (met[k] as f32 / inside[k] as f32).min(1.0);
        let rim = (part(0) + part(1)) / 2.0;
        // A part of a rim at the picture's edge must be a good one.
        if inside[0] + inside[1] < RAYS && rim < 0.75 {
            0.0
        } else {
            rim
        }
    }

    /// The share of cells of a span that are holes.
    #[must_use]
    pub fn share(&self, span: Span, shape: &Shape) -> f32 {
        let holes = self
            .cells(span)
            .filter(|&c| self.rim(c, shape) >= HOLE)
            .count();
        holes as f32 / self.cells(span).count().max(1) as f32
    }

    /// Whether enough cells have a part of a rim, wherever the lattice lies to a tenth of a cell.
    #[must_use]
    pub fn promise(&self, span: Span, shape: &Shape) -> bool {
        let rays = shape.rays();
        let holes = self
            .cells(span)
            .filter(|&c| self.offs(c, &rays, 0.12).count() * 5 >= RAYS * 2)
            .count();
        holes * 5 >= self.cells(span).count() * 2
    }

    /// The step of colour at the rims of a span, as the fainter ones have it.
    #[must_use]
    pub fn clear(&self, span: Span, shape: &Shape) -> f32 {
        let rays = shape.rays();
        let mut sizes: Vec<f32> = Vec::new();
        for cell in self.cells(span) {
            let near = |s: &&Step, ray: usize| s.size > 0.0 && (s.t - rays[ray]).abs() < self.slack;
            let met = self.of(cell.0, cell.1).iter().enumerate();
            let mut own: Vec<f32> = met
                .filter_map(|(ray, steps)| steps.iter().find(|s| near(s, ray)).map(|s| s.size))
                .collect();
            if own.len() * 2 > RAYS {
                own.sort_by(f32::total_cmp);
                sizes.push(own[own.len() / 2]);
            }
        }
        sizes.sort_by(f32::total_cmp);
        sizes.get(sizes.len() / 4).copied().unwrap_or(0.0)
    }

    /// A lattice nearer to the rims and the mean shape, with the residual in cells.
    #[must_use]
    pub fn settled(
        &self,
        at: &PxFromCell,
        span: Span,
        shape: &Shape,
        slack: f32,
        free: bool,
    ) -> Option<(PxFromCell, Shape, f32)> {
        let (mx, my) = (
            f64::from(span.x0 + span.x1) / 2.0,
            f64::from(span.y0 + span.y1) / 2.0,
        );
        let mut normal = Normal::<10>::default();
        let rays = shape.rays();
        let (mut sum, mut n) = (0.0f64, 0.0f64);
        for cell in self.cells(span) {
            let rim = self.rim(cell, shape);
            if rim < 0.4 {
                continue;
            }
            let (u, v) = (f64::from(cell.0) + 0.5 - mx, f64::from(cell.1) + 0.5 - my);
            for (ray, off) in self.offs(cell, &rays, slack) {
                let [c, s] = direction(ray).map(f64::from);
                // The normal of the ellipse.
                let (nx, ny) = (
                    c / f64::from(shape.rx * shape.rx),
                    s / f64::from(shape.ry * shape.ry),
                );
                let l = nx.hypot(ny);
                let (nx, ny) = (nx / l, ny / l);
                let off = f64::from(off);
                let z = off / f64::from(slack);
                let weight = (1.0 - z * z).powi(2) * f64::from(rim);
                let p = nx * u + ny * v;
                let row = [
                    nx,
                    ny,
                    nx * u,
                    nx * v,
                    ny * u,
                    ny * v,
                    p * u,
                    p * v,
                    nx * c,
                    ny * s,
                ];
                normal.add(&row, off * (nx * c + ny * s), weight);
                sum += weight * off * off;
                n += weight;
            }
        }
        if n < 20.0 {
            return None;
        }
        for k in [6, 7] {
            let mut row = [0.0; 10];
            row[k] = 1.0;
            // Few rims, or none at one side, say nothing of a slant.
            normal.add(&row, 0.0, if free { 2.0 } else { 1e9 });
        }
        let d = normal.solve()?;
        let change = [
            1.0 + d[2],
            d[3],
            d[0],
            d[4],
            1.0 + d[5],
            d[1],
            -d[6],
            -d[7],
            1.0,
        ];
        let to = [1.0, 0.0, mx, 0.0, 1.0, my, 0.0, 0.0, 1.0];
        let back = [1.0, 0.0, -mx, 0.0, 1.0, -my, 0.0, 0.0, 1.0];
        let moved = product(&product(&to, &change), &back);
        let shape = Shape {
            rx: (shape.rx + d[8] as f32).clamp(0.12, 0.56),
            ry: (shape.ry + d[9] as f32).clamp(0.12, 0.56),
        };
        Some((
            PxFromCell(product(&at.0, &moved)),
            shape,
            (sum / n).sqrt() as f32,
        ))
    }

    /// How square the rims are: 0 for circles, about 0.09 for squares, as share of the radius.
    #[must_use]
    pub fn squareness(&self, span: Span, shape: &Shape) -> f32 {
        let (mut sum, mut n) = (0.0f32, 0.0f32);
        let rays = shape.rays();
        for cell in self.cells(span) {
            if self.rim(cell, shape) < 0.5 {
                continue;
            }
            for (ray, off) in self.offs(cell, &rays, 0.35 * shape.mean()) {
                let angle = std::f32::consts::TAU * ray as f32 / RAYS as f32;
                sum -= off * (4.0 * angle).cos() * 2.0;
                n += 1.0;
            }
        }
        sum / n.max(1.0) / shape.mean()
    }
}

/// The strongest steps along a ray, by distance.
fn strongest(colours: &[[f32; 3]], least: f32) -> [Step; KEPT] {
    let mut out = [Step::default(); KEPT];
    if colours.len() < 5 {
        return out;
    }
    let pair = |a: [f32; 3], b: [f32; 3]| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
    let mut sizes = [0.0f32; PLACES];
    for i in 2..colours.len() - 2 {
        let before = pair(colours[i - 2], colours[i - 1]);
        let after = pair(colours[i + 1], colours[i + 2]);
        sizes[i] = distance(before, after) / 2.0;
    }
    for i in 2..colours.len() - 2 {
        let (a, b, c) = (sizes[i - 1], sizes[i], sizes[i + 1]);
        if b < least || b < a || b <= c {
            continue;
        }
        let bend = a - 2.0 * b + c;
        let shift = if bend < -1e-3 {
            (0.5 * (a - c) / bend).clamp(-0.5, 0.5)
        } else {
            0.0
        };
        let step = Step {
            t: FIRST + STRIDE * (i as f32 + shift),
            size: b,
        };
        // The weakest gives way.
        let weakest = (0..KEPT).min_by(|&p, &q| out[p].size.total_cmp(&out[q].size));
        if let Some(w) = weakest
            && out[w].size < b
        {
            out[w] = step;
        }
    }
    out
}
