//! A comb: equally spaced parallel lines, some of them missing, fitted to positions of edges.
//!
//! Takes positions with weights and a pitch that is right within a few per cent, gives the
//! pitch and origin to a fraction of a pixel. Where cells are apart each line has two edges;
//! the line then runs midway between them.

/// A fitted comb: lines at `origin + k * pitch`.
#[derive(Clone, Copy, Debug)]
pub struct Comb {
    /// Position of one of the lines.
    pub origin: f64,
    /// Distance between lines.
    pub pitch: f64,
    /// Distance between the two edges of a line; 0 where cells touch.
    pub gap: f64,
    /// Share of the weight that lies on the comb.
    pub support: f64,
}

const BINS: usize = 48;

/// Fits a comb of about this pitch to `(position, weight)` pairs.
#[must_use]
pub fn fit(edges: &[(f32, f32)], pitch: f32) -> Option<Comb> {
    if edges.len() < 3 {
        return None;
    }
    let pitch = tune(edges, f64::from(pitch));
    let (centre, gap) = fold(edges, pitch);
    let mut comb = Comb {
        origin: centre * pitch,
        pitch,
        gap: gap * pitch,
        support: 0.0,
    };
    for _ in 0..3 {
        comb = polish(edges, comb)?;
    }
    Some(comb)
}

/// The pitch near the given one at which the edges are most in step.
fn tune(edges: &[(f32, f32)], pitch: f64) -> f64 {
    let lo = edges.iter().map(|e| e.0).fold(f32::INFINITY, f32::min);
    let hi = edges.iter().map(|e| e.0).fold(0.0, f32::max);
    let span = f64::from(hi - lo).max(pitch);
    let step = 0.12 * pitch * pitch / span;
    let half = (0.03 * pitch / step).ceil().min(40.0) as i32;
    let mut best = (0.0, pitch);
    for k in -half..=half {
        let p = pitch + f64::from(k) * step;
        let (mut c, mut s) = (0.0, 0.0);
        for &(at, w) in edges {
            let (sin, cos) = (f64::from(at - lo) / p * std::f64::consts::TAU).sin_cos();
            c += f64::from(w) * cos;
            s += f64::from(w) * sin;
        }
        let r = c.hypot(s);
        if r > best.0 {
            best = (r, p);
        }
    }
    best.1
}

/// Where in the pitch (0 to 1) the lines lie, and how far apart the two edges of a line are.
fn fold(edges: &[(f32, f32)], pitch: f64) -> (f64, f64) {
    let mut bins = [0.0f64; BINS];
    for &(at, w) in edges {
        let f = (f64::from(at) / pitch).rem_euclid(1.0) * BINS as f64;
        let (i, t) = (f as usize % BINS, f.fract());
        bins[i] += f64::from(w) * (1.0 - t);
        bins[(i + 1) % BINS] += f64::from(w) * t;
    }
    let smooth: Vec<f64> = (0..BINS)
        .map(|i| bins[i] + 0.7 * (bins[(i + 1) % BINS] + bins[(i + BINS - 1) % BINS]))
        .collect();
    let top = (0..BINS)
        .max_by(|&a, &b| smooth[a].total_cmp(&smooth[b]))
        .unwrap_or(0);
    // A second peak at some distance, with a valley between, makes a line with two edges.
    let second = (4..=BINS - 4)
        .map(|d| (top + d) % BINS)
        .filter(|&i| {
            smooth[i] >= smooth[(i + 1) % BINS] && smooth[i] > smooth[(i + BINS - 1) % BINS]
        })
        .max_by(|&a, &b| smooth[a].total_cmp(&smooth[b]))
        .filter(|&i| smooth[i] > 0.4 * smooth[top]);
    let fine = |i: usize| {
        let (l, m, r) = (
            smooth[(i + BINS - 1) % BINS],
            smooth[i],
            smooth[(i + 1) % BINS],
        );
        let bend = l - 2.0 * m + r;
        let shift = if bend < -1e-9 {
            0.5 * (l - r) / bend
        } else {
            0.0
        };
        (i as f64 + shift) / BINS as f64
    };
    match second {
        None => (fine(top), 0.0),
        Some(i) => {
            let (a, b) = (fine(top), fine(i));
            let d = (b - a).rem_euclid(1.0);
            if d <= 0.5 {
                ((a + d / 2.0).rem_euclid(1.0), d)
            } else {
                ((b + (1.0 - d) / 2.0).rem_euclid(1.0), 1.0 - d)
            }
        }
    }
}

/// One round of least squares over the edges near the comb.
fn polish(edges: &[(f32, f32)], comb: Comb) -> Option<Comb> {
    let mut normal = super::solve::Normal::<3>::default();
    let (mut on, mut all) = (0.0, 0.0);
    let reach = 0.12 * comb.pitch;
    for &(at, w) in edges {
        let at = f64::from(at);
        let k = ((at - comb.origin) / comb.pitch).round();
        let off = at - comb.origin - k * comb.pitch;
        let side = if comb.gap == 0.0 {
            0.0
        } else {
            0.5f64.copysign(off)
        };
        all += f64::from(w);
        if (off - side * comb.gap).abs() <= reach {
            on += f64::from(w);
            normal.add(&[1.0, k, side], at, f64::from(w));
        }
    }
    normal.damp(1e-9);
    let [origin, pitch, gap] = normal.solve()?;
    // A fit that ran away has no lines of its own.
    ((pitch / comb.pitch - 1.0).abs() < 0.05).then_some(Comb {
        origin,
        pitch,
        gap: if comb.gap == 0.0 { 0.0 } else { gap.max(0.0) },
        support: on / f64::max(all, 1e-9),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comb_of(edges: &[(f32, f32)], pitch: f32) -> Comb {
        fit(edges, pitch).expect("a comb")
    }

    #[test]
    fn missing_lines_and_a_pitch_between_pixels() {
        let edges: Vec<_> = [0, 1, 3, 4, 7, 8, 12, 14]
            .iter()
            .map(|&k| ((17.3 + 21.37 * k as f32).round(), 1.0))
            .collect();
        let c = comb_of(&edges, 21.0);
        assert!((c.pitch - 21.37).abs() < 0.05, "{c:?}");
        assert!((c.origin.rem_euclid(c.pitch) - 17.3).abs() < 0.4, "{c:?}");
        assert!(c.gap == 0.0 && c.support > 0.99, "{c:?}");
    }

    #[test]
    fn a_gap_between_cells_puts_the_line_in_its_middle() {
        let edges: Vec<_> = (0..9)
            .flat_map(|k| [(50.0 + 40.0 * k as f32, 1.0), (58.0 + 40.0 * k as f32, 0.8)])
            .collect();
        let c = comb_of(&edges, 40.3);
        assert!(
            (c.pitch - 40.0).abs() < 0.01 && (c.gap - 8.0).abs() < 0.1,
            "{c:?}"
        );
        assert!((c.origin.rem_euclid(40.0) - 14.0).abs() < 0.1, "{c:?}");
    }
}
