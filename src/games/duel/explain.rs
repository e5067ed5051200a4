//! What must have happened for one position to become another.
//!
//! Takes the belief and a board all of whose cells were read, gives the best explanation that the
//! rules allow. Whether it has been seen for long enough to be believed is the reconciler's.

use super::belief::Belief;
use super::grid::{EMPTY, Grid, Piece};
use super::paths::{MISSED, added, order};
use super::rules::{Rules, end_of};
use super::sides::Turn;
use crate::types::{Cell, ClassId};

/// Between two looks so many moves are taken back and made anew at most.
const REPLAYED: usize = 2;
/// A board with so few pieces may be a game that has just begun.
const BEGUN: usize = 2;
/// When so many pieces more than are left have gone at once, nobody has taken moves back one by
/// one: it is another game.
const SWEPT: usize = 4;

/// An explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explained {
    /// These moves, in this order (of several possible ones).
    Forward(Vec<Piece>),
    /// The known moves but the first `keep` were taken back, then these were made.
    Back {
        /// Moves that are left.
        keep: usize,
        /// Moves after them.
        then: Vec<Piece>,
    },
    /// Moves older than those that are known were taken back.
    Lifted,
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
    if is_fresh(rules, grid, seen) {
        return Explained::Fresh;
    }
    // Pieces in exactly the same places were not taken back and put anew.
    if let Some(kinds) = renamed(rules, belief, turn, seen, false) {
        return Explained::Renamed(kinds);
    }
    if let Some((keep, then)) = back(rules, belief, seen) {
        return Explained::Back { keep, then };
    }
    if let Some(kinds) = renamed(rules, belief, turn, seen, true) {
        return Explained::Renamed(kinds);
    }
    if seen.count() <= BEGUN && may_be_start(rules, seen) {
        return Explained::Fresh;
    }
    if is_lifted(rules, grid, seen) {
        return Explained::Lifted;
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
    let fits = |kind: ClassId| match turn {
        Turn::Kind(wanted) => kind == wanted,
        Turn::Not(other) => kind != other,
        Turn::Any => true,
    };
    let mut kinds: Vec<ClassId> = new.iter().map(|p| p.kind).filter(|&k| fits(k)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let from = belief.grid();
    let ways = |at: Option<Cell>| {
        let mut kinds = kinds.iter();
        kinds.find_map(|&kind| order(rules, from, &new, Some(kind), at))
    };
    start.and_then(|at| ways(Some(at))).or_else(|| ways(None))
}

/// Whether most of the board was swept away, so that what is left is another game's.
fn is_fresh(rules: &dyn Rules, grid: &Grid, seen: &Grid) -> bool {
    let (had, has) = (grid.count(), seen.count());
    let swept = has == 0 && had > 0 || has <= BEGUN && had >= has + SWEPT;
    swept && may_be_start(rules, seen)
}

fn back(rules: &dyn Rules, belief: &Belief, seen: &Grid) -> Option<(usize, Vec<Piece>)> {
    let plies = belief.plies();
    let mut earlier = belief.grid().clone();
    for keep in (0..plies.len()).rev() {
        earlier.set(plies[keep].at, EMPTY);
        if earlier == *seen {
            return Some((keep, Vec::new()));
        }
        if plies.len() - keep > REPLAYED {
            continue;
        }
        let new = added(&earlier, seen).filter(|n| n.len() <= REPLAYED);
        let then = new.and_then(|n| order(rules, &earlier, &n, Some(plies[keep].kind), None));
        if let Some(then) = then {
            return Some((keep, then));
        }
    }
    None
}

/// Whether the last moves before those that are known were taken back.
fn is_lifted(rules: &dyn Rules, grid: &Grid, seen: &Grid) -> bool {
    let gone = added(seen, grid).filter(|g| !g.is_empty());
    gone.is_some_and(|g| g.len() <= MISSED && order(rules, seen, &g, None, None).is_some())
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
        let turn = match turn {
            Turn::Kind(kind) => Turn::Kind(name(kind)),
            Turn::Not(kind) => Turn::Not(name(kind)),
            Turn::Any => Turn::Any,
        };
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
