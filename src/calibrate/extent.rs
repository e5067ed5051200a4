//! Which cells of an endless lattice are the board.
//!
//! Takes planes, the transform of a lattice and the cells it was seen in; gives the rectangle of
//! cells that are of one colour each, share their colours and end where the surroundings begin.

use super::outskirts::{cut_off, is_ground, unlined};
use super::table::Table;
use crate::types::{GridSize, Point, PxFromCell};

/// A rectangle of lattice cells: columns `x0..x1`, rows `y0..y1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// First column.
    pub x0: i32,
    /// First row.
    pub y0: i32,
    /// One past the last column.
    pub x1: i32,
    /// One past the last row.
    pub y1: i32,
}

impl Span {
    /// A whole board of this size.
    #[must_use]
    pub fn of(size: GridSize) -> Self {
        Self {
            x0: 0,
            y0: 0,
            x1: i32::from(size.cols),
            y1: i32::from(size.rows),
        }
    }

    /// Its columns and rows.
    #[must_use]
    pub fn size(&self) -> GridSize {
        GridSize::new(
            (self.x1 - self.x0).max(0) as u16,
            (self.y1 - self.y0).max(0) as u16,
        )
    }
}

/// The sides of a span.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Left,
    Top,
    Right,
    Bottom,
}

pub(super) const SIDES: [Side; 4] = [Side::Left, Side::Top, Side::Right, Side::Bottom];

impl Side {
    /// The cells of the line `depth` lines inside the side (0 is the outermost line, -1 the
    /// first one outside).
    pub(super) fn line(self, s: Span, depth: i32) -> Vec<(i32, i32)> {
        match self {
            Self::Left => (s.y0..s.y1).map(|y| (s.x0 + depth, y)).collect(),
            Self::Right => (s.y0..s.y1).map(|y| (s.x1 - 1 - depth, y)).collect(),
            Self::Top => (s.x0..s.x1).map(|x| (x, s.y0 + depth)).collect(),
            Self::Bottom => (s.x0..s.x1).map(|x| (x, s.y1 - 1 - depth)).collect(),
        }
    }

    /// The span with its side moved outwards by `by` lines.
    pub(super) fn moved(self, mut s: Span, by: i32) -> Span {
        match self {
            Self::Left => s.x0 -= by,
            Self::Top => s.y0 -= by,
            Self::Right => s.x1 += by,
            Self::Bottom => s.y1 += by,
        }
        s
    }

    /// One cell outwards.
    fn outwards(self) -> (f64, f64) {
        match self {
            Self::Left => (-1.0, 0.0),
            Self::Right => (1.0, 0.0),
            Self::Top => (0.0, -1.0),
            Self::Bottom => (0.0, 1.0),
        }
    }

    /// The cell before a line's first cell, and the one after a line's last.
    fn before(self, (x, y): (i32, i32)) -> (i32, i32) {
        match self {
            Self::Left | Self::Right => (x, y - 1),
            Self::Top | Self::Bottom => (x - 1, y),
        }
    }

    fn after(self, (x, y): (i32, i32)) -> (i32, i32) {
        match self {
            Self::Left | Self::Right => (x, y + 1),
            Self::Top | Self::Bottom => (x + 1, y),
        }
    }

    pub(super) fn depth(self, s: Span) -> i32 {
        match self {
            Self::Left | Self::Right => s.x1 - s.x0,
            Self::Top | Self::Bottom => s.y1 - s.y0,
        }
    }
}

/// The span grown around `core` while lines look like more of it, at most `reach` lines on each
/// side and not beyond `most` cells.
#[must_use]
pub fn grown(table: &mut Table<'_>, core: Span, reach: i32, most: GridSize) -> Span {
    let mut span = core;
    let mut todo = [reach; 4];
    loop {
        let before = span;
        for (side, left) in SIDES.into_iter().zip(&mut todo) {
            let room = side.depth(span) < i32::from(most.cols.max(most.rows));
            if *left <= 0 || !room {
                continue;
            }
            let by = if belongs(table, span, side) {
                1
            } else {
                behind(table, span, side)
            };
            if by > 0 && by <= *left {
                span = side.moved(span, by);
                *left -= by;
            }
        }
        if span == before {
            return span;
        }
    }
}

