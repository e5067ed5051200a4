//! The calibration sheet: what a built-in target shows around its board so that a camera can be
//! calibrated in one go. Shared by those who draw it and those who look for it.
//!
//! All places are in the cell space of the board: the origin is its outer top left corner, one
//! unit is one cell.

use super::calibration::SideGrid;
use super::geometry::{GridSize, Point};

/// The dictionary of the markers (4x4 modules, 50 ids), as their first four ids: one at each
/// corner, clockwise from the top left. Each row of modules is a number from the top, the left
/// module its highest bit; 1 is white. A marker is 6x6 modules: these in a black border.
pub const MARKERS: [[u8; 4]; 4] = [
    [0b1011, 0b0101, 0b0011, 0b0010],
    [0b0000, 0b1111, 0b1001, 0b1010],
    [0b0011, 0b0011, 0b0010, 0b1101],
    [0b1001, 0b1001, 0b0100, 0b0110],
];

/// Swatches: the empty cell, seven kinds, any other filled cell.
pub const SWATCHES: usize = 9;

/// An upright rectangle in cell space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Top left corner.
    pub at: Point,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Area {
    const fn square(x: f64, y: f64, side: f64) -> Self {
        Self {
            at: Point::new(x, y),
            width: side,
            height: side,
        }
    }

    /// Its corners, clockwise from the top left.
    #[must_use]
    pub fn corners(&self) -> [Point; 4] {
        let (x, y) = (self.at.x, self.at.y);
        let (r, b) = (x + self.width, y + self.height);
        [
            Point::new(x, y),
            Point::new(r, y),
            Point::new(r, b),
            Point::new(x, b),
        ]
    }

    /// Its middle.
    #[must_use]
    pub fn middle(&self) -> Point {
        Point::new(self.at.x + self.width / 2.0, self.at.y + self.height / 2.0)
    }
}

/// Where everything lies around a board of some size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// The black squares of the markers, clockwise from the top left.
    pub markers: [Area; 4],
    /// The swatches, from the left: empty, the kinds by their numbers, other.
    pub swatches: [Area; SWATCHES],
    /// The box with the next piece: 4x2 cells as large as the board's.
    pub next: SideGrid,
    /// The whole sheet.
    pub whole: Area,
}

/// Thickness of the light frame around the board, outside of its cells.
pub const FRAME: f64 = 0.3;

impl Sheet {
    /// The sheet of a board.
    #[must_use]
    pub fn of(size: GridSize) -> Self {
        let (w, h) = (f64::from(size.cols), f64::from(size.rows));
        // Three cells on the standard board; a larger board has smaller cells.
        let side = (0.15 * w.max(h)).min(0.42 * h);
        let quiet = side / 6.0;
        let gap = 0.5 + quiet;
        let markers = [
            Area::square(-gap - side, 0.0, side),
            Area::square(w + gap, 0.0, side),
            Area::square(w + gap, h - side, side),
            Area::square(-gap - side, h - side, side),
        ];
        let step = w / SWATCHES as f64;
        let patch = 0.8 * step;
        let mut swatches = [Area::square(0.0, h + 1.0, patch); SWATCHES];
        for (i, s) in swatches.iter_mut().enumerate() {
            s.at.x = (i as f64 + 0.1) * step;
        }
        // Between the markers on the right where there is room, else beyond them.
        let (top, right) = (side + quiet + 1.5, w + gap + side + quiet);
        let between = top + 3.5 + quiet + side < h;
        let at = if between {
            Point::new(w + 1.0, top)
        } else {
            Point::new(right + 1.0, 1.0)
        };
        let left = -gap - side - quiet - 0.25;
        let right = right.max(at.x + 4.5) + 0.25;
        Self {
            markers,
            swatches,
            next: SideGrid {
                at,
                size: GridSize::new(4, 2),
                pitch: 1.0,
            },
            whole: Area {
                at: Point::new(left, -0.8),
                width: right - left,
                height: h + 1.0 + patch + 0.5 + 0.8,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_on_the_sheet_lies_on_anything_else() {
        for (cols, rows) in [(10, 20), (4, 4), (12, 8), (20, 40), (200, 400)] {
            let sheet = Sheet::of(GridSize::new(cols, rows));
            let mut all = vec![Area {
                at: Point::new(-FRAME, -FRAME),
                width: f64::from(cols) + 2.0 * FRAME,
                height: f64::from(rows) + 2.0 * FRAME,
            }];
            all.extend(sheet.markers);
            all.extend(sheet.swatches);
            all.push(Area {
                at: sheet.next.at,
                width: 4.0,
                height: 2.0,
            });
            for (i, a) in all.iter().enumerate() {
                for b in &all[..i] {
                    let apart = a.at.x + a.width <= b.at.x
                        || b.at.x + b.width <= a.at.x
                        || a.at.y + a.height <= b.at.y
                        || b.at.y + b.height <= a.at.y;
                    assert!(apart, "{cols}x{rows}: {a:?} {b:?}");
                }
                let w = sheet.whole;
                assert!(a.at.x >= w.at.x && a.at.y >= w.at.y, "{a:?}");
                assert!(a.at.x + a.width <= w.at.x + w.width, "{a:?}");
                assert!(a.at.y + a.height <= w.at.y + w.height, "{a:?}");
            }
        }
    }
}
