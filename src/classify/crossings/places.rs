//! Where points of a board lie in its pictures.

use super::{ACROSS, Arm, EDGES, Rgb, STATIONS};
use crate::classify::reader::ReadError;
use crate::types::{Calibration, Point};

/// Points of [`CORE`](crate::types::stone::CORE) in each quarter that tell whether anything lies there at all.
pub(super) const FILLED: [usize; 4] = [0, 2, 4, 6];

/// Directions between the lines in which a stone's rim is looked for.
pub(super) const RIMS: [(f64, f64); 8] = [
    (0.78, 0.63),
    (0.63, 0.78),
    (-0.78, 0.63),
    (-0.63, 0.78),
    (0.78, -0.63),
    (0.63, -0.78),
    (-0.78, -0.63),
    (-0.63, -0.78),
];

/// How far beside a line's middle its surroundings are looked at, in px.
const SIDE: f64 = 2.3;

/// What a small stone is sure to cover, as a radius in cells.
const SMALL_STONE: f64 = 0.34;

/// Where points of a board lie in its pictures.
pub(super) struct Places<'a> {
    pub(super) calibration: &'a Calibration,
    pub(super) image: (f64, f64),
}

impl<'a> Places<'a> {
    /// Refused where crossings lie outside the picture.
    pub(super) fn new(calibration: &'a Calibration) -> Result<Self, ReadError> {
        let image = calibration.image;
        let inside = |p: Point| {
            p.x >= 0.0 && p.y >= 0.0 && p.x < f64::from(image.0) && p.y < f64::from(image.1)
        };
        let t = &calibration.px_from_cell;
        if !calibration.size.cells().all(|c| inside(t.map(c.centre()))) {
            return Err(ReadError::Outside);
        }
        Ok(Self {
            calibration,
            image: (f64::from(image.0), f64::from(image.1)),
        })
    }

    /// Index of a pixel; stones at the picture's edge are seen as far as it goes.
    pub(super) fn pixel(&self, px: Point) -> u32 {
        let x = px.x.clamp(0.0, self.image.0 - 0.5) as u32;
        let y = px.y.clamp(0.0, self.image.1 - 0.5) as u32;
        y * self.calibration.image.0 + x
    }

    pub(super) fn index(&self, cell: Point) -> u32 {
        self.pixel(self.calibration.px_from_cell.map(cell))
    }

    pub(super) fn unlit(&self, cell: Point) -> Rgb {
        let size = self.calibration.size;
        let u = cell.x as f32 / f32::from(size.cols) * 2.0 - 1.0;
        let v = cell.y as f32 / f32::from(size.rows) * 2.0 - 1.0;
        self.calibration.gain.factor(u, v).map(|f| 1.0 / f)
    }

    /// Pixels across the way from `a` to `b` (in cells) at a part of it.
    pub(super) fn across(&self, a: Point, b: Point, part: f64) -> [u32; ACROSS] {
        let t = &self.calibration.px_from_cell;
        let (p, q) = (t.map(a), t.map(b));
        let length = p.distance(q).max(1e-9);
        let (nx, ny) = ((q.y - p.y) / length, -(q.x - p.x) / length);
        let m = Point::new(p.x + (q.x - p.x) * part, p.y + (q.y - p.y) * part);
        let side = (0.09 * length).max(SIDE);
        let near = (0.02 * length).clamp(1.0, 3.0);
        [-side, -near, 0.0, near, side].map(|d| self.pixel(Point::new(m.x + nx * d, m.y + ny * d)))
    }

    pub(super) fn arm(&self, here: Point, there: Point) -> Arm {
        // Where cells are small, what is beside the line must lie within a stone, too.
        let t = &self.calibration.px_from_cell;
        let aside = Point::new(here.x + (there.y - here.y), here.y + (there.x - here.x));
        let from = t.map(here);
        let pitch = from.distance(t.map(there)).min(from.distance(t.map(aside)));
        let beside = (SIDE / pitch.max(1.0)).max(0.09);
        let reach = (SMALL_STONE * SMALL_STONE - beside * beside)
            .max(0.075)
            .sqrt();
        let part = (reach / STATIONS[STATIONS.len() - 1]).min(1.0);
        STATIONS.map(|s| self.across(here, there, s * part))
    }

    /// Places in the middle of edges, thinned evenly, with a square beside each.
    pub(super) fn edges(&self, cols: usize, rows: usize) -> Vec<([u32; ACROSS], u32)> {
        let every = (2 * cols * rows).div_ceil(EDGES).max(1);
        let mut out = Vec::new();
        let mut n = 0;
        for y in 0..rows {
            for x in 0..cols {
                let a = Point::new(x as f64 + 0.5, y as f64 + 0.5);
                for (dx, dy) in [(1, 0), (0, 1)] {
                    n += 1;
                    if x + dx >= cols || y + dy >= rows || n % every != 0 {
                        continue;
                    }
                    let b = Point::new(a.x + dx as f64, a.y + dy as f64);
                    let square = y.min(rows - 2) * (cols - 1) + x.min(cols - 2);
                    out.push((self.across(a, b, 0.5), square as u32));
                }
            }
        }
        out
    }
}
