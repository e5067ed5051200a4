//! The cells of a well whose lattice is supposed: what is in each, and how well all of it goes
//! together.
//!
//! Takes a field and a grid, gives a [`Filling`]. Cells are empty or filled as a whole; of what
//! falls from above more lies low than high; no row stays full, and no column is.

use super::count::Grid;
use super::field::{Field, INSIDE, RIM, SIZE};

/// What is in one cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// Mean colour of the middle.
    pub rgb: [f32; 3],
    /// Share of all of it that is filled.
    pub share: f32,
    /// Share of it that is surely empty.
    pub quiet: f32,
    /// Whether it lies in the raster and in the picture.
    pub seen: bool,
}

/// All cells, row by row from the top.
#[derive(Clone, Debug)]
pub struct Filling {
    /// Which are filled.
    pub filled: Vec<bool>,
    /// Cells that are neither, as a share of the filled ones and those.
    pub mixed: f32,
    /// How likely such a filling is, as a logarithm.
    pub sense: f64,
    /// Sides beyond which there is more of the same.
    pub goes_on: u8,
}

/// Beyond these shares a cell is filled, or is not.
const FULL: f32 = 0.62;
const FREE: f32 = 0.3;

impl Filling {
    /// Of a grid.
    #[must_use]
    pub fn of(field: &Field, grid: &Grid) -> Self {
        let (cols, rows) = (usize::from(grid.size.cols), usize::from(grid.size.rows));
        let mut looks = Vec::with_capacity(cols * rows);
        for row in 0..rows {
            for col in 0..cols {
                looks.push(look(field, grid, col as i32, row as i32));
            }
        }
        let filled: Vec<bool> = looks.iter().map(|l| l.share > 0.46).collect();
        let some = looks.iter().filter(|l| l.share > FREE).count();
        let mixed = looks
            .iter()
            .filter(|l| l.share > 0.14 && l.share < FULL)
            .count();
        let mut sense = sense(&filled, cols);
        let goes_on = SIDES
            .into_iter()
            .filter(|&side| goes_on(field, grid, side))
            .count() as u8;
        // Bars of a chart stand on the ground, all of them: something falls, or has left a hole.
        if !hangs(&filled, cols) {
            sense -= 40.0;
        }
        // What bounds a board is no row of it.
        sense -= 15.0 * f64::from(u8::from(is_ground(field, grid, &looks, &filled, 0)));
        sense -= 15.0 * f64::from(u8::from(is_ground(field, grid, &looks, &filled, rows - 1)));
        Self {
            filled,
            mixed: mixed as f32 / (some.max(mixed) + 1) as f32,
            sense,
            goes_on,
        }
    }
}

/// Sides of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
    Top,
    Bottom,
}

const SIDES: [Side; 4] = [Side::Left, Side::Right, Side::Top, Side::Bottom];

