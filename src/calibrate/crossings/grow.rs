//! A net grown line by line from a seed, as far as the picture shows its lines.
//!
//! Takes a seed and a probe, gives the net with the lines that were seen. Stones, hands and
//! glare hide lines: part of a line is enough, and one or two lines may be missing.

use super::net::{Extent, Mark, Net, Way};
use super::probe::{Edge, Look, Probe, STATIONS};

/// Share of the edges of a line on open ground that must be seen, and of the edges that lead to
/// it, beyond what is seen midway between lines: texture looks like lines everywhere.
const LEAST_SHARE: f64 = 0.36;

/// The same for a line beyond one that was not seen.
const SHARE_BEYOND: f64 = 0.5;

/// A side of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Of small x.
    Left,
    /// Of large x.
    Right,
    /// Of small y.
    Top,
    /// Of large y.
    Bottom,
}

impl Side {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Top, Self::Bottom];

    /// The family of the line on this side.
    #[must_use]
    pub const fn way(self) -> Way {
        match self {
            Self::Left | Self::Right => Way::Down,
            Self::Top | Self::Bottom => Way::Across,
        }
    }

    /// The outermost line, and 1 or -1 towards the outside.
    #[must_use]
    pub const fn line(self, e: &Extent) -> (i32, i32) {
        match self {
            Self::Left => (e.x0, -1),
            Self::Right => (e.x1, 1),
            Self::Top => (e.y0, -1),
            Self::Bottom => (e.y1, 1),
        }
    }

    /// First and last line of the other family.
    #[must_use]
    pub const fn along(self, e: &Extent) -> (i32, i32) {
        match self.way() {
            Way::Down => (e.y0, e.y1),
            Way::Across => (e.x0, e.x1),
        }
    }

    /// Moves the side out by so many lines.
    pub fn moved(self, e: &mut Extent, by: i32) {
        match self {
            Self::Left => e.x0 -= by,
            Self::Right => e.x1 += by,
            Self::Top => e.y0 -= by,
            Self::Bottom => e.y1 += by,
        }
    }
}

/// Edges on the line number `line` of one family, and those of the other family that end on it
/// and come from inside (`toward` is the direction to the outside).
fn edges(way: Way, line: i32, along: (i32, i32), toward: i32) -> (Vec<Edge>, Vec<Edge>) {
    let own = (along.0..along.1)
        .map(|from| Edge { way, line, from })
        .collect();
    let other = match way {
        Way::Down => Way::Across,
        Way::Across => Way::Down,
    };
    let from = if toward > 0 { line - 1 } else { line };
    let cross = (along.0..=along.1)
        .map(|k| Edge {
            way: other,
            line: k,
            from,
        })
        .collect();
    (own, cross)
}

/// Growing in one picture.
pub struct Grower<'a> {
    /// How lines look.
    pub probe: Probe<'a>,
    /// Most lines of a family.
    pub most: i32,
}

