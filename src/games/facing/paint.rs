//! Draws what all boards for two share: marks, hints, status line, boxes, the calibration sheet.
//!
//! Takes what is to be shown and the plan's places, changes a picture. Must never decide whether
//! something is shown.

use super::manner::{Manner, Mark};
use super::plan::Plan;
use crate::games::canvas::{self, Rgb};
use crate::types::sheet::{MARKERS, Sheet};
use crate::types::{Cell, Picture, Point, Rect};

/// The middle of a cell in px.
fn middle(plan: &Plan, cell: Cell) -> Point {
    let c = cell.centre();
    plan.px(c.x, c.y)
}

/// The mark of the last move.
pub fn mark(out: &mut Picture, plan: &Plan, manner: &Manner, cell: Cell) {
    let at = middle(plan, cell);
    let radius = manner.radius * plan.cell;
    let rgb = manner.mark_rgb;
    let width = (0.16 * radius).max(1.0);
    match manner.mark {
        Mark::None | Mark::Blink => {}
        Mark::Dot => canvas::disc(out, at.x, at.y, (0.3 * radius).max(1.0), rgb),
        Mark::Ring => canvas::ring(out, at, 0.6 * radius, width, rgb),
        Mark::Plus => {
            let arm = 0.5 * radius;
            let to = |dx: f64, dy: f64| Point::new(at.x + dx, at.y + dy);
            canvas::stroke(out, to(-arm, 0.0), to(arm, 0.0), width, rgb);
            canvas::stroke(out, to(0.0, -arm), to(0.0, arm), width, rgb);
        }
    }
}

/// A ring on each stone of the row that has won.
pub fn rings(out: &mut Picture, plan: &Plan, manner: &Manner, row: &[Cell]) {
    let radius = manner.radius * plan.cell;
    for &cell in row {
        let at = middle(plan, cell);
        let width = (0.18 * radius).max(1.0);
        canvas::ring(out, at, 0.78 * radius, width, manner.accent);
    }
}

/// Lines through the rows that the last move has completed.
pub fn lines(out: &mut Picture, plan: &Plan, manner: &Manner, last: Cell, row: &[Cell]) {
    let width = (0.12 * plan.cell).max(1.0);
    let from = middle(plan, last);
    // All of them meet in the last move.
    for &cell in row {
        canvas::stroke(out, from, middle(plan, cell), width, manner.accent);
    }
}

/// A frame of corners around a cell.
pub fn cursor(out: &mut Picture, plan: &Plan, manner: &Manner, cell: Cell) {
    let at = middle(plan, cell);
    let (half, arm) = (0.46 * plan.cell, 0.16 * plan.cell);
    let width = (0.06 * plan.cell).max(1.0);
    for (sx, sy) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        let corner = Point::new(at.x + sx * half, at.y + sy * half);
        for (dx, dy) in [(-sx * arm, 0.0), (0.0, -sy * arm)] {
            let end = Point::new(corner.x + dx, corner.y + dy);
            canvas::stroke(out, corner, end, width, manner.accent);
        }
    }
}

/// A hint: the best move ringed, and what moves are worth.
pub fn advice(
    out: &mut Picture,
    plan: &Plan,
    manner: &Manner,
    best: Option<Cell>,
    scores: &[(Cell, String)],
) {
    let radius = 0.8 * manner.radius.min(0.48) * plan.cell;
    if let Some(cell) = best {
        let width = (0.2 * radius).max(1.0);
        canvas::ring(out, middle(plan, cell), radius, width, manner.accent);
    }
    for (cell, words) in scores {
        let at = middle(plan, *cell);
        let most = plan.cell * 0.7 / (8.0 * words.len().max(1) as f64);
        let scale = most.floor().max(1.0);
        let (width, height) = canvas::extent(words, scale);
        let (x, y) = ((at.x - width / 2.0).round(), (at.y - height / 2.0).round());
        let back = [x - 2.0, y - 2.0, x + width + 2.0, y + height + 1.0];
        canvas::fill(out, back, manner.face);
        canvas::text(out, x, y, scale, manner.ink, words);
    }
}

/// The line at the bottom.
pub fn status(out: &mut Picture, plan: &Plan, manner: &Manner, words: &str) {
    let at = plan.status();
    canvas::text(out, at.x, at.y, plan.scale, manner.ink, words);
}

/// A box in the middle of the board, with a large and a small line.
pub fn message(out: &mut Picture, plan: &Plan, manner: &Manner, [large, small]: [&str; 2]) {
    let letters = large.chars().count().max(1) as f64;
    let width = f64::from(plan.picture.0);
    let scale = (width * 0.8 / (8.0 * letters))
        .floor()
        .clamp(1.0, 2.0 * plan.scale);
    let (wide, high) = canvas::extent(large, scale);
    let (low_wide, low_high) = canvas::extent(small, plan.scale);
    let pad = 12.0 * plan.scale;
    let (w, h) = (wide.max(low_wide) + 2.0 * pad, high + low_high + 3.0 * pad);
    let middle = plan.px(
        f64::from(plan.size.cols) / 2.0,
        f64::from(plan.size.rows) / 2.0,
    );
    let (x, y) = ((middle.x - w / 2.0).round(), (middle.y - h / 2.0).round());
    let area = [x, y, x + w, y + h];
    canvas::fill(out, area, manner.face);
    canvas::outline(out, area, 2.0 * plan.scale, manner.ink);
    let centred = |wide: f64| (middle.x - wide / 2.0).round();
    canvas::text(out, centred(wide), y + pad, scale, manner.ink, large);
    let below = y + 2.0 * pad + high;
    canvas::text(out, centred(low_wide), below, plan.scale, manner.ink, small);
}

/// The markers, and swatches of an empty place and of both colours.
pub fn sheet(out: &mut Picture, plan: &Plan, sheet: &Sheet, manner: &Manner) {
    for (&area, bits) in sheet.markers.iter().zip(MARKERS) {
        let at = plan.px(area.at.x, area.at.y);
        let end = plan.px(area.at.x + area.width, area.at.y + area.height);
        let rect = Rect {
            x: at.x.round() as i32,
            y: at.y.round() as i32,
            width: (end.x.round() - at.x.round()) as u32,
            height: (end.y.round() - at.y.round()) as u32,
        };
        canvas::marker(out, rect, bits);
    }
    let colours: [Rgb; 3] = [manner.empty, manner.stones[0], manner.stones[1]];
    for (area, rgb) in sheet.swatches.iter().zip(colours) {
        let (x, y) = (area.at.x, area.at.y);
        let patch = plan.area(x, y, x + area.width, y + area.height);
        canvas::fill(out, patch, rgb);
        canvas::outline(out, patch, plan.line, manner.ink);
    }
}
