//! Lattices whose cells hardly ever stand alone: puzzles of large regions of one colour.
//!
//! Takes chains of both ways, gives lattices with the box that their edges span. No two edges
//! need lie one cell apart: all of them lie on the lines of one comb, and the widest comb that
//! explains them is the lattice. Whether there is a board is not asked here.

use super::chains::Chain;
use super::comb;
use super::lattice::Lattice;
use crate::types::PxFromCell;

/// Smallest pitch looked for, in px, and fewest cells along a side of the picture.
const LEAST: f32 = 11.0;
const FEWEST: f32 = 4.0;

/// Chains shorter than this, in px, are texture; of longer ones so many are looked at.
const SHORTEST: f32 = 9.0;
const MOST: usize = 400;

/// How much of the edges must be in step, 0 to 1.
const IN_STEP: f64 = 0.55;

/// Pitches kept each way, and lattices proposed, at most.
const PITCHES: usize = 8;
const PROPOSED: usize = 5;

/// Sides of a cell differ by no more than this, as a ratio.
const SQUARE: f32 = 1.3;

/// Proposes lattices, most promising first; `size` is width and height of what the chains lie in.
#[must_use]
pub fn lattices(down: &[Chain], across: &[Chain], size: [f32; 2]) -> Vec<Lattice> {
    let (xs, ys) = (edges(down), edges(across));
    let (px, py) = (pitches(&xs, size[0]), pitches(&ys, size[1]));
    let mut found: Vec<Lattice> = Vec::new();
    for &(rx, x) in &px {
        for &(ry, y) in &py {
            if (x / y).max(y / x) > SQUARE {
                continue;
            }
            let (Some(cx), Some(cy)) = (comb::fit(&xs, x), comb::fit(&ys, y)) else {
                continue;
            };
            let [(x0, x1), (y0, y1)] = [(&xs, &cx), (&ys, &cy)].map(|(all, comb)| span(all, comb));
            // Of combs that explain as much the widest says most.
            let promise = (rx * ry) as f32 * (x * y).sqrt().powf(0.35);
            found.push(Lattice {
                view_from_cell: PxFromCell([
                    cx.pitch, 0.0, cx.origin, 0.0, cy.pitch, cy.origin, 0.0, 0.0, 1.0,
                ]),
                bounds: [x0, y0, x1, y1],
                promise,
            });
        }
    }
    found.sort_by(|a, b| b.promise.total_cmp(&a.promise));
    found.truncate(PROPOSED);
    found
}

/// Positions and lengths of the longer chains.
fn edges(chains: &[Chain]) -> Vec<(f32, f32)> {
    let mut long: Vec<&Chain> = chains.iter().filter(|c| c.len() >= SHORTEST).collect();
    long.sort_by(|a, b| b.len().total_cmp(&a.len()));
    long.truncate(MOST);
    long.iter().map(|c| (c.at, c.len())).collect()
}

/// Pitches at which the edges are in step, with how much they are, most first.
fn pitches(edges: &[(f32, f32)], length: f32) -> Vec<(f64, f32)> {
    let all: f64 = edges.iter().map(|e| f64::from(e.1)).sum();
    let lo = edges.iter().map(|e| e.0).fold(f32::INFINITY, f32::min);
    let hi = edges.iter().map(|e| e.0).fold(0.0, f32::max);
    let extent = f64::from(hi - lo);
    if edges.len() < 4 || extent < f64::from(3.0 * LEAST) {
        return Vec::new();
    }
    let last = f64::from(length / FEWEST);
    let mut steps: Vec<(f64, f32)> = Vec::new();
    let mut p = f64::from(LEAST);
    while p < last {
        let (mut c, mut s) = (0.0, 0.0);
        for &(at, w) in edges {
            let (sin, cos) = (f64::from(at - lo) / p * std::f64::consts::TAU).sin_cos();
            c += f64::from(w) * cos;
            s += f64::from(w) * sin;
        }
        steps.push((c.hypot(s) / all, p as f32));
        // So little that the furthest edges move by a part of the pitch.
        p += 0.12 * p * p / extent.max(p);
    }
    let mut found: Vec<(f64, f32)> = (1..steps.len().saturating_sub(1))
        .filter(|&i| {
            let r = steps[i].0;
            r > IN_STEP && r >= steps[i - 1].0 && r > steps[i + 1].0
        })
        .map(|i| steps[i])
        .collect();
    let worth = |&(r, p): &(f64, f32)| r * f64::from(p).powf(0.35);
    found.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
    found.truncate(PITCHES);
    found
}

/// First and last edge that lie on the comb.
fn span(edges: &[(f32, f32)], comb: &comb::Comb) -> (f32, f32) {
    let on = edges.iter().filter(|e| {
        let t = (f64::from(e.0) - comb.origin) / comb.pitch;
        (t - t.round()).abs() < 0.1
    });
    on.fold((f32::INFINITY, 0.0), |(lo, hi), e| {
        (lo.min(e.0), hi.max(e.0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(at: f32, from: f32, to: f32) -> Chain {
        Chain {
            from,
            to,
            at,
            slope: 0.0,
            bend: 0.0,
            strength: 100.0,
        }
    }

    #[test]
    fn edges_that_never_lie_one_cell_apart_tell_the_pitch() {
        // Lines 0, 2, 5, 9, 11 and 14 of a lattice of 20 px, the nearest two cells apart.
        let at = |k: f32| 3.0 + 20.0 * k;
        let lines = [0.0, 2.0, 5.0, 9.0, 11.0, 14.0];
        let all: Vec<Chain> = lines.iter().map(|&k| chain(at(k), 30.0, 120.0)).collect();
        let found = lattices(&all, &all, [300.0, 300.0]);
        let best = found.first().expect("a lattice");
        assert!((best.view_from_cell.0[0] - 20.0).abs() < 0.05, "{best:?}");
        assert!((best.bounds[2] - at(14.0)).abs() < 0.5, "{best:?}");
    }
}
