//! Boards of crossings by condition.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::style::{Ground, Last, Stone, Style};
use super::{filmed, paint, scene, stones};
use crate::games::flood::target::cases::{Case, Truth};
use crate::games::flood::target::palette::Rgb;
use crate::types::{BoardText, Cell, GridSize, Point};

/// The conditions of [`super::crossings`].
pub const CONDITIONS: [&str; 22] = [
    "plain",
    "wood",
    "dark",
    "overhang",
    "overlap",
    "glossy",
    "marked",
    "letters",
    "partial",
    "small",
    "huge",
    "look-alike",
    "sun",
    "popup",
    "tilt",
    "turned",
    "monitor",
    "room",
    "noise",
    "jpeg",
    "glare",
    "hand",
];

/// A case of a condition, or none where chance made one that cannot be decided.
pub fn attempt(rng: &mut ChaCha8Rng, seed: u64, condition: &str) -> Option<Case> {
    let mut style = style(rng, condition);
    let cells = position(rng, style.size);
    if cells.iter().all(|&c| c == 0) {
        // With a frame it might as well be a board of squares.
        style.frame = style.line.1;
    }
    let mut picture = paint::board(&style, (style.size.cols, style.size.rows));
    stones::put(&mut picture, rng, &style, &cells);
    let name = format!(
        "crossings {seed} {condition} {} pitch {:.1} radius {:.2} {} stones",
        style.size,
        style.pitch.0,
        style.radius,
        cells.iter().filter(|c| **c > 0).count()
    );
    let mut case = Case {
        condition: condition.to_owned(),
        name,
        picture,
        truth: Some(Truth {
            size: style.size,
            board: text(&style, &cells),
            corners: Some(style.px_from_crossing().corners(style.size)),
        }),
    };
    match condition {
        "sun" => {
            let count = rng.random_range(1..4);
            let gain = if rng.random_bool(0.5) { 0.55 } else { 1.5 };
            let reach = style.pitch.0 * rng.random_range(1.0..3.0);
            scene::patches(&mut case.picture, rng, count, gain, reach);
        }
        "popup" => covered(&mut case, rng, &style),
        "partial" => case = cut(case, rng, &style),
        "tilt" | "turned" | "monitor" | "room" | "noise" | "jpeg" | "glare" | "hand" => {
            if condition == "room" && rng.random_bool(0.5) {
                let reach = style.pitch.0 * rng.random_range(1.5..4.0);
                scene::patches(&mut case.picture, rng, 2, 0.7, reach);
            }
            style.origin = style.px_from_crossing().map(Point::new(
                f64::from(style.size.cols) / 2.0,
                f64::from(style.size.rows) / 2.0,
            ));
            return filmed::filmed(rng, seed, condition, &case, style.origin, style.line.1);
        }
        _ => {}
    }
    Some(case)
}

/// The letters of a position.
fn text(style: &Style, cells: &[u8]) -> BoardText {
    let letter = |c: &u8| match c {
        0 => '.',
        k => style.stones[usize::from(k - 1)].letter,
    };
    BoardText::from_cells(style.size.cols.into(), cells.iter().map(letter))
}

/// Stones of both kinds, few or many, in clusters as games make them.
fn position(rng: &mut impl Rng, size: GridSize) -> Vec<u8> {
    let share: f64 = *[0.0, 0.02, 0.08, 0.2, 0.35, 0.5]
        .choose(rng)
        .unwrap_or(&0.1);
    let mut cells = vec![0u8; size.len()];
    let count = (share * size.len() as f64) as usize;
    let count = count.max(if share > 0.0 { 5 } else { 0 });
    let mut at = Cell::new(size.cols / 2, size.rows / 2);
    for n in 0..count {
        if rng.random_bool(0.25) {
            at = Cell::new(
                rng.random_range(0..size.cols),
                rng.random_range(0..size.rows),
            );
        }
        for _ in 0..30 {
            let near =
                |v: u16, most: u16, d: i32| (i32::from(v) + d).clamp(0, i32::from(most) - 1) as u16;
            let next = Cell::new(
                near(at.col, size.cols, rng.random_range(-2..=2)),
                near(at.row, size.rows, rng.random_range(-2..=2)),
            );
            at = next;
            if cells[size.index(next)] == 0 {
                cells[size.index(next)] = 1 + (n % 2) as u8;
                break;
            }
        }
    }
    cells
}

