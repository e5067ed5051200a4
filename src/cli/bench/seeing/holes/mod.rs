//! Pictures of Connect-4 boards with known truth, in every look and under every condition: the
//! same seed gives the same picture.
//!
//! Takes a seed, gives a [`Case`]; seeds go through [`CONDITIONS`] in turn. Every case can be
//! decided: the whole board is in the picture (but for `cut`, where parts of outer holes are
//! not), its cells are at least [`LEAST_PITCH`] px wide, and nothing hides a whole outer line.

mod beside;
pub mod look;
pub mod none;
mod over;
pub mod position;
pub mod scene;
mod views;
mod worsen;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::games::flood::target::cases::{Case, Truth};
use crate::games::flood::target::scenery::{paint, vivid};
use crate::games::flood::target::style::{Backdrop, Surroundings};
use crate::types::{BoardText, GridSize, Picture, Point, PxFromCell};
use beside::beside;
use look::{Empty, Look, THEMES};
use over::{hover, last_move, line, numbers, popup, table};
use position::{letter, position};
use scene::Scene;
use views::{cut, film, turned};

/// The smallest distance between neighbouring holes in px.
pub const LEAST_PITCH: f64 = 12.0;

/// What is hard about a picture.
pub const CONDITIONS: [&str; 24] = [
    "screen", "lined", "desktop", "small", "tilt", "gradient", "noise", "jpeg", "moire", "glare",
    "hand", "popup", "scenery", "dark", "lens", "cut", "turned", "several", "illegal", "huge",
    "hover", "line", "marked", "standing",
];

/// A picture.
#[must_use]
pub fn case(seed: u64) -> Case {
    let condition = CONDITIONS[(seed % CONDITIONS.len() as u64) as usize];
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x0c4);
    loop {
        if let Some(case) = attempt(&mut rng, seed, condition) {
            return case;
        }
    }
}

/// A board on a screen, before any camera.
struct Drawn {
    picture: Picture,
    /// `?` where something lies over it.
    board: BoardText,
    size: GridSize,
    origin: Point,
    pitch: (f64, f64),
    look: Look,
}

impl Drawn {
    fn px_from_cell(&self) -> PxFromCell {
        PxFromCell::upright(self.origin, self.pitch.0, self.pitch.1)
    }

    fn case(self, condition: &str, name: String) -> Case {
        Case {
            condition: condition.to_owned(),
            name,
            truth: Some(Truth {
                size: self.size,
                corners: Some(self.px_from_cell().corners(self.size)),
                board: self.board,
            }),
            picture: self.picture,
        }
    }
}

/// Whether a condition is seen by a camera.
fn filmed(rng: &mut ChaCha8Rng, condition: &str) -> bool {
    match condition {
        "screen" | "lined" | "desktop" | "small" | "huge" => false,
        "cut" => false,
        "popup" | "turned" | "several" | "illegal" | "hover" | "line" | "marked" => {
            rng.random_bool(0.5)
        }
        _ => true,
    }
}

fn any_size(rng: &mut ChaCha8Rng, condition: &str) -> GridSize {
    match rng.random_range(0..100) {
        _ if condition == "lined" => GridSize::new(7, 6),
        0..64 => GridSize::new(7, 6),
        64..74 => GridSize::new(7, 7),
        74..84 => GridSize::new(8, 7),
        _ => GridSize::new(rng.random_range(4..=13), rng.random_range(4..=13)),
    }
}

fn attempt(rng: &mut ChaCha8Rng, seed: u64, condition: &str) -> Option<Case> {
    let by_camera = filmed(rng, condition);
    let size = any_size(rng, condition);
    let theme = match condition {
        "lined" => "lined",
        "scenery" | "standing" => "toy",
        _ => THEMES.choose(rng)?,
    };
    let look = look::look(rng, theme);
    let pitch = match condition {
        "small" => rng.random_range(12.0..20.0),
        "huge" => rng.random_range(150.0..420.0),
        _ if by_camera => rng.random_range(50.0..90.0),
        _ => rng.random_range(24.0..(860.0 / f64::from(size.cols.max(size.rows))).max(30.0)),
    };
    let cells = position(rng, size, condition != "illegal");
    if !decided(&cells, size, condition) {
        return None;
    }
    let eye = Point::new(rng.random_range(-2.0..2.0), rng.random_range(-2.0..2.0));
    let mut drawn = draw(rng, seed, condition, size, look, &cells, pitch, eye)?;
    if condition == "several" {
        beside(rng, &mut drawn)?;
    }
    match condition {
        "popup" => popup(rng, &mut drawn),
        "hover" => hover(rng, &mut drawn),
        "line" => line(rng, &mut drawn),
        "marked" => last_move(rng, &mut drawn, &cells),
        _ => {}
    }
    let name = format!(
        "holes {seed} {condition} {size} {theme} pitch {pitch:.1}{}",
        if by_camera { " by camera" } else { "" }
    );
    if by_camera {
        return film(rng, seed, condition, name, drawn);
    }
    match condition {
        "cut" => cut(rng, drawn).map(|d| d.case(condition, name)),
        "turned" => Some(turned(rng, drawn.case(condition, name))),
        _ => Some(drawn.case(condition, name)),
    }
}

/// Whether a position says all that must be known of it.
fn decided(cells: &[u8], size: GridSize, condition: &str) -> bool {
    let discs = cells.iter().filter(|&&c| c > 0).count();
    let w = usize::from(size.cols);
    match condition {
        // Which way is down can be told from piles that differ.
        "turned" => {
            discs >= size.len() / 6
                && discs * 4 < size.len() * 3
                && (1..4).all(|turns| floating(cells, size, turns) >= 7)
        }
        "lined" => discs < size.len() * 3 / 4 && cells[..w].iter().filter(|&&c| c > 0).count() < 3,
        _ => true,
    }
}

