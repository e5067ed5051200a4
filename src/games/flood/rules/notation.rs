//! Boards as text: rows of letters inside the loop, lines of digits on the command line.

use super::board::{Board, BoardError, MAX_COLOURS};
use crate::types::{BoardText, Cell, GridSize};

/// A line that is no position: where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {text}")]
pub struct NotationError {
    /// Counted from 1.
    pub line: usize,
    /// Character of the line, counted from 1.
    pub column: usize,
    /// What is wrong and how to put it right.
    pub text: String,
}

/// A position read from a line of digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The board; its colours are the values of the digits.
    pub board: Board,
    /// Moves allowed, if the line says.
    pub limit: Option<u32>,
    upper: u64,
}

impl Position {
    /// A colour as the line wrote it (letters keep their case).
    #[must_use]
    pub fn symbol(&self, colour: u8) -> char {
        let c = symbol(colour);
        if self.upper >> colour & 1 == 1 {
            c.to_ascii_uppercase()
        } else {
            c
        }
    }
}

/// The character of a colour in lines of digits: 0-9, then a-z; `?` for what is no colour.
#[must_use]
pub fn symbol(colour: u8) -> char {
    char::from_digit(u32::from(colour), MAX_COLOURS as u32).unwrap_or('?')
}

/// The character of a colour in a [`BoardText`]: a-z, then 0-9; `?` for what is no colour.
#[must_use]
pub fn letter(colour: u8) -> char {
    match colour {
        0..=25 => (b'a' + colour) as char,
        26..=35 => (b'0' + colour - 26) as char,
        _ => '?',
    }
}

/// The colour of a character of a [`BoardText`].
#[must_use]
pub fn colour_of(c: char) -> Option<u8> {
    match c {
        'a'..='z' => Some(c as u8 - b'a'),
        '0'..='9' => Some(c as u8 - b'0' + 26),
        _ => None,
    }
}

impl Board {
    /// The board as rows of letters.
    #[must_use]
    pub fn text(&self) -> BoardText {
        BoardText::from_cells(
            self.size().cols.into(),
            self.cells().iter().map(|&c| letter(c)),
        )
    }

    /// A board from rows of letters joined by `/`.
    ///
    /// # Errors
    /// When the rows differ in length, a cell is not a colour, or it is no board.
    pub fn from_text(text: &str, start: Cell) -> Result<Self, NotationError> {
        let (size, cells) = rows(text, 1, 0, colour_of)?;
        Self::new(size, cells, start).map_err(|e| plain(1, 1, &e))
    }
}

fn plain(line: usize, column: usize, error: &BoardError) -> NotationError {
    NotationError {
        line,
        column,
        text: error.to_string(),
    }
}

/// Rows joined by `/`; `skipped` characters of the line came before `text`.
fn rows(
    text: &str,
    line: usize,
    skipped: usize,
    colour: impl Fn(char) -> Option<u8>,
) -> Result<(GridSize, Vec<u8>), NotationError> {
    let fail = |column: usize, text: String| NotationError { line, column, text };
    let mut cells = Vec::with_capacity(text.len());
    let (mut cols, mut rows, mut here) = (None, 0usize, 0usize);
    let mut column = skipped;
    for c in text.chars().chain(std::iter::once('/')) {
        column += 1;
        if c == '/' {
            let cols = *cols.get_or_insert(here);
            if here != cols {
                return Err(fail(
                    column,
                    format!("row {} has {here} cells, the first has {cols}", rows + 1),
                ));
            }
            rows += 1;
            here = 0;
        } else if let Some(value) = colour(c) {
            cells.push(value);
            here += 1;
        } else {
            return Err(fail(column, format!("`{c}` is not a colour: {ALPHABET}")));
        }
    }
    let side = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
    Ok((GridSize::new(side(cols.unwrap_or(0)), side(rows)), cells))
}

const ALPHABET: &str = "write one digit 0-9 or letter a-z per cell";

/// Reads `DIGITS` (a square), `WxH:DIGITS` or rows joined by `/`, each with `,LIMIT` after it if
/// wanted. Digits are 0-9 and then a-z in either case; `c6m5` after the size is passed over, so
/// that the game numbers of sgt-puzzles can be pasted. `line` is the line's number for errors.
///
/// # Errors
/// Where the line is wrong and what would be right.
pub fn parse_position(text: &str, line: usize, start: Cell) -> Result<Position, NotationError> {
    let body = text.trim_start_matches(['\u{feff}', ' ', '\t']);
    let mut skipped = text.chars().count() - body.chars().count();
    let body = body.trim_end();
    let fail = |column: usize, text: String| NotationError { line, column, text };
    if body.is_empty() {
        return Err(fail(1, "an empty line: write a position".to_owned()));
    }
    let first = skipped + 1;

    let (size, body) = match body.split_once(':') {
        Some((head, rest)) => {
            let size = parse_size(head).ok_or_else(|| {
                let text = format!("`{head}` is not a size: write WxH, for instance 14x14:");
                fail(first, text)
            })?;
            skipped += head.chars().count() + 1;
            (Some(size), rest)
        }
        None => (None, body),
    };
    let (digits, limit) = match body.split_once(',') {
        Some((digits, tail)) => {
            let limit = tail.trim().parse().map_err(|_| {
                let column = skipped + digits.chars().count() + 2;
                fail(
                    column,
                    format!("`{tail}` is not a number of moves: write for instance ,25"),
                )
            })?;
            (digits.trim_end(), Some(limit))
        }
        None => (body, None),
    };

    let value = |c: char| c.to_digit(MAX_COLOURS as u32).map(|d| d as u8);
    let (shape, cells) = rows(digits, line, skipped, value)?;
    let size = match size {
        Some(size) if shape.rows > 1 && shape != size => {
            let text = format!("the rows make a board of {shape}, not of {size}");
            return Err(fail(skipped + 1, text));
        }
        Some(size) => size,
        None if shape.rows > 1 => shape,
        None => square(cells.len()).ok_or_else(|| {
            let n = cells.len();
            let text = format!("{n} cells are no square: write WxH: before them");
            fail(skipped + 1, text)
        })?,
    };
    let board = Board::new(size, cells, start).map_err(|e| plain(line, skipped + 1, &e))?;
    // Only the first letter of a colour tells its case.
    let (mut seen, mut upper) = (0u64, 0u64);
    for c in digits.chars() {
        if let Some(v) = value(c) {
            upper |= u64::from(c.is_ascii_uppercase()) << v & !seen;
            seen |= 1 << v;
        }
    }
    Ok(Position {
        board,
        limit,
        upper,
    })
}

