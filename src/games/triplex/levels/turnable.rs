//! The one figure of a level that may be turned.
//!
//! A figure may be marked so if none of its other orientations adds a solution. Of those the one is
//! taken that makes the level hardest for the solver; it is shown turned at random.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::Found;
use crate::games::triplex::policies::{Exact, only_solution};
use crate::games::triplex::rules::{Figure, Level, one_line};

/// The level with its hardest turnable figure, shown in an orientation that depends on the seed
/// and the level alone; `None` if it has no such figure.
#[must_use]
pub fn with_turnable(found: &Found, seed: u64) -> Option<Found> {
    let stock = found.level.stock();
    let mut best: Option<(u64, Level)> = None;
    let mut policy = Exact::new();
    for &(figure, _) in stock {
        let Some(level) = turning(&found.level, figure, figure) else {
            continue;
        };
        if let Some((_, iterations)) = only_solution(&level, &mut policy)
            && best.as_ref().is_none_or(|b| iterations > b.0)
        {
            best = Some((iterations, level));
        }
    }
    let (iterations, level) = best?;
    let figure = level.turnable()?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ fingerprint(&one_line(&found.level)));
    let shown = *figure.orientations().choose(&mut rng)?;
    Some(Found {
        level: turning(&found.level, figure, shown)?,
        solution: found.solution.clone(),
        iterations,
    })
}

/// The level with one figure of a kind turnable and shown in an orientation.
fn turning(level: &Level, figure: Figure, shown: Figure) -> Option<Level> {
    if figure.orientations().len() < 2 {
        return None;
    }
    let stock = level.stock().iter();
    let less = stock.map(|&(f, n)| (f, if f == figure { n - 1 } else { n }));
    Level::new(level.field().clone(), less, Some(shown)).ok()
}

/// FNV-1a: the same for the same text, always.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}
