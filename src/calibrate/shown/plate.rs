//! Boards of holes.

use super::groups::Groups;
use super::lesson::{EMPTY, Lesson, id, letter};
use super::{Learnt, Sight, Trouble};
use crate::calibrate::cell::distance;
use crate::types::{BoardKind, Plate, Point, colour_name};

/// Where the plate is sampled, in cells from a cell's middle along both axes.
const CORNER: f64 = 0.46;

/// Where the inside of a hole is sampled, in cells: inside the smallest.
const INSIDE: f64 = 0.2;

/// Half axes of holes that are considered, in cells.
const RADII: std::ops::Range<i32> = 26..48;

/// Spread of what is seen in empty holes beyond which it is what lies behind the board.
const SCENERY: f32 = 30.0;

/// Holes in a plate, empty or with a disc in them.
pub(super) fn holes(sight: &Sight<'_>, lessons: &[Lesson]) -> Result<Learnt, Trouble> {
    let ring = |r: f64, n: usize| {
        (0..n).map(move |k| {
            let (s, c) = (std::f64::consts::TAU * (k as f64 + 0.5) / n as f64).sin_cos();
            (r * c, r * s)
        })
    };
    let inside: Vec<(f64, f64)> = ring(0.5 * INSIDE, 5).chain(ring(INSIDE, 11)).collect();
    let looks = sight.looks(&inside)?;
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let points: Vec<Point> = { sight.size.cells() }
        .flat_map(|c| {
            let m = c.centre();
            corners.map(|(x, y)| Point::new(m.x + CORNER * x, m.y + CORNER * y))
        })
        .collect();
    let rgb = sight.colour(points.iter().copied()).ok_or(Trouble::Plain)?;
    let mut off: Vec<f32> = points
        .iter()
        .filter_map(|&p| sight.planes.at(sight.at.map(p)))
        .map(|c| distance(c.map(f32::from), rgb))
        .collect();
    off.sort_by(f32::total_cmp);
    let spread = off.get(off.len() * 2 / 3).copied().unwrap_or(0.0);
    let groups = Groups::of_pieces(sight, &looks, lessons)?;
    // Discs fall: what lies in the upper rows is mostly nothing.
    let above = usize::from(sight.size.cols) * usize::from(sight.size.rows.div_ceil(2));
    let empty = { groups.by_name(EMPTY) }
        .or_else(|| groups.commonest(0..above))
        .ok_or(Trouble::Plain)?;
    let mut classes = vec![groups.class(empty, '.')];
    let mut taken = vec!['.'];
    for k in (0..groups.colours.len()).filter(|&k| k != empty) {
        id(k)?;
        let own = match groups.names.get(k) {
            Some(name) => letter(BoardKind::Holes, name, &taken),
            None => letter(BoardKind::Holes, colour_name::of(groups.colours[k]), &taken),
        };
        taken.push(own);
        classes.push(groups.class(k, own));
    }
    let radius = radius(sight, rgb);
    Ok(Learnt {
        gain: groups.gain,
        plate: Some(Plate {
            rgb,
            spread,
            gloss: Vec::new(),
            veil: false,
            hole: (radius, radius),
            open: groups.spreads[empty] > SCENERY,
        }),
        classes,
    })
}

/// The radius at which most holes give way to the plate, in cells.
fn radius(sight: &Sight<'_>, plate: [f32; 3]) -> f64 {
    let step = |r: f64| -> f32 {
        let mut sum = 0.0;
        for cell in sight.size.cells() {
            let m = cell.centre();
            for k in 0..8 {
                let (s, c) = (std::f64::consts::TAU * (f64::from(k) + 0.5) / 8.0).sin_cos();
                let at = |r: f64| {
                    sight
                        .planes
                        .at(sight.at.map(Point::new(m.x + r * c, m.y + r * s)))
                };
                if let (Some(a), Some(b)) = (at(r - 0.03), at(r + 0.03)) {
                    let off = |c: [u8; 3]| distance(c.map(f32::from), plate);
                    sum += (off(a) - off(b)).clamp(-60.0, 60.0);
                }
            }
        }
        sum
    };
    let best = RADII
        .map(|r| f64::from(r) / 100.0)
        .map(|r| (r, step(r)))
        .max_by(|a, b| a.1.total_cmp(&b.1));
    best.map_or(0.4, |(r, _)| r)
}
