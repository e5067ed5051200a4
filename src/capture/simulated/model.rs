//! A camera that looks at a screen, as numbers: pose, lens, light, sensor - and its exact truth.
//!
//! Plain data, readable from TOML, and the geometry that follows from it. Three spaces:
//! **screen** px of the picture that is looked at, **ideal** px of a camera without lens
//! distortion, **camera** px of the picture it delivers.

use serde::{Deserialize, Serialize};

use crate::types::{Point, PxFromCell};

/// Where the camera stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pose {
    /// Rotation about the horizontal axis in degrees: the upper edge moves away.
    pub tilt_x: f64,
    /// Rotation about the upright axis in degrees: the right edge moves away.
    pub tilt_y: f64,
    /// Rotation about the line of sight in degrees, clockwise.
    pub roll: f64,
    /// The screen point seen in the middle of the picture.
    pub aim: Point,
    /// Camera px per screen px at that point.
    pub zoom: f64,
}

impl Default for Pose {
    fn default() -> Self {
        Self {
            tilt_x: 0.0,
            tilt_y: 0.0,
            roll: 0.0,
            aim: Point::new(320.0, 240.0),
            zoom: 1.0,
        }
    }
}

/// What lies around the screen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Room {
    /// One colour, 0 to 1 in the units of the sensor's input.
    Plain([f64; 3]),
    /// From one colour to another from the top down.
    Gradient([f64; 3], [f64; 3]),
    /// Clouds around a colour, with this spread.
    Noisy([f64; 3], f64),
}

/// A bright spot: a lamp mirrored in the screen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Glare {
    /// Its middle in camera px.
    pub at: Point,
    /// Its radius in camera px (one standard deviation).
    pub radius: f64,
    /// Light added in the middle; 1 is white.
    pub strength: f64,
}

/// A hand between camera and screen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hand {
    /// The middle of the palm in camera px; the arm comes from below.
    pub at: Point,
    /// Radius of the palm in camera px.
    pub radius: f64,
}

/// Light that falls on the way from the screen to the sensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Light {
    /// Brightest over darkest along the gradient (1 is even light); it never exceeds 1 itself.
    pub ratio: f64,
    /// Direction towards the dark side in degrees, 0 to the right.
    pub angle: f64,
    /// Camera px over which the ratio is reached; 0 is the picture's diagonal.
    pub reach: f64,
    /// Camera px in the middle of the gradient; `None` is the picture's middle.
    pub middle: Option<Point>,
    /// Share of light lost in the picture's corners.
    pub vignette: f64,
    /// Gain of red, green, blue.
    pub cast: [f64; 3],
    /// Gain of all.
    pub exposure: f64,
    /// Depth of the band that mains light makes, and its height in camera px.
    pub flicker: Option<(f64, f64)>,
    /// A mirrored lamp.
    pub glare: Option<Glare>,
}

impl Default for Light {
    fn default() -> Self {
        Self {
            ratio: 1.0,
            angle: 0.0,
            reach: 0.0,
            middle: None,
            vignette: 0.0,
            cast: [1.0; 3],
            exposure: 1.0,
            flicker: None,
            glare: None,
        }
    }
}

/// Lens and sensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sensor {
    /// Focal length in picture widths: 0.8 is a wide webcam, 2 a tele lens.
    pub focal: f64,
    /// First radial distortion term, over normalised coordinates as usual (barrel is negative).
    pub k1: f64,
    /// Gaussian blur in camera px.
    pub blur: f64,
    /// Motion during the exposure in camera px.
    pub motion: (f64, f64),
    /// Noise independent of the light, in steps of 255.
    pub read_noise: f64,
    /// Noise at full light that falls with the root of the light, in steps of 255.
    pub shot_noise: f64,
    /// Exponent between light and pixel values. 2.2 is physical; 1 does all arithmetic on pixel
    /// values, which makes gradients and casts as strong as their numbers.
    pub gamma: f64,
    /// Colour saturation; 1 leaves it.
    pub saturation: f64,
    /// Depth of the pattern of the screen's pixel grid against the sensor's.
    pub moire: f64,
    /// JPEG quality 1 to 100; `None` keeps the pixels.
    pub jpeg: Option<u8>,
}

