//! A picture packed for reading colours between its pixels, as the judging of lattices does
//! hundreds of thousands of times.
//!
//! Takes planes, gives colours. All three channels are mixed at once, each in its own part of one
//! number, to a part in 256 of a step.

use super::super::planes::Planes;
use crate::types::Point;

/// Bits for a channel: 8 of colour, 8 of the weights, and room.
const LANE: u32 = 21;

/// Parts of a pixel that weights count in, along each axis.
const PARTS: f64 = 16.0;

/// One pixel in a word, row by row.
#[derive(Clone, Debug)]
pub struct Fine {
    width: usize,
    height: usize,
    px: Vec<u32>,
}

impl Fine {
    /// Packs planes.
    #[must_use]
    pub fn new(planes: &Planes) -> Self {
        let [r, g, b] = &planes.rgb;
        let px = { r.iter().zip(g).zip(b) }
            .map(|((&r, &g), &b)| u32::from(r) << 16 | u32::from(g) << 8 | u32::from(b))
            .collect();
        Self {
            width: planes.width,
            height: planes.height,
            px,
        }
    }

    /// Whether the point lies inside.
    #[must_use]
    #[inline]
    pub fn contains(&self, px: Point) -> bool {
        px.x >= 0.0 && px.y >= 0.0 && px.x < self.width as f64 && px.y < self.height as f64
    }

    /// The colour between pixel centres, bilinear to a sixteenth of a pixel; `None` outside.
    #[must_use]
    #[inline]
    pub fn between(&self, px: Point) -> Option<[f32; 3]> {
        if !self.contains(px) {
            return None;
        }
        let part = |v: f64, most: usize| {
            let v = ((v - 0.5) * PARTS + 0.5).max(0.0) as usize;
            let whole = (v >> 4).min(most - 1);
            let next = (whole + 1).min(most - 1);
            (whole, next, (v & 15) as u64)
        };
        let (x0, x1, fx) = part(px.x, self.width);
        let (y0, y1, fy) = part(px.y, self.height);
        let (i, j) = (y0 * self.width, y1 * self.width);
        let at = |k: usize| spread(self.px.get(k).copied().unwrap_or(0));
        let top = at(i + x0) * (16 - fx) + at(i + x1) * fx;
        let low = at(j + x0) * (16 - fx) + at(j + x1) * fx;
        let sum = top * (16 - fy) + low * fy;
        let lane = |k: u32| ((sum >> (k * LANE)) & ((1 << LANE) - 1)) as f32 * (1.0 / 256.0);
        Some([lane(2), lane(1), lane(0)])
    }
}

/// The three channels, each with room above it.
#[inline]
const fn spread(p: u32) -> u64 {
    let p = p as u64;
    (p & 0xff) | (p & 0xff00) << (LANE - 8) | (p & 0x00ff_0000) << (2 * LANE - 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Picture;

    #[test]
    fn colours_are_those_of_the_planes_to_a_step() {
        let mut picture = Picture::filled(7, 5, [0; 3]);
        for y in 0..5i64 {
            for x in 0..7i64 {
                let v = |k: i64| ((x * 37 + y * 91 + k * 53) % 256) as u8;
                picture.set(x, y, [v(1), v(2), v(3)]);
            }
        }
        let planes = Planes::new(&picture);
        let fine = Fine::new(&planes);
        for i in 0..400 {
            let p = Point::new(
                f64::from(i % 23) * 0.33 - 0.2,
                f64::from(i / 23) * 0.31 - 0.2,
            );
            let (a, b) = (planes.between(p), fine.between(p));
            assert_eq!(a.is_some(), b.is_some(), "{p:?}");
            for (a, b) in a.unwrap_or_default().iter().zip(b.unwrap_or_default()) {
                // A thirty-second of a pixel along both axes, over the largest step there is.
                assert!((a - b).abs() <= 16.0, "{p:?}: {a} {b}");
            }
        }
        let middle = Point::new(2.5, 3.5);
        assert_eq!(planes.between(middle), fine.between(middle));
    }
}
