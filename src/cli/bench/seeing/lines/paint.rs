//! Draws what lies under the stones: ground, lines, points, letters.

use super::style::{Ground, Style};
use crate::games::flood::target::canvas::{clouds, disc, fill, grain, text};
use crate::games::flood::target::palette::Rgb;
use crate::types::Picture;
use crate::types::picture::packed;

/// The board of `lines` (down and across) without anything on it.
#[must_use]
pub fn board(style: &Style, lines: (u16, u16)) -> Picture {
    let mut out = Picture::filled(style.picture.0, style.picture.1, style.backdrop);
    let all = [0.0, 0.0, f64::from(out.width()), f64::from(out.height())];
    if style.rough > 0.0 {
        grain(&mut out, all, style.rough, 77);
    }
    let (px, py) = style.pitch;
    let (x0, y0) = (style.origin.x, style.origin.y);
    let (x1, y1) = (
        x0 + px * f64::from(lines.0 - 1),
        y0 + py * f64::from(lines.1 - 1),
    );
    let m = (style.margin * px, style.margin * py);
    ground(
        &mut out,
        [x0 - m.0, y0 - m.1, x1 + m.0, y1 + m.1],
        style.ground,
    );
    if style.watermark {
        watermark(&mut out, style, [x0, y0, x1, y1]);
    }
    let over = (style.overhang * px, style.overhang * py);
    let (ink, width) = style.line;
    for i in 0..lines.0 {
        let outer = i == 0 || i + 1 == lines.0;
        let half = if outer { style.frame } else { width } / 2.0;
        let x = x0 + px * f64::from(i);
        fill(
            &mut out,
            [x - half, y0 - over.1 - half, x + half, y1 + over.1 + half],
            ink,
        );
    }
    for i in 0..lines.1 {
        let outer = i == 0 || i + 1 == lines.1;
        let half = if outer { style.frame } else { width } / 2.0;
        let y = y0 + py * f64::from(i);
        fill(
            &mut out,
            [x0 - over.0 - half, y - half, x1 + over.0 + half, y + half],
            ink,
        );
    }
    if style.stars {
        stars(&mut out, style, lines);
    }
    if style.coordinates {
        coordinates(&mut out, style, lines);
    }
    out
}

fn ground(out: &mut Picture, area: [f64; 4], ground: Ground) {
    match ground {
        Ground::Plain(rgb) => fill(out, area, rgb),
        Ground::Wood(rgb, strength, seed) => {
            let limit = |v: f64, most: u32| v.round().clamp(0.0, f64::from(most)) as u32;
            let width = out.width();
            for y in limit(area[1], out.height())..limit(area[3], out.height()) {
                for x in limit(area[0], width)..limit(area[2], width) {
                    let (fx, fy) = (f64::from(x), f64::from(y));
                    // Long fibres along y, and slow clouds.
                    let fibre = clouds(seed, fx * 3.0, fy * 0.12, 22.0) - 0.5;
                    let slow = clouds(seed ^ 5, fx * 0.4, fy * 0.1, 60.0) - 0.5;
                    let gain = 1.0 + strength * (fibre + 0.6 * slow);
                    let c = rgb.map(|v| (f64::from(v) * gain).round().clamp(0.0, 255.0) as u8);
                    out.pixels_mut()[(y * width + x) as usize] = packed(c);
                }
            }
        }
    }
}

/// A part of the way from one colour to another.
#[must_use]
pub fn mixed(a: Rgb, b: Rgb, t: f64) -> Rgb {
    [0, 1, 2].map(|i| (f64::from(a[i]) + (f64::from(b[i]) - f64::from(a[i])) * t).round() as u8)
}

fn watermark(out: &mut Picture, style: &Style, [x0, y0, x1, y1]: [f64; 4]) {
    let ink = mixed(style.ground.rgb(), style.line.0, 0.18);
    let scale = (x1 - x0) / 40.0;
    let y = (y0 + y1) / 2.0 - 4.0 * scale;
    text(out, x0 + scale, y, scale, ink, "GOMOK");
}

fn stars(out: &mut Picture, style: &Style, (cols, rows): (u16, u16)) {
    let at = |n: u16| -> Vec<u16> {
        match n {
            19 => vec![3, 9, 15],
            13 | 15 => vec![3, n / 2, n - 4],
            9..=12 => vec![2, n - 3],
            n if n > 15 => vec![3, n - 4],
            _ => vec![n / 2],
        }
    };
    let radius = (0.09 * style.pitch.0).max(1.4);
    for &x in &at(cols) {
        for &y in &at(rows) {
            disc(
                out,
                style.origin.x + style.pitch.0 * f64::from(x),
                style.origin.y + style.pitch.1 * f64::from(y),
                radius,
                style.line.0,
            );
        }
    }
}

fn coordinates(out: &mut Picture, style: &Style, (cols, rows): (u16, u16)) {
    let (px, py) = style.pitch;
    let scale = (px / 24.0).max(0.6);
    let ink = style.line.0;
    for i in 0..cols {
        // Go boards leave out the I.
        let letter = char::from(b'A' + (i + u16::from(i >= 8)) as u8);
        let x = style.origin.x + px * f64::from(i) - 4.0 * scale;
        let y = style.origin.y - 0.8 * py - 4.0 * scale;
        text(out, x, y, scale, ink, &letter.to_string());
        let y = style.origin.y + py * (f64::from(rows) - 1.0 + 0.8) - 4.0 * scale;
        text(out, x, y, scale, ink, &letter.to_string());
    }
    for i in 0..rows {
        let number = (rows - i).to_string();
        let y = style.origin.y + py * f64::from(i) - 4.0 * scale;
        let x = style.origin.x - 0.85 * px - 4.0 * scale * number.len() as f64;
        text(out, x, y, scale, ink, &number);
    }
}
