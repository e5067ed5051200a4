//! What must have happened for one position to become another.
//!
//! Takes the belief and a board all of whose cells were read, gives the best explanation that the
//! rules allow. Whether it has been seen for long enough to be believed is the reconciler's.

use super::belief::Belief;
use super::grid::{EMPTY, Grid, Piece};
use super::paths::{MISSED, added, order};
use super::rules::{Rules, end_of};
use super::turn::Turn;
use crate::types::{Cell, ClassId};

/// Before other moves are made so many are taken back at most.
const TAKEN_BACK: usize = 4;
/// A board with so few pieces may be a game that has just begun.
const BEGUN: usize = 2;
/// The same where everything else that was there is gone.
const PLAYED_ON: usize = MISSED;
/// When so many pieces more than are left have gone at once, nobody has taken moves back one by
/// one: it is another game.
const SWEPT: usize = 4;

/// An explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explained {
    /// These moves, in this order (of several possible ones).
    Forward(Vec<Piece>),
    /// The last moves were taken back: these pieces, in whatever order they were put; then others
    /// were made.
    Back {
        /// What is gone.
        gone: Vec<Piece>,
        /// Moves after that, in order.
        then: Vec<Piece>,
    },
    /// Another game has begun.
    Fresh,
    /// The kinds look like others now: old and new ones.
    Renamed([(ClassId, ClassId); 2]),
    /// The rules allow no way.
    Nowhere,
}

/// Explains a board; `start` is where a move of ours that is under way would put its piece.
#[must_use]
pub fn explain(
    rules: &dyn Rules,
    belief: &Belief,
    turn: Turn,
    start: Option<Cell>,
    seen: &Grid,
) -> Explained {
    let grid = belief.grid();
    if seen.size() != grid.size() {
        return match may_be_start(rules, seen) && seen.count() <= BEGUN {
            true => Explained::Fresh,
            false => Explained::Nowhere,
        };
    }
    if let Some(plies) = forward(rules, belief, turn, start, seen) {
        return Explained::Forward(plies);
    }
    if is_fresh(rules, belief, seen) {
        return Explained::Fresh;
    }
    // Pieces in exactly the same places were not taken back and put anew.
    if let Some(kinds) = renamed(rules, belief, turn, seen, false) {
        return Explained::Renamed(kinds);
    }
    if let Some((gone, then)) = back(rules, belief, turn, seen) {
        return Explained::Back { gone, then };
    }
    if let Some(kinds) = renamed(rules, belief, turn, seen, true) {
        return Explained::Renamed(kinds);
    }
    if let Some(explained) = replayed(rules, belief, seen) {
        return explained;
    }
    if seen.count() <= BEGUN && may_be_start(rules, seen) {
        return Explained::Fresh;
    }
    Explained::Nowhere
}

/// Whether a board can be one on which a game is under way or about to begin.
#[must_use]
pub fn may_be_start(rules: &dyn Rules, seen: &Grid) -> bool {
    let in_turn = match seen.both() {
        None => false,
        Some([Some(a), Some(b)]) => seen.count_of(a).abs_diff(seen.count_of(b)) <= 1,
        Some(_) => seen.count() <= 1,
    };
    in_turn
        && rules.allows(seen.size())
        && !seen.pieces().any(|p| rules.hangs(seen, p.at))
        && end_of(rules, seen).is_none()
}

/// Moves that lead from the belief to a board, at least one.
#[must_use]
pub fn forward(
    rules: &dyn Rules,
    belief: &Belief,
    turn: Turn,
    start: Option<Cell>,
    seen: &Grid,
) -> Option<Vec<Piece>> {
    if belief.end().is_some() {
        return None;
    }
    let new = added(belief.grid(), seen).filter(|n| !n.is_empty())?;
    seen.both()?;
    let kinds = new.iter().map(|p| p.kind).filter(|&k| turn.allows(k));
    let mut kinds: Vec<ClassId> = kinds.collect();
    kinds.sort_unstable_by_key(|&k| (turn.doubts(k), k));
    kinds.dedup();
    let from = belief.grid();
    let ways = |at: Option<Cell>| {
        let mut kinds = kinds.iter();
        kinds.find_map(|&kind| order(rules, from, &new, Some(kind), at))
    };
    start.and_then(|at| ways(Some(at))).or_else(|| ways(None))
}

