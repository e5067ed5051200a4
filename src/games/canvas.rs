//! Drawing in software for the built-in targets: anti-aliased boxes, discs, rings and lines,
//! bitmap text, gradients, noise.
//!
//! Takes a picture and shapes in its px space, changes pixels. Must never draw outside the
//! picture or depend on anything but its arguments.

use font8x8::{BASIC_FONTS, UnicodeFonts};

use crate::types::picture::{channels, packed};
use crate::types::{Picture, Point, Rect};

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// Mixes `rgb` into one pixel; `cover` is 0 (nothing) to 1 (replace).
fn mix(out: &mut Picture, x: u32, y: u32, rgb: Rgb, cover: f64) {
    let i = y as usize * out.width() as usize + x as usize;
    let Some(pixel) = out.pixels_mut().get_mut(i) else {
        return;
    };
    if cover >= 0.999 {
        *pixel = packed(rgb);
    } else if cover > 0.001 {
        let old = channels(*pixel);
        let m = |i: usize| {
            (f64::from(old[i]) + (f64::from(rgb[i]) - f64::from(old[i])) * cover).round() as u8
        };
        *pixel = packed([m(0), m(1), m(2)]);
    }
}

/// The whole pixels touched by an interval, cut to the picture.
fn span(from: f64, to: f64, limit: u32) -> std::ops::Range<u32> {
    let limit = f64::from(limit);
    from.floor().clamp(0.0, limit) as u32..to.ceil().clamp(0.0, limit) as u32
}

/// A box from (x0, y0) to (x1, y1), edges weighted by how much of a pixel they cover.
pub fn fill(out: &mut Picture, [x0, y0, x1, y1]: [f64; 4], rgb: Rgb) {
    let part = |i: u32, from: f64, to: f64| {
        (f64::from(i + 1).min(to) - f64::from(i).max(from)).clamp(0.0, 1.0)
    };
    for y in span(y0, y1, out.height()) {
        let cy = part(y, y0, y1);
        for x in span(x0, x1, out.width()) {
            mix(out, x, y, rgb, cy * part(x, x0, x1));
        }
    }
}

/// A box with rounded corners.
pub fn rounded(out: &mut Picture, [x0, y0, x1, y1]: [f64; 4], radius: f64, rgb: Rgb) {
    let radius = radius.min((x1 - x0) / 2.0).min((y1 - y0) / 2.0);
    if radius < 0.5 {
        return fill(out, [x0, y0, x1, y1], rgb);
    }
    for y in span(y0, y1, out.height()) {
        for x in span(x0, x1, out.width()) {
            let (px, py) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
            let dx = (x0 + radius - px).max(px - (x1 - radius));
            let dy = (y0 + radius - py).max(py - (y1 - radius));
            // Signed distance to the outline, positive outside.
            let d = if dx > 0.0 && dy > 0.0 {
                dx.hypot(dy) - radius
            } else {
                dx.max(dy) - radius
            };
            mix(out, x, y, rgb, (0.5 - d).clamp(0.0, 1.0));
        }
    }
}

/// The outline of a box, `width` px inwards.
pub fn outline(out: &mut Picture, [x0, y0, x1, y1]: [f64; 4], width: f64, rgb: Rgb) {
    fill(out, [x0, y0, x1, y0 + width], rgb);
    fill(out, [x0, y1 - width, x1, y1], rgb);
    fill(out, [x0, y0 + width, x0 + width, y1 - width], rgb);
    fill(out, [x1 - width, y0 + width, x1, y1 - width], rgb);
}

/// A disc.
pub fn disc(out: &mut Picture, cx: f64, cy: f64, radius: f64, rgb: Rgb) {
    rounded(
        out,
        [cx - radius, cy - radius, cx + radius, cy + radius],
        radius,
        rgb,
    );
}

/// Whatever `tint` says for the middles of the pixels of a box: a colour and how much of the pixel
/// it covers, from 0 (nothing) to 1 (all of it).
pub fn paint(out: &mut Picture, [x0, y0, x1, y1]: [f64; 4], tint: impl Fn(f64, f64) -> (Rgb, f64)) {
    for y in span(y0, y1, out.height()) {
        for x in span(x0, x1, out.width()) {
            let (rgb, cover) = tint(f64::from(x) + 0.5, f64::from(y) + 0.5);
            mix(out, x, y, rgb, cover.clamp(0.0, 1.0));
        }
    }
}

