//! How the pieces of other programs appear and turn, as data.
//!
//! Each table was read off the running program (`tests/tetris_real` does it again): positions of
//! its pieces after each press of its rotate key. Gives [`System`]s by name; knows no timing.

use std::borrow::Cow;

use super::system::{Offset, System};

type Turns = &'static [[Offset; 4]];
type Starts = &'static [(u8, Offset)];

impl System {
    /// The system of this name: `standard`, `quadrapassel`, `vitetris`.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            "standard" => Some(Self::standard()),
            "quadrapassel" => Some(Self::quadrapassel()),
            "vitetris" => Some(Self::vitetris()),
            _ => None,
        }
    }

    /// The names of [`Self::by_name`].
    pub const NAMES: [&'static str; 3] = ["standard", "quadrapassel", "vitetris"];

    /// GNOME's quadrapassel (seen: 40.2), boards of 10 columns: counter-clockwise inside a square
    /// of 3x3 (I: 4x4), no kicks. A piece appears in any of its orientations with its uppermost
    /// cell in the top row. S and Z have four orientations, each two of which look the same one
    /// row or column apart.
    #[must_use]
    pub fn quadrapassel() -> Self {
        Self {
            name: Cow::Borrowed("quadrapassel"),
            turns: QUADRAPASSEL.map(Cow::Borrowed),
            spawn: [(-1, 0); 7],
            kicks: Cow::Borrowed(&[]),
            also: [ONE, I_TWO, FOUR, FOUR, FOUR, FOUR, FOUR].map(Cow::Borrowed),
            open_top: true,
        }
    }

    /// vitetris (seen: 0.59.1) as it comes: clockwise, left-handed, no kicks, pieces appear lying
    /// in the top rows with their middle in the fifth column.
    #[must_use]
    pub fn vitetris() -> Self {
        Self {
            name: Cow::Borrowed("vitetris"),
            turns: VITETRIS.map(Cow::Borrowed),
            spawn: [(-1, 0); 7],
            kicks: Cow::Borrowed(&[]),
            also: [ONE; 7].map(Cow::Borrowed),
            open_top: true,
        }
    }
}

const ONE: Starts = &[];
const I_TWO: Starts = &[(1, (-1, -1))];
/// Those three cells wide reach one row below or above the origin; of those two wide the ones
/// that turn to the left of the origin stand a column further right.
const FOUR: Starts = &[(1, (-1, -1)), (2, (-1, -1)), (3, (0, -1))];

/// Both programs lay O to the right of the origin.
const O: Turns = &[[(0, 0), (1, 0), (0, -1), (1, -1)]];

static QUADRAPASSEL: [Turns; 7] = [
    O,
    &[
        [(-1, 0), (0, 0), (1, 0), (2, 0)],
        [(0, 1), (0, 0), (0, -1), (0, -2)],
    ],
    &[
        [(0, 0), (1, 0), (-1, -1), (0, -1)],
        [(0, 1), (0, 0), (1, 0), (1, -1)],
        [(0, 1), (1, 1), (-1, 0), (0, 0)],
        [(-1, 1), (-1, 0), (0, 0), (0, -1)],
    ],
    &[
        [(-1, 0), (0, 0), (0, -1), (1, -1)],
        [(1, 1), (0, 0), (1, 0), (0, -1)],
        [(-1, 1), (0, 1), (0, 0), (1, 0)],
        [(0, 1), (-1, 0), (0, 0), (-1, -1)],
    ],
    &[
        [(-1, 0), (0, 0), (1, 0), (-1, -1)],
        [(0, 1), (0, 0), (0, -1), (1, -1)],
        [(1, 1), (-1, 0), (0, 0), (1, 0)],
        [(-1, 1), (0, 1), (0, 0), (0, -1)],
    ],
    &[
        [(-1, 0), (0, 0), (1, 0), (1, -1)],
        [(0, 1), (1, 1), (0, 0), (0, -1)],
        [(-1, 1), (-1, 0), (0, 0), (1, 0)],
        [(0, 1), (0, 0), (-1, -1), (0, -1)],
    ],
    &[
        [(-1, 0), (0, 0), (1, 0), (0, -1)],
        [(0, 1), (0, 0), (1, 0), (0, -1)],
        [(0, 1), (-1, 0), (0, 0), (1, 0)],
        [(0, 1), (-1, 0), (0, 0), (0, -1)],
    ],
];

