//! Which picture shows a board and where: finders, one scorer, learnt classes, profiles.
//!
//! Takes a picture and what is wanted, gives [`Calibration`]s with a quality. Must never guess:
//! a picture without a board has none.
//!
//! The way of a picture: [`planes`] -> [`chains`] of edge pixels -> their [`spacing`] ->
//! [`region`]s of cells of one size -> a [`comb`] along each axis -> the [`extent`] of the board
//! -> the lattice brought onto its edges ([`refine`]) -> light and colours ([`gain`],
//! [`classes`]) -> the [`score`]. Boards of mostly empty cells have their own way, `stack`, which
//! begins with [`markers`].

pub mod blobs;
pub mod cell;
pub mod chains;
pub mod classes;
pub mod comb;
pub mod extent;
mod finder;
pub mod gain;
pub mod grow;
mod judge;
pub mod lattice;
pub mod markers;
pub mod planes;
mod proposals;
pub mod refine;
pub mod region;
pub mod score;
pub mod solve;
pub mod spacing;
pub mod stack;
pub mod view;

use planes::Planes;
pub use stack::continued;

use crate::types::{BoardKind, Calibration, Picture, Wanted};

/// Findings of a lower quality are not worth telling.
const WORTH_TELLING: f32 = 0.05;

/// All boards of the wanted kind in a picture, best first. Whether the best is good enough is
/// for the caller to say ([`Calibration::MIN_QUALITY`]).
#[must_use]
pub fn find(picture: &Picture, wanted: &Wanted) -> Vec<Calibration> {
    let planes = Planes::new(picture);
    let mut found = if wanted.kind == BoardKind::Stack {
        stack::find(&planes, wanted)
    } else {
        finder::find(&planes, wanted)
    };
    found.retain(|c| c.quality >= WORTH_TELLING);
    distinct(found)
}

/// Best first, and of findings that overlap only the best. Of two boards of like quality the
/// larger is the better: an icon of the game is a board, too.
fn distinct(mut found: Vec<Calibration>) -> Vec<Calibration> {
    let area = |c: &Calibration| {
        let [a, b, d, e] = c.px_from_cell.corners(c.size);
        let cross = |p: crate::types::Point, q: crate::types::Point| p.x * q.y - p.y * q.x;
        (cross(a, b) + cross(b, d) + cross(d, e) + cross(e, a)).abs() / 2.0
    };
    let rank = |c: &Calibration| f64::from(c.quality) * (1.0 + 0.15 * area(c).max(1.0).ln());
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
        let centre = c.px_from_cell.map(crate::types::Point::new(
            f64::from(c.size.cols) / 2.0,
            f64::from(c.size.rows) / 2.0,
        ));
        let inside = |o: &Calibration| {
            o.px_from_cell.inverse().is_some_and(|back| {
                let p = back.map(centre);
                p.x > 0.0
                    && p.y > 0.0
                    && p.x < f64::from(o.size.cols)
                    && p.y < f64::from(o.size.rows)
            })
        };
        if !out.iter().any(inside) {
            out.push(c);
        }
    }
    out
}

/// Whether `fine` is the same board as `coarse` with each cell cut into k by k.
fn divides(coarse: &Calibration, fine: &Calibration, k: u16) -> bool {
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
