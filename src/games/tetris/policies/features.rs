//! What is counted about a placement, and its value: a weighted sum.
//!
//! [`Ground`] holds what is needed about a pile so that each of its placements is counted from
//! the few columns the piece touches; only where rows vanish is everything counted anew.

use super::bits::Bits;
use super::pile::Pile;
use super::shape::Shape;

/// Names of the features in the order of [`Counts::values`] and of weights.
pub const NAMES: [&str; FEATURES] = [
    "landing height",
    "eroded cells",
    "rows removed",
    "row transitions",
    "column transitions",
    "holes",
    "wells",
    "hole depth",
    "rows with holes",
    "pattern diversity",
];
/// Number of features.
pub const FEATURES: usize = 10;

/// Features of a placement. Those of the pile are taken after complete rows have vanished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Twice the height of the piece's vertical midpoint where it lands, before rows vanish.
    pub landing2: i32,
    /// Rows removed, times the cells of the piece in them.
    pub eroded: i32,
    /// Rows removed.
    pub removed: i32,
    /// Changes between filled and empty along every row of the board; the walls are filled.
    pub row_transitions: i32,
    /// Changes along every column; the floor is filled, the sky empty.
    pub column_transitions: i32,
    /// Empty cells with a filled one anywhere above.
    pub holes: i32,
    /// For each empty cell between two filled ones (walls too): empty cells from it downward.
    pub wells: i32,
    /// Filled cells in runs directly above an empty cell.
    pub hole_depth: i32,
    /// Rows with a hole.
    pub hole_rows: i32,
    /// How many of the differences -2 to 2 occur between neighbouring columns' heights.
    pub patterns: i32,
}

impl Counts {
    /// In the order of [`NAMES`].
    #[must_use]
    #[inline(always)]
    pub fn values(&self) -> [f64; FEATURES] {
        [
            0.5 * f64::from(self.landing2),
            f64::from(self.eroded),
            f64::from(self.removed),
            f64::from(self.row_transitions),
            f64::from(self.column_transitions),
            f64::from(self.holes),
            f64::from(self.wells),
            f64::from(self.hole_depth),
            f64::from(self.hole_rows),
            f64::from(self.patterns),
        ]
    }

    /// The weighted sum.
    #[must_use]
    #[inline(always)]
    pub fn value(&self, weights: &[f64; FEATURES]) -> f64 {
        let values = self.values();
        let mut sum = 0.0;
        for i in 0..FEATURES {
            sum += weights[i] * values[i];
        }
        sum
    }
}

/// A pile with all that its placements share.
#[derive(Clone, Debug)]
pub struct Ground<C, const W: usize> {
    pub(super) pile: Pile<C, W>,
    /// Heights of the columns; the walls' do not matter.
    pub(super) height: [u16; W],
    /// Whether a column has no hole.
    solid: [bool; W],
    wells: [u16; W],
    /// Rows complete in all columns up to and without this one, and from this one on.
    full_before: [C; W],
    full_from: [C; W],
    /// Differences that occur left of this column, and right of it.
    patterns_before: [u8; W],
    patterns_from: [u8; W],
    hole_rows: C,
    /// Of the pile as it stands; those of a placement are 0.
    pub(super) counts: Counts,
    /// Height of the highest column.
    pub(super) top: u16,
}

/// The bit of a difference of heights; 0 for those that are not counted.
#[inline(always)]
fn pattern(left: u16, right: u16) -> u8 {
    let d = (i32::from(left) - i32::from(right) + 2) as u32;
    (1_u32.unbounded_shl(d) & 31) as u8
}

/// Wells of a column between two others.
#[inline(always)]
fn wells<C: Bits>(left: C, column: C, right: C) -> u32 {
    let empty = !column;
    let mut cells = left & right & empty;
    let mut sum = 0;
    let mut depth = 1;
    while !cells.is_empty() {
        sum += cells.count();
        cells = cells & empty.up(depth);
        depth += 1;
    }
    sum
}

impl<C: Bits, const W: usize> Ground<C, W> {
    /// Counts everything about a pile.
    #[must_use]
    pub fn new(pile: &Pile<C, W>) -> Self {
        let mut ground = Self {
            pile: *pile,
            height: [0; W],
            solid: [true; W],
            wells: [0; W],
            full_before: [C::ZERO; W],
            full_from: [C::ZERO; W],
            patterns_before: [0; W],
            patterns_from: [0; W],
            hole_rows: C::ZERO,
            counts: Counts::default(),
            top: 0,
        };
        ground.count();
        ground
    }

