//! From a supposed lattice to a judged calibration: extent, refinement, colours, score.

use super::borders::borders;
use super::cell::{CellLook, Eye, look};
use super::classes::{colours, learn_bordered};
use super::extent::{COVERED, Span, goes_on, grown, trimmed};
use super::folds::{self, Fold};
use super::groups::DRAWN;
use super::planes::Planes;
use super::refine::{Crossing, Freedom, crossings, nearest_mixture, product, settle};
use super::score::Evidence;
use super::table::Table;
use crate::types::{BoardKind, Calibration, GridSize, Point, PxFromCell, Wanted};

/// How far from its lines, in px, the changes of a board in a drawn picture stay: half a pixel of
/// rounding at both sides of a gap, and a little.
const LOOSE: f32 = 1.2;

/// Places looked at on each side of a cell.
const PER_SIDE: usize = 3;

/// Everything the judging of one picture shares.
pub struct Judge<'a> {
    /// The picture.
    pub planes: &'a Planes,
    /// What is wanted.
    pub wanted: &'a Wanted,
    /// What counts as a difference in it.
    pub eye: Eye,
    /// What the transform may be.
    pub freedom: Freedom,
}

/// Lattices of a lower quality are no boards with larger or smaller cells either.
const WORTH: f32 = 0.05;

/// A board of whose cells many seem to be several is itself hardly worse than this.
const WORTH_SPLITTING: f32 = 0.3;

/// How often a lattice is judged again with larger or smaller cells.
const MOST_FOLDS: usize = 2;

/// A board and what its lattice would rather be.
struct Judged {
    calibration: Calibration,
    /// Pieces of larger cells.
    cut: Option<Fold>,
}

