//! Tetris of the consoles of the eighties as a capture card delivers it: 256x240 stretched to the
//! card's size, colours smeared along the lines, two moments combed into one frame, rows that
//! vanish from their middle.
//!
//! Takes a generator of random numbers and what shall be hard, gives a picture with its truth.

use rand::Rng;
use rand::seq::IndexedRandom;

use super::Drawn;
use super::scene::{Rgb, Scene, Spot};
use crate::games::flood::target::canvas::{fill, hash, outline, text};
use crate::games::flood::target::cases::Truth;
use crate::games::tetris::rules::Kind;
use crate::types::picture::{channels, packed};
use crate::types::{BoardText, GridSize, Picture, Point, PxFromCell};

/// The console's own picture.
const NATIVE: (u32, u32) = (256, 240);

/// Where its board lies, and the side of a cell.
const BOARD: (f64, f64) = (96.0, 40.0);
const CELL: f64 = 8.0;

/// Two colours by level.
const LEVELS: [[Rgb; 2]; 10] = [
    [[0x00, 0x58, 0xf8], [0x3c, 0xbc, 0xfc]],
    [[0x00, 0xa8, 0x00], [0xb8, 0xf8, 0x18]],
    [[0xd8, 0x00, 0xcc], [0xf8, 0x78, 0xf8]],
    [[0x00, 0x58, 0xf8], [0x58, 0xd8, 0x54]],
    [[0xe4, 0x00, 0x58], [0x58, 0xf8, 0x98]],
    [[0x58, 0xf8, 0x98], [0x68, 0x88, 0xfc]],
    [[0xf8, 0x38, 0x00], [0x7c, 0x7c, 0x7c]],
    [[0x68, 0x44, 0xfc], [0xa8, 0x00, 0x20]],
    [[0x00, 0x58, 0xf8], [0xf8, 0x38, 0x00]],
    [[0xf8, 0x38, 0x00], [0xfc, 0xa0, 0x44]],
];

/// What is special about a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Nothing.
    Plain,
    /// Odd lines show the next moment.
    Combed,
    /// Full rows are vanishing.
    Clearing,
}

/// One of the three looks of a kind, as a letter.
fn look(kind: u8) -> (usize, char) {
    match Kind::from_number(kind) {
        Some(Kind::O | Kind::I | Kind::T) => (0, 'T'),
        Some(Kind::J | Kind::S) => (1, 'J'),
        _ => (2, 'Z'),
    }
}

fn block(out: &mut Picture, x: f64, y: f64, value: u8, colours: [Rgb; 2], side: f64) {
    let white = [0xfc; 3];
    let s = side / CELL;
    let at = |x0: f64, y0: f64, x1: f64, y1: f64| [x + x0 * s, y + y0 * s, x + x1 * s, y + y1 * s];
    match look(value).0 {
        0 => {
            fill(out, at(0.0, 0.0, 7.0, 7.0), colours[0]);
            fill(out, at(1.0, 1.0, 6.0, 6.0), white);
            fill(out, at(0.0, 0.0, 1.0, 1.0), white);
        }
        n => {
            fill(out, at(0.0, 0.0, 7.0, 7.0), colours[n - 1]);
            fill(out, at(0.0, 0.0, 1.0, 1.0), white);
            fill(out, at(1.0, 1.0, 3.0, 2.0), white);
            fill(out, at(1.0, 2.0, 2.0, 3.0), white);
        }
    }
}

/// A framed panel.
fn panel(out: &mut Picture, [x, y, w, h]: [f64; 4], tone: Rgb) {
    fill(out, [x, y, x + w, y + h], [0; 3]);
    outline(out, [x + 2.0, y + 2.0, x + w - 2.0, y + h - 2.0], 2.0, tone);
}

fn pieces(out: &mut Picture, colours: [Rgb; 2], side: f64, top: f64) {
    for (i, kind) in Kind::ALL.into_iter().enumerate() {
        let y = top + 16.0 * i as f64;
        for (cx, cy) in crate::games::tetris::target::paint::next_cells(kind) {
            let (x, y) = (24.0 + f64::from(cx) * side, y + f64::from(cy) * side);
            block(out, x, y, kind.number(), colours, side);
        }
    }
}

