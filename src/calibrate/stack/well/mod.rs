//! Wells: the usual look of a stack, a rectangle with something around it, empty above, full of
//! blocks below.
//!
//! Takes planes, gives calibrations with a quality. The way of a picture: [`lines`] -> outlines
//! ([`quads`]) -> each squared up, with what is empty in it ([`field`]) -> columns and rows
//! ([`count`]) -> how well the [`cells`] go together -> limits and colours (`learn`). Nothing
//! is said about the game beyond that things lie on the ground.

mod border;
mod cells;
mod count;
mod empties;
mod field;
mod kinds;
mod learn;
mod lines;
mod paint;
mod quads;
mod settle;

use std::sync::Arc;

use super::super::chains::{Way, chains};
use super::super::finder::{enlarged, noise};
use super::super::planes::Planes;
use crate::types::{Calibration, Point};
use cells::Filling;
use count::Grid;
use field::Field;
use quads::Quad;

/// Lines of each way, outlines, and those that are looked into: of the same two sides only a few,
/// for the right ones may be others.
const LINES: usize = 48;
const QUADS: usize = 300;
const TRIED: usize = 20;
const PER_PAIR: usize = 3;

/// Boards around which more outlines are tried, and how many of those.
const AGAIN: usize = 2;
const MORE: usize = 8;

/// Rows that a board most often has: where the outline has fewer, its floor or its lid may not be
/// seen as a line.
const USUAL_ROWS: [u16; 3] = [20, 18, 22];

/// Longer sides of a picture in which lines are looked for.
const LARGEST: usize = 1100;

/// A board of this score needs no further search, once so many more outlines were no better.
const CLEAR: f64 = 33.0;
const AFTER: usize = 5;

/// The score at which a board is as likely as none, and how fast it becomes more so.
const DOUBTFUL: f64 = 20.0;
const STEEP: f64 = 3.0;

/// The same for a board whose frame or cells were found otherwise.
const FRAMED: f64 = 13.0;

/// Boards given at most.
const MOST: usize = 6;

/// A board that may be there.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its outline, squared up; its transform is to px of the whole picture.
    pub field: Arc<Field>,
    /// Columns, rows, lines.
    pub grid: Grid,
    /// What is in its cells.
    pub filling: Filling,
    /// How much speaks for it.
    pub score: f64,
    /// Whether its outline lies along the sides of the picture.
    pub upright: bool,
}

/// All boards that may be there, best first, those that overlap a better one left out; and how
/// sure the place of the surest is, whatever may be said of its colours.
#[must_use]
pub fn find(planes: &Planes) -> (Vec<Calibration>, f32) {
    let mut out: Vec<Calibration> = Vec::new();
    let mut surest = 0.0f32;
    let mut all = boards(planes);
    whole_first(&mut all);
    for found in &all {
        if found.score < DOUBTFUL - 3.0 * STEEP || out.len() >= MOST {
            break;
        }
        let at = found.grid.px_from_cell(&found.field.px_from_unit);
        let size = found.grid.size;
        let middle = at.map(Point::new(
            f64::from(size.cols) / 2.0,
            f64::from(size.rows) / 2.0,
        ));
        let covered = out.iter().any(|o| {
            o.px_from_cell.inverse().is_some_and(|back| {
                let p = back.map(middle);
                let (w, h) = (f64::from(o.size.cols), f64::from(o.size.rows));
                p.x > 0.0 && p.y > 0.0 && p.x < w && p.y < h
            })
        });
        if !covered {
            let quality = 0.99
                * sure((found.score - DOUBTFUL) / STEEP)
                * sure((found.score - rival(&all, found) - CLOSE) / APART);
            let learnt = learn::calibration(planes, found, None, quality as f32);
            if learnt.is_some() {
                surest = surest.max(quality as f32);
            }
            out.extend(learnt);
        }
    }
    (out, surest)
}

/// From 0 for what speaks much against something to 1.
fn sure(by: f64) -> f64 {
    1.0 / (1.0 + (-by).exp())
}