    /// Counts another pile in the same place.
    #[inline]
    pub fn reset(&mut self, pile: &Pile<C, W>) {
        self.pile = *pile;
        self.count();
    }

    #[inline(always)]
    fn count(&mut self) {
        let cols = usize::from(self.pile.cols);
        let board = C::low(u32::from(self.pile.rows));
        let col = &self.pile.col;
        let mut counts = Counts::default();
        let mut hole_rows = C::ZERO;
        let mut full = board;
        let (mut seen, mut top) = (0_u8, 0);
        for x in 1..=cols {
            let column = col[x];
            let height = column.top();
            let holes = C::low(height) & !column;
            let solid = holes.is_empty();
            self.height[x] = height as u16;
            self.solid[x] = solid;
            top = top.max(height);
            counts.row_transitions += ((col[x - 1] ^ column) & board).count() as i32;
            counts.column_transitions += 1;
            if !solid {
                // Every run of empty cells below the top ends twice.
                let starts = holes & !holes.up(1);
                counts.column_transitions += 2 * starts.count() as i32;
                counts.holes += holes.count() as i32;
                // All filled cells but those that rest on the floor.
                counts.hole_depth += (column.count() - holes.bottom()) as i32;
                hole_rows = hole_rows | holes;
            }
            let wells = wells(col[x - 1], column, col[x + 1]);
            self.wells[x] = wells as u16;
            counts.wells += wells as i32;
            self.full_before[x] = full;
            full = full & column;
            self.patterns_before[x] = seen;
            if x < cols {
                // The difference to the right neighbour belongs to both.
                let right = col[x + 1].top() as u16;
                seen |= pattern(height as u16, right);
            }
        }
        counts.row_transitions += ((col[cols] ^ col[cols + 1]) & board).count() as i32;
        counts.hole_rows = hole_rows.count() as i32;
        counts.patterns = seen.count_ones() as i32;
        let (mut full, mut seen) = (board, 0);
        self.full_from[cols + 1] = full;
        self.patterns_from[cols + 1] = 0;
        for x in (1..=cols).rev() {
            full = full & col[x];
            self.full_from[x] = full;
            if x < cols {
                seen |= pattern(self.height[x], self.height[x + 1]);
            }
            self.patterns_from[x] = seen;
        }
        self.hole_rows = hole_rows;
        self.counts = counts;
        self.top = top as u16;
    }

    /// The pile.
    #[must_use]
    pub fn pile(&self) -> &Pile<C, W> {
        &self.pile
    }

    /// What is counted about the pile itself.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Height of the highest column.
    #[must_use]
    pub fn top(&self) -> u16 {
        self.top
    }

    /// Features of dropping a piece with its left column at `left` (from 1).
    #[must_use]
    #[inline(always)]
    pub fn rate(&self, shape: &Shape, left: usize) -> Counts {
        match shape.width {
            1 => self.rate_width::<1>(shape, left),
            2 => self.rate_width::<2>(shape, left),
            3 => self.rate_width::<3>(shape, left),
            _ => self.rate_width::<4>(shape, left),
        }
    }

    #[inline(always)]
    fn rate_width<const N: usize>(&self, shape: &Shape, left: usize) -> Counts {
        let height = &self.height[left..left + N];
        let lowest = Pile::<C, W>::rest(height, shape);
        // The touched columns with two neighbours on each side, as far as there are any.
        let col = &self.pile.col;
        let mut new = [C::ZERO; N];
        let mut full = self.full_before[left] & self.full_from[left + N];
        for i in 0..N {
            let from = lowest + u32::from(shape.bottom[i]);
            new[i] = col[left + i] | C::range(from, from + u32::from(shape.count[i]));
            full = full & new[i];
        }
        let mut counts = if full.is_empty() {
            self.without_rows(shape, left, lowest, &new)
        } else {
            self.with_rows(left, lowest, &new, full, shape)
        };
        counts.landing2 = (2 * lowest + u32::from(shape.height)) as i32;
        counts
    }

