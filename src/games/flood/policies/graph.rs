//! A board as a graph of its one-coloured regions: what every search works on.
//!
//! Takes a board, gives sets of regions. A move joins the neighbouring regions of one colour
//! to the flooded set; nothing else of the board matters to a solver.

use super::bits::Bits;
use crate::games::flood::rules::{Board, MAX_COLOURS};

/// The regions of a board, at most `64 * N` of them.
#[derive(Clone, Debug)]
pub struct Graph<const N: usize> {
    /// Colours on the board: 0 to `colours - 1` inside the graph.
    pub colours: usize,
    /// The board's colour for each of the graph's.
    pub palette: [u8; MAX_COLOURS],
    /// The graph's colour of each region.
    pub colour_of: Vec<u8>,
    /// Cells of each region.
    pub cells: Vec<u16>,
    /// Neighbours of each region, by word and bit of a set.
    adjacent: Box<[[Bits<N>; 64]; N]>,
    /// Regions of each colour.
    pub of_colour: [Bits<N>; MAX_COLOURS],
    /// All regions.
    pub all: Bits<N>,
}

/// The flooded set and the regions that touch it. Region 0 is where the flood starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flood<const N: usize> {
    /// Regions flooded.
    pub wet: Bits<N>,
    /// Regions not flooded that have a flooded neighbour.
    pub shore: Bits<N>,
}

/// For each cell the number of its region, and how many regions there are. Region 0 is the
/// start's; the others are numbered by their distance from it, counted in regions.
#[must_use]
pub fn number_regions(board: &Board) -> (Vec<u16>, usize) {
    const NONE: u16 = u16::MAX;
    let cells = board.cells();
    let cols = usize::from(board.size().cols);
    let mut region = vec![NONE; cells.len()];
    let mut queue = Vec::with_capacity(cells.len());
    let mut inside = Vec::with_capacity(cells.len());
    queue.push(board.size().index(board.start()));
    // At most 4096 regions: a board has no more cells.
    let mut count = 0u16;
    let mut head = 0;
    while head < queue.len() {
        let first = queue[head];
        head += 1;
        if region[first] != NONE {
            continue;
        }
        region[first] = count;
        inside.push(first);
        while let Some(i) = inside.pop() {
            for n in neighbours(i, cols, cells.len()) {
                if region[n] != NONE {
                    continue;
                }
                if cells[n] == cells[first] {
                    region[n] = count;
                    inside.push(n);
                } else {
                    queue.push(n);
                }
            }
        }
        count += 1;
    }
    (region, usize::from(count))
}

fn neighbours(i: usize, cols: usize, len: usize) -> impl Iterator<Item = usize> {
    let col = i % cols;
    let left = (col > 0).then(|| i - 1);
    let right = (col + 1 < cols).then_some(i + 1);
    let up = i.checked_sub(cols);
    let down = (i + cols < len).then_some(i + cols);
    [left, right, up, down].into_iter().flatten()
}

impl<const N: usize> Graph<N> {
    /// The graph of a board whose regions were numbered; `count` must not exceed `64 * N`.
    #[must_use]
    pub fn new(board: &Board, region: &[u16], count: usize) -> Self {
        debug_assert!(count <= 64 * N, "the caller picks N by the count");
        let cells = board.cells();
        let cols = usize::from(board.size().cols);
        // Made on the heap: for the largest boards it is 2 MB.
        let rows = vec![[Bits::EMPTY; 64]; N].into_boxed_slice();
        let Ok(adjacent) = <Box<[[Bits<N>; 64]; N]>>::try_from(rows) else {
            unreachable!("N rows were made")
        };
        let mut palette = [0; MAX_COLOURS];
        let mut compact = [0u8; MAX_COLOURS];
        let mut colours = 0;
        for c in 0..MAX_COLOURS as u8 {
            if board.colour_set() >> c & 1 == 1 {
                palette[colours] = c;
                compact[usize::from(c)] = colours as u8;
                colours += 1;
            }
        }
        let mut graph = Self {
            colours,
            palette,
            colour_of: vec![0; count],
            cells: vec![0; count],
            adjacent,
            of_colour: [Bits::EMPTY; MAX_COLOURS],
            all: Bits::EMPTY,
        };
        for (i, &r) in region.iter().enumerate() {
            let r = usize::from(r);
            let c = compact[usize::from(cells[i])];
            graph.colour_of[r] = c;
            graph.cells[r] += 1;
            graph.of_colour[usize::from(c)].insert(r);
            graph.all.insert(r);
            for n in neighbours(i, cols, cells.len()) {
                let n = usize::from(region[n]);
                if n != r {
                    graph.adjacent[r / 64][r % 64].insert(n);
                }
            }
        }
        graph
    }

    /// The neighbours of a region.
    #[inline]
    #[must_use]
    pub fn beside(&self, region: usize) -> &Bits<N> {
        &self.adjacent[region / 64][region % 64]
    }

    /// All regions next to one of `set`.
    #[inline]
    #[must_use]
    pub fn around(&self, set: &Bits<N>) -> Bits<N> {
        let mut out = Bits::EMPTY;
        for (rows, &word) in self.adjacent.iter().zip(&set.0) {
            let mut w = word;
            while w != 0 {
                out |= rows[w.trailing_zeros() as usize];
                w &= w - 1;
            }
        }
        out
    }

    /// Nothing flooded but the start's region.
    #[must_use]
    pub fn start(&self) -> Flood<N> {
        let mut wet = Bits::EMPTY;
        wet.insert(0);
        Flood {
            wet,
            shore: *self.beside(0),
        }
    }

    /// What playing colour `c` floods.
    #[inline]
    #[must_use]
    pub fn gain(&self, flood: &Flood<N>, c: usize) -> Bits<N> {
        flood.shore & self.of_colour[c]
    }

    /// The flood after the regions `gain` have joined it.
    #[inline]
    #[must_use]
    pub fn join(&self, flood: &Flood<N>, gain: &Bits<N>) -> Flood<N> {
        let wet = flood.wet | *gain;
        Flood {
            wet,
            shore: (flood.shore | self.around(gain)).minus(&wet),
        }
    }

    /// Cells of a set of regions.
    #[inline]
    #[must_use]
    pub fn area(&self, set: &Bits<N>) -> u32 {
        let mut area = 0;
        set.for_each(|r| area += u32::from(self.cells[r]));
        area
    }
}

/// Runs `$body` with `$graph` being the board's [`Graph`] with sets just large enough: one copy of
/// the body is compiled per size of set.
macro_rules! with_graph {
    ($board:expr, |$graph:ident| $body:expr) => {{
        let board: &$crate::games::flood::rules::Board = $board;
        let (region, count) = $crate::games::flood::policies::graph::number_regions(board);
        macro_rules! sized {
            ($n:literal) => {{
                let $graph =
                    &$crate::games::flood::policies::graph::Graph::<$n>::new(board, &region, count);
                $body
            }};
        }
        match count {
            0..=64 => sized!(1),
            65..=128 => sized!(2),
            129..=192 => sized!(3),
            193..=256 => sized!(4),
            257..=320 => sized!(5),
            321..=512 => sized!(8),
            513..=1536 => sized!(24),
            _ => sized!(64),
        }
    }};
}
pub(crate) use with_graph;
