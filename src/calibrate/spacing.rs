//! Distances between parallel pieces of line: where the pitch of a lattice shows.
//!
//! Takes chains of one way, gives pairs that run side by side and the distances at which
//! unusually many do. A lattice with missing lines, and one with a gap between cells, still has
//! most of its pairs at one pitch; text and icons have none in particular.

use super::chains::Chain;

/// Two chains side by side.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Distance between them.
    pub distance: f32,
    /// `at` of the nearer one.
    pub at: f32,
    /// Where both run: first and last `along`.
    pub along: (f32, f32),
}

/// Side by side for less than this share of their distance is no pair: the side of a cell is as
/// long as the cell is wide, give or take rounded corners and cells that are not square.
const MIN_OVERLAP: f32 = 0.4;

/// All pairs at most `longest` apart, ordered by distance.
#[must_use]
pub fn pairs(chains: &[Chain], shortest: f32, longest: f32) -> Vec<Pair> {
    const BAND: f32 = 32.0;
    let end = chains.iter().map(|c| c.to).fold(0.0, f32::max);
    let mut bands: Vec<Vec<u32>> = vec![Vec::new(); (end / BAND) as usize + 1];
    let mut order: Vec<u32> = (0..chains.len() as u32).collect();
    order.sort_by(|&a, &b| chains[a as usize].at.total_cmp(&chains[b as usize].at));
    for &i in &order {
        let c = &chains[i as usize];
        let last = ((c.to - 0.5).max(0.0) / BAND) as usize;
        for band in &mut bands[(c.from / BAND) as usize..=last] {
            band.push(i);
        }
    }
    let mut out = Vec::new();
    for (b, band) in bands.iter().enumerate() {
        for (k, &i) in band.iter().enumerate() {
            let first = &chains[i as usize];
            let reach = longest.min(first.len() / MIN_OVERLAP);
            for &j in &band[k + 1..] {
                let second = &chains[j as usize];
                let distance = second.at - first.at;
                if distance > reach {
                    break;
                }
                let lo = first.from.max(second.from);
                let hi = first.to.min(second.to);
                // A pair is counted in the band where it begins.
                if distance >= shortest
                    && hi - lo >= MIN_OVERLAP * distance
                    && (lo / BAND) as usize == b
                {
                    out.push(Pair {
                        distance,
                        at: first.at,
                        along: (lo, hi),
                    });
                }
            }
        }
    }
    out.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    out
}

/// The distances shared by the most pairs, most first, at most `count`.
#[must_use]
pub fn peaks(pairs: &[Pair], longest: f32, count: usize) -> Vec<f32> {
    const PER_PX: f32 = 2.0;
    let bins = (longest * PER_PX) as usize + 4;
    let mut votes = vec![0.0f32; bins];
    for p in pairs {
        // How many cells fit between the two; long window borders must not outvote a board.
        let weight = ((p.along.1 - p.along.0) / p.distance).min(6.0);
        let at = p.distance * PER_PX;
        let (i, f) = (at as usize, at.fract());
        if i + 1 < bins {
            votes[i] += weight * (1.0 - f);
            votes[i + 1] += weight * f;
        }
    }
    let smooth: Vec<f32> = (0..bins)
        .map(|i| {
            let at = |k: isize| {
                votes
                    .get((i as isize + k).max(0) as usize)
                    .copied()
                    .unwrap_or(0.0)
            };
            at(0) + 0.8 * (at(-1) + at(1)) + 0.4 * (at(-2) + at(2))
        })
        .collect();
    let mut found: Vec<(f32, f32)> = (1..bins - 1)
        .filter(|&i| smooth[i] > 2.0 && smooth[i] >= smooth[i - 1] && smooth[i] > smooth[i + 1])
        .map(|i| (smooth[i], i as f32 / PER_PX))
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.truncate(count);
    found.into_iter().map(|(_, d)| d).collect()
}

/// The pairs whose distance is within `tolerance` of `distance`.
#[must_use]
pub fn at_distance(pairs: &[Pair], distance: f32, tolerance: f32) -> &[Pair] {
    let lo = pairs.partition_point(|p| p.distance < distance - tolerance);
    let hi = pairs.partition_point(|p| p.distance <= distance + tolerance);
    &pairs[lo..hi]
}
