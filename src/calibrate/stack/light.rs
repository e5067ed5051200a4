//! Light over a board, from a border that has one colour all around it.

use super::super::solve::Normal;
use crate::types::GainField;

/// The light, and the border's colour without it. `None` for too few places.
#[must_use]
pub fn from_border(colours: &[((f32, f32), [f32; 3])]) -> Option<(GainField, [f32; 3])> {
    if colours.len() < 20 {
        return None;
    }
    let basis = |(u, v): (f32, f32)| {
        let (u, v) = (f64::from(u), f64::from(v));
        [1.0, u, v, u * u, u * v, v * v]
    };
    let log = |v: f32| f64::from(v.max(4.0)).ln();
    let mut gain = GainField::default();
    let mut rgb = [0.0f32; 3];
    for c in 0..3 {
        let mut k = [0.0; 6];
        for round in 0..3 {
            let mut normal = Normal::<6>::default();
            for (place, seen) in colours {
                let b = basis(*place);
                let told: f64 = b.iter().zip(k).map(|(b, k)| b * k).sum();
                let off = (log(seen[c]) - told).abs();
                // A cell may touch the line, or something lie on it.
                let weight = match round {
                    0 => 1.0,
                    1 if off > 0.3 => 0.0,
                    2 if off > 0.15 => 0.0,
                    _ => 1.0,
                };
                normal.add(&b, log(seen[c]), weight);
            }
            normal.damp(0.02);
            k = normal.solve()?;
        }
        rgb[c] = k[0].exp() as f32;
        for i in 1..6 {
            gain.0[c][i] = k[i].clamp(-1.2, 1.2) as f32;
        }
    }
    Some((gain, rgb))
}
