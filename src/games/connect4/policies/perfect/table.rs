//! What is known of positions: bounds of their scores in a table of fixed size.
//!
//! Keys are exact: a product with an odd number is taken modulo a power of two that no key reaches,
//! which loses nothing; some of its bits say where, the rest are kept. So a bound that is found is
//! always one of this very position, and stays true for ever. Several threads may share a table:
//! an entry is one word.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bounds of a score, and the move that proved the lower one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    /// The column that was best, from 0; 15 if none is known.
    pub best: u32,
}

/// The table.
#[derive(Debug)]
pub struct Table {
    slots: Vec<AtomicU64>,
    key_bits: u32,
    tag_bits: u32,
    /// Entries of other generations are empty.
    generation: u64,
}

/// Two slots share a place.
const WAYS: usize = 2;
const SCORE_BITS: u32 = 6;
const BEST_BITS: u32 = 4;
const WORK_BITS: u32 = 6;
const BODY_BITS: u32 = 2 * SCORE_BITS + BEST_BITS + WORK_BITS;
/// Scores are kept as numbers from 0.
const SHIFT: i32 = 32;
/// Odd, its bits without pattern: the fraction of the golden ratio.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Table {
    /// A table of at most so many bytes for keys of so many bits.
    #[must_use]
    pub fn new(bytes: usize, key_bits: u32) -> Self {
        // Tag and body must fit into a word beside at least one bit of generation.
        let least = (key_bits + BODY_BITS + 1).saturating_sub(64).max(10);
        let places = (bytes / (8 * WAYS))
            .max(1)
            .ilog2()
            .clamp(least, 40.min(key_bits - 1));
        let mut slots = Vec::new();
        slots.resize_with(WAYS << places, AtomicU64::default);
        Self {
            slots,
            key_bits,
            tag_bits: key_bits - places,
            generation: 1,
        }
    }

    /// Forgets all.
    pub fn forget(&mut self) {
        self.generation += 1;
        if self.generation >> (64 - BODY_BITS - self.tag_bits) != 0 {
            self.generation = 1;
            for slot in &mut self.slots {
                *slot.get_mut() = 0;
            }
        }
    }

    #[inline(always)]
    fn place(&self, key: u64) -> (usize, u64) {
        let mixed = key.wrapping_mul(SPREAD) << (64 - self.key_bits) >> (64 - self.key_bits);
        let tag = mixed & ((1 << self.tag_bits) - 1);
        let at = (mixed >> self.tag_bits) as usize * WAYS;
        (at, (self.generation << self.tag_bits | tag) << BODY_BITS)
    }

    /// What is known of a position.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, key: u64) -> Option<Known> {
        let (at, tag) = self.place(key);
        let pair = self.slots.get(at..at + WAYS)?;
        for slot in pair {
            let found = slot.load(Relaxed);
            if (found ^ tag) >> BODY_BITS == 0 {
                return Some(unpack(found));
            }
        }
        None
    }

    /// Keeps what is known of a position that took about so many nodes, in the place of the entry
    /// that took fewer.
    #[inline(always)]
    pub fn put(&self, key: u64, known: Known, nodes: u64) {
        let (at, tag) = self.place(key);
        let Some([first, second]) = self.slots.get(at..at + WAYS) else {
            return;
        };
        let work = u64::from(64 - (nodes | 1).leading_zeros()).min((1 << WORK_BITS) - 1);
        let (a, b) = (first.load(Relaxed), second.load(Relaxed));
        let worth = |old: u64| {
            if (old ^ tag) >> BODY_BITS == 0 {
                0
            } else if old >> (BODY_BITS + self.tag_bits) != self.generation {
                1
            } else {
                2 + (old & ((1 << WORK_BITS) - 1))
            }
        };
        let slot = if worth(a) <= worth(b) { first } else { second };
        slot.store(tag | pack(known) | work, Relaxed);
    }
}

#[inline(always)]
fn pack(known: Known) -> u64 {
    let score = |s: i32| (s + SHIFT) as u64 & ((1 << SCORE_BITS) - 1);
    ((score(known.lower) << SCORE_BITS | score(known.upper)) << BEST_BITS | u64::from(known.best))
        << WORK_BITS
}

#[inline(always)]
fn unpack(slot: u64) -> Known {
    let score = |by: u32| (slot >> by & ((1 << SCORE_BITS) - 1)) as i32 - SHIFT;
    Known {
        lower: score(WORK_BITS + BEST_BITS + SCORE_BITS),
        upper: score(WORK_BITS + BEST_BITS),
        best: (slot >> WORK_BITS) as u32 & ((1 << BEST_BITS) - 1),
    }
}
