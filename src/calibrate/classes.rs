//! The colours of a board: how many there are, what they look like, and which cell has which.
//!
//! Takes the sampled cells, gives classes with the light removed. The number of classes is not
//! given: colours join while they are nearer than noise and light explain. A class may have a
//! single cell. A mark in the middle of cells makes a class of its own when it sets some cells
//! of a colour apart from others (as the seventh colour of some games is drawn).

use super::cell::{CellLook, Eye, distance};
use super::gain;
use super::marks::{marks_tell, signs};
use super::veil::{self, Light};
use crate::types::{ClassLook, GainField, GridSize};

/// What the cells of one board look like.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// In order of first appearance, row by row.
    pub classes: Vec<ClassLook>,
    /// The light.
    pub light: Light,
    /// The class of each cell; `None` for cells of no single colour.
    pub labels: Vec<Option<usize>>,
    /// Typical distance of a cell from its class.
    pub spread: f32,
    /// Smallest distance between two classes.
    pub nearest: f32,
    /// Cells whose middle differs from their rim and from the middles of their class.
    pub marked: usize,
}

/// The colour group of each cell, marks aside; `None` for cells of no single colour.
#[must_use]
pub fn colours(size: GridSize, looks: &[CellLook], eye: Eye) -> Option<Vec<Option<usize>>> {
    Some(grouped(size, looks, eye)?.labels)
}

/// Learns classes; cells of several colours are left out. `lined` says whether a line is drawn between two neighbouring cells. `None` when there
/// is nothing to learn from.
#[must_use]
pub fn learn(
    size: GridSize,
    looks: &[CellLook],
    eye: Eye,
    lined: &dyn Fn(usize, usize) -> bool,
) -> Option<Learnt> {
    Some(grouped(size, looks, eye)?.named(size, looks, eye, lined))
}

fn grouped(size: GridSize, looks: &[CellLook], eye: Eye) -> Option<Groups> {
    let is_plain: Vec<bool> = looks.iter().map(|l| eye.plain(l)).collect();
    if !is_plain.contains(&true) {
        return None;
    }
    // A screenshot needs no light: its colours fall together as they are.
    let plain = |gain: GainField| Light {
        gain,
        ..Light::default()
    };
    let mut best = group(size, looks, &is_plain, Light::default(), eye, 1.0);
    if best.spread > 2.0 || best.colours.len() > 6 {
        let light = gain::from_neighbours(size, looks, &is_plain);
        let mut lit = group(size, looks, &is_plain, plain(light), eye, 1.0);
        for _ in 0..3 {
            let light = gain::from_classes(size, looks, &lit.labels, &lit.colours);
            lit = group(size, looks, &is_plain, plain(light), eye, 1.0);
        }
        if lit.cost() < best.cost() {
            best = lit;
        }
    }
    if best.spread > 2.0 && size.cols.min(size.rows) >= LEAST_VEILED {
        best = unveiled(best, size, looks, &is_plain, eye);
    }
    Some(best)
}

/// Boards of fewer cells say too little about light that is added here and there.
const LEAST_VEILED: u16 = 5;

/// Rounds in which colours and light are found, each from the other.
const ROUNDS: usize = 6;

/// How much further apart than noise explains the classes under a veil must be: tried in turn.
const STRICT: [f32; 3] = [1.0, 1.6, 2.4];

/// How much more than the best grouping another may leave unexplained.
const LOOSER: f32 = 1.5;

/// The grouping with what a mirrored lamp adds taken off, where that sets the colours further
/// apart.
fn unveiled(
    plain: Groups,
    size: GridSize,
    looks: &[CellLook],
    is_plain: &[bool],
    eye: Eye,
) -> Groups {
    let mut tried: Vec<Groups> = Vec::new();
    for strict in STRICT {
        let mut now = plain.clone();
        for _ in 0..ROUNDS {
            now = now.unveiled(size, looks, is_plain, eye, strict);
        }
        let clear = now.apart() > CLEAR;
        tried.push(now);
        if clear {
            break;
        }
    }
    let worst = |g: &Groups| g.worst(size, looks);
    let least = tried.iter().map(worst).fold(worst(&plain), f32::min);
    let mut best = plain;
    for g in tried {
        let close = worst(&g) < LOOSER * least + 2.0;
        if close && g.colours.len() >= 2 && g.apart() > BETTER * best.apart() {
            best = g;
        }
    }
    best
}

