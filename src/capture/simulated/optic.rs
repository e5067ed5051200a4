//! Which part of a screen each pixel of a camera sees, worked out once for a pose; then only
//! what changed on the screen is looked at again.

use super::model::{CameraModel, Room};
use super::noise::clouds;
use crate::types::picture::channels;
use crate::types::{Picture, Point, PxFromCell};

/// Side of the tiles of the screen that are compared, in px.
const TILE: usize = 16;

/// Points sampled along each axis of a camera pixel's soft footprint.
const TAPS: usize = 4;

/// Steps of the table from light to pixel value.
const STEPS: usize = 4096;

/// One camera pixel's view: the screen point in its middle and how it moves with the pixel.
#[derive(Clone, Copy, Default)]
struct Sight {
    at: [f32; 2],
    per_x: [f32; 2],
    per_y: [f32; 2],
}

/// The way of light from a screen to pixel values, without noise and what changes with time.
pub struct Optic {
    model: CameraModel,
    sights: Vec<Sight>,
    /// Share of the light that arrives, per channel, and light added by a mirrored lamp.
    gain: Vec<[f32; 3]>,
    glow: Vec<f32>,
    screen: Picture,
    /// Red, green and blue of what is seen, as pixel values.
    pub seen: [Vec<u8>; 3],
    light_of: Vec<f32>,
    code_of: Vec<u8>,
    /// Offsets in camera px of the footprint's samples.
    taps: [f32; TAPS],
    weights: [f32; TAPS],
}

impl Optic {
    pub fn new(model: &CameraModel) -> Self {
        let gamma = model.sensor.gamma.max(0.1);
        let n = model.picture.0 as usize * model.picture.1 as usize;
        // A box of one pixel and the blur together, as a Gaussian sampled at four points.
        let sigma = (1.0 / 12.0 + model.sensor.blur.powi(2)).sqrt() as f32;
        let taps = [-1.5, -0.5, 0.5, 1.5].map(|t: f32| t * sigma * 1.05);
        let mut weights = [-1.5, -0.5, 0.5, 1.5].map(|t: f32| (-t * t * 1.1 / 2.0).exp());
        let sum: f32 = weights.iter().sum();
        weights.iter_mut().for_each(|w| *w /= sum);
        Self {
            model: model.clone(),
            sights: Vec::with_capacity(n),
            gain: Vec::with_capacity(n),
            glow: Vec::new(),
            screen: Picture::default(),
            seen: [vec![0; n], vec![0; n], vec![0; n]],
            light_of: (0..256)
                .map(|v| (f64::from(v) / 255.0).powf(gamma) as f32)
                .collect(),
            code_of: (0..=STEPS)
                .map(|i| {
                    let light = i as f64 / STEPS as f64;
                    (light.powf(1.0 / gamma) * 255.0).round() as u8
                })
                .collect(),
            taps,
            weights,
        }
    }

    /// Looks at a screen; where it is as before nothing is done.
    pub fn look(&mut self, screen: &Picture) {
        let (w, h) = (self.model.picture.0 as usize, self.model.picture.1 as usize);
        let same_size =
            (screen.width(), screen.height()) == (self.screen.width(), self.screen.height());
        if self.sights.is_empty() || !same_size {
            self.prepare();
            self.screen.clone_from(screen);
            self.renew([0, 0, w, h]);
            return;
        }
        let changed = self.changed(screen);
        if changed.is_empty() {
            return;
        }
        let w = screen.width() as usize;
        for &[x0, y0, x1, y1] in &changed {
            for y in y0..y1 {
                let at = y * w + x0..y * w + x1;
                self.screen.pixels_mut()[at.clone()].copy_from_slice(&screen.pixels()[at]);
            }
        }
        for area in changed {
            self.renew(self.seen_in(area));
        }
    }

