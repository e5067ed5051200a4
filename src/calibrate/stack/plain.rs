//! Boards without a frame in a drawn picture: an area of one exact colour, as wide as the board.
//!
//! Takes planes and the size, gives transforms. The lower part may be hidden by the pile, so the
//! height follows from the width: cells are square here.

use super::super::planes::Planes;
use crate::types::{GridSize, Point, PxFromCell};

/// Smallest side of a cell in px.
const LEAST: usize = 6;

/// Upright boards that may be there, largest first.
#[must_use]
pub fn find(planes: &Planes, size: GridSize) -> Vec<PxFromCell> {
    let (w, h) = (planes.width, planes.height);
    let (cols, rows) = (usize::from(size.cols), usize::from(size.rows));
    if cols == 0 || rows == 0 {
        return Vec::new();
    }
    let tone = |i: usize| [planes.rgb[0][i], planes.rgb[1][i], planes.rgb[2][i]];
    let mut seen = vec![false; w * h];
    let mut stack = Vec::new();
    let mut found = Vec::new();
    for start in 0..w * h {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        stack.push(start);
        let (mut x0, mut x1, mut y0, mut y1, mut n) = (w, 0, h, 0, 0usize);
        while let Some(i) = stack.pop() {
            let (x, y) = (i % w, i / w);
            (x0, x1) = (x0.min(x), x1.max(x));
            (y0, y1) = (y0.min(y), y1.max(y));
            n += 1;
            let mut visit = |j: usize| {
                if !seen[j] && tone(j) == tone(i) {
                    seen[j] = true;
                    stack.push(j);
                }
            };
            if x > 0 {
                visit(i - 1);
            }
            if x + 1 < w {
                visit(i + 1);
            }
            if y > 0 {
                visit(i - w);
            }
            if y + 1 < h {
                visit(i + w);
            }
        }
        let (wide, high) = (x1 + 1 - x0.min(x1), y1 + 1 - y0.min(y1));
        let pitch = wide as f64 / cols as f64;
        // Most of the top of a board is empty, and the board is whole.
        let fits = wide % cols == 0
            && wide >= LEAST * cols
            && high as f64 <= pitch * rows as f64 + 0.5
            && high * 3 > wide
            && y0 as f64 + pitch * rows as f64 <= h as f64 + 0.5
            && n * 3 > wide * wide.min(high);
        if fits {
            let at = Point::new(x0 as f64, y0 as f64);
            found.push((PxFromCell::upright(at, pitch, pitch), wide));
        }
    }
    found.sort_by_key(|f| std::cmp::Reverse(f.1));
    found.into_iter().take(6).map(|f| f.0).collect()
}
