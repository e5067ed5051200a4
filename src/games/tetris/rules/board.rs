//! The pile: which cells are occupied, and by what.

use std::fmt::Write as _;

use super::kind::Kind;
use super::system::{Pose, System};

/// The smallest board, columns and rows.
pub const MIN_SIZE: (u16, u16) = (4, 4);
/// The largest board, columns and rows.
pub const MAX_SIZE: (u16, u16) = (200, 400);
/// What a cell of a junk row, or one of unknown origin, is made of; kinds are 1 to 7.
pub const JUNK: u8 = 8;

/// A board as text that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Smaller or larger than boards may be.
    #[error(
        "a board of {cols}x{rows}: boards have 4x4 to 200x400 cells",
        cols = .0, rows = .1
    )]
    Size(usize, usize),
    /// Rows of different lengths.
    #[error("row {row} has {found} cells, the first row has {wanted}")]
    Ragged {
        /// From 1 at the top.
        row: usize,
        /// Cells it has.
        found: usize,
        /// Cells it should have.
        wanted: usize,
    },
    /// A character that is no cell.
    #[error("row {row}, column {col}: `{found}` is no cell (`.` empty, O I S Z L J T, `#` other)")]
    Character {
        /// From 1 at the top.
        row: usize,
        /// From 1 at the left.
        col: usize,
        /// What stands there.
        found: char,
    },
}

/// The pile of a game. Cell values: 0 empty, 1 to 7 the number of a kind, [`JUNK`] anything else.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Board {
    cols: u16,
    rows: u16,
    /// Row-major from the bottom row.
    cells: Vec<u8>,
}

impl Clone for Board {
    fn clone(&self) -> Self {
        Self {
            cells: self.cells.clone(),
            ..*self
        }
    }

    /// Keeps the allocation: boards are tried out many times a second.
    fn clone_from(&mut self, from: &Self) {
        (self.cols, self.rows) = (from.cols, from.rows);
        self.cells.clone_from(&from.cells);
    }
}

impl Board {
    /// An empty board; sides are brought into the allowed range.
    #[must_use]
    pub fn empty(cols: u16, rows: u16) -> Self {
        let cols = cols.clamp(MIN_SIZE.0, MAX_SIZE.0);
        let rows = rows.clamp(MIN_SIZE.1, MAX_SIZE.1);
        Self {
            cols,
            rows,
            cells: vec![0; usize::from(cols) * usize::from(rows)],
        }
    }

    /// From rows of `.`, letters of kinds and `#`, top row first, joined by `/` or line ends.
    ///
    /// # Errors
    /// See [`BoardError`].
    pub fn from_text(text: &str) -> Result<Self, BoardError> {
        let lines: Vec<Vec<char>> = text
            .split(['/', '\n'])
            .map(|l| l.trim().chars().collect::<Vec<_>>())
            .filter(|l| !l.is_empty())
            .collect();
        let cols = lines.first().map_or(0, Vec::len);
        let rows = lines.len();
        let fits =
            |n: usize, min: u16, max: u16| (usize::from(min)..=usize::from(max)).contains(&n);
        if !fits(cols, MIN_SIZE.0, MAX_SIZE.0) || !fits(rows, MIN_SIZE.1, MAX_SIZE.1) {
            return Err(BoardError::Size(cols, rows));
        }
        let mut board = Self::empty(cols as u16, rows as u16);
        for (i, line) in lines.iter().enumerate() {
            if line.len() != cols {
                return Err(BoardError::Ragged {
                    row: i + 1,
                    found: line.len(),
                    wanted: cols,
                });
            }
            for (x, &found) in line.iter().enumerate() {
                let value = match found {
                    '.' => 0,
                    '#' => JUNK,
                    c => Kind::from_letter(c)
                        .ok_or(BoardError::Character {
                            row: i + 1,
                            col: x + 1,
                            found,
                        })?
                        .number(),
                };
                board.cells[(rows - 1 - i) * cols + x] = value;
            }
        }
        Ok(board)
    }

