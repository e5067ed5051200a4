//! Wells: the usual look of a stack, a rectangle with something around it, empty above, full of
//! blocks below.
//!
//! Takes planes, gives calibrations with a quality. The way of a picture: [`lines`] -> outlines
//! ([`quads`]) -> each squared up, with what is empty in it ([`field`]) -> columns and rows
//! ([`count`]) -> how well the [`cells`] go together -> limits and colours (`learn`). Nothing
//! is said about the game beyond that things lie on the ground.

mod cells;
mod count;
mod empties;
mod field;
mod kinds;
mod learn;
mod lines;
mod paint;
mod quads;
mod settle;

use std::sync::Arc;

use super::super::chains::{Way, chains};
use super::super::finder::{enlarged, noise};
use super::super::planes::Planes;
use crate::types::{Calibration, Point};
use cells::Filling;
use count::Grid;
use field::Field;
use quads::Quad;

/// Lines of each way, outlines, and those that are looked into.
const LINES: usize = 48;
const QUADS: usize = 60;
const TRIED: usize = 20;

/// Longer sides of a picture in which lines are looked for.
const LARGEST: usize = 1100;

/// A board of this score needs no further search, once so many more outlines were no better.
const CLEAR: f64 = 33.0;
const AFTER: usize = 5;

/// The score at which a board is as likely as none, and how fast it becomes more so.
const DOUBTFUL: f64 = 20.0;
const STEEP: f64 = 3.0;

/// Boards given at most.
const MOST: usize = 6;

/// A board that may be there.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its outline, squared up; its transform is to px of the whole picture.
    pub field: Arc<Field>,
    /// Columns, rows, lines.
    pub grid: Grid,
    /// What is in its cells.
    pub filling: Filling,
    /// How much speaks for it.
    pub score: f64,
    /// Whether its outline lies along the sides of the picture.
    pub upright: bool,
}

/// All boards that may be there, best first, those that overlap a better one left out.
#[must_use]
pub fn find(planes: &Planes) -> Vec<Calibration> {
    let mut out: Vec<Calibration> = Vec::new();
    for found in boards(planes) {
        let quality = 0.99 / (1.0 + (-(found.score - DOUBTFUL) / STEEP).exp());
        if quality < 0.05 || out.len() >= MOST {
            break;
        }
        let at = found.grid.px_from_cell(&found.field.px_from_unit);
        let size = found.grid.size;
        let middle = at.map(Point::new(
            f64::from(size.cols) / 2.0,
            f64::from(size.rows) / 2.0,
        ));
        let covered = out.iter().any(|o| {
            o.px_from_cell.inverse().is_some_and(|back| {
                let p = back.map(middle);
                let (w, h) = (f64::from(o.size.cols), f64::from(o.size.rows));
                p.x > 0.0 && p.y > 0.0 && p.x < w && p.y < h
            })
        });
        if !covered {
            out.extend(learn::calibration(planes, &found, None, quality as f32));
        }
    }
    out
}

/// A board whose place and size are known otherwise, with what is learnt from its cells.
#[must_use]
pub fn at(planes: &Planes, known: &Calibration) -> Option<Calibration> {
    let corners = known.px_from_cell.corners(known.size);
    let wide = corners[3].distance(corners[2]).max(corners[0].distance(corners[1]));
    let mut smaller = vec![planes.clone()];
    while let Some(last) = smaller.last()
        && wide > field::WIDEST * (1u32 << (smaller.len() - 1)) as f64
        && last.width.min(last.height) > 320
    {
        let half = last.halved();
        smaller.push(half);
    }
    let times = f64::from(1u32 << (smaller.len() - 1));
    let last = smaller.last()?;
    let noise = noise(last).min(14.0);
    let mut field = Field::new(last, corners.map(|p| Point::new(p.x / times, p.y / times)), noise)?;
    field.px_from_unit = enlarged(&field.px_from_unit, times);
    let grid = Grid::whole(known.size);
    let found = Found {
        filling: Filling::of(&field, &grid),
        field: Arc::new(field),
        grid,
        score: 0.0,
        upright: true,
    };
    learn::calibration(planes, &found, Some(known.px_from_cell), known.quality)
}

