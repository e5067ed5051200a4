//! A survey of a net: what is to be seen on its crossings and in its squares.
//!
//! Takes planes, a probe and a net. Nothing is decided about boards here; the colour of the
//! ground between the lines is told for every place, in the light of that place.

mod ground;
mod rims;
mod ring;
mod round;

use super::grow::Side;
use super::net::{Net, Way};
use super::probe::Probe;
use crate::calibrate::planes::Planes;
use crate::types::stone::{CORE, OUTER};
use crate::types::{GainField, Point};
use ground::{BRIGHTEST, gain, ground, hide, nearby, place};
pub use rims::rims;
pub use round::Round;

/// Parts of the way to the next crossing at which an arm of a crossing is looked at: beyond the
/// other line's width, within any stone.
const ARM: [f64; 5] = [0.17, 0.21, 0.25, 0.29, 0.33];

/// Where a mark in the middle of a stone would be.
const MIDDLE: [(f64, f64); 5] = [
    (0.0, 0.0),
    (0.06, 0.06),
    (-0.06, 0.06),
    (0.06, -0.06),
    (-0.06, -0.06),
];

/// How far from a crossing, in cells, the rim of a stone is looked for.
const RAY: (f64, f64) = (0.24, 0.96);
const RAY_STEPS: usize = 25;

/// Directions in which it is looked for: between the lines (cosine, sine).
pub const RAYS: [(f64, f64); 12] = [
    (0.934, 0.358),
    (0.707, 0.707),
    (0.358, 0.934),
    (-0.358, 0.934),
    (-0.707, 0.707),
    (-0.934, 0.358),
    (-0.934, -0.358),
    (-0.707, -0.707),
    (-0.358, -0.934),
    (0.358, -0.934),
    (0.707, -0.707),
    (0.934, -0.358),
];

/// Distances along [`RAYS`].
pub type Rims = [f32; RAYS.len()];

/// Whether an arm of a crossing shows its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    /// The line is there.
    Seen,
    /// It is not.
    Hidden,
    /// There is none, or the picture ends.
    None,
}

/// A crossing.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// Its arms: left, right, up, down.
    pub arms: [Arm; 4],
    /// Colour around it, off the lines.
    pub core: [f32; 3],
    /// Typical distance of its points from that colour.
    pub spread: f32,
    /// Colour near the rim that a stone would have.
    pub outer: [f32; 3],
    /// Colour that most of both have.
    pub whole: [f32; 3],
    /// Colour of the crossing itself.
    pub middle: [f32; 3],
    /// Distance in cells from the crossing at which the colour changes, in the directions of
    /// [`RAYS`]; infinite where it does not.
    pub rims: Rims,
    /// Radius in cells of a line around a thing of the ground's own colour.
    pub ring: Option<f64>,
}

/// How far beside their crossings stones are seen, in cells: less is none, more is no stone's.
const LEAST_LEAN: f64 = 0.07;
const MOST_LEAN: f64 = 0.3;

/// How much of a crossing's lines is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// The lines cross here for all to see.
    Clear,
    /// Some of it.
    Partly,
    /// Nothing of them.
    Hidden,
}

impl Spot {
    /// How much of the lines is seen.
    #[must_use]
    pub fn cover(&self) -> Cover {
        let count = |a: Arm| self.arms.iter().filter(|&&x| x == a).count();
        let (seen, hidden) = (count(Arm::Seen), count(Arm::Hidden));
        match (seen, hidden) {
            (0, _) => Cover::Hidden,
            (s, h) if s >= 2 && h * 2 <= s => Cover::Clear,
            (1, h) if h >= 2 => Cover::Hidden,
            (1, 0) => Cover::Clear,
            _ => Cover::Partly,
        }
    }

    /// In how many directions the colour changes nearby.
    #[must_use]
    pub fn rim(&self) -> usize {
        self.rims.iter().filter(|r| r.is_finite()).count()
    }

    /// Whether the colour changes at about the same distance in every direction.
    #[must_use]
    pub fn is_disc(&self) -> bool {
        let (least, most) = { self.rims.iter() }
            .fold((f32::INFINITY, 0.0), |(a, b): (f32, f32), &r| {
                (a.min(r), b.max(r))
            });
        most.is_finite() && most - least < 0.15 * most
    }

