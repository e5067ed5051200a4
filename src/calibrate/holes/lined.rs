//! Boards without holes: discs in squares that thin lines, perhaps dashed, set apart.
//!
//! Takes a lattice that something suggested; gives a judged calibration. An empty square says
//! little, so that this is believed only of boards of a usual size, wholly of one colour but for
//! discs that lie on the ground or on each other, and with at least one disc: on the board, or above
//! it, where a program shows whose turn it is.

use super::super::cell::distance;
use super::super::extent::Span;
use super::super::planes::Planes;
use super::super::refine::product;
use super::super::solve::Normal;
use super::evidence::ramp;
use super::extent::usual;
use super::judge::{Level, shifted};
use super::kinds::{Kinds, kinds};
use super::looks::{HoleLook, alike, look_at, looks, median, plate_at};
use super::rims::{Rims, Shape};
use crate::types::colour::apart;
use crate::types::{GridSize, Plate, Point, PxFromCell, Wanted};

/// A disc fills its square, nearly.
const DISC: Shape = Shape { rx: 0.46, ry: 0.46 };

/// Samples along the side of a square.
const ALONG: usize = 14;

/// How far from where it should be a line is looked for, and where beside it, in cells.
const REACH: f64 = 0.06;
const BESIDE: f64 = 0.11;

/// Steps across a line, in px: less than the thinnest line is wide.
const STRIDE: f64 = 0.6;

/// Share of a side on which a line must be seen.
const DASHED: f32 = 0.25;

/// A board of this kind.
#[derive(Clone, Debug)]
pub struct Lined {
    /// Where it lies, in px of the level.
    pub at: PxFromCell,
    /// Its size.
    pub size: GridSize,
    /// What lies on it.
    pub kinds: Kinds,
    /// The colour between the discs.
    pub plate: Plate,
    /// 0 to 1.
    pub quality: f32,
}

/// What a square is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Square {
    Empty,
    Disc,
    Other,
}

/// Judges a lattice seen in some cells.
#[must_use]
pub fn board(level: &Level, at: &PxFromCell, core: Span, wanted: &Wanted) -> Option<Lined> {
    let planes = &level.planes;
    let empty = ground(planes, at, core, level.noise)?;
    let mut at = *at;
    let mut span = core;
    // The lattice comes from a part of the board; what it says of the rest gets better with it.
    for _ in 0..3 {
        at = settled(planes, &at, span, level.noise).unwrap_or(at);
        span = extent(level, &at, grown(core), empty)?;
        tracing::debug!(?core, ?span, "lined");
    }
    let at = settled(
        planes,
        &shifted(&at, span),
        Span::of(span.size()),
        level.noise,
    )?;
    let size = span.size();
    let whole = Span::of(size);
    let at = settled(planes, &at, whole, level.noise)?;
    let looks = looks(planes, &at, size, &DISC, level.noise);
    let squares: Vec<Square> = squares(level, &at, whole, &looks, empty);
    let seen = vec![true; looks.len()];
    let kinds = kinds(size, &looks, &seen, level.noise)?;
    let fits = size.cols >= wanted.min.cols
        && size.rows >= wanted.min.rows
        && size.cols <= wanted.max.cols
        && size.rows <= wanted.max.rows
        && wanted.size.is_none_or(|s| s == size);
    let discs = squares.iter().filter(|s| **s == Square::Disc).count();
    let others = squares.iter().filter(|s| **s == Square::Other).count();
    // The classes must see the same squares as empty.
    let agree = squares
        .iter()
        .zip(&kinds.labels)
        .all(|(s, l)| (*s == Square::Empty) == (*l == Some(0)));
    let (lines, least) = lines(planes, &at, size, &squares, level.noise);
    let waiting = waiting(level, &at, size);
    let quality = if fits && agree && kinds.classes.len() <= 4 && (discs > 0 || waiting) {
        ramp(lines, 0.3, 0.45)
            * ramp(least, 0.05, 0.2)
            * (0.4 + 0.6 * usual(size).sqrt())
            * 0.6f32.powi(others as i32)
            * if kinds.floating > 1 { 0.4 } else { 1.0 }
            * if kinds.classes.len() > 3 { 0.6 } else { 1.0 }
            * ramp(kinds.apart, 1.5, 3.0)
            * 0.97
    } else {
        0.0
    };
    tracing::debug!(%size, quality, lines, least, discs, others, agree, waiting,
        floating = kinds.floating, "judged as squares");
    let plate = Plate {
        rgb: empty,
        spread: 4.0,
        gloss: Vec::new(),
        veil: false,
        hole: (DISC.rx.into(), DISC.ry.into()),
        open: false,
    };
    Some(Lined {
        at,
        size,
        kinds,
        plate,
        quality,
    })
}

