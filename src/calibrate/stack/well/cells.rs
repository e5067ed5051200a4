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
    /// What speaks against its sides being where they are said to be.
    pub flaws: f64,
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
        let (usual, weak) = weak_sides(field, grid, &looks);
        let flaws = OPEN_ROW * open_rows(field, grid)
            + STRANGE * f64::from(strange_lines(&looks, cols))
            + INNER * f64::from(inner_lines(field, grid, &looks, usual))
            + WEAK * f64::from(weak);
        sense -= flaws;
        // What bounds a board is no row of it.
        sense -= 15.0 * f64::from(u8::from(is_ground(field, grid, &looks, &filled, 0)));
        sense -= 15.0 * f64::from(u8::from(is_ground(field, grid, &looks, &filled, rows - 1)));
        Self {
            filled,
            mixed: mixed as f32 / (some.max(mixed) + 1) as f32,
            sense,
            goes_on,
            flaws,
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
    let (mut free, mut unclear) = (0, 0);
    for &(x, y) in &line {
        let l = look(field, grid, x, y);
        let is_free = l.share <= 0.14 && l.quiet > 0.6;
        if !l.seen {
            return false;
        }
        unclear += usize::from(!is_free && l.share < FULL);
        free += usize::from(is_free);
    }
    if free < 2 || unclear * 4 > line.len() {
        return false;
    }
    let (first, last) = (line[0], line[line.len() - 1]);
    let ends = if level {
        [(first.0, first.1, -1), (last.0 + 1, last.1, 1)]
    } else {
        [(first.1, first.0, -1), (last.1 + 1, last.0, 1)]
    };
    ends.into_iter()
        .all(|(edge, other, out)| bounded(field, grid, level, (edge, other, out)) >= SURE)
}

/// Places of six beside a cell that must have something beyond the side for it to be bounded, and
/// those that must not for it to be open.
const SURE: usize = 4;
const OPEN: usize = 2;

/// At how many of six places beside a cell something lies beyond the side of the board at `edge`:
/// the cell is the one at `other` along that side, and outside lies towards `out`.
fn bounded(field: &Field, grid: &Grid, level: bool, (edge, other, out): (i32, i32, i32)) -> usize {
    let seen = (0..6).filter(|k| {
        let aside = f64::from(other) + 0.15 + 0.14 * f64::from(*k);
        (1..=6).any(|d| {
            let along = f64::from(edge) + f64::from(out) * 0.075 * f64::from(d);
            let (x, y) = if level {
                (along, aside)
            } else {
                (aside, along)
            };
            pixel(field, grid, x, y)
                .is_none_or(|i| field.far[i] > field.hint.max(0.3 * field.limit))
        })
    });
    seen.count()
}

/// What a row beyond the end of the board's sides counts for, and a line across the board.
const OPEN_ROW: f64 = 6.0;
const INNER: f64 = 15.0;

/// What a side counts for that is no stronger than the lines between empty cells.
const WEAK: f64 = 16.0;

/// What a row or column at an end counts for that is neither empty nor filled: what surrounds a
/// board is another kind of dark.
const STRANGE: f64 = 10.0;

/// Rows and columns at the ends most of whose cells are neither filled nor surely empty.
fn strange_lines(looks: &[Look], cols: usize) -> u32 {
    let rows = looks.len() / cols.max(1);
    let strange = |cells: &mut dyn Iterator<Item = &Look>, count: usize| {
        cells.filter(|l| l.share < FULL && l.quiet < 0.5).count() * 10 >= count * 7
    };
    let row = |y: usize| strange(&mut looks[y * cols..(y + 1) * cols].iter(), cols);
    let col = |x: usize| strange(&mut (0..rows).map(|y| &looks[y * cols + x]), rows);
    let up = (0..rows).take_while(|&y| row(y)).count();
    let down = (0..rows).rev().take_while(|&y| row(y)).count();
    let left = (0..cols).take_while(|&x| col(x)).count();
    let right = (0..cols).rev().take_while(|&x| col(x)).count();
    (up + down + left + right).min(4) as u32
}

