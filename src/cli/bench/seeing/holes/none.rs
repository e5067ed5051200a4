//! Pictures full of round things in rows that are no Connect-4 board.
//!
//! Takes a seed, gives a [`Case`] without truth; seeds go through [`KINDS`] in turn, every third
//! round seen by a camera.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::camera::any_room;
use crate::capture::simulated::CameraModel;
use crate::games::flood::target::canvas::{disc, fill, outline, rounded, text};
use crate::games::flood::target::cases::Case;
use crate::games::flood::target::palette::Rgb;
use crate::games::flood::target::scenery::{vivid, words};
use crate::types::{Picture, Point};

type Draw = fn(&mut ChaCha8Rng, &mut Picture);

/// What is drawn, by name.
pub const KINDS: [(&str, Draw); 14] = [
    ("othello", othello),
    ("go stones", go_stones),
    ("round icons", round_icons),
    ("colour picker", colour_picker),
    ("gems", gems),
    ("bubble sheet", bubble_sheet),
    ("polka dots", polka_dots),
    ("peg board", peg_board),
    ("draughts", draughts),
    ("round keys", round_keys),
    ("days", days),
    ("sudoku with rings", sudoku),
    ("dice", dice),
    ("faces", faces),
];

/// A picture without a board.
#[must_use]
pub fn case(seed: u64) -> Case {
    let count = KINDS.len() as u64;
    let (kind, draw) = KINDS[(seed % count) as usize];
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x00c4_0e00);
    let light = rng.random_range(20..=255);
    let mut picture = Picture::filled(900, 700, [light, light, light]);
    draw(&mut rng, &mut picture);
    let by_camera = (seed / count) % 3 == 2;
    if by_camera {
        let mut model = CameraModel {
            picture: (1280, 720),
            seed,
            room: any_room(&mut rng),
            ..CameraModel::default()
        };
        model.pose.aim = Point::new(450.0, 350.0);
        model.pose.zoom = rng.random_range(0.8..1.4);
        model.pose.tilt_x = rng.random_range(-25.0..25.0);
        model.pose.tilt_y = rng.random_range(-25.0..25.0);
        model.pose.roll = rng.random_range(-12.0..12.0);
        model.light.ratio = rng.random_range(1.0..2.0);
        model.sensor.blur = rng.random_range(0.3..1.2);
        model.sensor.read_noise = rng.random_range(0.5..2.5);
        let mut seen = Picture::default();
        model.view(&picture, 1, &mut seen);
        picture = seen;
    }
    Case {
        condition: kind.to_owned(),
        name: format!(
            "no holes {seed} {kind} {}",
            if by_camera { "camera" } else { "screen" }
        ),
        picture,
        truth: None,
    }
}

/// Rows and columns of something, in the middle of the picture.
fn each(
    out: &mut Picture,
    cols: u32,
    rows: u32,
    pitch: f64,
    put: &mut dyn FnMut(&mut Picture, u32, u32, f64, f64),
) {
    let x0 = (f64::from(out.width()) - pitch * f64::from(cols)) / 2.0;
    let y0 = (f64::from(out.height()) - pitch * f64::from(rows)) / 2.0;
    for row in 0..rows {
        for col in 0..cols {
            let (x, y) = (
                x0 + pitch * (f64::from(col) + 0.5),
                y0 + pitch * (f64::from(row) + 0.5),
            );
            put(out, col, row, x, y);
        }
    }
}

fn ink(ground: Rgb) -> Rgb {
    if ground.iter().map(|&v| u32::from(v)).sum::<u32>() > 380 {
        [15; 3]
    } else {
        [240; 3]
    }
}

fn othello(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let pitch = rng.random_range(40.0..76.0);
    let half = pitch / 2.0;
    let stones: Vec<u8> = (0..64)
        .map(|i| {
            let (x, y) = (i % 8, i / 8);
            let near = (2..6).contains(&x) && (2..6).contains(&y);
            if rng.random_bool(if near { 0.85 } else { 0.25 }) {
                rng.random_range(1..=2)
            } else {
                0
            }
        })
        .collect();
    each(out, 8, 8, pitch, &mut |out, c, r, x, y| {
        fill(out, [x - half, y - half, x + half, y + half], [20, 120, 60]);
        outline(out, [x - half, y - half, x + half, y + half], 1.0, [0; 3]);
        match stones[(r * 8 + c) as usize] {
            1 => disc(out, x, y, 0.4 * pitch, [15; 3]),
            2 => disc(out, x, y, 0.4 * pitch, [240; 3]),
            _ => {}
        }
    });
}

