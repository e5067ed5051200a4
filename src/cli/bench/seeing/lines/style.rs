//! How a drawn board of lines looks, as plain numbers.

use crate::games::flood::target::palette::Rgb;
use crate::types::{GridSize, Point, PxFromCell};

/// What lies between the lines.
#[derive(Clone, Copy, Debug)]
pub enum Ground {
    /// One colour.
    Plain(Rgb),
    /// Wood with grain: its colour, how strong the grain is, and a seed.
    Wood(Rgb, f64, u64),
}

impl Ground {
    /// Its colour.
    #[must_use]
    pub const fn rgb(self) -> Rgb {
        match self {
            Self::Plain(rgb) | Self::Wood(rgb, ..) => rgb,
        }
    }
}

/// How a stone is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Stone {
    /// Its letter.
    pub letter: char,
    /// Its colour.
    pub rgb: Rgb,
    /// Strength of the gleam on it, 0 to 1.
    pub gloss: f64,
    /// A line around it.
    pub rim: Option<Rgb>,
    /// Stripes as of shell.
    pub stripes: bool,
}

/// What is drawn on the stone that was played last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// Nothing.
    None,
    /// A dot in its middle.
    Dot,
    /// A plus.
    Plus,
    /// A ring on it.
    Ring,
    /// A square around it, over the board.
    Square,
}

/// A board of lines.
#[derive(Clone, Debug)]
pub struct Style {
    /// Columns and rows of crossings, or of squares.
    pub size: GridSize,
    /// Distance between lines in px, along x and y.
    pub pitch: (f64, f64),
    /// Where the first lines cross, in px.
    pub origin: Point,
    /// Width and height of the picture.
    pub picture: (u32, u32),
    /// What surrounds the board.
    pub backdrop: Rgb,
    /// Grain of the surroundings, as a share of their brightness.
    pub rough: f64,
    /// What lies between the lines.
    pub ground: Ground,
    /// How far the ground goes on beyond the last lines, in cells.
    pub margin: f64,
    /// Colour and width in px of the lines, and of the outermost ones.
    pub line: (Rgb, f64),
    /// Width of the outermost lines in px.
    pub frame: f64,
    /// How far lines go on beyond the last ones, in cells.
    pub overhang: f64,
    /// Whether the usual points are marked.
    pub stars: bool,
    /// Letters and numbers along the sides.
    pub coordinates: bool,
    /// Large pale letters under the lines.
    pub watermark: bool,
    /// The two kinds of stones.
    pub stones: [Stone; 2],
    /// Their radius in cells.
    pub radius: f64,
    /// Darkness of the shadow beside each stone, 0 to 1.
    pub shadow: f64,
    /// How far all stones are seen beside their crossings, and each of them by chance, in cells.
    pub shift: (f64, f64),
    /// By chance, in cells.
    pub jitter: f64,
    /// Mark on the last stone.
    pub last: Last,
    /// Share of the stones that bear a number.
    pub numbers: f64,
}

impl Style {
    /// From cell space with crossings in the middle of cells.
    #[must_use]
    pub fn px_from_crossing(&self) -> PxFromCell {
        let (px, py) = self.pitch;
        let origin = Point::new(self.origin.x - px / 2.0, self.origin.y - py / 2.0);
        PxFromCell::upright(origin, px, py)
    }

    /// From cell space with squares as cells.
    #[must_use]
    pub fn px_from_square(&self) -> PxFromCell {
        PxFromCell::upright(self.origin, self.pitch.0, self.pitch.1)
    }
}
