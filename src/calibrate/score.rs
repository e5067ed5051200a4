//! The one judge of all supposed boards.
//!
//! Takes what was sampled on a lattice and how its lines met the edges; gives the quality, a
//! product of what a board of coloured cells predicts: cells of one colour each, few classes
//! far apart, colour changes on the lines and nowhere else, lines that are needed, surroundings
//! that differ.

use super::borders::{Border, contradicted};
use super::cell::{CellLook, Eye, distance};
use super::classes::Learnt;
use super::folds::{Fold, folded};
use super::refine::Crossing;
use crate::types::{GridSize, Wanted};

/// What the quality is made of; each from 0 to 1 except the counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evidence {
    /// Share of cells of one colour.
    pub plain: f32,
    /// Share of cells whose class is beyond doubt.
    pub told: f32,
    /// Share of cells that one thing seems to lie over: they take no part in the two above.
    pub covered: f32,
    /// Share of places between cells of different classes where the change is on the line.
    pub on_line: f32,
    /// Share of inner lines on which at least one change lies.
    pub needed: f32,
    /// Share of each side (left, right, top, bottom) where the surroundings differ.
    pub closed: [f32; 4],
    /// Of what larger cells the lattice seems to have only pieces.
    pub cut: Option<Fold>,
    /// Pairs of different neighbours: how much evidence there is at all.
    pub changes: f32,
    /// Share of cells with something in the middle.
    pub marked: f32,
    /// Classes.
    pub classes: usize,
    /// Share of cells in classes of at least two cells.
    pub shared: f32,
    /// Whether neighbours alternate like a chess board.
    pub alternates: bool,
    /// Ratio of the smallest distance of classes to their spread.
    pub apart: f32,
    /// Root mean square distance of changes from their lines, in px.
    pub off: f32,
    /// How far that may be.
    pub allowed: f32,
    /// Borders between cells that contradict their colours.
    pub against: usize,
    /// Of the possible neighbours both ways, the smaller share that differs.
    pub both_ways: f32,
}

