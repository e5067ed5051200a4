//! A webcam that looks on for hours: cheap frames of a screen on which little changes.
//!
//! Takes a [`CameraModel`], what is [`Passing`], and screens in the order of time; gives frames of
//! which the truth is known. Where the screen has not changed only light and noise are renewed.
//! Differences to [`Camera`](super::Camera): light that changes with time acts on pixel values,
//! and there is no hand and no motion blur.

use super::model::CameraModel;
use super::noise::mix;
use super::optic::Optic;
use super::passing::{Fault, Passing};
use super::{faults, jpeg};
use crate::types::{Picture, Time};

/// Screens rendered over one frame at most.
const MOMENTS: u32 = 6;

/// Deviates in the table of noise.
const NOISE: usize = 1 << 15;

/// A camera with its buffers.
pub struct Webcam {
    model: CameraModel,
    passing: Passing,
    optic: Optic,
    /// Normal deviates, 32 to the standard deviation.
    noise: Vec<i8>,
    /// Screens of one frame, when there is more than one.
    screens: Vec<Picture>,
    mixed: Picture,
    /// The frame before, for faults that show it.
    before: Picture,
    frame: Frame,
}

/// The frame being exposed.
#[derive(Clone, Copy, Default)]
struct Frame {
    start: Time,
    seq: u64,
    lines: u32,
}

impl Webcam {
    /// A camera that has not looked yet.
    #[must_use]
    pub fn new(model: CameraModel, passing: Passing) -> Self {
        let gauss = super::noise::Gauss::new(model.seed);
        let mut row = gauss.row(0, 0);
        let noise = (0..NOISE + model.picture.0 as usize)
            .map(|_| (row.deviate() * 32.0).clamp(-127.0, 127.0) as i8)
            .collect();
        Self {
            optic: Optic::new(&model),
            model,
            passing,
            noise,
            screens: Vec::new(),
            mixed: Picture::default(),
            before: Picture::default(),
            frame: Frame::default(),
        }
    }

    /// Its numbers, with the pose it has now.
    #[must_use]
    pub const fn model(&self) -> &CameraModel {
        &self.model
    }

    /// What changes with time.
    #[must_use]
    pub const fn passing(&self) -> &Passing {
        &self.passing
    }

    /// How frame number `seq` is bad, if it is.
    #[must_use]
    pub fn fault(&self, seq: u64) -> Option<Fault> {
        self.passing.fault(self.model.seed, seq).map(|f| f.0)
    }

    /// Takes frame number `seq` of a screen that stands still, beginning at `start`.
    pub fn view(&mut self, screen: &Picture, start: Time, seq: u64, out: &mut Picture) {
        self.begin(start, seq, out);
        self.expose(screen, self.model.picture.1, out);
        self.finish(out);
    }

    /// Takes frame number `seq` of a screen that goes on meanwhile: `draw` is asked for it at
    /// several moments, in order, from `start` until the last line is read.
    pub fn film(
        &mut self,
        draw: &mut dyn FnMut(Time, &mut Picture),
        start: Time,
        seq: u64,
        out: &mut Picture,
    ) {
        let lines = self.model.picture.1;
        let moments = self.moments();
        self.begin(start, seq, out);
        let mut screens = std::mem::take(&mut self.screens);
        let behind = self.behind();
        screens.resize_with((moments + behind) as usize, Picture::default);
        for (k, screen) in (0u32..).zip(&mut screens) {
            draw(self.moment(start, k), screen);
        }
        for k in 0..moments {
            let seen = &screens[k as usize..=(k + behind) as usize];
            let line = lines * (k + 1) / moments;
            if seen.iter().all(|s| s == &seen[0]) {
                self.expose(&seen[0], line, out);
            } else {
                let mut mixed = std::mem::take(&mut self.mixed);
                blend(seen, &mut mixed);
                self.expose(&mixed, line, out);
                self.mixed = mixed;
            }
        }
        self.screens = screens;
        self.finish(out);
    }

    /// The middle of the time in which a frame that began at `start` gathers light.
    #[must_use]
    pub fn middle(&self, start: Time) -> Time {
        let half = (self.passing.readout.max(0.0) + self.passing.exposure.max(0.0)) / 2.0;
        Time(start.0 + (half * 1e6) as u64)
    }

