//! Draws the board and the discs of a look.
//!
//! Takes a style, the plan's places and a disc, changes a picture. Must never know how the
//! position came about.

use std::time::Duration;

use super::style::{Disc, Fall, Plate, Style};
use crate::games::canvas::{self, Rgb};
use crate::games::facing::Plan;
use crate::types::{Cell, Picture, Point};

/// Seed of the wood's fibres.
const FIBRES: u64 = 4;

/// The empty board.
pub fn scene(style: &Style, plan: &Plan, out: &mut Picture) {
    let (cols, rows) = (f64::from(plan.size.cols), f64::from(plan.size.rows));
    let rim = style.rim;
    let area = plan.area(-rim, -rim, cols + rim, rows + rim);
    match style.plate {
        Plate::Flat(rgb) => canvas::rounded(out, area, style.corner * plan.cell, rgb),
        Plate::Gradient(top, low) => {
            canvas::gradient(out, area, top, low, std::f64::consts::FRAC_PI_2);
        }
        Plate::Wood(light, dark) => canvas::wood(out, area, light, dark, FIBRES),
    }
    for cell in plan.size.cells() {
        hole(style, plan, cell, out);
    }
    if let Some(rgb) = style.grid {
        dashes(plan, rgb, out);
    }
}

fn middle(plan: &Plan, cell: Cell) -> Point {
    let c = cell.centre();
    plan.px(c.x, c.y)
}

fn hole(style: &Style, plan: &Plan, cell: Cell, out: &mut Picture) {
    let (at, radius) = (middle(plan, cell), style.hole.radius * plan.cell);
    if let Some(rgb) = style.hole.rgb {
        canvas::disc(out, at.x, at.y, radius, rgb);
    }
    if let Some((width, rgb)) = style.hole.ring {
        let width = (width * plan.cell).max(1.0);
        canvas::ring(out, at, radius, width, rgb);
    }
}

/// Dashed lines between the cells, four dashes to a cell.
fn dashes(plan: &Plan, rgb: Rgb, out: &mut Picture) {
    let (cols, rows) = (plan.size.cols, plan.size.rows);
    let half = plan.line / 2.0;
    let dash = |k: u32| f64::from(k) / 4.0;
    for col in 1..cols {
        let x = plan.px(f64::from(col), 0.0).x;
        for k in 0..u32::from(rows) * 4 {
            let (y, end) = (plan.px(0.0, dash(k)).y, plan.px(0.0, dash(k) + 0.125).y);
            canvas::fill(out, [x - half, y, x + half, end], rgb);
        }
    }
    for row in 1..rows {
        let y = plan.px(0.0, f64::from(row)).y;
        for k in 0..u32::from(cols) * 4 {
            let (x, end) = (plan.px(dash(k), 0.0).x, plan.px(dash(k) + 0.125, 0.0).x);
            canvas::fill(out, [x, y - half, end, y + half], rgb);
        }
    }
}

fn darker(rgb: Rgb, share: f64) -> Rgb {
    rgb.map(|v| (f64::from(v) * share).round() as u8)
}

/// A disc with its middle anywhere.
fn disc(style: &Style, plan: &Plan, at: Point, stone: usize, out: &mut Picture) {
    let rgb = style.manner.stones[stone];
    let radius = style.manner.radius * plan.cell;
    let thin = (0.07 * radius).max(1.0);
    match style.disc {
        Disc::Flat => canvas::disc(out, at.x, at.y, radius, rgb),
        Disc::Rimmed => {
            canvas::disc(out, at.x, at.y, radius, [0, 0, 0]);
            canvas::disc(out, at.x, at.y, radius - thin, rgb);
        }
        Disc::Ringed => {
            canvas::disc(out, at.x, at.y, radius, rgb);
            let dark = darker(rgb, 0.72);
            canvas::ring(out, at, 0.94 * radius, 1.5 * thin, dark);
            canvas::ring(out, at, 0.64 * radius, 1.5 * thin, dark);
        }
        Disc::Glossy => canvas::ball(out, at, radius, rgb),
        Disc::Badged => {
            canvas::disc(out, at.x, at.y, radius, rgb);
            badge(at, radius, rgb, stone, out);
        }
    }
}