/// Discs that would float if the board stood on another of its sides.
fn floating(cells: &[u8], size: GridSize, turns: u8) -> usize {
    let (w, h) = (usize::from(size.cols), usize::from(size.rows));
    let at = |x: usize, y: usize| cells[y * w + x];
    let mut n = 0;
    for y in 0..h {
        for x in 0..w {
            let below = match turns {
                1 => (x > 0).then(|| at(x - 1, y)),
                2 => (y > 0).then(|| at(x, y - 1)),
                _ => (x + 1 < w).then(|| at(x + 1, y)),
            };
            n += usize::from(at(x, y) > 0 && below == Some(0));
        }
    }
    n
}

/// Draws a board alone, on a page or in a window on a desktop.
#[allow(clippy::too_many_arguments)]
fn draw(
    rng: &mut ChaCha8Rng,
    seed: u64,
    condition: &str,
    size: GridSize,
    look: Look,
    cells: &[u8],
    pitch: f64,
    eye: Point,
) -> Option<Drawn> {
    let pitch = (pitch, (pitch / look.aspect).max(LEAST_PITCH));
    let (w, h) = (
        pitch.0 * f64::from(size.cols),
        pitch.1 * f64::from(size.rows),
    );
    let above = match condition {
        _ if look.selector => 1.4,
        "hover" => 1.2,
        "standing" => 1.5,
        _ => 0.2,
    };
    let room = look.margin + 0.15;
    let (mut left, mut top) = (room * pitch.0, (room + above) * pitch.1);
    let below = if condition == "standing" { 2.0 } else { 0.0 };
    let (mut width, mut height) = (w + 2.0 * left, h + top + (room + below) * pitch.1);
    match condition {
        "desktop" => {
            (width, height) = (width.max(1280.0), (height + 110.0).max(800.0));
            top += 70.0;
            left = rng.random_range(left..=(width - w - left).max(left));
            top = rng.random_range(top..=(height - h - room * pitch.1).max(top));
        }
        "huge" => {
            let (most_w, most_h) = if rng.random_bool(0.3) {
                (6000.0, 4000.0)
            } else {
                (4000.0, 3000.0)
            };
            if width > most_w || height > most_h {
                return None;
            }
            left = rng.random_range(left..=(most_w - w - left).max(left));
            top = rng.random_range(top..=(most_h - h - room * pitch.1).max(top));
            (width, height) = (most_w, most_h);
        }
        _ => {
            let more = rng.random_range(0.0..3.0 * pitch.0);
            left += more;
            width += 2.0 * more;
        }
    }
    if width > 6200.0 || height > 4200.0 {
        return None;
    }
    let (width, height) = (width.ceil() as u32, height.ceil() as u32);
    let area = [left, top, w, h];
    let mut behind = behind(rng, condition, &look, (width, height), area);
    if condition == "standing" {
        table(rng, &mut behind, &look, area, pitch.0);
    }
    let scene = Scene {
        look: &look,
        size,
        cells,
        origin: Point::new(left, top),
        pitch,
        behind: &behind,
        eye,
        seed,
        samples: if condition == "huge" { 1 } else { 2 },
    };
    let mut picture = Picture::default();
    scene.paint(&mut picture);
    let board = BoardText::from_cells(usize::from(size.cols), cells.iter().map(|&c| letter(c)));
    if rng.random_bool(0.3) && !look.selector && look.margin > 0.25 {
        numbers(&mut picture, &scene);
    }
    Some(Drawn {
        picture,
        board,
        size,
        origin: scene.origin,
        pitch,
        look,
    })
}

fn behind(
    rng: &mut ChaCha8Rng,
    condition: &str,
    look: &Look,
    (width, height): (u32, u32),
    [left, top, w, h]: [f64; 4],
) -> Picture {
    let through = look.empty == Empty::Through;
    let (a, b) = (vivid(rng), vivid(rng));
    let dim = |c: [u8; 3]| c.map(|v| (f64::from(v) * 0.4) as u8 + 50);
    let seed = rng.random();
    let surroundings = Surroundings {
        backdrop: match rng.random_range(0..4) {
            // A wall, a table, a garden: what is behind a toy.
            _ if through && rng.random_bool(0.5) => {
                Backdrop::Wallpaper(dim(a), dim(b), rng.random_range(60.0..400.0))
            }
            0 if through => Backdrop::Gradient([0xe0, 0xdc, 0xd2], [0x90, 0x70, 0x50], 1.57),
            _ if through => Backdrop::Plain([0xd8, 0xd6, 0xd0]),
            0 | 1 => {
                let v = rng.random_range(0..=255);
                Backdrop::Plain([v, v, v])
            }
            2 => Backdrop::Gradient(dim(a), dim(b), rng.random_range(0.0..6.3)),
            _ => Backdrop::Wallpaper(dim(a), dim(b), 160.0),
        },
        window: (condition == "desktop").then_some([
            left - 20.0,
            top - 60.0,
            left + w + 20.0,
            top + h + 40.0,
        ]),
        face: [0xe6; 3],
        title_bar: 22.0,
        menu_bar: 18.0,
        icons: if condition == "desktop" {
            rng.random_range(0..16)
        } else {
            0
        },
        text_lines: if condition == "desktop" { 16 } else { 0 },
        seed,
        ..Surroundings::default()
    };
    paint(width, height, &surroundings)
}
