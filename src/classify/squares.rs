//! Reading boards of squares between drawn lines: nothing, an X, an O, or a disc of some colour.
//!
//! Tables are made once per calibration. Shapes are told by the same rules with which they were
//! learnt; what has none of the known shapes is Unknown.

use super::colours::square;
use super::reader::{ReadError, index};
use crate::types::picture::channels;
use crate::types::sketch::{self, MIDDLE, RAYS, STEPS, Shape, Sketch};
use crate::types::{Calibration, CellReading, ClassId, Label, Point};

/// Light against that of the calibration within which the sides of a square show its ground.
const SHADE: (f32, f32) = (0.5, 1.8);

/// X and O are told apart by colour if theirs differ by this much.
const INKS_APART: f32 = 80.0;

/// Edges looked at by [`Squares::fit`] at most.
const EDGES: usize = 400;

const UNKNOWN: CellReading = CellReading {
    label: Label::Unknown,
    confidence: 0.0,
};

type Rgb = [f32; 3];

/// One square: where its samples are, and what removes the light there.
#[derive(Clone, Debug)]
struct Place {
    middle: [u32; MIDDLE],
    rays: [[u32; STEPS]; RAYS],
    unlit: Rgb,
}

/// The tables of one calibration.
#[derive(Clone, Debug)]
pub struct Squares {
    places: Vec<Place>,
    edges: Vec<[u32; 5]>,
    ground: Rgb,
    cross: Option<ClassId>,
    ring: Option<ClassId>,
    discs: Vec<(ClassId, Rgb, f32)>,
    /// Colours of all classes.
    full: Vec<Rgb>,
    /// Colours of X and O, if they are well apart.
    inks: Option<[Rgb; 2]>,
    apart: f32,
}

impl Squares {
    /// Makes the tables.
    pub(super) fn new(calibration: &Calibration) -> Result<Self, ReadError> {
        let size = calibration.size;
        let empty = calibration.classes.first().ok_or(ReadError::Empty)?;
        let (t, image) = (&calibration.px_from_cell, calibration.image);
        let at = |p: Point| index(t, image, p).ok_or(ReadError::Outside);
        let mut places = Vec::with_capacity(size.len());
        for cell in size.cells() {
            let c = cell.centre();
            let on = |(dx, dy): (f64, f64)| at(Point::new(c.x + dx, c.y + dy));
            let mut place = Place {
                middle: [0; MIDDLE],
                rays: [[0; STEPS]; RAYS],
                unlit: [1.0; 3],
            };
            for (i, m) in place.middle.iter_mut().enumerate() {
                *m = on(sketch::middle_offset(i))?;
            }
            let side = |dx: f64, dy: f64| {
                let (a, b) = (
                    Point::new(c.x - dx, c.y - dy),
                    Point::new(c.x + dx, c.y + dy),
                );
                t.map(a).distance(t.map(b))
            };
            let pitch = side(0.5, 0.0).min(side(0.0, 0.5));
            for (r, ray) in place.rays.iter_mut().enumerate() {
                for (k, sample) in ray.iter_mut().enumerate() {
                    *sample = on(sketch::ray_offset(r, k, pitch))?;
                }
            }
            let u = c.x as f32 / f32::from(size.cols) * 2.0 - 1.0;
            let v = c.y as f32 / f32::from(size.rows) * 2.0 - 1.0;
            place.unlit = calibration.gain.factor(u, v).map(|f| 1.0 / f);
            places.push(place);
        }
        let class = |letter: char| {
            let at = calibration.classes.iter().position(|c| c.letter == letter);
            at.and_then(|i| ClassId::try_from(i).ok())
        };
        let (cross, ring) = (class('X'), class('O'));
        let brightest = |c: Rgb| c.into_iter().fold(0.0, f32::max);
        let level = brightest(empty.rgb);
        let discs = calibration.classes.iter().enumerate().skip(1);
        let discs = discs.filter_map(|(i, c)| {
            let id = ClassId::try_from(i).ok()?;
            let reach = 16.0 + 0.2 * level.max(brightest(c.rgb));
            (Some(id) != cross && Some(id) != ring).then_some((id, c.rgb, reach))
        });
        let ink = |id: Option<ClassId>| Some(calibration.classes.get(usize::from(id?))?.rgb);
        let inks = ink(cross).zip(ink(ring)).map(|(x, o)| [x, o]);
        Ok(Self {
            places,
            edges: edges(calibration)?,
            ground: empty.rgb,
            cross,
            ring,
            discs: discs.collect(),
            full: calibration.classes.iter().map(|c| c.rgb).collect(),
            inks: inks.filter(|[x, o]| distance(*x, *o) > INKS_APART),
            apart: 14.0 + 0.07 * level,
        })
    }

