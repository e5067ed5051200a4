//! Boards of kind [`Holes`](crate::types::BoardKind::Holes): round holes in a plate, empty or with
//! a disc in them.
//!
//! Takes planes, gives calibrations with a quality. [`edges`] vote for the middles of round
//! things ([`votes`]), a lattice grows from one to the next, and one judge looks at every cell of it:
//! `rims`, `extent`, what is in the holes (`looks`) and which of it is a disc (`kinds`).

pub mod edges;
mod evidence;
mod extent;
mod judge;
mod kinds;
mod lined;
mod looks;
mod names;
mod plate;
mod rims;
mod tree;
pub mod votes;

use super::blobs::Blob;
use super::extent::Span;
use super::finder::noise;
use super::grow;
use super::planes::Planes;
use crate::types::{Calibration, Point, PxFromCell, Wanted};
use judge::{Level, Sight};

/// The longer side of the picture in which round things are first looked for.
const COARSE: usize = 800;

/// Least number of round things on a lattice.
const LEAST: usize = 8;

/// Lattices judged at most in one size of the picture.
const MOST: usize = 6;

/// A finding of this quality needs no further search.
const CLEAR: f32 = 0.85;

/// All boards found, unordered.
#[must_use]
pub fn find(planes: &Planes, wanted: &Wanted) -> Vec<Calibration> {
    let mut levels = vec![Level {
        noise: noise(planes),
        planes: planes.clone(),
        scale: 1.0,
    }];
    while let Some(last) = levels.last()
        && last.planes.width.max(last.planes.height) > COARSE
        // A strip halved again and again has no width left.
        && last.planes.width.min(last.planes.height) >= 64
    {
        let half = last.planes.halved();
        let scale = last.scale * 2.0;
        levels.push(Level {
            noise: noise(&half),
            planes: half,
            scale,
        });
    }
    let sight = Sight {
        levels: &levels,
        wanted,
    };
    let mut found = Vec::new();
    for (i, level) in levels.iter().enumerate().rev() {
        // Larger ones were seen in the smaller picture.
        let bands = if i + 1 == levels.len() { 7 } else { 2 };
        search(&sight, level, bands, &mut found);
        if found.iter().any(|c: &Calibration| c.quality > CLEAR) {
            break;
        }
    }
    found
}

/// Looks for boards in one size of the picture, the clearest round things first.
fn search(sight: &Sight<'_>, level: &Level, bands: usize, found: &mut Vec<Calibration>) {
    let edges = edges::edges(&level.planes, level.noise);
    let (w, h) = (level.planes.width, level.planes.height);
    let centres: Vec<Vec<(f32, Blob)>> = votes::BANDS[..bands]
        .iter()
        .map(|band| votes::centres(&edges, w, h, *band))
        .collect();
    for (least, most) in [(0.85, 200), (0.55, 250), (0.0, 500)] {
        let mut all: Vec<(usize, PxFromCell, Span)> = Vec::new();
        for band in &centres {
            let clear = band.iter().filter(|(share, _)| *share >= least);
            let blobs: Vec<Blob> = clear.map(|(_, b)| *b).take(most).collect();
            for grown in grow::lattices(&blobs, LEAST).into_iter().take(3) {
                let at = judge::scaled(&grown.px_from_cell, level.scale);
                all.push((grown.blobs, at, grown.core));
            }
        }
        all.sort_by_key(|l| std::cmp::Reverse(l.0));
        let mut left = MOST;
        for (_, at, core) in all {
            if left == 0 {
                break;
            }
            if found.iter().any(|c| explains(c, &at, core)) {
                continue;
            }
            left -= 1;
            found.extend(sight.board(&at, core));
        }
        if found.iter().any(|c| c.quality > CLEAR) {
            break;
        }
    }
}

/// Whether a lattice is that of a board that was found, or lies on a board beyond doubt.
fn explains(board: &Calibration, at: &PxFromCell, core: Span) -> bool {
    let (x, y) = ((core.x0 + core.x1) / 2, (core.y0 + core.y1) / 2);
    let Some(back) = board.px_from_cell.inverse() else {
        return false;
    };
    let cell =
        |dx: f64, dy: f64| back.map(at.map(Point::new(f64::from(x) + dx, f64::from(y) + dy)));
    let (o, p, q) = (cell(0.5, 0.5), cell(1.5, 0.5), cell(0.5, 1.5));
    let (w, h) = (f64::from(board.size.cols), f64::from(board.size.rows));
    if !(o.x > 0.0 && o.y > 0.0 && o.x < w && o.y < h) {
        return false;
    }
    // A middle of a hole, and one step each way to the next.
    let on = |v: f64| (v - v.floor() - 0.5).abs() < 0.15;
    let one = |a: Point, b: Point| ((a.x - b.x).abs() + (a.y - b.y).abs() - 1.0).abs() < 0.1;
    board.quality > CLEAR || on(o.x) && on(o.y) && one(o, p) && one(o, q)
}
