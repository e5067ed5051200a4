//! Boards of kind [`Holes`](crate::types::BoardKind::Holes): round holes in a plate, empty or with
//! a disc in them.
//!
//! Takes planes, gives calibrations with a quality. [`edges`] vote for the middles of round
//! things ([`votes`]), a lattice grows from one to the next, and one judge looks at every cell of it:
//! `rims`, `extent`, what is in the holes (`looks`) and which of it is a disc (`kinds`).

mod bounds;
pub mod edges;
mod evidence;
mod extent;
mod fine;
mod glare;
mod groups;
mod judge;
mod kinds;
mod level;
mod lined;
mod lines;
mod looks;
mod names;
mod plate;
mod rims;
mod spans;
mod tree;
mod turn;
pub mod votes;

use std::cell::OnceCell;

use super::blobs::Blob;
use super::extent::Span;
use super::finder::noise;
use super::grow;
use super::planes::Planes;
use crate::types::{Calibration, Point, PxFromCell, Wanted};
use judge::{Judged, Sight};
use level::{Budget, Level};

/// The longer side of the picture in which round things are first looked for.
const COARSE: usize = 800;

/// Least number of round things on a lattice.
const LEAST: usize = 8;

/// Lattices of lines judged at most.
const MOST: usize = 6;

/// Rounds of the search in one size of the picture: share of a rim that a round thing must have,
/// how many of them are joined, and how many lattices are judged.
const ROUNDS: [(f32, usize, usize); 3] = [(0.85, 200, 6), (0.55, 250, 6), (0.0, 500, 6)];

/// Noise below which a picture is drawn and not filmed.
const DRAWN: f32 = 0.5;

/// A finding of this quality needs no further search.
const CLEAR: f32 = 0.85;

/// What is left of the quality of a lattice where plainer holes lie otherwise.
const CONTRADICTED: f32 = 0.3;

/// All boards found, unordered.
#[must_use]
pub fn find(planes: &Planes, wanted: &Wanted) -> Vec<Calibration> {
    let mut levels = vec![Level {
        noise: noise(planes),
        planes: planes.clone(),
        packed: OnceCell::new(),
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
            packed: OnceCell::new(),
            scale,
        });
    }
    let sight = Sight {
        levels: &levels,
        wanted,
        budget: Budget::default(),
    };
    let mut found = Vec::new();
    let mut judged = Vec::new();
    for (i, level) in levels.iter().enumerate().rev() {
        // Larger ones were seen in the smaller picture.
        let bands = if i + 1 == levels.len() { 7 } else { 2 };
        search(&sight, level, bands, &mut judged, &mut found);
        if found.iter().any(is_clear) {
            break;
        }
        if i + 1 == levels.len() && levels[0].noise < DRAWN {
            found.extend(squares(&sight));
            if found.iter().any(is_clear) {
                break;
            }
        }
    }
    contradicted(found)
}

/// Whether a finding needs no further search.
fn is_clear(j: &Judged) -> bool {
    let quality = j.calibration.quality;
    quality > CLEAR || quality >= Calibration::MIN_QUALITY && j.is_plain()
}

/// All findings; of a lattice that has plainer holes in other places where it lies, little is left.
fn contradicted(found: Vec<Judged>) -> Vec<Calibration> {
    let plainer = |a: &Judged, b: &Judged| {
        let (p, q) = (&a.calibration, &b.calibration);
        let (at, span) = (&p.px_from_cell, Span::of(p.size));
        let (other, core) = (&q.px_from_cell, Span::of(q.size));
        a.is_plain()
            && a.rims > b.rims + 0.04
            && a.holes * 5 >= b.holes * 4
            && (same_place(at, span, other, core) || same_place(other, core, at, span))
            && !(p.size == q.size && same(at, span, other, core))
    };
    let worth = |b: &Judged| {
        if b.rims > 0.0 && found.iter().any(|a| plainer(a, b)) {
            CONTRADICTED
        } else {
            1.0
        }
    };
    let all: Vec<f32> = found.iter().map(worth).collect();
    { found.into_iter().zip(all) }
        .map(|(j, worth)| Calibration {
            quality: j.calibration.quality * worth,
            ..j.calibration
        })
        .collect()
}

/// Boards of squares between lines, in a drawn picture.
fn squares(sight: &Sight<'_>) -> Vec<Judged> {
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
    found: &mut Vec<Judged>,
) {
    let edges = edges::edges(&level.planes, level.noise);
    let (w, h) = (level.planes.width, level.planes.height);
    let centres: Vec<Vec<(f32, Blob)>> = votes::BANDS[..bands]
        .iter()
        .map(|band| votes::centres(&edges, w, h, *band))
        .collect();
    for (least, most, lattices) in ROUNDS {
        let mut all: Vec<(usize, PxFromCell, Span)> = Vec::new();
        for band in &centres {
            let clear = band.iter().filter(|(share, _)| *share >= least);
            let blobs: Vec<Blob> = clear.map(|(_, b)| *b).take(most).collect();
            for grown in grow::lattices(&blobs, LEAST).into_iter().take(3) {
                let at = spans::scaled(&grown.px_from_cell, level.scale);
                all.push((grown.blobs, at, grown.core));
            }
        }
        all.sort_by_key(|l| std::cmp::Reverse(l.0));
        let mut left = lattices;
        for (count, at, core) in all {
            if left == 0 {
                break;
            }
            // What is much larger than any board is none.
            if sight.is_larger(core) && count as i32 * 2 > (core.x1 - core.x0) * (core.y1 - core.y0)
            {
                continue;
            }
            let known = judged.iter().any(|(a, c)| same(a, *c, &at, core));
            if known || found.iter().any(|c| covers(c, &at, core)) {
                continue;
            }
            left -= 1;
            judged.push((at, core));
            found.extend(sight.board(&at, core));
        }
        if found.iter().any(is_clear) {
            break;
        }
    }
}

/// Whether a lattice lies on holes that are beyond doubt.
fn covers(j: &Judged, at: &PxFromCell, core: Span) -> bool {
    let c = &j.calibration;
    (c.quality > CLEAR || j.is_plain()) && same_place(&c.px_from_cell, Span::of(c.size), at, core)
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
    let cell = |dx: f64, dy: f64| back.map(b.map(Point::new(f64::from(x) + dx, f64::from(y) + dy)));
    let (o, p, q) = (cell(0.5, 0.5), cell(1.5, 0.5), cell(0.5, 1.5));
    // A middle of a cell, and one step each way to the next.
    let on = |v: f64| (v - v.floor() - 0.5).abs() < 0.12;
    let one = |a: Point, b: Point| ((a.x - b.x).abs() + (a.y - b.y).abs() - 1.0).abs() < 0.06;
    same_place(a, core, b, other) && on(o.x) && on(o.y) && one(o, p) && one(o, q)
}
