//! Which positions a book has, and how the scores of later ones give those of earlier ones.
//!
//! Nothing here searches: whoever makes a book solves the deepest positions and hands the scores in.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Line;
use crate::games::connect4::rules::bits::{Bits, Shape, Usual};

/// A position of a book: of it and its mirror image the one with the smaller key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Its key.
    pub key: u64,
    /// Its discs.
    pub bits: Bits<u64>,
}

/// What a move leads to.
enum Child {
    /// The player who moved has won.
    Won,
    /// Nobody has yet.
    Open(Position),
}

impl Position {
    /// The empty board.
    #[must_use]
    pub fn empty() -> Self {
        Self::of(Bits { own: 0, mask: 0 })
    }

    /// Of a position or its mirror image.
    #[must_use]
    pub fn of(bits: Bits<u64>) -> Self {
        let mirror = Bits {
            own: Usual.mirror(bits.own),
            mask: Usual.mirror(bits.mask),
        };
        let [key, other] = [bits, mirror].map(|b| b.own + b.mask);
        match key <= other {
            true => Self { key, bits },
            false => Self {
                key: other,
                bits: mirror,
            },
        }
    }

    /// Discs on the board.
    #[must_use]
    pub fn discs(&self) -> i32 {
        self.bits.mask.count_ones() as i32
    }

    /// Whether the player to move wins at once: then no book is needed.
    #[must_use]
    pub fn wins_at_once(&self) -> bool {
        let playable = (self.bits.mask + Usual.bottom()) & Usual.cells();
        Usual.completing(self.bits.own) & playable != 0
    }

    /// What each column that is not full leads to.
    fn children(&self) -> impl Iterator<Item = (u32, Child)> {
        let bits = self.bits;
        let playable = (bits.mask + Usual.bottom()) & Usual.cells();
        (0..Usual.cols()).filter_map(move |col| {
            let cell = playable & Usual.column(col);
            (cell != 0).then(|| match Usual.has_row(bits.own | cell) {
                true => (col, Child::Won),
                false => (col, Child::Open(Self::of(bits.after(cell)))),
            })
        })
    }
}

/// All positions of 0, 1, ... up to so many discs that are not over, each once. Neighbours are
/// alike.
#[must_use]
pub fn levels(discs: usize) -> Vec<Vec<Position>> {
    let mut levels = vec![vec![Position::empty()]];
    while levels.len() <= discs {
        let mut seen = FxHashSet::default();
        let mut next = Vec::new();
        for position in levels.last().into_iter().flatten() {
            for (_, child) in position.children() {
                if let Child::Open(child) = child
                    && seen.insert(child.key)
                {
                    next.push(child);
                }
            }
        }
        levels.push(next);
    }
    levels
}

/// The lines of a book from what is known of positions: those of fewer discs follow from those of
/// more where all their children are known. Also up to how many discs none is missing.
#[must_use]
pub fn induce(levels: &[Vec<Position>], known: &FxHashMap<u64, (i32, u32)>) -> (Vec<Line>, usize) {
    let mut known = known.clone();
    let mut lines = Vec::new();
    let mut complete = levels.len();
    for (discs, level) in levels.iter().enumerate().rev() {
        let mut all = true;
        for position in level.iter().filter(|p| !p.wins_at_once()) {
            let found = known.get(&position.key).copied();
            let Some((score, best)) = found.or_else(|| from_children(position, &known)) else {
                all = false;
                continue;
            };
            known.insert(position.key, (score, best));
            lines.push(Line {
                key: position.key,
                score,
                best,
            });
        }
        // Levels are looked at from the deepest: the last one that is not whole counts.
        if !all {
            complete = discs;
        }
    }
    (lines, complete)
}

/// Score and best column, if the scores of all children are known.
fn from_children(position: &Position, known: &FxHashMap<u64, (i32, u32)>) -> Option<(i32, u32)> {
    let cells = Usual.cells().count_ones() as i32;
    let mut best: Option<(i32, u32)> = None;
    for (col, child) in position.children() {
        let score = match child {
            Child::Won => (cells + 1 - position.discs()) / 2,
            Child::Open(child) if child.wins_at_once() => -((cells + 1 - child.discs()) / 2),
            Child::Open(child) => -known.get(&child.key)?.0,
        };
        if best.is_none_or(|(b, _)| score > b) {
            best = Some((score, col));
        }
    }
    best
}
