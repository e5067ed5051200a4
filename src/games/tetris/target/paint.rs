//! Draws a board of Tetris with its calibration sheet.
//!
//! Takes what is to be seen and a layout, fills boxes of a picture. Every place is known and
//! given away by the layout, so that what a reader finds can be checked. Must never know how the
//! board came about.

use super::palette::{EMPTY, Palette, Rgb};
use crate::games::canvas;
use crate::games::tetris::rules::{Kind, System};
use crate::types::picture::packed;
use crate::types::sheet::{Area, FRAME, MARKERS, SWATCHES, Sheet};
use crate::types::{GridSize, Picture, Point, PxFromCell, Rect};

/// Around the board.
pub const GROUND: Rgb = [0x24, 0x29, 0x33];
/// The frame around the board.
pub const FRAME_COLOUR: Rgb = [0xb4, 0xba, 0xc4];
/// Lines between empty cells.
const LINE: Rgb = [0x1a, 0x1e, 0x26];
/// The frame around the next piece.
const BOX: Rgb = [0x5a, 0x62, 0x70];
const HINT: Rgb = [0x9a, 0xa2, 0xae];
const BLACK: Rgb = [0x08, 0x08, 0x08];

/// What is to be seen.
#[derive(Clone, Copy, Debug)]
pub struct BoardView<'a> {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// Row-major from the bottom row: 0 empty, 1 to 7 the number of a kind, else other.
    pub pile: &'a [u8],
    /// The falling piece: cells (x, y) with y from the bottom; those outside are not drawn.
    pub piece: Option<(Kind, [(i16, i16); 4])>,
    /// Where it would land, drawn as an outline in its colour.
    pub shadow: Option<[(i16, i16); 4]>,
    /// Where the hint puts it, drawn as small corners.
    pub hint: Option<[(i16, i16); 4]>,
    /// Whether the box for the next piece is shown, and what is in it.
    pub next: Option<Option<Kind>>,
    /// Colours.
    pub palette: Palette,
    /// All filled cells in one colour.
    pub monochrome: bool,
    /// Whether the markers are shown.
    pub markers: bool,
    /// Whether the swatches are shown.
    pub swatches: bool,
}

/// Where everything is drawn, in px of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// Width and height of the picture.
    pub picture: (u32, u32),
    /// Columns and rows.
    pub size: GridSize,
    /// Side of a cell.
    pub cell: u32,
    /// The board's cells, without the frame.
    pub board: Rect,
    /// The cells of the box for the next piece (4x2), without its frame.
    pub next: Rect,
    /// The black squares of the markers, clockwise from the top left.
    pub markers: [Rect; 4],
    /// The swatches from the left: empty, seven kinds, other.
    pub swatches: [Rect; SWATCHES],
    /// Room for text to the left of the board, between the markers.
    pub left: Rect,
    /// Room for text to the right of the board, between the next box and the lower marker.
    pub right: Rect,
}

impl Layout {
    /// The largest cells of whole px with which a board and its sheet fit into a picture, at
    /// least 1 px: what does not fit then is cut off.
    #[must_use]
    pub fn fit(width: u32, height: u32, cols: u16, rows: u16) -> Self {
        let size = GridSize::new(cols.max(1), rows.max(1));
        let sheet = Sheet::of(size);
        let whole = sheet.whole;
        let cell = (f64::from(width) / whole.width)
            .min(f64::from(height) / whole.height)
            .floor()
            .max(1.0);
        let x = ((f64::from(width) - whole.width * cell) / 2.0 - whole.at.x * cell).round();
        let y = ((f64::from(height) - whole.height * cell) / 2.0 - whole.at.y * cell).round();
        let rect = |a: Area| {
            let (x0, y0) = (x + a.at.x * cell, y + a.at.y * cell);
            let (x1, y1) = (x0 + a.width * cell, y0 + a.height * cell);
            Rect {
                x: x0.round() as i32,
                y: y0.round() as i32,
                width: (x1.round() - x0.round()) as u32,
                height: (y1.round() - y0.round()) as u32,
            }
        };
        let area = |x: f64, y: f64, r: f64, b: f64| Area {
            at: Point::new(x, y),
            width: (r - x).max(0.0),
            height: (b - y).max(0.0),
        };
        let (w, h) = (f64::from(size.cols), f64::from(size.rows));
        let [upper, _, lower, _] = sheet.markers;
        let quiet = upper.width / 6.0;
        let (top, low) = (upper.height + quiet + 0.5, lower.at.y - quiet - 0.5);
        let beside = sheet.next.at.x < w + 1.5;
        let under = if beside { sheet.next.at.y + 3.0 } else { top };
        let end = whole.at.x + whole.width - 0.25;
        Self {
            picture: (width, height),
            size,
            cell: cell as u32,
            board: rect(area(0.0, 0.0, w, h)),
            next: rect(Area {
                at: sheet.next.at,
                width: 4.0,
                height: 2.0,
            }),
            markers: sheet.markers.map(rect),
            swatches: sheet.swatches.map(rect),
            left: rect(area(whole.at.x + 0.25, top, -0.75, low)),
            right: rect(area(w + 0.75, under, end, low)),
        }
    }

