//! What speaks for a board of holes, and the quality that follows from it.
//!
//! Takes a lattice brought onto its rims and what was learnt of its cells. Holes in rows are
//! common: keys, icons, dots. What makes a board of them is a plate that ends where its holes do, a
//! usual size, and discs that lie on the ground or on each other.

use super::super::extent::Span;
use super::super::refine::product;
use super::extent::{HOLE, usual};
use super::kinds::Kinds;
use super::level::Level;
use super::looks::HoleLook;
use super::plate::Plates;
use super::rims::{Rims, Shape};
use super::spans::grown;
use crate::types::colour::apart;
use crate::types::{GridSize, Point, PxFromCell, Wanted};

/// With so much of a rim there is a hole even where none is expected.
pub const SURE: f32 = 0.75;

/// Empty holes that are taken to have a rim before any was seen.
const FEW: f32 = 1.5;

/// What a column with a disc that floats speaks against a board of discs that fall.
const FLOATS: f32 = 3.9;

/// Cells beyond the outer ones where a plate has ended.
const BEYOND: f64 = 1.1;

/// A lattice of known size.
pub struct Place<'a> {
    /// The picture.
    pub level: &'a Level,
    /// The transform, in px of the level.
    pub at: &'a PxFromCell,
    /// Columns and rows.
    pub size: GridSize,
    /// Shape of the holes.
    pub shape: &'a Shape,
    /// Px from cell to cell.
    pub pitch: f64,
    /// The step of colour at the fainter rims.
    pub clear: f32,
}

/// What speaks for a board.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evidence {
    /// Share of cells over which nothing lies.
    pub shown: f32,
    /// Of those, the share with a rim.
    pub holes: f32,
    /// Share of empty cells with a rim.
    pub edged: f32,
    /// Mean share of a rim of those that have one.
    pub rims: f32,
    /// Whether the picture is drawn, and rims as sharp as they can be.
    pub drawn: bool,
    /// How square the rims are.
    pub square: f32,
    /// How far the cells of a lattice with round holes are from square, as logarithm.
    pub oblong: f32,
    /// Root mean square distance of rims from where they should be, in cells.
    pub off: f32,
    /// Of the cells on the plate, the share with its one colour, the light removed.
    pub even: f32,
    /// Sides beyond which there are more holes.
    pub open: usize,
    /// Largest share of holes halfway between the cells: then the lattice has only some of them.
    pub between: f32,
    /// Distance of the nearest two classes in spreads.
    pub apart: f32,
    /// Kinds of discs.
    pub kinds: usize,
    /// How usual the size is.
    pub usual: f32,
    /// Whether the plate ends where its holes do, 0 to 1.
    pub ended: f32,
    /// How far discs lie as if they had fallen, 0 to 1; 0 without discs.
    pub fallen: f32,
    /// Whether empty holes are of one colour, 0 to 1.
    pub plain: f32,
    /// How mixed up the colours of empty holes lie, 0 to 1: what lies behind a board does not
    /// change from hole to hole.
    pub mixed: f32,
    /// Whether all holes look different and none has a disc.
    pub strange: bool,
    /// Holes with a whole rim that are neither empty nor have a disc of the two kinds.
    pub foreign: usize,
    /// The larger half axis of a hole, in cells.
    pub radius: f32,
}

