//! The line around a stone of the ground's own colour.

use super::{colour, distance};
use crate::calibrate::crossings::net::Net;
use crate::calibrate::planes::Planes;

/// Directions in a quarter in which the line is looked for, in degrees: between the board's lines.
const QUARTER: [f64; 5] = [21.0, 33.0, 45.0, 57.0, 69.0];

/// All of them.
const RAYS: usize = 4 * QUARTER.len();

/// How far from a crossing a stone may end, in cells; what is drawn on it lies nearer.
const REACH: (f64, f64) = (0.3, 0.66);

/// Step along a ray, in cells.
const STEP: f64 = 0.02;

/// Rays that must meet the line in one distance.
const ROUND: usize = RAYS * 7 / 10;

/// Radius in cells of a line around a point of the net, inside of which all has the colour `core`;
/// colours further apart than `apart` are others. `None` where there is no such line.
///
/// The first change on each ray counts, not the strongest: beyond the line lie its shadow, the
/// lines of the board and other stones.
#[must_use]
pub fn ring(
    planes: &Planes,
    net: &Net,
    (x, y): (f64, f64),
    core: [f32; 3],
    apart: f32,
) -> Option<f64> {
    let [wide, high] = net.pitch(x, y);
    let px = 1.0 / wide.min(high).max(1.0);
    // The line itself is soft and reaches inwards.
    let from = REACH.0 - (0.6 * px).min(0.07);
    let first = |turn: f64| {
        let (s, c) = turn.to_radians().sin_cos();
        let mut r = from;
        while r <= REACH.1 {
            let p = net.px(x + c * r, y + s * r);
            if !planes.contains(p) {
                return None;
            }
            if distance(colour(planes, p), core) > apart {
                return Some(r);
            }
            r += STEP;
        }
        None
    };
    let mut met = [0.0; RAYS];
    let mut n = 0;
    for k in 0..RAYS {
        let turn = 90.0 * (k / QUARTER.len()) as f64 + QUARTER[k % QUARTER.len()];
        if let Some(r) = first(turn) {
            met[n] = r;
            n += 1;
        }
    }
    if n < ROUND {
        return None;
    }
    let met = &mut met[..n];
    met.sort_by(f64::total_cmp);
    let middle = met[n / 2];
    // Pixels are whole.
    let near = 0.04 + 0.7 * px;
    let alike = met.iter().filter(|&&r| (r - middle).abs() < near).count();
    // What ends where the search begins is something drawn, not the line around it.
    (alike >= ROUND && middle > from + STEP).then_some(middle)
}
