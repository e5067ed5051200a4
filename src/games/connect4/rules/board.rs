//! A board of any size: discs, moves, who has won.

use crate::types::{BoardText, GridSize};

/// More columns have no character in the notation; rows are bounded alike.
pub const MAX_SIDE: u16 = 35;

/// Whose disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Disc {
    /// Of the player who moves first, `X`.
    First,
    /// Of the other, `O`.
    Second,
}

impl Disc {
    /// The opponent's.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// `X` or `O`.
    #[must_use]
    pub const fn symbol(self) -> char {
        match self {
            Self::First => 'X',
            Self::Second => 'O',
        }
    }
}

/// Why a board or a move is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Too small, too large, or no room for a row.
    #[error(
        "{cols}x{rows} with {row} in a row: allowed are 1 to {MAX_SIDE} columns and rows, and from 2 in a row to what fits"
    )]
    Size {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
        /// In a row.
        row: u16,
    },
    /// There is no such column.
    #[error("there is no column {0}")]
    NoColumn(usize),
    /// The column, from 1, is full.
    #[error("column {0} is full")]
    Full(usize),
    /// The game is over: somebody has won, or the board is full.
    #[error("the game is over")]
    Over,
    /// Discs that no game can have led to.
    #[error("{0}")]
    Impossible(String),
}

/// A position. The first player moves when there are as many discs of both.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    size: GridSize,
    row: u16,
    /// Column by column from the left, each from the bottom.
    cells: Vec<Option<Disc>>,
    heights: Vec<u16>,
    discs: usize,
    winner: Option<Disc>,
}

impl Board {
    /// An empty board on which `row` in a row win.
    ///
    /// # Errors
    /// [`BoardError::Size`].
    pub fn new(size: GridSize, row: u16) -> Result<Self, BoardError> {
        let sides = 1..=MAX_SIDE;
        let fits = row >= 2 && row <= size.cols.max(size.rows);
        if !sides.contains(&size.cols) || !sides.contains(&size.rows) || !fits {
            return Err(BoardError::Size {
                cols: size.cols,
                rows: size.rows,
                row,
            });
        }
        Ok(Self {
            size,
            row,
            cells: vec![None; size.len()],
            heights: vec![0; usize::from(size.cols)],
            discs: 0,
            winner: None,
        })
    }

    /// The usual board: seven columns of six, four in a row.
    #[must_use]
    pub fn usual() -> Self {
        Self::new(GridSize::new(7, 6), 4).unwrap_or_else(|_| unreachable!("four fit into 7x6"))
    }

    /// From rows of `.`, `X` and `O` (or small letters), the top one first.
    ///
    /// # Errors
    /// Rows of different lengths, other characters, discs in the air, numbers of discs that differ
    /// by more than the one that is to move, rows of both players, or [`BoardError::Size`].
    pub fn from_rows(text: &str, row: u16) -> Result<Self, BoardError> {
        let impossible = |text: String| Err(BoardError::Impossible(text));
        let lines: Vec<Vec<char>> = text
            .split('/')
            .map(|l| l.trim().chars().collect())
            .collect();
        let (cols, rows) = (lines[0].len(), lines.len());
        let side = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        let mut board = Self::new(GridSize::new(side(cols), side(rows)), row)?;
        let mut count = [0usize; 2];
        for (i, line) in lines.iter().rev().enumerate() {
            if line.len() != cols {
                return impossible(format!(
                    "row {} from the bottom has {} cells, not {cols}",
                    i + 1,
                    line.len()
                ));
            }
            for (col, c) in line.iter().enumerate() {
                let disc = match c {
                    '.' => continue,
                    'X' | 'x' => Disc::First,
                    'O' | 'o' => Disc::Second,
                    other => {
                        return impossible(format!("`{other}` is no cell: write `.`, `X` or `O`"));
                    }
                };
                if usize::from(board.heights[col]) != i {
                    return impossible(format!(
                        "the disc in column {}, row {} from the bottom, hangs in the air",
                        col + 1,
                        i + 1
                    ));
                }
                board.cells[col * rows + i] = Some(disc);
                board.heights[col] += 1;
                count[usize::from(disc == Disc::Second)] += 1;
            }
        }
        board.discs = count[0] + count[1];
        if count[0] != count[1] && count[0] != count[1] + 1 {
            return impossible(format!(
                "{} `X` and {} `O`: `X` moves first, so there are as many or one more",
                count[0], count[1]
            ));
        }
        let mut winners = [false; 2];
        for (i, cell) in board.cells.iter().enumerate() {
            if let Some(disc) = *cell {
                winners[usize::from(disc == Disc::Second)] |=
                    board.has_row_at(i / rows, i % rows, disc);
            }
        }
        let last = board.to_move().other();
        board.winner = match winners {
            [false, false] => None,
            [true, true] => return impossible("both have a row".to_owned()),
            [first, _] => {
                let winner = if first { Disc::First } else { Disc::Second };
                if winner != last {
                    return impossible(format!(
                        "`{}` has a row, but the other moved after it",
                        winner.symbol()
                    ));
                }
                Some(winner)
            }
        };
        Ok(board)
    }