    /// At how many moments the screen is drawn for the lines of a frame.
    #[must_use]
    pub fn moments(&self) -> u32 {
        if self.passing.readout > 0.0 {
            MOMENTS
        } else {
            1
        }
    }

    /// Further moments over which each line gathers light.
    fn behind(&self) -> u32 {
        if self.passing.exposure <= 0.0 {
            return 0;
        }
        let step = self.step();
        ((self.passing.exposure / step).round() as u32).clamp(1, 2 * MOMENTS)
    }

    /// Seconds between moments.
    fn step(&self) -> f64 {
        if self.passing.readout > 0.0 {
            self.passing.readout / f64::from(MOMENTS)
        } else {
            self.passing.exposure.max(1e-3)
        }
    }

    /// The moment number `k` of a frame that began at `start`.
    #[must_use]
    pub fn moment(&self, start: Time, k: u32) -> Time {
        Time(start.0 + (f64::from(k) * self.step() * 1e6) as u64)
    }

    /// Begins frame number `seq`.
    pub fn begin(&mut self, start: Time, seq: u64, out: &mut Picture) {
        if let Some(pose) = self.passing.pose(start)
            && pose != self.model.pose
        {
            self.model.pose = pose;
            self.optic = Optic::new(&self.model);
        }
        out.reshape(self.model.picture.0, self.model.picture.1);
        self.frame = Frame {
            start,
            seq,
            lines: 0,
        };
    }

    /// Exposes the lines that are left, up to and without `line`, to this screen.
    pub fn expose(&mut self, screen: &Picture, line: u32, out: &mut Picture) {
        self.optic.look(screen);
        let (w, h) = self.model.picture;
        let width = w as usize;
        let sensor = &self.model.sensor;
        let (read, shot) = (sensor.read_noise, sensor.shot_noise);
        // The root of the light, straightened: noise of `read` in the dark to `read + shot`.
        let eighths = |v: f64| (v * 8.0).clamp(0.0, 127.0) as i16;
        let (floor, slope) = (eighths(read + 0.25 * shot), eighths(0.75 * shot));
        let gamma = 1.0 / sensor.gamma.max(0.1);
        let from = self.frame.lines.min(h) as usize;
        let to = line.min(h) as usize;
        let [r, g, b] = &self.optic.seen;
        let rows = out.pixels_mut().chunks_exact_mut(width.max(1));
        for (y, row) in rows.enumerate().take(to).skip(from) {
            let into = self.passing.readout * y as f64 / f64::from(h.max(1));
            let at = Time(self.frame.start.0 + (into * 1e6) as u64);
            let light = self.passing.light(self.model.seed, at).max(0.0);
            let gain = (light.powf(gamma) * 128.0).min(256.0) as i16;
            let drawn = mix(self.model.seed ^ mix(self.frame.seq ^ mix(y as u64)));
            let noise = |k: u32| {
                let at = (drawn >> (20 * k)) as usize % NOISE;
                &self.noise[at..at + width]
            };
            let at = y * width;
            exposed(
                row,
                [&r[at..at + width], &g[at..at + width], &b[at..at + width]],
                [noise(0), noise(1), noise(2)],
                [gain, floor, slope],
            );
        }
        self.frame.lines = line;
    }

    /// Ends the frame: compression and faults.
    pub fn finish(&mut self, out: &mut Picture) {
        if let Some(quality) = self.model.sensor.jpeg {
            jpeg::compress(out, quality);
        }
        let fault = self.passing.fault(self.model.seed, self.frame.seq);
        if self.passing.faults > 0.0 {
            if let Some((fault, detail)) = fault {
                faults::spoil(out, &self.before, fault, detail);
            } else if self.frame.seq.is_multiple_of(8) || self.before.width() == 0 {
                self.before.clone_from(out);
            }
        }
    }
}

