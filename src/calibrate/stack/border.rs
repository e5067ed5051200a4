//! The light line around a board: where it is to a fraction of a pixel, how thick, how bright.
//!
//! Takes planes and a transform that is right within a third of a cell; gives places of its outer
//! edge for the refinement, and its colour all around, which shows the light.

use super::super::planes::Planes;
use super::super::refine::Crossing;
use crate::types::{GridSize, Point, PxFromCell};

/// A step of the walk across, in cells.
const STEP: f64 = 0.025;
/// Where the walk begins and ends, in cells outside of the cells' edge.
const FROM: f64 = -0.45;
const TO: f64 = 0.8;
const STEPS: usize = 51;

/// Steps that surely lie on the line, inwards from its outermost crest.
const TOP: usize = 5;

/// What is known of the border.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Its outer edge.
    pub edges: Vec<Crossing>,
    /// Thickness in cells.
    pub thick: f64,
    /// Share of the places looked at where it was seen.
    pub share: f32,
    /// Place in the board (-1 to 1 each way, a little beyond) and colour.
    pub colours: Vec<((f32, f32), [f32; 3])>,
}

/// One walk from inside to outside.
struct Walk {
    outer: f64,
    width: Option<f64>,
}

/// Walks across the border all around. `thick` is the thickness supposed.
#[must_use]
pub fn walk(planes: &Planes, at: &PxFromCell, size: GridSize, thick: f64, noise: f32) -> Seen {
    let (w, h) = (f64::from(size.cols), f64::from(size.rows));
    let mut seen = Seen::default();
    let mut widths = Vec::new();
    let mut places = 0;
    // (is it a line that runs down, the coordinate of the cells' edge, outwards, length)
    for (down, edge, out, length) in [
        (true, 0.0, -1.0, h),
        (true, w, 1.0, h),
        (false, 0.0, -1.0, w),
        (false, h, 1.0, w),
    ] {
        let count = (length as usize).clamp(8, 24);
        for k in 0..count {
            places += 1;
            let along = (k as f64 + 0.5) / count as f64 * length;
            let place = |s: f64| {
                let across = edge + out * s;
                if down {
                    Point::new(across, along)
                } else {
                    Point::new(along, across)
                }
            };
            let Some(found) = across(planes, at, &place, thick, noise) else {
                continue;
            };
            widths.extend(found.width);
            seen.edges.push(Crossing {
                cell: place(thick),
                down,
                off: out * (found.outer - thick),
                gap: 0.0,
                outer: false,
                alike: false,
            });
            let middle = place(found.outer - thick / 2.0);
            if let Some(rgb) = planes.between(at.map(middle)) {
                let u = (middle.x / w * 2.0 - 1.0) as f32;
                let v = (middle.y / h * 2.0 - 1.0) as f32;
                seen.colours.push(((u, v), rgb));
            }
        }
    }
    seen.share = seen.edges.len() as f32 / places as f32;
    widths.sort_by(f64::total_cmp);
    seen.thick = widths.get(widths.len() / 2).copied().unwrap_or(thick);
    seen
}

fn across(
    planes: &Planes,
    at: &PxFromCell,
    place: &dyn Fn(f64) -> Point,
    thick: f64,
    noise: f32,
) -> Option<Walk> {
    let mut light = [0f32; STEPS];
    for (i, v) in light.iter_mut().enumerate() {
        let [r, g, b] = planes.between(at.map(place(FROM + i as f64 * STEP)))?;
        *v = 0.3 * r + 0.59 * g + 0.11 * b;
    }
    let index = |s: f64| (((s - FROM) / STEP).round().max(0.0) as usize).min(STEPS - 1);
    // The outermost crest near where the line should be: cells lie further in, and a flank that
    // still rises belongs to something further out.
    let (a, b) = (index(thick / 2.0 - 0.3), index(thick / 2.0 + 0.3));
    let most = light[a..=b].iter().copied().fold(0.0, f32::max);
    let crest = (a.max(1)..=b.min(STEPS - 2)).rev().find(|&i| {
        let (before, here, after) = (light[i - 1], light[i], light[i + 1]);
        here > 0.7 * most && here >= before && here >= after
    })?;
    // Of the unevenness on top of the line the highest.
    let peak = (crest.saturating_sub(TOP)..=crest)
        .max_by(|&i, &j| light[i].total_cmp(&light[j]))
        .unwrap_or(crest);
    let end = (peak + index(TO.min(0.45)) - index(0.0)).min(STEPS - 1);
    let low = (peak..=end).min_by(|&i, &j| light[i].total_cmp(&light[j]))?;
    let drop = light[peak] - light[low];
    if drop < 10.0 + 2.0 * noise || drop < 0.3 * light[peak] {
        return None;
    }
    let half = (light[peak] + light[low]) / 2.0;
    let fall = (peak..low).find(|&i| light[i + 1] <= half)?;
    let part = f64::from((light[fall] - half) / (light[fall] - light[fall + 1]).max(1e-3));
    let outer = FROM + (fall as f64 + part) * STEP;
    // The inner edge shows where the cell beside it is empty.
    let inside = (0..peak).min_by(|&i, &j| light[i].total_cmp(&light[j]));
    let width = inside.filter(|&i| light[i] < half).and_then(|i| {
        let half = (light[peak] + light[i]) / 2.0;
        let rise = (i..peak).rev().find(|&j| light[j] < half)?;
        let part = f64::from((half - light[rise]) / (light[rise + 1] - light[rise]).max(1e-3));
        Some(outer - (FROM + (rise as f64 + part) * STEP))
    });
    Some(Walk { outer, width })
}
