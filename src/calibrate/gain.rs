//! Light across a board: a smooth gain per channel, told apart from the colours of the cells.
//!
//! Takes the colours of the cells of one board; compares cells that lie near each other, where
//! the same colour under slowly changing light differs a little and by nearly the same factor
//! in all channels, and another colour differs by more.

use super::cell::CellLook;
use super::solve::Normal;
use crate::types::{GainField, GridSize};

/// (u, v) of the middle of a cell, each from -1 to 1 across the board.
#[must_use]
pub fn place(size: GridSize, index: usize) -> (f32, f32) {
    let c = size.cell(index);
    (
        (f32::from(c.col) + 0.5) / f32::from(size.cols) * 2.0 - 1.0,
        (f32::from(c.row) + 0.5) / f32::from(size.rows) * 2.0 - 1.0,
    )
}

fn basis((u, v): (f32, f32)) -> [f64; 5] {
    let (u, v) = (f64::from(u), f64::from(v));
    [u, v, u * u, u * v, v * v]
}

/// A colour with the light at (u, v) removed.
#[must_use]
pub fn removed(gain: &GainField, place: (f32, f32), rgb: [f32; 3]) -> [f32; 3] {
    let f = gain.factor(place.0, place.1);
    [rgb[0] / f[0], rgb[1] / f[1], rgb[2] / f[2]]
}

/// Logarithm of a channel; the floor keeps the noise of dark channels small.
fn log(v: f32) -> f64 {
    f64::from(v.max(1.0) + 4.0).ln()
}

/// A dark channel says little about the light.
fn weight(v: f32) -> f64 {
    let w = f64::from(v) / 255.0;
    w * w
}

/// Whether two colours may be one under slightly different light.
fn alike(a: [f32; 3], b: [f32; 3], apart: f64, loose: f64) -> bool {
    let w: Vec<f64> = (0..3).map(|c| weight(a[c].min(b[c])) + 1e-3).collect();
    let d: Vec<f64> = (0..3).map(|c| log(b[c]) - log(a[c])).collect();
    let total: f64 = w.iter().sum();
    let common = w.iter().zip(&d).map(|(w, d)| w * d).sum::<f64>() / total;
    // Of colours too dark to tell, the difference in plain units decides.
    let rest: f64 = (0..3)
        .map(|c| {
            let seen = f64::from(b[c] - a[c]);
            let told = f64::from(a[c].max(b[c])) * (common.abs().exp() - 1.0) * common.signum();
            (seen - told).powi(2)
        })
        .sum::<f64>()
        .sqrt();
    common.abs() < loose * (0.05 + 0.09 * apart) && rest < loose * (10.0 + 5.0 * apart)
}

/// The light over the board, from cells that are near each other and alike.
#[must_use]
pub fn from_neighbours(size: GridSize, looks: &[CellLook], plain: &[bool]) -> GainField {
    let (cols, rows) = (i32::from(size.cols), i32::from(size.rows));
    let mut gain = GainField::default();
    for round in 0..4 {
        let loose = if round == 0 { 1.0 } else { 0.6 };
        let flat: Vec<[f32; 3]> = (0..looks.len())
            .map(|i| removed(&gain, place(size, i), looks[i].rim))
            .collect();
        let mut normals = [
            Normal::<5>::default(),
            Normal::<5>::default(),
            Normal::<5>::default(),
        ];
        for i in 0..looks.len() {
            if !plain[i] {
                continue;
            }
            let (x, y) = ((i as i32) % cols, (i as i32) / cols);
            for dy in 0..=2 {
                for dx in -2..=2 {
                    let (xx, yy) = (x + dx, y + dy);
                    if (dy == 0 && dx <= 0) || xx < 0 || xx >= cols || yy >= rows {
                        continue;
                    }
                    let j = (yy * cols + xx) as usize;
                    let apart = f64::from(dx * dx + dy * dy).sqrt();
                    if !plain[j] || !alike(flat[i], flat[j], apart, loose) {
                        continue;
                    }
                    let (a, b) = (basis(place(size, i)), basis(place(size, j)));
                    let row = std::array::from_fn(|k| b[k] - a[k]);
                    for c in 0..3 {
                        let (p, q) = (looks[i].rim[c], looks[j].rim[c]);
                        normals[c].add(&row, log(q) - log(p), weight(p.min(q)) / apart);
                    }
                }
            }
        }
        gain = solved(normals);
    }
    gain
}

/// The light, given which class each cell is of.
#[must_use]
pub fn from_classes(
    size: GridSize,
    looks: &[CellLook],
    labels: &[Option<usize>],
    colours: &[[f32; 3]],
) -> GainField {
    let mut normals = [
        Normal::<5>::default(),
        Normal::<5>::default(),
        Normal::<5>::default(),
    ];
    // The mean over each class drops the class colour out of the equations.
    for class in 0..colours.len() {
        for c in 0..3 {
            let members: Vec<usize> = (0..labels.len())
                .filter(|&i| labels[i] == Some(class))
                .collect();
            if members.len() < 2 {
                continue;
            }
            let n = members.len() as f64;
            let mut mean = [0.0; 5];
            let mut level = 0.0;
            for &i in &members {
                let b = basis(place(size, i));
                for k in 0..5 {
                    mean[k] += b[k] / n;
                }
                level += log(looks[i].rim[c]) / n;
            }
            for &i in &members {
                let b = basis(place(size, i));
                let row = std::array::from_fn(|k| b[k] - mean[k]);
                let v = looks[i].rim[c];
                normals[c].add(&row, log(v) - level, weight(v));
            }
        }
    }
    solved(normals)
}

/// Light falls off alike in all channels, nearly: a channel departs from what all of them say
/// together only as far as it has much to say itself.
fn solved(normals: [Normal<5>; 3]) -> GainField {
    const TOGETHER: f64 = 0.02;
    const ALONE: f64 = 3.0;
    let mut out = GainField::default();
    let mut all = Normal::<5>::default();
    for n in &normals {
        all.join(n);
    }
    all.damp(TOGETHER);
    let Some(common) = all.solve() else {
        return out;
    };
    for (k, n) in out.0.iter_mut().zip(&normals) {
        let mut own = n.beyond(&common);
        own.damp(ALONE);
        let own = own.solve().unwrap_or([0.0; 5]);
        for i in 0..5 {
            // Beyond this no board could be read anyway; a fit that says so is wrong.
            k[i + 1] = (common[i] + own[i]).clamp(-1.2, 1.2) as f32;
        }
    }
    out
}