/// Shorter lines beside a board may be parted like it by chance.
const LEAST_PARTED: usize = 8;

/// Of the lines just outside the span, those that look like more of the board: the span is not
/// all of it.
#[must_use]
pub fn goes_on(table: &mut Table<'_>, span: Span) -> usize {
    SIDES
        .into_iter()
        .filter(|&side| {
            let line = side.line(span, -1);
            let n = line.len();
            let plain = line.iter().filter(|&&(x, y)| table.is_plain(x, y)).count();
            let (known, _) = likeness(table, span, side, &line);
            if plain * 2 < n {
                return false;
            }
            // Under glare its colours are nowhere else, but its lines are there.
            let parted = line.windows(2).filter(|w| table.parted(w[0], w[1])).count();
            if n >= LEAST_PARTED && parted * 10 >= (n - 1) * 8 {
                return true;
            }
            if known * 2 < n {
                return false;
            }
            // Other things beside the board change colour, too, but not on its lines.
            let changes = { line.windows(2) }
                .filter(|w| !table.same(w[0], w[1]) && table.parted(w[0], w[1]))
                .count();
            // More of the board if colours change along it, or if it ends where the board does;
            // surroundings of a colour that the board has, too, go on beyond its ends.
            let ends = match (line.first(), line.last()) {
                (Some(&a), Some(&b)) => [(a, side.before(a)), (b, side.after(b))].into_iter().all(
                    |(inside, outside)| {
                        // Where the picture ends nobody can say.
                        table.cell(outside.0, outside.1).is_some() && !table.same(inside, outside)
                    },
                ),
                _ => false,
            };
            changes >= 1.max(n / 12) || ends
        })
        .count()
}

/// The span without lines that are surroundings.
#[must_use]
pub fn trimmed(table: &mut Table<'_>, span: Span) -> Span {
    let inner = framed(table, span);
    let mut span = cut_off(table, inner);
    let mut cut = true;
    while cut {
        cut = false;
        for side in SIDES {
            if side.depth(span) > 2 && is_surroundings(table, span, side) {
                span = side.moved(span, -1);
                cut = true;
            }
        }
    }
    span
}

/// Whether the first line outside is more of the board.
fn belongs(table: &mut Table<'_>, span: Span, side: Side) -> bool {
    let line = side.line(span, -1);
    let n = line.len();
    let plain = line.iter().filter(|&&(x, y)| table.is_plain(x, y)).count();
    if plain * 4 < n * 3 {
        return false;
    }
    let (known, changes) = likeness(table, span, side, &line);
    // The same colour under other light: it goes on over the line.
    let inner = side.line(span, 0);
    let on = line
        .iter()
        .zip(&inner)
        .filter(|&(&a, &b)| table.continues(a, b));
    if on.count() * 2 >= n {
        return true;
    }
    if known * 2 >= n || (known * 10 >= n * 3 && changes * 3 >= n) {
        return true;
    }
    // Glare makes colours that are nowhere else; the lines between the cells are still there.
    let parted = line.windows(2).filter(|w| table.parted(w[0], w[1])).count();
    n >= 4 && parted * 10 >= (n - 1) * 6
}

/// Lines that something may lie over, which hides a part of the board only.
pub const COVERED: i32 = 6;

/// How many lines further out the board goes on behind something that lies over it; 0 if it does
/// not. A part of each line between is seen.
fn behind(table: &mut Table<'_>, span: Span, side: Side) -> i32 {
    for by in 1..=COVERED {
        let line = side.line(span, -by);
        let n = line.len();
        let plain = line.iter().filter(|&&(x, y)| table.is_plain(x, y)).count();
        let (known, changes) = likeness(table, side.moved(span, by - 1), side, &line);
        if by > 1 && plain * 4 >= n * 3 && known * 4 >= n * 3 && changes * 4 >= n {
            return by;
        }
        if known * 7 < n {
            return 0;
        }
    }
    0
}

