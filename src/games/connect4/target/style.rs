//! How the built-in Connect-4 looks: what differs between the programs and boards of this game.
//!
//! Plain data; lengths are in cells unless they say otherwise. Must never decide anything about
//! the game.

use std::time::Duration;

use crate::games::canvas::Rgb;
use crate::games::facing::Rims;
use crate::games::facing::manner::{Colours, Manner, Mark, Message, RowMark};

/// What the board is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Plate {
    /// One colour.
    Flat(Rgb),
    /// From one colour at the top to another at the bottom.
    Gradient(Rgb, Rgb),
    /// Wood of a light and a dark colour.
    Wood(Rgb, Rgb),
}

/// A hole without a disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hole {
    /// What shows through it; `None` is the plate itself.
    pub rgb: Option<Rgb>,
    /// Its radius.
    pub radius: f64,
    /// A ring around it: width and colour.
    pub ring: Option<(f64, Rgb)>,
}

/// How a disc is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disc {
    /// One colour.
    Flat,
    /// With a black rim.
    Rimmed,
    /// With a darker ring inside, as moulded ones have.
    Ringed,
    /// Lit from the upper left.
    Glossy,
    /// With a sign in it: a star on the first colour, a crescent on the second.
    Badged,
}

/// How a disc comes to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fall {
    /// At once.
    None,
    /// Row by row, each shown for so long.
    Steps(Duration),
    /// Faster and faster: so long for the first row.
    Gravity(Duration),
}

impl Fall {
    /// The same way in another time for its first row; at once if that is none.
    #[must_use]
    pub const fn lasting(self, time: Duration) -> Self {
        match self {
            _ if time.is_zero() => Self::None,
            Self::Steps(_) => Self::Steps(time),
            Self::None | Self::Gravity(_) => Self::Gravity(time),
        }
    }
}

/// What is shown of the column under the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hover {
    /// Nothing.
    None,
    /// A faint disc where it would land.
    Ghost,
    /// A disc in a row above the board.
    Above,
}

/// The whole look.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Its name on the command line.
    pub name: &'static str,
    /// Colours, marks and messages.
    pub manner: Manner,
    /// The board.
    pub plate: Plate,
    /// Around the outermost holes.
    pub rim: f64,
    /// Radius of the board's corners, for one of one colour.
    pub corner: f64,
    /// The holes.
    pub hole: Hole,
    /// The discs; their radius is the manner's.
    pub disc: Disc,
    /// Dashes between the cells.
    pub grid: Option<Rgb>,
    /// The column under the pointer.
    pub hover: Hover,
    /// How discs fall.
    pub fall: Fall,
    /// Whether they fall behind the plate, seen only through the holes.
    pub behind: bool,
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [0xff, 0xff, 0xff];
const YELLOW: Rgb = [0xff, 0xd7, 0x1c];
const RED: Rgb = [0xd8, 0x23, 0x2a];

impl Style {
    /// The names of all looks.
    pub const NAMES: [&'static str; 7] = [
        "classic", "rings", "glossy", "dark", "wood", "sunny", "signs",
    ];