/// Classes so far apart need no more to be tried.
const CLEAR: f32 = 10.0;

/// A veil must set the colours so many times further apart.
const BETTER: f32 = 1.1;

/// Cells grouped by colour under some light.
#[derive(Clone, Debug)]
struct Groups {
    light: Light,
    colours: Vec<[f32; 3]>,
    labels: Vec<Option<usize>>,
    spread: f32,
}

impl Groups {
    /// What the grouping leaves unexplained, plus a price for each class.
    fn cost(&self) -> f32 {
        self.spread.max(1.5).ln() * self.labels.len() as f32 + 6.0 * self.colours.len() as f32
    }

    /// The largest spread of a group: two colours taken for one lie far from their middle.
    fn worst(&self, size: GridSize, looks: &[CellLook]) -> f32 {
        let mut sums = vec![(0.0f32, 0.0f32); self.colours.len()];
        for (i, look) in looks.iter().enumerate() {
            if let Some(k) = self.labels[i] {
                let off = distance(self.light.removed(size, i, look.rim), self.colours[k]);
                sums[k].0 += off * off;
                sums[k].1 += 1.0;
            }
        }
        let spread = |&(sum, n): &(f32, f32)| (sum / f32::max(n, 1.0)).sqrt();
        sums.iter().map(spread).fold(0.0, f32::max)
    }

    /// The smallest distance between groups in spreads of one.
    fn apart(&self) -> f32 {
        let mut nearest = f32::INFINITY;
        for (i, &a) in self.colours.iter().enumerate() {
            for &b in &self.colours[i + 1..] {
                nearest = nearest.min(distance(a, b));
            }
        }
        nearest / (self.spread + 1.5)
    }

    /// Grouped again: groups that light made of one colour are one, and what was added to the
    /// cells is found by what they then are.
    fn unveiled(
        &self,
        size: GridSize,
        looks: &[CellLook],
        plain: &[bool],
        eye: Eye,
        strict: f32,
    ) -> Self {
        let flat = flattened(size, looks, &self.light);
        let mut labels = self.labels.clone();
        let tolerance = |a, b| strict * eye.class(a, b);
        veil::join(size, &flat, &mut labels, self.colours.len(), &tolerance);
        let colours = means(&labels, &flat, self.colours.len());
        let veil = veil::over(size, looks, &labels, &colours, &self.light.gain);
        let lifted: Vec<CellLook> = { looks.iter().enumerate() }
            .map(|(i, l)| CellLook {
                rim: veil.lifted(i, l.rim),
                ..*l
            })
            .collect();
        let gain = gain::from_classes(size, &lifted, &labels, &colours);
        group(size, looks, plain, Light { gain, veil }, eye, strict)
    }
}

/// The cells' colours without the light.
fn flattened(size: GridSize, looks: &[CellLook], light: &Light) -> Vec<[f32; 3]> {
    (0..looks.len())
        .map(|i| light.removed(size, i, looks[i].rim))
        .collect()
}

fn group(
    size: GridSize,
    looks: &[CellLook],
    plain: &[bool],
    light: Light,
    eye: Eye,
    strict: f32,
) -> Groups {
    let flat = flattened(size, looks, &light);
    let (mut colours, mut labels) = seeds(&flat, plain, 4.0 + 0.7 * eye.noise);
    merge(&mut colours, &mut labels, &flat, &|a, b| {
        strict * eye.class(a, b)
    });
    // Each cell to the nearest colour, each colour to the middle of its cells, twice.
    for _ in 0..2 {
        for (label, &c) in labels.iter_mut().zip(&flat) {
            if label.is_some() {
                *label = nearest(&colours, c);
            }
        }
        colours = means(&labels, &flat, colours.len());
    }
    let mut sum = 0.0;
    let mut n = 0;
    for (label, &c) in labels.iter().zip(&flat) {
        if let Some(k) = label {
            sum += distance(colours[*k], c).powi(2);
            n += 1;
        }
    }
    Groups {
        light,
        colours,
        labels,
        spread: (sum / n.max(1) as f32).sqrt(),
    }
}