/// The console's own picture of a scene.
fn native(scene: &Scene, level: usize, seed: u64, gone: &dyn Fn(Spot) -> bool) -> Picture {
    let mut out = Picture::filled(NATIVE.0, NATIVE.1, [0; 3]);
    let colours = LEVELS[level % LEVELS.len()];
    let ground: Rgb = [0x74, 0x74, 0x74];
    for ty in 0..30 {
        for tx in 0..32 {
            // Bricks of some shapes in greys, as on the wall behind the panels.
            let v = hash(seed, tx, ty);
            let (x, y) = (8.0 * tx as f64, 8.0 * ty as f64);
            let tone = if v < 0.55 { [0x40; 3] } else { [0x58; 3] };
            fill(&mut out, [x, y, x + 8.0, y + 8.0], tone);
            if v > 0.3 {
                fill(&mut out, [x, y, x + 7.0, y + 1.0], ground);
                fill(&mut out, [x, y, x + 1.0, y + 7.0], ground);
            }
        }
    }
    let frame = [0x9c, 0xfc, 0xf0];
    let (w, h) = (
        8.0 * f64::from(scene.size.cols),
        8.0 * f64::from(scene.size.rows),
    );
    panel(&mut out, [BOARD.0 - 6.0, 8.0, w + 12.0, 22.0], frame);
    text(&mut out, BOARD.0 + 2.0, 15.0, 1.0, [0xfc; 3], "LINES-042");
    panel(
        &mut out,
        [BOARD.0 - 5.0, BOARD.1 - 5.0, w + 10.0, h + 10.0],
        frame,
    );
    panel(&mut out, [14.0, 60.0, 72.0, 140.0], frame);
    text(&mut out, 18.0, 68.0, 0.8, [0xfc; 3], "STATISTI");
    pieces(&mut out, colours, 6.0, 84.0);
    for i in 0..7u32 {
        let n = format!("{:03}", (hash(seed ^ 5, i64::from(i), 0) * 60.0) as u32);
        text(
            &mut out,
            54.0,
            86.0 + 16.0 * f64::from(i),
            1.0,
            [0xd8, 0x28, 0x00],
            &n,
        );
    }
    panel(&mut out, [186.0, 24.0, 64.0, 64.0], frame);
    text(&mut out, 192.0, 34.0, 1.0, [0xfc; 3], "SCORE");
    text(&mut out, 192.0, 46.0, 1.0, [0xfc; 3], "038120");
    panel(&mut out, [186.0, 104.0, 48.0, 48.0], frame);
    text(&mut out, 194.0, 110.0, 1.0, [0xfc; 3], "NEXT");
    if let Some(&kind) = scene.next.first() {
        for (cx, cy) in crate::games::tetris::target::paint::next_cells(kind) {
            let (x, y) = (194.0 + 8.0 * f64::from(cx), 126.0 + 8.0 * f64::from(cy));
            block(&mut out, x, y, kind.number(), colours, CELL);
        }
    }
    panel(&mut out, [186.0, 164.0, 52.0, 30.0], frame);
    text(&mut out, 192.0, 174.0, 1.0, [0xfc; 3], "LV 07");
    fill(
        &mut out,
        [BOARD.0, BOARD.1, BOARD.0 + w, BOARD.1 + h],
        [0; 3],
    );
    for spot in scene.spots() {
        let value = scene.value(spot);
        if value != 0 && !gone(spot) {
            let (x, y) = (
                BOARD.0 + CELL * f64::from(spot.0),
                BOARD.1 + CELL * f64::from(spot.1),
            );
            block(&mut out, x, y, value, colours, CELL);
        }
    }
    out
}

/// A frame of a capture card.
#[must_use]
pub fn frame(rng: &mut impl Rng, seed: u64, moment: Moment) -> Drawn {
    let size = GridSize::new(10, 20);
    let mut scene = Scene::any(rng, size, 0.75);
    let level = rng.random_range(0..10);
    let mut rows = Vec::new();
    if moment == Moment::Clearing {
        // The lowest rows of the pile become full, and what falls has become part of them.
        let n = rng.random_range(1..=4);
        let low = 20 - n;
        for spot in scene.spots().filter(|s| s.1 >= low) {
            let i = (spot.1 * 10 + spot.0) as usize;
            if scene.pile[i] == 0 {
                scene.pile[i] = rng.random_range(1..=7);
            }
        }
        rows.extend(low..20);
        scene.piece = [(-9, -9); 4];
    }
    // Columns gone on both sides of the middle.
    let step = rng.random_range(0..=4);
    let gone = |(x, y): Spot| rows.contains(&y) && (5 - step..5 + step).contains(&x);
    let shown = native(&scene, level, seed, &gone);
    let mut letters: Vec<char> = scene
        .spots()
        .map(|s| match scene.value(s) {
            0 => '.',
            _ if gone(s) => '.',
            v => look(v).1,
        })
        .collect();
    let later = match moment {
        Moment::Combed => {
            let next = scene.moved(rng.random_range(-1..=1), 1);
            for (letter, spot) in letters.iter_mut().zip(scene.spots()) {
                if next.value(spot) != scene.value(spot) {
                    *letter = '?';
                }
            }
            Some(native(&next, level, seed, &gone))
        }
        _ => None,
    };
    let cut = *[0.0, 0.0, 4.0, 8.0].choose(rng).unwrap_or(&0.0);
    let (screen, place) = stretched(rng, &shown, later.as_ref(), cut);
    let corners = place.corners(size);
    Drawn {
        screen,
        boards: vec![Truth {
            size,
            board: BoardText::from_cells(10, letters),
            corners: Some(corners),
        }],
        name: format!("level {level} {moment:?}"),
    }
}

