//! Reading boards of mostly empty cells: is a cell like the empty one in the local light, and if
//! not, which kind does its colour point to?
//!
//! Tables are made once per calibration. Brightness decides little, since light changes from
//! moment to moment: empty is dark, and kinds differ by the direction of their colour. The line
//! around the board, where there is one, shows the light of the moment row by row, and rows
//! whose line is not to be seen are not trusted.

use super::reader::{ReadError, index};
use super::well::WellCells;
use crate::types::picture::channels;
use crate::types::{Calibration, CellReading, Label, Point};

/// Points sampled along each axis of a cell, in cells from its middle: what is drawn along the
/// sides, as an outline or a gap, lies outside.
const POINTS: [f64; 4] = [-0.24, -0.08, 0.08, 0.24];
const N: usize = POINTS.len() * POINTS.len();

/// Below this part of the way from empty to the dimmest class a point is empty.
const EMPTY_BELOW: f32 = 0.4;

/// Of the points of a cell at most so many may say otherwise.
const MOST_OTHERS: usize = 4;

/// Points further from the mean than this part of its brightness, on average, are no one colour.
const PLAIN: f32 = 0.3;

/// Cosine of the angle beyond which a colour belongs to no class.
const LEAST_ALIKE: f32 = 0.955;

/// The border's brightness against that of the whole frame: beyond these it is not the border.
const BORDER: (f32, f32) = (0.66, 1.5);

/// Share of the border that must be seen for a frame to be read at all.
const LEAST_BORDER: f32 = 0.7;
/// Share of it above which a frame is whole: then one mark is enough for a row.
const WHOLE_BORDER: f32 = 0.93;

/// The light of a frame against that of the calibration: beyond these the board is looked for
/// anew. Where the border has given way to something darker the light only seems to be low.
const GAIN: (f32, f32) = (0.56, 1.8);

/// Distance of two pixels that may be of one colour.
const ALIKE: f32 = 40.0;

/// Classes of filled cells that every stack has.
const FIXED: usize = 8;

const UNKNOWN: CellReading = CellReading {
    label: Label::Unknown,
    confidence: 0.0,
};

type Rgb = [f32; 3];

/// One cell: where its points are, and what removes the light there.
#[derive(Clone, Copy, Debug)]
struct Place {
    points: [u32; N],
    unlit: Rgb,
}

/// One place on the border and how bright it should be.
#[derive(Clone, Copy, Debug)]
struct Mark {
    points: [u32; 3],
    light: f32,
}

/// What the border says about a frame.
#[derive(Clone, Copy, Debug)]
struct Light {
    /// Its light against that of the calibration.
    gain: f32,
    /// Whether nearly all of the border is to be seen.
    whole: bool,
}

/// The tables of one calibration.
#[derive(Clone, Debug)]
pub struct Stack {
    cols: usize,
    cells: Vec<Place>,
    beside: Vec<Place>,
    /// The left and right mark of each row from the top, then those of the columns.
    marks: Vec<Mark>,
    rows: usize,
    empty: Rgb,
    limit: f32,
    /// Unit vectors from empty to the classes from 1 on, and their lengths; no vectors where the
    /// kinds look alike.
    kinds: Vec<(Rgb, f32)>,
    /// The length of the dimmest class.
    least: f32,
    /// Whether the border is as bright as can be even in good light.
    white: bool,
    /// Where the picture itself has said what empty looks like, cells are told by that.
    well: Option<WellCells>,
}

#[inline]
fn minus(a: Rgb, b: Rgb) -> Rgb {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline]
fn dot(a: Rgb, b: Rgb) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
fn luma(pixel: u32) -> f32 {
    let [r, g, b] = channels(pixel).map(f32::from);
    0.3 * r + 0.59 * g + 0.11 * b
}

