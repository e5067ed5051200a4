//! Lattices and rows without filled cells of a few colours: tables, bricks, swatches, keys.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::{page, size};
use crate::games::flood::target::canvas::{clouds, fill, outline, rounded, text};
use crate::games::flood::target::palette::{Palette, Rgb};
use crate::games::flood::target::scenery::{vivid, words};
use crate::types::Picture;

/// Lines of a lattice from (x, y).
fn lattice(
    out: &mut Picture,
    (x, y): (f64, f64),
    (cols, rows): (u32, u32),
    (pw, ph): (f64, f64),
    ink: Rgb,
) {
    let (w, h) = (f64::from(cols) * pw, f64::from(rows) * ph);
    for c in 0..=cols {
        let at = x + f64::from(c) * pw;
        fill(out, [at, y, at + 1.0, y + h + 1.0], ink);
    }
    for r in 0..=rows {
        let at = y + f64::from(r) * ph;
        fill(out, [x, at, x + w, at + 1.0], ink);
    }
}

pub fn calendar(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = size(out);
    let (pw, ph) = (((w - 80.0) / 7.0).floor(), ((h - 120.0) / 6.0).floor());
    let ink = [150, 150, 158];
    fill(
        out,
        [40.0, 80.0, 40.0 + 7.0 * pw, 80.0 + 6.0 * ph],
        [255; 3],
    );
    lattice(out, (40.0, 80.0), (7, 6), (pw, ph), ink);
    text(out, 44.0, 30.0, 3.0, [40, 40, 40], "November");
    for day in 0..31u32 {
        let (c, r) = ((day + 3) % 7, (day + 3) / 7);
        let (x, y) = (40.0 + f64::from(c) * pw, 80.0 + f64::from(r) * ph);
        let label = format!("{}", day + 1);
        text(out, x + 5.0, y + 5.0, 1.0, [60, 60, 60], &label);
        if rng.random_bool(0.2) {
            let tone = vivid(rng);
            let area = [x + 4.0, y + ph * 0.5, x + pw - 4.0, y + ph * 0.5 + 13.0];
            rounded(out, area, 3.0, tone);
        }
    }
}

pub fn spreadsheet(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = size(out);
    let (pw, ph) = (
        f64::from(rng.random_range(48..96)),
        f64::from(rng.random_range(16..24)),
    );
    let (cols, rows) = ((w / pw) as u32, (h / ph) as u32);
    *out = Picture::filled(out.width(), out.height(), [255; 3]);
    fill(out, [0.0, 0.0, w, ph], [225, 228, 232]);
    fill(out, [0.0, 0.0, pw, h], [225, 228, 232]);
    lattice(out, (0.0, 0.0), (cols, rows), (pw, ph), [205; 3]);
    for r in 1..rows {
        for c in 0..cols {
            if rng.random_bool(0.4) {
                let n = format!("{}", rng.random_range(0..9999));
                let at = (f64::from(c) * pw + 4.0, f64::from(r) * ph + ph / 2.0 - 4.0);
                text(out, at.0, at.1, 1.0, [30; 3], &n);
            }
        }
    }
}

pub fn swatches(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = size(out);
    page(rng, out, [70; 3], 1.0, 15.0);
    let set = Palette::ALL[rng.random_range(0..Palette::ALL.len())].colours();
    let side = f64::from(rng.random_range(20..46));
    let gap = f64::from(rng.random_range(0..8));
    let upright = rng.random_bool(0.3);
    let (x, y) = (w * 0.1, h * 0.3);
    let reach = (side + gap) * set.len() as f64 + 10.0;
    let ground = if upright {
        [x - 10.0, y - 10.0, x + side + 10.0, y + reach]
    } else {
        [x - 10.0, y - 10.0, x + reach, y + side + 10.0]
    };
    fill(out, ground, [240; 3]);
    for (i, &c) in set.iter().enumerate() {
        let d = (side + gap) * i as f64;
        let (l, t) = if upright { (x, y + d) } else { (x + d, y) };
        fill(out, [l, t, l + side, t + side], c);
    }
}

pub fn files(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = size(out);
    *out = Picture::filled(out.width(), out.height(), [252; 3]);
    fill(out, [0.0, 0.0, 150.0, h], [236, 238, 242]);
    fill(out, [0.0, 0.0, w, 30.0], [70, 80, 95]);
    let mut y = 40.0;
    let mut odd = false;
    while y + 22.0 < h {
        if odd {
            fill(out, [150.0, y - 4.0, w, y + 18.0], [243, 245, 248]);
        }
        let kind = if rng.random_bool(0.5) {
            [235, 190, 80]
        } else {
            [120, 160, 210]
        };
        rounded(out, [160.0, y, 176.0, y + 13.0], 2.0, kind);
        let letters = rng.random_range(6..24);
        let name = words(rng, letters);
        text(out, 184.0, y + 3.0, 1.0, [40; 3], &name);
        text(out, w - 160.0, y + 3.0, 1.0, [120; 3], "12 Nov 14:02");
        odd = !odd;
        y += 22.0;
    }
}

