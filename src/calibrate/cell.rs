//! How one cell of a supposed lattice looks: colour of its rim, of its centre, and whether it
//! is of one colour at all.
//!
//! Takes planes, a transform and a cell index (which may lie outside any board). Medians over
//! points, so that a small mark, a pointer or a speck does not matter.

use super::planes::Planes;
use crate::types::{Point, PxFromCell};

/// Half the side of the square on which a cell is sampled, in cells. Gaps, borders and soft edges
/// lie outside; a mark of a third of the cell lies inside.
const OUTER: f64 = 0.25;

/// Points on the rim.
const RIM: usize = 16;

/// What was sampled from one cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct CellLook {
    /// Median colour of the rim.
    pub rim: [f32; 3],
    /// Colour of the middle.
    pub centre: [f32; 3],
    /// Distance from the rim's colour below which 13 of 16 rim points lie.
    pub spread: f32,
}

/// What counts as a difference: noise and compression add a little everywhere, light and texture
/// in proportion to how bright it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Eye {
    /// Standard deviation of a pixel's noise, 0 to 255.
    pub noise: f32,
}

/// The brightest channel of two colours.
fn level(a: [f32; 3], b: [f32; 3]) -> f32 {
    let of = |c: [f32; 3]| c[0].max(c[1]).max(c[2]);
    of(a).max(of(b))
}

impl Eye {
    /// Whether two cells may be of one colour.
    #[must_use]
    pub fn same(&self, a: [f32; 3], b: [f32; 3]) -> bool {
        distance(a, b) <= 6.0 + 2.0 * self.noise + 0.07 * level(a, b)
    }

    /// Whether two colours are far enough apart for the place where they meet to be seen.
    #[must_use]
    pub fn apart(&self, a: [f32; 3], b: [f32; 3]) -> bool {
        distance(a, b) > 6.0 + 1.2 * self.noise + 0.06 * level(a, b)
    }

    /// Whether there is an edge at all between two neighbouring points.
    #[must_use]
    pub fn edge(&self, a: [f32; 3], b: [f32; 3]) -> bool {
        distance(a, b) > 4.0 + 1.5 * self.noise + 0.035 * level(a, b)
    }

    /// Whether a cell is of one colour.
    #[must_use]
    pub fn plain(&self, look: &CellLook) -> bool {
        look.spread <= 6.0 + 3.0 * self.noise + 0.06 * level(look.rim, look.rim)
    }

    /// Whether a cell has something else in its middle.
    #[must_use]
    pub fn marked(&self, look: &CellLook) -> bool {
        distance(look.rim, look.centre)
            > 12.0 + 2.0 * self.noise + 0.13 * level(look.rim, look.centre)
    }

    /// How far apart colours must be, with the light removed, to be classes of their own.
    #[must_use]
    pub fn class(&self, a: [f32; 3], b: [f32; 3]) -> f32 {
        5.0 + 1.4 * self.noise + 0.04 * level(a, b)
    }
}

/// Euclidean distance of two colours.
#[must_use]
#[inline]
pub fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
}

/// The offsets of the rim points from a cell's centre, in cells.
#[must_use]
pub fn rim_offsets() -> [(f64, f64); RIM] {
    // Four to each corner: what is drawn in the middle, or over the middle of a side, is missed.
    let (o, t, n) = (OUTER, 0.6 * OUTER, 0.88 * OUTER);
    [
        (-o, -o),
        (-o, -t),
        (-t, -o),
        (-n, -n),
        (o, -o),
        (o, -t),
        (t, -o),
        (n, -n),
        (-o, o),
        (-o, t),
        (-t, o),
        (-n, n),
        (o, o),
        (o, t),
        (t, o),
        (n, n),
    ]
}

/// Samples a cell; `None` when part of it lies outside the picture.
#[must_use]
pub fn look(planes: &Planes, px_from_cell: &PxFromCell, col: f64, row: f64) -> Option<CellLook> {
    let at =
        |dx: f64, dy: f64| planes.at(px_from_cell.map(Point::new(col + 0.5 + dx, row + 0.5 + dy)));
    let mut points = [[0u8; 3]; RIM];
    for (p, (dx, dy)) in points.iter_mut().zip(rim_offsets()) {
        *p = at(dx, dy)?;
    }
    let rim = median(&points);
    let mut off: [f32; RIM] = points.map(|p| distance(p.map(f32::from), rim));
    off.sort_by(f32::total_cmp);
    const C: f64 = 0.06;
    let middle = [
        at(0.0, 0.0)?,
        at(-C, 0.0)?,
        at(C, 0.0)?,
        at(0.0, -C)?,
        at(0.0, C)?,
    ];
    Some(CellLook {
        rim,
        centre: median(&middle),
        spread: off[12],
    })
}

/// Channel-wise median.
#[must_use]
pub fn median<const N: usize>(points: &[[u8; 3]; N]) -> [f32; 3] {
    [0, 1, 2].map(|c| {
        let mut v: [u8; N] = std::array::from_fn(|i| points[i][c]);
        v.sort_unstable();
        (f32::from(v[(N - 1) / 2]) + f32::from(v[N / 2])) / 2.0
    })
}
