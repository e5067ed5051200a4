//! Flood puzzles made of paper: large regions of one muted colour, grain and creases, no lines
//! between cells, strong light from one corner, and a board that reaches to the picture's edges.
//!
//! Takes a seed, gives a [`Case`]; seeds go through [`CONDITIONS`] in turn.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::camera::{any_room, largest_zoom, least_pitch, middle, seen};
use crate::capture::simulated::CameraModel;
use crate::capture::simulated::model::Pose;
use crate::games::flood::target::canvas::{clouds, hash, smooth, text};
use crate::games::flood::target::cases::{Case, Truth};
use crate::games::flood::target::palette::Rgb;
use crate::types::picture::{channels, packed};
use crate::types::{BoardText, GridSize, Picture, Point, PxFromCell};

/// What is looked at.
pub const CONDITIONS: [&str; 6] = ["paper", "light", "strip", "margin", "one cell", "photo"];

/// Muted colours, as such puzzles have them.
const COLOURS: [&[Rgb]; 8] = [
    &[
        [0xb4, 0x45, 0x2f],
        [0xe6, 0xd2, 0xa8],
        [0x3e, 0x6b, 0x6c],
        [0x24, 0x38, 0x4a],
        [0xd9, 0x9a, 0x3c],
    ],
    &[
        [0xd8, 0xcf, 0xbe],
        [0x8a, 0x2f, 0x2b],
        [0x2f, 0x2a, 0x2c],
        [0xc7, 0x7b, 0x3a],
    ],
    &[
        [0x7b, 0xa0, 0x9a],
        [0xe8, 0xe0, 0xc8],
        [0xc4, 0x4e, 0x3a],
        [0x3a, 0x4a, 0x56],
    ],
    &[
        [0xf0, 0xe4, 0xcc],
        [0x5c, 0x7c, 0x4e],
        [0xb8, 0x8a, 0x46],
        [0x6e, 0x3c, 0x34],
        [0x38, 0x50, 0x4c],
    ],
    &[[0xc8, 0xb0, 0x90], [0x44, 0x5c, 0x7c], [0xa4, 0x3c, 0x48]],
    &[
        [0xe0, 0xa8, 0x9c],
        [0x7c, 0x48, 0x5c],
        [0xf2, 0xe8, 0xdc],
        [0x4c, 0x6c, 0x80],
    ],
    &[
        [0xd4, 0xc0, 0x70],
        [0x88, 0x94, 0x58],
        [0x50, 0x44, 0x38],
        [0xe4, 0xdc, 0xc4],
    ],
    &[
        [0x9c, 0x98, 0x90],
        [0x54, 0x50, 0x4c],
        [0xd8, 0xd4, 0xcc],
        [0xa8, 0x50, 0x38],
    ],
];

/// How a puzzle is lit and printed.
struct Look {
    grain: f64,
    crease: f64,
    blotch: f64,
    shadow: f64,
    /// Brightest over darkest across the picture, and where the light comes from.
    ratio: f64,
    angle: f64,
    vignette: f64,
    warmth: f64,
    seed: u64,
}

/// A puzzle of paper.
#[must_use]
pub fn case(seed: u64) -> Case {
    let condition = CONDITIONS[(seed % CONDITIONS.len() as u64) as usize];
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x4a11);
    if condition == "photo" {
        loop {
            if let Some(case) = photo(&mut rng, seed) {
                return case;
            }
        }
    }
    drawn(&mut rng, seed, condition)
}