impl Stack {
    /// Makes the tables.
    ///
    /// # Errors
    /// When the board reaches outside the picture or there are too few classes.
    pub fn new(calibration: &Calibration) -> Result<Self, ReadError> {
        let c = calibration;
        let (empty, filled) = match c.classes.as_slice() {
            // Colours that nobody has named follow the fixed classes.
            [empty, filled @ ..] if !filled.is_empty() => {
                (empty.rgb, &filled[..filled.len().min(FIXED)])
            }
            _ => return Err(ReadError::Empty),
        };
        let (w, h) = (f64::from(c.size.cols), f64::from(c.size.rows));
        let factor = |p: Point| {
            let u = (p.x / w * 2.0 - 1.0).clamp(-1.1, 1.1) as f32;
            let v = (p.y / h * 2.0 - 1.0).clamp(-1.1, 1.1) as f32;
            // Beyond the board the light is only guessed: no further than a little.
            c.gain.factor(u, v)
        };
        let place = |middle: Point, side: f64| -> Option<Place> {
            let mut points = [0; N];
            for (i, p) in points.iter_mut().enumerate() {
                let (dx, dy) = (POINTS[i % 4] * side, POINTS[i / 4] * side);
                let at = Point::new(middle.x + dx, middle.y + dy);
                *p = index(&c.px_from_cell, c.image, at)?;
            }
            Some(Place {
                points,
                unlit: factor(middle).map(|f| 1.0 / f),
            })
        };
        let cells: Option<Vec<Place>> = c.size.cells().map(|x| place(x.centre(), 1.0)).collect();
        let mut beside = Vec::new();
        for grid in &c.beside {
            for cell in grid.size.cells() {
                let m = cell.centre();
                let at = Point::new(grid.at.x + m.x * grid.pitch, grid.at.y + m.y * grid.pitch);
                beside.push(place(at, grid.pitch).ok_or(ReadError::Outside)?);
            }
        }
        let lengths: Vec<f32> = filled
            .iter()
            .map(|k| dot(minus(k.rgb, empty), minus(k.rgb, empty)).sqrt())
            .collect();
        let mut kinds: Vec<(Rgb, f32)> = filled
            .iter()
            .zip(&lengths)
            .map(|(k, &n)| (minus(k.rgb, empty).map(|v| v / n.max(1.0)), n))
            .collect();
        let mut least = lengths.iter().copied().fold(f32::MAX, f32::min);
        if kinds[1..].iter().all(|k| dot(k.0, kinds[0].0) > 0.995) {
            kinds.clear();
            // One class for colours of all sorts: some are darker than their mean.
            if filled.iter().all(|k| k.rgb == filled[0].rgb) {
                least -= filled[0].spread;
            }
        }
        let least = least.max(1.0);
        let marks = c.border.map_or(Some(Vec::new()), |b| {
            let light = |p: Point| {
                let f = factor(p);
                0.3 * b.rgb[0] * f[0] + 0.59 * b.rgb[1] * f[1] + 0.11 * b.rgb[2] * f[2]
            };
            let mark = |x: f64, y: f64, (dx, dy): (f64, f64)| -> Option<Mark> {
                let mut points = [0; 3];
                for (p, t) in points.iter_mut().zip([-0.25, 0.0, 0.25]) {
                    let at = Point::new(x + t * dx, y + t * dy);
                    *p = index(&c.px_from_cell, c.image, at)?;
                }
                Some(Mark {
                    points,
                    light: light(Point::new(x, y)).max(1.0),
                })
            };
            let mut marks = Vec::new();
            for row in 0..c.size.rows {
                let y = f64::from(row) + 0.5;
                marks.push(mark(-b.out, y, (0.0, 1.0))?);
                marks.push(mark(w + b.out, y, (0.0, 1.0))?);
            }
            for col in 0..c.size.cols {
                let x = f64::from(col) + 0.5;
                marks.push(mark(x, -b.out, (1.0, 0.0))?);
                marks.push(mark(x, h + b.out, (1.0, 0.0))?);
            }
            Some(marks)
        });
        Ok(Self {
            cols: usize::from(c.size.cols),
            rows: usize::from(c.size.rows),
            cells: cells.ok_or(ReadError::Outside)?,
            beside,
            // A border outside the picture tells nothing.
            marks: marks.unwrap_or_default(),
            empty,
            limit: EMPTY_BELOW * least,
            kinds,
            least,
            white: c.border.is_some_and(|b| b.rgb.iter().all(|&v| v > 245.0)),
            well: match c.well {
                Some(well) => Some(WellCells::new(c, well)?),
                None => None,
            },
        })
    }

    /// Reads all cells; both slices have the lengths of the tables.
    pub fn read(&self, px: &[u32], cells: &mut [CellReading], beside: &mut [CellReading]) {
        if let Some(well) = &self.well {
            well.read(px, cells);
            beside.fill(UNKNOWN);
            return;
        }
        let Some(light) = self.light(px) else {
            cells.fill(UNKNOWN);
            beside.fill(UNKNOWN);
            return;
        };
        for (row, (out, places)) in cells
            .chunks_mut(self.cols)
            .zip(self.cells.chunks(self.cols))
            .enumerate()
        {
            match self.row(px, row, light) {
                Some(gain) => {
                    let mut empty = 0;
                    for (o, p) in out.iter_mut().zip(places) {
                        *o = self.tell(px, p, gain);
                        empty += usize::from(o.label == Label::Class(0));
                    }
                    if empty == 0 && self.is_hidden(px, row, places) {
                        out.fill(UNKNOWN);
                    }
                }
                None => out.fill(UNKNOWN),
            }
        }
        for (o, p) in beside.iter_mut().zip(&self.beside) {
            *o = self.tell(px, p, light.gain);
        }
    }

    /// How many cells lie beside the board.
    pub fn beside(&self) -> usize {
        self.beside.len()
    }

    /// Whether a row and its border are of one colour: then something lies over both.
    fn is_hidden(&self, px: &[u32], row: usize, places: &[Place]) -> bool {
        let Some(mark) = self.marks.get(2 * row) else {
            return false;
        };
        let rgb = |i: u32| channels(px[i as usize]).map(f32::from);
        let line = rgb(mark.points[1]);
        let alike = |p: &&Place| {
            let d = minus(rgb(p.points[0]), line);
            dot(d, d) < ALIKE * ALIKE
        };
        places.iter().filter(alike).count() * 5 >= places.len() * 4
    }