    /// The line around a thing of the ground's own colour, if there is one.
    #[must_use]
    pub fn ringed(&self) -> Option<Round> {
        let round = |radius| Round {
            middle: (0.0, 0.0),
            radius,
        };
        self.ring.map(round)
    }

    /// The circle on which the colour changes, if it is one.
    #[must_use]
    pub fn round(&self) -> Option<Round> {
        Round::of(&self.rims)
    }
}

/// A square between lines.
#[derive(Clone, Copy, Debug)]
pub struct Square {
    /// Colour of its middle.
    pub middle: [f32; 3],
    /// Colour of its quarters' middles, most different one from the ground left out.
    pub around: [f32; 3],
}

/// The survey.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Columns and rows of crossings.
    pub cols: usize,
    /// Rows of crossings.
    pub rows: usize,
    /// Row by row.
    pub spots: Vec<Spot>,
    /// Row by row, one less each way than crossings.
    pub squares: Vec<Square>,
    /// The ground's colour at each crossing, in the light there.
    pub ground: Vec<[f32; 3]>,
    /// The ground's usual colour.
    pub usual: [f32; 3],
    /// The light over the board, as far as it changes slowly.
    pub gain: GainField,
    /// A pixel of the picture in the middle of the board, in cells.
    pub px: f64,
}

/// Channel-wise median.
pub fn median(points: &mut [[f32; 3]]) -> [f32; 3] {
    let n = points.len();
    if n == 0 {
        return [0.0; 3];
    }
    [0, 1, 2].map(|c| {
        points.sort_unstable_by(|a, b| a[c].total_cmp(&b[c]));
        (points[(n - 1) / 2][c] + points[n / 2][c]) / 2.0
    })
}

/// The colour that most of some points have, nearly: what is drawn on a thing has another.
fn dominant(points: &[[f32; 3]]) -> [f32; 3] {
    let near = |a: [f32; 3], b: [f32; 3]| distance(a, b) < 14.0 + 0.06 * a[0].max(a[1]).max(a[2]);
    let support = |a: [f32; 3]| points.iter().filter(|&&b| near(a, b)).count();
    let Some(&best) = points.iter().max_by_key(|&&a| support(a)) else {
        return [0.0; 3];
    };
    let mut alike: Vec<[f32; 3]> = points.iter().copied().filter(|&b| near(best, b)).collect();
    if alike.len() * 3 < points.len() {
        alike = points.to_vec();
    }
    median(&mut alike)
}

/// Euclidean distance of two colours.
#[must_use]
pub fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
}

/// The nearest colour to a point, as the picture ends at its edge.
fn colour(planes: &Planes, p: Point) -> [f32; 3] {
    let at = Point::new(
        p.x.clamp(0.0, planes.width as f64 - 0.01),
        p.y.clamp(0.0, planes.height as f64 - 0.01),
    );
    planes.at(at).unwrap_or_default().map(f32::from)
}

impl Survey {
    /// Looks at all of a net.
    #[must_use]
    pub fn new(probe: &Probe<'_>, net: &Net) -> Self {
        let e = net.extent;
        let (w, h) = e.lines();
        let mut spots = Vec::with_capacity((w * h) as usize);
        for y in e.y0..=e.y1 {
            for x in e.x0..=e.x1 {
                spots.push(spot(probe, net, x, y));
            }
        }
        let (cols, rows) = (w as usize, h as usize);
        let mut squares = Vec::with_capacity(((w - 1) * (h - 1)).max(0) as usize);
        for y in e.y0..e.y1 {
            for x in e.x0..e.x1 {
                squares.push(square(probe.planes, net, x, y));
            }
        }
        hide(&mut spots, &squares, cols, probe.noise);
        let (mut ground, usual) = ground(&spots, cols, rows);
        nearby(&mut ground, &spots, &squares, cols, usual);
        let gain = gain(&spots, cols, rows, usual);
        let middle = |a: i32, b: i32| f64::from(a + b) / 2.0;
        let [wide, high] = net.pitch(middle(e.x0, e.x1), middle(e.y0, e.y1));
        let mut survey = Self {
            cols,
            rows,
            spots,
            squares,
            ground,
            usual,
            gain,
            px: 1.0 / wide.min(high).max(1.0),
        };
        for i in 0..survey.spots.len() {
            if survey.spots[i].cover() == Cover::Clear {
                continue;
            }
            let (x, y) = (e.x0 + (i % cols) as i32, e.y0 + (i / cols) as i32);
            survey.bound(probe, net, i, (x, y));
        }
        survey
    }