impl Judge<'_> {
    /// Finds the extent of the board on an endless lattice seen in `core`, then judges it; where
    /// its cells prove to be pieces of larger ones, or several smaller ones, the lattice of those.
    #[must_use]
    pub fn endless(&self, px_from_cell: &PxFromCell, core: Span) -> Option<Calibration> {
        let (px_from_cell, core) = upright(px_from_cell, core);
        let mut best = self.grown(&px_from_cell, core)?;
        for _ in 0..MOST_FOLDS {
            let c = &best.calibration;
            if c.quality < WORTH {
                break;
            }
            let (at, core) = if let Some(fold) = best.cut {
                let whole = folds::whole(&c.px_from_cell, fold);
                let n = |all: u16, from: u16, by: u16| i32::from((all - from.min(all)) / by);
                let core = Span {
                    x0: 0,
                    y0: 0,
                    x1: n(c.size.cols, fold.from.0, fold.by.0),
                    y1: n(c.size.rows, fold.from.1, fold.by.1),
                };
                (whole, core)
            } else if let Some((p, q)) = self.split(c) {
                let size = GridSize::new(c.size.cols * p, c.size.rows * q);
                (folds::pieces(&c.px_from_cell, (p, q)), Span::of(size))
            } else {
                break;
            };
            // The same board first; where that is none, pieces of it may have been missing.
            let least = c.quality.max(Calibration::MIN_QUALITY);
            let same = self.judged(&shifted(&at, core), core.size());
            let other = same.filter(|o| o.calibration.quality > least);
            match other.or_else(|| self.grown(&at, core)) {
                Some(other) if other.calibration.quality > c.quality => best = other,
                _ => break,
            }
        }
        Some(best.calibration)
    }

    /// Into how many cells those of a board fall, across and down.
    fn split(&self, c: &Calibration) -> Option<(u16, u16)> {
        if c.quality < WORTH_SPLITTING {
            return None;
        }
        let looks = self.looks(&c.px_from_cell, c.size)?;
        let (p, q) = folds::split(self.planes, &c.px_from_cell, c.size, &looks, self.eye)?;
        let fits =
            c.size.cols * p <= self.wanted.max.cols && c.size.rows * q <= self.wanted.max.rows;
        fits.then_some((p, q))
    }

    /// The board that is grown from the core of one lattice.
    fn grown(&self, px_from_cell: &PxFromCell, core: Span) -> Option<Judged> {
        let mut at = *px_from_cell;
        let mut span = core;
        {
            // A patch may have caught some of the surroundings; to grow from there would know
            // no end.
            let mut table = Table::new(self.planes, at, span, 1, self.eye);
            span = trimmed(&mut table, span);
        }
        // The further from where the lattice was seen, the less certain where its lines are:
        // grown by half its size at a time, it is brought onto its edges in between.
        for _ in 0..10 {
            at = shifted(&at, span);
            let size = span.size();
            if size.cols < 2 || size.rows < 2 {
                return None;
            }
            at = self.settled(&at, size).unwrap_or(at);
            let (w, h) = (i32::from(size.cols), i32::from(size.rows));
            let here = Span::of(size);
            let reach = (w.min(h) / 2).max(COVERED);
            let mut table = Table::new(self.planes, at, here, reach + 1, self.eye);
            let more = grown(&mut table, here, reach, self.wanted.max);
            span = more;
            if more == here {
                break;
            }
        }
        let mut table = Table::new(self.planes, at, span, 1, self.eye);
        let size = span.size();
        if let Some(looks) = self.looks(&shifted(&at, span), size)
            && let Some(colours) = colours(size, &looks, self.eye)
        {
            table.learn(span, colours);
        }
        let cut = trimmed(&mut table, span);
        tracing::debug!(?core, ?span, ?cut, "extent");
        self.judged(&shifted(&at, cut), cut.size())
    }

    /// The transform brought onto the edges between cells.
    fn settled(&self, at: &PxFromCell, size: GridSize) -> Option<PxFromCell> {
        let looks = self.looks(at, size)?;
        let per_side = if size.len() > 400 { 1 } else { PER_SIDE };
        let seen = crossings(self.planes, at, size, &looks, per_side, self.eye);
        let freedom = match self.freedom {
            Freedom::Tilted if size.cols.min(size.rows) < 6 => Freedom::Sheared,
            other => other,
        };
        Some(settle(at, size, &seen, freedom)?.px_from_cell)
    }

    /// Refines and judges a board of known size near a known place.
    fn judged(&self, px_from_cell: &PxFromCell, size: GridSize) -> Option<Judged> {
        if size.cols < 3 || size.rows < 3 || size.cols > 80 || size.rows > 80 {
            return None;
        }
        let mut at = *px_from_cell;
        let mut residual = 0.0;
        let mut looks = self.looks(&at, size)?;
        for _ in 0..2 {
            let seen = crossings(self.planes, &at, size, &looks, PER_SIDE, self.eye);
            let refined = settle(&at, size, &seen, self.freedom)?;
            at = refined.px_from_cell;
            residual = refined.residual;
            looks = self.looks(&at, size)?;
        }
        let seen: Vec<Crossing> = crossings(self.planes, &at, size, &looks, PER_SIDE, self.eye);
        let lined = |i: usize, j: usize| self.lined(&at, size, &looks, i, j);
        let borders = borders(self.planes, &at, size, &looks, self.eye);
        let learnt = learn_bordered(size, &looks, self.eye, &borders, &lined)?;
        let evidence = Evidence::gather(
            size,
            &looks,
            self.eye,
            &learnt,
            &seen,
            &borders,
            PER_SIDE,
            pitch(&at, size),
        );
        let whole = Span::of(size);
        let mut table = Table::new(self.planes, at, whole, 1, self.eye);
        let open = goes_on(&mut table, whole);
        // Where nothing is noisy or soft, edges lie where the lattice says or it is none.
        let drawn = self.eye.noise < DRAWN;
        let loose = if drawn && evidence.off > LOOSE {
            0.45
        } else {
            1.0
        };
        let quality =
            evidence.quality(size, self.wanted, drawn) * 0.45f32.powi(open as i32) * loose;
        tracing::debug!(%size, quality, open, ?evidence, "judged");
        let calibration = Calibration {
            kind: BoardKind::Cells,
            size,
            image: (self.planes.width as u32, self.planes.height as u32),
            px_from_cell: at,
            classes: learnt.classes,
            beside: Vec::new(),
            border: None,
            well: None,
            plate: None,
            stones: None,
            gain: learnt.light.gain,
            veil: learnt.light.veil,
            quality,
            residual,
        };
        Some(Judged {
            calibration,
            cut: evidence.cut,
        })
    }

    /// Whether a line of another colour is drawn between two neighbouring cells.
    fn lined(
        &self,
        at: &PxFromCell,
        size: GridSize,
        looks: &[CellLook],
        i: usize,
        j: usize,
    ) -> bool {
        let (p, q) = (size.cell(i).centre(), size.cell(j).centre());
        let (a, b) = (looks[i].rim, looks[j].rim);
        [-0.06, -0.03, 0.0, 0.03, 0.06].iter().any(|t| {
            let f = 0.5 + t;
            let middle = Point::new(p.x + (q.x - p.x) * f, p.y + (q.y - p.y) * f);
            self.planes
                .between(at.map(middle))
                .is_some_and(|c| self.eye.apart(c, nearest_mixture(c, a, b)))
        })
    }

    fn looks(&self, px_from_cell: &PxFromCell, size: GridSize) -> Option<Vec<CellLook>> {
        size.cells()
            .map(|c| {
                look(
                    self.planes,
                    px_from_cell,
                    f64::from(c.col),
                    f64::from(c.row),
                )
            })
            .collect()
    }
}

