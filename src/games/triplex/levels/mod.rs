//! All levels of a rectangle: stocks of the eight kinds with exactly one tiling.
//!
//! Takes a size, gives levels with solution and difficulty. A level has at least three figures, its
//! only tiling (over all tilings, also those with a straight cut) has no straight cut, and of
//! stocks that are images of one another under the rectangle's symmetries there is one.

mod candidates;
mod edges;
pub mod filters;
mod half;
mod stock;
mod turnable;

pub use half::TooLarge;
pub use stock::MOST_AREA;
pub use turnable::with_turnable;

use self::candidates::{candidates, rows_above};
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
    #[error(
        "{0}: a rectangle has 1 to {MOST_AREA} squares and is at most {MOST_WIDTH} high or wide"
    )]
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
    let mut tried = Err(LevelsError::Size(size));
    for rows in rows_above(short.into(), long.into()) {
        tried = levels_across(size, rows, megabytes, progress);
        if !matches!(tried, Err(LevelsError::TooLarge { .. })) {
            break;
        }
    }
    tried
}

/// The same levels with another line between the halves: so many of the shorter rows above it. A
/// check of the search, at another cost.
///
/// # Errors
/// As [`levels`].
pub fn levels_across(
    size: GridSize,
    rows: usize,
    megabytes: usize,
    progress: &mut dyn FnMut(f64),
) -> Result<Vec<Found>, LevelsError> {
    let (short, long) = (size.cols.min(size.rows), size.cols.max(size.rows));
    if size.is_empty() || size.len() > MOST_AREA || short > MOST_WIDTH {
        return Err(LevelsError::Size(size));
    }
    let stocks = candidates(short.into(), long.into(), rows, megabytes, progress)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn found(cols: u16, rows: u16) -> Vec<Found> {
        levels(GridSize::new(cols, rows), MEMORY, &mut |_| ()).expect("small")
    }

    #[test]
    fn levels_keep_their_rules() {
        for found in found(5, 4) {
            assert_eq!(found.solution.check(&found.level), Ok(()));
            assert!(!found.solution.has_straight_cut(GridSize::new(5, 4)));
            assert!(found.level.figures() >= 3 && found.iterations >= 3);
            let again = only_solution(&found.level, &mut Exact::reading());
            assert_eq!(again.expect("one").0, found.solution);
        }
    }

    #[test]
    fn a_rectangle_lying_and_standing_has_the_same_levels() {
        let transposed = |all: Vec<Found>| -> Vec<Vec<(Figure, u16)>> {
            let stock = |f: Found| {
                let all = f.level.stock().iter().map(|(k, n)| (k.transposed(), *n));
                let mut all: Vec<_> = all.collect();
                all.sort_unstable();
                all
            };
            all.into_iter().map(stock).collect()
        };
        let standing: Vec<_> = found(4, 6)
            .iter()
            .map(|f| f.level.stock().to_vec())
            .collect();
        assert_eq!(transposed(found(6, 4)), standing);
    }

    #[test]
    fn wherever_the_line_is() {
        let size = GridSize::new(6, 5);
        let usual = levels(size, MEMORY, &mut |_| ()).expect("small");
        assert_eq!(usual.len(), 55);
        for rows in [1, 2, 4, 5, 6, 99] {
            let other = levels_across(size, rows, MEMORY, &mut |_| ()).expect("small");
            assert_eq!(other, usual, "{rows} rows above");
        }
    }

    #[test]
    fn long_rectangles_are_halved_where_memory_is_short() {
        let size = GridSize::new(9, 4);
        let usual = levels(size, MEMORY, &mut |_| ()).expect("small");
        assert!(
            levels_across(size, 9, 1, &mut |_| ()).is_err(),
            "more than 1 MB"
        );
        assert_eq!(levels(size, 1, &mut |_| ()), Ok(usual));
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let refused = |c, r| levels(GridSize::new(c, r), 1, &mut |_| ()).expect_err("too large");
        assert!(matches!(refused(0, 5), LevelsError::Size(_)));
        assert!(matches!(refused(47, 2), LevelsError::Size(_)));
        let told = refused(7, 6).to_string();
        assert!(told.contains("7x6") && told.contains("1 MB"), "{told}");
    }

    #[test]
    fn sizes_lie_on_their_longer_sides() {
        let sizes: Vec<String> = sizes_up_to(12).iter().map(GridSize::to_string).collect();
        assert_eq!(sizes, ["2x2", "3x2", "4x2", "3x3", "5x2", "4x3", "6x2"]);
    }

    #[test]
    fn turnable_figures() {
        let all = found(5, 4);
        let turning: Vec<Found> = all.iter().filter_map(|f| with_turnable(f, 7)).collect();
        assert!(!turning.is_empty() && turning.len() < all.len());
        let again: Vec<Found> = all.iter().filter_map(|f| with_turnable(f, 7)).collect();
        assert_eq!(turning, again, "the same seed shows the same");
        for found in &turning {
            assert_eq!(found.solution.check(&found.level), Ok(()));
            let solved = only_solution(&found.level, &mut Exact::reading());
            assert_eq!(solved.expect("one").0, found.solution);
        }
        let other: Vec<Found> = all.iter().filter_map(|f| with_turnable(f, 8)).collect();
        assert_ne!(turning, other);
    }
}
