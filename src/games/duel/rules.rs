//! What one game's rules say about boards of kinds: where a piece may come to lie, what a row is.

use super::grid::{EMPTY, Grid, Piece};
use crate::types::{Cell, ClassId, GridSize};

/// The rules of a game in which two sides put pieces in turn until one has a row of them. Nothing
/// in it depends on whose pieces they are.
pub trait Rules: Send {
    /// The game's name as on the command line.
    fn game(&self) -> &'static str;

    /// Whether there is a game on boards of this size.
    fn allows(&self, size: GridSize) -> bool;

    /// Whether the next piece may come to lie in this cell.
    fn may_put(&self, grid: &Grid, at: Cell) -> bool;

    /// Whether the piece in this cell can be the last that was put.
    fn may_lift(&self, grid: &Grid, at: Cell) -> bool;

    /// Whether the piece in this cell cannot stay there: it is on its way.
    fn hangs(&self, grid: &Grid, at: Cell) -> bool;

    /// How many in a row win: whether a run of this length does.
    fn wins(&self, run: usize) -> bool;

    /// A move in the game's notation.
    fn action(&self, at: Cell) -> String;

    /// Where the piece of a move comes to lie; `None` for what is no move here.
    fn place(&self, grid: &Grid, action: &str) -> Option<Cell>;
}

/// How a position is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Pieces of this kind stand in a row: these.
    Row(ClassId, Vec<Cell>),
    /// There is no room for another piece.
    Full,
}

/// The cells of all winning rows through a piece; none if it is in no such row.
#[must_use]
pub fn row_through(rules: &dyn Rules, grid: &Grid, at: Cell) -> Vec<Cell> {
    let kind = grid.at(at);
    let mut cells = Vec::new();
    if kind == EMPTY {
        return cells;
    }
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        let along = |sign: i32| {
            (1..).map_while(move |n: i32| {
                let col = u16::try_from(i32::from(at.col) + sign * n * dx).ok()?;
                let row = u16::try_from(i32::from(at.row) + sign * n * dy).ok()?;
                let cell = Cell::new(col, row);
                (grid.at(cell) == kind).then_some(cell)
            })
        };
        let run: Vec<Cell> = along(1).chain(along(-1)).collect();
        if rules.wins(run.len() + 1) {
            cells.extend(run);
        }
    }
    if !cells.is_empty() {
        cells.push(at);
    }
    cells
}

/// Whether a position is over after this piece, and how.
#[must_use]
pub fn end_by(rules: &dyn Rules, grid: &Grid, at: Cell) -> Option<End> {
    let row = row_through(rules, grid, at);
    match row.is_empty() {
        false => Some(End::Row(grid.at(at), row)),
        true => grid.is_full().then_some(End::Full),
    }
}

/// Whether a position of which nothing else is known is over, and how.
#[must_use]
pub fn end_of(rules: &dyn Rules, grid: &Grid) -> Option<End> {
    let row = grid
        .pieces()
        .map(|p| (p.kind, row_through(rules, grid, p.at)))
        .find(|(_, row)| !row.is_empty());
    match row {
        Some((kind, row)) => Some(End::Row(kind, row)),
        None => grid.is_full().then_some(End::Full),
    }
}

/// The places where a piece of this kind would end the game with a row.
pub fn winning_places<'a>(
    rules: &'a dyn Rules,
    grid: &'a Grid,
    kind: ClassId,
) -> impl Iterator<Item = Cell> + 'a {
    grid.size().cells().filter(move |&at| {
        rules.may_put(grid, at)
            && matches!(
                end_by(rules, &grid.with(Piece { at, kind }), at),
                Some(End::Row(..))
            )
    })
}
