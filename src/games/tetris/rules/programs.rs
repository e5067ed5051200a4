//! How the pieces of other programs appear and turn, as data.
//!
//! Each table was read off the running program (`tests/tetris_real` does it again): positions of
//! its pieces after each press of its rotate key. Gives [`System`]s and [`Pace`]s by name.

use std::borrow::Cow;
use std::time::Duration;

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
    /// of 3x3 (I: 4x4), no kicks, nothing above the top row. A piece appears in any of its orientations with its uppermost
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
            open_top: false,
            slides: true,
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
            slides: false,
        }
    }
}

/// How fast a program's pieces fall, and what happens around a landing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// quadrapassel: its fall clock goes on whatever a player does and is set anew only with the
    /// level; the next piece appears at once; completed rows swell and fade for 720 ms while those
    /// above bounce down.
    Quadrapassel,
    /// vitetris: each piece has its full first delay and 166 ms after it came to rest; the next
    /// one appears 166 ms after a landing, and 332 ms later when rows vanish, from the middle out.
    Vitetris,
}

impl Pace {
    /// The pace of the program of this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            "quadrapassel" => Some(Self::Quadrapassel),
            "vitetris" => Some(Self::Vitetris),
            _ => None,
        }
    }

    /// The level a program begins with unless somebody has chosen another.
    #[must_use]
    pub const fn first_level(self) -> u8 {
        match self {
            Self::Quadrapassel => 1,
            Self::Vitetris => 0,
        }
    }

    /// The level after so many completed rows in a game that began with `start`.
    #[must_use]
    pub fn level(self, start: u8, rows: u32) -> u8 {
        let tens = u8::try_from(rows / 10).unwrap_or(u8::MAX);
        match self {
            Self::Quadrapassel => start.saturating_add(tens),
            // The first step up comes when the rows have caught up with the level.
            Self::Vitetris => {
                let first = start.saturating_add(1).min(10);
                start.saturating_add(tens.saturating_add(1).saturating_sub(first))
            }
        }
    }

    /// From one fall step to the next at a level.
    #[must_use]
    pub fn delay(self, level: u8) -> Duration {
        let ms = match self {
            Self::Quadrapassel => {
                let ms = 80.0 + 800.0 * 0.75_f64.powi(i32::from(level.max(1)) - 1);
                // At most 880.
                ms.round() as u64
            }
            Self::Vitetris => match u64::from(level.min(29)) {
                level @ 0..=8 => 799 - 83 * level,
                9 => 100,
                10 => 83,
                // By five and six in turn up to 19, then by two.
                level @ 11..=19 => 83 - (5 * (level - 10) + (level - 9) / 2),
                level => 33 - 2 * (level - 19),
            },
        };
        Duration::from_millis(ms)
    }

    /// Whether fall steps come at their own times, whenever a piece appeared.
    #[must_use]
    pub const fn is_steady(self) -> bool {
        matches!(self, Self::Quadrapassel)
    }

    /// How long rows that were completed are seen, and those above them on the move, apart from 70
    /// ms for each row. Of quadrapassel's 720 ms the last ones show next to nothing: what vanishes
    /// is below a fifth of its brightness after 200 ms.
    #[must_use]
    pub const fn clearing(self) -> Duration {
        Duration::from_millis(match self {
            Self::Quadrapassel => 260,
            Self::Vitetris => 400,
        })
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
    fn paces_are_those_of_the_programs() {
        let quadrapassel = |level| Pace::Quadrapassel.delay(level).as_millis();
        assert_eq!(
            [1, 2, 10, 11, 40].map(quadrapassel),
            [880, 680, 140, 125, 80]
        );
        let vitetris = |level| Pace::Vitetris.delay(level).as_millis();
        assert_eq!([0, 4, 8, 9, 10].map(vitetris), [799, 467, 135, 100, 83]);
        assert_eq!(
            [11, 12, 19, 20, 29, 200].map(vitetris),
            [77, 72, 33, 31, 13, 13]
        );
        let level = |start, rows| Pace::Vitetris.level(start, rows);
        assert_eq!([0, 9, 10, 40].map(|r| level(0, r)), [0, 0, 1, 4]);
        assert_eq!([49, 59, 60, 75].map(|r| level(5, r)), [5, 5, 6, 7]);
        assert_eq!(Pace::Quadrapassel.level(1, 105), 11);
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