fn nearest(colours: &[[f32; 3]], c: [f32; 3]) -> Option<usize> {
    (0..colours.len()).min_by(|&a, &b| distance(colours[a], c).total_cmp(&distance(colours[b], c)))
}

/// Small tight groups to begin with.
fn seeds(flat: &[[f32; 3]], plain: &[bool], reach: f32) -> (Vec<[f32; 3]>, Vec<Option<usize>>) {
    let mut colours: Vec<[f32; 3]> = Vec::new();
    let mut labels = vec![None; flat.len()];
    for i in 0..flat.len() {
        if !plain[i] {
            continue;
        }
        let k = match nearest(&colours, flat[i]) {
            Some(k) if distance(colours[k], flat[i]) <= reach => k,
            _ => {
                colours.push(flat[i]);
                colours.len() - 1
            }
        };
        labels[i] = Some(k);
    }
    (means(&labels, flat, colours.len()), labels)
}

fn means(labels: &[Option<usize>], flat: &[[f32; 3]], count: usize) -> Vec<[f32; 3]> {
    let mut sums = vec![([0.0f32; 3], 0.0f32); count];
    for (label, c) in labels.iter().zip(flat) {
        if let Some(k) = label {
            for (s, v) in sums[*k].0.iter_mut().zip(c) {
                *s += v;
            }
            sums[*k].1 += 1.0;
        }
    }
    sums.into_iter()
        .map(|(s, n)| s.map(|v| v / n.max(1.0)))
        .collect()
}

/// Joins the nearest two groups until the nearest are further apart than cells of one colour.
fn merge(
    colours: &mut Vec<[f32; 3]>,
    labels: &mut [Option<usize>],
    flat: &[[f32; 3]],
    tolerance: &dyn Fn([f32; 3], [f32; 3]) -> f32,
) {
    let mut counts = vec![0.0f32; colours.len()];
    for k in labels.iter().flatten() {
        counts[*k] += 1.0;
    }
    let mut to: Vec<usize> = (0..colours.len()).collect();
    let mut alive: Vec<usize> = (0..colours.len()).collect();
    let apart = |colours: &[[f32; 3]], a: usize, b: usize| {
        distance(colours[a], colours[b]) / tolerance(colours[a], colours[b])
    };
    // For each the nearest of those behind it.
    let nearest = |colours: &[[f32; 3]], alive: &[usize], a: usize| {
        let behind = alive.iter().filter(|&&b| b > a);
        let all = behind.map(|&b| (apart(colours, a, b), b));
        all.min_by(|p, q| p.0.total_cmp(&q.0))
            .unwrap_or((f32::INFINITY, a))
    };
    let mut near: Vec<(f32, usize)> = { alive.iter() }
        .map(|&a| nearest(colours, &alive, a))
        .collect();
    while let Some(&a) = alive
        .iter()
        .min_by(|&&p, &&q| near[p].0.total_cmp(&near[q].0))
    {
        let (d, b) = near[a];
        if d > 1.0 {
            break;
        }
        let n = counts[a] + counts[b];
        for c in 0..3 {
            colours[a][c] = (colours[a][c] * counts[a] + colours[b][c] * counts[b]) / n;
        }
        counts[a] = n;
        alive.retain(|&k| k != b);
        for t in &mut to {
            if *t == b {
                *t = a;
            }
        }
        for &k in &alive {
            if k == a || near[k].1 == a || near[k].1 == b {
                near[k] = nearest(colours, &alive, k);
            } else if k < a {
                let d = apart(colours, k, a);
                if d < near[k].0 {
                    near[k] = (d, a);
                }
            }
        }
    }
    for k in labels.iter_mut().flatten() {
        let root = to[*k];
        *k = alive.iter().position(|&a| a == root).unwrap_or(0);
    }
    *colours = means(labels, flat, alive.len());
}

