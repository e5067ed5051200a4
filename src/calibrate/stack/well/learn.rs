//! From a board that was found to a calibration: which cells are filled, which colours there are.
//!
//! Takes planes and a [`Found`], gives a [`Calibration`]. Cells are sampled as the reader will
//! sample them.

use super::super::super::cell::distance;
use super::super::super::gain::place;
use super::super::super::planes::Planes;
use super::super::super::solve::Normal;
use super::Found;
use super::empties::Empties;
use super::field;
use super::kinds;
use super::paint::paint;
use super::settle::settled;
use crate::types::cover::covered;
use crate::types::{BoardKind, Calibration, ClassLook, GridSize, Point, PxFromCell, Well};

/// Points sampled along each axis of a cell, as the reader does.
const POINTS: [f64; 4] = [-0.24, -0.08, 0.08, 0.24];

/// Letters of the classes that every stack has.
const LETTERS: [char; 9] = ['.', 'O', 'I', 'S', 'Z', 'L', 'J', 'T', '#'];

/// Between these parts of what filled cells usually differ from empty by, the limit is sought.
const LOWEST: f32 = 0.2;
const HIGHEST: f32 = 0.62;

/// The limit as a part of that, where no gap between cells shows it.
const USUAL: f32 = 0.42;

/// A gap so wide, as a ratio, is taken though there may be a wider one further up.
const GAP: f32 = 1.6;

/// Cells of a streak at least, less one.
const TRAIL: usize = 4;

/// A block is so many times further from empty than the streak above it.
const BRIGHTER: f32 = 1.8;

/// Below this part of what is usual four cells in the shape of a piece are only its shadow.
const SHADOW: f32 = 0.5;

/// Below this part of the limit a cell is surely empty.
const FREE: f32 = 0.6;

/// The gap between colours, as a ratio, at which they are as likely told apart wrongly as rightly.
const PARTED: f32 = 1.85;

/// One cell as the reader sees it.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    rgb: [f32; 3],
    far: f32,
}

/// The calibration for a board in the picture with these planes; `known` is its place where that is known
/// better than the outline says.
#[must_use]
pub fn calibration(
    planes: &Planes,
    found: &Found,
    known: Option<PxFromCell>,
    quality: f32,
) -> Option<Calibration> {
    let size = found.grid.size;
    let cols = usize::from(size.cols);
    let (at, residual) = known.map_or_else(|| settled(found), |at| (at, 0.0));
    let empty = emptiness(found);
    let well = Well { empty, limit: 1.0 };
    let rough = found.field.rough;
    let smooth = |i: usize| {
        let (u, v) = place(size, i);
        well.at(u, v)
    };
    let seen = samples(planes, &at, size, &smooth)?;
    let (usual, limit) = limit(&seen, &found.filling.filled, rough)?;
    let mut filled: Vec<bool> = seen.iter().map(|s| s.far > limit).collect();
    let empties = Empties {
        planes,
        at: &at,
        size,
        hint: FREE * limit,
    };
    // Streaks change as smoothly as light does: they are taken out while they are whole.
    let streaks = trails(&filled, &seen, cols, usual);
    for &i in &streaks {
        filled[i] = false;
    }
    let before = filled.clone();
    let lit = |i: usize| Empties::may_be_lit(smooth(i), seen[i].rgb, seen[i].far);
    empties.grow(&mut filled, &lit);
    let free: Vec<bool> = (0..filled.len())
        .map(|i| !filled[i] && (before[i] || seen[i].far < FREE * limit))
        .collect();
    let rgb: Vec<[f32; 3]> = seen.iter().map(|s| s.rgb).collect();
    let mut veil = empties.veil(&well, &rgb, &free);
    let local = |i: usize| veil.0[i].map(f32::sqrt);
    let samples = samples(planes, &at, size, &local)?;
    let (usual, limit) = self::limit(&samples, &filled, rough)?;
    let mut filled: Vec<bool> = samples.iter().map(|s| s.far > limit).collect();
    let seeming = filled.clone();
    for &i in &streaks {
        filled[i] = false;
    }
    let limit = without_shadow(&mut filled, &samples, cols, usual).unwrap_or(limit);
    let limit = without_trails(&mut filled, &samples, cols, usual).unwrap_or(limit);
    // What was taken out is what empty looks like there.
    for i in (0..filled.len()).filter(|&i| seeming[i] && !filled[i]) {
        veil.0[i] = rgb[i].map(|v| v * v);
    }
    let mut colours = paint(size, &rgb, &filled, &veil, &well)?;
    // What lies over the board has no colour of a piece.
    let hidden = covered(|i| colours.labels[i], colours.labels.len(), cols);
    let bare: Vec<bool> = (0..filled.len())
        .map(|i| filled[i] && !hidden.hides(i))
        .collect();
    if bare != filled && bare.contains(&true) {
        colours = paint(size, &rgb, &bare, &veil, &well)?;
    }
    let mean = mean(&samples, &filled);
    let class = |letter: char, rgb: [f32; 3], spread: f32| ClassLook {
        letter,
        rgb,
        spread,
        mark: None,
    };
    let mut all: Vec<ClassLook> = LETTERS.iter().map(|&l| class(l, mean, rough)).collect();
    all[0].rgb = well.at(0.0, 0.0);
    let letters = kinds::letters(&colours.labels, cols, &colours.rgb);
    let named = letters.into_iter().zip(&colours.rgb);
    all.extend(named.map(|(letter, rgb)| class(letter, *rgb, colours.spread)));
    // Colours that hardly part may be too many or too few.
    let told = 1.0 / (1.0 + (-(colours.gap - PARTED) / 0.12).exp());
    Some(Calibration {
        kind: BoardKind::Stack,
        size,
        image: (planes.width as u32, planes.height as u32),
        px_from_cell: at,
        classes: all,
        beside: Vec::new(),
        border: None,
        well: Some(Well { empty, limit }),
        plate: None,
        stones: None,
        gain: colours.gain,
        veil: colours.veil,
        quality: quality * told,
        residual,
    })
}

