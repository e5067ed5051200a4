//! Fours search: can a side win by nothing but fours, each of which must be answered?
//!
//! A win that is found is a proof. None found within the limits is no proof of anything.

use super::cell::{MAKES_FOUR, WINS, WINS_BY_FOUR};
use super::field::{Field, cells_of};
use crate::games::gauge::Gauge;

/// A fours search with its memory.
#[derive(Debug)]
pub(super) struct Fours {
    /// Positions without a win by fours: the hash with, in the low byte, the fours that were left.
    failed: Vec<u64>,
    /// Positions visited in this search, and how many it may visit.
    visited: u32,
    limit: u32,
    /// The winning side's fours and their answers, last first.
    line: Vec<u16>,
}

/// Positions to remember.
const MEMORY: usize = 1 << 15;
/// Fours to try in a position.
const WIDTH: usize = 24;

impl Default for Fours {
    fn default() -> Self {
        Self {
            failed: vec![0; MEMORY],
            visited: 0,
            limit: 0,
            line: Vec::with_capacity(64),
        }
    }
}

impl Fours {
    /// What it takes, nearly.
    pub(super) const BYTES: usize = MEMORY * size_of::<u64>();

    /// Forgets what it knows, so that the next search answers as a new one would.
    pub(super) fn forget(&mut self) {
        self.failed.fill(0);
    }

    /// Stones until five, both sides' counted, if the side to move wins by at most `fours` fours
    /// and this is found within `limit` positions.
    pub(super) fn search(
        &mut self,
        field: &mut Field,
        fours: u8,
        limit: u32,
        gauge: &mut Gauge<'_>,
    ) -> Option<u32> {
        self.visited = 0;
        self.limit = limit;
        self.line.clear();
        self.attack(field, fours, gauge)
    }

    /// The moves of the win that was found, up to the last that is forced.
    pub(super) fn line(&self) -> impl Iterator<Item = u16> + '_ {
        self.line.iter().rev().copied()
    }

    fn attack(&mut self, field: &mut Field, fours: u8, gauge: &mut Gauge<'_>) -> Option<u32> {
        let (own, other) = (field.turn, 1 - field.turn);
        if let Some(at) = field.first(own, WINS) {
            self.line.push(at);
            return Some(1);
        }
        let must = match field.count_of(other, WINS) {
            0 => None,
            1 => field.first(other, WINS),
            _ => return None,
        };
        if must.is_none()
            && let Some(at) = field.first(own, WINS_BY_FOUR)
        {
            self.line.push(at);
            return Some(3);
        }
        if fours == 0 || self.visited >= self.limit || self.has_failed(field.hash, fours) {
            return None;
        }
        let mut list = [0u16; WIDTH];
        let count = candidates(field, own, must, &mut list);
        if count == 0 {
            return None;
        }
        if !gauge.node() {
            return None;
        }
        self.visited += 1;
        for &four in &list[..count] {
            // The other side cannot make five now: it could not, or this stone is in its way.
            field.make(four);
            let found = match field.first(own, WINS) {
                Some(answer) if field.count_of(own, WINS) > 1 => Some((answer, 3)),
                Some(answer) => {
                    field.make(answer);
                    let found = self.attack(field, fours - 1, gauge);
                    field.undo(answer);
                    found.map(|n| (answer, n + 2))
                }
                None => None,
            };
            field.undo(four);
            if let Some((answer, n)) = found {
                self.line.push(answer);
                self.line.push(four);
                return Some(n);
            }
            if self.visited >= self.limit || gauge.is_spent() {
                return None;
            }
        }
        self.failed[(field.hash >> 8) as usize % MEMORY] = field.hash & !255 | u64::from(fours);
        None
    }

    #[inline]
    fn has_failed(&self, hash: u64, fours: u8) -> bool {
        let known = self.failed[(hash >> 8) as usize % MEMORY];
        known & !255 == hash & !255 && known & 255 >= u64::from(fours)
    }
}

/// Fours to try, the most promising first: how many there are.
fn candidates(field: &Field, own: usize, must: Option<u16>, list: &mut [u16; WIDTH]) -> usize {
    if let Some(at) = must {
        list[0] = at;
        let kind = field.worth(at, own).kind;
        return usize::from(kind == MAKES_FOUR || kind == WINS_BY_FOUR);
    }
    if field.count_of(own, MAKES_FOUR) == 0 {
        return 0;
    }
    let mut count = 0;
    for at in cells_of(field.set(own, MAKES_FOUR)).take(WIDTH) {
        list[count] = at;
        count += 1;
    }
    list[..count].sort_unstable_by_key(|&at| -i32::from(field.worth(at, own).attack));
    count
}
