//! Positions as they come up in games, and a few that do not.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::types::GridSize;

/// A position: 0 empty, 1 and 2 discs, row by row from the top.
#[must_use]
pub fn position(rng: &mut ChaCha8Rng, size: GridSize, legal: bool) -> Vec<u8> {
    let (w, h) = (usize::from(size.cols), usize::from(size.rows));
    let mut cells = vec![0u8; w * h];
    if !legal && rng.random_bool(0.4) {
        // Discs anywhere.
        for c in &mut cells {
            if rng.random_bool(0.3) {
                *c = rng.random_range(1..=2);
            }
        }
        return cells;
    }
    let plies = match rng.random_range(0..10) {
        0 => rng.random_range(0..3),
        1 => w * h - rng.random_range(0..(w * h / 5)),
        _ => rng.random_range(0..w * h),
    };
    let mut heights = vec![0usize; w];
    for ply in 0..plies {
        // Play near the middle more often, as people do.
        let column = loop {
            let c = (rng.random_range(0..w) + rng.random_range(0..w)) / 2;
            let c = if rng.random_bool(0.6) {
                c
            } else {
                rng.random_range(0..w)
            };
            if heights[c] < h {
                break c;
            }
        };
        let kind = if legal || rng.random_bool(0.6) {
            1 + (ply % 2) as u8
        } else {
            rng.random_range(1..=2)
        };
        cells[(h - 1 - heights[column]) * w + column] = kind;
        heights[column] += 1;
    }
    cells
}

/// As text: `.`, `a`, `b`.
#[must_use]
pub fn letter(kind: u8) -> char {
    match kind {
        0 => '.',
        1 => 'a',
        _ => 'b',
    }
}
