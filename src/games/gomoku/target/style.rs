//! How the built-in five in a row looks: what differs between the programs and boards of this
//! game.
//!
//! Plain data; lengths are in cells unless they say otherwise. Must never decide anything about
//! the game.

use std::time::Duration;

use crate::games::canvas::Rgb;
use crate::games::facing::Rims;
use crate::games::facing::manner::{Colours, Manner, Mark, Message, RowMark};

/// Where stones are put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lattice {
    /// On the crossings of lines.
    Crossings,
    /// Into squares.
    Squares,
}

/// What the board is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ground {
    /// One colour.
    Flat(Rgb),
    /// Wood of a light and a dark colour.
    Wood(Rgb, Rgb),
    /// Paper of a colour, with grain.
    Paper(Rgb),
}

/// What is put on the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stones {
    /// Discs of one colour, with a thin edge where there is one.
    Flat(Option<Rgb>),
    /// Stones lit from the upper left.
    Glossy,
    /// X and O, drawn with a pen of this width.
    Marks(f64),
}

/// The whole look.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Its name on the command line.
    pub name: &'static str,
    /// Colours, marks and messages.
    pub manner: Manner,
    /// Where stones are put.
    pub lattice: Lattice,
    /// The board.
    pub ground: Ground,
    /// Its lines: colour and width.
    pub line: (Rgb, f64),
    /// How far the board reaches beyond the cells.
    pub rim: f64,
    /// Whether star points are drawn.
    pub stars: bool,
    /// Whether letters and numbers stand at the edges.
    pub coordinates: bool,
    /// The stones; their radius is the manner's.
    pub stones: Stones,
    /// Whether a faint stone lies under the pointer.
    pub ghost: bool,
    /// How long a stone takes to be there.
    pub appear: Duration,
}

const BLACK: Rgb = [0x10, 0x12, 0x16];
const WHITE: Rgb = [0xf5, 0xf5, 0xf2];

impl Style {
    /// The names of all looks.
    pub const NAMES: [&'static str; 5] = ["wood", "brown", "dark", "paper", "plain"];

    /// The look of a name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "wood" => Self::default(),
            "brown" => Self::brown(),
            "dark" => Self::dark(),
            "paper" => Self::paper(),
            "plain" => Self::plain(),
            _ => return None,
        })
    }

    /// Room around the cells.
    #[must_use]
    pub const fn rims(&self) -> Rims {
        let room = self.rim + 0.25;
        Rims {
            side: room,
            top: room,
            bottom: room,
        }
    }

    /// One brown, stones larger than the distance of the lines.
    fn brown() -> Self {
        let usual = Self::default();
        Self {
            name: "brown",
            manner: Manner {
                face: [0xdf, 0xdf, 0xdf],
                empty: [0xa5, 0x2a, 0x2a],
                mark: Mark::Plus,
                mark_rgb: [0x20, 0xc0, 0x40],
                row: RowMark::Rings,
                message: Message::Status,
                radius: 0.66,
                colours: Colours::Seat,
                ..usual.manner
            },
            ground: Ground::Flat([0xa5, 0x2a, 0x2a]),
            line: ([0x3c, 0x0e, 0x0e], 0.04),
            rim: 0.3,
            stars: false,
            coordinates: false,
            stones: Stones::Flat(Some([0x40, 0x40, 0x40])),
            ghost: false,
            appear: Duration::ZERO,
            ..usual
        }
    }

    /// Light lines on slate.
    fn dark() -> Self {
        let usual = Self::default();
        Self {
            name: "dark",
            manner: Manner {
                face: [0x15, 0x17, 0x1c],
                ink: [0xd6, 0xda, 0xe2],
                accent: [0xff, 0xc8, 0x40],
                empty: [0x2b, 0x30, 0x3a],
                stones: [[0x27, 0xb5, 0xe8], [0xf2, 0x74, 0x5c]],
                names: ["blue", "coral"],
                mark: Mark::Ring,
                mark_rgb: [0xff, 0xff, 0xff],
                message: Message::Status,
                ..usual.manner
            },
            ground: Ground::Flat([0x2b, 0x30, 0x3a]),
            line: ([0x6c, 0x76, 0x88], 0.03),
            coordinates: false,
            stones: Stones::Flat(None),
            ..usual
        }
    }

    /// X and O in the squares of a sheet of paper.
    fn paper() -> Self {
        let usual = Self::default();
        Self {
            name: "paper",
            manner: Manner {
                face: [0xf4, 0xf2, 0xea],
                ink: [0x26, 0x2a, 0x3c],
                accent: [0xe0, 0x90, 0x10],
                empty: [0xfb, 0xfa, 0xf4],
                stones: [[0x1c, 0x3c, 0xb4], [0xc4, 0x22, 0x2c]],
                names: ["X", "O"],
                mark: Mark::Blink,
                row: RowMark::Line,
                message: Message::Board,
                radius: 0.34,
                ..usual.manner
            },
            lattice: Lattice::Squares,
            ground: Ground::Paper([0xfb, 0xfa, 0xf4]),
            line: ([0x9c, 0xb8, 0xdc], 0.04),
            rim: 0.2,
            stars: false,
            coordinates: false,
            stones: Stones::Marks(0.12),
            ghost: true,
            appear: Duration::ZERO,
        }
    }

    /// Black lines on white, flat stones.
    fn plain() -> Self {
        let usual = Self::default();
        Self {
            name: "plain",
            manner: Manner {
                face: [0xff, 0xff, 0xff],
                ink: [0, 0, 0],
                empty: [0xff, 0xff, 0xff],
                stones: [[0, 0, 0], [0xff, 0xff, 0xff]],
                mark: Mark::None,
                row: RowMark::Line,
                message: Message::Status,
                accent: [0xe0, 0x20, 0x20],
                ..usual.manner
            },
            ground: Ground::Flat([0xff, 0xff, 0xff]),
            line: ([0, 0, 0], 0.03),
            coordinates: false,
            stones: Stones::Flat(Some([0, 0, 0])),
            ghost: false,
            appear: Duration::ZERO,
            ..usual
        }
    }
}

impl Default for Style {
    /// Black and white stones on a wooden board with coordinates.
    fn default() -> Self {
        Self {
            name: "wood",
            manner: Manner {
                face: [0xd8, 0xd4, 0xcc],
                ink: [0x22, 0x1c, 0x14],
                accent: [0x18, 0x84, 0xd8],
                empty: [0xd9, 0xae, 0x6a],
                stones: [BLACK, WHITE],
                names: ["black", "white"],
                colours: Colours::Order,
                mark: Mark::Dot,
                mark_rgb: [0xd8, 0x30, 0x28],
                row: RowMark::Rings,
                message: Message::Board,
                radius: 0.45,
            },
            lattice: Lattice::Crossings,
            ground: Ground::Wood([0xe4, 0xbc, 0x7c], [0xc0, 0x8e, 0x4a]),
            line: ([0x3a, 0x26, 0x10], 0.03),
            rim: 0.3,
            stars: true,
            coordinates: true,
            stones: Stones::Glossy,
            ghost: true,
            appear: Duration::from_millis(120),
        }
    }
}
