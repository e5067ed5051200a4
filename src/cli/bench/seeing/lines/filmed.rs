//! A drawn board before a camera.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::super::camera::{any_room, largest_zoom, least_pitch, seen};
use crate::capture::simulated::CameraModel;
use crate::capture::simulated::model::{Glare, Hand, Pose};
use crate::games::flood::target::cases::Case;
use crate::types::{Point, PxFromCell};

/// Smallest distance between lines in camera px, and smallest width of a line.
const LEAST_PITCH: f64 = 11.0;
const LEAST_LINE: f64 = 0.55;

/// The case as a camera sees it; none where its lines would not show. `middle` is the middle of
/// the board on the screen, `width` that of its lines.
pub fn filmed(
    rng: &mut ChaCha8Rng,
    seed: u64,
    condition: &str,
    screen: &Case,
    middle: Point,
    width: f64,
) -> Option<Case> {
    let truth = screen.truth.as_ref()?;
    let board = PxFromCell::from_corners(truth.size, truth.corners?)?;
    let steepest = match condition {
        "tilt" => 40.0,
        "turned" => 25.0,
        _ => 28.0,
    };
    let tilt = steepest * rng.random_range(0.0f64..1.0).sqrt();
    let way = rng.random_range(0.0..std::f64::consts::TAU);
    let roll = match condition {
        "turned" => rng.random_range(-44.0..44.0),
        _ => rng.random_range(-14.0..14.0),
    };
    let mut model = CameraModel {
        picture: *[(640, 480), (1280, 720), (1280, 960), (1600, 1200)].choose(rng)?,
        seed,
        room: any_room(rng),
        bezel: if condition == "monitor" { 30.0 } else { 0.0 },
        pose: Pose {
            tilt_x: tilt * way.cos(),
            tilt_y: tilt * way.sin(),
            roll,
            aim: middle,
            zoom: 1.0,
        },
        ..CameraModel::default()
    };
    model.sensor.focal = rng.random_range(0.8..1.8);
    model.sensor.k1 = rng.random_range(-0.03..0.015);
    let corners = board.corners(truth.size);
    model.pose.zoom = largest_zoom(&mut model, &corners, 8.0)? * rng.random_range(0.65..0.97);
    let least = least_pitch(&model, &board, truth.size);
    let on_screen = board
        .map(Point::new(0.5, 0.5))
        .distance(board.map(Point::new(1.5, 0.5)));
    if least < LEAST_PITCH || width * least / on_screen < LEAST_LINE {
        return None;
    }
    model.sensor.blur = rng.random_range(0.3f64..0.8).min(least / 22.0);
    model.sensor.read_noise = rng.random_range(0.5..1.5);
    model.sensor.shot_noise = rng.random_range(0.3..1.5);
    model.light.ratio = rng.random_range(1.0..1.8);
    model.light.angle = rng.random_range(0.0..360.0);
    model.light.exposure = rng.random_range(0.6..1.0);
    let wide = f64::from(model.picture.0);
    let on_board = |rng: &mut ChaCha8Rng, model: &CameraModel| {
        let cell = Point::new(
            f64::from(truth.size.cols) * rng.random_range(0.15..0.85),
            f64::from(truth.size.rows) * rng.random_range(0.15..0.85),
        );
        model.camera_from_screen(board.map(cell))
    };
    match condition {
        "monitor" => {
            model.sensor.moire = rng.random_range(0.03..0.1);
            model.light.flicker =
                Some((rng.random_range(0.01..0.05), rng.random_range(120.0..400.0)));
            model.light.cast = [1.0, 1.0, 1.0].map(|_: f64| rng.random_range(0.7..1.0));
        }
        "room" => {
            model.light.exposure = rng.random_range(0.25..0.7);
            model.light.ratio = rng.random_range(1.5..2.6);
            model.light.cast = [
                1.0,
                rng.random_range(0.8..0.95),
                rng.random_range(0.6..0.85),
            ];
            model.light.vignette = rng.random_range(0.0..0.25);
        }
        "noise" => {
            model.sensor.read_noise = rng.random_range(2.0..4.0);
            model.sensor.shot_noise = rng.random_range(1.5..4.0);
        }
        "jpeg" => model.sensor.jpeg = Some(rng.random_range(55..85)),
        "glare" => {
            model.light.glare = Some(Glare {
                at: on_board(rng, &model),
                radius: wide * rng.random_range(0.03..0.08),
                strength: rng.random_range(0.1..0.35),
            });
        }
        "hand" => {
            model.hand = Some(Hand {
                at: on_board(rng, &model),
                radius: wide * rng.random_range(0.02..0.045),
            });
        }
        _ => {}
    }
    let mut case = seen(screen, &model);
    case.name += &format!(
        ", tilt {tilt:.0} roll {roll:.0}, {}x{}, cells {least:.1} px",
        model.picture.0, model.picture.1
    );
    Some(case)
}
