//! Screens with Tetris photographed: a television or a monitor in a room, seen from aside, with
//! the pattern of its pixels, mirrored lamps, dark corners, noise and compression.
//!
//! Takes a screen with its truth and what the photograph is of, gives the photograph.

use rand::Rng;
use rand::seq::IndexedRandom;

use super::super::camera::{any_room, largest_zoom, least_pitch, middle};
use super::Drawn;
use crate::capture::simulated::CameraModel;
use crate::capture::simulated::model::{Glare, Light, Pose, Room, Sensor};
use crate::games::flood::target::cases::Truth;
use crate::types::{Picture, Point, PxFromCell};

/// How hard a photograph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shot {
    /// A television across the room: small, bright among the dark, a lamp mirrored in it.
    Television,
    /// A monitor from near: the pattern of its pixels, noise, tilt.
    Monitor,
    /// A monitor at night, seen steeply.
    Steep,
}

/// The smallest distance between neighbouring cells' middles, in camera px.
const LEAST_PITCH: f64 = 8.5;

/// The photograph, or `None` where the board would be too small in it.
#[must_use]
pub fn photograph(rng: &mut impl Rng, seed: u64, drawn: &Drawn, shot: Shot) -> Option<Drawn> {
    let board = drawn.boards.first()?;
    let corners = board.corners?;
    let place = PxFromCell::from_corners(board.size, corners)?;
    let picture = *[
        (1280, 960),
        (1024, 768),
        (1600, 1200),
        (960, 1280),
        (1920, 1080),
    ]
    .choose(rng)?;
    let tilt = match shot {
        Shot::Television => rng.random_range(0.0..18.0),
        Shot::Monitor => rng.random_range(5.0..30.0),
        Shot::Steep => rng.random_range(28.0..40.0),
    };
    let way: f64 = rng.random_range(0.0..std::f64::consts::TAU);
    let mut model = CameraModel {
        picture,
        seed,
        room: match rng.random_range(0..3) {
            0 => Room::Plain([0.004, 0.004, 0.005]),
            _ => any_room(rng),
        },
        bezel: f64::from(drawn.screen.width()) * rng.random_range(0.01..0.06),
        pose: Pose {
            tilt_x: tilt * way.cos(),
            tilt_y: tilt * way.sin(),
            roll: rng.random_range(-12.0..12.0),
            aim: middle(&place, board.size),
            zoom: 1.0,
        },
        ..CameraModel::default()
    };
    model.sensor.focal = rng.random_range(0.8..1.4);
    let near = match shot {
        Shot::Television => rng.random_range(0.45..0.8),
        _ => rng.random_range(0.7..0.97),
    };
    model.pose.zoom = largest_zoom(&mut model, &corners, 12.0)? * near;
    let least = least_pitch(&model, &place, board.size);
    if least < LEAST_PITCH {
        return None;
    }
    let on_board = |rng: &mut dyn rand::RngCore, model: &CameraModel| {
        let cell = Point::new(
            f64::from(board.size.cols) * rng.random_range(-0.2..1.2),
            f64::from(board.size.rows) * rng.random_range(-0.1..1.1),
        );
        model.camera_from_screen(place.map(cell))
    };
    let wide = f64::from(picture.0);
    let glare = rng.random_bool(0.5).then(|| Glare {
        at: on_board(rng, &model),
        radius: wide * rng.random_range(0.02..0.12),
        strength: rng.random_range(0.01..0.12),
    });
    model.light = Light {
        ratio: rng.random_range(1.0..1.8),
        angle: rng.random_range(0.0..360.0),
        vignette: rng.random_range(0.0..0.45),
        cast: [
            1.0,
            rng.random_range(0.85..1.0),
            rng.random_range(0.75..1.05),
        ],
        exposure: match shot {
            Shot::Steep => rng.random_range(0.3..0.8),
            _ => rng.random_range(0.6..1.0),
        },
        flicker: rng
            .random_bool(0.4)
            .then(|| (rng.random_range(0.02..0.12), rng.random_range(60.0..400.0))),
        glare,
        ..Light::default()
    };
    let blur = rng.random_range(0.5..1.6f64).min(least / 9.0);
    model.sensor = Sensor {
        k1: rng.random_range(-0.06..0.02),
        blur,
        read_noise: rng.random_range(0.5..3.0),
        shot_noise: rng.random_range(0.5..4.0),
        saturation: rng.random_range(0.75..1.1),
        moire: if shot == Shot::Television {
            rng.random_range(0.0..0.08)
        } else {
            rng.random_range(0.02..0.16)
        },
        jpeg: rng.random_bool(0.8).then(|| rng.random_range(45..92)),
        ..model.sensor
    };
    let mut seen = Picture::default();
    model.view(&drawn.screen, 1, &mut seen);
    let boards = drawn.boards.iter().map(|t| Truth {
        corners: t
            .corners
            .map(|all| all.map(|p| model.camera_from_screen(p))),
        ..t.clone()
    });
    Some(Drawn {
        screen: seen,
        boards: boards.collect(),
        name: format!("{} {shot:?} tilt {tilt:.0} cells {least:.1} px", drawn.name),
    })
}
