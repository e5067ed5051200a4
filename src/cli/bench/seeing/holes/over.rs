//! What is drawn over, beside or behind a board, and is no part of it.

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

use super::Drawn;
use super::look::Look;
use super::scene::Scene;
use crate::games::flood::target::canvas::{disc, fill, outline, ring, stroke, text};
use crate::games::flood::target::palette::Rgb;
use crate::games::flood::target::scenery::{vivid, words};
use crate::types::{BoardText, Picture, Point};

/// Numbers of columns on the frame.
pub(super) fn numbers(picture: &mut Picture, scene: &Scene<'_>) {
    let scale = (scene.pitch.0 / 40.0).max(1.0).floor();
    let ink = if scene.look.plate.iter().map(|&v| u32::from(v)).sum::<u32>() > 380 {
        [0; 3]
    } else {
        [240; 3]
    };
    for col in 0..scene.size.cols {
        let x = scene.origin.x + (f64::from(col) + 0.5) * scene.pitch.0 - 4.0 * scale;
        text(
            picture,
            x,
            scene.origin.y - 9.0 * scale,
            scale,
            ink,
            &format!("{}", col + 1),
        );
    }
}

/// A message over a part of the board.
pub(super) fn popup(rng: &mut ChaCha8Rng, drawn: &mut Drawn) {
    let (w, h) = (f64::from(drawn.size.cols), f64::from(drawn.size.rows));
    let wide = rng.random_range(1.6..(w * 0.6));
    let high = rng.random_range(0.9..(h * 0.35).max(1.0));
    let x = rng.random_range(0.3..(w - wide - 0.3).max(0.4));
    let y = rng.random_range(0.3..(h - high - 0.3).max(0.4));
    let t = drawn.px_from_cell();
    let (a, b) = (
        t.map(Point::new(x, y)),
        t.map(Point::new(x + wide, y + high)),
    );
    let area = [a.x, a.y, b.x, b.y].map(f64::round);
    let v = rng.random_range(30..=250);
    fill(&mut drawn.picture, area, [v, v, v]);
    outline(&mut drawn.picture, area, 2.0, vivid(rng));
    let ink = if v > 128 { [10; 3] } else { [245; 3] };
    let line = words(rng, ((area[2] - area[0]) / 8.0 - 2.0).max(2.0) as usize);
    text(
        &mut drawn.picture,
        area[0] + 8.0,
        area[1] + 8.0,
        1.0,
        ink,
        &line,
    );
    let letters = drawn
        .board
        .rows()
        .flat_map(str::chars)
        .zip(drawn.size.cells());
    let covered = letters.map(|(letter, cell)| {
        let c = cell.centre();
        let hit = c.x + 0.5 > x && c.x - 0.5 < x + wide && c.y + 0.5 > y && c.y - 0.5 < y + high;
        if hit { '?' } else { letter }
    });
    drawn.board = BoardText::from_cells(usize::from(drawn.size.cols), covered);
}

/// How far above the plate the disc of who is to move waits, in cells from its middle.
pub(super) const HOVERS: f64 = 0.62;

/// The disc of who is to move, above a column.
pub(super) fn hover(rng: &mut ChaCha8Rng, drawn: &mut Drawn) {
    let column = f64::from(rng.random_range(0..drawn.size.cols));
    let at = { drawn.px_from_cell() }.map(Point::new(column + 0.5, -drawn.look.margin - HOVERS));
    let side = drawn.pitch.0.min(drawn.pitch.1);
    let colour = drawn.look.discs[rng.random_range(0..2)];
    disc(
        &mut drawn.picture,
        at.x,
        at.y,
        drawn.look.radius * side,
        colour,
    );
}

/// Black on light things, white on dark ones.
fn ink(on: Rgb) -> Rgb {
    if on.iter().map(|&v| u32::from(v)).sum::<u32>() > 380 {
        [12; 3]
    } else {
        [248; 3]
    }
}

/// The line through four in a row that shows who has won.
pub(super) fn line(rng: &mut ChaCha8Rng, drawn: &mut Drawn) {
    let (w, h) = (i32::from(drawn.size.cols), i32::from(drawn.size.rows));
    let (dx, dy) = [(1, 0), (0, 1), (1, 1), (1, -1)][rng.random_range(0..4)];
    let x = rng.random_range(0..(w - 3 * dx).max(1));
    let low = if dy < 0 { 3 } else { 0 };
    let y = rng.random_range(low..(h - 3 * dy.max(0)).max(low + 1));
    let t = drawn.px_from_cell();
    let middle = |k: i32| Point::new(f64::from(x + k * dx) + 0.5, f64::from(y + k * dy) + 0.5);
    let width = drawn.pitch.0.min(drawn.pitch.1) * rng.random_range(0.06..0.13);
    let colour = if rng.random_bool(0.5) {
        ink(drawn.look.discs[0])
    } else {
        vivid(rng)
    };
    stroke(
        &mut drawn.picture,
        t.map(middle(0)),
        t.map(middle(3)),
        width,
        colour,
    );
}

/// A mark on the disc that was played last: a ring, a dot, or a cross.
pub(super) fn last_move(rng: &mut ChaCha8Rng, drawn: &mut Drawn, cells: &[u8]) {
    let cols = usize::from(drawn.size.cols);
    let tops: Vec<usize> = (0..cells.len())
        .filter(|&i| cells[i] > 0 && (i < cols || cells[i - cols] == 0))
        .collect();
    if tops.is_empty() {
        return;
    }
    let i = tops[rng.random_range(0..tops.len())];
    let middle = Point::new((i % cols) as f64 + 0.5, (i / cols) as f64 + 0.5);
    let at = drawn.px_from_cell().map(middle);
    let side = drawn.pitch.0.min(drawn.pitch.1) * drawn.look.radius;
    let colour = ink(drawn.look.discs[usize::from(cells[i].clamp(1, 2)) - 1]);
    match rng.random_range(0..3) {
        0 => ring(&mut drawn.picture, at, 0.6 * side, 0.16 * side, colour),
        1 => disc(&mut drawn.picture, at.x, at.y, 0.3 * side, colour),
        _ => {
            let (a, b) = (0.45 * side, (0.12 * side).max(1.0));
            fill(
                &mut drawn.picture,
                [at.x - a, at.y - b, at.x + a, at.y + b],
                colour,
            );
            fill(
                &mut drawn.picture,
                [at.x - b, at.y - a, at.x + b, at.y + a],
                colour,
            );
        }
    }
}

/// A table below a plate that stands on two legs, before the sky or a wall. `board` is left, top,
/// width and height of its cells in px.
pub(super) fn table(
    rng: &mut ChaCha8Rng,
    behind: &mut Picture,
    look: &Look,
    [left, top, w, h]: [f64; 4],
    pitch: f64,
) {
    let (wide, high) = (f64::from(behind.width()), f64::from(behind.height()));
    let below = top + h + look.margin * pitch;
    let edge = below + pitch * rng.random_range(-2.0..0.5);
    let v = rng.random_range(60..200u8);
    let tone = [v, (f64::from(v) * 0.8) as u8, (f64::from(v) * 0.6) as u8];
    fill(behind, [0.0, edge, wide, high], tone);
    let leg = pitch * rng.random_range(0.3..0.6);
    let long = (below + 1.2 * pitch).min(high);
    let out = look.margin * pitch;
    // Beside the plate: what is seen through its holes is the table and the sky.
    for x in [left - out - leg, left + w + out] {
        fill(
            behind,
            [x, top - out, x + leg, long],
            look.plate.map(|v| v / 4 * 3),
        );
    }
}
