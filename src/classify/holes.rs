//! Reading boards of holes: what most of the inside of a hole looks like, if the plate is seen
//! around it.
//!
//! Tables are made once per calibration. Every point inside of a hole has a vote, so that a mark
//! on a disc, a gloss, or the wall of a thick plate is outvoted. Where the plate is not seen around a
//! hole something lies over it, and what is seen in it says nothing.

use super::reader::{ReadError, index};
use crate::types::colour::{apart2, unveiled, veil};
use crate::types::picture::channels;
use crate::types::{Calibration, CellReading, ClassId, Label, Point};

/// Rings on which the inside is sampled: radius as a part of the hole's, and points.
const RINGS: [(f64, usize); 3] = [(0.22, 6), (0.45, 12), (0.68, 18)];
const POINTS: usize = 36;

/// Where the plate is sampled, in cells from a cell's middle along both axes.
const CORNER: f64 = 0.44;

/// Corners of a cell at which the plate must be seen.
const LEAST_CORNERS: usize = 2;

/// Share of the inside that a class must have.
const LEAST_SHARE: f32 = 0.4;

/// In a glare a colour must be so much nearer to its class than to the next one.
const CLEARLY: f32 = 0.4;

/// What a glare adds, of 255, where that begins.
const GLARE: f32 = 20.0;

const UNKNOWN: CellReading = CellReading {
    label: Label::Unknown,
    confidence: 0.0,
};

type Rgb = [f32; 3];

/// One hole: where its points are, and what removes the light there.
#[derive(Clone, Copy, Debug)]
struct Place {
    inside: [u32; POINTS],
    /// How many of them lie in the picture; the others are not used.
    known: usize,
    corners: [Option<u32>; 4],
    unlit: Rgb,
    /// The plate around it.
    plate: Rgb,
    /// What a glare adds there.
    veil: Rgb,
    /// Whether that is much.
    glared: bool,
}

/// A class as points are compared with it.
#[derive(Clone, Copy, Debug)]
struct Look {
    rgb: Rgb,
    /// Squared distance beyond which a point has another colour.
    limit: f32,
}

/// The tables of one calibration.
#[derive(Clone, Debug)]
pub struct Holes {
    places: Vec<Place>,
    looks: Vec<Look>,
    /// Squared distance up to which a colour is that of the plate.
    plate: f32,
    /// Whether everything that is no disc is empty.
    open: bool,
    /// Whether a glare lies over parts of the board.
    veil: bool,
    /// Whether each class can be told from the plate.
    shows: Vec<bool>,
}

/// Most classes there can be.
const CLASSES: usize = 14;

