//! Boards of squares by condition: X and O, or discs.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::style::{Ground, Last, Stone, Style};
use super::{filmed, paint};
use crate::games::flood::target::canvas::{disc, fill};
use crate::games::flood::target::cases::{Case, Truth};
use crate::games::flood::target::palette::Rgb;
use crate::types::{BoardText, GridSize, Picture, Point};

/// The conditions of [`super::squares`].
pub const CONDITIONS: [&str; 8] = [
    "thin",
    "thick",
    "scribbled",
    "framed",
    "discs",
    "lit square",
    "small",
    "camera",
];

/// A case of a condition, or none where chance made one that cannot be decided.
pub fn attempt(rng: &mut ChaCha8Rng, seed: u64, condition: &str) -> Option<Case> {
    let style = style(rng, condition);
    let look = Look::any(rng, condition, &style);
    let cells = position(rng, style.size);
    let lines = (style.size.cols + 1, style.size.rows + 1);
    let mut picture = paint::board(&style, lines);
    put(
        &mut picture,
        rng,
        &style,
        &look,
        &cells,
        condition == "lit square",
    );
    let letters = match look.discs {
        Some([(a, _), (b, _)]) => [a, b],
        None => ['X', 'O'],
    };
    let board = BoardText::from_cells(
        style.size.cols.into(),
        cells.iter().map(|c| match c {
            0 => '.',
            k => letters[usize::from(k - 1)],
        }),
    );
    let case = Case {
        condition: condition.to_owned(),
        name: format!(
            "squares {seed} {condition} {} pitch {:.1} {} marks",
            style.size,
            style.pitch.0,
            cells.iter().filter(|c| **c > 0).count()
        ),
        picture,
        truth: Some(Truth {
            size: style.size,
            board,
            corners: Some(style.px_from_square().corners(style.size)),
        }),
    };
    if condition == "camera" {
        let middle = style.px_from_square().map(Point::new(
            f64::from(style.size.cols) / 2.0,
            f64::from(style.size.rows) / 2.0,
        ));
        return filmed::filmed(rng, seed, condition, &case, middle, style.line.1);
    }
    Some(case)
}

/// How marks are drawn.
struct Look {
    cross: Rgb,
    ring: Rgb,
    /// Width of strokes, reach of the strokes of an X, radius of an O, in cells.
    width: f64,
    reach: f64,
    radius: f64,
    /// How far strokes wander, in cells.
    wander: f64,
    /// Letters and colours, where discs are played.
    discs: Option<[(char, Rgb); 2]>,
}

impl Look {
    fn any(rng: &mut impl Rng, condition: &str, style: &Style) -> Self {
        let ground = style.ground.rgb();
        let dark = ground.iter().map(|&v| u32::from(v)).sum::<u32>() < 300;
        let inks: [Rgb; 4] = if dark {
            [[240; 3], [250, 90, 90], [90, 220, 250], [250, 220, 80]]
        } else {
            [[15; 3], [170, 20, 20], [20, 20, 140], [20, 100, 30]]
        };
        let cross = *inks.choose(rng).unwrap_or(&inks[0]);
        let ring = if rng.random_bool(0.4) {
            cross
        } else {
            *inks.choose(rng).unwrap_or(&inks[1])
        };
        let thin = (1.6 / style.pitch.0).max(0.06);
        Self {
            cross,
            ring,
            width: match condition {
                "thick" => rng.random_range(0.12..0.2),
                "thin" | "small" => thin,
                _ => rng.random_range(thin..0.13),
            },
            reach: rng.random_range(0.27..0.36),
            radius: rng.random_range(0.27..0.36),
            wander: if condition == "scribbled" { 0.05 } else { 0.0 },
            discs: (condition == "discs").then(|| {
                let pairs = [
                    [('R', [225, 40, 40]), ('G', [40, 190, 60])],
                    [('Y', [240, 210, 30]), ('R', [215, 30, 30])],
                    [('B', [12; 3]), ('W', [250; 3])],
                ];
                let gap = |c: Rgb| {
                    (0..3)
                        .map(|i| u32::from(c[i].abs_diff(ground[i])))
                        .sum::<u32>()
                };
                let fits = |p: &&[(char, Rgb); 2]| p.iter().all(|d| gap(d.1) > 160);
                let fitting: Vec<_> = pairs.iter().filter(fits).collect();
                *fitting.choose(rng).map_or(&pairs[0], |p| *p)
            }),
        }
    }
}

