//! What happens to an image in light before it becomes pixels: blur, motion, a hand in front.
//!
//! Takes and changes buffers of light, row by row, three channels each.

use rayon::prelude::*;

use super::model::Hand;
use super::noise::clouds;
use super::view::Light3;
use crate::types::Point;

/// Gaussian blur of the given spread in px; `spare` has the size of `image`.
pub fn gauss_blur(image: &mut [Light3], spare: &mut [Light3], width: usize, sigma: f64) {
    if sigma < 0.05 || width == 0 {
        return;
    }
    let radius = (3.0 * sigma).ceil() as i64;
    let mut kernel: Vec<f32> = (-radius..=radius)
        .map(|d| (-(d * d) as f64 / (2.0 * sigma * sigma)).exp() as f32)
        .collect();
    let sum: f32 = kernel.iter().sum();
    kernel.iter_mut().for_each(|k| *k /= sum);
    let height = image.len() / width;
    pass(image, spare, (width, height), &kernel, (1, 0));
    pass(spare, image, (width, height), &kernel, (0, 1));
}

/// The mean along a straight motion of the given px.
pub fn motion_blur(image: &mut [Light3], spare: &mut [Light3], width: usize, (dx, dy): (f64, f64)) {
    let length = dx.hypot(dy);
    if length < 0.5 || width == 0 {
        return;
    }
    let height = image.len() / width;
    let steps = (2.0 * length).ceil() as usize + 1;
    for (i, out) in spare.iter_mut().enumerate() {
        let (x, y) = ((i % width) as f64, (i / width) as f64);
        let mut sum = [0f32; 3];
        for s in 0..steps {
            let t = s as f64 / (steps - 1) as f64 - 0.5;
            let at = index((x + t * dx).round(), (y + t * dy).round(), width, height);
            for (a, b) in sum.iter_mut().zip(image[at]) {
                *a += b;
            }
        }
        *out = sum.map(|v| v / steps as f32);
    }
    image.copy_from_slice(spare);
}

/// The pixel nearest to (x, y) inside the image.
fn index(x: f64, y: f64, width: usize, height: usize) -> usize {
    let x = x.clamp(0.0, (width - 1) as f64) as usize;
    let y = y.clamp(0.0, (height - 1) as f64) as usize;
    y * width + x
}

fn pass(
    from: &[Light3],
    to: &mut [Light3],
    (width, height): (usize, usize),
    kernel: &[f32],
    (sx, sy): (i64, i64),
) {
    let radius = (kernel.len() / 2) as i64;
    to.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (x, out) in row.iter_mut().enumerate() {
            let mut sum = [0f32; 3];
            for (k, weight) in kernel.iter().enumerate() {
                let d = k as i64 - radius;
                let px = (x as i64 + d * sx).clamp(0, width as i64 - 1) as usize;
                let py = (y as i64 + d * sy).clamp(0, height as i64 - 1) as usize;
                for (s, v) in sum.iter_mut().zip(from[py * width + px]) {
                    *s += weight * v;
                }
            }
            *out = sum;
        }
    });
}

impl Hand {
    /// Distance of a camera px from the hand's outline, negative inside.
    #[must_use]
    pub fn distance(&self, px: Point) -> f64 {
        let r = self.radius.max(1.0);
        let (x, y) = ((px.x - self.at.x) / r, (px.y - self.at.y) / r);
        let capsule = |a: (f64, f64), b: (f64, f64), radius: f64| {
            let (vx, vy) = (b.0 - a.0, b.1 - a.1);
            let along = (x - a.0) * vx + (y - a.1) * vy;
            let t = (along / (vx * vx + vy * vy).max(1e-9)).clamp(0.0, 1.0);
            (x - a.0 - t * vx).hypot(y - a.1 - t * vy) - radius
        };
        let mut d = x.hypot(y) - 1.0;
        // Thumb and four fingers: direction and reach in palm radii.
        for (angle, reach) in [
            (-2.5, 1.6),
            (-2.0, 2.2),
            (-1.65, 2.4),
            (-1.3, 2.2),
            (-0.6, 1.6),
        ] {
            let (s, c) = f64::sin_cos(angle);
            d = d.min(capsule((0.6 * c, 0.6 * s), (reach * c, reach * s), 0.27));
        }
        d.min(capsule((0.0, 0.5), (0.5, 40.0), 0.72)) * r
    }
}

/// Draws a hand: palm, five fingers, an arm that comes from below.
pub fn put_hand(image: &mut [Light3], width: usize, hand: Hand, seed: u64) {
    if width == 0 {
        return;
    }
    let r = hand.radius.max(1.0);
    for (i, pixel) in image.iter_mut().enumerate() {
        let at = Point::new((i % width) as f64 + 0.5, (i / width) as f64 + 0.5);
        let d = hand.distance(at);
        let cover = (0.5 - d).clamp(0.0, 1.0) as f32;
        if cover > 0.0 {
            // Darker towards the rim, with the uneven tone of skin.
            let tone = 0.75 + 0.25 * (-d * 2.0 / r).clamp(0.0, 1.0);
            let tone = tone * (0.9 + 0.2 * clouds(seed, at.x * 2.0 / r, at.y * 2.0 / r));
            for (v, skin) in pixel.iter_mut().zip([0.55, 0.32, 0.22]) {
                *v += ((skin * tone) as f32 - *v) * cover;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blur_keeps_the_light_and_spreads_it() {
        let mut image = vec![[0f32; 3]; 41 * 41];
        image[20 * 41 + 20] = [1.0; 3];
        let mut spare = image.clone();
        gauss_blur(&mut image, &mut spare, 41, 2.0);
        let sum: f32 = image.iter().map(|p| p[0]).sum();
        assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        let var: f32 = (0..41)
            .map(|x| (x as f32 - 20.0).powi(2) * (0..41).map(|y| image[y * 41 + x][0]).sum::<f32>())
            .sum();
        assert!((var.sqrt() - 2.0).abs() < 0.1, "{}", var.sqrt());
    }

    #[test]
    fn motion_spreads_along_its_direction_only() {
        let mut image = vec![[0f32; 3]; 21 * 21];
        image[10 * 21 + 10] = [1.0; 3];
        let mut spare = image.clone();
        motion_blur(&mut image, &mut spare, 21, (6.0, 0.0));
        assert!(image[10 * 21 + 8][0] > 0.0 && image[10 * 21 + 12][0] > 0.0);
        assert_eq!(image[8 * 21 + 10][0], 0.0);
    }

    #[test]
    fn a_hand_hides_what_is_behind_it() {
        let mut image = vec![[0f32; 3]; 100 * 100];
        let hand = Hand {
            at: Point::new(50.0, 60.0),
            radius: 12.0,
        };
        put_hand(&mut image, 100, hand, 1);
        assert!(image[60 * 100 + 50][0] > 0.2, "palm");
        assert!(image[95 * 100 + 52][0] > 0.2, "arm");
        assert_eq!(image[5 * 100 + 5][0], 0.0);
    }
}
