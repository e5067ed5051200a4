//! Which colours there are in a well: cells of one paint under uneven light.
//!
//! Takes the cells' colours, which of them are filled, and what empty looks like; gives the light,
//! the colours and which cell has which. What a lamp adds to the screen is seen where nothing
//! lies, so it is taken off first; what is left the light only multiplies. How far apart two
//! colours are is not known beforehand: they part at the widest gap. Must never say how sure it is
//! of a cell beyond that: the reader does.

use super::super::super::cell::distance;
use super::super::super::gain::place;
use super::super::super::solve::Normal;
use crate::types::beyond::{apart, base, beyond, is_light, lights, shown};
use crate::types::{GainField, GridSize, Veil, Well};

/// The colours of a well.
#[derive(Clone, Debug)]
pub struct Paint {
    /// What multiplies.
    pub gain: GainField,
    /// What empty looks like at each cell, as squares: corrected beneath the blocks.
    pub veil: Veil,
    /// The colours as they look in the middle of the board.
    pub rgb: Vec<[f32; 3]>,
    /// The colour of each cell that is filled.
    pub labels: Vec<Option<usize>>,
    /// Root mean square distance of cells from their colour.
    pub spread: f32,
    /// How clearly the colours part: the widest gap between them as a ratio.
    pub gap: f32,
}

/// Colours told apart at most: seven kinds, what a program adds to them, and what a popup shows.
const MOST: usize = 14;

/// So many are usual; each one more makes it less likely that they are told apart rightly.
const FEW: usize = 8;
const RARER: f32 = 0.8;

/// Cells so far apart each way are near: the light changes little between them.
const NEAR: i32 = 3;

/// Near cells of one colour differ by no more than this part of it, and this.
const ALIKE: f32 = 0.16;
const NOISE: f32 = 6.0;

/// Colours of the same board are never nearer than this, nor one colour's cells further apart, as
/// parts of how far blocks usually are from empty.
const NEAREST: f32 = 0.02;
const FURTHEST: f32 = 0.36;

/// Rounds in which colours and light are found, each from the other.
const ROUNDS: usize = 4;

type Rgb = [f32; 3];

/// The colours of the filled cells, whose mean colours are `rgb`, where empty looks like `veil`;
/// `None` where none is filled.
#[must_use]
pub fn paint(
    size: GridSize,
    rgb: &[Rgb],
    filled: &[bool],
    veil: &Veil,
    well: &Well,
) -> Option<Paint> {
    let which: Vec<usize> = (0..rgb.len()).filter(|&i| filled[i]).collect();
    if which.is_empty() {
        return None;
    }
    let middle = well.at(0.0, 0.0);
    let light = is_light(middle);
    let bases = Veil(veil.0.iter().map(|&v| base(v, light)).collect());
    let mut best = Lit::new(size, rgb, &which, bases.clone(), GainField::default());
    // Near cells that look alike tell how the light changes, before any colour is known; then the
    // colours tell it, and what empty looks like beneath them.
    let mut now = best.clone();
    for _ in 0..2 {
        let gain = from_neighbours(size, &which, &best.seen, &now.seen);
        now = Lit::new(size, rgb, &which, bases.clone(), gain);
    }
    for _ in 0..ROUNDS {
        best = best.better(now.clone());
        let gain = from_groups(size, &which, &now.raw(rgb, &which), &now.groups);
        let veil = if light {
            bases.clone()
        } else {
            now.corrected(size, rgb, filled, &which)
        };
        now = Lit::new(size, rgb, &which, veil, gain);
    }
    let Lit {
        veil: bases,
        gain,
        seen,
        groups,
    } = best.better(now);
    let mut labels = vec![None; rgb.len()];
    let mut sum = 0.0;
    for ((&i, &k), &c) in which.iter().zip(&groups.labels).zip(&seen) {
        labels[i] = Some(k);
        sum += distance(c, groups.colours[k]).powi(2);
    }
    let middle = base(middle.map(|e| e.max(0.0).powi(2)), light);
    Some(Paint {
        gain,
        veil: if light { veil.clone() } else { bases },
        rgb: groups.colours.iter().map(|&c| shown(middle, c)).collect(),
        labels,
        spread: (sum / which.len() as f32).sqrt(),
        gap: groups.gap,
    })
}

