//! Flood-It on screens that somebody photographed: televisions and monitors, tilted and turned,
//! with the pattern of their pixels, bands, mirrored lamps, popups and hands, in the dark.
//!
//! Takes a seed, gives a [`Case`]; seeds go through [`CONDITIONS`] in turn.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::camera::{any_room, largest_zoom, least_pitch, middle, seen};
use crate::capture::simulated::CameraModel;
use crate::capture::simulated::model::{Glare, Hand, Light, Pose, Room, Sensor};
use crate::games::flood::target::canvas::{outline, rounded, text};
use crate::games::flood::target::cases::{self, Case, Progress};
use crate::games::flood::target::palette::{Palette, Rgb};
use crate::types::{BoardText, GridSize, Point, PxFromCell};

/// What makes it hard.
pub const CONDITIONS: [&str; 9] = [
    "television",
    "monitor",
    "steep",
    "turned",
    "glare",
    "dark",
    "popup",
    "hand",
    "phone",
];

/// The smallest distance between neighbouring cells' middles, in camera px.
const LEAST_PITCH: f64 = 9.0;

/// A photograph.
#[must_use]
pub fn case(seed: u64) -> Case {
    let condition = CONDITIONS[(seed % CONDITIONS.len() as u64) as usize];
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0xf0f0);
    loop {
        if let Some(case) = attempt(&mut rng, seed, condition) {
            return case;
        }
    }
}

fn attempt(rng: &mut ChaCha8Rng, seed: u64, condition: &str) -> Option<Case> {
    let size = cases::any_size(rng, 22);
    let size = GridSize::new(size.cols.max(6), size.rows.max(6));
    let sets = [
        Palette::Sgt,
        Palette::Classic,
        Palette::Material,
        Palette::OkabeIto,
    ];
    let palette = *sets.choose(rng)?;
    let look = *["plain", "bordered", "gapped", "rounded", "gridded"].choose(rng)?;
    let pitch = f64::from(rng.random_range(20..=40));
    let mut style = cases::look(rng, look, size, palette, pitch);
    let colours = rng.random_range(4..=palette.colours().len().min(8));
    style.palette.truncate(colours);
    cases::frame(rng, &mut style, size);
    let progress = Progress::any(rng);
    let board = cases::position(rng, size, colours as u8, progress);
    let place = style.px_from_cell();
    let mut screen = cases::render(condition, String::new(), size, board, style.clone());
    let model = model(rng, seed, condition, &screen, &place, size)?;
    let least = least_pitch(&model, &place, size);
    if least < LEAST_PITCH || !apart(&model, &style.palette) {
        return None;
    }
    if condition == "popup" {
        popup(rng, &mut screen, &place, size);
    }
    screen.name = format!(
        "photo {seed} {condition} {size} {look} {palette:?} {colours} colours tilt {:.0} {:.0} roll {:.0} cells {least:.1} px",
        model.pose.tilt_x, model.pose.tilt_y, model.pose.roll
    );
    Some(seen(&screen, &model))
}

fn model(
    rng: &mut ChaCha8Rng,
    seed: u64,
    condition: &str,
    screen: &Case,
    place: &PxFromCell,
    size: GridSize,
) -> Option<CameraModel> {
    let tilt = match condition {
        "steep" => rng.random_range(28.0..40.0),
        "television" => rng.random_range(0.0..18.0),
        _ => rng.random_range(0.0..28.0),
    };
    let way: f64 = rng.random_range(0.0..std::f64::consts::TAU);
    let roll = if condition == "turned" { 44.0 } else { 12.0 };
    let night = matches!(condition, "dark" | "television") && rng.random_bool(0.6);
    let mut model = CameraModel {
        picture: *[
            (1280, 960),
            (1024, 768),
            (1600, 1200),
            (960, 1280),
            (1920, 1080),
        ]
        .choose(rng)?,
        seed,
        room: if night {
            Room::Plain([0.004, 0.004, 0.005])
        } else {
            any_room(rng)
        },
        bezel: f64::from(screen.picture.width()) * rng.random_range(0.01..0.06),
        pose: Pose {
            tilt_x: tilt * way.cos(),
            tilt_y: tilt * way.sin(),
            roll: rng.random_range(-roll..roll),
            aim: middle(place, size),
            zoom: 1.0,
        },
        ..CameraModel::default()
    };
    model.sensor.focal = rng.random_range(0.8..1.4);
    let corners = place.corners(size);
    let near = match condition {
        "television" => rng.random_range(0.4..0.75),
        _ => rng.random_range(0.6..0.97),
    };
    model.pose.zoom = largest_zoom(&mut model, &corners, 12.0)? * near;
    let on_board = |rng: &mut dyn rand::RngCore, model: &CameraModel| {
        let cell = Point::new(
            f64::from(size.cols) * rng.random_range(0.1..0.9),
            f64::from(size.rows) * rng.random_range(0.1..0.9),
        );
        model.camera_from_screen(place.map(cell))
    };
    let wide = f64::from(model.picture.0);
    let glare = match condition {
        "glare" => Some((rng.random_range(0.02..0.12), rng.random_range(0.08..0.45))),
        _ => rng
            .random_bool(0.3)
            .then(|| (rng.random_range(0.02..0.1), rng.random_range(0.01..0.08))),
    };
    model.light = Light {
        ratio: rng.random_range(1.0..2.0),
        angle: rng.random_range(0.0..360.0),
        vignette: rng.random_range(0.0..0.4),
        cast: [
            1.0,
            rng.random_range(0.85..1.0),
            rng.random_range(0.7..1.05),
        ],
        exposure: match condition {
            "dark" => rng.random_range(0.08..0.25),
            _ => rng.random_range(0.55..1.0),
        },
        flicker: rng
            .random_bool(0.4)
            .then(|| (rng.random_range(0.02..0.12), rng.random_range(60.0..400.0))),
        glare: glare.map(|(radius, strength)| Glare {
            at: on_board(rng, &model),
            radius: wide * radius,
            strength,
        }),
        ..Light::default()
    };
    if condition == "hand" {
        model.hand = Some(Hand {
            at: on_board(rng, &model),
            radius: wide * rng.random_range(0.02..0.05),
        });
    }
    let dark = condition == "dark";
    model.sensor = Sensor {
        k1: rng.random_range(-0.05..0.02),
        blur: rng.random_range(0.5..1.6),
        read_noise: rng.random_range(0.5..if dark { 4.0 } else { 2.5 }),
        shot_noise: rng.random_range(0.5..if dark { 6.0 } else { 3.5 }),
        saturation: rng.random_range(0.75..1.1),
        moire: match condition {
            "monitor" | "steep" => rng.random_range(0.03..0.16),
            _ => rng.random_range(0.0..0.06),
        },
        jpeg: rng.random_bool(0.8).then(|| rng.random_range(45..92)),
        ..model.sensor
    };
    let least = least_pitch(&model, place, size);
    model.sensor.blur = model.sensor.blur.min(least / 9.0);
    Some(model)
}

