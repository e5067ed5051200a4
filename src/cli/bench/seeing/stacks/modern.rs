//! Tetris as it looks in browsers and on desktops today: dark wells over pictures, grid lines,
//! blocks with bevels and glow, landing places, trails of dropped pieces, queues beside the well.
//!
//! Takes a generator of random numbers and what shall be hard, gives a picture with its truth.

use rand::Rng;
use rand::seq::IndexedRandom;

use super::Drawn;
use super::scene::{Rgb, Scene, Spot, mixed, shaded, tint};
use crate::games::flood::target::canvas::{clouds, fill, hash, outline, rounded, text};
use crate::games::flood::target::cases::Truth;
use crate::games::flood::target::scenery::{paint, vivid};
use crate::games::flood::target::style::{Backdrop, Surroundings};
use crate::games::tetris::rules::Kind;
use crate::games::tetris::target::paint::next_cells;
use crate::types::picture::{channels, packed};
use crate::types::{BoardText, GridSize, Picture, Point, PxFromCell};

/// Colours of the kinds by their numbers, then of anything else.
const COLOURS: [[Rgb; 8]; 5] = [
    [
        [0xe3, 0xc4, 0x2c],
        [0x31, 0xb2, 0x82],
        [0x8b, 0xd2, 0x2c],
        [0xf0, 0x2e, 0x4a],
        [0xe5, 0x6b, 0x2e],
        [0x54, 0x3f, 0xd2],
        [0xc0, 0x35, 0xb4],
        [0x7a, 0x7a, 0x7e],
    ],
    [
        [0xf0, 0xf0, 0x00],
        [0x00, 0xf0, 0xf0],
        [0x00, 0xf0, 0x00],
        [0xf0, 0x00, 0x00],
        [0xf0, 0xa0, 0x00],
        [0x00, 0x00, 0xf0],
        [0xa0, 0x00, 0xf0],
        [0x99, 0x99, 0x99],
    ],
    [
        [0xe3, 0x9f, 0x02],
        [0x0f, 0x9b, 0xd7],
        [0x59, 0xb1, 0x01],
        [0xd7, 0x0f, 0x37],
        [0xe3, 0x5b, 0x02],
        [0x21, 0x41, 0xc6],
        [0xaf, 0x29, 0x8a],
        [0x6a, 0x6a, 0x6a],
    ],
    [
        [0xfa, 0xdc, 0x3c],
        [0x3c, 0xd2, 0xe6],
        [0x6e, 0xdc, 0x64],
        [0xf0, 0x50, 0x50],
        [0xfa, 0xa0, 0x46],
        [0x5a, 0x78, 0xf0],
        [0xb4, 0x6e, 0xe6],
        [0xb4, 0xb4, 0xb4],
    ],
    [
        [0xb8, 0x9a, 0x20],
        [0x1c, 0x88, 0x92],
        [0x30, 0x86, 0x30],
        [0x9c, 0x24, 0x24],
        [0xb0, 0x60, 0x18],
        [0x26, 0x36, 0xa8],
        [0x78, 0x28, 0x8c],
        [0x68, 0x68, 0x70],
    ],
];

/// How a block is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Flat,
    Bevel,
    Square,
    Glossy,
    Apart,
}

/// How the landing place is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ghost {
    None,
    Outline,
    Veil,
    Both,
    Grey,
}

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

struct Painter {
    cell: f64,
    colours: [Rgb; 8],
    block: Block,
    ghost: Ghost,
    glow: f64,
    well: Rgb,
    texture: f64,
    grid: Option<(Rgb, f64)>,
    seed: u64,
}

impl Painter {
    fn area(&self, at: Point, (x, y): Spot) -> [f64; 4] {
        let s = self.cell;
        let (x, y) = (at.x + s * f64::from(x), at.y + s * f64::from(y));
        [x.round(), y.round(), (x + s).round(), (y + s).round()]
    }