/// The lattice turned by a quarter as often as brings its rows nearest to level, and its cells.
fn upright(at: &PxFromCell, core: Span) -> (PxFromCell, Span) {
    let middle = Point::new(
        f64::from(core.x0 + core.x1) / 2.0,
        f64::from(core.y0 + core.y1) / 2.0,
    );
    let along = |dx: f64, dy: f64| {
        let (p, q) = (
            at.map(middle),
            at.map(Point::new(middle.x + dx, middle.y + dy)),
        );
        let (x, y) = (q.x - p.x, q.y - p.y);
        let length = x.hypot(y).max(1e-9);
        (x / length, y / length)
    };
    let ((ax, ay), (bx, by)) = (along(1.0, 0.0), along(0.0, 1.0));
    // How level rows and columns are after no turn, a quarter, a half, three quarters.
    let level = [ax + by, bx - ay, -ax - by, ay - bx];
    let best = (0..4)
        .max_by(|&i, &j| level[i].total_cmp(&level[j]))
        .unwrap_or(0);
    let (turn, cells) = match best {
        1 => (
            [0.0, -1.0, 0.0, 1.0, 0.0, 0.0],
            [core.y0, -core.x1, core.y1, -core.x0],
        ),
        2 => (
            [-1.0, 0.0, 0.0, 0.0, -1.0, 0.0],
            [-core.x1, -core.y1, -core.x0, -core.y0],
        ),
        3 => (
            [0.0, 1.0, 0.0, -1.0, 0.0, 0.0],
            [-core.y1, core.x0, -core.y0, core.x1],
        ),
        _ => return (*at, core),
    };
    let [a, b, c, d, e, f] = turn;
    let turned = PxFromCell(product(&at.0, &[a, b, c, d, e, f, 0.0, 0.0, 1.0]));
    let [x0, y0, x1, y1] = cells;
    (turned, Span { x0, y0, x1, y1 })
}

/// The transform with its origin moved to the corner of a span.
fn shifted(at: &PxFromCell, span: Span) -> PxFromCell {
    let (x, y) = (f64::from(span.x0), f64::from(span.y0));
    PxFromCell(product(&at.0, &[1.0, 0.0, x, 0.0, 1.0, y, 0.0, 0.0, 1.0]))
}

/// Width and height in px of a cell in the middle of the board.
fn pitch(at: &PxFromCell, size: GridSize) -> [f32; 2] {
    let (x, y) = (f64::from(size.cols) / 2.0, f64::from(size.rows) / 2.0);
    let side = |dx: f64, dy: f64| {
        at.map(Point::new(x - dx, y - dy))
            .distance(at.map(Point::new(x + dx, y + dy))) as f32
    };
    [side(0.5, 0.0), side(0.0, 0.5)]
}
