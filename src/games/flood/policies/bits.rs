//! Sets of small numbers as fixed arrays of words: copied, compared and joined without a heap.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// A set of numbers below `64 * N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits<const N: usize>(pub [u64; N]);

impl<const N: usize> Bits<N> {
    /// No number.
    pub const EMPTY: Self = Self([0; N]);

    /// Adds `i`.
    #[inline]
    pub fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    /// Whether `i` is in it.
    #[inline]
    #[must_use]
    pub fn contains(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    /// Whether it is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |a, w| a | w) == 0
    }

    /// How many numbers are in it.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// What is in it but not in `other`.
    #[inline]
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        *self & !*other
    }

    /// Whether all of it is in `other`.
    #[inline]
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.minus(other).is_empty()
    }

    /// The largest number in it.
    #[inline]
    #[must_use]
    pub fn last(&self) -> Option<usize> {
        (0..N)
            .rev()
            .find(|&i| self.0[i] != 0)
            .map(|i| i * 64 + 63 - self.0[i].leading_zeros() as usize)
    }

    /// Calls `f` with each number, from the smallest.
    #[inline]
    pub fn for_each(&self, mut f: impl FnMut(usize)) {
        for (i, &word) in self.0.iter().enumerate() {
            let mut w = word;
            while w != 0 {
                f(i * 64 + w.trailing_zeros() as usize);
                w &= w - 1;
            }
        }
    }
}

impl<const N: usize> BitAnd for Bits<N> {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const N: usize> BitOr for Bits<N> {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const N: usize> BitOrAssign for Bits<N> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
    }
}

impl<const N: usize> Not for Bits<N> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|w| !w))
    }
}