/// The likeliest boards, best first.
#[must_use]
pub fn boards(planes: &Planes) -> Vec<Found> {
    // Smaller pictures of the same: lines are found in one of sensible size, and a raster that
    // skips pixels would miss thin lines.
    let mut smaller = vec![planes.clone()];
    while let Some(last) = smaller.last()
        && last.width.min(last.height) > 320
        && smaller.len() < 6
    {
        let half = last.halved();
        smaller.push(half);
    }
    let start = smaller
        .iter()
        .position(|p| p.width.max(p.height) <= LARGEST)
        .unwrap_or(smaller.len() - 1);
    let mut out: Vec<Found> = Vec::new();
    let (mut best, mut since) = (f64::MIN, 0);
    for quad in outlines(&smaller[start]).iter().take(TRIED) {
        if best >= CLEAR && since >= AFTER {
            break;
        }
        since += 1;
        let times = (1usize << start) as f64;
        let corners = quad.corners.map(|p| Point::new(p.x * times, p.y * times));
        for found in inside(&smaller, corners, quad) {
            if found.score > best {
                (best, since) = (found.score, 0);
            }
            out.push(found);
        }
    }
    out.sort_by(|a, b| b.score.total_cmp(&a.score));
    out
}

/// Boards inside one outline; `smaller` are pictures each half as large as the one before.
fn inside(smaller: &[Planes], corners: [Point; 4], quad: &Quad) -> Vec<Found> {
    let c = corners;
    let wide = c[3].distance(c[2]).max(c[0].distance(c[1]));
    let (mut level, mut scale) = (0, 1.0);
    while level + 1 < smaller.len() && wide * scale > field::WIDEST {
        level += 1;
        scale /= 2.0;
    }
    let scaled = c.map(|p| Point::new(p.x * scale, p.y * scale));
    let planes = &smaller[level];
    let Some(mut field) = Field::new(planes, scaled, noise(planes).min(14.0)) else {
        return Vec::new();
    };
    field.px_from_unit = enlarged(&field.px_from_unit, 1.0 / scale);
    let shape =
        (c[0].distance(c[3]) + c[1].distance(c[2])) / (c[0].distance(c[1]) + c[3].distance(c[2]));
    let slant = (0.004 * wide).max(1.2);
    let upright = (c[0].x - c[3].x).abs() < slant
        && (c[1].x - c[2].x).abs() < slant
        && (c[0].y - c[1].y).abs() < slant
        && (c[2].y - c[3].y).abs() < slant;
    let field = Arc::new(field);
    let mut out = Vec::new();
    for grid in count::grids(&field, shape, quad.cut) {
        let filling = Filling::of(&field, &grid);
        let score = grid.score + 0.5 * filling.sense
            - 25.0 * f64::from(filling.mixed)
            - 2.5 * f64::from(quad.above)
            - 12.0 * f64::from(filling.goes_on);
        out.push(Found {
            field: Arc::clone(&field),
            grid,
            filling,
            score,
            upright,
        });
    }
    out
}

/// Outlines that may be there, in px of the planes.
#[must_use]
pub fn outlines(planes: &Planes) -> Vec<Quad> {
    let size = [planes.width as f64, planes.height as f64];
    let (down, across) = lines_of(planes);
    quads::quads(&down, &across, size, QUADS)
}

/// A change of colour that may be part of a line: faint ones add up along it.
fn faint(planes: &Planes) -> u8 {
    (5.0 + 2.0 * noise(planes)).min(40.0) as u8
}

fn lines_of(planes: &Planes) -> (Vec<lines::Line>, Vec<lines::Line>) {
    let threshold = faint(planes);
    let size = [planes.width as f32, planes.height as f32];
    let down = chains(planes, Way::Down, threshold, 5, 1);
    let across = chains(planes, Way::Across, threshold, 5, 1);
    (
        lines::lines(&down, Way::Down, size, LINES),
        lines::lines(&across, Way::Across, size, LINES),
    )
}
