//! A board of holes drawn point by point: the same look gives the same picture at any size.
//!
//! Takes a [`Look`], a position and where the board lies; gives the colour of each point of the
//! picture, two samples a side for each pixel.

use font8x8::{BASIC_FONTS, UnicodeFonts};

use super::look::{Empty, Look, Mark, Surface};
use crate::games::flood::target::canvas::{clouds, hash, smooth};
use crate::games::flood::target::palette::Rgb;
use crate::types::picture::packed;
use crate::types::{GridSize, Picture, Point, PxFromCell};

/// A colour while it is computed.
type Tone = [f64; 3];

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// How it looks.
    pub look: &'a Look,
    /// Columns and rows.
    pub size: GridSize,
    /// 0 for empty, 1 and 2 for discs, row by row.
    pub cells: &'a [u8],
    /// Outer corner of the board's cells, in px.
    pub origin: Point,
    /// Width and height of a cell in px.
    pub pitch: (f64, f64),
    /// What lies behind the board, of the picture's size.
    pub behind: &'a Picture,
    /// Where the eye stands over the board, in cells from its middle: walls of deep holes show on
    /// the far side.
    pub eye: Point,
    /// Seed of textures.
    pub seed: u64,
    /// Samples along a pixel's side: 2, or 1 for huge pictures.
    pub samples: u32,
}

fn tone(c: Rgb) -> Tone {
    c.map(f64::from)
}

fn scaled(c: Tone, by: f64) -> Tone {
    c.map(|v| v * by)
}

fn mixed(a: Tone, b: Tone, t: f64) -> Tone {
    [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * t)
}