/// What empty looks like, in the board's own coordinates.
fn emptiness(found: &Found) -> [[f32; 6]; 3] {
    let g = &found.grid;
    let mut normals = [Normal::<6>::default(), Normal::default(), Normal::default()];
    for j in -2..=2 {
        for i in -2..=2 {
            let (u, v) = (f64::from(i) / 2.0, f64::from(j) / 2.0);
            let place = (
                g.x.from + (g.x.to - g.x.from) * (u + 1.0) / 2.0,
                g.y.from + (g.y.to - g.y.from) * (v + 1.0) / 2.0,
            );
            let rgb = field::at(&found.field.empty, place);
            for c in 0..3 {
                normals[c].add(&[1.0, u, v, u * u, u * v, v * v], f64::from(rgb[c]), 1.0);
            }
        }
    }
    // Twenty-five places determine six numbers.
    normals.map(|n| n.solve().unwrap_or_default().map(|k| k as f32))
}

/// The cells as the reader sees them, where empty looks like `empty` at each.
fn samples(
    planes: &Planes,
    at: &PxFromCell,
    size: GridSize,
    empty: &dyn Fn(usize) -> [f32; 3],
) -> Option<Vec<Sample>> {
    let mut out = Vec::with_capacity(size.len());
    for (n, cell) in size.cells().enumerate() {
        let (m, empty) = (cell.centre(), empty(n));
        let mut s = Sample::default();
        for i in 0..16 {
            let p = Point::new(m.x + POINTS[i % 4], m.y + POINTS[i / 4]);
            let rgb = planes.at(at.map(p))?.map(f32::from);
            s.far += distance(rgb, empty) / 16.0;
            for c in 0..3 {
                s.rgb[c] += rgb[c] / 16.0;
            }
        }
        out.push(s);
    }
    Some(out)
}

/// The middle one of the distances of filled cells.
fn typical(samples: &[Sample], filled: &[bool]) -> Option<f32> {
    let cells = samples.iter().zip(filled).filter(|(_, f)| **f);
    let mut far: Vec<f32> = cells.map(|(s, _)| s.far).collect();
    far.sort_by(f32::total_cmp);
    far.get(far.len() / 2).copied()
}

/// What filled cells usually differ from empty by, and the distance beyond which a cell is
/// filled: in the lowest clear gap between cells, or in the widest.
fn limit(samples: &[Sample], filled: &[bool], rough: f32) -> Option<(f32, f32)> {
    let usual = typical(samples, filled)?;
    let (lo, hi) = ((LOWEST * usual).max(1.6 * rough), HIGHEST * usual);
    let mut level: Vec<f32> = samples.iter().map(|s| s.far).collect();
    level.sort_by(f32::total_cmp);
    let mut best = (1.0f32, USUAL * usual);
    let mut before = 0.0f32;
    for &v in level.iter().chain([&f32::MAX]) {
        let (a, b) = (before.max(lo), v.min(hi));
        if b > a && b / a > best.0 {
            best = (b / a, (a * b).sqrt());
            if b / a > GAP {
                break;
            }
        }
        before = v;
    }
    Some((usual, best.1))
}

