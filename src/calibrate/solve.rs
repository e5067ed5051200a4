//! Small dense least squares: normal equations and their solution.
//!
//! Takes weighted observations of a linear model with at most a dozen unknowns. Gives `None`
//! where the observations do not determine them.

/// Normal equations of `N` unknowns under construction.
#[derive(Clone, Debug)]
pub struct Normal<const N: usize> {
    a: [[f64; N]; N],
    b: [f64; N],
}

impl<const N: usize> Default for Normal<N> {
    fn default() -> Self {
        Self {
            a: [[0.0; N]; N],
            b: [0.0; N],
        }
    }
}

impl<const N: usize> Normal<N> {
    /// Adds the observation `row . unknowns = value` with a weight.
    pub fn add(&mut self, row: &[f64; N], value: f64, weight: f64) {
        for i in 0..N {
            let w = weight * row[i];
            for j in 0..=i {
                self.a[i][j] += w * row[j];
            }
            self.b[i] += w * value;
        }
    }

    /// Pulls every unknown to zero with this weight, which keeps a poorly determined one small.
    pub fn damp(&mut self, weight: f64) {
        for i in 0..N {
            self.a[i][i] += weight;
        }
    }

    /// The same for all unknowns but the first, which is what the others are measured from.
    pub fn damp_all_but_first(&mut self, weight: f64) {
        for i in 1..N {
            self.a[i][i] += weight;
        }
    }

    /// Adds the observations of another system with the same unknowns.
    pub fn join(&mut self, other: &Self) {
        for i in 0..N {
            for j in 0..N {
                self.a[i][j] += other.a[i][j];
            }
            self.b[i] += other.b[i];
        }
    }

    /// The same system for what is left when the unknowns are first given these values.
    #[must_use]
    pub fn beyond(&self, first: &[f64; N]) -> Self {
        let mut rest = self.clone();
        for i in 0..N {
            for j in 0..N {
                // Only the lower triangle is kept.
                let a = if j <= i { self.a[i][j] } else { self.a[j][i] };
                rest.b[i] -= a * first[j];
            }
        }
        rest
    }

    /// The unknowns with the least weighted squared error (Cholesky).
    #[must_use]
    pub fn solve(&self) -> Option<[f64; N]> {
        let mut l = self.a;
        for i in 0..N {
            for j in 0..=i {
                let mut sum = l[i][j];
                for k in 0..j {
                    sum -= l[i][k] * l[j][k];
                }
                if i == j {
                    // Relative to what was there before elimination: below this the unknown is
                    // a combination of others.
                    if !(sum > 1e-12 * self.a[i][i].abs() && sum > 0.0) {
                        return None;
                    }
                    l[i][i] = sum.sqrt();
                } else {
                    l[i][j] = sum / l[j][j];
                }
            }
        }
        let mut x = self.b;
        for i in 0..N {
            for k in 0..i {
                x[i] -= l[i][k] * x[k];
            }
            x[i] /= l[i][i];
        }
        for i in (0..N).rev() {
            for k in i + 1..N {
                x[i] -= l[k][i] * x[k];
            }
            x[i] /= l[i][i];
        }
        x.iter().all(|v| v.is_finite()).then_some(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_points_is_found_and_too_few_points_are_refused() {
        let mut n = Normal::<2>::default();
        n.add(&[1.0, 0.0], 3.0, 1.0);
        assert!(n.solve().is_none());
        n.add(&[1.0, 10.0], 8.0, 2.0);
        let [a, b] = n.solve().expect("two points");
        assert!((a - 3.0).abs() < 1e-9 && (b - 0.5).abs() < 1e-9, "{a} {b}");
    }
}
