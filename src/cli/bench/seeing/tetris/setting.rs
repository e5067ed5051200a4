//! Settings of a camera that looks at a game of Tetris, drawn from seeds.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::camera::any_room;
use crate::capture::simulated::model::{Glare, Light, Pose};
use crate::capture::simulated::passing::{Knock, Mains};
use crate::capture::simulated::{CameraModel, Passing};
use crate::games::tetris::target::paint::Layout;
use crate::games::tetris::target::palette::Palette;
use crate::types::{GridSize, Point, Sheet};

/// The smallest distance between neighbouring cells' middles, in camera px.
pub const LEAST_PITCH: f64 = 9.0;

/// The conditions; seeds go through them in turn.
pub const CONDITIONS: [&str; 10] = [
    "tilt",
    "noise",
    "light",
    "flicker",
    "moire",
    "rolling",
    "drift",
    "jpeg",
    "monochrome",
    "knocks",
];

/// One camera before one screen.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its condition.
    pub condition: &'static str,
    /// Where the target draws.
    pub layout: Layout,
    /// In which colours.
    pub palette: Palette,
    /// Whether all cells have one colour.
    pub monochrome: bool,
    /// Whether the sheet is shown at first.
    pub markers: bool,
    /// The camera.
    pub model: CameraModel,
    /// What changes with time.
    pub passing: Passing,
    /// Microseconds between fall steps.
    pub step: u64,
}

/// Setting number `seed`; `seconds` is how long it is looked at.
#[must_use]
pub fn setting(seed: u64, seconds: f64) -> Setting {
    let n = CONDITIONS.len() as u64;
    let condition = CONDITIONS[(seed % n) as usize];
    // Each condition is seen both ways in turn.
    let markers = (seed / n + seed).is_multiple_of(2);
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x5e77);
    loop {
        if let Some(found) = attempt(&mut rng, seed, condition, markers, seconds) {
            return found;
        }
    }
}

fn attempt(
    rng: &mut ChaCha8Rng,
    seed: u64,
    condition: &'static str,
    markers: bool,
    seconds: f64,
) -> Option<Setting> {
    let screen = *[(640, 480), (800, 600), (1024, 768), (1280, 720)].choose(rng)?;
    let layout = Layout::fit(screen.0, screen.1, 10, 20);
    let mut model = CameraModel {
        picture: *[(640, 480), (640, 480), (640, 480), (1280, 720)].choose(rng)?,
        seed,
        room: any_room(rng),
        bezel: rng.random_range(4.0..30.0),
        pose: any_pose(rng, &layout),
        ..CameraModel::default()
    };
    model.sensor.focal = rng.random_range(0.9..1.7);
    model.sensor.k1 = rng.random_range(-0.1..0.03);
    let most = largest_zoom(&mut model, &layout, markers)?;
    model.pose.zoom = most * rng.random_range(0.85..0.98);
    if least_pitch(&model, &layout) < LEAST_PITCH {
        return None;
    }
    any_light(rng, condition, &mut model, &layout);
    any_sensor(rng, condition, &mut model);
    let mut passing = Passing {
        faults: 0.01,
        drift: rng.random_range(0.0..0.06),
        ..Passing::default()
    };
    match condition {
        "flicker" => {
            passing.mains = Some(Mains {
                depth: rng.random_range(0.1..0.3),
                hertz: *[100.0, 120.0].choose(rng)?,
            });
            passing.readout = rng.random_range(0.012..0.03);
        }
        "rolling" => {
            passing.readout = rng.random_range(0.01..0.03);
            passing.exposure = rng.random_range(0.0..0.016);
        }
        "drift" => {
            passing.drift = rng.random_range(0.2..0.5);
            passing.drift_period = rng.random_range(3.0..12.0);
        }
        "knocks" => {
            for k in 1..=2 {
                passing.knocks.push(Knock {
                    at: seconds * f64::from(k) / 3.0,
                    pose: knocked(rng, &model, &layout, markers)?,
                });
            }
        }
        _ => {}
    }
    Some(Setting {
        condition,
        layout,
        palette: *Palette::ALL.choose(rng)?,
        monochrome: condition == "monochrome",
        markers,
        model,
        passing,
        step: if condition == "rolling" {
            50_000
        } else {
            *[50_000, 100_000, 200_000, 500_000].choose(rng)?
        },
    })
}

/// Tilted by at most 35 degrees in all, aimed near the board.
fn any_pose(rng: &mut impl Rng, layout: &Layout) -> Pose {
    let tilt = 35.0 * rng.random_range(0.0f64..1.0).sqrt();
    let way = rng.random_range(0.0..std::f64::consts::TAU);
    let middle = layout
        .px_from_cell()
        .map(Sheet::of(layout.size).whole.middle());
    let off = 1.5 * f64::from(layout.cell);
    Pose {
        tilt_x: tilt * way.cos(),
        tilt_y: tilt * way.sin(),
        roll: rng.random_range(-10.0..10.0),
        aim: Point::new(
            middle.x + off * rng.random_range(-1.0..1.0),
            middle.y + off * rng.random_range(-1.0..1.0),
        ),
        zoom: 1.0,
    }
}

/// What must be in the picture, in screen px: the sheet, or the board and the next box.
fn rim(layout: &Layout, markers: bool) -> Vec<Point> {
    let sheet = Sheet::of(layout.size);
    let at = layout.px_from_cell();
    let GridSize { cols, rows } = layout.size;
    let (w, h) = (f64::from(cols), f64::from(rows));
    let cells = if markers {
        sheet.whole.corners().to_vec()
    } else {
        let right = sheet.next.at.x + 4.5;
        vec![
            Point::new(-1.0, -1.0),
            Point::new(w + 1.0, -1.0),
            Point::new(w + 1.0, h + 1.0),
            Point::new(-1.0, h + 1.0),
            Point::new(right, sheet.next.at.y - 0.5),
            Point::new(right, sheet.next.at.y + 2.5),
        ]
    };
    cells.into_iter().map(|c| at.map(c)).collect()
}

