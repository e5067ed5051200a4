//! The inside of an outline, squared up: where it is like what is empty, and where it is not.
//!
//! Takes planes and corners, gives a small raster of the inside with a rim around it, a smooth
//! estimate of what empty looks like at each of its places (light falls off and lamps are
//! mirrored, also where nothing is), and which of its pixels are filled.

use super::super::super::planes::Planes;
use super::super::super::solve::Normal;
use crate::types::{GridSize, Point, PxFromCell};

/// Width and height of the inside in pixels of the raster, and of the rim around it.
pub const INSIDE: (usize, usize) = (120, 240);
pub const RIM: usize = 14;

/// Width and height of the raster.
pub const SIZE: (usize, usize) = (INSIDE.0 + 2 * RIM, INSIDE.1 + 2 * RIM);

/// Outlines wider than this, in px, are looked at in a smaller picture: a raster that skips pixels
/// would miss thin lines.
pub const WIDEST: f64 = 2.2 * INSIDE.0 as f64;

/// How far the empty part reaches down where the search for its colour begins.
const UPPER: f64 = 0.26;

/// Steps in which it is then looked for further down.
const LOWER: [f64; 5] = [0.26, 0.4, 0.6, 0.85, 1.0];

type Rgb = [f32; 3];

/// The raster of one outline.
#[derive(Clone, Debug)]
pub struct Field {
    /// From the unit square of the outline to px.
    pub px_from_unit: PxFromCell,
    /// Colours, row by row.
    pub rgb: Vec<Rgb>,
    /// Distance from what is empty.
    pub far: Vec<f32>,
    /// Whether something is there.
    pub filled: Vec<bool>,
    /// What empty looks like: per channel the coefficients of 1, u, v, u*u, u*v, v*v.
    pub empty: [[f64; 6]; 3],
    /// Root mean square distance of empty pixels from it.
    pub rough: f32,
    /// Distance beyond which a pixel is filled.
    pub limit: f32,
    /// Distance beyond which a pixel is surely not just empty.
    pub hint: f32,
    /// Whether a pixel lies in the picture.
    pub seen: Vec<bool>,
}

/// The place of a pixel of the raster, 0 to 1 each way inside the outline.
fn unit(x: usize, y: usize) -> (f64, f64) {
    (
        (x as f64 + 0.5 - RIM as f64) / INSIDE.0 as f64,
        (y as f64 + 0.5 - RIM as f64) / INSIDE.1 as f64,
    )
}

fn basis((u, v): (f64, f64)) -> [f64; 6] {
    [1.0, u, v, u * u, u * v, v * v]
}

fn distance(a: Rgb, b: Rgb) -> f32 {
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
}

/// A polynomial at a place.
#[must_use]
pub fn at(k: &[[f64; 6]; 3], place: (f64, f64)) -> Rgb {
    let b = basis(place);
    k.map(|k| k.iter().zip(b).map(|(k, b)| k * b).sum::<f64>() as f32)
}

impl Field {
    /// The raster of an outline; `None` for corners that make none or an inside without a colour
    /// that could be what is empty.
    #[must_use]
    pub fn new(planes: &Planes, corners: [Point; 4], noise: f32) -> Option<Self> {
        let px_from_unit = PxFromCell::from_corners(GridSize::new(1, 1), corners)?;
        let (rgb, seen) = warped(planes, &px_from_unit);
        let (empty, rough) = emptiness(&rgb, noise)?;
        let mut far = vec![0.0; rgb.len()];
        for y in 0..SIZE.1 {
            for x in 0..SIZE.0 {
                let i = y * SIZE.0 + x;
                far[i] = distance(rgb[i], at(&empty, unit(x, y)));
            }
        }
        let limit = limit(&far, rough, noise)?;
        let raw: Vec<bool> = far.iter().map(|&d| d > limit).collect();
        let filled = closed(&raw);
        Some(Self {
            px_from_unit,
            rgb,
            far,
            filled,
            empty,
            rough,
            limit,
            hint: (3.0 * rough).max(8.0 + 2.5 * noise).min(0.6 * limit),
            seen,
        })
    }
}

fn warped(planes: &Planes, px_from_unit: &PxFromCell) -> (Vec<Rgb>, Vec<bool>) {
    let mut out = vec![[0.0; 3]; SIZE.0 * SIZE.1];
    let mut seen = vec![true; SIZE.0 * SIZE.1];
    let (w, h) = (planes.width, planes.height);
    let m = &px_from_unit.0;
    for (y, row) in out.chunks_exact_mut(SIZE.0).enumerate() {
        for (x, to) in row.iter_mut().enumerate() {
            let (u, v) = unit(x, y);
            let k = 1.0 / (m[6] * u + m[7] * v + m[8]);
            // Beyond the picture its last pixels go on.
            let px = (m[0] * u + m[1] * v + m[2]) * k - 0.5;
            let py = (m[3] * u + m[4] * v + m[5]) * k - 0.5;
            seen[y * SIZE.0 + x] = px > -1.0 && py > -1.0 && px < w as f64 && py < h as f64;
            let px = px.clamp(0.0, w as f64 - 1.001);
            let py = py.clamp(0.0, h as f64 - 1.001);
            let (x0, y0) = (px as usize, py as usize);
            let (fx, fy) = ((px - x0 as f64) as f32, (py - y0 as f64) as f32);
            let (i, j) = (y0 * w + x0, (y0 + 1).min(h - 1) * w + x0);
            let right = usize::from(x0 + 1 < w);
            for (t, p) in to.iter_mut().zip(&planes.rgb) {
                let mix = |i: usize| {
                    let (a, b) = (f32::from(p[i]), f32::from(p[i + right]));
                    a + (b - a) * fx
                };
                let (a, b) = (mix(i), mix(j));
                *t = a + (b - a) * fy;
            }
        }
    }
    (out, seen)
}

