//! The evidence for a net, gathered from its survey.

use super::*;

/// Gathers the evidence for a net.
pub(super) fn evidence(probe: &Probe<'_>, net: &Net, survey: &Survey) -> Evidence {
    let e = &net.extent;
    let (w, h) = e.lines();
    let cols = survey.cols;
    let cover =
        |x: i32, y: i32| survey.spots[(y - e.y0) as usize * cols + (x - e.x0) as usize].cover();
    let mut lines = vec![(0usize, 0usize); (w + h) as usize];
    let (mut seen, mut open) = (0usize, 0usize);
    let (mut sum, mut sum_px, mut n) = (0.0, 0.0, 0.0);
    for edge in all_edges(e) {
        let (a, b) = match edge.way {
            Way::Down => (cover(edge.line, edge.from), cover(edge.line, edge.from + 1)),
            Way::Across => (cover(edge.from, edge.line), cover(edge.from + 1, edge.line)),
        };
        let (pa, pb) = Probe::ends(net, edge);
        let length = pa.distance(pb);
        let Some(look) = probe.edge(net, edge, (0.07 * length).clamp(1.2, 6.0)) else {
            continue;
        };
        let there = look.strength >= net.floor;
        if there {
            sum += (look.off / length).powi(2);
            sum_px += look.off * look.off;
            n += 1.0;
        }
        let line = match edge.way {
            Way::Down => (edge.line - e.x0) as usize,
            Way::Across => (w + edge.line - e.y0) as usize,
        };
        if a != Cover::Hidden && b != Cover::Hidden {
            lines[line].1 += 1;
            lines[line].0 += usize::from(there);
        }
        if a == Cover::Clear && b == Cover::Clear {
            open += 1;
            seen += usize::from(there);
        }
    }
    let poorest = lines
        .iter()
        .filter(|l| l.1 >= 3)
        .map(|l| l.0 as f32 / l.1 as f32)
        .fold(1.0, f32::min);
    let (mut sides, mut overhang) = ((0, 0, 0), true);
    for (side, [first, second]) in Side::ALL.into_iter().zip(beyond(probe, net)) {
        if is_cut(probe, net, side) {
            sides.1 += 1;
            continue;
        }
        overhang &= first.is_some_and(|f| f > 0.7);
        match (first, second) {
            // Letters and frames out there may look like lines, but not from the board on.
            (Some(a), Some(b)) if a.min(b) >= 0.5 => sides.2 += 1,
            _ => sides.0 += 1,
        }
    }
    Evidence {
        open,
        edges: seen as f32 / open.max(1) as f32,
        poorest,
        off: (
            (sum / f64::max(n, 1.0)).sqrt() as f32,
            (sum_px / f64::max(n, 1.0)).sqrt() as f32,
        ),
        plain: plain(probe, survey),
        sides,
        overhang,
        aspect: aspect(probe, net),
    }
}

/// Whether the picture ends before another line beyond a side could be read.
fn is_cut(probe: &Probe<'_>, net: &Net, side: Side) -> bool {
    let (line, toward) = side.line(&net.extent);
    let (lo, hi) = side.along(&net.extent);
    let next = f64::from(line + toward) + ROOM * f64::from(toward);
    let outside = (lo..=hi)
        .filter(|&k| {
            let k = f64::from(k);
            let p = match side.way() {
                Way::Down => net.px(next, k),
                Way::Across => net.px(k, next),
            };
            !probe.planes.contains(p)
        })
        .count();
    outside * 2 > (hi - lo) as usize
}

/// Share of the squares between clear crossings that show the ground.
fn plain(probe: &Probe<'_>, survey: &Survey) -> f32 {
    let cols = survey.cols;
    let (mut plain, mut all) = (0usize, 0usize);
    for (i, square) in survey.squares.iter().enumerate() {
        let k = i / (cols - 1) * cols + i % (cols - 1);
        let corners = [k, k + 1, k + cols, k + cols + 1];
        if corners
            .iter()
            .any(|&k| survey.spots[k].cover() != Cover::Clear)
        {
            continue;
        }
        let same = |rgb: [f32; 3]| {
            corners.iter().any(|&k| {
                let apart = 1.4 * survey.apart(probe.noise, k);
                distance(rgb, survey.ground[k]) < apart
                    || distance(rgb, survey.spots[k].core) < apart
            })
        };
        all += 1;
        plain += usize::from(same(square.middle) && same(square.around));
    }
    plain as f32 / all.max(1) as f32
}

/// Longer side of a cell over its shorter one as seen from the front, by a camera whose focal
/// length the perspective tells, or a usual one where there is hardly any.
fn aspect(probe: &Probe<'_>, net: &Net) -> f64 {
    let m = &net.px_from_cell.0;
    let (w, h) = (probe.planes.width as f64, probe.planes.height as f64);
    let (cx, cy) = (w / 2.0, h / 2.0);
    let column = |i: usize| (m[i] - cx * m[6 + i], m[3 + i] - cy * m[6 + i], m[6 + i]);
    let (a, b) = (column(0), column(1));
    let usual = 1.1 * w.max(h);
    let told = -(a.0 * b.0 + a.1 * b.1) / (a.2 * b.2);
    let focal = if told.is_finite() && told > 0.0 {
        told.sqrt().clamp(0.6 * usual, 2.5 * usual)
    } else {
        usual
    };
    let long = |v: (f64, f64, f64)| (v.0 * v.0 + v.1 * v.1 + focal * focal * v.2 * v.2).sqrt();
    let (p, q) = (long(a), long(b));
    p.max(q) / p.min(q).max(1e-12)
}
