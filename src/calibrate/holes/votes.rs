//! Round things of any colour: edges vote for the centres that they may lie around.
//!
//! Takes edges, gives [`Blob`]s by size. Holes with a view through them, rings, discs with a mark
//! or gloss and half-covered ones all have most of a round rim, whatever is inside. Must never
//! say that something is round: it proposes, and the lattice and its judge decide.

use super::super::blobs::Blob;
use super::edges::Edge;
use crate::types::Point;

/// Radii in px that vote together; neighbours overlap so that every size is wholly in one.
pub const BANDS: [(f32, f32); 7] = [
    (3.5, 6.5),
    (5.0, 9.0),
    (7.5, 13.0),
    (11.0, 18.5),
    (15.5, 26.5),
    (22.0, 37.5),
    (31.5, 54.0),
];

/// Share of a full rim that a centre must have.
const LEAST: f32 = 0.33;

/// Most centres of one band: more is texture.
const MOST: usize = 900;

/// Centres of round things whose radius lies in a band, by how much of a rim they have, most first.
#[must_use]
pub fn centres(edges: &[Edge], width: usize, height: usize, band: (f32, f32)) -> Vec<(f32, Blob)> {
    let (lo, hi) = band;
    let middle = (lo * hi).sqrt();
    let mut sums = vec![0u16; width * height];
    let steps = (hi - lo).ceil() as usize;
    for e in edges {
        let (x, y) = (f32::from(e.x) + 0.5, f32::from(e.y) + 0.5);
        let [ax, ay] = e.across;
        for side in [-1.0f32, 1.0] {
            let (dx, dy) = (ax * side, ay * side);
            let (mut px, mut py) = (x + dx * lo, y + dy * lo);
            for _ in 0..=steps {
                // Negative values wrap to large ones.
                let (ix, iy) = (px as i32 as u32 as usize, py as i32 as u32 as usize);
                if px >= 0.0 && py >= 0.0 && ix < width && iy < height {
                    let sum = &mut sums[iy * width + ix];
                    *sum = sum.saturating_add(1);
                }
                px += dx;
                py += dy;
            }
        }
    }
    let reach = ((0.16 * middle).round() as usize).max(1);
    let smooth = boxed(&sums, width, height, reach);
    // A full rim one pixel thin gives one vote for each px of its length and of the window's width.
    let full = std::f32::consts::TAU * middle * (2 * reach + 1) as f32 * 0.9;
    peaks(
        &smooth,
        width,
        height,
        (0.8 * lo) as usize + 1,
        LEAST * full,
    )
    .into_iter()
    .take(MOST)
    .map(|(sum, p)| {
        let blob = Blob {
            middle: p,
            area: f64::from(std::f32::consts::PI * middle * middle),
        };
        (sum / full, blob)
    })
    .collect()
}

/// Sums over windows of `2 * reach + 1` pixels a side.
fn boxed(sums: &[u16], width: usize, height: usize, reach: usize) -> Vec<u32> {
    let mut rows = vec![0u32; width * height];
    let side = 2 * reach + 1;
    for (row, out) in sums.chunks_exact(width).zip(rows.chunks_exact_mut(width)) {
        let mut sum: u32 = row[..side.min(width)].iter().map(|&v| u32::from(v)).sum();
        for x in reach..width.saturating_sub(reach) {
            out[x] = sum;
            if x + reach + 1 < width {
                sum += u32::from(row[x + reach + 1]);
                sum -= u32::from(row[x - reach]);
            }
        }
    }
    let mut out = vec![0u32; width * height];
    let mut column = vec![0u32; width];
    for y in 0..height {
        for (c, v) in column.iter_mut().zip(&rows[y * width..][..width]) {
            *c += v;
        }
        if y >= side {
            for (c, v) in column.iter_mut().zip(&rows[(y - side) * width..][..width]) {
                *c -= v;
            }
        }
        if y + 1 >= side {
            out[(y - reach) * width..][..width].copy_from_slice(&column);
        }
    }
    out
}

/// Places that no other within `apart` px exceeds, largest first.
fn peaks(sums: &[u32], width: usize, height: usize, apart: usize, least: f32) -> Vec<(f32, Point)> {
    let mut found: Vec<(u32, usize, usize)> = Vec::new();
    let least = least as u32;
    for y in 1..height.saturating_sub(1) {
        for x in 1..width - 1 {
            let i = y * width + x;
            let v = sums[i];
            if v > least
                && v >= sums[i - 1]
                && v > sums[i + 1]
                && v >= sums[i - width]
                && v > sums[i + width]
            {
                found.push((v, x, y));
            }
        }
    }
    found.sort_unstable_by_key(|&(v, x, y)| (std::cmp::Reverse(v), y, x));
    let mut taken = vec![false; width * height];
    let mut out = Vec::new();
    for (v, x, y) in found {
        if taken[y * width + x] {
            continue;
        }
        for row in y.saturating_sub(apart)..(y + apart + 1).min(height) {
            let (from, to) = (x.saturating_sub(apart), (x + apart + 1).min(width));
            taken[row * width + from..row * width + to].fill(true);
        }
        out.push((v as f32, centroid(sums, width, height, x, y)));
    }
    out
}

/// The middle of a peak to a part of a pixel.
fn centroid(sums: &[u32], width: usize, height: usize, x: usize, y: usize) -> Point {
    let top = sums[y * width + x];
    let floor = top / 2;
    let (mut n, mut sx, mut sy) = (0.0f64, 0.0f64, 0.0f64);
    for yy in y.saturating_sub(2)..(y + 3).min(height) {
        for xx in x.saturating_sub(2)..(x + 3).min(width) {
            let v = f64::from(sums[yy * width + xx].saturating_sub(floor));
            n += v;
            sx += v * (xx as f64 + 0.5);
            sy += v * (yy as f64 + 0.5);
        }
    }
    Point::new(sx / n.max(1.0), sy / n.max(1.0))
}
