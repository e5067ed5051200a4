//! What a [`CameraModel`] sees of a screen: area-sampled warp, light, lens, sensor.
//!
//! Takes a screen picture and a frame number, gives the camera's picture; the same model, screen
//! and number give the same picture. All in the model's light units, 0 black to 1 white.

use rayon::prelude::*;

use super::model::{CameraModel, Room};
use super::noise::{Gauss, clouds};
use super::optics::{gauss_blur, motion_blur, put_hand};
use crate::types::picture::{channels, packed};
use crate::types::{Picture, Point};

pub(super) type Light3 = [f32; 3];

/// A camera with its buffers; as long as the screen does not change, only the noise is renewed.
pub struct Camera {
    model: CameraModel,
    seen: Picture,
    clean: Vec<Light3>,
    spare: Vec<Light3>,
    light_of: Vec<f32>,
    gauss: Gauss,
}

impl Camera {
    /// A camera that has not looked yet.
    #[must_use]
    pub fn new(model: CameraModel) -> Self {
        let gamma = model.sensor.gamma.max(0.1);
        Self {
            light_of: (0..256)
                .map(|v| (f64::from(v) / 255.0).powf(gamma) as f32)
                .collect(),
            gauss: Gauss::new(model.seed),
            seen: Picture::default(),
            clean: Vec::new(),
            spare: Vec::new(),
            model,
        }
    }

    /// Its numbers.
    #[must_use]
    pub const fn model(&self) -> &CameraModel {
        &self.model
    }

    /// Takes picture number `seq` of the screen.
    pub fn view(&mut self, screen: &Picture, seq: u64, out: &mut Picture) {
        if self.clean.is_empty() || self.seen != *screen {
            self.seen.clone_from(screen);
            self.look(screen);
        }
        self.expose(seq, out);
        if let Some(quality) = self.model.sensor.jpeg {
            super::jpeg::compress(out, quality);
        }
    }

    /// Everything that does not change from frame to frame.
    fn look(&mut self, screen: &Picture) {
        let (w, h) = self.model.picture;
        self.clean.resize(w as usize * h as usize, [0.0; 3]);
        self.spare.resize(self.clean.len(), [0.0; 3]);
        let warp = Warp::new(&self.model, screen, &self.light_of);
        self.clean
            .par_chunks_mut(w as usize)
            .enumerate()
            .for_each(|(y, row)| {
                for (x, pixel) in row.iter_mut().enumerate() {
                    *pixel = warp.pixel(x as f64, y as f64);
                }
            });
        if let Some(hand) = self.model.hand {
            put_hand(&mut self.clean, w as usize, hand, self.model.seed);
        }
        let sensor = &self.model.sensor;
        gauss_blur(&mut self.clean, &mut self.spare, w as usize, sensor.blur);
        motion_blur(&mut self.clean, &mut self.spare, w as usize, sensor.motion);
        self.light();
    }

    fn light(&mut self) {
        let m = &self.model;
        let l = &m.light;
        let w = m.picture.0 as usize;
        let c = m.centre();
        let half = c.x.hypot(c.y);
        let reach = if l.reach > 0.0 { l.reach } else { 2.0 * half };
        let middle = l.middle.unwrap_or(c);
        let (s, k) = l.angle.to_radians().sin_cos();
        let fall = l.ratio.max(1.0).ln();
        self.clean
            .par_chunks_mut(w)
            .enumerate()
            .for_each(|(y, row)| {
                for (x, pixel) in row.iter_mut().enumerate() {
                    let (px, py) = (x as f64 + 0.5, y as f64 + 0.5);
                    let along = ((px - middle.x) * k + (py - middle.y) * s) / reach;
                    let r2 = ((px - c.x).powi(2) + (py - c.y).powi(2)) / (half * half);
                    // Beyond its reach the gradient goes on a little and then stays.
                    let gain = l.exposure
                        * (-fall * (along + 0.5).clamp(0.0, 1.3)).exp()
                        * (1.0 - l.vignette * r2);
                    let glow = l.glare.map_or(0.0, |g| {
                        let d2 = (px - g.at.x).powi(2) + (py - g.at.y).powi(2);
                        g.strength * (-d2 / (2.0 * g.radius * g.radius)).exp()
                    });
                    for (v, cast) in pixel.iter_mut().zip(l.cast) {
                        *v = (f64::from(*v) * gain * cast + glow) as f32;
                    }
                }
            });
    }

