//! The one figure of a level that may be turned.
//!
//! A figure may be marked so if none of its other orientations adds a solution. Of those the one is
//! taken that makes the level hardest for the solver; it is shown turned at random.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::Found;
use crate::games::triplex::policies::{Exact, TriplexPolicy};
use crate::games::triplex::rules::{Figure, Level, one_line};
use crate::types::Budget;

/// The level with its hardest turnable figure, shown in an orientation that depends on the seed
/// and the level alone; `None` if it has no such figure.
#[must_use]
pub fn with_turnable(found: &Found, seed: u64) -> Option<Found> {
    let mut policy = Exact::new();
    let mut best: Option<(u64, Figure)> = None;
    for &(figure, _) in found.level.stock() {
        if let Some(more) = refuted(found, figure, &mut policy)
            && best.is_none_or(|b| more > b.0)
        {
            best = Some((more, figure));
        }
    }
    let (more, figure) = best?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ fingerprint(&one_line(&found.level)));
    let shown = *figure.orientations().choose(&mut rng)?;
    Some(Found {
        level: turning(&found.level, figure, shown)?,
        solution: found.solution.clone(),
        // As solving the level with all orientations takes: they are gone through one by one.
        iterations: found.iterations + more,
    })
}

/// Figures laid down until it is known that no other orientation of a figure has a solution;
/// `None` if one has, or there is none.
fn refuted(found: &Found, figure: Figure, policy: &mut Exact) -> Option<u64> {
    let level = turning(&found.level, figure, figure)?;
    let budget = Budget::default();
    let mut iterations = 0;
    for stock in level.stocks() {
        if stock == found.level.stock() {
            continue;
        }
        let other = Level::new(level.field().clone(), stock, None).ok()?;
        let outcome = policy.solve(&other, &budget, &mut |_| false);
        if outcome.solutions > 0 {
            return None;
        }
        iterations += outcome.iterations;
    }
    Some(iterations)
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
