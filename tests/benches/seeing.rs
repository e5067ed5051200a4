//! What finding and reading a board cost: `cargo bench --profile dev --bench seeing`.
//!
//! Finding is done once, on a picture never seen before; reading once a frame. Beside the reader
//! stands the plain way, OpenCV's warp of the whole board and a mean for each cell.

use std::hint::black_box;

use divan::Bencher;
use kibitzer::calibrate;
use kibitzer::capture::simulated::model::{Light, Pose, Sensor};
use kibitzer::capture::simulated::{CameraModel, Passing, Webcam};
use kibitzer::classify::Reader;
use kibitzer::cli::bench::seeing::holes;
use kibitzer::cli::bench::seeing::lines;
use kibitzer::games::connect4;
use kibitzer::games::flood::target::cases::Case;
use kibitzer::games::flood::target::{FloodTarget, Setup, Style};
use kibitzer::games::flood::vision;
use kibitzer::games::gomoku;
use kibitzer::games::tetris;
use kibitzer::games::tetris::rules::{Kind, System};
use kibitzer::games::tetris::target::paint::{BoardView, Layout, paint_board};
use kibitzer::games::tetris::target::palette::Palette;
use kibitzer::games::tetris::vision::sight::Sight;
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

/// A generated board of lines of at least 15x15 in the condition, on a screen of 1920x1080.
fn lined(draw: fn(u64) -> Case, conditions: &[&str], condition: &str) -> Picture {
    let (wide, high) = (1920, 1080);
    let at = conditions.iter().position(|c| *c == condition);
    let first = at.expect("a condition of the set") as u64;
    let fits = |case: &Case| {
        let size = case.truth.as_ref().expect("shows a board").size;
        let (w, h) = (case.picture.width(), case.picture.height());
        size.cols.min(size.rows) >= 15 && w <= wide && h <= high
    };
    let case = (0..200)
        .map(|n| draw(first + n * conditions.len() as u64))
        .find(fits)
        .expect("one of many fits");
    let mut out = Picture::filled(wide, high, [58, 66, 74]);
    let (dx, dy) = (
        (wide - case.picture.width()) / 2,
        (high - case.picture.height()) / 2,
    );
    for y in 0..case.picture.height() {
        for x in 0..case.picture.width() {
            let at = (i64::from(x + dx), i64::from(y + dy));
            out.set(at.0, at.1, case.picture.rgb(x, y));
        }
    }
    out
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
    let picture = photo();
    plain(bencher, &picture, &found(&picture));
}

/// The plain way to read a board.
fn plain(bencher: Bencher, picture: &Picture, calibration: &Calibration) {
    use opencv::core::{CV_8UC4, Mat, Point2f, Rect, Scalar, Size, Vector};
    use opencv::imgproc;
    use opencv::prelude::*;

    let (cols, rows) = (calibration.size.cols, calibration.size.rows);
    let corners = calibration.px_from_cell.corners(calibration.size);
    let from: Vector<Point2f> = corners
        .iter()
        .map(|p| Point2f::new(p.x as f32, p.y as f32))
        .collect();
    let (wide, high) = (f32::from(cols) * 16.0, f32::from(rows) * 16.0);
    let to: Vector<Point2f> = [(0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)]
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
    let flat = Mat::from_slice(&bytes).expect("pixels");
    let frame = flat
        .reshape(4, picture.height() as i32)
        .expect("rows of pixels");
    assert_eq!(frame.typ(), CV_8UC4);
    let mut board = Mat::default();
    bencher.bench_local(|| {
        imgproc::warp_perspective(
            &frame,
            &mut board,
            &turn,
            Size::new(wide as i32, high as i32),
            imgproc::INTER_LINEAR,
            opencv::core::BORDER_CONSTANT,
            Scalar::default(),
        )
        .expect("warped");
        let mut sum = 0.0;
        for row in 0..i32::from(rows) {
            for col in 0..i32::from(cols) {
                let area = Rect::new(col * 16 + 4, row * 16 + 4, 8, 8);
                let part = Mat::roi(&board, area).expect("inside");
                sum += opencv::core::mean(&part, &Mat::default()).expect("a mean")[0];
            }
        }
        sum
    });
}

