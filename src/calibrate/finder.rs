//! The finder: lattices whose lines are parallel to the picture's sides, as in a screenshot, and
//! then those of a flat screen that a camera sees at an angle.
//!
//! The likeliest and cheapest ways come first, and the first clear finding ends the search. Each
//! lattice is proposed in a picture of some scale (halved, noise and texture fade and soft edges
//! become sharp) and judged in the picture itself.

use super::blobs::blobs;
use super::cell::Eye;
use super::chains::{Chain, Way, chains};
use super::extent::{Span, cells_in};
use super::grow;
use super::judge::Judge;
use super::lattice::lattices;
use super::planes::Planes;
use super::refine::{Freedom, product};
use super::sparse;
use super::view::views;
use crate::types::{Calibration, Point, PxFromCell, Wanted};

/// How long a line must run straight: round corners do not.
pub(super) const STEADY: u32 = 5;

/// The residual in px that a screenshot's board stays below.
const SHARP: f32 = 0.5;

/// A finding of this quality needs no further search.
const CLEAR: f32 = 0.9;

/// Noise (standard deviation, of 255) beyond that of any camera that shows a board: such a picture
/// is all edges, and searching it takes seconds to find nothing.
pub(super) const MOST_NOISE: f32 = 30.0;

/// Lattices judged in one picture at most: where so many are none there is no board.
const MOST_JUDGED: usize = 80;

/// Pictures smaller than this are not halved.
pub(super) const LEAST_SIDE: usize = 160;

/// A search in one picture.
struct Search<'a> {
    judge: Judge<'a>,
    found: Vec<Calibration>,
    /// Lattices that were judged: transform and cells.
    judged: Vec<(PxFromCell, Span)>,
}

/// All lattices found, unordered, with their quality.
#[must_use]
pub fn find(planes: &Planes, wanted: &Wanted) -> Vec<Calibration> {
    let mut found = searched(planes, wanted);
    whole_only(&mut found);
    found
}

fn searched(planes: &Planes, wanted: &Wanted) -> Vec<Calibration> {
    let mut search = Search {
        judge: Judge {
            planes,
            wanted,
            eye: Eye {
                // With more noise than this nothing could be told apart, so nothing is made of it.
                noise: noise(planes).min(14.0),
            },
            freedom: Freedom::Upright,
        },
        found: Vec::new(),
        judged: Vec::new(),
    };
    search.upright(planes, 1.0);
    if search.is_clear() {
        return search.found;
    }
    search.straighten();
    let mut scaled = vec![planes.clone()];
    while let Some(last) = scaled.last()
        && last.width.min(last.height) >= 2 * LEAST_SIDE
        && scaled.len() < 3
    {
        let half = last.halved();
        scaled.push(half);
    }
    // Half the size first: faster, and right for most cameras.
    let order: &[usize] = match scaled.len() {
        1 => &[0],
        2 => &[1, 0],
        _ => &[1, 0, 2],
    };
    for &i in order {
        if noise(&scaled[i]) > MOST_NOISE {
            continue;
        }
        let scale = (1 << i) as f64;
        search.judge.freedom = Freedom::Upright;
        if i > 0 && search.judge.eye.noise > 1.0 {
            search.upright(&scaled[i], scale);
            search.straighten();
        }
        search.judge.freedom = Freedom::Tilted;
        search.alone(&scaled[i], scale);
        if search.is_clear() {
            break;
        }
        search.tilted(&scaled[i], scale);
        if search.is_clear() {
            break;
        }
    }
    // Large regions are seen as well in a smaller picture.
    let places = [(0, false), (0, true), (1, false)];
    for (&i, tilted) in places.iter().filter_map(|&(k, t)| Some((order.get(k)?, t))) {
        if !search.is_open() {
            break;
        }
        if noise(&scaled[i]) <= MOST_NOISE {
            search.judge.freedom = if tilted {
                Freedom::Tilted
            } else {
                Freedom::Upright
            };
            search.sparse(&scaled[i], (1 << i) as f64, tilted);
            if !tilted {
                search.straighten();
            }
        }
    }
    search.found
}

