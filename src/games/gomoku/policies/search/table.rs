//! What the search remembers of positions: a table shared by its threads, two slots a bucket.
//!
//! Of two slots the older search's goes first, then the shallower. A slot is two words, the first
//! mixed with the second, so that a half-written one is seen not to fit.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a remembered value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The position is worth at most this.
    Upper = 1,
    /// At least.
    Lower = 2,
    /// Exactly.
    Exact = 3,
}

/// What is remembered of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The best move, or `NOWHERE`.
    pub(super) best: u16,
    /// For the side to move; mates counted from this position.
    pub(super) value: i16,
    /// Plies.
    pub(super) depth: i8,
    pub(super) bound: Bound,
}

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    slots: Vec<[AtomicU64; 2]>,
    age: u8,
}

const AGES: u8 = 64;

impl Table {
    /// A table of at most this many bytes, but of two slots at least.
    ///
    /// # Errors
    /// When the system does not give them.
    pub(super) fn new(bytes: usize) -> Result<Self, TryReserveError> {
        let count = 1 << (bytes / 16).max(2).ilog2();
        let mut slots = Vec::new();
        slots.try_reserve_exact(count)?;
        slots.resize_with(count, Default::default);
        Ok(Self { slots, age: 0 })
    }

    /// A new search begins: what is there goes before what will come.
    pub(super) fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        for slot in &mut self.slots {
            *slot = Default::default();
        }
        self.age = 0;
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &[[AtomicU64; 2]] {
        let at = (hash as usize) & (self.slots.len() - 2);
        &self.slots[at..at + 2]
    }

    /// What is remembered of a position.
    #[inline]
    pub(super) fn get(&self, hash: u64) -> Option<Entry> {
        for slot in self.bucket(hash) {
            let data = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ data == hash {
                return unpack(data);
            }
        }
        None
    }

    /// Remembers a position.
    pub(super) fn put(&self, hash: u64, entry: Entry) {
        let mut chosen = None;
        for slot in self.bucket(hash) {
            let data = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ data == hash {
                chosen = Some((i32::MIN, slot));
                break;
            }
            let old = u8::try_from(data >> 42 & 63).unwrap_or(0) != self.age;
            let depth = unpack(data).map_or(-100, |e| i32::from(e.depth));
            let price = depth - if old { 200 } else { 0 };
            if chosen.is_none_or(|(least, _)| price < least) {
                chosen = Some((price, slot));
            }
        }
        if let Some((_, slot)) = chosen {
            let data = pack(entry) | u64::from(self.age) << 42;
            slot[0].store(hash ^ data, Relaxed);
            slot[1].store(data, Relaxed);
        }
    }
}

fn pack(entry: Entry) -> u64 {
    u64::from(entry.best)
        | u64::from(entry.value as u16) << 16
        | u64::from(entry.depth as u8) << 32
        | (entry.bound as u64) << 40
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> 40 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        best: data as u16,
        value: (data >> 16) as i16,
        depth: (data >> 32) as i8,
        bound,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_and_new_entries_stay() {
        let mut table = Table::new(32).expect("two slots");
        let entry = |depth| Entry {
            best: 777,
            value: -29_990,
            depth,
            bound: Bound::Lower,
        };
        let depth = |table: &Table, hash| table.get(hash).map(|e| e.depth);
        table.put(1, entry(9));
        table.put(2, entry(3));
        table.put(3, entry(5));
        assert_eq!(
            [1, 2, 3].map(|h| depth(&table, h)),
            [Some(9), None, Some(5)]
        );
        table.grow_older();
        table.put(4, entry(-1));
        table.put(5, entry(1));
        assert_eq!(
            [1, 3, 4, 5].map(|h| depth(&table, h)),
            [None, None, Some(-1), Some(1)]
        );
        let e = table.get(4).expect("there");
        assert_eq!((e.best, e.value, e.bound), (777, -29_990, Bound::Lower));
        table.clear();
        assert_eq!(depth(&table, 4), None);
    }

    #[test]
    fn its_size_is_what_fits() {
        let slots = |bytes| Table::new(bytes).expect("little").slots.len();
        assert_eq!(
            [0, 32, 63, 64, 100, 1 << 20].map(slots),
            [2, 2, 2, 4, 4, 1 << 16]
        );
        assert!(Table::new(usize::MAX).is_err());
        assert!(Table::new(1 << 62).is_err());
    }
}
