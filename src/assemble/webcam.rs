//! The webcam of the reference rig, simulated: where it stands and what befalls it.

use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::capture::simulated::model::{Light, Pose, Room, Sensor};
use crate::capture::simulated::passing::{Knock, Mains, Passing};
use crate::capture::simulated::{CameraModel, Webcam};
use crate::types::Point;

/// What befalls the webcam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trouble {
    /// Share of the frames that are badly spoiled.
    pub spoiled: f64,
    /// From one knock to the next; `None` is never.
    pub knocks: Option<Duration>,
}

/// Knocks go on for so long: no simulated game takes longer.
const LASTS: Duration = Duration::from_secs(6 * 3600);

/// The reference's webcam: 640x480, in front of a screen of this size, a little to the side, in a
/// lit room. The seed decides the details.
#[must_use]
pub fn webcam(screen: (u32, u32), trouble: Trouble, seed: u64) -> Webcam {
    webcam_of(screen, (640, 480), trouble, seed)
}

/// The same with pictures of another size.
#[must_use]
pub fn webcam_of(screen: (u32, u32), picture: (u32, u32), trouble: Trouble, seed: u64) -> Webcam {
    let (across, down) = (f64::from(picture.0), f64::from(picture.1));
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0xca3e_7a11);
    let (w, h) = (f64::from(screen.0), f64::from(screen.1));
    let pose = Pose {
        tilt_x: rng.random_range(-12.0..8.0),
        tilt_y: rng.random_range(-18.0..18.0),
        roll: rng.random_range(-3.0..3.0),
        aim: Point::new(w / 2.0, h / 2.0),
        // The whole screen with some room for knocks.
        zoom: (across / w).min(down / h) * 0.86,
    };
    let mut knocks = Vec::new();
    if let Some(every) = trouble.knocks.filter(|d| !d.is_zero()) {
        let every = every.as_secs_f64();
        let mut at = every * rng.random_range(0.3..1.0);
        while at < LASTS.as_secs_f64() {
            knocks.push(Knock {
                at,
                pose: knocked(&pose, screen, &mut rng),
            });
            at += every;
        }
    }
    let model = CameraModel {
        picture,
        seed,
        pose,
        room: Room::Gradient([0.05, 0.05, 0.06], [0.2, 0.18, 0.15]),
        light: Light {
            ratio: 1.4,
            angle: rng.random_range(0.0..360.0),
            cast: [1.0, 0.95, 0.88],
            vignette: 0.15,
            ..Light::default()
        },
        sensor: Sensor {
            blur: 0.7,
            read_noise: 2.0,
            shot_noise: 4.0,
            ..Sensor::default()
        },
        ..CameraModel::default()
    };
    let passing = Passing {
        drift: 0.12,
        drift_period: 25.0,
        mains: Some(Mains {
            depth: 0.04,
            hertz: 100.0,
        }),
        readout: 0.016,
        exposure: 0.004,
        knocks,
        faults: trouble.spoiled,
    };
    Webcam::new(model, passing)
}

/// Somebody bumped into it: it points elsewhere, and the whole screen is still seen.
fn knocked(pose: &Pose, screen: (u32, u32), rng: &mut ChaCha8Rng) -> Pose {
    let by = |rng: &mut ChaCha8Rng, side: u32| {
        let most = f64::from(side) * 0.04;
        rng.random_range(-most..most)
    };
    Pose {
        tilt_x: pose.tilt_x + rng.random_range(-3.0..3.0),
        tilt_y: pose.tilt_y + rng.random_range(-3.0..3.0),
        roll: pose.roll + rng.random_range(-2.0..2.0),
        aim: Point::new(
            pose.aim.x + by(rng, screen.0),
            pose.aim.y + by(rng, screen.1),
        ),
        zoom: pose.zoom * rng.random_range(0.97..1.03),
    }
}
