//! The painter of modern Tetris: blocks in several styles, glow, landing places, streaks, grid
//! lines, queues of pieces.
//!
//! Takes a style and a position, paints them onto a picture. What is drawn is decided elsewhere.

use super::scene::{Rgb, Scene, Spot, shaded, tint};
use crate::games::flood::target::canvas::{clouds, fill, hash, outline, text};
use crate::games::tetris::rules::Kind;
use crate::games::tetris::target::paint::next_cells;
use crate::types::picture::packed;
use crate::types::{GridSize, Picture, Point};

/// Colours of the kinds by their numbers, then of anything else.
pub const COLOURS: [[Rgb; 8]; 5] = [
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
pub enum Block {
    Flat,
    Bevel,
    Square,
    Glossy,
    Apart,
}

/// How the landing place is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ghost {
    None,
    Outline,
    Veil,
    Both,
    Grey,
}

/// A style.
pub struct Painter {
    /// Side of a cell in px.
    pub cell: f64,
    /// Colours of the kinds by their numbers, then of anything else.
    pub colours: [Rgb; 8],
    /// How blocks look.
    pub block: Block,
    /// How the landing place looks.
    pub ghost: Ghost,
    /// Part of a block's colour that its halo has; 0 for none.
    pub glow: f64,
    /// The ground of the well.
    pub well: Rgb,
    /// How strongly a picture shines through the ground.
    pub texture: f64,
    /// Grid lines: colour, and how much of it.
    pub grid: Option<(Rgb, f64)>,
    /// Of textures and streaks.
    pub seed: u64,
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
                fill(
                    out,
                    [x0, y0, x1 - 1.0, y0 + (0.06 * s).max(1.0)],
                    shaded(rgb, 1.3),
                );
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
    pub fn ground(&self, out: &mut Picture, at: Point, size: GridSize) {
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

    /// All that lies in the well, with streaks above what has just landed where asked for.
    pub fn scene(&self, out: &mut Picture, at: Point, scene: &Scene, trail: bool) {
        if trail {
            let mut cols: Vec<i32> = scene.ghost.iter().map(|s| s.0).collect();
            cols.sort_unstable();
            cols.dedup();
            let own = self.colours[scene.kind.index()];
            let rgb = if hash(self.seed, 4, 4) < 0.5 {
                own
            } else {
                [0xff; 3]
            };
            for col in cols {
                let top = scene.ghost.iter().filter(|s| s.0 == col).map(|s| s.1).min();
                let end = f64::from(top.unwrap_or(0));
                let begin = (end - 7.0).max(0.0);
                let steps = (self.cell * (end - begin)) as usize;
                for i in 0..steps {
                    let t = i as f64 / steps as f64;
                    let y = at.y + self.cell * (begin + (end - begin) * t);
                    let x = at.x + self.cell * f64::from(col);
                    tint(
                        out,
                        [x + 1.0, y, x + self.cell - 1.0, y + 1.0],
                        rgb,
                        0.3 * t,
                    );
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

    /// A box with the next pieces.
    pub fn queue(&self, out: &mut Picture, at: Point, kinds: &[Kind], ink: Rgb, ground: Rgb) {
        let s = self.cell;
        let area = [
            at.x,
            at.y,
            at.x + 5.0 * s,
            at.y + s * (1.5 + 3.0 * kinds.len() as f64),
        ];
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
