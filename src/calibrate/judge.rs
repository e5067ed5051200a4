//! From a supposed lattice to a judged calibration: extent, refinement, colours, score.

use super::cell::{CellLook, look};
use super::classes::learn;
use super::extent::{Span, Table, board};
use super::planes::Planes;
use super::refine::{Crossing, Freedom, crossings, product, settle};
use super::score::Evidence;
use crate::types::{BoardKind, Calibration, GridSize, PxFromCell, Wanted};

/// Places looked at on each side of a cell.
const PER_SIDE: usize = 3;

/// Everything the judging of one picture shares.
pub struct Judge<'a> {
    /// The picture.
    pub planes: &'a Planes,
    /// What is wanted.
    pub wanted: &'a Wanted,
    /// Standard deviation of a pixel's noise, 0 to 255.
    pub noise: f32,
    /// What the transform may be.
    pub freedom: Freedom,
}

impl Judge<'_> {
    /// Spread beyond which a cell is not of one colour.
    fn plain(&self) -> f32 {
        22.0 + 3.0 * self.noise
    }

    /// Finds the extent of the board on an endless lattice seen in `core`, then judges it.
    #[must_use]
    pub fn endless(&self, px_from_cell: &PxFromCell, core: Span) -> Option<Calibration> {
        let most = i32::from(self.wanted.max.cols.max(self.wanted.max.rows));
        let mut table = Table::new(self.planes, *px_from_cell, core, most, self.noise);
        let span = board(&mut table, core, self.wanted.max);
        let size = span.size();
        let shifted = PxFromCell(product(
            &px_from_cell.0,
            &[
                1.0,
                0.0,
                f64::from(span.x0),
                0.0,
                1.0,
                f64::from(span.y0),
                0.0,
                0.0,
                1.0,
            ],
        ));
        self.known(&shifted, size)
    }

    /// Refines and judges a board of known size near a known place.
    #[must_use]
    pub fn known(&self, px_from_cell: &PxFromCell, size: GridSize) -> Option<Calibration> {
        if size.cols < 3 || size.rows < 3 || size.cols > 80 || size.rows > 80 {
            return None;
        }
        let mut at = *px_from_cell;
        let mut residual = 0.0;
        let mut looks = self.looks(&at, size)?;
        for _ in 0..2 {
            let seen = crossings(self.planes, &at, size, &looks, PER_SIDE);
            let refined = settle(&at, size, &seen, self.freedom)?;
            at = refined.px_from_cell;
            residual = refined.residual;
            looks = self.looks(&at, size)?;
        }
        let seen: Vec<Crossing> = crossings(self.planes, &at, size, &looks, PER_SIDE);
        let learnt = learn(size, &looks, self.plain(), self.noise * 0.35)?;
        let evidence = Evidence::gather(size, &looks, self.plain(), &learnt, &seen, PER_SIDE);
        let quality = evidence.quality(size, self.wanted);
        tracing::debug!(%size, quality, ?evidence, "judged");
        Some(Calibration {
            kind: BoardKind::Cells,
            size,
            image: (self.planes.width as u32, self.planes.height as u32),
            px_from_cell: at,
            classes: learnt.classes,
            gain: learnt.gain,
            quality,
            residual,
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
