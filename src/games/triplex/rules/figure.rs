//! Figures: polyominoes of one to five squares, each in one orientation.

use std::fmt;
use std::str::FromStr;

use crate::types::Cell;

/// Squares of the largest figure.
pub const MOST_SQUARES: usize = 5;

/// A polyomino that does not turn: its squares relative to the top left corner of its box.
///
/// Figures are ordered by their squares, so that equal sets of figures are equal lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Figure {
    len: u8,
    /// Row and column, row-major; what is beyond `len` is zero.
    squares: [(u8, u8); MOST_SQUARES],
}

/// Squares that are no figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FigureError {
    /// None, or more than five.
    #[error("a figure has 1 to {MOST_SQUARES} squares, not {0}")]
    Count(usize),
    /// In pieces, or with a square twice.
    #[error("the squares of a figure hang together by their sides, and none is given twice")]
    Apart,
    /// Another character than `x`, `o`, `.`.
    #[error("`{0}` is no square: write `x` for a square and `.` for none, rows joined by `/`")]
    Character(char),
}

/// The eight kinds of the game: two dominoes, two straight ones of three, four corners.
pub const KINDS: [Figure; 8] = [
    known(2, [(0, 0), (0, 1), (0, 0)]),
    known(2, [(0, 0), (1, 0), (0, 0)]),
    known(3, [(0, 0), (0, 1), (0, 2)]),
    known(3, [(0, 0), (1, 0), (2, 0)]),
    known(3, [(0, 0), (0, 1), (1, 0)]),
    known(3, [(0, 0), (0, 1), (1, 1)]),
    known(3, [(0, 0), (1, 0), (1, 1)]),
    known(3, [(0, 1), (1, 0), (1, 1)]),
];

const fn known(len: u8, s: [(u8, u8); 3]) -> Figure {
    Figure {
        len,
        squares: [s[0], s[1], s[2], (0, 0), (0, 0)],
    }
}

impl Figure {
    /// A figure of these squares, wherever they are.
    ///
    /// # Errors
    /// When they are too many or none, in pieces, or one is given twice.
    pub fn new(squares: &[Cell]) -> Result<Self, FigureError> {
        let len = squares.len();
        if len == 0 || len > MOST_SQUARES {
            return Err(FigureError::Count(len));
        }
        let top = squares.iter().map(|c| c.row).min().unwrap_or(0);
        let left = squares.iter().map(|c| c.col).min().unwrap_or(0);
        let mut found = [(0, 0); MOST_SQUARES];
        for (to, c) in found.iter_mut().zip(squares) {
            let (row, col) = (c.row - top, c.col - left);
            // Five squares that hang together reach no farther.
            if row >= MOST_SQUARES as u16 || col >= MOST_SQUARES as u16 {
                return Err(FigureError::Apart);
            }
            *to = (row as u8, col as u8);
        }
        found[..len].sort_unstable();
        let figure = Self {
            len: len as u8,
            squares: found,
        };
        if figure.is_one_piece() {
            Ok(figure)
        } else {
            Err(FigureError::Apart)
        }
    }

    fn is_one_piece(&self) -> bool {
        let squares = &self.squares[..usize::from(self.len)];
        let beside = |a: (u8, u8), b: (u8, u8)| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1;
        let mut reached = 1u32;
        // Each round reaches at least one more square, if there is a way.
        for _ in 0..squares.len() {
            for (i, &a) in squares.iter().enumerate() {
                let near = |(j, &b): (usize, &(u8, u8))| reached >> j & 1 == 1 && beside(a, b);
                if squares.iter().enumerate().any(near) {
                    reached |= 1 << i;
                }
            }
        }
        let twice = squares.windows(2).any(|w| w[0] == w[1]);
        reached.count_ones() as usize == squares.len() && !twice
    }

    /// How many squares it has.
    #[must_use]
    pub const fn squares(&self) -> usize {
        self.len as usize
    }