/// Corners of a board in the cells of another; `None` where the other has none.
fn within(found: &Found, other: &Found) -> Option<[Point; 4]> {
    let at = |f: &Found| f.grid.px_from_cell(&f.field.px_from_unit);
    let back = at(found).inverse()?;
    Some(at(other).corners(other.grid.size).map(|p| back.map(p)))
}

/// Whether two boards have the same cells as far as both reach, the other having fewer rows.
fn is_part(found: &Found, other: &Found) -> bool {
    let (size, less) = (found.grid.size, other.grid.size);
    if size.cols != less.cols || size.rows <= less.rows {
        return false;
    }
    let (w, h) = (f64::from(size.cols), f64::from(size.rows));
    within(found, other).is_some_and(|c| {
        let near = |a: f64, b: f64| (a - b).abs() < SAME;
        let on_line = |y: f64| near(y, y.round()) && y > -SAME && y < h + SAME;
        let wide = near(c[0].x, 0.0) && near(c[3].x, 0.0) && near(c[1].x, w) && near(c[2].x, w);
        wide && c.iter().all(|p| on_line(p.y))
    })
}

/// Lines so near to each other, in cells, are the same.
const SAME: f64 = 0.4;

/// Of two boards of which one is part of the other the larger one is believed, if nothing speaks
/// against its sides, though the smaller has up to so much more score.
const LARGER: f64 = 1.5;

/// A board that another follows so closely in score is as likely wrong as right, and how fast it
/// becomes less so.
const CLOSE: f64 = 3.1;
const APART: f64 = 0.5;

/// Puts the larger board first where the best is only part of it: rows that look like more of the
/// board between sides that go on are more of it.
fn whole_first(all: &mut Vec<Found>) {
    let Some(best) = all.first() else { return };
    let floor = |f: &Found| f.grid.y.border[1];
    let larger = all.iter().position(|o| {
        o.score > best.score - LARGER
            && o.filling.flaws == 0.0
            && o.filling.goes_on == 0
            && floor(o) > floor(best) - 0.1
            && is_part(o, best)
    });
    if let Some(i) = larger {
        let score = best.score;
        let mut found = all.remove(i);
        found.score = score;
        all.insert(0, found);
    }
}

/// The score of the best board at the same place with other cells.
fn rival(all: &[Found], found: &Found) -> f64 {
    let (w, h) = (
        f64::from(found.grid.size.cols),
        f64::from(found.grid.size.rows),
    );
    let whole = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)];
    let others = all.iter().filter(|o| {
        let Some(c) = within(found, o) else {
            return false;
        };
        let middle = Point::new(
            f64::midpoint(c[0].x, c[2].x) - w / 2.0,
            f64::midpoint(c[0].y, c[2].y) - h / 2.0,
        );
        let off = c
            .iter()
            .zip(whole)
            .map(|(p, q)| (p.x - q.0).hypot(p.y - q.1));
        let moved = off.fold(0.0, f64::max);
        middle.x.hypot(middle.y) < 6.0
            && (o.grid.size != found.grid.size || moved > 0.8)
            && !is_part(found, o)
    });
    others.map(|o| o.score).fold(f64::MIN, f64::max)
}

/// A board whose place and size are known otherwise, with what is learnt from its cells.
#[must_use]
pub fn at(planes: &Planes, known: &Calibration) -> Option<Calibration> {
    let corners = known.px_from_cell.corners(known.size);
    let wide = corners[3]
        .distance(corners[2])
        .max(corners[0].distance(corners[1]));
    let mut smaller = vec![planes.clone()];
    while let Some(last) = smaller.last()
        && wide > field::WIDEST * (1u32 << (smaller.len() - 1)) as f64
        && last.width.min(last.height) > 320
    {
        let half = last.halved();
        smaller.push(half);
    }
    let times = f64::from(1u32 << (smaller.len() - 1));
    let last = smaller.last()?;
    let noise = noise(last).min(14.0);
    let mut field = Field::new(
        last,
        corners.map(|p| Point::new(p.x / times, p.y / times)),
        noise,
    )?;
    field.px_from_unit = enlarged(&field.px_from_unit, times);
    let grid = Grid::whole(&field, known.size, shape(corners));
    let filling = Filling::of(&field, &grid);
    let found = Found {
        score: score(&grid, &filling, 0),
        filling,
        field: Arc::new(field),
        grid,
        upright: true,
    };
    // What found it knows little of wells: its doubts count twice.
    let quality = f64::from(known.quality).powi(2) * sure((found.score - FRAMED) / STEEP);
    learn::calibration(planes, &found, Some(known.px_from_cell), quality as f32)
}