    /// Boxes of screen px in which something changed.
    fn changed(&self, screen: &Picture) -> Vec<[usize; 4]> {
        let (sw, sh) = (screen.width() as usize, screen.height() as usize);
        let (old, new) = (self.screen.pixels(), screen.pixels());
        let mut out = Vec::new();
        for y0 in (0..sh).step_by(TILE) {
            let y1 = (y0 + TILE).min(sh);
            if old[y0 * sw..y1 * sw] == new[y0 * sw..y1 * sw] {
                continue;
            }
            let mut from = None;
            for x0 in (0..sw + TILE).step_by(TILE) {
                let x1 = (x0 + TILE).min(sw);
                let differs = x0 < sw
                    && (y0..y1)
                        .any(|y| old[y * sw + x0..y * sw + x1] != new[y * sw + x0..y * sw + x1]);
                match (from, differs) {
                    (None, true) => from = Some(x0),
                    (Some(x), false) => {
                        out.push([x, y0, x0.min(sw), y1]);
                        from = None;
                    }
                    _ => {}
                }
            }
        }
        out
    }

    /// The box of camera px that may see a box of the screen.
    fn seen_in(&self, [x0, y0, x1, y1]: [usize; 4]) -> [usize; 4] {
        let (w, h) = (
            f64::from(self.model.picture.0),
            f64::from(self.model.picture.1),
        );
        let rim = 3.0 * self.model.sensor.blur + 2.0;
        let (mut a, mut b, mut c, mut d) = (f64::MAX, f64::MAX, f64::MIN, f64::MIN);
        for (x, y) in [(x0, y0), (x1, y0), (x1, y1), (x0, y1)] {
            let p = self
                .model
                .camera_from_screen(Point::new(x as f64, y as f64));
            (a, b) = (a.min(p.x), b.min(p.y));
            (c, d) = (c.max(p.x), d.max(p.y));
        }
        let low = |v: f64, end: f64| (v - rim).floor().clamp(0.0, end) as usize;
        let high = |v: f64, end: f64| (v + rim).ceil().clamp(0.0, end) as usize;
        [low(a, w), low(b, h), high(c, w), high(d, h)]
    }

    /// Everything that depends on the pose alone.
    fn prepare(&mut self) {
        let (w, h) = self.model.picture;
        let forward = self.model.ideal_from_screen();
        let back = forward.inverse().unwrap_or(forward);
        self.sights.clear();
        self.gain.clear();
        self.glow.clear();
        for y in 0..h {
            for x in 0..w {
                let px = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                let sight = self.sight(&back, px);
                self.gain.push(self.gain_at(px, sight.at));
                self.sights.push(sight);
                if let Some(g) = self.model.light.glare {
                    let d2 = (px.x - g.at.x).powi(2) + (px.y - g.at.y).powi(2);
                    let glow = g.strength * (-d2 / (2.0 * g.radius * g.radius)).exp();
                    self.glow.push(glow as f32);
                }
            }
        }
    }

    fn sight(&self, back: &PxFromCell, px: Point) -> Sight {
        let ideal = |x: f64, y: f64| back.map(self.model.ideal(Point::new(x, y)));
        let at = ideal(px.x, px.y);
        let right = ideal(px.x + 0.5, px.y);
        let below = ideal(px.x, px.y + 0.5);
        let per = |p: Point| [(2.0 * (p.x - at.x)) as f32, (2.0 * (p.y - at.y)) as f32];
        Sight {
            at: [at.x as f32, at.y as f32],
            per_x: per(right),
            per_y: per(below),
        }
    }

