//! Whether the cells of a lattice are pieces of larger ones, or several smaller ones together.
//!
//! Takes the colours of the cells and where they change, or planes and a transform; gives how many
//! cells make one, or into how many each falls. Which of the lattices is the board is not asked here.

use super::cell::{CellLook, Eye, look};
use super::planes::Planes;
use super::refine::product;
use crate::types::{GridSize, PxFromCell};

/// Cells that together make a larger one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// How many, across and down; 1 where they are whole.
    pub by: (u16, u16),
    /// Column and row at which the first of the larger ones begins, below `by`.
    pub from: (u16, u16),
}

/// Most cells in a row that are looked at as one.
const MOST: usize = 4;

/// Fewest lines with changes that tell anything.
const FEWEST: usize = 3;

/// How much less square cells may be that are so many across and so many others down.
const LESS_SQUARE: f32 = 1.3;

/// Whether all changes lie on every second, third or fourth line, so that larger cells explain
/// them as well: both ways, or one way where that makes the cells more nearly square. `x` and `y`
/// are the changes on each inner line, `pitch` is the cells' width and height.
#[must_use]
pub fn folded(x: &[usize], y: &[usize], pitch: [f32; 2]) -> Option<Fold> {
    let by = |lines: &[usize]| -> Option<(usize, usize)> {
        let total: usize = lines.iter().sum();
        let used = lines.iter().filter(|&&l| l > 0).count();
        if used < FEWEST {
            return None;
        }
        (2..=MOST).rev().find_map(|k| {
            let first = (0..k).find(|&r| {
                let on: usize = lines.iter().skip(r).step_by(k).sum();
                on * 10 >= total * 9
            })?;
            // The first inner line is the one behind the first cell.
            Some((k, (first + 1) % k))
        })
    };
    let fold = |x: Option<(usize, usize)>, y: Option<(usize, usize)>| {
        let (p, q) = (x.unwrap_or((1, 0)), y.unwrap_or((1, 0)));
        Some(Fold {
            by: (p.0 as u16, q.0 as u16),
            from: (p.1 as u16, q.1 as u16),
        })
    };
    let square = |w: f32, h: f32| (w / h).max(h / w);
    let [w, h] = pitch;
    match (by(x), by(y)) {
        (Some(p), Some(q)) if p.0 == q.0 => fold(Some(p), Some(q)),
        // Every fourth line is every second one, too.
        (Some(p), Some(q)) if p.0 % 2 == 0 && q.0 % 2 == 0 => {
            fold(Some((2, p.1 % 2)), Some((2, q.1 % 2)))
        }
        (Some(p), Some(q))
            if square(w * p.0 as f32, h * q.0 as f32) < LESS_SQUARE * square(w, h) =>
        {
            fold(Some(p), Some(q))
        }
        (Some(p), None) if square(w * p.0 as f32, h) < square(w, h) => fold(Some(p), None),
        (None, Some(q)) if square(w, h * q.0 as f32) < square(w, h) => fold(None, Some(q)),
        _ => None,
    }
}

/// Fewest cells of several colours that tell anything, and the share of them that must fall into
/// halves of one colour each.
const SPLIT: usize = 3;
const HALVES: f32 = 0.6;

/// Into how many pieces across and down cells of several colours fall, where each piece is then of
/// one.
#[must_use]
pub fn split(
    planes: &Planes,
    px_from_cell: &PxFromCell,
    size: GridSize,
    looks: &[CellLook],
    eye: Eye,
) -> Option<(u16, u16)> {
    let mixed: Vec<usize> = (0..looks.len())
        .filter(|&i| !eye.plain(&looks[i]))
        .collect();
    if mixed.len() < SPLIT {
        return None;
    }
    [(2u16, 1u16), (1, 2), (2, 2)].into_iter().find(|&(p, q)| {
        let finer = pieces(px_from_cell, (p, q));
        let whole = mixed.iter().filter(|&&i| {
            let cell = size.cell(i);
            (0..q).all(|dy| {
                (0..p).all(|dx| {
                    let (x, y) = (cell.col * p + dx, cell.row * q + dy);
                    look(planes, &finer, f64::from(x), f64::from(y)).is_some_and(|l| eye.plain(&l))
                })
            })
        });
        whole.count() as f32 >= HALVES * mixed.len() as f32
    })
}

/// The lattice of the pieces.
#[must_use]
pub fn pieces(px_from_cell: &PxFromCell, (p, q): (u16, u16)) -> PxFromCell {
    let (x, y) = (1.0 / f64::from(p), 1.0 / f64::from(q));
    PxFromCell(product(
        &px_from_cell.0,
        &[x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, 1.0],
    ))
}

/// The lattice of the larger cells.
#[must_use]
pub fn whole(px_from_cell: &PxFromCell, fold: Fold) -> PxFromCell {
    let (p, q) = (f64::from(fold.by.0), f64::from(fold.by.1));
    let (x, y) = (f64::from(fold.from.0), f64::from(fold.from.1));
    PxFromCell(product(
        &px_from_cell.0,
        &[p, 0.0, x, 0.0, q, y, 0.0, 0.0, 1.0],
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_on_every_third_line_are_of_larger_cells() {
        let x = [0, 0, 5, 0, 0, 7, 0, 0, 4];
        let y = [3, 0, 0, 6, 0, 0, 8, 0, 0];
        let fold = folded(&x, &y, [10.0, 10.0]);
        let expected = Fold {
            by: (3, 3),
            from: (0, 1),
        };
        assert_eq!(fold, Some(expected));
        // A line more, and the cells are what they are.
        let x = [0, 4, 5, 0, 0, 7, 0, 0, 4];
        assert_eq!(folded(&x, &y, [10.0, 10.0]), None);
    }

    #[test]
    fn three_across_and_two_down_are_one_cell_where_that_is_about_square() {
        // A 4x4 board that was taken for 12x8 cells.
        let x = [0, 0, 5, 0, 0, 7, 0, 0, 4, 0, 0];
        let y = [0, 3, 0, 6, 0, 8, 0];
        let fold = folded(&x, &y, [10.0, 13.0]).expect("larger cells");
        assert_eq!((fold.by, fold.from), ((3, 2), (0, 0)));
        assert_eq!(folded(&x, &y, [20.0, 13.0]), None, "far from square");
    }

    #[test]
    fn one_way_only_where_it_makes_cells_square() {
        let x = [0, 5, 0, 7, 0, 4, 0];
        let y = [5, 5, 5, 5, 5];
        assert_eq!(folded(&x, &y, [10.0, 10.0]), None);
        let wide = folded(&x, &y, [10.0, 20.0]).expect("halves");
        assert_eq!((wide.by, wide.from), ((2, 1), (0, 0)));
        let few = [0, 5, 0, 7, 0, 0, 0];
        assert_eq!(
            folded(&few, &y, [10.0, 20.0]),
            None,
            "two lines say nothing"
        );
    }
}
