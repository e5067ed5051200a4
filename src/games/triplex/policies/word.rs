//! Sets of squares as machine words: 64 squares fit the fast one, 128 the other.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// A set of squares, numbered row-major.
pub trait Word:
    Copy
    + Eq
    + Debug
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// No square.
    const EMPTY: Self;
    /// Square number 0.
    const FIRST: Self;
    /// The smallest number in the set; beyond all if it is empty.
    fn lowest(self) -> u32;
    /// How many squares are in it.
    fn len(self) -> u32;
    /// All of it in 64 bits.
    fn folded(self) -> u64;
}

macro_rules! word {
    ($type:ty) => {
        impl Word for $type {
            const EMPTY: Self = 0;
            const FIRST: Self = 1;
            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn len(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            #[allow(clippy::unnecessary_cast)]
            fn folded(self) -> u64 {
                let whole = self as u128;
                (whole ^ whole >> 64) as u64
            }
        }
    };
}
word!(u64);
word!(u128);