/// The colour between the discs.
fn ground(planes: &Planes, at: &PxFromCell, core: Span, noise: f32) -> Option<[f32; 3]> {
    // Around discs, too, it shows in the corners.
    let seen: Vec<[f32; 3]> = (core.y0..core.y1)
        .flat_map(|y| (core.x0..core.x1).map(move |x| (x, y)))
        .filter_map(|c| plate_at(planes, at, c, noise))
        .collect();
    let of = |a: [f32; 3]| seen.iter().filter(move |&&b| alike(noise, a, b));
    let best = seen.iter().copied().max_by_key(|&a| of(a).count())?;
    let like: Vec<[f32; 3]> = of(best).copied().collect();
    (like.len() >= 4).then(|| median(&like))
}

fn grown(core: Span) -> Span {
    let reach = |a: i32, b: i32| (14 - (b - a)).clamp(1, 6);
    let (x, y) = (reach(core.x0, core.x1), reach(core.y0, core.y1));
    Span {
        x0: core.x0 - x,
        y0: core.y0 - y,
        x1: core.x1 + x,
        y1: core.y1 + y,
    }
}

fn squares(
    level: &Level,
    at: &PxFromCell,
    span: Span,
    looks: &[HoleLook],
    empty: [f32; 3],
) -> Vec<Square> {
    let pitch = super::judge::pitch(at, span).unwrap_or(20.0);
    let rims = Rims::seen(&level.planes, at, span, 8.0 + 2.2 * level.noise, pitch);
    let cells = (span.y0..span.y1).flat_map(|y| (span.x0..span.x1).map(move |x| (x, y)));
    let disc = disc_shape(&rims, span);
    cells
        .zip(looks)
        .map(|(cell, l)| {
            let is_ground = alike(level.noise, l.rgb, empty);
            let corners = alike(level.noise, l.plate, empty);
            if !l.whole {
                Square::Other
            } else if is_ground && l.share > 0.85 {
                Square::Empty
            } else if !is_ground && corners && rims.rim(cell, &disc) > 0.7 {
                Square::Disc
            } else {
                Square::Other
            }
        })
        .collect()
}

/// The size of discs: rims of squares lie at their sides, too, so that only round ones count.
fn disc_shape(rims: &Rims, span: Span) -> Shape {
    let shapes = [0.36f32, 0.39, 0.42, 0.45, 0.475, 0.5].map(|r| Shape { rx: r, ry: r });
    let full = |s: &Shape| {
        (span.y0..span.y1)
            .flat_map(|y| (span.x0..span.x1).map(move |x| (x, y)))
            .map(|c| (rims.rim(c, s) - 0.7).max(0.0))
            .sum::<f32>()
    };
    shapes
        .into_iter()
        .max_by(|a, b| full(a).total_cmp(&full(b)))
        .unwrap_or(DISC)
}