    /// Noise, clipping and pixel values.
    fn expose(&self, seq: u64, out: &mut Picture) {
        let m = &self.model;
        let (w, h) = m.picture;
        out.reshape(w, h);
        let (read, shot) = (
            (m.sensor.read_noise / 255.0) as f32,
            (m.sensor.shot_noise / 255.0) as f32,
        );
        let encode = encoder(m.sensor.gamma);
        let saturation = m.sensor.saturation as f32;
        let clean = &self.clean;
        out.pixels_mut()
            .par_chunks_mut(w as usize)
            .enumerate()
            .for_each(|(y, row)| {
                let mut noise = self.gauss.row(seq, y as u64);
                let band = m.light.flicker.map_or(1.0, |(depth, height)| {
                    let phase = y as f64 / height.max(1.0) + seq as f64 * 0.37;
                    1.0 + (depth * (phase * std::f64::consts::TAU).sin()) as f32
                });
                for (x, pixel) in row.iter_mut().enumerate() {
                    let mut v = clean[y * w as usize + x].map(|v| v * band);
                    if saturation != 1.0 {
                        let grey = v[0] * 0.299 + v[1] * 0.587 + v[2] * 0.114;
                        v = v.map(|c| grey + (c - grey) * saturation);
                    }
                    *pixel = packed(v.map(|c| {
                        let code = encode_at(&encode, c);
                        let spread = read + shot * code.max(0.0).sqrt();
                        let noisy = code + spread * noise.deviate();
                        (noisy * 255.0).round().clamp(0.0, 255.0) as u8
                    }));
                }
            });
    }
}

impl CameraModel {
    /// One picture, without keeping anything; see [`Camera`] for a series.
    pub fn view(&self, screen: &Picture, seq: u64, out: &mut Picture) {
        Camera::new(self.clone()).view(screen, seq, out);
    }
}

/// Steps of the table from light to pixel value.
const STEPS: usize = 4096;

fn encoder(gamma: f64) -> Vec<f32> {
    (0..=STEPS)
        .map(|i| (i as f64 / STEPS as f64).powf(1.0 / gamma.max(0.1)) as f32)
        .collect()
}

fn encode_at(table: &[f32], light: f32) -> f32 {
    // Values above white are clipped here, as a sensor does.
    let at = (light.clamp(0.0, 1.0)) * STEPS as f32;
    let i = (at as usize).min(STEPS - 1);
    let t = at - i as f32;
    table[i] + (table[i + 1] - table[i]) * t
}

/// The screen as seen through each camera pixel.
struct Warp<'a> {
    model: &'a CameraModel,
    screen: &'a Picture,
    light_of: &'a [f32],
    back: crate::types::PxFromCell,
    /// Samples per camera pixel along each axis.
    grid: usize,
}

impl<'a> Warp<'a> {
    fn new(model: &'a CameraModel, screen: &'a Picture, light_of: &'a [f32]) -> Self {
        let forward = model.ideal_from_screen();
        // Screen px per camera px in the far part of the picture is up to twice that of the aim.
        let grid = (1.6 / model.pose.zoom.max(0.05)).ceil() as usize + 1;
        Self {
            model,
            screen,
            light_of,
            back: forward.inverse().unwrap_or(forward),
            grid: grid.clamp(2, 7),
        }
    }

    fn pixel(&self, x: f64, y: f64) -> Light3 {
        let mut sum = [0f32; 3];
        let n = self.grid;
        for b in 0..n {
            for a in 0..n {
                let at = Point::new(
                    x + (a as f64 + 0.5) / n as f64,
                    y + (b as f64 + 0.5) / n as f64,
                );
                let v = self.sample(self.back.map(self.model.ideal(at)), at);
                for (s, v) in sum.iter_mut().zip(v) {
                    *s += v;
                }
            }
        }
        let mut mean = sum.map(|v| v / (n * n) as f32);
        if self.model.sensor.moire > 0.0 {
            let centre = Point::new(x + 0.5, y + 0.5);
            let s = self.back.map(self.model.ideal(centre));
            if self.inside(s, 0.0) {
                // The stripes of red, green and blue and the rows, sampled once per pixel, beat
                // against the sensor's grid.
                for (i, v) in mean.iter_mut().enumerate() {
                    let column = (std::f64::consts::TAU * (s.x + i as f64 / 3.0)).cos();
                    let line = (std::f64::consts::TAU * s.y).cos();
                    *v *= (1.0 + self.model.sensor.moire * (column + 0.5 * line)) as f32;
                }
            }
        }
        mean
    }

    fn inside(&self, s: Point, rim: f64) -> bool {
        s.x >= -rim
            && s.y >= -rim
            && s.x < f64::from(self.screen.width()) + rim
            && s.y < f64::from(self.screen.height()) + rim
    }

