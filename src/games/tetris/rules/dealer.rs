//! Which pieces come: independent uniform draws, or S and Z in turn.
//!
//! Takes a seed, gives kinds; the same seed gives the same kinds on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde::{Deserialize, Serialize};

use super::kind::Kind;

/// How pieces are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// `1 + random % 7`, independent of everything before.
    #[default]
    Uniform,
    /// S, Z, S, Z and so on.
    AlternatingSz,
}

/// An endless stream of kinds. Its whole state is the seed and how many were dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dealer {
    draw: Draw,
    seed: u64,
    dealt: u64,
    // One 32-bit word of it for each kind dealt uniformly.
    random: ChaCha8Rng,
}

impl Dealer {
    /// A stream from its beginning.
    #[must_use]
    pub fn new(draw: Draw, seed: u64) -> Self {
        Self::after(draw, seed, 0)
    }

    /// A stream of which `dealt` kinds have been taken.
    #[must_use]
    pub fn after(draw: Draw, seed: u64, dealt: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_word_pos(u128::from(dealt));
        Self {
            draw,
            seed,
            dealt,
            random,
        }
    }

    /// How it draws.
    #[must_use]
    pub const fn draw(&self) -> Draw {
        self.draw
    }

    /// Draws in another way from now on.
    pub const fn set_draw(&mut self, draw: Draw) {
        self.draw = draw;
    }

    /// What it began with.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// How many kinds were taken.
    #[must_use]
    pub const fn dealt(&self) -> u64 {
        self.dealt
    }

    /// The next kind.
    pub fn deal(&mut self) -> Kind {
        // Drawn in either mode, so that the state is one number.
        let index = (self.random.next_u32() % 7) as usize;
        let turn = self.dealt.is_multiple_of(2);
        self.dealt += 1;
        match self.draw {
            Draw::Uniform => Kind::ALL[index],
            Draw::AlternatingSz if turn => Kind::S,
            Draw::AlternatingSz => Kind::Z,
        }
    }
}