/// The box around a circle.
fn around(at: Point, radius: f64) -> [f64; 4] {
    [at.x - radius, at.y - radius, at.x + radius, at.y + radius]
}

/// A disc through which the ground shows: `cover` is 1 where it is opaque.
pub fn veil(out: &mut Picture, at: Point, radius: f64, rgb: Rgb, cover: f64) {
    paint(out, around(at, radius + 1.0), |x, y| {
        let d = (x - at.x).hypot(y - at.y) - radius;
        (rgb, cover * (0.5 - d).clamp(0.0, 1.0))
    });
}

/// A ring of this width, half of it on each side of the radius.
pub fn ring(out: &mut Picture, at: Point, radius: f64, width: f64, rgb: Rgb) {
    paint(out, around(at, radius + width / 2.0 + 1.0), |x, y| {
        let d = ((x - at.x).hypot(y - at.y) - radius).abs() - width / 2.0;
        (rgb, (0.5 - d).clamp(0.0, 1.0))
    });
}

/// A disc lit from the upper left, darker towards its lower right edge.
pub fn ball(out: &mut Picture, at: Point, radius: f64, rgb: Rgb) {
    paint(out, around(at, radius + 1.0), |x, y| {
        let (dx, dy) = ((x - at.x) / radius, (y - at.y) / radius);
        let d = (dx.hypot(dy) - 1.0) * radius;
        let light = (1.0 - (dx + 0.35).hypot(dy + 0.4) * 1.1).max(0.0);
        let shade = 1.0 - 0.28 * (dx + dy + 0.5).clamp(0.0, 1.5);
        let lit = rgb.map(|v| {
            let v = f64::from(v) * shade;
            (v + (255.0 - v) * 0.75 * light.powi(2)).round() as u8
        });
        (lit, (0.5 - d).clamp(0.0, 1.0))
    });
}

/// A straight line of this width with round ends.
pub fn stroke(out: &mut Picture, a: Point, b: Point, width: f64, rgb: Rgb) {
    let half = width / 2.0;
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let length = (dx * dx + dy * dy).max(1e-9);
    let reach = half + 1.0;
    let area = [
        a.x.min(b.x) - reach,
        a.y.min(b.y) - reach,
        a.x.max(b.x) + reach,
        a.y.max(b.y) + reach,
    ];
    paint(out, area, |x, y| {
        let t = (((x - a.x) * dx + (y - a.y) * dy) / length).clamp(0.0, 1.0);
        let d = (x - a.x - t * dx).hypot(y - a.y - t * dy) - half;
        (rgb, (0.5 - d).clamp(0.0, 1.0))
    });
}

/// A board of wood over a box: fibres along x between two colours, the same for the same seed.
pub fn wood(out: &mut Picture, area: [f64; 4], light: Rgb, dark: Rgb, seed: u64) {
    paint(out, area, |x, y| {
        let sway = 9.0 * smooth(seed ^ 3, x / 160.0, y / 60.0);
        let broad = smooth(seed, x / 300.0, (y + sway) / 14.0);
        let fine = smooth(seed ^ 5, x / 45.0, (y + sway) / 2.2);
        let t = (0.65 * broad + 0.35 * fine).powi(2);
        let tone = |i: usize| {
            (f64::from(light[i]) + (f64::from(dark[i]) - f64::from(light[i])) * t).round() as u8
        };
        ([tone(0), tone(1), tone(2)], 1.0)
    });
}

/// A marker of the calibration sheet: its black square over this rectangle, with a light quiet zone
/// a sixth of its side around it.
pub fn marker(out: &mut Picture, rect: Rect, bits: [u8; 4]) {
    const LIGHT: Rgb = [0xe8, 0xe8, 0xe8];
    const DARK: Rgb = [0x08, 0x08, 0x08];
    let (w, h) = (i64::from(rect.width), i64::from(rect.height));
    let (x, y) = (i64::from(rect.x), i64::from(rect.y));
    let quiet = (w / 6).max(1);
    let mut block = |x0: i64, y0: i64, x1: i64, y1: i64, rgb: Rgb| {
        fill(out, [x0 as f64, y0 as f64, x1 as f64, y1 as f64], rgb);
    };
    block(x - quiet, y - quiet, x + w + quiet, y + h + quiet, LIGHT);
    block(x, y, x + w, y + h, DARK);
    for (i, row) in (0i64..).zip(bits) {
        for j in (0..4).filter(|j| row >> (3 - j) & 1 == 1) {
            let (l, r) = (w * (j + 1) / 6, w * (j + 2) / 6);
            let (t, b) = (h * (i + 1) / 6, h * (i + 2) / 6);
            block(x + l, y + t, x + r, y + b, LIGHT);
        }
    }
}

