//! The recognition grid: 4x2 cells laid over the place where pieces appear, and what is in them.
//!
//! Takes the pointer and arrow keys in px of a picture, and pictures; gives the kind that is
//! seen. It is the reference's way of seeing, kept for comparison. Must never look elsewhere.

use super::text::{border, fill};
use crate::games::tetris::rules::{Kind, System};
use crate::types::picture::channels;
use crate::types::{Picture, Point, Rect};

/// Columns and rows of the grid.
pub const CELLS: (u32, u32) = (4, 2);
/// A piece and its ground differ by at least so much brightness, of 255.
const CONTRAST: u32 = 40;
const COLOUR: [u8; 3] = [0xff, 0x50, 0xd0];

/// An edge of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Left.
    Left,
    /// Top.
    Top,
    /// Right.
    Right,
    /// Bottom.
    Bottom,
}

/// What is in the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Nothing but ground.
    Nothing,
    /// A piece as it appears.
    Piece(Kind),
    /// Something else.
    Unclear,
}

impl Seen {
    /// For a person.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nothing => "video: nothing",
            Self::Piece(Kind::O) => "video: O",
            Self::Piece(Kind::I) => "video: I",
            Self::Piece(Kind::S) => "video: S",
            Self::Piece(Kind::Z) => "video: Z",
            Self::Piece(Kind::L) => "video: L",
            Self::Piece(Kind::J) => "video: J",
            Self::Piece(Kind::T) => "video: T",
            Self::Unclear => "video: unclear",
        }
    }
}

/// The grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Left, top, right, bottom in px; right and bottom are greater.
    sides: [i32; 4],
    /// Where it is being drawn from.
    anchor: Option<[i32; 2]>,
}

impl Grid {
    /// Over a place.
    #[must_use]
    pub const fn over(area: Rect) -> Self {
        let (right, bottom) = (area.x + area.width as i32, area.y + area.height as i32);
        Self {
            sides: [area.x, area.y, right, bottom],
            anchor: None,
        }
    }

    /// Where it is.
    #[must_use]
    pub const fn area(&self) -> Rect {
        let [x, y, right, bottom] = self.sides;
        Rect {
            x,
            y,
            width: (right - x) as u32,
            height: (bottom - y) as u32,
        }
    }

    /// A corner is put down; the other follows the pointer.
    pub fn press(&mut self, px: Point) {
        // `as` keeps what is not a place on any screen within the range of i32.
        self.anchor = Some([px.x.floor() as i32, px.y.floor() as i32].map(within));
    }

    /// The pointer is here.
    pub fn drag(&mut self, px: Point) {
        let Some([x, y]) = self.anchor else { return };
        let [px, py] = [px.x.floor() as i32, px.y.floor() as i32].map(within);
        let least = |from: i32, to: i32| from.max(to).max(from.min(to) + 4);
        self.sides = [x.min(px), y.min(py), least(x, px), least(y, py)];
    }

    /// It is drawn.
    pub fn release(&mut self, px: Point) {
        self.drag(px);
        self.anchor = None;
    }

    /// Moves an edge by a px; the grid keeps at least 4 px.
    pub fn nudge(&mut self, edge: Edge, by: i32) {
        let [left, top, right, bottom] = &mut self.sides;
        match edge {
            Edge::Left => *left = within(*left + by).min(*right - 4),
            Edge::Top => *top = within(*top + by).min(*bottom - 4),
            Edge::Right => *right = within(*right + by).max(*left + 4),
            Edge::Bottom => *bottom = within(*bottom + by).max(*top + 4),
        }
    }

    /// What a picture shows in it.
    #[must_use]
    pub fn look(&self, picture: &Picture) -> Seen {
        let mut bright = [0u32; 8];
        for (i, value) in (0..).zip(&mut bright) {
            *value = self.brightness(picture, i % CELLS.0, i / CELLS.0);
        }
        let low = bright.iter().copied().min().unwrap_or(0);
        let high = bright.iter().copied().max().unwrap_or(0);
        if high - low < CONTRAST {
            return Seen::Nothing;
        }
        let filled = bright.map(|v| v > u32::midpoint(low, high));
        let kind = Kind::ALL.into_iter().find(|&k| pattern(k) == filled);
        kind.map_or(Seen::Unclear, Seen::Piece)
    }

