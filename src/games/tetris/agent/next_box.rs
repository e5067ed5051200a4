//! The next piece, read from the grid beside the board.
//!
//! Takes the cells of the grid, gives the kind; by colour where colours tell, else by shape. Must
//! never name a kind in doubt.
//!
//! Programs that put each piece in the middle of its box have no cells there that all pieces keep
//! to: such a box is read in half cells, and each cell of the piece is four of them.

use super::super::rules::{JUNK, Kind, Pose, System};
use crate::types::{CellReading, GridSize, Label};

/// The kind shown in a grid of this size.
#[must_use]
pub fn next_kind(
    cells: &[CellReading],
    size: GridSize,
    system: &System,
    values: &[u8],
) -> Option<Kind> {
    let cols = usize::from(size.cols);
    if cols == 0 || cells.len() < size.len() {
        return None;
    }
    let mut halves = [(0_i16, 0_i16); 16];
    let mut count = 0;
    let mut colour = None;
    let mut one_colour = true;
    for (i, cell) in cells[..size.len()].iter().enumerate() {
        let class = match cell.label {
            Label::Unknown => return None,
            Label::Class(0) => continue,
            Label::Class(class) => class,
        };
        if count == halves.len() {
            return None;
        }
        // From the bottom, like the rules.
        halves[count] = ((i % cols) as i16, -((i / cols) as i16));
        count += 1;
        let value = values.get(usize::from(class)).copied().unwrap_or(JUNK);
        one_colour &= colour.is_none_or(|c| c == value);
        colour = Some(value);
    }
    let mut filled = match count {
        4 => [halves[0], halves[1], halves[2], halves[3]],
        16 => whole(&halves)?,
        _ => return None,
    };
    filled.sort_unstable_by_key(|&(x, y)| (y, x));
    let by_shape = Kind::ALL.into_iter().find(|&kind| {
        (0..system.turns_of(kind)).any(|turn| {
            let mut shape = system.cells(Pose {
                kind,
                turn,
                x: 0,
                y: 0,
            });
            shape.sort_unstable_by_key(|&(x, y)| (y, x));
            let (dx, dy) = (filled[0].0 - shape[0].0, filled[0].1 - shape[0].1);
            (shape.iter().zip(&filled)).all(|(&(x, y), &f)| (x + dx, y + dy) == f)
        })
    })?;
    match colour.and_then(Kind::from_number) {
        Some(by_colour) if one_colour => (by_colour == by_shape).then_some(by_shape),
        _ => Some(by_shape),
    }
}

/// Four cells of which each was seen as four halves; `None` if the halves are none of a cell.
fn whole(halves: &[(i16, i16); 16]) -> Option<[(i16, i16); 4]> {
    let left = halves.iter().map(|h| h.0).min()?;
    let top = halves.iter().map(|h| h.1).max()?;
    let mut cells = [(0, 0); 4];
    let mut count = 0;
    for &(x, y) in halves {
        if (x - left) % 2 != 0 || (top - y) % 2 != 0 {
            continue;
        }
        let quarters = [(x, y), (x + 1, y), (x, y - 1), (x + 1, y - 1)];
        if count == 4 || !quarters.iter().all(|q| halves.contains(q)) {
            return None;
        }
        cells[count] = ((x - left) / 2, -((top - y) / 2));
        count += 1;
    }
    (count == 4).then_some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, class: u8) -> Option<Kind> {
        read_in(GridSize::new(4, 2), text, class)
    }

    fn read_in(size: GridSize, text: &str, class: u8) -> Option<Kind> {
        let cells: Vec<CellReading> = text
            .chars()
            .map(|c| CellReading {
                label: match c {
                    '.' => Label::Class(0),
                    '?' => Label::Unknown,
                    _ => Label::Class(class),
                },
                confidence: 1.0,
            })
            .collect();
        next_kind(
            &cells,
            size,
            &System::standard(),
            &[0, 1, 2, 3, 4, 5, 6, 7, 8],
        )
    }

    #[test]
    fn kinds_are_told_by_shape_and_must_fit_their_colour() {
        assert_eq!(read("....####", 8), Some(Kind::I));
        assert_eq!(read(".##.##..", 8), Some(Kind::S));
        assert_eq!(read("###..#..", 7), Some(Kind::T));
        assert_eq!(read("###..#..", 1), None);
        assert_eq!(read("###.....", 8), None);
        assert_eq!(read("###..#.?", 8), None);
        assert_eq!(read("........", 8), None);
    }
    #[test]
    fn boxes_of_half_cells_show_pieces_between_cells() {
        let size = GridSize::new(8, 5);
        let t = "........\
                 .######.\
                 .######.\
                 ...##...\
                 ...##...";
        assert_eq!(read_in(size, t, 7), Some(Kind::T));
        let o = "..####....####....####....####..........";
        assert_eq!(read_in(size, o, 8), Some(Kind::O));
        let shifted = "..####....####...####....####...........";
        assert_eq!(read_in(size, shifted, 8), None);
    }
}
