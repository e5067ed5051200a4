//! Which cells of an endless lattice are the board: the rectangle that has rims, and outside of
//! which there are none.
//!
//! Takes how much of a rim each cell has. Holes under a hand or behind a popup have none, so that
//! no single line decides.

use super::super::extent::Span;
use crate::types::{GridSize, Wanted};

/// A cell with so much of a rim is a hole.
pub const HOLE: f32 = 0.55;

/// What a board of the usual size may lack in cells with a rim.
const USUAL: f32 = 2.5;

/// How usual a size is, 0 to 1.
#[must_use]
pub fn usual(size: GridSize) -> f32 {
    match (size.cols, size.rows) {
        (7, 6) => 1.0,
        (7, 7) | (8, 7) => 0.6,
        (6, 7) | (6, 5) | (8, 8) | (9, 7) | (10, 7) | (5, 4) | (6, 6) | (8, 6) => 0.3,
        _ => 0.0,
    }
}

/// What is seen of one supposed hole.
#[derive(Clone, Copy, Debug)]
pub struct Sign {
    /// How much of a rim it has.
    pub rim: f32,
    /// Whether the plate is seen around it.
    pub on_plate: bool,
}

impl Sign {
    /// What it adds to a board that has it.
    fn worth(self) -> f32 {
        let most = if self.on_plate { 1.0 } else { -0.35 };
        ((self.rim - HOLE) * 4.0).clamp(-1.1, most)
    }
}

/// The rectangle that explains the rims best; `sign` gives `None` outside of the picture.
#[must_use]
pub fn extent(
    within: Span,
    wanted: &Wanted,
    sign: &dyn Fn(i32, i32) -> Option<Sign>,
) -> Option<Span> {
    let (w, h) = (
        (within.x1 - within.x0) as usize,
        (within.y1 - within.y0) as usize,
    );
    // Sums over all cells left of and above a corner.
    let mut sums = vec![0.0f32; (w + 1) * (h + 1)];
    for y in 0..h {
        let mut row = 0.0;
        for x in 0..w {
            let seen = sign(within.x0 + x as i32, within.y0 + y as i32);
            row += seen.map_or(-0.4, Sign::worth);
            sums[(y + 1) * (w + 1) + x + 1] = sums[y * (w + 1) + x + 1] + row;
        }
    }
    let total = |x0: usize, y0: usize, x1: usize, y1: usize| {
        let at = |x: usize, y: usize| sums[y * (w + 1) + x];
        at(x1, y1) - at(x0, y1) - at(x1, y0) + at(x0, y0)
    };
    let mut best: Option<(f32, Span)> = None;
    let (min, max) = (wanted.min, wanted.max);
    for y0 in 0..h {
        for y1 in y0 + usize::from(min.rows)..=h.min(y0 + usize::from(max.rows)) {
            for x0 in 0..w {
                for x1 in x0 + usize::from(min.cols)..=w.min(x0 + usize::from(max.cols)) {
                    let size = GridSize::new((x1 - x0) as u16, (y1 - y0) as u16);
                    let turned = GridSize::new(size.rows, size.cols);
                    if wanted.size.is_some_and(|s| s != size && s != turned) {
                        continue;
                    }
                    let usual = usual(size).max(0.8 * usual(turned));
                    let score = total(x0, y0, x1, y1) + USUAL * usual;
                    if best.is_none_or(|(b, _)| score > b) {
                        let span = Span {
                            x0: within.x0 + x0 as i32,
                            y0: within.y0 + y0 as i32,
                            x1: within.x0 + x1 as i32,
                            y1: within.y0 + y1 as i32,
                        };
                        best = Some((score, span));
                    }
                }
            }
        }
    }
    best.filter(|b| b.0 > 0.0).map(|(_, span)| span)
}
