//! The judge of nets: is this a board, of which kind, and how sure?
//!
//! Takes a grown net, gives a calibration with a quality. Everything that a board of lines
//! predicts is looked at: lines where they should be and nowhere else, squares of one ground,
//! lines that end with the last crossing line or with the picture, and stones that are round and
//! alike, or marks of a few shapes.

mod fringe;
mod gather;

use super::grow::{Side, all_edges};
use super::letters::letters;
use super::net::{Net, Way};
use super::probe::{Edge, Probe};
use super::squares::{Kind, Mark, Marks, learn, marks};
use super::stones::{Kinds, Reach};
use super::survey::{Cover, Survey, distance, median};
use crate::types::{
    BoardKind, Calibration, ClassLook, GridSize, Point, PxFromCell, StoneShape, Veil, Wanted,
};
use fringe::Seen;
use gather::evidence;

/// How far from a crossing the picture must go on for it to be read, in cells.
pub const ROOM: f64 = 0.25;

/// Lines of each family that a board has at least.
const LEAST_LINES: i32 = 5;

/// Numbers of lines each way that empty boards of crossings usually have.
const USUAL: [i32; 6] = [8, 9, 11, 13, 15, 19];

/// What was found about a net.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Edges between clear crossings.
    pub open: usize,
    /// Share of them that show their line.
    pub edges: f32,
    /// Share of the edges of the poorest line that show it, hidden ones left out.
    pub poorest: f32,
    /// Root mean square distance of edges from their place, in cells, and in px.
    pub off: (f32, f32),
    /// Share of the squares between clear crossings that show the ground and nothing else.
    pub plain: f32,
    /// Sides at which lines end as they should, sides at which the picture ends, and others.
    pub sides: (usize, usize, usize),
    /// Whether lines go on for half a cell beyond the last ones, on all sides that are seen.
    pub overhang: bool,
    /// Longer side of a cell over its shorter one, as seen from the front.
    pub aspect: f64,
}

/// Judges a net; `None` where nothing could be a board.
#[must_use]
pub fn judge(probe: &Probe<'_>, net: &Net, wanted: &Wanted) -> Option<Calibration> {
    let net = &within(probe, net)?;
    let (w, h) = net.extent.lines();
    if w < LEAST_LINES || h < LEAST_LINES {
        return None;
    }
    let Seen { net, survey, kinds } = Seen::new(probe, net).extended(probe);
    let net = &net;
    let (w, h) = net.extent.lines();
    let evidence = evidence(probe, net, &survey);
    let seen = marks(probe.planes, net, &survey, probe.noise);
    let marks = learn(&seen, survey.usual, &Reach::new(&survey, probe.noise));
    let kind = kind(probe, net, wanted, &survey, &kinds, &seen, &evidence);
    let lines = line_colour(probe, net, &survey);
    let (quality, size) = match kind {
        BoardKind::Squares => (
            squares_quality(&survey, &evidence, &marks),
            GridSize::new(w as u16 - 1, h as u16 - 1),
        ),
        _ => (
            crossings_quality(&survey, &evidence, &kinds),
            GridSize::new(w as u16, h as u16),
        ),
    };
    let fits = fits(wanted, size);
    tracing::debug!(%size, ?kind, quality, fits, ?evidence, stones = kinds.round, marks = marks.count(), "judged lines");
    Some(Calibration {
        kind,
        size,
        image: (probe.planes.width as u32, probe.planes.height as u32),
        px_from_cell: from_corner(net, kind),
        classes: match kind {
            BoardKind::Squares => square_looks(&survey, &marks, lines),
            _ => stone_looks(&survey, &kinds, lines),
        },
        beside: Vec::new(),
        border: None,
        well: None,
        plate: None,
        stones: (kind == BoardKind::Crossings && !kinds.colours.is_empty()).then(|| StoneShape {
            radius: kinds.radius,
            shift: Point::new(kinds.shift.0, kinds.shift.1),
        }),
        gain: survey.gain,
        veil: Veil::default(),
        quality: quality * fits,
        residual: evidence.off.1,
    })
}

