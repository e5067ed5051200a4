//! Boards that somebody shows: the place is given, what lies there is learnt.
//!
//! Takes a picture, a kind of board, its place and size, and lessons (cells with their names);
//! gives a [`Calibration`] or what is in the way. Must never move the board: whoever shows it has
//! said where it is. How good the place is, is for the caller to say, who can read the board.

mod carry;
mod flat;
mod groups;
mod lesson;
mod lines;
mod plate;
mod residuals;

pub use carry::{carried, nearby};
pub use lesson::{Lesson, lessons, named};
pub use residuals::{Residual, residuals};

use super::cell::{CellLook, Eye};
use super::finder::noise;
use super::planes::Planes;
use crate::types::{
    BoardKind, Calibration, Cell, ClassLook, GainField, GridSize, Picture, Plate, Point, PxFromCell,
};

/// Why a board that is shown cannot be learnt.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Trouble {
    /// A part of it lies outside.
    #[error(
        "the cell in column {col}, row {row} lies outside the picture: check the corners",
        col = .0.col, row = .0.row
    )]
    Outside(Cell),
    /// A cell that the board does not have.
    #[error(
        "column {col}, row {row} is not on a board of {size}: columns and rows count from 0",
        col = .0.col, row = .0.row, size = .1
    )]
    NoCell(Cell, GridSize),
    /// Two names for one look.
    #[error(
        "{0} and {1} look the same here: name cells that differ, or check the corners and the size"
    )]
    Alike(String, String),
    /// Names that boards of this kind do not have.
    #[error("{0}: boards of this kind have {1}")]
    NoName(String, &'static str),
    /// More looks than can be told apart.
    #[error(
        "{0} kinds of cells are too many to be told apart: check the corners and the size, or name \
         some cells with --teach"
    )]
    Many(usize),
    /// Everything looks the same.
    #[error("all cells look the same: show the board with something on it")]
    Plain,
}

/// Most kinds of cells on one board.
const MOST_KINDS: usize = 13;

/// What one place on the board looks like, where it is sampled.
struct Sight<'a> {
    planes: &'a Planes,
    at: PxFromCell,
    size: GridSize,
    eye: Eye,
}

/// What was learnt.
struct Learnt {
    classes: Vec<ClassLook>,
    gain: GainField,
    plate: Option<Plate>,
}

/// Learns a board of this kind and size at this place.
///
/// Its quality is 0 until somebody has judged it.
///
/// # Errors
/// When it lies outside the picture, or its cells cannot be told apart as the lessons have it.
pub fn shown(
    picture: &Picture,
    kind: BoardKind,
    at: &PxFromCell,
    size: GridSize,
    lessons: &[Lesson],
) -> Result<Calibration, Trouble> {
    let planes = Planes::new(picture);
    let sight = Sight {
        planes: &planes,
        at: *at,
        size,
        eye: Eye {
            noise: noise(&planes).min(14.0),
        },
    };
    if let Some(lesson) =
        { lessons.iter() }.find(|l| l.cell.col >= size.cols || l.cell.row >= size.rows)
    {
        return Err(Trouble::NoCell(lesson.cell, size));
    }
    let learnt = match kind {
        BoardKind::Cells => flat::cells(&sight, lessons)?,
        BoardKind::Stack => flat::stack(&sight, lessons)?,
        BoardKind::Holes => plate::holes(&sight, lessons)?,
        BoardKind::Crossings => lines::crossings(&sight, lessons)?,
        BoardKind::Squares => lines::squares(&sight, lessons)?,
    };
    let image = (picture.width(), picture.height());
    Ok(Calibration {
        classes: learnt.classes,
        plate: learnt.plate,
        gain: learnt.gain,
        ..Calibration::at(kind, size, image, *at)
    })
}

impl Sight<'_> {
    /// The cell's own look: the median of points at these offsets from its middle, and how far
    /// most of them are from it.
    fn look(&self, cell: Cell, offsets: &[(f64, f64)]) -> Result<CellLook, Trouble> {
        let m = cell.centre();
        let mut seen = Vec::with_capacity(offsets.len());
        for (dx, dy) in offsets {
            let rgb = self.planes.at(self.at.map(Point::new(m.x + dx, m.y + dy)));
            seen.push(rgb.ok_or(Trouble::Outside(cell))?.map(f32::from));
        }
        let rgb = median(&seen);
        let mut off: Vec<f32> = seen
            .iter()
            .map(|&c| super::cell::distance(c, rgb))
            .collect();
        off.sort_by(f32::total_cmp);
        Ok(CellLook {
            rim: rgb,
            centre: rgb,
            spread: off[off.len() * 3 / 4],
        })
    }

    /// The looks of all cells, row by row.
    fn looks(&self, offsets: &[(f64, f64)]) -> Result<Vec<CellLook>, Trouble> {
        self.size.cells().map(|c| self.look(c, offsets)).collect()
    }

    /// The median colour at these points of cell space that the picture shows.
    fn colour(&self, points: impl Iterator<Item = Point>) -> Option<[f32; 3]> {
        let seen = points.filter_map(|p| self.planes.at(self.at.map(p)));
        let seen: Vec<[f32; 3]> = seen.map(|c| c.map(f32::from)).collect();
        (!seen.is_empty()).then(|| median(&seen))
    }
}

/// Channel-wise median; black where there is nothing.
fn median(colours: &[[f32; 3]]) -> [f32; 3] {
    [0, 1, 2].map(|c| {
        let mut v: Vec<f32> = colours.iter().map(|rgb| rgb[c]).collect();
        v.sort_by(f32::total_cmp);
        v.get(v.len() / 2).copied().unwrap_or(0.0)
    })
}
