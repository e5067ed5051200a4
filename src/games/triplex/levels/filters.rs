//! The reference's own way to its levels, filter by filter: slow, and independent of the other.
//!
//! A partition of a rectangle is given by which of its inner edges are open. [`by_edges`] puts all
//! sets of edges through all filters, which is possible up to 24 edges; [`by_tilings`] lays figures of two and
//! three squares in all ways, which are the partitions that pass `Shape23`, and puts those through
//! the filters that are left. Used to check the generator.

use rustc_hash::FxHashMap;

use super::edges::Edges;
use crate::games::triplex::policies::{Exact, only_solution};
use crate::games::triplex::rules::{Field, Figure, KINDS, Level, Placement, Tiling};
use crate::types::{Cell, GridSize};

/// One filter: what came to it and what it let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name.
    pub filter: &'static str,
    /// Partitions that came to it; unknown where they were not gone through one by one.
    pub checked: Option<u64>,
    /// Partitions that passed.
    pub passed: u64,
}

/// What the filters did, and the levels that are left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The filters, in their order.
    pub rows: Vec<Row>,
    /// Figures and solutions, in the order in which they were met.
    pub levels: Vec<(Level, Tiling)>,
    /// Partitions into figures of two and three squares, whether cut or not, that were laid.
    pub tilings: Option<u64>,
}

/// Most inner edges of which all sets are gone through.
pub const MOST_EDGES: usize = 24;

/// All sets of edges through all filters; `None` if there are more than [`MOST_EDGES`].
#[must_use]
pub fn by_edges(size: GridSize) -> Option<Report> {
    let edges = Edges::of(size).filter(|e| e.len() <= MOST_EDGES)?;
    const NAMES: [&str; 6] = [
        "2x2Duplicates",
        "1x1Cell",
        "StraightCut",
        "Shapes3",
        "Shape23",
        "RotatedAndReflected",
    ];
    let mut passed = [0u64; NAMES.len()];
    let mut left = Vec::new();
    for open in 0..1u64 << edges.len() {
        let filters: [&dyn Fn() -> bool; NAMES.len()] = [
            &|| edges.walls_end_at_walls(open),
            &|| edges.no_square_is_alone(open),
            &|| !edges.has_straight_cut(open),
            &|| edges.shapes(open).len() >= 3,
            &|| edges.shapes(open).iter().all(|s| matches!(s.len(), 2 | 3)),
            &|| edges.is_first_of_images(open),
        ];
        let all = filters.iter().zip(&mut passed).all(|(filter, passed)| {
            let passes = filter();
            *passed += u64::from(passes);
            passes
        });
        if all {
            left.push(edges.shapes(open));
        }
    }
    let mut checked = 1 << edges.len();
    let mut rows: Vec<Row> = Vec::new();
    for (filter, passed) in NAMES.into_iter().zip(passed) {
        rows.push(Row {
            filter,
            checked: Some(checked),
            passed,
        });
        checked = passed;
    }
    let stocks = left.iter().filter_map(|shapes| {
        let figures: Option<Vec<Figure>> = shapes.iter().map(|s| Figure::new(s).ok()).collect();
        figures
    });
    let levels = solver(stocks, size);
    rows.push(Row {
        filter: "Solver",
        checked: Some(checked),
        passed: levels.len() as u64,
    });
    Some(Report {
        rows,
        levels,
        tilings: None,
    })
}

/// The filter `Solver`: what has one solution.
fn solver(stocks: impl Iterator<Item = Vec<Figure>>, size: GridSize) -> Vec<(Level, Tiling)> {
    let mut policy = Exact::new();
    let levels = stocks.filter_map(|figures| {
        let field = Field::new(size).ok()?;
        let level = Level::new(field, figures.into_iter().map(|f| (f, 1)), None).ok()?;
        let (solution, _) = only_solution(&level, &mut policy)?;
        Some((level, solution))
    });
    levels.collect()
}

/// All tilings by figures of two and three squares through the last filters; `None` if the
/// rectangle has more than 64 inner edges. Takes seconds for 6x6, and grows fast.
#[must_use]
pub fn by_tilings(size: GridSize) -> Option<Report> {
    let edges = Edges::of(size)?;
    let mut walk = Walk {
        edges: &edges,
        kinds: edges.kinds(),
        tilings: FxHashMap::default(),
        laid: 0,
        whole: 0,
        first: Vec::new(),
        stock: 0,
        figures: 0,
    };
    let free = match size.len() {
        64 => u64::MAX,
        n => (1 << n) - 1,
    };
    walk.cover(free, 0);
    let checked = walk.first.len() as u64;
    // The solver, by counting all tilings; then once more by solving.
    let mut counted: Vec<u64> = walk
        .first
        .iter()
        .copied()
        .filter(|s| walk.tilings[s] == 1)
        .collect();
    let count = counted.len();
    counted.sort_unstable();
    let levels = solver(counted.iter().map(|&s| figures_of(s)), size);
    let row = |filter, checked, passed| Row {
        filter,
        checked,
        passed,
    };
    Some(Report {
        rows: vec![
            row("Shape23", None, walk.whole),
            row("RotatedAndReflected", Some(walk.whole), checked),
            row("Solver", Some(checked), count as u64),
        ],
        levels,
        tilings: Some(walk.laid),
    })
}