/// One line: light, noise, clipping. `gain` is in 128ths (up to 2), noise is 32 and its spread 8
/// to a step. Plain loops over 16-bit numbers, which the compiler turns into vectors.
fn exposed(
    out: &mut [u32],
    [r, g, b]: [&[u8]; 3],
    [nr, ng, nb]: [&[i8]; 3],
    [gain, floor, slope]: [i16; 3],
) {
    const PART: usize = 64;
    let mut parts = [[0u8; PART]; 3];
    for (k, out) in out.chunks_mut(PART).enumerate() {
        let at = k * PART..k * PART + out.len();
        for (part, (seen, noise)) in parts.iter_mut().zip([(r, nr), (g, ng), (b, nb)]) {
            let (seen, noise) = (&seen[at.clone()], &noise[at.clone()]);
            for ((to, &v), &n) in part.iter_mut().zip(seen).zip(noise) {
                // Nothing here can overflow: gains end at 256 and spreads at 255. Said to wrap, so
                // that no check keeps the loop from becoming vectors.
                let v = (u16::from(v).wrapping_mul(gain as u16) >> 7).min(255) as i16;
                let spread = floor.wrapping_add(slope.wrapping_mul(v) >> 8).min(255);
                let noise = i16::from(n).wrapping_mul(spread) >> 8;
                *to = v.wrapping_add(noise).clamp(0, 255) as u8;
            }
        }
        let [r, g, b] = &parts;
        for (((to, &r), &g), &b) in out.iter_mut().zip(r).zip(g).zip(b) {
            *to = u32::from(r) << 16 | u32::from(g) << 8 | u32::from(b);
        }
    }
}

