//! Boards of lines with truth: stones on crossings, marks in squares, on screens and before a
//! camera. The same seed gives the same picture.
//!
//! Takes a seed, gives a [`Case`]; seeds go through the conditions of their set in turn. The
//! letters of the truth are those that a reading must have; `?` where something hides the place.

mod course;
mod filmed;
mod paint;
mod scene;
mod squares;
mod stones;
mod style;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::games::flood::target::cases::Case;

pub use course::CONDITIONS;
pub use squares::CONDITIONS as SQUARES;

/// A board of crossings.
#[must_use]
pub fn crossings(seed: u64) -> Case {
    let condition = CONDITIONS[(seed % CONDITIONS.len() as u64) as usize];
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x0c05_5ed5);
    loop {
        if let Some(case) = course::attempt(&mut rng, seed, condition) {
            return case;
        }
    }
}

/// A board of squares.
#[must_use]
pub fn squares(seed: u64) -> Case {
    let condition = SQUARES[(seed % SQUARES.len() as u64) as usize];
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x5a0a_5e5e);
    loop {
        if let Some(case) = squares::attempt(&mut rng, seed, condition) {
            return case;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_case_with_all_letters_in_place() {
        for (draw, seeds) in [
            (crossings as fn(u64) -> Case, CONDITIONS.len() as u64),
            (squares, SQUARES.len() as u64),
        ] {
            for seed in (0..seeds).filter(|s| s % 4 == 1) {
                let (a, b) = (draw(seed), draw(seed));
                assert_eq!((&a.picture, &a.truth), (&b.picture, &b.truth), "{}", a.name);
                let truth = a.truth.expect("all of them show a board");
                let rows: Vec<usize> = truth.board.rows().map(|r| r.chars().count()).collect();
                assert_eq!(
                    rows,
                    vec![usize::from(truth.size.cols); truth.size.rows.into()]
                );
            }
        }
    }
}
