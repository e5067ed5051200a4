//! Pictures of Connect-4 boards with known truth, in every look and under every condition: the
//! same seed gives the same picture.
//!
//! Takes a seed, gives a [`Case`]; seeds go through [`CONDITIONS`] in turn. Every case can be
//! decided: the whole board is in the picture (but for `cut`, where parts of outer holes are
//! not), its cells are at least [`LEAST_PITCH`] px wide, and nothing hides a whole outer line.

mod beside;
pub mod look;
pub mod none;
pub mod position;
pub mod scene;
mod worsen;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::camera::{any_room, largest_zoom, least_pitch, middle, seen};
use crate::capture::simulated::CameraModel;
use crate::capture::simulated::model::Pose;
use crate::games::flood::target::canvas::{fill, outline, text};
use crate::games::flood::target::cases::{Case, Truth};
use crate::games::flood::target::scenery::{paint, vivid, words};
use crate::games::flood::target::style::{Backdrop, Style, Surroundings};
use crate::types::{BoardText, GridSize, Picture, Point, PxFromCell};
use beside::beside;
use look::{Empty, Look, Mark, THEMES};
use position::{letter, position};
use scene::Scene;
use worsen::worsen;

/// The smallest distance between neighbouring holes in px.
pub const LEAST_PITCH: f64 = 12.0;

