//! The same board under another lattice: turned by quarters, or with all of its holes where only
//! some were met.
//!
//! Takes transforms and sizes, gives transforms. Nothing is looked at.

use super::super::extent::Span;
use super::super::refine::product;
use super::judge::Judged;
use crate::types::{GridSize, PxFromCell};

/// A board turned by quarters to the left: its transform and its size.
pub fn turned(at: &PxFromCell, size: GridSize, quarters: usize) -> (PxFromCell, GridSize) {
    let (w, h) = (f64::from(size.cols), f64::from(size.rows));
    let sideways = GridSize::new(size.rows, size.cols);
    let (m, size) = match quarters {
        0 => return (*at, size),
        1 => ([0.0, 1.0, 0.0, -1.0, 0.0, h, 0.0, 0.0, 1.0], sideways),
        2 => ([-1.0, 0.0, w, 0.0, -1.0, h, 0.0, 0.0, 1.0], size),
        _ => ([0.0, -1.0, w, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0], sideways),
    };
    (PxFromCell(product(&at.0, &m)), size)
}

/// The cell of a board of this size that a cell of it turned by quarters shows.
pub fn before(size: GridSize, quarters: usize, (x, y): (usize, usize)) -> usize {
    let (w, h) = (usize::from(size.cols), usize::from(size.rows));
    let (x, y) = match quarters {
        0 => (x, y),
        1 => (y, h - 1 - x),
        2 => (w - 1 - x, h - 1 - y),
        _ => (w - 1 - y, x),
    };
    y * w + x
}

/// The lattice of all holes, in px of the whole picture, where one of only some of them was
/// found, and the cells of it that were met.
pub fn denser(j: &Judged) -> Option<(PxFromCell, Span)> {
    const MANY: f32 = 0.5;
    let many = j.between.map(|b| b > MANY);
    let (w, h) = (
        i32::from(j.calibration.size.cols),
        i32::from(j.calibration.size.rows),
    );
    let halves = |x: bool, y: bool| {
        let part = |half: bool| if half { (0.5, 0.25) } else { (1.0, 0.0) };
        let ((sx, ox), (sy, oy)) = (part(x), part(y));
        let n = |half: bool, n: i32| if half { 2 * n - 1 } else { n };
        let span = Span {
            x0: 0,
            y0: 0,
            x1: n(x, w),
            y1: n(y, h),
        };
        ([sx, 0.0, ox, 0.0, sy, oy, 0.0, 0.0, 1.0], span)
    };
    let (by, span) = match many {
        [_, true, true] => halves(true, true),
        [_, true, false] => halves(true, false),
        [_, false, true] => halves(false, true),
        [true, false, false] => {
            // Along the diagonals; which quarter turn it is will be told by the discs.
            let by = [0.5, 0.5, 0.0, -0.5, 0.5, 0.5, 0.0, 0.0, 1.0];
            let span = Span {
                x0: 0,
                y0: 0,
                x1: w,
                y1: h,
            };
            (by, span)
        }
        _ => return None,
    };
    Some((
        PxFromCell(product(&j.calibration.px_from_cell.0, &by)),
        span,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Point;

    #[test]
    fn a_cell_of_a_turned_board_is_where_its_transform_says() {
        let size = GridSize::new(7, 6);
        let at = PxFromCell::upright(Point::new(0.0, 0.0), 1.0, 1.0);
        for quarters in 0..4 {
            let (transform, turned_size) = turned(&at, size, quarters);
            for cell in turned_size.cells() {
                let p = transform.map(cell.centre());
                let i = p.y as usize * 7 + p.x as usize;
                let (x, y) = (usize::from(cell.col), usize::from(cell.row));
                assert_eq!(before(size, quarters, (x, y)), i, "{quarters} {x},{y}");
            }
        }
    }
}
