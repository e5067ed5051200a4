//! Pictures harder than those that must be right: reported apart, condition by condition.
//!
//! Takes a seed, gives a [`Case`]; seeds go through [`CONDITIONS`] in turn.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::camera::{any_room, largest_zoom, least_pitch, middle, seen};
use crate::capture::simulated::CameraModel;
use crate::capture::simulated::model::{Glare, Hand, Pose};
use crate::games::flood::target::canvas::{fill, rounded, text};
use crate::games::flood::target::cases::{self, Case, Progress};
use crate::games::flood::target::palette::Palette;
use crate::games::flood::target::style::{Backdrop, Style};
use crate::types::{GridSize, Picture, Point};

/// What is hard.
pub const CONDITIONS: [&str; 10] = [
    "paper",
    "moire",
    "glare",
    "hand",
    "12 px",
    "4k",
    "lens",
    "dark",
    "steep",
    "look-alike",
];

/// A hard picture.
#[must_use]
pub fn case(seed: u64) -> Case {
    let condition = CONDITIONS[(seed % CONDITIONS.len() as u64) as usize];
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x4a5d);
    match condition {
        "4k" => four_k(&mut rng, seed),
        "look-alike" => look_alike(&mut rng, seed),
        _ => loop {
            if let Some(case) = filmed(&mut rng, seed, condition) {
                break case;
            }
        },
    }
}

fn board(rng: &mut ChaCha8Rng, size: GridSize, pitch: f64, look: &str) -> (Style, u8) {
    let sets = [Palette::Sgt, Palette::Classic, Palette::Material];
    let palette = *sets.choose(rng).unwrap_or(&Palette::Sgt);
    let mut style = cases::look(rng, look, size, palette, pitch);
    let colours = rng.random_range(4..=6);
    style.palette.truncate(colours);
    cases::frame(rng, &mut style, size);
    (style, colours as u8)
}

fn filmed(rng: &mut ChaCha8Rng, seed: u64, condition: &str) -> Option<Case> {
    let side = rng.random_range(8..=18);
    let size = GridSize::new(side, side);
    let look = *["plain", "bordered", "gapped"].choose(rng)?;
    let (mut style, colours) = board(rng, size, 28.0, look);
    if condition == "paper" {
        style.grain = rng.random_range(0.03..0.09);
        style.surroundings.window = None;
        style.surroundings.backdrop = Backdrop::Plain(style.ground);
    }
    let tilt = if condition == "steep" {
        rng.random_range(36.0..46.0)
    } else {
        rng.random_range(0.0..25.0)
    };
    let way: f64 = rng.random_range(0.0..6.3);
    let mut model = CameraModel {
        picture: *[(640, 480), (1280, 720)].choose(rng)?,
        seed,
        room: any_room(rng),
        pose: Pose {
            tilt_x: tilt * way.cos(),
            tilt_y: tilt * way.sin(),
            roll: rng.random_range(-12.0..12.0),
            aim: middle(&style.px_from_cell(), size),
            zoom: 1.0,
        },
        ..CameraModel::default()
    };
    if condition == "lens" {
        model.sensor.k1 = rng.random_range(-0.25..0.08);
        model.sensor.focal = 0.8;
    }
    let corners = style.px_from_cell().corners(size);
    model.pose.zoom = largest_zoom(&mut model, &corners, 8.0)? * rng.random_range(0.7..0.95);
    let mut least = least_pitch(&model, &style.px_from_cell(), size);
    if condition == "12 px" {
        model.pose.zoom *= 12.0 / least;
        least = 12.0;
    }
    if least < 11.5 {
        return None;
    }
    model.sensor.blur = rng.random_range(0.5..1.2);
    model.sensor.read_noise = rng.random_range(0.8..2.5);
    model.sensor.shot_noise = rng.random_range(0.5..2.5);
    model.sensor.jpeg = rng.random_bool(0.5).then_some(80);
    model.light.ratio = rng.random_range(1.2..2.0);
    model.light.angle = rng.random_range(0.0..360.0);
    worsen(rng, condition, &mut model, &style, size);
    let progress = Progress::any(rng);
    let cells = cases::position(rng, size, colours, progress);
    let name = format!(
        "hard {seed} {condition} {size} {look} {colours} colours tilt {tilt:.0}, cells {least:.1} px"
    );
    let screen = cases::render(condition, name, size, cells, style);
    Some(seen(&screen, &model))
}

