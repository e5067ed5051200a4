//! From a supposed lattice of holes to a judged calibration: extent, refinement, classes, quality.

use super::super::extent::Span;
use super::super::gain;
use super::super::planes::Planes;
use super::super::refine::product;
use super::evidence::{Evidence, Place};
use super::extent::{HOLE, Sign, extent, usual};
use super::kinds::{Kinds, kinds};
use super::lined;
use super::looks::{alike, looks};
use super::plate::{Plates, described, plate};
use super::rims::{Rims, Shape};
use crate::types::{BoardKind, Calibration, GridSize, Plate, Point, PxFromCell, Veil, Wanted};

/// Cells are looked at in a picture in which they are about this wide: large enough for rims,
/// small enough for noise and moire to fade.
const PITCH: f64 = 26.0;

/// How unusual a board is that the picture does not show upright, in nats.
const TURNED: f32 = 6.0;

/// A picture at some size.
#[derive(Clone, Debug)]
pub struct Level {
    /// The picture.
    pub planes: Planes,
    /// Its noise.
    pub noise: f32,
    /// Px of the whole picture per px of this one.
    pub scale: f64,
}

/// Everything the judging of one picture shares.
pub struct Sight<'a> {
    /// The picture at several sizes, largest first.
    pub levels: &'a [Level],
    /// What is wanted.
    pub wanted: &'a Wanted,
}

