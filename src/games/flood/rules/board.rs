//! A board and what a move does to it.

use crate::types::{Cell, GridSize};

/// Longest side of a board, in cells.
pub const MAX_SIDE: u16 = 64;
/// Number of colours that have a symbol in every notation: digits and letters.
pub const MAX_COLOURS: usize = 36;

/// A position: the colour of each cell, and the cell whose region is flooded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    size: GridSize,
    start: Cell,
    cells: Vec<u8>,
}

/// Why something is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// A side is zero or longer than [`MAX_SIDE`].
    #[error("a board of {0} cells: both sides must be 1 to {MAX_SIDE}")]
    Size(GridSize),
    /// The number of cells is not columns times rows.
    #[error("{found} cells for a board of {size}: {} are needed", size.len())]
    Count {
        /// The size asked for.
        size: GridSize,
        /// The cells given.
        found: usize,
    },
    /// A colour is [`MAX_COLOURS`] or more.
    #[error("colour {colour} at column {}, row {}: colours are 0 to {}", cell.col + 1, cell.row + 1, MAX_COLOURS - 1)]
    Colour {
        /// Where.
        cell: Cell,
        /// The colour given.
        colour: u8,
    },
    /// The start cell lies outside.
    #[error("the start cell {},{} (counted from 0) lies outside a board of {size}", start.col, start.row)]
    Start {
        /// The cell given.
        start: Cell,
        /// The board's size.
        size: GridSize,
    },
}

/// Why a list of moves is not a solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// A move to the colour that the region already has, or to one that does not exist.
    #[error(
        "move {number} is not a move: the region already has colour {colour} or no cell has it"
    )]
    NotAMove {
        /// Counted from 1.
        number: usize,
        /// Its colour.
        colour: u8,
    },
    /// More than one colour is left after the last move.
    #[error("{colours} colours are left after {moves} moves")]
    Unsolved {
        /// Colours left.
        colours: usize,
        /// Moves played.
        moves: usize,
    },
}

impl Board {
    /// A board from row-major colours.
    ///
    /// # Errors
    /// When size, number of cells, a colour or the start cell is out of range.
    pub fn new(size: GridSize, cells: Vec<u8>, start: Cell) -> Result<Self, BoardError> {
        let side = 1..=MAX_SIDE;
        if !side.contains(&size.cols) || !side.contains(&size.rows) {
            return Err(BoardError::Size(size));
        }
        if cells.len() != size.len() {
            return Err(BoardError::Count {
                size,
                found: cells.len(),
            });
        }
        if let Some(i) = cells.iter().position(|&c| usize::from(c) >= MAX_COLOURS) {
            return Err(BoardError::Colour {
                cell: size.cell(i),
                colour: cells[i],
            });
        }
        if start.col >= size.cols || start.row >= size.rows {
            return Err(BoardError::Start { start, size });
        }
        Ok(Self { size, start, cells })
    }

    /// Columns and rows.
    #[must_use]
    pub const fn size(&self) -> GridSize {
        self.size
    }

    /// The cell whose region is flooded.
    #[must_use]
    pub const fn start(&self) -> Cell {
        self.start
    }

    /// The same colours with another start cell; one outside is moved to the nearest cell.
    #[must_use]
    pub fn with_start(mut self, start: Cell) -> Self {
        self.start = Cell::new(
            start.col.min(self.size.cols - 1),
            start.row.min(self.size.rows - 1),
        );
        self
    }

    /// Colours, row-major.
    #[must_use]
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The colour of the flooded region.
    #[must_use]
    pub fn colour(&self) -> u8 {
        self.cells[self.size.index(self.start)]
    }

    /// The colours on the board as a bit set.
    #[must_use]
    pub fn colour_set(&self) -> u64 {
        self.cells.iter().fold(0, |set, &c| set | 1 << c)
    }

    /// How many colours are left.
    #[must_use]
    pub fn colours(&self) -> usize {
        self.colour_set().count_ones() as usize
    }

    /// Whether one colour is left.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.cells.iter().all(|&c| c == self.cells[0])
    }

    /// Whether `colour` may be played: another colour than the region's, and one on the board.
    #[must_use]
    pub fn is_move(&self, colour: u8) -> bool {
        colour != self.colour() && self.cells.contains(&colour)
    }

    /// Recolours the flooded region. Its own colour changes nothing.
    pub fn flood(&mut self, colour: u8) {
        let old = self.colour();
        if old == colour || usize::from(colour) >= MAX_COLOURS {
            return;
        }
        let cells = &mut self.cells;
        for_region(self.size, self.start, |i| {
            let here = cells[i] == old;
            if here {
                cells[i] = colour;
            }
            here
        });
    }

    /// The board after a move.
    #[must_use]
    pub fn after(&self, colour: u8) -> Self {
        let mut next = self.clone();
        next.flood(colour);
        next
    }

    /// For each cell whether it belongs to the flooded region.
    #[must_use]
    pub fn region(&self) -> Vec<bool> {
        let mut inside = vec![false; self.cells.len()];
        let colour = self.colour();
        for_region(self.size, self.start, |i| {
            let fresh = self.cells[i] == colour && !inside[i];
            if fresh {
                inside[i] = true;
            }
            fresh
        });
        inside
    }

    /// Cells in the flooded region.
    #[must_use]
    pub fn region_size(&self) -> usize {
        self.region().iter().filter(|&&inside| inside).count()
    }

    /// Plays `moves` and checks that each is a move and that the last one leaves one colour.
    ///
    /// # Errors
    /// Which move is none, or how many colours are left.
    pub fn replay(&self, moves: &[u8]) -> Result<(), ReplayError> {
        let mut board = self.clone();
        for (i, &colour) in moves.iter().enumerate() {
            if !board.is_move(colour) {
                return Err(ReplayError::NotAMove {
                    number: i + 1,
                    colour,
                });
            }
            board.flood(colour);
        }
        if board.is_solved() {
            Ok(())
        } else {
            Err(ReplayError::Unsolved {
                colours: board.colours(),
                moves: moves.len(),
            })
        }
    }

    /// The number of moves allowed where it is a matter of the game and not of the program: 25 on
    /// 14x14 with six colours. Other boards have the limit their program gives them.
    #[must_use]
    pub fn usual_limit(&self) -> Option<u32> {
        (self.size == GridSize::new(14, 14) && self.colours() == 6).then_some(25)
    }
}

