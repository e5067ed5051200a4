//! Stocks of the eight kinds as one word, and all that fill an area, numbered.
//!
//! A stock of known area is given by seven of its eight counts, a byte each; the first kind makes
//! up the rest. Stocks are added as words.

use crate::games::triplex::rules::{Figure, KINDS};

/// Counts of the kinds 1 to 7 in bytes 1 to 7. Byte 0 is free for marks.
pub type Packed = u64;

/// The word of one figure of a kind; nothing for kind 0.
#[must_use]
pub const fn one(kind: usize) -> Packed {
    if kind == 0 { 0 } else { 1 << (8 * kind) }
}

/// How many of each kind.
pub type Counts = [u8; 8];

/// A symmetry of rectangles, as a permutation of the kinds.
#[derive(Clone, Copy, Debug)]
pub struct Symmetry([usize; 8]);

impl Symmetry {
    fn of(map: impl Fn(&Figure) -> Figure) -> Self {
        Self(std::array::from_fn(|i| {
            let image = map(&KINDS[i]);
            // The eight kinds are all there is of two and three squares.
            KINDS.iter().position(|k| *k == image).unwrap_or(i)
        }))
    }

    /// Left and right exchanged.
    #[must_use]
    pub fn mirror() -> Self {
        Self::of(Figure::mirrored)
    }

    /// Rows and columns exchanged.
    #[must_use]
    pub fn transposition() -> Self {
        Self::of(Figure::transposed)
    }

    /// The four symmetries of a rectangle, or the eight of a square; the first changes nothing.
    #[must_use]
    pub fn all(of_square: bool) -> Vec<Self> {
        let half = |f: &Figure| f.turned().turned();
        let mut all = vec![
            Self::of(|f| *f),
            Self::mirror(),
            Self::of(half),
            Self::of(|f| half(f).mirrored()),
        ];
        if of_square {
            for i in 0..4 {
                let Self(first) = all[i];
                let Self(then) = Self::transposition();
                all.push(Self(std::array::from_fn(|k| then[first[k]])));
            }
        }
        all
    }

    /// The image of a stock.
    #[must_use]
    pub fn apply(&self, counts: &Counts) -> Counts {
        let mut image = [0; 8];
        for (&to, &n) in self.0.iter().zip(counts) {
            image[to] = n;
        }
        image
    }
}

/// Largest area: five bits hold the count of any kind of three squares.
pub const MOST_AREA: usize = 93;
/// Three counts of five bits.
const TRIPLES: usize = 1 << 15;

/// All stocks that fill an area, numbered without many gaps; the number is a sum of parts, so
/// that the number of a sum of two stocks takes two look-ups.
pub struct Numbering {
    area: usize,
    /// Numbers of counts 2 to 4 and of 5 to 7, by their bits.
    upper: Vec<u32>,
    lower: Vec<u32>,
    len: usize,
}

impl Numbering {
    /// The stocks of an area of at most [`MOST_AREA`] squares.
    #[must_use]
    pub fn new(area: usize) -> Self {
        let most = area / 3;
        let sum = |bits: usize| (bits & 31) + (bits >> 5 & 31) + (bits >> 10);
        let row = area / 2 + 1;
        let mut by_sum = vec![0usize; most + 1];
        let within = || (0..TRIPLES).filter(|&bits| sum(bits) <= most);
        within().for_each(|bits| by_sum[sum(bits)] += 1);
        // The lower counts in the order of their sums: those that an upper leaves room for come
        // first.
        let mut next = vec![0usize; most + 1];
        for s in 1..=most {
            next[s] = next[s - 1] + by_sum[s - 1];
        }
        let mut lower = vec![0; TRIPLES];
        for bits in within() {
            lower[bits] = (next[sum(bits)] * row) as u32;
            next[sum(bits)] += 1;
        }
        let mut upper = vec![0; TRIPLES];
        let mut len = 0;
        for bits in within() {
            upper[bits] = len as u32;
            len += next[most - sum(bits)] * row;
        }
        Self {
            area,
            upper,
            lower,
            len,
        }
    }

    /// Numbers are below this.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// A packed stock with five bits for each of the counts 2 to 7, the sum of two of which
    /// [`Numbering::at`] takes.
    #[must_use]
    pub fn narrow(packed: Packed) -> u64 {
        let byte = |kind: u32| packed >> (8 * kind) & 0xFF;
        (2..8).fold(byte(1) << 30, |all, kind| {
            all | byte(kind) << (5 * (kind - 2))
        })
    }

    /// The number of a stock of narrow form.
    #[inline]
    #[must_use]
    pub fn at(&self, narrow: u64) -> usize {
        let upper = self.upper[narrow as usize % TRIPLES];
        let lower = self.lower[(narrow >> 15) as usize % TRIPLES];
        upper as usize + lower as usize + (narrow >> 30) as usize
    }

    /// The number of a stock.
    #[must_use]
    pub fn number(&self, counts: &Counts) -> usize {
        self.at(Self::narrow(u64::from_le_bytes(*counts)))
    }

    /// Calls `f` with every stock.
    pub fn for_each(&self, mut f: impl FnMut(&Counts)) {
        let mut counts = [0; 8];
        self.fill(7, self.area, &mut counts, &mut f);
    }

    fn fill(&self, kind: usize, left: usize, counts: &mut Counts, f: &mut impl FnMut(&Counts)) {
        if kind == 0 {
            if left.is_multiple_of(2) {
                counts[0] = (left / 2) as u8;
                f(counts);
            }
            return;
        }
        for n in 0..=left / KINDS[kind].squares() {
            counts[kind] = n as u8;
            self.fill(kind - 1, left - n * KINDS[kind].squares(), counts, f);
        }
        counts[kind] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(counts: &Counts) -> usize {
        let all = counts.iter().zip(&KINDS);
        all.map(|(&n, k)| usize::from(n) * k.squares()).sum()
    }

    #[test]
    fn numbers_are_different_and_sums_of_parts() {
        for area in [6, 17, 36] {
            let numbering = Numbering::new(area);
            let mut seen = vec![false; numbering.len()];
            numbering.for_each(|counts| {
                assert_eq!(squares(counts), area);
                let n = numbering.number(counts);
                assert!(!std::mem::replace(&mut seen[n], true), "{counts:?}");
                let part = u64::from_le_bytes(counts.map(|n| n / 2));
                let rest = u64::from_le_bytes(counts.map(|n| n - n / 2));
                let sum = Numbering::narrow(part) + Numbering::narrow(rest);
                assert_eq!(numbering.at(sum), n);
            });
        }
    }

    #[test]
    fn symmetries_permute_the_kinds() {
        let counts = [1, 2, 3, 4, 5, 6, 7, 8];
        let mirror = Symmetry::mirror().apply(&counts);
        assert_eq!(mirror, [1, 2, 3, 4, 6, 5, 8, 7]);
        let transposed = Symmetry::transposition().apply(&counts);
        assert_eq!(transposed, [2, 1, 4, 3, 5, 7, 6, 8]);
        let mut images: Vec<Counts> = Symmetry::all(true)
            .iter()
            .map(|s| s.apply(&counts))
            .collect();
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), 8);
    }
}
