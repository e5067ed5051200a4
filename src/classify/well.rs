//! Reading stacks of which only a picture is known: a cell is filled if its middle is far from
//! what empty looks like there, and its colour is the nearest of those that were told apart.
//!
//! Tables are made once per calibration. Patterns within a block do not matter, since the mean
//! over its middle decides.

use super::reader::{ReadError, index};
use crate::types::beyond::{apart, base, beyond, is_light};
use crate::types::cover::covered;
use crate::types::picture::channels;
use crate::types::{Calibration, CellReading, Label, Point, Well};

/// Points sampled along each axis of a cell, in cells from its middle: what is drawn along the
/// sides, as an outline or a gap, lies outside.
const POINTS: [f64; 4] = [-0.24, -0.08, 0.08, 0.24];
const N: usize = POINTS.len() * POINTS.len();

/// The class of a filled cell of which nothing else is known.
const FILLED: u8 = 8;

type Rgb = [f32; 3];

/// One cell: where its points are, what empty looks like there, what removes the light.
#[derive(Clone, Copy, Debug)]
struct Place {
    points: [u32; N],
    empty: Rgb,
    /// By how much the light makes it brighter.
    factor: Rgb,
    /// What is first taken off the square of a colour.
    base: Rgb,
}

/// The tables of one calibration.
#[derive(Clone, Debug)]
pub struct WellCells {
    cols: usize,
    cells: Vec<Place>,
    limit: f32,
    /// Colours that were told apart, with their classes; how far from one a cell may be.
    colours: Vec<(Rgb, u8, f32)>,
}

fn distance(a: Rgb, b: Rgb) -> f32 {
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
}

impl WellCells {
    /// Makes the tables.
    ///
    /// # Errors
    /// When the board reaches outside the picture.
    pub fn new(calibration: &Calibration, well: Well) -> Result<Self, ReadError> {
        let c = calibration;
        let light = is_light(well.at(0.0, 0.0));
        let mut cells = Vec::with_capacity(c.size.len());
        for cell in c.size.cells() {
            let m = cell.centre();
            let mut points = [0; N];
            for (i, p) in points.iter_mut().enumerate() {
                let at = Point::new(m.x + POINTS[i % 4], m.y + POINTS[i / 4]);
                *p = index(&c.px_from_cell, c.image, at).ok_or(ReadError::Outside)?;
            }
            let u = m.x as f32 / f32::from(c.size.cols) * 2.0 - 1.0;
            let v = m.y as f32 / f32::from(c.size.rows) * 2.0 - 1.0;
            let smooth = well.at(u, v).map(|e| e.max(0.0).powi(2));
            let veil = c.veil.0.get(cells.len()).copied().unwrap_or(smooth);
            cells.push(Place {
                points,
                empty: veil.map(f32::sqrt),
                factor: c.gain.factor(u, v),
                base: base(veil, light),
            });
        }
        let known = (0u8..).zip(&c.classes).skip(usize::from(FILLED) + 1);
        let middle = base(well.at(0.0, 0.0).map(|e| e.max(0.0).powi(2)), light);
        let bare = |rgb| beyond(middle, [1.0; 3], rgb);
        let mut colours: Vec<(Rgb, u8, f32)> =
            known.map(|(id, k)| (bare(k.rgb), id, 0.0)).collect();
        for i in 0..colours.len() {
            let nearest = { colours.iter().enumerate() }
                .filter(|(j, _)| *j != i)
                .map(|(_, o)| apart(o.0, colours[i].0))
                .fold(160.0, f32::min);
            // A kind that was not on the board yet may look like none of these.
            colours[i].2 = (0.6 * nearest).max(40.0);
        }
        Ok(Self {
            cols: usize::from(c.size.cols),
            cells,
            limit: well.limit.max(1.0),
            colours,
        })
    }

    /// Reads all cells of a picture of the calibrated size.
    pub fn read(&self, px: &[u32], into: &mut [CellReading]) {
        for (out, place) in into.iter_mut().zip(&self.cells) {
            *out = self.tell(px, place);
        }
        let label = |i: usize| match into[i].label {
            Label::Class(class) if class > 0 => Some(usize::from(class)),
            _ => None,
        };
        let hidden = covered(label, into.len(), self.cols);
        for (i, out) in into.iter_mut().enumerate() {
            if hidden.hides(i) {
                *out = CellReading {
                    label: Label::Unknown,
                    confidence: 0.0,
                };
            }
        }
    }

    #[inline]
    fn tell(&self, px: &[u32], place: &Place) -> CellReading {
        let (mut far, mut sum) = (0.0f32, [0.0f32; 3]);
        for i in place.points {
            let c = channels(px[i as usize]).map(f32::from);
            far += distance(c, place.empty);
            sum = [sum[0] + c[0], sum[1] + c[1], sum[2] + c[2]];
        }
        let far = far / N as f32;
        let sure = ((far / self.limit).max(1e-3).ln().abs() / 0.7).clamp(0.05, 1.0);
        if far <= self.limit {
            return CellReading {
                label: Label::Class(0),
                confidence: sure,
            };
        }
        let rgb = beyond(place.base, place.factor, sum.map(|v| v / N as f32));
        let (mut best, mut second) = ((f32::INFINITY, FILLED, 0.0), f32::INFINITY);
        for &(colour, class, reach) in &self.colours {
            let d = apart(colour, rgb);
            if d < best.0 {
                second = best.0;
                best = (d, class, reach);
            } else if d < second {
                second = d;
            }
        }
        let (d, class, reach) = best;
        if d > reach {
            return CellReading {
                label: Label::Class(FILLED),
                confidence: 0.5 * sure,
            };
        }
        let margin = if second.is_finite() {
            (1.0 - d / second.max(1e-3)).clamp(0.05, 1.0)
        } else {
            1.0
        };
        CellReading {
            label: Label::Class(class),
            confidence: sure.min(margin),
        }
    }
}
