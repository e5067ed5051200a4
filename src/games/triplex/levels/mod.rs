//! All levels of a rectangle: stocks of the eight kinds with exactly one tiling.
//!
//! Takes a size, gives levels with solution and difficulty. A level has at least three figures, its
//! only tiling (over all tilings, also those with a straight cut) has no straight cut, and of
//! stocks that are images of one another under the rectangle's symmetries there is one.

mod candidates;
mod half;
mod stock;
mod turnable;

pub use half::TooLarge;
pub use stock::MOST_AREA;
pub use turnable::with_turnable;

use self::candidates::candidates;
use self::stock::Counts;
use super::policies::{Exact, only_solution};
use super::rules::{Field, Figure, KINDS, Level, Tiling};
use crate::types::GridSize;

/// A level that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The level.
    pub level: Level,
    /// Its only solution.
    pub solution: Tiling,
    /// Figures that the policy `exact` lays down until it knows that there is no other.
    pub iterations: u64,
}

/// Why a rectangle's levels cannot be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelsError {
    /// Too many squares, or none.
    #[error("{0}: a rectangle has 1 to {MOST_AREA} squares and is at most {MOST_WIDTH} high or wide")]
    Size(GridSize),
    /// Too little memory.
    #[error("{size}: {source}")]
    TooLarge {
        /// The rectangle.
        size: GridSize,
        /// Where it ended.
        source: TooLarge,
    },
}

/// Squares along the shorter side, at most: two rows and one square must fit a word of 32 bits.
pub const MOST_WIDTH: u16 = 15;
/// Memory the search may use unless told otherwise, in MB.
pub const MEMORY: usize = 4096;

/// All levels of a rectangle, by their figures. `progress` is told the share that is done.
///
/// # Errors
/// When the rectangle is too large for the search or for the memory.
pub fn levels(
    size: GridSize,
    megabytes: usize,
    progress: &mut dyn FnMut(f64),
) -> Result<Vec<Found>, LevelsError> {
    let (short, long) = (size.cols.min(size.rows), size.cols.max(size.rows));
    if size.is_empty() || size.len() > MOST_AREA || short > MOST_WIDTH {
        return Err(LevelsError::Size(size));
    }
    let stocks = candidates(short.into(), long.into(), megabytes, progress)
        .map_err(|source| LevelsError::TooLarge { size, source })?;
    let mut policy = Exact::new();
    let mut found = Vec::new();
    for (i, counts) in stocks.iter().enumerate() {
        if i % 64 == 0 {
            progress(0.9 + 0.1 * i as f64 / stocks.len() as f64);
        }
        found.extend(level(counts, size, &mut policy));
    }
    progress(1.0);
    Ok(found)
}

/// The level of a stock for the rectangle standing upright; `None` if it is none.
fn level(counts: &Counts, size: GridSize, policy: &mut Exact) -> Option<Found> {
    let kind = |i: usize| -> Figure {
        if size.cols > size.rows {
            KINDS[i].transposed()
        } else {
            KINDS[i]
        }
    };
    let figures = (0..8).map(|i| (kind(i), counts[i].into()));
    let level = Level::new(Field::new(size).ok()?, figures, None).ok()?;
    if level.figures() < 3 {
        return None;
    }
    let (solution, iterations) = only_solution(&level, policy)?;
    (!solution.has_straight_cut(size)).then_some(Found {
        level,
        solution,
        iterations,
    })
}

/// The sizes of all rectangles of at most `area` squares, at least two high and at least as wide
/// as high, by area, the squarest first.
#[must_use]
pub fn sizes_up_to(area: usize) -> Vec<GridSize> {
    let area = area.min(MOST_AREA) as u16;
    let rows = 2..=area;
    let mut sizes: Vec<GridSize> = rows
        .flat_map(|r| (r..=area / r).map(move |c| GridSize::new(c, r)))
        .collect();
    sizes.sort_by_key(|s| (s.len(), s.cols));
    sizes
}
