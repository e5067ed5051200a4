//! What finding and reading a board cost: `cargo bench --profile dev --bench seeing`.
//!
//! Finding is done once, on a picture never seen before; reading once a frame. Beside the reader
//! stands the plain way, OpenCV's warp of the whole board and a mean for each cell.

use std::hint::black_box;

use divan::Bencher;
use kibitzer::calibrate;
use kibitzer::capture::simulated::CameraModel;
use kibitzer::capture::simulated::model::{Light, Pose, Sensor};
use kibitzer::classify::Reader;
use kibitzer::games::flood::target::{FloodTarget, Setup, Style};
use kibitzer::games::flood::vision;
use kibitzer::types::{Calibration, GridSize, Picture, Point, Reading, Target, Time};

fn main() {
    divan::main();
}

/// The built-in game on a screen of this size.
fn screenshot(width: u32, height: u32, size: GridSize, pitch: f64) -> Picture {
    let mut style = Style::plain(size, pitch);
    style.picture = (width, height);
    style.origin = Point::new(
        (f64::from(width) - f64::from(size.cols) * pitch) / 2.0,
        (f64::from(height) - f64::from(size.rows) * pitch) / 2.0,
    );
    let setup = Setup {
        size,
        ..Setup::default()
    };
    let mut target = FloodTarget::new(setup, style).expect("a possible game");
    let mut picture = Picture::default();
    target.render(Time::ZERO, &mut picture);
    picture
}

/// The same through a tilted camera of 1280x720 in uneven light.
fn photo() -> Picture {
    let screen = screenshot(640, 640, GridSize::new(14, 14), 36.0);
    let model = CameraModel {
        picture: (1280, 720),
        pose: Pose {
            tilt_x: -12.0,
            tilt_y: 18.0,
            roll: 4.0,
            aim: Point::new(320.0, 320.0),
            zoom: 1.0,
        },
        light: Light {
            ratio: 2.0,
            ..Light::default()
        },
        sensor: Sensor {
            blur: 0.8,
            read_noise: 2.0,
            shot_noise: 3.0,
            ..Sensor::default()
        },
        ..CameraModel::default()
    };
    let mut out = Picture::default();
    model.view(&screen, 1, &mut out);
    out
}

fn found(picture: &Picture) -> Calibration {
    calibrate::find(picture, &vision::wanted())
        .into_iter()
        .find(|c| c.quality >= Calibration::MIN_QUALITY)
        .expect("the board is found")
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn find_in_screenshot_1920x1080(bencher: Bencher) {
    let picture = screenshot(1920, 1080, GridSize::new(14, 14), 32.0);
    found(&picture);
    bencher.bench_local(|| calibrate::find(black_box(&picture), &vision::wanted()));
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn find_in_photo_1280x720(bencher: Bencher) {
    let picture = photo();
    found(&picture);
    bencher.bench_local(|| calibrate::find(black_box(&picture), &vision::wanted()));
}

fn read(bencher: Bencher, picture: &Picture) {
    let reader = Reader::new(&found(picture)).expect("readable");
    let mut reading = Reading::default();
    bencher.bench_local(|| {
        reader
            .read(black_box(picture), &mut reading)
            .expect("of the calibrated size");
        reading.cells.len()
    });
}

#[divan::bench]
fn read_screenshot_14x14(bencher: Bencher) {
    read(bencher, &screenshot(480, 540, GridSize::new(14, 14), 32.0));
}

#[divan::bench]
fn read_screenshot_30x20(bencher: Bencher) {
    read(bencher, &screenshot(1280, 800, GridSize::new(30, 20), 32.0));
}

#[divan::bench]
fn read_photo_14x14(bencher: Bencher) {
    read(bencher, &photo());
}

/// The plain way to read the same photo: warp to 16 px a cell, then the mean of each cell.
#[divan::bench]
fn plain_warp_and_mean_14x14(bencher: Bencher) {
    use opencv::core::{CV_8UC4, Mat, Point2f, Rect, Scalar, Size, Vector};
    use opencv::imgproc;
    use opencv::prelude::*;

    let picture = photo();
    let calibration = found(&picture);
    let corners = calibration.px_from_cell.corners(calibration.size);
    let from: Vector<Point2f> = corners
        .iter()
        .map(|p| Point2f::new(p.x as f32, p.y as f32))
        .collect();
    let side = 14.0 * 16.0;
    let to: Vector<Point2f> = [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)]
        .iter()
        .map(|&(x, y)| Point2f::new(x, y))
        .collect();
    let turn = imgproc::get_perspective_transform(&from, &to, opencv::core::DECOMP_LU)
        .expect("four corners");
    let bytes: Vec<u8> = picture
        .pixels()
        .iter()
        .flat_map(|p| p.to_le_bytes())
        .collect();
    let rows = picture.height() as i32;
    let flat = Mat::from_slice(&bytes).expect("pixels");
    let frame = flat.reshape(4, rows).expect("rows of pixels");
    assert_eq!(frame.typ(), CV_8UC4);
    let mut board = Mat::default();
    bencher.bench_local(|| {
        imgproc::warp_perspective(
            &frame,
            &mut board,
            &turn,
            Size::new(side as i32, side as i32),
            imgproc::INTER_LINEAR,
            opencv::core::BORDER_CONSTANT,
            Scalar::default(),
        )
        .expect("warped");
        let mut sum = 0.0;
        for cell in 0..196 {
            let area = Rect::new(cell % 14 * 16 + 4, cell / 14 * 16 + 4, 8, 8);
            let part = Mat::roi(&board, area).expect("inside");
            sum += opencv::core::mean(&part, &Mat::default()).expect("a mean")[0];
        }
        sum
    });
}
