//! Which cell to click when any cell of a colour will do.

use crate::games::flood::rules::Board;
use crate::types::Cell;

/// A cell of `colour` outside the flooded region: rather inside a patch of that colour and away
/// from the board's edge, so that a click slightly off still counts, and rather near the last
/// click. `None` if there is no such cell.
#[must_use]
pub fn aim(board: &Board, colour: u8, last: Option<Cell>) -> Option<Cell> {
    let size = board.size();
    let flooded = board.region();
    let diagonal = f64::from(size.cols).hypot(f64::from(size.rows));
    let value = |cell: Cell| {
        // Up to two cells from the edge: further away is no safer.
        let edge = cell
            .col
            .min(cell.row)
            .min(size.cols - 1 - cell.col)
            .min(size.rows - 1 - cell.row)
            .min(2);
        let way = last.map_or(0.0, |l| cell.centre().distance(l.centre()) / diagonal);
        f64::from(patch(board, cell, colour)) + f64::from(edge) - 4.0 * way
    };
    size.cells()
        .filter(|&c| board.cells()[size.index(c)] == colour && !flooded[size.index(c)])
        .map(|c| (value(c), c))
        // The first of equals, row by row.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, cell)| cell)
}

/// How many of the eight cells around have the colour.
fn patch(board: &Board, cell: Cell, colour: u8) -> u8 {
    let size = board.size();
    let mut same = 0;
    for row in cell.row.saturating_sub(1)..=(cell.row + 1).min(size.rows - 1) {
        for col in cell.col.saturating_sub(1)..=(cell.col + 1).min(size.cols - 1) {
            let other = Cell::new(col, row);
            if other != cell && board.cells()[size.index(other)] == colour {
                same += 1;
            }
        }
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, colour: u8, last: Option<Cell>) -> Option<Cell> {
        let board = Board::from_text(text, Cell::default()).expect("a board");
        aim(&board, colour, last)
    }

    #[test]
    fn the_middle_of_a_patch_before_a_single_cell() {
        let board = "abaaaaa/aaaaaaa/aaabbba/aaabbba/aaabbba/aaaaaaa/aaaaaaa";
        assert_eq!(at(board, 1, None), Some(Cell::new(4, 3)));
    }

    #[test]
    fn near_the_last_click_and_never_in_the_flood() {
        let board = "aaaaaaaaaa/abaaaaaaba/aaaaaaaaaa";
        let near = |col| at(board, 1, Some(Cell::new(col, 1)));
        assert_eq!(near(2), Some(Cell::new(1, 1)));
        assert_eq!(near(7), Some(Cell::new(8, 1)));
        assert_eq!(at("aab/aba", 0, None), Some(Cell::new(2, 1)));
        assert_eq!(at("aab", 0, None), None);
        assert_eq!(at("aab", 3, None), None);
    }
}