    /// Looks again at what hides crossings where that is seen beside them: a camera looks at thick
    /// stones from the side.
    pub fn lean(&mut self, probe: &Probe<'_>, net: &Net) {
        let hides = |s: &Spot| s.cover() != Cover::Clear;
        let rounds: Vec<Round> = self
            .spots
            .iter()
            .filter(|s| hides(s))
            .filter_map(Spot::round)
            .collect();
        if rounds.len() < 2 {
            return;
        }
        let middle = |get: fn(&Round) -> f64| {
            let mut all: Vec<f64> = rounds.iter().map(get).collect();
            all.sort_by(f64::total_cmp);
            all[all.len() / 2]
        };
        let (dx, dy) = (middle(|r| r.middle.0), middle(|r| r.middle.1));
        let long = dx.hypot(dy);
        if long < LEAST_LEAN {
            return;
        }
        let part = (MOST_LEAN / long).min(1.0);
        let (dx, dy) = (dx * part, dy * part);
        let reach = 0.88 * middle(|r| r.radius);
        let e = net.extent;
        for i in 0..self.spots.len() {
            if !hides(&self.spots[i]) {
                continue;
            }
            let at = (e.x0 + (i % self.cols) as i32, e.y0 + (i / self.cols) as i32);
            let (x, y) = (f64::from(at.0), f64::from(at.1));
            let mut arms = self.spots[i].arms;
            // An arm that such a stone leaves free says nothing.
            let ways = [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)];
            for (arm, (ax, ay)) in arms.iter_mut().zip(ways) {
                if (ARM[2] * ax - dx).hypot(ARM[2] * ay - dy) > reach {
                    *arm = Arm::None;
                }
            }
            if arms.iter().all(|a| *a == Arm::None) {
                arms = self.spots[i].arms;
            }
            self.spots[i] = Spot {
                arms,
                ..coloured(probe.planes, net, (x + dx, y + dy))
            };
            self.bound(probe, net, i, at);
        }
    }

    /// A colour as it would be in the usual light, told by the light over the whole board.
    #[must_use]
    pub fn unlit(&self, i: usize, rgb: [f32; 3]) -> [f32; 3] {
        let f = self.gain.factor(
            place(i % self.cols, self.cols),
            place(i / self.cols, self.rows),
        );
        [0, 1, 2].map(|c| (rgb[c] / f[c]).min(BRIGHTEST))
    }

    /// The same, told by the ground nearby, as in a shadow.
    #[must_use]
    pub fn unshaded(&self, i: usize, rgb: [f32; 3]) -> [f32; 3] {
        let g = self.ground[i];
        [0, 1, 2].map(|c| {
            let gain = (self.usual[c] + 6.0) / (g[c] + 6.0);
            (rgb[c] * gain.clamp(0.2, 5.0)).min(BRIGHTEST)
        })
    }

    /// The same without the veil that glare lays over the ground there; light adds up in proportion
    /// to about the square of what a picture shows.
    #[must_use]
    pub fn unveiled(&self, i: usize, rgb: [f32; 3]) -> [f32; 3] {
        let over = [0, 1, 2].map(|c| self.ground[i][c].powi(2) - self.usual[c].powi(2));
        let veil = over.into_iter().fold(f32::INFINITY, f32::min).max(0.0);
        rgb.map(|v| (v * v - veil).max(0.0).sqrt())
    }

    /// From which distance on two colours are different, around a crossing.
    #[must_use]
    pub fn apart(&self, noise: f32, i: usize) -> f32 {
        let g = self.ground[i];
        9.0 + 1.5 * noise + 0.05 * g[0].max(g[1]).max(g[2])
    }

    /// Looks where that on a crossing ends.
    fn bound(&mut self, probe: &Probe<'_>, net: &Net, i: usize, at: (i32, i32)) {
        let apart = self.apart(probe.noise, i);
        let middle = (f64::from(at.0), f64::from(at.1));
        let (core, ground) = (self.spots[i].core, self.ground[i]);
        self.spots[i].rims = rims(probe.planes, net, middle, core, ground, apart);
        self.spots[i].ring = (distance(core, ground) < 2.0 * apart)
            .then(|| ring::ring(probe.planes, net, middle, core, apart))
            .flatten();
    }
}

