//! What is counted about a placement, and its value: a weighted sum.
//!
//! [`Ground`] holds what is needed about a pile so that each of its placements is counted from
//! the few columns the piece touches; only where rows vanish is everything counted anew.

use super::bits::Bits;
use super::counting::counting;
use super::pile::Pile;
use super::shape::Shape;
use super::wells::{buried_wells, wells};

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
    "pile height",
];
/// Number of features.
pub const FEATURES: usize = 11;

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
    /// Height of the highest column.
    pub height: i32,
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
            f64::from(self.height),
        ]
    }

    /// The weighted sum.
    #[must_use]
    #[inline(always)]
    pub fn value(&self, weights: &[f64; FEATURES]) -> f64 {
        // Four sums side by side: a quarter of the time of one long chain.
        let mut sums = [0.0; 4];
        let values = self.values();
        for i in 0..FEATURES {
            sums[i % 4] += weights[i] * values[i];
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }
}

/// A pile with all that its placements share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground<C, const W: usize> {
    pub(super) pile: Pile<C, W>,
    /// Heights of the columns; the walls are endless.
    pub(super) height: [u16; W],
    /// Whether a column has no hole.
    solid: [bool; W],
    wells: [u16; W],
    /// The wells under a column's top, and what they are worth.
    buried: [(C, u16); W],
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

/// Height of a wall: no column comes near it.
const ENDLESS: u16 = 30_000;

/// The bit of a difference of heights; 0 for those that are not counted.
#[inline(always)]
fn pattern(left: u16, right: u16) -> u8 {
    let d = u32::from(left)
        .wrapping_sub(u32::from(right))
        .wrapping_add(2);
    (1_u32.unbounded_shl(d) & 31) as u8
}

/// `N` columns from `left`; the shapes' widths keep them inside the array.
#[inline(always)]
fn part<T, const N: usize>(all: &[T], left: usize) -> &[T; N] {
    // The slice has N elements.
    all[left..left + N]
        .try_into()
        .unwrap_or_else(|_| unreachable!())
}

impl<C: Bits, const W: usize> Ground<C, W> {
    /// Counts everything about a pile.
    #[must_use]
    pub fn new(pile: &Pile<C, W>) -> Self {
        let mut ground = Self {
            pile: *pile,
            height: [ENDLESS; W],
            solid: [true; W],
            wells: [0; W],
            buried: [(C::ZERO, 0); W],
            full_before: [C::ZERO; W],
            full_from: [C::ZERO; W],
            patterns_before: [0; W],
            patterns_from: [0; W],
            hole_rows: C::ZERO,
            counts: Counts::default(),
            top: 0,
        };
        counting(|| ground.count());
        ground
    }

    /// Counts another pile in the same place.
    #[inline]
    pub fn reset(&mut self, pile: &Pile<C, W>) {
        self.pile = *pile;
        counting(|| self.count());
    }

