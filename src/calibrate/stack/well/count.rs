//! How many columns and rows a squared-up well has, and where the first and last line run.
//!
//! Takes a [`Field`], gives sizes with the lines that fit best, likeliest first. Something begins
//! and ends on the lines of a lattice, empty cells may be divided by faint lines, the frame
//! stands a little outside; few lines explain more than many.

use super::border::{Border, IN, OUT};
use super::field::{Field, INSIDE, RIM, SIZE};
use crate::types::{GridSize, PxFromCell};

/// Columns and rows that are tried.
const COLS: std::ops::RangeInclusive<u16> = 6..=16;
const ROWS: std::ops::RangeInclusive<u16> = 12..=28;

/// Part of the changes that lie anywhere.
const STRAY: f64 = 0.2;

/// Spread of changes around their line, in pixels of the raster.
const SPREAD: f64 = 0.9;

/// What sides of cells that change in one column or row of the raster count for: they say much
/// the same.
fn weight(sides: f64) -> f64 {
    1.2 * (1.0 + sides).ln()
}

/// Changes below this part of the strongest are left out.
const LEAST: f64 = 0.02;

/// What a border that is seen all along counts for: at the sides and below, and above.
const SIDE: f64 = 30.0;
const LID: f64 = 12.0;

/// Grids of one outline that are looked at more closely.
const KEPT: usize = 10;

/// Lines one way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lines {
    /// Cells between the first and the last.
    pub count: u16,
    /// Where the first and the last run, 0 to 1 within the outline.
    pub from: f64,
    /// The last.
    pub to: f64,
    /// Logarithm of how much better they explain the changes than nothing does.
    pub support: f64,
    /// Share of the changes between them that lie on one of them, less what chance would do.
    pub on: f64,
    /// What all those changes count for.
    pub evidence: f64,
    /// How much of the first and of the last has something beyond it.
    pub border: [f64; 2],
}

/// A size and where it lies.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Columns and rows.
    pub size: GridSize,
    /// Upright lines.
    pub x: Lines,
    /// Level lines.
    pub y: Lines,
    /// How much speaks for it.
    pub score: f64,
}

impl Grid {
    /// The grid that fills the outline, judged; `shape` is height over width of the outline.
    #[must_use]
    pub fn whole(field: &Field, size: GridSize, shape: f64) -> Self {
        let lines = |count: u16, across: bool| {
            let changes = Changes::of(field, across);
            let first = if across { 0 } else { 2 };
            let cell = changes.length as f64 / f64::from(count);
            let grey = grid_lines(&changes) as f32;
            let ends = [0, 1].map(|end| Border::of(field, first + end, cell, grey));
            let n = changes.length as f64;
            let (on, evidence) = explained(&changes.places(), 0.0, n, count);
            Lines {
                count,
                from: 0.0,
                to: 1.0,
                support: 0.0,
                on,
                evidence,
                border: [ends[0].at(0.0), ends[1].at(n)],
            }
        };
        let mut grid = Self {
            size,
            x: lines(size.cols, true),
            y: lines(size.rows, false),
            score: 0.0,
        };
        grid.score = score(&grid, shape);
        grid
    }

    /// The transform of the cells, given that of the outline.
    #[must_use]
    pub fn px_from_cell(&self, px_from_unit: &PxFromCell) -> PxFromCell {
        let (w, h) = (
            (self.x.to - self.x.from) / f64::from(self.size.cols),
            (self.y.to - self.y.from) / f64::from(self.size.rows),
        );
        let unit_from_cell = [w, 0.0, self.x.from, 0.0, h, self.y.from, 0.0, 0.0, 1.0];
        PxFromCell(super::super::super::refine::product(
            &px_from_unit.0,
            &unit_from_cell,
        ))
    }
}

/// Changes along one way: at each boundary between pixels of the raster, in sides of cells.
#[derive(Clone, Debug)]
pub struct Changes {
    /// Between something and nothing.
    pub solid: Vec<f64>,
    /// Of the faint lines in what is empty, above what is around them.
    pub faint: Vec<f64>,
    /// How far from empty those lines are.
    faint_size: Vec<f64>,
    /// Pixels of the raster inside the outline.
    length: usize,
}

