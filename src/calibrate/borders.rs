//! What happens on the lines between neighbouring cells: a change of colour, or none.
//!
//! Takes planes, a transform and the cells; gives for each pair of neighbours by how much the colour
//! jumps on their line, beyond what light does that changes slowly over both. Colours that are told
//! apart, or taken for one, against what their borders show are no colours of a board.

use super::accord::light;
use super::cell::{CellLook, Eye, distance};
use super::gain;
use super::planes::Planes;
use crate::types::{GainField, GridSize, Point, PxFromCell};

/// Points of one half of a cell, as offsets from its middle along and aside, in cells: on the rim
/// where cells are sampled, outside any mark.
const HALF: [(f64, f64); 8] = [
    (0.25, -0.25),
    (0.25, -0.15),
    (0.15, -0.25),
    (0.22, -0.22),
    (0.25, 0.25),
    (0.25, 0.15),
    (0.15, 0.25),
    (0.22, 0.22),
];

/// From one half's points to the other's in a cell is 0.435 of it, from cell to cell 0.565: light
/// that falls off evenly changes as much more between the cells as in each of them.
const BEYOND: f32 = 0.565 / 0.435;

/// Two neighbours and what their line shows.
#[derive(Clone, Copy, Debug)]
pub struct Border {
    /// Indices of the cells; the first is the upper or left one.
    pub cells: (usize, usize),
    /// Change of colour from the first to the second on their line, beyond that of the light.
    pub jump: [f32; 3],
    /// Change of colour from the first cell to the second.
    pub step: [f32; 3],
    /// How much of a jump noise and texture make here.
    pub doubt: f32,
    /// The jump in light (0 to 255), beyond that of the light that falls on both.
    pub light: [f32; 3],
    /// By how much that light changes over both cells.
    pub falls: [f32; 3],
}

/// What a border says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// The colour changes.
    Change,
    /// It does not.
    None,
    /// Either may be.
    Nothing,
}

fn length(v: [f32; 3]) -> f32 {
    distance(v, [0.0; 3])
}

impl Border {
    /// What it says about its cells.
    #[must_use]
    pub fn shows(&self) -> Shows {
        let step = length(self.step);
        let dot: f32 = (0..3).map(|c| self.jump[c] * self.step[c]).sum();
        let share = dot / (step * step).max(1e-3);
        let jump = length(self.jump);
        if jump > 2.0 * self.doubt && share > 0.6 && share < 1.6 {
            Shows::Change
        } else if jump < self.doubt || (share.abs() < 0.3 && jump < 0.4 * step) {
            Shows::None
        } else {
            Shows::Nothing
        }
    }
}

/// Mean colour of the half of a cell that lies to one side: `sign` along x or y.
fn half(
    planes: &Planes,
    px_from_cell: &PxFromCell,
    middle: Point,
    sign: f64,
    across: bool,
) -> Option<[f32; 3]> {
    let mut sum = [0.0f32; 3];
    for (along, aside) in HALF {
        let (dx, dy) = if across {
            (sign * along, aside)
        } else {
            (aside, sign * along)
        };
        let seen = planes.at(px_from_cell.map(Point::new(middle.x + dx, middle.y + dy)))?;
        for (s, v) in sum.iter_mut().zip(seen) {
            *s += f32::from(v) / HALF.len() as f32;
        }
    }
    Some(sum)
}

impl Border {
    /// The border between two neighbours, the upper or left one first; each as its column and row
    /// and its look. The indices of its cells are 0 and 1.
    #[must_use]
    pub fn between(
        planes: &Planes,
        px_from_cell: &PxFromCell,
        (a, p): ((i32, i32), CellLook),
        (b, q): ((i32, i32), CellLook),
        eye: Eye,
    ) -> Option<Self> {
        let across = a.1 == b.1;
        let side = |(x, y): (i32, i32), sign: f64| {
            let middle = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
            half(planes, px_from_cell, middle, sign, across)
        };
        let first = [side(a, -1.0)?, side(a, 1.0)?];
        let second = [side(b, -1.0)?, side(b, 1.0)?];
        Some(Self::of((0, 1), (p, first), (q, second), eye))
    }

