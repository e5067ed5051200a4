//! Chains of edge pixels: the straight pieces of line that a lattice is made of.
//!
//! Takes planes, gives the pieces that run mostly down ([`Way::Down`]) or mostly across
//! ([`Way::Across`]) the picture, each with the straight line fitted to it. Colours count, not
//! brightness: an edge is where any channel changes.

use super::planes::Planes;

/// The direction a chain runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Along y: it separates left from right.
    Down,
    /// Along x: it separates above from below.
    Across,
}

/// A chain of edge pixels. `along` is y for chains that run down and x for chains that run
/// across, `at` is the other coordinate; both in px of the planes.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    /// First `along`.
    pub from: f32,
    /// One past the last `along`.
    pub to: f32,
    /// `at` in the middle of the chain, on the fitted line.
    pub at: f32,
    /// Change of `at` per `along` of the fitted line.
    pub slope: f32,
    /// Root mean square distance of its pixels from the fitted line.
    pub bend: f32,
    /// Mean strength of its pixels, 0 to 255.
    pub strength: f32,
}

impl Chain {
    /// Its length.
    #[must_use]
    pub fn len(&self) -> f32 {
        self.to - self.from
    }
}

/// Edge strength between neighbouring pixels, kept only where it is a local maximum across the
/// edge; a plane of `lines` rows of `line_len`, where a row holds what a chain crosses one step
/// at a time, and index `i` of a row stands for the boundary at coordinate `i`.
struct Ridges {
    line_len: usize,
    lines: usize,
    strength: Vec<u8>,
}

/// All chains that run one way and are at least `min_len` px long; edges weaker than
/// `threshold` (0 to 255) are not seen. A chain steps aside once in `steady` px at most: the
/// larger, the straighter its lines must be along the picture, and the sooner round corners end it.
#[must_use]
pub fn chains(
    planes: &Planes,
    way: Way,
    threshold: u8,
    min_len: usize,
    steady: u32,
) -> Vec<Chain> {
    let ridges = match way {
        Way::Down => ridges_down(planes, threshold),
        Way::Across => ridges_across(planes, threshold),
    };
    link(&ridges, min_len, steady)
}

/// Twice the change over a boundary from the two pixels on either side, in one channel.
#[inline]
fn step(a: u8, b: u8, c: u8, d: u8) -> u8 {
    let before = u16::from(a) + u16::from(b);
    let after = u16::from(c) + u16::from(d);
    (before.abs_diff(after) / 2) as u8
}

fn steps_down(planes: &Planes, y: usize, out: &mut [u8]) {
    let w = planes.width;
    out.fill(0);
    if w < 4 {
        return;
    }
    for plane in &planes.rgb {
        let row = &plane[y * w..][..w];
        let inner = &mut out[2..w - 1];
        let n = inner.len();
        let (a, b, c, d) = (&row[..n], &row[1..=n], &row[2..n + 2], &row[3..n + 3]);
        for i in 0..n {
            inner[i] = inner[i].max(step(a[i], b[i], c[i], d[i]));
        }
    }
}

fn steps_across(planes: &Planes, y: usize, out: &mut [u8]) {
    let w = planes.width;
    out.fill(0);
    if y < 2 || y + 1 >= planes.height {
        return;
    }
    for plane in &planes.rgb {
        let row = |y: usize| &plane[y * w..][..w];
        let (a, b, c, d) = (row(y - 2), row(y - 1), row(y), row(y + 1));
        for i in 0..w {
            out[i] = out[i].max(step(a[i], b[i], c[i], d[i]));
        }
    }
}

fn ridges_down(planes: &Planes, threshold: u8) -> Ridges {
    let (w, h) = (planes.width, planes.height);
    let mut strength = vec![0u8; w * h];
    let mut g = vec![0u8; w];
    for (y, out) in strength.chunks_exact_mut(w.max(1)).enumerate() {
        steps_down(planes, y, &mut g);
        if w < 3 {
            continue;
        }
        let n = w - 2;
        let (l, m, r) = (&g[..n], &g[1..=n], &g[2..]);
        for (i, o) in out[1..=n].iter_mut().enumerate() {
            let v = m[i];
            *o = if v >= threshold && v >= l[i] && v > r[i] {
                v
            } else {
                0
            };
        }
    }
    Ridges {
        line_len: w,
        lines: h,
        strength,
    }
}

