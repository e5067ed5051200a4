//! Lattices proposed from chains that run down and across a picture or a view.
//!
//! Takes chains of both ways, gives endless lattices with the box in which each was seen, most
//! promising first. Whether there is a board is not asked here.

use super::chains::Chain;
use super::comb;
use super::region::{Patch, patches};
use super::spacing::{Pair, pairs, peaks};
use crate::types::PxFromCell;

/// Smallest and largest pitch looked for, in px.
const PITCH: (f32, f32) = (5.0, 260.0);

/// Pitches tried each way.
const PITCHES: usize = 10;

/// Side of the parts of a picture that are looked at on their own, in px.
const PART: f32 = 256.0;

/// Patches to which combs are fitted, and lattices proposed, at most.
const FITTED: usize = 40;
const PROPOSED: usize = 8;

/// A lattice and the box in which it was seen.
#[derive(Clone, Copy, Debug)]
pub struct Lattice {
    /// Of the endless lattice.
    pub view_from_cell: PxFromCell,
    /// Left, top, right, bottom in px.
    pub bounds: [f32; 4],
    /// How much speaks for it before it is judged.
    pub promise: f32,
}

/// Proposes lattices, most promising first.
#[must_use]
pub fn lattices(down: &[Chain], across: &[Chain], size: [f32; 2]) -> Vec<Lattice> {
    let longest = |side: f32| PITCH.1.min(side / 3.0);
    let px = pairs(down, PITCH.0, longest(size[0]));
    let py = pairs(across, PITCH.0, longest(size[1]));
    let mut patches = all_patches(&px, &py, size);
    patches.sort_by(|a, b| b.cells.total_cmp(&a.cells));
    patches.truncate(FITTED);
    let mut found: Vec<Lattice> = Vec::new();
    for patch in &patches {
        if let Some(l) = lattice(patch, down, across)
            && !found.iter().any(|o| o.is_like(&l))
        {
            found.push(l);
        }
    }
    found.sort_by(|a, b| b.promise.total_cmp(&a.promise));
    found.truncate(PROPOSED);
    found
}

impl Lattice {
    /// Whether both stand for the same lines in the same place.
    fn is_like(&self, other: &Self) -> bool {
        let (a, b) = (&self.view_from_cell.0, &other.view_from_cell.0);
        let axis = |s: usize, o: usize, lo: f32, hi: f32| {
            // Compared at both ends of the box.
            [lo, hi].iter().all(|&at| {
                let phase = |m: &[f64; 9]| (f64::from(at) - m[o]) / m[s];
                let d = phase(a) - phase(b);
                (d - d.round()).abs() < 0.15
            }) && (a[s] / b[s] - 1.0).abs() < 0.05
        };
        let [x0, y0, x1, y1] = self.bounds;
        let near = self
            .bounds
            .iter()
            .zip(other.bounds)
            .all(|(p, q)| f64::from((p - q).abs()) < 4.0 * a[0].max(a[4]));
        near && axis(0, 2, x0, x1) && axis(4, 5, y0, y1)
    }
}

/// Patches for the pitches that stand out over the whole picture, and for those that stand out
/// in one part of it: a small board is outvoted by a page of text, but not where it is.
fn all_patches(px: &[Pair], py: &[Pair], size: [f32; 2]) -> Vec<Patch> {
    let mut out: Vec<Patch> = Vec::new();
    let whole = [0.0, 0.0, size[0], size[1]];
    let (xs, ys) = (peaks(px, PITCH.1, PITCHES), peaks(py, PITCH.1, PITCHES));
    for_like(&xs, &ys, |pitch| {
        out.extend(few(patches(px, py, pitch, whole)))
    });
    if size[0].max(size[1]) < 1.5 * PART {
        return out;
    }
    let parts = |pairs: &[Pair], down: bool| {
        let (w, h) = ((size[0] / PART) as usize + 1, (size[1] / PART) as usize + 1);
        let mut parts: Vec<Vec<Pair>> = vec![Vec::new(); w * h];
        for p in pairs.iter().take_while(|p| p.distance < PART / 4.0) {
            let (x, y) = if down {
                (p.at, p.along.0)
            } else {
                (p.along.0, p.at)
            };
            let (i, j) = ((x / PART) as usize, (y / PART) as usize);
            if i < w && j < h {
                parts[j * w + i].push(*p);
            }
        }
        (parts, w)
    };
    let ((px_in, w), (py_in, _)) = (parts(px, true), parts(py, false));
    for (i, (px, py)) in px_in.iter().zip(&py_in).enumerate() {
        if px.len() < 6 || py.len() < 6 {
            continue;
        }
        let (x, y) = ((i % w) as f32 * PART, (i / w) as f32 * PART);
        let bounds = [x, y, x + 1.3 * PART, y + 1.3 * PART];
        let (xs, ys) = (peaks(px, PART / 4.0, 3), peaks(py, PART / 4.0, 3));
        for_like(&xs, &ys, |pitch| {
            out.extend(few(patches(px, py, pitch, bounds)))
        });
    }
    out
}

/// Calls for each pair of pitches that could be the two sides of a cell.
fn for_like(xs: &[f32], ys: &[f32], mut take: impl FnMut([f32; 2])) {
    for &x in xs {
        for &y in ys {
            if (0.45..=2.2).contains(&(x / y)) {
                take([x, y]);
            }
        }
    }
}

fn few(found: Vec<Patch>) -> impl Iterator<Item = Patch> {
    found.into_iter().filter(|p| p.cells >= 2.0)
}

fn lattice(patch: &Patch, down: &[Chain], across: &[Chain]) -> Option<Lattice> {
    let [x0, y0, x1, y1] = patch.bounds;
    let [px, py] = patch.pitch;
    let x = comb::fit(&edges(down, (x0, x1), (y0, y1), px, py), px)?;
    let y = comb::fit(&edges(across, (y0, y1), (x0, x1), py, px), py)?;
    tracing::debug!(?patch, ?x, ?y, "lattice");
    Some(Lattice {
        view_from_cell: PxFromCell([
            x.pitch, 0.0, x.origin, 0.0, y.pitch, y.origin, 0.0, 0.0, 1.0,
        ]),
        bounds: patch.bounds,
        promise: patch.cells
            * (x.support * y.support * (1.0 - x.gap / x.pitch) * (1.0 - y.gap / y.pitch)).powi(2)
                as f32,
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