    /// Reads all squares.
    pub(super) fn read(&self, px: &[u32], into: &mut [CellReading]) {
        for (place, out) in self.places.iter().zip(into) {
            *out = self.tell(px, place);
        }
    }

    fn tell(&self, px: &[u32], place: &Place) -> CellReading {
        let first = px[place.middle[0] as usize];
        let plain = |k: &u32| px[*k as usize] == first;
        let seen = |k: u32| {
            let rgb = channels(px[k as usize]).map(f32::from);
            [0, 1, 2].map(|c| rgb[c] * place.unlit[c])
        };
        // Most squares of a drawn board are of one colour.
        if place.middle.iter().all(plain) && place.rays.iter().flatten().all(plain) {
            let off = distance(seen(place.middle[0]), self.ground);
            if off < self.apart {
                return CellReading {
                    label: Label::Class(0),
                    confidence: 1.0 - 0.5 * off / self.apart,
                };
            }
        }
        let sketch = Sketch {
            middle: place.middle.map(seen),
            rays: place.rays.map(|ray| ray.map(seen)),
        };
        let ground = self.ground_of(&sketch);
        let told = |class: Option<ClassId>, on: Rgb, confidence: f32| match class {
            // What fades in counts from half of its strength on.
            Some(id) if self.is_faint(&sketch, on, id) => CellReading {
                label: Label::Class(0),
                confidence: 0.3,
            },
            Some(id) => CellReading {
                label: Label::Class(id),
                confidence,
            },
            None => UNKNOWN,
        };
        match sketch.shape(ground, self.apart) {
            None => {
                let off = distance(sketch.sides(), ground);
                let confidence = 1.0 - (0.5 * off / self.apart).min(0.9);
                return CellReading {
                    label: Label::Class(0),
                    confidence,
                };
            }
            Some(Shape::Cross) => return told(self.cross, ground, 0.9),
            Some(Shape::Ring) => return told(self.ring, ground, 0.9),
            Some(Shape::Other) => {}
        }
        let body = sketch.body(ground, self.apart);
        if let Some(disc) = self.disc(body).or_else(|| self.fading(&sketch, body)) {
            return disc;
        }
        if distance(sketch.sides(), ground) > self.apart {
            let like = sketch.sides_like(ground, self.apart);
            for own in [Some(sketch.sides()), like].into_iter().flatten() {
                // What is drawn on a lit square is not the ground showing through.
                let ink = sketch.ink(own, self.apart);
                if distance(own, ground) < self.apart || distance(ink, ground) < self.apart {
                    continue;
                }
                match sketch.plain_shape(own, self.apart) {
                    Some(Shape::Cross) => return told(self.cross, own, 0.7),
                    Some(Shape::Ring) => return told(self.ring, own, 0.7),
                    _ => {}
                }
            }
        } else if let Some(class) = self.by_ink(&sketch, ground) {
            return told(Some(class), ground, 0.6);
        }
        UNKNOWN
    }

    /// Whether strokes have less than half of the ink that their class has.
    fn is_faint(&self, sketch: &Sketch, on: Rgb, class: ClassId) -> bool {
        let Some(full) = self.full.get(usize::from(class)) else {
            return false;
        };
        let ink = sketch.ink(on, self.apart);
        let (mut dot, mut whole) = (0.0, 1e-3);
        for c in 0..3 {
            let step = full[c] - on[c];
            dot += (ink[c] - on[c]) * step;
            whole += step * step;
        }
        dot < 0.5 * whole
    }

    /// X or O by the colour of strokes: shapes that hands draw may be neither.
    fn by_ink(&self, sketch: &Sketch, ground: Rgb) -> Option<ClassId> {
        let [cross, ring] = self.inks?;
        let ink = sketch.ink(ground, self.apart);
        let (x, o) = (distance(ink, cross), distance(ink, ring));
        let class = if x < o { self.cross } else { self.ring };
        // Faint ink lies on the way from the ground.
        class.filter(|_| x.min(o) < 0.35 * x.max(o) || self.is_hint(ink, ground))
    }

    /// Whether ink is a faint mixture of the ground and some mark.
    fn is_hint(&self, ink: Rgb, ground: Rgb) -> bool {
        let whole = |full: &Rgb| distance(*full, ground);
        let least = self.full.iter().skip(1).map(whole).fold(f32::MAX, f32::min);
        distance(ink, ground) < 0.4 * least
    }

