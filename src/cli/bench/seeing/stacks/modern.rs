//! Tetris as it looks in browsers and on desktops today: dark wells over pictures, grid lines,
//! blocks with bevels and glow, landing places, trails of dropped pieces, queues beside the well.
//!
//! Takes a generator of random numbers and what shall be hard, gives a picture with its truth.

use rand::Rng;
use rand::seq::IndexedRandom;

use super::Drawn;
use super::blocks::{Block, COLOURS, Ghost, Painter};
use super::scene::{Rgb, Scene, mixed};
use crate::games::flood::target::canvas::{fill, outline, rounded, text};
use crate::games::flood::target::cases::Truth;
use crate::games::flood::target::scenery::{paint, vivid};
use crate::games::flood::target::style::{Backdrop, Surroundings};
use crate::games::tetris::rules::Kind;
use crate::types::{BoardText, GridSize, Picture, Point, PxFromCell};

/// What shall be hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hard {
    /// Glow, grid lines, a queue at the side, a piece above the board.
    Modern,
    /// Streaks where a piece has dropped.
    Trails,
    /// A picture behind the well.
    Textured,
    /// Nothing but blocks on one colour, light or dark.
    Flat,
    /// Boards of other sizes.
    OddSize,
    /// Two players.
    Pair,
    /// A popup over part of the board.
    Popup,
    /// Cells of a few px.
    Tiny,
    /// A picture of 24 megapixels.
    Huge,
}

/// Sizes that programs have, other than the usual one.
const SIZES: [(u16, u16); 8] = [
    (10, 18),
    (10, 22),
    (12, 20),
    (10, 24),
    (12, 24),
    (8, 16),
    (10, 16),
    (14, 22),
];

fn painter(rng: &mut impl Rng, hard: Hard) -> Painter {
    let dark = hard != Hard::Flat || rng.random_bool(0.6);
    let v = if dark {
        rng.random_range(0..28u8)
    } else {
        rng.random_range(215..=250)
    };
    let pick = |rng: &mut dyn rand::RngCore, all: &[Block]| all[rng.random_range(0..all.len())];
    let cell = match hard {
        Hard::Tiny => f64::from(rng.random_range(6..=11)),
        Hard::Huge => f64::from(rng.random_range(120..=190)),
        Hard::Pair => f64::from(rng.random_range(16..=28)),
        _ => f64::from(rng.random_range(14..=44)),
    };
    Painter {
        cell,
        colours: COLOURS[match (hard, dark) {
            (_, false) => rng.random_range(0..3),
            _ => rng.random_range(0..COLOURS.len()),
        }],
        block: match hard {
            Hard::Modern => pick(rng, &[Block::Square, Block::Bevel, Block::Glossy]),
            Hard::Tiny => pick(rng, &[Block::Flat, Block::Apart]),
            _ => pick(
                rng,
                &[
                    Block::Flat,
                    Block::Bevel,
                    Block::Square,
                    Block::Glossy,
                    Block::Apart,
                ],
            ),
        },
        ghost: if hard == Hard::Trails || hard == Hard::Tiny {
            Ghost::None
        } else {
            *[
                Ghost::None,
                Ghost::Outline,
                Ghost::Veil,
                Ghost::Both,
                Ghost::Grey,
            ]
            .choose(rng)
            .unwrap_or(&Ghost::None)
        },
        glow: match hard {
            Hard::Modern => rng.random_range(0.05..0.3),
            Hard::Trails if rng.random_bool(0.5) => rng.random_range(0.05..0.2),
            _ => 0.0,
        },
        well: [v, v, v.saturating_add(rng.random_range(0..6))],
        texture: match hard {
            Hard::Textured => rng.random_range(0.3..1.0),
            Hard::Modern if rng.random_bool(0.4) => rng.random_range(0.1..0.4),
            _ => 0.0,
        },
        grid: match hard {
            Hard::Flat | Hard::Tiny => None,
            _ => rng
                .random_bool(0.6)
                .then(|| ([0xff; 3], rng.random_range(0.04..0.2))),
        },
        seed: rng.random(),
    }
}

fn behind(rng: &mut impl Rng, picture: (u32, u32), hard: Hard, well: Rgb) -> Picture {
    let (a, b) = (vivid(rng), vivid(rng));
    let dim = rng.random_range(0.1..0.7);
    let dark = |c: Rgb| c.map(|v| mixed(0, v, dim));
    let light = rng.random_range(200..=255u8);
    let backdrop = match (hard, rng.random_range(0..4)) {
        (Hard::Flat | Hard::Huge, 0) => Backdrop::Plain([light; 3]),
        (Hard::Flat | Hard::Huge, _) => Backdrop::Plain(well),
        (_, 0) => Backdrop::Plain([0; 3]),
        (_, 1) => Backdrop::Plain(dark(a)),
        (_, 2) => Backdrop::Gradient(dark(a), dark(b), rng.random_range(0.0..6.3)),
        _ => Backdrop::Wallpaper(dark(a), dark(b), rng.random_range(60.0..320.0)),
    };
    let s = Surroundings {
        backdrop,
        seed: rng.random(),
        ..Surroundings::default()
    };
    paint(picture.0, picture.1, &s)
}

/// Lines around a well: left, right and lower side always, the upper one sometimes.
fn frame(out: &mut Picture, [x0, y0, x1, y1]: [f64; 4], line: f64, rgb: Rgb, top: bool) {
    fill(out, [x0 - line, y0, x0, y1 + line], rgb);
    fill(out, [x1, y0, x1 + line, y1 + line], rgb);
    fill(out, [x0 - line, y1, x1 + line, y1 + line], rgb);
    if top {
        fill(out, [x0 - line, y0 - line, x1 + line, y0], rgb);
    }
}