    /// From two cells' looks and the halves before and behind their middles.
    fn of(
        cells: (usize, usize),
        (p, a): (CellLook, [[f32; 3]; 2]),
        (q, b): (CellLook, [[f32; 3]; 2]),
        eye: Eye,
    ) -> Self {
        let jump = [0, 1, 2].map(|c| {
            let falls = (a[1][c] - a[0][c]) + (b[1][c] - b[0][c]);
            b[0][c] - a[1][c] - 0.5 * BEYOND * falls
        });
        let lit = |v: [f32; 3]| v.map(light);
        let (la, lb) = (a.map(lit), b.map(lit));
        let falls = [0, 1, 2].map(|c| (la[1][c] - la[0][c]) + (lb[1][c] - lb[0][c]));
        let level = { p.rim.iter().chain(&q.rim) }.fold(0.0f32, |m, &v| m.max(v));
        Self {
            cells,
            jump,
            step: [0, 1, 2].map(|c| q.rim[c] - p.rim[c]),
            doubt: 4.0 + 1.0 * eye.noise + 0.03 * level,
            light: [0, 1, 2].map(|c| lb[0][c] - la[1][c] - 0.5 * BEYOND * falls[c]),
            falls,
        }
    }
}

/// The borders between cells of one colour each.
#[must_use]
pub fn borders(
    planes: &Planes,
    px_from_cell: &PxFromCell,
    size: GridSize,
    looks: &[CellLook],
    eye: Eye,
) -> Vec<Border> {
    let (cols, rows) = (usize::from(size.cols), usize::from(size.rows));
    if looks.len() != cols * rows {
        return Vec::new();
    }
    // Left, right, upper and lower half of each cell.
    let halves: Vec<Option<[[f32; 3]; 4]>> = { size.cells().zip(looks) }
        .map(|(cell, seen)| {
            if !eye.plain(seen) {
                return None;
            }
            let of = |sign, across| half(planes, px_from_cell, cell.centre(), sign, across);
            Some([
                of(-1.0, true)?,
                of(1.0, true)?,
                of(-1.0, false)?,
                of(1.0, false)?,
            ])
        })
        .collect();
    let mut out = Vec::new();
    for i in 0..looks.len() {
        let (right, below) = (i % cols + 1 < cols, i / cols + 1 < rows);
        for (there, j, k) in [(right, i + 1, 0), (below, i + cols, 2)] {
            if there && let (Some(a), Some(b)) = (halves[i], halves[j]) {
                let (a, b) = ([a[k], a[k + 1]], [b[k], b[k + 1]]);
                out.push(Border::of((i, j), (looks[i], a), (looks[j], b), eye));
            }
        }
    }
    out
}

/// How many borders contradict the colours given to their cells, and how many say anything.
#[must_use]
pub fn contradicted(borders: &[Border], labels: &[Option<usize>]) -> (usize, usize) {
    let (mut against, mut all) = (0, 0);
    for border in borders {
        let (Some(a), Some(b)) = (labels[border.cells.0], labels[border.cells.1]) else {
            continue;
        };
        match border.shows() {
            Shows::Nothing => continue,
            Shows::Change => against += usize::from(a == b),
            Shows::None => against += usize::from(a != b),
        }
        all += 1;
    }
    (against, all)
}

/// Rounds in which the jumps are added up, and how far each goes beyond the mean of its neighbours.
const ROUNDS: usize = 60;
const BEYOND_MEAN: f32 = 1.7;

/// The cells' colours as the jumps between them add up: what changes slowly is left out, whatever
/// it is. `gain` is light that is known; it scales the jumps.
#[must_use]
pub fn integrated(
    size: GridSize,
    looks: &[CellLook],
    borders: &[Border],
    gain: &GainField,
) -> Vec<[f32; 3]> {
    let factors: Vec<[f32; 3]> = (0..looks.len())
        .map(|i| {
            let (u, v) = gain::place(size, i);
            gain.factor(u, v)
        })
        .collect();
    let mut near: Vec<Vec<(usize, [f32; 3])>> = vec![Vec::new(); looks.len()];
    for border in borders {
        let (a, b) = border.cells;
        let jump = match border.shows() {
            Shows::None => [0.0; 3],
            _ => [0, 1, 2].map(|c| 2.0 * border.jump[c] / (factors[a][c] + factors[b][c])),
        };
        near[b].push((a, jump));
        near[a].push((b, jump.map(|v| -v)));
    }
    let mut flat: Vec<[f32; 3]> = { looks.iter().zip(&factors) }
        .map(|(l, f)| [0, 1, 2].map(|c| l.rim[c] / f[c]))
        .collect();
    for _ in 0..ROUNDS {
        for i in 0..flat.len() {
            let n = near[i].len() as f32;
            if n == 0.0 {
                continue;
            }
            for c in 0..3 {
                let sum: f32 = near[i].iter().map(|(j, jump)| flat[*j][c] + jump[c]).sum();
                flat[i][c] += BEYOND_MEAN * (sum / n - flat[i][c]);
            }
        }
    }
    flat
}

