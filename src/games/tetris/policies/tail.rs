//! What a histogram of pile heights says about games that are too long to play.
//!
//! The shares fall by about the same factor from row to row. A straight line through their
//! logarithms, carried on to the row above the board, gives the chance of a piece to end the
//! game, as the standard describes.

use super::sim::Tally;

/// The first height that belongs to the tail.
const FIRST: usize = 5;
/// Heights that occurred less often say too little.
const FEWEST: u64 = 20;
/// Placements in a row at about the same height count as one: a pile stays up for a while.
const LINGERING: f64 = 10.0;

/// A fitted tail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tail {
    /// Share of placements that leave the pile at height 5.
    pub share: f64,
    /// Factor from one height to the next.
    pub factor: f64,
    /// Mean rows of a game, as predicted.
    pub rows: f64,
    /// Its relative standard error, by the counts alone: the fit assumes that the tail goes on as
    /// it began, which a policy that plays differently near the top does not do.
    pub error: f64,
}

/// Fits the tail of a tally on a board of so many rows; `None` with fewer than three heights.
#[must_use]
pub fn fit(tally: &Tally, cols: u16, rows: u16) -> Option<Tail> {
    let total = tally.pieces as f64;
    // Near the top the rules bend the tail.
    let last = usize::from(rows).saturating_sub(4);
    let points: Vec<(f64, f64, f64)> = (FIRST..last)
        .map_while(|h| {
            let n = *tally.heights.get(h)?;
            let enough = n >= FEWEST;
            enough.then(|| {
                (
                    (h - FIRST) as f64,
                    (n as f64 / total).ln(),
                    n as f64 / LINGERING,
                )
            })
        })
        .collect();
    if points.len() < 3 {
        return None;
    }
    let sum = |f: &dyn Fn(&(f64, f64, f64)) -> f64| points.iter().map(f).sum::<f64>();
    let w = sum(&|p| p.2);
    let (x, y) = (sum(&|p| p.2 * p.0) / w, sum(&|p| p.2 * p.1) / w);
    let spread = sum(&|p| p.2 * (p.0 - x).powi(2));
    let slope = sum(&|p| p.2 * (p.0 - x) * (p.1 - y)) / spread;
    let at = |h: f64| y + slope * (h - x);
    let over = f64::from(rows) + 1.0 - FIRST as f64;
    Some(Tail {
        share: at(0.0).exp(),
        factor: slope.exp(),
        rows: (-at(over)).exp() * 4.0 / f64::from(cols),
        error: (1.0 / w + (over - x).powi(2) / spread).sqrt(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_tail_is_carried_on() {
        let mut heights = vec![0; 25];
        for (h, n) in heights.iter_mut().enumerate().skip(5).take(12) {
            *n = (1e9 * 0.122 * 0.375_f64.powi(h as i32 - 5)) as u64;
        }
        let tally = Tally {
            pieces: 1_000_000_000,
            heights,
            ..Tally::default()
        };
        let tail = fit(&tally, 10, 20).expect("enough heights");
        assert!((tail.factor - 0.375).abs() < 1e-3 && (tail.share - 0.122).abs() < 1e-3);
        let wanted = 0.4 / (0.122 * 0.375_f64.powi(16));
        assert!((tail.rows / wanted - 1.0).abs() < 0.05, "{tail:?} {wanted}");
        assert_eq!(fit(&Tally::default(), 10, 20), None);
    }
}
