//! The ground of a board, whatever lies on it, and the light over it.

use super::{Cover, Spot, Square, median};
use crate::calibrate::solve::Normal;
use crate::types::GainField;

/// The ground at each crossing, from the crossings around it whose lines are seen, and the usual
/// one.
pub(super) fn ground(spots: &[Spot], cols: usize, rows: usize) -> (Vec<[f32; 3]>, [f32; 3]) {
    let clear: Vec<bool> = spots.iter().map(|s| s.cover() == Cover::Clear).collect();
    let mut all: Vec<[f32; 3]> = (0..spots.len())
        .filter(|&i| clear[i])
        .map(|i| spots[i].core)
        .collect();
    if all.is_empty() {
        all.extend(spots.iter().map(|s| s.core));
    }
    let usual = median(&mut all);
    let near = |i: usize| {
        let (x, y) = ((i % cols) as i32, (i / cols) as i32);
        let (mut sum, mut weights) = ([0.0f32; 3], 0.0f32);
        // The nearest rings that hold enough of them.
        for reach in 1..=(cols.max(rows) as i32) {
            for dy in -reach..=reach {
                for dx in -reach..=reach {
                    if dx.abs().max(dy.abs()) != reach && !(reach == 1 && dx == 0 && dy == 0) {
                        continue;
                    }
                    let (xx, yy) = (x + dx, y + dy);
                    if xx < 0 || yy < 0 || xx >= cols as i32 || yy >= rows as i32 {
                        continue;
                    }
                    let j = yy as usize * cols + xx as usize;
                    if clear[j] {
                        let weight = 1.0 / (0.5 + (dx * dx + dy * dy) as f32);
                        for c in 0..3 {
                            sum[c] += weight * spots[j].core[c];
                        }
                        weights += weight;
                    }
                }
            }
            if weights > 0.6 {
                break;
            }
        }
        if weights > 0.0 {
            sum.map(|v| v / weights)
        } else {
            usual
        }
    };
    ((0..spots.len()).map(near).collect(), usual)
}

/// Where something hides a crossing, the squares around it tell the ground better than crossings
/// further away, if they show the ground at all: its colour in more or less light.
pub(super) fn nearby(
    ground: &mut [[f32; 3]],
    spots: &[Spot],
    squares: &[Square],
    cols: usize,
    usual: [f32; 3],
) {
    let rows = spots.len() / cols;
    for (i, own) in ground.iter_mut().enumerate() {
        if spots[i].cover() == Cover::Clear {
            *own = spots[i].core;
            continue;
        }
        let (x, y) = (i % cols, i / cols);
        let (mut sum, mut n) = ([0.0f32; 3], 0.0f32);
        for (sx, sy) in [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)] {
            if sx == 0 || sy == 0 || sx >= cols || sy >= rows {
                continue;
            }
            let seen = squares[(sy - 1) * (cols - 1) + sx - 1].middle;
            if is_shade(seen, usual) {
                for c in 0..3 {
                    sum[c] += seen[c];
                }
                n += 1.0;
            }
        }
        if n > 0.0 {
            *own = sum.map(|v| v / n);
        }
    }
}

/// Whether a colour may be the ground's in more or less light.
fn is_shade(rgb: [f32; 3], ground: [f32; 3]) -> bool {
    let ratio = [0, 1, 2].map(|c| (rgb[c] + 6.0) / (ground[c] + 6.0));
    let mean = (ratio[0] + ratio[1] + ratio[2]) / 3.0;
    let tinted = ratio.iter().map(|r| (r - mean).abs()).fold(0.0, f32::max);
    (0.45..1.8).contains(&mean) && tinted < 0.15 * mean + 0.03
}

/// -1 to 1 across the board.
pub(super) fn place(at: usize, of: usize) -> f32 {
    (at as f32 + 0.5) / of as f32 * 2.0 - 1.0
}

/// A colour without its light is not brighter than this: white stays white.
pub(super) const BRIGHTEST: f32 = 275.0;

/// The light over the board, from the crossings whose lines are seen.
pub(super) fn gain(spots: &[Spot], cols: usize, rows: usize, usual: [f32; 3]) -> GainField {
    let clear: Vec<usize> = (0..spots.len())
        .filter(|&i| spots[i].cover() == Cover::Clear)
        .collect();
    let mut out = GainField::default();
    if clear.len() < 12 {
        return out;
    }
    for c in 0..3 {
        let mut k = [0.0f64; 6];
        for round in 0..4 {
            let mut normal = Normal::<6>::default();
            for &i in &clear {
                let u = f64::from(place(i % cols, cols));
                let v = f64::from(place(i / cols, rows));
                let row = [1.0, u, v, u * u, u * v, v * v];
                let seen = f64::from((spots[i].core[c] + 4.0) / (usual[c] + 4.0)).ln();
                let told: f64 = row.iter().zip(k).map(|(r, k)| r * k).sum();
                // What departs from the rest is print, a patch of sun, a shadow.
                let weight = if round == 0 {
                    1.0
                } else {
                    1.0 / (1.0 + ((seen - told) / 0.06).powi(2))
                };
                normal.add(&row, seen, weight);
            }
            normal.damp(0.05);
            let Some(solved) = normal.solve() else { break };
            k = solved;
        }
        for (to, from) in out.0[c].iter_mut().zip(k) {
            *to = from.clamp(-1.2, 1.2) as f32;
        }
    }
    out
}
