//! Pictures that must not change unnoticed: the built-in target, the target through the simulated
//! camera, and the drawing of what was found. `make golden` writes them anew; look at them then.

use std::path::{Path, PathBuf};

use kibitzer::calibrate;
use kibitzer::capture::files;
use kibitzer::capture::simulated::CameraModel;
use kibitzer::capture::simulated::model::{Light, Pose, Sensor};
use kibitzer::classify::Reader;
use kibitzer::cli::{annotate, picture};
use kibitzer::games::flood::target::{FloodTarget, Setup, Style};
use kibitzer::games::flood::vision;
use kibitzer::types::{GridSize, Picture, Point, Reading, Target, Time};

/// Floating point may round differently on another processor.
const TOLERANCE: u8 = 3;

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name)
}

pub fn compare(name: &str, now: &Picture) {
    let path = place(name);
    if std::env::var_os("KIBITZER_GOLDEN").is_some() {
        picture::save_png(now, &path).expect("written");
        return;
    }
    let golden = files::load(&path).expect("a golden picture");
    assert_eq!(
        (now.width(), now.height()),
        (golden.width(), golden.height()),
        "{name}"
    );
    let mut worst = 0;
    for y in 0..now.height() {
        for x in 0..now.width() {
            for (a, b) in now.rgb(x, y).iter().zip(golden.rgb(x, y)) {
                worst = worst.max(a.abs_diff(b));
            }
        }
    }
    assert!(
        worst <= TOLERANCE,
        "{name} differs by {worst} of 255; if it should: make golden"
    );
}

fn target() -> Picture {
    let size = GridSize::new(7, 5);
    let setup = Setup {
        size,
        seed: 3,
        ..Setup::default()
    };
    let mut game = FloodTarget::new(setup, Style::plain(size, 30.0)).expect("a possible game");
    let mut out = Picture::default();
    game.render(Time::ZERO, &mut out);
    out
}

#[test]
fn the_built_in_target() {
    compare("target.png", &target());
}

#[test]
fn the_target_through_the_camera() {
    let model = CameraModel {
        picture: (320, 240),
        pose: Pose {
            tilt_x: -15.0,
            tilt_y: 20.0,
            roll: 5.0,
            aim: Point::new(120.0, 110.0),
            zoom: 1.0,
        },
        light: Light {
            ratio: 2.0,
            ..Light::default()
        },
        sensor: Sensor {
            blur: 0.8,
            read_noise: 2.0,
            ..Sensor::default()
        },
        ..CameraModel::default()
    };
    let mut out = Picture::default();
    model.view(&target(), 1, &mut out);
    compare("camera.png", &out);
}

#[test]
fn what_was_found_is_drawn() {
    let mut picture = target();
    let all = calibrate::find(&picture, &vision::wanted());
    let mut found = all.first().expect("the board is found").clone();
    // The drawing is what is tested here, not the last hundredth of a pixel of the finding.
    found.px_from_cell = Style::plain(GridSize::new(7, 5), 30.0).px_from_cell();
    let mut reading = Reading::default();
    let reader = Reader::new(&found).expect("readable");
    reader
        .read(&picture, &mut reading)
        .expect("of the calibrated size");
    annotate::draw(&mut picture, &found, &reading);
    compare("annotated.png", &picture);
}