    fn ratio(&self, px: &[u32], mark: &Mark) -> f32 {
        let [a, b, c] = mark.points.map(|i| luma(px[i as usize]));
        // The middle one of three.
        a.max(b).min(a.min(b).max(c)) / mark.light
    }

    /// The light of the whole frame against that of the calibration; `None` if the frame is not
    /// what it should be.
    fn light(&self, px: &[u32]) -> Option<Light> {
        if self.marks.is_empty() {
            return Some(Light {
                gain: 1.0,
                whole: true,
            });
        }
        let mut counts = [0u32; 64];
        let (mut clipped, mut sum) = (0, 0);
        for mark in &self.marks {
            let r = self.ratio(px, mark);
            clipped += usize::from(!self.white && r * mark.light > 250.0);
            counts[((r * 16.0) as usize).min(63)] += 1;
        }
        let half = self.marks.len() as u32 / 2;
        let middle = counts.iter().position(|&n| {
            sum += n;
            sum > half
        })?;
        let gain = (middle as f32 + 0.5) / 16.0;
        let good = self
            .marks
            .iter()
            .filter(|m| self.fits(self.ratio(px, m), gain))
            .count();
        let share = good as f32 / self.marks.len() as f32;
        let light = Light {
            gain,
            whole: share >= WHOLE_BORDER,
        };
        let usable = clipped * 2 < self.marks.len() && (GAIN.0..GAIN.1).contains(&gain);
        (share >= LEAST_BORDER && usable).then_some(light)
    }

    fn fits(&self, ratio: f32, gain: f32) -> bool {
        (BORDER.0 * gain..=BORDER.1 * gain).contains(&ratio)
    }

    /// The light of one row; `None` if its border is not to be seen.
    fn row(&self, px: &[u32], row: usize, light: Light) -> Option<f32> {
        if self.marks.is_empty() {
            return Some(1.0);
        }
        let (mut sum, mut n, mut own) = (0.0, 0, 0);
        for r in row.saturating_sub(1)..(row + 2).min(self.rows) {
            for mark in &self.marks[2 * r..2 * r + 2] {
                let ratio = self.ratio(px, mark);
                if self.fits(ratio, light.gain) {
                    sum += ratio;
                    n += 1;
                    own += i32::from(r == row);
                }
            }
        }
        let enough = own == 2 || own == 1 && light.whole;
        enough.then(|| sum / n as f32)
    }

    #[inline]
    fn tell(&self, px: &[u32], place: &Place, gain: f32) -> CellReading {
        let unlit = place.unlit.map(|u| u / gain);
        let limit = self.limit * self.limit;
        let mut filled = 0usize;
        let (mut sum, mut square) = ([0f32; 3], 0f32);
        let mut dark = 0f32;
        for i in place.points {
            let c = channels(px[i as usize]);
            let v = [0, 1, 2].map(|k: usize| f32::from(c[k]) * unlit[k] - self.empty[k]);
            let d = dot(v, v);
            if d > limit {
                filled += 1;
                square += d;
                sum = [sum[0] + v[0], sum[1] + v[1], sum[2] + v[2]];
            } else {
                dark += d;
            }
        }
        if filled <= MOST_OTHERS {
            let off = (dark / (N - filled) as f32).sqrt() / self.limit;
            let whole = 1.0 - filled as f32 / (MOST_OTHERS + 2) as f32;
            return CellReading {
                label: Label::Class(0),
                confidence: (1.2 - off).clamp(0.05, 1.0) * whole,
            };
        }
        if filled + MOST_OTHERS < N {
            return UNKNOWN;
        }
        let n = filled as f32;
        let mean = sum.map(|v| v / n);
        let length = dot(mean, mean).sqrt().max(1.0);
        let spread = (square / n - length * length).max(0.0).sqrt();
        if spread > PLAIN * length + 12.0 {
            return UNKNOWN;
        }
        let whole = (n / N as f32 - 0.5) * 2.0;
        let bright = ((length - self.limit) / (0.5 * self.least)).clamp(0.05, 1.0);
        let other = CellReading {
            label: Label::Class(8),
            confidence: whole * bright,
        };
        if self.kinds.is_empty() {
            return other;
        }
        let (mut best, mut second) = ((-1.0f32, 0usize), -1.0f32);
        for (i, (way, size)) in self.kinds.iter().enumerate() {
            // Half or one and a half times as bright counts as some degrees off.
            let stretch = (length / size).ln();
            let like = dot(mean, *way) / length - 0.02 * stretch * stretch;
            if like > best.0 {
                second = best.0;
                best = (like, i);
            } else if like > second {
                second = like;
            }
        }
        if best.0 < LEAST_ALIKE {
            return UNKNOWN;
        }
        let margin = ((1.0 - second).max(0.0) / (1.0 - best.0).max(1e-4)).sqrt();
        CellReading {
            label: Label::Class((best.1 + 1).min(8) as u8),
            confidence: whole * bright * ((margin - 1.0) / 2.0).clamp(0.05, 1.0),
        }
    }
}
