//! A board that was shown in pictures of one size, in pictures of another: where it may lie.
//!
//! Programs scale their board with the window, or leave it as it is; they keep it in the middle
//! or at a side, below a bar that does not grow. Each of these is a candidate, and small moves
//! of one lead on to better ones; which of them fits is for the caller to say.

use crate::types::{Calibration, PxFromCell};

/// What is done to a coordinate: scaled, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Way {
    scale: f64,
    offset: f64,
}

impl Way {
    /// To a picture of length `to` from one of length `from`, `part` of what is left before it.
    fn new(scale: f64, from: u32, to: u32, part: f64) -> Self {
        let left = f64::from(to) - scale * f64::from(from);
        Self {
            scale,
            offset: left * part,
        }
    }
}

/// The calibration in pictures of another size, at each place where it may lie: the likeliest
/// first. In pictures of its own size it is where it was.
#[must_use]
pub fn carried(saved: &Calibration, image: (u32, u32)) -> Vec<Calibration> {
    if image == saved.image {
        return vec![saved.clone()];
    }
    let (from, to) = (saved.image, image);
    let (sx, sy) = (
        f64::from(to.0) / f64::from(from.0.max(1)),
        f64::from(to.1) / f64::from(from.1.max(1)),
    );
    let mut ways: Vec<(Way, Way)> = vec![(
        Way::new(sx, from.0, to.0, 0.0),
        Way::new(sy, from.1, to.1, 0.0),
    )];
    for scale in [sx.min(sy), sx.max(sy), 1.0] {
        for x in [0.5, 0.0, 1.0] {
            for y in [0.5, 0.0, 1.0] {
                let way = (
                    Way::new(scale, from.0, to.0, x),
                    Way::new(scale, from.1, to.1, y),
                );
                if !ways.contains(&way) {
                    ways.push(way);
                }
            }
        }
    }
    let placed = ways.into_iter().map(|(x, y)| moved(saved, x, y, image));
    placed.filter(is_inside).collect()
}

/// The same board a little beside, and a little larger and smaller: `step` is the distance, in
/// cells, by which its edges move.
#[must_use]
pub fn nearby(at: &Calibration, step: f64) -> Vec<Calibration> {
    let corners = at.px_from_cell.corners(at.size);
    let (w, h) = (f64::from(at.size.cols), f64::from(at.size.rows));
    let px = step * corners[0].distance(corners[1]) / w.max(1.0);
    let middle = |a: f64, b: f64| (a + b) / 2.0;
    let (cx, cy) = (
        middle(corners[0].x, corners[2].x),
        middle(corners[0].y, corners[2].y),
    );
    let still = Way {
        scale: 1.0,
        offset: 0.0,
    };
    let by = |offset: f64| Way { offset, ..still };
    let about = |centre: f64, grow: f64| Way {
        scale: 1.0 + grow,
        offset: -centre * grow,
    };
    let mut out = Vec::new();
    for d in [-px, px] {
        out.push((by(d), still));
        out.push((still, by(d)));
    }
    for d in [-step, step] {
        let (gx, gy) = (2.0 * d / w, 2.0 * d / h);
        out.push((about(cx, gx), still));
        out.push((still, about(cy, gy)));
        out.push((about(cx, gx), about(cy, gx)));
    }
    { out.into_iter() }
        .map(|(x, y)| moved(at, x, y, at.image))
        .filter(is_inside)
        .collect()
}

fn moved(c: &Calibration, x: Way, y: Way, image: (u32, u32)) -> Calibration {
    let m = c.px_from_cell.0;
    let line = |k: usize, way: Way| way.scale * m[k] + way.offset * m[6 + k % 3];
    Calibration {
        image,
        px_from_cell: PxFromCell([
            line(0, x),
            line(1, x),
            line(2, x),
            line(3, y),
            line(4, y),
            line(5, y),
            m[6],
            m[7],
            m[8],
        ]),
        ..c.clone()
    }
}

fn is_inside(c: &Calibration) -> bool {
    let (w, h) = (f64::from(c.image.0), f64::from(c.image.1));
    let corners = c.px_from_cell.corners(c.size);
    // Of the outermost cells a part may be cut off, where only their middles are read.
    let slack = 0.5 * corners[0].distance(corners[1]) / f64::from(c.size.cols.max(1));
    corners
        .iter()
        .all(|p| p.x >= -slack && p.y >= -slack && p.x <= w + slack && p.y <= h + slack)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{BoardKind, GridSize, Point};

    fn saved(origin: (f64, f64), pitch: f64, image: (u32, u32)) -> Calibration {
        let at = PxFromCell::upright(Point::new(origin.0, origin.1), pitch, pitch);
        Calibration::at(BoardKind::Cells, GridSize::new(10, 8), image, at)
    }

    fn reaches(all: &[Calibration], origin: (f64, f64), pitch: f64) -> bool {
        let wanted = PxFromCell::upright(Point::new(origin.0, origin.1), pitch, pitch);
        let size = GridSize::new(10, 8);
        all.iter().any(|c| {
            let corners = c.px_from_cell.corners(size);
            let mut pairs = corners.iter().zip(wanted.corners(size));
            pairs.all(|(a, b)| a.distance(b) < 1e-6)
        })
    }

    #[test]
    fn the_usual_ways_of_growing_are_candidates() {
        let before = saved((20.0, 60.0), 16.0, (200, 200));
        // As large as before, in the middle.
        assert!(reaches(&carried(&before, (300, 260)), (70.0, 90.0), 16.0));
        // Twice as large.
        assert!(reaches(&carried(&before, (400, 400)), (40.0, 120.0), 32.0));
        // Twice as large below a bar that stays as it was, 40 px of the 60 above.
        assert!(reaches(&carried(&before, (400, 360)), (40.0, 80.0), 32.0));
        // As wide as possible, the rest is left free above and below.
        assert!(reaches(&carried(&before, (400, 500)), (40.0, 170.0), 32.0));
        assert_eq!(carried(&before, (200, 200)).len(), 1);
    }

    #[test]
    fn small_moves_go_both_ways_and_stay_inside() {
        let at = saved((20.0, 60.0), 16.0, (200, 200));
        let near = nearby(&at, 0.25);
        assert!(reaches(&near, (24.0, 60.0), 16.0));
        assert!(reaches(&near, (20.0, 56.0), 16.0));
        assert!(reaches(&near, (16.0, 56.8), 16.8));
        assert!(near.iter().all(is_inside));
    }
}
