//! Thin edges: where colour changes most, one pixel wide, with the direction of the change.
//!
//! Takes planes, gives points. The channel that changes most speaks for the pixel, so that red on
//! blue of the same brightness is an edge as well. Must never depend on how strong other edges of
//! the picture are, but for a limit of their number: a faint board lies beside a bright window.

use super::super::planes::Planes;

/// A place where colour changes.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Its pixel.
    pub x: u16,
    /// Its pixel.
    pub y: u16,
    /// Unit vector across the edge, towards larger values.
    pub across: [f32; 2],
}

/// A step of so many (of 255) is an edge where there is no noise.
const LEAST_STEP: i32 = 6;

/// Edges kept at most, as a share of the picture: more is texture.
const MOST: usize = 9;

/// The thin edges of a picture with this noise (standard deviation of a pixel).
#[must_use]
pub fn edges(planes: &Planes, noise: f32) -> Vec<Edge> {
    let (w, h) = (planes.width, planes.height);
    if w < 8 || h < 8 || w > usize::from(u16::MAX) || h > usize::from(u16::MAX) {
        return Vec::new();
    }
    // A step of one makes a response of 4, noise of one standard deviation one of 3.5.
    let least = 4 * LEAST_STEP + (12.0 * noise) as i32;
    let mut rows = Rows::new(w);
    for y in 0..3 {
        rows.fill(planes, y);
    }
    let mut found = Vec::new();
    for y in 2..h - 2 {
        rows.thin(y, least, &mut found);
        if y + 2 < h - 1 {
            rows.fill(planes, y + 2);
        }
    }
    let most = w * h / MOST;
    if found.len() > most {
        let mut sizes: Vec<i32> = found.iter().map(|(s, _)| *s).collect();
        let k = sizes.len() - most;
        let limit = *sizes.select_nth_unstable(k).1;
        found.retain(|(s, _)| *s >= limit);
    }
    found.into_iter().map(|(_, e)| e).collect()
}

/// Gradients of four rows in turn.
struct Rows {
    w: usize,
    dx: [Vec<i16>; 4],
    dy: [Vec<i16>; 4],
    /// Squared length.
    size: [Vec<i32>; 4],
}

impl Rows {
    fn new(w: usize) -> Self {
        Self {
            w,
            dx: std::array::from_fn(|_| vec![0; w]),
            dy: std::array::from_fn(|_| vec![0; w]),
            size: std::array::from_fn(|_| vec![0; w]),
        }
    }

    /// Gradients of row `y`; rows at the picture's edge have none.
    fn fill(&mut self, planes: &Planes, y: usize) {
        let w = self.w;
        let k = y % 4;
        self.size[k].fill(0);
        if y == 0 || y + 1 >= planes.height {
            return;
        }
        let (dx, dy, size) = (&mut self.dx[k], &mut self.dy[k], &mut self.size[k]);
        for plane in &planes.rgb {
            let a = &plane[(y - 1) * w..][..w];
            let b = &plane[y * w..][..w];
            let c = &plane[(y + 1) * w..][..w];
            for x in 1..w - 1 {
                let v = |row: &[u8], i: usize| i16::from(row[i]);
                let right = v(a, x + 1) + 2 * v(b, x + 1) + v(c, x + 1);
                let left = v(a, x - 1) + 2 * v(b, x - 1) + v(c, x - 1);
                let low = v(c, x - 1) + 2 * v(c, x) + v(c, x + 1);
                let top = v(a, x - 1) + 2 * v(a, x) + v(a, x + 1);
                let (gx, gy) = (right - left, low - top);
                let s = i32::from(gx) * i32::from(gx) + i32::from(gy) * i32::from(gy);
                if s > size[x] {
                    size[x] = s;
                    dx[x] = gx;
                    dy[x] = gy;
                }
            }
        }
    }

    /// The pixels of row `y` whose change is the largest along its direction.
    fn thin(&self, y: usize, least: i32, out: &mut Vec<(i32, Edge)>) {
        let (above, here, below) = ((y + 3) % 4, y % 4, (y + 1) % 4);
        let size = &self.size[here];
        let least = least * least;
        for x in 2..self.w - 2 {
            let s = size[x];
            if s < least {
                continue;
            }
            let (gx, gy) = (i32::from(self.dx[here][x]), i32::from(self.dy[here][x]));
            let (ax, ay) = (gx.abs(), gy.abs());
            // Within 22.5 degrees of an axis the neighbours along it count, else the diagonal ones.
            let (before, after) = if ay * 5 < ax * 2 {
                (size[x - 1], size[x + 1])
            } else if ax * 5 < ay * 2 {
                (self.size[above][x], self.size[below][x])
            } else if (gx > 0) == (gy > 0) {
                (self.size[above][x - 1], self.size[below][x + 1])
            } else {
                (self.size[above][x + 1], self.size[below][x - 1])
            };
            if s >= before && s > after {
                let length = (s as f32).sqrt();
                let edge = Edge {
                    x: x as u16,
                    y: y as u16,
                    across: [gx as f32 / length, gy as f32 / length],
                };
                out.push((s, edge));
            }
        }
    }
}
