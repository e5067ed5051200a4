//! Pictures without a board that have something of one: grids without filled cells, rows of
//! swatches, bricks, charts, windows, text.
//!
//! Takes a seed, gives a [`Case`] without truth; seeds go through [`KINDS`] in turn, every third
//! round seen by a camera.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::camera::any_room;
use crate::capture::simulated::CameraModel;
use crate::games::flood::target::canvas::{clouds, disc, fill, gradient, outline, rounded, text};
use crate::games::flood::target::cases::Case;
use crate::games::flood::target::palette::{Palette, Rgb};
use crate::games::flood::target::scenery::{paint, vivid, words};
use crate::games::flood::target::style::{Backdrop, Surroundings};
use crate::types::picture::packed;
use crate::types::{Picture, Point};

type Draw = fn(&mut ChaCha8Rng, &mut Picture);

/// What is drawn, by name.
pub const KINDS: [(&str, Draw); 24] = [
    ("desktop", desktop),
    ("text page", text_page),
    ("terminal", terminal),
    ("photo", photo),
    ("gradient", smooth_gradient),
    ("icons", icons),
    ("calendar", calendar),
    ("spreadsheet", spreadsheet),
    ("swatches", swatches),
    ("files", files),
    ("bar chart", bar_chart),
    ("bricks", bricks),
    ("stripes", stripes),
    ("sudoku", sudoku),
    ("rectangles", rectangles),
    ("tiled windows", tiled_windows),
    ("thumbnails", thumbnails),
    ("one colour", one_colour),
    ("noise", noise),
    ("scattered discs", scattered_discs),
    ("stacked bars", stacked_bars),
    ("flat", flat),
    ("buttons", buttons),
    ("map", map),
];

/// A picture without a board.
#[must_use]
pub fn case(seed: u64) -> Case {
    let count = KINDS.len() as u64;
    let (kind, draw) = KINDS[(seed % count) as usize];
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x0b0a_2d00);
    let sizes = [(640, 480), (800, 600), (1280, 800), (1024, 768)];
    let (w, h) = sizes[rng.random_range(0..sizes.len())];
    let light = rng.random_range(180..=255);
    let mut picture = Picture::filled(w, h, [light, light, light]);
    draw(&mut rng, &mut picture);
    let by_camera = (seed / count) % 3 == 2;
    if by_camera {
        let mut seen = Picture::default();
        watching(&mut rng, seed, &picture).view(&picture, 1, &mut seen);
        picture = seen;
    }
    let by = if by_camera { "camera" } else { "screen" };
    Case {
        condition: kind.to_owned(),
        name: format!("none {seed} {kind} {by}"),
        picture,
        truth: None,
    }
}

fn watching(rng: &mut ChaCha8Rng, seed: u64, screen: &Picture) -> CameraModel {
    let mut model = CameraModel {
        seed,
        room: any_room(rng),
        ..CameraModel::default()
    };
    model.pose.aim = Point::new(
        f64::from(screen.width()) / 2.0,
        f64::from(screen.height()) / 2.0,
    );
    model.pose.zoom = 560.0 / f64::from(screen.width()) * rng.random_range(0.8..1.4);
    model.pose.tilt_x = rng.random_range(-25.0..25.0);
    model.pose.tilt_y = rng.random_range(-20.0..20.0);
    model.pose.roll = rng.random_range(-10.0..10.0);
    model.light.ratio = rng.random_range(1.0..2.5);
    model.light.angle = rng.random_range(0.0..360.0);
    model.sensor.blur = rng.random_range(0.4..1.2);
    model.sensor.read_noise = rng.random_range(0.5..3.0);
    model.sensor.jpeg = rng.random_bool(0.5).then_some(85);
    model
}

fn size(out: &Picture) -> (f64, f64) {
    (f64::from(out.width()), f64::from(out.height()))
}

fn surroundings(rng: &mut ChaCha8Rng, window: Option<[f64; 4]>) -> Surroundings {
    let (a, b) = (vivid(rng), vivid(rng));
    let face = rng.random_range(200..=250);
    Surroundings {
        backdrop: match rng.random_range(0..3) {
            0 => Backdrop::Plain(a.map(|v| v / 2)),
            1 => Backdrop::Gradient(a.map(|v| v / 2), b.map(|v| v / 2), 1.0),
            _ => Backdrop::Wallpaper(a, b.map(|v| v / 3), 160.0),
        },
        window,
        face: [face; 3],
        title_bar: 24.0,
        menu_bar: 20.0,
        icons: rng.random_range(3..30),
        text_lines: 20,
        seed: rng.random(),
        ..Surroundings::default()
    }
}