/// How many cells of a line have a colour that the board inside it has nearby, and how often
/// such colours change along it. Nearby, because light changes slowly over a board, and several
/// lines deep.
fn likeness(table: &mut Table<'_>, span: Span, side: Side, line: &[(i32, i32)]) -> (usize, usize) {
    let n = line.len();
    let is_known: Vec<bool> = (0..n)
        .map(|i| {
            (0..6.min(side.depth(span))).any(|depth| {
                let inner = side.line(span, depth);
                let reach = if depth == 0 { 8 } else { 5 };
                inner[i.saturating_sub(reach)..(i + reach + 1).min(n)]
                    .iter()
                    .any(|&c| table.same(line[i], c))
            })
        })
        .collect();
    let changes = (1..n)
        .filter(|&i| is_known[i - 1] && is_known[i] && !table.same(line[i - 1], line[i]))
        .count();
    (is_known.iter().filter(|&&k| k).count(), changes)
}

/// Whether the outermost line is not part of the board.
fn is_surroundings(table: &mut Table<'_>, span: Span, side: Side) -> bool {
    let line = side.line(span, 0);
    let n = line.len();
    let plain = line.iter().filter(|&&(x, y)| table.is_plain(x, y)).count();
    if plain * 3 < n * 2 {
        return true;
    }
    // Mostly of one colour that the middle of the board does not have, with the first line
    // inside wholly different.
    if foreign(table, span, side, &line) {
        return true;
    }
    if strange(table, span, side, &line) {
        return true;
    }
    let changes = line.windows(2).filter(|w| !table.same(w[0], w[1])).count();
    if changes > 0 {
        return false;
    }
    // One colour along the whole line: the surroundings, unless the board has it elsewhere
    // and it ends here.
    if unlined(table, span, &line) || is_ground(table, span, line[n / 2]) {
        return true;
    }
    let inside = side.moved(span, -1);
    let elsewhere = (inside.y0..inside.y1)
        .flat_map(|y| (inside.x0..inside.x1).map(move |x| (x, y)))
        .any(|c| table.same(line[n / 2], c));
    if !elsewhere {
        return true;
    }
    let beyond = side.line(span, -1);
    let goes_on = line
        .iter()
        .zip(&beyond)
        .filter(|&(&a, &b)| table.same(a, b) && !table.ends(a, side.outwards()))
        .count();
    goes_on * 10 >= n * 9
}

/// Share of a line that a frame is made of; the rest are things that lie on it.
const FRAME: f32 = 0.85;

/// The span without a frame of one colour that happens to fit the lattice: the lines at its sides
/// that are mostly of that colour, if what they enclose has none of it. (A board late in its game
/// has such lines, too, but its colour is not confined to them.)
fn framed(table: &mut Table<'_>, span: Span) -> Span {
    for side in SIDES {
        let Some(colour) = commonest(table, &side.line(span, 0)) else {
            continue;
        };
        // The line with most of it goes first: a frame that is broad on one side makes up most of
        // lines across the board, too.
        let mut inner = span;
        loop {
            let most = SIDES
                .into_iter()
                .map(|s| {
                    let line = s.line(inner, 0);
                    let like = line.iter().filter(|&&c| !differs(table, c, colour)).count();
                    (like as f32 / line.len().max(1) as f32 / FRAME, s)
                })
                .max_by(|a, b| a.0.total_cmp(&b.0));
            match most {
                Some((share, s)) if share >= 1.0 => {
                    if s.depth(inner) <= 3 {
                        inner = span;
                        break;
                    }
                    inner = s.moved(inner, -1);
                }
                _ => break,
            }
        }
        if inner == span {
            continue;
        }
        let cells = (inner.x1 - inner.x0) * (inner.y1 - inner.y0);
        let like = (inner.y0..inner.y1)
            .flat_map(|y| (inner.x0..inner.x1).map(move |x| (x, y)))
            .filter(|&c| table.same(c, colour))
            .count();
        if like as i32 * 200 <= cells {
            return framed(table, inner);
        }
    }
    span
}

