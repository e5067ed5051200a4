//! The next piece, read from the grid beside the board.
//!
//! Takes the cells of the grid, gives the kind; by colour where colours tell, else by shape. Must
//! never name a kind in doubt.

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
    let mut filled = [(0_i16, 0_i16); 4];
    let mut count = 0;
    let mut colour = None;
    let mut one_colour = true;
    for (i, cell) in cells[..size.len()].iter().enumerate() {
        let class = match cell.label {
            Label::Unknown => return None,
            Label::Class(0) => continue,
            Label::Class(class) => class,
        };
        if count == 4 {
            return None;
        }
        // From the bottom, like the rules.
        filled[count] = ((i % cols) as i16, -((i / cols) as i16));
        count += 1;
        let value = values.get(usize::from(class)).copied().unwrap_or(JUNK);
        one_colour &= colour.is_none_or(|c| c == value);
        colour = Some(value);
    }
    if count != 4 {
        return None;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, class: u8) -> Option<Kind> {
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
        let size = GridSize::new(4, 2);
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
}