fn desktop(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = size(out);
    let x = rng.random_range(60.0..w * 0.4);
    let y = rng.random_range(40.0..h * 0.3);
    let area = [x, y, x + rng.random_range(w * 0.3..w * 0.55), y + h * 0.6].map(f64::floor);
    let s = surroundings(rng, Some(area));
    *out = paint(out.width(), out.height(), &s);
    for i in 0..rng.random_range(4..18) {
        let line = words(rng, ((area[2] - area[0]) / 8.0 - 4.0).max(4.0) as usize);
        let y = area[1] + 60.0 + 16.0 * f64::from(i);
        if y + 10.0 < area[3] {
            text(out, area[0] + 12.0, y, 1.0, [20, 20, 20], &line);
        }
    }
}

fn icons(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let mut s = surroundings(rng, None);
    s.icons = rng.random_range(4..12);
    *out = paint(out.width(), out.height(), &s);
}

fn page(rng: &mut ChaCha8Rng, out: &mut Picture, ink: Rgb, scale: f64, step: f64) {
    let (w, h) = size(out);
    let mut y = 24.0;
    while y + step < h {
        let full = ((w - 48.0) / (8.0 * scale)) as usize;
        if rng.random_bool(0.86) && full > 12 {
            let letters = if rng.random_bool(0.8) {
                full
            } else {
                rng.random_range(10..full)
            };
            let line = words(rng, letters);
            text(out, 24.0, y, scale, ink, &line);
        }
        y += step;
    }
}

fn text_page(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let scale = f64::from(rng.random_range(1..=2));
    page(rng, out, [25, 25, 30], scale, 12.0 * scale);
}

fn terminal(rng: &mut ChaCha8Rng, out: &mut Picture) {
    *out = Picture::filled(out.width(), out.height(), [12, 14, 20]);
    let (w, h) = size(out);
    let mut y = 6.0;
    while y + 12.0 < h {
        let mut x = 6.0;
        while x < w - 90.0 {
            let letters = rng.random_range(2..12);
            let word = words(rng, letters);
            let ink = vivid(rng);
            text(out, x, y, 1.0, ink, &word);
            x += 8.0 * (letters as f64 + 1.0);
            if rng.random_bool(0.12) {
                break;
            }
        }
        y += 12.0;
    }
}

fn photo(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let s = Surroundings {
        backdrop: Backdrop::Wallpaper(vivid(rng), vivid(rng).map(|v| v / 4), 220.0),
        seed: rng.random(),
        ..Surroundings::default()
    };
    *out = paint(out.width(), out.height(), &s);
}

fn smooth_gradient(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = size(out);
    let angle = rng.random_range(0.0..6.3);
    gradient(out, [0.0, 0.0, w, h], vivid(rng), vivid(rng), angle);
}

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