impl Changes {
    /// Along x (`across`) or along y.
    #[must_use]
    pub fn of(field: &Field, across: bool) -> Self {
        let (long, wide) = if across {
            (SIZE.0, INSIDE.1)
        } else {
            (SIZE.1, INSIDE.0)
        };
        let index = |along: usize, aside: usize| {
            if across {
                (aside + RIM) * SIZE.0 + along
            } else {
                along * SIZE.0 + aside + RIM
            }
        };
        let mut solid = vec![0.0; long + 1];
        for (i, sum) in solid.iter_mut().enumerate().take(long).skip(1) {
            let mut run = 0usize;
            let mut count = 0usize;
            for aside in 0..wide {
                let changes = field.filled[index(i - 1, aside)] != field.filled[index(i, aside)];
                run = if changes { run + 1 } else { 0 };
                // Sides of cells are some pixels long; two side by side are the shortest kept.
                if run >= 3 {
                    count += if run == 3 { 3 } else { 1 };
                }
            }
            // Twelve pixels of the raster or so make a cell.
            *sum = weight(count as f64 / 11.0);
        }
        let (faint, faint_size) = faint(field, (long, wide), &index);
        Self {
            solid,
            faint,
            faint_size,
            length: long - 2 * RIM,
        }
    }
}

impl Changes {
    /// The places of changes in pixels inside the outline, with what each counts for.
    fn places(&self) -> Vec<(f64, f64)> {
        let solid = (0..).zip(&self.solid).map(|(i, &w)| (f64::from(i), w));
        let faint = (0..)
            .zip(&self.faint)
            .map(|(i, &w)| (f64::from(i) + 0.5, 0.6 * w));
        let all: Vec<(f64, f64)> = solid.chain(faint).collect();
        // What is far weaker than the strongest decides nothing and takes time.
        let least = LEAST * all.iter().map(|s| s.1).fold(0.0, f64::max);
        let strong = all.into_iter().filter(|s| s.1 > least);
        strong.map(|(i, w)| (i - RIM as f64, w)).collect()
    }
}

/// Lines in what is empty: mean brightness of the empty pixels of each column (or row) against
/// its neighbours, in spreads of it.
fn faint(
    field: &Field,
    (long, wide): (usize, usize),
    index: &dyn Fn(usize, usize) -> usize,
) -> (Vec<f64>, Vec<f64>) {
    let mut level = vec![f64::NAN; long];
    for (i, v) in level.iter_mut().enumerate() {
        let (mut sum, mut n) = (0.0f64, 0u32);
        for aside in 0..wide {
            let k = index(i, aside);
            if field.far[k] < field.limit {
                let c = field.rgb[k];
                sum += f64::from(c[0] + c[1] + c[2]);
                n += 1;
            }
        }
        if n as usize > wide / 8 {
            *v = sum / f64::from(n);
        }
    }
    let mut out = vec![0.0; long + 1];
    let mut sizes = Vec::new();
    for i in 3..long.saturating_sub(3) {
        let ring = [level[i - 3], level[i - 2], level[i + 2], level[i + 3]];
        let d = level[i] - ring.iter().sum::<f64>() / 4.0;
        if d.is_finite() && i > RIM + 2 && i + RIM + 2 < long {
            sizes.push(d.abs());
            out[i] = d;
        }
    }
    if sizes.len() < 20 {
        return (vec![0.0; long + 1], Vec::new());
    }
    let middle = sizes.len() / 2;
    let typical = (*sizes.select_nth_unstable_by(middle, f64::total_cmp).1).max(0.5);
    // A line is lighter or darker than what is on both sides of it; the middle of a pixel is
    // half a pixel beyond the boundary before it.
    let lines: Vec<f64> = out
        .iter()
        .map(|d| ((d.abs() / typical - 4.0) / 4.0).clamp(0.0, 1.0))
        .collect();
    // Only crests: what lies beside a line differs from what surrounds it, too.
    let crests: Vec<f64> = (0..=long)
        .map(|i| {
            let beside = |k: usize| out.get(k).copied().unwrap_or(0.0).abs();
            let crest = i > 0 && beside(i) >= beside(i - 1) && beside(i) > beside(i + 1);
            if crest { lines[i] } else { 0.0 }
        })
        .collect();
    let sizes = crests.iter().zip(&out);
    let sizes = sizes
        .filter(|(c, _)| **c > 0.3)
        .map(|(_, d)| d.abs() / 1.73);
    let sizes = sizes.collect();
    (crests, sizes)
}