#[cfg(test)]
mod tests {
    use super::super::cell::look;
    use super::*;
    use crate::types::Picture;

    const CELL: u32 = 20;

    /// Two rows of cells under light that falls off from left to right, brighter on the right.
    fn seen(rows: [&str; 2]) -> (Vec<Border>, Vec<CellLook>, GridSize) {
        let size = GridSize::new(rows[0].len() as u16, 2);
        let (w, h) = (u32::from(size.cols) * CELL, 2 * CELL);
        let mut picture = Picture::filled(w, h, [0; 3]);
        for (y, row) in rows.iter().enumerate() {
            for (x, letter) in row.chars().enumerate() {
                let rgb: [f64; 3] = match letter {
                    'a' => [120.0, 60.0, 30.0],
                    _ => [60.0, 90.0, 120.0],
                };
                for (dx, dy) in (0..CELL).flat_map(|dy| (0..CELL).map(move |dx| (dx, dy))) {
                    let (px, py) = (x as u32 * CELL + dx, y as u32 * CELL + dy);
                    let light = 0.8 + f64::from(px) / f64::from(w);
                    let lit = rgb.map(|c| (c * light) as u8);
                    picture.set(i64::from(px), i64::from(py), lit);
                }
            }
        }
        let planes = Planes::new(&picture);
        let place = PxFromCell::upright(Point::new(0.0, 0.0), f64::from(CELL), f64::from(CELL));
        let at = |c: crate::types::Cell| look(&planes, &place, c.col.into(), c.row.into());
        let looks: Vec<CellLook> = size.cells().map(|c| at(c).expect("inside")).collect();
        let eye = Eye { noise: 1.0 };
        (borders(&planes, &place, size, &looks, eye), looks, size)
    }

    #[test]
    fn light_that_falls_off_is_no_change_and_another_colour_is() {
        let (all, _, _) = seen(["aabba", "aabaa"]);
        assert_eq!(all.len(), 13);
        let letters: Vec<char> = "aabbaaabaa".chars().collect();
        for border in all {
            let change = letters[border.cells.0] != letters[border.cells.1];
            let expected = if change { Shows::Change } else { Shows::None };
            assert_eq!(border.shows(), expected, "{border:?}");
        }
    }

    #[test]
    fn colours_against_the_lines_are_counted() {
        let (all, _, _) = seen(["aabba", "aabaa"]);
        let labels = |text: &str| -> Vec<Option<usize>> {
            text.bytes().map(|b| Some(usize::from(b - b'a'))).collect()
        };
        assert_eq!(contradicted(&all, &labels("aabbaaabaa")), (0, 13));
        // One colour taken for two on the right, where it is brighter.
        assert!(contradicted(&all, &labels("aabbcaabcc")).0 == 0);
        assert_eq!(contradicted(&all, &labels("aabbaaabac")).0, 2);
        // Two taken for one.
        assert_eq!(contradicted(&all, &labels("aaaaaaaaaa")).0, 5);
    }

    #[test]
    fn jumps_add_up_to_colours_without_the_light() {
        let (all, looks, size) = seen(["aabba", "aabaa"]);
        let flat = integrated(size, &looks, &all, &GainField::default());
        let spread = |of: &dyn Fn(usize) -> [f32; 3]| distance(of(0), of(9));
        let (lit, unlit) = (spread(&|i| looks[i].rim), spread(&|i| flat[i]));
        assert!(lit > 60.0 && unlit < 0.5 * lit, "{lit} {unlit}");
    }
}