impl Grower<'_> {
    /// How far beside its place a line is looked for, in px.
    fn reach(net: &Net, edge: Edge) -> f64 {
        let (a, b) = Probe::ends(net, edge);
        (0.16 * a.distance(b)).clamp(1.5, 9.0)
    }

    /// The edges among `all` that show their line, with marks; and how many could be looked at.
    fn seen(&self, net: &Net, all: &[Edge], floor: f32) -> (Vec<(Mark, Look)>, usize) {
        let mut found = Vec::with_capacity(all.len());
        let mut visible = 0;
        for &edge in all {
            let Some(look) = self.probe.edge(net, edge, Self::reach(net, edge)) else {
                continue;
            };
            let there = look.strength >= floor;
            // Stones, hands and windows are no ground on which a line could be missed.
            let off = (look.ground - net.ground).abs();
            let blocked =
                off > 0.4 * net.ground.max(40.0) || look.uneven > 0.25 * net.ground.max(40.0);
            if blocked && !there {
                continue;
            }
            visible += 1;
            if there {
                found.push((Probe::mark(net, edge, &look), look));
            }
        }
        (found, visible)
    }

    /// How much the lines of a seed differ from what lies beside them.
    #[must_use]
    pub fn contrast(&self, seed: &Net) -> f32 {
        let all = all_edges(&seed.extent);
        let some = all.iter().step_by(all.len().div_ceil(24).max(1));
        let mut found: Vec<f32> = some
            .filter_map(|&e| self.probe.edge(seed, e, Self::reach(seed, e)))
            .map(|l| l.strength)
            .collect();
        found.sort_by(f32::total_cmp);
        found.get(found.len() / 2).copied().unwrap_or(0.0)
    }

    /// The net with all lines that can be seen; `None` if the seed is none.
    #[must_use]
    pub fn grown(&self, seed: &Net) -> Option<Net> {
        let mut net = *seed;
        let mut marks = self.first_marks(&mut net)?;
        net = net.settled(&marks)?;
        net.extent = self.trimmed(&net)?;
        if !self.is_whole(&net) {
            return None;
        }
        for _ in 0..self.most {
            let mut more = false;
            for side in Side::ALL {
                let (w, h) = net.extent.lines();
                let wide = match side.way() {
                    Way::Down => w,
                    Way::Across => h,
                };
                if wide >= self.most {
                    continue;
                }
                for (by, share) in [(1, LEAST_SHARE), (2, SHARE_BEYOND)] {
                    if let Some(new) = self.next(&net, side, by, share) {
                        side.moved(&mut net.extent, by);
                        marks.extend(new);
                        more = true;
                        break;
                    }
                }
            }
            if !more {
                break;
            }
            net = net.settled(&marks)?;
        }
        // Once more over all of it, with what is now known.
        for _ in 0..2 {
            marks = self.all_marks(&net);
            net = net.settled(&marks)?;
        }
        Some(net)
    }

    fn first_marks(&self, net: &mut Net) -> Option<Vec<Mark>> {
        let all = all_edges(&net.extent);
        let (found, visible) = self.seen(net, &all, net.floor);
        if visible < 4 || found.len() * 2 < visible {
            return None;
        }
        let mut strengths: Vec<f32> = found.iter().map(|(_, l)| l.strength).collect();
        strengths.sort_by(f32::total_cmp);
        net.contrast = strengths[strengths.len() / 2];
        let mut grounds: Vec<f32> = found.iter().map(|(_, l)| l.ground).collect();
        grounds.sort_by(f32::total_cmp);
        net.ground = grounds[grounds.len() / 2];
        // What is seen midway between lines is noise and texture.
        let mut between: Vec<f32> = all
            .iter()
            .filter_map(|&edge| self.aside(net, edge, 0.5))
            .map(|l| l.strength)
            .collect();
        between.sort_by(f32::total_cmp);
        let usual = between.get(between.len() * 4 / 5).copied().unwrap_or(0.0);
        net.floor = (1.3 * usual)
            .clamp(0.16 * net.contrast, 0.5 * net.contrast)
            .max(1.5);
        Some(found.into_iter().map(|(m, _)| m).collect())
    }

    /// The extent without outer lines that are not there.
    fn trimmed(&self, net: &Net) -> Option<Extent> {
        let mut e = net.extent;
        'again: loop {
            let (w, h) = e.lines();
            if w < 3 || h < 3 {
                return None;
            }
            for side in Side::ALL {
                let (line, toward) = side.line(&e);
                if !self.is_there(net, side.way(), line, side.along(&e), toward) {
                    side.moved(&mut e, -1);
                    continue 'again;
                }
            }
            return Some(e);
        }
    }

    fn is_there(&self, net: &Net, way: Way, line: i32, along: (i32, i32), toward: i32) -> bool {
        let (own, cross) = edges(way, line, along, toward);
        self.line(net, &own, LEAST_SHARE, -0.5 * f64::from(toward))
            .is_some()
            && self.line(net, &cross, LEAST_SHARE, 0.5).is_some()
    }

    /// Whether no line within the extent is missing: otherwise every second one is none.
    fn is_whole(&self, net: &Net) -> bool {
        let e = &net.extent;
        let floor = net.floor;
        let shown = |way: Way, line: i32, along: (i32, i32)| {
            let (own, _) = edges(way, line, along, 1);
            let (seen, visible) = self.seen(net, &own, floor);
            seen.len() * 4 >= visible
        };
        let missing = (e.x0..=e.x1)
            .filter(|&k| !shown(Way::Down, k, (e.y0, e.y1)))
            .count()
            + (e.y0..=e.y1)
                .filter(|&k| !shown(Way::Across, k, (e.x0, e.x1)))
                .count();
        missing == 0
    }

    fn all_marks(&self, net: &Net) -> Vec<Mark> {
        let (found, _) = self.seen(net, &all_edges(&net.extent), net.floor);
        found.into_iter().map(|(m, _)| m).collect()
    }

    /// Marks of the line `by` lines beyond the outermost one, if it is there.
    fn next(&self, net: &Net, side: Side, by: i32, share: f64) -> Option<Vec<Mark>> {
        let (outer, toward) = side.line(&net.extent);
        let line = outer + by * toward;
        let (own, cross) = edges(side.way(), line, side.along(&net.extent), toward);
        let mut marks = self.line(net, &own, share, -0.5 * f64::from(toward))?;
        marks.extend(self.line(net, &cross, share, 0.5)?);
        Some(marks)
    }

    /// How many edges lie inside the picture.
    fn inside(&self, net: &Net, edges: &[Edge]) -> usize {
        let inside = |e: &&Edge| {
            let (a, b) = Probe::ends(net, **e);
            self.probe.planes.contains(a) && self.probe.planes.contains(b)
        };
        edges.iter().filter(inside).count()
    }

    /// What is seen beside an edge, `by` cells towards larger numbers.
    fn aside(&self, net: &Net, edge: Edge, by: f64) -> Option<Look> {
        let (k, j) = (f64::from(edge.line) + by, f64::from(edge.from));
        let (a, b) = match edge.way {
            Way::Down => (net.px(k, j), net.px(k, j + 1.0)),
            Way::Across => (net.px(j, k), net.px(j + 1.0, k)),
        };
        self.probe
            .between(a, b, edge.way, &STATIONS, Self::reach(net, edge))
    }

    /// Marks of edges, if enough of them show lines in step, and more than where none should be:
    /// `aside` is how far to the
    /// side, in cells.
    fn line(&self, net: &Net, edges: &[Edge], share: f64, aside: f64) -> Option<Vec<Mark>> {
        let floor = net.floor;
        let (seen, visible) = self.seen(net, edges, floor);
        if self.inside(net, edges) * 2 < edges.len() || seen.len() < 2 {
            return None;
        }
        let agreed = agreed(net, &seen);
        if (agreed.len() as f64) < share * visible as f64 {
            return None;
        }
        let beside: Vec<(Mark, Look)> = edges
            .iter()
            .filter_map(|&edge| {
                let look = self.aside(net, edge, aside)?;
                (look.strength >= floor).then(|| (Probe::mark(net, edge, &look), look))
            })
            .collect();
        let control = if beside.is_empty() {
            0
        } else {
            self::agreed(net, &beside).len()
        };
        let beyond = agreed.len() as f64 - control as f64;
        tracing::trace!(
            ?aside,
            visible,
            seen = seen.len(),
            agreed = agreed.len(),
            control,
            "line"
        );
        (agreed.len() >= 2 && beyond >= share * visible as f64).then_some(agreed)
    }
}

/// The marks that are beside their line by about the same.
fn agreed(net: &Net, seen: &[(Mark, Look)]) -> Vec<Mark> {
    let mut offs: Vec<f64> = seen.iter().map(|(_, l)| l.off).collect();
    offs.sort_by(f64::total_cmp);
    let middle = offs[offs.len() / 2];
    let c = net.middle();
    let [w, h] = net.pitch(c.x, c.y);
    let slack = (0.05 * w.min(h)).max(0.8);
    seen.iter()
        .filter(|(_, l)| (l.off - middle).abs() <= slack)
        .map(|(m, _)| *m)
        .collect()
}

/// All edges between crossings of an extent.
#[must_use]
pub fn all_edges(e: &Extent) -> Vec<Edge> {
    let mut out = Vec::new();
    for line in e.x0..=e.x1 {
        out.extend((e.y0..e.y1).map(|from| Edge {
            way: Way::Down,
            line,
            from,
        }));
    }
    for line in e.y0..=e.y1 {
        out.extend((e.x0..e.x1).map(|from| Edge {
            way: Way::Across,
            line,
            from,
        }));
    }
    out
}