/// How strong the lines in what is empty are: what is no stronger bounds nothing.
fn grid_lines(changes: &Changes) -> f64 {
    let all: Vec<f64> = changes.faint_size.clone();
    let mut sizes: Vec<f64> = all.into_iter().filter(|&s| s > 0.0).collect();
    if sizes.len() < 4 {
        return 0.0;
    }
    sizes.sort_by(f64::total_cmp);
    sizes[sizes.len() * 3 / 4]
}

/// The best lines for each count.
fn each(
    changes: &Changes,
    counts: std::ops::RangeInclusive<u16>,
    ends: &[Border; 2],
    weights: [f64; 2],
    cut: [bool; 2],
) -> Vec<Lines> {
    let n = changes.length as f64;
    let domain = n + 2.0 * RIM as f64;
    let seen = changes.places();
    let mut out = Vec::new();
    for count in counts {
        let cell = n / f64::from(count);
        let likely = Likely::new(cell, domain);
        let at = |a: f64, b: f64| {
            let (from, to) = (a, n - b);
            let support = likely.support(&seen, from, to, count)
                + weights[0] * (ends[0].at(from) - 0.6)
                + weights[1] * (ends[1].at(to) - 0.6)
                - inset(a / cell, cut[0])
                - inset(b / cell, cut[1]);
            Lines {
                count,
                from: from / n,
                to: to / n,
                support,
                ..Lines::default()
            }
        };
        // Coarsely everywhere, then finer where it was best.
        let (mut a, mut b) = ((IN - OUT) / 2.0 * cell, (IN - OUT) / 2.0 * cell);
        let mut reach = (IN + OUT) / 2.0 * cell;
        let mut best = at(0.0, 0.0);
        for steps in [6, 3, 2] {
            let (a0, b0) = (a, b);
            for i in -steps..=steps {
                for j in -steps..=steps {
                    let step = reach / f64::from(steps);
                    let (x, y) = (a0 + f64::from(i) * step, b0 + f64::from(j) * step);
                    let tried = at(x, y);
                    if tried.support > best.support {
                        (best, a, b) = (tried, x, y);
                    }
                }
            }
            reach /= f64::from(steps) * 0.8;
        }
        let (from, to) = (best.from * n, best.to * n);
        (best.on, best.evidence) = explained(&seen, from, to, count);
        best.border = [ends[0].at(from), ends[1].at(to)];
        out.push(best);
    }
    out
}

/// The share of the changes between two lines that lie on the lattice, and their number.
fn explained(seen: &[(f64, f64)], from: f64, to: f64, count: u16) -> (f64, f64) {
    let pitch = (to - from) / f64::from(count);
    let (mut on, mut all) = (0.0, 0.0);
    for &(at, w) in seen {
        let t = (at - from) / pitch;
        if t < 0.3 || t > f64::from(count) - 0.3 {
            continue;
        }
        let off = (t - t.round()) * pitch / (1.3 * SPREAD);
        on += w * (-off * off / 2.0).exp();
        all += w;
    }
    let chance = (3.26 * SPREAD / pitch).min(0.9);
    let share = if all > 0.0 { on / all } else { chance };
    ((share - chance) / (1.0 - chance), all)
}

/// How unlikely it is that a line runs so many cells inside the outline: frames are thinner than
/// a cell.
fn inset(cells: f64, cut: bool) -> f64 {
    let free = if cut { 0.04 } else { 0.3 };
    let beyond = (cells.abs() - free).max(0.0) / free;
    beyond * beyond / 2.0
}

/// What a change at some distance from its line counts for: the logarithm of its likelihood, inside
/// of the outermost lines and just outside of them, where frames stand.
struct Likely {
    inside: [f64; STEPS + 1],
    outside: [f64; STEPS + 1],
}

/// Distances told apart, up to [`FURTHEST`] pixels of the raster.
const STEPS: usize = 96;
const FURTHEST: f64 = 4.3 * SPREAD;