    /// Mean brightness of the inner half of a cell.
    fn brightness(&self, picture: &Picture, col: u32, row: u32) -> u32 {
        let [left, top, right, bottom] = self.sides;
        let part = |from: i32, to: i32, i: u32, of: u32, limit: u32| {
            let at = |quarter: u32| from + (to - from) * (4 * i + quarter) as i32 / (4 * of) as i32;
            let most = limit as i32;
            at(1).clamp(0, most) as u32..at(3).max(at(1) + 1).clamp(0, most) as u32
        };
        let (mut sum, mut count) = (0u32, 0);
        for y in part(top, bottom, row, CELLS.1, picture.height()) {
            for x in part(left, right, col, CELLS.0, picture.width()) {
                let [r, g, b] = channels(picture.at(x, y)).map(u32::from);
                // The brightest channel: a blue piece is dark to the eye, not to this.
                sum += r.max(g).max(b);
                count += 1;
            }
        }
        sum / count.max(1)
    }

    /// Draws it.
    pub fn paint(&self, out: &mut Picture) {
        let area = self.area();
        border(out, area, 1, COLOUR);
        let line = |x: i32, y: i32, width: u32, height: u32| Rect {
            x,
            y,
            width,
            height,
        };
        for i in 1..CELLS.0 {
            let x = area.x + (area.width * i / CELLS.0) as i32;
            fill(out, line(x, area.y, 1, area.height), COLOUR);
        }
        for i in 1..CELLS.1 {
            let y = area.y + (area.height * i / CELLS.1) as i32;
            fill(out, line(area.x, y, area.width, 1), COLOUR);
        }
    }
}

/// Keeps px where sums of them cannot overflow.
fn within(px: i32) -> i32 {
    px.clamp(-20_000, 20_000)
}

/// Which cells of the grid a kind fills where it appears, row by row from the top.
fn pattern(kind: Kind) -> [bool; 8] {
    let system = System::standard();
    let mut filled = [false; 8];
    for (x, y) in system.cells(system.spawn(kind, 4, 2)) {
        let i = usize::from(y == 0) * 4 + x.clamp(0, 3) as usize;
        filled[i] = true;
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(kind: Option<Kind>) -> Picture {
        let mut out = Picture::filled(100, 60, [10, 12, 20]);
        let filled = kind.map_or([false; 8], pattern);
        for (i, _) in (0..).zip(filled).filter(|(_, f)| *f) {
            let cell = Rect {
                x: 10 + 20 * (i % 4),
                y: 10 + 20 * (i / 4),
                width: 20,
                height: 20,
            };
            fill(&mut out, cell, [30, 60, 200]);
        }
        out
    }

    fn grid() -> Grid {
        let mut grid = Grid::over(Rect::default());
        grid.press(Point::new(89.9, 49.5));
        grid.drag(Point::new(40.0, 40.0));
        grid.release(Point::new(10.0, 10.0));
        grid
    }

    #[test]
    fn every_kind_is_told() {
        assert_eq!(grid().look(&picture(None)), Seen::Nothing);
        for kind in Kind::ALL {
            assert_eq!(grid().look(&picture(Some(kind))), Seen::Piece(kind));
        }
        let mut odd = picture(Some(Kind::O));
        fill(
            &mut odd,
            Rect {
                x: 10,
                y: 10,
                width: 20,
                height: 20,
            },
            [255; 3],
        );
        assert_eq!(grid().look(&odd), Seen::Unclear);
    }

    #[test]
    fn it_is_drawn_from_any_corner_and_refined_by_edges() {
        let mut grid = grid();
        let at = |g: &Grid| (g.area().x, g.area().y, g.area().width, g.area().height);
        assert_eq!(at(&grid), (10, 10, 79, 39));
        grid.nudge(Edge::Right, 1);
        grid.nudge(Edge::Bottom, 1);
        grid.nudge(Edge::Left, -1);
        assert_eq!(at(&grid), (9, 10, 81, 40));
        for _ in 0..200 {
            grid.nudge(Edge::Top, 5);
        }
        assert_eq!(grid.area().height, 4, "it never turns inside out");
        grid.drag(Point::new(0.0, 0.0));
        assert_eq!(grid.area().height, 4, "not drawing");
        grid.press(Point::new(f64::NAN, 1e300));
        grid.release(Point::new(-1e300, 7.0));
        assert_eq!(grid.look(&Picture::default()), Seen::Nothing);
    }
}
