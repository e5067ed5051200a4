//! What a screen mirrors: light that is added to a part of the board, as a lamp or a window is.
//!
//! Takes the colours of cells with the classes that they seem to have, gives what was added to
//! each cell, smooth over its neighbours. What is bright hardly changes under it and what is dark
//! becomes grey, so that no gain explains it. Squares of values stand for light: near enough to
//! what screens and cameras do, and cheap to undo while reading.

use super::cell::{CellLook, distance};
use super::gain;
use crate::types::{GainField, GridSize, Veil};

/// How far around a cell others tell what is added to it, in cells, and the spread of their say.
const REACH: i32 = 4;
const SPREAD: f32 = 1.6;

/// Cells so far apart each way are near: the light changes little between them.
const NEAR: i32 = 2;

/// Cells no further apart than this part of what makes two classes may be of one colour.
const ALIKE: f32 = 1.15;

/// Below this a value is mostly noise (of 255).
const FLOOR: f32 = 24.0;

/// Gain and veil together.
#[derive(Clone, Debug, Default)]
pub struct Light {
    /// What multiplies.
    pub gain: GainField,
    /// What is added.
    pub veil: Veil,
}

impl Light {
    /// A colour of a cell with the light removed.
    #[must_use]
    pub fn removed(&self, size: GridSize, cell: usize, rgb: [f32; 3]) -> [f32; 3] {
        gain::removed(
            &self.gain,
            gain::place(size, cell),
            self.veil.lifted(cell, rgb),
        )
    }
}

/// What is added to each cell, if each has the colour of its class. `colours` are those of the
/// classes without any light.
#[must_use]
pub fn over(
    size: GridSize,
    looks: &[CellLook],
    labels: &[Option<usize>],
    colours: &[[f32; 3]],
    gain: &GainField,
) -> Veil {
    let (cols, rows) = (i32::from(size.cols), i32::from(size.rows));
    // What is left of each cell, times how much it says: the noise of a square grows with the
    // value. Then the sum of what they say.
    let mut sums: Vec<[f32; 6]> = (0..looks.len())
        .map(|i| {
            let mut sum = [0.0; 6];
            if let Some(class) = labels[i] {
                let (u, v) = gain::place(size, i);
                let f = gain.factor(u, v);
                for c in 0..3 {
                    let seen = looks[i].rim[c];
                    let says = 1.0 / (FLOOR * FLOOR + seen * seen);
                    sum[c] = says * (seen * seen - (colours[class][c] * f[c]).powi(2));
                    sum[3 + c] = says;
                }
            }
            sum
        })
        .collect();
    // A round neighbourhood, one way after the other.
    let near: [f32; REACH as usize + 1] =
        std::array::from_fn(|d| (-((d * d) as f32) / (2.0 * SPREAD * SPREAD)).exp());
    for (step, across) in [(1, true), (cols, false)] {
        let from = sums.clone();
        for (i, out) in sums.iter_mut().enumerate() {
            let (at, end) = if across {
                (i as i32 % cols, cols)
            } else {
                (i as i32 / cols, rows)
            };
            *out = [0.0; 6];
            for d in -REACH.min(at)..=REACH.min(end - 1 - at) {
                let k = near[d.unsigned_abs() as usize];
                let other = &from[(i as i32 + d * step) as usize];
                for (o, v) in out.iter_mut().zip(other) {
                    *o += k * v;
                }
            }
        }
    }
    let added = |s: &[f32; 6]| [0, 1, 2].map(|c| s[c] / s[3 + c].max(1e-12));
    Veil(sums.iter().map(added).collect())
}

/// What is added to each cell made what its own colour says it is: a lamp may be smaller than the
/// neighbourhood that the rest was found in. White light is taken as it is, of colours only as much
/// as a lamp so bright may have.
pub fn exact(
    light: &mut Light,
    size: GridSize,
    looks: &[CellLook],
    labels: &[Option<usize>],
    colours: &[[f32; 3]],
) {
    for (i, label) in labels.iter().enumerate() {
        let (Some(class), Some(added)) = (*label, light.veil.0.get_mut(i)) else {
            continue;
        };
        let (u, v) = gain::place(size, i);
        let f = light.gain.factor(u, v);
        let seen = looks[i].rim;
        let says = seen.map(|v| 1.0 / (FLOOR * FLOOR + v * v));
        let more: [f32; 3] = std::array::from_fn(|c| {
            seen[c] * seen[c] - (colours[class][c] * f[c]).powi(2) - added[c]
        });
        let white = (0..3).map(|c| says[c] * more[c]).sum::<f32>() / says.iter().sum::<f32>();
        for c in 0..3 {
            let most = TINT * (added[c] + white).abs();
            added[c] += white + (more[c] - white).clamp(-most, most);
        }
    }
}

/// How far from white a lamp may be, or seem to be where squares are not quite light.
const TINT: f32 = 0.2;

/// Classes that are one colour under different light are joined: wherever cells of both lie near
/// each other they look alike. `flat` are the cells' colours, as far as the light is known.
pub fn join(
    size: GridSize,
    flat: &[[f32; 3]],
    labels: &mut [Option<usize>],
    classes: usize,
    tolerance: &dyn Fn([f32; 3], [f32; 3]) -> f32,
) {
    let (cols, rows) = (i32::from(size.cols), i32::from(size.rows));
    let mut met: Vec<Vec<f32>> = vec![Vec::new(); classes * classes];
    for (i, label) in labels.iter().enumerate() {
        let Some(a) = *label else { continue };
        let (x, y) = (i as i32 % cols, i as i32 / cols);
        for dy in 0..=NEAR {
            for dx in -NEAR..=NEAR {
                let (xx, yy) = (x + dx, y + dy);
                if (dy == 0 && dx <= 0) || xx < 0 || xx >= cols || yy >= rows {
                    continue;
                }
                let j = (yy * cols + xx) as usize;
                let Some(b) = labels[j] else { continue };
                if a != b {
                    let apart = distance(flat[i], flat[j]) / tolerance(flat[i], flat[j]);
                    met[a.min(b) * classes + a.max(b)].push(apart);
                }
            }
        }
    }
    let mut to: Vec<usize> = (0..classes).collect();
    for a in 0..classes {
        for b in a + 1..classes {
            let all = &mut met[a * classes + b];
            if all.is_empty() {
                continue;
            }
            // Where the light changes fast only some of the pairs are alike.
            let few = all.len() / 4;
            if *all.select_nth_unstable_by(few, f32::total_cmp).1 < ALIKE {
                let (from, into) = (to[b], to[a]);
                for t in to.iter_mut().filter(|t| **t == from) {
                    *t = into;
                }
            }
        }
    }
    for k in labels.iter_mut().flatten() {
        *k = to[*k];
    }
}
