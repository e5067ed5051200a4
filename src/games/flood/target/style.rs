//! How the built-in Flood-It looks: everything that differs between the programs of this game.
//!
//! Plain data, readable from TOML. All lengths are px of the target's picture. Must never
//! decide anything about the game.

use serde::{Deserialize, Serialize};

use super::palette::{Palette, Rgb};
use crate::types::{GridSize, Point, PxFromCell};

/// What happens where a cell's edge does not fall on a pixel's edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Edges {
    /// Rounded to whole pixels: cells differ by one pixel in size.
    #[default]
    Snapped,
    /// The pixel is mixed, as canvases that scale do.
    Blended,
}

/// A line of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Width in px.
    pub width: f64,
    /// Its colour.
    pub rgb: Rgb,
}

/// What fills the picture behind everything.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backdrop {
    /// One colour.
    Plain(Rgb),
    /// From one colour to another along an angle in radians.
    Gradient(Rgb, Rgb, f64),
    /// Clouds between two colours, the largest features of so many px, like a wallpaper photo.
    Wallpaper(Rgb, Rgb, f64),
}

/// What surrounds the board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Surroundings {
    /// Behind everything.
    pub backdrop: Backdrop,
    /// The window that holds the board: x0, y0, x1, y1 in px; without it the board lies on the
    /// backdrop.
    pub window: Option<[f64; 4]>,
    /// The window's face.
    pub face: Rgb,
    /// Text on the face.
    pub ink: Rgb,
    /// Height of a title bar on top of the window; 0 for none.
    pub title_bar: f64,
    /// Height of a menu bar below it; 0 for none.
    pub menu_bar: f64,
    /// Desktop icons with labels.
    pub icons: u8,
    /// Lines of small text beside or below the window.
    pub text_lines: u8,
    /// What all of it is drawn from.
    pub seed: u64,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self {
            backdrop: Backdrop::Plain([0xd5, 0xd5, 0xd5]),
            window: None,
            face: [0xd5, 0xd5, 0xd5],
            ink: [0x10, 0x10, 0x10],
            title_bar: 0.0,
            menu_bar: 0.0,
            icons: 0,
            text_lines: 0,
            seed: 0,
        }
    }
}

/// The palette's buttons, one for each colour, which can be clicked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Buttons {
    /// Top left of the first button's place.
    pub origin: Point,
    /// Distance from button to button (45 in the classic game).
    pub pitch: f64,
    /// Side or diameter of a button.
    pub side: f64,
    /// How many in a row: 3 for the classic block, as many as there are colours for a row.
    pub columns: u8,
    /// Discs instead of squares.
    pub round: bool,
}

impl Buttons {
    /// The centre of a colour's button in px.
    #[must_use]
    pub fn centre(&self, colour: usize) -> Point {
        let columns = usize::from(self.columns.max(1));
        Point::new(
            self.origin.x + ((colour % columns) as f64 + 0.5) * self.pitch,
            self.origin.y + ((colour / columns) as f64 + 0.5) * self.pitch,
        )
    }
}

/// Black dots, by which some programs tell a colour from another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dots {
    /// None.
    #[default]
    None,
    /// On every cell of one colour of the palette; the colour itself may occur twice in it.
    OnColour(u8),
}

/// The whole look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Style {
    /// Size of the picture.
    pub picture: (u32, u32),
    /// Outer top left corner of the board.
    pub origin: Point,
    /// Distance from cell to cell along x and y.
    pub pitch: (f64, f64),
    /// Edges off the pixels' edges.
    pub edges: Edges,
    /// Space between neighbouring cells, in which the ground shows.
    pub gap: f64,
    /// The colour behind the cells.
    pub ground: Rgb,
    /// A border only between cells of different colours and around the board.
    pub border: Option<Line>,
    /// Lines between all cells and around the board.
    pub grid: Option<Line>,
    /// Radius of the cells' rounded corners.
    pub radius: f64,
    /// The colours, in the order of their letters.
    pub palette: Vec<Rgb>,
    /// What lies around the board.
    pub surroundings: Surroundings,
    /// The palette's buttons.
    pub buttons: Option<Buttons>,
    /// Paper-like texture over board and window: its spread as a share of the brightness.
    pub grain: f64,
    /// Marks on cells.
    pub dots: Dots,
    /// Top left of the line that counts the moves and tells the end.
    pub status: Option<Point>,
    /// How long a recolouring takes to sweep over the region, in milliseconds.
    pub sweep_ms: u32,
}

impl Default for Style {
    /// Like the game of Simon Tatham's Puzzles at 14x14.
    fn default() -> Self {
        Self::plain(GridSize::new(14, 14), 32.0)
    }
}

impl Style {
    /// A board of the given size and pitch with black borders on a light window, a status line
    /// below it and nothing else.
    #[must_use]
    pub fn plain(size: GridSize, pitch: f64) -> Self {
        let (w, h) = (f64::from(size.cols) * pitch, f64::from(size.rows) * pitch);
        Self {
            picture: ((w + 32.0).ceil() as u32, (h + 64.0).ceil() as u32),
            origin: Point::new(16.0, 16.0),
            pitch: (pitch, pitch),
            edges: Edges::Snapped,
            gap: 0.0,
            ground: [0xd5, 0xd5, 0xd5],
            border: Some(Line {
                width: 2.0,
                rgb: [0, 0, 0],
            }),
            grid: None,
            radius: 0.0,
            palette: Palette::Sgt.colours().to_vec(),
            surroundings: Surroundings::default(),
            buttons: None,
            grain: 0.0,
            dots: Dots::None,
            status: Some(Point::new(16.0, h + 40.0)),
            sweep_ms: 0,
        }
    }

    /// Where cells are drawn: the truth that a finder is measured against.
    #[must_use]
    pub const fn px_from_cell(&self) -> PxFromCell {
        PxFromCell::upright(self.origin, self.pitch.0, self.pitch.1)
    }
}