impl Default for Sensor {
    fn default() -> Self {
        Self {
            focal: 1.1,
            k1: 0.0,
            blur: 0.0,
            motion: (0.0, 0.0),
            read_noise: 0.0,
            shot_noise: 0.0,
            gamma: 2.2,
            saturation: 1.0,
            moire: 0.0,
            jpeg: None,
        }
    }
}

/// The whole camera.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CameraModel {
    /// Size of its pictures.
    pub picture: (u32, u32),
    /// Seed of its noise.
    pub seed: u64,
    /// Where it stands.
    pub pose: Pose,
    /// What lies around the screen.
    pub room: Room,
    /// Width of the screen's dark rim in screen px.
    pub bezel: f64,
    /// Light.
    pub light: Light,
    /// Lens and sensor.
    pub sensor: Sensor,
    /// A hand in front.
    pub hand: Option<Hand>,
}

impl Default for CameraModel {
    fn default() -> Self {
        Self {
            picture: (640, 480),
            seed: 0,
            pose: Pose::default(),
            room: Room::Plain([0.02, 0.02, 0.025]),
            bezel: 12.0,
            light: Light::default(),
            sensor: Sensor::default(),
            hand: None,
        }
    }
}

impl CameraModel {
    fn focal_px(&self) -> f64 {
        self.sensor.focal.max(0.1) * f64::from(self.picture.0)
    }

    pub(super) fn centre(&self) -> Point {
        Point::new(
            f64::from(self.picture.0) / 2.0,
            f64::from(self.picture.1) / 2.0,
        )
    }

    /// Ideal px from screen px, as a transform whose "cells" are the screen's pixels. Without
    /// lens distortion ideal and camera px are the same.
    #[must_use]
    pub fn ideal_from_screen(&self) -> PxFromCell {
        let f = self.focal_px();
        let distance = f / self.pose.zoom.max(1e-6);
        let (sx, cx) = self.pose.tilt_x.to_radians().sin_cos();
        let (sy, cy) = self.pose.tilt_y.to_radians().sin_cos();
        let (sr, cr) = self.pose.roll.to_radians().sin_cos();
        // Columns 0 and 1 of Rz(roll) * Rx(tilt_x) * Ry(tilt_y), z away from the camera.
        let x_axis = [cy, sx * sy, cx * sy];
        let y_axis = [0.0, cx, -sx];
        let roll = |v: [f64; 3]| [cr * v[0] - sr * v[1], sr * v[0] + cr * v[1], v[2]];
        let (a, b) = (roll(x_axis), roll(y_axis));
        let aim = self.pose.aim;
        let t = [
            -(a[0] * aim.x + b[0] * aim.y),
            -(a[1] * aim.x + b[1] * aim.y),
            distance - (a[2] * aim.x + b[2] * aim.y),
        ];
        let c = self.centre();
        let row = |i: usize, c: f64| {
            [
                f * a[i] + c * a[2],
                f * b[i] + c * b[2],
                f * t[i] + c * t[2],
            ]
        };
        let (r0, r1) = (row(0, c.x), row(1, c.y));
        let m = [r0[0], r0[1], r0[2], r1[0], r1[1], r1[2], a[2], b[2], t[2]];
        PxFromCell(m.map(|v| v / distance))
    }

    /// Camera px of a screen point.
    #[must_use]
    pub fn camera_from_screen(&self, screen: Point) -> Point {
        self.distorted(self.ideal_from_screen().map(screen))
    }