impl Likely {
    /// For lines `pitch` apart. Lines that nothing lies on cost nothing: how far the board reaches
    /// is not said by them.
    fn new(pitch: f64, domain: f64) -> Self {
        // Normal density and the uniform one of strays.
        let peak = (1.0 - STRAY) * pitch / (SPREAD * 2.506_628);
        let beside = 0.25 / pitch * domain;
        let of = |base: f64, i: usize| {
            let z = FURTHEST * i as f64 / STEPS as f64 / SPREAD;
            let lined = if i == STEPS {
                0.0
            } else {
                peak * (-z * z / 2.0).exp()
            };
            (base + lined).ln()
        };
        Self {
            inside: std::array::from_fn(|i| of(STRAY, i)),
            outside: std::array::from_fn(|i| of(STRAY + beside, i)),
        }
    }

    fn support(&self, seen: &[(f64, f64)], from: f64, to: f64, count: u16) -> f64 {
        let pitch = (to - from) / f64::from(count);
        let (each, last) = (1.0 / pitch, f64::from(count));
        let scale = STEPS as f64 / FURTHEST * pitch;
        let mut sum = 0.0;
        for &(at, w) in seen {
            let t = (at - from) * each;
            // To the nearest line: numbers below 0 are caught by the clamp.
            let k = f64::from((t + 0.5) as i32).clamp(0.0, last);
            let step = (((t - k).abs() * scale) as usize).min(STEPS);
            let out = (t < 0.0 && t > -0.5) || (t > last && t < last + 0.5);
            let of = if out { &self.outside } else { &self.inside };
            sum += w * of[step];
        }
        sum
    }
}

/// How likely a size is before anything is seen.
fn prior(size: GridSize) -> f64 {
    let cols = match size.cols {
        10 => 0.0,
        8 | 12 => -5.0,
        other => -7.0 - 0.5 * f64::from(other.abs_diff(10)),
    };
    let rows = match size.rows {
        20 => 0.0,
        18 | 22 | 24 | 16 => -4.0,
        other => -7.0 - 0.3 * f64::from(other.abs_diff(20)),
    };
    cols + rows
}

/// Sizes that fit, likeliest first; `shape` is height over width of the outline, which a view
/// from aside may change.
#[must_use]
pub fn grids(field: &Field, shape: f64, cut: [bool; 2]) -> Vec<Grid> {
    let (across, down) = (Changes::of(field, true), Changes::of(field, false));
    let (wide, high) = (INSIDE.0 as f64 / 10.0, INSIDE.1 as f64 / 20.0);
    let (gx, gy) = (grid_lines(&across) as f32, grid_lines(&down) as f32);
    let sides = [0, 1].map(|side| Border::of(field, side, wide, gx));
    let ends = [2, 3].map(|side| Border::of(field, side, high, gy));
    let xs = each(&across, COLS, &sides, [SIDE, SIDE], [false; 2]);
    // Above a well there may be nothing.
    let ys = each(&down, ROWS, &ends, [LID, SIDE], cut);
    let mut out = Vec::new();
    for x in &xs {
        for y in &ys {
            let size = GridSize::new(x.count, y.count);
            out.push(Grid {
                size,
                x: *x,
                y: *y,
                score: 0.0,
            });
        }
    }
    for g in &mut out {
        g.score = score(g, shape);
    }
    out.sort_by(|a, b| b.score.total_cmp(&a.score));
    out.truncate(KEPT);
    out
}

/// How much speaks for a grid, apart from what is in its cells; each part is bounded, so that a
/// busy picture does not outvote everything else.
fn score(g: &Grid, shape: f64) -> f64 {
    let lattice = |l: &Lines| 14.0 * l.on.max(-0.5) * (l.evidence / 8.0).min(1.0);
    let side = |share: f64| 12.0 * (share - 0.7);
    let wide = (g.x.to - g.x.from) / f64::from(g.x.count);
    let high = (g.y.to - g.y.from) / f64::from(g.y.count) * shape;
    let oblong = (high / wide).ln() / 0.22;
    lattice(&g.x)
        + lattice(&g.y)
        + side(g.x.border[0])
        + side(g.x.border[1])
        + side(g.y.border[1])
        + 6.0 * (g.y.border[0] - 0.5)
        + prior(g.size)
        - oblong * oblong / 2.0
        // Exactly square is no chance.
        + 3.0 * (-(oblong * 0.22 / 0.02).powi(2) / 2.0).exp()
}
