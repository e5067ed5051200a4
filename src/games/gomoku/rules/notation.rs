//! Moves and positions as text.
//!
//! A move is `x,y` from 0,0 at the top left; read also as letter and number (`h8`: columns from
//! `a` at the left, rows from 1 at the bottom).

use super::board::{Board, Rule, Square, Stone};
use crate::types::{Cell, GridSize};

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

/// A move as `x,y`.
#[must_use]
pub fn action(cell: Cell) -> String {
    format!("{},{}", cell.col, cell.row)
}

/// A cell of a board of this size from `x,y` or `h8`; `None` if it is neither. `x,y` may lie
/// outside; `h8` may not, for rows count from the bottom.
#[must_use]
pub fn parse_action(text: &str, size: GridSize) -> Option<Cell> {
    let number = |t: &str| {
        let digits = !t.is_empty() && t.chars().all(|c| c.is_ascii_digit());
        digits.then(|| t.parse::<u16>().ok()).flatten()
    };
    let text = text.trim();
    if let Some((x, y)) = text.split_once(',') {
        return Some(Cell::new(number(x.trim())?, number(y.trim())?));
    }
    let letter = text.chars().next()?.to_ascii_lowercase();
    if !letter.is_ascii_lowercase() {
        return None;
    }
    let from_bottom = number(&text[1..])?;
    let row = size.rows.checked_sub(from_bottom)?;
    let col = u16::from(letter as u8 - b'a');
    (col < size.cols && from_bottom > 0).then(|| Cell::new(col, row))
}

/// A size written `15x15` or, for a square, `15`.
#[must_use]
pub fn parse_size(text: &str) -> Option<GridSize> {
    let number = |t: &str| t.trim().parse::<u16>().ok();
    match text.split_once(['x', 'X']) {
        Some((cols, rows)) => Some(GridSize::new(number(cols)?, number(rows)?)),
        None => number(text).map(|n| GridSize::new(n, n)),
    }
}

/// Reads a position: rows of `.`, `X`, `O` (and `#`, never to be played) joined by `/`, after
/// which `X` or `O` may say who is to move; or moves from the empty board, apart by blanks, on a
/// board of `size`. Either may begin with `WxH:`. X begins: without word it is X's turn when there
/// are as many O as X. `line` is the line's number for errors.
///
/// # Errors
/// Where the line is wrong and what would be right.
pub fn parse_position(
    text: &str,
    line: usize,
    size: GridSize,
    rule: Rule,
) -> Result<Board, NotationError> {
    let fail = |column: usize, text: String| NotationError { line, column, text };
    let body = text.trim_start_matches(['\u{feff}', ' ', '\t']);
    let mut skipped = text.chars().count() - body.chars().count();
    let mut body = body.trim_end();
    let mut given = None;
    if let Some((head, rest)) = body.split_once(':') {
        let size = parse_size(head).ok_or_else(|| {
            let text = format!("`{head}` is not a size: write WxH, for instance 15x15:");
            fail(skipped + 1, text)
        })?;
        given = Some(size);
        skipped += head.chars().count() + 1;
        body = rest;
    }
    if body.contains('/') {
        rows(body, given, rule, |column, text| {
            fail(skipped + column, text)
        })
    } else {
        let board = Board::new(given.unwrap_or(size), rule);
        let board = board.map_err(|e| fail(1, e.to_string()))?;
        moves(body, board, |column, text| fail(skipped + column, text))
    }
}

/// Columns count from 1 within `text`.
fn moves(
    text: &str,
    mut board: Board,
    fail: impl Fn(usize, String) -> NotationError,
) -> Result<Board, NotationError> {
    let mut column = 1;
    for word in text.split([' ', '\t']) {
        let here = column;
        column += word.chars().count() + 1;
        if word.is_empty() {
            continue;
        }
        let cell = parse_action(word, board.size()).ok_or_else(|| {
            let size = board.size();
            let text =
                format!("`{word}` is no move on {size}: write x,y from 0,0 at the top left, or h8");
            fail(here, text)
        })?;
        let played = board.play(cell);
        played.map_err(|e| fail(here, e.to_string()))?;
    }
    Ok(board)
}