const fn stone(letter: char, rgb: Rgb) -> Stone {
    Stone {
        letter,
        rgb,
        gloss: 0.0,
        rim: None,
        stripes: false,
    }
}

/// Black and white, with a rim where a stone would not show on the ground.
fn black_and_white(ground: Rgb) -> [Stone; 2] {
    let level = ground.iter().map(|&v| u32::from(v)).sum::<u32>() / 3;
    let mut both = [stone('B', [16, 16, 18]), stone('W', [246, 246, 243])];
    if level < 50 {
        both[0].rim = Some([120; 3]);
    }
    if level > 205 {
        both[1].rim = Some([30; 3]);
    }
    both
}

fn style(rng: &mut ChaCha8Rng, condition: &str) -> Style {
    let size = any_size(rng);
    let wood = |rng: &mut ChaCha8Rng| {
        let tone = *[
            [220, 178, 110],
            [205, 160, 90],
            [232, 196, 138],
            [170, 120, 70],
        ]
        .choose(rng)
        .unwrap_or(&[220, 178, 110]);
        Ground::Wood(tone, rng.random_range(0.1..0.35), rng.random())
    };
    let plain = |rng: &mut ChaCha8Rng| {
        let tones = [
            [255, 255, 255],
            [240, 240, 235],
            [220, 180, 110],
            [165, 42, 42],
            [190, 215, 190],
            [120, 150, 180],
        ];
        Ground::Plain(*tones.choose(rng).unwrap_or(&[240, 240, 235]))
    };
    let dark = |rng: &mut ChaCha8Rng| {
        let tones = [[18, 18, 22], [40, 44, 52], [30, 50, 40], [60, 30, 20]];
        Ground::Plain(*tones.choose(rng).unwrap_or(&[18, 18, 22]))
    };
    let ground = match condition {
        "dark" => dark(rng),
        "plain" | "overhang" | "small" => plain(rng),
        "wood" | "glossy" | "room" | "letters" | "partial" | "sun" | "glare" | "huge" => wood(rng),
        _ => match rng.random_range(0..4) {
            0 => plain(rng),
            1 => dark(rng),
            _ => wood(rng),
        },
    };
    let base = ground.rgb();
    let level = base.iter().map(|&v| u32::from(v)).sum::<u32>() / 3;
    let line = if level < 75 {
        let light = rng.random_range(110..=220);
        *[[light; 3], [40, 170, 40], [light, light, 120]]
            .choose(rng)
            .unwrap_or(&[light; 3])
    } else {
        let darkest = rng.random_range(0..40);
        *[[darkest; 3], [darkest; 3], [40, 20, 0]]
            .choose(rng)
            .unwrap_or(&[0; 3])
    };
    let filmed = matches!(
        condition,
        "tilt" | "turned" | "monitor" | "room" | "noise" | "jpeg" | "glare" | "hand"
    );
    let longest = f64::from(size.cols.max(size.rows));
    let pitch = match condition {
        "small" => 12.0,
        "huge" => (4100.0 / longest).floor(),
        _ if filmed => (1150.0 / longest).floor().min(72.0),
        _ => rng.random_range(16.0..=(900.0 / longest).clamp(18.0, 60.0)),
    };
    let pitch = if rng.random_bool(0.6) {
        pitch.floor()
    } else {
        pitch
    };
    let stretch = if rng.random_bool(0.25) { 1.07 } else { 1.0 };
    let width = match condition {
        "small" => 1.0,
        "huge" => rng.random_range(4.0..9.0),
        _ if filmed => (pitch * rng.random_range(0.035..0.06)).max(2.0),
        _ => f64::from(rng.random_range(1..=2)),
    };
    let mut stones = black_and_white(base);
    if matches!(condition, "glossy" | "room" | "glare" | "huge") || rng.random_bool(0.15) {
        for s in &mut stones {
            s.gloss = rng.random_range(0.4..1.0);
        }
        stones[1].stripes = rng.random_bool(0.4);
    }
    let mut radius = rng.random_range(0.4..0.495);
    match condition {
        "overlap" => radius = rng.random_range(0.5..0.7),
        "look-alike" => (stones, radius) = look_alike(rng, base),
        _ => {}
    }
    let solid = matches!(condition, "room" | "hand");
    let lean = if solid { 0.16 } else { 0.0 };
    let overhang = condition == "overhang";
    let margin: f64 = if overhang {
        rng.random_range(0.8..2.0)
    } else {
        rng.random_range(0.55..1.3)
    };
    let (around, coordinates) = (
        f64::from(rng.random_range(10..160)),
        condition == "letters" || (!overhang && margin > 1.15 && rng.random_bool(0.4)),
    );
    let margin = if coordinates {
        margin.max(1.35)
    } else {
        margin
    };
    let (px, py) = (pitch, pitch * stretch);
    let board = (
        px * (f64::from(size.cols) - 1.0 + 2.0 * margin),
        py * (f64::from(size.rows) - 1.0 + 2.0 * margin),
    );
    let around = if condition == "huge" { 700.0 } else { around };
    let tone = rng.random_range(15..=235);
    let tint = rng.random_range(0..15);
    Style {
        size,
        pitch: (px, py),
        origin: Point::new(
            (around + margin * px).floor() + if rng.random_bool(0.5) { 0.5 } else { 0.0 },
            (around * rng.random_range(0.4..1.0) + margin * py).floor(),
        ),
        picture: (
            (board.0 + 2.0 * around).ceil() as u32,
            (board.1 + 2.0 * around).ceil() as u32,
        ),
        backdrop: [tone, tone, tone.saturating_sub(tint)],
        rough: if solid { 0.25 } else { 0.0 },
        ground,
        margin,
        line: (line, width),
        frame: if rng.random_bool(0.3) {
            2.0 * width
        } else {
            width
        },
        overhang: if overhang {
            rng.random_range(0.3..0.52)
        } else {
            0.0
        },
        stars: condition == "letters" || rng.random_bool(0.4),
        coordinates,
        watermark: condition == "overhang" && rng.random_bool(0.5),
        stones,
        radius,
        shadow: if solid || rng.random_bool(0.3) {
            rng.random_range(0.15..0.45)
        } else {
            0.0
        },
        shift: (
            lean * rng.random_range(-1.0..1.0),
            lean * rng.random_range(-1.0..1.0),
        ),
        jitter: if solid { 0.06 } else { 0.0 },
        last: match condition {
            "marked" => *[Last::Dot, Last::Plus, Last::Ring, Last::Square]
                .choose(rng)
                .unwrap_or(&Last::Dot),
            _ => Last::None,
        },
        numbers: if condition == "marked" && rng.random_bool(0.5) {
            1.0
        } else {
            0.0
        },
    }
}