impl Search<'_> {
    fn is_clear(&self) -> bool {
        let sharp = |c: &Calibration| self.judge.freedom != Freedom::Upright || c.residual < SHARP;
        self.found.iter().any(|c| c.quality > CLEAR && sharp(c))
    }

    /// Lattices along the sides of the picture.
    fn upright(&mut self, planes: &Planes, scale: f64) {
        let threshold = threshold(planes);
        let straight = |mut all: Vec<Chain>| {
            all.retain(|c| c.slope.abs() < 0.06 && c.bend < 0.9);
            all
        };
        let down = straight(chains(planes, Way::Down, threshold, 4, STEADY));
        let across = straight(chains(planes, Way::Across, threshold, 4, STEADY));
        let size = [planes.width as f32, planes.height as f32];
        for l in lattices(&down, &across, size) {
            if let Some(core) = cells_in(&l.view_from_cell, l.bounds) {
                self.judge(&enlarged(&l.view_from_cell, scale), core);
            }
        }
    }

    /// Lattices of large regions along the sides of the picture, then in views.
    fn sparse(&mut self, planes: &Planes, scale: f64, tilted: bool) {
        let threshold = threshold(planes);
        let down = chains(
            planes,
            Way::Down,
            threshold,
            8,
            if tilted { 1 } else { STEADY },
        );
        let across = chains(
            planes,
            Way::Across,
            threshold,
            8,
            if tilted { 1 } else { STEADY },
        );
        let size = [planes.width as f32, planes.height as f32];
        if !tilted {
            let straight = |all: &[Chain]| -> Vec<Chain> {
                let level = all.iter().filter(|c| c.slope.abs() < 0.02 && c.bend < 0.9);
                level.copied().collect()
            };
            for l in sparse::lattices(&straight(&down), &straight(&across), size) {
                if let Some(core) = cells_in(&l.view_from_cell, l.bounds) {
                    self.judge(&enlarged(&l.view_from_cell, scale), core);
                }
            }
            return;
        }
        for view in views(&down, &across, size) {
            let seen = view.carried(&down, &across);
            for l in sparse::lattices(&seen.down, &seen.across, seen.size) {
                let px_from_cell = PxFromCell(product(&seen.px_from_view.0, &l.view_from_cell.0));
                if let Some(core) = cells_in(&l.view_from_cell, l.bounds) {
                    self.judge(&enlarged(&px_from_cell, scale), core);
                }
            }
            if !self.is_open() {
                break;
            }
        }
    }

    /// Whether nothing was found that could be a board.
    fn is_open(&self) -> bool {
        { self.found.iter() }.all(|c| c.quality < Calibration::MIN_QUALITY)
    }

    /// What is upright to a camera is not quite upright: what does not fit sharply is settled
    /// again with more freedom.
    fn straighten(&mut self) {
        self.judge.freedom = Freedom::Tilted;
        for c in &mut self.found {
            if c.residual >= SHARP {
                match self.judge.endless(&c.px_from_cell, Span::of(c.size)) {
                    Some(better) => *c = better,
                    None => c.quality = 0.0,
                }
            }
        }
    }

    /// Lattices of cells that stand alone.
    fn alone(&mut self, planes: &Planes, scale: f64) {
        let threshold = (7.0 + 2.5 * noise(planes)).min(40.0) as u8;
        let alone = blobs(planes, threshold, 6.0);
        for l in grow::lattices(&alone, 8).iter().take(4) {
            self.judge(&enlarged(&l.px_from_cell, scale), l.core);
        }
    }

    /// Lattices in the views that lines vanishing in two points suggest.
    fn tilted(&mut self, planes: &Planes, scale: f64) {
        let threshold = threshold(planes);
        let down = chains(planes, Way::Down, threshold, 4, 1);
        let across = chains(planes, Way::Across, threshold, 4, 1);
        let size = [planes.width as f32, planes.height as f32];
        for view in views(&down, &across, size) {
            let seen = view.carried(&down, &across);
            for l in lattices(&seen.down, &seen.across, seen.size) {
                let px_from_cell = PxFromCell(product(&seen.px_from_view.0, &l.view_from_cell.0));
                if let Some(core) = cells_in(&l.view_from_cell, l.bounds) {
                    self.judge(&enlarged(&px_from_cell, scale), core);
                }
            }
            if self.is_clear() {
                break;
            }
        }
    }

    fn judge(&mut self, px_from_cell: &PxFromCell, core: Span) {
        let again = self
            .judged
            .iter()
            .any(|(other, cells)| is_like(px_from_cell, core, other, *cells));
        let part = { self.found.iter() }.any(|c| is_part(px_from_cell, core, c));
        if again || part || self.judged.len() >= MOST_JUDGED {
            return;
        }
        self.judged.push((*px_from_cell, core));
        self.found.extend(self.judge.endless(px_from_cell, core));
    }
}

