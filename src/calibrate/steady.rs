//! Whether a camera's exposure has settled, and by how much its light flickers.
//!
//! Takes pictures in the order of time; gives a verdict on what was seen. Light on the mains pulses
//! at twice their frequency, and a screen at its refresh: a camera that reads line by line shows
//! that as bands that wander, one that does not as brightness that beats. Must never look at a
//! clock, nor hold a picture.

use std::collections::VecDeque;
use std::time::Duration;

use crate::types::picture::channels;
use crate::types::{Picture, Time};

/// Bands of lines that are looked at for themselves.
const BANDS: usize = 24;

/// In each band every so many-th pixel, and every so many-th line.
const EVERY: (usize, usize) = (5, 3);

/// Over how long brightness is compared, and by how much it may change in that time.
const SETTLED: (Duration, f64) = (Duration::from_millis(1200), 0.015);

/// For so long pictures are remembered: several beats of any flicker that can be seen.
const MEMORY: Duration = Duration::from_secs(3);

/// Fewer pictures say nothing.
const LEAST: usize = 8;

/// One picture: its mean brightness in each band, 0 to 255.
type Bands = [f64; BANDS];

/// Watches the brightness of a camera.
#[derive(Debug, Default)]
pub struct Steadiness {
    seen: VecDeque<(Time, Bands)>,
}

impl Steadiness {
    /// Takes the next picture.
    pub fn see(&mut self, at: Time, picture: &Picture) {
        self.seen.push_back((at, bands(picture)));
        while { self.seen.front() }.is_some_and(|(first, _)| at.since(*first) > MEMORY) {
            self.seen.pop_front();
        }
    }

    /// Forgets all: the camera was set anew.
    pub fn forget(&mut self) {
        self.seen.clear();
    }

    /// The mean brightness of the last picture, 0 to 255.
    #[must_use]
    pub fn brightness(&self) -> Option<f64> {
        self.seen.back().map(|(_, bands)| mean(bands))
    }

    /// Whether the brightness has stopped to change: between the two halves of the last moments
    /// there is no difference. Flicker does not count.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let Some((last, _)) = self.seen.back() else {
            return false;
        };
        let recent = { self.seen.iter() }.filter(|(at, _)| last.since(*at) <= SETTLED.0);
        let recent: Vec<f64> = recent.map(|(_, bands)| mean(bands)).collect();
        let covers = { self.seen.front() }.is_some_and(|(at, _)| last.since(*at) >= SETTLED.0);
        if !covers || recent.len() < LEAST {
            return false;
        }
        let (before, after) = recent.split_at(recent.len() / 2);
        let (before, after) = (mean(before), mean(after));
        (before - after).abs() <= SETTLED.1 * before.max(1.0)
    }

    /// How much brightness goes up and down, as a share of it: the largest of all bands, from the
    /// usual darkest to the usual brightest. `None` before enough was seen. What moves in the
    /// picture counts as well: it is for a screen that stands still.
    #[must_use]
    pub fn flicker(&self) -> Option<f64> {
        if self.seen.len() < LEAST {
            return None;
        }
        let depth = |band: usize| {
            let mut levels: Vec<f64> = self.seen.iter().map(|(_, b)| b[band]).collect();
            levels.sort_by(f64::total_cmp);
            let at = |share: f64| levels[((levels.len() - 1) as f64 * share).round() as usize];
            let (low, high) = (at(0.05), at(0.95));
            // In the dark there is nothing but noise.
            (high - low) / ((high + low) / 2.0).max(16.0)
        };
        (0..BANDS).map(depth).max_by(f64::total_cmp)
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn bands(picture: &Picture) -> Bands {
    let mut sums = [(0u64, 0u64); BANDS];
    let height = picture.height() as usize;
    for y in (0..height).step_by(EVERY.1) {
        let (sum, count) = &mut sums[y * BANDS / height];
        for &pixel in picture.row(y as u32).iter().step_by(EVERY.0) {
            let [r, g, b] = channels(pixel).map(u64::from);
            *sum += 2 * r + 5 * g + b;
            *count += 8;
        }
    }
    sums.map(|(sum, count)| sum as f64 / count.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a camera of 30 pictures a second whose brightness is a function of time (s)
    /// and line.
    fn seen(seconds: f64, light: impl Fn(f64, u32) -> f64) -> Steadiness {
        let mut steady = Steadiness::default();
        let mut picture = Picture::filled(40, 48, [0; 3]);
        for i in 0..(seconds * 30.0) as u32 {
            let at = f64::from(i) / 30.0;
            for y in 0..48 {
                let level = light(at, y).round().clamp(0.0, 255.0) as u8;
                (0..40).for_each(|x| picture.set(x, y.into(), [level; 3]));
            }
            steady.see(Time((at * 1e6) as u64), &picture);
        }
        steady
    }

    #[test]
    fn exposure_settles() {
        let rising = |t: f64, _| 40.0 + 100.0 * (1.0 - (-t / 0.5).exp());
        assert!(!seen(0.3, |_, _| 100.0).is_settled(), "too short");
        assert!(!seen(1.5, rising).is_settled());
        assert!(seen(4.0, rising).is_settled());
        assert!(!Steadiness::default().is_settled());
        // Flicker does not keep it from being settled.
        let beat = |t: f64, _| 120.0 + 10.0 * (t * 2.0 * std::f64::consts::PI * 7.0).sin();
        assert!(seen(3.0, beat).is_settled());
    }

    #[test]
    fn flicker_in_time_and_in_bands() {
        let none = seen(3.0, |_, y| 30.0 + f64::from(y)).flicker();
        assert!(none.is_some_and(|f| f < 0.01), "{none:?}");
        let all = seen(3.0, |t, _| 100.0 + 10.0 * (t * 40.0).sin()).flicker();
        assert!(all.is_some_and(|f| (0.15..0.22).contains(&f)), "{all:?}");
        // Bands that wander leave the mean of the picture as it is.
        let wandering = |t: f64, y: u32| 100.0 + 5.0 * (t * 9.0 + f64::from(y) / 3.8).sin();
        let bands = seen(3.0, wandering);
        assert!(
            bands.flicker().is_some_and(|f| f > 0.07),
            "{:?}",
            bands.flicker()
        );
        assert_eq!(seen(0.1, |_, _| 9.0).flicker(), None);
    }
}
