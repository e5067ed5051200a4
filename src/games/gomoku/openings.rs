//! First moves for matches: a few stones near the middle after which neither side has won yet.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::policies::{GomokuPolicy as _, Proof, Search};
use super::rules::Board;
use crate::types::{Budget, Cell};

/// Stones at most: on a large board, on one of eight or nine, and on a smaller one.
const MOST: [usize; 3] = [5, 4, 3];
/// An opening is taken when the search, looking at so many positions, sees no more than this for
/// either side (400 is the odds of e to 1).
const LOOK: u64 = 20_000;
const EVEN: f64 = 150.0;
/// Openings to try before the evenest of them is taken.
const TRIES: usize = 40;

/// An empty board of the same size and rule.
pub(super) fn empty(board: &Board) -> Board {
    let mut board = board.clone();
    while board.undo().is_some() {}
    board
}

/// Two to five stones, fewer on a small board; the same for the same seed.
pub(super) fn opening(like: &Board, seed: u64) -> Vec<Cell> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let start = empty(like);
    let size = start.size();
    let short = size.cols.min(size.rows);
    let most = match short {
        5..=7 => MOST[2],
        8..=9 => MOST[1],
        _ => MOST[0],
    };
    // Close together: a stone far from the others is a move given away.
    let reach = (short / 2).saturating_sub(1).clamp(1, 2);
    let budget = Budget {
        nodes: Some(LOOK),
        ..Budget::default()
    };
    let Ok(mut search) = Search::new(1 << 18, 1) else {
        // Without room to look at others, the empty board is as even as any.
        return Vec::new();
    };
    let mut evenest: Option<(f64, Vec<Cell>)> = None;
    for _ in 0..TRIES {
        let count = rng.random_range(2..=most);
        let mut board = start.clone();
        while board.moves().len() < count {
            let col = size.cols / 2 + rng.random_range(0..=2 * reach) - reach;
            let row = size.rows / 2 + rng.random_range(0..=2 * reach) - reach;
            // A cell that is taken is drawn again.
            let _ = board.play(Cell::new(col, row));
        }
        search.forget();
        let Some(choice) = search.decide(&board, &budget) else {
            continue;
        };
        let uneven = match choice.proof {
            Proof::None => choice.score.abs(),
            Proof::Win(_) | Proof::Loss(_) => f64::INFINITY,
        };
        if evenest.as_ref().is_none_or(|(least, _)| uneven < *least) {
            evenest = Some((uneven, board.moves().to_vec()));
        }
        if uneven <= EVEN {
            break;
        }
    }
    evenest.map(|(_, moves)| moves).unwrap_or_default()
}
