//! The figures beside the rectangle: patches whose boxes are whole numbers of cells.

use super::field::Found;
use super::patches::Patch;
use super::probe::apart;
use super::{Piece, Spot};
use crate::games::triplex::rules::{Figure, MOST_SQUARES};
use crate::types::{Cell, Picture, Point};

/// What a box may lack of whole cells, in cells: figures end a little within their squares.
const LACKS: std::ops::Range<f64> = -0.02..0.17;

/// All figures that lie wholly outside the frame, from the top.
pub fn beside(picture: &Picture, patches: &[Patch], field: &Found) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    let outside = patches.iter().filter(|p| !overlaps(p, field.frame));
    for piece in outside.filter_map(|p| piece(picture, p, field)) {
        // The rim of a figure may be a patch of its own with the same box.
        let again = |other: &Piece| {
            let (a, b) = (other.corner(), piece.corner());
            (a.x - b.x).abs() < 0.5 && (a.y - b.y).abs() < 0.5
        };
        if !found.iter().any(again) {
            found.push(piece);
        }
    }
    found
}

fn overlaps(patch: &Patch, [left, top, right, bottom]: [u32; 4]) -> bool {
    patch.left <= right && patch.right >= left && patch.top <= bottom && patch.bottom >= top
}

/// How many cells a length in pixels is; `None` if it is no whole number of them.
fn cells(length: u32, pitch: f64) -> Option<u16> {
    let exact = f64::from(length) / pitch;
    let whole = (exact - LACKS.start).ceil();
    let fits = LACKS.contains(&(whole - exact)) && (1.0..=MOST_SQUARES as f64).contains(&whole);
    fits.then_some(whole as u16)
}

/// The figure whose outline a patch is.
fn piece(picture: &Picture, patch: &Patch, field: &Found) -> Option<Piece> {
    let pitch = field.pitch();
    let (cols, rows) = (cells(patch.width(), pitch)?, cells(patch.height(), pitch)?);
    let middle = Point::new(
        f64::from(patch.left + patch.right + 1) / 2.0,
        f64::from(patch.top + patch.bottom + 1) / 2.0,
    );
    let middle = field.px_from_cell().inverse()?.map(middle);
    let corner = Point::new(
        middle.x - f64::from(cols) / 2.0,
        middle.y - f64::from(rows) / 2.0,
    );
    let probe = field.probe(picture);
    let at = |c: Cell| (corner.x + f64::from(c.col), corner.y + f64::from(c.row));
    let filled = |c: &Cell| {
        let rgb = probe.cell(at(*c).0, at(*c).1);
        apart(rgb, patch.rgb) < apart(rgb, field.ground)
    };
    let boxed = (0..rows).flat_map(|row| (0..cols).map(move |col| Cell::new(col, row)));
    let squares: Vec<Cell> = boxed.filter(filled).collect();
    let figure = Figure::new(&squares).ok()?;
    if figure.squares() < 2 || (figure.width(), figure.height()) != (cols, rows) {
        return None;
    }
    let joined = |c: &Cell| {
        let (x, y) = at(*c);
        let beside = |col, row| squares.contains(&Cell::new(col, row));
        (!beside(c.col + 1, c.row) || probe.joined(x, y, true))
            && (!beside(c.col, c.row + 1) || probe.joined(x, y, false))
    };
    squares.iter().all(joined).then(|| Piece {
        figure,
        spot: Spot::Loose(corner),
        circle: { squares.iter().copied() }.find(|c| probe.has_circle(at(*c).0, at(*c).1)),
    })
}
