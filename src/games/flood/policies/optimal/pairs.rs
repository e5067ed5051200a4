//! A sharper estimate, never too high either: two walkers who must follow the same moves.
//!
//! Take two far-apart regions. Whatever sequence floods both lets two walkers, each starting in a
//! flooded region and each stepping at every move to a neighbour of the colour played (or
//! staying), arrive at the one and the other. How many moves they need at least, from every pair of
//! regions, is a table made once per board. One far region tells its distance; two tell also
//! that one colour seldom brings both nearer.
//!
//! A solution finishes the colours one after the other, each with a move of its own. With K
//! colours left, the one finished first leaves K - 1 moves, so its farthest pair must have been
//! reached K - 1 moves before the end; and so on: the largest sum of what the i-th least
//! demanding colour needs and K - i is needed at least.

use super::super::bits::Bits;
use super::super::graph::{Flood, Graph};
use crate::games::flood::rules::MAX_COLOURS;

/// Tables at most: one for each of the first so many colours.
const TABLES: usize = 16;

/// Longer ways than fit into [`Needs`] get no table.
const MOST_MOVES: usize = 250;

/// For each table the moves that its pair still needs.
pub type Needs = [u8; TABLES];

/// The tables of one board.
#[derive(Debug)]
pub struct Pairs<const N: usize> {
    tables: Vec<Table<N>>,
    regions: usize,
}

#[derive(Debug)]
struct Table<const N: usize> {
    colour: usize,
    goals: [usize; 2],
    /// At `moves * regions + p`: every q such that walkers on p and q (either way round) need
    /// no more than `moves`.
    near: Vec<Bits<N>>,
    levels: usize,
}

impl<const N: usize> Pairs<N> {
    /// Makes the tables. The pairs are those that are hardest to reach from the `samples`,
    /// which should be positions of the search that is to profit.
    #[must_use]
    pub fn new(graph: &Graph<N>, samples: &[Flood<N>]) -> Self {
        let regions = graph.colour_of.len();
        let hard = hardness(graph, samples);
        let mut tables = Vec::new();
        for colour in 0..graph.colours.min(TABLES) {
            let set = &graph.of_colour[colour];
            let mut best = (0, 0, 0);
            set.for_each(|a| {
                set.for_each(|b| best = best.max((hard[a * regions + b], a, b)));
            });
            let (hardest, a, b) = best;
            if hardest > 0 {
                let table = Table::new(graph, colour, a, b);
                if table.levels <= MOST_MOVES {
                    tables.push(table);
                }
            }
        }
        Self { tables, regions }
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let rows = self.tables.iter().map(|t| t.near.capacity());
        rows.sum::<usize>() * size_of::<Bits<N>>()
    }

    /// What every pair needs from a flood.
    #[must_use]
    pub fn needs(&self, graph: &Graph<N>, flood: &Flood<N>) -> Needs {
        // A walker further inside passes the border on its way, unless it has arrived.
        let border = flood.wet & graph.around(&flood.shore);
        let mut needs = [0; TABLES];
        for (need, table) in needs.iter_mut().zip(&self.tables) {
            let mut from = border;
            for goal in table.goals {
                if flood.wet.contains(goal) {
                    from.insert(goal);
                }
            }
            // More moves reach more: the least that suffices lies between the two.
            let (mut least, mut most) = (0, table.levels);
            while least < most {
                let middle = usize::midpoint(least, most);
                if self.reaches(table, middle, &from, &from) {
                    most = middle;
                } else {
                    least = middle + 1;
                }
            }
            // No table has more levels than fit.
            *need = least as u8;
        }
        needs
    }

    #[inline]
    fn reaches(&self, table: &Table<N>, moves: usize, gain: &Bits<N>, wet: &Bits<N>) -> bool {
        let rows = &table.near[moves * self.regions..][..self.regions];
        let mut hit = false;
        gain.for_each(|p| hit |= !(rows[p] & *wet).is_empty());
        hit
    }

    /// The needs after `gain` has joined, which gave `wet`.
    #[inline]
    #[must_use]
    pub fn after(&self, needs: &Needs, gain: &Bits<N>, wet: &Bits<N>) -> Needs {
        let mut needs = *needs;
        for (need, table) in needs.iter_mut().zip(&self.tables) {
            // A move brings a pair nearer by one at most.
            if *need > 0 && self.reaches(table, usize::from(*need) - 1, gain, wet) {
                *need -= 1;
            }
        }
        needs
    }

