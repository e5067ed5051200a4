//! Lattices of thin lines along the sides of a drawn picture, perhaps dashed.
//!
//! Takes planes, gives lattices and the cells between their lines. Nothing is judged here.

use super::super::extent::Span;
use super::super::planes::Planes;
use crate::types::{Point, PxFromCell};

/// A line differs from both sides by more than this.
const STEP: i32 = 24;

/// Px without a line that a dashed one may have.
const GAP: u32 = 16;

/// The shortest line, in px: four of the smallest cells.
const LEAST: u32 = 40;

/// Share of its px that a dashed line has.
const DASHED: f32 = 0.3;

/// Lines of one way at most: more is text.
const MOST: usize = 400;

/// Distances from line to line, in px.
const PITCH: (f64, f64) = (12.0, 420.0);

/// Fewest lines of a family: a board of four cells has three between them.
const FEWEST: usize = 3;

/// A line: where it lies across, and from where to where it runs.
#[derive(Clone, Copy, Debug)]
struct Line {
    at: u32,
    from: u32,
    to: u32,
}

/// Lines at equal distances that run side by side.
#[derive(Clone, Copy, Debug)]
struct Family {
    first: f64,
    pitch: f64,
    lines: usize,
    from: u32,
    to: u32,
}

/// Lattices of lines, the largest first.
#[must_use]
pub fn lattices(planes: &Planes) -> Vec<(PxFromCell, Span)> {
    let (down, across) = (lines(planes, true), lines(planes, false));
    let (columns, rows) = (families(&down), families(&across));
    let mut out: Vec<(usize, PxFromCell, Span)> = Vec::new();
    for c in &columns {
        for r in &rows {
            let alike = (c.pitch / r.pitch).ln().abs() < 0.06;
            let end = |f: &Family| f.first + f.pitch * (f.lines - 1) as f64;
            // Each family lies where the other runs.
            let crossed = |f: &Family, g: &Family| {
                f.first + f.pitch > f64::from(g.from) - g.pitch
                    && end(f) - f.pitch < f64::from(g.to) + g.pitch
            };
            if !alike || !crossed(c, r) || !crossed(r, c) {
                continue;
            }
            let at = PxFromCell::upright(Point::new(c.first, r.first), c.pitch, r.pitch);
            let core = Span {
                x0: 0,
                y0: 0,
                x1: c.lines as i32 - 1,
                y1: r.lines as i32 - 1,
            };
            out.push((c.lines * r.lines, at, core));
        }
    }
    out.sort_by_key(|l| std::cmp::Reverse(l.0));
    out.into_iter().map(|(_, at, core)| (at, core)).collect()
}

/// All lines that run down, or across.
fn lines(planes: &Planes, down: bool) -> Vec<Line> {
    let (w, h) = (planes.width, planes.height);
    // The way across a line, the way along it.
    let (wide, long) = if down { (w, h) } else { (h, w) };
    let (across, along) = if down { (1, w) } else { (w, 1) };
    let mut out = Vec::new();
    if wide < 8 || long < 8 {
        return out;
    }
    let [r, g, b] = &planes.rgb;
    let thin = |i: usize| {
        [r, g, b].into_iter().any(|plane| {
            let v = |k: usize| i32::from(plane[k]);
            let (before, here, after) = (v(i - 2 * across), v(i), v(i + 2 * across));
            let (p, q) = (here - before, here - after);
            p.abs() > STEP
                && q.abs() > STEP
                && (p > 0) == (q > 0)
                && (before - after).abs() < STEP / 2
        })
    };
    for at in 2..wide - 2 {
        let mut run: Option<(u32, u32, u32)> = None;
        let mut keep = |run: Option<(u32, u32, u32)>| {
            if let Some((from, to, n)) = run
                && to - from >= LEAST
                && n as f32 >= DASHED * (to - from) as f32
            {
                out.push(Line {
                    at: at as u32,
                    from,
                    to,
                });
            }
        };
        for t in 0..long as u32 {
            if !thin(at * across + t as usize * along) {
                continue;
            }
            run = match run {
                Some((from, to, n)) if t - to <= GAP => Some((from, t, n + 1)),
                other => {
                    keep(other);
                    Some((t, t, 1))
                }
            };
        }
        keep(run);
    }
    // What lies on a line hides a part of it.
    out.dedup_by(|b, a| {
        let one = a.at == b.at && 5 * (b.from - a.to) <= b.to - a.from;
        a.to = if one { b.to } else { a.to };
        one
    });
    // A line of two px is one line.
    out.dedup_by(|b, a| b.at == a.at + 1 && overlap(a, b) > 0.7);
    if out.len() > MOST {
        out.sort_by_key(|l| std::cmp::Reverse(l.to - l.from));
        out.truncate(MOST);
        out.sort_by_key(|l| l.at);
    }
    out
}