fn drawn(rng: &mut ChaCha8Rng, seed: u64, condition: &str) -> Case {
    let tall = rng.random_bool(0.6);
    let mut size = if tall {
        GridSize::new(rng.random_range(8..=12), rng.random_range(12..=18))
    } else {
        GridSize::new(rng.random_range(12..=18), rng.random_range(8..=12))
    };
    if rng.random_bool(0.5) {
        size = if tall {
            GridSize::new(10, 16)
        } else {
            GridSize::new(16, 10)
        };
    }
    let pitch = f64::from(rng.random_range(24..=104));
    let set = COLOURS.choose(rng).copied().unwrap_or(COLOURS[0]);
    let colours = rng.random_range(3..=set.len());
    let board = pattern(rng, size, colours as u8, condition == "one cell");
    let strong = matches!(condition, "light" | "one cell");
    let look = Look {
        grain: rng.random_range(0.01..0.05),
        crease: rng.random_range(0.0..0.05),
        blotch: rng.random_range(0.0..0.06),
        shadow: rng.random_range(0.0..0.16),
        ratio: if strong {
            rng.random_range(1.6..2.8)
        } else {
            rng.random_range(1.0..1.7)
        },
        angle: rng.random_range(0.0..6.3),
        vignette: rng.random_range(0.0..if strong { 0.45 } else { 0.25 }),
        warmth: rng.random_range(0.0..0.12),
        seed: rng.random(),
    };
    let (w, h) = (f64::from(size.cols) * pitch, f64::from(size.rows) * pitch);
    let margin = match condition {
        "margin" => (pitch * rng.random_range(0.2..1.5)).round(),
        _ => 0.0,
    };
    let strip = match condition {
        "strip" | "one cell" => (pitch * rng.random_range(0.8..1.9)).round(),
        _ => 0.0,
    };
    let origin = Point::new(margin, margin);
    let mut picture = Picture::filled(
        (w + 2.0 * margin).round() as u32,
        (h + 2.0 * margin + strip).round() as u32,
        ground(set, colours),
    );
    paint(
        &mut picture,
        size,
        origin,
        pitch,
        &board,
        &set[..colours],
        &look,
    );
    if strip > 0.0 {
        swatches(&mut picture, [0.0, h, w, h + strip], &set[..colours]);
    }
    light(&mut picture, &look);
    let place = PxFromCell::upright(origin, pitch, pitch);
    Case {
        condition: condition.to_owned(),
        name: format!(
            "paper {seed} {condition} {size} pitch {pitch} {colours} colours light {:.1} grain {:.3} vignette {:.2}",
            look.ratio, look.grain, look.vignette
        ),
        picture,
        truth: Some(Truth {
            size,
            board: text_of(size, &board),
            corners: Some(place.corners(size)),
        }),
    }
}

fn text_of(size: GridSize, board: &[u8]) -> BoardText {
    let letters = board.iter().map(|&c| char::from(b'a' + c));
    BoardText::from_cells(usize::from(size.cols), letters)
}

/// A tone that no colour of the puzzle has.
fn ground(set: &[Rgb], colours: usize) -> Rgb {
    let far = |c: Rgb| {
        let apart = |p: &Rgb| (0..3).map(|i| p[i].abs_diff(c[i])).max().unwrap_or(0);
        set[..colours].iter().map(apart).min().unwrap_or(255)
    };
    [[0x18, 0x16, 0x14], [0xf6, 0xf4, 0xf0], [0x60, 0x50, 0x44]]
        .into_iter()
        .max_by_key(|&c| far(c))
        .unwrap_or([0x18, 0x16, 0x14])
}

