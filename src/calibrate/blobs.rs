//! Blobs: patches of one colour that stand alone, as cells do that are set apart by a gap or a
//! border.
//!
//! Takes planes, gives the compact patches with their middles. Works where edges are too short
//! or too soft to make lines: small, round or blurred cells.

use super::chains::{steps_across, steps_down};
use super::planes::Planes;
use crate::types::Point;

/// A compact patch of one colour.
#[derive(Clone, Copy, Debug)]
pub struct Blob {
    /// Its middle in px.
    pub middle: Point,
    /// Its area in px.
    pub area: f64,
}

/// Sums over the pixels of a patch.
#[derive(Clone, Copy, Default)]
struct Sums {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Sums {
    /// Adds the pixels `x0..x1` of row `y`, in closed form.
    fn add_run(&mut self, x0: usize, x1: usize, y: usize) {
        let (a, b, y) = (x0 as f64 + 0.5, x1 as f64 - 0.5, y as f64 + 0.5);
        let n = (x1 - x0) as f64;
        let sx = n * (a + b) / 2.0;
        let mean = (a + b) / 2.0;
        self.n += n;
        self.x += sx;
        self.y += n * y;
        self.xx += n * mean * mean + n * (n * n - 1.0) / 12.0;
        self.yy += n * y * y;
        self.xy += sx * y;
    }

    fn merge(&mut self, o: &Self) {
        self.n += o.n;
        self.x += o.x;
        self.y += o.y;
        self.xx += o.xx;
        self.yy += o.yy;
        self.xy += o.xy;
    }

    /// The blob, if the patch is about as full as an ellipse or a parallelogram is.
    fn blob(&self, least: f64, most: f64) -> Option<Blob> {
        if self.n < least || self.n > most {
            return None;
        }
        let (mx, my) = (self.x / self.n, self.y / self.n);
        // A pixel is a square, not a point.
        let vx = self.xx / self.n - mx * mx + 1.0 / 12.0;
        let vy = self.yy / self.n - my * my + 1.0 / 12.0;
        let vxy = self.xy / self.n - mx * my;
        let det = vx * vy - vxy * vxy;
        let full = self.n / (12.0 * det.max(1e-6).sqrt());
        let trace = vx + vy;
        let long = trace / 2.0 + (trace * trace / 4.0 - det).max(0.0).sqrt();
        let slim = det / (long * long).max(1e-9);
        // Variance along the long axis at most nine times that along the short one.
        ((0.8..1.2).contains(&full) && slim > 0.11).then_some(Blob {
            middle: Point::new(mx, my),
            area: self.n,
        })
    }
}

/// All blobs of at least `least` px; pixels where colour changes by more than `threshold` belong
/// to none.
#[must_use]
pub fn blobs(planes: &Planes, threshold: u8, least: f64) -> Vec<Blob> {
    let (w, h) = (planes.width, planes.height);
    let mut out = Vec::new();
    if w < 8 || h < 8 {
        return out;
    }
    let mut sums: Vec<Sums> = Vec::new();
    let mut parent: Vec<u32> = Vec::new();
    // Runs of the previous row: first, one past last, patch.
    let mut above: Vec<(u32, u32, u32)> = Vec::new();
    let mut here: Vec<(u32, u32, u32)> = Vec::new();
    let mut across = vec![0u8; w];
    let mut next = vec![0u8; w];
    let mut down = vec![0u8; w];
    steps_across(planes, 0, &mut across);
    for y in 0..h {
        steps_down(planes, y, &mut down);
        if y + 1 < h {
            steps_across(planes, y + 1, &mut next);
        } else {
            next.fill(0);
        }
        here.clear();
        let mut x = 0;
        while x + 1 < w {
            let flat = |x: usize| down[x].max(down[x + 1]).max(across[x]).max(next[x]) < threshold;
            if !flat(x) {
                x += 1;
                continue;
            }
            let start = x;
            while x + 1 < w && flat(x) {
                x += 1;
            }
            here.push((start as u32, x as u32, u32::MAX));
        }
        let mut k = 0;
        for run in &mut here {
            while k < above.len() && above[k].1 <= run.0 {
                k += 1;
            }
            let mut i = k;
            while i < above.len() && above[i].0 < run.1 {
                let root = find(&mut parent, above[i].2);
                if run.2 == u32::MAX {
                    run.2 = root;
                } else {
                    let own = find(&mut parent, run.2);
                    if own != root {
                        let from = sums[root as usize];
                        sums[own as usize].merge(&from);
                        parent[root as usize] = own;
                    }
                }
                i += 1;
            }
            if run.2 == u32::MAX {
                run.2 = sums.len() as u32;
                parent.push(run.2);
                sums.push(Sums::default());
            }
            let root = find(&mut parent, run.2);
            sums[root as usize].add_run(run.0 as usize, run.1 as usize, y);
        }
        std::mem::swap(&mut above, &mut here);
        std::mem::swap(&mut across, &mut next);
    }
    let most = (w * h) as f64 / 16.0;
    for (i, s) in sums.iter().enumerate() {
        if parent[i] == i as u32 {
            out.extend(s.blob(least, most));
        }
    }
    out
}

fn find(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        let up = parent[parent[i as usize] as usize];
        parent[i as usize] = up;
        i = up;
    }
    i
}
