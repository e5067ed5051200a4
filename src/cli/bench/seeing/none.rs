//! Pictures without a board that have something of one: grids without filled cells, rows of
//! swatches, bricks, charts, windows, text.
//!
//! Takes a seed, gives a [`Case`] without truth; seeds go through [`KINDS`] in turn, every third
//! round seen by a camera.

mod grids;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::camera::any_room;
use crate::capture::simulated::CameraModel;
use crate::games::flood::target::canvas::{clouds, disc, fill, gradient, outline, text};
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
    ("calendar", grids::calendar),
    ("spreadsheet", grids::spreadsheet),
    ("swatches", grids::swatches),
    ("files", grids::files),
    ("bar chart", bar_chart),
    ("bricks", grids::bricks),
    ("stripes", grids::stripes),
    ("sudoku", grids::sudoku),
    ("rectangles", rectangles),
    ("tiled windows", tiled_windows),
    ("thumbnails", grids::thumbnails),
    ("one colour", one_colour),
    ("noise", noise),
    ("scattered discs", scattered_discs),
    ("stacked bars", stacked_bars),
    ("flat", flat),
    ("buttons", grids::buttons),
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