    /// As text, top row first, joined by `/`.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.cells.len() + usize::from(self.rows));
        for (i, row) in self.cells.chunks(usize::from(self.cols)).rev().enumerate() {
            if i > 0 {
                text.push('/');
            }
            for &value in row {
                let c = match value {
                    0 => '.',
                    v => Kind::from_number(v).map_or('#', Kind::letter),
                };
                // Writing to a string cannot fail.
                let _ = text.write_char(c);
            }
        }
        text
    }

    /// Number of columns.
    #[must_use]
    pub const fn cols(&self) -> u16 {
        self.cols
    }

    /// Number of rows.
    #[must_use]
    pub const fn rows(&self) -> u16 {
        self.rows
    }

    /// Row-major from the bottom row; see the type for the values.
    #[must_use]
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    fn index(&self, x: i16, y: i16) -> Option<usize> {
        let inside = x >= 0 && y >= 0 && x < self.cols as i16 && y < self.rows as i16;
        inside.then(|| y as usize * usize::from(self.cols) + x as usize)
    }

    /// What is at (x, y); `None` outside the board.
    #[must_use]
    pub fn get(&self, x: i16, y: i16) -> Option<u8> {
        self.index(x, y).map(|i| self.cells[i])
    }

    /// Puts a value at (x, y); nothing happens outside the board.
    pub fn set(&mut self, x: i16, y: i16, value: u8) {
        if let Some(i) = self.index(x, y) {
            self.cells[i] = value;
        }
    }

    /// Whether a piece lies wholly on empty cells of the board, or above its top where the system
    /// allows that.
    #[must_use]
    pub fn is_free(&self, system: &System, pose: Pose) -> bool {
        let above = |x: i16, y: i16| system.open_top && self.is_above(x, y);
        system
            .cells(pose)
            .iter()
            .all(|&(x, y)| self.get(x, y) == Some(0) || above(x, y))
    }

    /// Whether (x, y) is above the top row of a column.
    #[must_use]
    pub const fn is_above(&self, x: i16, y: i16) -> bool {
        x >= 0 && x < self.cols as i16 && y >= self.rows as i16
    }

    /// The piece where it comes to rest when it falls straight down from here.
    #[must_use]
    pub fn dropped(&self, system: &System, pose: Pose) -> Pose {
        let mut rest = pose;
        while self.is_free(system, rest.moved(0, -1)) {
            rest = rest.moved(0, -1);
        }
        rest
    }

    /// The piece after one press of the rotate key: the plain turn, or else the first kick of
    /// the system that fits; `None` when nothing does, or there is nothing to turn.
    #[must_use]
    pub fn turned(&self, system: &System, pose: Pose) -> Option<Pose> {
        let plain = system.turned(pose);
        if plain == pose {
            return None;
        }
        let kicked = system
            .kicks
            .iter()
            .map(|&(dx, dy)| plain.moved(dx.into(), dy.into()));
        std::iter::once(plain)
            .chain(kicked)
            .find(|&p| self.is_free(system, p))
    }

    /// Moves everything up a row and fills the lowest but for a hole; the top row is lost.
    pub fn push_row(&mut self, hole: u16, value: u8) {
        let cols = usize::from(self.cols);
        let below_top = self.cells.len() - cols;
        self.cells.copy_within(..below_top, cols);
        self.cells[..cols].fill(value);
        if let Some(cell) = self.cells[..cols].get_mut(usize::from(hole)) {
            *cell = 0;
        }
    }

    /// Makes a piece part of the pile; cells outside the board are lost.
    pub fn lock(&mut self, system: &System, pose: Pose) {
        for (x, y) in system.cells(pose) {
            self.set(x, y, pose.kind.number());
        }
    }

    /// Removes complete rows and lets those above move down; how many there were.
    pub fn clear_full(&mut self) -> u16 {
        let cols = usize::from(self.cols);
        let mut kept = 0;
        for y in 0..usize::from(self.rows) {
            let row = y * cols..(y + 1) * cols;
            if self.cells[row.clone()].iter().all(|&v| v != 0) {
                continue;
            }
            self.cells.copy_within(row, kept * cols);
            kept += 1;
        }
        self.cells[kept * cols..].fill(0);
        self.rows - kept as u16
    }

    /// The height of the highest occupied cell: 0 for an empty board.
    #[must_use]
    pub fn height(&self) -> u16 {
        let top = self.cells.iter().rposition(|&v| v != 0);
        top.map_or(0, |i| (i / usize::from(self.cols)) as u16 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_there_and_back() {
        let text = "....../..T.../.TTT../##.#SS/OO..SS";
        let board = Board::from_text(text).expect("a board");
        assert_eq!(board.text(), text);
        assert_eq!((board.cols(), board.rows(), board.height()), (6, 5, 4));
        assert_eq!(board.get(0, 0), Some(1));
        assert_eq!(board.get(2, 3), Some(7));
    }

    #[test]
    fn what_is_no_board_is_told() {
        let told = |text: &str| Board::from_text(text).expect_err("none").to_string();
        assert!(told("...").contains("3x1"));
        assert!(told("..../..../.../....").starts_with("row 3 has 3 cells"));
        assert!(told("..../..../.x../....").starts_with("row 3, column 2: `x`"));
    }

    #[test]
    fn complete_rows_vanish() {
        let mut board = Board::from_text("T.../####/J.../####/.O..").expect("a board");
        assert_eq!(board.clear_full(), 2);
        assert_eq!(board.text(), "..../..../T.../J.../.O..");
    }
}
