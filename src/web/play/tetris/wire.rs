//! Pictures as they travel: exactly the pixels that have changed.
//!
//! All numbers are little-endian. A message is the picture's number (u32), its width and height
//! (u16), how many boxes have changed (u16), and for each its x, y, width and height (u16) and its
//! pixels row by row as runs: how many (u16), red, green, blue. Flat pictures are small this way,
//! and a browser needs nothing but a loop to draw them.

use crate::types::picture::channels;
use crate::types::{Picture, Rect};

/// Rows without a change that may lie within a box: a box costs more than a few runs.
const GAP: u32 = 4;

/// What must be drawn over `before` to have `now`; everything when the size differs. Neither side may
/// be longer than 65535 px.
#[must_use]
pub fn encode(number: u32, before: &Picture, now: &Picture) -> Vec<u8> {
    let boxes = changed(before, now);
    let mut out = Vec::with_capacity(1024);
    out.extend(number.to_le_bytes());
    short(&mut out, now.width());
    short(&mut out, now.height());
    short(&mut out, boxes.len() as u32);
    for area in boxes {
        // Places of a picture are never negative.
        let (x, y) = (area.x.unsigned_abs(), area.y.unsigned_abs());
        for value in [x, y, area.width, area.height] {
            short(&mut out, value);
        }
        let rows =
            (y..y + area.height).flat_map(|row| &now.row(row)[x as usize..][..area.width as usize]);
        runs(&mut out, rows.copied());
    }
    out
}

fn short(out: &mut Vec<u8>, value: u32) {
    out.extend((value as u16).to_le_bytes());
}

fn runs(out: &mut Vec<u8>, pixels: impl Iterator<Item = u32>) {
    let mut run: Option<(u32, u16)> = None;
    let mut put = |(pixel, length): (u32, u16)| {
        out.extend(length.to_le_bytes());
        out.extend(channels(pixel));
    };
    for pixel in pixels {
        match &mut run {
            Some((same, length)) if *same == pixel && *length < u16::MAX => *length += 1,
            _ => {
                if let Some(done) = run.replace((pixel, 1)) {
                    put(done);
                }
            }
        }
    }
    if let Some(last) = run {
        put(last);
    }
}

/// Boxes around what differs, from the top.
fn changed(before: &Picture, now: &Picture) -> Vec<Rect> {
    let (width, height) = (now.width(), now.height());
    if (before.width(), before.height()) != (width, height) {
        return vec![Rect {
            x: 0,
            y: 0,
            width,
            height,
        }];
    }
    let mut boxes: Vec<Rect> = Vec::new();
    for y in 0..height {
        let (old, new) = (before.row(y), now.row(y));
        let differs = |(a, b): (&u32, &u32)| a != b;
        let Some(left) = old.iter().zip(new).position(differs) else {
            continue;
        };
        let right = old.iter().zip(new).rposition(differs).unwrap_or(left) + 1;
        let (left, right) = (left as i32, right as i32);
        match boxes.last_mut() {
            Some(last) if y <= last.y as u32 + last.height + GAP => {
                let end = (last.x + last.width as i32).max(right);
                last.x = last.x.min(left);
                last.width = (end - last.x) as u32;
                last.height = y + 1 - last.y as u32;
            }
            _ => boxes.push(Rect {
                x: left,
                y: y as i32,
                width: (right - left) as u32,
                height: 1,
            }),
        }
    }
    boxes
}
