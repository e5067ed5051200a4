//! Where everything lies in a picture: the board, what surrounds it, the status line.
//!
//! Takes a picture's size and what a look needs around the cells, gives the largest cells of whole
//! px that fit. Cell space is that of the one transform: for stones on crossings a crossing is the
//! middle of its cell.

use crate::types::{GridSize, Point, PxFromCell, Sheet};

/// Room around the cells, in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rims {
    /// On the left and on the right.
    pub side: f64,
    /// Above.
    pub top: f64,
    /// Below.
    pub bottom: f64,
}

/// The places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Width and height of the picture in px.
    pub picture: (u32, u32),
    /// Columns and rows.
    pub size: GridSize,
    /// Side of a cell in px, a whole number.
    pub cell: f64,
    /// Outer top left corner of the cells in px.
    pub origin: Point,
    /// Width of the lines in px.
    pub line: f64,
    /// Size of the font's dots in px.
    pub scale: f64,
    /// Markers and swatches, where they are shown.
    pub sheet: Option<Sheet>,
}

impl Plan {
    /// The largest board that fits into a picture. `line` is the width of its lines in cells;
    /// lines through the middles of cells begin and end on whole px.
    #[must_use]
    pub fn fit(picture: (u32, u32), size: GridSize, rims: Rims, line: f64, sheet: bool) -> Self {
        let (width, height) = (f64::from(picture.0), f64::from(picture.1));
        let scale = (height / 320.0).floor().clamp(1.0, 3.0);
        let sheet = sheet.then(|| Sheet::of(size));
        let (cols, rows) = (f64::from(size.cols), f64::from(size.rows));
        let (mut side, mut top, mut bottom) = (rims.side, rims.top, rims.bottom);
        if let Some(sheet) = &sheet {
            // The quiet zone around a marker is a sixth of its side.
            let [marker, ..] = sheet.markers;
            let quiet = marker.width / 6.0;
            side = side.max(-marker.at.x + 1.5 * quiet);
            top = top.max(1.5 * quiet);
            let [swatch, ..] = sheet.swatches;
            bottom = bottom.max(swatch.at.y + swatch.height + 0.3 - rows);
        }
        let free = (height - Self::status_height(scale)).max(1.0);
        let cell = (width / (cols + 2.0 * side))
            .min(free / (rows + top + bottom))
            .floor()
            .max(1.0);
        let line = (cell * line).round().max(1.0);
        // So that half a cell and half a line end where a pixel does.
        let part = (0.5 * line - 0.5 * cell).rem_euclid(1.0);
        let x = (width - cols * cell) / 2.0;
        let y = (free - (rows + top + bottom) * cell) / 2.0 + top * cell;
        Self {
            picture,
            size,
            cell,
            origin: Point::new(x.floor() + part, y.floor() + part),
            line,
            scale,
            sheet,
        }
    }

    /// The least picture in which the cells have this side.
    #[must_use]
    pub fn picture_for(cell: u32, size: GridSize, rims: Rims) -> (u32, u32) {
        let cell = f64::from(cell);
        let width = (f64::from(size.cols) + 2.0 * rims.side) * cell;
        let board = (f64::from(size.rows) + rims.top + rims.bottom) * cell;
        // The status line grows with the picture, in steps.
        let mut height = board;
        for scale in [1.0, 2.0, 3.0] {
            height = board + Self::status_height(scale);
            if (height / 320.0).floor().clamp(1.0, 3.0) <= scale {
                break;
            }
        }
        (width.ceil() as u32, height.ceil() as u32)
    }

    /// The height of the strip at the bottom that holds the status line.
    const fn status_height(scale: f64) -> f64 {
        16.0 * scale
    }

    /// Top left of the status line's text in px.
    #[must_use]
    pub fn status(&self) -> Point {
        let y = f64::from(self.picture.1) - 12.0 * self.scale;
        Point::new(8.0 * self.scale, y.max(0.0))
    }

    /// A point of cell space in px.
    #[must_use]
    pub fn px(&self, x: f64, y: f64) -> Point {
        Point::new(self.origin.x + x * self.cell, self.origin.y + y * self.cell)
    }

    /// A box of cell space in px: left, top, right, bottom.
    #[must_use]
    pub fn area(&self, x0: f64, y0: f64, x1: f64, y1: f64) -> [f64; 4] {
        let (a, b) = (self.px(x0, y0), self.px(x1, y1));
        [a.x, a.y, b.x, b.y]
    }

    /// The true transform.
    #[must_use]
    pub const fn px_from_cell(&self) -> PxFromCell {
        PxFromCell::upright(self.origin, self.cell, self.cell)
    }

    /// A point of the picture in cell space.
    #[must_use]
    pub fn cell_at(&self, px: Point) -> Point {
        Point::new(
            (px.x - self.origin.x) / self.cell,
            (px.y - self.origin.y) / self.cell,
        )
    }
}