/// The likeliest boards, best first.
#[must_use]
pub fn boards(planes: &Planes) -> Vec<Found> {
    // Smaller pictures of the same: lines are found in one of sensible size, and a raster that
    // skips pixels would miss thin lines.
    let mut smaller = vec![planes.clone()];
    while let Some(last) = smaller.last()
        && last.width.min(last.height) > 320
        && smaller.len() < 6
    {
        let half = last.halved();
        smaller.push(half);
    }
    let start = smaller
        .iter()
        .position(|p| p.width.max(p.height) <= LARGEST)
        .unwrap_or(smaller.len() - 1);
    let times = (1usize << start) as f64;
    let outlines = outlines(&smaller[start]);
    let mut search = Search {
        smaller: &smaller,
        times,
        out: Vec::new(),
    };
    let mut tried = vec![false; outlines.len()];
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let (mut best, mut since) = (f64::MIN, 0);
    for (i, quad) in outlines.iter().enumerate() {
        if pairs.len() == TRIED || best >= CLEAR && since >= AFTER {
            break;
        }
        if pairs.iter().filter(|p| **p == quad.sides).count() == PER_PAIR {
            continue;
        }
        pairs.push(quad.sides);
        tried[i] = true;
        since += 1;
        let score = search.look(quad);
        if score > best {
            (best, since) = (score, 0);
        }
    }
    // A usual board that nothing speaks against is what it seems to be.
    let clear = search.out.first().is_some_and(|f| {
        f.score >= CLEAR && f.grid.size.rows == USUAL_ROWS[0] && f.filling.flaws == 0.0
    });
    if !clear {
        search.around(&outlines, &mut tried);
    }
    search.out
}

/// A search in one picture.
struct Search<'a> {
    /// The picture, and pictures each half as large as the one before.
    smaller: &'a [Planes],
    /// Px of the picture for one of that in which outlines were found.
    times: f64,
    /// What was found, best first.
    out: Vec<Found>,
}

impl Search<'_> {
    /// Looks into one outline; the best score in it.
    fn look(&mut self, quad: &Quad) -> f64 {
        let corners = quad
            .corners
            .map(|p| Point::new(p.x * self.times, p.y * self.times));
        let found = inside(self.smaller, corners, quad);
        let best = found.iter().map(|f| f.score).fold(f64::MIN, f64::max);
        self.out.extend(found);
        self.out.sort_by(|a, b| b.score.total_cmp(&a.score));
        best
    }

    /// Looks again around the best boards: into outlines with the same sides, and where the board
    /// would end if it had as many rows as most.
    fn around(&mut self, outlines: &[Quad], tried: &mut [bool]) {
        for n in 0..AGAIN {
            let Some(found) = self.out.get(n) else {
                return;
            };
            let size = found.grid.size;
            let scale = 1.0 / self.times;
            let at = enlarged(&found.grid.px_from_cell(&found.field.px_from_unit), scale);
            let [a, b, c, d] = at.corners(size);
            let near = 0.5 * c.distance(d) / f64::from(size.cols);
            let mut more: Vec<Quad> = Vec::new();
            for (i, quad) in outlines.iter().enumerate() {
                let [p, q, r, s] = quad.corners;
                let same = [(p, a, d), (s, a, d), (q, b, c), (r, b, c)]
                    .into_iter()
                    .all(|(p, a, b)| aside(p, a, b) < near);
                if same && !tried[i] && more.len() < MORE {
                    tried[i] = true;
                    more.push(*quad);
                }
            }
            let (w, h) = (f64::from(size.cols), f64::from(size.rows));
            for rows in USUAL_ROWS {
                if rows <= size.rows || size.rows + 6 < rows {
                    continue;
                }
                let more_rows = f64::from(rows) - h;
                for (from, to) in [(0.0, h + more_rows), (-more_rows, h)] {
                    let corners = [(0.0, from), (w, from), (w, to), (0.0, to)]
                        .map(|(x, y)| at.map(Point::new(x, y)));
                    more.push(Quad::at(corners));
                }
            }
            let planes = &self.smaller[0];
            let [w, h] = [planes.width, planes.height].map(|v| v as f64 * scale);
            let inside = |p: &Point| p.x > -2.0 && p.y > -2.0 && p.x < w + 2.0 && p.y < h + 2.0;
            more.retain(|q| q.corners.iter().all(inside));
            for quad in &more {
                self.look(quad);
            }
        }
    }
}