/// A design of large regions that still shows most lines of its lattice; with single cells of a
/// colour of their own where asked for.
fn pattern(rng: &mut ChaCha8Rng, size: GridSize, colours: u8, lone: bool) -> Vec<u8> {
    let (w, h) = (i32::from(size.cols), i32::from(size.rows));
    loop {
        let base = rng.random_range(0..colours.max(3) - u8::from(lone));
        let usable = if lone { colours - 1 } else { colours };
        let mut board = vec![base; size.len()];
        let mirror = rng.random_bool(0.6);
        for _ in 0..rng.random_range(4..12) {
            let colour = rng.random_range(0..usable);
            let (cx, cy) = (rng.random_range(0..w), rng.random_range(0..h));
            let (rx, ry) = (rng.random_range(1..=w / 3), rng.random_range(1..=h / 3));
            let shape = rng.random_range(0..4);
            for y in 0..h {
                for x in 0..w {
                    let (dx, dy) = ((x - cx).abs(), (y - cy).abs());
                    let inside = match shape {
                        0 => dx <= rx && dy <= ry,
                        1 => dx * ry + dy * rx <= rx * ry,
                        2 => dx <= rx && dy <= ry && (dx == rx || dy == ry),
                        _ => (x + y + cx) % 4 < 2 && dx <= rx && dy <= ry,
                    };
                    if inside {
                        board[(y * w + x) as usize] = colour;
                        if mirror {
                            board[(y * w + w - 1 - x) as usize] = colour;
                        }
                    }
                }
            }
        }
        if lone {
            let at = rng.random_range(0..board.len());
            board[at] = colours - 1;
        }
        let used = (0..colours).filter(|c| board.contains(c)).count();
        let shown = crate::games::flood::target::cases::lines_shown(size, &board);
        // Every line or nearly: where a whole column repeats its neighbour nobody could say how
        // many there are but by counting squares.
        if used == usize::from(colours) && shown > 0.7 {
            return board;
        }
    }
}

fn paint(
    out: &mut Picture,
    size: GridSize,
    origin: Point,
    pitch: f64,
    board: &[u8],
    set: &[Rgb],
    look: &Look,
) {
    let (w, h) = (f64::from(size.cols) * pitch, f64::from(size.rows) * pitch);
    let at = |x: i64, y: i64| {
        let x = x.clamp(0, i64::from(size.cols) - 1) as usize;
        let y = y.clamp(0, i64::from(size.rows) - 1) as usize;
        board[y * usize::from(size.cols) + x]
    };
    let width = out.width() as usize;
    for (i, pixel) in out.pixels_mut().iter_mut().enumerate() {
        let (px, py) = ((i % width) as f64 + 0.5, (i / width) as f64 + 0.5);
        let (u, v) = ((px - origin.x) / pitch, (py - origin.y) / pitch);
        if u < 0.0 || v < 0.0 || u * pitch >= w || v * pitch >= h {
            continue;
        }
        let (cx, cy) = (u.floor() as i64, v.floor() as i64);
        let own = at(cx, cy);
        let rgb = set[usize::from(own)];
        let (fx, fy) = (u.fract(), v.fract());
        let mut gain = 1.0;
        // Paper: fine grain, fibres, blotches as large as some cells.
        let s = look.seed;
        gain += look.grain * 1.8 * (hash(s, px as i64, py as i64) - 0.5);
        gain += look.grain * 2.4 * (smooth(s ^ 7, px / 3.1, py / 2.2) - 0.5);
        gain += look.blotch * 2.0 * (clouds(s ^ 21, px, py, 3.0 * pitch) - 0.5);
        // Creases: each square was folded over, some of them leave a trace.
        for (line, f) in [(cx, fx), (cx + 1, 1.0 - fx)] {
            let deep = hash(s ^ 31, line, cy) - 0.4;
            if deep > 0.0 && f * pitch < 1.5 {
                gain += look.crease * deep * if f == fx { 1.0 } else { -1.0 };
            }
        }
        for (line, f) in [(cy, fy), (cy + 1, 1.0 - fy)] {
            let deep = hash(s ^ 37, line, cx) - 0.4;
            if deep > 0.0 && f * pitch < 1.5 {
                gain += look.crease * deep * if f == fy { 1.0 } else { -1.0 };
            }
        }
        // One region's edge throws a shadow on the next.
        let reach = 0.16;
        if at(cx - 1, cy) != own && fx < reach {
            gain -= look.shadow * (1.0 - fx / reach);
        }
        if at(cx, cy - 1) != own && fy < reach {
            gain -= look.shadow * (1.0 - fy / reach);
        }
        *pixel = packed(rgb.map(|c| (f64::from(c) * gain).round().clamp(0.0, 255.0) as u8));
    }
}

