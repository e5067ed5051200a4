//! Flood-It as many programs draw it: letters and signs on the cells, wide gaps, very close
//! colours, colours of a single cell, tiny and huge cells, several boards, boards that the
//! picture cuts off.
//!
//! Takes a seed, gives a [`Case`]; seeds go through [`CONDITIONS`] in turn.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::games::flood::target::canvas::{disc, fill, text};
use crate::games::flood::target::cases::{self, Case, Progress, Truth};
use crate::games::flood::target::palette::{Palette, Rgb};
use crate::games::flood::target::style::{Backdrop, Style};
use crate::types::{BoardText, GridSize, Picture, Point, PxFromCell};

/// What is special.
pub const CONDITIONS: [&str; 11] = [
    "glyphs",
    "dots",
    "wide gaps",
    "round",
    "close",
    "one cell",
    "tiny",
    "28x28",
    "huge",
    "several",
    "cut",
];

/// A screenshot.
#[must_use]
pub fn case(seed: u64) -> Case {
    let condition = CONDITIONS[(seed % CONDITIONS.len() as u64) as usize];
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x57e1);
    match condition {
        "several" => several(&mut rng, seed),
        "cut" => cut(&mut rng, seed),
        _ => one(&mut rng, seed, condition),
    }
}

fn one(rng: &mut ChaCha8Rng, seed: u64, condition: &str) -> Case {
    let side = rng.random_range(8..=22);
    let (size, pitch) = match condition {
        "28x28" => (GridSize::new(28, 28), rng.random_range(7..=30)),
        "tiny" => (GridSize::new(side, side), rng.random_range(5..=10)),
        "huge" => (GridSize::new(side, side), rng.random_range(120..=170)),
        "one cell" => (GridSize::new(14, 14), rng.random_range(14..=40)),
        _ => (GridSize::new(side, side), rng.random_range(16..=48)),
    };
    let pitch = f64::from(pitch);
    let sets = [
        Palette::Sgt,
        Palette::Classic,
        Palette::Material,
        Palette::OkabeIto,
    ];
    let palette = *sets.choose(rng).unwrap_or(&Palette::Sgt);
    let plain = *["plain", "bordered", "gapped"]
        .choose(rng)
        .unwrap_or(&"plain");
    let look = match condition {
        "wide gaps" | "round" => "gapped",
        "tiny" => "plain",
        _ => plain,
    };
    let mut style = cases::look(rng, look, size, palette, pitch);
    let mut colours = rng.random_range(4..=6);
    style.palette.truncate(colours);
    match condition {
        "wide gaps" => style.gap = (pitch * rng.random_range(0.2..0.38)).round(),
        "round" => {
            style.gap = (pitch * rng.random_range(0.06..0.2)).round().max(1.0);
            style.radius = pitch * rng.random_range(0.3..0.5);
        }
        "close" => {
            // Two of the colours as near as red and orange of a phone game.
            let base = style.palette[0];
            let step = rng.random_range(22..34u8);
            let channel = rng.random_range(0..3);
            let mut near = base;
            near[channel] = if base[channel] > 128 {
                base[channel] - step
            } else {
                base[channel] + step
            };
            style.palette[1] = near;
        }
        _ => {}
    }
    if condition == "huge" {
        style.picture = (6000, 4000);
        style.surroundings.window = None;
        style.surroundings.backdrop = Backdrop::Plain(style.ground);
        style.buttons = None;
        style.status = None;
        style.origin = Point::new(
            f64::from(rng.random_range(100..1500)),
            f64::from(rng.random_range(50..250)),
        );
    } else {
        cases::frame(rng, &mut style, size);
    }
    let progress = Progress::any(rng);
    let mut board = cases::position(rng, size, colours as u8, progress);
    if condition == "one cell" {
        let far = odd_colour(&style);
        style.palette.push(far);
        let at = rng.random_range(0..board.len());
        board[at] = colours as u8;
        colours += 1;
    }
    let name = format!(
        "styles {seed} {condition} {size} {look} {palette:?} {colours} colours pitch {pitch}"
    );
    let place = style.px_from_cell();
    let mut case = cases::render(condition, name, size, board.clone(), style.clone());
    if matches!(condition, "glyphs" | "dots") {
        marks(
            rng,
            &mut case.picture,
            &place,
            size,
            &board,
            condition,
            &style,
        );
    }
    case
}

/// A colour far from all others.
fn odd_colour(style: &Style) -> Rgb {
    let apart = |a: Rgb, b: Rgb| (0..3).map(|i| a[i].abs_diff(b[i])).max().unwrap_or(0);
    let far = |c: Rgb| {
        let others = style.palette.iter().chain([&style.ground]);
        others.map(|&p| apart(p, c)).min().unwrap_or(0)
    };
    let all = [
        [0xff, 0xff, 0xff],
        [0x10, 0x10, 0x10],
        [0x00, 0xff, 0xff],
        [0xff, 0x00, 0xff],
        [0x80, 0x80, 0x80],
        [0x00, 0x80, 0x60],
        [0xff, 0xc0, 0xa0],
    ];
    all.into_iter().max_by_key(|&c| far(c)).unwrap_or([0xff; 3])
}