/// Whether two lattices have the same lines in the same place: corners of the one core are
/// corners of cells of the other.
fn is_like(a: &PxFromCell, core: Span, b: &PxFromCell, other: Span) -> bool {
    let Some(back) = b.inverse() else {
        return false;
    };
    let at = |x: i32, y: i32| back.map(a.map(Point::new(f64::from(x), f64::from(y))));
    let near = |p: Point, x: i32, y: i32| {
        (p.x - f64::from(x)).abs() < 1.5 && (p.y - f64::from(y)).abs() < 1.5
    };
    let whole = |p: Point| (p.x - p.x.round()).abs() < 0.12 && (p.y - p.y.round()).abs() < 0.12;
    let (p, q) = (at(core.x0, core.y0), at(core.x1, core.y1));
    near(p, other.x0, other.y0) && near(q, other.x1, other.y1) && whole(p) && whole(q)
}

/// Part of the quality of a board above which it speaks against another that is only a part of it,
/// and what is then left of the other's.
const LARGER: f32 = 0.4;
const PARTIAL: f32 = 0.4;

/// Of boards on the same lines a part of another is none, unless the larger one is hardly a board:
/// an end that was taken too early looks as good as the right one.
fn whole_only(found: &mut [Calibration]) {
    let partial: Vec<bool> = { found.iter() }
        .map(|part| {
            found.iter().any(|c| {
                c.size.len() > part.size.len()
                    && c.quality > LARGER * part.quality
                    && is_part(&part.px_from_cell, Span::of(part.size), c)
            })
        })
        .collect();
    for (c, partial) in found.iter_mut().zip(partial) {
        if partial {
            c.quality *= PARTIAL;
        }
    }
}

/// Whether a lattice has the lines of a board that was found, and was seen inside it.
fn is_part(a: &PxFromCell, core: Span, board: &Calibration) -> bool {
    let Some(back) = board.px_from_cell.inverse() else {
        return false;
    };
    let at = |x: i32, y: i32| back.map(a.map(Point::new(f64::from(x), f64::from(y))));
    let whole = |p: Point| (p.x - p.x.round()).abs() < 0.12 && (p.y - p.y.round()).abs() < 0.12;
    let (p, q) = (at(core.x0, core.y0), at(core.x1, core.y1));
    let (w, h) = (f64::from(core.x1 - core.x0), f64::from(core.y1 - core.y0));
    let alike = (q.x - p.x - w).abs() < 0.3 && (q.y - p.y - h).abs() < 0.3;
    let within = |v: f64, end: u16| v > -0.5 && v < f64::from(end) + 0.5;
    let inside = |p: Point| within(p.x, board.size.cols) && within(p.y, board.size.rows);
    alike && whole(p) && whole(q) && inside(p) && inside(q)
}

/// A transform to a picture of which this one shows every `scale`-th pixel.
pub(super) fn enlarged(t: &PxFromCell, scale: f64) -> PxFromCell {
    let m = t.0;
    PxFromCell([
        m[0] * scale,
        m[1] * scale,
        m[2] * scale,
        m[3] * scale,
        m[4] * scale,
        m[5] * scale,
        m[6],
        m[7],
        m[8],
    ])
}

/// Change of colour that makes an edge.
pub(super) fn threshold(planes: &Planes) -> u8 {
    (10.0 + 3.2 * noise(planes)).min(48.0) as u8
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