    fn block(&self, out: &mut Picture, area: [f64; 4], value: u8) {
        let rgb = self.colours[usize::from(value.clamp(1, 8) - 1)];
        let [x0, y0, x1, y1] = area;
        let s = x1 - x0;
        let inset = |by: f64| {
            let d = (by * s).round().max(1.0);
            [x0 + d, y0 + d, x1 - d, y1 - d]
        };
        match self.block {
            Block::Flat => fill(out, area, rgb),
            Block::Apart => {
                fill(out, area, shaded(rgb, 0.25));
                fill(out, inset(0.05), rgb);
            }
            Block::Bevel => {
                fill(out, area, shaded(rgb, 0.62));
                let d = (0.12 * s).round().max(1.0);
                fill(out, [x0, y0, x1, y0 + d], shaded(rgb, 1.45));
                fill(out, [x0, y0, x0 + d, y1], shaded(rgb, 1.25));
                fill(out, [x0 + d, y0 + d, x1 - d, y1 - d], rgb);
            }
            Block::Square => {
                fill(out, area, shaded(rgb, 0.8));
                fill(out, [x0, y0, x1 - 1.0, y0 + (0.06 * s).max(1.0)], shaded(rgb, 1.3));
                fill(out, inset(0.05), rgb);
                outline(out, inset(0.27), (0.05 * s).max(1.0), shaded(rgb, 0.82));
                outline(out, inset(0.33), 1.0, shaded(rgb, 1.15));
            }
            Block::Glossy => {
                fill(out, area, shaded(rgb, 0.55));
                let steps = (s as usize).max(2);
                for i in 0..steps {
                    let t = i as f64 / steps as f64;
                    let y = y0 + 1.0 + (s - 2.0) * t;
                    let band = [x0 + 1.0, y, x1 - 1.0, y + (s - 2.0) / steps as f64 + 0.5];
                    fill(out, band, shaded(rgb, 1.35 - 0.65 * t));
                }
            }
        }
    }

    fn halo(&self, out: &mut Picture, area: [f64; 4], value: u8) {
        let rgb = self.colours[usize::from(value.clamp(1, 8) - 1)];
        for k in (1..=4).rev() {
            let d = self.cell * 0.11 * f64::from(k);
            let wide = [area[0] - d, area[1] - d, area[2] + d, area[3] + d];
            tint(out, wide, rgb, self.glow / 4.0);
        }
    }

    fn landing(&self, out: &mut Picture, area: [f64; 4], value: u8) {
        let rgb = match self.ghost {
            Ghost::Grey => [0x90; 3],
            _ => self.colours[usize::from(value.clamp(1, 8) - 1)],
        };
        let line = (self.cell * 0.08).round().max(1.0);
        match self.ghost {
            Ghost::None => {}
            Ghost::Outline => outline(out, area, line, shaded(rgb, 0.8)),
            Ghost::Veil => tint(out, area, rgb, 0.22),
            Ghost::Grey => tint(out, area, rgb, 0.2),
            Ghost::Both => {
                tint(out, area, rgb, 0.16);
                outline(out, area, line, shaded(rgb, 0.7));
            }
        }
    }

    /// The well without anything in it.
    fn ground(&self, out: &mut Picture, at: Point, size: GridSize) {
        let (w, h) = (
            self.cell * f64::from(size.cols),
            self.cell * f64::from(size.rows),
        );
        let width = out.width() as usize;
        let (right, low) = (
            (at.x + w).round().min(f64::from(out.width())) as usize,
            (at.y + h).round().min(f64::from(out.height())) as usize,
        );
        for y in (at.y.round().max(0.0) as usize)..low {
            for x in (at.x.round().max(0.0) as usize)..right {
                let p = &mut out.pixels_mut()[y * width + x];
                let light = if self.texture > 0.0 {
                    let v = clouds(self.seed, x as f64, y as f64, self.cell * 3.0);
                    1.0 + self.texture * (v - 0.5) * 4.0
                } else {
                    1.0
                };
                *p = packed(self.well.map(|v| {
                    let base = f64::from(v) + if self.texture > 0.0 { 6.0 } else { 0.0 };
                    (base * light).round().clamp(0.0, 255.0) as u8
                }));
            }
        }
        if let Some((rgb, part)) = self.grid {
            let line = (self.cell / 30.0).round().max(1.0);
            for col in 0..=size.cols {
                let x = (at.x + self.cell * f64::from(col)).round();
                tint(out, [x, at.y, x + line, at.y + h], rgb, part);
            }
            for row in 0..=size.rows {
                let y = (at.y + self.cell * f64::from(row)).round();
                tint(out, [at.x, y, at.x + w, y + line], rgb, part);
            }
        }
    }