pub fn bricks(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = size(out);
    *out = Picture::filled(out.width(), out.height(), [170, 165, 155]);
    let (bw, bh) = (
        f64::from(rng.random_range(40..90)),
        f64::from(rng.random_range(18..34)),
    );
    let mut y = 0.0;
    let mut odd = false;
    while y < h {
        let mut x = if odd { -bw / 2.0 } else { 0.0 };
        while x < w {
            let t = rng.random_range(-25i16..25);
            let tone = [165i16, 80, 60].map(|v| (v + t).clamp(0, 255) as u8);
            fill(out, [x + 2.0, y + 2.0, x + bw - 2.0, y + bh - 2.0], tone);
            x += bw;
        }
        odd = !odd;
        y += bh;
    }
}

pub fn stripes(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = size(out);
    let set = Palette::Classic.colours();
    let step = f64::from(rng.random_range(12..50));
    let upright = rng.random_bool(0.5);
    let mut at = 0.0;
    while at < w.max(h) {
        let c = set[rng.random_range(0..6)];
        let area = if upright {
            [at, 0.0, at + step, h]
        } else {
            [0.0, at, w, at + step]
        };
        fill(out, area, c);
        at += step;
    }
}

pub fn sudoku(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = size(out);
    let pitch = ((h.min(w) - 60.0) / 9.0).floor();
    let side = 9.0 * pitch;
    fill(out, [30.0, 30.0, 30.0 + side, 30.0 + side], [255; 3]);
    lattice(out, (30.0, 30.0), (9, 9), (pitch, pitch), [130; 3]);
    for i in 0..=3 {
        let at = 30.0 + 3.0 * pitch * f64::from(i);
        fill(out, [at - 1.0, 30.0, at + 2.0, 30.0 + side], [0; 3]);
        fill(out, [30.0, at - 1.0, 30.0 + side, at + 2.0], [0; 3]);
    }
    for r in 0..9 {
        for c in 0..9 {
            if rng.random_bool(0.4) {
                let d = format!("{}", rng.random_range(1..10));
                let at = (
                    30.0 + (f64::from(c) + 0.3) * pitch,
                    30.0 + (f64::from(r) + 0.3) * pitch,
                );
                text(out, at.0, at.1, (pitch / 20.0).max(1.0), [20; 3], &d);
            }
        }
    }
}

pub fn thumbnails(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = size(out);
    let side = f64::from(rng.random_range(90..140));
    let (mut y, gap) = (16.0, 14.0);
    while y + side < h {
        let mut x = 16.0;
        while x + side < w {
            let (a, b, seed) = (vivid(rng), vivid(rng), rng.random::<u64>());
            for py in 0..(side * 0.75) as u32 {
                for px in 0..side as u32 {
                    let t = clouds(seed, f64::from(px), f64::from(py), 50.0);
                    let t = ((t - 0.5) * 2.4 + 0.5).clamp(0.0, 1.0);
                    let m = |i: usize| (f64::from(a[i]) * t + f64::from(b[i]) * (1.0 - t)) as u8;
                    out.set(
                        x as i64 + i64::from(px),
                        y as i64 + i64::from(py),
                        [m(0), m(1), m(2)],
                    );
                }
            }
            let name = words(rng, 10);
            text(out, x, y + side * 0.75 + 6.0, 1.0, [50; 3], &name);
            x += side + gap;
        }
        y += side + gap;
    }
}

pub fn buttons(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = size(out);
    let step = (w / 6.0).min(h / 8.0).floor();
    for r in 0..5 {
        for c in 0..4 {
            let (x, y) = (60.0 + f64::from(c) * step, 80.0 + f64::from(r) * step);
            let area = [x, y, x + step * 0.86, y + step * 0.86];
            rounded(out, area, 6.0, [120; 3]);
            outline(out, area.map(f64::round), 1.0, [90; 3]);
            let label = format!("{}", rng.random_range(0..10));
            text(
                out,
                x + step * 0.3,
                y + step * 0.25,
                (step / 20.0).max(1.0),
                [250; 3],
                &label,
            );
        }
    }
}