fn style(rng: &mut ChaCha8Rng, condition: &str) -> Style {
    let side = rng.random_range(8..=22);
    let rows = if rng.random_bool(0.8) {
        side
    } else {
        rng.random_range(8..=22)
    };
    let size = GridSize::new(side, rows);
    let longest = f64::from(side.max(rows));
    let grounds = [
        [255, 255, 255],
        [250, 248, 235],
        [255, 255, 0],
        [10, 10, 14],
        [205, 225, 240],
    ];
    let ground = *grounds.choose(rng).unwrap_or(&[255; 3]);
    let dark = ground.iter().map(|&v| u32::from(v)).sum::<u32>() < 300;
    let pitch = match condition {
        "small" => rng.random_range(18.0..22.0),
        "camera" => (1100.0 / longest).floor(),
        _ => rng.random_range(22.0..=(860.0 / longest).clamp(26.0, 64.0)),
    };
    let pitch = f64::floor(pitch);
    let width = match condition {
        "camera" => (0.045 * pitch).max(2.0),
        _ => 1.0,
    };
    let line = if dark { [60, 170, 60] } else { [70, 80, 190] };
    let around = f64::from(rng.random_range(16..120));
    let board = (pitch * f64::from(size.cols), pitch * f64::from(size.rows));
    let margin = rng.random_range(0.4..1.5);
    Style {
        size,
        pitch: (pitch, pitch),
        origin: Point::new(
            (around + margin * pitch).floor() + 0.5,
            (around + margin * pitch).floor() + 0.5,
        ),
        picture: (
            (board.0 + 2.0 * (around + margin * pitch)) as u32,
            (board.1 + 2.0 * (around + margin * pitch)) as u32,
        ),
        backdrop: if rng.random_bool(0.5) {
            ground
        } else {
            [90; 3]
        },
        rough: 0.0,
        ground: Ground::Plain(ground),
        margin,
        line: (line, width),
        frame: if condition == "framed" {
            3.0 * width
        } else {
            width
        },
        overhang: 0.0,
        stars: false,
        coordinates: false,
        watermark: false,
        stones: [Stone {
            letter: '.',
            rgb: ground,
            gloss: 0.0,
            rim: None,
            stripes: false,
        }; 2],
        radius: rng.random_range(0.3..0.6),
        shadow: 0.0,
        shift: (0.0, 0.0),
        jitter: 0.0,
        last: Last::None,
        numbers: 0.0,
    }
}

fn position(rng: &mut impl Rng, size: GridSize) -> Vec<u8> {
    let count = *[4, 10, 24, 60].choose(rng).unwrap_or(&10);
    let mut cells = vec![0u8; size.len()];
    for n in 0..count.min(size.len() / 2) {
        let at = rng.random_range(0..cells.len());
        if cells[at] == 0 {
            cells[at] = 1 + (n % 2) as u8;
        }
    }
    cells
}

fn put(out: &mut Picture, rng: &mut impl Rng, style: &Style, look: &Look, cells: &[u8], lit: bool) {
    let cols = usize::from(style.size.cols);
    let pitch = style.pitch.0;
    let marked: Vec<usize> = (0..cells.len()).filter(|&i| cells[i] > 0).collect();
    for (n, &i) in marked.iter().enumerate() {
        let at = Point::new(
            style.origin.x + pitch * ((i % cols) as f64 + 0.5),
            style.origin.y + pitch * ((i / cols) as f64 + 0.5),
        );
        if lit && n + 1 == marked.len() {
            let half = pitch / 2.0 - 1.5;
            let tone = paint::mixed(style.ground.rgb(), [120, 230, 140], 0.45);
            fill(
                out,
                [at.x - half, at.y - half, at.x + half, at.y + half],
                tone,
            );
        }
        let wander =
            |rng: &mut dyn rand::RngCore| pitch * look.wander * rng.random_range(-1.0..1.0);
        if let Some(discs) = look.discs {
            let rgb = discs[usize::from(cells[i] - 1)].1;
            disc(out, at.x, at.y, style.radius * pitch, rgb);
        } else if cells[i] == 1 {
            let r = look.reach * pitch;
            for (sx, sy) in [(1.0, 1.0), (1.0, -1.0)] {
                let a = Point::new(at.x - sx * r + wander(rng), at.y - sy * r + wander(rng));
                let b = Point::new(at.x + sx * r + wander(rng), at.y + sy * r + wander(rng));
                stroke(out, &[a, b], look.width * pitch, look.cross);
            }
        } else {
            let points: Vec<Point> = (0..=24)
                .map(|k| {
                    let (s, c) = (f64::from(k) / 24.0 * std::f64::consts::TAU).sin_cos();
                    let r = look.radius * pitch + 0.5 * wander(rng);
                    Point::new(at.x + r * c, at.y + r * s)
                })
                .collect();
            stroke(out, &points, look.width * pitch, look.ring);
        }
    }
}

/// A line through points, of round pens side by side.
fn stroke(out: &mut Picture, points: &[Point], width: f64, ink: Rgb) {
    for pair in points.windows(2) {
        let steps = (pair[0].distance(pair[1]) * 2.0).ceil().max(1.0);
        for k in 0..=steps as u32 {
            let t = f64::from(k) / steps;
            let x = pair[0].x + (pair[1].x - pair[0].x) * t;
            let y = pair[0].y + (pair[1].y - pair[0].y) * t;
            disc(out, x, y, width / 2.0, ink);
        }
    }
}