    /// Screen px of a point of the camera's picture.
    #[must_use]
    pub fn screen_from_camera(&self, camera: Point) -> Point {
        // The pose of a camera in front of the screen is never degenerate.
        self.ideal_from_screen()
            .inverse()
            .map_or(camera, |back| back.map(self.ideal(camera)))
    }

    /// The board's transform in ideal px, from its transform on the screen.
    #[must_use]
    pub fn ideal_from_cell(&self, screen_from_cell: &PxFromCell) -> PxFromCell {
        let (a, b) = (self.ideal_from_screen().0, screen_from_cell.0);
        let mut m = [0.0; 9];
        for (i, v) in m.iter_mut().enumerate() {
            let (r, c) = (i / 3, i % 3);
            *v = (0..3).map(|k| a[3 * r + k] * b[3 * k + c]).sum();
        }
        PxFromCell(m.map(|v| v / m[8]))
    }

    fn distorted(&self, ideal: Point) -> Point {
        if self.sensor.k1 == 0.0 {
            return ideal;
        }
        let (c, f) = (self.centre(), self.focal_px());
        let (x, y) = ((ideal.x - c.x) / f, (ideal.y - c.y) / f);
        let stretch = 1.0 + self.sensor.k1 * (x * x + y * y);
        Point::new(c.x + f * x * stretch, c.y + f * y * stretch)
    }

    /// Ideal px of a camera px: the lens undone.
    pub(super) fn ideal(&self, camera: Point) -> Point {
        if self.sensor.k1 == 0.0 {
            return camera;
        }
        let (c, f) = (self.centre(), self.focal_px());
        let (xd, yd) = ((camera.x - c.x) / f, (camera.y - c.y) / f);
        let (mut x, mut y) = (xd, yd);
        // A contraction for the small k1 of real lenses; twelve rounds reach 1e-9.
        for _ in 0..12 {
            let stretch = 1.0 + self.sensor.k1 * (x * x + y * y);
            (x, y) = (xd / stretch, yd / stretch);
        }
        Point::new(c.x + f * x, c.y + f * y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tilted() -> CameraModel {
        CameraModel {
            pose: Pose {
                tilt_x: 25.0,
                tilt_y: -18.0,
                roll: 7.0,
                aim: Point::new(300.0, 200.0),
                zoom: 0.8,
            },
            ..CameraModel::default()
        }
    }

    #[test]
    fn the_aim_is_in_the_middle_at_its_zoom() {
        let flat = CameraModel {
            pose: Pose {
                tilt_x: 0.0,
                tilt_y: 0.0,
                roll: 0.0,
                ..tilted().pose
            },
            ..tilted()
        };
        for m in [flat.clone(), tilted()] {
            let at = m.camera_from_screen(m.pose.aim);
            assert!(at.distance(m.centre()) < 1e-9, "{at:?}");
        }
        let right = flat.camera_from_screen(Point::new(310.0, 200.0));
        assert!((right.x - 328.0).abs() < 1e-9, "{right:?}");
    }

    #[test]
    fn a_tilted_edge_is_farther_and_shorter() {
        let m = CameraModel {
            pose: Pose {
                tilt_x: 30.0,
                tilt_y: 0.0,
                roll: 0.0,
                ..tilted().pose
            },
            ..tilted()
        };
        let len = |y: f64| {
            m.camera_from_screen(Point::new(200.0, y))
                .distance(m.camera_from_screen(Point::new(400.0, y)))
        };
        assert!(len(50.0) < len(350.0), "the upper edge moves away");
    }

    #[test]
    fn there_and_back_also_through_the_lens() {
        for k1 in [0.0, -0.12, 0.08] {
            let mut m = tilted();
            m.sensor.k1 = k1;
            for p in [Point::new(0.0, 0.0), Point::new(555.0, 123.0)] {
                let back = m.screen_from_camera(m.camera_from_screen(p));
                assert!(back.distance(p) < 1e-4, "{k1} {p:?} {back:?}");
            }
        }
    }
}