fn calendar(rng: &mut ChaCha8Rng, out: &mut Picture) {
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

fn spreadsheet(rng: &mut ChaCha8Rng, out: &mut Picture) {
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

fn swatches(rng: &mut ChaCha8Rng, out: &mut Picture) {
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

fn files(rng: &mut ChaCha8Rng, out: &mut Picture) {
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

fn axes(out: &mut Picture) -> (f64, f64) {
    let (w, h) = size(out);
    fill(out, [40.0, 30.0, 42.0, h - 40.0], [60; 3]);
    fill(out, [40.0, h - 42.0, w - 20.0, h - 40.0], [60; 3]);
    for i in 1..8 {
        let y = h - 42.0 - (h - 90.0) * f64::from(i) / 8.0;
        fill(out, [42.0, y, w - 20.0, y + 1.0], [210; 3]);
    }
    (w - 70.0, h - 90.0)
}

fn bar_chart(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let h = f64::from(out.height());
    let (w, tall) = axes(out);
    let bars = rng.random_range(5..16);
    let step = w / f64::from(bars);
    let many = rng.random_bool(0.5);
    let base = vivid(rng);
    for i in 0..bars {
        let x = 50.0 + step * f64::from(i);
        let top = h - 42.0 - tall * rng.random_range(0.1..1.0);
        let tone = if many { vivid(rng) } else { base };
        fill(out, [x, top, x + step * 0.7, h - 42.0], tone);
    }
}

fn stacked_bars(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let h = f64::from(out.height());
    let (w, tall) = axes(out);
    let set = Palette::Material.colours();
    let bars = rng.random_range(6..14);
    let step = w / f64::from(bars);
    for i in 0..bars {
        let x = 50.0 + step * f64::from(i);
        let mut y = h - 42.0;
        for &tone in &set[..4] {
            let part = tall / 4.5 * rng.random_range(0.2..1.0);
            fill(out, [x, y - part, x + step * 0.8, y], tone);
            y -= part;
        }
    }
}

fn bricks(rng: &mut ChaCha8Rng, out: &mut Picture) {
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

fn stripes(rng: &mut ChaCha8Rng, out: &mut Picture) {
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

fn sudoku(rng: &mut ChaCha8Rng, out: &mut Picture) {
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

fn rectangles(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = size(out);
    let set = Palette::Material.colours();
    for _ in 0..rng.random_range(20..70) {
        let (x, y) = (rng.random_range(0.0..w), rng.random_range(0.0..h));
        let (rw, rh) = (rng.random_range(10.0..220.0), rng.random_range(10.0..160.0));
        let c = set[rng.random_range(0..set.len())];
        fill(out, [x, y, x + rw, y + rh].map(f64::floor), c);
    }
}

fn tiled_windows(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = size(out);
    let (mx, my) = (
        rng.random_range(0.35..0.6) * w,
        rng.random_range(0.3..0.6) * h,
    );
    let areas = [
        [0.0, 0.0, mx, h],
        [mx, 0.0, w, my],
        [mx, my, (mx + w) / 2.0, h],
        [(mx + w) / 2.0, my, w, h],
    ];
    for area in areas.map(|a| a.map(f64::floor)) {
        let v = rng.random_range(20..=240);
        let ink = if v > 120 { [20; 3] } else { [220; 3] };
        fill(out, area, [v, v, v]);
        outline(out, area, 2.0, vivid(rng));
        let letters = ((area[2] - area[0] - 20.0) / 8.0).max(3.0) as usize;
        let mut y = area[1] + 12.0;
        while y + 12.0 < area[3] {
            if rng.random_bool(0.7) {
                let n = rng.random_range(2..=letters.max(3));
                let line = words(rng, n);
                text(out, area[0] + 8.0, y, 1.0, ink, &line);
            }
            y += 13.0;
        }
    }
}

fn thumbnails(rng: &mut ChaCha8Rng, out: &mut Picture) {
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

fn one_colour(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = size(out);
    let side = (w.min(h) * 0.7).floor();
    let tone = vivid(rng);
    fill(out, [40.0, 40.0, 40.0 + side, 40.0 + side], tone);
    text(
        out,
        40.0,
        52.0 + side,
        1.0,
        [30; 3],
        "COMPLETED! 18 / 24 moves",
    );
}

fn noise(rng: &mut ChaCha8Rng, out: &mut Picture) {
    for pixel in out.pixels_mut() {
        *pixel = packed(rng.random());
    }
}

fn scattered_discs(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = size(out);
    for _ in 0..rng.random_range(15..60) {
        let (x, y) = (rng.random_range(0.0..w), rng.random_range(0.0..h));
        let r = rng.random_range(6.0..46.0);
        let tone = vivid(rng);
        disc(out, x, y, r, tone);
    }
}

fn flat(_: &mut ChaCha8Rng, _: &mut Picture) {}

fn buttons(rng: &mut ChaCha8Rng, out: &mut Picture) {
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

/// Regions of flat colour with curved outlines.
fn map(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let set = Palette::Pastel.colours();
    let seed = rng.random::<u64>();
    let width = out.width();
    for (i, pixel) in out.pixels_mut().iter_mut().enumerate() {
        let (x, y) = (i as u32 % width, i as u32 / width);
        let v = clouds(seed, f64::from(x), f64::from(y), 240.0);
        let level = (v * 14.0) as usize % set.len();
        *pixel = packed(set[level]);
    }
}
