//! From a supposed lattice of holes to a judged calibration: extent, refinement, classes, quality.

use super::super::extent::Span;
use super::super::gain;
use super::DRAWN;
use super::bounds::bounds;
use super::evidence::{Evidence, Place, SURE};
use super::extent::{HOLE, Sign, extent, usual};
use super::glare::{glared, kinds_beside_glare};
use super::kinds::{Kinds, kinds};
use super::level::{Budget, Level, spent};
use super::lined;
use super::looks::{HoleLook, alike, looks};
use super::plate::{Plates, described, plate};
use super::rims::{Rims, Shape};
use super::spans::{central, grown, limited, pitch, scaled, shifted};
use super::turn::{before, denser, turned};
use crate::types::{BoardKind, Calibration, GridSize, Plate, Point, PxFromCell, Veil, Wanted};

/// Cells are looked at in a picture in which they are about this wide: large enough for rims,
/// small enough for noise and moire to fade.
const PITCH: f64 = 26.0;

/// How unusual a board is that the picture does not show upright, in nats.
const TURNED: f32 = 6.0;

/// Lines of holes beside the largest board: discs that wait above it, numbers.
const BESIDE: i32 = 2;

/// A lattice with what was made of it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The board that it would be.
    pub calibration: Calibration,
    /// Mean share of a rim of its holes.
    pub rims: f32,
    /// How many of its cells are holes.
    pub holes: usize,
    /// Where between its cells there are more holes: in the middle of four, of two beside each
    /// other, of two above each other. Shares of such places.
    pub between: [f32; 3],
}

impl Judged {
    /// Whether the holes are certainly there, whatever they are: a lattice that fits them less
    /// is a mistake.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let most = self.holes * 5 >= self.calibration.size.len() * 3;
        self.rims >= 0.93 && self.holes >= 16 && most
    }
}

/// Everything the judging of one picture shares.
pub struct Sight<'a> {
    /// The picture at several sizes, largest first.
    pub levels: &'a [Level],
    /// What is wanted.
    pub wanted: &'a Wanted,
    /// What may still be spent on the picture.
    pub budget: Budget,
}