/// From 0 at `lo` to 1 at `hi`, smooth.
fn ramp(v: f32, lo: f32, hi: f32) -> f32 {
    let t = ((v - lo) / (hi - lo)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

impl Evidence {
    /// Gathers the evidence for a board of this size, whose cells are about `pitch` px wide and
    /// high.
    #[must_use]
    #[allow(
        clippy::too_many_arguments,
        reason = "one board, all that was seen of it"
    )]
    pub fn gather(
        size: GridSize,
        looks: &[CellLook],
        eye: Eye,
        learnt: &Learnt,
        crossings: &[Crossing],
        borders: &[Border],
        per_side: usize,
        pitch: [f32; 2],
    ) -> Self {
        let (cols, rows) = (usize::from(size.cols), usize::from(size.rows));
        let n = (cols * rows).max(1) as f32;
        let labels = &learnt.labels;
        let sure = told(size, looks, learnt);
        let hidden = covered(size, &sure);
        let covered = hidden.iter().filter(|&&h| h).count();
        let seen_cells = (n - covered as f32).max(1.0);
        let told = sure.iter().filter(|&&s| s).count() as f32 / seen_cells;
        let doubtful = looks.iter().filter(|l| !eye.plain(l)).count();
        let plain_cells = 1.0 - doubtful.saturating_sub(covered) as f32 / seen_cells;
        let (mut across, mut down, mut pairs) = (0usize, 0usize, 0usize);
        // Changes of colour on each line; the first is the outline.
        let (mut changes_x, mut changes_y) = (vec![0usize; cols], vec![0usize; rows]);
        let (mut alternating, mut expected) = (0usize, 0usize);
        for i in 0..labels.len() {
            let (x, y) = (i % cols, i / cols);
            if x + 1 < cols {
                pairs += 1;
                let change = usize::from(differ(labels, looks, i, i + 1, eye));
                across += change;
                if !hidden[i] && !hidden[i + 1] {
                    expected += change;
                    changes_x[x + 1] += change;
                }
            }
            if y + 1 < rows {
                pairs += 1;
                let change = usize::from(differ(labels, looks, i, i + cols, eye));
                down += change;
                if !hidden[i] && !hidden[i + cols] {
                    expected += change;
                    changes_y[y + 1] += change;
                }
            }
            if x + 1 < cols
                && y + 1 < rows
                && labels[i].is_some()
                && labels[i] == labels[i + cols + 1]
                && labels[i + 1] == labels[i + cols]
                && labels[i] != labels[i + 1]
            {
                alternating += 1;
            }
        }
        let squares = ((cols - 1) * (rows - 1)).max(1);
        let inner = crossings.iter().filter(|c| !c.outer && !c.alike);
        let (mut seen, mut on) = (0usize, 0usize);
        let mut offs: Vec<f64> = Vec::new();
        let mut lines_x = vec![0usize; cols + 1];
        let mut lines_y = vec![0usize; rows + 1];
        let over = |x: usize, y: usize| x < cols && y < rows && hidden[y * cols + x];
        for c in inner {
            // What lies over the board has edges anywhere.
            let (x, y) = (c.cell.x as usize, c.cell.y as usize);
            let before = if c.down {
                (x.wrapping_sub(1), y)
            } else {
                (x, y.wrapping_sub(1))
            };
            if over(x, y) || over(before.0, before.1) {
                continue;
            }
            seen += 1;
            offs.push(c.off * c.off);
            if c.off.abs() < 0.13 && c.gap < 0.5 {
                on += 1;
                let line = if c.down {
                    &mut lines_x[c.cell.x as usize]
                } else {
                    &mut lines_y[c.cell.y as usize]
                };
                *line += 1;
            }
        }
        // Places where the colours differ but no change was found count as missed.
        let expected = expected * per_side;
        let used = lines_x[1..cols].iter().chain(&lines_y[1..rows]);
        let needed = used.filter(|&&l| l >= per_side.min(2)).count();
        // What lies over a board has edges anywhere; a tenth of all may be its own.
        offs.sort_by(f64::total_cmp);
        offs.truncate((offs.len() * 9).div_ceil(10));
        let mut closed = [0usize; 4];
        for c in crossings.iter().filter(|c| c.outer && c.off.abs() < 0.3) {
            let side = match (c.down, c.cell.x < 0.5, c.cell.y < 0.5) {
                (true, left, _) => usize::from(!left),
                (false, _, top) => 2 + usize::from(!top),
            };
            closed[side] += 1;
        }
        let sides = [rows, rows, cols, cols].map(|n| (n * per_side).max(1) as f32);
        let mut counts = vec![0usize; learnt.classes.len()];
        for k in labels.iter().flatten() {
            counts[*k] += 1;
        }
        let shared = labels.iter().flatten().filter(|&&k| counts[k] >= 2).count();
        Self {
            plain: plain_cells,
            told,
            covered: covered as f32 / n,
            on_line: on as f32 / expected.max(seen).max(1) as f32,
            needed: needed as f32 / (cols + rows - 2).max(1) as f32,
            closed: std::array::from_fn(|i| closed[i] as f32 / sides[i]),
            cut: folded(&changes_x[1..], &changes_y[1..], pitch),
            against: contradictions(borders, labels, &hidden),
            changes: (across + down) as f32,
            marked: learnt.marked as f32 / n,
            classes: learnt.classes.len(),
            shared: shared as f32 / n,
            alternates: pairs > 0 && alternating * 10 > squares * 9,
            apart: learnt.nearest / (learnt.spread + 1.5),
            off: (offs.iter().sum::<f64>() / offs.len().max(1) as f64).sqrt() as f32
                * pitch[0].min(pitch[1]),
            allowed: 0.7 + 0.02 * pitch[0].min(pitch[1]),
            both_ways: (across as f32 / ((cols - 1) * rows).max(1) as f32)
                .min(down as f32 / ((rows - 1) * cols).max(1) as f32),
        }
    }

    /// What contradictions between colours and lines leave of the quality.
    fn agreed(&self, drawn: bool) -> f32 {
        if drawn {
            1.0 - ramp(self.against as f32 / self.changes.max(1.0), 0.1, 0.3)
        } else {
            AGAINST.powi(self.against.saturating_sub(1) as i32)
        }
    }

    /// The quality, 0 to 1; what is `drawn` and not filmed has no light that could deceive.
    #[must_use]
    pub fn quality(&self, size: GridSize, wanted: &Wanted, drawn: bool) -> f32 {
        let fits = size.cols >= wanted.min.cols
            && size.rows >= wanted.min.rows
            && size.cols <= wanted.max.cols
            && size.rows <= wanted.max.rows
            && wanted.size.is_none_or(|s| s == size);
        let few = self.classes >= 2 && self.classes <= usize::from(wanted.classes.1);
        if !fits || !few || self.alternates {
            return 0.0;
        }
        let n = size.len() as f32;
        let closed: f32 = self
            .closed
            .iter()
            .map(|&c| 0.55 + 0.45 * ramp(c, 0.1, 0.5))
            .product();
        ramp(self.plain, 0.6, 0.95)
            // A diagram drawn on a lattice has cells of two colours; so has a board under a hand,
            // and neither is to be learnt.
            * ramp(self.told, 0.9, 0.985)
            // Less is certain of a board that is partly covered.
            * (1.0 - self.covered)
            * ramp(self.on_line, 0.45, 0.9)
            * ramp(self.needed, 0.05, 0.35)
            * if self.cut.is_some() { 0.3 } else { 1.0 }
            * self.agreed(drawn)
            // Two colours are a board shortly before its end, but more often a form or a diagram.
            * if self.classes == 2 { 0.75 } else { 1.0 }
            * closed
            * ramp(self.changes, 4.0, 16.0)
            * (1.0 - ramp(self.marked, 0.35, 0.7))
            * ramp(self.shared, 0.5, 0.85)
            * (1.0 - ramp(self.off, 0.9 * self.allowed, 1.5 * self.allowed))
            * ramp(self.apart, 2.0, 5.0)
            * ramp(self.both_ways * n, 1.0, 5.0)
    }
}