fn go_stones(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let n = *[9u32, 13, 19].choose(rng).unwrap_or(&9);
    let pitch = 620.0 / f64::from(n);
    let (w, h) = (f64::from(out.width()), f64::from(out.height()));
    fill(out, [0.0, 0.0, w, h], [0xdc, 0xb4, 0x6e]);
    let full = rng.random_range(0.1..0.9);
    each(out, n, n, pitch, &mut |out, c, r, x, y| {
        let half = pitch / 2.0;
        fill(
            out,
            [
                x - if c > 0 { half } else { 0.0 },
                y - 0.5,
                x + if c + 1 < n { half } else { 0.0 },
                y + 0.5,
            ],
            [30; 3],
        );
        fill(
            out,
            [
                x - 0.5,
                y - if r > 0 { half } else { 0.0 },
                x + 0.5,
                y + if r + 1 < n { half } else { 0.0 },
            ],
            [30; 3],
        );
    });
    each(out, n, n, pitch, &mut |out, _, _, x, y| {
        if rng.random_bool(full) {
            let stone = if rng.random_bool(0.5) {
                [18; 3]
            } else {
                [238; 3]
            };
            disc(out, x, y, 0.47 * pitch, stone);
        }
    });
}

fn round_icons(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (cols, rows) = (rng.random_range(4..=7), rng.random_range(4..=6));
    let pitch = 660.0 / f64::from(rows.max(cols));
    each(out, cols, rows, pitch, &mut |out, _, _, x, y| {
        let (a, b) = (vivid(rng), vivid(rng));
        disc(out, x, y - 0.1 * pitch, 0.3 * pitch, a);
        match rng.random_range(0..3) {
            0 => disc(out, x, y - 0.1 * pitch, 0.13 * pitch, b),
            1 => rounded(
                out,
                [x - 0.14 * pitch, y - 0.2 * pitch, x + 0.14 * pitch, y],
                4.0,
                b,
            ),
            _ => fill(
                out,
                [
                    x - 0.17 * pitch,
                    y - 0.13 * pitch,
                    x + 0.17 * pitch,
                    y - 0.07 * pitch,
                ],
                b,
            ),
        }
        let label = words(rng, 7);
        text(out, x - 28.0, y + 0.27 * pitch, 1.0, [128; 3], &label);
    });
}

fn colour_picker(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (cols, rows) = (rng.random_range(4..=10), rng.random_range(4..=8));
    let pitch = rng.random_range(36.0..66.0);
    each(out, cols, rows, pitch, &mut |out, _, _, x, y| {
        disc(out, x, y, 0.4 * pitch, rng.random());
    });
}

fn gems(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (cols, rows) = (rng.random_range(6..=9), rng.random_range(6..=9));
    let pitch = rng.random_range(40.0..72.0);
    let kinds: Vec<Rgb> = (0..rng.random_range(5..=7)).map(|_| vivid(rng)).collect();
    let (w, h) = (
        f64::from(cols) * pitch / 2.0 + 10.0,
        f64::from(rows) * pitch / 2.0 + 10.0,
    );
    fill(
        out,
        [450.0 - w, 350.0 - h, 450.0 + w, 350.0 + h],
        [40, 30, 60],
    );
    each(out, cols, rows, pitch, &mut |out, _, _, x, y| {
        let c = *kinds.choose(rng).unwrap_or(&[200, 40, 40]);
        disc(out, x, y, 0.42 * pitch, c);
        disc(
            out,
            x - 0.12 * pitch,
            y - 0.14 * pitch,
            0.09 * pitch,
            [245; 3],
        );
    });
}

fn bubble_sheet(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (w, h) = (f64::from(out.width()), f64::from(out.height()));
    fill(out, [0.0, 0.0, w, h], [250; 3]);
    let pitch = rng.random_range(26.0..36.0);
    each(out, 5, 20, pitch, &mut |out, c, r, x, y| {
        disc(out, x, y, 0.36 * pitch, [40; 3]);
        let marked = (r * 7 + 3) % 5 == c || rng.random_bool(0.02);
        if !marked {
            disc(out, x, y, 0.36 * pitch - 1.5, [250; 3]);
            let letter = char::from(b'A' + c as u8).to_string();
            text(out, x - 4.0, y - 4.0, 1.0, [90; 3], &letter);
        }
        if c == 0 {
            text(
                out,
                x - 2.0 * pitch,
                y - 4.0,
                1.0,
                [20; 3],
                &format!("{}", r + 1),
            );
        }
    });
}

fn polka_dots(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let ground = vivid(rng);
    let dot = vivid(rng);
    let pitch = rng.random_range(24.0..60.0);
    let (w, h) = (f64::from(out.width()), f64::from(out.height()));
    fill(out, [0.0, 0.0, w, h], ground);
    let skewed = rng.random_bool(0.5);
    for row in 0..(h / pitch) as u32 + 2 {
        for col in 0..(w / pitch) as u32 + 2 {
            let shift = if skewed && row % 2 == 1 { 0.5 } else { 0.0 };
            disc(
                out,
                pitch * (f64::from(col) + shift),
                pitch * f64::from(row),
                0.32 * pitch,
                dot,
            );
        }
    }
}