fn ridges_across(planes: &Planes, threshold: u8) -> Ridges {
    let (w, h) = (planes.width, planes.height);
    let mut flat = vec![0u8; w * h];
    let mut above = vec![0u8; w];
    let mut here = vec![0u8; w];
    let mut below = vec![0u8; w];
    if h > 0 {
        steps_across(planes, 0, &mut here);
    }
    for y in 0..h {
        if y + 1 < h {
            steps_across(planes, y + 1, &mut below);
        } else {
            below.fill(0);
        }
        let out = &mut flat[y * w..][..w];
        for i in 0..w {
            let v = here[i];
            out[i] = if v >= threshold && v >= above[i] && v > below[i] {
                v
            } else {
                0
            };
        }
        std::mem::swap(&mut above, &mut here);
        std::mem::swap(&mut here, &mut below);
    }
    // Transposed, so that one routine links both ways; in blocks that stay in the cache.
    const BLOCK: usize = 32;
    let mut strength = vec![0u8; w * h];
    for by in (0..h).step_by(BLOCK) {
        for bx in (0..w).step_by(BLOCK) {
            for y in by..(by + BLOCK).min(h) {
                for x in bx..(bx + BLOCK).min(w) {
                    strength[x * h + y] = flat[y * w + x];
                }
            }
        }
    }
    Ridges {
        line_len: h,
        lines: w,
        strength,
    }
}

/// Running sums of a chain under construction.
#[derive(Clone, Copy, Default)]
struct Sums {
    first: u32,
    last: u32,
    at0: i32,
    /// Where the chain was last, and since when.
    at: i32,
    since: u32,
    n: f32,
    sa: f32,
    st: f32,
    saa: f32,
    stt: f32,
    sat: f32,
    strength: f32,
}

impl Sums {
    fn add(&mut self, line: u32, at: i32, strength: u8) {
        let t = (line - self.first) as f32;
        let a = (at - self.at0) as f32;
        self.last = line;
        if at != self.at {
            self.at = at;
            self.since = line;
        }
        self.n += 1.0;
        self.sa += a;
        self.st += t;
        self.saa += a * a;
        self.stt += t * t;
        self.sat += a * t;
        self.strength += f32::from(strength);
    }

    fn chain(&self) -> Chain {
        let (ma, mt) = (self.sa / self.n, self.st / self.n);
        let vt = (self.stt / self.n - mt * mt).max(1e-6);
        let va = (self.saa / self.n - ma * ma).max(0.0);
        let cov = self.sat / self.n - ma * mt;
        let slope = if self.last == self.first {
            0.0
        } else {
            cov / vt
        };
        let from = self.first as f32;
        let to = self.last as f32 + 1.0;
        let middle = (self.last - self.first) as f32 / 2.0;
        Chain {
            from,
            to,
            at: self.at0 as f32 + ma + slope * (middle - mt),
            slope,
            bend: (va - slope * cov).max(0.0).sqrt(),
            strength: self.strength / self.n,
        }
    }
}

/// Joins ridge pixels of neighbouring rows into chains. A chain may step aside by one pixel and
/// miss one row (a line drawn across it).
fn link(ridges: &Ridges, min_len: usize, steady: u32) -> Vec<Chain> {
    const NONE: u32 = u32::MAX;
    let w = ridges.line_len;
    let mut out = Vec::new();
    if w < 4 {
        return out;
    }
    let mut sums: Vec<Sums> = Vec::new();
    // Which chain passed each position last, and in which row.
    let mut chain_at = vec![NONE; w];
    let mut row_at = vec![NONE; w];
    for line in 0..ridges.lines {
        let row = &ridges.strength[line * w..][..w];
        let line = line as u32;
        let mut x = 0;
        while x < w {
            if x + 8 <= w && row[x..x + 8] == [0u8; 8] {
                x += 8;
                continue;
            }
            let s = row[x];
            if s == 0 {
                x += 1;
                continue;
            }
            let recent = |i: usize| row_at[i] != NONE && line - row_at[i] <= 2 && row_at[i] != line;
            let may_step = |i: usize| {
                recent(i) && {
                    let s: &Sums = &sums[chain_at[i] as usize];
                    line - s.since >= steady || s.since == s.first
                }
            };
            let found = if recent(x) {
                Some(x)
            } else if x > 0 && may_step(x - 1) {
                Some(x - 1)
            } else if x + 1 < w && may_step(x + 1) {
                Some(x + 1)
            } else {
                None
            };
            let id = match found {
                // A chain already continued in this row is not continued twice.
                Some(i) if sums[chain_at[i] as usize].last != line => chain_at[i],
                _ => {
                    sums.push(Sums {
                        first: line,
                        last: line,
                        at0: x as i32,
                        at: x as i32,
                        since: line,
                        ..Sums::default()
                    });
                    (sums.len() - 1) as u32
                }
            };
            sums[id as usize].add(line, x as i32, s);
            chain_at[x] = id;
            row_at[x] = line;
            x += 1;
        }
    }
    let min = min_len as u32;
    out.extend(
        sums.iter()
            .filter(|s| s.last + 1 - s.first >= min)
            .map(Sums::chain),
    );
    out
}
