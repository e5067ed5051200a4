//! What is empty in a well where lamps are mirrored in the screen: light changes smoothly from
//! cell to cell, blocks begin on a line.
//!
//! Takes planes, the transform and which cells seem filled; takes those back that are only lit, and
//! gives what empty looks like at each cell. Must never take a block for light: between the middles
//! of two cells a block's edge is one step.

use super::super::super::cell::distance;
use super::super::super::gain::place;
use super::super::super::planes::Planes;
use crate::types::{GridSize, Point, PxFromCell, Veil, Well};

/// Places along the way from one cell's middle to the next, in four parts: two before the line
/// between them and two behind it, none near it.
const ALONG: [[f64; 3]; 4] = [
    [0.0, 0.08, 0.16],
    [0.2, 0.28, 0.36],
    [0.64, 0.72, 0.8],
    [0.84, 0.92, 1.0],
];
/// Places aside.
const ASIDE: [f64; 3] = [-0.2, 0.0, 0.2];

/// The middle parts of a smooth change make up no more than this part of it.
const SMOOTH: f32 = 0.62;
/// And the part before the line no less than this.
const BEGUN: f32 = 0.12;

/// A lamp raises all channels: the least at least by this part of the most.
const WHITE: f32 = 0.4;

/// Light raises all of a cell alike: points are no further from empty than this many times their
/// mean.
const EVEN: f32 = 1.25;

/// Cells so far apart each way tell each other what empty looks like: the nearest most of all,
/// and those further off where none is near.
const NEAR: i32 = 4;

/// How much a cell tells another whose distance has this square, in cells.
fn says(square: f32) -> f32 {
    (-square / 1.6).exp() + 0.03 * (-square / 8.0).exp()
}

/// What a cell's own look counts for beside its neighbours'.
const OWN: f32 = 4.0;

type Rgb = [f32; 3];

/// A well whose empty cells are looked at.
pub struct Empties<'a> {
    /// The picture.
    pub planes: &'a Planes,
    /// The board.
    pub at: &'a PxFromCell,
    /// Its size.
    pub size: GridSize,
    /// Differences between cells below this are none.
    pub hint: f32,
}