/// The net without lines on which a crossing lies outside the picture or at its very edge.
fn within(probe: &Probe<'_>, net: &Net) -> Option<Net> {
    let mut net = *net;
    'again: loop {
        let (w, h) = net.extent.lines();
        if w < 3 || h < 3 {
            return None;
        }
        for side in Side::ALL {
            let (line, toward) = side.line(&net.extent);
            let (lo, hi) = side.along(&net.extent);
            let at = f64::from(line) + ROOM * f64::from(toward);
            let out = (lo..=hi).any(|k| {
                let p = match side.way() {
                    Way::Down => net.px(at, f64::from(k)),
                    Way::Across => net.px(f64::from(k), at),
                };
                !probe.planes.contains(p)
            });
            if out {
                side.moved(&mut net.extent, -1);
                continue 'again;
            }
        }
        return Some(net);
    }
}

/// The transform with the outer corner at its origin.
fn from_corner(net: &Net, kind: BoardKind) -> PxFromCell {
    let e = &net.extent;
    let half = if kind == BoardKind::Squares { 0.0 } else { 0.5 };
    let (x, y) = (f64::from(e.x0) - half, f64::from(e.y0) - half);
    let m = net.px_from_cell.0;
    let moved = [
        m[0],
        m[1],
        m[2] + m[0] * x + m[1] * y,
        m[3],
        m[4],
        m[5] + m[3] * x + m[4] * y,
        m[6],
        m[7],
        m[8] + m[6] * x + m[7] * y,
    ];
    PxFromCell(moved.map(|v| v / moved[8]))
}

/// Whether the size is one that is wanted: 1, or less.
fn fits(wanted: &Wanted, size: GridSize) -> f32 {
    let within = (wanted.min.cols..=wanted.max.cols).contains(&size.cols)
        && (wanted.min.rows..=wanted.max.rows).contains(&size.rows);
    match wanted.size {
        _ if !within => 0.1,
        Some(known) if known != size => 0.3,
        _ => 1.0,
    }
}

/// Stones on crossings, or marks in squares? An empty board may be either: its size tells, or the
/// size that is known.
fn kind(
    probe: &Probe<'_>,
    net: &Net,
    wanted: &Wanted,
    survey: &Survey,
    kinds: &Kinds,
    seen: &[Option<Mark>],
    evidence: &Evidence,
) -> BoardKind {
    if wanted.kind == BoardKind::Squares {
        return BoardKind::Squares;
    }
    let stones = kinds.labels.iter().filter(|l| l.is_some_and(|k| k > 0));
    let stones = stones.count();
    let (mut marked, unlike) = in_squares(survey, seen);
    if unlike * 2 > marked || evidence.overhang {
        marked = 0;
    }
    // Discs in squares hide crossings, too, where several meet; but those are hardly ever round.
    let discs = seen.iter().flatten().filter(|m| m.kind == Kind::Disc);
    if marked > 0 && kinds.round * 2 < discs.count() {
        return BoardKind::Squares;
    }
    if stones != marked {
        return if marked > stones {
            BoardKind::Squares
        } else {
            BoardKind::Crossings
        };
    }
    let (w, h) = net.extent.lines();
    if let Some(known) = wanted.size {
        let squares = GridSize::new(w as u16 - 1, h as u16 - 1);
        return if known == squares {
            BoardKind::Squares
        } else {
            BoardKind::Crossings
        };
    }
    let usual = |n: i32| USUAL.contains(&n);
    if evidence.overhang || usual(w) && usual(h) || !is_framed(probe, net) {
        BoardKind::Crossings
    } else {
        BoardKind::Squares
    }
}