/// Common part of two lines, as a share of the longer one.
fn overlap(a: &Line, b: &Line) -> f32 {
    let common = a.to.min(b.to).saturating_sub(a.from.max(b.from));
    common as f32 / (a.to - a.from).max(b.to - b.from).max(1) as f32
}

/// Families of lines at equal distances, largest first.
fn families(lines: &[Line]) -> Vec<Family> {
    let mut out: Vec<Family> = Vec::new();
    for (i, a) in lines.iter().enumerate() {
        for b in &lines[i + 1..] {
            let pitch = f64::from(b.at - a.at);
            if !(PITCH.0..=PITCH.1).contains(&pitch) || overlap(a, b) < 0.6 {
                continue;
            }
            let (mut last, mut pitch) = (b, pitch);
            let mut n = 2;
            loop {
                let next = f64::from(last.at) + pitch;
                let near = |l: &&Line| {
                    (f64::from(l.at) - next).abs() <= 1.5f64.max(0.02 * pitch)
                        && overlap(a, l) > 0.6
                };
                let Some(l) = lines.iter().find(near) else {
                    break;
                };
                last = l;
                pitch = f64::from(l.at - a.at) / n as f64;
                n += 1;
            }
            if n >= FEWEST {
                out.push(Family {
                    first: f64::from(a.at) + 0.5,
                    pitch,
                    lines: n,
                    from: a.from,
                    to: a.to,
                });
            }
        }
    }
    out.sort_by_key(|f| std::cmp::Reverse(f.lines));
    // Part of a family that is known, or every second line of it.
    let mut kept: Vec<Family> = Vec::new();
    for f in out {
        let known = kept.iter().any(|k| {
            let (steps, off) = (f.pitch / k.pitch, (f.first - k.first) / k.pitch);
            (steps - steps.round()).abs() < 0.05
                && (off - off.round()).abs() < 0.1
                && off > -0.5
                && off < k.lines as f64
                && f.from < k.to
                && k.from < f.to
        });
        if !known && kept.len() < 12 {
            kept.push(f);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Picture;

    #[test]
    fn a_line_goes_on_behind_what_lies_on_it() {
        let mut picture = Picture::filled(320, 320, [0; 3]);
        for k in 1..=4 {
            for t in (0..320).filter(|t| t % 6 < 3) {
                picture.set(64 * k, t, [120; 3]);
                picture.set(t, 64 * k, [120; 3]);
            }
        }
        let whole = lattices(&Planes::new(&picture));
        // A disc in the middle of the board touches the lines around it.
        for y in -36i64..=36 {
            for x in -36i64..=36 {
                if x * x + y * y <= 36 * 36 {
                    picture.set(160 + x, 160 + y, [220, 40, 40]);
                }
            }
        }
        let hidden = lattices(&Planes::new(&picture));
        let core = |all: &[(PxFromCell, Span)]| all.first().map(|l| l.1.size());
        assert_eq!(core(&whole), Some(crate::types::GridSize::new(3, 3)));
        assert_eq!(core(&hidden), core(&whole));
    }
}
