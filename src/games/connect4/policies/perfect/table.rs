//! What is known of positions: bounds of their scores in a table that grows up to a fixed size.
//!
//! Keys are exact: the product with an odd number modulo a power of two that no key reaches loses
//! nothing; some of its bits say where, and enough are kept to tell the rest. So bounds that are
//! found are always those of this very position, and stay true for ever.
//!
//! A small table fits into the processor's caches and is twice as fast as a large one, and since
//! entries of little work make way, it does nearly as well until it is very crowded.

use crate::games::connect4::rules::bits::Word;

/// Bounds of a score, and the move that proved the lower one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    /// The column, from 0, that was best; [`NO_COLUMN`] if none is known.
    pub best: u32,
}

/// No column is known.
pub const NO_COLUMN: u32 = 15;

/// The table.
#[derive(Debug)]
pub struct Table {
    slots: Vec<u64>,
    key_bits: u32,
    body_bits: u32,
    /// Bits of a key that an entry keeps: those that do not say where in the smallest table.
    tag_bits: u32,
    /// Binary logarithms of the number of places: now, at first, at most.
    places: u32,
    least: u32,
    most: u32,
    /// Entries of other generations are empty.
    generation: u64,
    /// Entries written since the table has its size.
    written: u64,
}

/// Slots of a place.
const WAYS: usize = 2;
const SCORE_BITS: u32 = 6;
const BEST_BITS: u32 = 4;
const WORK_BITS: u32 = 6;
/// What is left out where keys are too long for it.
const EXTRA_BITS: u32 = BEST_BITS + WORK_BITS;
/// Scores are kept as numbers from 0.
const SHIFT: i32 = 32;
/// A table of one megabyte at first, if keys allow.
const FIRST: u32 = 16;
/// So many entries written for each slot are a crowd.
const CROWD: u64 = 8;

impl Table {
    /// A table that grows to about so many bytes (the next smaller power of two, but as many as
    /// exact keys of so many bits need: 32 MB for 8x8, less than 1 MB for 7x6).
    #[must_use]
    pub fn new(bytes: usize, key_bits: u32) -> Self {
        let wanted = (bytes / (8 * WAYS)).max(1).ilog2().min(36);
        // Tag, body and at least two bits of generation fit into a word.
        let needed = |body: u32| (key_bits + body + 2).saturating_sub(64);
        let full = 2 * SCORE_BITS + EXTRA_BITS;
        let body_bits = if needed(full) <= wanted {
            full
        } else {
            full - EXTRA_BITS
        };
        let most = wanted.max(needed(body_bits)).max(4).min(key_bits - 1);
        let least = most.min(FIRST.max(needed(body_bits)));
        Self {
            slots: vec![0; WAYS << least],
            key_bits,
            body_bits,
            tag_bits: key_bits - least,
            places: least,
            least,
            most,
            generation: 1,
            written: 0,
        }
    }

    /// Forgets all, and is as small as at first.
    pub fn forget(&mut self) {
        self.places = self.least;
        self.slots.truncate(WAYS << self.least);
        self.written = 0;
        self.generation += 1;
        if self.generation >> (64 - self.body_bits - self.tag_bits).min(63) != 0 {
            self.generation = 1;
            self.slots.fill(0);
        }
    }

    /// Whether it would do better if it were larger, and may be.
    #[inline(always)]
    #[must_use]
    pub fn is_crowded(&self) -> bool {
        self.written >= (CROWD * WAYS as u64) << self.places && self.places < self.most
    }

    /// Doubles it; nothing is lost. When the system gives no more memory it stays as it is, now and
    /// later: it does with less.
    pub fn grow(&mut self) {
        let old = self.slots.len();
        if self.places >= self.most || self.slots.try_reserve_exact(old).is_err() {
            self.most = self.places;
            return;
        }
        self.written = 0;
        self.slots.resize(2 * old, 0);
        // The next bit of the key, which the entry keeps, says in which half.
        let bit = self.body_bits + self.key_bits - self.places - 1;
        for at in (0..old).step_by(WAYS).rev() {
            let pair = [self.slots[at], self.slots[at + 1]];
            let half = |upper: u64| pair.map(|e| if e >> bit & 1 == upper { e } else { 0 });
            self.slots[2 * at..2 * at + WAYS].copy_from_slice(&half(0));
            self.slots[2 * at + WAYS..2 * at + 2 * WAYS].copy_from_slice(&half(1));
        }
        self.places += 1;
    }

    #[inline(always)]
    fn place<W: Word>(&self, key: W) -> (usize, u64) {
        let (at, tag) = key.scatter(self.key_bits, self.places, self.tag_bits);
        let tag = (self.generation << self.tag_bits | tag) << self.body_bits;
        (at * WAYS, tag)
    }

    /// What is known of a position.
    #[inline(always)]
    #[must_use]
    pub fn get<W: Word>(&self, key: W) -> Option<Known> {
        let (at, tag) = self.place(key);
        for &found in self.slots.get(at..at + WAYS)? {
            if (found ^ tag) >> self.body_bits == 0 {
                return Some(self.unpack(found));
            }
        }
        None
    }

