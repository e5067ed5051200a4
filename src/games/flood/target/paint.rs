//! Draws a board in a style over its scenery.
//!
//! Takes colour indices, a style and what the status line says; changes a picture. Must never
//! know how the board came about.

use super::canvas::{disc, fill, grain, rounded, text};
use super::palette::Rgb;
use super::style::{Dots, Edges, Line, Style};
use crate::types::{Cell, GridSize, Picture, Point};

/// Draws cells, lines, marks, buttons and the status line. `colours[i]` is the palette index of
/// the cell with that row-major index; an index without a colour is drawn black.
pub fn board(out: &mut Picture, style: &Style, size: GridSize, colours: &[u8], status: &str) {
    let rgb = |i: u8| style.palette.get(usize::from(i)).copied().unwrap_or([0; 3]);
    let lattice = Lattice { style };
    let outer = lattice.area(Cell::new(0, 0), size);
    fill(out, outer, style.ground);
    for (cell, &colour) in size.cells().zip(colours) {
        let [x0, y0, x1, y1] = lattice.area(cell, GridSize::new(1, 1));
        let (a, b) = lattice.inset();
        rounded(
            out,
            [x0 + a, y0 + a, x1 - b, y1 - b],
            style.radius,
            rgb(colour),
        );
        if style.dots == Dots::OnColour(colour) {
            let radius = style.pitch.0.min(style.pitch.1) * 0.17;
            disc(
                out,
                (x0 + x1) / 2.0,
                (y0 + y1) / 2.0,
                radius.max(1.0),
                [0; 3],
            );
        }
    }
    if let Some(line) = style.border {
        borders(out, &lattice, size, line, |a, b| {
            colours.get(size.index(a)) != colours.get(size.index(b))
        });
    }
    if let Some(line) = style.grid {
        borders(out, &lattice, size, line, |_, _| true);
    }
    if let Some(buttons) = &style.buttons {
        for (i, &colour) in style.palette.iter().enumerate() {
            let c = buttons.centre(i);
            let half = buttons.side / 2.0;
            let radius = if buttons.round {
                half
            } else {
                buttons.side * 0.12
            };
            let area = [c.x - half, c.y - half, c.x + half, c.y + half];
            rounded(out, area, radius, colour);
        }
    }
    if let Some(at) = style.status {
        label(out, at, style.surroundings.ink, status);
    }
    if style.grain > 0.0 {
        let area = style.surroundings.window.unwrap_or(outer);
        grain(out, area, style.grain, style.surroundings.seed);
    }
}

fn label(out: &mut Picture, at: Point, ink: Rgb, words: &str) {
    text(out, at.x, at.y, 1.0, ink, words);
}

/// Where the lattice's lines are drawn.
struct Lattice<'a> {
    style: &'a Style,
}

impl Lattice<'_> {
    fn x(&self, col: u16) -> f64 {
        self.edge(self.style.origin.x + f64::from(col) * self.style.pitch.0)
    }

    fn y(&self, row: u16) -> f64 {
        self.edge(self.style.origin.y + f64::from(row) * self.style.pitch.1)
    }

    fn edge(&self, at: f64) -> f64 {
        match self.style.edges {
            Edges::Snapped => at.round(),
            Edges::Blended => at,
        }
    }

    fn area(&self, cell: Cell, size: GridSize) -> [f64; 4] {
        [
            self.x(cell.col),
            self.y(cell.row),
            self.x(cell.col + size.cols),
            self.y(cell.row + size.rows),
        ]
    }

    /// How much of the gap lies before and after a cell.
    fn inset(&self) -> (f64, f64) {
        self.halves(self.style.gap)
    }

    fn halves(&self, width: f64) -> (f64, f64) {
        match self.style.edges {
            Edges::Snapped => ((width / 2.0).floor(), (width / 2.0).ceil()),
            Edges::Blended => (width / 2.0, width / 2.0),
        }
    }
}

/// Lines around the board and between those neighbours that `differ`.
fn borders(
    out: &mut Picture,
    lattice: &Lattice<'_>,
    size: GridSize,
    line: Line,
    differ: impl Fn(Cell, Cell) -> bool,
) {
    let (before, after) = lattice.halves(line.width);
    for row in 0..size.rows {
        for col in 0..=size.cols {
            let drawn = col == 0
                || col == size.cols
                || differ(Cell::new(col - 1, row), Cell::new(col, row));
            if drawn {
                let x = lattice.x(col);
                let (y0, y1) = (lattice.y(row), lattice.y(row + 1));
                fill(
                    out,
                    [x - before, y0 - before, x + after, y1 + after],
                    line.rgb,
                );
            }
        }
    }
    for col in 0..size.cols {
        for row in 0..=size.rows {
            let drawn = row == 0
                || row == size.rows
                || differ(Cell::new(col, row - 1), Cell::new(col, row));
            if drawn {
                let y = lattice.y(row);
                let (x0, x1) = (lattice.x(col), lattice.x(col + 1));
                fill(
                    out,
                    [x0 - before, y - before, x1 + after, y + after],
                    line.rgb,
                );
            }
        }
    }
}