/// What is hard about a picture.
pub const CONDITIONS: [&str; 20] = [
    "screen", "lined", "desktop", "small", "tilt", "gradient", "noise", "jpeg", "moire", "glare",
    "hand", "popup", "scenery", "dark", "lens", "cut", "turned", "several", "illegal", "huge",
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
        "popup" | "turned" | "several" | "illegal" => rng.random_bool(0.5),
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
        "scenery" => "toy",
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
    if condition == "popup" {
        popup(rng, &mut drawn);
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

/// Whether something hides a whole outer line, or too much, so that nobody could tell the size.
fn hidden(board: &BoardText) -> bool {
    let rows: Vec<Vec<char>> = board.rows().map(|r| r.chars().collect()).collect();
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return true;
    };
    let gone = |c: &char| *c == '?';
    let side = |x: usize| rows.iter().filter(|r| !r.get(x).is_none_or(gone)).count() < 3;
    let all = board.rows().flat_map(str::chars).filter(gone).count();
    let seen = |row: &[char]| row.iter().filter(|c| !gone(c)).count();
    seen(first) < 3
        || seen(last) < 3
        || side(0)
        || side(first.len().saturating_sub(1))
        || all * 5 > rows.len() * first.len() * 2
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
    let above = if look.selector { 1.4 } else { 0.2 };
    let room = look.margin + 0.15;
    let (mut left, mut top) = (room * pitch.0, (room + above) * pitch.1);
    let (mut width, mut height) = (w + 2.0 * left, h + top + room * pitch.1);
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
    let behind = behind(rng, condition, &look, (width, height), [left, top, w, h]);
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

/// Numbers of columns on the frame.
fn numbers(picture: &mut Picture, scene: &Scene<'_>) {
    let scale = (scene.pitch.0 / 40.0).max(1.0).floor();
    let ink = if scene.look.plate.iter().map(|&v| u32::from(v)).sum::<u32>() > 380 {
        [0; 3]
    } else {
        [240; 3]
    };
    for col in 0..scene.size.cols {
        let x = scene.origin.x + (f64::from(col) + 0.5) * scene.pitch.0 - 4.0 * scale;
        text(
            picture,
            x,
            scene.origin.y - 9.0 * scale,
            scale,
            ink,
            &format!("{}", col + 1),
        );
    }
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

/// A message over a part of the board.
fn popup(rng: &mut ChaCha8Rng, drawn: &mut Drawn) {
    let (w, h) = (f64::from(drawn.size.cols), f64::from(drawn.size.rows));
    let wide = rng.random_range(1.6..(w * 0.6));
    let high = rng.random_range(0.9..(h * 0.35).max(1.0));
    let x = rng.random_range(0.3..(w - wide - 0.3).max(0.4));
    let y = rng.random_range(0.3..(h - high - 0.3).max(0.4));
    let t = drawn.px_from_cell();
    let (a, b) = (
        t.map(Point::new(x, y)),
        t.map(Point::new(x + wide, y + high)),
    );
    let area = [a.x, a.y, b.x, b.y].map(f64::round);
    let v = rng.random_range(30..=250);
    fill(&mut drawn.picture, area, [v, v, v]);
    outline(&mut drawn.picture, area, 2.0, vivid(rng));
    let ink = if v > 128 { [10; 3] } else { [245; 3] };
    let line = words(rng, ((area[2] - area[0]) / 8.0 - 2.0).max(2.0) as usize);
    text(
        &mut drawn.picture,
        area[0] + 8.0,
        area[1] + 8.0,
        1.0,
        ink,
        &line,
    );
    let letters = drawn
        .board
        .rows()
        .flat_map(str::chars)
        .zip(drawn.size.cells());
    let covered = letters.map(|(letter, cell)| {
        let c = cell.centre();
        let hit = c.x + 0.5 > x && c.x - 0.5 < x + wide && c.y + 0.5 > y && c.y - 0.5 < y + high;
        if hit { '?' } else { letter }
    });
    drawn.board = BoardText::from_cells(usize::from(drawn.size.cols), covered);
}

/// The picture's edge runs through the outer holes of one side.
fn cut(rng: &mut ChaCha8Rng, mut drawn: Drawn) -> Option<Drawn> {
    let side = rng.random_range(0..4);
    // Of the outer cell so much is lost: the nearer half of it, at most.
    let lost = rng.random_range(0.05..0.4);
    let (w, h) = (drawn.picture.width(), drawn.picture.height());
    let (cols, rows) = (f64::from(drawn.size.cols), f64::from(drawn.size.rows));
    let px = |v: f64| v.round().max(0.0) as u32;
    let (x0, y0) = (
        if side == 0 {
            px(drawn.origin.x + lost * drawn.pitch.0)
        } else {
            0
        },
        if side == 1 {
            px(drawn.origin.y + lost * drawn.pitch.1)
        } else {
            0
        },
    );
    let (x1, y1) = (
        if side == 2 {
            px(drawn.origin.x + (cols - lost) * drawn.pitch.0)
        } else {
            w
        },
        if side == 3 {
            px(drawn.origin.y + (rows - lost) * drawn.pitch.1)
        } else {
            h
        },
    );
    drawn.picture = drawn.picture.crop(x0, y0, x1 - x0, y1 - y0);
    drawn.origin = Point::new(
        drawn.origin.x - f64::from(x0),
        drawn.origin.y - f64::from(y0),
    );
    if lost > 0.25 {
        let letters = drawn
            .board
            .rows()
            .flat_map(str::chars)
            .zip(drawn.size.cells());
        let (last_col, last_row) = (drawn.size.cols - 1, drawn.size.rows - 1);
        let seen = letters.map(|(letter, cell)| {
            let gone = match side {
                0 => cell.col == 0,
                1 => cell.row == 0,
                2 => cell.col == last_col,
                _ => cell.row == last_row,
            };
            if gone { '?' } else { letter }
        });
        drawn.board = BoardText::from_cells(usize::from(drawn.size.cols), seen);
    }
    Some(drawn)
}

/// The picture turned by a quarter, a half or three quarters.
fn turned(rng: &mut ChaCha8Rng, mut case: Case) -> Case {
    for _ in 0..rng.random_range(1..4) {
        let from = &case.picture;
        let (w, h) = (from.width(), from.height());
        let mut out = Picture::filled(h, w, [0; 3]);
        for y in 0..h {
            for x in 0..w {
                out.set(i64::from(h - 1 - y), i64::from(x), from.rgb(x, y));
            }
        }
        if let Some(corners) = case.truth.as_mut().and_then(|t| t.corners.as_mut()) {
            for p in corners {
                *p = Point::new(f64::from(h) - p.y, p.x);
            }
        }
        case.picture = out;
    }
    case
}

/// The board through a camera.
fn film(
    rng: &mut ChaCha8Rng,
    seed: u64,
    condition: &str,
    name: String,
    drawn: Drawn,
) -> Option<Case> {
    let size = drawn.size;
    let board = drawn.px_from_cell();
    let frame = Style {
        origin: drawn.origin,
        pitch: drawn.pitch,
        ..Style::plain(size, drawn.pitch.0)
    };
    let steep = if condition == "tilt" { 40.0 } else { 25.0 };
    let tilt = steep * rng.random_range(0.0f64..1.0).sqrt();
    let way = rng.random_range(0.0..std::f64::consts::TAU);
    let roll = match condition {
        "turned" => rng.random_range(-180.0..180.0),
        "tilt" => rng.random_range(-40.0..40.0),
        _ => rng.random_range(-12.0..12.0),
    };
    let mut model = CameraModel {
        picture: *[(640, 480), (1280, 720), (960, 1280), (1920, 1080)].choose(rng)?,
        seed,
        room: any_room(rng),
        bezel: rng.random_range(0.0..30.0),
        pose: Pose {
            tilt_x: tilt * way.cos(),
            tilt_y: tilt * way.sin(),
            roll,
            aim: middle(&board, size),
            zoom: 1.0,
        },
        ..CameraModel::default()
    };
    model.sensor.focal = rng.random_range(0.8..1.6);
    if condition == "lens" {
        model.sensor.k1 = rng.random_range(-0.2..0.08);
        model.sensor.focal = 0.85;
    }
    model.pose.zoom = largest_zoom(&mut model, &frame, size)? * rng.random_range(0.45..0.97);
    let least = least_pitch(&model, &board, size);
    if least < LEAST_PITCH {
        return None;
    }
    model.light.ratio = rng.random_range(1.0..1.5);
    model.light.angle = rng.random_range(0.0..360.0);
    model.light.exposure = rng.random_range(0.8..1.0);
    model.light.vignette = rng.random_range(0.0..0.2);
    model.sensor.blur = rng.random_range(0.3..1.2f64).min(least / 14.0);
    model.sensor.read_noise = rng.random_range(0.3..2.0);
    model.sensor.shot_noise = rng.random_range(0.0..2.0);
    model.sensor.jpeg = rng.random_bool(0.4).then(|| rng.random_range(75..=95));
    worsen(rng, condition, &mut model, &board, size, least);
    let (theme, mark) = (drawn.look.theme, drawn.look.mark);
    let faint = ["dark", "odd", "rings"].contains(&theme) || mark == Mark::Gloss;
    if condition == "dark" && faint {
        // Nothing of these is left to be seen.
        return None;
    }
    let name = format!(
        "{name} tilt {tilt:.0} roll {roll:.0} cells {least:.1} px {}x{}",
        model.picture.0, model.picture.1
    );
    let case = seen(&drawn.case(condition, name), &model);
    let lost = { case.truth.as_ref() }.is_some_and(|t| condition != "cut" && hidden(&t.board));
    (condition != "cut" && !lost).then_some(case)
}