    /// Its squares, row-major, relative to the top left corner of its box.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.squares[..self.squares()]
            .iter()
            .map(|&(row, col)| Cell::new(col.into(), row.into()))
    }

    /// Columns of its box.
    #[must_use]
    pub fn width(&self) -> u16 {
        self.cells().map(|c| c.col + 1).max().unwrap_or(0)
    }

    /// Rows of its box.
    #[must_use]
    pub fn height(&self) -> u16 {
        self.cells().map(|c| c.row + 1).max().unwrap_or(0)
    }

    fn mapped(&self, map: impl Fn(Cell) -> Cell) -> Self {
        let cells: Vec<Cell> = self.cells().map(map).collect();
        // A turned or mirrored figure is one again.
        Self::new(&cells).unwrap_or(*self)
    }

    /// Turned by a quarter, clockwise.
    #[must_use]
    pub fn turned(&self) -> Self {
        let last = self.height() - 1;
        self.mapped(|c| Cell::new(last - c.row, c.col))
    }

    /// Left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let last = self.width() - 1;
        self.mapped(|c| Cell::new(last - c.col, c.row))
    }

    /// Rows and columns exchanged.
    #[must_use]
    pub fn transposed(&self) -> Self {
        self.mapped(|c| Cell::new(c.row, c.col))
    }

    /// Itself and all that it becomes by turning and mirroring, each once, in their order.
    #[must_use]
    pub fn orientations(&self) -> Vec<Self> {
        let mut all = Vec::with_capacity(8);
        let mut figure = *self;
        for _ in 0..4 {
            all.extend([figure, figure.mirrored()]);
            figure = figure.turned();
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Its rows joined by `/`, with this character for a square.
    #[must_use]
    pub fn text(&self, square: char) -> String {
        let (width, height) = (self.width(), self.height());
        let mut text = String::new();
        for row in 0..height {
            if row > 0 {
                text.push('/');
            }
            for col in 0..width {
                let here = self.cells().any(|c| c == Cell::new(col, row));
                text.push(if here { square } else { '.' });
            }
        }
        text
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text('x'))
    }
}

impl FromStr for Figure {
    type Err = FigureError;

    /// Reads rows joined by `/`: `x` or `o` is a square, `.` is none.
    fn from_str(text: &str) -> Result<Self, FigureError> {
        let mut cells = Vec::new();
        let (mut col, mut row) = (0u16, 0u16);
        for c in text.chars() {
            match c {
                '/' => (col, row) = (0, row.saturating_add(1)),
                '.' => col = col.saturating_add(1),
                'x' | 'o' => {
                    cells.push(Cell::new(col, row));
                    col = col.saturating_add(1);
                }
                other => return Err(FigureError::Character(other)),
            }
        }
        Self::new(&cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(text: &str) -> Figure {
        text.parse().expect("a figure")
    }

    #[test]
    fn the_eight_kinds_are_all_there_is_of_two_and_three() {
        let texts = "xx x/x xxx x/x/x xx/x. xx/.x x./xx .x/xx";
        let kinds: Vec<Figure> = texts.split(' ').map(figure).collect();
        assert_eq!(kinds, KINDS);
        let mut all: Vec<Figure> = ["xx", "xxx", "xx/x."]
            .iter()
            .flat_map(|t| figure(t).orientations())
            .collect();
        all.sort_unstable();
        let mut sorted = KINDS.to_vec();
        sorted.sort_unstable();
        assert_eq!(all, sorted);
    }

    #[test]
    fn turning_and_mirroring() {
        assert_eq!(figure("xx/x.").turned(), figure("xx/.x"));
        assert_eq!(figure("xxxx/x...").mirrored(), figure("xxxx/...x"));
        assert_eq!(figure("xxx/x..").transposed(), figure("xx/x./x."));
        assert_eq!(figure("xx/xx").orientations().len(), 1);
        assert_eq!(figure("xxx/x../x..").orientations().len(), 4);
        assert_eq!(figure(".xx/xx./.x.").orientations().len(), 8);
    }

    #[test]
    fn what_is_no_figure_is_refused() {
        let parse = |t: &str| t.parse::<Figure>();
        assert_eq!(parse(""), Err(FigureError::Count(0)));
        assert_eq!(parse("xxxxxx"), Err(FigureError::Count(6)));
        assert_eq!(parse("x.x"), Err(FigureError::Apart));
        assert_eq!(parse("x/.x"), Err(FigureError::Apart));
        assert_eq!(parse("xX"), Err(FigureError::Character('X')));
        let at = Cell::new(3, 4);
        assert_eq!(Figure::new(&[at, at]), Err(FigureError::Apart));
        assert_eq!(Figure::new(&[at]).expect("one").to_string(), "x");
    }
}