    /// Moves needed at least from `wet`, whose needs these are.
    #[inline]
    #[must_use]
    pub fn moves_needed(&self, graph: &Graph<N>, needs: &Needs, wet: &Bits<N>) -> u32 {
        let mut by_colour = [0u8; MAX_COLOURS];
        for (need, table) in needs.iter().zip(&self.tables) {
            by_colour[table.colour] = *need;
        }
        let by_colour = &mut by_colour[..graph.colours];
        for (need, colour) in by_colour.iter_mut().zip(&graph.of_colour) {
            if *need == 0 && !colour.is_within(wet) {
                *need = 1;
            }
        }
        // The most demanding first: each that comes after it in the end costs one move more.
        by_colour.sort_unstable_by(|a, b| b.cmp(a));
        let sums = by_colour.iter().zip(0u32..);
        sums.filter(|(need, _)| **need > 0)
            .map(|(need, later)| u32::from(*need) + later)
            .max()
            .unwrap_or(0)
    }
}

impl<const N: usize> Table<N> {
    fn new(graph: &Graph<N>, colour: usize, a: usize, b: usize) -> Self {
        let regions = graph.colour_of.len();
        let mut near: Vec<Bits<N>> = Vec::new();
        let mut levels = 0;
        spread(
            graph,
            |r| *graph.beside(r),
            &[(a, b), (b, a)],
            false,
            |_, rows| {
                for (p, row) in rows.iter().enumerate() {
                    let fewer = if levels > 0 {
                        near[(levels - 1) * regions + p]
                    } else {
                        Bits::EMPTY
                    };
                    near.push(*row | fewer);
                }
                levels += 1;
            },
        );
        Self {
            colour,
            goals: [a, b],
            near,
            levels,
        }
    }
}

/// For each two regions of one colour the moves that both need at least, summed over the samples.
fn hardness<const N: usize>(graph: &Graph<N>, samples: &[Flood<N>]) -> Vec<u32> {
    let regions = graph.colour_of.len();
    let mut hard = vec![0u32; regions * regions];
    for flood in samples {
        // The flooded set as one region, which is region 0.
        let beside = |r: usize| match r {
            0 => flood.shore,
            _ if flood.wet.contains(r) => Bits::EMPTY,
            _ => graph.beside(r).minus(&flood.wet),
        };
        spread(graph, beside, &[(0, 0)], true, |moves, rows| {
            for (a, row) in rows.iter().enumerate() {
                let same = *row & graph.of_colour[usize::from(graph.colour_of[a])];
                same.for_each(|b| hard[a * regions + b] += moves);
            }
        });
    }
    hard
}

/// Pairs by the number of moves: calls `level` with the rows of pairs that are new at 0, 1, 2, ...
/// `onwards` counts from where the walkers start, otherwise back from where they arrive.
fn spread<const N: usize>(
    graph: &Graph<N>,
    beside: impl Fn(usize) -> Bits<N>,
    first: &[(usize, usize)],
    onwards: bool,
    mut level: impl FnMut(u32, &[Bits<N>]),
) {
    let regions = graph.colour_of.len();
    let neighbours: Vec<Bits<N>> = (0..regions).map(beside).collect();
    let around = |set: &Bits<N>| {
        let mut out = Bits::EMPTY;
        set.for_each(|r| out |= neighbours[r]);
        out
    };
    let mut known = vec![Bits::<N>::EMPTY; regions];
    let mut fresh = known.clone();
    let mut next = known.clone();
    for &(a, b) in first {
        fresh[a].insert(b);
    }
    for moves in 0.. {
        for (known, fresh) in known.iter_mut().zip(&fresh) {
            *known |= *fresh;
        }
        level(moves, &fresh);
        next.fill(Bits::EMPTY);
        for a in 0..regions {
            let here = fresh[a];
            if here.is_empty() {
                continue;
            }
            // One walker stays, or both step to regions of the colour played.
            let beside = around(&here);
            next[a] |= beside;
            let own = graph.of_colour[usize::from(graph.colour_of[a])];
            let back = here | around(&(here & own));
            neighbours[a].for_each(|x| {
                let colour = usize::from(graph.colour_of[x]);
                next[x] |= if onwards {
                    here | beside & graph.of_colour[colour]
                } else {
                    back
                };
            });
        }
        let mut any = false;
        for ((fresh, next), known) in fresh.iter_mut().zip(&next).zip(&known) {
            *fresh = next.minus(known);
            any |= !fresh.is_empty();
        }
        if !any {
            return;
        }
    }
}