    #[inline(always)]
    fn count(&mut self) {
        let cols = usize::from(self.pile.cols);
        let board = C::low(u32::from(self.pile.rows));
        let col = &self.pile.col;
        let mut counts = Counts::default();
        let mut hole_rows = C::ZERO;
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
            let buried = col[x - 1] & col[x + 1] & holes;
            self.buried[x] = (buried, 0);
            if !buried.is_empty() {
                self.buried[x].1 = buried_wells(buried, column) as u16;
            }
            let wells = wells(col[x - 1], column, col[x + 1], height, self.buried[x]);
            self.wells[x] = wells as u16;
            counts.wells += wells as i32;
            if x < cols {
                // The difference to the right neighbour belongs to both.
                seen |= pattern(height as u16, col[x + 1].top() as u16);
            }
        }
        counts.row_transitions += ((col[cols] ^ col[cols + 1]) & board).count() as i32;
        counts.hole_rows = hole_rows.count() as i32;
        counts.patterns = seen.count_ones() as i32;
        counts.height = top as i32;
        self.full_before[1] = board;
        self.full_from[cols + 1] = board;
        self.patterns_before[1] = 0;
        self.patterns_from[cols + 1] = 0;
        self.patterns_from[cols] = 0;
        self.hole_rows = hole_rows;
        self.counts = counts;
        self.top = top as u16;
        self.share(1, cols + 1);
    }

    /// Brings this ground to what `before` becomes by a placement whose features are `counts`.
    #[inline]
    pub fn follow(&mut self, before: &Self, shape: &Shape, left: usize, counts: &Counts) {
        counting(|| self.follow_counted(before, shape, left, counts));
    }

    #[inline(always)]
    fn follow_counted(&mut self, before: &Self, shape: &Shape, left: usize, counts: &Counts) {
        if counts.removed > 0 {
            self.pile = before.pile;
            self.pile.drop_piece(shape, left);
            self.count();
            return;
        }
        self.clone_from(before);
        self.counts = Counts {
            landing2: 0,
            eroded: 0,
            ..*counts
        };
        self.top = counts.height as u16;
        let width = usize::from(shape.width);
        let cols = usize::from(self.pile.cols);
        let lowest = Pile::<C, W>::rest(&before.height[left..], shape);
        for i in 0..width {
            let x = left + i;
            let column = self.pile.col[x] | C::of_word(shape.cells[i]).up(lowest);
            let height = lowest + u32::from(shape.bottom[i]) + u32::from(shape.count[i]);
            let holes = C::low(height) & !column;
            self.pile.col[x] = column;
            self.height[x] = height as u16;
            self.solid[x] = holes.is_empty();
            self.hole_rows = self.hole_rows | holes;
        }
        // Neighbours have other wells too.
        for x in (left - 1).max(1)..=(left + width).min(cols) {
            let (l, column, r) = (self.pile.col[x - 1], self.pile.col[x], self.pile.col[x + 1]);
            let height = u32::from(self.height[x]);
            let buried = l & r & C::low(height) & !column;
            let worth = if buried.is_empty() {
                0
            } else {
                buried_wells(buried, column) as u16
            };
            self.buried[x] = (buried, worth);
            self.wells[x] = wells(l, column, r, height, self.buried[x]) as u16;
        }
        self.share(left, left + width);
    }

    /// What is shared from the columns `from..to` on to the right and to the left.
    #[inline(always)]
    fn share(&mut self, from: usize, to: usize) {
        let cols = usize::from(self.pile.cols);
        for x in from..cols {
            self.full_before[x + 1] = self.full_before[x] & self.pile.col[x];
        }
        for x in (from.max(2) - 1)..cols {
            self.patterns_before[x + 1] =
                self.patterns_before[x] | pattern(self.height[x], self.height[x + 1]);
        }
        for x in (1..to).rev() {
            self.full_from[x] = self.full_from[x + 1] & self.pile.col[x];
        }
        for x in (1..to.min(cols)).rev() {
            self.patterns_from[x] =
                self.patterns_from[x + 1] | pattern(self.height[x], self.height[x + 1]);
        }
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
        let height: &[u16; N] = part(&self.height, left);
        let old: &[C; N] = part(&self.pile.col, left);
        let lowest = Pile::<C, W>::rest(height, shape);
        let mut new = [C::ZERO; N];
        let mut full = self.full_before[left] & self.full_from[left + N];
        for i in 0..N {
            new[i] = old[i] | C::of_word(shape.cells[i]).up(lowest);
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
        let old: &[C; N] = part(&self.pile.col, left);
        let heights: &[u16; N] = part(&self.height, left);
        let solid: &[bool; N] = part(&self.solid, left);
        let mut counts = self.counts;
        let mut hole_rows = self.hole_rows;
        // The walls count as endlessly high: no difference to them is a pattern, and no wells
        // are in them.
        let mut seen = self.patterns_before[left.max(2) - 1] | self.patterns_from[left + N];
        let mut before = self.height[left - 1];
        let mut tops = [0_u32; N];
        for i in 0..N {
            let height = u32::from(heights[i]);
            let count = u32::from(shape.count[i]);
            let from = lowest.wrapping_add(u32::from(shape.bottom[i]));
            let gap = from.wrapping_sub(height);
            let hangs = gap > 0;
            counts.holes = counts.holes.wrapping_add(gap as i32);
            counts.column_transitions =
                counts.column_transitions.wrapping_add(2 * i32::from(hangs));
            hole_rows = hole_rows | C::low(gap).up(height);
            let buries = u32::from(hangs | !solid[i]).wrapping_mul(count);
            counts.hole_depth = counts.hole_depth.wrapping_add(buries as i32);
            let now = from.wrapping_add(count);
            counts.height = counts.height.max(now as i32);
            seen |= pattern(before, now as u16);
            before = now as u16;
            tops[i] = now;
        }
        seen |= pattern(before, self.height[left + N]);
        counts.patterns = seen.count_ones() as i32;
        counts.hole_rows = hole_rows.count() as i32;

        // Only the rows of the piece change along the rows: four at most, packed into one word.
        let outer = [self.pile.col[left - 1], self.pile.col[left + N]];
        let window = |c: C| c.down(lowest).word() & 15;
        let edge = window(outer[0]);
        let (mut was, mut is) = (0_u32, 0_u32);
        let (mut was_left, mut is_left) = (edge, edge);
        for i in 0..N {
            let was_here = window(old[i]);
            let is_here = was_here | shape.cells[i];
            was |= (was_left ^ was_here) << (4 * i);
            is |= (is_left ^ is_here) << (4 * i);
            (was_left, is_left) = (was_here, is_here);
        }
        let edge = window(outer[1]);
        was |= (was_left ^ edge) << (4 * N);
        is |= (is_left ^ edge) << (4 * N);
        // Rows above the board do not count.
        let board = window(C::low(u32::from(self.pile.rows))).wrapping_mul(0x11111);
        let change = (is & board)
            .count_ones()
            .wrapping_sub((was & board).count_ones());
        counts.row_transitions = counts.row_transitions.wrapping_add(change as i32);

        let (far_left, far_right) = (left.max(2) - 2, left + N + 1);
        let beside = [
            u32::from(self.height[left - 1]),
            u32::from(self.height[left + N]),
        ];
        let mut change = wells(
            self.pile.col[far_left],
            outer[0],
            new[0],
            beside[0],
            self.buried[left - 1],
        );
        change = change.wrapping_add(wells(
            new[N - 1],
            outer[1],
            self.pile.col[far_right],
            beside[1],
            self.buried[left + N],
        ));
        let mut gone =
            u32::from(self.wells[left - 1]).wrapping_add(u32::from(self.wells[left + N]));
        for i in 0..N {
            let l = if i > 0 { new[i - 1] } else { outer[0] };
            let r = if i + 1 < N { new[i + 1] } else { outer[1] };
            change = change.wrapping_add(wells(l, new[i], r, tops[i], self.buried[left + i]));
            gone = gone.wrapping_add(u32::from(self.wells[left + i]));
        }
        counts.wells = counts.wells.wrapping_add(change.wrapping_sub(gone) as i32);
        counts
    }

    #[inline(never)]
    fn with_rows(&self, left: usize, lowest: u32, new: &[C], full: C, shape: &Shape) -> Counts {
        let mut pile = self.pile;
        pile.col[left..left + new.len()].copy_from_slice(new);
        pile.squeeze(full);
        let mut counts = counting(|| whole(&pile));
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
        counts.wells += wells(col[x - 1], column, col[x + 1], height, (C::ZERO, 0)) as i32;
        if x > 1 {
            seen |= pattern(before, height as u16);
        }
        before = height as u16;
        counts.height = counts.height.max(height as i32);
    }
    counts.row_transitions += ((col[cols] ^ col[cols + 1]) & board).count() as i32;
    counts.hole_rows = hole_rows.count() as i32;
    counts.patterns = seen.count_ones() as i32;
    counts
}