/// The native picture at the size of a card, lines and colours softened; the board's place.
fn stretched(
    rng: &mut impl Rng,
    first: &Picture,
    second: Option<&Picture>,
    cut: f64,
) -> (Picture, PxFromCell) {
    let (w, h) = *[
        (640, 480),
        (720, 480),
        (720, 576),
        (320, 240),
        (1280, 720),
        (1920, 1080),
    ]
    .choose(rng)
    .unwrap_or(&(640, 480));
    // Wide pictures show it 4:3 between black bars, or stretched.
    let shown = if w * 3 > h * 4 && rng.random_bool(0.8) {
        f64::from(h) * 4.0 / 3.0
    } else {
        f64::from(w)
    };
    let left = ((f64::from(w) - shown) / 2.0).round();
    let (sx, sy) = (
        shown / (f64::from(NATIVE.0) - 2.0 * cut),
        f64::from(h) / (f64::from(NATIVE.1) - 2.0 * cut),
    );
    let crisp = rng.random_bool(0.25);
    let (luma_blur, chroma_blur) = if crisp {
        (0.0, 0.0)
    } else {
        (rng.random_range(0.2..0.55), rng.random_range(0.5..1.6))
    };
    let noise = rng.random_range(0.0..if crisp { 0.5 } else { 4.0 });
    let seed = rng.random::<u64>();
    let mut out = Picture::filled(w, h, [0; 3]);
    let at = |from: &Picture, x: f64, y: f64| -> [f64; 3] {
        let (x, y) = (x.floor(), y.floor());
        if x < 0.0 || y < 0.0 || x >= f64::from(NATIVE.0) || y >= f64::from(NATIVE.1) {
            return [0.0; 3];
        }
        channels(from.at(x as u32, y as u32)).map(f64::from)
    };
    const TAPS: i32 = 4;
    for y in 0..h {
        let from = match second {
            Some(second) if y % 2 == 1 => second,
            _ => first,
        };
        let ny = (f64::from(y) + 0.5) / sy + cut;
        for x in 0..w {
            let px = f64::from(x) + 0.5 - left;
            if px < 0.0 || px >= shown {
                continue;
            }
            let nx = px / sx + cut;
            // Rows are mixed as far as a pixel covers them; along the line brightness is soft
            // and colour softer.
            let row = |x: f64| {
                let (a, b) = (at(from, x, ny - 0.5 / sy), at(from, x, ny + 0.5 / sy));
                let edge = (ny + 0.5 / sy).floor();
                let part = ((edge - (ny - 0.5 / sy)) * sy).clamp(0.0, 1.0);
                if crisp {
                    at(from, x, ny)
                } else {
                    [0, 1, 2].map(|i| a[i] * part + b[i] * (1.0 - part))
                }
            };
            let spread = |blur: f64| {
                if blur == 0.0 {
                    return row(nx);
                }
                let mut sum = [0.0; 3];
                for t in -TAPS..=TAPS {
                    let c = row(nx + blur * f64::from(t) / f64::from(TAPS) * 1.5);
                    for i in 0..3 {
                        sum[i] += c[i] / f64::from(2 * TAPS + 1);
                    }
                }
                sum
            };
            let (fine, soft) = (spread(luma_blur), spread(chroma_blur));
            let luma = |c: [f64; 3]| 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2];
            let grain = noise * (hash(seed, i64::from(x), i64::from(y)) - 0.5) * 2.0;
            let lift = luma(fine) - luma(soft) + grain;
            let rgb = soft.map(|v| (v + lift).round().clamp(0.0, 255.0) as u8);
            out.pixels_mut()[(y * w + x) as usize] = packed(rgb);
        }
    }
    let origin = Point::new(left + (BOARD.0 - cut) * sx, (BOARD.1 - cut) * sy);
    let place = PxFromCell::upright(origin, CELL * sx, CELL * sy);
    (out, place)
}