    /// Columns and rows.
    #[must_use]
    pub const fn size(&self) -> GridSize {
        self.size
    }

    /// How many in a row win.
    #[must_use]
    pub const fn row(&self) -> u16 {
        self.row
    }

    /// Discs on the board.
    #[must_use]
    pub const fn discs(&self) -> usize {
        self.discs
    }

    /// Whose turn it is, or would be.
    #[must_use]
    pub const fn to_move(&self) -> Disc {
        if self.discs.is_multiple_of(2) {
            Disc::First
        } else {
            Disc::Second
        }
    }

    /// The disc in a column from the left and a row from the bottom, both from 0; `None` for an
    /// empty cell and outside.
    #[must_use]
    pub fn at(&self, col: usize, row: usize) -> Option<Disc> {
        let rows = usize::from(self.size.rows);
        (row < rows).then(|| self.cells.get(col * rows + row).copied().flatten())?
    }

    /// Discs in a column from 0; 0 outside.
    #[must_use]
    pub fn height(&self, col: usize) -> usize {
        self.heights.get(col).map_or(0, |&h| h.into())
    }

    /// Whether a disc can go into this column, from 0: there is room, and the game is not over.
    #[must_use]
    pub fn is_legal(&self, col: usize) -> bool {
        self.winner.is_none() && self.heights.get(col).is_some_and(|&h| h < self.size.rows)
    }

    /// The columns, from 0, into which a disc can go.
    pub fn legal(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.heights.len()).filter(|&c| self.is_legal(c))
    }

    /// Drops a disc of the player to move into a column, from 0.
    ///
    /// # Errors
    /// When the game is over or the column full or none; nothing has changed then.
    pub fn play(&mut self, col: usize) -> Result<(), BoardError> {
        if self.is_over() {
            return Err(BoardError::Over);
        }
        let Some(&height) = self.heights.get(col) else {
            return Err(BoardError::NoColumn(col.saturating_add(1)));
        };
        if height >= self.size.rows {
            return Err(BoardError::Full(col + 1));
        }
        let disc = self.to_move();
        self.cells[col * usize::from(self.size.rows) + usize::from(height)] = Some(disc);
        self.heights[col] += 1;
        self.discs += 1;
        if self.has_row_at(col, height.into(), disc) {
            self.winner = Some(disc);
        }
        Ok(())
    }

    /// Takes the uppermost disc of a column away, which must have been the last move. Does nothing
    /// to an empty column.
    pub fn undo(&mut self, col: usize) {
        let Some(height) = self.heights.get_mut(col).filter(|h| **h > 0) else {
            return;
        };
        *height -= 1;
        let at = col * usize::from(self.size.rows) + usize::from(*height);
        self.cells[at] = None;
        self.discs -= 1;
        // Nobody moves after a row, so taking the last move back takes the row back.
        self.winner = None;
    }

    /// Whether the disc of the player to move wins at once in this column, from 0.
    #[must_use]
    pub fn wins(&self, col: usize) -> bool {
        self.is_legal(col) && self.has_row_at(col, self.height(col), self.to_move())
    }

    /// Who has so many in a row.
    #[must_use]
    pub const fn winner(&self) -> Option<Disc> {
        self.winner
    }

    /// Whether somebody has won or the board is full.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.winner.is_some() || self.discs == self.size.len()
    }

    /// Whether a disc at this cell is part of a row, whatever the cell itself holds.
    fn has_row_at(&self, col: usize, row: usize, disc: Disc) -> bool {
        let run = |dc: isize, dr: isize| {
            let (mut c, mut r, mut n) = (col, row, 0);
            while let (Some(nc), Some(nr)) = (c.checked_add_signed(dc), r.checked_add_signed(dr)) {
                if self.at(nc, nr) != Some(disc) {
                    break;
                }
                (c, r, n) = (nc, nr, n + 1);
            }
            n
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)]
            .iter()
            .any(|&(dc, dr)| 1 + run(dc, dr) + run(-dc, -dr) >= usize::from(self.row))
    }

    /// Rows of `.`, `X` and `O` from the top.
    #[must_use]
    pub fn text(&self) -> BoardText {
        let (cols, rows) = (usize::from(self.size.cols), usize::from(self.size.rows));
        let cells = (0..rows)
            .rev()
            .flat_map(|r| (0..cols).map(move |c| self.at(c, r).map_or('.', Disc::symbol)));
        BoardText::from_cells(cols, cells)
    }
}