fn spot(probe: &Probe<'_>, net: &Net, x: i32, y: i32) -> Spot {
    let (fx, fy) = (f64::from(x), f64::from(y));
    let here = net.px(fx, fy);
    let e = &net.extent;
    let [wide, high] = net.pitch(fx, fy);
    let least = wide.min(high);
    let arm = |side: Side| {
        let (dx, dy) = match side {
            Side::Left => (-1, 0),
            Side::Right => (1, 0),
            Side::Top => (0, -1),
            Side::Bottom => (0, 1),
        };
        let (tx, ty) = (x + dx, y + dy);
        if tx < e.x0 || tx > e.x1 || ty < e.y0 || ty > e.y1 {
            return Arm::None;
        }
        let there = net.px(f64::from(tx), f64::from(ty));
        let way = match side.way() {
            Way::Down => Way::Across,
            Way::Across => Way::Down,
        };
        let pitch = here.distance(there);
        let reach = (0.05 * pitch).clamp(1.0, 4.0);
        // Where cells are small, what is beside the line must lie within a stone, too.
        let part = stone_reach(probe.beside, least) / ARM[ARM.len() - 1];
        match probe.between(here, there, way, &ARM.map(|a| a * part.min(1.0)), reach) {
            None => Arm::None,
            Some(look) if look.strength >= net.floor && look.through > 0.5 => Arm::Seen,
            Some(_) => Arm::Hidden,
        }
    };
    Spot {
        arms: Side::ALL.map(arm),
        ..coloured(probe.planes, net, (fx, fy))
    }
}

/// The colour that most of the ground or stone around a point of the net has.
#[must_use]
pub fn core(planes: &Planes, net: &Net, (x, y): (f64, f64)) -> [f32; 3] {
    dominant(&CORE.map(|(dx, dy)| colour(planes, net.px(x + dx, y + dy))))
}

/// The colours around a point of the net; nothing else is known yet.
fn coloured(planes: &Planes, net: &Net, (x, y): (f64, f64)) -> Spot {
    let at = |(dx, dy): (f64, f64)| colour(planes, net.px(x + dx, y + dy));
    let (points, outer) = (CORE.map(at), OUTER.map(at));
    let core = dominant(&points);
    let mut off = points.map(|p| distance(p, core));
    off.sort_by(f32::total_cmp);
    Spot {
        arms: [Arm::None; 4],
        core,
        spread: off[8],
        outer: dominant(&outer),
        whole: dominant(&[points, outer].concat()),
        middle: median(&mut MIDDLE.map(at)),
        rims: [f32::INFINITY; RAYS.len()],
        ring: None,
    }
}

/// How far from its crossing a small stone still covers a line and `beside` px on both sides of it,
/// in cells.
fn stone_reach(beside: f64, pitch: f64) -> f64 {
    const LEAST: f64 = 0.34;
    (LEAST * LEAST - (beside / pitch).powi(2)).max(0.075).sqrt()
}

fn square(planes: &Planes, net: &Net, x: i32, y: i32) -> Square {
    let (cx, cy) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
    let at = |dx: f64, dy: f64| colour(planes, net.px(cx + dx, cy + dy));
    const M: f64 = 0.07;
    let mut middle = [at(0.0, 0.0), at(-M, -M), at(M, -M), at(-M, M), at(M, M)];
    const Q: f64 = 0.2;
    let mut around = [at(-Q, 0.0), at(Q, 0.0), at(0.0, -Q), at(0.0, Q)];
    Square {
        middle: median(&mut middle),
        around: median(&mut around),
    }
}
