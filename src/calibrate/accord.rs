//! Which colour each cell has, decided by all cells together.
//!
//! Takes the sampled cells, the lines between them and colours that were found in them; gives each
//! cell one of these, so that what a mirrored lamp adds to the cells has the lamp's colour, and on
//! each line the light jumps by as much as the colours beside it differ. What a cell shows alone may
//! be one colour in the dark or another under a lamp; with its neighbours it can be only one of
//! them. Cells that nothing explains have none.
//!
//! Found by passing messages between neighbours (min-sum belief propagation). All of it in light.

use super::borders::Border;
use super::cell::{CellLook, Eye, distance};
use super::gain;
use crate::types::{GainField, GridSize};

/// What it costs a cell to have no colour, and a line beside such a cell. Costs are half squares of
/// standard deviations.
const NONE: f32 = 14.0;
const BESIDE_NONE: f32 = 1.0;

/// A line costs no more than this, whatever it shows: something small may lie on it.
const MOST_OF_LINE: f32 = 10.0;

/// What each colour costs: fewer of them that explain the same are likelier. One that is nearer to
/// another than `NEAR` of its brightest value, and a little, costs so much more.
const COLOUR: f32 = 7.0;
const NEAR: f32 = 0.24;
const NEAR_DARK: f32 = 6.0;
const NEAREST: f32 = 30.0;

/// A colour whose cells alone cost so much more without it is needed.
pub(super) const NEEDED: f32 = 2.0 * (COLOUR + 2.0 * NEAREST);

/// What it costs a cell that all light there is (a white pixel's) is added to it.
const ALL_LIGHT: f32 = 8.0;

/// How far off the gain may be in a cell, in parts of light; and how much less so between neighbours.
const GAIN: f32 = 0.1;
const GAIN_BETWEEN: f32 = 0.04;

/// Darker channels than this (of 255), and than so much of the noise, are as uncertain, as light:
/// what is dark is lost in noise and compression.
const DARK: f32 = 10.0;
const DARK_NOISE: f32 = 7.0;

/// A channel this bright may be brighter still (of 255).
const FULL: f32 = 249.0;

/// Messages are passed so often at most, and each keeps so much of the last one.
const ROUNDS: usize = 30;
const KEPT: f32 = 0.3;

/// Colours that cost so much more than the best one need not be thought of.
const HOPELESS: f32 = 24.0;

/// The exponent between values and light.
const GAMMA: f32 = 2.2;

/// Light of a value, 0 to 255 as the value is.
pub(super) fn light(v: f32) -> f32 {
    255.0 * (v.max(0.0) / 255.0).powf(GAMMA)
}

/// The value of a light.
fn value(light: f32) -> f32 {
    255.0 * (light.max(0.0) / 255.0).powf(1.0 / GAMMA)
}

/// Light that falls on a line is extrapolated: so much of it is uncertain.
const FALLS: f32 = 0.15;

/// Standard deviation of a channel's light, by its value.
fn doubt(eye: Eye, value: f32) -> f32 {
    let of_value = 2.0 + 0.4 * eye.noise + 0.018 * value;
    let slope = GAMMA * (value.max(DARK + DARK_NOISE * eye.noise) / 255.0).powf(GAMMA - 1.0);
    // Beyond full any light may be.
    let beyond = if value > FULL { 60.0 } else { 0.0 };
    slope * of_value + beyond
}

impl Offers {
    /// The colours.
    pub(super) fn colours(&self) -> &[[f32; 3]] {
        &self.colours
    }
}

/// A colour that a cell may have (`None`: none) and what that costs.
#[derive(Clone, Copy, Debug)]
struct Choice {
    colour: Option<usize>,
    cost: f32,
}

/// What was seen, made ready for asking.
pub(super) struct Accord<'a> {
    looks: &'a [CellLook],
    borders: &'a [Border],
    eye: Eye,
    /// What light is multiplied by in each cell.
    factors: Vec<[f32; 3]>,
    /// The light of each cell.
    seen: Vec<[f32; 3]>,
    /// How uncertain the light is on each line.
    doubts: Vec<[f32; 3]>,
}

/// What it costs each cell to have each colour, and the light it then has.
pub(super) struct Offers {
    colours: Vec<[f32; 3]>,
    own: Vec<f32>,
    lit: Vec<[f32; 3]>,
}

/// Colours of all cells and what they leave unexplained.
#[derive(Clone, Debug)]
pub(super) struct Agreed {
    /// The colour of each cell.
    pub labels: Vec<Option<usize>>,
    /// What remains unexplained, and what the colours cost.
    pub cost: f32,
}