    /// The look of a name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "classic" => Self::default(),
            "rings" => Self::rings(),
            "glossy" => Self::glossy(),
            "dark" => Self::dark(),
            "wood" => Self::wood(),
            "sunny" => Self::sunny(),
            "signs" => Self::signs(),
            _ => return None,
        })
    }

    /// Room around the cells.
    #[must_use]
    pub fn rims(&self) -> Rims {
        let above = match self.hover {
            Hover::Above => 1.1,
            Hover::None | Hover::Ghost => 0.0,
        };
        Rims {
            side: self.rim + 0.3,
            top: (self.rim + 0.2).max(above),
            bottom: self.rim + 0.2,
        }
    }

    /// White holes in a blue plate, moulded discs that fall behind it.
    fn rings() -> Self {
        let usual = Self::default();
        Self {
            name: "rings",
            manner: Manner {
                empty: WHITE,
                stones: [RED, YELLOW],
                names: ["red", "yellow"],
                colours: Colours::Order,
                mark: Mark::Dot,
                mark_rgb: WHITE,
                row: RowMark::Rings,
                message: Message::Board,
                radius: 0.41,
                face: [0xe9, 0xec, 0xf2],
                ink: [0x20, 0x24, 0x30],
                accent: [0x0a, 0xb8, 0x6c],
            },
            plate: Plate::Flat([0x1f, 0x4f, 0xc4]),
            corner: 0.25,
            hole: Hole {
                rgb: Some(WHITE),
                radius: 0.41,
                ring: Some((0.05, [0x16, 0x3a, 0x96])),
            },
            disc: Disc::Ringed,
            hover: Hover::Ghost,
            fall: Fall::Gravity(Duration::from_millis(110)),
            behind: true,
            ..usual
        }
    }

    /// Everything shaded: a hard case for colours.
    fn glossy() -> Self {
        let rings = Self::rings();
        Self {
            name: "glossy",
            manner: Manner {
                empty: [0xd2, 0xd4, 0xd8],
                stones: [[0xb0, 0x10, 0x1c], [0x16, 0x16, 0x1a]],
                names: ["red", "black"],
                mark: Mark::Blink,
                row: RowMark::Line,
                ..rings.manner
            },
            plate: Plate::Gradient([0xf4, 0xf5, 0xf8], [0x9a, 0xa2, 0xb4]),
            hole: Hole {
                rgb: Some([0xd2, 0xd4, 0xd8]),
                radius: 0.42,
                ring: Some((0.04, [0x82, 0x88, 0x96])),
            },
            disc: Disc::Glossy,
            ..rings
        }
    }

    /// A dark page with black holes.
    fn dark() -> Self {
        let rings = Self::rings();
        Self {
            name: "dark",
            manner: Manner {
                face: [0x14, 0x16, 0x1b],
                ink: [0xd6, 0xda, 0xe2],
                accent: [0xf2, 0xf4, 0xf8],
                empty: [0x06, 0x07, 0x09],
                stones: [[0x2f, 0xc4, 0xb2], [0xf2, 0x6b, 0x4e]],
                names: ["teal", "orange"],
                mark: Mark::Ring,
                mark_rgb: [0xf2, 0xf4, 0xf8],
                row: RowMark::Line,
                message: Message::Status,
                radius: 0.4,
                ..rings.manner
            },
            plate: Plate::Flat([0x2a, 0x2e, 0x38]),
            hole: Hole {
                rgb: Some([0x06, 0x07, 0x09]),
                radius: 0.4,
                ring: None,
            },
            disc: Disc::Flat,
            behind: false,
            ..rings
        }
    }

    /// A wooden board with turned discs.
    fn wood() -> Self {
        let rings = Self::rings();
        Self {
            name: "wood",
            manner: Manner {
                face: [0xdc, 0xd6, 0xcc],
                ink: [0x2e, 0x22, 0x16],
                accent: [0x1c, 0x8a, 0xd6],
                empty: [0x38, 0x20, 0x10],
                stones: [[0xea, 0xdc, 0xb8], [0xb0, 0x3a, 0x22]],
                names: ["ivory", "cherry"],
                mark: Mark::None,
                row: RowMark::Rings,
                message: Message::Status,
                ..rings.manner
            },
            plate: Plate::Wood([0xc8, 0x98, 0x5c], [0x84, 0x54, 0x28]),
            hole: Hole {
                rgb: Some([0x38, 0x20, 0x10]),
                radius: 0.41,
                ring: Some((0.04, [0x5c, 0x38, 0x1a])),
            },
            disc: Disc::Ringed,
            hover: Hover::None,
            ..rings
        }
    }

    /// Yellow shows through empty holes.
    fn sunny() -> Self {
        let rings = Self::rings();
        Self {
            name: "sunny",
            manner: Manner {
                empty: YELLOW,
                stones: [RED, [0x18, 0x18, 0x1c]],
                names: ["red", "black"],
                mark: Mark::Dot,
                ..rings.manner
            },
            hole: Hole {
                rgb: Some(YELLOW),
                ring: None,
                radius: 0.4,
            },
            ..rings
        }
    }

    /// Signs on the discs, dashes between black cells, the next disc in a row above.
    fn signs() -> Self {
        let rings = Self::rings();
        Self {
            name: "signs",
            manner: Manner {
                face: [0x1c, 0x1c, 0x1c],
                ink: [0xf0, 0xf0, 0xf0],
                accent: [0xff, 0xe0, 0x60],
                empty: BLACK,
                stones: [[0xe5, 0x27, 0x27], [0x65, 0xb8, 0x2e]],
                names: ["red", "green"],
                mark: Mark::Blink,
                row: RowMark::Line,
                message: Message::Status,
                radius: 0.45,
                ..rings.manner
            },
            plate: Plate::Flat(BLACK),
            rim: 0.0,
            corner: 0.0,
            hole: Hole {
                rgb: None,
                radius: 0.45,
                ring: None,
            },
            disc: Disc::Badged,
            grid: Some([0x60, 0x60, 0x60]),
            hover: Hover::Above,
            fall: Fall::Steps(Duration::from_millis(40)),
            behind: false,
        }
    }
}

impl Default for Style {
    /// A flat blue plate whose empty holes are of its own colour, thinly ringed.
    fn default() -> Self {
        Self {
            name: "classic",
            manner: Manner {
                face: [0xc8, 0xc8, 0xc8],
                ink: BLACK,
                accent: [0x00, 0xe0, 0x60],
                empty: [0x10, 0x20, 0xf0],
                stones: [[0xff, 0xff, 0x00], [0xf0, 0x10, 0x10]],
                names: ["yellow", "red"],
                colours: Colours::Seat,
                mark: Mark::None,
                mark_rgb: BLACK,
                row: RowMark::Rings,
                message: Message::Status,
                radius: 0.4,
            },
            plate: Plate::Flat([0x10, 0x20, 0xf0]),
            rim: 0.12,
            corner: 0.0,
            hole: Hole {
                rgb: None,
                radius: 0.4,
                ring: Some((0.03, BLACK)),
            },
            disc: Disc::Rimmed,
            grid: None,
            hover: Hover::None,
            fall: Fall::None,
            behind: false,
        }
    }
}
