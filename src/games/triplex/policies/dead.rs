//! What is known to have no solution: free squares with a stock of figures.
//!
//! A table of fixed size; of two that fall on one slot the later is kept. Exact: whole entries are
//! compared, so that nothing is ever taken for something else.

use super::word::Word;

/// Free squares below which a search costs less than looking up.
const FEWEST: u32 = 12;
/// One slot for each so many doublings: a third of the free squares.
const SQUARES_PER_BIT: u32 = 3;
/// At most 2^16 slots, 2 or 3 MB.
const MOST_BITS: u32 = 16;
/// Kinds whose numbers fit beside one another in a stock.
const MOST_KINDS: usize = 16;

/// The table.
pub struct Dead<W> {
    slots: Vec<(W, u128)>,
    bits: u32,
}

impl<W: Word> Dead<W> {
    /// A table for a field; none at all if the kinds are too many.
    pub fn new(free: W, kinds: usize) -> Self {
        let bits = (free.len() / SQUARES_PER_BIT).min(MOST_BITS);
        let worth = kinds <= MOST_KINDS && free.len() >= FEWEST;
        Self {
            // No entry has no free squares.
            slots: vec![(W::EMPTY, 0); if worth { 1 << bits } else { 0 }],
            bits,
        }
    }

    /// One figure of a kind, to be added up to a stock. Beyond [`MOST_KINDS`] nothing is looked up.
    #[inline]
    pub const fn one(kind: usize) -> u128 {
        if kind < MOST_KINDS {
            1 << (8 * kind)
        } else {
            0
        }
    }

    /// Where free squares with a stock belong; `None` if they are not worth it.
    #[inline]
    pub fn slot(&self, free: W, stock: u128) -> Option<usize> {
        if self.slots.is_empty() || free.len() < FEWEST {
            return None;
        }
        let stock = (stock ^ stock >> 64) as u64;
        let mixed = (free.folded() ^ stock.wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .wrapping_mul(0xD6E8_FEB8_6659_FD93);
        Some((mixed >> (64 - self.bits)) as usize)
    }

    /// Whether they are known to have no solution.
    #[inline]
    pub fn holds(&self, slot: usize, free: W, stock: u128) -> bool {
        self.slots[slot] == (free, stock)
    }

    /// Keeps that they have none.
    #[inline]
    pub fn insert(&mut self, slot: usize, free: W, stock: u128) {
        self.slots[slot] = (free, stock);
    }
}