impl<'a> Accord<'a> {
    /// For cells under a gain.
    pub(super) fn new(
        size: GridSize,
        looks: &'a [CellLook],
        borders: &'a [Border],
        eye: Eye,
        gain: &GainField,
    ) -> Self {
        let factors = (0..looks.len())
            .map(|i| {
                let (u, v) = gain::place(size, i);
                gain.factor(u, v).map(|f| f.powf(GAMMA))
            })
            .collect();
        let doubts = { borders.iter() }
            .map(|b| {
                let (p, q) = (looks[b.cells.0].rim, looks[b.cells.1].rim);
                std::array::from_fn(|c| doubt(eye, p[c].max(q[c])) + FALLS * b.falls[c].abs())
            })
            .collect();
        Self {
            looks,
            borders,
            eye,
            factors,
            seen: looks.iter().map(|l| l.rim.map(light)).collect(),
            doubts,
        }
    }

    /// What these colours would cost each cell.
    pub(super) fn offers(&self, colours: &[[f32; 3]]) -> Offers {
        let bare: Vec<[f32; 3]> = colours.iter().map(|c| c.map(light)).collect();
        let (mut own, mut lit) = (Vec::new(), Vec::new());
        for (i, f) in self.factors.iter().enumerate() {
            for b in &bare {
                let there = [0, 1, 2].map(|c| b[c] * f[c]);
                own.push(self.fit(i, there).0);
                lit.push(there);
            }
        }
        Offers {
            colours: colours.to_vec(),
            own,
            lit,
        }
    }

    /// What it costs a cell to have a colour of this light, the light that is then added to it and by
    /// how much more of it there is than the gain says.
    fn fit(&self, cell: usize, lit: [f32; 3]) -> (f32, f32, f32) {
        let (rim, seen) = (self.looks[cell].rim, self.seen[cell]);
        let added = [0, 1, 2].map(|c| seen[c] - lit[c]);
        let says = [0, 1, 2].map(|c| {
            // A bright channel of the colour is as uncertain as what is seen.
            let brighter = match lit[c] > seen[c] {
                true => value(lit[c]).min(255.0),
                false => rim[c],
            };
            1.0 / doubt(self.eye, brighter).powi(2)
        });
        let dot = |p: [f32; 3], q: [f32; 3]| (0..3).map(|c| says[c] * p[c] * q[c]).sum::<f32>();
        let (white, gain) = ([1.0; 3], 1.0 / (GAIN * GAIN));
        let (ww, wl, ll) = (dot(white, white), dot(white, lit), dot(lit, lit) + gain);
        let (wa, la) = (dot(white, added), dot(lit, added));
        let lamp = (wa * ll - la * wl) / (ww * ll - wl * wl).max(1e-9);
        let more = (la - lamp * wl) / ll;
        let rest = [0, 1, 2].map(|c| added[c] - lamp - more * lit[c]);
        let cost = 0.5 * (dot(rest, rest) + more * more * gain) + ALL_LIGHT * lamp.abs() / 255.0;
        (cost, lamp, more)
    }

    /// The least that cells of a colour cost more without it, lines aside.
    pub(super) fn needed(
        offers: &Offers,
        used: &[bool],
        labels: &[Option<usize>],
        k: usize,
    ) -> f32 {
        let n = offers.colours.len();
        let cells = (0..labels.len()).filter(|&i| labels[i] == Some(k));
        cells
            .map(|i| {
                let own = &offers.own[i * n..][..n];
                let others = (0..n).filter(|&o| o != k && used[o]);
                others.fold(NONE, |m, o| m.min(own[o])) - own[k]
            })
            .sum()
    }

    /// The colours as their cells show them, what is added to each taken off.
    pub(super) fn recoloured(&self, offers: &Offers, labels: &[Option<usize>]) -> Vec<[f32; 3]> {
        let n = offers.colours.len();
        let mut sums = vec![([0.0f32; 3], 0.0f32); n];
        for (i, label) in labels.iter().enumerate() {
            let Some(k) = *label else { continue };
            let (_, lamp, more) = self.fit(i, offers.lit[i * n + k]);
            for c in 0..3 {
                let bare = (self.seen[i][c] - lamp) / (1.0 + more).max(0.3);
                sums[k].0[c] += bare / self.factors[i][c];
            }
            sums[k].1 += 1.0;
        }
        { sums.iter().zip(&offers.colours) }
            .map(|((sum, n), old)| match *n > 0.0 {
                true => sum.map(|v| value(v / n)),
                false => *old,
            })
            .collect()
    }

    /// What it costs a line that the cells beside it have this light.
    fn line(&self, n: usize, p: [f32; 3], q: [f32; 3]) -> f32 {
        let (border, doubts) = (&self.borders[n], self.doubts[n]);
        let mut off = 0.0;
        for c in 0..3 {
            let s = doubts[c] + GAIN_BETWEEN * (p[c] + q[c]);
            off += ((border.light[c] - (q[c] - p[c])) / s).powi(2);
        }
        (0.5 * off).min(MOST_OF_LINE)
    }