impl Sight<'_> {
    /// Judges a lattice seen in some cells.
    #[must_use]
    pub fn board(&self, px_from_cell: &PxFromCell, core: Span) -> Option<Calibration> {
        let pitch = pitch(px_from_cell, core)?;
        let level = self
            .levels
            .iter()
            .rev()
            .find(|l| pitch / l.scale >= PITCH)
            .or(self.levels.first())?;
        let at = scaled(px_from_cell, 1.0 / level.scale);
        let found = self.on(level, &at, core, pitch / level.scale);
        if found
            .as_ref()
            .is_some_and(|c| c.quality >= Calibration::MIN_QUALITY)
        {
            return found;
        }
        // Lines are thin: they are looked for in a larger picture.
        let finer = self.levels.iter().rev();
        let level = { finer }
            .find(|l| pitch / l.scale >= 1.6 * PITCH)
            .or(self.levels.first())?;
        let at = scaled(px_from_cell, 1.0 / level.scale);
        let lined = self.squares(level, &at, core);
        let quality = |c: &Option<Calibration>| c.as_ref().map_or(-1.0, |c| c.quality);
        if quality(&lined) > quality(&found) {
            lined
        } else {
            found
        }
    }

    /// Judges a lattice (in px of the level) as squares between lines.
    #[must_use]
    pub fn squares(&self, level: &Level, at: &PxFromCell, core: Span) -> Option<Calibration> {
        let l = lined::board(level, at, core, self.wanted)?;
        self.calibration(level, &l.at, l.size, l.kinds, l.plate, (l.quality, 0.0))
    }

    fn on(&self, level: &Level, at: &PxFromCell, core: Span, pitch: f64) -> Option<Calibration> {
        let planes = &level.planes;
        let least = 5.0 + 2.2 * level.noise;
        let mut at = *at;
        let mut span = limited(core);
        let mut shape = None;
        let mut rims = Rims::seen(planes, &at, span, least, pitch);
        for round in 0..5 {
            let seen = rims.shape(span)?;
            if round == 0 && !rims.promise(span, &seen) {
                return None;
            }
            let free = rims.span.size().len() >= 16;
            let (better, settled, _) = rims.settled(&at, span, &seen, 0.12, free)?;
            let (better, settled) = match rims.settled(&better, span, &settled, 0.12, free) {
                Some((_, s, _)) => (better, s),
                None => (better, settled),
            };
            at = better;
            let wide = limited(grown(span, 2));
            rims = Rims::seen(planes, &at, wide, least, pitch);
            let now = bounds(&rims, &settled).unwrap_or(span);
            let same = now == span;
            span = now;
            shape = Some(settled);
            if same && round > 0 {
                break;
            }
        }
        let shape = rims.shape(span).or(shape)?;
        let plates = Plates::seen(planes, &at, rims.span, level.noise, &|c| {
            rims.rim(c, &shape) >= HOLE
        });
        let sign = |x: i32, y: i32| {
            let middle = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
            planes.contains(at.map(middle)).then(|| Sign {
                rim: rims.rim((x, y), &shape),
                on_plate: plates.joined((x, y)),
            })
        };
        let board = extent(rims.span, self.wanted, &sign)?;
        let at = shifted(&at, board);
        let (at, size, shape) = self.upright(level, at, board.size(), shape)?;
        self.known(level, &at, size, shape, pitch)
    }

    /// The board with its upper edge above: as the picture has it, unless discs would float there
    /// and lie on each other when it is turned.
    fn upright(
        &self,
        level: &Level,
        at: PxFromCell,
        size: GridSize,
        shape: Shape,
    ) -> Option<(PxFromCell, GridSize, Shape)> {
        let mut best: Option<(f32, (PxFromCell, GridSize, Shape))> = None;
        for turns in 0..4 {
            let (turned, size) = turned(&at, size, turns);
            let shape = if turns % 2 == 0 {
                shape
            } else {
                shape.turned()
            };
            let fits = self.wanted.size.is_none_or(|s| s == size);
            let looks = looks(&level.planes, &turned, size, &shape, level.noise);
            let seen: Vec<bool> = looks.iter().map(|l| l.whole).collect();
            let Some(kinds) = kinds(size, &looks, &seen, level.noise) else {
                continue;
            };
            let turning = if turns > 0 { TURNED } else { 0.0 };
            let cost = kinds.cost + turning - 2.5 * usual(size) + if fits { 0.0 } else { 1e3 };
            if best.as_ref().is_none_or(|(b, _)| cost < *b) {
                best = Some((cost, (turned, size, shape)));
            }
            if turns == 0 && fits && kinds.floating == 0 && !kinds.open {
                break;
            }
        }
        best.map(|(_, board)| board)
    }

    /// Judges a board of known size near a known place (px of the level).
    fn known(
        &self,
        level: &Level,
        at: &PxFromCell,
        size: GridSize,
        shape: Shape,
        pitch: f64,
    ) -> Option<Calibration> {
        let planes = &level.planes;
        let least = 5.0 + 2.2 * level.noise;
        let whole = Span::of(size);
        let (mut at, mut shape, mut off) = (*at, shape, 0.0);
        let mut rims = Rims::seen(planes, &at, whole, least, pitch);
        for slack in [0.1, 0.06, 0.06] {
            (at, shape, off) = rims.settled(&at, whole, &shape, slack, true)?;
            rims = Rims::seen(planes, &at, whole, least, pitch);
        }
        let looks = looks(planes, &at, size, &shape, level.noise);
        let plates = Plates::seen(planes, &at, whole, level.noise, &|c| {
            rims.rim(c, &shape) >= HOLE
        });
        let cells: Vec<(i32, i32)> = size
            .cells()
            .map(|c| (i32::from(c.col), i32::from(c.row)))
            .collect();
        let rim: Vec<f32> = cells.iter().map(|&c| rims.rim(c, &shape)).collect();
        let bare: Vec<bool> = { cells.iter().zip(&rim) }
            .map(|(&c, &rim)| plates.bare(c, rim))
            .collect();
        let (tone, light) = plate(size, &looks, &bare, level.noise);
        let even = looks.iter().enumerate().filter(|(i, l)| {
            let c = gain::removed(&light, gain::place(size, *i), l.plate);
            bare[*i] && alike(level.noise, c, tone)
        });
        let even = even.count() as f32 / bare.iter().filter(|&&p| p).count().max(1) as f32;
        let seen: Vec<bool> = { looks.iter().zip(&bare) }
            .map(|(l, bare)| l.whole && *bare)
            .collect();
        let kinds = kinds(size, &looks, &seen, level.noise)?;
        let place = Place {
            level,
            at: &at,
            size,
            shape: &shape,
            pitch,
            clear: rims.clear(whole, &shape),
        };
        let evidence = Evidence {
            square: rims.squareness(whole, &shape),
            off,
            even,
            ..place.evidence(&rim, &bare, &looks, &kinds)
        };
        let fits =
            place.fits(self.wanted) && kinds.classes.len() <= usize::from(self.wanted.classes.1);
        let quality = if fits { evidence.quality() } else { 0.0 };
        tracing::debug!(%size, quality, ?evidence, ?shape, floating = kinds.floating,
            discs = kinds.discs, apart = kinds.apart, classes = ?kinds.classes, "judged");
        // The reader knows one light, that in the holes.
        let plate = described(size, &looks, &bare, &kinds, level.noise, shape);
        let residual = off * pitch as f32 * level.scale as f32;
        self.calibration(level, &at, size, kinds, plate, (quality, residual))
    }

    /// What was found in a level, for the whole picture.
    fn calibration(
        &self,
        level: &Level,
        at: &PxFromCell,
        size: GridSize,
        kinds: Kinds,
        plate: Plate,
        (quality, residual): (f32, f32),
    ) -> Option<Calibration> {
        let whole = &self.levels.first()?.planes;
        Some(Calibration {
            kind: BoardKind::Holes,
            size,
            image: (whole.width as u32, whole.height as u32),
            px_from_cell: scaled(at, level.scale),
            classes: kinds.classes,
            beside: Vec::new(),
            border: None,
            well: None,
            plate: Some(plate),
            stones: None,
            gain: kinds.gain,
            veil: Veil::default(),
            quality,
            residual,
        })
    }
}