/// How many squares bear a mark, and how many something else. Stones reach into squares, too, but
/// hide a crossing at their corners.
fn in_squares(survey: &Survey, seen: &[Option<Mark>]) -> (usize, usize) {
    let cols = survey.cols;
    let (mut marked, mut unlike) = (0, 0);
    for (i, mark) in seen.iter().enumerate() {
        let k = i / (cols - 1) * cols + i % (cols - 1);
        let corners = [k, k + 1, k + cols, k + cols + 1];
        let clear = corners
            .iter()
            .filter(|&&k| survey.spots[k].cover() == Cover::Clear)
            .count();
        match mark {
            Some(m) if m.kind == Kind::Disc => marked += 1,
            Some(m) if clear >= 3 && m.kind != Kind::Other => marked += 1,
            Some(_) if clear == 4 => unlike += 1,
            _ => {}
        }
    }
    (marked, unlike)
}

/// Whether the outermost lines are stronger than the others: a frame around squares.
fn is_framed(probe: &Probe<'_>, net: &Net) -> bool {
    let e = &net.extent;
    let (mut outer, mut inner) = (Vec::new(), Vec::new());
    for edge in all_edges(e) {
        let Some(weight) = weight(probe, net, edge) else {
            continue;
        };
        let (lo, hi) = match edge.way {
            Way::Down => (e.x0, e.x1),
            Way::Across => (e.y0, e.y1),
        };
        if edge.line == lo || edge.line == hi {
            outer.push(weight);
        } else {
            inner.push(weight);
        }
    }
    let middle = |v: &mut Vec<f32>| {
        v.sort_by(f32::total_cmp);
        v.get(v.len() / 2).copied().unwrap_or(0.0)
    };
    middle(&mut outer) > 1.35 * middle(&mut inner)
}

/// Width times strength of a line: how much darker all of its pixels together are.
fn weight(probe: &Probe<'_>, net: &Net, edge: Edge) -> Option<f32> {
    let (a, b) = Probe::ends(net, edge);
    let length = a.distance(b).max(1e-9);
    let (nx, ny) = ((b.y - a.y) / length, -(b.x - a.x) / length);
    let m = Point::new((a.x + b.x) / 2.0, (a.y + b.y) / 2.0);
    let at = |d: f64| probe.value(Point::new(m.x + nx * d, m.y + ny * d));
    let far = (0.2 * length).max(2.5);
    let ground = (at(-far)? + at(far)?) / 2.0;
    let mut sum = 0.0;
    let mut d = -far + 0.5;
    while d < far {
        sum += (ground - at(d)?).max(0.0);
        d += 0.5;
    }
    Some(sum)
}

/// The usual colour of the lines.
fn line_colour(probe: &Probe<'_>, net: &Net, survey: &Survey) -> [f32; 3] {
    let all = all_edges(&net.extent);
    let mut seen: Vec<[f32; 3]> = all
        .iter()
        .step_by(all.len().div_ceil(64).max(1))
        .filter_map(|&edge| {
            let look = probe.edge(net, edge, 2.0)?;
            if look.strength < 0.7 * net.contrast {
                return None;
            }
            let p = Probe::mark(net, edge, &look).px;
            probe.planes.at(p).map(|c| c.map(f32::from))
        })
        .collect();
    if seen.is_empty() {
        return survey.usual;
    }
    median(&mut seen)
}

fn empty_look(survey: &Survey, spread: f32, lines: [f32; 3]) -> ClassLook {
    ClassLook {
        letter: '.',
        rgb: survey.usual,
        spread,
        mark: Some(lines),
    }
}

fn stone_looks(survey: &Survey, kinds: &Kinds, lines: [f32; 3]) -> Vec<ClassLook> {
    let spread = |k: usize| kinds.spreads.get(k).copied().unwrap_or(0.0);
    let mut looks = vec![empty_look(survey, spread(0), lines)];
    let names = letters(survey.usual, &kinds.colours, &[]);
    for (k, (&rgb, letter)) in kinds.colours.iter().zip(names).enumerate() {
        looks.push(ClassLook {
            letter,
            rgb,
            spread: spread(k + 1),
            mark: None,
        });
    }
    looks
}

