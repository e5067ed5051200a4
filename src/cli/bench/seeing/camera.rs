//! Boards seen by a simulated camera: the same seed gives the same picture.
//!
//! Every case can be decided: the whole board is in the picture, its cells are at least
//! [`LEAST_PITCH`] px wide, and its colours stay apart at the dark end of the light.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::capture::simulated::CameraModel;
use crate::capture::simulated::model::{Light, Pose, Room, Sensor};
use crate::games::flood::target::cases::{self, Case, Progress, Truth};
use crate::games::flood::target::palette::{Palette, Rgb};
use crate::games::flood::target::style::Style;
use crate::types::{BoardText, GridSize, Picture, Point, PxFromCell};

/// The smallest distance between neighbouring cells' centres, in camera px.
pub const LEAST_PITCH: f64 = 9.0;

/// The conditions; seeds go through them in turn.
pub const CONDITIONS: [&str; 6] = ["tilt", "gradient", "cast", "noise", "jpeg", "all"];

/// A board through a camera.
#[must_use]
pub fn case(seed: u64) -> Case {
    let condition = CONDITIONS[(seed % CONDITIONS.len() as u64) as usize];
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0xcafe);
    loop {
        if let Some(case) = attempt(&mut rng, seed, condition) {
            return case;
        }
    }
}

fn attempt(rng: &mut ChaCha8Rng, seed: u64, condition: &str) -> Option<Case> {
    let mut size = cases::any_size(rng, 22);
    if rng.random_bool(0.5) {
        size = GridSize::new(size.cols.max(10), size.rows.max(10));
    }
    let palette = *[
        Palette::Sgt,
        Palette::Classic,
        Palette::Material,
        Palette::OkabeIto,
        Palette::Pastel,
        Palette::Night,
    ]
    .choose(rng)?;
    let pitch = f64::from(rng.random_range(16..=36));
    let look = *["plain", "bordered", "gridded", "gapped", "rounded", "plain"].choose(rng)?;
    let mut style = cases::look(rng, look, size, palette, pitch);
    let colours = rng.random_range(3..=palette.colours().len().min(8));
    style.palette.truncate(colours);
    cases::frame(rng, &mut style, size);
    let pose = any_pose(rng, &style, size);
    let mut model = CameraModel {
        picture: *[(640, 480), (640, 480), (1280, 720), (1280, 960)].choose(rng)?,
        seed,
        room: any_room(rng),
        bezel: rng.random_range(0.0..30.0),
        pose,
        ..CameraModel::default()
    };
    model.sensor.focal = rng.random_range(0.8..1.8);
    let most = largest_zoom(&mut model, &style.px_from_cell().corners(size), 8.0)?;
    model.pose.zoom = most * rng.random_range(0.6..0.98);
    let least = least_pitch(&model, &style.px_from_cell(), size);
    if least < LEAST_PITCH {
        return None;
    }
    model.light = any_light(rng, condition, &model, &style, size);
    model.sensor = any_sensor(rng, condition, model.sensor.focal, least);
    if !apart_in_the_dark(&model, &style.palette) {
        return None;
    }
    let progress = Progress::any(rng);
    let board = cases::position(rng, size, colours as u8, progress);
    let name = format!(
        "camera {seed} {condition} {size} {look} {palette:?} {colours} colours, tilt {:.0} {:.0} roll {:.0}, cells {least:.1} px, light {:.1}:1 gamma {}",
        model.pose.tilt_x,
        model.pose.tilt_y,
        model.pose.roll,
        model.light.ratio,
        model.sensor.gamma
    );
    let screen = cases::render(condition, name, size, board, style);
    Some(seen(&screen, &model))
}

/// A screenshot case as the camera sees it; cells that a hand touches become `?`.
#[must_use]
pub fn seen(screen: &Case, model: &CameraModel) -> Case {
    let mut picture = Picture::default();
    model.view(&screen.picture, 1, &mut picture);
    Case {
        condition: screen.condition.clone(),
        name: screen.name.clone(),
        picture,
        truth: screen.truth.as_ref().map(|t| filmed(t, model)),
    }
}

