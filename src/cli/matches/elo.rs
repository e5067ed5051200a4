//! How much stronger one of two players is, and how sure that is.
//!
//! Games come in pairs with the same opening, so that their results are not independent: the
//! error is that of the mean of pairs (0, 1/2, 1, 3/2 or 2 points each).

/// Half-widths of a normal distribution that hold 95 % of it.
const NINETY_FIVE: f64 = 1.959_963_985;

/// Results from the side of one player.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Losses, draws, wins.
    games: [u32; 3],
    /// Pairs by half points, 0 to 4.
    pairs: [u32; 5],
}

/// A difference in Elo; `None` is without bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Elo {
    pub(super) value: Option<f64>,
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
}

fn elo(score: f64) -> Option<f64> {
    let inside = score > 0.0 && score < 1.0;
    // No minus before a zero.
    inside.then(|| -400.0 * (1.0 / score - 1.0).log10() + 0.0)
}

impl Tally {
    /// A game that gave so many half points.
    pub(super) fn game(&mut self, halves: usize) {
        self.games[halves.min(2)] += 1;
    }

    /// A pair of games that gave so many half points.
    pub(super) fn pair(&mut self, halves: usize) {
        self.pairs[halves.min(4)] += 1;
    }

    pub(super) fn games(&self) -> usize {
        self.games.iter().sum::<u32>() as usize
    }

    pub(super) fn wins(&self) -> u32 {
        self.games[2]
    }

    pub(super) fn draws(&self) -> u32 {
        self.games[1]
    }

    pub(super) fn losses(&self) -> u32 {
        self.games[0]
    }

    pub(super) fn pairs(&self) -> [u32; 5] {
        self.pairs
    }

    /// Mean score of a game, 0 to 1, and the standard error of that; `None` without a pair.
    fn mean(&self) -> Option<(f64, f64)> {
        let n = f64::from(self.pairs.iter().sum::<u32>());
        if n == 0.0 {
            return None;
        }
        let values = || (0..5).map(|i| (i as f64 / 4.0, f64::from(self.pairs[i])));
        let mean = values().map(|(x, k)| x * k).sum::<f64>() / n;
        let spread = values().map(|(x, k)| k * (x - mean).powi(2)).sum::<f64>();
        Some((mean, (spread / (n - 1.0).max(1.0) / n).sqrt()))
    }

    /// The difference with its bounds. When all pairs came out alike there is no spread to judge
    /// by: then the bounds are those of all others together being so rare that they would stay
    /// away so long one time in twenty.
    pub(super) fn elo(&self) -> Option<Elo> {
        let (mean, error) = self.mean()?;
        let (low, high) = if error > 0.0 {
            (mean - NINETY_FIVE * error, mean + NINETY_FIVE * error)
        } else {
            let n = f64::from(self.pairs.iter().sum::<u32>());
            let others = 1.0 - 0.05f64.powf(1.0 / n);
            (mean * (1.0 - others), mean + others * (1.0 - mean))
        };
        Some(Elo {
            value: elo(mean),
            low: elo(low),
            high: elo(high),
        })
    }

    /// The likelihood that this player is the stronger one, 0 to 1.
    pub(super) fn los(&self) -> f64 {
        let by_pairs = self.mean().filter(|(_, error)| *error > 0.0);
        if let Some((mean, error)) = by_pairs {
            return normal((mean - 0.5) / error);
        }
        let (wins, losses) = (f64::from(self.wins()), f64::from(self.losses()));
        match wins + losses {
            0.0 => 0.5,
            decided => normal((wins - losses) / decided.sqrt()),
        }
    }

    /// For a progress bar.
    pub(super) fn short(&self) -> String {
        format!("+{} ={} -{}", self.wins(), self.draws(), self.losses())
    }

