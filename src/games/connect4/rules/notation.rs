//! Positions as a line of text.

use super::board::{Board, BoardError};
use crate::types::GridSize;

/// The most characters of a line that are looked at: more moves fit on no board.
const LONGEST: usize = 4096;

/// A line that is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotationError(pub String);

/// The character of a column from 0: `1` to `9`, then `a` to `z`.
#[must_use]
pub fn letter(col: usize) -> char {
    u32::try_from(col + 1)
        .ok()
        .and_then(|c| char::from_digit(c, 36))
        .unwrap_or('?')
}

/// The column from 0 of a character.
#[must_use]
pub fn column_of(c: char) -> Option<usize> {
    (c.to_digit(36)? as usize).checked_sub(1)
}

/// Takes a line apart: the columns that were played (`4453`, the leftmost is 1, after 9 comes a),
/// or rows of `.XO` from the top joined by `/`; before either perhaps the board, `WxH:` or
/// `WxHxN:` with `N` in a row (7x6x4 if not given; rows tell their size themselves). `WxHxN:` alone
/// is an empty board.
///
/// # Errors
/// What is no such line, a move that is not allowed, or a position that no game leads to.
pub fn parse_position(line: &str) -> Result<Board, NotationError> {
    let line = line.trim();
    if line.len() > LONGEST {
        return Err(NotationError(format!(
            "{} characters are no position",
            line.len()
        )));
    }
    let (given, rest) = match line.split_once(':') {
        Some((head, rest)) => (Some(size(head)?), rest.trim()),
        None => (None, line),
    };
    let because = |e: BoardError| NotationError(e.to_string());
    if rest.contains(['.', '/', 'X', 'O']) {
        let board = Board::from_rows(rest, given.map_or(4, |g| g.1)).map_err(because)?;
        return match given {
            Some((size, _)) if size != board.size() => Err(NotationError(format!(
                "the rows are {}, not {size}",
                board.size()
            ))),
            _ => Ok(board),
        };
    }
    let mut board = match given {
        Some((size, row)) => Board::new(size, row).map_err(because)?,
        None => Board::usual(),
    };
    for (i, c) in rest.chars().enumerate() {
        let played = match column_of(c) {
            Some(col) => board.play(col).map_err(|e| e.to_string()),
            None => Err("it is no column".to_owned()),
        };
        played.map_err(|text| NotationError(format!("move {}, `{c}`: {text}", i + 1)))?;
    }
    Ok(board)
}

/// `WxH` or `WxHxN`.
fn size(text: &str) -> Result<(GridSize, u16), NotationError> {
    let numbers: Option<Vec<u16>> = text.trim().split('x').map(|n| n.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[cols, rows]) => Ok((GridSize::new(cols, rows), 4)),
        Some(&[cols, rows, row]) => Ok((GridSize::new(cols, rows), row)),
        _ => Err(NotationError(format!(
            "`{text}` is no board: write WxH or WxHxN, for instance 7x6x4"
        ))),
    }
}
