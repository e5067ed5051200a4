//! The believed position and the moves that are known to have led to it.

use super::grid::{EMPTY, Grid, Piece};
use super::rules::{End, Rules, end_by, end_of};
use crate::types::ClassId;

/// A position with its past as far as it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Belief {
    /// Where the known moves begin; an empty board in a game that was seen from its start.
    base: Grid,
    plies: Vec<Piece>,
    grid: Grid,
    end: Option<End>,
}

impl Belief {
    /// A position with no known past.
    #[must_use]
    pub fn begin(rules: &dyn Rules, grid: Grid) -> Self {
        Self {
            end: end_of(rules, &grid),
            base: grid.clone(),
            plies: Vec::new(),
            grid,
        }
    }

    /// The position.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The known moves, the oldest first.
    #[must_use]
    pub fn plies(&self) -> &[Piece] {
        &self.plies
    }

    /// Whether all moves of the game are known.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.base.count() == 0
    }

    /// Whether the known moves were made in turn by the side of this kind and the other.
    #[must_use]
    pub fn is_in_turn(&self, first: ClassId) -> bool {
        let begins = self.base.count() % 2;
        let mut plies = self.plies.iter().enumerate();
        plies.all(|(i, p)| (i + begins).is_multiple_of(2) == (p.kind == first))
    }

    /// How it is over, if it is.
    #[must_use]
    pub const fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// One move more.
    pub fn put(&mut self, rules: &dyn Rules, piece: Piece) {
        self.grid.set(piece.at, piece.kind);
        self.plies.push(piece);
        self.end = end_by(rules, &self.grid, piece.at);
    }

    /// The position after the first `keep` of the known moves.
    #[must_use]
    pub fn back_to(&self, keep: usize) -> Self {
        let mut earlier = Self {
            base: self.base.clone(),
            plies: self.plies[..keep.min(self.plies.len())].to_vec(),
            grid: self.base.clone(),
            // Nobody has moved after the end.
            end: None,
        };
        for piece in &earlier.plies {
            earlier.grid.set(piece.at, piece.kind);
        }
        if keep >= self.plies.len() {
            earlier.end.clone_from(&self.end);
        }
        earlier
    }

    /// The position without some pieces, which were put last in whatever order.
    #[must_use]
    pub fn without(&self, rules: &dyn Rules, gone: &[Piece]) -> Self {
        let mut left = self.plies.clone();
        left.retain(|p| !gone.contains(p));
        if left.len() + gone.len() == self.plies.len() {
            let mut earlier = Self::begin(rules, self.base.clone());
            left.into_iter().for_each(|p| earlier.put(rules, p));
            return earlier;
        }
        let mut grid = self.grid.clone();
        gone.iter().for_each(|p| grid.set(p.at, EMPTY));
        Self::begin(rules, grid)
    }

    /// The same in other kinds.
    #[must_use]
    pub fn renamed(&self, rules: &dyn Rules, name: impl Fn(ClassId) -> ClassId) -> Self {
        let mut other = Self::begin(rules, self.base.renamed(&name));
        for piece in &self.plies {
            let kind = name(piece.kind);
            other.put(rules, Piece { kind, ..*piece });
        }
        other
    }
}
