//! Where in a picture cells of a given size lie: patches that are bounded on all four sides.
//!
//! Takes pairs of both ways and a pitch for each, gives boxes around connected patches of
//! unit cells.

use super::spacing::{Pair, at_distance};

/// A box around a patch of cells, in px of the planes.
#[derive(Clone, Copy, Debug)]
pub struct Patch {
    /// Left, top, right, bottom.
    pub bounds: [f32; 4],
    /// Area of its unit cells in cells.
    pub cells: f32,
    /// Pitch across and down at which it was found.
    pub pitch: [f32; 2],
}

/// How far the distance of two lines may be from the pitch.
#[must_use]
pub fn tolerance(pitch: f32) -> f32 {
    (0.035 * pitch).max(1.1)
}

/// A few patches of cells of the given pitch that lie together within a box of the picture (left,
/// top, right, bottom).
#[must_use]
pub fn patches(down: &[Pair], across: &[Pair], pitch: [f32; 2], within: [f32; 4]) -> Vec<Patch> {
    let tile = [pitch[0] / 2.0, pitch[1] / 2.0];
    let [left, top, right, bottom] = within;
    let cols = ((right - left) / tile[0]) as usize + 1;
    let rows = ((bottom - top) / tile[1]) as usize + 1;
    let mut marks = vec![0u8; cols * rows];
    let mut paint = |x0: f32, y0: f32, x1: f32, y1: f32, bit: u8| {
        // A tile counts when its middle is inside.
        let (x0, y0, x1, y1) = (x0 - left, y0 - top, x1 - left, y1 - top);
        let i0 = (x0 / tile[0] + 0.5).floor().max(0.0) as usize;
        let i1 = ((x1 / tile[0] + 0.5).floor().max(0.0) as usize).min(cols);
        let j0 = (y0 / tile[1] + 0.5).floor().max(0.0) as usize;
        let j1 = ((y1 / tile[1] + 0.5).floor().max(0.0) as usize).min(rows);
        for j in j0..j1 {
            for m in &mut marks[j * cols + i0.min(i1)..j * cols + i1] {
                *m |= bit;
            }
        }
    };
    for p in at_distance(down, pitch[0], tolerance(pitch[0])) {
        paint(p.at, p.along.0, p.at + p.distance, p.along.1, 1);
    }
    for p in at_distance(across, pitch[1], tolerance(pitch[1])) {
        paint(p.along.0, p.at, p.along.1, p.at + p.distance, 2);
    }
    // Cells that lie together; then, for a board with a few islands of colour left, cells some
    // way apart.
    let mut found = gather(&mut marks.clone(), cols, rows, tile, pitch, 3);
    if found.len() > 1 {
        found.truncate(3);
        found.extend(
            gather(&mut marks, cols, rows, tile, pitch, 13)
                .into_iter()
                .take(2),
        );
    }
    for p in &mut found {
        for (b, by) in p.bounds.iter_mut().zip([left, top, left, top]) {
            *b += by;
        }
    }
    found
}

/// Tiles with both marks, joined over a distance of so many tiles, which are half cells.
fn gather(
    marks: &mut [u8],
    cols: usize,
    rows: usize,
    tile: [f32; 2],
    pitch: [f32; 2],
    reach: usize,
) -> Vec<Patch> {
    let mut out = Vec::new();
    let mut todo = Vec::new();
    for start in 0..marks.len() {
        if marks[start] != 3 {
            continue;
        }
        marks[start] = 0;
        todo.push(start);
        let (mut x0, mut y0, mut x1, mut y1) = (usize::MAX, usize::MAX, 0, 0);
        let mut count = 0;
        while let Some(at) = todo.pop() {
            let (i, j) = (at % cols, at / cols);
            count += 1;
            x0 = x0.min(i);
            y0 = y0.min(j);
            x1 = x1.max(i);
            y1 = y1.max(j);
            for jj in j.saturating_sub(reach)..=(j + reach).min(rows - 1) {
                for ii in i.saturating_sub(reach)..=(i + reach).min(cols - 1) {
                    let k = jj * cols + ii;
                    if marks[k] == 3 {
                        marks[k] = 0;
                        todo.push(k);
                    }
                }
            }
        }
        out.push(Patch {
            bounds: [
                x0 as f32 * tile[0],
                y0 as f32 * tile[1],
                (x1 + 1) as f32 * tile[0],
                (y1 + 1) as f32 * tile[1],
            ],
            cells: count as f32 / 4.0,
            pitch,
        });
    }
    out.sort_by(|a, b| b.cells.total_cmp(&a.cells));
    out
}