/// Colours under a supposed light.
#[derive(Clone, Debug)]
struct Lit {
    veil: Veil,
    gain: GainField,
    /// Of each filled cell.
    seen: Vec<Rgb>,
    groups: Groups,
}

impl Lit {
    fn new(size: GridSize, rgb: &[Rgb], which: &[usize], veil: Veil, gain: GainField) -> Self {
        let bare = |&i: &usize| {
            let (u, v) = place(size, i);
            beyond(veil.0[i], gain.factor(u, v), rgb[i])
        };
        let seen: Vec<Rgb> = which.iter().map(bare).collect();
        Self {
            groups: group(&seen),
            veil,
            gain,
            seen,
        }
    }

    /// The colours with what multiplies left in.
    fn raw(&self, rgb: &[Rgb], which: &[usize]) -> Vec<Rgb> {
        let bare = |&i: &usize| beyond(self.veil.0[i], [1.0; 3], rgb[i]);
        which.iter().map(bare).collect()
    }

    /// The one whose colours part more clearly; light that explains little more is none.
    fn better(self, other: Self) -> Self {
        if other.groups.gap > CLEARER * self.groups.gap {
            other
        } else {
            self
        }
    }

    /// What empty looks like, so that near cells have the colours of their groups.
    fn corrected(&self, size: GridSize, rgb: &[Rgb], filled: &[bool], which: &[usize]) -> Veil {
        let (cols, rows) = (i32::from(size.cols), i32::from(size.rows));
        let mut left = vec![[0.0f32; 3]; rgb.len()];
        for (n, &i) in which.iter().enumerate() {
            let (u, v) = place(size, i);
            let f = self.gain.factor(u, v);
            let colour = lights(self.groups.colours[self.groups.labels[n]]);
            for c in 0..3 {
                left[i][c] = rgb[i][c].powi(2) - self.veil.0[i][c] - colour[c] * f[c] * f[c];
            }
        }
        let mut out = self.veil.clone();
        for &i in which {
            let (x, y) = (i as i32 % cols, i as i32 / cols);
            let (mut sum, mut weight) = ([0.0f32; 3], 0.5f32);
            for b in (y - NEAR).max(0)..=(y + NEAR).min(rows - 1) {
                for a in (x - NEAR).max(0)..=(x + NEAR).min(cols - 1) {
                    let j = (b * cols + a) as usize;
                    let far = ((a - x).pow(2) + (b - y).pow(2)) as f32;
                    let w = (-far / 4.0).exp();
                    for c in 0..3 {
                        // What is bright says little of what is added to it.
                        let says = if filled[j] {
                            DULL / (DULL + rgb[j][c])
                        } else {
                            1.0
                        };
                        sum[c] += w * says * left[j][c];
                    }
                    weight += w;
                }
            }
            for c in 0..3 {
                out.0[i][c] = (out.0[i][c] + sum[c] / weight).max(0.0);
            }
        }
        out
    }
}

/// Value at which a channel says half as much about what is added to it as a black one.
const DULL: f32 = 60.0;

/// By how much clearer colours must part for more light to be believed.
const CLEARER: f32 = 1.12;

/// What u, v and their products say of the light, the constant aside.
fn terms((u, v): (f32, f32)) -> [f64; 5] {
    let (u, v) = (f64::from(u), f64::from(v));
    [u, v, u * u, u * v, v * v]
}

/// The light, the same for all channels, from five terms.
fn field(k: [f64; 5]) -> GainField {
    let k = k.map(|k| k.clamp(-1.2, 1.2) as f32);
    GainField([[0.0, k[0], k[1], k[2], k[3], k[4]]; 3])
}