fn worsen(
    rng: &mut ChaCha8Rng,
    condition: &str,
    model: &mut CameraModel,
    style: &Style,
    size: GridSize,
) {
    let on_board = |rng: &mut ChaCha8Rng, model: &CameraModel| {
        let (w, h) = (f64::from(size.cols), f64::from(size.rows));
        let cell = Point::new(
            w * rng.random_range(0.15..0.85),
            h * rng.random_range(0.15..0.85),
        );
        model.camera_from_screen(style.px_from_cell().map(cell))
    };
    let wide = f64::from(model.picture.0);
    match condition {
        "paper" => {
            model.light.ratio = rng.random_range(2.5..3.0);
            model.sensor.gamma = 1.0;
        }
        "moire" => model.sensor.moire = rng.random_range(0.06..0.2),
        "glare" => {
            model.light.glare = Some(Glare {
                at: on_board(rng, model),
                radius: wide * rng.random_range(0.03..0.09),
                strength: rng.random_range(0.15..0.6),
            });
        }
        "hand" => {
            model.hand = Some(Hand {
                at: on_board(rng, model),
                radius: wide * rng.random_range(0.02..0.05),
            });
        }
        "12 px" => {
            model.sensor.blur = rng.random_range(1.0..1.6);
            model.sensor.jpeg = Some(rng.random_range(60..80));
        }
        "dark" => {
            model.light.exposure = 0.12;
            model.sensor.read_noise = 3.0;
            model.sensor.shot_noise = 4.0;
        }
        _ => {}
    }
}

fn four_k(rng: &mut ChaCha8Rng, seed: u64) -> Case {
    let size = cases::any_size(rng, 40);
    let pitch = f64::from(rng.random_range(12..=46));
    let look = *["plain", "bordered", "gapped", "scaled"]
        .choose(rng)
        .unwrap_or(&"plain");
    let (mut style, colours) = board(rng, size, pitch, look);
    style.surroundings.window = None;
    style.surroundings.icons = 30;
    style.buttons = None;
    style.picture = (3840, 2160);
    style.origin = Point::new(
        f64::from(rng.random_range(200..1800)),
        f64::from(rng.random_range(20..200)),
    );
    let cells = cases::position(rng, size, colours, Progress::Start);
    let name = format!("hard {seed} 4k {size} {look} {colours} colours pitch {pitch}");
    cases::render("4k", name, size, cells, style)
}

/// Grids of filled cells that are no board: a calculator, keys, a table of states.
fn look_alike(rng: &mut ChaCha8Rng, seed: u64) -> Case {
    let mut picture = Picture::filled(640, 520, [30, 30, 32]);
    let round = rng.random_bool(0.5);
    let step = f64::from(rng.random_range(56..84));
    for row in 0..5u32 {
        for col in 0..4u32 {
            let tone = match (row, col) {
                (_, 3) => [240, 150, 40],
                (0, _) => [165, 165, 165],
                _ => [80, 80, 82],
            };
            let (x, y) = (40.0 + step * f64::from(col), 60.0 + step * f64::from(row));
            let area = [x, y, x + step * 0.88, y + step * 0.88];
            if round {
                rounded(&mut picture, area, step * 0.44, tone);
            } else {
                fill(&mut picture, area.map(f64::round), tone);
            }
            let label = format!("{}", rng.random_range(0..10));
            let at = (x + step * 0.3, y + step * 0.28);
            text(&mut picture, at.0, at.1, step / 24.0, [250; 3], &label);
        }
    }
    Case {
        condition: "look-alike".to_owned(),
        name: format!("hard {seed} look-alike calculator"),
        picture,
        truth: None,
    }
}