    fn sample(&self, s: Point, camera: Point) -> Light3 {
        if self.inside(s, 0.0) {
            return self.bilinear(s);
        }
        if self.inside(s, self.model.bezel) {
            return [0.012, 0.012, 0.013];
        }
        let mixed =
            |a: [f64; 3], b: [f64; 3], t: f64| [0, 1, 2].map(|i| (a[i] + (b[i] - a[i]) * t) as f32);
        match self.model.room {
            Room::Plain(c) => c.map(|v| v as f32),
            Room::Gradient(a, b) => mixed(a, b, camera.y / f64::from(self.model.picture.1.max(1))),
            Room::Noisy(c, spread) => {
                let n = clouds(self.model.seed, camera.x / 60.0, camera.y / 60.0) - 0.5;
                c.map(|v| (v * (1.0 + 2.0 * spread * n)).max(0.0) as f32)
            }
        }
    }

    fn bilinear(&self, s: Point) -> Light3 {
        let (w, h) = (self.screen.width(), self.screen.height());
        let (fx, fy) = (s.x - 0.5, s.y - 0.5);
        let (x0, y0) = (fx.floor(), fy.floor());
        let (tx, ty) = ((fx - x0) as f32, (fy - y0) as f32);
        let x = |v: f64| v.clamp(0.0, f64::from(w - 1)) as u32;
        let y = |v: f64| v.clamp(0.0, f64::from(h - 1)) as u32;
        let (xa, xb, ya, yb) = (x(x0), x(x0 + 1.0), y(y0), y(y0 + 1.0));
        let p = [
            self.screen.at(xa, ya),
            self.screen.at(xb, ya),
            self.screen.at(xa, yb),
            self.screen.at(xb, yb),
        ];
        let c = p.map(channels);
        [0, 1, 2].map(|i| {
            let v = [0, 1, 2, 3].map(|k: usize| self.light_of[usize::from(c[k][i])]);
            let top = v[0] + (v[1] - v[0]) * tx;
            let low = v[2] + (v[3] - v[2]) * tx;
            top + (low - top) * ty
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chequered() -> Picture {
        let mut p = Picture::filled(200, 160, [255, 255, 255]);
        for y in 0..160 {
            for x in 0..200 {
                if (x / 40 + y / 40) % 2 == 0 {
                    p.set(x, y, [200, 30, 30]);
                }
            }
        }
        p
    }

    #[test]
    fn an_ideal_camera_in_front_sees_the_screen_itself() {
        let screen = chequered();
        let mut model = CameraModel {
            picture: (200, 160),
            ..CameraModel::default()
        };
        model.pose.aim = Point::new(100.0, 80.0);
        let mut out = Picture::default();
        model.view(&screen, 1, &mut out);
        // Inside the fields, one px off the edges, nothing is changed but rounding.
        for (x, y) in [(3, 3), (42, 3), (100, 100), (197, 157)] {
            let (a, b) = (screen.rgb(x, y), out.rgb(x, y));
            for i in 0..3 {
                assert!(a[i].abs_diff(b[i]) <= 1, "{x},{y}: {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn what_is_drawn_lies_where_the_truth_says() {
        let screen = chequered();
        let mut model = CameraModel::default();
        model.pose = super::super::model::Pose {
            tilt_x: 30.0,
            tilt_y: 20.0,
            roll: -10.0,
            aim: Point::new(100.0, 80.0),
            zoom: 2.2,
        };
        model.sensor.k1 = -0.1;
        let mut out = Picture::default();
        model.view(&screen, 1, &mut out);
        for row in 0..4 {
            for col in 0..5 {
                let at = Point::new(40.0 * f64::from(col) + 20.0, 40.0 * f64::from(row) + 20.0);
                let px = model.camera_from_screen(at);
                let seen = out.rgb(px.x as u32, px.y as u32);
                assert_eq!(seen[1] < 128, (row + col) % 2 == 0, "{row} {col} {seen:?}");
            }
        }
    }

    #[test]
    fn frames_differ_by_noise_only_and_repeat_by_number() {
        let mut model = CameraModel::default();
        model.sensor.read_noise = 2.0;
        model.light.ratio = 3.0;
        let screen = chequered();
        let mut camera = Camera::new(model.clone());
        let (mut a, mut b, mut c) = (Picture::default(), Picture::default(), Picture::default());
        camera.view(&screen, 1, &mut a);
        camera.view(&screen, 2, &mut b);
        model.view(&screen, 1, &mut c);
        assert_ne!(a, b);
        assert_eq!(a, c);
    }

    #[test]
    fn the_gradient_has_its_ratio() {
        let screen = Picture::filled(640, 480, [200, 200, 200]);
        let mut model = CameraModel::default();
        model.sensor.gamma = 1.0;
        model.light.ratio = 3.0;
        model.light.reach = 640.0;
        let mut out = Picture::default();
        model.view(&screen, 1, &mut out);
        let (l, r) = (out.rgb(1, 240)[0], out.rgb(638, 240)[0]);
        let ratio = f64::from(l) / f64::from(r);
        assert!((ratio - 3.0).abs() < 0.1, "{l} {r}");
    }
}