/// Whether most of the board was swept away, so that what is left is another game's.
fn is_fresh(rules: &dyn Rules, belief: &Belief, seen: &Grid) -> bool {
    let (had, has) = (belief.grid().count(), seen.count());
    let swept = has == 0 && had > 0 || has <= PLAYED_ON && had >= has + SWEPT;
    // More than a few pieces in the very places of this game are this game's.
    let earlier = || {
        let known = belief.plies().len().saturating_sub(had - has);
        has > BEGUN && *belief.back_to(known).grid() == *seen
    };
    swept && may_be_start(rules, seen) && !earlier()
}

/// What was taken back, and the moves made instead. In which order several missed moves were made
/// is not known, so any last moves may be taken back that can have been the last.
fn back(
    rules: &dyn Rules,
    belief: &Belief,
    turn: Turn,
    seen: &Grid,
) -> Option<(Vec<Piece>, Vec<Piece>)> {
    let grid = belief.grid();
    let mut earlier = grid.clone();
    let mut gone = Vec::new();
    for piece in grid.pieces().filter(|p| seen.at(p.at) != p.kind) {
        earlier.set(piece.at, EMPTY);
        gone.push(piece);
    }
    if gone.is_empty() || gone.len() > BEGUN && seen.count() <= BEGUN {
        return None;
    }
    let known = belief.plies().len().saturating_sub(gone.len());
    if earlier == *seen && *belief.back_to(known).grid() == *seen {
        return Some((gone, Vec::new()));
    }
    let then = added(&earlier, seen)?;
    if gone.len() > TAKEN_BACK {
        return None;
    }
    let mut firsts: Vec<ClassId> = gone.iter().map(|p| p.kind).collect();
    firsts.sort_unstable();
    firsts.dedup();
    firsts.into_iter().find_map(|first| {
        let gone = order(rules, &earlier, &gone, Some(first), None)?;
        let last = gone.last()?.kind;
        let was_last = !matches!(turn, Turn::Kind(next) if next == last);
        let then = match then.is_empty() {
            true => Vec::new(),
            false => order(rules, &earlier, &then, Some(first), None)?,
        };
        was_last.then_some((gone, then))
    })
}

/// Known moves taken back from the last one on, and others made since, of which some are the same
/// again: the same piece lies in the same place, although one that was put before it is gone. A game
/// that was taken back to its beginning is another one.
fn replayed(rules: &dyn Rules, belief: &Belief, seen: &Grid) -> Option<Explained> {
    let plies = belief.plies();
    let least = plies.len().saturating_sub(TAKEN_BACK);
    // Where nothing is gone nothing was taken back.
    let back = plies.iter().any(|p| seen.at(p.at) != p.kind);
    if !back {
        return None;
    }
    (least..plies.len()).rev().find_map(|keep| {
        let earlier = belief.back_to(keep);
        let gone = plies[keep..].to_vec();
        let turn = Turn::Kind(gone[0].kind);
        let then = forward(rules, &earlier, turn, None, seen)?;
        Some(match earlier.grid().count() {
            0 => Explained::Fresh,
            _ => Explained::Back { gone, then },
        })
    })
}

/// With `moved` also where somebody has moved since.
fn renamed(
    rules: &dyn Rules,
    belief: &Belief,
    turn: Turn,
    seen: &Grid,
    moved: bool,
) -> Option<[(ClassId, ClassId); 2]> {
    // The same single piece in another colour is rather the first one of another game.
    if seen.count() < BEGUN {
        return None;
    }
    let [Some(a), b] = belief.grid().both()? else {
        return None;
    };
    let [Some(c), d] = seen.both()? else {
        return None;
    };
    // A kind of which nothing is known yet keeps its name.
    let pairs = |x: ClassId, y: Option<ClassId>| match (b, y) {
        (Some(b), Some(y)) => Some([(a, x), (b, y)]),
        (None, _) => Some([(a, x), (a, x)]),
        (Some(_), None) => None,
    };
    let both = [pairs(c, d), d.and_then(|d| pairs(d, Some(c)))];
    both.into_iter().flatten().find(|pairs| {
        let name = |kind: ClassId| rename(pairs, kind);
        let same = pairs.iter().all(|(old, new)| old == new);
        let other = belief.renamed(rules, name);
        let turn = turn.renamed(name);
        let moved = || moved && forward(rules, &other, turn, None, seen).is_some();
        !same && (other.grid() == seen || moved())
    })
}

/// The new name of a kind.
#[must_use]
pub fn rename(pairs: &[(ClassId, ClassId); 2], kind: ClassId) -> ClassId {
    let pair = pairs.iter().find(|(old, _)| *old == kind);
    pair.map_or(kind, |(_, new)| *new)
}
