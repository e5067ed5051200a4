//! Points, cells and the one transform between them.
//!
//! Two spaces. **px**: continuous pixel coordinates of a frame; pixel (i, j)
//! covers `[i, i+1) x [j, j+1)`, so a board whose first pixel column is 16 has
//! its left edge at x = 16.0 and a pixel's centre ends in .5. **cell**: one unit
//! per cell, origin at the board's outer top-left corner; the centre of column 0,
//! row 0 is (0.5, 0.5) and the outer bottom-right corner is (cols, rows).

use serde::{Deserialize, Serialize};

/// A point; which space it lives in is in the name of the variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Point {
    /// A point.
    #[must_use]
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Euclidean distance.
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// A rectangle of whole pixels: a window, a monitor, a region of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl Rect {
    /// Whether the point (in the same space) lies inside.
    #[must_use]
    pub fn contains(&self, p: Point) -> bool {
        p.x >= f64::from(self.x)
            && p.y >= f64::from(self.y)
            && p.x < f64::from(self.x) + f64::from(self.width)
            && p.y < f64::from(self.y) + f64::from(self.height)
    }

    /// The common part of two rectangles, if it has any area.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let (ax, ay) = (i64::from(self.x), i64::from(self.y));
        let (bx, by) = (i64::from(other.x), i64::from(other.y));
        let x0 = ax.max(bx);
        let y0 = ay.max(by);
        let x1 = (ax + i64::from(self.width)).min(bx + i64::from(other.width));
        let y1 = (ay + i64::from(self.height)).min(by + i64::from(other.height));
        (x1 > x0 && y1 > y0).then(|| Self {
            x: x0 as i32,
            y: y0 as i32,
            width: (x1 - x0) as u32,
            height: (y1 - y0) as u32,
        })
    }
}

/// Columns and rows of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GridSize {
    /// Number of columns.
    pub cols: u16,
    /// Number of rows.
    pub rows: u16,
}

impl GridSize {
    /// A board of this many columns and rows.
    #[must_use]
    pub const fn new(cols: u16, rows: u16) -> Self {
        Self { cols, rows }
    }

    /// Number of cells.
    #[must_use]
    pub const fn len(self) -> usize {
        self.cols as usize * self.rows as usize
    }

    /// Whether there are no cells at all.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Row-major index of a cell.
    #[must_use]
    pub const fn index(self, cell: Cell) -> usize {
        cell.row as usize * self.cols as usize + cell.col as usize
    }

    /// The cell at a row-major index.
    #[must_use]
    pub const fn cell(self, index: usize) -> Cell {
        Cell {
            col: (index % self.cols as usize) as u16,
            row: (index / self.cols as usize) as u16,
        }
    }

    /// All cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.len()).map(move |i| self.cell(i))
    }
}

impl std::fmt::Display for GridSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.cols, self.rows)
    }
}

/// One cell of a board, counted from the top left.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Cell {
    /// Column, from the left.
    pub col: u16,
    /// Row, from the top.
    pub row: u16,
}

impl Cell {
    /// A cell.
    #[must_use]
    pub const fn new(col: u16, row: u16) -> Self {
        Self { col, row }
    }

    /// Its centre in cell space.
    #[must_use]
    pub fn centre(self) -> Point {
        Point::new(f64::from(self.col) + 0.5, f64::from(self.row) + 0.5)
    }
}

/// The one transform: where a point of cell space lies in a frame (px space).
///
/// A homography, row-major, `px ~ H * (x, y, 1)`. It serves reading, overlay
/// and clicking alike, so that they cannot disagree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PxFromCell(pub [f64; 9]);

impl PxFromCell {
    /// An upright board: outer top-left corner at `origin`, cells of `pitch_x` by `pitch_y` px.
    #[must_use]
    pub const fn upright(origin: Point, pitch_x: f64, pitch_y: f64) -> Self {
        Self([
            pitch_x, 0.0, origin.x, 0.0, pitch_y, origin.y, 0.0, 0.0, 1.0,
        ])
    }

