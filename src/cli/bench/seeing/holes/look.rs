//! How a board of holes may look: everything that differs between programs, toys and photos.
//!
//! Takes a seed and the name of a theme, gives a [`Look`]; every board of it can be decided: discs
//! and empty holes are of colours that people tell apart.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::games::flood::target::palette::Rgb;

/// What an empty hole shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Empty {
    /// One colour.
    Plain(Rgb),
    /// The plate's own colour: only a ring tells.
    Ring,
    /// What lies behind the board.
    Through,
}

/// What is drawn on discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nothing.
    None,
    /// A star on one kind, a crescent on the other.
    Signs,
    /// Raised rings, as pressed in plastic.
    Ridges,
    /// A darker outer ring.
    Edge,
    /// The number of the move.
    Numbers,
    /// Light from one side and a bright spot, as on a ball.
    Gloss,
}

/// What the plate is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Surface {
    /// One colour.
    Plain,
    /// From one tone to another across the board, and a bright spot.
    Glossy,
    /// Fibres along the rows.
    Wood,
    /// Fine grain.
    Grain(f64),
}

/// The whole look of a board.
#[derive(Clone, Debug)]
pub struct Look {
    /// The theme's name.
    pub theme: &'static str,
    /// Colour of the plate.
    pub plate: Rgb,
    /// What it is made of.
    pub surface: Surface,
    /// Colours of the two kinds of discs.
    pub discs: [Rgb; 2],
    /// Empty holes.
    pub empty: Empty,
    /// Radius of holes, in cells.
    pub radius: f64,
    /// Width over height of a cell.
    pub aspect: f64,
    /// A ring around every hole: width in cells, brightness against the plate.
    pub rim: Option<(f64, f64)>,
    /// How deep holes are: the wall that shows, in cells for each cell from the middle.
    pub depth: f64,
    /// Marks on discs.
    pub mark: Mark,
    /// Squares between dashed lines instead of holes.
    pub lined: bool,
    /// Plate beyond the outer cells, in cells.
    pub margin: f64,
    /// A row above the board with the disc that waits.
    pub selector: bool,
}

/// Themes, the usual ones more than once.
pub const THEMES: [&str; 10] = [
    "flat", "web", "rings", "glossy", "dark", "wood", "toy", "odd", "numbers", "yellow",
];

/// Squared distance of two colours.
fn far(a: Rgb, b: Rgb) -> i32 {
    a.iter()
        .zip(b)
        .map(|(&x, y)| (i32::from(x) - i32::from(y)).pow(2))
        .sum()
}

fn near(rng: &mut impl Rng, c: Rgb, by: i16) -> Rgb {
    c.map(|v| (i16::from(v) + rng.random_range(-by..=by)).clamp(0, 255) as u8)
}

const RED: Rgb = [0xdc, 0x1e, 0x1e];
const YELLOW: Rgb = [0xf5, 0xd2, 0x14];
const BLUE: Rgb = [0x14, 0x46, 0xc8];

fn pair(rng: &mut ChaCha8Rng) -> [Rgb; 2] {
    const PAIRS: [[Rgb; 2]; 9] = [
        [RED, YELLOW],
        [RED, YELLOW],
        [RED, YELLOW],
        [[0xff, 0, 0], [0xff, 0xff, 0]],
        [RED, [0x10, 0x10, 0x12]],
        [[0xe5, 0x27, 0x27], [0x65, 0xb8, 0x2e]],
        [[0xf0, 0x50, 0x20], [0x30, 0xb0, 0xe0]],
        [[0x20, 0xa0, 0x50], [0xf0, 0xe0, 0x40]],
        [[0xe0, 0x40, 0x90], [0xf4, 0xc4, 0x30]],
    ];
    let [a, b] = *PAIRS.choose(rng).unwrap_or(&PAIRS[0]);
    let [a, b] = [near(rng, a, 14), near(rng, b, 14)];
    if rng.random_bool(0.5) { [a, b] } else { [b, a] }
}