fn filmed(t: &Truth, model: &CameraModel) -> Truth {
    let corners = t
        .corners
        .map(|all| all.map(|p| model.camera_from_screen(p)));
    let mut board = t.board.clone();
    if let (Some(hand), Some(on_screen)) = (model.hand, t.corners)
        && let Some(screen_from_cell) = PxFromCell::from_corners(t.size, on_screen)
    {
        let cells = t.board.rows().flat_map(str::chars);
        let seen = cells.zip(t.size.cells()).map(|(letter, cell)| {
            let c = cell.centre();
            // Centre, edges and corners of the cell.
            let hidden = (0..9).any(|i| {
                let (dx, dy) = (f64::from(i % 3 - 1), f64::from(i / 3 - 1));
                let at = Point::new(c.x + 0.5 * dx, c.y + 0.5 * dy);
                hand.distance(model.camera_from_screen(screen_from_cell.map(at))) < 1.0
            });
            if hidden { '?' } else { letter }
        });
        board = BoardText::from_cells(usize::from(t.size.cols), seen);
    }
    Truth {
        size: t.size,
        board,
        corners,
    }
}

/// Tilted by at most 35 degrees in all, aimed near the board.
fn any_pose(rng: &mut impl Rng, style: &Style, size: GridSize) -> Pose {
    let tilt = 35.0 * rng.random_range(0.0f64..1.0).sqrt();
    let way = rng.random_range(0.0..std::f64::consts::TAU);
    let middle = middle(&style.px_from_cell(), size);
    let off = 0.12 * style.pitch.0 * f64::from(size.cols);
    Pose {
        tilt_x: tilt * way.cos(),
        tilt_y: tilt * way.sin(),
        roll: rng.random_range(-15.0..15.0),
        aim: Point::new(
            middle.x + off * rng.random_range(-1.0..1.0),
            middle.y + off * rng.random_range(-1.0..1.0),
        ),
        zoom: 1.0,
    }
}

/// The middle of a board in screen px.
#[must_use]
pub fn middle(board: &PxFromCell, size: GridSize) -> Point {
    board.map(Point::new(
        f64::from(size.cols) / 2.0,
        f64::from(size.rows) / 2.0,
    ))
}

/// A room that is not brighter than the screen.
pub fn any_room(rng: &mut impl Rng) -> Room {
    let mut tone = |most: f64| {
        let v = rng.random_range(0.0..most);
        [v, v * 0.95, v * 0.85]
    };
    let (a, b) = (tone(0.3), tone(0.6));
    match rng.random_range(0..3) {
        0 => Room::Plain(a),
        1 => Room::Gradient(a, b),
        _ => Room::Noisy(b, rng.random_range(0.1..0.8)),
    }
}

/// The zoom up to `most` at which corners on the screen just reach the picture's margin.
pub fn largest_zoom(model: &mut CameraModel, corners: &[Point; 4], most: f64) -> Option<f64> {
    let (w, h) = (f64::from(model.picture.0), f64::from(model.picture.1));
    let (mut low, mut high) = (0.02, most);
    for _ in 0..40 {
        let zoom: f64 = (low + high) / 2.0;
        model.pose.zoom = zoom;
        let back = model.ideal_from_screen();
        let fits = corners.iter().all(|&c| {
            let p = model.camera_from_screen(c);
            // In front of the camera, and inside.
            back.0[6] * c.x + back.0[7] * c.y + back.0[8] > 0.05
                && p.x > 0.02 * w
                && p.y > 0.02 * h
                && p.x < 0.98 * w
                && p.y < 0.98 * h
        });
        if fits {
            low = zoom;
        } else {
            high = zoom;
        }
    }
    (low > 0.05).then_some(low)
}

/// The smallest distance between neighbouring cells' centres in camera px.
#[must_use]
pub fn least_pitch(model: &CameraModel, board: &PxFromCell, size: GridSize) -> f64 {
    let at = |x: f64, y: f64| model.camera_from_screen(board.map(Point::new(x, y)));
    let (w, h) = (f64::from(size.cols), f64::from(size.rows));
    let mut least = f64::MAX;
    for (x, y) in [
        (0.5, 0.5),
        (w - 1.5, 0.5),
        (0.5, h - 1.5),
        (w - 1.5, h - 1.5),
    ] {
        let p = at(x, y);
        least = least
            .min(p.distance(at(x + 1.0, y)))
            .min(p.distance(at(x, y + 1.0)));
    }
    least
}

