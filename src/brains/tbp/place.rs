//! Where a piece lies, in the protocol's words and in ours.
//!
//! The protocol names the centre of a piece by SRS true rotation: the cell around which it turns;
//! for O and I the cell that a turn by a quarter keeps in place.

use serde_json::{Value, json};

use crate::games::tetris::policies::Placement;
use crate::games::tetris::rules::{Board, Kind};

/// How a piece is turned, clockwise from how it appears in SRS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// As it appears.
    North,
    /// A quarter clockwise.
    East,
    /// Upside down.
    South,
    /// A quarter counter-clockwise.
    West,
}

impl Orientation {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    const fn name(self) -> &'static str {
        match self {
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
        }
    }

    fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|o| o.name() == name)
    }

    /// An offset from the centre, turned with the piece.
    const fn turned(self, (x, y): (i64, i64)) -> (i64, i64) {
        match self {
            Self::North => (x, y),
            Self::East => (y, -x),
            Self::South => (-x, -y),
            Self::West => (-y, x),
        }
    }
}

/// A piece on the board: x from the left column, y from the bottom row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The piece.
    pub kind: Kind,
    /// How it is turned.
    pub orientation: Orientation,
    /// Column of its centre.
    pub x: i64,
    /// Row of its centre.
    pub y: i64,
}

/// The cells of a piece that points north, from its centre: x to the right, y up.
const fn north(kind: Kind) -> [(i64, i64); 4] {
    match kind {
        Kind::O => [(0, 0), (1, 0), (0, 1), (1, 1)],
        Kind::I => [(-1, 0), (0, 0), (1, 0), (2, 0)],
        Kind::S => [(-1, 0), (0, 0), (0, 1), (1, 1)],
        Kind::Z => [(-1, 1), (0, 1), (0, 0), (1, 0)],
        Kind::L => [(-1, 0), (0, 0), (1, 0), (1, 1)],
        Kind::J => [(-1, 1), (-1, 0), (0, 0), (1, 0)],
        Kind::T => [(-1, 0), (0, 0), (1, 0), (0, 1)],
    }
}

/// No board is larger, and no sum of coordinates overflows.
const FAR: i64 = 1000;

