//! Which moves lead from one board to another.

use super::board::Board;

/// The shortest sequence of 1 to `most` moves that turns `from` into `to`; `None` if there is
/// none or the boards are equal. Of several the first in the order of the colours. `most` above 3 is slow.
#[must_use]
pub fn moves_between(from: &Board, to: &Board, most: usize) -> Option<Vec<u8>> {
    if from.size() != to.size() || from.start() != to.start() || from == to {
        return None;
    }
    // Moves change only what they flood, and never let go of it.
    let flooded = to.region();
    let plausible = from.region().iter().zip(&flooded).all(|(a, b)| !a | b)
        && from
            .cells()
            .iter()
            .zip(to.cells())
            .zip(&flooded)
            .all(|((a, b), inside)| *inside || a == b);
    if !plausible {
        return None;
    }
    (1..=most).find_map(|n| {
        let mut moves = Vec::with_capacity(n);
        reach(from, to, n, &mut moves).then_some(moves)
    })
}

fn reach(from: &Board, to: &Board, left: usize, moves: &mut Vec<u8>) -> bool {
    // The last move can only be to the colour that is seen.
    let colours = if left == 1 {
        1 << to.colour()
    } else {
        from.colour_set()
    };
    for colour in (0..64u8).filter(|c| colours >> c & 1 == 1) {
        if colour == from.colour() {
            continue;
        }
        let next = from.after(colour);
        moves.push(colour);
        if if left == 1 {
            next == *to
        } else {
            reach(&next, to, left - 1, moves)
        } {
            return true;
        }
        moves.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::flood::rules::SeededBoards;
    use crate::types::{Cell, GridSize};

    fn board(text: &str) -> Board {
        Board::from_text(text, Cell::default()).expect("a board")
    }

    #[test]
    fn the_shortest_way_is_told() {
        let from = board("aab/bca/aaa");
        let after = |moves: &[u8]| {
            let mut b = from.clone();
            moves.iter().for_each(|&m| b.flood(m));
            moves_between(&from, &b, 3)
        };
        assert_eq!(after(&[1]), Some(vec![1]));
        assert_eq!(after(&[2]), Some(vec![2]), "gains nothing, yet is a move");
        assert_eq!(after(&[1, 0]), Some(vec![1, 0]));
        assert_eq!(after(&[1, 0, 2]), Some(vec![1, 0, 2]));
        assert_eq!(after(&[5]), Some(vec![5]), "a colour from a palette");
        assert_eq!(moves_between(&from, &from, 3), None);
        assert_eq!(moves_between(&from, &board("aab/bca/aab"), 3), None);
        assert_eq!(moves_between(&from, &board("bbb/bca/aab"), 3), None);
        assert_eq!(moves_between(&from, &board("bb"), 3), None);
    }

    proptest::proptest! {
        #[test]
        fn what_was_played_is_found(seed: u64, moves in proptest::collection::vec(0u8..5, 1..4)) {
            let from = SeededBoards::new(seed, GridSize::new(6, 5), 5).next().expect("endless");
            let mut to = from.clone();
            moves.iter().for_each(|&m| to.flood(m));
            match moves_between(&from, &to, 3) {
                Some(found) => {
                    let mut replay = from;
                    proptest::prop_assert!(found.len() <= moves.len());
                    found.iter().for_each(|&m| replay.flood(m));
                    proptest::prop_assert_eq!(replay, to);
                }
                None => proptest::prop_assert_eq!(from, to),
            }
        }
    }
}
