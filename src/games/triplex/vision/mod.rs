//! TripleX in a picture: the rectangle, what lies in it, and the figures that lie beside it.
//!
//! Takes a picture of the page; gives a [`Scene`] in the space of the
//! rectangle's cells. Sizes are measured against the pitch that was found and colours against the
//! ground around the rectangle: must never know a pixel size or a colour of the page. Flat colours
//! are needed, as a screen shows them; photographs are not read.

mod field;
mod loose;
mod patches;
mod probe;

use crate::games::triplex::rules::Figure;
use crate::types::{BoardText, Cell, GridSize, Picture, Point, PxFromCell};

/// Channel values (0 to 255) within which two pixels count as one colour.
const SAME: u8 = 8;

/// Where a figure lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spot {
    /// In the rectangle: the corner of its box is at this cell.
    Laid(Cell),
    /// Beside it: the corner of its box, in cell space.
    Loose(Point),
}

/// A figure as it is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Its squares, as they are turned now.
    pub figure: Figure,
    /// Where it lies.
    pub spot: Spot,
    /// The square that bears the circle of a figure that turns, within its box.
    pub circle: Option<Cell>,
}

impl Piece {
    /// The corner of its box in cell space.
    #[must_use]
    pub fn corner(&self) -> Point {
        match self.spot {
            Spot::Laid(cell) => Point::new(f64::from(cell.col), f64::from(cell.row)),
            Spot::Loose(at) => at,
        }
    }

    /// The centre of one of its squares in cell space.
    #[must_use]
    pub fn centre_of(&self, square: Cell) -> Point {
        let (corner, centre) = (self.corner(), square.centre());
        Point::new(corner.x + centre.x, corner.y + centre.y)
    }

    /// The cells of the rectangle that it covers; none while it lies beside it.
    pub fn covers(&self) -> impl Iterator<Item = Cell> + '_ {
        let at = match self.spot {
            Spot::Laid(cell) => Some(cell),
            Spot::Loose(_) => None,
        };
        let squares = at.map(|at| {
            let there = move |c: Cell| Cell::new(at.col + c.col, at.row + c.row);
            self.figure.cells().map(there)
        });
        squares.into_iter().flatten()
    }
}

/// All that a picture shows of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Cells of the rectangle.
    pub size: GridSize,
    /// Pixels of the picture from the rectangle's cells.
    pub px_from_cell: PxFromCell,
    /// The figures: those in the rectangle in reading order, then the loose ones, also from the top.
    pub pieces: Vec<Piece>,
}

impl Scene {
    /// Whether the figures that are seen have as many squares as the rectangle: otherwise one is
    /// hidden or on its way, and nothing may be concluded.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let squares: usize = self.pieces.iter().map(|p| p.figure.squares()).sum();
        squares == self.size.len()
    }

    /// How much of the rectangle the figures that are seen account for, 0 to 1: more squares than it
    /// has cells are as wrong as fewer.
    #[must_use]
    pub fn accounted(&self) -> f64 {
        let squares: usize = self.pieces.iter().map(|p| p.figure.squares()).sum();
        let (squares, cells) = (squares as f64, self.size.len() as f64);
        squares.min(cells) / squares.max(cells).max(1.0)
    }

    /// Whether every cell of the rectangle is covered.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        let covered: usize = self.pieces.iter().map(|p| p.covers().count()).sum();
        covered == self.size.len()
    }

    /// The rectangle as text: `.` is free, figures are letters in reading order; upper case turns.
    #[must_use]
    pub fn board(&self) -> BoardText {
        let mut cells = vec!['.'; self.size.len()];
        for (i, piece) in self.pieces.iter().enumerate() {
            for cell in piece.covers() {
                cells[self.size.index(cell)] = letter(i, piece);
            }
        }
        BoardText::from_cells(self.size.cols.into(), cells)
    }

    /// The loose figures, each with its rows of squares joined by `/`; `o` for one that turns.
    #[must_use]
    pub fn loose(&self) -> Vec<String> {
        let loose = |p: &&Piece| matches!(p.spot, Spot::Loose(_));
        let text = |p: &Piece| p.figure.text(if p.circle.is_some() { 'o' } else { 'x' });
        self.pieces.iter().filter(loose).map(text).collect()
    }
}

/// The letter of a figure; after `z` they begin again.
fn letter(number: usize, piece: &Piece) -> char {
    let small = char::from(b'a' + (number % 26) as u8);
    if piece.circle.is_some() {
        small.to_ascii_uppercase()
    } else {
        small
    }
}

/// Finds a level in a picture; `None` where there is no rectangle of cells in a frame, or several
/// that could be it.
#[must_use]
pub fn see(picture: &Picture) -> Option<Scene> {
    let patches = patches::all(picture);
    let mut fields = { patches.iter() }.filter_map(|patch| field::within(picture, patch));
    let found = fields.next()?;
    if fields.next().is_some() {
        return None;
    }
    let mut pieces = found.laid(picture);
    pieces.extend(loose::beside(picture, &patches, &found));
    Some(Scene {
        size: found.size,
        px_from_cell: found.px_from_cell(),
        pieces,
    })
}