fn differ(labels: &[Option<usize>], looks: &[CellLook], a: usize, b: usize, eye: Eye) -> bool {
    matches!((labels[a], labels[b]), (Some(p), Some(q)) if p != q)
        && eye.apart(looks[a].rim, looks[b].rim)
}

/// Which cells are nearer to their own class than to any other by a clear margin.
fn told(size: GridSize, looks: &[CellLook], learnt: &Learnt) -> Vec<bool> {
    let sure = |(i, label): (usize, &Option<usize>)| {
        let Some(own) = *label else { return false };
        let seen = learnt.light.removed(size, i, looks[i].rim);
        let rgb = learnt.classes[own].rgb;
        let d = distance(seen, rgb);
        let other = { learnt.classes.iter() }
            .filter(|c| distance(c.rgb, rgb) > 0.0)
            .map(|c| distance(c.rgb, seen))
            .fold(f32::INFINITY, f32::min);
        d * 2.0 < other
    };
    learnt.labels.iter().enumerate().map(sure).collect()
}

/// Largest part of a board that may be covered.
const MOST_COVERED: f32 = 0.3;

/// Fewest cells of a board of which a part may be covered.
const LEAST_CELLS: usize = 36;

/// Which of the doubtful cells lie together, as cells do that a hand or a popup lies over; none
/// where they are too many, or spread over the board as those of a diagram are.
fn covered(size: GridSize, sure: &[bool]) -> Vec<bool> {
    let (cols, n) = (i32::from(size.cols), sure.len());
    let mut seen = vec![false; n];
    let mut most: Vec<usize> = Vec::new();
    let mut todo = Vec::new();
    for start in 0..n {
        if sure[start] || seen[start] {
            continue;
        }
        seen[start] = true;
        todo.push(start);
        let mut together = Vec::new();
        while let Some(at) = todo.pop() {
            together.push(at);
            let (x, y) = (at as i32 % cols, at as i32 / cols);
            // A popup's face may look like a colour of the board: its sides still belong together.
            for (dx, dy) in (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| (dx, dy))) {
                let (xx, yy) = (x + dx, y + dy);
                let inside = xx >= 0 && yy >= 0 && xx < cols && yy < i32::from(size.rows);
                let j = (yy * cols + xx) as usize;
                if inside && !sure[j] && !seen[j] {
                    seen[j] = true;
                    todo.push(j);
                }
            }
        }
        if together.len() > most.len() {
            most = together;
        }
    }
    let mut out = vec![false; n];
    if most.len() as f32 <= MOST_COVERED * n as f32 && n >= LEAST_CELLS {
        for i in most {
            out[i] = true;
        }
    }
    out
}

/// What each border that contradicts its cells' colours leaves of the quality, beyond the first:
/// of boards that are read right there is hardly ever one.
const AGAINST: f32 = 0.8;

/// Borders that contradict the colours, but for those of cells that something lies over.
fn contradictions(borders: &[Border], labels: &[Option<usize>], hidden: &[bool]) -> usize {
    let seen: Vec<Option<usize>> = { labels.iter().zip(hidden) }
        .map(|(label, &hidden)| label.filter(|_| !hidden))
        .collect();
    contradicted(borders, &seen).0
}
