//! The finder for screenshots: lattices whose lines are parallel to the picture's sides.

use super::chains::{Chain, Way, chains};
use super::comb;
use super::extent::cells_in;
use super::judge::Judge;
use super::planes::Planes;
use super::refine::Freedom;
use super::region::{Patch, patches};
use super::spacing::{Pair, pairs, peaks};
use crate::types::{Calibration, PxFromCell, Wanted};

/// Smallest and largest pitch looked for, in px.
const PITCH: (f32, f32) = (5.0, 260.0);

/// Pitches tried each way.
const PITCHES: usize = 10;

/// Lattices judged at most.
const JUDGED: usize = 8;

/// All lattices found, unordered, with their quality.
#[must_use]
pub fn find(planes: &Planes, wanted: &Wanted) -> Vec<Calibration> {
    let noise = noise(planes);
    let threshold = (14.0 + 3.0 * noise).min(48.0) as u8;
    let down = straight(chains(planes, Way::Down, threshold, 4));
    let across = straight(chains(planes, Way::Across, threshold, 4));
    let judge = Judge {
        planes,
        wanted,
        noise,
        freedom: Freedom::Upright,
    };
    let size = [planes.width as f32, planes.height as f32];
    lattices(&down, &across, size)
        .iter()
        .filter_map(|l| judge.endless(&l.px_from_cell, cells_in(&l.px_from_cell, l.bounds)?))
        .collect()
}

/// Chains that run along a side of the picture.
fn straight(mut all: Vec<Chain>) -> Vec<Chain> {
    all.retain(|c| c.slope.abs() < 0.06 && c.bend < 0.9);
    all
}

/// A lattice and the box in which it was seen.
#[derive(Clone, Copy, Debug)]
pub struct Lattice {
    /// Of the endless lattice.
    pub px_from_cell: PxFromCell,
    /// Left, top, right, bottom in px.
    pub bounds: [f32; 4],
}

/// Proposes lattices, most promising first.
#[must_use]
pub fn lattices(down: &[Chain], across: &[Chain], size: [f32; 2]) -> Vec<Lattice> {
    let longest = |side: f32| PITCH.1.min(side / 3.0);
    let px = pairs(down, PITCH.0, longest(size[0]));
    let py = pairs(across, PITCH.0, longest(size[1]));
    let mut patches = all_patches(&px, &py, size);
    patches.sort_by(|a, b| b.cells.total_cmp(&a.cells));
    patches.truncate(JUDGED);
    patches
        .iter()
        .filter_map(|p| lattice(p, down, across))
        .collect()
}

fn all_patches(px: &[Pair], py: &[Pair], size: [f32; 2]) -> Vec<Patch> {
    let mut out: Vec<Patch> = Vec::new();
    let (xs, ys) = (peaks(px, PITCH.1, PITCHES), peaks(py, PITCH.1, PITCHES));
    for &x in &xs {
        for &y in &ys {
            if (0.45..=2.2).contains(&(x / y)) {
                out.extend(
                    patches(px, py, [x, y], size)
                        .into_iter()
                        .take(3)
                        .filter(|p| p.cells >= 2.0),
                );
            }
        }
    }
    out
}

fn lattice(patch: &Patch, down: &[Chain], across: &[Chain]) -> Option<Lattice> {
    let [x0, y0, x1, y1] = patch.bounds;
    let [px, py] = patch.pitch;
    let x = comb::fit(&edges(down, (x0, x1), (y0, y1), px, py), px)?;
    let y = comb::fit(&edges(across, (y0, y1), (x0, x1), py, px), py)?;
    tracing::debug!(?patch, ?x, ?y, "lattice");
    Some(Lattice {
        px_from_cell: PxFromCell([
            x.pitch, 0.0, x.origin, 0.0, y.pitch, y.origin, 0.0, 0.0, 1.0,
        ]),
        bounds: patch.bounds,
    })
}

/// Positions and lengths of the chains in a box that may be sides of cells.
fn edges(
    chains: &[Chain],
    (a0, a1): (f32, f32),
    (b0, b1): (f32, f32),
    pitch: f32,
    side: f32,
) -> Vec<(f32, f32)> {
    let slack = 0.6 * pitch;
    chains
        .iter()
        .filter(|c| c.at >= a0 - slack && c.at <= a1 + slack && c.len() >= 0.4 * side)
        .filter_map(|c| {
            let common = c.to.min(b1) - c.from.max(b0);
            (common >= 0.4 * side).then_some((c.at, common))
        })
        .collect()
}

/// Standard deviation of a pixel's noise, from second differences along rows: 0 for a drawn
/// picture, where most neighbours are equal.
#[must_use]
pub fn noise(planes: &Planes) -> f32 {
    let (w, h) = (planes.width, planes.height);
    let mut counts = [0u32; 511];
    let mut n = 0u32;
    for y in (0..h).step_by(7) {
        let row = &planes.rgb[1][y * w..][..w];
        for t in row.windows(3).step_by(3) {
            let d = i32::from(t[0]) + i32::from(t[2]) - 2 * i32::from(t[1]);
            counts[d.unsigned_abs() as usize] += 1;
            n += 1;
        }
    }
    let mut below = 0;
    for (d, &c) in counts.iter().enumerate() {
        below += c;
        if below * 2 >= n {
            return d as f32 / 1.65;
        }
    }
    0.0
}