    /// What each cell may be.
    fn choices(offers: &Offers, used: &[bool], plain: &[bool]) -> Vec<Vec<Choice>> {
        let n = offers.colours.len();
        { plain.iter().enumerate() }
            .map(|(i, plain)| {
                let none = Choice {
                    colour: None,
                    cost: NONE,
                };
                if !plain {
                    return vec![Choice { cost: 0.0, ..none }];
                }
                let mut all: Vec<Choice> = (0..n)
                    .filter(|&k| used[k])
                    .map(|k| Choice {
                        colour: Some(k),
                        cost: offers.own[i * n + k],
                    })
                    .collect();
                all.push(none);
                let least = all.iter().fold(f32::INFINITY, |m, c| m.min(c.cost));
                all.retain(|c| c.cost < least + HOPELESS);
                all
            })
            .collect()
    }

    /// The colours that all cells and lines agree on best, of those that are `used`.
    pub(super) fn reached(&self, offers: &Offers, used: &[bool], plain: &[bool]) -> Agreed {
        let count = offers.colours.len();
        let choices = Self::choices(offers, used, plain);
        // What a line costs, for each choice of its first cell and each of its second.
        let lines: Vec<Vec<f32>> = { self.borders.iter().enumerate() }
            .map(|(n, border)| {
                let (i, j) = border.cells;
                let mut all = Vec::with_capacity(choices[i].len() * choices[j].len());
                for a in &choices[i] {
                    for b in &choices[j] {
                        all.push(match (a.colour, b.colour) {
                            (Some(a), Some(b)) => {
                                let lit = |cell, k| offers.lit[cell * count + k];
                                self.line(n, lit(i, a), lit(j, b))
                            }
                            _ => BESIDE_NONE,
                        });
                    }
                }
                all
            })
            .collect();
        // What each line tells its second cell, and its first; and what all tell each cell.
        let mut told: Vec<[Vec<f32>; 2]> = { self.borders.iter() }
            .map(|b| {
                let (i, j) = b.cells;
                [vec![0.0; choices[j].len()], vec![0.0; choices[i].len()]]
            })
            .collect();
        let mut sums: Vec<Vec<f32>> = { choices.iter() }
            .map(|all| all.iter().map(|c| c.cost).collect())
            .collect();
        let mut fresh = Vec::new();
        for _ in 0..ROUNDS {
            let mut moved = 0.0f32;
            for (n, border) in self.borders.iter().enumerate() {
                for (way, (from, to)) in [
                    (border.cells.0, border.cells.1),
                    (border.cells.1, border.cells.0),
                ]
                .into_iter()
                .enumerate()
                {
                    let width = choices[border.cells.1].len();
                    fresh.clear();
                    fresh.resize(choices[to].len(), f32::INFINITY);
                    for (s, sum) in sums[from].iter().enumerate() {
                        // What it knows from elsewhere.
                        let other = sum - told[n][1 - way][s];
                        for (t, least) in fresh.iter_mut().enumerate() {
                            let at = if way == 0 {
                                s * width + t
                            } else {
                                t * width + s
                            };
                            *least = least.min(other + lines[n][at]);
                        }
                    }
                    let least = fresh.iter().copied().fold(f32::INFINITY, f32::min);
                    for (t, v) in fresh.iter().enumerate() {
                        let old = told[n][way][t];
                        let new = KEPT * old + (1.0 - KEPT) * (v - least);
                        told[n][way][t] = new;
                        sums[to][t] += new - old;
                        moved = moved.max((new - old).abs());
                    }
                }
            }
            if moved < 0.05 {
                break;
            }
        }
        let chosen: Vec<usize> = { sums.iter() }
            .map(|all| {
                (0..all.len())
                    .min_by(|&a, &b| all[a].total_cmp(&all[b]))
                    .unwrap_or(0)
            })
            .collect();
        let labels: Vec<Option<usize>> = { choices.iter().zip(&chosen) }
            .map(|(all, &at)| all[at].colour)
            .collect();
        let own: f32 = { choices.iter().zip(&chosen) }
            .map(|(all, &at)| all[at].cost)
            .sum();
        let between: f32 = { self.borders.iter().zip(&lines) }
            .map(|(b, costs)| {
                let (i, j) = b.cells;
                costs[chosen[i] * choices[j].len() + chosen[j]]
            })
            .sum();
        let mut seen = vec![false; count];
        for k in labels.iter().flatten() {
            seen[*k] = true;
        }
        Agreed {
            labels,
            cost: own + between + price(&offers.colours, &seen),
        }
    }
}

/// What the colours cost that are there.
fn price(colours: &[[f32; 3]], there: &[bool]) -> f32 {
    let all: Vec<[f32; 3]> = { colours.iter().zip(there) }
        .filter_map(|(&c, &is)| is.then_some(c))
        .collect();
    let level = |c: [f32; 3]| c[0].max(c[1]).max(c[2]);
    let of = |(i, &c): (usize, &[f32; 3])| {
        let others = all.iter().enumerate().filter(|(j, _)| *j != i);
        let nearest = others.fold(f32::INFINITY, |m, (_, &o)| {
            m.min(distance(c, o) / (NEAR * level(c).max(level(o)) + NEAR_DARK))
        });
        COLOUR + NEAREST * (1.0 - nearest).max(0.0)
    };
    all.iter().enumerate().map(of).sum()
}