/// Takes out the place where the piece would land, where it is drawn as a dim copy of it: cells
/// in the shape of a piece straight below the same shape. Gives the new limit.
fn without_shadow(filled: &mut [bool], samples: &[Sample], cols: usize, usual: f32) -> Option<f32> {
    let dim: Vec<Option<usize>> = (0..filled.len())
        .map(|i| (filled[i] && samples[i].far < SHADOW * usual).then_some(0))
        .collect();
    let is_filled = |x: i32, y: i32| filled[y as usize * cols + x as usize];
    let groups = kinds::groups(&dim, cols);
    let shadow = groups.iter().map(|(_, cells)| cells).find(|cells| {
        let top = cells.iter().map(|c| c.1).min().unwrap_or(0);
        // A piece may still be partly above the board.
        (1..=top + 3).any(|up| {
            let there: Vec<(i32, i32)> = cells.iter().map(|c| (c.0, c.1 - up)).collect();
            let inside = there.iter().filter(|c| c.1 >= 0);
            let apart = there.iter().all(|c| !cells.contains(c));
            apart
                && inside.clone().count() > 0
                && inside.clone().all(|&(x, y)| is_filled(x, y))
                && kinds::of_shape(cells).is_some()
        })
    })?;
    let at: Vec<usize> = { shadow.iter() }
        .map(|&(x, y)| y as usize * cols + x as usize)
        .collect();
    for &i in &at {
        filled[i] = false;
    }
    raised(filled, samples, &at)
}

/// Takes out the streaks that a dropped piece leaves. Gives the new limit.
fn without_trails(filled: &mut [bool], samples: &[Sample], cols: usize, usual: f32) -> Option<f32> {
    let mut taken = trails(filled, samples, cols, usual);
    taken.retain(|&i| filled[i]);
    for &i in &taken {
        filled[i] = false;
    }
    raised(filled, samples, &taken)
}

/// The streaks that a dropped piece leaves: cells one below the other that grow from nothing in even
/// steps, whether they seem filled or not.
fn trails(filled: &[bool], samples: &[Sample], cols: usize, usual: f32) -> Vec<usize> {
    let rows = samples.len() / cols.max(1);
    let mut taken = Vec::new();
    for x in 0..cols {
        let far = |y: usize| samples[y * cols + x].far;
        // Cut off by the upper edge: dim cells above a block.
        let dim = (0..rows).take_while(|&y| {
            let f = far(y);
            f > LOWEST * usual && f < HIGHEST * usual && filled[y * cols + x]
        });
        let dim = dim.count();
        if (1..TRAIL).contains(&dim) && dim < rows && far(dim) > BRIGHTER * far(dim - 1) {
            taken.extend((0..dim).map(|y| y * cols + x));
            continue;
        }
        for start in 0..rows {
            if far(start) > LOWEST * usual {
                break;
            }
            let (mut end, mut sum) = (start, 0.0f32);
            while end + 1 < rows {
                let step = far(end + 1) - far(end);
                let n = (end - start) as f32;
                let even = n == 0.0 || (0.4..2.0).contains(&(step / (sum / n)));
                if step < 0.025 * usual || !even {
                    break;
                }
                sum += step;
                end += 1;
            }
            if end >= start + TRAIL {
                // The block that fell glows on the last cell of its streak.
                let glows = end + 2 < rows
                    && far(end + 1) < HIGHEST * usual
                    && far(end + 2) > BRIGHTER * far(end + 1);
                end += usize::from(glows);
                taken.extend((start..=end).map(|y| y * cols + x));
                break;
            }
        }
    }
    taken
}

/// The limit above cells that are not filled after all; `None` where that says nothing new.
fn raised(filled: &[bool], samples: &[Sample], taken: &[usize]) -> Option<f32> {
    let brightest = taken.iter().map(|&i| samples[i].far).fold(0.0, f32::max);
    let others = { samples.iter().zip(filled) }.filter(|(_, f)| **f);
    let dimmest = others.map(|(s, _)| s.far).fold(f32::MAX, f32::min);
    (!taken.is_empty() && dimmest > brightest).then(|| (dimmest * brightest).sqrt())
}

fn mean(samples: &[Sample], filled: &[bool]) -> [f32; 3] {
    let (mut sum, mut n) = ([0.0f32; 3], 0.0f32);
    for (s, _) in samples.iter().zip(filled).filter(|(_, f)| **f) {
        for c in 0..3 {
            sum[c] += s.rgb[c];
        }
        n += 1.0;
    }
    sum.map(|v| v / n.max(1.0))
}
