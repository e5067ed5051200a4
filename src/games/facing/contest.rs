//! What a target asks the rules and the policy of a game for.

use crate::games::duel::{Ending, Side};
use crate::types::{Budget, Cell, GridSize};

/// A game under way, by its rules.
pub trait Contest: Clone + Send {
    /// A move.
    type Move: Copy + Eq + std::fmt::Debug + Send;

    /// Columns and rows.
    fn size(&self) -> GridSize;

    /// Whose stone lies on a cell.
    fn at(&self, cell: Cell) -> Option<Side>;

    /// Where the stone of a move would lie; `None` if the move is not allowed.
    fn landing(&self, action: Self::Move) -> Option<Cell>;

    /// Makes a move of the side whose turn it is; false, with nothing changed, if it is not
    /// allowed.
    fn play(&mut self, action: Self::Move) -> bool;

    /// Takes the last move back, which must have been this one.
    fn take_back(&mut self, action: Self::Move);

    /// Whose turn it is, or would be.
    fn to_move(&self) -> Side;

    /// How it ended, if it has.
    fn ending(&self) -> Option<Ending>;

    /// Whether so many stones in a row win.
    fn wins(&self, run: usize) -> bool;

    /// The moves among which somebody chooses who does not think; empty only when there is no move
    /// at all.
    fn careless(&self) -> Vec<Self::Move>;
}

/// Somebody who chooses moves. With a budget of nodes and no time, the same questions in the same
/// order are answered in the same way.
pub trait Thinker<B: Contest>: Send {
    /// The policy's name.
    fn name(&self) -> &str;

    /// Chooses a move in a game that is not over; `None` only when it is.
    fn answer(&mut self, board: &B, budget: &Budget) -> Option<B::Move>;
}

/// The cells of all rows that have won a game, each once; none while nobody has won.
#[must_use]
pub fn winning_rows<B: Contest>(board: &B) -> Vec<Cell> {
    let Some(Ending::Won(winner)) = board.ending() else {
        return Vec::new();
    };
    let own = board
        .size()
        .cells()
        .filter(|&cell| board.at(cell) == Some(winner));
    let mut all: Vec<Cell> = own.flat_map(|cell| winning_row(board, cell)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The cells of the rows that the stone on this cell has completed, each once.
#[must_use]
pub fn winning_row<B: Contest>(board: &B, last: Cell) -> Vec<Cell> {
    let Some(side) = board.at(last) else {
        return Vec::new();
    };
    let step = |cell: Cell, dx: i32, dy: i32| {
        let col = u16::try_from(i32::from(cell.col) + dx).ok()?;
        let row = u16::try_from(i32::from(cell.row) + dy).ok()?;
        let inside = col < board.size().cols && row < board.size().rows;
        let next = Cell::new(col, row);
        (inside && board.at(next) == Some(side)).then_some(next)
    };
    let mut all = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        let mut run: Vec<Cell> =
            std::iter::successors(Some(last), |&c| step(c, -dx, -dy)).collect();
        run.reverse();
        run.extend(std::iter::successors(step(last, dx, dy), |&c| {
            step(c, dx, dy)
        }));
        if board.wins(run.len()) {
            all.extend(run);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}