    /// For a person.
    pub(super) fn text(&self) -> String {
        let Some(elo) = self.elo() else {
            return "no pair of games".to_owned();
        };
        let bound = |b: Option<f64>, open: &str| b.map_or(open.to_owned(), |b| format!("{b:+.0}"));
        let value = match elo.value {
            Some(value) => format!("{value:+.0}"),
            None if self.wins() > 0 => "without bound".to_owned(),
            None => "without bound below".to_owned(),
        };
        format!(
            "{value} ({} to {}, 95 %), LOS {:.1} %",
            bound(elo.low, "-inf"),
            bound(elo.high, "+inf"),
            100.0 * self.los()
        )
    }
}

/// The share of a normal distribution below x, by Simpson's rule; wrong by less than 1e-6.
fn normal(x: f64) -> f64 {
    let x = x.clamp(-8.0, 8.0);
    let steps = 400;
    let width = x / f64::from(steps);
    let density = |t: f64| (-t * t / 2.0).exp();
    let sum: f64 = (0..=steps)
        .map(|i| {
            let weight = match i {
                0 | 400 => 1.0,
                odd if odd % 2 == 1 => 4.0,
                _ => 2.0,
            };
            weight * density(f64::from(i) * width)
        })
        .sum();
    0.5 + sum * width / 3.0 / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: [u32; 5]) -> Tally {
        // Halves of a pair do not tell its games apart: 2 is taken as a win and a loss.
        let games = [[2, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 0, 2]];
        let mut tally = Tally {
            pairs,
            ..Tally::default()
        };
        for (n, results) in pairs.iter().zip(games) {
            for (sum, k) in tally.games.iter_mut().zip(results) {
                *sum += n * k;
            }
        }
        tally
    }

    fn near(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() < by, "{a} is not {b}");
    }

    #[test]
    fn the_normal_distribution() {
        for (x, share) in [
            (0.0, 0.5),
            (1.0, 0.841_345),
            (-1.96, 0.024_998),
            (3.0, 0.998_650),
        ] {
            near(normal(x), share, 1e-6);
        }
    }

    #[test]
    fn a_known_difference() {
        // 100 pairs, mean 0.5625: (-400 log10(1/0.5625 - 1)) = 43.66.
        let t = tally([5, 15, 40, 30, 10]);
        let (mean, error) = t.mean().expect("pairs");
        near(mean, 0.5625, 1e-12);
        // By hand: sum k (x - mean)^2 = 5*0.31640625 + 15*0.09765625 + 40*0.00390625
        //   + 30*0.03515625 + 10*0.19140625 = 6.171875, over 99 and 100.
        near(error, (6.171_875f64 / 99.0 / 100.0).sqrt(), 1e-12);
        let elo = t.elo().expect("pairs");
        near(elo.value.expect("bounded"), 43.66, 0.01);
        assert!(elo.low.expect("bounded") > 0.0 && elo.high.expect("bounded") < 90.0);
        assert!(t.los() > 0.99);
        assert_eq!(t.games(), 200);
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        let (a, b) = (tally([1, 2, 3, 4, 5]), tally([5, 4, 3, 2, 1]));
        near(a.los() + b.los(), 1.0, 1e-9);
        let (x, y) = (a.elo().expect("pairs"), b.elo().expect("pairs"));
        near(x.value.expect("one") + y.value.expect("one"), 0.0, 1e-9);
        near(x.low.expect("one") + y.high.expect("one"), 0.0, 1e-9);
    }

    #[test]
    fn a_clean_sweep_has_a_bound_below() {
        let t = tally([0, 0, 0, 0, 10]);
        let elo = t.elo().expect("pairs");
        assert_eq!((elo.value, elo.high), (None, None));
        // 0.05^(1/10) = 0.7411 -> 182.8
        near(elo.low.expect("bounded"), 182.8, 0.1);
        assert!(t.los() > 0.9999);
        assert!(t.text().starts_with("without bound (+183 to +inf"));
        let even = tally([0, 0, 10, 0, 0]);
        near(even.los(), 0.5, 1e-9);
        let elo = even.elo().expect("pairs");
        assert_eq!(elo.value, Some(0.0));
        assert!(elo.low.expect("one") < -40.0 && elo.high.expect("one") > 40.0);
        assert_eq!(Tally::default().elo(), None);
    }
}