static VITETRIS: [Turns; 7] = [
    O,
    &[
        [(-1, 0), (0, 0), (1, 0), (2, 0)],
        [(0, 2), (0, 1), (0, 0), (0, -1)],
    ],
    &[
        [(0, 0), (1, 0), (-1, -1), (0, -1)],
        [(-1, 1), (-1, 0), (0, 0), (0, -1)],
    ],
    &[
        [(-1, 0), (0, 0), (0, -1), (1, -1)],
        [(0, 1), (-1, 0), (0, 0), (-1, -1)],
    ],
    &[
        [(-1, 0), (0, 0), (1, 0), (-1, -1)],
        [(-1, 1), (0, 1), (0, 0), (0, -1)],
        [(1, 1), (-1, 0), (0, 0), (1, 0)],
        [(0, 1), (0, 0), (0, -1), (1, -1)],
    ],
    &[
        [(-1, 0), (0, 0), (1, 0), (1, -1)],
        [(0, 1), (0, 0), (-1, -1), (0, -1)],
        [(-1, 1), (-1, 0), (0, 0), (1, 0)],
        [(0, 1), (1, 1), (0, 0), (0, -1)],
    ],
    &[
        [(-1, 0), (0, 0), (1, 0), (0, -1)],
        [(0, 1), (-1, 0), (0, 0), (0, -1)],
        [(0, 1), (-1, 0), (0, 0), (1, 0)],
        [(0, 1), (0, 0), (1, 0), (0, -1)],
    ],
];

#[cfg(test)]
mod tests {
    use super::super::{Board, Kind};
    use super::*;

    fn shown(system: &System, kind: Kind) -> Vec<String> {
        let poses = system.spawns(kind, 10, 20);
        let text = |pose| {
            let mut board = Board::empty(10, 20);
            board.lock(system, pose);
            let rows = board.text();
            let filled = rows.split('/').take_while(|r| r.contains(kind.letter()));
            filled.collect::<Vec<_>>().join("/")
        };
        poses.map(text).collect()
    }

    #[test]
    fn every_piece_appears_in_the_top_row() {
        for name in System::NAMES {
            let system = System::by_name(name).expect("known");
            assert_eq!(system.name, name);
            for kind in Kind::ALL {
                for pose in system.spawns(kind, 10, 20) {
                    let rows = system.cells(pose).map(|(_, y)| y);
                    assert_eq!(rows.iter().max(), Some(&19), "{name} {pose:?}");
                    assert!(Board::empty(10, 20).is_free(&system, pose));
                }
            }
        }
        assert!(System::by_name("none").is_none());
    }

    #[test]
    fn quadrapassel_shows_s_in_two_ways_and_t_in_four() {
        let system = System::quadrapassel();
        let (flat, upright) = ("....SS..../...SS.....", "....S...../....SS..../.....S....");
        assert_eq!(shown(&system, Kind::S), [flat, upright, flat, upright]);
        assert_eq!(
            shown(&system, Kind::T),
            [
                "...TTT..../....T.....",
                "....T...../....TT..../....T.....",
                "....T...../...TTT....",
                ".....T..../....TT..../.....T....",
            ]
        );
        assert_eq!(shown(&system, Kind::I).len(), 2);
        assert_eq!(shown(&system, Kind::O), ["....OO..../....OO...."]);
    }

    #[test]
    fn turns_keep_the_shape_of_a_piece() {
        for name in System::NAMES {
            let system = System::by_name(name).expect("known");
            for kind in Kind::ALL {
                let wanted = quarters(System::standard().turns[kind.index()][0]);
                for turn in &*system.turns[kind.index()] {
                    assert!(wanted.contains(&flat(turn)), "{name} {kind} {turn:?}");
                }
            }
        }
    }

    /// A piece's cells moved to the corner and sorted.
    fn flat(cells: &[Offset; 4]) -> Vec<Offset> {
        let x0 = cells.iter().map(|c| c.0).min().unwrap_or(0);
        let y0 = cells.iter().map(|c| c.1).min().unwrap_or(0);
        let mut out: Vec<Offset> = cells.iter().map(|c| (c.0 - x0, c.1 - y0)).collect();
        out.sort_unstable();
        out
    }

    /// All four quarter turns of a shape.
    fn quarters(mut turned: [Offset; 4]) -> Vec<Vec<Offset>> {
        (0..4)
            .map(|_| {
                turned = turned.map(|(x, y)| (-y, x));
                flat(&turned)
            })
            .collect()
    }
}