/// The strip below the board: the colours to choose from and how many moves are left.
fn swatches(out: &mut Picture, [x0, y0, x1, y1]: [f64; 4], set: &[Rgb]) {
    use crate::games::flood::target::canvas::fill;
    fill(out, [x0, y0, x1, y1], [0x2c, 0x26, 0x22]);
    let side = (y1 - y0) * 0.7;
    for (i, &rgb) in set.iter().enumerate() {
        let x = x0 + (y1 - y0) * 0.15 + side * 1.15 * i as f64;
        let y = y0 + (y1 - y0) * 0.15;
        fill(out, [x, y, x + side, y + side], rgb);
    }
    let at = x1 - (y1 - y0) * 1.2;
    text(
        out,
        at,
        y0 + (y1 - y0) * 0.3,
        (y1 - y0) / 24.0,
        [0xe8, 0xdc, 0xc8],
        "3",
    );
}

/// Light over the whole picture.
fn light(out: &mut Picture, look: &Look) {
    let (w, h) = (f64::from(out.width()), f64::from(out.height()));
    let (s, c) = look.angle.sin_cos();
    let reach = w * c.abs() + h * s.abs();
    let fall = look.ratio.ln();
    let width = out.width() as usize;
    for (i, pixel) in out.pixels_mut().iter_mut().enumerate() {
        let (x, y) = (
            (i % width) as f64 + 0.5 - w / 2.0,
            (i / width) as f64 + 0.5 - h / 2.0,
        );
        let along = (x * c + y * s) / reach;
        let r2 = (x * x + y * y) / (w * w + h * h) * 4.0;
        let gain = (-fall * (along + 0.5)).exp() * (1.0 - look.vignette * r2);
        let tint = [
            1.0,
            1.0 - look.warmth * (along + 0.5),
            1.0 - 2.0 * look.warmth * (along + 0.5),
        ];
        let old = channels(*pixel);
        *pixel = packed(std::array::from_fn(|k| {
            (f64::from(old[k]) * gain * tint[k])
                .round()
                .clamp(0.0, 255.0) as u8
        }));
    }
}

/// A tablet with such a puzzle, photographed.
fn photo(rng: &mut ChaCha8Rng, seed: u64) -> Option<Case> {
    let below = if rng.random_bool(0.5) {
        "strip"
    } else {
        "paper"
    };
    let screen = drawn(rng, seed, below);
    let truth = screen.truth.clone()?;
    let place = PxFromCell::from_corners(truth.size, truth.corners?)?;
    let tilt: f64 = rng.random_range(0.0..28.0);
    let way: f64 = rng.random_range(0.0..6.3);
    let mut model = CameraModel {
        picture: *[(1280, 960), (960, 1280), (1024, 768)].choose(rng)?,
        seed,
        room: any_room(rng),
        bezel: f64::from(screen.picture.width()) * rng.random_range(0.01..0.08),
        pose: Pose {
            tilt_x: tilt * way.cos(),
            tilt_y: tilt * way.sin(),
            roll: rng.random_range(-14.0..14.0),
            aim: middle(&place, truth.size),
            zoom: 1.0,
        },
        ..CameraModel::default()
    };
    let corners = place.corners(truth.size);
    let zoom = largest_zoom(&mut model, &corners, 12.0)?;
    model.pose.zoom = zoom * rng.random_range(0.6..0.95);
    if least_pitch(&model, &place, truth.size) < 14.0 {
        return None;
    }
    model.sensor.blur = rng.random_range(0.5..1.4);
    model.sensor.read_noise = rng.random_range(0.5..2.5);
    model.sensor.shot_noise = rng.random_range(0.5..2.5);
    model.sensor.moire = rng.random_range(0.0..0.06);
    model.sensor.jpeg = Some(rng.random_range(60..92));
    let mut filmed = seen(&screen, &model);
    filmed.condition = "photo".to_owned();
    filmed.name = format!("{} photo tilt {tilt:.0}", screen.name);
    Some(filmed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_picture_and_designs_show_their_lattice() {
        for seed in 0..6 {
            let (a, b) = (case(seed), case(seed));
            assert_eq!(a.picture, b.picture, "{}", a.name);
            assert_eq!(a.truth, b.truth);
        }
    }
}