/// Whether a row that is wholly filled is of one colour, which goes on beyond the sides.
fn is_ground(field: &Field, grid: &Grid, looks: &[Look], filled: &[bool], row: usize) -> bool {
    let cols = usize::from(grid.size.cols);
    let part = row * cols..(row + 1) * cols;
    if !filled[part.clone()].iter().all(|&f| f) {
        return false;
    }
    let near = |a: [f32; 3], b: [f32; 3]| {
        let d = (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f32>().sqrt();
        d < 0.35 * field.limit + 6.0
    };
    let middle = looks[row * cols + cols / 2].rgb;
    let same = looks[part].iter().filter(|l| near(l.rgb, middle)).count();
    let beside = [-1, cols as i32].map(|col| look(field, grid, col, row as i32));
    same * 10 >= cols * 9 && beside.iter().any(|l| near(l.rgb, middle))
}

/// Whether the line of cells beyond a side looks like more of the board: cells are empty or
/// filled as a whole, some are empty, and what bounds the board at both ends goes on there.
fn goes_on(field: &Field, grid: &Grid, side: Side) -> bool {
    let (cols, rows) = (i32::from(grid.size.cols), i32::from(grid.size.rows));
    let line: Vec<(i32, i32)> = match side {
        Side::Left => (0..rows).map(|y| (-1, y)).collect(),
        Side::Right => (0..rows).map(|y| (cols, y)).collect(),
        Side::Top => (0..cols).map(|x| (x, -1)).collect(),
        Side::Bottom => (0..cols).map(|x| (x, rows)).collect(),
    };
    let level = matches!(side, Side::Top | Side::Bottom);
    let mut free = 0;
    for &(x, y) in &line {
        let l = look(field, grid, x, y);
        let is_free = l.share <= 0.14 && l.quiet > 0.7;
        if !l.seen || !is_free && l.share < FULL {
            return false;
        }
        free += usize::from(is_free);
    }
    if free == 0 {
        return false;
    }
    // What lies a little outside of the line's two ends.
    let (first, last) = (line[0], line[line.len() - 1]);
    let ends = if level {
        [
            (f64::from(first.0), first.1, -1.0),
            (f64::from(last.0) + 1.0, last.1, 1.0),
        ]
    } else {
        [
            (f64::from(first.1), first.0, -1.0),
            (f64::from(last.1) + 1.0, last.0, 1.0),
        ]
    };
    ends.into_iter().all(|(edge, other, out)| {
        let seen = (0..6).filter(|k| {
            let aside = f64::from(other) + 0.15 + 0.14 * f64::from(*k);
            (1..=6).any(|d| {
                let along = edge + out * 0.075 * f64::from(d);
                let (x, y) = if level {
                    (along, aside)
                } else {
                    (aside, along)
                };
                pixel(field, grid, x, y)
                    .is_none_or(|i| field.far[i] > field.hint.max(0.3 * field.limit))
            })
        });
        seen.count() >= 5
    })
}

/// The pixel of the raster at a place in cells; `None` beyond raster or picture.
fn pixel(field: &Field, grid: &Grid, x: f64, y: f64) -> Option<usize> {
    let place = |lines: &super::count::Lines, i: f64, length: usize, most: usize| {
        let unit = lines.from + (lines.to - lines.from) * i / f64::from(lines.count);
        let at = RIM as f64 + unit * length as f64;
        (at >= 0.0 && at < most as f64).then_some(at as usize)
    };
    let x = place(&grid.x, x, INSIDE.0, SIZE.0)?;
    let y = place(&grid.y, y, INSIDE.1, SIZE.1)?;
    let i = y * SIZE.0 + x;
    field.seen[i].then_some(i)
}

/// A cell, which may lie beyond the board.
fn look(field: &Field, grid: &Grid, col: i32, row: i32) -> Look {
    let place = |lines: &super::count::Lines, i: f64, length: usize| {
        let unit = lines.from + (lines.to - lines.from) * i / f64::from(lines.count);
        RIM as f64 + unit * length as f64
    };
    // Pixels whose middles lie within so much of the cell around its middle.
    let range = |lines: &super::count::Lines, i: i32, length: usize, part: f64, most: usize| {
        let (a, b) = (
            place(lines, f64::from(i) + 0.5 - part / 2.0, length),
            place(lines, f64::from(i) + 0.5 + part / 2.0, length),
        );
        let first = (a - 0.5).ceil().max(0.0) as usize;
        let last = ((b - 0.5).floor().max(0.0) as usize).min(most - 1);
        first.min(last)..last + 1
    };
    let (mut n, mut sum) = (0.0f32, [0.0f32; 3]);
    for y in range(&grid.y, row, INSIDE.1, 0.6, SIZE.1) {
        for x in range(&grid.x, col, INSIDE.0, 0.6, SIZE.0) {
            let i = y * SIZE.0 + x;
            for (s, v) in sum.iter_mut().zip(field.rgb[i]) {
                *s += v;
            }
            n += 1.0;
        }
    }
    let (mut all, mut full, mut quiet, mut seen) = (0.0f32, 0.0f32, 0.0f32, true);
    for y in range(&grid.y, row, INSIDE.1, 0.84, SIZE.1) {
        for x in range(&grid.x, col, INSIDE.0, 0.84, SIZE.0) {
            all += 1.0;
            full += f32::from(u8::from(field.filled[y * SIZE.0 + x]));
            quiet += f32::from(u8::from(field.far[y * SIZE.0 + x] < field.hint));
            seen &= field.seen[y * SIZE.0 + x];
        }
    }
    let n = n.max(1.0);
    Look {
        rgb: sum.map(|v| v / n),
        share: full / all.max(1.0),
        quiet: quiet / all.max(1.0),
        // A rim narrower than the cell shows only part of it.
        seen: seen && all > 0.5 * expected(grid),
    }
}

/// Pixels of the raster in most of a cell.
fn expected(grid: &Grid) -> f32 {
    let side = |l: &super::count::Lines, length: usize| {
        (l.to - l.from) / f64::from(l.count) * length as f64 * 0.84
    };
    (side(&grid.x, INSIDE.0) * side(&grid.y, INSIDE.1)) as f32
}

/// Whether below any filled cell there is an empty one.
fn hangs(filled: &[bool], cols: usize) -> bool {
    { filled.iter().zip(&filled[cols.min(filled.len())..]) }.any(|(&above, &below)| above && !below)
}

/// How likely it is that a game looks like this.
fn sense(filled: &[bool], cols: usize) -> f64 {
    let rows = filled.len() / cols.max(1);
    let mut sum = 0.0;
    for (y, row) in filled.chunks(cols.max(1)).enumerate() {
        // Share of cells filled in a row this high, from many games.
        let low = (y as f64 + 0.5) / rows.max(1) as f64;
        let p = (0.03 + 0.75 * low * low).min(0.7);
        let n = row.iter().filter(|&&f| f).count();
        let (full, free) = (n as f64, (cols - n) as f64);
        // Against pictures of anything, where every fourth cell is filled wherever it lies.
        sum += 0.4 * (full * (p / 0.25).ln() + free * ((1.0 - p) / 0.75).ln());
        if n == cols {
            sum -= 2.0;
        }
    }
    for x in 0..cols {
        let n = (0..rows).filter(|&y| filled[y * cols + x]).count();
        if n * 10 >= rows * 9 {
            sum -= 25.0;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: &str) -> (Vec<bool>, usize) {
        let cols = rows.find('/').unwrap_or(rows.len());
        let cells = rows.chars().filter(|&c| c != '/');
        (cells.map(|c| c == '#').collect(), cols)
    }

    #[test]
    fn bars_stand_and_pieces_hang() {
        let (bars, cols) = board("..../#.../#.#./###.");
        assert!(!hangs(&bars, cols));
        let (piece, cols) = board(".##./##../..../###.");
        assert!(hangs(&piece, cols));
    }
}