impl Empties<'_> {
    /// Takes cells that are only lit out of the filled ones: from what is surely empty on to all
    /// that it smoothly changes into. `lit` says of which cells light could be all that is in them.
    pub fn grow(&self, filled: &mut [bool], lit: &dyn Fn(usize) -> bool) {
        let (cols, rows) = (usize::from(self.size.cols), usize::from(self.size.rows));
        let mut todo: Vec<usize> = (0..filled.len()).filter(|&i| !filled[i]).collect();
        while let Some(i) = todo.pop() {
            let (x, y) = (i % cols, i / cols);
            let mut near = Vec::with_capacity(4);
            if x > 0 {
                near.push(i - 1);
            }
            if x + 1 < cols {
                near.push(i + 1);
            }
            if y > 0 {
                near.push(i - cols);
            }
            if y + 1 < rows {
                near.push(i + cols);
            }
            for j in near {
                if filled[j] && lit(j) && self.is_smooth(i, j) {
                    filled[j] = false;
                    todo.push(j);
                }
            }
        }
    }

    /// Whether the colour changes evenly from the middle of one cell to that of another.
    fn is_smooth(&self, i: usize, j: usize) -> bool {
        let (p, q) = (self.size.cell(i).centre(), self.size.cell(j).centre());
        let (dx, dy) = (q.x - p.x, q.y - p.y);
        let mut parts = [[0.0f32; 3]; 4];
        for (part, along) in parts.iter_mut().zip(ALONG) {
            for t in along {
                for a in ASIDE {
                    let at = Point::new(p.x + dx * t - dy * a, p.y + dy * t + dx * a);
                    let Some(rgb) = self.planes.between(self.at.map(at)) else {
                        return false;
                    };
                    for c in 0..3 {
                        part[c] += rgb[c] / 9.0;
                    }
                }
            }
        }
        let minus = |a: Rgb, b: Rgb| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let all = minus(parts[3], parts[0]);
        let square = all[0] * all[0] + all[1] * all[1] + all[2] * all[2];
        if square < self.hint * self.hint {
            return distance(parts[1], parts[2]) < self.hint;
        }
        // How far along the whole change each part is.
        let way = |p: Rgb| {
            let d = minus(p, parts[0]);
            (d[0] * all[0] + d[1] * all[1] + d[2] * all[2]) / square
        };
        let (b, c) = (way(parts[1]), way(parts[2]));
        c - b < SMOOTH && b > BEGUN && c < 1.0 + BEGUN
    }

    /// Whether a cell of this mean colour, whose points are so `far` from `empty` in the mean, may
    /// only be lit by a lamp.
    #[must_use]
    pub fn may_be_lit(empty: Rgb, rgb: Rgb, far: f32) -> bool {
        let raised = [0, 1, 2].map(|c| rgb[c] * rgb[c] - empty[c] * empty[c]);
        let least = raised.into_iter().fold(f32::INFINITY, f32::min);
        let most = raised.into_iter().fold(0.0, f32::max);
        least > WHITE * most && far < EVEN * distance(rgb, empty)
    }

    /// What empty looks like at each cell, as squares: the smooth estimate, corrected by the empty
    /// cells around. `rgb` are the cells' mean colours, `free` those that are surely empty.
    #[must_use]
    pub fn veil(&self, well: &Well, rgb: &[Rgb], free: &[bool]) -> Veil {
        let (cols, rows) = (i32::from(self.size.cols), i32::from(self.size.rows));
        let smooth: Vec<Rgb> = (0..rgb.len())
            .map(|i| {
                let (u, v) = place(self.size, i);
                well.at(u, v).map(|e| e.max(0.0).powi(2))
            })
            .collect();
        let mut out = smooth.clone();
        for (i, out) in out.iter_mut().enumerate() {
            let (x, y) = (i as i32 % cols, i as i32 / cols);
            // The smooth estimate is worth something where nothing near is empty.
            let (mut sum, mut n) = ([0.0f32; 3], 0.05f32);
            for b in (y - NEAR).max(0)..=(y + NEAR).min(rows - 1) {
                for a in (x - NEAR).max(0)..=(x + NEAR).min(cols - 1) {
                    let j = (b * cols + a) as usize;
                    if !free[j] {
                        continue;
                    }
                    let far = ((a - x).pow(2) + (b - y).pow(2)) as f32;
                    let own = if i == j { OWN } else { 1.0 };
                    let w = own * says(far);
                    n += w;
                    for c in 0..3 {
                        sum[c] += w * (rgb[j][c].powi(2) - smooth[j][c]);
                    }
                }
            }
            for c in 0..3 {
                out[c] = (out[c] + sum[c] / n).max(0.0);
            }
        }
        Veil(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Picture;

    /// A well of 10x20 cells of 20 px with a lamp mirrored in it and a grey block of 2x2 cells.
    fn mirrored() -> (Planes, PxFromCell) {
        let mut picture = Picture::filled(240, 440, [15; 3]);
        for y in 0..400i64 {
            for x in 0..200i64 {
                let (dx, dy) = ((x - 120) as f32 / 60.0, (y - 200) as f32 / 60.0);
                let lamp = 90.0 * (-(dx * dx + dy * dy)).exp();
                let block = (40..80).contains(&x) && (320..360).contains(&y);
                let v = if block { 120.0 } else { 15.0 + lamp };
                picture.set(x + 20, y + 20, [v as u8; 3]);
            }
        }
        let at = PxFromCell::upright(Point::new(20.0, 20.0), 20.0, 20.0);
        (Planes::new(&picture), at)
    }

    #[test]
    fn a_mirrored_lamp_fills_no_cell_and_a_block_does() {
        let (planes, at) = mirrored();
        let size = GridSize::new(10, 20);
        let empties = Empties {
            planes: &planes,
            at: &at,
            size,
            hint: 10.0,
        };
        let value = |i: usize| planes.at(at.map(size.cell(i).centre())).expect("inside")[0];
        let mut filled: Vec<bool> = (0..size.len()).map(|i| value(i) > 45).collect();
        assert!(filled.iter().filter(|f| **f).count() > 12);
        empties.grow(&mut filled, &|_| true);
        let left: Vec<usize> = (0..size.len()).filter(|&i| filled[i]).collect();
        assert_eq!(left, [162, 163, 172, 173]);
    }

    #[test]
    fn colours_and_patterns_are_no_light() {
        let empty = [15.0; 3];
        let far = |rgb: Rgb| distance(rgb, empty);
        let grey = [90.0, 88.0, 85.0];
        assert!(Empties::may_be_lit(empty, grey, far(grey)));
        let red = [160.0, 30.0, 30.0];
        assert!(!Empties::may_be_lit(empty, red, far(red)));
        // Half of its points are white and half as dark as what is empty.
        assert!(!Empties::may_be_lit(empty, grey, 2.0 * far(grey)));
    }
}
