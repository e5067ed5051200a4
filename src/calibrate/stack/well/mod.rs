//! Wells: the usual look of a stack, a rectangle with something around it, empty above, full of
//! blocks below.

pub mod lines;
pub mod quads;

use super::super::chains::{Way, chains};
use super::super::finder::noise;
use super::super::planes::Planes;
use quads::Quad;

/// Lines of each way, and outlines.
const LINES: usize = 48;
const QUADS: usize = 60;

/// Outlines that may be there, in px of the planes.
#[must_use]
pub fn outlines(planes: &Planes) -> Vec<Quad> {
    let size = [planes.width as f64, planes.height as f64];
    let (down, across) = lines_of(planes);
    quads::quads(&down, &across, size, QUADS)
}

pub fn noise_of(planes: &Planes) -> f32 {
    noise(planes)
}
pub fn threshold_of(planes: &Planes) -> u8 {
    faint(planes)
}
fn faint(planes: &Planes) -> u8 {
    (5.0 + 2.0 * noise(planes)).min(40.0) as u8
}

pub fn lines_of(planes: &Planes) -> (Vec<lines::Line>, Vec<lines::Line>) {
    let threshold = faint(planes);
    let size = [planes.width as f32, planes.height as f32];
    let down = chains(planes, Way::Down, threshold, 5, 1);
    let across = chains(planes, Way::Across, threshold, 5, 1);
    let down = lines::lines(&down, Way::Down, size, LINES);
    let across = lines::lines(&across, Way::Across, size, LINES);
    (down, across)
}
pub mod cells;
pub mod count;
pub mod field;

/// A board that may be there.
#[derive(Clone, Debug)]
pub struct Found {
    pub field: field::Field,
    pub grid: count::Grid,
    pub filling: cells::Filling,
    pub score: f64,
    pub above: i32,
}

/// The likeliest boards, best first.
#[must_use]
pub fn boards(planes: &Planes, fixed: Option<crate::types::GridSize>) -> Vec<Found> {
    let noise = noise(planes);
    let mut out = Vec::new();
    // Smaller pictures of the same: a raster that skips pixels misses thin lines.
    let mut smaller = vec![planes.clone()];
    while let Some(last) = smaller.last()
        && last.width.min(last.height) > 320
        && smaller.len() < 3
    {
        smaller.push(last.halved());
    }
    for quad in outlines(planes).iter().take(12) {
        let c = quad.corners;
        let mut level = 0;
        let mut scale = 1.0;
        while level + 1 < smaller.len()
            && c[3].distance(c[2]) * scale > 2.2 * field::INSIDE.0 as f64
        {
            level += 1;
            scale /= 2.0;
        }
        let scaled = c.map(|p| crate::types::Point::new(p.x * scale, p.y * scale));
        let Some(mut field) = field::Field::new(&smaller[level], scaled, noise) else {
            continue;
        };
        field.px_from_unit = super::super::finder::enlarged(&field.px_from_unit, 1.0 / scale);
        let shape = (c[0].distance(c[3]) + c[1].distance(c[2]))
            / (c[0].distance(c[1]) + c[3].distance(c[2]));
        for grid in count::grids(&field, shape, quad.cut, fixed) {
            let filling = cells::Filling::of(&field, &grid);
            let score = grid.score + 0.5 * filling.sense
                - 25.0 * f64::from(filling.mixed)
                - 2.5 * f64::from(quad.above)
                - 12.0 * f64::from(filling.goes_on);
            out.push(Found {
                field: field.clone(),
                grid,
                filling,
                score,
                above: quad.above,
            });
        }
    }
    out.sort_by(|a, b| b.score.total_cmp(&a.score));
    out
}
