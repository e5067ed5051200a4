//! Where things on crossings end.

use super::{RAY, RAY_STEPS, RAYS, Rims, colour, distance};
use crate::calibrate::crossings::net::Net;
use crate::calibrate::planes::Planes;

/// Distances in cells from a point of the net at which something of colour `core` ends, in the
/// directions of [`RAYS`]; infinite where it does not.
#[must_use]
pub fn rims(
    planes: &Planes,
    net: &Net,
    (x, y): (f64, f64),
    core: [f32; 3],
    ground: [f32; 3],
    apart: f32,
) -> Rims {
    let off = distance(core, ground);
    let apart = apart.max(0.4 * off);
    // A stone of the ground's own colour shows by the line around it.
    if off < apart {
        return outline(planes, net, (x, y), core, 1.8 * apart);
    }
    RAYS.map(|(c, s)| {
        let (mut on_ground, mut away) = (0, 0);
        let mut other = f32::INFINITY;
        for k in 0..RAY_STEPS {
            let r = RAY.0 + RAY_STEP * k as f64;
            let p = net.px(x + c * r, y + s * r);
            if !planes.contains(p) {
                break;
            }
            let seen = colour(planes, p);
            let from_core = distance(seen, core);
            // The ground is seen beyond the rim, if no other stone is there. A gleam on the
            // stone is not the ground.
            let is_ground = distance(seen, ground) < apart.min(0.5 * off);
            on_ground = if is_ground { on_ground + 1 } else { 0 };
            if on_ground == GROUND_STEPS {
                return (r - RAY_STEP * f64::from(GROUND_STEPS - 1)) as f32;
            }
            away = if from_core > apart { away + 1 } else { 0 };
            if away == RIM_STEPS && other.is_infinite() {
                other = (r - RAY_STEP * f64::from(RIM_STEPS - 1)) as f32;
            }
        }
        other
    })
}

/// Where a line runs around something: the strongest change on each ray, nearer than the lines of
/// the board.
fn outline(planes: &Planes, net: &Net, (x, y): (f64, f64), core: [f32; 3], least: f32) -> Rims {
    RAYS.map(|(c, s)| {
        let mut best = (least, f32::INFINITY);
        for k in 0..RAY_STEPS {
            let r = RAY.0 + RAY_STEP * k as f64;
            let p = net.px(x + c * r, y + s * r);
            if r > OUTLINE || !planes.contains(p) {
                break;
            }
            let off = distance(colour(planes, p), core);
            if off > best.0 {
                best = (off, r as f32);
            }
        }
        best.1
    })
}

/// The largest stone of the ground's own colour, radius in cells.
const OUTLINE: f64 = 0.56;

/// Steps in a row on the ground that end a stone.
const GROUND_STEPS: u32 = 2;

/// Steps in a row that lie beyond a rim.
const RIM_STEPS: u32 = 5;

const RAY_STEP: f64 = (RAY.1 - RAY.0) / (RAY_STEPS - 1) as f64;