/// How wide and how high a line of text is at this scale.
#[must_use]
pub fn extent(words: &str, scale: f64) -> (f64, f64) {
    (8.0 * scale * words.chars().count() as f64, 8.0 * scale)
}

/// Text with its top left at (x, y), each glyph a square of `8 * scale` px.
pub fn text(out: &mut Picture, x: f64, y: f64, scale: f64, rgb: Rgb, words: &str) {
    for (i, c) in words.chars().enumerate() {
        let Some(rows) = BASIC_FONTS.get(c) else {
            continue;
        };
        let left = x + 8.0 * scale * i as f64;
        for (r, bits) in rows.iter().enumerate() {
            let top = y + scale * r as f64;
            for b in (0..8).filter(|b| bits >> b & 1 == 1) {
                let l = left + scale * f64::from(b);
                fill(out, [l, top, l + scale, top + scale], rgb);
            }
        }
    }
}

/// A gradient over a box, from `a` to `b` in the direction of `angle` (radians, 0 to the right).
pub fn gradient(out: &mut Picture, [x0, y0, x1, y1]: [f64; 4], a: Rgb, b: Rgb, angle: f64) {
    let (s, c) = angle.sin_cos();
    let (w, h) = (x1 - x0, y1 - y0);
    let reach = (w * c).abs() + (h * s).abs();
    for y in span(y0, y1, out.height()) {
        for x in span(x0, x1, out.width()) {
            let (px, py) = (f64::from(x) - x0 - w / 2.0, f64::from(y) - y0 - h / 2.0);
            let t = ((px * c + py * s) / reach.max(1.0) + 0.5).clamp(0.0, 1.0);
            let m = |i: usize| {
                (f64::from(a[i]) + (f64::from(b[i]) - f64::from(a[i])) * t).round() as u8
            };
            mix(out, x, y, [m(0), m(1), m(2)], 1.0);
        }
    }
}

/// A well-mixed value from 0 to 1 for a lattice point (an integer hash after Wang).
#[must_use]
pub fn hash(seed: u64, x: i64, y: i64) -> f64 {
    let mut h = seed
        ^ (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (y as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    for _ in 0..2 {
        h = (h ^ (h >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    }
    ((h ^ (h >> 32)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Smooth noise from 0 to 1 with features of about one unit.
#[must_use]
pub fn smooth(seed: u64, x: f64, y: f64) -> f64 {
    let (ix, iy) = (x.floor(), y.floor());
    let ease = |t: f64| t * t * (3.0 - 2.0 * t);
    let (tx, ty) = (ease(x - ix), ease(y - iy));
    let at = |dx: i64, dy: i64| hash(seed, ix as i64 + dx, iy as i64 + dy);
    let top = at(0, 0) + (at(1, 0) - at(0, 0)) * tx;
    let low = at(0, 1) + (at(1, 1) - at(0, 1)) * tx;
    top + (low - top) * ty
}

/// Several octaves of smooth noise, from 0 to 1; `scale` is the largest feature in px.
#[must_use]
pub fn clouds(seed: u64, x: f64, y: f64, scale: f64) -> f64 {
    let (mut sum, mut weight, mut step) = (0.0, 0.0, scale);
    let mut part = 1.0;
    for octave in 0..5 {
        sum += part * smooth(seed.wrapping_add(octave), x / step, y / step);
        weight += part;
        part *= 0.55;
        step = (step * 0.5).max(1.0);
    }
    sum / weight
}

/// Multiplies the pixels of a box by paper-like grain; `amount` is its spread as a share.
pub fn grain(out: &mut Picture, area: [f64; 4], amount: f64, seed: u64) {
    for y in span(area[1], area[3], out.height()) {
        for x in span(area[0], area[2], out.width()) {
            let fine = hash(seed, i64::from(x), i64::from(y)) - 0.5;
            let fibre = smooth(seed ^ 7, f64::from(x) / 3.0, f64::from(y) / 2.0) - 0.5;
            let gain = 1.0 + amount * (1.6 * fine + 2.4 * fibre);
            let old = out.rgb(x, y);
            let m = |i: usize| (f64::from(old[i]) * gain).round().clamp(0.0, 255.0) as u8;
            mix(out, x, y, [m(0), m(1), m(2)], 1.0);
        }
    }
}
