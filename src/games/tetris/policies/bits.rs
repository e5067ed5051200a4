//! One column of a pile as an integer: bit 0 is the bottom row.
//!
//! Columns and not rows, because a piece changes at most four columns, and nearly everything that
//! is counted about a pile is a sum over columns or over pairs of neighbours.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// An integer wide enough for a column and four rows above the board.
pub trait Bits:
    Copy
    + Eq
    + Debug
    + Send
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// No cell.
    const ZERO: Self;
    /// Rows it has place for.
    const BITS: u32;

    /// The lowest `n` rows.
    fn low(n: u32) -> Self;
    /// Moved up by `n` rows; what leaves the integer is lost.
    fn up(self, n: u32) -> Self;
    /// Moved down by `n` rows.
    fn down(self, n: u32) -> Self;
    /// Cells set.
    fn count(self) -> u32;
    /// Rows up to and with the highest cell; 0 for none.
    fn top(self) -> u32;
    /// Rows below the lowest cell; `BITS` for none.
    fn bottom(self) -> u32;
    /// The lowest 32 rows.
    fn word(self) -> u32;
    /// The cells of a word in the lowest rows.
    fn of_word(word: u32) -> Self;
    /// The sum over all cells of their row, counted from 1.
    fn ranks(self) -> u32;

    /// Whether there is no cell.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }

    /// The rows `from..to`; none if `to <= from`.
    #[inline(always)]
    fn range(from: u32, to: u32) -> Self {
        Self::low(to) & !Self::low(from)
    }

    /// Without the rows of `full`; those above move down.
    #[inline(always)]
    fn squeezed(mut self, mut full: Self) -> Self {
        while !full.is_empty() {
            let row = full.top() - 1;
            let below = Self::low(row);
            self = (self & below) | (self.down(1) & !below);
            full = full & below;
        }
        self
    }
}

/// For each bit of a row's number the rows that have it.
const ODD: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

macro_rules! integer {
    ($t:ty) => {
        impl Bits for $t {
            const ZERO: Self = 0;
            const BITS: u32 = <$t>::BITS;

            #[inline(always)]
            fn low(n: u32) -> Self {
                !(<$t>::MAX.unbounded_shl(n))
            }
            #[inline(always)]
            fn up(self, n: u32) -> Self {
                self.unbounded_shl(n)
            }
            #[inline(always)]
            fn down(self, n: u32) -> Self {
                self.unbounded_shr(n)
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn top(self) -> u32 {
                <$t>::BITS.wrapping_sub(self.leading_zeros())
            }
            #[inline(always)]
            fn bottom(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline(always)]
            fn word(self) -> u32 {
                self as u32
            }
            #[inline(always)]
            fn of_word(word: u32) -> Self {
                word as $t
            }
            #[inline(always)]
            fn ranks(self) -> u32 {
                // Bit by bit of the row's number, without a loop over the cells.
                let mut sum = self.count_ones();
                for (b, mask) in ODD.iter().enumerate() {
                    let rows = self & (*mask as $t);
                    sum = u32::wrapping_add(sum, rows.count_ones() << b);
                }
                sum
            }
        }
    };
}

integer!(u32);
integer!(u64);

/// Words of a [`Wide`] column.
const WORDS: usize = 7;

/// A column of a board of up to 400 rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide([u64; WORDS]);

impl Wide {
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl BitAnd for Wide {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Wide {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl BitXor for Wide {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl Not for Wide {
    type Output = Self;
    fn not(self) -> Self {
        Self(self.0.map(|w| !w))
    }
}

impl Bits for Wide {
    const ZERO: Self = Self([0; WORDS]);
    const BITS: u32 = 64 * WORDS as u32;

    fn low(n: u32) -> Self {
        Self(std::array::from_fn(|i| {
            u64::low(n.saturating_sub(64 * i as u32))
        }))
    }

    fn up(self, n: u32) -> Self {
        let (words, bits) = ((n / 64) as usize, n % 64);
        let word = |i: usize| i.checked_sub(words).map_or(0, |i| self.0[i]);
        Self(std::array::from_fn(|i| {
            let carried = i.checked_sub(1).map_or(0, word);
            (word(i) << bits) | carried.unbounded_shr(64 - bits)
        }))
    }

    fn down(self, n: u32) -> Self {
        let (words, bits) = ((n / 64) as usize, n % 64);
        let word = |i: usize| self.0.get(i + words).copied().unwrap_or(0);
        Self(std::array::from_fn(|i| {
            (word(i) >> bits) | word(i + 1).unbounded_shl(64 - bits)
        }))
    }

    fn count(self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    fn top(self) -> u32 {
        let highest = self.0.iter().rposition(|&w| w != 0);
        highest.map_or(0, |i| 64 * i as u32 + 64 - self.0[i].leading_zeros())
    }

    fn bottom(self) -> u32 {
        let lowest = self.0.iter().position(|&w| w != 0);
        lowest.map_or(Self::BITS, |i| 64 * i as u32 + self.0[i].trailing_zeros())
    }

    fn word(self) -> u32 {
        self.0[0] as u32
    }

    fn of_word(word: u32) -> Self {
        let mut wide = Self::ZERO;
        wide.0[0] = u64::from(word);
        wide
    }

    fn ranks(self) -> u32 {
        let words = self.0.iter().enumerate();
        words
            .map(|(i, w)| w.ranks() + 64 * i as u32 * w.count_ones())
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(bits: &[u32]) -> Wide {
        bits.iter()
            .fold(Wide::ZERO, |w, &b| w | (Wide::low(b + 1) & !Wide::low(b)))
    }

    #[test]
    fn wide_columns_are_like_narrow_ones() {
        let rows = [0, 3, 63, 64, 127, 200, 399];
        let w = wide(&rows);
        assert_eq!((w.count(), w.top(), w.bottom()), (7, 400, 0));
        assert_eq!(w.up(5).down(5), w);
        assert_eq!(w.down(64), wide(&[0, 63, 136, 335]));
        assert_eq!(wide(&[1, 60]).up(70), wide(&[71, 130]));
        assert_eq!(Wide::range(60, 70).count(), 10);
        assert_eq!(Wide::range(70, 60), Wide::ZERO);
        assert_eq!(Wide::low(448).count(), 448);
        assert_eq!(w.ranks(), rows.iter().map(|r| r + 1).sum::<u32>());
        assert_eq!(0x8000_0005_u32.ranks(), 1 + 3 + 32);
        assert_eq!(Wide::of_word(6).ranks(), 5);
    }

    #[test]
    fn squeezing_takes_rows_out() {
        assert_eq!(0b1011_0110_u32.squeezed(0b0010_0100), 0b10_1010);
        assert_eq!(u32::low(32), u32::MAX);
        let w = wide(&[10, 100, 150, 399]).squeezed(wide(&[100, 120]));
        assert_eq!(w, wide(&[10, 148, 397]));
    }
}