impl Scene<'_> {
    /// The true transform.
    #[must_use]
    pub fn px_from_cell(&self) -> PxFromCell {
        PxFromCell::upright(self.origin, self.pitch.0, self.pitch.1)
    }

    /// Draws it over what lies behind.
    pub fn paint(&self, out: &mut Picture) {
        out.clone_from(self.behind);
        let (w, h) = (f64::from(self.size.cols), f64::from(self.size.rows));
        let m = self.look.margin + 0.5;
        let above = if self.look.selector { 1.5 } else { 0.0 };
        let from = |v: f64, pitch: f64, origin: f64| (origin + v * pitch).floor().max(0.0) as u32;
        let (x0, x1) = (
            from(-m, self.pitch.0, self.origin.x),
            from(w + m, self.pitch.0, self.origin.x).min(out.width()),
        );
        let (y0, y1) = (
            from(-m - above, self.pitch.1, self.origin.y),
            from(h + m, self.pitch.1, self.origin.y).min(out.height()),
        );
        let n = self.samples.max(1);
        for y in y0..y1 {
            for x in x0..x1 {
                let behind = tone(self.behind.rgb(x, y));
                let mut sum = [0.0; 3];
                for i in 0..n * n {
                    let step = 1.0 / f64::from(n);
                    let px = f64::from(x) + (f64::from(i % n) + 0.5) * step;
                    let py = f64::from(y) + (f64::from(i / n) + 0.5) * step;
                    let c = self.at(px, py).unwrap_or(behind);
                    sum = [0, 1, 2].map(|k| sum[k] + c[k]);
                }
                let c = sum.map(|v| (v / f64::from(n * n)).round().clamp(0.0, 255.0) as u8);
                let i = y as usize * out.width() as usize + x as usize;
                if let Some(p) = out.pixels_mut().get_mut(i) {
                    *p = packed(c);
                }
            }
        }
    }

    /// The colour of a point in px; `None` where what lies behind shows.
    fn at(&self, px: f64, py: f64) -> Option<Tone> {
        let look = self.look;
        let u = (px - self.origin.x) / self.pitch.0;
        let v = (py - self.origin.y) / self.pitch.1;
        let (w, h) = (f64::from(self.size.cols), f64::from(self.size.rows));
        if look.selector && (-1.0..0.0).contains(&v) && (0.0..w).contains(&u) {
            return Some(self.selector(u, v));
        }
        let out = (-u).max(u - w).max(-v).max(v - h);
        if out > look.margin {
            return None;
        }
        let plate = self.plate(px, py, u, v);
        if u < 0.0 || v < 0.0 || u >= w || v >= h {
            return Some(plate);
        }
        let i = v as usize * usize::from(self.size.cols) + u as usize;
        // The hole is round in px, whatever the cell is.
        let unit = self.pitch.0.min(self.pitch.1);
        let (dx, dy) = (
            (u.fract() - 0.5) * self.pitch.0 / unit,
            (v.fract() - 0.5) * self.pitch.1 / unit,
        );
        let r = dx.hypot(dy);
        let kind = self.cells.get(i).copied().unwrap_or(0);
        if look.lined && kind == 0 {
            return Some(self.dashes(u, v, plate));
        }
        if let Some((width, light)) = look.rim
            && r >= look.radius
            && r < look.radius + width
        {
            let white = [255.0; 3];
            return Some(if light > 1.0 {
                mixed(plate, white, light - 1.0)
            } else {
                scaled(plate, light)
            });
        }
        if r >= look.radius {
            return Some(if look.lined {
                self.dashes(u, v, plate)
            } else {
                plate
            });
        }
        let (ex, ey) = (
            (u.floor() + 0.5 - w / 2.0 - self.eye.x) * look.depth,
            (v.floor() + 0.5 - h / 2.0 - self.eye.y) * look.depth,
        );
        if kind > 0 {
            // A disc lies in the middle of the plate and is larger than the hole.
            let shade = if look.depth > 0.0 && dy < -look.radius * 0.8 {
                0.8
            } else {
                1.0
            };
            let disc = self.disc(kind, i, dx / look.radius, dy / look.radius, look);
            return Some(scaled(disc, shade));
        }
        match look.empty {
            Empty::Plain(c) => Some(tone(c)),
            Empty::Ring => Some(plate),
            Empty::Through if (dx - ex).hypot(dy - ey) >= look.radius => Some(scaled(plate, 0.45)),
            Empty::Through => None,
        }
    }

    fn plate(&self, px: f64, py: f64, u: f64, v: f64) -> Tone {
        let base = tone(self.look.plate);
        match self.look.surface {
            Surface::Plain => base,
            Surface::Grain(amount) => {
                let n = hash(self.seed, px as i64, py as i64) - 0.5;
                let soft = clouds(self.seed ^ 3, px, py, 40.0) - 0.5;
                scaled(base, 1.0 + amount * 2.0 * (n + soft))
            }
            Surface::Wood => {
                let fibre = smooth(self.seed, u * 1.5, v * 22.0) - 0.5;
                let slow = smooth(self.seed ^ 5, u * 0.5, v * 3.0) - 0.5;
                scaled(base, 1.0 + 0.22 * fibre + 0.25 * slow)
            }
            Surface::Glossy => {
                let (w, h) = (f64::from(self.size.cols), f64::from(self.size.rows));
                let spot =
                    (-((u - 0.25 * w).powi(2) + (v - 0.25 * h).powi(2)) / (0.06 * w * h)).exp();
                let sweep = if u / w + 0.3 * (v / h) < 0.55 {
                    1.0
                } else {
                    0.55
                };
                mixed(
                    scaled(base, 0.8 + 0.3 * v / h),
                    [225.0, 232.0, 240.0],
                    0.75 * spot * sweep,
                )
            }
        }
    }

    fn dashes(&self, u: f64, v: f64, plate: Tone) -> Tone {
        let one = 1.3 / self.pitch.0;
        let off = |t: f64| (t - t.round()).abs();
        let dash = |t: f64| (t * 9.0).fract() < 0.5;
        if (off(u) < one / 2.0 && dash(v)) || (off(v) < one / 2.0 && dash(u)) {
            [130.0; 3]
        } else {
            plate
        }
    }

    fn selector(&self, u: f64, v: f64) -> Tone {
        let column = (self.seed % u64::from(self.size.cols.max(1))) as f64;
        let (dx, dy) = (u - column - 0.5, v + 0.5);
        let r = self.look.radius;
        if dx.hypot(dy) < r {
            return self.disc(1 + (self.seed >> 8 & 1) as u8, 0, dx / r, dy / r, self.look);
        }
        if self.look.lined { [70.0; 3] } else { [0.0; 3] }
    }

    /// A disc at (x, y) from its middle in radii.
    fn disc(&self, kind: u8, cell: usize, x: f64, y: f64, look: &Look) -> Tone {
        let base = tone(look.discs[usize::from(kind.clamp(1, 2)) - 1]);
        let r = x.hypot(y);
        match look.mark {
            Mark::None => base,
            Mark::Edge if r > 0.84 => scaled(base, 0.72),
            Mark::Edge => base,
            Mark::Ridges => {
                let ring = |at: f64| (r - at).abs() < 0.035;
                if ring(0.55) || ring(0.82) {
                    scaled(base, if x + y < 0.0 { 1.18 } else { 0.72 })
                } else {
                    base
                }
            }
            Mark::Signs => {
                let inside = if kind == 1 {
                    let a = y.atan2(x);
                    r < 0.3 + 0.09 * (5.0 * a).cos() && r > 0.16 + 0.06 * (5.0 * a).cos()
                } else {
                    r < 0.34 && (x - 0.16).hypot(y) > 0.28
                };
                if inside {
                    mixed(base, [255.0; 3], 0.75)
                } else {
                    base
                }
            }
            Mark::Numbers => {
                let ink = if base.iter().sum::<f64>() > 330.0 {
                    [10.0; 3]
                } else {
                    [250.0; 3]
                };
                if digits(cell % 42 + 1, x, y) {
                    ink
                } else {
                    base
                }
            }
            Mark::Gloss => {
                let light = 0.75 + 0.45 * (-(x * 0.6 + y * 0.8)).clamp(-0.8, 0.8) * r;
                let spot = (-((x + 0.35).powi(2) + (y + 0.45).powi(2)) / 0.035).exp();
                mixed(scaled(base, light), [255.0; 3], 0.8 * spot)
            }
        }
    }
}

/// Whether a point of a disc (in radii) lies on the digits of a number.
fn digits(number: usize, x: f64, y: f64) -> bool {
    let text = number.to_string();
    let n = text.len() as f64;
    let side = 0.62;
    let left = -side * n / 2.0;
    let (column, row) = ((x - left) / side, (y + side / 2.0) / side);
    if column < 0.0 || !(0.0..1.0).contains(&row) {
        return false;
    }
    text.chars()
        .nth(column as usize)
        .and_then(|c| BASIC_FONTS.get(c))
        .is_some_and(|glyph| {
            let bits = glyph[(row * 8.0) as usize & 7];
            bits >> ((column.fract() * 8.0) as u32 & 7) & 1 == 1
        })
}