    /// Through four outer corners in px: top left, top right, bottom right, bottom left.
    ///
    /// `None` if three of them lie on one line.
    #[must_use]
    pub fn from_corners(size: GridSize, corners: [Point; 4]) -> Option<Self> {
        let [p0, p1, p2, p3] = corners;
        // Unit square to quadrilateral in closed form (Heckbert 1989, section 2.2.3).
        let dx1 = p1.x - p2.x;
        let dx2 = p3.x - p2.x;
        let dy1 = p1.y - p2.y;
        let dy2 = p3.y - p2.y;
        let sx = p0.x - p1.x + p2.x - p3.x;
        let sy = p0.y - p1.y + p2.y - p3.y;
        let det = dx1 * dy2 - dx2 * dy1;
        if det.abs() < 1e-9 {
            return None;
        }
        let g = (sx * dy2 - dx2 * sy) / det;
        let h = (dx1 * sy - sx * dy1) / det;
        let (w, ht) = (f64::from(size.cols), f64::from(size.rows));
        Some(Self([
            (p1.x - p0.x + g * p1.x) / w,
            (p3.x - p0.x + h * p3.x) / ht,
            p0.x,
            (p1.y - p0.y + g * p1.y) / w,
            (p3.y - p0.y + h * p3.y) / ht,
            p0.y,
            g / w,
            h / ht,
            1.0,
        ]))
    }

    /// Maps a point of cell space to px.
    #[must_use]
    pub fn map(&self, cell: Point) -> Point {
        let m = &self.0;
        let w = m[6] * cell.x + m[7] * cell.y + m[8];
        Point::new(
            (m[0] * cell.x + m[1] * cell.y + m[2]) / w,
            (m[3] * cell.x + m[4] * cell.y + m[5]) / w,
        )
    }

    /// The transform back, from px to cell space; `None` if it is degenerate.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let m = &self.0;
        let c = [
            m[4] * m[8] - m[5] * m[7],
            m[2] * m[7] - m[1] * m[8],
            m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8],
            m[0] * m[8] - m[2] * m[6],
            m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6],
            m[1] * m[6] - m[0] * m[7],
            m[0] * m[4] - m[1] * m[3],
        ];
        let det = m[0] * c[0] + m[1] * c[3] + m[2] * c[6];
        if !det.is_finite() || det.abs() < 1e-12 || c[8].abs() < 1e-12 {
            return None;
        }
        Some(Self(c.map(|v| v / c[8])))
    }

    /// The transform to a picture of this width with left and right exchanged.
    #[must_use]
    pub fn mirrored(&self, width: f64) -> Self {
        let m = self.0;
        Self([
            width * m[6] - m[0],
            width * m[7] - m[1],
            width * m[8] - m[2],
            m[3],
            m[4],
            m[5],
            m[6],
            m[7],
            m[8],
        ])
    }

    /// The four outer corners in px: top left, top right, bottom right, bottom left.
    #[must_use]
    pub fn corners(&self, size: GridSize) -> [Point; 4] {
        let (w, h) = (f64::from(size.cols), f64::from(size.rows));
        [
            self.map(Point::new(0.0, 0.0)),
            self.map(Point::new(w, 0.0)),
            self.map(Point::new(w, h)),
            self.map(Point::new(0.0, h)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_round_trip_and_invert() {
        let size = GridSize::new(14, 9);
        let corners = [
            Point::new(10.0, 20.0),
            Point::new(300.0, 35.0),
            Point::new(280.0, 260.0),
            Point::new(25.0, 230.0),
        ];
        let t = PxFromCell::from_corners(size, corners).expect("no three on a line");
        for (a, b) in t.corners(size).iter().zip(corners) {
            assert!(a.distance(b) < 1e-9, "{a:?} {b:?}");
        }
        let mirrored = t.mirrored(400.0).map(Point::new(2.0, 3.0));
        let p = t.map(Point::new(2.0, 3.0));
        assert!(mirrored.distance(Point::new(400.0 - p.x, p.y)) < 1e-9);
        let back = t.inverse().expect("regular");
        let p = Point::new(3.5, 7.25);
        assert!(back.map(t.map(p)).distance(p) < 1e-9);
    }
}