    fn gain_at(&self, px: Point, [sx, sy]: [f32; 2]) -> [f32; 3] {
        let (m, l) = (&self.model, &self.model.light);
        let c = m.centre();
        let half = c.x.hypot(c.y);
        let reach = if l.reach > 0.0 { l.reach } else { 2.0 * half };
        let middle = l.middle.unwrap_or(c);
        let (s, k) = l.angle.to_radians().sin_cos();
        let along = ((px.x - middle.x) * k + (px.y - middle.y) * s) / reach;
        let r2 = ((px.x - c.x).powi(2) + (px.y - c.y).powi(2)) / (half * half);
        let gain = l.exposure
            * (-l.ratio.max(1.0).ln() * (along + 0.5).clamp(0.0, 1.3)).exp()
            * (1.0 - l.vignette * r2);
        let band = l.flicker.map_or(1.0, |(depth, height)| {
            1.0 + depth * (px.y / height.max(1.0) * std::f64::consts::TAU).sin()
        });
        let moire = m.sensor.moire;
        [0, 1, 2].map(|i| {
            let mut v = gain * band * l.cast[i];
            if moire > 0.0 {
                let column = (std::f64::consts::TAU * (f64::from(sx) + i as f64 / 3.0)).cos();
                let line = (std::f64::consts::TAU * f64::from(sy)).cos();
                v *= 1.0 + moire * (column + 0.5 * line);
            }
            v as f32
        })
    }

    /// Looks again at a box of camera px.
    fn renew(&mut self, [x0, y0, x1, y1]: [usize; 4]) {
        let w = self.model.picture.0 as usize;
        for y in y0..y1 {
            for i in y * w + x0..y * w + x1 {
                let light = self.light(i, w);
                let glow = self.glow.get(i).copied().unwrap_or(0.0);
                let mut v = [0, 1, 2].map(|k: usize| light[k] * self.gain[i][k] + glow);
                let saturation = self.model.sensor.saturation as f32;
                if saturation != 1.0 {
                    let grey = v[0] * 0.299 + v[1] * 0.587 + v[2] * 0.114;
                    v = v.map(|c| grey + (c - grey) * saturation);
                }
                for (plane, v) in self.seen.iter_mut().zip(v) {
                    plane[i] = self.code_of[(v.clamp(0.0, 1.0) * STEPS as f32) as usize];
                }
            }
        }
    }

    fn light(&self, i: usize, w: usize) -> [f32; 3] {
        let s = &self.sights[i];
        let (sw, sh) = (self.screen.width() as i32, self.screen.height() as i32);
        let px = self.screen.pixels();
        let bezel = self.model.bezel as f32;
        let mut sum = [0f32; 3];
        for (v, wv) in self.taps.iter().zip(self.weights) {
            for (u, wu) in self.taps.iter().zip(self.weights) {
                let x = s.at[0] + u * s.per_x[0] + v * s.per_y[0];
                let y = s.at[1] + u * s.per_x[1] + v * s.per_y[1];
                let (ix, iy) = (x.floor() as i32, y.floor() as i32);
                let weight = wu * wv;
                if ix >= 0 && iy >= 0 && ix < sw && iy < sh {
                    let c = channels(px[(iy * sw + ix) as usize]);
                    for (s, c) in sum.iter_mut().zip(c) {
                        *s += weight * self.light_of[usize::from(c)];
                    }
                } else {
                    let rim = x >= -bezel
                        && y >= -bezel
                        && x < sw as f32 + bezel
                        && y < sh as f32 + bezel;
                    let around = if rim {
                        [0.012, 0.012, 0.013]
                    } else {
                        self.room(i, w)
                    };
                    for (s, c) in sum.iter_mut().zip(around) {
                        *s += weight * c;
                    }
                }
            }
        }
        sum
    }

    fn room(&self, i: usize, w: usize) -> [f32; 3] {
        let (x, y) = ((i % w) as f64 + 0.5, (i / w) as f64 + 0.5);
        match self.model.room {
            Room::Plain(c) => c.map(|v| v as f32),
            Room::Gradient(a, b) => {
                let t = y / f64::from(self.model.picture.1.max(1));
                [0, 1, 2].map(|k| (a[k] + (b[k] - a[k]) * t) as f32)
            }
            Room::Noisy(c, spread) => {
                let n = clouds(self.model.seed, x / 60.0, y / 60.0) - 0.5;
                c.map(|v| (v * (1.0 + 2.0 * spread * n)).max(0.0) as f32)
            }
        }
    }
}