/// A picture of one kind.
#[must_use]
pub fn picture(rng: &mut impl Rng, hard: Hard) -> Drawn {
    let p = painter(rng, hard);
    let size = match hard {
        Hard::OddSize => {
            let (c, r) = *SIZES.choose(rng).unwrap_or(&(10, 18));
            GridSize::new(c, r)
        }
        _ => GridSize::new(10, 20),
    };
    let s = p.cell;
    let wells = if hard == Hard::Pair { 2 } else { 1 };
    let (w, h) = (s * f64::from(size.cols), s * f64::from(size.rows));
    let side = s * rng.random_range(5.6..8.0);
    let step = w + side + 1.5 * s;
    let room = (
        rng.random_range(0.2..6.0) * s,
        rng.random_range(0.5..6.0) * s,
    );
    let mut left = side + room.0;
    if hard == Hard::Flat && rng.random_bool(0.5) {
        left = room.0.max(4.0);
    }
    let head = s * rng.random_range(2.2..4.0);
    let mut extent = (
        (left + step * f64::from(wells) + room.0).ceil() as u32,
        (head + h + room.1).ceil() as u32,
    );
    if hard == Hard::Huge {
        extent = (6000, 4000);
    }
    let mut out = behind(rng, extent, hard, p.well);
    let line = (s * rng.random_range(0.05..0.2)).round().max(1.0);
    let around = *[[0xf4; 3], [0x88; 3], [0xb0, 0xb8, 0xd0], [0x50, 0x60, 0x90]]
        .choose(rng)
        .unwrap_or(&[0xf4; 3]);
    let framed = p.well[0] < 100 || rng.random_bool(0.5);
    let ink = if p.well[0] > 100 { [0x40; 3] } else { around };
    let (top, bar) = (rng.random_bool(0.5), rng.random_bool(0.4));
    let mut boards = Vec::new();
    for i in 0..wells {
        let scene = Scene::any(rng, size, if hard == Hard::Trails { 0.5 } else { 0.75 });
        let mut scene = scene;
        if hard == Hard::Trails {
            // It has just landed.
            scene.piece = scene.ghost;
        }
        let at = Point::new(
            (left + step * f64::from(i)).round(),
            (if hard == Hard::Huge {
                (4000.0 - h) * 0.6
            } else {
                head
            })
            .round(),
        );
        let area = [at.x, at.y, at.x + w, at.y + h].map(f64::round);
        if framed {
            frame(&mut out, area, line, ink, top);
        } else {
            // A hair line, without which nobody could say where it ends.
            frame(&mut out, area, 1.0, [0x60; 3], true);
        }
        p.ground(&mut out, at, size);
        if bar && framed {
            let x = area[2] + line;
            fill(
                &mut out,
                [x, area[1], x + 0.7 * s, area[3] + line],
                [0x4c, 0xa8, 0xc0],
            );
        }
        p.scene(&mut out, at, &scene, hard == Hard::Trails);
        let queue = Point::new(at.x + w + line + s, at.y);
        p.queue(
            &mut out,
            queue,
            &scene.next[..rng.random_range(1..=5)],
            ink,
            p.well,
        );
        if left > 5.5 * s && rng.random_bool(0.6) {
            let hold = Point::new(at.x - 5.6 * s - line, at.y);
            p.queue(&mut out, hold, &scene.next[4..], ink, p.well);
        }
        let mut letters: Vec<char> = scene
            .spots()
            .map(|s| match scene.value(s) {
                0 => '.',
                v => Kind::from_number(v).map_or('G', Kind::letter),
            })
            .collect();
        if hard == Hard::Popup {
            popup(rng, &mut out, area, size, &mut letters);
        }
        let place = PxFromCell::upright(at, s, s);
        boards.push(Truth {
            size,
            board: BoardText::from_cells(usize::from(size.cols), letters),
            corners: Some(place.corners(size)),
        });
    }
    let look = format!(
        "{:?} ghost {:?} cell {s} texture {:.1}",
        p.block, p.ghost, p.texture
    );
    Drawn {
        screen: out,
        boards,
        name: look,
    }
}

/// A box with words over part of the well; the cells below it become unknown.
fn popup(
    rng: &mut impl Rng,
    out: &mut Picture,
    [x0, y0, x1, y1]: [f64; 4],
    size: GridSize,
    letters: &mut [char],
) {
    let (w, h) = (x1 - x0, y1 - y0);
    let (bw, bh) = (
        w * rng.random_range(0.5..1.3),
        h * rng.random_range(0.08..0.25),
    );
    let x = x0 + (w - bw) * rng.random_range(0.2..0.8);
    let y = y0 + (h - bh) * rng.random_range(0.15..0.85);
    let area = [x, y, x + bw, y + bh].map(f64::round);
    let face = if rng.random_bool(0.5) {
        [0xe4; 3]
    } else {
        [0x20, 0x20, 0x34]
    };
    let ink = if face[0] > 100 { [0x10; 3] } else { [0xf0; 3] };
    rounded(out, area, bh * 0.1, face);
    outline(out, area, 2.0, ink);
    text(
        out,
        x + bw * 0.15,
        y + bh * 0.35,
        (bw / 90.0).max(0.8),
        ink,
        "PAUSED",
    );
    let cell = (w / f64::from(size.cols), h / f64::from(size.rows));
    for (letter, c) in letters.iter_mut().zip(size.cells()) {
        let (cx, cy) = (
            x0 + cell.0 * f64::from(c.col),
            y0 + cell.1 * f64::from(c.row),
        );
        let apart = cx + cell.0 < area[0] - 1.0
            || cx > area[2] + 1.0
            || cy + cell.1 < area[1] - 1.0
            || cy > area[3] + 1.0;
        if !apart {
            *letter = '?';
        }
    }
}
