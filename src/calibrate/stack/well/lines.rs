//! Long straight lines of a picture, from short chains of edge pixels that lie on them.
//!
//! Takes chains of one way, gives the lines that most of their length supports, each with the
//! stretches where it is really seen. A line may be interrupted: by a pile, a popup, noise.

use super::super::super::chains::{Chain, Way};
use crate::types::Point;

/// Chains looked at, those a line may begin with, and the shortest of these in px.
const MOST_CHAINS: usize = 4000;
const SEEDS: usize = 200;
const SHORTEST: f32 = 10.0;

/// Lines nearer to each other than this, in px, are one.
const APART: f64 = 3.0;

/// How far from a line a chain may lie, in px, and how much its direction may differ.
const ASIDE: f32 = 1.6;

/// A line: `at = middle + slope * (along - pivot)`.
#[derive(Clone, Debug)]
pub struct Line {
    /// Which way it runs; `along` is y for lines that run down.
    pub way: Way,
    /// Where it is at the pivot, in px.
    pub middle: f64,
    /// Px aside per px along.
    pub slope: f64,
    /// The middle of the picture along it.
    pub pivot: f64,
    /// Where it is seen: from and to along it, in order, apart from each other.
    pub seen: Vec<(f32, f32)>,
    /// Length of all that.
    pub length: f32,
}

impl Line {
    /// Where it is at a place along it.
    #[must_use]
    pub fn at(&self, along: f64) -> f64 {
        self.middle + self.slope * (along - self.pivot)
    }

    /// The point at a place along it.
    #[must_use]
    pub fn point(&self, along: f64) -> Point {
        match self.way {
            Way::Down => Point::new(self.at(along), along),
            Way::Across => Point::new(along, self.at(along)),
        }
    }

    /// Where it meets a line that runs the other way; `None` for lines nearly parallel.
    #[must_use]
    pub fn meets(&self, other: &Self) -> Option<Point> {
        // x = a + b (y - c), y = d + e (x - f), for the one that runs down and the other.
        let (down, across) = match self.way {
            Way::Down => (self, other),
            Way::Across => (other, self),
        };
        let det = 1.0 - down.slope * across.slope;
        if det.abs() < 0.2 {
            return None;
        }
        let x = (down.middle
            + down.slope * (across.middle - across.slope * across.pivot - down.pivot))
            / det;
        Some(Point::new(x, across.at(x)))
    }

    /// First and last place where it is seen.
    #[must_use]
    pub fn ends(&self) -> (f64, f64) {
        let first = self.seen.first().map_or(0.0, |s| f64::from(s.0));
        let last = self.seen.last().map_or(0.0, |s| f64::from(s.1));
        (first, last)
    }

    /// The share of a stretch in which it is seen.
    #[must_use]
    pub fn cover(&self, from: f64, to: f64) -> f64 {
        let (a, b) = (from.min(to) as f32, from.max(to) as f32);
        let part = |s: &(f32, f32)| (s.1.min(b) - s.0.max(a)).max(0.0);
        f64::from(self.seen.iter().map(part).sum::<f32>() / (b - a).max(1.0))
    }
}

/// At most `most` lines, the best supported first; `size` is width and height of the picture.
#[must_use]
pub fn lines(chains: &[Chain], way: Way, size: [f32; 2], most: usize) -> Vec<Line> {
    let long = match way {
        Way::Down => size[1],
        Way::Across => size[0],
    };
    let pivot = long / 2.0;
    // Long chains are most of a line already.
    let mut longest: Vec<u32> = (0..chains.len() as u32).collect();
    longest.sort_by(|&a, &b| {
        let len = |i: u32| chains[i as usize].len();
        len(b).total_cmp(&len(a)).then(a.cmp(&b))
    });
    longest.truncate(MOST_CHAINS);
    let mut order = longest.clone();
    order.sort_by(|&a, &b| chains[a as usize].from.total_cmp(&chains[b as usize].from));
    let mut found: Vec<Line> = Vec::new();
    for &seed in longest.iter().take(SEEDS) {
        let c = &chains[seed as usize];
        if c.len() < SHORTEST {
            break;
        }
        let along = f64::from((c.from + c.to) / 2.0);
        let half = f64::from(c.len() / 2.0);
        let on = |o: &Line| {
            [-half, half].iter().all(|t| {
                let at = f64::from(c.at) + f64::from(c.slope) * t;
                (o.at(along + t) - at).abs() < 1.2
            })
        };
        if found.iter().any(on) {
            continue;
        }
        let middle = c.at - c.slope * (along as f32 - pivot);
        let Some(line) = settled(chains, &order, way, pivot, (middle, c.slope)) else {
            continue;
        };
        found.push(line);
    }
    found.sort_by(|a, b| b.length.total_cmp(&a.length));
    let mut out: Vec<Line> = Vec::new();
    for line in found {
        // Both edges of a thin frame are one line.
        let again = out.iter().any(|o| {
            let (a, b) = line.ends();
            let near = |&t: &f64| (o.at(t) - line.at(t)).abs() < APART;
            let (c, d) = o.ends();
            [a, b].iter().all(near) && a > c - 0.1 * (d - c) && b < d + 0.1 * (d - c)
        });
        if !again {
            out.push(line);
        }
        if out.len() == most {
            break;
        }
    }
    out
}

/// The line moved onto the chains near it, and where it is seen.
fn settled(
    chains: &[Chain],
    order: &[u32],
    way: Way,
    pivot: f32,
    (mut middle, mut slope): (f32, f32),
) -> Option<Line> {
    let mut near: Vec<u32> = Vec::new();
    for round in 0..3 {
        let slack = if round == 0 { 2.5 } else { ASIDE };
        near.clear();
        let (mut n, mut sa, mut st, mut sat, mut stt) = (0.0f32, 0.0f32, 0.0f32, 0.0f32, 0.0f32);
        for &i in order {
            let c = &chains[i as usize];
            let along = (c.from + c.to) / 2.0 - pivot;
            let off = c.at - middle - slope * along;
            if off.abs() > slack || (c.slope - slope).abs() > 0.04 + 1.6 / c.len() {
                continue;
            }
            near.push(i);
            let half = c.len() / 2.0;
            for t in [-half, half] {
                let (t, a) = (along + t, c.at + c.slope * t);
                let w = c.len();
                n += w;
                sa += w * a;
                st += w * t;
                sat += w * a * t;
                stt += w * t * t;
            }
        }
        if near.is_empty() {
            return None;
        }
        let (ma, mt) = (sa / n, st / n);
        let spread = stt / n - mt * mt;
        if spread < 4.0 {
            return None;
        }
        slope = (sat / n - ma * mt) / spread;
        middle = ma - slope * mt;
    }
    let mut seen: Vec<(f32, f32)> = Vec::new();
    for &i in &near {
        let c = &chains[i as usize];
        match seen.last_mut() {
            // Chains of one edge nearly touch.
            Some(last) if c.from <= last.1 + 4.0 => last.1 = last.1.max(c.to),
            _ => seen.push((c.from, c.to)),
        }
    }
    let length = seen.iter().map(|s| s.1 - s.0).sum();
    Some(Line {
        way,
        middle: middle.into(),
        slope: slope.into(),
        pivot: pivot.into(),
        seen,
        length,
    })
}
