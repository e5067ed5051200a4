//! Threads: straight pieces of thin line, which differ from what lies on both sides of them.
//!
//! Takes planes, gives the pieces that run mostly down and those that run mostly across the
//! picture. Edges of areas are none, however strong: they have another colour on one side only.

use crate::calibrate::planes::Planes;
use crate::types::Point;

/// Whether lines are darker or lighter than what lies beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Darker.
    Dark,
    /// Lighter.
    Light,
}

/// A straight piece of thin line. For threads that run down `along` is y and `at` x; for those
/// that run across `along` is x and `at` y. Both in px, as everywhere: pixel i covers i to i + 1.
#[derive(Clone, Copy, Debug)]
pub struct Thread {
    /// First `along`.
    pub from: f64,
    /// Last `along`.
    pub to: f64,
    /// `at` where `along` is 0, on the fitted line.
    pub at0: f64,
    /// Change of `at` per `along`, -1 to 1 and a little.
    pub slope: f64,
    /// Mean difference of its pixels from both sides, 0 to 255, of the channel that shows most.
    pub strength: f32,
}

impl Thread {
    /// Its length along the way it runs.
    #[must_use]
    pub fn len(&self) -> f64 {
        self.to - self.from
    }

    /// `at` for an `along`.
    #[must_use]
    pub fn at(&self, along: f64) -> f64 {
        self.at0 + self.slope * along
    }
}

/// The threads of both ways.
#[derive(Clone, Debug, Default)]
pub struct Threads {
    /// Those that run down.
    pub down: Vec<Thread>,
    /// Those that run across.
    pub across: Vec<Thread>,
}

/// How far beside a pixel its surroundings are looked at, in px: lines up to 3 px wide are seen.
const BESIDE: usize = 2;

/// A chain ends when it finds nothing for so many px: another line crosses there, or it is over.
const GAP: u32 = 4;

/// Share of the pixels along a thread that must show it.
const DENSE: f32 = 0.55;

/// A pixel that differs from both sides more than its neighbours do.
#[derive(Clone, Copy, Debug)]
struct Dot {
    line: u32,
    at: f32,
    strength: u8,
}

/// All threads at least `least` px long whose pixels differ by at least `threshold` (0 to 255)
/// from both sides.
#[must_use]
pub fn threads(planes: &Planes, ink: Ink, threshold: u8, least: u32) -> Threads {
    let (w, h) = (planes.width, planes.height);
    if w < 16 || h < 16 {
        return Threads::default();
    }
    Threads {
        down: link(&dots_down(planes, ink, threshold), w, least),
        across: link(&dots_across(planes, ink, threshold), h, least),
    }
}

/// Where two threads of different ways meet, if they are not parallel.
#[must_use]
pub fn meet(down: &Thread, across: &Thread) -> Option<Point> {
    let turn = 1.0 - down.slope * across.slope;
    if turn < 0.2 {
        return None;
    }
    let x = (down.at0 + down.slope * across.at0) / turn;
    Some(Point::new(x, across.at(x)))
}

#[inline]
fn thin(ink: Ink, before: u8, here: u8, after: u8) -> u8 {
    match ink {
        Ink::Dark => before.min(after).saturating_sub(here),
        Ink::Light => here.saturating_sub(before.max(after)),
    }
}

/// How much each pixel of a row differs from what lies left and right of it.
fn row_down(planes: &Planes, ink: Ink, y: usize, out: &mut [u8]) {
    let w = planes.width;
    out.fill(0);
    for plane in &planes.rgb {
        let row = &plane[y * w..][..w];
        let n = w - 2 * BESIDE;
        let (a, m, b) = (
            &row[..n],
            &row[BESIDE..BESIDE + n],
            &row[2 * BESIDE..2 * BESIDE + n],
        );
        let inner = &mut out[BESIDE..BESIDE + n];
        for i in 0..n {
            inner[i] = inner[i].max(thin(ink, a[i], m[i], b[i]));
        }
    }
}