/// A Tetris screen with a piece at this height.
fn stack_screen(y: i16, out: &mut Picture) {
    let mut pile = vec![0u8; 200];
    for (i, v) in pile.iter_mut().enumerate().take(60) {
        *v = [1, 2, 3, 0, 4, 5, 6, 7, 8][i * 7 % 9];
    }
    let system = System::standard();
    let pose = system.spawn(Kind::T, 10, 20).moved(0, y - 19);
    let view = BoardView {
        cols: 10,
        rows: 20,
        pile: &pile,
        piece: Some((Kind::T, system.cells(pose))),
        shadow: None,
        hint: None,
        next: Some(Some(Kind::L)),
        palette: Palette::Standard,
        monochrome: false,
        markers: true,
        swatches: true,
    };
    paint_board(&view, &Layout::fit(640, 480, 10, 20), out);
}

/// A webcam of 640x480 before it.
fn webcam(passing: Passing) -> Webcam {
    let model = CameraModel {
        pose: Pose {
            tilt_x: -10.0,
            tilt_y: 14.0,
            roll: 2.0,
            aim: Point::new(320.0, 240.0),
            zoom: 0.93,
        },
        sensor: Sensor {
            blur: 0.7,
            read_noise: 2.0,
            shot_noise: 2.0,
            ..Sensor::default()
        },
        ..CameraModel::default()
    };
    Webcam::new(model, passing)
}

fn stack_photo() -> Picture {
    let (mut screen, mut out) = (Picture::default(), Picture::default());
    stack_screen(15, &mut screen);
    webcam(Passing::default()).view(&screen, Time::ZERO, 1, &mut out);
    out
}

