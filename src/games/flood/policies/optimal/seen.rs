//! Which flooded sets have been met: a hash table of node numbers.
//!
//! It stores no sets, only numbers; the caller compares the set of the node that is found.

/// Node numbers by the hash of their flooded set, open addressing.
#[derive(Debug)]
pub struct Seen {
    slots: Vec<u32>,
    used: usize,
}

const FREE: u32 = u32::MAX;

impl Seen {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self {
            slots: vec![FREE; 1 << 10],
            used: 0,
        }
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u32>()
    }

    /// The slot of the node with this hash for which `is_it` holds, or the free slot where it
    /// belongs.
    #[inline]
    pub fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> (usize, Option<u32>) {
        let mask = self.slots.len() - 1;
        let mut i = hash as usize & mask;
        loop {
            match self.slots[i] {
                FREE => return (i, None),
                node if is_it(node) => return (i, Some(node)),
                _ => i = (i + 1) & mask,
            }
        }
    }

    /// Puts a node into a slot that `find` gave; `hash_of` is asked when the table grows.
    pub fn put(&mut self, slot: usize, node: u32, hash_of: impl Fn(u32) -> u64) {
        self.used += usize::from(self.slots[slot] == FREE);
        self.slots[slot] = node;
        if self.used * 2 > self.slots.len() {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![FREE; old.len() * 2];
            for node in old.into_iter().filter(|&n| n != FREE) {
                let (slot, _) = self.find(hash_of(node), |_| false);
                self.slots[slot] = node;
            }
        }
    }
}