impl Location {
    /// From a move's `location`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(value: &Value) -> Result<Self, String> {
        let field = |name: &str| value.get(name).unwrap_or(&Value::Null);
        let kind = field("type").as_str().and_then(|t| {
            let mut letters = t.chars();
            let kind = letters.next().and_then(Kind::from_letter);
            kind.filter(|_| letters.next().is_none())
        });
        let orientation = field("orientation").as_str().and_then(Orientation::by_name);
        let number = |name: &str| field(name).as_i64().filter(|n| n.abs() < FAR);
        match (kind, orientation, number("x"), number("y")) {
            (Some(kind), Some(orientation), Some(x), Some(y)) => Ok(Self {
                kind,
                orientation,
                x,
                y,
            }),
            _ => {
                let shown: String = value.to_string().chars().take(120).collect();
                Err(format!("{shown} is no location of a piece"))
            }
        }
    }

    /// As a move's `location`.
    #[must_use]
    pub fn to_json(self) -> Value {
        json!({
            "type": self.kind.letter(),
            "orientation": self.orientation.name(),
            "x": self.x,
            "y": self.y,
        })
    }

    /// The cells (x, y) of the piece, lowest row first and from the left in each.
    #[must_use]
    pub fn cells(self) -> [(i64, i64); 4] {
        let mut cells = north(self.kind).map(|offset| {
            let (dx, dy) = self.orientation.turned(offset);
            (self.x + dx, self.y + dy)
        });
        cells.sort_unstable_by_key(|&(x, y)| (y, x));
        cells
    }

    /// The placement of the same orientation in the same columns; `None` when it does not lie
    /// between the walls of a board of so many columns.
    #[must_use]
    pub fn placement(self, cols: u16) -> Option<Placement> {
        let cells = self.cells();
        let left = cells.iter().map(|c| c.0).min()?;
        let right = cells.iter().map(|c| c.0).max()?;
        if left < 0 || right >= i64::from(cols) {
            return None;
        }
        let left = u16::try_from(left).ok()?;
        let shape = |cells: &[(i64, i64)]| {
            let x = cells.iter().map(|c| c.0).min().unwrap_or(0);
            let y = cells.iter().map(|c| c.1).min().unwrap_or(0);
            let mut all: Vec<_> = cells.iter().map(|c| (c.1 - y, c.0 - x)).collect();
            all.sort_unstable();
            all
        };
        let ours = |p: &Placement| {
            let s = p.shape();
            let columns = (0..usize::from(s.width)).flat_map(|x| {
                let bottom = i64::from(s.bottom[x]);
                (0..i64::from(s.count[x])).map(move |n| (x as i64, bottom + n))
            });
            columns.collect::<Vec<_>>()
        };
        Placement::all(self.kind, cols)
            .filter(|p| p.left == left)
            .find(|p| shape(&ours(p)) == shape(&cells))
    }

    /// Where a placement lies when it is dropped on a board; of the orientations that look the
    /// same the first.
    #[must_use]
    pub fn of(placement: Placement, board: &Board) -> Option<Self> {
        let mut cells = placement
            .cells(board)?
            .map(|(x, y)| (i64::from(x), i64::from(y)));
        cells.sort_unstable_by_key(|&(x, y)| (y, x));
        Orientation::ALL.into_iter().find_map(|orientation| {
            let at_origin = Self {
                kind: placement.kind,
                orientation,
                x: 0,
                y: 0,
            };
            let origin = at_origin.cells();
            let there = Self {
                x: cells[0].0 - origin[0].0,
                y: cells[0].1 - origin[0].1,
                ..at_origin
            };
            (there.cells() == cells).then_some(there)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows from the top of a piece, its centre in capitals, as SRS draws them.
    fn srs(kind: Kind, orientation: Orientation) -> &'static str {
        use Orientation::{East, North, South, West};
        match (kind, orientation) {
            (Kind::O, North) => "xx/Xx",
            (Kind::O, East) => "Xx/xx",
            (Kind::O, South) => "xX/xx",
            (Kind::O, West) => "xx/xX",
            (Kind::I, North) => "xXxx",
            (Kind::I, East) => "x/X/x/x",
            (Kind::I, South) => "xxXx",
            (Kind::I, West) => "x/x/X/x",
            (Kind::S, North) => ".xx/xX.",
            (Kind::S, East) => "x./Xx/.x",
            (Kind::S, South) => ".Xx/xx.",
            (Kind::S, West) => "x./xX/.x",
            (Kind::Z, North) => "xx./.Xx",
            (Kind::Z, East) => ".x/Xx/x.",
            (Kind::Z, South) => "xX./.xx",
            (Kind::Z, West) => ".x/xX/x.",
            (Kind::L, North) => "..x/xXx",
            (Kind::L, East) => "x./X./xx",
            (Kind::L, South) => "xXx/x..",
            (Kind::L, West) => "xx/.X/.x",
            (Kind::J, North) => "x../xXx",
            (Kind::J, East) => "xx/X./x.",
            (Kind::J, South) => "xXx/..x",
            (Kind::J, West) => ".x/.X/xx",
            (Kind::T, North) => ".x./xXx",
            (Kind::T, East) => "x./Xx/x.",
            (Kind::T, South) => "xXx/.x.",
            (Kind::T, West) => ".x/xX/.x",
        }
    }

    /// The cells of a drawing, its centre at (x, y).
    fn drawn(drawing: &str, (x, y): (i64, i64)) -> [(i64, i64); 4] {
        let rows: Vec<&str> = drawing.split('/').rev().collect();
        let mut cells = Vec::new();
        let mut centre = (0, 0);
        for (row, text) in rows.iter().enumerate() {
            for (col, c) in text.chars().enumerate() {
                if c == 'X' {
                    centre = (col as i64, row as i64);
                }
                if c != '.' {
                    cells.push((col as i64, row as i64));
                }
            }
        }
        let mut cells: Vec<_> = cells
            .iter()
            .map(|c| (c.0 - centre.0 + x, c.1 - centre.1 + y))
            .collect();
        cells.sort_unstable_by_key(|&(x, y)| (y, x));
        <[(i64, i64); 4]>::try_from(cells).expect("four cells")
    }

    #[test]
    fn every_piece_and_orientation_is_where_srs_has_it() {
        let empty = Board::from_text(&[".........."; 20].join("/")).expect("a board");
        for kind in Kind::ALL {
            for orientation in Orientation::ALL {
                let at = Location {
                    kind,
                    orientation,
                    x: 4,
                    y: 7,
                };
                let cells = drawn(srs(kind, orientation), (4, 7));
                assert_eq!(at.cells(), cells, "{at:?}");
                // The placement fills the same columns with the same shape.
                let placement = at.placement(10).expect("between the walls");
                let landed = placement.cells(&empty).expect("fits");
                let lowest = cells[0].1;
                let mut landed = landed.map(|(x, y)| (i64::from(x), i64::from(y) + lowest));
                landed.sort_unstable_by_key(|&(x, y)| (y, x));
                assert_eq!(landed, cells, "{at:?} is {placement}");
                assert_eq!(Location::parse(&at.to_json()), Ok(at));
            }
        }
    }

    #[test]
    fn every_placement_has_a_location_and_comes_back() {
        let board = Board::from_text(
            "........../........../........../........../..T......./.TTT....../##.#SS..OO/##.##SS.OO",
        )
        .expect("a board");
        let mut count = 0;
        for kind in Kind::ALL {
            for placement in Placement::all(kind, 10) {
                let at = Location::of(placement, &board).expect("a location");
                assert_eq!(at.placement(10), Some(placement));
                count += 1;
            }
        }
        assert_eq!(count, 9 + 3 * 17 + 3 * 34);
    }

    #[test]
    fn what_is_no_location_is_told() {
        for value in [
            json!(null),
            json!({"type": "T", "orientation": "north", "x": 1}),
            json!({"type": "TT", "orientation": "north", "x": 1, "y": 1}),
            json!({"type": "T", "orientation": "up", "x": 1, "y": 1}),
            json!({"type": "T", "orientation": "north", "x": i64::MAX, "y": 1}),
        ] {
            let error = Location::parse(&value).expect_err("none");
            assert!(error.contains("no location"), "{error}");
        }
        let outside = |x: i64| Location {
            kind: Kind::T,
            orientation: Orientation::North,
            x,
            y: 0,
        };
        assert_eq!(outside(0).placement(10), None);
        assert_eq!(outside(9).placement(10), None);
        assert!(outside(8).placement(10).is_some());
    }
}