impl Sight<'_> {
    /// Judges a lattice seen in some cells.
    #[must_use]
    pub fn board(&self, px_from_cell: &PxFromCell, core: Span) -> Option<Judged> {
        let pitch = pitch(px_from_cell, core)?;
        let level = self.fitting(pitch, PITCH)?;
        let at = scaled(px_from_cell, 1.0 / level.scale);
        let mut found = self.on(level, &at, core, pitch / level.scale);
        if let Some(all) = found.as_ref().and_then(denser)
            && let Some(better) = self.whole(&all.0, all.1)
            && found
                .as_ref()
                .is_none_or(|f| better.calibration.quality > f.calibration.quality)
        {
            found = Some(better);
        }
        let is_good =
            |j: &Judged| j.calibration.quality >= Calibration::MIN_QUALITY || j.is_plain();
        if found.as_ref().is_some_and(is_good) {
            return found;
        }
        // Lines are thin: they are looked for in a larger picture.
        let level = self.fitting(pitch, 1.6 * PITCH)?;
        let at = scaled(px_from_cell, 1.0 / level.scale);
        let lined = self.squares(level, &at, core);
        let quality = |c: &Option<Judged>| c.as_ref().map_or(-1.0, |c| c.calibration.quality);
        if quality(&lined) > quality(&found) {
            lined
        } else {
            found
        }
    }

    /// Whether the picture is drawn and not filmed.
    fn is_drawn(&self) -> bool {
        self.levels.first().is_some_and(|l| l.noise < DRAWN)
    }

    /// Whether a span is larger than any board with what may lie beside it.
    pub fn is_larger(&self, s: Span) -> bool {
        let by = |n: i32, most: u16| n > i32::from(most) + BESIDE;
        let most = self.wanted.max;
        by(s.x1 - s.x0, most.cols) && by(s.y1 - s.y0, most.rows)
    }

    /// Judges a lattice as holes, without looking for a better one.
    fn whole(&self, px_from_cell: &PxFromCell, core: Span) -> Option<Judged> {
        let pitch = pitch(px_from_cell, core)?;
        let level = self.fitting(pitch, PITCH)?;
        let at = scaled(px_from_cell, 1.0 / level.scale);
        self.on(level, &at, core, pitch / level.scale)
    }

    /// The smallest picture in which cells are at least so wide.
    fn fitting(&self, pitch: f64, least: f64) -> Option<&Level> {
        let smallest_first = self.levels.iter().rev();
        { smallest_first }
            .find(|l| pitch / l.scale >= least)
            .or(self.levels.first())
    }

    /// Judges a lattice (in px of the level) as squares between lines.
    #[must_use]
    pub fn squares(&self, level: &Level, at: &PxFromCell, core: Span) -> Option<Judged> {
        let l = lined::board(level, at, core, self.wanted, &self.budget)?;
        let found = self.calibration(level, &l.at, l.size, l.kinds, l.plate, (l.quality, 0.0));
        Some(Judged {
            calibration: found?,
            rims: 0.0,
            holes: 0,
            between: [0.0; 3],
        })
    }

    fn on(&self, level: &Level, at: &PxFromCell, core: Span, pitch: f64) -> Option<Judged> {
        let fine = level.fine();
        let least = 5.0 + 2.2 * level.noise;
        let mut at = *at;
        let mut span = limited(core);
        let mut shape = None;
        // A part of it shows whether there are rims at all.
        let part = central(span);
        let rims = Rims::seen(fine, &at, part, least, pitch);
        let first = rims.shape(part)?;
        if !rims.promise(part, &first) {
            return None;
        }
        let mut rims = if part == span {
            rims
        } else {
            Rims::seen(fine, &at, span, least, pitch)
        };
        for round in 0..5 {
            let seen = rims.shape(span)?;
            let free = rims.span.size().len() >= 16;
            let (better, settled, _) = rims.settled(&at, span, &seen, 0.12, free)?;
            let (better, settled) = match rims.settled(&better, span, &settled, 0.12, free) {
                Some((_, s, _)) => (better, s),
                None => (better, settled),
            };
            at = better;
            if round == 0 {
                // What is no lattice of rims is dropped before its surroundings are looked at.
                rims = Rims::seen(fine, &at, span, least, pitch);
                let round = rims.squareness(span, &settled).abs() < 0.06;
                if !round || rims.share(span, &settled) < 0.35 || spent(&self.budget.holes) {
                    return None;
                }
            }
            let wide = limited(grown(span, if round == 0 { 2 } else { 1 }));
            rims = Rims::seen(fine, &at, wide, least, pitch);
            let now = bounds(&rims, &settled, span).unwrap_or(span);
            if self.is_larger(now) && rims.share(now, &settled) > 0.5 {
                return None;
            }
            let same = now == span;
            span = now;
            shape = Some(settled);
            if same && round > 0 {
                break;
            }
        }
        let shape = rims.shape(span).or(shape)?;
        // Parts of rims are met around the board, too, and there is no plate.
        let inside = |(x, y)| x >= span.x0 && x < span.x1 && y >= span.y0 && y < span.y1;
        let plates = Plates::seen(fine, &at, rims.span, level.noise, &|c| {
            inside(c) && rims.rim(c, &shape) >= HOLE
        });
        let sign = |x: i32, y: i32| {
            let middle = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
            fine.contains(at.map(middle)).then(|| Sign {
                rim: rims.rim((x, y), &shape),
                on_plate: plates.joined((x, y)),
            })
        };
        let board = extent(rims.span, self.wanted, &sign)?;
        let cells = (board.y0..board.y1).flat_map(|y| (board.x0..board.x1).map(move |x| (x, y)));
        let rim: Vec<(f32, bool)> = cells
            .map(|c| (rims.rim(c, &shape), plates.bare(c, rims.rim(c, &shape))))
            .collect();
        let holes = rim.iter().filter(|(r, bare)| *bare && *r >= HOLE);
        let (n, sum) = holes.fold((0, 0.0), |(n, sum), (r, _)| (n + 1, sum + r));
        // What could come to nothing any more is not learnt from.
        let least = if self.is_drawn() { 0.72 } else { 0.62 };
        if n * 3 < rim.len() || sum < least * n as f32 {
            return None;
        }
        let at = shifted(&at, board);
        let (at, size, shape) = self.upright(level, at, board.size(), shape, &rim)?;
        self.known(level, &at, size, shape, pitch, false)
    }

    /// The board with its upper edge above: as the picture has it, unless discs would float there
    /// and lie on each other when it is turned. `rim` is what each cell has of a rim, and whether
    /// nothing lies over it.
    fn upright(
        &self,
        level: &Level,
        at: PxFromCell,
        size: GridSize,
        shape: Shape,
        rim: &[(f32, bool)],
    ) -> Option<(PxFromCell, GridSize, Shape)> {
        let seen = looks(level.fine(), &at, size, &shape, level.noise);
        let trusted = trusted(&seen, rim, level.noise);
        let mut best: Option<(f32, (PxFromCell, GridSize, Shape))> = None;
        for turns in 0..4 {
            let (turned_at, turned_size) = turned(&at, size, turns);
            let shape = if turns % 2 == 0 {
                shape
            } else {
                shape.turned()
            };
            let size_fits = self.wanted.size.is_none_or(|s| s == turned_size);
            let from: Vec<usize> = turned_size
                .cells()
                .map(|c| before(size, turns, (c.col.into(), c.row.into())))
                .collect();
            let looks: Vec<HoleLook> = from.iter().map(|&i| seen[i]).collect();
            let seen: Vec<bool> = from.iter().map(|&i| trusted[i]).collect();
            let Some(kinds) = kinds(turned_size, &looks, &seen, level.noise) else {
                continue;
            };
            let turning = if turns > 0 { TURNED } else { 0.0 };
            let unfit = if size_fits { 0.0 } else { 1e3 };
            let cost = kinds.cost + turning - 2.5 * usual(turned_size) + unfit;
            if best.as_ref().is_none_or(|(b, _)| cost < *b) {
                best = Some((cost, (turned_at, turned_size, shape)));
            }
            if turns == 0 && size_fits && kinds.floating == 0 && !kinds.open {
                break;
            }
        }
        best.map(|(_, board)| board)
    }

    /// The board with a line more on each side beyond which its holes go on: the further out, the
    /// less a lattice fits that was not brought onto the rims there. `None` where that would be
    /// larger than any board.
    fn wider(&self, place: &Place<'_>) -> Option<(PxFromCell, GridSize)> {
        let [left, right, up, down] = place.open().map(i32::from);
        let (w, h) = (i32::from(place.size.cols), i32::from(place.size.rows));
        let span = Span {
            x0: -left,
            y0: -up,
            x1: w + right,
            y1: h + down,
        };
        let (size, most) = (span.size(), self.wanted.max);
        let fits = size.cols <= most.cols && size.rows <= most.rows;
        fits.then(|| (shifted(place.at, span), size))
    }

    /// Judges a board of known size near a known place (px of the level); `again` where that is
    /// one that was found too small.
    fn known(
        &self,
        level: &Level,
        at: &PxFromCell,
        size: GridSize,
        shape: Shape,
        pitch: f64,
        again: bool,
    ) -> Option<Judged> {
        let fine = level.fine();
        let least = 5.0 + 2.2 * level.noise;
        let whole = Span::of(size);
        let (mut at, mut shape, mut off) = (*at, shape, 0.0);
        let mut rims = Rims::seen(fine, &at, whole, least, pitch);
        for slack in [0.1, 0.06, 0.06] {
            (at, shape, off) = rims.settled(&at, whole, &shape, slack, true)?;
            rims = Rims::seen(fine, &at, whole, least, pitch);
        }
        let looks = looks(fine, &at, size, &shape, level.noise);
        let plates = Plates::seen(fine, &at, whole, level.noise, &|c| {
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
        let both: Vec<(f32, bool)> = rim.iter().copied().zip(bare.iter().copied()).collect();
        let seen = trusted(&looks, &both, level.noise);
        let glared = glared(size, &looks, &seen, tone, &light, level.noise);
        let kinds = kinds_beside_glare(size, &looks, &seen, &glared, level.noise)?;
        let place = Place {
            level,
            at: &at,
            size,
            shape: &shape,
            pitch,
            clear: rims.clear(whole, &shape),
        };
        let between = place.between();
        let evidence = Evidence {
            drawn: self.is_drawn(),
            between: between.into_iter().fold(0.0, f32::max),
            foreign: (0..looks.len())
                .filter(|&i| seen[i] && !glared[i] && kinds.labels[i].is_none())
                .count(),
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
        if evidence.open > 0
            && !again
            && let Some((at, size)) = self.wider(&place)
            && let Some(better) = self.known(level, &at, size, shape, pitch, true)
            && better.calibration.quality > quality
        {
            return Some(better);
        }
        let found = self.calibration(level, &at, size, kinds, plate, (quality, residual));
        Some(Judged {
            calibration: found?,
            rims: evidence.rims,
            holes: { rim.iter().zip(&bare) }
                .filter(|(r, bare)| **bare && **r >= HOLE)
                .count(),
            between,
        })
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

/// Share of a hole's inside that must be of one colour for it to be learnt from: a mark may be as
/// large as what is left of the disc.
const CLEAR: f32 = 0.36;

/// Which cells may be learnt from: whole, with nothing over them, and with the plate at all corners or
/// about as much of a rim as most have: what a thumb or a message hides in part shows other colours.
/// `rim` is what each has of one, and whether nothing lies over it.
fn trusted(looks: &[HoleLook], rim: &[(f32, bool)], noise: f32) -> Vec<bool> {
    let mut all: Vec<f32> = rim.iter().filter(|r| r.1).map(|r| r.0).collect();
    all.sort_by(f32::total_cmp);
    let usual = all.get(all.len() / 2).copied().unwrap_or(0.0);
    // A few places that show only the plate, on a board on which all others have their rims, lie
    // under a message of its colour.
    let blank = |l: &HoleLook, rim: f32| rim < HOLE && alike(noise, l.rgb, l.plate);
    let blanks = { looks.iter().zip(rim) }.filter(|(l, (rim, _))| blank(l, *rim));
    let hidden = usual >= SURE && blanks.count() * 5 <= looks.len();
    let of = |least: f32| -> Vec<bool> {
        { looks.iter().zip(rim) }
            .map(|(l, (rim, bare))| {
                let shown = !hidden || !blank(l, *rim);
                shown && l.whole && *bare && l.share >= CLEAR && (l.framed || *rim >= least)
            })
            .collect()
    };
    let clear = of(usual - 0.2);
    if clear.iter().filter(|&&c| c).count() * 2 >= looks.len() {
        clear
    } else {
        of(0.0)
    }
}