/// The mean of several screens, where they differ.
fn blend(screens: &[Picture], out: &mut Picture) {
    out.clone_from(&screens[0]);
    let n = screens.len() as u32;
    for (i, pixel) in out.pixels_mut().iter_mut().enumerate() {
        let first = *pixel;
        if screens.iter().any(|s| s.pixels().get(i) != Some(&first)) {
            let mut sum = [0u32; 3];
            for s in screens {
                let p = s.pixels().get(i).copied().unwrap_or(first);
                sum[0] += p >> 16 & 0xff;
                sum[1] += p >> 8 & 0xff;
                sum[2] += p & 0xff;
            }
            let [r, g, b] = sum.map(|v| v / n);
            *pixel = r << 16 | g << 8 | b;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::Pose;
    use super::super::passing::{Knock, Mains};
    use super::*;
    use crate::types::Point;

    fn screen(mark: i64) -> Picture {
        let mut p = Picture::filled(320, 240, [30, 30, 30]);
        for y in 0..240 {
            for x in 0..320 {
                let tile = (x / 40 + y / 40) % 2 == 0;
                let inside = x / 20 == mark && (100..140).contains(&y);
                if inside {
                    p.set(x, y, [20, 220, 60]);
                } else if tile {
                    p.set(x, y, [200, 60, 30]);
                }
            }
        }
        p
    }

    fn model() -> CameraModel {
        let mut m = CameraModel {
            picture: (320, 240),
            pose: Pose {
                tilt_x: 15.0,
                tilt_y: -10.0,
                roll: 4.0,
                aim: Point::new(160.0, 120.0),
                zoom: 0.9,
            },
            ..CameraModel::default()
        };
        m.sensor.blur = 0.7;
        m.sensor.k1 = -0.05;
        m.light.ratio = 1.5;
        m
    }

    fn apart(a: &Picture, b: &Picture) -> f64 {
        let mut sum = 0.0;
        for (p, q) in a.pixels().iter().zip(b.pixels()) {
            for shift in [0, 8, 16] {
                sum += f64::from((p >> shift & 0xff).abs_diff(q >> shift & 0xff));
            }
        }
        sum / a.pixels().len() as f64 / 3.0
    }

    #[test]
    fn it_sees_what_the_exact_camera_sees() {
        let (m, shown) = (model(), screen(3));
        let (mut a, mut b) = (Picture::default(), Picture::default());
        Webcam::new(m.clone(), Passing::default()).view(&shown, Time::ZERO, 1, &mut a);
        m.view(&shown, 1, &mut b);
        let apart = apart(&a, &b);
        assert!(apart < 1.5, "{apart}");
    }

    #[test]
    fn renewing_what_changed_is_as_good_as_looking_again() {
        let m = model();
        let mut camera = Webcam::new(m.clone(), Passing::default());
        let mut out = Picture::default();
        for mark in 0..9 {
            camera.view(&screen(mark), Time::ZERO, 7, &mut out);
        }
        let mut fresh = Picture::default();
        Webcam::new(m, Passing::default()).view(&screen(8), Time::ZERO, 7, &mut fresh);
        assert_eq!(out, fresh);
    }

    #[test]
    fn a_rolling_shutter_shows_two_moments_and_exposure_mixes_them() {
        let mut passing = Passing {
            readout: 0.024,
            ..Passing::default()
        };
        let mut out = Picture::default();
        let mut jump = |at: Time, screen: &mut Picture| {
            let tone = if at < Time::from_millis(1011) {
                40
            } else {
                200
            };
            *screen = Picture::filled(320, 240, [tone; 3]);
        };
        let start = Time::from_millis(1000);
        let mut camera = Webcam::new(model(), passing.clone());
        camera.film(&mut jump, start, 1, &mut out);
        let (top, low) = (out.rgb(160, 60)[0], out.rgb(160, 200)[0]);
        assert!(top < 60 && low > 120, "{top} {low}");
        passing.exposure = 0.012;
        Webcam::new(model(), passing).film(&mut jump, start, 1, &mut out);
        let column: Vec<u8> = (50..200).map(|y| out.rgb(160, y)[0]).collect();
        assert!(column.iter().any(|v| (70..110).contains(v)), "{column:?}");
    }

    #[test]
    fn mains_light_makes_bands_that_wander() {
        let passing = Passing {
            mains: Some(Mains {
                depth: 0.3,
                hertz: 100.0,
            }),
            readout: 0.025,
            ..Passing::default()
        };
        let shown = Picture::filled(320, 240, [180; 3]);
        let mut camera = Webcam::new(model(), passing);
        let mut column = |ms| -> Vec<u8> {
            let mut out = Picture::default();
            camera.view(&shown, Time::from_millis(ms), 1, &mut out);
            (60..180).map(|y| out.rgb(160, y)[1]).collect()
        };
        let (a, b) = (column(0), column(33));
        let spread = |v: &[u8]| v.iter().max().unwrap_or(&0) - v.iter().min().unwrap_or(&0);
        assert!(spread(&a) > 30, "{a:?}");
        assert_ne!(a, b);
    }

    #[test]
    fn a_knock_moves_the_picture_and_the_truth() {
        let mut pose = model().pose;
        pose.aim.x += 12.0;
        let passing = Passing {
            knocks: vec![Knock { at: 1.0, pose }],
            ..Passing::default()
        };
        let mut camera = Webcam::new(model(), passing);
        let mut out = Picture::default();
        let shown = screen(3);
        camera.view(&shown, Time::ZERO, 1, &mut out);
        let before = camera.model().camera_from_screen(Point::new(70.0, 120.0));
        camera.view(&shown, Time::from_millis(1500), 2, &mut out);
        let after = camera.model().camera_from_screen(Point::new(70.0, 120.0));
        assert!(before.distance(after) > 8.0);
        let seen = out.rgb(after.x as u32, after.y as u32);
        assert!(seen[1] > seen[0], "{seen:?}");
    }

    #[test]
    fn every_fault_spoils_the_frame() {
        let passing = Passing {
            faults: 0.5,
            ..Passing::default()
        };
        let (shown, m) = (screen(3), model());
        let mut good = Picture::default();
        Webcam::new(m.clone(), Passing::default()).view(&shown, Time::ZERO, 1, &mut good);
        let mut camera = Webcam::new(m, passing);
        let mut seen = std::collections::BTreeSet::new();
        for seq in 1..60 {
            let mut out = Picture::default();
            camera.view(&shown, Time::ZERO, seq, &mut out);
            let far = apart(&out, &good);
            match camera.fault(seq) {
                None => assert!(far < 2.0, "{far}"),
                Some(fault) => {
                    assert!(far > 4.0, "{fault:?} {far}");
                    seen.insert(format!("{fault:?}"));
                }
            }
        }
        assert_eq!(seen.len(), Fault::ALL.len());
    }
}