/// The figures of a stock with a byte for each kind.
fn figures_of(stock: u64) -> Vec<Figure> {
    let counts = stock.to_le_bytes();
    let all = KINDS.iter().zip(counts);
    all.flat_map(|(&k, n)| std::iter::repeat_n(k, n.into()))
        .collect()
}

/// A kind for the walk: squares and open edges from the first square, for each square it may
/// begin on.
pub(super) type Places = Vec<Option<(u64, u64)>>;

struct Walk<'a> {
    edges: &'a Edges,
    kinds: Vec<Places>,
    /// Tilings of each stock, 2 standing for more.
    tilings: FxHashMap<u64, u8>,
    laid: u64,
    /// Tilings without a straight cut, of three figures at least.
    whole: u64,
    /// Stocks of those that come first among their images.
    first: Vec<u64>,
    stock: u64,
    figures: usize,
}

impl Walk<'_> {
    fn cover(&mut self, free: u64, open: u64) {
        if free == 0 {
            return self.tiling(open);
        }
        let square = free.trailing_zeros() as usize;
        for kind in 0..self.kinds.len() {
            if let Some((squares, inner)) = self.kinds[kind][square]
                && squares & !free == 0
            {
                self.stock += 1 << (8 * kind);
                self.figures += 1;
                self.cover(free & !squares, open | inner);
                self.figures -= 1;
                self.stock -= 1 << (8 * kind);
            }
        }
    }

    fn tiling(&mut self, open: u64) {
        self.laid += 1;
        let count = self.tilings.entry(self.stock).or_insert(0);
        *count = (*count + 1).min(2);
        if self.figures < 3 || self.edges.has_straight_cut(open) {
            return;
        }
        self.whole += 1;
        if self.edges.is_first_of_images(open) {
            self.first.push(self.stock);
        }
    }
}

/// A placement as squares and open edges, for [`Walk`].
pub(super) fn place(
    edges: &Edges,
    size: GridSize,
    figure: Figure,
    square: usize,
) -> Option<(u64, u64)> {
    let first = size.cell(square);
    let indent = figure.cells().next()?.col;
    let at = Cell::new(first.col.checked_sub(indent)?, first.row);
    let cells: Vec<Cell> = Placement { figure, at }.cells().collect();
    let inside = |c: &Cell| c.col < size.cols && c.row < size.rows;
    if !cells.iter().all(inside) {
        return None;
    }
    let squares = cells.iter().map(|&c| 1u64 << size.index(c)).sum();
    let mut open = 0;
    for (i, &a) in cells.iter().enumerate() {
        for &b in &cells[..i] {
            open |= edges.between(a, b).map_or(0, |e| 1 << e);
        }
    }
    Some((squares, open))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::triplex::levels::{MEMORY, levels};

    /// What the generator finds, as often as the filters do.
    fn agrees(report: &Report, size: GridSize) {
        let found = levels(size, MEMORY, &mut |_| ()).expect("small");
        assert_eq!(report.levels.len(), found.len(), "{size}");
        let images = |level: &Level| -> Vec<(Figure, u16)> {
            let square = size.cols == size.rows;
            let maps: [fn(&Figure) -> Figure; 8] = [
                |f| *f,
                |f| f.turned().turned(),
                |f| f.mirrored(),
                |f| f.mirrored().turned().turned(),
                |f| f.turned(),
                |f| f.turned().turned().turned(),
                |f| f.transposed(),
                |f| f.transposed().turned().turned(),
            ];
            let image = |map: &fn(&Figure) -> Figure| {
                let stock = level.stock().iter().map(|(f, n)| (map(f), *n));
                let mut stock: Vec<_> = stock.collect();
                stock.sort_unstable();
                stock
            };
            maps[..if square { 8 } else { 4 }]
                .iter()
                .map(image)
                .min()
                .expect("eight")
        };
        let sorted = |mut all: Vec<Vec<(Figure, u16)>>| {
            all.sort();
            all
        };
        let theirs = sorted(report.levels.iter().map(|l| images(&l.0)).collect());
        let ours = sorted(found.iter().map(|f| images(&f.level)).collect());
        assert_eq!(theirs, ours, "{size}");
    }

    #[test]
    fn all_sets_of_edges_of_small_rectangles() {
        for (cols, rows, count) in [(4, 2, 2), (3, 3, 1), (5, 2, 1), (4, 3, 4)] {
            let size = GridSize::new(cols, rows);
            let report = by_edges(size).expect("few edges");
            assert_eq!(report.levels.len(), count, "{size}");
            assert!(
                report
                    .rows
                    .windows(2)
                    .all(|w| Some(w[0].passed) == w[1].checked)
            );
            agrees(&report, size);
            let tilings = by_tilings(size).expect("few edges");
            assert_eq!(tilings.rows[0].passed, report.rows[4].passed, "{size}");
            assert_eq!(tilings.rows[1..], report.rows[5..], "{size}");
        }
        assert_eq!(by_edges(GridSize::new(6, 6)), None);
    }

    #[test]
    fn all_tilings_of_larger_rectangles() {
        for (cols, rows, count) in [(5, 3, 6), (4, 4, 5), (5, 4, 48), (7, 3, 16), (5, 5, 22)] {
            let size = GridSize::new(cols, rows);
            let report = by_tilings(size).expect("few edges");
            assert_eq!(report.rows[2].passed, count, "{size}");
            agrees(&report, size);
        }
    }
}