/// From 0 at `lo` to 1 at `hi`, smooth.
#[must_use]
pub fn ramp(v: f32, lo: f32, hi: f32) -> f32 {
    let t = ((v - lo) / (hi - lo)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

impl Evidence {
    /// The quality, 0 to 1.
    #[must_use]
    pub fn quality(&self) -> f32 {
        let lattice = ramp(self.holes, 0.55, 0.85)
            * ramp(self.shown, 0.35, 0.7)
            * ramp(self.edged, 0.2, 0.6)
            * match self.drawn {
                true => ramp(self.rims, 0.7, 0.88),
                false => ramp(self.rims, 0.6, 0.8),
            }
            // Squares have corners, and turned by an eighth they have them between the axes.
            * (1.0 - ramp(self.square.abs(), 0.03, 0.055))
            // Between two holes there is plate.
            * (1.0 - ramp(self.radius, 0.485, 0.505))
            // A disc in flight is no surprise, many colours are.
            * (1.0 - 0.8 * ramp(self.foreign as f32, 1.5, 4.5))
            * (1.0 - ramp(self.oblong, 0.25, 0.4))
            * (1.0 - ramp(self.off, 0.03, 0.05))
            * (0.7 + 0.3 * ramp(self.even, 0.2, 0.7))
            * ramp(self.apart, 1.5, 3.0)
            * (1.0 - ramp(self.between, 0.3, 0.6))
            * 0.45f32.powi(self.open as i32)
            * match self.kinds {
                // Without a disc only the holes speak for a board, and their number.
                0 => ramp(self.rims, 0.76, 0.9) * (0.92 + 0.08 * self.usual),
                1 | 2 => 1.0,
                _ => 0.6,
            }
            * (1.0 - 0.5 * ramp(self.mixed, 0.7, 1.0))
            * if self.strange { self.scenery() } else { 1.0 };
        // A wall behind the upper rows and a table behind the lower ones are as good as one colour.
        let plain = match self.strange {
            true => 1.0 - ramp(self.mixed, 0.2, 0.5),
            false => self.plain,
        };
        let game = 0.24 + 0.2 * self.usual + 0.2 * self.ended + 0.3 * self.fallen + 0.15 * plain;
        lattice * game.min(1.0)
    }
}

impl Evidence {
    /// What holes without any disc that show more than one colour are worth: much if that is the
    /// scenery behind a plate that is seen to end.
    fn scenery(&self) -> f32 {
        let coherent = 1.0 - ramp(self.mixed, 0.4, 0.75);
        0.35 + 0.65 * coherent * ramp(self.ended, 0.6, 0.9) * ramp(self.rims, 0.8, 0.95)
    }
}

impl Place<'_> {
    /// Whether the game has boards of this size.
    #[must_use]
    pub fn fits(&self, wanted: &Wanted) -> bool {
        let (s, min, max) = (self.size, wanted.min, wanted.max);
        s.cols >= min.cols
            && s.rows >= min.rows
            && s.cols <= max.cols
            && s.rows <= max.rows
            && wanted.size.is_none_or(|w| w == s)
    }

    /// The evidence that does not come from refining the lattice. `rim` and the others are row by
    /// row; `bare` says where nothing lies over the plate, `on_plate` where the plate is seen.
    #[must_use]
    pub fn evidence(
        &self,
        rim: &[f32],
        bare: &[bool],
        looks: &[HoleLook],
        kinds: &Kinds,
    ) -> Evidence {
        let holes = { rim.iter().zip(bare) }
            .filter(|(r, bare)| **bare && **r >= HOLE)
            .count();
        let shown = bare.iter().filter(|&&b| b).count();
        let empty: Vec<usize> = (0..rim.len())
            .filter(|&i| kinds.labels[i] == Some(0) && bare[i])
            .collect();
        let of_empty = |sum: f32| {
            if empty.is_empty() {
                1.0
            } else {
                sum / empty.len() as f32
            }
        };
        // A few empty holes before something of the plate's colour say little.
        let edged = empty.iter().filter(|&&i| rim[i] >= HOLE).count() as f32;
        let edged = (edged + FEW) / (empty.len() as f32 + FEW);
        let plain: f32 = empty.iter().map(|&i| looks[i].share).sum();
        Evidence {
            shown: shown as f32 / rim.len().max(1) as f32,
            holes: holes as f32 / shown.max(1) as f32,
            edged,
            rims: { rim.iter().zip(bare) }
                .filter(|(r, bare)| **bare && **r >= HOLE)
                .map(|(r, _)| r)
                .sum::<f32>()
                / holes.max(1) as f32,
            oblong: (self.shape.rx / self.shape.ry).ln().abs(),
            open: self.open().into_iter().filter(|&o| o).count(),
            apart: kinds.apart,
            kinds: kinds.classes.len() - 1,
            usual: usual(self.size),
            ended: self.ended(looks, bare),
            fallen: self.fallen(kinds),
            plain: match (kinds.open, empty.is_empty()) {
                (true, _) => 0.0,
                (_, true) => 0.5,
                _ => ramp(of_empty(plain), 0.75, 0.95),
            },
            mixed: kinds.mixed,
            strange: kinds.open && kinds.discs == 0,
            radius: self.shape.rx.max(self.shape.ry),
            ..Evidence::default()
        }
    }

    /// Rims as clear as most of the board's own: a plate may have fibres or scratches.
    fn rims_at(&self, at: &PxFromCell, span: Span) -> Rims {
        let least = (5.0 + 2.2 * self.level.noise).max(0.4 * self.clear);
        Rims::seen(self.level.fine(), at, span, least, self.pitch)
    }

    /// Whether the plate and its holes go on beyond the left, right, upper and lower side.
    #[must_use]
    pub fn open(&self) -> [bool; 4] {
        let (w, h) = (i32::from(self.size.cols), i32::from(self.size.rows));
        let wide = grown(Span::of(self.size), 1);
        let rims = self.rims_at(self.at, wide);
        let inside = |(x, y): (i32, i32)| x >= 0 && y >= 0 && x < w && y < h;
        let level = self.level;
        let plates = Plates::seen(level.fine(), self.at, wide, level.noise, &inside);
        let goes_on = |line: &mut dyn Iterator<Item = (i32, i32)>, n: i32| {
            let holes = line.filter(|&c| plates.joined(c) && rims.rim(c, self.shape) >= SURE);
            holes.count() as i32 * 5 >= n * 2
        };
        let column = |x: i32| goes_on(&mut (0..h).map(|y| (x, y)), h);
        let row = |y: i32| goes_on(&mut (0..w).map(|x| (x, y)), w);
        [column(-1), column(w), row(-1), row(h)]
    }

    /// The shares of holes in the three places halfway from cell to cell: in the middle of four, of
    /// two beside each other, of two above each other.
    #[must_use]
    pub fn between(&self) -> [f32; 3] {
        // Larger holes have no room for others between them.
        let r = self.shape.mean();
        let places = [(0.5, 0.5, 0.3), (0.5, 0.0, 0.26), (0.0, 0.5, 0.26)];
        let inner = Span {
            x0: 0,
            y0: 0,
            x1: i32::from(self.size.cols) - 1,
            y1: i32::from(self.size.rows) - 1,
        };
        places.map(|(x, y, most)| {
            if r >= most {
                return 0.0;
            }
            let by = [1.0, 0.0, x, 0.0, 1.0, y, 0.0, 0.0, 1.0];
            let rims = self.rims_at(&PxFromCell(product(&self.at.0, &by)), inner);
            let cells = (0..inner.y1).flat_map(|y| (0..inner.x1).map(move |x| (x, y)));
            // Part of a rim is met by chance: those of the holes around are near.
            let holes = cells.filter(|&c| rims.rim(c, self.shape) >= SURE).count();
            holes as f32 / inner.size().len().max(1) as f32
        })
    }

    /// Whether the plate ends beyond the outer holes: mean over the four sides.
    fn ended(&self, looks: &[HoleLook], bare: &[bool]) -> f32 {
        let (w, h) = (usize::from(self.size.cols), usize::from(self.size.rows));
        let limit = 40.0 + 3.0 * self.level.noise;
        let beyond = |i: usize, x: f64, y: f64| -> Option<bool> {
            if !bare[i] {
                return None;
            }
            // What the picture does not show has neither ended nor gone on.
            let c = self.level.fine().between(self.at.map(Point::new(x, y)))?;
            Some(apart(c, looks[i].plate) > limit)
        };
        let side = |ends: Vec<Option<bool>>| {
            let known: Vec<bool> = ends.into_iter().flatten().collect();
            if known.is_empty() {
                return 0.7;
            }
            let n = known.iter().filter(|&&e| e).count();
            ramp(n as f32 / known.len() as f32, 0.4, 0.8)
        };
        let (right, low) = (w as f64 + BEYOND, h as f64 + BEYOND);
        let at = |v: usize| v as f64 + 0.5;
        let sides = [
            side((0..h).map(|y| beyond(y * w, -BEYOND, at(y))).collect()),
            side(
                (0..h)
                    .map(|y| beyond(y * w + w - 1, right, at(y)))
                    .collect(),
            ),
            side((0..w).map(|x| beyond(x, at(x), -BEYOND)).collect()),
            side(
                (0..w)
                    .map(|x| beyond((h - 1) * w + x, at(x), low))
                    .collect(),
            ),
        ];
        sides.iter().sum::<f32>() / 4.0
    }

    /// Whether discs lie as they fall: in every column on the ground or on each other, which as
    /// many discs anywhere in it would do once in so many times.
    fn fallen(&self, kinds: &Kinds) -> f32 {
        let cols = usize::from(self.size.cols);
        let mut sum = 0.0;
        let count = |class: usize| kinds.labels.iter().filter(|l| **l == Some(class)).count();
        if kinds.discs == kinds.labels.len() && kinds.classes.len() == 3 {
            // A full board shows no falling, but two kinds that took turns.
            return if count(1).abs_diff(count(2)) <= 2 {
                0.5
            } else {
                0.0
            };
        }
        for col in 0..cols {
            let column: Vec<bool> = { kinds.labels.iter().skip(col).step_by(cols) }
                .flatten()
                .map(|&label| label > 0)
                .collect();
            let discs = column.iter().filter(|&&d| d).count();
            if column.iter().rev().take(discs).all(|&d| d) {
                sum += choices(column.len(), discs).ln();
            } else {
                sum -= FLOATS;
            }
        }
        ramp(sum, 0.5, 4.0)
    }
}

/// In how many ways `k` of `n` can be chosen.
fn choices(n: usize, k: usize) -> f32 {
    (0..k.min(n))
        .map(|i| (n - i) as f32 / (i + 1) as f32)
        .product()
}
