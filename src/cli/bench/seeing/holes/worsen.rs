//! What a camera's picture suffers under each condition.

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

use crate::capture::simulated::CameraModel;
use crate::capture::simulated::model::{Glare, Hand};
use crate::cli::bench::seeing::camera::middle;
use crate::types::{GridSize, Point, PxFromCell};

/// Makes the camera worse in one way; `least` is the smallest pitch of the board in px.
pub(super) fn worsen(
    rng: &mut ChaCha8Rng,
    condition: &str,
    model: &mut CameraModel,
    board: &PxFromCell,
    size: GridSize,
    least: f64,
) {
    let on_board = |rng: &mut ChaCha8Rng, model: &CameraModel| {
        let (w, h) = (f64::from(size.cols), f64::from(size.rows));
        let cell = Point::new(
            w * rng.random_range(0.2..0.8),
            h * rng.random_range(0.3..0.8),
        );
        model.camera_from_screen(board.map(cell))
    };
    match condition {
        "gradient" => {
            model.light.ratio = rng.random_range(2.0..3.2);
            let wide = f64::from(size.cols) * least;
            model.light.reach = wide;
            model.light.middle = Some(model.camera_from_screen(middle(board, size)));
            model.light.cast = [0, 1, 2].map(|_| rng.random_range(0.7..1.05));
        }
        "noise" => {
            model.sensor.read_noise = rng.random_range(2.0..5.0);
            model.sensor.shot_noise = rng.random_range(2.0..6.0);
        }
        "jpeg" => model.sensor.jpeg = Some(rng.random_range(35..70)),
        "moire" => {
            model.sensor.moire = rng.random_range(0.06..0.2);
            let height = rng.random_range(100.0..400.0);
            model.light.flicker = Some((rng.random_range(0.02..0.12), height));
        }
        "glare" => {
            model.light.glare = Some(Glare {
                at: on_board(rng, model),
                radius: least * rng.random_range(0.8..1.8),
                strength: rng.random_range(0.15..0.5),
            });
        }
        "hand" => {
            model.hand = Some(Hand {
                at: on_board(rng, model),
                radius: least * rng.random_range(0.7..1.2),
            });
        }
        "dark" => {
            model.light.exposure = rng.random_range(0.15..0.3);
            model.sensor.read_noise = 2.5;
            model.sensor.shot_noise = 3.5;
            model.light.cast = [1.05, 0.95, rng.random_range(0.65..0.9)];
        }
        _ => {}
    }
}
