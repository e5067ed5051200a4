//! Boards in a terminal: between two columns of bars, one bar to a row of cells.
//!
//! Takes planes and the size, gives transforms. A cell is one or two characters wide, the bars
//! stand in the middle of characters that adjoin the board on both sides.

use super::super::planes::Planes;
use crate::types::{GridSize, Point, PxFromCell};

/// Smallest and largest height of a row in px.
const PITCH: (usize, usize) = (6, 60);

/// A column of equal bars at equal distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dashes {
    x: usize,
    /// Where the first bar begins.
    top: usize,
    /// Length of a bar.
    bar: usize,
    /// From one to the next.
    pitch: usize,
}

/// Upright boards that may be there.
#[must_use]
pub fn find(planes: &Planes, size: GridSize) -> Vec<PxFromCell> {
    let rows = usize::from(size.rows);
    let mut columns: Vec<Dashes> = Vec::new();
    for x in 1..planes.width {
        columns.extend(dashes(planes, x, rows));
    }
    let mut found = Vec::new();
    for (i, a) in columns.iter().enumerate() {
        for b in &columns[i + 1..] {
            if (a.top, a.bar, a.pitch) != (b.top, b.bar, b.pitch) {
                continue;
            }
            for per_cell in [2, 1] {
                let chars = per_cell * usize::from(size.cols) + 1;
                let wide = (b.x - a.x) / chars;
                if (b.x - a.x) % chars != 0 || !(3..=40).contains(&wide) {
                    continue;
                }
                let left = a.x + wide - (wide - 1) / 2;
                let top = a.top as f64 - ((a.pitch - a.bar) as f64 / 2.0).floor();
                let at = Point::new(left as f64, top);
                let side = (per_cell * wide) as f64;
                found.push(PxFromCell::upright(at, side, a.pitch as f64));
            }
        }
    }
    found.truncate(8);
    found
}

/// The chain of exactly so many bars that begins a step of brightness at this column.
fn dashes(planes: &Planes, x: usize, rows: usize) -> Option<Dashes> {
    let step = |y: usize| {
        let i = y * planes.width + x;
        planes.rgb.iter().any(|p| p[i] != p[i - 1])
    };
    let (mut from, mut last): (Option<usize>, Option<Dashes>) = (None, None);
    let (mut chain, mut count) = (None::<Dashes>, 0);
    for y in 0..=planes.height {
        let on = y < planes.height && step(y);
        match (from, on) {
            (None, true) => from = Some(y),
            (Some(top), false) => {
                from = None;
                let bar = y - top;
                let next = |d: &Dashes| top == d.top + count * d.pitch && bar == d.bar;
                if chain.as_ref().is_some_and(next) {
                    count += 1;
                    continue;
                }
                if count == rows {
                    return chain;
                }
                // Two equal bars begin a new chain.
                let pitch = last.map_or(0, |l| top - l.top);
                chain = last
                    .filter(|l| l.bar == bar && (PITCH.0..=PITCH.1).contains(&pitch))
                    .map(|l| Dashes { pitch, ..l });
                count = 2;
                last = Some(Dashes {
                    x,
                    top,
                    bar,
                    pitch: 0,
                });
            }
            _ => {}
        }
    }
    chain.filter(|_| count == rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Picture;

    #[test]
    fn bars_beside_each_row_make_a_board() {
        let mut p = Picture::filled(200, 300, [0; 3]);
        for row in 0..20 {
            for (x, rgb) in [(30, [0, 0, 238]), (156, [0, 0, 238]), (163, [255, 0, 0])] {
                for y in 0..9 {
                    p.set(x, 20 + 13 * row + y, rgb);
                }
            }
        }
        let found = find(&Planes::new(&p), GridSize::new(10, 20));
        assert_eq!(found.len(), 1, "{found:?}");
        let corners = found[0].corners(GridSize::new(10, 20));
        assert_eq!(corners[0], Point::new(34.0, 18.0));
        assert_eq!(corners[2], Point::new(154.0, 278.0));
        assert!(find(&Planes::new(&p), GridSize::new(10, 19)).is_empty());
    }
}
