//! How far the lines of a lattice are from what is seen, crossing by crossing, for a person who
//! moves them.

use crate::calibrate::cell::{self, Eye};
use crate::calibrate::finder::noise;
use crate::calibrate::planes::Planes;
use crate::calibrate::refine::{Crossing, crossings};
use crate::types::{BoardKind, Calibration, Picture, Point};

/// Places looked at on each side of a cell.
const PER_SIDE: usize = 1;

/// How far one crossing of lattice lines is off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// The crossing, in cell space: whole numbers.
    pub cell: Point,
    /// From the crossing to where it is seen, in px.
    pub off: Point,
}

/// How far the crossings are off where edges show it: empty for boards whose lattice is no border
/// between areas (holes, crossings with stones, squares on paper).
#[must_use]
pub fn residuals(picture: &Picture, c: &Calibration) -> Vec<Residual> {
    if !matches!(c.kind, BoardKind::Cells | BoardKind::Stack) {
        return Vec::new();
    }
    let planes = Planes::new(picture);
    let eye = Eye {
        noise: noise(&planes).min(14.0),
    };
    let at = &c.px_from_cell;
    let look = |i| {
        let cell: crate::types::Cell = c.size.cell(i);
        cell::look(&planes, at, f64::from(cell.col), f64::from(cell.row))
    };
    let looks: Option<Vec<_>> = (0..c.size.len()).map(look).collect();
    let Some(looks) = looks else {
        return Vec::new();
    };
    let seen = crossings(&planes, at, c.size, &looks, PER_SIDE, eye);
    let gap = median(seen.iter().filter(|c| !c.outer).map(|c| c.gap)).unwrap_or(0.0);
    let (cols, rows) = (usize::from(c.size.cols), usize::from(c.size.rows));
    // Offsets along x and along y, in cells, of the sides that meet at each crossing.
    let mut sides = vec![(Vec::new(), Vec::new()); (cols + 1) * (rows + 1)];
    for place in seen.iter().filter(|c| !(c.outer && c.alike)) {
        let off = place.off + beyond(place, gap, (cols, rows));
        let (x, y) = (place.cell.x as usize, place.cell.y as usize);
        let (x2, y2) = if place.down { (x, y + 1) } else { (x + 1, y) };
        for i in [y * (cols + 1) + x, y2 * (cols + 1) + x2] {
            let (along_x, along_y) = &mut sides[i];
            if place.down { along_x } else { along_y }.push(off);
        }
    }
    let mut out = Vec::new();
    for (i, (x, y)) in sides.into_iter().enumerate() {
        let cell = Point::new((i % (cols + 1)) as f64, (i / (cols + 1)) as f64);
        let (dx, dy) = (median(x.into_iter()), median(y.into_iter()));
        if dx.is_none() && dy.is_none() {
            continue;
        }
        let there = Point::new(cell.x + dx.unwrap_or(0.0), cell.y + dy.unwrap_or(0.0));
        let (from, to) = (at.map(cell), at.map(there));
        out.push(Residual {
            cell,
            off: Point::new(to.x - from.x, to.y - from.y),
        });
    }
    out
}

/// Where cells are apart, the outermost lines lie half a gap outside the cells.
fn beyond(place: &Crossing, gap: f64, (cols, rows): (usize, usize)) -> f64 {
    let (at, end) = match place.down {
        true => (place.cell.x, cols as f64),
        false => (place.cell.y, rows as f64),
    };
    match (place.outer, at < end / 2.0) {
        (false, _) => 0.0,
        (true, true) => -gap / 2.0,
        (true, false) => gap / 2.0,
    }
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut all: Vec<f64> = values.collect();
    all.sort_by(f64::total_cmp);
    let n = all.len();
    (n > 0).then(|| (all[(n - 1) / 2] + all[n / 2]) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{GridSize, PxFromCell};

    /// A board of 6x5 cells of 20 px in three colours, at 10,10.
    fn picture() -> Picture {
        let colours = [[0xc0, 0x20, 0x20], [0x20, 0xa0, 0x40], [0x30, 0x50, 0xe0]];
        let mut picture = Picture::filled(150, 130, [0x40; 3]);
        for y in 10..110i64 {
            for x in 10..130i64 {
                let (col, row) = ((x - 10) / 20, (y - 10) / 20);
                picture.set(x, y, colours[((col + 2 * row) % 3) as usize]);
            }
        }
        picture
    }

    fn off(dx: f64, dy: f64) -> Vec<Residual> {
        let at = PxFromCell::upright(Point::new(10.0 + dx, 10.0 + dy), 20.0, 20.0);
        let size = GridSize::new(6, 5);
        let c = Calibration::at(BoardKind::Cells, size, (150, 130), at);
        residuals(&picture(), &c)
    }

    #[test]
    fn a_lattice_on_its_board_is_off_by_nothing_and_a_moved_one_by_its_move() {
        for (dx, dy) in [(0.0, 0.0), (2.0, -1.5), (-3.0, 4.0)] {
            let all = off(dx, dy);
            assert_eq!(all.len(), 7 * 6, "every crossing");
            for r in all {
                let error = (r.off.x + dx).hypot(r.off.y + dy);
                assert!(error < 0.3, "{dx},{dy}: {r:?}");
            }
        }
    }
}