/// Whether no two colours come nearer than a person could tell in the darkest part.
fn apart(model: &CameraModel, palette: &[Rgb]) -> bool {
    let dark = model.light.exposure / model.light.ratio * (1.0 - model.light.vignette);
    let noise = model.sensor.read_noise + model.sensor.shot_noise * 0.7;
    let seen = |c: Rgb| {
        [0, 1, 2].map(|i: usize| {
            let light = (f64::from(c[i]) / 255.0).powf(2.2) * dark * model.light.cast[i];
            255.0 * light.powf(1.0 / 2.2)
        })
    };
    let far = |a: Rgb, b: Rgb| {
        let (a, b) = (seen(a), seen(b));
        let d2: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
        d2.sqrt() * model.sensor.saturation.min(1.0) >= 22f64.max(4.0 * noise)
    };
    let pairs = |(i, &a): (usize, &Rgb)| palette[..i].iter().all(|&b| far(a, b));
    palette.iter().enumerate().all(pairs)
}

/// A box with words over part of the board; the cells that it touches become `?`.
fn popup(rng: &mut ChaCha8Rng, screen: &mut Case, place: &PxFromCell, size: GridSize) {
    let Some(truth) = screen.truth.as_mut() else {
        return;
    };
    let corners = place.corners(size);
    let (x0, y0, x1, y1) = (corners[0].x, corners[0].y, corners[2].x, corners[2].y);
    let (w, h) = (x1 - x0, y1 - y0);
    let (bw, bh) = (
        w * rng.random_range(0.25..0.65),
        h * rng.random_range(0.12..0.32),
    );
    let x = (x0 + (w - bw) * rng.random_range(0.1..0.9)).round();
    let y = (y0 + (h - bh) * rng.random_range(0.1..0.9)).round();
    let area = [x, y, (x + bw).round(), (y + bh).round()];
    let light = rng.random_bool(0.6);
    let (face, ink): (Rgb, Rgb) = if light {
        ([0xec; 3], [0x14; 3])
    } else {
        ([0x2a, 0x2a, 0x30], [0xf0; 3])
    };
    rounded(&mut screen.picture, area, 4.0, face);
    outline(&mut screen.picture, area, 2.0, ink);
    let scale = (bw / 110.0).max(0.9);
    text(
        &mut screen.picture,
        x + bw * 0.1,
        y + bh * 0.2,
        scale,
        ink,
        "YOU WIN",
    );
    text(
        &mut screen.picture,
        x + bw * 0.1,
        y + bh * 0.55,
        scale,
        ink,
        "Again?",
    );
    let letters = truth.board.rows().flat_map(str::chars);
    let cells = letters.zip(size.cells()).map(|(letter, c)| {
        let (a, b) = (
            place.map(Point::new(f64::from(c.col), f64::from(c.row))),
            place.map(Point::new(f64::from(c.col) + 1.0, f64::from(c.row) + 1.0)),
        );
        let clear = b.x < area[0] - 1.0
            || a.x > area[2] + 1.0
            || b.y < area[1] - 1.0
            || a.y > area[3] + 1.0;
        if clear { letter } else { '?' }
    });
    truth.board = BoardText::from_cells(usize::from(size.cols), cells);
}