fn parse_size(head: &str) -> Option<GridSize> {
    let (cols, rest) = head.trim().split_once(['x', 'X'])?;
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let (rows, tail) = rest.split_at(end);
    // What may follow the size in a game number: c6 (colours) and m5 (spare moves).
    let known = |c: char| c == 'c' || c == 'm' || c.is_ascii_digit();
    tail.chars()
        .all(known)
        .then(|| Some(GridSize::new(cols.parse().ok()?, rows.parse().ok()?)))?
}

fn square(cells: usize) -> Option<GridSize> {
    let side = cells.isqrt();
    (side * side == cells)
        .then(|| u16::try_from(side).ok())
        .flatten()
        .map(|s| GridSize::new(s, s))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Position, NotationError> {
        parse_position(line, 7, Cell::default())
    }

    #[test]
    fn squares_sizes_rows_and_limits() {
        for (line, text, limit) in [
            ("0110", "ab/ba", None),
            ("  0110\r", "ab/ba", None),
            ("2x2:0110,25", "ab/ba", Some(25)),
            ("4x1:0110 , 3", "abba", Some(3)),
            ("1x4c6m5:0110", "a/b/b/a", None),
            ("01/10/00", "ab/ba/aa", None),
            ("\u{feff}2x2:01/10", "ab/ba", None),
            ("9", "j", None),
            ("4x1:zZaA", "99kk", None),
        ] {
            let p = read(line).unwrap_or_else(|e| panic!("{line}: {e}"));
            assert_eq!(
                (p.board.text().0.as_str(), p.limit),
                (text, limit),
                "{line}"
            );
        }
    }

    #[test]
    fn symbols_come_back_as_written() {
        let p = read("4x1:1Azb").expect("a position");
        assert_eq!(
            [1, 10, 35, 11].map(|c| p.symbol(c)),
            ['1', 'A', 'z', 'b'],
            "letters keep their case"
        );
    }

    #[test]
    fn errors_name_line_column_and_fix() {
        for (line, wanted) in [
            ("", "line 7, column 1: an empty line: write a position"),
            (
                " 01_0",
                "line 7, column 4: `_` is not a colour: write one digit 0-9 or letter a-z per cell",
            ),
            (
                "01101",
                "line 7, column 1: 5 cells are no square: write WxH: before them",
            ),
            (
                "ax2:01",
                "line 7, column 1: `ax2` is not a size: write WxH, for instance 14x14:",
            ),
            (
                "2x2:011",
                "line 7, column 5: 3 cells for a board of 2x2: 4 are needed",
            ),
            (
                "2x2:0110,x",
                "line 7, column 10: `x` is not a number of moves: write for instance ,25",
            ),
            (
                "01/1/00",
                "line 7, column 5: row 2 has 1 cells, the first has 2",
            ),
            (
                "3x1:01/10",
                "line 7, column 5: the rows make a board of 2x2, not of 3x1",
            ),
            (
                "65x1:0",
                "line 7, column 6: a board of 65x1 cells: both sides must be 1 to 64",
            ),
        ] {
            let error = read(line).expect_err(line).to_string();
            assert_eq!(error, wanted);
        }
        let off = parse_position("0110", 1, Cell::new(2, 0)).expect_err("outside");
        assert!(
            off.text.contains("start cell 2,0 (counted from 0) lies"),
            "{off}"
        );
    }

    #[test]
    fn every_colour_has_its_letter() {
        for c in 0..MAX_COLOURS as u8 {
            assert_eq!(colour_of(letter(c)), Some(c));
        }
        assert_eq!((letter(36), symbol(36)), ('?', '?'));
    }

    proptest::proptest! {
        #[test]
        fn no_line_makes_it_panic(line in "[0-9a-zA-Z:,x/ é\r_-]{0,40}") {
            if let Ok(p) = read(&line) {
                let printed = Board::from_text(&p.board.text().0, p.board.start());
                proptest::prop_assert_eq!(printed.expect("its own text"), p.board);
            }
        }
    }
}
