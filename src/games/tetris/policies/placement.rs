//! Where a piece goes: its orientation and its leftmost column; it is dropped straight from above.

use super::shape::{self, Shape};
use crate::games::tetris::rules::{Board, Kind, Pose, System};

/// A straight drop of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// The kind.
    pub kind: Kind,
    /// Orientation of the standard system, 0 is the one the piece appears in.
    pub turn: u8,
    /// Leftmost column it takes, from 0 at the left.
    pub left: u16,
}

impl Placement {
    /// Every placement of a kind on a board of so many columns, whether it can be reached or not:
    /// by orientation, then from left to right.
    pub fn all(kind: Kind, cols: u16) -> impl Iterator<Item = Self> {
        let turns = shape::standard()[kind.index()].turns();
        turns.iter().enumerate().flat_map(move |(turn, shape)| {
            (0..(cols + 1).saturating_sub(u16::from(shape.width))).map(move |left| Self {
                kind,
                turn: turn as u8,
                left,
            })
        })
    }

    /// The placement that a pose has when it is dropped.
    #[must_use]
    pub fn of(pose: Pose) -> Option<Self> {
        let shape = shape::standard()[pose.kind.index()]
            .turns()
            .get(usize::from(pose.turn))?;
        Some(Self {
            kind: pose.kind,
            turn: pose.turn,
            left: u16::try_from(pose.x + i16::from(shape.dx)).ok()?,
        })
    }

    /// Its shape; an orientation that the kind does not have counts on from the first.
    #[must_use]
    pub fn shape(&self) -> &'static Shape {
        let turns = shape::standard()[self.kind.index()].turns();
        &turns[usize::from(self.turn) % turns.len()]
    }

    /// Column of the piece's origin, as the rules count it.
    #[must_use]
    pub fn origin_x(&self) -> i16 {
        self.left as i16 - i16::from(self.shape().dx)
    }

    /// Where it comes to rest when dropped from above everything; it may stick out at the top.
    /// `None` when it does not fit between the walls.
    #[must_use]
    pub fn landing(&self, board: &Board) -> Option<Pose> {
        let shape = self.shape();
        if self.left + u16::from(shape.width) > board.cols() {
            return None;
        }
        let mut lowest = 0;
        for i in 0..usize::from(shape.width) {
            let x = self.left as i16 + i as i16;
            let height = (0..board.rows() as i16)
                .rev()
                .find(|&y| board.get(x, y).is_some_and(|v| v != 0))
                .map_or(0, |y| y + 1);
            lowest = lowest.max(height - i16::from(shape.bottom[i]));
        }
        Some(Pose {
            kind: self.kind,
            turn: self.turn,
            x: self.origin_x(),
            y: lowest - i16::from(shape.dy),
        })
    }

    /// The cells (x, y), y from the bottom, that it fills before rows vanish.
    #[must_use]
    pub fn cells(&self, board: &Board) -> Option<[(i16, i16); 4]> {
        let pose = self.landing(board)?;
        Some(System::standard().cells(pose))
    }

    /// The board with the piece in place and complete rows gone, and how many those were.
    #[must_use]
    pub fn applied(&self, board: &Board) -> Option<(Board, u16)> {
        let pose = self.landing(board)?;
        let mut after = board.clone();
        after.lock(&System::standard(), pose);
        let rows = after.clear_full();
        Some((after, rows))
    }
}

impl std::fmt::Display for Placement {
    /// For a person: `T turn 1 column 4` (columns from 1).
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} turn {} column {}",
            self.kind,
            self.turn,
            self.left + 1
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_placements_are_counted() {
        let counts = Kind::ALL.map(|k| Placement::all(k, 10).count());
        assert_eq!(counts, [9, 17, 17, 17, 34, 34, 34]);
        assert_eq!(Placement::all(Kind::I, 4).count(), 5);
    }

    #[test]
    fn a_piece_drops_onto_the_pile() {
        let board = Board::from_text("....../....../....../....../##..../##.###").expect("a board");
        let placement = Placement {
            kind: Kind::T,
            turn: 0,
            left: 1,
        };
        // The stem of the T hangs over the empty cell, held by its left arm.
        let (after, rows) = placement.applied(&board).expect("fits");
        assert_eq!(after.text(), "....../....../....../.TTT../##T.../##.###");
        assert_eq!(rows, 0);
        let i = Placement {
            kind: Kind::I,
            turn: 1,
            left: 2,
        };
        let (after, rows) = i.applied(&board).expect("fits");
        assert_eq!(after.text(), "....../....../....../..I.../..I.../##I...");
        assert_eq!(rows, 1);
        let pose = i.landing(&board).expect("fits");
        assert_eq!(Placement::of(pose), Some(i));
    }
}