impl Groups {
    /// Marks told apart, classes put in order and given letters.
    fn named(
        self,
        size: GridSize,
        looks: &[CellLook],
        eye: Eye,
        lined: &dyn Fn(usize, usize) -> bool,
    ) -> Learnt {
        let Self {
            light,
            mut colours,
            mut labels,
            spread,
        } = self;
        let mut marks: Vec<Option<[f32; 3]>> = vec![None; colours.len()];
        let is_marked = |i: usize| eye.marked(&looks[i]);
        let mut with: Vec<Vec<usize>> = vec![Vec::new(); colours.len()];
        let mut without = vec![0usize; colours.len()];
        for (i, label) in labels.iter().enumerate() {
            if let Some(k) = *label {
                if is_marked(i) {
                    with[k].push(i);
                } else {
                    without[k] += 1;
                }
            }
        }
        if marks_tell(size, &labels, &with, &is_marked, lined) {
            for k in 0..with.len() {
                let start = with[k].len() == 1 && with[k][0] == 0;
                if with[k].is_empty() || start {
                    continue;
                }
                let mut middle = [0.0f32; 3];
                for &i in &with[k] {
                    for (m, v) in middle.iter_mut().zip(looks[i].centre) {
                        *m += v / with[k].len() as f32;
                    }
                }
                if without[k] == 0 {
                    marks[k] = Some(middle);
                    continue;
                }
                for &i in &with[k] {
                    labels[i] = Some(colours.len());
                }
                colours.push(colours[k]);
                marks.push(Some(middle));
            }
        }
        let mut order: Vec<usize> = Vec::new();
        for k in labels.iter().flatten() {
            if !order.contains(k) {
                order.push(*k);
            }
        }
        for k in labels.iter_mut().flatten() {
            *k = order.iter().position(|o| o == k).unwrap_or(0);
        }
        let classes: Vec<ClassLook> = order
            .iter()
            .enumerate()
            .map(|(n, &k)| ClassLook {
                letter: letter(n),
                rgb: colours[k],
                spread: spread_of(&light, size, looks, &labels, n, colours[k]),
                mark: marks[k],
            })
            .collect();
        let own = signs(looks, &labels, classes.len(), &is_marked);
        let odd = (0..looks.len())
            .filter(|&i| is_marked(i))
            .filter(|&i| {
                let mark = labels[i].and_then(|k| classes[k].mark.or(own[k]));
                mark.is_none_or(|m| distance(looks[i].centre, m) > 0.5 * distance(looks[i].rim, m))
            })
            .count();
        let mut nearest = f32::INFINITY;
        for (i, a) in classes.iter().enumerate() {
            for b in &classes[i + 1..] {
                let d = distance(a.rgb, b.rgb);
                if d > 0.0 {
                    nearest = nearest.min(d);
                }
            }
        }
        Learnt {
            classes,
            light,
            labels,
            spread,
            nearest,
            marked: odd,
        }
    }
}

fn spread_of(
    light: &Light,
    size: GridSize,
    looks: &[CellLook],
    labels: &[Option<usize>],
    class: usize,
    rgb: [f32; 3],
) -> f32 {
    let (mut sum, mut n) = (0.0f32, 0.0f32);
    for (i, label) in labels.iter().enumerate() {
        if *label == Some(class) {
            let c = light.removed(size, i, looks[i].rim);
            sum += distance(c, rgb).powi(2);
            n += 1.0;
        }
    }
    (sum / n.max(1.0)).sqrt()
}

/// The letter of the n-th class: a to z, then A to Z, then `*`.
#[must_use]
pub fn letter(n: usize) -> char {
    let n = u32::try_from(n).unwrap_or(u32::MAX);
    match n {
        0..26 => char::from_u32(u32::from('a') + n),
        26..52 => char::from_u32(u32::from('A') + n - 26),
        _ => None,
    }
    .unwrap_or('*')
}
