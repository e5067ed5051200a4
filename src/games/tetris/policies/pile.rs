//! The pile as integers, one per column, with the walls as columns of their own.

use super::bits::{Bits, Wide};
use super::placement::Placement;
use super::shape::Shape;
use crate::games::tetris::rules::{Board, JUNK};

/// Columns are counted from 1 here: 0 and `cols + 1` are the walls, which are filled as high as
/// the board, and one more column is there to be looked at beyond. Pieces may stick out at the top by up to four rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pile<C, const W: usize> {
    pub(super) cols: u16,
    pub(super) rows: u16,
    pub(super) col: [C; W],
}

/// For boards of up to 17x28, the standard's among them.
pub type Small = Pile<u32, 20>;
/// For boards of up to 61x60.
pub type Middle = Pile<u64, 64>;
/// For every other board.
pub type Large = Pile<Wide, 203>;

impl<C: Bits, const W: usize> Pile<C, W> {
    /// Whether boards of this size have place in it.
    #[must_use]
    pub const fn has_place(cols: u16, rows: u16) -> bool {
        cols as usize + 3 <= W && rows as u32 + 4 <= C::BITS
    }

    /// An empty board; one that has no place is made smaller.
    #[must_use]
    pub fn empty(cols: u16, rows: u16) -> Self {
        let cols = cols.min(W as u16 - 3);
        let rows = rows.min(C::BITS as u16 - 4);
        let mut col = [C::ZERO; W];
        let wall = C::low(u32::from(rows));
        col[0] = wall;
        col[usize::from(cols) + 1] = wall;
        Self { cols, rows, col }
    }

    /// The occupied cells of a board.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        let mut pile = Self::empty(board.cols(), board.rows());
        let cols = usize::from(board.cols());
        for (y, row) in board.cells().chunks(cols).enumerate() {
            for (x, _) in row.iter().enumerate().filter(|(_, v)| **v != 0) {
                let cell = C::range(y as u32, y as u32 + 1);
                pile.col[x + 1] = pile.col[x + 1] | cell;
            }
        }
        pile
    }

    /// As a board; what a cell is made of is not known.
    #[must_use]
    pub fn board(&self) -> Board {
        let mut board = Board::empty(self.cols, self.rows);
        for x in 0..self.cols {
            let column = self.col[usize::from(x) + 1];
            for y in 0..self.rows {
                let y32 = u32::from(y);
                if !(column & C::range(y32, y32 + 1)).is_empty() {
                    board.set(x as i16, y as i16, JUNK);
                }
            }
        }
        board
    }

    /// Number of columns.
    #[must_use]
    pub const fn cols(&self) -> u16 {
        self.cols
    }

    /// Number of rows of the board.
    #[must_use]
    pub const fn rows(&self) -> u16 {
        self.rows
    }

    /// Height of the highest column.
    #[must_use]
    #[inline]
    pub fn height(&self) -> u32 {
        let cols = usize::from(self.cols);
        let all = self.col[1..=cols].iter().fold(C::ZERO, |a, &c| a | c);
        all.top()
    }

    /// The row of the lowest cell of a piece that comes to rest on columns of these heights.
    #[inline(always)]
    pub(super) fn rest(height: &[u16], shape: &Shape) -> u32 {
        let mut lowest = 0;
        for i in 0..usize::from(shape.width) {
            lowest = lowest.max(u32::from(height[i]).saturating_sub(u32::from(shape.bottom[i])));
        }
        lowest
    }

    /// Drops a piece with its left column at `left` (from 1); how many rows vanish.
    #[inline]
    pub fn drop_piece(&mut self, shape: &Shape, left: usize) -> u32 {
        let mut height = [0_u16; 4];
        let width = usize::from(shape.width);
        for i in 0..width {
            height[i] = self.col[left + i].top() as u16;
        }
        let lowest = Self::rest(&height, shape);
        for i in 0..width {
            let from = lowest + u32::from(shape.bottom[i]);
            let cells = C::range(from, from + u32::from(shape.count[i]));
            self.col[left + i] = self.col[left + i] | cells;
        }
        let full = self.full();
        if full.is_empty() {
            return 0;
        }
        self.squeeze(full);
        full.count()
    }

    /// The same with a placement; nothing happens when it does not fit between the walls.
    pub fn play(&mut self, placement: &Placement) -> u32 {
        let shape = placement.shape();
        if placement.left + u16::from(shape.width) > self.cols {
            return 0;
        }
        self.drop_piece(shape, usize::from(placement.left) + 1)
    }

    /// The complete rows.
    #[inline(always)]
    pub(super) fn full(&self) -> C {
        let cols = usize::from(self.cols);
        let wall = C::low(u32::from(self.rows));
        self.col[1..=cols].iter().fold(wall, |a, &c| a & c)
    }

    /// Takes rows out.
    #[inline]
    pub(super) fn squeeze(&mut self, full: C) {
        for column in &mut self.col[1..=usize::from(self.cols)] {
            *column = column.squeezed(full);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tetris::rules::Kind;

    #[test]
    fn boards_of_all_sizes_there_and_back() {
        let text = "....../..#.../..##../##..#./.#####";
        let board = Board::from_text(text).expect("a board");
        assert_eq!(Small::of(&board).board().text(), text);
        assert_eq!(Middle::of(&board).board().text(), text);
        assert_eq!(Large::of(&board).board().text(), text);
        let mut large = Board::empty(200, 400);
        large.set(199, 399, JUNK);
        large.set(0, 64, JUNK);
        assert_eq!(Large::of(&large).board(), large);
        assert!(Small::has_place(10, 20) && !Small::has_place(18, 20) && !Small::has_place(10, 29));
        assert!(Large::has_place(200, 400));
    }

    #[test]
    fn dropping_is_the_rules_dropping() {
        let text = "....../....../....../#...../##.#../##.###/.#####";
        let board = Board::from_text(text).expect("a board");
        for kind in Kind::ALL {
            for placement in Placement::all(kind, 6) {
                let (after, rows) = placement.applied(&board).expect("fits");
                let mut small = Small::of(&board);
                let mut large = Large::of(&board);
                assert_eq!(small.play(&placement), u32::from(rows), "{placement}");
                assert_eq!(large.play(&placement), u32::from(rows), "{placement}");
                let shown = |b: &Board| b.text().replace(kind.letter(), "#");
                assert_eq!(small.board().text(), shown(&after), "{placement}");
                assert_eq!(large.board().text(), shown(&after), "{placement}");
            }
        }
    }
}
