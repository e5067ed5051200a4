//! What a board says some of whose cells cannot be read: something lies over them, they are marked,
//! or they hold what has never been seen before.

use super::{DuelAgent, Piece};
use crate::games::duel::Side;
use crate::games::duel::belief::Belief;
use crate::games::duel::explain::forward;
use crate::games::duel::grid::{EMPTY, Grid};
use crate::games::duel::paths::added;
use crate::games::duel::rules::{End, winning_places};
use crate::types::{Cell, ClassId, Label, Reading, Story};

/// So many pieces appear at most before the first of them has been learnt.
const AT_FIRST: usize = 2;
/// So many cells of a row must be unreadable together to be taken for a row that is marked.
const MARKED: usize = 3;

impl DuelAgent {
    /// What is read in a cell; `None` also for kinds that do not take part in the game.
    fn read(&self, seen: &Reading, index: usize) -> Option<ClassId> {
        match seen.cells.get(index)?.label {
            Label::Class(EMPTY) => Some(EMPTY),
            Label::Class(kind) => {
                let believed = self.belief.as_ref()?.grid();
                self.sides.knows(believed, kind).then_some(kind)
            }
            Label::Unknown => None,
        }
    }

    fn unreadable(&self, seen: &Reading) -> Vec<Cell> {
        let cells = 0..seen.size.len();
        cells
            .filter(|&i| self.read(seen, i).is_none())
            .map(|i| seen.size.cell(i))
            .collect()
    }

    /// Whether every cell that can be read is as on a board of the same size.
    fn agrees(&self, seen: &Reading, grid: &Grid) -> bool {
        let mut kinds = grid.kinds().iter().enumerate();
        seen.size == grid.size()
            && kinds.all(|(i, kind)| self.read(seen, i).is_none_or(|read| read == *kind))
    }

    /// What is seen, with what cannot be read as on a board of the same size.
    fn filled(&self, seen: &Reading, grid: &Grid) -> Grid {
        let mut filled = grid.clone();
        for (i, cell) in seen.size.cells().enumerate() {
            if let Some(kind) = self.read(seen, i) {
                filled.set(cell, kind);
            }
        }
        filled
    }

    /// Whether a board shows a row that is marked and everything else of a position: what is marked
    /// cannot be read, or looks empty through a camera.
    fn marks(&self, seen: &Reading, after: &Belief, row: &[Cell]) -> bool {
        let mut odd = 0;
        let rest = seen.size.cells().enumerate().all(|(i, cell)| {
            let read = self.read(seen, i);
            let hidden = row.contains(&cell) && matches!(read, None | Some(EMPTY));
            odd += usize::from(hidden);
            hidden || read == Some(after.grid().at(cell))
        });
        rest && odd >= MARKED
    }

    /// Whether our move under way has ended the game and its row is marked.
    pub(super) fn is_marked(&self, seen: &Reading) -> bool {
        let after = self.expecting().filter(|b| b.grid().size() == seen.size);
        after.is_some_and(|after| match after.end() {
            Some(End::Row(_, row)) => self.marks(seen, &after, row),
            _ => false,
        })
    }

    /// The believed position, and before it the one with the move under way.
    fn bases(&self, belief: &Belief) -> Vec<(Vec<Piece>, Belief)> {
        let mut bases = Vec::with_capacity(2);
        if let Some(after) = self.expecting() {
            let ours = after.plies().last().copied();
            bases.push((ours.into_iter().collect(), after));
        }
        bases.push((Vec::new(), belief.clone()));
        bases
    }

    /// The story of a board that cannot be read as a whole.
    pub(super) fn partial(&self, belief: &Belief, seen: &Reading) -> Story {
        if seen.size != belief.grid().size() || seen.cells.len() != seen.size.len() {
            return Story::Partial { agrees: false };
        }
        if self.ended_by(belief, seen).is_some() {
            let mut cells = self.unreadable(seen);
            cells.extend(self.filled(seen, belief.grid()).differing(belief.grid()));
            return Story::Ended { cells };
        }
        let rules = self.seat.rules();
        let fits = |base: &Belief| {
            let filled = self.filled(seen, base.grid());
            filled == *base.grid()
                || filled.pieces().any(|p| rules.hangs(&filled, p.at))
                || forward(rules, base, self.sides.turn(base.grid()), None, &filled).is_some()
        };
        let agrees = self.bases(belief).iter().any(|(_, base)| fits(base));
        Story::Partial { agrees }
    }

    /// The moves that have ended the game, if what can be read shows them.
    pub(super) fn ended_by(&self, belief: &Belief, seen: &Reading) -> Option<Vec<Piece>> {
        if seen.size != belief.grid().size() {
            return None;
        }
        let rules = self.seat.rules();
        let dark = self.unreadable(seen);
        for (mut plies, base) in self.bases(belief) {
            if let (Some(end), Some(ours)) = (base.end(), plies.last()) {
                let shown = self.agrees(seen, base.grid()) && !dark.contains(&ours.at);
                let marked = matches!(end, End::Row(_, row) if self.marks(seen, &base, row));
                if shown || marked {
                    return Some(plies);
                }
                continue;
            }
            let turn = self.sides.turn(base.grid());
            let filled = self.filled(seen, base.grid());
            if let Some(more) = forward(rules, &base, turn, None, &filled) {
                let mut after = base.clone();
                more.iter().for_each(|p| after.put(rules, *p));
                if after.end().is_some() {
                    plies.extend(more);
                    return Some(plies);
                }
            }
            let side = self.sides.to_move(base.grid())?;
            let Some(kind) = self.sides.kind_of(side) else {
                continue;
            };
            let by_row = winning_places(rules, base.grid(), kind).find(|&at| {
                let mut after = base.clone();
                after.put(rules, Piece { at, kind });
                dark.contains(&at)
                    && matches!(after.end(), Some(End::Row(_, row)) if self.marks(seen, &after, row))
            });
            if let Some(at) = by_row {
                plies.push(Piece { at, kind });
                return Some(plies);
            }
        }
        None
    }

    /// Whether the cells that cannot be read may be the first pieces of a kind: few, where pieces
    /// may be put, with all the others as they were. The last move may look other than it was
    /// learnt, too: its mark goes to the next.
    pub(super) fn novel(&self, belief: &Belief, seen: &Reading) -> bool {
        let dark = self.unreadable(seen);
        let last = belief.plies().last().map(|p| p.at);
        if seen.size == belief.grid().size() && dark.iter().copied().eq(last) {
            let new = added(belief.grid(), &self.filled(seen, belief.grid()));
            if new.is_some_and(|new| new.len() == 1) {
                return true;
            }
        }
        let known = |side: Side| self.sides.kind_of(side).is_some();
        if known(Side::First) && known(Side::Second) {
            return false;
        }
        let rules = self.seat.rules();
        let mut grid = belief.grid().clone();
        let new = dark.iter().filter(|at| Some(**at) != last).count();
        if new == 0 || dark.len() > AT_FIRST || !self.agrees(seen, &grid) {
            return false;
        }
        // From the bottom, so that pieces may lie on each other.
        dark.iter().rev().all(|&at| {
            let may = Some(at) == last || rules.may_put(&grid, at);
            grid.set(at, ClassId::MAX);
            may
        })
    }
}
