//! Draws the board and the stones of a look.
//!
//! Takes a style, the plan's places and a stone, changes a picture. Must never know how the
//! position came about.

use std::time::Duration;

use super::style::{Ground, Lattice, Stones, Style};
use crate::games::canvas::{self, Rgb};
use crate::games::facing::Plan;
use crate::types::{Cell, Picture, Point};

/// Seed of wood and paper.
const FIBRES: u64 = 15;
/// How far the paper's brightness spreads.
const GRAIN: f64 = 0.02;
/// The least cells in px at which coordinates can be read.
const LEGIBLE: f64 = 20.0;

/// The empty board.
pub fn scene(style: &Style, plan: &Plan, out: &mut Picture) {
    let (cols, rows) = (f64::from(plan.size.cols), f64::from(plan.size.rows));
    let rim = style.rim;
    let area = plan.area(-rim, -rim, cols + rim, rows + rim);
    match style.ground {
        Ground::Flat(rgb) => canvas::fill(out, area, rgb),
        Ground::Wood(light, dark) => canvas::wood(out, area, light, dark, FIBRES),
        Ground::Paper(rgb) => {
            canvas::fill(out, area, rgb);
            canvas::grain(out, area, GRAIN, FIBRES);
        }
    }
    lines(style, plan, out);
    if style.stars {
        for cell in stars(plan.size.cols, plan.size.rows) {
            let at = middle(plan, cell);
            let radius = (0.1 * plan.cell).max(1.5);
            canvas::disc(out, at.x, at.y, radius, style.line.0);
        }
    }
    if style.coordinates && plan.cell >= LEGIBLE {
        coordinates(style, plan, out);
    }
}

fn middle(plan: &Plan, cell: Cell) -> Point {
    let c = cell.centre();
    plan.px(c.x, c.y)
}

/// Through the middles of the cells, or along their edges.
fn lines(style: &Style, plan: &Plan, out: &mut Picture) {
    let (cols, rows) = (f64::from(plan.size.cols), f64::from(plan.size.rows));
    let (inset, more) = match style.lattice {
        Lattice::Crossings => (0.5, 0),
        Lattice::Squares => (0.0, 1),
    };
    let half = plan.line / 2.0;
    let [x0, y0, x1, y1] = plan.area(inset, inset, cols - inset, rows - inset);
    for col in 0..plan.size.cols + more {
        let x = plan.px(f64::from(col) + inset, 0.0).x;
        canvas::fill(
            out,
            [x - half, y0 - half, x + half, y1 + half],
            style.line.0,
        );
    }
    for row in 0..plan.size.rows + more {
        let y = plan.px(0.0, f64::from(row) + inset).y;
        canvas::fill(
            out,
            [x0 - half, y - half, x1 + half, y + half],
            style.line.0,
        );
    }
}

/// The usual star points: three or two lines from the edge, and in the middle of odd sides.
fn stars(cols: u16, rows: u16) -> Vec<Cell> {
    let along = |side: u16| {
        let edge = if side >= 13 { 3 } else { 2 };
        let mut places = vec![edge, side - 1 - edge];
        if side % 2 == 1 && side >= 9 {
            places.push(side / 2);
        }
        places.sort_unstable();
        places.dedup();
        places
    };
    let (across, down) = (along(cols), along(rows));
    let mut all = Vec::new();
    for &col in &across {
        all.extend(down.iter().map(|&row| Cell::new(col, row)));
    }
    all
}

/// Letters below, numbers from the bottom on the left.
fn coordinates(style: &Style, plan: &Plan, out: &mut Picture) {
    let scale = (plan.cell * 0.4 / 8.0).floor().max(1.0);
    let rows = f64::from(plan.size.rows);
    let mut write = |x: f64, y: f64, words: &str| {
        let at = plan.px(x, y);
        let (wide, high) = canvas::extent(words, scale);
        let (x, y) = ((at.x - wide / 2.0).round(), (at.y - high / 2.0).round());
        canvas::text(out, x, y, scale, style.line.0, words);
    };
    // In the middle of the strip beyond the outermost lines.
    let strip = (style.rim + 0.5) / 2.0 - 0.5;
    for (col, letter) in (0..plan.size.cols).zip('A'..='Z') {
        write(
            f64::from(col) + 0.5,
            rows + strip,
            letter.encode_utf8(&mut [0; 4]),
        );
    }
    for row in 0..plan.size.rows {
        let number = (plan.size.rows - row).to_string();
        write(-strip, f64::from(row) + 0.5, &number);
    }
}

/// A stone, this share of its size, in a colour.
fn drawn(
    style: &Style,
    plan: &Plan,
    cell: Cell,
    (stone, rgb): (usize, Rgb),
    share: f64,
    out: &mut Picture,
) {
    let at = middle(plan, cell);
    let radius = style.manner.radius * plan.cell * share;
    match style.stones {
        Stones::Flat(edge) => {
            let thin = (0.05 * plan.cell).max(1.0);
            canvas::disc(out, at.x, at.y, radius, edge.unwrap_or(rgb));
            if edge.is_some() {
                canvas::disc(out, at.x, at.y, radius - thin, rgb);
            }
        }
        Stones::Glossy => canvas::ball(out, at, radius.max(0.5), rgb),
        Stones::Marks(width) => {
            let width = (width * plan.cell).max(1.0);
            if stone == 0 {
                let to = |sx: f64, sy: f64| Point::new(at.x + sx * radius, at.y + sy * radius);
                canvas::stroke(out, to(-0.8, -0.8), to(0.8, 0.8), width, rgb);
                canvas::stroke(out, to(-0.8, 0.8), to(0.8, -0.8), width, rgb);
            } else {
                canvas::ring(out, at, radius, width, rgb);
            }
        }
    }
}

/// A stone at rest.
pub fn stone(style: &Style, plan: &Plan, cell: Cell, stone: usize, out: &mut Picture) {
    let rgb = style.manner.stones[stone];
    drawn(style, plan, cell, (stone, rgb), 1.0, out);
}

/// A stone that appears, so long after its move.
pub fn appearing(
    style: &Style,
    plan: &Plan,
    cell: Cell,
    stone: usize,
    since: Duration,
    out: &mut Picture,
) {
    let share = since.as_secs_f64() / style.appear.as_secs_f64().max(1e-6);
    let rgb = style.manner.stones[stone];
    drawn(
        style,
        plan,
        cell,
        (stone, rgb),
        0.4 + 0.6 * share.min(1.0),
        out,
    );
}

/// A faint stone.
pub fn ghost(style: &Style, plan: &Plan, cell: Cell, stone: usize, out: &mut Picture) {
    let rgb = style.manner.stones[stone];
    if let Stones::Marks(_) = style.stones {
        let pale = |i: usize| rgb[i] / 3 + style.manner.empty[i] / 3 * 2;
        let pale = [pale(0), pale(1), pale(2)];
        drawn(style, plan, cell, (stone, pale), 1.0, out);
    } else {
        let radius = style.manner.radius * plan.cell;
        canvas::veil(out, middle(plan, cell), radius, rgb, 0.35);
    }
}
