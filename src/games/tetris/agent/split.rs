//! Pile and piece told apart in one frame, without knowing what was there before.
//!
//! Takes a [`View`], gives a pile and the piece that floats above it, if one does. Must never
//! take a piece that touches the pile for a falling one.

use super::super::rules::{Board, JUNK, Kind, Pose};
use super::paths::Ground;
use super::view::{DARK, FULL, View};

/// One frame taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Everything that is not the piece. Cells that could not be read are as they were believed.
    pub pile: Board,
    /// The piece.
    pub piece: Option<Pose>,
}

impl Split {
    /// Whether both show the same pile, whatever colours were read.
    #[must_use]
    pub fn same_pile(&self, other: &Self) -> bool {
        let cells = self.pile.cells().iter().zip(other.pile.cells());
        self.pile.cols() == other.pile.cols() && { cells }.all(|(&a, &b)| (a != 0) == (b != 0))
    }
}

/// Takes a frame apart; `ground` has the believed pile, for cells that cannot be read and to
/// choose between pieces that would both do.
#[must_use]
pub fn split(view: &View, ground: Ground<'_>) -> Split {
    let (cols, rows) = (ground.pile.cols(), ground.pile.rows());
    let mut all = Board::empty(cols, rows);
    for (i, &seen) in view.cells().iter().enumerate() {
        let (x, y) = (
            (i % usize::from(cols)) as i16,
            (i / usize::from(cols)) as i16,
        );
        let value = match seen {
            FULL => view.values()[i].max(1),
            DARK => ground.pile.cells()[i],
            _ => 0,
        };
        all.set(
            x,
            y,
            if seen == FULL && view.values()[i] == 0 {
                JUNK
            } else {
                value
            },
        );
    }
    let mut best: Option<(Pose, i32)> = None;
    for kind in Kind::ALL {
        for turn in 0..ground.system.turns_of(kind) {
            for y in -2..rows as i16 + 2 {
                for x in -2..cols as i16 + 2 {
                    let pose = Pose { kind, turn, x, y };
                    if let Some(rank) = rank(view, ground, &all, pose)
                        && best.is_none_or(|(_, r)| rank > r)
                    {
                        best = Some((pose, rank));
                    }
                }
            }
        }
    }
    let piece = best.map(|(pose, _)| pose);
    if let Some(pose) = piece {
        for (x, y) in ground.system.cells(pose) {
            all.set(x, y, 0);
        }
    }
    Split { pile: all, piece }
}

/// How likely this is the falling piece: `None` if it cannot be.
fn rank(view: &View, ground: Ground<'_>, all: &Board, pose: Pose) -> Option<i32> {
    let cells = ground.system.cells(pose);
    if cells.iter().any(|&(x, y)| view.at(x, y) != FULL || y == 0) {
        // What lies on the floor is as good as the pile.
        return None;
    }
    let beside = |(x, y): (i16, i16)| [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
    let touches = cells
        .iter()
        .flat_map(|&c| beside(c))
        .any(|(x, y)| !cells.contains(&(x, y)) && all.get(x, y).is_some_and(|v| v != 0));
    let new = (cells.iter())
        .filter(|&&(x, y)| ground.pile.get(x, y) == Some(0))
        .count() as i32;
    // What touches other cells is a piece only where all of it was believed to be empty and all
    // else is as believed; that is for the explanation, which has failed by now.
    if touches {
        return None;
    }
    let colours = view.colour_cost(ground.system, pose) as i32;
    Some(new * 1000 - colours * 500 + i32::from(pose.y))
}