/// A look of the given theme.
#[must_use]
pub fn look(rng: &mut ChaCha8Rng, theme: &'static str) -> Look {
    let blue = near(rng, BLUE, 24);
    let mut look = Look {
        theme,
        plate: blue,
        surface: Surface::Plain,
        discs: pair(rng),
        empty: Empty::Plain([0xf4; 3]),
        radius: rng.random_range(0.34..0.45),
        aspect: 1.0,
        rim: None,
        depth: 0.0,
        mark: Mark::None,
        lined: false,
        margin: rng.random_range(0.0..0.35),
        selector: false,
    };
    match theme {
        "flat" => {
            look.plate = *[[0, 0, 255], blue, [0x1e, 0x3c, 0xa0]]
                .choose(rng)
                .unwrap_or(&blue);
            let shade = rng.random_range(0..30);
            look.empty = Empty::Plain([shade; 3]);
            look.selector = rng.random_bool(0.5);
        }
        "web" => {
            let shade = rng.random_range(200..=255);
            look.empty = Empty::Plain(near(rng, [shade; 3], 6));
            look.rim = rng
                .random_bool(0.5)
                .then(|| (rng.random_range(0.02..0.05), 0.75));
            look.mark = *[Mark::None, Mark::Edge, Mark::Signs]
                .choose(rng)
                .unwrap_or(&Mark::None);
        }
        "rings" => {
            look.empty = Empty::Ring;
            look.rim = Some((
                rng.random_range(0.025..0.045),
                *[0.0, 0.0, 0.4, 1.6].choose(rng).unwrap_or(&0.0),
            ));
            look.plate = if rng.random_bool(0.6) {
                [0, 0, 255]
            } else {
                blue
            };
        }
        "glossy" => {
            look.surface = Surface::Glossy;
            look.mark = Mark::Gloss;
            look.empty = Empty::Plain(near(rng, [0xd2; 3], 10));
            look.discs = *[[[0x9c, 0, 0x0f], [8, 8, 8]], look.discs]
                .choose(rng)
                .unwrap_or(&look.discs);
        }
        "dark" => {
            let v = rng.random_range(28..70);
            look.plate = [v, v, v];
            look.empty = Empty::Plain(
                *[[255; 3], [0xe8; 3], [6, 6, 8]]
                    .choose(rng)
                    .unwrap_or(&[255; 3]),
            );
            look.mark = Mark::Edge;
        }
        "wood" => {
            look.plate = near(rng, [0xb4, 0x82, 0x50], 20);
            look.surface = Surface::Wood;
            look.empty = *[Empty::Plain([0x32, 0x24, 0x18]), Empty::Through]
                .choose(rng)
                .unwrap_or(&Empty::Through);
            look.discs = *[
                [[0xf0, 0xe6, 0xd2], [0x14, 0x12, 0x10]],
                [RED, YELLOW],
                [[0xf0; 3], RED],
            ]
            .choose(rng)
            .unwrap_or(&look.discs);
            if let Empty::Plain(_) = look.empty {
                look.discs = *[[RED, YELLOW], [[0xf0, 0xe6, 0xd2], RED]]
                    .choose(rng)
                    .unwrap_or(&look.discs);
            } else {
                look.discs = *[[RED, [0x14, 0x12, 0x10]], [RED, YELLOW]]
                    .choose(rng)
                    .unwrap_or(&look.discs);
            }
            look.depth = rng.random_range(0.0..0.03);
            look.radius = rng.random_range(0.33..0.42);
        }
        "toy" => {
            look.plate = *[
                blue,
                [0x10, 0x20, 0x70],
                [0xf0, 0xc8, 0x20],
                [0xc0, 0x20, 0x24],
                [0x20, 0x20, 0x24],
            ]
            .choose(rng)
            .unwrap_or(&blue);
            look.empty = Empty::Through;
            look.surface = Surface::Grain(rng.random_range(0.0..0.04));
            look.rim = Some((rng.random_range(0.02..0.06), rng.random_range(0.6..1.5)));
            look.depth = rng.random_range(0.005..0.03);
            look.mark = *[Mark::Ridges, Mark::None]
                .choose(rng)
                .unwrap_or(&Mark::Ridges);
            look.radius = rng.random_range(0.33..0.42);
            look.aspect = rng.random_range(0.92..1.12);
            look.margin = rng.random_range(0.1..0.5);
            look.discs = if far(look.plate, YELLOW) < 9000 {
                [RED, [0x14, 0x14, 0x16]]
            } else if far(look.plate, RED) < 9000 {
                [YELLOW, [0x14, 0x14, 0x16]]
            } else {
                [near(rng, RED, 16), near(rng, YELLOW, 16)]
            };
        }
        "numbers" => {
            look.mark = Mark::Numbers;
            let shade = rng.random_range(0..=255);
            look.empty = Empty::Plain([shade; 3]);
            if far(look.plate, [shade; 3]) < 8000
                || look.discs.iter().any(|&d| far(d, [shade; 3]) < 8000)
            {
                look.empty = Empty::Plain([0xff; 3]);
            }
        }
        "yellow" => {
            look.empty = Empty::Plain(near(rng, [0xf0, 0xd0, 0x40], 16));
            look.discs = *[
                [RED, [0x12; 3]],
                [RED, [0x20, 0x90, 0x40]],
                [RED, [0xf8; 3]],
            ]
            .choose(rng)
            .unwrap_or(&look.discs);
        }
        "lined" => {
            let v = rng.random_range(0..24);
            look.plate = [v, v, v];
            look.lined = true;
            look.empty = Empty::Ring;
            look.radius = rng.random_range(0.44..0.5);
            look.discs = [[0xe5, 0x27, 0x27], [0x65, 0xb8, 0x2e]];
            look.mark = Mark::Signs;
            look.margin = 0.0;
            look.selector = true;
        }
        _ => odd(rng, &mut look),
    }
    look
}

/// Any colours that are far enough apart.
fn odd(rng: &mut ChaCha8Rng, look: &mut Look) {
    let mut any = || -> Rgb { rng.random() };
    let enough = 12_000;
    let [plate, empty, a, b] = loop {
        let all = [any(), any(), any(), any()];
        let apart = |i: usize, j: usize| far(all[i], all[j]) > enough;
        if (0..4).all(|i| (0..i).all(|j| apart(i, j))) {
            break all;
        }
    };
    look.plate = plate;
    look.empty = Empty::Plain(empty);
    look.discs = [a, b];
    look.surface = *[Surface::Plain, Surface::Grain(0.05), Surface::Plain]
        .choose(rng)
        .unwrap_or(&Surface::Plain);
    look.mark = *[Mark::None, Mark::Edge, Mark::Signs, Mark::Ridges]
        .choose(rng)
        .unwrap_or(&Mark::None);
    look.rim = rng.random_bool(0.4).then_some((0.03, 0.6));
}