fn found_stack(picture: &Picture) -> Calibration {
    calibrate::find(picture, &tetris::vision::played(GridSize::new(10, 20)))
        .into_iter()
        .find(|c| c.quality >= Calibration::MIN_QUALITY)
        .expect("the board is found")
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn tetris_find_by_markers_640x480(bencher: Bencher) {
    let picture = stack_photo();
    bencher.bench_local(|| found_stack(black_box(&picture)));
}

#[divan::bench]
fn tetris_read_photo_10x20(bencher: Bencher) {
    let picture = stack_photo();
    let reader = Reader::new(&found_stack(&picture)).expect("readable");
    let mut reading = Reading::default();
    bencher.bench_local(|| {
        reader
            .read(black_box(&picture), &mut reading)
            .expect("of the calibrated size");
        reading.cells.len()
    });
}

#[divan::bench]
fn tetris_plain_warp_and_mean_10x20(bencher: Bencher) {
    let picture = stack_photo();
    plain(bencher, &picture, &found_stack(&picture));
}

#[divan::bench]
fn tetris_tell_pile_and_piece(bencher: Bencher) {
    let picture = stack_photo();
    let reader = Reader::new(&found_stack(&picture)).expect("readable");
    let mut reading = Reading::default();
    reader
        .read(&picture, &mut reading)
        .expect("of the calibrated size");
    let (system, mut sight) = (System::standard(), Sight::default());
    bencher.bench_local(|| {
        sight.look(black_box(&reading), &system);
        sight.piece.is_some()
    });
}

fn filmed(bencher: Bencher, passing: Passing, moves: bool) {
    let mut screens = [Picture::default(), Picture::default()];
    stack_screen(15, &mut screens[0]);
    stack_screen(14, &mut screens[1]);
    let (mut camera, mut out, mut seq) = (webcam(passing), Picture::default(), 0u64);
    camera.view(&screens[0], Time::ZERO, 0, &mut out);
    bencher.bench_local(|| {
        seq += 1;
        let shown = &screens[usize::from(moves && seq % 2 == 1)];
        let mut draw = |_: Time, to: &mut Picture| to.clone_from(shown);
        camera.film(&mut draw, Time::from_millis(33 * seq), seq, &mut out);
    });
}

#[divan::bench]
fn webcam_640x480_still(bencher: Bencher) {
    filmed(bencher, Passing::default(), false);
}

#[divan::bench]
fn webcam_640x480_piece_moves_every_frame(bencher: Bencher) {
    filmed(bencher, Passing::default(), true);
}

#[divan::bench]
fn webcam_640x480_rolling_shutter(bencher: Bencher) {
    let passing = Passing {
        readout: 0.02,
        ..Passing::default()
    };
    filmed(bencher, passing, true);
}

#[divan::bench]
fn tetris_paint_640x480(bencher: Bencher) {
    let mut out = Picture::default();
    bencher.bench_local(|| stack_screen(15, &mut out));
}

/// A Connect-4 board on a monitor, filmed from the side with noise, in 1920x1080.
fn holes_photo() -> Picture {
    let of_the_kind = |case: &kibitzer::games::flood::target::cases::Case| {
        ["tilt", "noise", "jpeg"].contains(&case.condition.as_str())
            && (case.picture.width(), case.picture.height()) == (1920, 1080)
    };
    let mut cases = (0..).map(holes::case);
    cases.find(of_the_kind).expect("seeds go on").picture
}

/// Two pictures full of round things in rows, side by side: no board, and much to look at.
fn no_holes() -> Picture {
    let mut out = Picture::filled(1920, 1080, [90; 3]);
    for (seed, left) in [(1, 20), (8, 980)] {
        let part = holes::none::case(seed).picture;
        for y in 0..part.height().min(1080) {
            for x in 0..part.width().min(900) {
                out.set(i64::from(x) + left, i64::from(y) + 100, part.rgb(x, y));
            }
        }
    }
    out
}

fn found_holes(picture: &Picture) -> Calibration {
    calibrate::find(picture, &connect4::vision::wanted())
        .into_iter()
        .find(|c| c.quality >= Calibration::MIN_QUALITY)
        .expect("the board is found")
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn holes_find_and_read_photo_1920x1080(bencher: Bencher) {
    let picture = holes_photo();
    let mut reading = Reading::default();
    bencher.bench_local(|| {
        let calibration = found_holes(black_box(&picture));
        let reader = Reader::new(&calibration).expect("readable");
        reader
            .read(&picture, &mut reading)
            .expect("of the calibrated size");
        reading.cells.len()
    });
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn holes_find_nothing_1920x1080(bencher: Bencher) {
    let picture = no_holes();
    bencher.bench_local(|| calibrate::find(black_box(&picture), &connect4::vision::wanted()));
}

#[divan::bench]
fn holes_read_photo(bencher: Bencher) {
    let picture = holes_photo();
    let reader = Reader::new(&found_holes(&picture)).expect("readable");
    let mut reading = Reading::default();
    bencher.bench_local(|| {
        reader
            .read(black_box(&picture), &mut reading)
            .expect("of the calibrated size");
        reading.cells.len()
    });
}

fn find_lines(bencher: Bencher, picture: &Picture) {
    bencher.bench_local(|| calibrate::find(black_box(picture), &gomoku::vision::wanted()));
}

fn read_lines(bencher: Bencher, picture: &Picture) {
    let found = calibrate::find(picture, &gomoku::vision::wanted());
    let reader = Reader::new(found.first().expect("a board")).expect("usable");
    let mut reading = Reading::default();
    bencher.bench_local(|| {
        reader
            .read(black_box(picture), &mut reading)
            .expect("the same size");
        black_box(&reading);
    });
}

fn stones() -> Picture {
    lined(lines::crossings, &lines::CONDITIONS, "wood")
}

fn marks() -> Picture {
    lined(lines::squares, &lines::SQUARES, "thin")
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn crossings_find_1920x1080(bencher: Bencher) {
    find_lines(bencher, &stones());
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn squares_find_1920x1080(bencher: Bencher) {
    find_lines(bencher, &marks());
}

#[divan::bench]
fn crossings_read_screenshot(bencher: Bencher) {
    read_lines(bencher, &stones());
}

#[divan::bench]
fn squares_read_screenshot(bencher: Bencher) {
    read_lines(bencher, &marks());
}