    fn scene(&self, out: &mut Picture, at: Point, scene: &Scene, trail: bool) {
        if trail {
            let mut cols: Vec<i32> = scene.ghost.iter().map(|s| s.0).collect();
            cols.sort_unstable();
            cols.dedup();
            let own = self.colours[scene.kind.index()];
            let rgb = if hash(self.seed, 4, 4) < 0.5 { own } else { [0xff; 3] };
            for col in cols {
                let top = scene.ghost.iter().filter(|s| s.0 == col).map(|s| s.1).min();
                let end = f64::from(top.unwrap_or(0));
                let begin = (end - 7.0).max(0.0);
                let steps = (self.cell * (end - begin)) as usize;
                for i in 0..steps {
                    let t = i as f64 / steps as f64;
                    let y = at.y + self.cell * (begin + (end - begin) * t);
                    let x = at.x + self.cell * f64::from(col);
                    tint(out, [x + 1.0, y, x + self.cell - 1.0, y + 1.0], rgb, 0.3 * t);
                }
            }
        }
        if self.glow > 0.0 {
            for spot in scene.spots().filter(|&s| scene.value(s) != 0) {
                self.halo(out, self.area(at, spot), scene.value(spot));
            }
        }
        for spot in scene.ghosts() {
            self.landing(out, self.area(at, spot), scene.kind.number());
        }
        for spot in scene.spots().filter(|&s| scene.fixed(s) != 0) {
            self.block(out, self.area(at, spot), scene.fixed(spot));
        }
        for spot in scene.piece {
            self.block(out, self.area(at, spot), scene.kind.number());
        }
    }

    fn queue(&self, out: &mut Picture, at: Point, kinds: &[Kind], ink: Rgb, ground: Rgb) {
        let s = self.cell;
        let area = [at.x, at.y, at.x + 5.0 * s, at.y + s * (1.5 + 3.0 * kinds.len() as f64)];
        fill(out, area, ground);
        outline(out, area, (s / 12.0).max(1.0), ink);
        text(out, at.x + 0.3 * s, at.y + 0.3 * s, s / 12.0, ink, "NEXT");
        for (i, kind) in kinds.iter().enumerate() {
            for (cx, cy) in next_cells(*kind) {
                let x = at.x + s * (0.5 + f64::from(cx));
                let y = at.y + s * (1.6 + 3.0 * i as f64 + f64::from(cy));
                let area = [x.round(), y.round(), (x + s).round(), (y + s).round()];
                self.block(out, area, kind.number());
            }
        }
    }
}

fn painter(rng: &mut impl Rng, hard: Hard) -> Painter {
    let dark = hard != Hard::Flat || rng.random_bool(0.6);
    let v = if dark {
        rng.random_range(0..28u8)
    } else {
        rng.random_range(215..=250)
    };
    let pick = |rng: &mut dyn rand::RngCore, all: &[Block]| {
        all[rng.random_range(0..all.len())]
    };
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
                &[Block::Flat, Block::Bevel, Block::Square, Block::Glossy, Block::Apart],
            ),
        },
        ghost: if hard == Hard::Trails || hard == Hard::Tiny {
            Ghost::None
        } else {
            *[Ghost::None, Ghost::Outline, Ghost::Veil, Ghost::Both, Ghost::Grey]
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
        (Hard::Flat | Hard::Huge, _) => Backdrop::Plain(well.map(|v| v.saturating_add(0))),
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
    let room = (rng.random_range(0.2..6.0) * s, rng.random_range(0.5..6.0) * s);
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
            (if hard == Hard::Huge { (4000.0 - h) * 0.6 } else { head }).round(),
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
            fill(&mut out, [x, area[1], x + 0.7 * s, area[3] + line], [0x4c, 0xa8, 0xc0]);
        }
        p.scene(&mut out, at, &scene, hard == Hard::Trails);
        let queue = Point::new(at.x + w + line + s, at.y);
        p.queue(&mut out, queue, &scene.next[..rng.random_range(1..=5)], ink, p.well);
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
    let look = format!("{:?} ghost {:?} cell {s} texture {:.1}", p.block, p.ghost, p.texture);
    let _ = channels;
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
    let (bw, bh) = (w * rng.random_range(0.5..1.3), h * rng.random_range(0.08..0.25));
    let x = x0 + (w - bw) * rng.random_range(0.2..0.8);
    let y = y0 + (h - bh) * rng.random_range(0.15..0.85);
    let area = [x, y, x + bw, y + bh].map(f64::round);
    let face = if rng.random_bool(0.5) { [0xe4; 3] } else { [0x20, 0x20, 0x34] };
    let ink = if face[0] > 100 { [0x10; 3] } else { [0xf0; 3] };
    rounded(out, area, bh * 0.1, face);
    outline(out, area, 2.0, ink);
    text(out, x + bw * 0.15, y + bh * 0.35, (bw / 90.0).max(0.8), ink, "PAUSED");
    let cell = (w / f64::from(size.cols), h / f64::from(size.rows));
    for (letter, c) in letters.iter_mut().zip(size.cells()) {
        let (cx, cy) = (x0 + cell.0 * f64::from(c.col), y0 + cell.1 * f64::from(c.row));
        let apart = cx + cell.0 < area[0] - 1.0
            || cx > area[2] + 1.0
            || cy + cell.1 < area[1] - 1.0
            || cy > area[3] + 1.0;
        if !apart {
            *letter = '?';
        }
    }
}