fn peg_board(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (cols, rows) = (rng.random_range(16..=24), rng.random_range(14..=18));
    let pitch = 680.0 / f64::from(rows);
    let pitch = pitch.min(860.0 / f64::from(cols));
    let tone = vivid(rng);
    let (w, h) = (
        f64::from(cols) * pitch / 2.0 + 8.0,
        f64::from(rows) * pitch / 2.0 + 8.0,
    );
    fill(out, [450.0 - w, 350.0 - h, 450.0 + w, 350.0 + h], tone);
    each(out, cols, rows, pitch, &mut |out, _, _, x, y| {
        disc(out, x, y, 0.3 * pitch, tone.map(|v| v / 3));
    });
}

fn draughts(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let pitch = rng.random_range(44.0..80.0);
    let half = pitch / 2.0;
    each(out, 8, 8, pitch, &mut |out, c, r, x, y| {
        let dark = (c + r) % 2 == 1;
        let square = if dark { [110, 70, 40] } else { [230, 210, 170] };
        fill(out, [x - half, y - half, x + half, y + half], square);
        let stone = if r < 3 { [20; 3] } else { [200, 30, 30] };
        if dark && (!(3..5).contains(&r) || rng.random_bool(0.2)) {
            disc(out, x, y, 0.4 * pitch, stone);
        }
    });
}

fn round_keys(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (cols, rows) = (rng.random_range(4..=8), rng.random_range(4..=6));
    let pitch = rng.random_range(60.0..100.0);
    let key = vivid(rng).map(|v| v / 2);
    each(out, cols, rows, pitch, &mut |out, c, r, x, y| {
        let tone = if c + 1 == cols { [240, 150, 30] } else { key };
        disc(out, x, y, 0.42 * pitch, tone);
        let label = char::from(b'0' + ((c * 5 + r * 3) % 43) as u8).to_string();
        text(out, x - 8.0, y - 8.0, 2.0, [250; 3], &label);
    });
}

fn days(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let pitch = rng.random_range(40.0..80.0);
    let first = rng.random_range(0..7);
    let today = rng.random_range(1..28);
    let tone = vivid(rng);
    each(out, 7, 6, pitch, &mut |out, c, r, x, y| {
        let day = (r * 7 + c) as i32 - first + 1;
        if !(1..=30).contains(&day) {
            return;
        }
        let on = day == today || rng.random_bool(0.15);
        if on {
            disc(out, x, y, 0.4 * pitch, tone);
        }
        let ground = out.rgb(4, 4);
        text(
            out,
            x - 8.0,
            y - 4.0,
            1.0,
            if on { [255; 3] } else { ink(ground) },
            &day.to_string(),
        );
    });
}

fn sudoku(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let pitch = rng.random_range(44.0..70.0);
    let half = pitch / 2.0;
    each(out, 9, 9, pitch, &mut |out, _, _, x, y| {
        fill(out, [x - half, y - half, x + half, y + half], [252; 3]);
        outline(out, [x - half, y - half, x + half, y + half], 1.0, [60; 3]);
        if rng.random_bool(0.15) {
            disc(out, x, y, 0.4 * pitch, [40, 90, 200]);
            disc(out, x, y, 0.34 * pitch, [252; 3]);
        }
        if rng.random_bool(0.5) {
            let digit = rng.random_range(1..=9).to_string();
            text(out, x - 8.0, y - 8.0, 2.0, [20; 3], &digit);
        }
    });
}

fn dice(rng: &mut ChaCha8Rng, out: &mut Picture) {
    for _ in 0..rng.random_range(5..14) {
        let side = rng.random_range(80.0..180.0);
        let (x, y) = (rng.random_range(0.0..760.0), rng.random_range(0.0..560.0));
        let tone = vivid(rng);
        rounded(out, [x, y, x + side, y + side], side * 0.15, tone);
        for i in 0..9 {
            if rng.random_bool(0.6) {
                let (c, r) = (f64::from(i % 3), f64::from(i / 3));
                disc(
                    out,
                    x + side * (0.22 + 0.28 * c),
                    y + side * (0.22 + 0.28 * r),
                    side * 0.09,
                    [250; 3],
                );
            }
        }
    }
}

fn faces(rng: &mut ChaCha8Rng, out: &mut Picture) {
    let (cols, rows) = (rng.random_range(5..=9), rng.random_range(4..=7));
    let pitch = rng.random_range(60.0..96.0);
    each(out, cols, rows, pitch, &mut |out, _, _, x, y| {
        let skin = *[[250, 215, 80], [240, 190, 150], [150, 100, 70]]
            .choose(rng)
            .unwrap_or(&[250, 215, 80]);
        disc(out, x, y, 0.4 * pitch, skin);
        for side in [-1.0, 1.0] {
            disc(
                out,
                x + side * 0.14 * pitch,
                y - 0.08 * pitch,
                0.05 * pitch,
                [20; 3],
            );
        }
        let smile = rng.random_range(0.02..0.12) * pitch;
        fill(
            out,
            [
                x - 0.15 * pitch,
                y + 0.12 * pitch,
                x + 0.15 * pitch,
                y + 0.12 * pitch + smile,
            ],
            [120, 20, 20],
        );
    });
}
