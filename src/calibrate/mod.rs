//! Which picture shows a board and where: finders, one scorer, learnt classes, profiles.
//!
//! Takes a picture and what is wanted, gives [`Calibration`]s with a quality. Must never guess:
//! a picture without a board has none.
//!
//! The way of a picture: [`planes`] -> [`chains`] of edge pixels -> their [`spacing`] ->
//! [`region`]s of cells of one size -> a [`comb`] along each axis -> the [`extent`] of the board
//! -> the lattice brought onto its edges ([`refine`]) -> light and colours ([`gain`],
//! [`borders`], [`classes`]) -> the [`score`]. Boards of mostly empty cells have their own way, `stack`, which
//! begins with [`markers`]; boards of holes have theirs, [`holes`], and boards of thin lines have
//! `crossings`.

mod accord;
pub mod blobs;
pub mod borders;
pub mod cell;
pub mod chains;
pub mod classes;
pub mod comb;
mod crossings;
mod doubtful;
pub mod extent;
mod finder;
mod folds;
pub mod gain;
mod groups;
pub mod grow;
pub mod holes;
mod judge;
pub mod lattice;
pub mod markers;
mod marks;
mod outskirts;
pub mod planes;
mod proposals;
pub mod refine;
pub mod region;
pub mod score;
pub mod shown;
pub mod solve;
pub mod spacing;
mod sparse;
pub mod spot;
pub mod stack;
pub mod steady;
mod table;
pub mod veil;
pub mod view;
mod ways;

use planes::Planes;
pub use stack::continued;

use crate::types::{BoardKind, Calibration, Picture, Point, Wanted};

/// Pictures of fewer px on a side show no board: four cells of 4 px are the smallest that can be
/// told.
const LEAST_SIDE: u32 = 16;

/// Findings of a lower quality are not worth telling.
const WORTH_TELLING: f32 = 0.05;

/// All boards of the wanted kind in a picture, best first. Whether the best is good enough is
/// for the caller to say ([`Calibration::MIN_QUALITY`]).
#[must_use]
pub fn find(picture: &Picture, wanted: &Wanted) -> Vec<Calibration> {
    // Nothing that is seen through a lattice fits into less.
    if picture.width().min(picture.height()) < LEAST_SIDE {
        return Vec::new();
    }
    let planes = Planes::new(picture);
    let mut found = match wanted.kind {
        BoardKind::Stack => stack::find(&planes, wanted),
        BoardKind::Holes => holes::find(&planes, wanted),
        BoardKind::Crossings | BoardKind::Squares => crossings::find(&planes, wanted),
        BoardKind::Cells => finder::find(&planes, wanted),
    };
    found.retain(|c| c.quality >= WORTH_TELLING);
    distinct(found)
}

/// How good a finding is beside others, whatever their kinds: by quality, and of two boards of
/// like quality the larger is the better, for an icon of the game is a board, too.
#[must_use]
pub fn rank(c: &Calibration) -> f64 {
    let [a, b, d, e] = c.px_from_cell.corners(c.size);
    let cross = |p: Point, q: Point| p.x * q.y - p.y * q.x;
    let area = (cross(a, b) + cross(b, d) + cross(d, e) + cross(e, a)).abs() / 2.0;
    f64::from(c.quality) * (1.0 + 0.15 * area.max(1.0).ln())
}

/// Whether the middle of one finding lies on another: then they are about the same thing.
#[must_use]
pub fn overlaps(c: &Calibration, other: &Calibration) -> bool {
    let centre = c.px_from_cell.map(Point::new(
        f64::from(c.size.cols) / 2.0,
        f64::from(c.size.rows) / 2.0,
    ));
    other.px_from_cell.inverse().is_some_and(|back| {
        let p = back.map(centre);
        p.x > 0.0
            && p.y > 0.0
            && p.x < f64::from(other.size.cols)
            && p.y < f64::from(other.size.rows)
    })
}

/// Best first, and of findings that overlap only the best.
fn distinct(mut found: Vec<Calibration>) -> Vec<Calibration> {
    // Where a lattice and one that divides its cells both fit, the cells are the larger ones: the
    // other sees marks in the middle of cells as cells.
    let coarser: Vec<bool> = found
        .iter()
        .map(|fine| {
            found
                .iter()
                .any(|c| c.quality >= 0.6 * fine.quality && (2..=4).any(|k| divides(c, fine, k)))
        })
        .collect();
    for (c, &drop) in found.iter_mut().zip(&coarser) {
        if drop {
            c.quality *= 0.1;
        }
    }
    found.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    let mut out: Vec<Calibration> = Vec::new();
    for c in found {
        if !out.iter().any(|o| overlaps(&c, o)) {
            out.push(c);
        }
    }
    out
}

/// Whether `fine` is the same board as `coarse` with each cell cut into k by k.
fn divides(coarse: &Calibration, fine: &Calibration, k: u16) -> bool {
    // A hole is whole; its finder knows itself when a lattice has only some of the holes.
    if coarse.kind == BoardKind::Holes {
        return false;
    }
    let near = |a: u16, b: u16| a.abs_diff(b.saturating_mul(k)) <= k;
    if !near(fine.size.cols, coarse.size.cols) || !near(fine.size.rows, coarse.size.rows) {
        return false;
    }
    let (a, b) = (
        coarse.px_from_cell.corners(coarse.size),
        fine.px_from_cell.corners(fine.size),
    );
    let cell = a[0].distance(a[1]) / f64::from(coarse.size.cols.max(1));
    a.iter().zip(b).all(|(p, q)| p.distance(q) < 1.3 * cell)
}