/// How far a point lies from the line through two others.
fn aside(p: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    ((p.x - a.x) * dy - (p.y - a.y) * dx).abs() / dx.hypot(dy).max(1e-6)
}

/// Boards inside one outline; `smaller` are pictures each half as large as the one before.
fn inside(smaller: &[Planes], corners: [Point; 4], quad: &Quad) -> Vec<Found> {
    let c = corners;
    let wide = c[3].distance(c[2]).max(c[0].distance(c[1]));
    let (mut level, mut scale) = (0, 1.0);
    while level + 1 < smaller.len() && wide * scale > field::WIDEST {
        level += 1;
        scale /= 2.0;
    }
    let scaled = c.map(|p| Point::new(p.x * scale, p.y * scale));
    let planes = &smaller[level];
    let Some(mut field) = Field::new(planes, scaled, noise(planes).min(14.0)) else {
        return Vec::new();
    };
    field.px_from_unit = enlarged(&field.px_from_unit, 1.0 / scale);
    let shape = shape(c);
    let slant = (0.004 * wide).max(1.2);
    let upright = (c[0].x - c[3].x).abs() < slant
        && (c[1].x - c[2].x).abs() < slant
        && (c[0].y - c[1].y).abs() < slant
        && (c[2].y - c[3].y).abs() < slant;
    let field = Arc::new(field);
    let mut out = Vec::new();
    for grid in count::grids(&field, shape, quad.cut) {
        let filling = Filling::of(&field, &grid);
        let score = score(&grid, &filling, quad.above);
        out.push(Found {
            field: Arc::clone(&field),
            grid,
            filling,
            score,
            upright,
        });
    }
    out
}

/// Height over width of an outline, as seen.
fn shape(c: [Point; 4]) -> f64 {
    (c[0].distance(c[3]) + c[1].distance(c[2])) / (c[0].distance(c[1]) + c[3].distance(c[2]))
}

/// How much speaks for a board with these cells, `above` of whose sides go on above it.
fn score(grid: &Grid, filling: &Filling, above: i32) -> f64 {
    grid.score + 0.5 * filling.sense
        - 25.0 * f64::from(filling.mixed)
        - 2.5 * f64::from(above)
        - 12.0 * f64::from(filling.goes_on)
}

/// Outlines that may be there, in px of the planes.
#[must_use]
pub fn outlines(planes: &Planes) -> Vec<Quad> {
    let size = [planes.width as f64, planes.height as f64];
    let (down, across) = lines_of(planes);
    quads::quads(&down, &across, size, QUADS)
}

/// A change of colour that may be part of a line: faint ones add up along it.
fn faint(planes: &Planes) -> u8 {
    (5.0 + 2.0 * noise(planes)).min(40.0) as u8
}

fn lines_of(planes: &Planes) -> (Vec<lines::Line>, Vec<lines::Line>) {
    let threshold = faint(planes);
    let size = [planes.width as f32, planes.height as f32];
    let down = chains(planes, Way::Down, threshold, 5, 1);
    let across = chains(planes, Way::Across, threshold, 5, 1);
    (
        lines::lines(&down, Way::Down, size, LINES),
        lines::lines(&across, Way::Across, size, LINES),
    )
}