    /// The board's true transform.
    #[must_use]
    pub fn px_from_cell(&self) -> PxFromCell {
        let side = f64::from(self.cell);
        let at = Point::new(f64::from(self.board.x), f64::from(self.board.y));
        PxFromCell::upright(at, side, side)
    }
}

/// Draws everything; the picture takes the layout's size and keeps its allocation.
pub fn paint_board(view: &BoardView<'_>, layout: &Layout, out: &mut Picture) {
    out.reshape(layout.picture.0, layout.picture.1);
    out.pixels_mut().fill(packed(GROUND));
    let side = layout.cell as i32;
    let thick = (f64::from(layout.cell) * FRAME).round().max(1.0) as i32;
    framed(out, layout.board, thick, FRAME_COLOUR);
    let (x0, y0) = (layout.board.x, layout.board.y);
    let rows = i32::from(view.rows);
    let (cols, drawn) = (usize::from(view.cols.max(1)), usize::from(view.rows));
    for y in 0..rows {
        for x in 0..i32::from(view.cols) {
            cell(out, [x0 + x * side, y0 + y * side], side, None);
        }
    }
    let tone = |value: u8| view.palette.of(value, view.monochrome);
    let place = |x: i32, y: i32| [x0 + x * side, y0 + (rows - 1 - y) * side];
    for (i, &value) in view.pile.iter().take(cols * drawn).enumerate() {
        if value != 0 {
            let at = place((i % cols) as i32, (i / cols) as i32);
            cell(out, at, side, Some(tone(value)));
        }
    }
    let inside =
        |&(x, y): &(i16, i16)| x >= 0 && y >= 0 && i32::from(y) < rows && x < view.cols as i16;
    let falls = view.piece.map_or(tone(8), |(kind, _)| tone(kind.number()));
    for &(x, y) in view.shadow.iter().flatten().filter(|c| inside(c)) {
        outline(out, place(x.into(), y.into()), side, falls);
    }
    for &(x, y) in view.hint.iter().flatten().filter(|c| inside(c)) {
        corners(out, place(x.into(), y.into()), side);
    }
    if let Some((kind, cells)) = view.piece {
        for &(x, y) in cells.iter().filter(|c| inside(c)) {
            cell(
                out,
                place(x.into(), y.into()),
                side,
                Some(tone(kind.number())),
            );
        }
    }
    if let Some(next) = view.next {
        next_box(out, layout, next.map(|k| (k, tone(k.number()))));
    }
    if view.markers {
        for (&bits, &rect) in MARKERS.iter().zip(&layout.markers) {
            canvas::marker(out, rect, bits);
        }
    }
    if view.swatches {
        for (value, &rect) in (0u8..).zip(&layout.swatches) {
            framed(out, rect, (side / 12).max(1), BOX);
            fill(out, rect, tone(value));
        }
    }
}

/// The four cells of a piece in a 4x2 box, row 0 at the top: as it will appear.
#[must_use]
pub fn next_cells(kind: Kind) -> [(u16, u16); 4] {
    let system = System::standard();
    let pose = system.spawn(kind, 4, 2);
    // Every kind appears within two rows and within two columns of its origin.
    system
        .cells(pose)
        .map(|(x, y)| (x.clamp(0, 3) as u16, (1 - y).clamp(0, 1) as u16))
}

fn next_box(out: &mut Picture, layout: &Layout, next: Option<(Kind, Rgb)>) {
    let side = layout.cell as i32;
    framed(out, layout.next, (side / 10).max(1), BOX);
    fill(out, layout.next, EMPTY);
    if let Some((kind, colour)) = next {
        for (x, y) in next_cells(kind) {
            let at = [
                layout.next.x + i32::from(x) * side,
                layout.next.y + i32::from(y) * side,
            ];
            cell(out, at, side, Some(colour));
        }
    }
}

/// One cell: filled with a gap around, or empty with a thin line around.
fn cell(out: &mut Picture, [x, y]: [i32; 2], side: i32, colour: Option<Rgb>) {
    let gap = i32::from(side >= 6) + side / 40;
    match colour {
        None => {
            block(out, x, y, side, side, LINE);
            block(out, x + gap, y + gap, side - 2 * gap, side - 2 * gap, EMPTY);
        }
        Some(c) => {
            block(out, x, y, side, side, BLACK);
            block(out, x + gap, y + gap, side - 2 * gap, side - 2 * gap, c);
        }
    }
}