/// Whether the outer lines up to some depth are surroundings that happen to fit the lattice.
fn foreign(table: &mut Table<'_>, span: Span, side: Side, line: &[(i32, i32)]) -> bool {
    let n = line.len();
    let Some(common) = commonest(table, line) else {
        return false;
    };
    let like = line.iter().filter(|&&c| table.same(common, c)).count();
    if like * 10 < n * 8 {
        return false;
    }
    // The rest has none of it, but for other sides that are mostly of it.
    let mut rest = side.moved(span, -1);
    for s in SIDES {
        let other = s.line(rest, 0);
        let like = other.iter().filter(|&&c| table.same(common, c)).count();
        if like * 10 >= other.len() * 6 && s.depth(rest) > 2 {
            rest = s.moved(rest, -1);
        }
    }
    for y in rest.y0..rest.y1 {
        for x in rest.x0..rest.x1 {
            if table.same(common, (x, y)) {
                return false;
            }
        }
    }
    // Somewhere within a few lines the board begins: every cell differs from the one outside it.
    (1..=3.min(side.depth(span) - 1)).any(|depth| {
        let outer = side.line(span, depth - 1);
        let inner = side.line(span, depth);
        let edge = outer
            .iter()
            .zip(&inner)
            .filter(|&(&a, &b)| !table.same(a, b))
            .count();
        edge * 10 >= n * 9
    })
}

/// Boards of fewer cells may have colours in one line only.
const LEAST_STRANGE: usize = 100;

/// Whether much of a line is of colours that no other line has, or of none: a strip with other
/// things beside the board.
fn strange(table: &mut Table<'_>, span: Span, side: Side, line: &[(i32, i32)]) -> bool {
    let n = line.len();
    if span.size().len() < LEAST_STRANGE || side.depth(span) < 5 {
        return false;
    }
    let rest = side.moved(span, -1);
    let (mut foreign, mut none) = (0, 0);
    for &a in line {
        if !table.is_plain(a.0, a.1) {
            none += 1;
        } else if !(rest.y0..rest.y1)
            .flat_map(|y| (rest.x0..rest.x1).map(move |x| (x, y)))
            .any(|c| table.same(a, c))
        {
            foreign += 1;
        }
    }
    foreign * 10 >= n * 3 && (foreign + none) * 10 >= n * 4
}

/// Whether a cell is of one colour and that is another one.
fn differs(table: &mut Table<'_>, a: (i32, i32), b: (i32, i32)) -> bool {
    table.is_plain(a.0, a.1) && !table.same(a, b)
}

/// The cell whose colour most cells of a line have, if that is most of them.
pub(super) fn commonest(table: &mut Table<'_>, line: &[(i32, i32)]) -> Option<(i32, i32)> {
    line.iter()
        .map(|&a| (line.iter().filter(|&&b| table.same(a, b)).count(), a))
        .max_by_key(|(like, _)| *like)
        .filter(|(like, _)| like * 2 >= line.len())
        .map(|(_, a)| a)
}

/// The lattice cells whose middles lie in a box of px.
#[must_use]
pub fn cells_in(px_from_cell: &PxFromCell, bounds: [f32; 4]) -> Option<Span> {
    let back = px_from_cell.inverse()?;
    let [x0, y0, x1, y1] = bounds.map(f64::from);
    let a = back.map(Point::new(x0, y0));
    let b = back.map(Point::new(x1, y1));
    let span = Span {
        x0: a.x.round() as i32,
        y0: a.y.round() as i32,
        x1: b.x.round() as i32,
        y1: b.y.round() as i32,
    };
    (span.x1 > span.x0 && span.y1 > span.y0).then_some(span)
}