/// The rectangle with most squares that are empty or hold a disc, and hardly any others.
fn extent(level: &Level, at: &PxFromCell, within: Span, empty: [f32; 3]) -> Option<Span> {
    let w = (within.x1 - within.x0) as usize;
    let h = (within.y1 - within.y0) as usize;
    let looks: Vec<HoleLook> = (within.y0..within.y1)
        .flat_map(|y| (within.x0..within.x1).map(move |x| (x, y)))
        .map(|c| look_at(&level.planes, at, c, &DISC, level.noise))
        .collect();
    let squares = squares(level, at, within, &looks, empty);
    // An empty square belongs to the board by its lines.
    let bordered = |x: usize, y: usize| {
        let cell = (within.x0 + x as i32, within.y0 + y as i32);
        squares[y * w + x] != Square::Empty || sides(&level.planes, at, cell, level.noise) >= 2
    };
    let worth: Vec<f32> = (0..w * h)
        .map(|i| match squares[i] {
            Square::Other => -3.0,
            _ if bordered(i % w, i / w) => 1.0,
            _ => -3.0,
        })
        .collect();
    let mut best: Option<(f32, Span)> = None;
    for y0 in 0..h {
        let mut columns = vec![0.0f32; w];
        for y1 in y0..h {
            for (x, c) in columns.iter_mut().enumerate() {
                *c += worth[y1 * w + x];
            }
            // The best run of columns.
            let (mut sum, mut from) = (0.0, 0);
            for (x, c) in columns.iter().enumerate() {
                if sum <= 0.0 {
                    (sum, from) = (0.0, x);
                }
                sum += c;
                if best.is_none_or(|(b, _)| sum > b) {
                    let span = Span {
                        x0: within.x0 + from as i32,
                        y0: within.y0 + y0 as i32,
                        x1: within.x0 + x as i32 + 1,
                        y1: within.y0 + y1 as i32 + 1,
                    };
                    best = Some((sum, span));
                }
            }
        }
    }
    best.map(|b| b.1)
        .filter(|s| s.size().cols >= 3 && s.size().rows >= 3)
}

/// A thin line across a point of a side: how far from it, in cells. `down` for sides that run
/// down.
fn line_at(planes: &Planes, at: &PxFromCell, p: Point, down: bool, noise: f32) -> Option<f64> {
    let seen = |off: f64| {
        let q = if down {
            Point::new(p.x + off, p.y)
        } else {
            Point::new(p.x, p.y + off)
        };
        planes.between(at.map(q))
    };
    let (a, b) = (seen(-BESIDE)?, seen(BESIDE)?);
    let least = 9.0 + 2.5 * noise;
    let mut best = (least, None);
    let one = at.map(Point::new(p.x + 1.0, p.y)).distance(at.map(p));
    let steps = (REACH * one / STRIDE).ceil().clamp(3.0, 24.0) as i32;
    for i in -steps..=steps {
        let off = REACH * f64::from(i) / f64::from(steps);
        let c = seen(off)?;
        let step = distance(c, a).min(distance(c, b));
        if step > best.0 {
            best = (step, Some(off));
        }
    }
    best.1
}

/// How many of the four sides of a square have a line.
fn sides(planes: &Planes, at: &PxFromCell, (x, y): (i32, i32), noise: f32) -> usize {
    let (x, y) = (f64::from(x), f64::from(y));
    [
        (x, y, true),
        (x + 1.0, y, true),
        (x, y, false),
        (x, y + 1.0, false),
    ]
    .into_iter()
    .filter(|&(x, y, down)| side(planes, at, Point::new(x, y), down, noise) >= DASHED)
    .count()
}

/// The share of a side that has a line; `from` is its upper or left end.
fn side(planes: &Planes, at: &PxFromCell, from: Point, down: bool, noise: f32) -> f32 {
    along(from, down)
        .filter(|&p| line_at(planes, at, p, down, noise).is_some())
        .count() as f32
        / ALONG as f32
}

fn along(from: Point, down: bool) -> impl Iterator<Item = Point> {
    (0..ALONG).map(move |i| {
        let t = 0.1 + 0.8 * (i as f64 + 0.5) / ALONG as f64;
        if down {
            Point::new(from.x, from.y + t)
        } else {
            Point::new(from.x + t, from.y)
        }
    })
}

