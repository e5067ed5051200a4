//! What single cells look like: their colour, whether two are one figure, whether one bears a circle.
//!
//! All places are in cells, so that the same shares of the pitch are looked at in every size.

use super::SAME;
use crate::types::{Picture, Point, PxFromCell};

/// How far from the middle of a cell its colour is taken, along both axes: beyond a circle, within
/// an edge that is drawn in another shade.
const CORNER: f64 = 0.30;
/// How far from the middle of a side it is crossed: beyond a seam between two squares of a figure.
const BESIDE: f64 = 0.40;
/// How far to each side of a border its crossing begins.
const ACROSS: f64 = 0.10;
/// Steps of a crossing: at 100 pixels a cell no pixel is left out.
const STEPS: u32 = 20;
/// Within the rim of a circle, around what is drawn in it.
const RADIUS: f64 = 0.28;
/// Points on it, and those of them that must differ from the square.
const AROUND: u32 = 16;
const ENOUGH: u32 = 14;

/// By how much two colours differ, in the channel where they do most.
pub fn apart(a: [u8; 3], b: [u8; 3]) -> u8 {
    let all = [0, 1, 2].map(|i: usize| a[i].abs_diff(b[i]));
    all[0].max(all[1]).max(all[2])
}

/// A picture in the space of cells.
pub struct Probe<'a> {
    pub picture: &'a Picture,
    pub px_from_cell: PxFromCell,
}

impl Probe<'_> {
    /// The colour at a point; the nearest there is beyond the picture's edge.
    pub fn at(&self, x: f64, y: f64) -> [u8; 3] {
        let px = self.px_from_cell.map(Point::new(x, y));
        let within = |v: f64, size: u32| v.clamp(0.0, f64::from(size.max(1) - 1)) as u32;
        let (x, y) = (
            within(px.x, self.picture.width()),
            within(px.y, self.picture.height()),
        );
        self.picture.rgb(x, y)
    }

    /// The colour of the cell whose corner is here: the median of four places, by channel.
    pub fn cell(&self, x: f64, y: f64) -> [u8; 3] {
        let places = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
        let seen = places.map(|(i, j)| self.at(x + 0.5 + i * CORNER, y + 0.5 + j * CORNER));
        [0, 1, 2].map(|channel: usize| {
            let mut values = seen.map(|rgb| rgb[channel]);
            values.sort_unstable();
            values[1].midpoint(values[2])
        })
    }

    /// Whether the cell whose corner is here and the one to the right of it (below it, if not
    /// `rightwards`) are one figure: between figures something else is to be seen.
    pub fn joined(&self, x: f64, y: f64, rightwards: bool) -> bool {
        [-BESIDE, BESIDE].into_iter().any(|side| {
            let at = |step: u32| {
                let along = 1.0 - ACROSS + 2.0 * ACROSS * f64::from(step) / f64::from(STEPS);
                if rightwards {
                    self.at(x + along, y + 0.5 + side)
                } else {
                    self.at(x + 0.5 + side, y + along)
                }
            };
            let first = at(0);
            (1..=STEPS).all(|step| apart(at(step), first) <= SAME)
        })
    }

    /// Whether the cell whose corner is here bears a circle.
    pub fn has_circle(&self, x: f64, y: f64) -> bool {
        let own = self.cell(x, y);
        let differs = |step: &u32| {
            let angle = std::f64::consts::TAU * f64::from(*step) / f64::from(AROUND);
            let (sin, cos) = angle.sin_cos();
            let seen = self.at(x + 0.5 + RADIUS * cos, y + 0.5 + RADIUS * sin);
            apart(seen, own) > 2 * SAME
        };
        (0..AROUND).filter(differs).count() >= ENOUGH as usize
    }
}
