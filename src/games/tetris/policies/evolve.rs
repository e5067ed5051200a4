//! CMA-ES: a search for the smallest value of a noisy function of a few dozen numbers, by a cloud
//! of trials whose centre, size and shape follow the better half (Hansen's tutorial, 2016).

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde::{Deserialize, Serialize};

/// The state of a search: everything that a checkpoint must hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evolution {
    /// Centre of the cloud.
    pub mean: Vec<f64>,
    /// Size of the cloud.
    pub sigma: f64,
    /// Generations done.
    pub generation: u64,
    covariance: Vec<Vec<f64>>,
    path: Vec<f64>,
    path_sigma: Vec<f64>,
    seed: u64,
}

/// Constants of the method for a number of dimensions and trials.
struct Rates {
    weights: Vec<f64>,
    mu_eff: f64,
    sigma: f64,
    damping: f64,
    path: f64,
    one: f64,
    mu: f64,
    expected: f64,
}

impl Rates {
    fn new(n: usize, trials: usize) -> Self {
        let half = trials / 2;
        let raw: Vec<f64> = (0..half)
            .map(|i| (half as f64 + 0.5).ln() - (i as f64 + 1.0).ln())
            .collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|w| w / sum).collect();
        let mu_eff = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let d = n as f64;
        let sigma = (mu_eff + 2.0) / (d + mu_eff + 5.0);
        let one = 2.0 / ((d + 1.3).powi(2) + mu_eff);
        let mu =
            (2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((d + 2.0).powi(2) + mu_eff)).min(1.0 - one);
        Self {
            damping: 1.0 + 2.0 * (((mu_eff - 1.0) / (d + 1.0)).sqrt() - 1.0).max(0.0) + sigma,
            path: (4.0 + mu_eff / d) / (d + 4.0 + 2.0 * mu_eff / d),
            expected: d.sqrt() * (1.0 - 1.0 / (4.0 * d) + 1.0 / (21.0 * d * d)),
            weights,
            mu_eff,
            sigma,
            one,
            mu,
        }
    }
}

impl Evolution {
    /// Starts around `mean` with a round cloud of this size.
    #[must_use]
    pub fn new(mean: Vec<f64>, sigma: f64, seed: u64) -> Self {
        let n = mean.len();
        let mut covariance = vec![vec![0.0; n]; n];
        for i in 0..n {
            covariance[i][i] = 1.0;
        }
        Self {
            mean,
            sigma,
            generation: 0,
            covariance,
            path: vec![0.0; n],
            path_sigma: vec![0.0; n],
            seed,
        }
    }

