//! Draws onto a picture what was found in it: grid lines, letters, doubt.

use font8x8::UnicodeFonts;

use crate::types::{Calibration, Cell, Label, Picture, Point, Reading};

/// Draws the lines of the grid.
pub fn grid(picture: &mut Picture, calibration: &Calibration) {
    let t = &calibration.px_from_cell;
    let (cols, rows) = (calibration.size.cols, calibration.size.rows);
    for x in 0..=cols {
        let x = f64::from(x);
        line(
            picture,
            t.map(Point::new(x, 0.0)),
            t.map(Point::new(x, rows.into())),
        );
    }
    for y in 0..=rows {
        let y = f64::from(y);
        line(
            picture,
            t.map(Point::new(0.0, y)),
            t.map(Point::new(cols.into(), y)),
        );
    }
}

/// Writes a line of text in one colour, its top left corner at (x, y), letters of 8 px.
pub fn write(picture: &mut Picture, x: i64, y: i64, ink: [u8; 3], text: &str) {
    for (n, c) in text.chars().enumerate() {
        let Some(glyph) = font8x8::BASIC_FONTS.get(c) else {
            continue;
        };
        for (dy, bits) in glyph.iter().enumerate() {
            for dx in (0..8).filter(|dx| bits >> dx & 1 == 1) {
                picture.set(x + 8 * n as i64 + dx, y + dy as i64, ink);
            }
        }
    }
}

/// Draws the outline of each hole, of as many points as it is px around.
fn holes(picture: &mut Picture, calibration: &Calibration) {
    let Some(plate) = &calibration.plate else {
        return;
    };
    let t = &calibration.px_from_cell;
    let (rx, ry) = plate.hole;
    for cell in calibration.size.cells() {
        let c = cell.centre();
        let around = t.map(c).distance(t.map(Point::new(c.x + rx, c.y))) * std::f64::consts::TAU;
        let steps = around.clamp(16.0, 10_000.0) as usize;
        for i in 0..steps {
            let angle = std::f64::consts::TAU * i as f64 / steps as f64;
            let at = t.map(Point::new(c.x + rx * angle.cos(), c.y + ry * angle.sin()));
            let ink = if i / 4 % 2 == 0 { [255; 3] } else { [0; 3] };
            picture.set(at.x.floor() as i64, at.y.floor() as i64, ink);
        }
    }
}

/// Draws the grid, the outlines of holes, the letter of each cell, and below it its confidence in per cent where
/// that is under 90 and the cell has room.
pub fn draw(picture: &mut Picture, calibration: &Calibration, reading: &Reading) {
    grid(picture, calibration);
    holes(picture, calibration);
    let t = &calibration.px_from_cell;
    for (i, seen) in reading.cells.iter().enumerate() {
        let cell: Cell = calibration.size.cell(i);
        let c = cell.centre();
        let middle = t.map(c);
        let side = t
            .map(Point::new(c.x + 0.5, c.y))
            .distance(t.map(Point::new(c.x - 0.5, c.y)));
        let scale = (side / 16.0).floor().clamp(1.0, 6.0) as i64;
        let letter = match seen.label {
            Label::Class(k) => calibration
                .classes
                .get(usize::from(k))
                .map_or('?', |c| c.letter),
            Label::Unknown => '?',
        };
        text(picture, middle, scale, &letter.to_string());
        if seen.confidence < 0.9 && side >= 28.0 {
            let below = Point::new(middle.x, middle.y + 8.0 * scale as f64);
            text(
                picture,
                below,
                1,
                &format!("{:.0}", seen.confidence * 100.0),
            );
        }
    }
}

/// A line of white and black dashes, seen on any colour.
fn line(picture: &mut Picture, a: Point, b: Point) {
    let steps = (a.distance(b).ceil() as i64).clamp(1, 100_000);
    for i in 0..=steps {
        let f = i as f64 / steps as f64;
        let (x, y) = (a.x + (b.x - a.x) * f, a.y + (b.y - a.y) * f);
        let ink = if i / 4 % 2 == 0 { [255; 3] } else { [0; 3] };
        picture.set(x.floor() as i64, y.floor() as i64, ink);
    }
}

/// Text around a point, black with a white rim.
fn text(picture: &mut Picture, middle: Point, scale: i64, text: &str) {
    let width = 8 * scale * text.chars().count() as i64;
    let x0 = middle.x as i64 - width / 2;
    let y0 = middle.y as i64 - 4 * scale;
    for ink in [[255u8; 3], [0; 3]] {
        let rim = i64::from(ink[0] == 255);
        for (n, c) in text.chars().enumerate() {
            let Some(glyph) = font8x8::BASIC_FONTS.get(c) else {
                continue;
            };
            for (dy, bits) in glyph.iter().enumerate() {
                for dx in (0..8).filter(|dx| bits >> dx & 1 == 1) {
                    let x = x0 + (8 * n as i64 + dx) * scale;
                    let y = y0 + dy as i64 * scale;
                    for py in y - rim..y + scale + rim {
                        for px in x - rim..x + scale + rim {
                            picture.set(px, py, ink);
                        }
                    }
                }
            }
        }
    }
}
