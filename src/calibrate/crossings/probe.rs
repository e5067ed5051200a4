//! What lies along the edges of a net, from crossing to crossing: a line, or none.
//!
//! Takes planes and a net. An edge is looked at on its middle part, which stones on its ends leave
//! free, and across it as far as the net may be off.

use super::net::{Mark, Net, Way};
use super::threads::Ink;
use crate::calibrate::planes::Planes;
use crate::types::Point;

/// Parts of the way from crossing to crossing at which an edge is looked at.
pub const STATIONS: [f64; 5] = [0.34, 0.42, 0.5, 0.58, 0.66];

/// Share of a line's mean strength that a station of it shows.
const THROUGH: f32 = 0.35;

/// Most samples across an edge.
const MOST: usize = 96;

/// An edge of a net: from a crossing to the next one on the same line.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The family of its line.
    pub way: Way,
    /// The number of its line.
    pub line: i32,
    /// The lines of the other family between which it lies: this one and the next.
    pub from: i32,
}

/// What was seen of an edge.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// How far the line is beside where it should be, in px.
    pub off: f64,
    /// How much it differs from both sides, 0 to 255; 0 or less is none.
    pub strength: f32,
    /// Difference between the two sides.
    pub uneven: f32,
    /// What lies beside it.
    pub ground: f32,
    /// Share of the stations that show it: a line runs through all of them, a stroke of something
    /// drawn on a stone crosses one or two.
    pub through: f32,
}

/// A picture and how lines look in it.
#[derive(Clone, Copy, Debug)]
pub struct Probe<'a> {
    /// The picture.
    pub planes: &'a Planes,
    /// Darker or lighter than what lies beside.
    pub ink: Ink,
    /// The channel in which lines show most.
    pub channel: usize,
    /// How far beside a line's middle its surroundings begin, in px.
    pub beside: f64,
    /// Standard deviation of a pixel's noise.
    pub noise: f32,
}

impl Probe<'_> {
    /// The value of the channel at a point, lines dark; `None` outside.
    #[inline]
    #[must_use]
    pub fn value(&self, p: Point) -> Option<f32> {
        let (w, h) = (self.planes.width, self.planes.height);
        let (x, y) = (p.x - 0.5, p.y - 0.5);
        if !(x >= 0.0 && y >= 0.0) {
            return None;
        }
        let (i, j) = (x as usize, y as usize);
        if i + 1 >= w || j + 1 >= h {
            return None;
        }
        let (fx, fy) = ((x - i as f64) as f32, (y - j as f64) as f32);
        let plane = &self.planes.rgb[self.channel];
        let at = j * w + i;
        let (a, b) = (f32::from(plane[at]), f32::from(plane[at + 1]));
        let (c, d) = (f32::from(plane[at + w]), f32::from(plane[at + w + 1]));
        let top = a + (b - a) * fx;
        let v = top + (c + (d - c) * fx - top) * fy;
        Some(if self.ink == Ink::Dark { v } else { 255.0 - v })
    }

    /// Both ends of an edge in px.
    #[must_use]
    pub fn ends(net: &Net, edge: Edge) -> (Point, Point) {
        let (k, j) = (f64::from(edge.line), f64::from(edge.from));
        match edge.way {
            Way::Down => (net.px(k, j), net.px(k, j + 1.0)),
            Way::Across => (net.px(j, k), net.px(j + 1.0, k)),
        }
    }

    /// Looks at an edge, at most `reach` px beside where it should be; `None` when part of it
    /// lies outside the picture.
    #[must_use]
    pub fn edge(&self, net: &Net, edge: Edge, reach: f64) -> Option<Look> {
        let (a, b) = Self::ends(net, edge);
        self.between(a, b, edge.way, &STATIONS, reach)
    }

    /// Looks at the parts `stations` of the way from `a` to `b`.
    #[must_use]
    pub fn between(
        &self,
        a: Point,
        b: Point,
        way: Way,
        stations: &[f64],
        reach: f64,
    ) -> Option<Look> {
        let length = a.distance(b).max(1e-9);
        let (dx, dy) = ((b.x - a.x) / length, (b.y - a.y) / length);
        // To the side of larger numbers.
        let (nx, ny) = match way {
            Way::Down => (dy, -dx),
            Way::Across => (-dy, dx),
        };
        let step = (reach / 8.0).clamp(0.5, 1.0);
        let wide = (self.beside / step).round().max(1.0) as usize;
        let half = ((reach / step).ceil() as usize + wide).min(MOST / 2 - 1);
        let count = 2 * half + 1;
        let at = |t: f64, o: f64| {
            let p = Point::new(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t);
            self.value(Point::new(p.x + nx * o, p.y + ny * o))
        };
        let mut profile = [0.0f32; MOST];
        for &t in stations {
            for (i, sum) in profile[..count].iter_mut().enumerate() {
                *sum += at(t, (i as f64 - half as f64) * step)?;
            }
        }
        let n = stations.len() as f32;
        let mut best = (f32::MIN, half);
        for i in wide..count - wide {
            let s = profile[i - wide].min(profile[i + wide]) - profile[i];
            if s > best.0 {
                best = (s, i);
            }
        }
        let (s, i) = best;
        // The bottom of the valley between samples.
        let (l, m, r) = (
            profile[i.max(1) - 1],
            profile[i],
            profile[(i + 1).min(count - 1)],
        );
        let bend = l - 2.0 * m + r;
        let shift = if bend > 1e-3 {
            (0.5 * (l - r) / bend).clamp(-0.5, 0.5)
        } else {
            0.0
        };
        let (lo, hi) = (profile[i - wide] / n, profile[i + wide] / n);
        let off = (i as f64 - half as f64 + f64::from(shift)) * step;
        let aside = wide as f64 * step;
        let shown = stations.iter().filter(|&&t| {
            let line = at(t, off).unwrap_or(f32::MAX);
            let side = |o: f64| at(t, off + o).unwrap_or(f32::MIN);
            side(-aside).min(side(aside)) - line > THROUGH * s / n
        });
        Some(Look {
            off,
            strength: s / n,
            uneven: (lo - hi).abs(),
            ground: (lo + hi) / 2.0,
            through: shown.count() as f32 / n,
        })
    }

    /// Where the line of an edge was seen, as a mark.
    #[must_use]
    pub fn mark(net: &Net, edge: Edge, look: &Look) -> Mark {
        let (a, b) = Self::ends(net, edge);
        let length = a.distance(b).max(1e-9);
        let (dx, dy) = ((b.x - a.x) / length, (b.y - a.y) / length);
        let (nx, ny) = match edge.way {
            Way::Down => (dy, -dx),
            Way::Across => (-dy, dx),
        };
        Mark {
            px: Point::new(
                (a.x + b.x) / 2.0 + nx * look.off,
                (a.y + b.y) / 2.0 + ny * look.off,
            ),
            way: edge.way,
            line: edge.line,
        }
    }
}
