//! Legal moves from one position to another: in which order pieces can have been put.

use super::grid::{EMPTY, Grid, Piece};
use super::rules::{Rules, end_by};
use crate::types::{Cell, ClassId};

/// How many moves between two looks are recognised as moves: ours and the answer, and what can be
/// played in a few seconds while the board is covered.
pub const MISSED: usize = 8;

/// The pieces that `to` has and `from` has not, if nothing else differs and they are at most
/// [`MISSED`].
#[must_use]
pub fn added(from: &Grid, to: &Grid) -> Option<Vec<Piece>> {
    if from.size() != to.size() {
        return None;
    }
    let mut new = Vec::new();
    for at in from.differing(to) {
        if from.at(at) != EMPTY || new.len() == MISSED {
            return None;
        }
        new.push(Piece {
            at,
            kind: to.at(at),
        });
    }
    Some(new)
}

/// An order in which these pieces can have been put, the sides in turn, beginning with a piece of
/// `first` kind (of any, if `None`) and, if given, at `start`. Nobody moves after the end.
#[must_use]
pub fn order(
    rules: &dyn Rules,
    from: &Grid,
    pieces: &[Piece],
    first: Option<ClassId>,
    start: Option<Cell>,
) -> Option<Vec<Piece>> {
    // In turn, one of two numbers is at most one larger: most of what is impossible ends here.
    let kind = pieces.first()?.kind;
    let of_kind = pieces.iter().filter(|p| p.kind == kind).count();
    if of_kind.abs_diff(pieces.len() - of_kind) > 1 {
        return None;
    }
    let mut grid = from.clone();
    let mut put = Vec::with_capacity(pieces.len());
    let mut left = pieces.to_vec();
    let begins = |p: &Piece| first.is_none_or(|k| k == p.kind) && start.is_none_or(|c| c == p.at);
    go_on(rules, &mut grid, &mut left, &mut put, &begins).then_some(put)
}

fn go_on(
    rules: &dyn Rules,
    grid: &mut Grid,
    left: &mut Vec<Piece>,
    put: &mut Vec<Piece>,
    begins: &dyn Fn(&Piece) -> bool,
) -> bool {
    if left.is_empty() {
        return true;
    }
    for i in 0..left.len() {
        let piece = left[i];
        let in_turn = match put.last() {
            None => begins(&piece),
            Some(last) => last.kind != piece.kind,
        };
        if !in_turn || !rules.may_put(grid, piece.at) {
            continue;
        }
        grid.set(piece.at, piece.kind);
        if left.len() == 1 || end_by(rules, grid, piece.at).is_none() {
            left.remove(i);
            put.push(piece);
            if go_on(rules, grid, left, put, begins) {
                return true;
            }
            put.pop();
            left.insert(i, piece);
        }
        grid.set(piece.at, EMPTY);
    }
    false
}