/// How much each pixel of a row differs from what lies above and below it.
fn row_across(planes: &Planes, ink: Ink, y: usize, out: &mut [u8]) {
    let w = planes.width;
    out.fill(0);
    if y < BESIDE || y + BESIDE >= planes.height {
        return;
    }
    for plane in &planes.rgb {
        let row = |y: usize| &plane[y * w..][..w];
        let (a, m, b) = (row(y - BESIDE), row(y), row(y + BESIDE));
        for i in 0..w {
            out[i] = out[i].max(thin(ink, a[i], m[i], b[i]));
        }
    }
}

/// Part of a pixel by which the middle lies further on, from the strengths around it.
#[inline]
fn shift(before: u8, here: u8, after: u8) -> f32 {
    let (a, m, b) = (f32::from(before), f32::from(here), f32::from(after));
    (b - a) / (a + m + b)
}

fn dots_down(planes: &Planes, ink: Ink, threshold: u8) -> Vec<Dot> {
    let (w, h) = (planes.width, planes.height);
    let mut row = vec![0u8; w];
    let mut out = Vec::new();
    for y in 0..h {
        row_down(planes, ink, y, &mut row);
        let mut x = 1;
        while x + 1 < w {
            if x + 16 < w && row[x..x + 16].iter().fold(0, |a, &v| a.max(v)) < threshold {
                x += 16;
                continue;
            }
            let (l, v, r) = (row[x - 1], row[x], row[x + 1]);
            if v >= threshold && v >= l && v > r {
                out.push(Dot {
                    line: y as u32,
                    at: x as f32 + 0.5 + shift(l, v, r),
                    strength: v,
                });
            }
            x += 1;
        }
    }
    out
}

fn dots_across(planes: &Planes, ink: Ink, threshold: u8) -> Vec<Dot> {
    let (w, h) = (planes.width, planes.height);
    let (mut above, mut here, mut below) = (vec![0u8; w], vec![0u8; w], vec![0u8; w]);
    let mut by_row = Vec::new();
    row_across(planes, ink, 0, &mut here);
    for y in 0..h - 1 {
        row_across(planes, ink, y + 1, &mut below);
        for x in 0..w {
            let v = here[x];
            if v >= threshold && v >= above[x] && v > below[x] {
                by_row.push(Dot {
                    line: x as u32,
                    at: y as f32 + 0.5 + shift(above[x], v, below[x]),
                    strength: v,
                });
            }
        }
        std::mem::swap(&mut above, &mut here);
        std::mem::swap(&mut here, &mut below);
    }
    // Counted into columns, so that one routine links both ways.
    let mut start = vec![0u32; w + 1];
    for d in &by_row {
        start[d.line as usize + 1] += 1;
    }
    for x in 0..w {
        start[x + 1] += start[x];
    }
    let mut out = by_row.clone();
    for d in by_row {
        let place = &mut start[d.line as usize];
        out[*place as usize] = d;
        *place += 1;
    }
    out
}

/// A chain of dots under construction.
#[derive(Clone, Copy)]
struct Chain {
    first: u32,
    last: u32,
    /// Where it is and how much it moves per line, followed dot by dot.
    at: f32,
    pace: f32,
    n: f32,
    at0: f32,
    sa: f32,
    st: f32,
    saa: f32,
    stt: f32,
    sat: f32,
    strength: f32,
}

impl Chain {
    fn new(dot: Dot) -> Self {
        Self {
            first: dot.line,
            last: dot.line,
            at: dot.at,
            pace: 0.0,
            n: 1.0,
            at0: dot.at,
            sa: 0.0,
            st: 0.0,
            saa: 0.0,
            stt: 0.0,
            sat: 0.0,
            strength: f32::from(dot.strength),
        }
    }

    /// How far a dot is from where the chain should be, if that is near enough.
    fn misses(&self, dot: Dot) -> Option<f32> {
        let steps = (dot.line - self.last) as f32;
        let off = (dot.at - self.at - self.pace * steps).abs();
        let slack = if self.n < 5.0 { 1.3 } else { 0.75 };
        (off <= slack + 0.15 * (steps - 1.0)).then_some(off)
    }

