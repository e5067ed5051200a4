//! The light of the moment over a board: more or less of it, or a veil of glare.

use super::Rgb;
use crate::classify::colours::square;

/// Light nearby against that of the calibration: beyond these something else lies there.
const SHADE: (f32, f32) = (0.3, 2.6);

/// The light in a square against that of the calibration.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shade {
    pub(super) gain: f32,
    pub(super) veil: f32,
    pub(super) is_ground: bool,
}

impl Shade {
    /// The light in a square: more or less of it, or a veil of glare over it.
    /// `rgb` is seen there, `ground` in the light of the calibration.
    pub(super) fn of(rgb: Rgb, ground: Rgb) -> Self {
        let ratio = [0, 1, 2].map(|c| (rgb[c] + 6.0) / (ground[c] + 6.0));
        let gain = (ratio[0] + ratio[1] + ratio[2]) / 3.0;
        let tinted = ratio.iter().map(|r| (r - gain).abs()).fold(0.0, f32::max);
        let lit = gain > SHADE.0 && gain < SHADE.1 && tinted < 0.22 * gain + 0.05;
        let over = [0, 1, 2].map(|c| rgb[c] * rgb[c] - ground[c] * ground[c]);
        let veil = (over[0] + over[1] + over[2]) / 3.0;
        let uneven = over.iter().map(|v| (v - veil).abs()).fold(0.0, f32::max);
        let veiled = veil > 400.0 && uneven < 0.4 * veil + 1200.0;
        Self {
            gain: if lit { gain } else { 1.0 },
            veil: if veiled { veil } else { 0.0 },
            is_ground: lit || veiled,
        }
    }
}

/// The light at a crossing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Light {
    /// Against that of the calibration.
    pub(super) gain: f32,
    /// What glare adds to the squares of all channels: light adds up in proportion to about the
    /// square of what a picture shows.
    pub(super) veil: f32,
}

impl Light {
    /// How far a colour that is seen is from another one in the light of the calibration: as it
    /// is, in the light nearby, or under glare.
    #[inline]
    pub(super) fn distance(self, seen: Rgb, rgb: Rgb) -> f32 {
        let plain = square(seen, rgb);
        let lit = square(seen.map(|v| v / self.gain), rgb);
        if self.veil == 0.0 {
            return plain.min(lit).sqrt();
        }
        let veiled = square(seen, rgb.map(|v| (v * v + self.veil).sqrt().min(255.0)));
        plain.min(lit).min(veiled).sqrt()
    }
}
