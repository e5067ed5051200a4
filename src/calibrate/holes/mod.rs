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
mod lines;
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

/// Noise below which a picture is drawn and not filmed.
const DRAWN: f32 = 0.5;

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
    let mut judged = Vec::new();
    for (i, level) in levels.iter().enumerate().rev() {
        // Larger ones were seen in the smaller picture.
        let bands = if i + 1 == levels.len() { 7 } else { 2 };
        search(&sight, level, bands, &mut judged, &mut found);
        if found.iter().any(|c: &Calibration| c.quality > CLEAR) {
            return found;
        }
        if i + 1 == levels.len() && levels[0].noise < DRAWN {
            found.extend(squares(&sight));
            if found.iter().any(|c| c.quality > CLEAR) {
                return found;
            }
        }
    }
    found
}

/// Boards of squares between lines, in a drawn picture.
fn squares(sight: &Sight<'_>) -> Vec<Calibration> {
    // Thin lines fade in a smaller picture, and a huge one has thick ones.
    let level = { sight.levels.iter() }
        .find(|l| l.planes.width.max(l.planes.height) <= 2048)
        .unwrap_or(&sight.levels[0]);
    lines::lattices(&level.planes)
        .into_iter()
        .take(MOST)
        .filter_map(|(at, core)| sight.squares(level, &at, core))
        .collect()
}

/// Looks for boards in one size of the picture, the clearest round things first.
fn search(
    sight: &Sight<'_>,
    level: &Level,
    bands: usize,
    judged: &mut Vec<(PxFromCell, Span)>,
    found: &mut Vec<Calibration>,
) {
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
            let known = judged.iter().any(|(a, c)| same(a, *c, &at, core));
            if known || found.iter().any(|c| covers(c, &at, core)) {
                continue;
            }
            left -= 1;
            judged.push((at, core));
            found.extend(sight.board(&at, core));
        }
        if found.iter().any(|c| c.quality > CLEAR) {
            break;
        }
    }
}

/// Whether a lattice lies on a board that is beyond doubt.
fn covers(board: &Calibration, at: &PxFromCell, core: Span) -> bool {
    board.quality > CLEAR && same_place(&board.px_from_cell, Span::of(board.size), at, core)
}

fn centre(at: &PxFromCell, core: Span) -> Point {
    let (x, y) = (f64::from(core.x0 + core.x1), f64::from(core.y0 + core.y1));
    at.map(Point::new(x / 2.0, y / 2.0))
}

fn same_place(a: &PxFromCell, core: Span, b: &PxFromCell, other: Span) -> bool {
    a.inverse().is_some_and(|back| {
        let p = back.map(centre(b, other));
        p.x > f64::from(core.x0)
            && p.y > f64::from(core.y0)
            && p.x < f64::from(core.x1)
            && p.y < f64::from(core.y1)
    })
}

/// Whether two lattices have the same cells where they overlap.
fn same(a: &PxFromCell, core: Span, b: &PxFromCell, other: Span) -> bool {
    let Some(back) = a.inverse() else {
        return false;
    };
    let (x, y) = ((other.x0 + other.x1) / 2, (other.y0 + other.y1) / 2);
    let cell =
        |dx: f64, dy: f64| back.map(b.map(Point::new(f64::from(x) + dx, f64::from(y) + dy)));
    let (o, p, q) = (cell(0.5, 0.5), cell(1.5, 0.5), cell(0.5, 1.5));
    // A middle of a cell, and one step each way to the next.
    let on = |v: f64| (v - v.floor() - 0.5).abs() < 0.12;
    let one = |a: Point, b: Point| ((a.x - b.x).abs() + (a.y - b.y).abs() - 1.0).abs() < 0.06;
    same_place(a, core, b, other) && on(o.x) && on(o.y) && one(o, p) && one(o, q)
}
