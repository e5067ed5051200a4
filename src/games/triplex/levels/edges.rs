//! Partitions of a rectangle as sets of open inner edges, and what the reference asks of them.

use super::filters::{Places, place};
use crate::games::triplex::rules::KINDS;
use crate::types::{Cell, GridSize};

/// The inner edges of a rectangle, numbered: first those between columns, row by row, then those
/// between rows. A partition is the set of its open edges.
pub struct Edges {
    size: GridSize,
    len: usize,
    /// The edges across each straight line.
    lines: Vec<u64>,
    /// The edges of each square.
    around: Vec<u64>,
    /// The four edges between the squares of each block of two by two.
    blocks: Vec<u64>,
    /// For each symmetry but the first, the image of each byte of a set.
    images: Vec<[[u64; 256]; 8]>,
}

impl Edges {
    /// Of a rectangle; `None` if they are more than 64, or none.
    #[must_use]
    pub fn of(size: GridSize) -> Option<Self> {
        let (cols, rows) = (usize::from(size.cols), usize::from(size.rows));
        if size.is_empty() || size.len() > 64 {
            return None;
        }
        let len = 2 * cols * rows - cols - rows;
        if len == 0 || len > 64 {
            return None;
        }
        let mut edges = Self {
            size,
            len,
            lines: vec![0; cols + rows - 2],
            around: vec![0; size.len()],
            blocks: Vec::new(),
            images: Vec::new(),
        };
        for (a, b) in edges.pairs() {
            let Some(edge) = edges.between(a, b) else {
                continue;
            };
            let line = if a.row == b.row {
                usize::from(a.col)
            } else {
                cols - 1 + usize::from(a.row)
            };
            edges.lines[line] |= 1 << edge;
            edges.around[size.index(a)] |= 1 << edge;
            edges.around[size.index(b)] |= 1 << edge;
        }
        for corner in size.cells() {
            let (right, down) = (corner.col + 1, corner.row + 1);
            if right < size.cols && down < size.rows {
                let square = |c, r| edges.around[size.index(Cell::new(c, r))];
                let (a, b) = (square(corner.col, corner.row), square(right, corner.row));
                let (c, d) = (square(corner.col, down), square(right, down));
                edges.blocks.push(a & b | a & c | b & d | c & d);
            }
        }
        edges.images = edges.symmetries();
        Some(edges)
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Neighbours, the left or upper one first.
    fn pairs(&self) -> Vec<(Cell, Cell)> {
        let size = self.size;
        let cells = size.cells();
        let pairs = cells.flat_map(|c| {
            let right = (c.col + 1 < size.cols).then(|| (c, Cell::new(c.col + 1, c.row)));
            let below = (c.row + 1 < size.rows).then(|| (c, Cell::new(c.col, c.row + 1)));
            [right, below].into_iter().flatten()
        });
        pairs.collect()
    }

    /// The number of the edge between two neighbours, in any order.
    #[must_use]
    pub fn between(&self, a: Cell, b: Cell) -> Option<usize> {
        let (cols, rows) = (usize::from(self.size.cols), usize::from(self.size.rows));
        let (col, row) = (usize::from(a.col.min(b.col)), usize::from(a.row.min(b.row)));
        match (a.col.abs_diff(b.col), a.row.abs_diff(b.row)) {
            (1, 0) => Some(row * (cols - 1) + col),
            (0, 1) => Some((cols - 1) * rows + row * cols + col),
            _ => None,
        }
    }

    /// The images of all bytes under all symmetries but the first.
    fn symmetries(&self) -> Vec<[[u64; 256]; 8]> {
        let (right, bottom) = (self.size.cols - 1, self.size.rows - 1);
        let square = right == bottom;
        let mut images = Vec::new();
        for i in 1..if square { 8 } else { 4 } {
            let map = |c: Cell| {
                let c = if i & 1 == 0 {
                    c
                } else {
                    Cell::new(right - c.col, c.row)
                };
                let c = if i & 2 == 0 {
                    c
                } else {
                    Cell::new(c.col, bottom - c.row)
                };
                if i & 4 == 0 {
                    c
                } else {
                    Cell::new(c.row, c.col)
                }
            };
            let mut to = [0u64; 64];
            for (a, b) in self.pairs() {
                if let (Some(from), Some(image)) =
                    (self.between(a, b), self.between(map(a), map(b)))
                {
                    to[from] = 1 << image;
                }
            }
            let of_byte = |byte: usize, bits: usize| -> u64 {
                let ones = (0..8).filter(|b| bits >> b & 1 == 1);
                ones.map(|b| to[8 * byte + b]).sum()
            };
            let table = std::array::from_fn(|byte| std::array::from_fn(|bits| of_byte(byte, bits)));
            images.push(table);
        }
        images
    }

    /// `2x2Duplicates`: no wall ends inside a block of two by two: such a wall parts nothing, and
    /// the same partition is given without it.
    #[must_use]
    pub fn walls_end_at_walls(&self, open: u64) -> bool {
        self.blocks
            .iter()
            .all(|block| (block & open).count_ones() != 3)
    }

    /// `1x1Cell`: no square has all its edges closed.
    #[must_use]
    pub fn no_square_is_alone(&self, open: u64) -> bool {
        self.around.iter().all(|around| around & open != 0)
    }

    /// `StraightCut`: whether all edges across some line are closed.
    #[inline]
    #[must_use]
    pub fn has_straight_cut(&self, open: u64) -> bool {
        self.lines.iter().any(|line| line & open == 0)
    }

    /// `RotatedAndReflected`: whether no image of the partition is a smaller number.
    #[inline]
    #[must_use]
    pub fn is_first_of_images(&self, open: u64) -> bool {
        let bytes = open.to_le_bytes();
        self.images.iter().all(|tables| {
            let parts = tables.iter().zip(bytes);
            let image = parts.fold(0, |all, (table, byte)| all | table[usize::from(byte)]);
            open <= image
        })
    }

    /// The shapes of the partition: squares that open edges join.
    #[must_use]
    pub fn shapes(&self, open: u64) -> Vec<Vec<Cell>> {
        let size = self.size;
        let mut shape_of = vec![usize::MAX; size.len()];
        let mut shapes: Vec<Vec<Cell>> = Vec::new();
        for start in size.cells() {
            if shape_of[size.index(start)] != usize::MAX {
                continue;
            }
            shape_of[size.index(start)] = shapes.len();
            let mut shape = vec![start];
            let mut at = 0;
            while at < shape.len() {
                let a = shape[at];
                at += 1;
                for b in size.cells() {
                    let joined = self.between(a, b).is_some_and(|e| open >> e & 1 == 1);
                    if joined && shape_of[size.index(b)] == usize::MAX {
                        shape_of[size.index(b)] = shapes.len();
                        shape.push(b);
                    }
                }
            }
            shapes.push(shape);
        }
        shapes
    }

    /// The eight kinds, for each square they may begin on.
    pub(super) fn kinds(&self) -> Vec<Places> {
        let places = |figure| -> Places {
            let squares = 0..self.size.len();
            squares.map(|s| place(self, self.size, figure, s)).collect()
        };
        KINDS.iter().map(|&k| places(k)).collect()
    }
}