fn is_inside(model: &CameraModel, points: &[Point], margin: f64) -> bool {
    let (w, h) = (f64::from(model.picture.0), f64::from(model.picture.1));
    let back = model.ideal_from_screen();
    points.iter().all(|&c| {
        let p = model.camera_from_screen(c);
        back.0[6] * c.x + back.0[7] * c.y + back.0[8] > 0.05
            && p.x > margin * w
            && p.y > margin * h
            && p.x < (1.0 - margin) * w
            && p.y < (1.0 - margin) * h
    })
}

fn largest_zoom(model: &mut CameraModel, layout: &Layout, markers: bool) -> Option<f64> {
    let points = rim(layout, markers);
    let (mut low, mut high) = (0.02, 8.0);
    for _ in 0..40 {
        let zoom: f64 = (low + high) / 2.0;
        model.pose.zoom = zoom;
        if is_inside(model, &points, 0.01) {
            low = zoom;
        } else {
            high = zoom;
        }
    }
    (low > 0.05).then_some(low)
}

/// The smallest distance between neighbouring cells' middles in camera px.
#[must_use]
pub fn least_pitch(model: &CameraModel, layout: &Layout) -> f64 {
    let board = layout.px_from_cell();
    let at = |x: f64, y: f64| model.camera_from_screen(board.map(Point::new(x, y)));
    let (w, h) = (f64::from(layout.size.cols), f64::from(layout.size.rows));
    let mut least = f64::MAX;
    for (x, y) in [
        (0.5, 0.5),
        (w - 1.5, 0.5),
        (0.5, h - 1.5),
        (w - 1.5, h - 1.5),
    ] {
        let p = at(x, y);
        least = least.min(p.distance(at(x + 1.0, y)));
        least = least.min(p.distance(at(x, y + 1.0)));
    }
    least
}

/// The camera a little aside and turned, with all still in view.
fn knocked(
    rng: &mut impl Rng,
    model: &CameraModel,
    layout: &Layout,
    markers: bool,
) -> Option<Pose> {
    let points = rim(layout, markers);
    for _ in 0..200 {
        let mut moved = model.clone();
        let p = &mut moved.pose;
        let reach = f64::from(layout.cell) * rng.random_range(0.3..2.5);
        p.aim.x += reach * rng.random_range(-1.0..1.0);
        p.aim.y += reach * rng.random_range(-1.0..1.0);
        p.roll += rng.random_range(-3.0..3.0);
        p.tilt_x += rng.random_range(-3.0..3.0);
        p.tilt_y += rng.random_range(-3.0..3.0);
        p.zoom *= rng.random_range(0.93..1.02);
        if is_inside(&moved, &points, 0.005) && least_pitch(&moved, layout) >= LEAST_PITCH {
            return Some(moved.pose);
        }
    }
    None
}

fn any_light(rng: &mut impl Rng, condition: &str, model: &mut CameraModel, layout: &Layout) {
    let strong = condition == "light";
    let corners = layout.px_from_cell().corners(layout.size);
    let seen = corners.map(|c| model.camera_from_screen(c));
    let angle: f64 = rng.random_range(0.0..360.0);
    let (s, c) = angle.to_radians().sin_cos();
    let along = seen.map(|p| p.x * c + p.y * s);
    let reach = along.iter().copied().fold(f64::MIN, f64::max)
        - along.iter().copied().fold(f64::MAX, f64::min);
    let mut cast = [1.0; 3];
    if strong {
        cast = cast.map(|_: f64| rng.random_range(0.6..1.05));
    }
    let middle = layout.px_from_cell().map(Point::new(5.0, 10.0));
    model.light = Light {
        ratio: if strong {
            rng.random_range(1.8..3.0)
        } else {
            rng.random_range(1.0..1.3)
        },
        angle,
        reach,
        middle: Some(model.camera_from_screen(middle)),
        vignette: rng.random_range(0.0..0.3),
        cast,
        exposure: rng.random_range(0.6..1.0),
        flicker: None,
        // The room mirrored in the screen: black is not black any more.
        glare: (strong || rng.random_bool(0.3)).then(|| Glare {
            at: seen[rng.random_range(0..4)],
            radius: reach * rng.random_range(0.4..1.5),
            strength: rng.random_range(0.005..if strong { 0.06 } else { 0.025 }),
        }),
    };
}

fn any_sensor(rng: &mut impl Rng, condition: &str, model: &mut CameraModel) {
    let noisy = condition == "noise";
    let sensor = &mut model.sensor;
    sensor.blur = rng.random_range(0.3..if condition == "jpeg" { 1.6 } else { 1.1 });
    let scale = f64::from(model.picture.0) / 640.0;
    sensor.blur *= scale;
    sensor.read_noise = if noisy {
        rng.random_range(2.0..6.0)
    } else {
        rng.random_range(0.3..2.0)
    };
    sensor.shot_noise = if noisy {
        rng.random_range(2.0..8.0)
    } else {
        rng.random_range(0.0..2.0)
    };
    sensor.saturation = rng.random_range(0.75..1.1);
    if condition == "moire" {
        sensor.moire = rng.random_range(0.08..0.25);
    }
    if condition == "jpeg" || rng.random_bool(0.2) {
        sensor.jpeg = Some(rng.random_range(if condition == "jpeg" { 35..75 } else { 75..95 }));
    }
}
