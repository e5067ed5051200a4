//! Circles on which something ends.

use super::{RAYS, Rims};
use crate::calibrate::solve::Normal;

/// A circle around a point of the net, in cells from it.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Its middle.
    pub middle: (f64, f64),
    /// Its radius.
    pub radius: f64,
}

/// Directions in which a stone's rim must be seen for it to be round.
const LEAST_RIM: usize = 7;

/// Radius of stones in cells.
const RADIUS: std::ops::Range<f64> = 0.3..0.78;

impl Round {
    /// The circle through most of the points at which something ends, if they lie on one.
    #[must_use]
    pub fn of(rims: &Rims) -> Option<Self> {
        let points: Vec<(f64, f64)> = rims
            .iter()
            .zip(RAYS)
            .filter(|(r, _)| r.is_finite())
            .map(|(&r, (c, s))| (c * f64::from(r), s * f64::from(r)))
            .collect();
        if points.len() < LEAST_RIM {
            return None;
        }
        // x*x + y*y = 2 a x + 2 b y + c is linear in a, b, c. Far-off points are left out once.
        let mut kept = points.clone();
        let mut round = circle(&kept)?;
        for near in [0.12, 0.08] {
            kept = points
                .iter()
                .copied()
                .filter(|p| round.off(*p).abs() < near)
                .collect();
            if kept.len() < LEAST_RIM {
                return None;
            }
            round = circle(&kept)?;
        }
        let n = kept.len() as f64;
        let rms = (kept.iter().map(|p| round.off(*p).powi(2)).sum::<f64>() / n).sqrt();
        let fits = rms < 0.06
            && RADIUS.contains(&round.radius)
            && round.middle.0.hypot(round.middle.1) < 0.42;
        fits.then_some(round)
    }

    fn off(&self, (x, y): (f64, f64)) -> f64 {
        (x - self.middle.0).hypot(y - self.middle.1) - self.radius
    }
}

fn circle(points: &[(f64, f64)]) -> Option<Round> {
    let mut normal = Normal::<3>::default();
    for &(x, y) in points {
        normal.add(&[2.0 * x, 2.0 * y, 1.0], x * x + y * y, 1.0);
    }
    normal.damp(1e-6);
    let [a, b, c] = normal.solve()?;
    let square = c + a * a + b * b;
    (square > 0.0).then(|| Round {
        middle: (a, b),
        radius: square.sqrt(),
    })
}