/// The light from near cells that look alike; `raw` is without any light taken off, `seen` with
/// what is known of it.
fn from_neighbours(size: GridSize, which: &[usize], raw: &[Rgb], seen: &[Rgb]) -> GainField {
    let cols = i32::from(size.cols);
    let mut normal = Normal::<5>::default();
    for (n, &i) in which.iter().enumerate() {
        for (m, &j) in which.iter().enumerate().skip(n + 1) {
            let dx = (i as i32 % cols - j as i32 % cols).abs();
            let dy = j as i32 / cols - i as i32 / cols;
            if dy > NEAR {
                break;
            }
            let size_of = length(seen[n]).max(length(seen[m]));
            if dx > NEAR || distance(seen[n], seen[m]) > ALIKE * size_of + NOISE {
                continue;
            }
            let (a, b) = (terms(place(size, i)), terms(place(size, j)));
            let row = std::array::from_fn(|t| a[t] - b[t]);
            let (p, q) = (f64::from(length(raw[n])), f64::from(length(raw[m])));
            if p > 1.0 && q > 1.0 {
                normal.add(&row, (p / q).ln(), 1.0);
            }
        }
    }
    normal.damp(0.3);
    field(normal.solve().unwrap_or_default())
}

/// The light from cells of known colours.
fn from_groups(size: GridSize, which: &[usize], raw: &[Rgb], groups: &Groups) -> GainField {
    // Each group's own brightness is unknown: what counts is how its cells differ from their mean.
    let mut normal = Normal::<5>::default();
    for k in 0..groups.colours.len() {
        let of: Vec<usize> = (0..which.len())
            .filter(|&n| groups.labels[n] == k)
            .collect();
        let log = |n: usize| f64::from(length(raw[n]).max(1.0)).ln();
        let count = of.len() as f64;
        let mean = of.iter().map(|&n| log(n)).sum::<f64>() / count;
        let mut middle = [0.0; 5];
        for &n in &of {
            let t = terms(place(size, which[n]));
            for (m, t) in middle.iter_mut().zip(t) {
                *m += t / count;
            }
        }
        for &n in &of {
            let t = terms(place(size, which[n]));
            let row = std::array::from_fn(|i| t[i] - middle[i]);
            normal.add(&row, log(n) - mean, 1.0);
        }
    }
    normal.damp(0.3);
    field(normal.solve().unwrap_or_default())
}

fn length(v: Rgb) -> f32 {
    distance(v, [0.0; 3])
}

/// Cells grouped by colour.
#[derive(Clone, Debug)]
struct Groups {
    colours: Vec<Rgb>,
    labels: Vec<usize>,
    gap: f32,
}

