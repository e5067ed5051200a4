//! Threats search: can a side win by threats alone, fours and open threes, whatever the answers?
//!
//! A proof-number search, depth first: the side that attacks may only threaten, the side that
//! defends has every move that stops the threat and every four of its own. A win that is found is
//! a proof; none found within the limits is no proof of anything.

use super::cell::{MAKES_FOUR, MAKES_THREE, WINS, WINS_BY_FOUR};
use super::field::{Field, NOWHERE, cells_of};
use super::moves::{defences, either, fours};
use super::vcf::Fours;
use crate::games::gauge::Gauge;

/// What is known of a position: how many positions must be settled at least to prove it won for
/// the attacker, or not won.
#[derive(Clone, Copy, Debug)]
struct Known {
    hash: u64,
    proof: u32,
    disproof: u32,
    /// Stones until five when proven.
    stones: u16,
    best: u16,
}

const NEVER: u32 = 1 << 30;

/// A threats search with its memory.
#[derive(Debug)]
pub(super) struct Threats {
    known: Vec<Known>,
    visited: u32,
    limit: u32,
    attacker: usize,
}

/// Positions to remember.
const MEMORY: usize = 1 << 17;
/// Stones ahead at most.
const FAR: u32 = 60;
/// Moves of a position.
const WIDTH: usize = 96;

impl Default for Threats {
    fn default() -> Self {
        let none = Known {
            hash: 0,
            proof: 1,
            disproof: 1,
            stones: 0,
            best: NOWHERE,
        };
        Self {
            known: vec![none; MEMORY],
            visited: 0,
            limit: 0,
            attacker: 0,
        }
    }
}

impl Threats {
    /// What it takes, nearly.
    pub(super) const BYTES: usize = MEMORY * size_of::<Known>();

    /// Forgets what it knows, so that the next search answers as a new one would.
    pub(super) fn forget(&mut self) {
        self.known.iter_mut().for_each(|k| k.hash = 0);
    }

    /// The first move and the stones until five, both sides' counted, if the side to move wins by
    /// threats and this is found within `limit` positions.
    pub(super) fn search(
        &mut self,
        field: &mut Field,
        fours: &mut Fours,
        limit: u32,
        gauge: &mut Gauge<'_>,
    ) -> Option<(u16, u32)> {
        self.visited = 0;
        self.limit = limit;
        self.attacker = field.turn;
        let root = self.settle(field, fours, gauge, NEVER, NEVER, 0);
        (root.proof == 0 && root.best != NOWHERE).then_some((root.best, u32::from(root.stones)))
    }

    /// Positions that the last search visited.
    pub(super) const fn visited(&self) -> u32 {
        self.visited
    }

    fn get(&self, hash: u64) -> Option<Known> {
        let k = self.known[hash as usize % MEMORY];
        (k.hash == hash).then_some(k)
    }

    fn put(&mut self, known: Known) {
        self.known[known.hash as usize % MEMORY] = known;
    }

    /// The same position means something else when the other side attacks.
    fn hash(&self, field: &Field) -> u64 {
        field.hash ^ (self.attacker as u64 + 1).wrapping_mul(0x8f2c_91d7_3ab5_e64d)
    }

    /// What can be said of a position at sight.
    fn look(
        &self,
        field: &mut Field,
        fours_: &mut Fours,
        gauge: &mut Gauge<'_>,
        ply: u32,
    ) -> Known {
        let (attacker, defender) = (self.attacker, 1 - self.attacker);
        let hash = self.hash(field);
        let won = |best: u16, stones: u32| Known {
            hash,
            proof: 0,
            disproof: NEVER,
            stones: stones as u16,
            best,
        };
        let open = |proof: u32, disproof: u32| Known {
            hash,
            proof,
            disproof,
            stones: 0,
            best: NOWHERE,
        };
        let not_won = open(NEVER, 0);
        if field.turn == attacker {
            if let Some(at) = field.first(attacker, WINS) {
                return won(at, 1);
            }
            match field.count_of(defender, WINS) {
                0 => {}
                1 => return open(1, 1),
                _ => return not_won,
            }
            if let Some(at) = field.first(attacker, WINS_BY_FOUR) {
                return won(at, 3);
            }
            let fours = field.count_of(attacker, MAKES_FOUR);
            let threes = field.count_of(attacker, MAKES_THREE);
            if fours + threes == 0 || ply > FAR {
                return not_won;
            }
            if fours > 0
                && let Some(n) = fours_.search(field, 12, 60, gauge)
            {
                let best = fours_.line().next().unwrap_or(NOWHERE);
                return won(best, n);
            }
            let disproof = (fours + threes) as u32;
            return open(1, disproof);
        }
        if field.can_win(defender) {
            return not_won;
        }
        match field.count_of(attacker, WINS) {
            0 => {}
            1 => return open(1, 1),
            _ => return won(NOWHERE, 2),
        }
        if field.can_win_by_four(defender) || !field.can_win_by_four(attacker) {
            return not_won;
        }
        open(2, 1)
    }

