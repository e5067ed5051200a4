//! The swap-two rule: three stones to begin with, and which side to take.

use crate::games::gomoku::policies::{Choice, Proof};
use crate::types::GridSize;

/// Openings around the centre that favour neither side much: stones of black, white, black by
/// their distance from it.
const OPENINGS: [[(i32, i32); 3]; 4] = [
    [(-3, -4), (-4, 2), (3, -5)],
    [(4, -3), (-2, -4), (-3, 4)],
    [(-4, 4), (4, 3), (-5, -2)],
    [(5, 4), (4, -3), (-4, 0)],
];

/// Three stones as an answer; `None` on a board with no room for them.
pub(super) fn opening(size: GridSize, seed: u64) -> Option<String> {
    let (x, y) = (i32::from(size.cols / 2), i32::from(size.rows / 2));
    let inside = |&(dx, dy): &(i32, i32)| {
        (0..i32::from(size.cols)).contains(&(x + dx))
            && (0..i32::from(size.rows)).contains(&(y + dy))
    };
    let known = OPENINGS[(seed % OPENINGS.len() as u64) as usize];
    // On small boards the stones stand in a corner, out of each other's way.
    let small = [(-x, -y), (-x + 2, -y), (-x, -y + 2)];
    let stones = [known, small].into_iter().find(|s| s.iter().all(inside))?;
    let words = stones.map(|(dx, dy)| format!("{},{}", x + dx, y + dy));
    Some(words.join(" "))
}

/// Whether the other side is the better one, as the policy sees it whose move it would be.
pub(super) fn is_bad(choice: &Choice) -> bool {
    match choice.proof {
        Proof::Win(_) => false,
        Proof::Loss(_) => true,
        Proof::None => choice.score < 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brains::piskvork::words::{Reply, at};

    #[test]
    fn openings_are_three_stones_on_every_board() {
        for (cols, rows) in [(5, 5), (5, 25), (10, 10), (15, 15), (20, 20), (25, 25)] {
            for seed in 0..8 {
                let text = opening(GridSize::new(cols, rows), seed).expect("an opening");
                let stones: Vec<_> = text.split(' ').filter_map(at).collect();
                assert_eq!(Reply::parse(&text), Reply::Moves(stones.clone()));
                let mut all = stones.clone();
                all.sort_unstable();
                all.dedup();
                assert_eq!(all.len(), 3, "{text}");
                let inside = |&(x, y): &(i64, i64)| {
                    (0..i64::from(cols)).contains(&x) && (0..i64::from(rows)).contains(&y)
                };
                assert!(stones.iter().all(inside), "{cols}x{rows}: {text}");
            }
        }
    }
}
