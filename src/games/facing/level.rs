//! How well the policy plays: fewer nodes, and slips.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::contest::{Contest, Thinker};
use crate::types::{Budget, Stop};

/// A level from 1 to 9. At 9 a policy has all its nodes; every level below it has half of them,
/// and of a hundred moves more and more are slips: made without thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// Slips in a hundred moves, from level 1.
const SLIPS: [u32; 9] = [50, 38, 28, 20, 14, 9, 5, 2, 0];

impl Level {
    /// The policy at its best.
    pub const MOST: Self = Self(9);

    /// A level; what lies outside is brought inside.
    #[must_use]
    pub fn new(number: u8) -> Self {
        Self(number.clamp(1, Self::MOST.0))
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Of so many nodes, those that it may visit.
    #[must_use]
    pub const fn nodes(self, most: u64) -> u64 {
        let left = most >> (Self::MOST.0 - self.0);
        if left == 0 { 1 } else { left }
    }

    /// Slips in a hundred moves.
    #[must_use]
    pub const fn slips(self) -> u32 {
        SLIPS[self.0 as usize - 1]
    }

    /// What a policy answers at this level, with at most so many nodes. The seed decides whether
    /// it slips and how.
    pub fn answer<B: Contest>(
        self,
        thinker: &mut dyn Thinker<B>,
        board: &B,
        most: u64,
        seed: u64,
    ) -> Option<B::Move> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let slips = random.random_range(0..100) < self.slips();
        let thought = match slips {
            true => None,
            false => thinker.answer(board, &budget(self.nodes(most), seed)),
        };
        thought.or_else(|| {
            let all = board.careless();
            let at = random.random_range(0..all.len().max(1));
            all.get(at).copied()
        })
    }
}

/// So many nodes, and as long as they take.
#[must_use]
pub fn budget(nodes: u64, seed: u64) -> Budget {
    Budget {
        time: None,
        nodes: Some(nodes),
        seed,
        stop: Stop::new(),
        ..Budget::default()
    }
}
