//! The cells of an endless lattice, looked at one by one and compared.
//!
//! Takes planes and the transform of a lattice, gives what a cell is like, whether two are of one
//! colour, whether a line runs between them. What belongs to a board is not asked here.

use super::borders::{Border, Shows};
use super::cell::{CellLook, Eye, distance, look};
use super::extent::Span;
use super::groups::DRAWN;
use super::planes::Planes;
use super::refine::inner;
use crate::types::{Point, PxFromCell};

/// Cells of an endless lattice, sampled when first asked for.
pub struct Table<'a> {
    planes: &'a Planes,
    px_from_cell: PxFromCell,
    /// Columns and rows that may be asked for.
    limits: Span,
    cells: Vec<Option<Option<CellLook>>>,
    eye: Eye,
    /// Colours as learnt for some of the cells, which stand above comparisons.
    learnt: Option<(Span, Vec<Option<usize>>)>,
}

impl<'a> Table<'a> {
    /// A table of the lattice around `core`, reaching `around` cells further on each side.
    #[must_use]
    pub fn new(
        planes: &'a Planes,
        px_from_cell: PxFromCell,
        core: Span,
        around: i32,
        eye: Eye,
    ) -> Self {
        let limits = Span {
            x0: core.x0 - around,
            y0: core.y0 - around,
            x1: core.x1 + around,
            y1: core.y1 + around,
        };
        let n = limits.size().len();
        Self {
            planes,
            px_from_cell,
            limits,
            cells: vec![None; n],
            eye,
            learnt: None,
        }
    }

    /// A cell; `None` when it is not wholly inside the picture.
    pub fn cell(&mut self, x: i32, y: i32) -> Option<CellLook> {
        let l = self.limits;
        if x < l.x0 || x >= l.x1 || y < l.y0 || y >= l.y1 {
            return None;
        }
        let i = ((y - l.y0) * (l.x1 - l.x0) + x - l.x0) as usize;
        if let Some(known) = self.cells[i] {
            return known;
        }
        let seen = look(self.planes, &self.px_from_cell, f64::from(x), f64::from(y));
        self.cells[i] = Some(seen);
        seen
    }

    /// From now on the cells of a span have these colours; `None` is no single colour.
    pub fn learn(&mut self, span: Span, colours: Vec<Option<usize>>) {
        self.learnt = Some((span, colours));
    }

    /// The learnt colour of a cell, if it was learnt.
    fn colour(&self, x: i32, y: i32) -> Option<Option<usize>> {
        let (span, colours) = self.learnt.as_ref()?;
        let inside = x >= span.x0 && x < span.x1 && y >= span.y0 && y < span.y1;
        inside.then(|| {
            let i = (y - span.y0) * (span.x1 - span.x0) + x - span.x0;
            colours.get(i as usize).copied().flatten()
        })
    }

    /// Whether a cell is of one colour.
    pub fn is_plain(&mut self, x: i32, y: i32) -> bool {
        if let Some(colour) = self.colour(x, y) {
            return colour.is_some();
        }
        let eye = self.eye;
        self.cell(x, y).is_some_and(|c| eye.plain(&c))
    }

    /// Whether two cells have the same colour; cells outside the picture have none, nor have
    /// cells of several colours.
    pub fn same(&mut self, a: (i32, i32), b: (i32, i32)) -> bool {
        if let (Some(a), Some(b)) = (self.colour(a.0, a.1), self.colour(b.0, b.1)) {
            return a.is_some() && a == b;
        }
        match (self.cell(a.0, a.1), self.cell(b.0, b.1)) {
            (Some(a), Some(b)) => {
                self.eye.plain(&a) && self.eye.plain(&b) && self.eye.same(a.rim, b.rim)
            }
            _ => false,
        }
    }
}

impl Table<'_> {
    /// Whether an edge runs between a cell and its neighbour in a direction (one cell along an
    /// axis), sharper than light falls off.
    pub fn ends(&self, (x, y): (i32, i32), (dx, dy): (f64, f64)) -> bool {
        let (cx, cy) = (f64::from(x) + 0.5 + 0.5 * dx, f64::from(y) + 0.5 + 0.5 * dy);
        let seen = [-0.2, 0.0, 0.2].into_iter().filter(|s| {
            let at = |t: f64| {
                let p = Point::new(cx + t * dx + s * dy, cy + t * dy + s * dx);
                self.planes.between(self.px_from_cell.map(p))
            };
            match (at(-0.32), at(-0.14), at(0.14)) {
                (Some(deep), Some(inside), Some(outside)) => {
                    self.eye.edge(inside, outside)
                        && distance(inside, outside) > 1.5 * distance(deep, inside)
                }
                _ => true,
            }
        });
        seen.count() >= 2
    }
}

impl Table<'_> {
    /// Whether a cell goes on in its neighbour: both of one colour each and no change on their
    /// line but what light makes.
    pub fn continues(&mut self, a: (i32, i32), b: (i32, i32)) -> bool {
        let (Some(p), Some(q)) = (self.cell(a.0, a.1), self.cell(b.0, b.1)) else {
            return false;
        };
        let eye = self.eye;
        // Drawn colours are the same or they are not.
        if eye.noise < DRAWN {
            return false;
        }
        let (first, second) = if a < b {
            ((a, p), (b, q))
        } else {
            ((b, q), (a, p))
        };
        eye.plain(&p)
            && eye.plain(&q)
            && Border::between(self.planes, &self.px_from_cell, first, second, eye)
                .is_some_and(|b| b.shows() == Shows::None)
    }

    /// Whether the corner at the upper left of a cell has the colour of another cell.
    pub fn corner_is(&mut self, (x, y): (i32, i32), cell: (i32, i32)) -> bool {
        let at = self
            .px_from_cell
            .map(Point::new(f64::from(x), f64::from(y)));
        match (self.planes.between(at), self.cell(cell.0, cell.1)) {
            (Some(seen), Some(cell)) => self.eye.same(seen, cell.rim),
            _ => false,
        }
    }

    /// Whether the colour changes on the lattice line between two neighbouring cells: from one to
    /// the other, or to a line or gap between them.
    pub fn parted(&mut self, a: (i32, i32), b: (i32, i32)) -> bool {
        let (Some(p), Some(q)) = (self.cell(a.0, a.1), self.cell(b.0, b.1)) else {
            return false;
        };
        let down = a.1 == b.1;
        let (x, y) = (f64::from(a.0.max(b.0)), f64::from(a.1.max(b.1)));
        let half = if down { (0.0, 0.5) } else { (0.5, 0.0) };
        let at = Point::new(x + half.0, y + half.1);
        inner(
            self.planes,
            &self.px_from_cell,
            at,
            down,
            p.rim,
            q.rim,
            self.eye,
        )
        .is_some_and(|(off, gap)| off.abs() < ON_LINE && gap < 0.5)
    }
}

/// How far from the line a change may lie, in cells.
const ON_LINE: f64 = 0.13;
