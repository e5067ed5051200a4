//! Cheap random numbers for pixels: a table of normal deviates and smooth clouds.
//!
//! Takes seeds and places, gives the same numbers on every machine.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const TABLE: usize = 1 << 14;

/// Normal deviates (mean 0, spread 1) drawn from a table.
pub struct Gauss {
    seed: u64,
    table: Vec<f32>,
}

impl Gauss {
    pub fn new(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let table = (0..TABLE)
            .map(|_| {
                // Box and Muller; the first factor is kept off zero.
                let u: f64 = rng.random_range(1e-12..1.0);
                let v: f64 = rng.random_range(0.0..std::f64::consts::TAU);
                ((-2.0 * u.ln()).sqrt() * v.cos()) as f32
            })
            .collect();
        Self { seed, table }
    }

    /// The deviates of one row of one frame.
    pub fn row(&self, seq: u64, row: u64) -> Row<'_> {
        Row {
            table: &self.table,
            state: mix(self.seed ^ mix(seq ^ mix(row))) | 1,
        }
    }
}

pub struct Row<'a> {
    table: &'a [f32],
    state: u64,
}

impl Row<'_> {
    pub fn deviate(&mut self) -> f32 {
        // Xorshift (Marsaglia 2003); only the place in the table need be random.
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.table[(self.state >> 20) as usize % TABLE]
    }
}

/// Scatters the bits of a number.
pub fn mix(v: u64) -> u64 {
    // The finaliser of splitmix64.
    let v = (v ^ (v >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let v = (v ^ (v >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    v ^ (v >> 31)
}

/// Three octaves of smooth noise from 0 to 1, the largest features one unit wide.
pub fn clouds(seed: u64, x: f64, y: f64) -> f64 {
    let smooth = |seed: u64, x: f64, y: f64| {
        let at = |dx: i64, dy: i64| {
            let (ix, iy) = (x.floor() as i64 + dx, y.floor() as i64 + dy);
            (mix(seed ^ mix(ix as u64).wrapping_add(mix(!iy as u64))) >> 11) as f64
                / (1u64 << 53) as f64
        };
        let ease = |t: f64| t * t * (3.0 - 2.0 * t);
        let (tx, ty) = (ease(x - x.floor()), ease(y - y.floor()));
        let top = at(0, 0) + (at(1, 0) - at(0, 0)) * tx;
        let low = at(0, 1) + (at(1, 1) - at(0, 1)) * tx;
        top + (low - top) * ty
    };
    let (a, b, c) = (
        smooth(seed, x, y),
        smooth(seed ^ 1, x * 2.7, y * 2.7),
        smooth(seed ^ 2, x * 7.1, y * 7.1),
    );
    (a * 4.0 + b * 2.0 + c) / 7.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviates_are_normal_and_repeat() {
        let g = Gauss::new(5);
        let take = |seq| {
            let mut row = g.row(seq, 3);
            (0..20_000)
                .map(|_| f64::from(row.deviate()))
                .collect::<Vec<_>>()
        };
        let v = take(1);
        let mean = v.iter().sum::<f64>() / v.len() as f64;
        let spread = (v.iter().map(|x| x * x).sum::<f64>() / v.len() as f64).sqrt();
        assert!(
            mean.abs() < 0.05 && (spread - 1.0).abs() < 0.05,
            "{mean} {spread}"
        );
        assert_eq!(v, take(1));
        assert_ne!(v, take(2));
    }
}