fn outline(out: &mut Picture, [x, y]: [i32; 2], side: i32, colour: Rgb) {
    let gap = i32::from(side >= 6) + side / 40;
    let (at, length) = (gap, side - 2 * gap);
    let line = (side / 14).max(1);
    // Darker than the piece: it is not there yet.
    let dim = colour.map(|v| (u16::from(v) * 7 / 10) as u8);
    block(out, x + at, y + at, length, length, dim);
    block(
        out,
        x + at + line,
        y + at + line,
        length - 2 * line,
        length - 2 * line,
        EMPTY,
    );
}

fn corners(out: &mut Picture, [x, y]: [i32; 2], side: i32) {
    let (gap, line) = ((side / 10).max(1), (side / 14).max(1));
    let reach = (side / 5).max(1);
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let place = |d: i32, length: i32| {
            if d == 0 { gap } else { side - gap - length }
        };
        block(
            out,
            x + place(dx, reach),
            y + place(dy, line),
            reach,
            line,
            HINT,
        );
        block(
            out,
            x + place(dx, line),
            y + place(dy, reach),
            line,
            reach,
            HINT,
        );
    }
}

/// A box of this thickness around a rectangle; what is inside is filled, too.
fn framed(out: &mut Picture, rect: Rect, thick: i32, colour: Rgb) {
    block(
        out,
        rect.x - thick,
        rect.y - thick,
        rect.width as i32 + 2 * thick,
        rect.height as i32 + 2 * thick,
        colour,
    );
}

fn fill(out: &mut Picture, rect: Rect, colour: Rgb) {
    block(
        out,
        rect.x,
        rect.y,
        rect.width as i32,
        rect.height as i32,
        colour,
    );
}

fn block(out: &mut Picture, x: i32, y: i32, width: i32, height: i32, colour: Rgb) {
    let (w, h) = (out.width() as i32, out.height() as i32);
    let (x0, x1) = (x.clamp(0, w) as usize, (x + width).clamp(0, w) as usize);
    let (y0, y1) = (y.clamp(0, h) as usize, (y + height).clamp(0, h) as usize);
    if x0 >= x1 {
        return;
    }
    let colour = packed(colour);
    for row in out
        .pixels_mut()
        .chunks_exact_mut(w as usize)
        .take(y1)
        .skip(y0)
    {
        row[x0..x1].fill(colour);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(pile: &[u8]) -> BoardView<'_> {
        BoardView {
            cols: 10,
            rows: 20,
            pile,
            piece: Some((Kind::T, [(4, 19), (5, 19), (6, 19), (5, 18)])),
            shadow: Some([(4, 1), (5, 1), (6, 1), (5, 0)]),
            hint: Some([(0, 1), (1, 1), (2, 1), (1, 0)]),
            next: Some(Some(Kind::L)),
            palette: Palette::Standard,
            monochrome: false,
            markers: true,
            swatches: true,
        }
    }

    /// The colour of each cell's middle, as a letter.
    fn seen(picture: &Picture, at: PxFromCell, cols: u16, rows: u16) -> String {
        let mut text = String::new();
        for cell in GridSize::new(cols, rows).cells() {
            let p = at.map(cell.centre());
            let rgb = picture.rgb(p.x as u32, p.y as u32);
            let kind = Kind::ALL
                .into_iter()
                .find(|k| Palette::Standard.of(k.number(), false) == rgb);
            text.push(match kind {
                Some(k) => k.letter(),
                None if rgb == EMPTY => '.',
                None => '#',
            });
        }
        text
    }

    #[test]
    fn every_cell_is_where_the_layout_says() {
        let mut pile = vec![0u8; 200];
        pile[9] = 8;
        pile[8] = 4;
        for (width, height) in [(640, 480), (1280, 720), (433, 991)] {
            let layout = Layout::fit(width, height, 10, 20);
            let mut out = Picture::default();
            paint_board(&view(&pile), &layout, &mut out);
            let text = seen(&out, layout.px_from_cell(), 10, 20);
            assert_eq!(&text[..20], "....TTT........T....");
            assert_eq!(
                &text[180..],
                "..................Z#",
                "shadow and hint are empty"
            );
            let side = f64::from(layout.cell);
            let at = Point::new(f64::from(layout.next.x), f64::from(layout.next.y));
            let next = seen(&out, PxFromCell::upright(at, side, side), 4, 2);
            assert_eq!(next, ".LLL.L..");
        }
    }

    #[test]
    fn a_window_too_small_or_a_board_too_large_is_no_error() {
        let pile = vec![1u8; 200 * 400];
        let mut out = Picture::default();
        for (width, height, cols, rows) in [(0, 0, 10, 20), (1, 1, 4, 4), (640, 480, 200, 400)] {
            let view = BoardView {
                cols,
                rows,
                ..view(&pile)
            };
            paint_board(&view, &Layout::fit(width, height, cols, rows), &mut out);
            assert_eq!((out.width(), out.height()), (width, height));
        }
    }
}