/// Visits cells from `start` outwards; `enter` says whether a cell belongs and is new, and
/// must say so only once for each.
fn for_region(size: GridSize, start: Cell, mut enter: impl FnMut(usize) -> bool) {
    let (cols, len) = (usize::from(size.cols), size.len());
    let mut open = Vec::with_capacity(64);
    let first = size.index(start);
    if enter(first) {
        open.push(first);
    }
    while let Some(i) = open.pop() {
        let col = i % cols;
        let mut visit = |n: usize| {
            if enter(n) {
                open.push(n);
            }
        };
        if col > 0 {
            visit(i - 1);
        }
        if col + 1 < cols {
            visit(i + 1);
        }
        if i >= cols {
            visit(i - cols);
        }
        if i + cols < len {
            visit(i + cols);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn board(text: &str) -> Board {
        Board::from_text(text, Cell::default()).expect("a board")
    }

    #[test]
    fn a_move_recolours_the_region_and_nothing_else() {
        let mut b = board("aab/bca/aaa");
        assert_eq!(b.region_size(), 2);
        b.flood(1);
        assert_eq!(b.text().0, "bbb/bca/aaa");
        assert_eq!(b.region_size(), 4);
        b.flood(1);
        assert_eq!(b.text().0, "bbb/bca/aaa", "its own colour changes nothing");
        b.flood(0);
        assert_eq!(b.text().0, "aaa/aca/aaa");
        assert_eq!((b.colours(), b.region_size()), (2, 8));
        b.flood(2);
        assert!(b.is_solved());
    }

    #[test]
    fn the_flood_starts_where_it_is_told() {
        let mut b = Board::from_text("aab/bca/aaa", Cell::new(1, 1)).expect("a board");
        b.flood(0);
        assert_eq!(b.text().0, "aab/baa/aaa");
        b.flood(1);
        assert!(b.is_solved());
    }

    #[test]
    fn solutions_are_checked_by_replay() {
        let b = board("aab/bca/aaa");
        assert_eq!(b.replay(&[1, 0, 2]), Ok(()));
        assert_eq!(
            b.replay(&[1, 0]),
            Err(ReplayError::Unsolved {
                colours: 2,
                moves: 2
            })
        );
        assert_eq!(
            b.replay(&[1, 1]),
            Err(ReplayError::NotAMove {
                number: 2,
                colour: 1
            })
        );
        assert!(b.replay(&[7]).is_err(), "no cell has colour 7");
        assert_eq!(board("a").replay(&[]), Ok(()));
    }

    #[test]
    fn what_is_no_board_is_refused() {
        let at = Cell::default();
        let new = |c, r, n| Board::new(GridSize::new(c, r), vec![0; n], at);
        assert!(new(64, 64, 4096).is_ok());
        assert!(matches!(new(65, 1, 65), Err(BoardError::Size(_))));
        assert!(matches!(new(0, 3, 0), Err(BoardError::Size(_))));
        assert!(matches!(
            new(3, 3, 8),
            Err(BoardError::Count { found: 8, .. })
        ));
        let size = GridSize::new(1, 1);
        assert!(matches!(
            Board::new(size, vec![36], at),
            Err(BoardError::Colour { .. })
        ));
        assert!(matches!(
            Board::new(size, vec![0], Cell::new(1, 0)),
            Err(BoardError::Start { .. })
        ));
    }

    #[test]
    fn the_usual_limit_is_25_for_the_usual_board() {
        let cells = (0..196).map(|i| (i % 6) as u8).collect();
        let b = Board::new(GridSize::new(14, 14), cells, Cell::default()).expect("a board");
        assert_eq!(b.usual_limit(), Some(25));
        assert_eq!(board("a").usual_limit(), None);
    }

    proptest! {
        #[test]
        fn flooding_keeps_the_rules(
            cols in 1u16..9, rows in 1u16..9, seed: u64, moves in proptest::collection::vec(0u8..5, 0..12),
        ) {
            let size = GridSize::new(cols, rows);
            let start = size.cell(seed as usize % size.len());
            let mut b = super::super::SeededBoards::new(seed, size, 5).next().expect("endless").with_start(start);
            for colour in moves {
                let before = b.clone();
                let region = b.region();
                b.flood(colour);
                let after = b.region();
                for (i, was_inside) in region.iter().enumerate() {
                    if *was_inside {
                        prop_assert_eq!(b.cells()[i], colour);
                        prop_assert!(after[i], "the region never loses a cell");
                    } else {
                        prop_assert_eq!(b.cells()[i], before.cells()[i]);
                    }
                }
                prop_assert!(b.colour_set() & !(before.colour_set() | 1 << colour) == 0);
                prop_assert_eq!(b.is_solved(), b.region_size() == size.len());
                prop_assert_eq!(Board::from_text(&b.text().0, start).expect("its own text"), b.clone());
            }
        }
    }
}