fn square_looks(survey: &Survey, marks: &Marks, lines: [f32; 3]) -> Vec<ClassLook> {
    let mut looks = vec![empty_look(survey, 0.0, lines)];
    let discs: Vec<[f32; 3]> = marks
        .classes
        .iter()
        .filter(|m| m.kind == Kind::Disc)
        .map(|m| m.rgb)
        .collect();
    let drawn = |m: &&Mark| matches!(m.kind, Kind::Cross | Kind::Ring);
    let taken: &[char] = match marks.classes.iter().find(drawn) {
        Some(_) => &['X', 'O'],
        None => &[],
    };
    let mut names = letters(survey.usual, &discs, taken).into_iter();
    for mark in &marks.classes {
        let letter = match mark.kind {
            Kind::Cross => 'X',
            Kind::Ring => 'O',
            _ => names.next().unwrap_or('*'),
        };
        looks.push(ClassLook {
            letter,
            rgb: mark.rgb,
            spread: 0.0,
            mark: None,
        });
    }
    looks
}

/// 0 below `from`, 1 from `to` on, straight between.
fn ramp(v: f32, from: f32, to: f32) -> f32 {
    ((v - from) / (to - from)).clamp(0.0, 1.0)
}

/// What all boards of lines have in common.
fn common(e: &Evidence, things: usize) -> f32 {
    let known = if things == 0 { 0.0 } else { 1.0 };
    let mut q = ramp(e.edges, 0.72, 0.93)
        * ramp(e.poorest, 0.2, 0.5)
        * ramp(0.1 - e.off.0, 0.02, 0.05)
        * ramp(e.open as f32, 8.0, 24.0);
    q *= 0.3f32.powi(e.sides.2 as i32);
    // A part of a board that shows no corner may be tiles, or a page of squared paper.
    q *= match (e.sides.1, things) {
        (0 | 1, _) => 1.0,
        (2, 0) => 0.5,
        (2, _) => 1.0,
        (_, n) if n >= 6 => 1.0,
        (3, n) if n >= 2 => 0.9,
        _ => 0.3,
    };
    let (good, bad) = if known > 0.0 { (1.45, 1.9) } else { (1.3, 1.5) };
    q * (1.0 - ramp(e.aspect as f32, good, bad))
}

fn crossings_quality(survey: &Survey, e: &Evidence, kinds: &Kinds) -> f32 {
    let stones = kinds
        .labels
        .iter()
        .filter(|l| l.is_some_and(|k| k > 0))
        .count();
    let unknown = kinds.labels.iter().filter(|l| l.is_none()).count() as f32;
    let share = unknown / survey.spots.len() as f32;
    let mut q = common(e, kinds.round) * ramp(e.plain, 0.72, 0.9) * (1.0 - ramp(share, 0.15, 0.7));
    q *= 1.0 - ramp(kinds.doubt(survey), 0.015, 0.05);
    if kinds.round == 0 {
        // An empty board must be a good one: frames, tables and floors are empty, too.
        let least = survey.cols.min(survey.rows) as f32;
        q *= ramp(least, 5.0, 8.0) * ramp(e.plain, 0.85, 0.95);
    }
    if stones * 10 > survey.spots.len() * 9 {
        q *= 0.3;
    }
    q
}

fn squares_quality(survey: &Survey, e: &Evidence, marks: &Marks) -> f32 {
    let count = marks.count();
    let unknown = marks.labels.iter().filter(|l| l.is_none()).count();
    // Letters and digits are marks of no class.
    let told = count as f32 / (count + unknown).max(1) as f32;
    // Where hardly a square is plain they are too small to tell what is in them.
    let mut q = common(e, count) * ramp(e.plain, 0.15, 0.35);
    if unknown > 1 {
        q *= ramp(told, 0.55, 0.8);
    }
    let colours = marks.classes.len();
    if colours > 3 {
        q *= 0.4;
    }
    if count == 0 {
        let least = survey.cols.min(survey.rows) as f32;
        q *= ramp(least, 6.0, 9.0) * ramp(e.plain, 0.85, 0.95);
    }
    q
}
