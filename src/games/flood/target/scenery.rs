//! What lies around a board: desktop, window, menus, icons, text.
//!
//! Takes the surroundings of a style and gives the picture without the board, drawn once.
//! Must never draw anything that changes during a game.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::canvas::{clouds, disc, fill, gradient, rounded, text};
use super::palette::Rgb;
use super::style::{Backdrop, Surroundings};
use crate::types::Picture;
use crate::types::picture::packed;

/// The picture of a desktop without a board.
#[must_use]
pub fn paint(width: u32, height: u32, s: &Surroundings) -> Picture {
    let mut out = Picture::default();
    backdrop(&mut out, width, height, s);
    let mut rng = ChaCha8Rng::seed_from_u64(s.seed);
    for i in 0..s.icons {
        icon(&mut out, &mut rng, i, s.window);
    }
    if let Some(area) = s.window {
        window(&mut out, &mut rng, s, area);
    }
    lines_of_text(&mut out, &mut rng, s);
    out
}

fn backdrop(out: &mut Picture, width: u32, height: u32, s: &Surroundings) {
    let all = [0.0, 0.0, f64::from(width), f64::from(height)];
    match s.backdrop {
        Backdrop::Plain(rgb) => *out = Picture::filled(width, height, rgb),
        Backdrop::Gradient(a, b, angle) => {
            out.reshape(width, height);
            gradient(out, all, a, b, angle);
        }
        Backdrop::Wallpaper(a, b, scale) => {
            out.reshape(width, height);
            let mut at = (0u32, 0u32);
            for pixel in out.pixels_mut() {
                let (x, y) = (f64::from(at.0), f64::from(at.1));
                let light = clouds(s.seed, x, y, scale);
                let t = ((light - 0.5) * 2.2 + 0.5).clamp(0.0, 1.0);
                let tint = clouds(s.seed ^ 99, x, y, scale * 2.0) - 0.5;
                let m = |i: usize| {
                    let v = f64::from(a[i]) + (f64::from(b[i]) - f64::from(a[i])) * t;
                    (v * (1.0 + tint * 0.3 * (i as f64 - 1.0))).clamp(0.0, 255.0) as u8
                };
                *pixel = packed([m(0), m(1), m(2)]);
                at.0 += 1;
                if at.0 == width {
                    at = (0, at.1 + 1);
                }
            }
        }
    }
}

/// A colour of full strength by chance.
pub fn vivid(rng: &mut impl Rng) -> Rgb {
    let mut c = [
        rng.random_range(0..90),
        rng.random_range(150..=255),
        rng.random_range(30..=220),
    ];
    c.rotate_left(rng.random_range(0..3));
    c
}

/// Made-up words of the given length in letters.
pub fn words(rng: &mut impl Rng, letters: usize) -> String {
    let mut line = String::new();
    while line.len() < letters {
        for _ in 0..rng.random_range(2..9) {
            line.push(char::from(rng.random_range(b'a'..=b'z')));
        }
        line.push(' ');
    }
    line.truncate(letters);
    line
}

fn icon(out: &mut Picture, rng: &mut ChaCha8Rng, i: u8, window: Option<[f64; 4]>) {
    let rows = (out.height() / 90).max(1);
    let column = u32::from(i) / rows;
    let (x, y) = (
        16.0 + 84.0 * f64::from(column),
        14.0 + 90.0 * f64::from(u32::from(i) % rows),
    );
    // An icon under the window would only be painted over.
    if window.is_some_and(|w| x + 60.0 > w[0] && x < w[2] && y + 70.0 > w[1] && y < w[3]) {
        return;
    }
    let (a, b) = (vivid(rng), vivid(rng));
    match rng.random_range(0..4) {
        0 => rounded(out, [x + 8.0, y, x + 56.0, y + 48.0], 9.0, a),
        1 => disc(out, x + 32.0, y + 24.0, 24.0, a),
        2 => {
            rounded(out, [x + 6.0, y + 4.0, x + 30.0, y + 16.0], 3.0, a);
            rounded(out, [x + 6.0, y + 10.0, x + 58.0, y + 48.0], 4.0, a);
        }
        _ => {
            rounded(out, [x + 12.0, y, x + 50.0, y + 48.0], 2.0, [250, 250, 250]);
            for l in 0..5 {
                let ly = y + 8.0 + 8.0 * f64::from(l);
                fill(out, [x + 18.0, ly, x + 44.0, ly + 3.0], a);
            }
        }
    }
    disc(out, x + 34.0, y + 26.0, 8.0, b);
    let label = words(rng, 8);
    text(out, x, y + 56.0, 1.0, [250, 250, 250], &label);
}

fn window(out: &mut Picture, rng: &mut ChaCha8Rng, s: &Surroundings, area: [f64; 4]) {
    let [x0, y0, x1, y1] = area;
    // A soft shadow, as compositors draw.
    if x0 > 2.0 && y0 > 2.0 {
        fill(out, [x0 + 3.0, y0 + 3.0, x1 + 3.0, y1 + 3.0], [40, 40, 44]);
    }
    fill(out, area, s.face);
    let mut top = y0;
    if s.title_bar > 0.0 {
        let low = top + s.title_bar;
        gradient(
            out,
            [x0, top, x1, low],
            [0x4a, 0x72, 0xa8],
            [0x2c, 0x48, 0x70],
            std::f64::consts::FRAC_PI_2,
        );
        let y = top + (s.title_bar - 8.0) / 2.0;
        text(out, x0 + 10.0, y, 1.0, [255, 255, 255], "Flood");
        for (i, c) in [[230, 90, 80], [230, 190, 70], [90, 190, 90]]
            .into_iter()
            .enumerate()
        {
            let cx = x1 - 12.0 - 20.0 * i as f64;
            disc(out, cx, top + s.title_bar / 2.0, 6.0, c);
        }
        top = low;
    }
    if s.menu_bar > 0.0 {
        let low = top + s.menu_bar;
        let shade = s.face.map(|v| v.saturating_sub(14));
        fill(out, [x0, top, x1, low], shade);
        let y = top + (s.menu_bar - 8.0) / 2.0;
        text(out, x0 + 10.0, y, 1.0, s.ink, "Game  Type  Help");
        let extra = words(rng, 10);
        let x = x1 - 90.0;
        if x > x0 + 150.0 {
            text(out, x, y, 1.0, s.ink, &extra);
        }
    }
}

fn lines_of_text(out: &mut Picture, rng: &mut ChaCha8Rng, s: &Surroundings) {
    let Some([_, y0, x1, _]) = s.window else {
        return;
    };
    let left = x1 + 16.0;
    let letters = ((f64::from(out.width()) - left - 8.0) / 8.0).floor();
    if letters < 4.0 {
        return;
    }
    for i in 0..s.text_lines {
        let line = words(rng, letters.min(60.0) as usize);
        let y = y0 + 8.0 + 15.0 * f64::from(i);
        text(out, left, y, 1.0, s.ink, &line);
    }
}
