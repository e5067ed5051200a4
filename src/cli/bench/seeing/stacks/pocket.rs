//! Tetris of the pocket consoles: four shades, patterns instead of colours, light where it is
//! empty, walls of bricks, and a board as high as the screen.
//!
//! Takes a generator of random numbers, gives a picture with its truth.

use rand::Rng;
use rand::seq::IndexedRandom;

use super::Drawn;
use super::scene::{Rgb, Scene};
use crate::games::flood::target::canvas::{fill, outline, text};
use crate::games::flood::target::cases::Truth;
use crate::games::tetris::rules::Kind;
use crate::types::{BoardText, GridSize, Picture, Point, PxFromCell};

/// Shades from light to dark.
const SHADES: [[Rgb; 4]; 4] = [
    [[0xff; 3], [0xaa; 3], [0x55; 3], [0x00; 3]],
    [[0xe8; 3], [0xa0; 3], [0x58; 3], [0x10; 3]],
    [
        [0x9b, 0xbc, 0x0f],
        [0x8b, 0xac, 0x0f],
        [0x30, 0x62, 0x30],
        [0x0f, 0x38, 0x0f],
    ],
    [
        [0xc4, 0xcf, 0xa1],
        [0x8b, 0x95, 0x6d],
        [0x4d, 0x53, 0x3c],
        [0x1f, 0x1f, 0x1f],
    ],
];

/// A block of a kind: outline, then a pattern of its own.
fn block(out: &mut Picture, x: f64, y: f64, s: f64, kind: u8, shade: &[Rgb; 4]) {
    let b = |a: f64, c: f64, d: f64, e: f64| [x + a * s, y + c * s, x + d * s, y + e * s];
    fill(out, b(0.0, 0.0, 8.0, 8.0), shade[3]);
    match Kind::from_number(kind) {
        Some(Kind::O) => {
            fill(out, b(1.0, 1.0, 7.0, 7.0), shade[0]);
            fill(out, b(2.0, 2.0, 6.0, 6.0), shade[3]);
        }
        Some(Kind::I) => {
            fill(out, b(1.0, 1.0, 7.0, 7.0), shade[2]);
            for (dx, dy) in [(2.0, 2.0), (5.0, 3.0), (3.0, 5.0)] {
                fill(out, b(dx, dy, dx + 1.0, dy + 1.0), shade[1]);
            }
        }
        Some(Kind::S) => {
            fill(out, b(1.0, 1.0, 7.0, 7.0), shade[2]);
            fill(out, b(3.0, 3.0, 5.0, 5.0), shade[0]);
        }
        Some(Kind::Z) => {
            fill(out, b(1.0, 1.0, 7.0, 7.0), shade[1]);
            fill(out, b(3.0, 3.0, 5.0, 5.0), shade[3]);
        }
        Some(Kind::L) => fill(out, b(1.0, 1.0, 7.0, 7.0), shade[1]),
        Some(Kind::J) => {
            fill(out, b(1.0, 1.0, 7.0, 7.0), shade[1]);
            fill(out, b(2.0, 2.0, 6.0, 6.0), shade[3]);
            fill(out, b(3.0, 3.0, 5.0, 5.0), shade[0]);
        }
        _ => {
            fill(out, b(1.0, 1.0, 7.0, 7.0), shade[1]);
            fill(out, b(2.0, 2.0, 6.0, 6.0), shade[2]);
        }
    }
}

/// The console's screen, each of its pixels some px wide.
#[must_use]
pub fn frame(rng: &mut impl Rng) -> Drawn {
    let size = GridSize::new(10, 18);
    let scene = Scene::any(rng, size, 0.75);
    let shade = SHADES.choose(rng).unwrap_or(&SHADES[0]);
    let s = f64::from(rng.random_range(2..=6));
    let mut out = Picture::filled((160.0 * s) as u32, (144.0 * s) as u32, shade[0]);
    let left = 16.0 * s;
    for row in 0..24 {
        for x in [8.0, 96.0] {
            let y = 6.0 * f64::from(row) * s;
            fill(&mut out, [x * s, y, (x + 8.0) * s, y + 6.0 * s], shade[2]);
            fill(&mut out, [x * s, y, (x + 8.0) * s, y + s], shade[3]);
            let joint = x + if row % 2 == 0 { 2.0 } else { 5.0 };
            fill(
                &mut out,
                [joint * s, y, (joint + 1.0) * s, y + 6.0 * s],
                shade[3],
            );
        }
    }
    fill(&mut out, [104.0 * s, 0.0, 160.0 * s, 144.0 * s], shade[1]);
    for (y, label, value) in [
        (4.0, "SCORE", "4210"),
        (52.0, "LEVEL", "3"),
        (76.0, "LINES", "27"),
    ] {
        fill(
            &mut out,
            [107.0 * s, y * s, 158.0 * s, (y + 21.0) * s],
            shade[0],
        );
        text(&mut out, 109.0 * s, (y + 2.0) * s, s, shade[3], label);
        text(&mut out, 117.0 * s, (y + 12.0) * s, s, shade[3], value);
    }
    fill(
        &mut out,
        [112.0 * s, 102.0 * s, 154.0 * s, 142.0 * s],
        shade[0],
    );
    outline(
        &mut out,
        [112.0 * s, 102.0 * s, 154.0 * s, 142.0 * s],
        2.0 * s,
        shade[3],
    );
    if let Some(&kind) = scene.next.first() {
        for (cx, cy) in crate::games::tetris::target::paint::next_cells(kind) {
            let (x, y) = (117.0 + 8.0 * f64::from(cx), 114.0 + 8.0 * f64::from(cy));
            block(&mut out, x * s, y * s, s, kind.number(), shade);
        }
    }
    let mut letters = Vec::new();
    for spot in scene.spots() {
        let value = scene.value(spot);
        if value != 0 {
            let (x, y) = (
                left + 8.0 * s * f64::from(spot.0),
                8.0 * s * f64::from(spot.1),
            );
            block(&mut out, x, y, s, value, shade);
        }
        letters.push(match value {
            0 => '.',
            // Patterns are not what is asked: filled or not.
            _ => '#',
        });
    }
    let place = PxFromCell::upright(Point::new(left, 0.0), 8.0 * s, 8.0 * s);
    Drawn {
        screen: out,
        boards: vec![Truth {
            size,
            board: BoardText::from_cells(10, letters),
            corners: Some(place.corners(size)),
        }],
        name: format!("pixels of {s}"),
    }
}