    /// Keeps what is known of a position that took about so many nodes, in the place of the entry
    /// that took fewer.
    #[inline(always)]
    pub fn put<W: Word>(&mut self, key: W, known: Known, nodes: u64) {
        let (at, tag) = self.place(key);
        let entry = tag | self.pack(known, nodes);
        self.written += 1;
        let (Some(&first), Some(&second)) = (self.slots.get(at), self.slots.get(at + 1)) else {
            return;
        };
        let worth = |old: u64| {
            if (old ^ tag) >> self.body_bits == 0 {
                0
            } else if old >> (self.body_bits + self.tag_bits) != self.generation {
                1
            } else {
                2 + self.work(old)
            }
        };
        let slot = at + usize::from(worth(first) > worth(second));
        self.slots[slot] = entry;
    }

    #[inline(always)]
    fn has_extra(&self) -> bool {
        self.body_bits > 2 * SCORE_BITS
    }

    #[inline(always)]
    fn work(&self, slot: u64) -> u64 {
        if self.has_extra() {
            slot >> (2 * SCORE_BITS + BEST_BITS) & ((1 << WORK_BITS) - 1)
        } else {
            0
        }
    }

    #[inline(always)]
    fn pack(&self, known: Known, nodes: u64) -> u64 {
        let score = |s: i32| (s + SHIFT) as u64 & ((1 << SCORE_BITS) - 1);
        let scores = score(known.lower) << SCORE_BITS | score(known.upper);
        if !self.has_extra() {
            return scores;
        }
        let work = u64::from(64 - nodes.leading_zeros()).min((1 << WORK_BITS) - 1);
        scores | (work << BEST_BITS | u64::from(known.best)) << (2 * SCORE_BITS)
    }

    #[inline(always)]
    fn unpack(&self, slot: u64) -> Known {
        let score = |by: u32| (slot >> by & ((1 << SCORE_BITS) - 1)) as i32 - SHIFT;
        Known {
            lower: score(SCORE_BITS),
            upper: score(0),
            best: if self.has_extra() {
                (slot >> (2 * SCORE_BITS)) as u32 & ((1 << BEST_BITS) - 1)
            } else {
                NO_COLUMN
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOME: Known = Known {
        lower: -18,
        upper: 18,
        best: 6,
    };

    #[test]
    fn what_is_put_is_found_until_it_is_forgotten() {
        for (bytes, bits) in [(1 << 18, 49), (1 << 20, 49), (1 << 25, 56)] {
            let mut table = Table::new(bytes, bits);
            let key = (1u64 << bits) - 12345;
            assert_eq!(table.get(key), None);
            table.put(key, SOME, 77);
            assert_eq!(table.get(key), Some(SOME), "{bytes} {bits}");
            assert_eq!(table.get(key - 1), None);
            for generation in 0..9000 {
                table.forget();
                assert_eq!(table.get(key), None, "generation {generation}");
                if generation % 100 == 0 {
                    table.put(key, SOME, 77);
                    assert_eq!(table.get(key), Some(SOME));
                }
            }
        }
    }

    #[test]
    fn keys_that_are_too_long_keep_their_bounds() {
        let mut table = Table::new(1, 72);
        let key = (1u128 << 72) - 999;
        table.put(key, SOME, 1);
        let found = table.get(key).expect("it was put");
        assert_eq!((found.lower, found.upper, found.best), (-18, 18, NO_COLUMN));
        assert_eq!(table.get(key - (1 << 70)), None);
    }

    /// Of two entries in a place the one of more work stays.
    #[test]
    fn work_is_kept() {
        let mut table = Table::new(64, 20);
        for key in 0..5000u64 {
            let known = Known { lower: 0, ..SOME };
            table.put(key, known, if key < 8 { 1 << 20 } else { 1 });
        }
        let kept = (0..8u64).filter(|&k| table.get(k).is_some()).count();
        assert!(kept >= 4, "{kept}");
    }

    #[test]
    fn growing_loses_nothing() {
        let mut table = Table::new(1 << 24, 49);
        let keys: Vec<u64> = (0..1000).map(|i| i * 0x0123_4567_89AB).collect();
        for (i, &key) in keys.iter().enumerate() {
            table.put(
                key,
                Known {
                    lower: i as i32 % 20,
                    ..SOME
                },
                1,
            );
        }
        let before: Vec<_> = keys.iter().map(|&k| table.get(k)).collect();
        assert!(before.iter().flatten().count() > 990);
        let sizes: Vec<usize> = (0..6)
            .map(|_| {
                table.grow();
                let after: Vec<_> = keys.iter().map(|&k| table.get(k)).collect();
                assert_eq!(before, after);
                table.slots.len()
            })
            .collect();
        assert_eq!(sizes, [18, 19, 20, 21, 21, 21].map(|n| 1 << n));
        table.forget();
        assert_eq!((table.slots.len(), table.get(keys[5])), (1 << 17, None));
    }
}
