//! Cells grouped by colour, under the light that explains them best.
//!
//! Takes the sampled cells and what the lines between them show, gives groups with the light. Of
//! several ways to group them the one is taken that the lines contradict least, and of those the one
//! that sets the colours furthest apart. What the groups are called is not asked here.

use super::borders::{Border, contradicted, integrated};
use super::cell::{CellLook, Eye, distance};
use super::gain;
use super::veil::{self, Light};
use super::ways::{Cells, agreed};
use crate::types::{GainField, GridSize};

/// Groups the cells; `None` when none is of one colour.
pub(super) fn grouped(
    size: GridSize,
    looks: &[CellLook],
    eye: Eye,
    borders: &[Border],
) -> Option<Groups> {
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
    let against = |g: &Groups| contradicted(borders, &g.labels).0;
    // Light splits colours as well as it spreads them, where a camera looks.
    let filmed = best.spread > 2.0 || (eye.noise > DRAWN && !borders.is_empty());
    if !filmed && against(&best) == 0 {
        return Some(best);
    }
    let mut tried = Vec::new();
    if size.cols.min(size.rows) >= LEAST_VEILED {
        let bare = best.clone();
        best = unveiled(best, size, looks, &is_plain, eye);
        if !borders.is_empty() {
            let flat = integrated(size, looks, borders, &bare.light.gain);
            for strict in STRICT {
                let start = bare.regrouped(&flat, &is_plain, eye, strict);
                tried.push(start.settled(size, looks, &is_plain, eye, strict));
            }
        }
    }
    if against(&best) > 0 {
        for strict in STRICTER {
            let light = best.light.clone();
            tried.push(group(size, looks, &is_plain, light, eye, strict));
        }
    }
    // Few cells say too little about the light.
    if !borders.is_empty() && size.cols.min(size.rows) >= LEAST_VEILED {
        let cells = Cells {
            size,
            looks,
            plain: &is_plain,
            eye,
            borders,
        };
        tried.push(best.clone());
        let found = agreed(&tried, cells);
        // What is drawn has no light that could excuse a contradiction.
        if let Some(g) = found.filter(|g| eye.noise > DRAWN || against(g) <= 1) {
            return Some(g);
        }
    }
    let least = tried.iter().map(against).fold(against(&best), usize::min);
    let worst = |g: &Groups| g.worst(size, looks);
    if least < against(&best) {
        tried.retain(|g| against(g) == least);
        let tightest = tried.iter().map(worst).fold(f32::INFINITY, f32::min);
        tried.retain(|g| worst(g) < LOOSER * tightest + 2.0);
        best = { tried.into_iter() }
            .max_by(|a, b| a.apart().total_cmp(&b.apart()))
            .unwrap_or(best);
        best.forget_doubtful(size, looks, borders);
        return Some(best);
    }
    let tightest = tried.iter().map(worst).fold(worst(&best), f32::min);
    for g in tried {
        let close = worst(&g) < LOOSER * tightest + 2.0;
        let enough = g.colours.len() >= 2 && against(&g) == least;
        if close && enough && g.apart() > BETTER * best.apart() {
            best = g;
        }
    }
    if eye.noise > DRAWN && !borders.is_empty() {
        best.forget_doubtful(size, looks, borders);
    }
    Some(best)
}

/// Noise below which a picture is drawn and not filmed.
pub(super) const DRAWN: f32 = 0.3;

/// How much less than usual must set classes apart where the lines between cells show more changes
/// than there are classes: tried in turn.
const STRICTER: [f32; 3] = [0.75, 0.55, 0.4];

/// Boards of fewer cells say too little about light that is added here and there.
const LEAST_VEILED: u16 = 5;

/// Rounds in which colours and light are found, each from the other.
const ROUNDS: usize = 6;

/// How much further apart than noise explains the classes under a veil must be: tried in turn.
const STRICT: [f32; 3] = [1.0, 1.6, 2.4];

/// How much more than the best grouping another may leave unexplained.
const LOOSER: f32 = 1.8;

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
        let now = plain.settled(size, looks, is_plain, eye, strict);
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
pub(super) struct Groups {
    /// The light.
    pub light: Light,
    /// The groups' colours without it.
    pub colours: Vec<[f32; 3]>,
    /// The group of each cell.
    pub labels: Vec<Option<usize>>,
    /// Root mean square distance of the cells from their groups' colours.
    pub spread: f32,
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

    /// Colours and light found several times, each from the other.
    fn settled(
        &self,
        size: GridSize,
        looks: &[CellLook],
        plain: &[bool],
        eye: Eye,
        strict: f32,
    ) -> Self {
        let mut now = self.clone();
        for _ in 0..ROUNDS {
            now = now.unveiled(size, looks, plain, eye, strict);
        }
        now
    }

    /// Grouped by other colours of the cells, under the same light.
    fn regrouped(&self, flat: &[[f32; 3]], plain: &[bool], eye: Eye, strict: f32) -> Self {
        let (colours, labels) = by_colour(flat, plain, eye, strict);
        Self {
            light: self.light.clone(),
            colours,
            labels,
            spread: self.spread,
        }
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
pub(super) fn flattened(size: GridSize, looks: &[CellLook], light: &Light) -> Vec<[f32; 3]> {
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
    let (colours, labels) = by_colour(&flat, plain, eye, strict);
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

/// Groups of colours, each with its cells.
fn by_colour(
    flat: &[[f32; 3]],
    plain: &[bool],
    eye: Eye,
    strict: f32,
) -> (Vec<[f32; 3]>, Vec<Option<usize>>) {
    let (mut colours, mut labels) = seeds(flat, plain, 4.0 + 0.7 * eye.noise);
    merge(&mut colours, &mut labels, flat, &|a, b| {
        strict * eye.class(a, b)
    });
    // Each cell to the nearest colour, each colour to the middle of its cells, twice.
    for _ in 0..2 {
        for (label, &c) in labels.iter_mut().zip(flat) {
            if label.is_some() {
                *label = nearest(&colours, c);
            }
        }
        colours = means(&labels, flat, colours.len());
    }
    (colours, labels)
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

pub(super) fn means(labels: &[Option<usize>], flat: &[[f32; 3]], count: usize) -> Vec<[f32; 3]> {
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