impl Holes {
    /// Makes the tables.
    ///
    /// # Errors
    /// When the calibration describes no board of holes, or one that the picture hardly shows.
    pub fn new(c: &Calibration) -> Result<Self, ReadError> {
        let (Some(plate), false) = (&c.plate, c.classes.is_empty()) else {
            return Err(ReadError::Empty);
        };
        if c.classes.len() > CLASSES {
            return Err(ReadError::Empty);
        }
        let (w, h) = (f64::from(c.size.cols), f64::from(c.size.rows));
        let mut places = Vec::with_capacity(c.size.len());
        for cell in c.size.cells() {
            let m = cell.centre();
            let at =
                |dx: f64, dy: f64| index(&c.px_from_cell, c.image, Point::new(m.x + dx, m.y + dy));
            let mut place = Place {
                inside: [0; POINTS],
                known: 0,
                corners: [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                    .map(|(sx, sy)| at(sx * CORNER, sy * CORNER)),
                unlit: { c.gain }
                    .factor((m.x / w * 2.0 - 1.0) as f32, (m.y / h * 2.0 - 1.0) as f32)
                    .map(|f| 1.0 / f),
                plate: plate.rgb,
                veil: [0.0; 3],
                glared: false,
            };
            if let Some(seen) = plate.gloss.get(places.len()) {
                place.plate = [0, 1, 2].map(|i| f32::from(seen[i]) * place.unlit[i]);
                if plate.veil {
                    place.veil = veil(plate.rgb, place.plate);
                    place.glared = (0..3).any(|k| place.plate[k] > plate.rgb[k] + GLARE);
                }
            }
            for (part, n) in RINGS {
                for k in 0..n {
                    let angle = std::f64::consts::TAU * (k as f64 + 0.5) / n as f64;
                    let (rx, ry) = (part * plate.hole.0, part * plate.hole.1);
                    if let Some(i) = at(rx * angle.cos(), ry * angle.sin()) {
                        place.inside[place.known] = i;
                        place.known += 1;
                    }
                }
            }
            places.push(place);
        }
        if places.iter().filter(|p| p.is_seen()).count() * 2 < places.len() {
            return Err(ReadError::Outside);
        }
        let looks = looks(c);
        let reach = 34.0 + 2.0 * plate.spread;
        Ok(Self {
            places,
            shows: looks
                .iter()
                .map(|l| apart2(l.rgb, plate.rgb) > reach * reach)
                .collect(),
            looks,
            plate: reach * reach,
            open: plate.open,
            veil: plate.veil,
        })
    }

    /// Reads all holes.
    pub fn read(&self, px: &[u32], into: &mut [CellReading]) {
        for (place, out) in self.places.iter().zip(into) {
            *out = self.hole(place, px);
        }
    }

    /// Of the holes that hold something unlike the plate, the share with the plate around them.
    /// `None` when there are hardly any.
    pub fn fit(&self, px: &[u32]) -> Option<f32> {
        let (mut good, mut all) = (0usize, 0usize);
        for place in &self.places {
            if let Some((class, _)) = self.inside(place, px)
                && self.shows[usize::from(class)]
            {
                all += 1;
                good += usize::from(self.corners(place, px) >= 3);
            }
        }
        (all >= 2).then(|| good as f32 / all as f32)
    }

    fn hole(&self, place: &Place, px: &[u32]) -> CellReading {
        if !place.is_seen() || self.corners(place, px) < LEAST_CORNERS {
            return UNKNOWN;
        }
        self.inside(place, px)
            .map_or(UNKNOWN, |(class, confidence)| CellReading {
                label: Label::Class(class),
                confidence,
            })
    }

    /// Corners of a cell at which the plate is seen.
    fn corners(&self, place: &Place, px: &[u32]) -> usize {
        place
            .corners
            .iter()
            .flatten()
            .filter(|&&i| {
                let rgb = lit(px[i as usize], place.unlit);
                apart2(rgb, place.plate) <= self.plate
            })
            .count()
    }

    /// The class that most points of a hole have, and how sure that is.
    fn inside(&self, place: &Place, px: &[u32]) -> Option<(ClassId, f32)> {
        let mut votes = [0.0f32; CLASSES];
        let mut margins = [0.0f32; CLASSES];
        let first = usize::from(self.open);
        for &i in &place.inside[..place.known] {
            let mut rgb = lit(px[i as usize], place.unlit);
            if self.veil {
                rgb = unveiled(rgb, place.veil);
            }
            let mut best = (f32::INFINITY, 0);
            let mut second = f32::INFINITY;
            for (k, look) in self.looks.iter().enumerate().skip(first) {
                let d = apart2(rgb, look.rgb);
                if d < best.0 {
                    second = best.0;
                    best = (d, k);
                } else if d < second {
                    second = d;
                }
            }
            let (d, k) = best;
            if place.glared && d > CLEARLY * CLEARLY * second {
                continue;
            }
            if d <= self.looks[k].limit {
                votes[k] += 1.0;
                margins[k] += if second.is_finite() {
                    1.0 - (d / second).sqrt()
                } else {
                    1.0 - 0.5 * (d / self.looks[k].limit).sqrt()
                };
            } else if self.open {
                votes[0] += 1.0;
                margins[0] += if d.is_finite() {
                    1.0 - (self.looks[k].limit / d).sqrt()
                } else {
                    1.0
                };
            }
        }
        let n = place.known.max(1) as f32;
        let most = (0..self.looks.len()).max_by(|&a, &b| votes[a].total_cmp(&votes[b]))?;
        let share = votes[most] / n;
        let next = (0..self.looks.len())
            .filter(|&k| k != most)
            .map(|k| votes[k] / n)
            .fold(0.0, f32::max);
        if share < LEAST_SHARE || share < 1.3 * next {
            return None;
        }
        let margin = margins[most] / votes[most];
        let ahead = ((share - next) * 1.6).min(1.0);
        Some((most as ClassId, (margin * ahead).clamp(0.0, 1.0)))
    }
}

impl Place {
    /// Whether enough of the hole lies in the picture.
    fn is_seen(&self) -> bool {
        self.known * 2 >= POINTS && self.corners.iter().flatten().count() >= LEAST_CORNERS
    }
}

/// The classes with the distance up to which a point belongs to each.
fn looks(c: &Calibration) -> Vec<Look> {
    let all = &c.classes;
    (0..all.len())
        .map(|i| {
            let nearest = (0..all.len())
                .filter(|&j| j != i)
                .map(|j| apart2(all[i].rgb, all[j].rgb).sqrt())
                .fold(f32::INFINITY, f32::min);
            // Half the way to the next class at most, and never nothing.
            let reach = (34.0 + 2.5 * all[i].spread).min(0.6 * nearest).max(6.0);
            Look {
                rgb: all[i].rgb,
                limit: reach * reach,
            }
        })
        .collect()
}

#[inline]
fn lit(pixel: u32, unlit: Rgb) -> Rgb {
    let [r, g, b] = channels(pixel).map(f32::from);
    [r * unlit[0], g * unlit[1], b * unlit[2]]
}
