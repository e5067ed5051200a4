//! The rectangle: a frame on the ground, cells in it, ground at every crossing of their lines.

use super::patches::Patch;
use super::probe::{Probe, apart};
use super::{Piece, SAME, Spot};
use crate::games::triplex::rules::Figure;
use crate::types::{Cell, GridSize, Picture, Point, PxFromCell};

/// A frame is no thicker than this part of its shorter side.
const THICKEST: f64 = 0.12;
/// Its pixels may be this much fewer or more than those of a rectangle of its thickness: corners
/// are rounded.
const ROUNDING: f64 = 0.2;
/// The longest side of a rectangle, in cells.
const LONGEST: u16 = 24;
/// By how much the two pitches of square cells may differ, in parts.
const SQUARE: f64 = 0.05;
/// The smallest pitch that is read, in pixels.
const SMALLEST: f64 = 14.0;
/// What may be left free at each side of a cell, in cells; tried in turn.
const MARGINS: [f64; 6] = [0.035, 0.02, 0.05, 0.0, 0.065, 0.08];
/// How far from a crossing ground is looked for, in cells: the inner corner of a figure may be
/// rounded and reach over it.
const NEAR: [f64; 5] = [0.0, -0.04, 0.04, -0.08, 0.08];
/// How far from its middle a cell is filled, whatever its corners are like, in cells.
const WITHIN: f64 = 0.36;
/// How long a straight line of ground may be in a cell, in cells: pixels at the rim of a circle look
/// like ground by chance, but not so many in a row as in a gap between two figures.
const RUN: f64 = 0.25;

/// A rectangle that was found.
pub struct Found {
    pub size: GridSize,
    /// Its corner and pitches, in pixels.
    origin: Point,
    pitch: Point,
    pub ground: [u8; 3],
    /// Left, top, right and bottom of the frame around it, in pixels.
    pub frame: [u32; 4],
}

/// The rectangle whose frame a patch is.
pub fn within(picture: &Picture, frame: &Patch) -> Option<Found> {
    let thick = thickness(picture, frame)?;
    let (x, y) = (
        frame.left.midpoint(frame.right),
        frame.top.midpoint(frame.bottom),
    );
    let last = (picture.width() - 1, picture.height() - 1);
    // Two pixels away: the edges of a frame may be blurred by one.
    let around = [
        (frame.left + thick + 1, frame.top + frame.height() / 3),
        ((frame.right + 2).min(last.0), y),
        (x, (frame.bottom + 2).min(last.1)),
    ];
    let ground = picture.rgb(frame.left.checked_sub(2)?, y);
    let same = |&(x, y): &(u32, u32)| apart(picture.rgb(x, y), ground) <= SAME;
    if apart(frame.rgb, ground) <= SAME || !around.iter().all(same) {
        return None;
    }
    let [left, top, right, bottom] = contents(picture, frame, thick, ground)?;
    let (width, height) = (f64::from(right - left + 1), f64::from(bottom - top + 1));
    let corner = Point::new(f64::from(left), f64::from(top));
    // The finest that fits: half of the lines would fit, too.
    (2..=LONGEST).rev().find_map(|cols| {
        let rows = (f64::from(cols) * height / width).round();
        if !(2.0..=f64::from(LONGEST)).contains(&rows) {
            return None;
        }
        let size = GridSize::new(cols, rows as u16);
        MARGINS.iter().find_map(|margin| {
            let pitch = Point::new(
                width / (f64::from(cols) - 2.0 * margin),
                height / (rows - 2.0 * margin),
            );
            if pitch.x.min(pitch.y) < SMALLEST || (pitch.x / pitch.y - 1.0).abs() > SQUARE {
                return None;
            }
            let found = Found {
                size,
                origin: Point::new(corner.x - margin * pitch.x, corner.y - margin * pitch.y),
                pitch,
                ground,
                frame: [frame.left, frame.top, frame.right, frame.bottom],
            };
            found.fits(picture).then_some(found)
        })
    })
}

/// The thickness of a frame in pixels; `None` if the patch is none.
fn thickness(picture: &Picture, patch: &Patch) -> Option<u32> {
    let (width, height) = (patch.width(), patch.height());
    let own = |x, y| apart(picture.rgb(x, y), patch.rgb) <= SAME;
    let (x, y) = (
        patch.left.midpoint(patch.right),
        patch.top.midpoint(patch.bottom),
    );
    let runs = [
        (0..width).take_while(|i| own(patch.left + i, y)).count(),
        (0..width).take_while(|i| own(patch.right - i, y)).count(),
        (0..height).take_while(|i| own(x, patch.top + i)).count(),
        (0..height).take_while(|i| own(x, patch.bottom - i)).count(),
    ];
    let most = THICKEST * f64::from(width.min(height));
    let (low, high) = (*runs.iter().min()? as u32, *runs.iter().max()? as u32);
    if low == 0 || high > low + 1 || f64::from(high) > most {
        return None;
    }
    let area = 2.0 * f64::from(width + height - 2 * low) * f64::from(low.midpoint(high));
    let share = f64::from(patch.area) / area;
    // A side may be a pixel thicker than another.
    let upper = f64::from(high) / f64::from(low) + ROUNDING;
    (1.0 - ROUNDING..=upper).contains(&share).then_some(high)
}