/// Stones hardly unlike the ground, or of other colours than black and white.
fn look_alike(rng: &mut ChaCha8Rng, ground: Rgb) -> ([Stone; 2], f64) {
    let level = ground.iter().map(|&v| u32::from(v)).sum::<u32>() / 3;
    let rim = if level > 100 { [40; 3] } else { [170; 3] };
    let near = |d: i32| ground.map(|v| (i32::from(v) + d).clamp(0, 255) as u8);
    let colours = [
        [stone('R', [205, 40, 45]), stone('G', [50, 160, 60])],
        [stone('Y', [235, 205, 40]), stone('R', [200, 30, 30])],
        black_and_white(ground),
    ];
    let mut pair = *colours.choose(rng).unwrap_or(&colours[0]);
    let lone = pair[0].letter == 'B';
    if lone && level > 140 {
        // White on white: only the line around tells.
        pair[1].rgb = near(12);
        pair[1].rim = Some(rim);
    } else if lone && level < 60 {
        pair[0].rgb = near(-10);
        pair[0].rim = Some(rim);
    }
    for s in &mut pair {
        s.rim = Some(s.rim.unwrap_or(rim));
    }
    (pair, rng.random_range(0.42..0.48))
}

fn any_size(rng: &mut impl Rng) -> GridSize {
    let usual = [9, 13, 15, 19];
    let side = |rng: &mut dyn rand::RngCore| {
        if rng.random_bool(0.5) {
            *usual.choose(rng).unwrap_or(&15)
        } else {
            rng.random_range(8..=22)
        }
    };
    let cols = side(rng);
    let rows = if rng.random_bool(0.85) {
        cols
    } else {
        side(rng)
    };
    GridSize::new(cols, rows)
}