    /// The ground in a square: where only lines are drawn in squares, the ways to its sides tell
    /// the light of the moment.
    fn ground_of(&self, sketch: &Sketch) -> Rgb {
        if !self.discs.is_empty() {
            return self.ground;
        }
        let Some(own) = sketch.sides_like(self.ground, self.apart) else {
            return self.ground;
        };
        let ratio = [0, 1, 2].map(|c| (own[c] + 6.0) / (self.ground[c] + 6.0));
        let mean = (ratio[0] + ratio[1] + ratio[2]) / 3.0;
        let tinted = ratio.iter().map(|r| (r - mean).abs()).fold(0.0, f32::max);
        if mean > SHADE.0 && mean < SHADE.1 && tinted < 0.15 * mean {
            own
        } else {
            self.ground
        }
    }

    /// A disc that fades in or out: empty up to half of its strength. Greys may be anything.
    fn fading(&self, sketch: &Sketch, body: Rgb) -> Option<CellReading> {
        let spread = |c: Rgb| {
            let (lo, hi) = (c[0].min(c[1]).min(c[2]), c[0].max(c[1]).max(c[2]));
            hi - lo
        };
        if !sketch.is_filled(self.ground, self.apart) {
            return None;
        }
        self.discs.iter().find_map(|&(id, full, _)| {
            let (mut dot, mut whole) = (0.0, 1e-3);
            for c in 0..3 {
                dot += (body[c] - self.ground[c]) * (full[c] - self.ground[c]);
                whole += (full[c] - self.ground[c]).powi(2);
            }
            let part = dot / whole;
            let on = [0, 1, 2].map(|c| self.ground[c] + part * (full[c] - self.ground[c]));
            let coloured = spread([0, 1, 2].map(|c| body[c] - self.ground[c])) > 30.0;
            (coloured && part > 0.0 && part < 1.0 && distance(body, on) < 0.1 * whole.sqrt())
                .then_some(CellReading {
                    label: Label::Class(if part < 0.5 { 0 } else { id }),
                    confidence: 0.3,
                })
        })
    }

    fn disc(&self, body: Rgb) -> Option<CellReading> {
        let mut best: Option<(f32, ClassId, f32)> = None;
        let mut second = distance(body, self.ground);
        for &(id, rgb, reach) in &self.discs {
            let d = distance(body, rgb);
            match best {
                Some((near, ..)) if d >= near => second = second.min(d),
                _ => {
                    second = second.min(best.map_or(f32::INFINITY, |b| b.0));
                    best = Some((d, id, reach));
                }
            }
        }
        let (near, id, reach) = best?;
        (near < reach && near < second).then(|| CellReading {
            label: Label::Class(id),
            confidence: 1.0 - near / second.max(1.0),
        })
    }

    /// The share of the edges between plain squares that show their line.
    pub(super) fn fit(&self, px: &[u32]) -> Option<f32> {
        let (mut good, mut all) = (0u32, 0u32);
        for edge in &self.edges {
            let c = edge.map(|k| channels(px[k as usize]).map(f32::from));
            let sides = distance(c[0], c[4]);
            if sides > self.apart {
                continue;
            }
            all += 1;
            let off = c[1..4]
                .iter()
                .map(|&p| distance(p, c[0]))
                .fold(0.0, f32::max);
            good += u32::from(off > 6.0 + 2.0 * sides);
        }
        (all >= 8).then(|| good as f32 / all as f32)
    }
}

/// Pixels across the lines between neighbouring squares, thinned evenly.
fn edges(calibration: &Calibration) -> Result<Vec<[u32; 5]>, ReadError> {
    let size = calibration.size;
    let t = &calibration.px_from_cell;
    let every = (2 * size.len()).div_ceil(EDGES).max(1);
    let mut out = Vec::new();
    for (n, cell) in size.cells().enumerate() {
        let c = cell.centre();
        for (down, last) in [
            (true, cell.col + 1 >= size.cols),
            (false, cell.row + 1 >= size.rows),
        ] {
            if last || (2 * n + usize::from(down)) % every != 0 {
                continue;
            }
            // Off the middle, which marks may reach.
            let (m, o) = if down {
                (
                    Point::new(c.x + 0.5, c.y + 0.2),
                    Point::new(c.x + 1.5, c.y + 0.2),
                )
            } else {
                (
                    Point::new(c.x + 0.2, c.y + 0.5),
                    Point::new(c.x + 0.2, c.y + 1.5),
                )
            };
            let pitch = t.map(m).distance(t.map(o)).max(1.0);
            let near = (1.0 / pitch).max(0.02);
            let mut edge = [0; 5];
            for (e, d) in edge.iter_mut().zip([-0.15, -near, 0.0, near, 0.15]) {
                let p = if down {
                    Point::new(m.x + d, m.y)
                } else {
                    Point::new(m.x, m.y + d)
                };
                *e = index(t, calibration.image, p).ok_or(ReadError::Outside)?;
            }
            out.push(edge);
        }
    }
    Ok(out)
}

#[inline]
fn distance(a: Rgb, b: Rgb) -> f32 {
    square(a, b).sqrt()
}
