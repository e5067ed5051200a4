//! What happens to a drawn board: patches of sun, shadows, windows over it, a part cut out.

use rand::Rng;

use super::paint::mixed;
use crate::games::flood::target::canvas::{fill, outline, text};
use crate::games::flood::target::scenery::words;
use crate::types::picture::{channels, packed};
use crate::types::{Picture, Point};

/// Patches of light or shadow with soft edges; `gain` is what the light is multiplied by.
pub fn patches(out: &mut Picture, rng: &mut impl Rng, count: u32, gain: f64, reach: f64) {
    let (w, h) = (f64::from(out.width()), f64::from(out.height()));
    for _ in 0..count {
        let at = Point::new(
            w * rng.random_range(0.15..0.85),
            h * rng.random_range(0.15..0.85),
        );
        let (long, short) = (
            reach * rng.random_range(0.8..2.2),
            reach * rng.random_range(0.5..1.1),
        );
        let (s, c) = rng.random_range(0.0..std::f64::consts::PI).sin_cos();
        let width = out.width();
        for (i, pixel) in out.pixels_mut().iter_mut().enumerate() {
            let x = f64::from(i as u32 % width) + 0.5 - at.x;
            let y = f64::from(i as u32 / width) + 0.5 - at.y;
            let (u, v) = ((c * x + s * y) / long, (c * y - s * x) / short);
            // A box with one slanting end, as light through a window has.
            let d = u.abs().max((v + 0.25 * u).abs());
            let inside = ((1.0 - d) * short / 3.0).clamp(0.0, 1.0);
            if inside > 0.0 {
                let by = 1.0 + (gain - 1.0) * inside;
                let lit = channels(*pixel).map(|v| (f64::from(v) * by).min(255.0) as u8);
                *pixel = packed(lit);
            }
        }
    }
}

/// A window with a title and a few words, over a part of a picture; its area.
pub fn popup(out: &mut Picture, rng: &mut impl Rng, at: Point, size: (f64, f64)) -> [f64; 4] {
    let area = [
        at.x - size.0 / 2.0,
        at.y - size.1 / 2.0,
        at.x + size.0 / 2.0,
        at.y + size.1 / 2.0,
    ]
    .map(f64::round);
    let face = if rng.random_bool(0.5) {
        [rng.random_range(205..=250); 3]
    } else {
        [rng.random_range(40..90); 3]
    };
    let ink = if face[0] > 128 { [25; 3] } else { [230; 3] };
    fill(out, area, face);
    fill(
        out,
        [area[0], area[1], area[2], area[1] + 18.0],
        [70, 100, 160],
    );
    outline(out, area, 1.0, mixed(face, ink, 0.5));
    text(
        out,
        area[0] + 6.0,
        area[1] + 5.0,
        1.0,
        [250; 3],
        "Game over",
    );
    let letters = (((size.0 - 20.0) / 8.0).max(2.0)) as usize;
    let mut y = area[1] + 26.0;
    while y + 14.0 < area[3] {
        let line = words(rng, letters);
        text(out, area[0] + 10.0, y, 1.0, ink, &line);
        y += 16.0;
    }
    area
}