/// Joins the two nearest groups, again and again; where the step to the next join is the largest,
/// the groups are the colours.
fn group(seen: &[Rgb]) -> Groups {
    let n = seen.len();
    let mut lengths: Vec<f32> = seen.iter().map(|&c| length(c)).collect();
    lengths.sort_by(f32::total_cmp);
    let usual = lengths[n / 2];
    let (lo, hi) = (NEAREST * usual + 0.5 * NOISE, FURTHEST * usual + NOISE);
    let mut members: Vec<Vec<usize>> = (0..n).map(|i| vec![i]).collect();
    let mut far: Vec<Vec<f32>> = seen
        .iter()
        .map(|&a| seen.iter().map(|&b| apart(a, b)).collect())
        .collect();
    let mut alive: Vec<usize> = (0..n).collect();
    let mut best: Option<(f32, Vec<Vec<usize>>)> = None;
    let mut last = lo;
    loop {
        let mut next = (f32::INFINITY, 0, 0);
        for (p, &a) in alive.iter().enumerate() {
            for &b in &alive[p + 1..] {
                if far[a][b] < next.0 {
                    next = (far[a][b], a, b);
                }
            }
        }
        let (height, a, b) = next;
        let (from, to) = (last.max(lo), height.min(hi));
        let many = alive.len().saturating_sub(FEW) as i32;
        let gap = to / from * RARER.powi(many);
        if alive.len() <= MOST && gap > best.as_ref().map_or(0.0, |b| b.0) {
            let groups = alive.iter().map(|&k| members[k].clone()).collect();
            best = Some((gap, groups));
        }
        if height > hi && alive.len() <= MOST || alive.len() <= 1 {
            break;
        }
        last = last.max(height);
        let (na, nb) = (members[a].len() as f32, members[b].len() as f32);
        for &k in &alive {
            let d = (far[a][k] * na + far[b][k] * nb) / (na + nb);
            far[a][k] = d;
            far[k][a] = d;
        }
        let moved = std::mem::take(&mut members[b]);
        members[a].extend(moved);
        alive.retain(|&k| k != b);
    }
    let (gap, mut members) = best.unwrap_or_else(|| (1.0, vec![(0..n).collect()]));
    for m in &mut members {
        m.sort_unstable();
    }
    members.sort();
    let mut labels = vec![0; n];
    let mut colours = Vec::new();
    for (k, m) in members.iter().enumerate() {
        let mut sum = [0.0f32; 3];
        for &i in m {
            labels[i] = k;
            for c in 0..3 {
                sum[c] += seen[i][c] / m.len() as f32;
            }
        }
        colours.push(sum);
    }
    Groups {
        colours,
        labels,
        gap,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces in the lower half of a well of 10x20 cells, under light that falls off.
    fn lit(light: &dyn Fn(f32, f32) -> f32) -> (Vec<Rgb>, Vec<bool>, Veil, Well, Vec<usize>) {
        let size = GridSize::new(10, 20);
        let paints = [
            [220.0, 40.0, 40.0],
            [230.0, 200.0, 40.0],
            [235.0, 130.0, 30.0],
        ];
        let empty = [18.0f32, 18.0, 20.0];
        let mut well = Well {
            empty: [[0.0; 6]; 3],
            limit: 60.0,
        };
        for c in 0..3 {
            well.empty[c][0] = empty[c];
        }
        let (mut rgb, mut filled, mut truth) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..size.len() {
            let (x, y) = (i % 10, i / 10);
            let is = y > 9 && (x + y) % 4 != 0;
            let kind = (x / 2 + y / 2) % 3;
            let (u, v) = place(size, i);
            let seen = if is {
                paints[kind].map(|p| p * light(u, v))
            } else {
                empty
            };
            rgb.push(
                [0, 1, 2].map(|c| {
                    (seen[c] * seen[c] + if is { empty[c] * empty[c] } else { 0.0 }).sqrt()
                }),
            );
            filled.push(is);
            truth.push(if is { kind } else { 9 });
        }
        let veil = Veil(vec![empty.map(|e| e * e); size.len()]);
        (rgb, filled, veil, well, truth)
    }

    fn same(labels: &[Option<usize>], truth: &[usize]) -> bool {
        let of = |kind: usize| -> Vec<usize> {
            let all = labels.iter().zip(truth).filter(|(_, t)| **t == kind);
            let mut all: Vec<usize> = all.filter_map(|(l, _)| *l).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let each = [of(0), of(1), of(2)];
        each.iter().all(|e| e.len() == 1)
            && each[0] != each[1]
            && each[1] != each[2]
            && each[0] != each[2]
    }

    #[test]
    fn light_that_falls_off_splits_no_colour() {
        let size = GridSize::new(10, 20);
        let lights: [&dyn Fn(f32, f32) -> f32; 3] =
            [&|_, _| 1.0, &|u, v| 0.8 + 0.15 * u - 0.1 * v, &|u, v| {
                1.0 - 0.25 * (u * u + v * v) / 2.0
            }];
        for light in lights {
            let (rgb, filled, veil, well, truth) = lit(light);
            let found = paint(size, &rgb, &filled, &veil, &well).expect("colours");
            assert!(same(&found.labels, &truth), "{} colours", found.rgb.len());
            assert!(found.gap > 2.0, "gap {}", found.gap);
        }
    }
}