/// The box around what is not ground within a frame.
fn contents(picture: &Picture, frame: &Patch, thick: u32, ground: [u8; 3]) -> Option<[u32; 4]> {
    // Rounded corners reach inwards: a row or column counts where its middle third is not ground.
    let third = |from: u32, size: u32| from + size / 6..from + size - size / 6;
    let (across, down) = (
        third(frame.left, frame.width()),
        third(frame.top, frame.height()),
    );
    let (within_x, within_y) = (
        frame.left + thick + 1..=frame.right.checked_sub(thick + 1)?,
        frame.top + thick + 1..=frame.bottom.checked_sub(thick + 1)?,
    );
    let filled = |x, y| apart(picture.rgb(x, y), ground) > SAME;
    let xs: Vec<u32> = { within_x }
        .filter(|&x| down.clone().any(|y| filled(x, y)))
        .collect();
    let ys: Vec<u32> = { within_y }
        .filter(|&y| across.clone().any(|x| filled(x, y)))
        .collect();
    Some([*xs.first()?, *ys.first()?, *xs.last()?, *ys.last()?])
}

impl Found {
    /// Pixels from cells.
    pub fn px_from_cell(&self) -> PxFromCell {
        PxFromCell::upright(self.origin, self.pitch.x, self.pitch.y)
    }

    /// The mean pitch in pixels.
    pub fn pitch(&self) -> f64 {
        f64::midpoint(self.pitch.x, self.pitch.y)
    }

    pub fn probe<'a>(&self, picture: &'a Picture) -> Probe<'a> {
        Probe {
            picture,
            px_from_cell: self.px_from_cell(),
        }
    }

    /// Whether ground is seen at every crossing of lines, and none within any cell. No
    /// figure has squares on all four sides of a crossing.
    fn fits(&self, picture: &Picture) -> bool {
        let probe = self.probe(picture);
        let is_ground = |x: f64, y: f64| apart(probe.at(x, y), self.ground) <= SAME;
        let crossing = |c: Cell| {
            let (x, y) = (f64::from(c.col), f64::from(c.row));
            { NEAR.iter() }.any(|i| NEAR.iter().any(|j| is_ground(x + i, y + j)))
        };
        // Every pixel: lines that are too far apart run past gaps, and these are narrow.
        let steps = (2.0 * WITHIN * self.pitch()).ceil() as u32;
        let longest = (RUN * self.pitch()).ceil() as u32;
        let along = |i: u32| 0.5 - WITHIN + 2.0 * WITHIN * f64::from(i) / f64::from(steps);
        let filled = |c: Cell| {
            let (x, y) = (f64::from(c.col), f64::from(c.row));
            let gap = |at: &dyn Fn(u32) -> bool| {
                let mut run = 0;
                { 0..=steps }.any(|i| {
                    run = if at(i) { run + 1 } else { 0 };
                    run > longest
                })
            };
            !(0..=steps).any(|j| {
                gap(&|i| is_ground(x + along(i), y + along(j)))
                    || gap(&|i| is_ground(x + along(j), y + along(i)))
            })
        };
        let inner = |c: &Cell| c.col > 0 && c.row > 0;
        self.size.cells().all(filled) && self.size.cells().filter(inner).all(crossing)
    }

    /// The figures in the rectangle: cells that hang together. A cell by itself is free, as no
    /// figure is so small.
    pub fn laid(&self, picture: &Picture) -> Vec<Piece> {
        let probe = self.probe(picture);
        let size = self.size;
        let mut group: Vec<usize> = (0..size.len()).collect();
        for cell in size.cells() {
            let (x, y) = (f64::from(cell.col), f64::from(cell.row));
            let right = cell.col + 1 < size.cols && probe.joined(x, y, true);
            let below = cell.row + 1 < size.rows && probe.joined(x, y, false);
            let beside = [
                right.then(|| Cell::new(cell.col + 1, cell.row)),
                below.then(|| Cell::new(cell.col, cell.row + 1)),
            ];
            for other in beside.into_iter().flatten() {
                let (a, b) = (group[size.index(cell)], group[size.index(other)]);
                for g in &mut group {
                    if *g == a.max(b) {
                        *g = a.min(b);
                    }
                }
            }
        }
        let members = |g: usize| -> Vec<Cell> {
            let own = |c: &Cell| group[size.index(*c)] == g;
            size.cells().filter(own).collect()
        };
        let pieces = (0..size.len()).map(members).filter(|m| m.len() > 1);
        pieces.filter_map(|cells| laid(&probe, &cells)).collect()
    }
}

/// The figure of these cells.
fn laid(probe: &Probe, cells: &[Cell]) -> Option<Piece> {
    let figure = Figure::new(cells).ok()?;
    let at = Cell::new(
        cells.iter().map(|c| c.col).min()?,
        cells.iter().map(|c| c.row).min()?,
    );
    let circle = { cells.iter() }.find(|c| probe.has_circle(c.col.into(), c.row.into()));
    Some(Piece {
        figure,
        spot: Spot::Laid(at),
        circle: circle.map(|c| Cell::new(c.col - at.col, c.row - at.row)),
    })
}