/// A letter, a number or a dot on every cell, the same on all cells of a colour.
fn marks(
    rng: &mut ChaCha8Rng,
    out: &mut Picture,
    place: &PxFromCell,
    size: GridSize,
    board: &[u8],
    condition: &str,
    style: &Style,
) {
    let pitch = style.pitch.0;
    let small = rng.random_range(0.3..0.5);
    let every = rng.random_bool(0.6);
    for (c, &colour) in size.cells().zip(board) {
        let rgb = style.palette[usize::from(colour)];
        let light = u32::from(rgb[0]) * 3 + u32::from(rgb[1]) * 6 + u32::from(rgb[2]);
        let ink = if light > 1200 { [0x10; 3] } else { [0xf4; 3] };
        let p = place.map(c.centre());
        if condition == "dots" {
            if every || colour % 2 == 0 {
                disc(out, p.x, p.y, (pitch * 0.12).max(1.0), ink);
            }
            continue;
        }
        let s = pitch * small;
        let sign = char::from(b'A' + colour).to_string();
        text(out, p.x - s / 2.0, p.y - s / 2.0, s / 8.0, ink, &sign);
    }
}

/// Two or three boards side by side; the largest is the one that is meant.
fn several(rng: &mut ChaCha8Rng, seed: u64) -> Case {
    let mut picture = Picture::filled(1500, 900, [0xe4, 0xe4, 0xe8]);
    let sides = [
        rng.random_range(14..=18u16),
        rng.random_range(8..=11),
        rng.random_range(6..=8),
    ];
    let count = rng.random_range(2..=3);
    let palette = Palette::Material.colours();
    let mut truth = None;
    let mut x = 30.0;
    for (i, &side) in sides.iter().take(count).enumerate() {
        let size = GridSize::new(side, side);
        let pitch = [36.0, 26.0, 18.0][i];
        let colours = rng.random_range(4..=6u8);
        let board = cases::position(rng, size, colours, Progress::Start);
        let origin = Point::new(x, f64::from(rng.random_range(20..120)));
        let place = PxFromCell::upright(origin, pitch, pitch);
        for (c, &colour) in size.cells().zip(&board) {
            let p = place.map(Point::new(f64::from(c.col), f64::from(c.row)));
            fill(
                &mut picture,
                [p.x, p.y, p.x + pitch, p.y + pitch],
                palette[usize::from(colour)],
            );
        }
        let letters = board.iter().map(|&c| char::from(b'a' + c));
        if truth.is_none() {
            truth = Some(Truth {
                size,
                board: BoardText::from_cells(usize::from(side), letters),
                corners: Some(place.corners(size)),
            });
        }
        x += pitch * f64::from(side) + f64::from(rng.random_range(40..90));
    }
    Case {
        condition: "several".to_owned(),
        name: format!("styles {seed} several {count} boards"),
        picture,
        truth,
    }
}

/// A board of which the picture shows a part: whole cells only.
fn cut(rng: &mut ChaCha8Rng, seed: u64) -> Case {
    let side = rng.random_range(10..=20);
    let full = GridSize::new(side, side);
    let pitch = f64::from(rng.random_range(16..=40));
    let palette = Palette::Classic.colours();
    let colours = rng.random_range(4..=6u8);
    let board = cases::position(rng, full, colours, Progress::Start);
    let less = |rng: &mut ChaCha8Rng| {
        if rng.random_bool(0.6) {
            rng.random_range(1..=4)
        } else {
            0
        }
    };
    let (left, top, right, low) = (less(rng), less(rng), less(rng), less(rng));
    let margin = 24.0;
    // What is cut off has no margin.
    let at = |cut: u16| if cut > 0 { 0.0 } else { margin };
    let size = GridSize::new(side - left - right, side - top - low);
    let origin = Point::new(at(left), at(top));
    let place = PxFromCell::upright(origin, pitch, pitch);
    let (w, h) = (
        origin.x + pitch * f64::from(size.cols) + at(right),
        origin.y + pitch * f64::from(size.rows) + at(low),
    );
    let mut picture = Picture::filled(w as u32, h as u32, [0xd8; 3]);
    let mut letters = Vec::new();
    for c in size.cells() {
        let colour =
            board[usize::from(c.row + top) * usize::from(side) + usize::from(c.col + left)];
        let p = place.map(Point::new(f64::from(c.col), f64::from(c.row)));
        fill(
            &mut picture,
            [p.x, p.y, p.x + pitch, p.y + pitch],
            palette[usize::from(colour)],
        );
        letters.push(char::from(b'a' + colour));
    }
    Case {
        condition: "cut".to_owned(),
        name: format!("styles {seed} cut {size} of {full} pitch {pitch}"),
        picture,
        truth: Some(Truth {
            size,
            board: BoardText::from_cells(usize::from(size.cols), letters),
            corners: Some(place.corners(size)),
        }),
    }
}