/// A star or a crescent in a lighter tone.
fn badge(at: Point, radius: f64, rgb: Rgb, stone: usize, out: &mut Picture) {
    let light = rgb.map(|v| v / 2 + 0x7f);
    if stone == 0 {
        for k in 0..5 {
            let angle = std::f64::consts::TAU * (f64::from(k) / 5.0 - 0.25);
            let (s, c) = angle.sin_cos();
            let tip = Point::new(at.x + 0.55 * radius * c, at.y + 0.55 * radius * s);
            canvas::stroke(out, at, tip, 0.22 * radius, light);
        }
    } else {
        canvas::disc(out, at.x, at.y, 0.5 * radius, light);
        canvas::disc(out, at.x + 0.24 * radius, at.y, 0.42 * radius, rgb);
    }
}

/// A disc at rest in its hole.
pub fn stone(style: &Style, plan: &Plan, cell: Cell, stone: usize, out: &mut Picture) {
    disc(style, plan, middle(plan, cell), stone, out);
}

/// A disc through which its hole shows.
pub fn ghost(style: &Style, plan: &Plan, cell: Cell, stone: usize, out: &mut Picture) {
    let radius = style.manner.radius * plan.cell;
    let rgb = style.manner.stones[stone];
    canvas::veil(out, middle(plan, cell), radius, rgb, 0.4);
}

/// A disc in the row above the board.
pub fn above(style: &Style, plan: &Plan, col: u16, stone: usize, out: &mut Picture) {
    let at = plan.px(f64::from(col) + 0.5, -0.55);
    disc(style, plan, at, stone, out);
}

/// How long a disc falls into a row, counted from the top.
pub fn travel(fall: Fall, row: u16) -> Duration {
    match fall {
        Fall::None => Duration::ZERO,
        Fall::Steps(each) => each * u32::from(row),
        Fall::Gravity(first) => first.mul_f64(f64::from(row + 1).sqrt()),
    }
}

/// The middle of a falling disc in cells from the top, so long after its move.
fn height(fall: Fall, row: u16, since: Duration) -> f64 {
    let rest = f64::from(row) + 0.5;
    let fallen = |first: Duration| since.as_secs_f64() / first.as_secs_f64().max(1e-6);
    match fall {
        Fall::None => rest,
        Fall::Steps(each) => (fallen(each).floor() + 0.5).min(rest),
        Fall::Gravity(first) => (fallen(first).powi(2) - 0.5).min(rest),
    }
}

/// A disc on its way down.
pub fn falling(
    style: &Style,
    plan: &Plan,
    cell: Cell,
    stone: usize,
    since: Duration,
    out: &mut Picture,
) {
    let y = height(style.fall, cell.row, since);
    let at = plan.px(f64::from(cell.col) + 0.5, y);
    if !style.behind {
        disc(style, plan, at, stone, out);
        return;
    }
    // Seen through the holes of its column only.
    let radius = style.manner.radius * plan.cell;
    let hole = style.hole.radius * plan.cell;
    let rgb = style.manner.stones[stone];
    let top = plan.px(0.0, 0.0).y;
    let area = [
        at.x - radius - 1.0,
        (at.y - radius - 1.0).max(top),
        at.x + radius + 1.0,
        at.y + radius + 1.0,
    ];
    canvas::paint(out, area, |x, y| {
        let row = ((y - top) / plan.cell).floor() + 0.5;
        let inside = |cy: f64, r: f64| (r - (x - at.x).hypot(y - cy) + 0.5).clamp(0.0, 1.0);
        (
            rgb,
            inside(at.y, radius) * inside(top + row * plan.cell, hole),
        )
    });
}