fn rows(
    text: &str,
    given: Option<GridSize>,
    rule: Rule,
    fail: impl Fn(usize, String) -> NotationError,
) -> Result<Board, NotationError> {
    let (field, turn) = match text.split_once([' ', '\t']) {
        Some((field, turn)) => (field, turn.trim()),
        None => (text, ""),
    };
    let mut squares = Vec::with_capacity(field.len());
    let (mut cols, mut count, mut here) = (None, 0usize, 0usize);
    for (i, c) in field.chars().chain(std::iter::once('/')).enumerate() {
        if c == '/' {
            let cols = *cols.get_or_insert(here);
            if here != cols {
                let text = format!("row {} has {here} cells, the first has {cols}", count + 1);
                return Err(fail(i + 1, text));
            }
            count += 1;
            here = 0;
        } else if let Some(square) = Square::from_symbol(c) {
            squares.push(square);
            here += 1;
        } else {
            let text = format!("`{c}` is no cell: write `.`, `X`, `O` or `#`");
            return Err(fail(i + 1, text));
        }
    }
    let side = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
    let size = GridSize::new(side(cols.unwrap_or(0)), side(count));
    if let Some(given) = given.filter(|&g| g != size) {
        let text = format!("the rows make a board of {size}, not of {given}");
        return Err(fail(1, text));
    }
    let stones = |s: Stone| squares.iter().filter(|&&q| q == Square::Stone(s)).count();
    let (x, o) = (stones(Stone::X), stones(Stone::O));
    let to_move = match turn {
        "X" | "x" => Stone::X,
        "O" | "o" => Stone::O,
        "" if x == o => Stone::X,
        "" if x == o + 1 => Stone::O,
        "" => {
            let text = format!(
                "{x} X and {o} O do not tell whose turn it is: write ` X` or ` O` after the rows"
            );
            return Err(fail(1, text));
        }
        other => {
            let text = format!("`{other}` is not whose turn it is: write X or O");
            return Err(fail(field.chars().count() + 2, text));
        }
    };
    let board = Board::from_squares(size, rule, squares, to_move);
    board.map_err(|e| fail(1, e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Board, NotationError> {
        parse_position(line, 3, GridSize::new(6, 5), Rule::FiveOrMore)
    }

    #[test]
    fn rows_and_moves_are_the_same_position() {
        let rows = read("..X.../.O..../....../....../......").expect("rows");
        for line in ["2,0 1,1", " 6x5: 2,0  1,1", "c5 B4", "6x5:c5\tb4 \r"] {
            let moves = read(line).unwrap_or_else(|e| panic!("{line}: {e}"));
            assert_eq!(moves.text(), rows.text(), "{line}");
            assert_eq!(moves.to_move(), Stone::X);
        }
        let turn = read("6x5:..X.../.O..../....../....../...... o").expect("rows");
        assert_eq!(turn.to_move(), Stone::O);
        assert_eq!(read("").expect("an empty board").stones(), 0);
        let large = read("25x20:y20 24,19").expect("a large board");
        assert_eq!(large.moves(), [Cell::new(24, 0), Cell::new(24, 19)]);
    }

    #[test]
    fn errors_name_line_column_and_fix() {
        for (line, wanted) in [
            (
                "ax5:",
                "line 3, column 1: `ax5` is not a size: write WxH, for instance 15x15:",
            ),
            (
                "4x5:1,1",
                "line 3, column 1: a board of 4x5 cells: both sides must be 5 to 25",
            ),
            ("1,1 ", ""),
            ("1,1 1,1", "line 3, column 5: 1,1 is not empty"),
            (
                "1,1 6,0",
                "line 3, column 5: 6,0 lies outside a board of 6x5 (columns and rows count from 0)",
            ),
            (
                " a9",
                "line 3, column 2: `a9` is no move on 6x5: write x,y from 0,0 at the top left, or h8",
            ),
            (
                "6x5: -1,2",
                "line 3, column 6: `-1,2` is no move on 6x5: write x,y from 0,0 at the top left, or h8",
            ),
            (
                "..../..Y",
                "line 3, column 8: `Y` is no cell: write `.`, `X`, `O` or `#`",
            ),
            (
                "..../..",
                "line 3, column 8: row 2 has 2 cells, the first has 4",
            ),
            (
                "..../....",
                "line 3, column 1: a board of 4x2 cells: both sides must be 5 to 25",
            ),
            (
                "5x6:...../...../...../...../.....",
                "line 3, column 5: the rows make a board of 5x5, not of 5x6",
            ),
            (
                "XX.../...../...../...../.....",
                "line 3, column 1: 2 X and 0 O do not tell whose turn it is: write ` X` or ` O` after the rows",
            ),
            (
                "...../...../...../...../..... ?",
                "line 3, column 31: `?` is not whose turn it is: write X or O",
            ),
        ] {
            match read(line) {
                Ok(_) => assert_eq!(wanted, "", "{line}"),
                Err(error) => assert_eq!(error.to_string(), wanted, "{line}"),
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn no_line_makes_it_panic(line in "[0-9a-z:,x/ .XO#é\r-]{0,60}") {
            if let Ok(board) = read(&line) {
                let turn = board.to_move().letter();
                let again = read(&format!("{} {turn}", board.text().0)).expect("its own text");
                proptest::prop_assert_eq!(again.squares(), board.squares());
                proptest::prop_assert_eq!(again.to_move(), board.to_move());
            }
        }

        #[test]
        fn moves_are_read_as_they_are_written(col in 0u16..25, row in 0u16..25) {
            let (cell, size) = (Cell::new(col, row), GridSize::new(25, 25));
            proptest::prop_assert_eq!(parse_action(&action(cell), size), Some(cell));
            let letters = format!("{}{}", char::from(b'a' + col as u8), 25 - row);
            proptest::prop_assert_eq!(parse_action(&letters, size), Some(cell));
        }
    }
}