    /// The trials of this generation; the same until [`Self::tell`].
    #[must_use]
    pub fn ask(&self, trials: usize) -> Vec<Vec<f64>> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed ^ (self.generation << 20));
        let (values, vectors) = eigen(&self.covariance);
        (0..trials)
            .map(|_| {
                let z: Vec<f64> = values
                    .iter()
                    .map(|v| v.max(0.0).sqrt() * normal(&mut random))
                    .collect();
                (0..self.mean.len())
                    .map(|i| {
                        let step: f64 = (0..z.len()).map(|j| vectors[i][j] * z[j]).sum();
                        self.mean[i] + self.sigma * step
                    })
                    .collect()
            })
            .collect()
    }

    /// Takes the values of the trials, in their order; smaller is better.
    pub fn tell(&mut self, trials: &[Vec<f64>], values: &[f64]) {
        let n = self.mean.len();
        let rates = Rates::new(n, trials.len());
        let mut order: Vec<usize> = (0..trials.len()).collect();
        order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
        let steps: Vec<Vec<f64>> = order
            .iter()
            .take(rates.weights.len())
            .map(|&k| {
                (0..n)
                    .map(|i| (trials[k][i] - self.mean[i]) / self.sigma)
                    .collect()
            })
            .collect();
        let step: Vec<f64> = (0..n)
            .map(|i| {
                steps
                    .iter()
                    .zip(&rates.weights)
                    .map(|(s, w)| w * s[i])
                    .sum()
            })
            .collect();
        for i in 0..n {
            self.mean[i] += self.sigma * step[i];
        }
        // The step in the coordinates in which the cloud is round.
        let (scales, vectors) = eigen(&self.covariance);
        let along: Vec<f64> = (0..n)
            .map(|j| {
                (0..n).map(|i| vectors[i][j] * step[i]).sum::<f64>() / scales[j].max(1e-20).sqrt()
            })
            .collect();
        let keep = (rates.sigma * (2.0 - rates.sigma) * rates.mu_eff).sqrt();
        for i in 0..n {
            let round: f64 = (0..n).map(|j| vectors[i][j] * along[j]).sum();
            self.path_sigma[i] = (1.0 - rates.sigma) * self.path_sigma[i] + keep * round;
        }
        let length = self.path_sigma.iter().map(|p| p * p).sum::<f64>().sqrt();
        let age = 1.0 - (1.0 - rates.sigma).powf(2.0 * (self.generation + 1) as f64);
        let stalled = length / age.sqrt() >= (1.4 + 2.0 / (n as f64 + 1.0)) * rates.expected;
        let fresh = if stalled {
            0.0
        } else {
            (rates.path * (2.0 - rates.path) * rates.mu_eff).sqrt()
        };
        for i in 0..n {
            self.path[i] = (1.0 - rates.path) * self.path[i] + fresh * step[i];
        }
        let lost = if stalled {
            rates.one * rates.path * (2.0 - rates.path)
        } else {
            0.0
        };
        for i in 0..n {
            for j in 0..n {
                let of_steps: f64 = steps
                    .iter()
                    .zip(&rates.weights)
                    .map(|(s, w)| w * s[i] * s[j])
                    .sum();
                self.covariance[i][j] = (1.0 - rates.one - rates.mu + lost) * self.covariance[i][j]
                    + rates.one * self.path[i] * self.path[j]
                    + rates.mu * of_steps;
            }
        }
        self.sigma *= (rates.sigma / rates.damping * (length / rates.expected - 1.0)).exp();
        self.generation += 1;
    }
}

/// A number of the normal distribution (Box and Muller).
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let mut uniform = || (f64::from(random.next_u32()) + 0.5) / 4_294_967_296.0;
    let (a, b) = (uniform(), uniform());
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

/// Eigenvalues and eigenvectors (as columns) of a symmetric matrix, by Jacobi's rotations.
fn eigen(matrix: &[Vec<f64>]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = matrix.len();
    let mut a = matrix.to_vec();
    let mut v = vec![vec![0.0; n]; n];
    for i in 0..n {
        v[i][i] = 1.0;
    }
    for _ in 0..50 {
        let off: f64 = (0..n)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| a[i][j] * a[i][j])
            .sum();
        if off < 1e-22 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q].abs() < 1e-300 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..n {
                    let (kp, kq) = (a[k][p], a[k][q]);
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                }
                for k in 0..n {
                    let (pk, qk) = (a[p][k], a[q][k]);
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                }
                for row in &mut v {
                    let (kp, kq) = (row[p], row[q]);
                    row[p] = c * kp - s * kq;
                    row[q] = s * kp + c * kq;
                }
            }
        }
    }
    ((0..n).map(|i| a[i][i]).collect(), v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_make_the_matrix_again() {
        let m = vec![
            vec![4.0, 1.0, -2.0],
            vec![1.0, 3.0, 0.5],
            vec![-2.0, 0.5, 5.0],
        ];
        let (values, v) = eigen(&m);
        for i in 0..3 {
            for j in 0..3 {
                let made: f64 = (0..3).map(|k| v[i][k] * values[k] * v[j][k]).sum();
                assert!((made - m[i][j]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn it_finds_the_bottom_of_a_skewed_valley() {
        let f = |x: &[f64]| {
            let d: Vec<f64> = x
                .iter()
                .zip([3.0, -1.0, 0.5, 2.0])
                .map(|(x, t)| x - t)
                .collect();
            d[0] * d[0] + 100.0 * (d[1] + d[0]).powi(2) + d[2] * d[2] + 30.0 * (d[3] - d[2]).powi(2)
        };
        let mut search = Evolution::new(vec![0.0; 4], 1.0, 5);
        for _ in 0..150 {
            let trials = search.ask(10);
            let values: Vec<f64> = trials.iter().map(|t| f(t)).collect();
            search.tell(&trials, &values);
        }
        assert!(f(&search.mean) < 1e-6, "{search:?}");
    }
}