/// A window over some crossings, which are then `?`.
fn covered(case: &mut Case, rng: &mut impl Rng, style: &Style) {
    let (cols, rows) = (f64::from(style.size.cols), f64::from(style.size.rows));
    let board = style.px_from_crossing();
    let at = board.map(Point::new(
        cols * rng.random_range(0.25..0.75),
        rows * rng.random_range(0.25..0.75),
    ));
    let size = (
        style.pitch.0 * cols * rng.random_range(0.2..0.45),
        style.pitch.1 * rows * rng.random_range(0.15..0.35),
    );
    let [x0, y0, x1, y1] = scene::popup(&mut case.picture, rng, at, size);
    let Some(truth) = &mut case.truth else { return };
    let near = 0.5;
    let letters = truth
        .board
        .rows()
        .flat_map(str::chars)
        .zip(style.size.cells());
    let letters = letters.map(|(letter, cell)| {
        let p = board.map(cell.centre());
        let hidden = p.x > x0 - near * style.pitch.0
            && p.x < x1 + near * style.pitch.0
            && p.y > y0 - near * style.pitch.1
            && p.y < y1 + near * style.pitch.1;
        if hidden { '?' } else { letter }
    });
    truth.board = BoardText::from_cells(style.size.cols.into(), letters);
}

/// A corner or a side of a board: the rest lies outside the picture.
fn cut(case: Case, rng: &mut impl Rng, style: &Style) -> Case {
    let (cols, rows) = (style.size.cols, style.size.rows);
    let kept = |rng: &mut dyn rand::RngCore, n: u16| {
        let count = rng.random_range((n * 3 / 5).max(6)..=n);
        let first = if rng.random_bool(0.5) { 0 } else { n - count };
        (first, count)
    };
    let (x, w) = kept(rng, cols);
    let (y, h) = kept(rng, rows);
    // Half a cell beyond the last line that is kept, or all there is.
    let limits = |first: u16, count: u16, n: u16, origin: f64, pitch: f64, all: u32| {
        let lo = origin + pitch * (f64::from(first) - 0.42);
        let hi = origin + pitch * (f64::from(first + count) - 1.0 + 0.42);
        (
            if first == 0 { 0 } else { lo.floor() as u32 },
            if first + count == n {
                all
            } else {
                hi.floor() as u32
            },
        )
    };
    let (x0, x1) = limits(x, w, cols, style.origin.x, style.pitch.0, style.picture.0);
    let (y0, y1) = limits(y, h, rows, style.origin.y, style.pitch.1, style.picture.1);
    let truth = case.truth.map(|t| {
        let rows: Vec<String> = t
            .board
            .rows()
            .skip(y.into())
            .take(h.into())
            .map(|r| r.chars().skip(x.into()).take(w.into()).collect())
            .collect();
        Truth {
            size: GridSize::new(w, h),
            board: BoardText(rows.join("/")),
            corners: None,
        }
    });
    Case {
        picture: case.picture.crop(x0, y0, x1 - x0, y1 - y0),
        truth,
        ..case
    }
}
