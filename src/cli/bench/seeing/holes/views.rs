//! A drawn board as somebody else sees it: through a camera, turned, or cut by the picture's edge.

use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

use super::look::Mark;
use super::worsen::worsen;
use super::{Drawn, LEAST_PITCH};
use crate::capture::simulated::CameraModel;
use crate::capture::simulated::model::Pose;
use crate::cli::bench::seeing::camera::{any_room, largest_zoom, least_pitch, middle, seen};
use crate::games::flood::target::cases::Case;
use crate::games::flood::target::style::Style;
use crate::types::{BoardText, Picture, Point};

/// The picture's edge runs through the outer holes of one side.
pub(super) fn cut(rng: &mut ChaCha8Rng, mut drawn: Drawn) -> Option<Drawn> {
    let side = rng.random_range(0..4);
    // Of the outer cell so much is lost: the nearer half of it, at most.
    let lost = rng.random_range(0.05..0.4);
    let (w, h) = (drawn.picture.width(), drawn.picture.height());
    let (cols, rows) = (f64::from(drawn.size.cols), f64::from(drawn.size.rows));
    let px = |v: f64| v.round().max(0.0) as u32;
    let (x0, y0) = (
        if side == 0 {
            px(drawn.origin.x + lost * drawn.pitch.0)
        } else {
            0
        },
        if side == 1 {
            px(drawn.origin.y + lost * drawn.pitch.1)
        } else {
            0
        },
    );
    let (x1, y1) = (
        if side == 2 {
            px(drawn.origin.x + (cols - lost) * drawn.pitch.0)
        } else {
            w
        },
        if side == 3 {
            px(drawn.origin.y + (rows - lost) * drawn.pitch.1)
        } else {
            h
        },
    );
    drawn.picture = drawn.picture.crop(x0, y0, x1 - x0, y1 - y0);
    drawn.origin = Point::new(
        drawn.origin.x - f64::from(x0),
        drawn.origin.y - f64::from(y0),
    );
    if lost > 0.25 {
        let letters = drawn
            .board
            .rows()
            .flat_map(str::chars)
            .zip(drawn.size.cells());
        let (last_col, last_row) = (drawn.size.cols - 1, drawn.size.rows - 1);
        let seen = letters.map(|(letter, cell)| {
            let gone = match side {
                0 => cell.col == 0,
                1 => cell.row == 0,
                2 => cell.col == last_col,
                _ => cell.row == last_row,
            };
            if gone { '?' } else { letter }
        });
        drawn.board = BoardText::from_cells(usize::from(drawn.size.cols), seen);
    }
    Some(drawn)
}

/// The picture turned by a quarter, a half or three quarters.
pub(super) fn turned(rng: &mut ChaCha8Rng, mut case: Case) -> Case {
    for _ in 0..rng.random_range(1..4) {
        let from = &case.picture;
        let (w, h) = (from.width(), from.height());
        let mut out = Picture::filled(h, w, [0; 3]);
        for y in 0..h {
            for x in 0..w {
                out.set(i64::from(h - 1 - y), i64::from(x), from.rgb(x, y));
            }
        }
        if let Some(corners) = case.truth.as_mut().and_then(|t| t.corners.as_mut()) {
            for p in corners {
                *p = Point::new(f64::from(h) - p.y, p.x);
            }
        }
        case.picture = out;
    }
    case
}

/// The board through a camera.
pub(super) fn film(
    rng: &mut ChaCha8Rng,
    seed: u64,
    condition: &str,
    name: String,
    drawn: Drawn,
) -> Option<Case> {
    let size = drawn.size;
    let board = drawn.px_from_cell();
    let frame = Style {
        origin: drawn.origin,
        pitch: drawn.pitch,
        ..Style::plain(size, drawn.pitch.0)
    };
    let steep = if ["tilt", "standing"].contains(&condition) {
        40.0
    } else {
        25.0
    };
    let tilt = steep * rng.random_range(0.0f64..1.0).sqrt();
    let way = rng.random_range(0.0..std::f64::consts::TAU);
    let roll = match condition {
        "turned" => rng.random_range(-180.0..180.0),
        "tilt" => rng.random_range(-40.0..40.0),
        _ => rng.random_range(-12.0..12.0),
    };
    let mut model = CameraModel {
        picture: *[(640, 480), (1280, 720), (960, 1280), (1920, 1080)].choose(rng)?,
        seed,
        room: any_room(rng),
        bezel: rng.random_range(0.0..30.0),
        pose: Pose {
            tilt_x: tilt * way.cos(),
            tilt_y: tilt * way.sin(),
            roll,
            aim: middle(&board, size),
            zoom: 1.0,
        },
        ..CameraModel::default()
    };
    model.sensor.focal = rng.random_range(0.8..1.6);
    if condition == "lens" {
        model.sensor.k1 = rng.random_range(-0.2..0.08);
        model.sensor.focal = 0.85;
    }
    let corners = frame.px_from_cell().corners(size);
    model.pose.zoom = largest_zoom(&mut model, &corners, 8.0)? * rng.random_range(0.45..0.97);
    let least = least_pitch(&model, &board, size);
    if least < LEAST_PITCH {
        return None;
    }
    model.light.ratio = rng.random_range(1.0..1.5);
    model.light.angle = rng.random_range(0.0..360.0);
    model.light.exposure = rng.random_range(0.8..1.0);
    model.light.vignette = rng.random_range(0.0..0.2);
    model.sensor.blur = rng.random_range(0.3..1.2f64).min(least / 14.0);
    model.sensor.read_noise = rng.random_range(0.3..2.0);
    model.sensor.shot_noise = rng.random_range(0.0..2.0);
    model.sensor.jpeg = rng.random_bool(0.4).then(|| rng.random_range(75..=95));
    worsen(rng, condition, &mut model, &board, size, least);
    let (theme, mark) = (drawn.look.theme, drawn.look.mark);
    let faint = ["dark", "odd", "rings"].contains(&theme) || mark == Mark::Gloss;
    if condition == "dark" && faint {
        // Nothing of these is left to be seen.
        return None;
    }
    let name = format!(
        "{name} tilt {tilt:.0} roll {roll:.0} cells {least:.1} px {}x{}",
        model.picture.0, model.picture.1
    );
    let case = seen(&drawn.case(condition, name), &model);
    let lost = { case.truth.as_ref() }.is_some_and(|t| condition != "cut" && hidden(&t.board));
    (condition != "cut" && !lost).then_some(case)
}

/// Whether something hides a whole outer line, or too much, so that nobody could tell the size.
fn hidden(board: &BoardText) -> bool {
    let rows: Vec<Vec<char>> = board.rows().map(|r| r.chars().collect()).collect();
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return true;
    };
    let gone = |c: &char| *c == '?';
    let side = |x: usize| rows.iter().filter(|r| !r.get(x).is_none_or(gone)).count() < 3;
    let all = board.rows().flat_map(str::chars).filter(gone).count();
    let seen = |row: &[char]| row.iter().filter(|c| !gone(c)).count();
    seen(first) < 3
        || seen(last) < 3
        || side(0)
        || side(first.len().saturating_sub(1))
        || all * 5 > rows.len() * first.len() * 2
}