    fn add(&mut self, dot: Dot) {
        let steps = (dot.line - self.last) as f32;
        let expected = self.at + self.pace * steps;
        let off = dot.at - expected;
        // The first dots tell the direction, later ones only correct it.
        let (place, pace) = if self.n < 6.0 {
            (0.6, 0.35)
        } else {
            (0.3, 0.06)
        };
        self.at = expected + place * off;
        self.pace = (self.pace + pace * off / steps).clamp(-1.15, 1.15);
        self.last = dot.line;
        let (t, a) = ((dot.line - self.first) as f32, dot.at - self.at0);
        self.n += 1.0;
        self.sa += a;
        self.st += t;
        self.saa += a * a;
        self.stt += t * t;
        self.sat += a * t;
        self.strength += f32::from(dot.strength);
    }

    /// The thread, if it is straight and dense enough for one.
    fn thread(&self, least: u32) -> Option<Thread> {
        let len = self.last + 1 - self.first;
        if len < least || self.n < DENSE * len as f32 {
            return None;
        }
        let (ma, mt) = (self.sa / self.n, self.st / self.n);
        let vt = (self.stt / self.n - mt * mt).max(1e-6);
        let cov = self.sat / self.n - ma * mt;
        let slope = cov / vt;
        let bend = (self.saa / self.n - ma * ma - slope * cov).max(0.0).sqrt();
        if bend > 0.45 + 0.004 * len as f32 {
            return None;
        }
        let first = f64::from(self.first) + 0.5;
        let at_first = f64::from(self.at0 + ma - slope * mt);
        Some(Thread {
            from: f64::from(self.first),
            to: f64::from(self.last) + 1.0,
            at0: at_first - f64::from(slope) * first,
            slope: f64::from(slope),
            strength: self.strength / self.n,
        })
    }
}

/// Joins dots of neighbouring lines into chains.
fn link(dots: &[Dot], width: usize, least: u32) -> Vec<Thread> {
    const NONE: u32 = u32::MAX;
    let mut chains: Vec<Chain> = Vec::new();
    // The chain that passed each place last.
    let mut passed = vec![NONE; width];
    for &dot in dots {
        let x = dot.at as usize;
        let (lo, hi) = (x.saturating_sub(3), (x + 3).min(width - 1));
        let mut best: Option<(f32, u32)> = None;
        for &id in &passed[lo..=hi] {
            let Some(chain) = chains.get(id as usize) else {
                continue;
            };
            if chain.last == dot.line || dot.line - chain.last > GAP {
                continue;
            }
            if let Some(off) = chain.misses(dot)
                && best.is_none_or(|(least, _)| off < least)
            {
                best = Some((off, id));
            }
        }
        let id = match best {
            Some((_, id)) => {
                chains[id as usize].add(dot);
                id
            }
            None => {
                chains.push(Chain::new(dot));
                chains.len() as u32 - 1
            }
        };
        passed[x.min(width - 1)] = id;
    }
    chains.iter().filter_map(|c| c.thread(least)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Picture;

    #[test]
    fn thin_lines_are_threads_and_edges_are_not() {
        let mut p = Picture::filled(120, 80, [200, 180, 140]);
        for y in 10..70 {
            // One px, two px, and an area.
            p.set(20, y, [0; 3]);
            p.set(40, y, [0; 3]);
            p.set(41, y, [0; 3]);
            for x in 80..110 {
                p.set(x, y, [0; 3]);
            }
        }
        let seen = threads(&Planes::new(&p), Ink::Dark, 20, 10);
        let at: Vec<f64> = seen.down.iter().map(|t| t.at(40.0)).collect();
        assert!(seen.across.is_empty(), "{:?}", seen.across);
        assert_eq!(at.len(), 2, "{at:?}");
        assert!(
            (at[0] - 20.5).abs() < 0.1 && (at[1] - 41.0).abs() < 0.3,
            "{at:?}"
        );
    }

    #[test]
    fn a_slanting_line_crossed_by_another_is_one_thread() {
        let mut p = Picture::filled(120, 120, [250; 3]);
        for i in 5..110 {
            p.set(10 + i * 2 / 3, i, [30; 3]);
            p.set(i, 80 - i / 4, [30; 3]);
        }
        let seen = threads(&Planes::new(&p), Ink::Dark, 20, 40);
        assert_eq!((seen.down.len(), seen.across.len()), (1, 1), "{seen:?}");
        let t = seen.down[0];
        assert!(
            (t.slope - 2.0 / 3.0).abs() < 0.02 && t.len() > 95.0,
            "{t:?}"
        );
    }
}
