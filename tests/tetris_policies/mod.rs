//! The Tetris policies: every feature by its definition, reach, searches against brute force.

mod allocations;
mod features;
mod programs;
mod reach;
mod search;
mod slow;

use kibitzer::games::tetris::policies::{MoveModel, Position};
use kibitzer::games::tetris::rules::{Board, Kind};

fn position(board: &Board, kind: Kind, next: Option<Kind>, model: MoveModel) -> Position<'_> {
    Position {
        board,
        kind,
        next,
        model,
        allowed: None,
    }
}

fn board(text: &str) -> Board {
    Board::from_text(text).expect(text)
}