/// A board turned by quarters to the left: its transform and its size.
fn turned(at: &PxFromCell, size: GridSize, quarters: usize) -> (PxFromCell, GridSize) {
    let (w, h) = (f64::from(size.cols), f64::from(size.rows));
    let sideways = GridSize::new(size.rows, size.cols);
    let (m, size) = match quarters {
        0 => return (*at, size),
        1 => ([0.0, 1.0, 0.0, -1.0, 0.0, h, 0.0, 0.0, 1.0], sideways),
        2 => ([-1.0, 0.0, w, 0.0, -1.0, h, 0.0, 0.0, 1.0], size),
        _ => ([0.0, -1.0, w, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0], sideways),
    };
    (PxFromCell(product(&at.0, &m)), size)
}

/// The cells with a rim lie in here.
fn bounds(rims: &Rims, shape: &Shape) -> Option<Span> {
    let mut out: Option<Span> = None;
    let s = rims.span;
    for y in s.y0..s.y1 {
        for x in s.x0..s.x1 {
            if rims.rim((x, y), shape) < HOLE {
                continue;
            }
            let o = out.get_or_insert(Span {
                x0: x,
                y0: y,
                x1: x + 1,
                y1: y + 1,
            });
            o.x0 = o.x0.min(x);
            o.y0 = o.y0.min(y);
            o.x1 = o.x1.max(x + 1);
            o.y1 = o.y1.max(y + 1);
        }
    }
    out
}

/// A span with `by` more cells on each side.
#[must_use]
pub fn grown(s: Span, by: i32) -> Span {
    Span {
        x0: s.x0 - by,
        y0: s.y0 - by,
        x1: s.x1 + by,
        y1: s.y1 + by,
    }
}

/// No more cells than a board and its surroundings may have.
fn limited(s: Span) -> Span {
    const MOST: i32 = 18;
    let cut = |a: i32, b: i32| {
        let over = (b - a - MOST).max(0);
        (a + over / 2, b - (over - over / 2))
    };
    let (x0, x1) = cut(s.x0, s.x1);
    let (y0, y1) = cut(s.y0, s.y1);
    Span { x0, y0, x1, y1 }
}

/// The transform with its origin moved to the corner of a span.
#[must_use]
pub fn shifted(at: &PxFromCell, span: Span) -> PxFromCell {
    let (x, y) = (f64::from(span.x0), f64::from(span.y0));
    PxFromCell(product(&at.0, &[1.0, 0.0, x, 0.0, 1.0, y, 0.0, 0.0, 1.0]))
}

/// The transform to a picture `by` times as large.
pub fn scaled(at: &PxFromCell, by: f64) -> PxFromCell {
    super::super::finder::enlarged(at, by)
}

/// Px from cell to cell in the middle of a span, the smaller of both ways.
pub fn pitch(at: &PxFromCell, span: Span) -> Option<f64> {
    let x = f64::from(span.x0 + span.x1) / 2.0;
    let y = f64::from(span.y0 + span.y1) / 2.0;
    let side = |dx: f64, dy: f64| {
        at.map(Point::new(x - dx, y - dy))
            .distance(at.map(Point::new(x + dx, y + dy)))
    };
    let least = side(0.5, 0.0).min(side(0.0, 0.5));
    (least.is_finite() && least > 3.0).then_some(least)
}