fn any_light(
    rng: &mut impl Rng,
    condition: &str,
    model: &CameraModel,
    style: &Style,
    size: GridSize,
) -> Light {
    let strong = matches!(condition, "gradient" | "all");
    let angle: f64 = rng.random_range(0.0..360.0);
    let (s, c) = angle.to_radians().sin_cos();
    let along: Vec<f64> = style
        .px_from_cell()
        .corners(size)
        .iter()
        .map(|&p| model.camera_from_screen(p))
        .map(|p| p.x * c + p.y * s)
        .collect();
    let least = along.iter().copied().fold(f64::MAX, f64::min);
    let most = along.iter().copied().fold(f64::MIN, f64::max);
    let mut cast = [1.0; 3];
    if matches!(condition, "cast" | "all") {
        cast = cast.map(|_: f64| rng.random_range(0.6..1.05));
    }
    Light {
        ratio: if strong {
            rng.random_range(1.8..3.0)
        } else {
            rng.random_range(1.0..1.25)
        },
        angle,
        reach: most - least,
        middle: Some(model.camera_from_screen(middle(&style.px_from_cell(), size))),
        vignette: rng.random_range(0.0..0.25),
        cast,
        exposure: rng.random_range(0.75..1.0),
        flicker: (condition == "all" && rng.random_bool(0.4)).then(|| {
            let height = rng.random_range(120.0..400.0);
            (rng.random_range(0.01..0.05), height)
        }),
        glare: None,
    }
}

fn any_sensor(rng: &mut impl Rng, condition: &str, focal: f64, pitch: f64) -> Sensor {
    let noisy = matches!(condition, "noise" | "all");
    let blur = rng.random_range(0.3..1.4f64).min(pitch / 9.0);
    let mut motion = (0.0, 0.0);
    if condition == "all" && rng.random_bool(0.3) {
        let reach = (pitch / 7.0).min(3.0);
        motion = (
            rng.random_range(-reach..reach),
            rng.random_range(-reach..reach),
        );
    }
    Sensor {
        focal,
        k1: 0.0,
        blur,
        motion,
        read_noise: rng.random_range(0.3..if noisy { 4.0 } else { 1.5 }),
        shot_noise: rng.random_range(0.0..if noisy { 5.0 } else { 1.5 }),
        gamma: if rng.random_bool(0.4) { 1.0 } else { 2.2 },
        saturation: if condition == "cast" {
            rng.random_range(0.7..1.2)
        } else {
            1.0
        },
        moire: 0.0,
        jpeg: (condition == "jpeg" || condition == "all" && rng.random_bool(0.5))
            .then(|| rng.random_range(70..=95)),
    }
}

/// Whether no two colours come nearer than 20 steps (and four spreads of the noise) anywhere.
fn apart_in_the_dark(model: &CameraModel, palette: &[Rgb]) -> bool {
    let gamma = model.sensor.gamma;
    let dark = model.light.exposure / model.light.ratio * (1.0 - model.light.vignette);
    let noise = model.sensor.read_noise + model.sensor.shot_noise * 0.7;
    let seen = |c: Rgb| {
        [0, 1, 2].map(|i| {
            let light = (f64::from(c[i]) / 255.0).powf(gamma) * dark * model.light.cast[i];
            255.0 * light.powf(1.0 / gamma)
        })
    };
    let far = |a: Rgb, b: Rgb| {
        let (a, b) = (seen(a), seen(b));
        let d2: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
        d2.sqrt() * model.sensor.saturation.min(1.0) >= 20f64.max(4.0 * noise)
    };
    palette
        .iter()
        .enumerate()
        .all(|(i, &a)| palette[..i].iter().all(|&b| far(a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_case_with_the_board_inside() {
        for seed in [1, 5] {
            let (a, b) = (case(seed), case(seed));
            assert_eq!(a.picture, b.picture);
            assert_eq!(a.truth, b.truth);
            let corners = a.truth.and_then(|t| t.corners).expect("known");
            for p in corners {
                let inside = p.x > 0.0
                    && p.y > 0.0
                    && p.x < f64::from(a.picture.width())
                    && p.y < f64::from(a.picture.height());
                assert!(inside, "{p:?}");
            }
        }
    }
}