    #[inline(always)]
    fn without_rows<const N: usize>(
        &self,
        shape: &Shape,
        left: usize,
        lowest: u32,
        new: &[C; N],
    ) -> Counts {
        let col = &self.pile.col;
        let mut counts = self.counts;
        let mut hole_rows = self.hole_rows;
        let mut seen = self.patterns_before[left.max(2) - 1] | self.patterns_from[left + N];
        let cols = usize::from(self.pile.cols);
        let mut before = if left > 1 {
            Some(self.height[left - 1])
        } else {
            None
        };
        for i in 0..N {
            let height = self.height[left + i];
            let from = lowest + u32::from(shape.bottom[i]);
            let gap = from.wrapping_sub(u32::from(height)) as i32;
            counts.holes += gap;
            let hangs = gap > 0;
            counts.column_transitions += if hangs { 2 } else { 0 };
            if hangs {
                hole_rows = hole_rows | C::range(u32::from(height), from);
            }
            if hangs || !self.solid[left + i] {
                counts.hole_depth += i32::from(shape.count[i]);
            }
            let now = (from + u32::from(shape.count[i])) as u16;
            if let Some(before) = before {
                seen |= pattern(before, now);
            }
            before = Some(now);
        }
        if let (Some(before), true) = (before, left + N <= cols) {
            seen |= pattern(before, self.height[left + N]);
        }
        counts.patterns = seen.count_ones() as i32;
        counts.hole_rows = hole_rows.count() as i32;

        // Only the rows of the piece change along the rows: four at most, packed into one word.
        let board = C::low(u32::from(self.pile.rows));
        let window = |c: C| (c & board).down(lowest).word() & 15;
        let (mut was, mut is) = (0_u32, 0_u32);
        let (mut was_left, mut is_left) = (window(col[left - 1]), window(col[left - 1]));
        for i in 0..N {
            let (was_here, is_here) = (window(col[left + i]), window(new[i]));
            was |= (was_left ^ was_here) << (4 * i);
            is |= (is_left ^ is_here) << (4 * i);
            (was_left, is_left) = (was_here, is_here);
        }
        let right = window(col[left + N]);
        was |= (was_left ^ right) << (4 * N);
        is |= (is_left ^ right) << (4 * N);
        counts.row_transitions += is.count_ones() as i32 - was.count_ones() as i32;

        let mut change = 0_i32;
        let mut here = |x: usize, l: C, c: C, r: C| {
            change += wells(l, c, r) as i32 - i32::from(self.wells[x]);
        };
        if left > 1 {
            here(left - 1, col[left - 2], col[left - 1], new[0]);
        }
        for i in 0..N {
            let l = if i > 0 { new[i - 1] } else { col[left - 1] };
            let r = if i + 1 < N { new[i + 1] } else { col[left + N] };
            here(left + i, l, new[i], r);
        }
        if left + N <= cols {
            here(left + N, new[N - 1], col[left + N], col[left + N + 1]);
        }
        counts.wells += change;
        counts
    }

    #[inline(never)]
    fn with_rows(&self, left: usize, lowest: u32, new: &[C], full: C, shape: &Shape) -> Counts {
        let mut pile = self.pile;
        pile.col[left..left + new.len()].copy_from_slice(new);
        pile.squeeze(full);
        let mut counts = whole(&pile);
        let rows = full.count() as i32;
        let window = full.down(lowest).word();
        let cells: i32 = (0..4)
            .filter(|r| window >> r & 1 == 1)
            .map(|r| i32::from(shape.in_row[r]))
            .sum();
        counts.removed = rows;
        counts.eroded = rows * cells;
        counts
    }
}

/// The features of a pile alone.
#[inline(always)]
fn whole<C: Bits, const W: usize>(pile: &Pile<C, W>) -> Counts {
    let cols = usize::from(pile.cols);
    let board = C::low(u32::from(pile.rows));
    let col = &pile.col;
    let mut counts = Counts::default();
    let mut hole_rows = C::ZERO;
    let mut seen = 0_u8;
    let mut before = 0;
    for x in 1..=cols {
        let column = col[x];
        let height = column.top();
        let holes = C::low(height) & !column;
        counts.row_transitions += ((col[x - 1] ^ column) & board).count() as i32;
        counts.column_transitions += 1;
        if !holes.is_empty() {
            let starts = holes & !holes.up(1);
            counts.column_transitions += 2 * starts.count() as i32;
            counts.holes += holes.count() as i32;
            counts.hole_depth += (column.count() - holes.bottom()) as i32;
            hole_rows = hole_rows | holes;
        }
        counts.wells += wells(col[x - 1], column, col[x + 1]) as i32;
        if x > 1 {
            seen |= pattern(before, height as u16);
        }
        before = height as u16;
    }
    counts.row_transitions += ((col[cols] ^ col[cols + 1]) & board).count() as i32;
    counts.hole_rows = hole_rows.count() as i32;
    counts.patterns = seen.count_ones() as i32;
    counts
}
