//! Draws stones: flat, glossy, striped, rimmed, with shadows, marks and numbers.

use rand::Rng;

use super::paint::mixed;
use super::style::{Last, Stone, Style};
use crate::games::flood::target::canvas::{fill, outline, text};
use crate::games::flood::target::palette::Rgb;
use crate::types::picture::{channels, packed};
use crate::types::{Picture, Point};

/// Puts stones on a board: 0 is none, 1 and 2 the kinds, row by row.
pub fn put(out: &mut Picture, rng: &mut impl Rng, style: &Style, cells: &[u8]) {
    let cols = usize::from(style.size.cols);
    let placed: Vec<(usize, Point)> = cells
        .iter()
        .enumerate()
        .filter(|(_, c)| **c > 0)
        .map(|(i, _)| {
            let mut by = |shift: f64| shift + style.jitter * rng.random_range(-1.0..1.0);
            let (dx, dy) = (by(style.shift.0), by(style.shift.1));
            let at = Point::new(
                style.origin.x + style.pitch.0 * ((i % cols) as f64 + dx),
                style.origin.y + style.pitch.1 * ((i / cols) as f64 + dy),
            );
            (i, at)
        })
        .collect();
    let radius = style.radius * style.pitch.0.min(style.pitch.1);
    if style.shadow > 0.0 {
        for (_, at) in &placed {
            let off = Point::new(at.x + 0.16 * radius, at.y + 0.2 * radius);
            shade(out, off, radius * 1.04, |old, _, _| {
                mixed(old, [0; 3], style.shadow)
            });
        }
    }
    for &(i, at) in &placed {
        stone(out, at, radius, style.stones[usize::from(cells[i] - 1)]);
    }
    for (n, &(i, at)) in placed.iter().enumerate() {
        if rng.random_bool(style.numbers.clamp(0.0, 1.0)) {
            number(
                out,
                at,
                radius,
                n + 1,
                style.stones[usize::from(cells[i] - 1)].rgb,
            );
        }
    }
    if let Some(&(_, at)) = placed.last() {
        last(out, at, radius, style);
    }
}

/// Changes the pixels of a disc: `to` is given the old colour and the place in radii.
fn shade(out: &mut Picture, at: Point, radius: f64, to: impl Fn(Rgb, f64, f64) -> Rgb) {
    let (w, h) = (i64::from(out.width()), i64::from(out.height()));
    let lo = |v: f64| (v - radius - 1.0).floor() as i64;
    let hi = |v: f64| (v + radius + 1.0).ceil() as i64;
    for y in lo(at.y).max(0)..hi(at.y).min(h) {
        for x in lo(at.x).max(0)..hi(at.x).min(w) {
            let (dx, dy) = (x as f64 + 0.5 - at.x, y as f64 + 0.5 - at.y);
            let cover = (radius - dx.hypot(dy) + 0.5).clamp(0.0, 1.0);
            if cover <= 0.0 {
                continue;
            }
            let i = (y * w + x) as usize;
            let old = channels(out.pixels()[i]);
            let new = to(old, dx / radius, dy / radius);
            out.pixels_mut()[i] = packed(mixed(old, new, cover));
        }
    }
}

fn stone(out: &mut Picture, at: Point, radius: f64, look: Stone) {
    if let Some(rim) = look.rim {
        shade(out, at, radius, |_, _, _| rim);
    }
    let inner = if look.rim.is_some() {
        radius - (0.06 * radius).max(1.0)
    } else {
        radius
    };
    shade(out, at, inner, |_, x, y| {
        let mut c = look.rgb;
        if look.stripes && ((x * 0.8 + y * 0.6) * 7.0).sin() > 0.3 {
            c = mixed(c, [0; 3], 0.08);
        }
        if look.gloss > 0.0 {
            // A soft gleam from the upper left, darker towards the lower right.
            let d = (x + 0.35).hypot(y + 0.4);
            let gleam = look.gloss * (-(d * d) / 0.18).exp();
            c = mixed(c, [255; 3], 0.75 * gleam);
            let dark = look.gloss * 0.35 * ((x + y) / 2.0 + 0.2).max(0.0);
            c = mixed(c, [0; 3], dark.min(0.5));
        }
        c
    });
}

fn contrast(rgb: Rgb) -> Rgb {
    let light = rgb.iter().map(|&v| u32::from(v)).sum::<u32>() > 330;
    if light { [20; 3] } else { [240; 3] }
}

fn number(out: &mut Picture, at: Point, radius: f64, n: usize, on: Rgb) {
    let words = (n % 100).to_string();
    let scale = radius / if words.len() > 1 { 13.0 } else { 9.0 };
    let x = at.x - 4.0 * scale * words.len() as f64;
    text(out, x, at.y - 4.0 * scale, scale, contrast(on), &words);
}

fn last(out: &mut Picture, at: Point, radius: f64, style: &Style) {
    const INK: Rgb = [200, 40, 40];
    match style.last {
        Last::None => {}
        Last::Dot => shade(out, at, 0.3 * radius, |_, _, _| INK),
        Last::Ring => shade(out, at, 0.62 * radius, |old, x, y| {
            if x.hypot(y) > 0.72 { INK } else { old }
        }),
        Last::Plus => {
            let (a, b) = (0.62 * radius, 0.22 * radius);
            let ink = [150, 205, 170];
            fill(out, [at.x - a, at.y - b, at.x + a, at.y + b], ink);
            fill(out, [at.x - b, at.y - a, at.x + b, at.y + a], ink);
        }
        Last::Square => {
            let r = 0.5 * style.pitch.0;
            outline(out, [at.x - r, at.y - r, at.x + r, at.y + r], 1.0, [40; 3]);
        }
    }
}
