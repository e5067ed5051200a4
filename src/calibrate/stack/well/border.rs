//! Sides of a well: where along a side something begins that is neither empty nor what lies inside.
//!
//! Takes a field, gives for each place of one side of the outline how much of it is bounded. Must
//! never take the lines between empty cells for a border.

use super::field::{Field, RIM, SIZE};

/// How far outside of the outline, and inside of it, the outermost lines may run, in cells.
pub const OUT: f64 = 1.1;
/// Inside of it.
pub const IN: f64 = 1.05;

/// How much of a side has something beyond it that is neither empty nor what lies inside, for
/// each place of the side in pixels of the raster.
#[derive(Clone, Debug)]
pub struct Border {
    /// First place looked at.
    first: i32,
    share: Vec<f64>,
}

impl Border {
    /// `side` is 0 left, 1 right, 2 upper, 3 lower; `cell` is about the length of a cell.
    #[must_use]
    pub fn of(field: &Field, side: usize, cell: f64, grid: f32) -> Self {
        let (long, wide) = if side < 2 { SIZE } else { (SIZE.1, SIZE.0) };
        let index = |along: i32, aside: usize| {
            let along = (along.max(0) as usize).min(long - 1);
            if side < 2 {
                aside * SIZE.0 + along
            } else {
                along * SIZE.0 + aside
            }
        };
        let out = if side.is_multiple_of(2) { -1 } else { 1 };
        let reach = (0.45 * cell) as i32;
        let inner = (0.3 * cell) as i32;
        let hint = field.hint.max(1.7 * grid).min(0.7 * field.limit);
        let (first, last) = if out < 0 {
            (
                RIM as i32 - (OUT * cell) as i32 - 1,
                RIM as i32 + (IN * cell) as i32 + 1,
            )
        } else {
            let end = (long - RIM) as i32;
            (end - (IN * cell) as i32 - 1, end + (OUT * cell) as i32 + 1)
        };
        let mut share = Vec::new();
        for at in first..=last {
            // `at` is a boundary: the pixel before it lies outside on the left, inside on the
            // right.
            let inside = if out < 0 { at } else { at - 1 };
            let (mut good, mut all) = (0u32, 0u32);
            for aside in (RIM + 2..wide - RIM - 2).step_by(2) {
                let own = index(inside - out * inner, aside);
                let there = (1..=reach).any(|d| {
                    let k = index(inside + out * d, aside);
                    if !field.seen[k] {
                        // Where the picture ends a board ends, too.
                        true
                    } else if field.filled[own] {
                        let (a, b) = (field.rgb[own], field.rgb[k]);
                        let apart = (0..3).map(|c| (a[c] - b[c]).abs()).fold(0.0, f32::max);
                        apart > 0.6 * field.limit
                    } else {
                        field.far[k] > hint
                    }
                });
                all += 1;
                good += u32::from(there);
            }
            share.push(f64::from(good) / f64::from(all.max(1)));
        }
        Self { first, share }
    }

    /// The share at a place in pixels inside the outline.
    #[must_use]
    pub fn at(&self, place: f64) -> f64 {
        let i = (place.round() as i32 + RIM as i32 - self.first).max(0) as usize;
        self.share
            .get(i)
            .or(self.share.last())
            .copied()
            .unwrap_or(0.0)
    }
}