/// What empty looks like, found from the top down.
fn emptiness(rgb: &[Rgb], noise: f32) -> Option<([[f64; 6]; 3], f32)> {
    let first = commonest(rgb)?;
    let mut k = [0, 1, 2].map(|c: usize| [f64::from(first[c]), 0.0, 0.0, 0.0, 0.0, 0.0]);
    let mut rough = 8.0 + 1.5 * noise;
    for (round, &low) in LOWER.iter().enumerate() {
        let reach = (3.0 * rough).clamp(14.0 + 3.0 * noise, 70.0);
        let mut normals = [Normal::<6>::default(), Normal::default(), Normal::default()];
        let (mut sum, mut n) = (0.0f32, 0usize);
        let last = RIM + (INSIDE.1 as f64 * low) as usize;
        for y in (RIM..last).step_by(3) {
            for x in (RIM + 2..RIM + INSIDE.0 - 2).step_by(3) {
                let seen = rgb[y * SIZE.0 + x];
                let place = unit(x, y);
                let d = distance(seen, at(&k, place));
                if d > reach {
                    continue;
                }
                sum += d * d;
                n += 1;
                let mut b = basis(place);
                if round < 2 {
                    // Too little is known yet for a bend.
                    b[3] = 0.0;
                    b[4] = 0.0;
                    b[5] = 0.0;
                }
                for c in 0..3 {
                    normals[c].add(&b, f64::from(seen[c]), 1.0);
                }
            }
        }
        if n < 120 {
            return None;
        }
        rough = (sum / n as f32).sqrt().max(0.5);
        for c in 0..3 {
            // A bend that nothing speaks for is none.
            normals[c].damp_all_but_first(0.02 * n as f64);
            k[c] = normals[c].solve()?;
        }
    }
    Some((k, rough))
}

/// The colour of most of the upper part.
fn commonest(rgb: &[Rgb]) -> Option<Rgb> {
    let mut votes = vec![0u16; 4096];
    let bin = |c: Rgb| c.map(|v| (v as usize >> 4).min(15));
    let last = RIM + (INSIDE.1 as f64 * UPPER) as usize;
    let places = || {
        (RIM + 2..last).step_by(2).flat_map(|y| {
            (RIM + 3..RIM + INSIDE.0 - 3)
                .step_by(2)
                .map(move |x| (x, y))
        })
    };
    for (x, y) in places() {
        let [r, g, b] = bin(rgb[y * SIZE.0 + x]);
        votes[(r * 16 + g) * 16 + b] += 1;
    }
    // Noise spreads a colour over the bins around it; the bin itself counts most.
    let around = |i: usize| -> u32 {
        let at = [i / 256, i / 16 % 16, i % 16];
        let mut sum = 3 * u32::from(votes[i]);
        for dr in 0..3 {
            for dg in 0..3 {
                for db in 0..3 {
                    let p = [at[0] + dr, at[1] + dg, at[2] + db];
                    if p.iter().all(|&v| (1..=16).contains(&v)) {
                        sum += u32::from(votes[((p[0] - 1) * 16 + p[1] - 1) * 16 + p[2] - 1]);
                    }
                }
            }
        }
        sum
    };
    let best = (0..4096)
        .filter(|&i| votes[i] > 0)
        .max_by_key(|&i| (around(i), i))?;
    let middle = [best / 256, best / 16 % 16, best % 16].map(|v| v as f32 * 16.0 + 8.0);
    let (mut sum, mut n) = ([0.0f32; 3], 0.0f32);
    for (x, y) in places() {
        let c = rgb[y * SIZE.0 + x];
        if distance(c, middle) < 28.0 {
            for (s, v) in sum.iter_mut().zip(c) {
                *s += v;
            }
            n += 1.0;
        }
    }
    (n > 60.0).then(|| sum.map(|v| v / n))
}

/// Beyond which distance from empty a pixel is filled: well above the roughness of what is
/// empty, well below what most filled pixels have.
fn limit(far: &[f32], rough: f32, noise: f32) -> Option<f32> {
    let floor = (3.0 * rough).max(16.0 + 3.0 * noise);
    let mut beyond: Vec<f32> = Vec::new();
    for y in (RIM..RIM + INSIDE.1).step_by(2) {
        let row = &far[y * SIZE.0..][RIM..RIM + INSIDE.0];
        beyond.extend(row.iter().step_by(2).filter(|&&d| d > floor));
    }
    // A single piece is the least there may be.
    if beyond.len() < 60 {
        return None;
    }
    let middle = beyond.len() * 7 / 10;
    let typical = *beyond.select_nth_unstable_by(middle, f32::total_cmp).1;
    Some(floor.max(0.36 * typical))
}

/// Gaps and patterns within blocks filled in, narrow ones only.
fn closed(raw: &[bool]) -> Vec<bool> {
    const REACH: usize = 2;
    let (w, h) = SIZE;
    // Grown, then shrunk, one way after the other.
    let pass = |from: &[bool], value: bool| -> Vec<bool> {
        let mut across = from.to_vec();
        for y in 0..h {
            let row = &from[y * w..][..w];
            for x in 0..w {
                let (a, b) = (x.saturating_sub(REACH), (x + REACH + 1).min(w));
                across[y * w + x] = row[a..b].contains(&value) == value;
            }
        }
        let mut down = across.clone();
        for y in 0..h {
            let (a, b) = (y.saturating_sub(REACH), (y + REACH + 1).min(h));
            for x in 0..w {
                let any = (a..b).any(|j| across[j * w + x] == value);
                down[y * w + x] = any == value;
            }
        }
        down
    };
    pass(&pass(raw, true), false)
}
