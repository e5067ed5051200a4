//! Colours joined step by step into fewer and fewer groups (average linkage).
//!
//! Takes the colours of the cells with the light removed; gives the groups for any wanted number.

use crate::types::colour::apart;

/// Colours nearer than this are one from the start: a screenshot has no more than a few.
const ONE: f32 = 3.0;

/// The order in which groups join.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The first member of the group that each colour belongs to from the start.
    first: Vec<usize>,
    /// Number of those groups.
    n: usize,
    /// The two groups that join, as indices of a member of each.
    joins: Vec<(usize, usize)>,
}

impl Tree {
    /// Joins all colours.
    #[must_use]
    pub fn new(colours: &[[f32; 3]]) -> Self {
        let mut seeds: Vec<[f32; 3]> = Vec::new();
        let mut count: Vec<f32> = Vec::new();
        let first = colours
            .iter()
            .map(|&c| {
                let near = seeds.iter().position(|&s| apart(s, c) < ONE);
                let i = near.unwrap_or(seeds.len());
                if near.is_none() {
                    seeds.push(c);
                    count.push(0.0);
                }
                count[i] += 1.0;
                i
            })
            .collect();
        let n = seeds.len();
        let mut far = vec![0.0f32; n * n];
        for i in 0..n {
            for j in 0..i {
                let d = apart(seeds[i], seeds[j]);
                far[i * n + j] = d;
                far[j * n + i] = d;
            }
        }
        let mut alive: Vec<usize> = (0..n).collect();
        let mut joins = Vec::with_capacity(n.saturating_sub(1));
        while alive.len() > 1 {
            let mut best = (f32::INFINITY, 0, 1);
            for (p, &i) in alive.iter().enumerate() {
                for (q, &j) in alive.iter().enumerate().skip(p + 1) {
                    if far[i * n + j] < best.0 {
                        best = (far[i * n + j], p, q);
                    }
                }
            }
            let (_, p, q) = best;
            let (i, j) = (alive[p], alive[q]);
            joins.push((i, j));
            let (a, b) = (count[i], count[j]);
            for &k in &alive {
                let d = (far[i * n + k] * a + far[j * n + k] * b) / (a + b);
                far[i * n + k] = d;
                far[k * n + i] = d;
            }
            count[i] = a + b;
            alive.swap_remove(q);
        }
        Self { first, n, joins }
    }

    /// The most groups there can be.
    #[must_use]
    pub fn most(&self) -> usize {
        self.n
    }

    /// The group of each colour when there are `groups` of them.
    #[must_use]
    pub fn cut(&self, groups: usize) -> Vec<usize> {
        let mut root: Vec<usize> = (0..self.n).collect();
        for &(i, j) in self.joins.iter().take(self.n.saturating_sub(groups)) {
            for r in &mut root {
                if *r == j {
                    *r = i;
                }
            }
        }
        let mut names: Vec<usize> = Vec::new();
        self.first
            .iter()
            .map(|&i| {
                let r = root[i];
                names.iter().position(|&n| n == r).unwrap_or_else(|| {
                    names.push(r);
                    names.len() - 1
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shade_joins_before_hue() {
        let colours = [
            [240.0, 20.0, 20.0],
            [200.0, 200.0, 210.0],
            [180.0, 14.0, 16.0],
            [230.0, 200.0, 20.0],
            [190.0, 160.0, 10.0],
        ];
        let tree = Tree::new(&colours);
        assert_eq!(tree.cut(3), [0, 1, 0, 2, 2]);
        assert_eq!(tree.cut(5), [0, 1, 2, 3, 4]);
        assert_eq!(tree.cut(1), [0; 5]);
    }
}
