//! Which positions a book has, and how the scores of later ones give those of earlier ones.
//!
//! Nothing here searches: whoever makes a book solves the deepest positions and hands the scores in.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::score_of_win;
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

    /// Of a key; `None` if no position has it.
    #[must_use]
    pub fn of_key(key: u64) -> Option<Self> {
        let (mut own, mut mask) = (0, 0);
        for col in 0..Usual.cols() {
            let shift = col * Usual.stride();
            // Height h adds 2^h - 1, and the discs of the player to move are at most as much.
            let sum = (key >> shift & 0x7F) + 1;
            let full = (1 << sum.ilog2()) - 1;
            if full > 0x3F {
                return None;
            }
            own |= (sum - 1 - full) << shift;
            mask |= full << shift;
        }
        (key >> 49 == 0).then_some(Self {
            key,
            bits: Bits { own, mask },
        })
    }

    /// Discs on the board.
    #[must_use]
    pub fn discs(&self) -> i32 {
        self.bits.mask.count_ones() as i32
    }

    /// The score of whoever wins with the move after so many more discs.
    #[must_use]
    pub fn score_of_win(&self, discs: usize) -> i32 {
        let cells = Usual.cells().count_ones() as usize;
        score_of_win(cells, self.bits.mask.count_ones() as usize + discs)
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
    let mut best: Option<(i32, u32)> = None;
    for (col, child) in position.children() {
        let score = match child {
            Child::Won => position.score_of_win(0),
            Child::Open(child) if child.wins_at_once() => -child.score_of_win(0),
            Child::Open(child) => -known.get(&child.key)?.0,
        };
        if best.is_none_or(|(b, _)| score > b) {
            best = Some((score, col));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_as_many_as_mirror_images_allow() {
        let levels = levels(6);
        let sizes: Vec<usize> = levels.iter().map(Vec::len).collect();
        assert_eq!(sizes, [1, 4, 25, 121, 568, 2144, 8231]);
        for position in levels.concat() {
            assert_eq!(Position::of_key(position.key), Some(position));
            assert!(
                Usual.mirror(position.bits.own) + Usual.mirror(position.bits.mask) >= position.key
            );
        }
        assert_eq!(Position::of_key(0x7F), None);
        assert_eq!(Position::of_key(1 << 49), None);
    }

    /// Scores made up for the deepest positions come up as the rules of minimax say.
    #[test]
    fn scores_follow_from_those_of_later_positions() {
        let levels = levels(4);
        let made_up = |p: &Position| (p.key % 7) as i32 - 3;
        let mut known: FxHashMap<u64, (i32, u32)> =
            levels[4].iter().map(|p| (p.key, (made_up(p), 0))).collect();
        let (lines, complete) = induce(&levels, &known);
        assert_eq!((lines.len(), complete), (1 + 4 + 25 + 121 + 568, 5));
        let score = |p: &Position| {
            lines
                .iter()
                .find(|l| l.key == p.key)
                .map(|l| (l.score, l.best))
        };
        for position in levels[3].iter().step_by(9) {
            let worth = |(col, child): (u32, Child)| match child {
                Child::Open(child) => (-made_up(&child), col),
                Child::Won => (19, col),
            };
            let best = position
                .children()
                .map(worth)
                .max_by_key(|&(s, c)| (s, 7 - c));
            assert_eq!(score(position), best);
        }
        // One is missing: what needs it is missing too, and nothing is whole.
        known.remove(&levels[4][0].key);
        let (fewer, complete) = induce(&levels, &known);
        assert!(fewer.len() < lines.len() && complete == 0, "{complete}");
    }
}
