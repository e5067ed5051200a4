//! Random boards that are the same on every machine.

use super::board::{Board, MAX_COLOURS, MAX_SIDE};
use crate::types::{Cell, GridSize};

/// An endless stream of boards whose cells are independent and all colours equally likely.
///
/// The generator is splitmix64 (Steele, Lea and Flood 2014); a cell's colour is the upper
/// half of a draw scaled to the number of colours, row by row.
#[derive(Clone, Debug)]
pub struct SeededBoards {
    state: u64,
    size: GridSize,
    colours: u64,
}

impl SeededBoards {
    /// Boards of `size` (clamped to what a board may be) with `colours` (1 to 36, clamped).
    #[must_use]
    pub fn new(seed: u64, size: GridSize, colours: usize) -> Self {
        Self {
            state: seed,
            size: GridSize::new(size.cols.clamp(1, MAX_SIDE), size.rows.clamp(1, MAX_SIDE)),
            colours: colours.clamp(1, MAX_COLOURS) as u64,
        }
    }

    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

impl Iterator for SeededBoards {
    type Item = Board;

    fn next(&mut self) -> Option<Board> {
        let cells = (0..self.size.len())
            .map(|_| (((self.draw() >> 32) * self.colours) >> 32) as u8)
            .collect();
        // Never an error: size and colours were clamped when the stream was made.
        Board::new(self.size, cells, Cell::default()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_board_of_the_published_set() {
        let board = SeededBoards::new(0x0141_46C0_FFEE, GridSize::new(14, 14), 6)
            .next()
            .expect("endless");
        let digits: String = board.cells().iter().map(|c| (b'1' + c) as char).collect();
        assert!(digits.starts_with("1144211162511514545256554611432462351611331556132426242561"));
        assert!(digits.ends_with("154634411324215643355124"));
    }
}