/// Mean and least share of line on the sides between empty squares.
fn lines(
    planes: &Planes,
    at: &PxFromCell,
    size: GridSize,
    squares: &[Square],
    noise: f32,
) -> (f32, f32) {
    let (mut sum, mut n, mut least) = (0.0, 0.0f32, 1.0f32);
    for (i, cell) in size.cells().enumerate() {
        let (x, y) = (f64::from(cell.col), f64::from(cell.row));
        let right = (cell.col + 1 < size.cols).then_some((i + 1, x + 1.0, y, true));
        let below =
            (cell.row + 1 < size.rows).then_some((i + usize::from(size.cols), x, y + 1.0, false));
        for (j, x, y, down) in [right, below].into_iter().flatten() {
            if squares[i] == Square::Empty && squares[j] == Square::Empty {
                let share = side(planes, at, Point::new(x, y), down, noise);
                sum += share;
                n += 1.0;
                least = least.min(share);
            }
        }
    }
    if n < 6.0 {
        return (0.0, 0.0);
    }
    (sum / n, least)
}

/// The lattice brought onto the lines.
fn settled(planes: &Planes, at: &PxFromCell, span: Span, noise: f32) -> Option<PxFromCell> {
    let (mx, my) = (
        f64::from(span.x0 + span.x1) / 2.0,
        f64::from(span.y0 + span.y1) / 2.0,
    );
    let mut normal = Normal::<8>::default();
    let mut n = 0;
    for y in span.y0..span.y1 {
        for x in span.x0..span.x1 {
            let from = Point::new(f64::from(x), f64::from(y));
            // At the outer sides the surroundings begin, which is no thin line.
            for down in [x > span.x0, y > span.y0]
                .into_iter()
                .zip([true, false])
                .filter_map(|(inner, down)| inner.then_some(down))
            {
                for p in along(from, down) {
                    let Some(off) = line_at(planes, at, p, down, noise) else {
                        continue;
                    };
                    let (u, v) = (p.x - mx, p.y - my);
                    let row = if down {
                        [1.0, u, v, 0.0, 0.0, 0.0, u * u, u * v]
                    } else {
                        [0.0, 0.0, 0.0, 1.0, u, v, v * u, v * v]
                    };
                    normal.add(&row, off, 1.0);
                    n += 1;
                }
            }
        }
    }
    if n < 40 {
        return None;
    }
    for k in [6, 7] {
        let mut row = [0.0; 8];
        row[k] = 1.0;
        // A few lines say nothing of a slant.
        normal.add(&row, 0.0, if n > 150 { 2.0 } else { 1e9 });
    }
    let d = normal.solve()?;
    let change = [
        1.0 + d[1],
        d[2],
        d[0],
        d[4],
        1.0 + d[5],
        d[3],
        -d[6],
        -d[7],
        1.0,
    ];
    let to = [1.0, 0.0, mx, 0.0, 1.0, my, 0.0, 0.0, 1.0];
    let back = [1.0, 0.0, -mx, 0.0, 1.0, -my, 0.0, 0.0, 1.0];
    let moved = product(&product(&to, &change), &back);
    Some(PxFromCell(product(&at.0, &moved)))
}

/// Whether exactly one disc waits above the board: round, and of another colour than the row that
/// it lies in.
fn waiting(level: &Level, at: &PxFromCell, size: GridSize) -> bool {
    let row = Span {
        x0: 0,
        y0: -1,
        x1: i32::from(size.cols),
        y1: 0,
    };
    let Some(pitch) = super::judge::pitch(at, row) else {
        return false;
    };
    let rims = Rims::seen(&level.planes, at, row, 8.0 + 2.2 * level.noise, pitch);
    let disc = disc_shape(&rims, row);
    let looks: Vec<HoleLook> = (row.x0..row.x1)
        .map(|x| look_at(&level.planes, at, (x, -1), &DISC, level.noise))
        .collect();
    let all: Vec<[f32; 3]> = looks.iter().map(|l| l.rgb).collect();
    let usual = median(&all);
    let mut others = (0..looks.len()).filter(|&i| apart(all[i], usual) > 50.0);
    match (others.next(), others.next()) {
        (Some(i), None) => looks[i].whole && rims.rim((i as i32, -1), &disc) > 0.8,
        _ => false,
    }
}
