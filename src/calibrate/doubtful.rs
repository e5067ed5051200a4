//! Groups of cells that may be no colour of their own.
//!
//! Takes groups with their light and what the lines between the cells show; takes the colour from
//! cells of groups that light may have made, or that no line sets apart.

use super::borders::{Border, Shows};
use super::cell::{CellLook, distance};
use super::groups::{Groups, flattened};
use crate::types::GridSize;

/// A group of so few cells, or this part of all, may be what light makes of another.
const FEW: usize = 3;
const FEW_OF: usize = 60;

/// How far light may set cells of one colour apart, and how far against the direction of light one
/// channel may go, of 255.
const LIT: f32 = 56.0;
const AGAINST_LIGHT: f32 = 8.0;

/// How much worse than none light may fit the cells around, which is in part taken off them.
const AROUND: f32 = 1.5;

impl Groups {
    /// Cells of colours that are none of their own beyond doubt have none: groups that no line
    /// sets apart from what lies around them, and few cells that differ from another colour as
    /// light differs and lie nowhere beside it.
    pub(super) fn forget_doubtful(
        &mut self,
        size: GridSize,
        looks: &[CellLook],
        borders: &[Border],
    ) {
        let n = self.colours.len();
        let mut counts = vec![0usize; n];
        for k in self.labels.iter().flatten() {
            counts[*k] += 1;
        }
        // Borders with other groups that show a change, and that do not.
        let mut shown = vec![(0usize, 0usize); n];
        let mut apart = vec![false; n * n];
        for border in borders {
            let (a, b) = border.cells;
            let (Some(a), Some(b)) = (self.labels[a], self.labels[b]) else {
                continue;
            };
            if a == b {
                continue;
            }
            let change = border.shows() == Shows::Change;
            for k in [a, b] {
                shown[k].0 += usize::from(change);
                shown[k].1 += usize::from(!change);
            }
            if change {
                apart[a * n + b] = true;
                apart[b * n + a] = true;
            }
        }
        let few = FEW.max(self.labels.len() / FEW_OF);
        let flat = flattened(size, looks, &self.light);
        let lit = |a: [f32; 3], b: [f32; 3]| {
            let d = [0, 1, 2].map(|c| a[c] - b[c]);
            distance(a, b) < LIT
                && (d.iter().all(|&v| v > -AGAINST_LIGHT) || d.iter().all(|&v| v < AGAINST_LIGHT))
        };
        let doubtful: Vec<bool> = (0..n)
            .map(|k| {
                let (change, none) = shown[k];
                let unshown = counts[k] <= 2 * few && change <= none;
                let like = (0..n).any(|o| {
                    o != k
                        && counts[o] >= counts[k]
                        && !apart[k * n + o]
                        && lit(self.colours[k], self.colours[o])
                        && self.lights_around(size, &flat, k, self.colours[o])
                });
                unshown || (counts[k] <= few && like)
            })
            .collect();
        for label in &mut self.labels {
            *label = label.filter(|&k| !doubtful[k]);
        }
    }

    /// Whether the light that would make a group of another colour fits the cells around the group
    /// as well as none does; as a factor, or as something added to squares.
    fn lights_around(&self, size: GridSize, flat: &[[f32; 3]], k: usize, other: [f32; 3]) -> bool {
        let own = self.colours[k];
        let (cols, rows) = (i32::from(size.cols), i32::from(size.rows));
        let mut off = [0.0f32; 3];
        for at in (0..flat.len()).filter(|&i| self.labels[i] == Some(k)) {
            let (x, y) = (at as i32 % cols, at as i32 / cols);
            for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                let (xx, yy) = (x + dx, y + dy);
                if xx < 0 || yy < 0 || xx >= cols || yy >= rows {
                    continue;
                }
                let j = (yy * cols + xx) as usize;
                let Some(label) = self.labels[j].filter(|&l| l != k) else {
                    continue;
                };
                let c = self.colours[label];
                let scaled = [0, 1, 2].map(|i| c[i] * (own[i] + 4.0) / (other[i] + 4.0));
                let added = [0, 1, 2].map(|i| {
                    let square = c[i] * c[i] + own[i] * own[i] - other[i] * other[i];
                    square.max(0.0).sqrt()
                });
                for (o, expected) in off.iter_mut().zip([c, scaled, added]) {
                    *o += distance(flat[j], expected);
                }
            }
        }
        off[1].min(off[2]) <= AROUND * off[0]
    }
}