    /// The moves that count in a position that cannot be told at sight; `None` if they are too
    /// many.
    fn moves(&self, field: &Field, list: &mut [u16; WIDTH]) -> Option<usize> {
        let (own, other) = (field.turn, 1 - field.turn);
        if let Some(at) = field.first(other, WINS) {
            list[0] = at;
            return Some(1);
        }
        let set = if own == self.attacker {
            let mut threes = *field.set(own, MAKES_THREE);
            if field.can_win_by_four(other) {
                let stops = defences(field, other);
                threes.iter_mut().zip(&stops).for_each(|(a, b)| *a &= b);
            }
            either(threes, &fours(field, own))
        } else {
            either(defences(field, other), &fours(field, own))
        };
        let mut count = 0;
        for at in cells_of(&set) {
            *list.get_mut(count)? = at;
            count += 1;
        }
        list[..count].sort_unstable_by_key(|&at| {
            let mine = i32::from(field.worth(at, own).attack);
            let theirs = i32::from(field.worth(at, other).defence);
            -(mine + theirs)
        });
        Some(count)
    }

    /// Looks into a position until more than `proof` or `disproof` positions remain to be settled.
    fn settle(
        &mut self,
        field: &mut Field,
        fours: &mut Fours,
        gauge: &mut Gauge<'_>,
        proof: u32,
        disproof: u32,
        ply: u32,
    ) -> Known {
        self.visited += 1;
        gauge.node();
        let hash = self.hash(field);
        let at_sight = match self.get(hash) {
            Some(k) => k,
            None => self.look(field, fours, gauge, ply),
        };
        if at_sight.proof == 0 || at_sight.disproof == 0 {
            return at_sight;
        }
        let attacks = field.turn == self.attacker;
        let mut list = [NOWHERE; WIDTH];
        let Some(count) = self.moves(field, &mut list) else {
            return Known {
                proof: NEVER,
                disproof: 0,
                ..at_sight
            };
        };
        let mut children = [None; WIDTH];
        loop {
            // Sums and smallest of the children; which is which depends on who is to move.
            let mut now = Known {
                hash,
                proof: if attacks { NEVER } else { 0 },
                disproof: if attacks { 0 } else { NEVER },
                stones: 0,
                best: NOWHERE,
            };
            let (mut best, mut second) = (None, NEVER);
            let mut least = NEVER + 1;
            for i in 0..count {
                let at = list[i];
                let child: Known = match children[i] {
                    Some(known) => known,
                    None => {
                        let known = match self.get(self.hash(field) ^ field.hash_of_move(at)) {
                            Some(known) => known,
                            None => {
                                gauge.node();
                                self.visited += 1;
                                field.make(at);
                                let known = self.look(field, fours, gauge, ply + 1);
                                field.undo(at);
                                self.put(known);
                                known
                            }
                        };
                        children[i] = Some(known);
                        known
                    }
                };
                let (key, sum) = if attacks {
                    (child.proof, child.disproof)
                } else {
                    (child.disproof, child.proof)
                };
                if attacks && child.proof == 0 {
                    now = Known {
                        hash,
                        proof: 0,
                        disproof: NEVER,
                        stones: child.stones + 1,
                        best: at,
                    };
                    self.put(now);
                    return now;
                }
                if attacks {
                    now.disproof = now.disproof.saturating_add(sum).min(NEVER);
                    now.proof = now.proof.min(key);
                } else {
                    now.proof = now.proof.saturating_add(sum).min(NEVER);
                    now.disproof = now.disproof.min(key);
                    now.stones = now.stones.max(child.stones + 1);
                }
                if key < least {
                    second = least.min(NEVER);
                    least = key;
                    best = Some(i);
                } else if key < second {
                    second = key;
                }
            }
            if count == 0 {
                // The defender has nothing that stops it; the attacker has no threat.
                now.stones = 4;
            }
            self.put(now);
            let settled = now.proof == 0 || now.disproof == 0;
            if settled || now.proof >= proof || now.disproof >= disproof {
                return now;
            }
            if self.visited >= self.limit || gauge.is_spent() {
                return now;
            }
            let Some(i) = best else {
                return now;
            };
            let Some(child) = children[i] else {
                return now;
            };
            let next = second.saturating_add(1 + second / 4).min(NEVER);
            let (child_proof, child_disproof) = if attacks {
                let rest = now.disproof.saturating_sub(child.disproof);
                (proof.min(next), disproof.saturating_sub(rest).max(1))
            } else {
                let rest = now.proof.saturating_sub(child.proof);
                (proof.saturating_sub(rest).max(1), disproof.min(next))
            };
            let at = list[i];
            field.make(at);
            let known = self.settle(field, fours, gauge, child_proof, child_disproof, ply + 1);
            field.undo(at);
            children[i] = Some(known);
        }
    }
}