/// Rows at the upper and lower end beside which the sides of the board do not go on, each side
/// counting a half.
fn open_rows(field: &Field, grid: &Grid) -> f64 {
    let (cols, rows) = (i32::from(grid.size.cols), i32::from(grid.size.rows));
    let open = |row: i32| -> u8 {
        [(0, row, -1), (cols, row, 1)]
            .into_iter()
            .map(|end| u8::from(bounded(field, grid, true, end) <= OPEN))
            .sum()
    };
    let each: Vec<u8> = (0..rows).map(open).collect();
    // Sides that are not seen anywhere do not end.
    let all: u32 = each.iter().map(|&n| u32::from(n)).sum();
    if all > rows as u32 / 2 {
        return 0.0;
    }
    let run = |rows: &mut dyn Iterator<Item = &u8>| -> f64 {
        rows.take_while(|n| **n > 0)
            .map(|&n| f64::from(n) / 2.0)
            .sum()
    };
    run(&mut each.iter()) + run(&mut each.iter().rev())
}

/// How strong the lines between empty cells are, and sides of the board that are no stronger.
fn weak_sides(field: &Field, grid: &Grid, looks: &[Look]) -> (f32, u8) {
    let (cols, rows) = (usize::from(grid.size.cols), usize::from(grid.size.rows));
    let free = |x: usize, y: usize| looks[y * cols + x].share <= FREE;
    let mut strengths: Vec<f32> = Vec::new();
    for down in [false, true] {
        let (lines, across) = if down { (cols, rows) } else { (rows, cols) };
        for line in 1..lines {
            let both = |k: &usize| {
                if down {
                    free(line - 1, *k) && free(line, *k)
                } else {
                    free(*k, line - 1) && free(*k, line)
                }
            };
            let places: Vec<usize> = (0..across).filter(both).collect();
            if places.len() * 10 >= across * 6 {
                strengths.push(strip(field, grid, down, line, (-0.2, 0.2), &places));
            }
        }
    }
    strengths.sort_by(f32::total_cmp);
    let usual = strengths.get(strengths.len() / 2).copied().unwrap_or(0.0);
    let least = (1.5 * usual).max(field.hint);
    let (every_row, every_col): (Vec<usize>, Vec<usize>) =
        ((0..rows).collect(), (0..cols).collect());
    let sides = [
        strip(field, grid, true, 0, (-0.42, 0.0), &every_row),
        strip(field, grid, true, cols, (0.0, 0.42), &every_row),
        strip(field, grid, false, rows, (0.0, 0.42), &every_col),
    ];
    (usual, sides.iter().filter(|&&s| s < least).count() as u8)
}

/// What most of a strip along a line differs from empty by, at its strongest across: beside the
/// line by so many cells, at the middles of these places along it.
fn strip(
    field: &Field,
    grid: &Grid,
    down: bool,
    line: usize,
    (from, to): (f64, f64),
    places: &[usize],
) -> f32 {
    let mut peaks: Vec<f32> = Vec::with_capacity(places.len());
    for &k in places {
        let across = (0..=5).map(|d| {
            let at = line as f64 + from + (to - from) * f64::from(d) / 5.0;
            let aside = k as f64 + 0.5;
            let (x, y) = if down { (at, aside) } else { (aside, at) };
            // Where the picture ends a board ends, too.
            pixel(field, grid, x, y).map_or(f32::MAX, |i| field.far[i])
        });
        peaks.push(across.fold(0.0, f32::max));
    }
    peaks.sort_by(f32::total_cmp);
    peaks.get(peaks.len() / 5).copied().unwrap_or(0.0)
}

/// Lines across the board with nothing on one side that are stronger than those between empty
/// cells: a frame's, which the board should end at.
fn inner_lines(field: &Field, grid: &Grid, looks: &[Look], usual: f32) -> u8 {
    let (cols, rows) = (usize::from(grid.size.cols), usize::from(grid.size.rows));
    let free = |x: usize, y: usize| looks[y * cols + x].share <= FREE;
    let least = (2.0 * usual).max(field.hint);
    let mut found = 0;
    for down in [false, true] {
        let (lines, across) = if down { (cols, rows) } else { (rows, cols) };
        let every: Vec<usize> = (0..across).collect();
        for line in 1..lines {
            // The strips lie a little off the line: blocks are blurred beyond it.
            for (side, part) in [(line - 1, (-0.35, -0.1)), (line, (0.1, 0.35))] {
                let nothing = |&&k: &&usize| if down { free(side, k) } else { free(k, side) };
                let count = every.iter().filter(nothing).count();
                if count * 10 >= across * 9 {
                    found += u8::from(strip(field, grid, down, line, part, &every) > least);
                }
            }
        }
    }
    found.min(2)
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
        seen: seen && all > 0.25 * expected(grid),
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
