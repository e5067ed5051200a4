//! The exact search: A* over flooded sets, which proves the fewest moves.
//!
//! What keeps it small and is yet exact:
//! - a colour that one move finishes is played at once: it has to be played once in any case,
//!   and earlier is never worse;
//! - a move is left out after another if it gains nothing through that other, so that it might as
//!   well have come before, and did: either the other order gains more, or of equals the
//!   lower colour comes first;
//! - a flooded set met again with the same number of moves is one node, which may do what
//!   either way to it may do; with more moves it is dropped;
//! - nothing is kept that cannot be shorter than a solution already known;
//! - when the search turns out to be hard, sharper estimates are made for it ([`Pairs`]).

use super::super::bits::Bits;
use super::super::bound::moves_needed;
use super::super::graph::{Flood, Graph};
use super::beam;
use super::open::Open;
use super::pairs::{Needs, Pairs};
use super::seen::Seen;
use crate::games::gauge::Gauge;

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The shortest solution, in the graph's colours.
    Solved(Vec<u8>),
    /// No solution is shorter than the one already known (given, or [`Search::into_best`]).
    NoneShorter,
    /// Told to stop, or out of memory.
    Stopped,
}

#[derive(Clone, Copy)]
struct Node<const N: usize> {
    flood: Flood<N>,
    /// Colours still to be played from here, and those that were.
    todo: u64,
    done: u64,
    needs: Needs,
    parent: u32,
    depth: u16,
    colour: u8,
    waiting: bool,
}

/// Nodes per chunk: nodes are never moved when more are made.
const CHUNK: usize = 1 << 12;
const NO_PARENT: u32 = u32::MAX;
/// In a node's needs: not looked up yet.
const UNKNOWN: Needs = [u8::MAX; size_of::<Needs>()];
/// Pairs of walkers are looked up in tables that grow with the square of the regions.
const MOST_REGIONS_FOR_PAIRS: usize = 512;
/// Positions from which the pairs are chosen.
const SAMPLES: usize = 4;
/// The tables are made after one child for so many pairs of regions in them. Measured on the
/// usual boards: 64 is a tenth slower, 256 as good, and easy boards end before.
const PAIRS_PER_CHILD: usize = 1024;
/// Children after which the first beam is run, each further one after eight times as many.
const CHILDREN_BEFORE_BEAM: usize = 8192;
/// Children that a beam looks at for each position of its width, roughly.
const CHILDREN_PER_WIDTH: usize = 320;

/// One search on one board.
pub struct Search<'a, const N: usize> {
    graph: &'a Graph<N>,
    chunks: Vec<Vec<Node<N>>>,
    open: Open,
    seen: Seen,
    pairs: Option<Pairs<N>>,
    /// Nodes made.
    made: usize,
    /// Children looked at.
    tried: usize,
    /// Solutions as long as this are of no interest.
    upper: u32,
    /// The solution of that length, if it was found here.
    best: Option<Vec<u8>>,
    /// Children after which the next beam is run.
    next_beam: usize,
    /// No solution is shorter.
    lower: u32,
    memory: usize,
    children: Vec<Flood<N>>,
    gains: Vec<Bits<N>>,
}

impl<'a, const N: usize> Search<'a, N> {
    /// A search for solutions shorter than `upper` moves that holds `memory` bytes at most.
    #[must_use]
    pub fn new(graph: &'a Graph<N>, upper: u32, memory: usize) -> Self {
        let start = graph.start();
        let mut search = Self {
            graph,
            chunks: Vec::new(),
            open: Open::default(),
            seen: Seen::new(),
            pairs: None,
            made: 0,
            tried: 0,
            upper,
            best: None,
            next_beam: CHILDREN_BEFORE_BEAM,
            lower: moves_needed(graph, &start),
            memory,
            children: vec![start; graph.colours],
            gains: vec![Bits::EMPTY; graph.colours],
        };
        let root = Node {
            flood: start,
            todo: u64::MAX,
            done: 0,
            needs: UNKNOWN,
            parent: NO_PARENT,
            depth: 0,
            colour: 0,
            waiting: true,
        };
        search.add(root, search.lower);
        search
    }

    /// Moves that every solution has at least, as far as proven.
    #[must_use]
    pub fn lower_bound(&self) -> u32 {
        self.lower.min(self.upper)
    }

    /// The shortest solution found on the way, if it is shorter than what was known before; in
    /// the graph's colours.
    #[must_use]
    pub fn into_best(self) -> Option<Vec<u8>> {
        self.best
    }

    /// Searches until it ends or `go_on` says no; it is asked often, with how far the
    /// shortest solution known is from what is proven.
    pub fn run(&mut self, gauge: &mut Gauge, mut go_on: impl FnMut(&Gauge, u32) -> bool) -> End {
        let mut look = 0;
        while self.lower < self.upper {
            // Before the level can be called empty: children may have been left out.
            if gauge.is_spent() || self.bytes() > self.memory {
                return End::Stopped;
            }
            let Some(id) = self.open.pop(self.lower) else {
                self.lower += 1;
                continue;
            };
            if self.node(id).todo == 0 {
                continue;
            }
            if self.node(id).flood.shore.is_empty() {
                return End::Solved(self.path(id));
            }
            look += 1;
            if look % 64 == 0 && !go_on(gauge, self.upper - self.lower) {
                return End::Stopped;
            }
            if self.tried > self.next_beam {
                self.lower_the_roof(gauge);
            }
            if self.worth_pairs() {
                self.make_pairs(id);
            }
            if self.postponed(id) {
                continue;
            }
            self.expand(id, gauge);
        }
        End::NoneShorter
    }

    fn bytes(&self) -> usize {
        let nodes = self.chunks.len() * CHUNK * size_of::<Node<N>>();
        nodes + self.seen.bytes() + self.open.len() * 2 * size_of::<u32>()
    }

    #[inline]
    fn node(&self, id: u32) -> &Node<N> {
        &self.chunks[id as usize / CHUNK][id as usize % CHUNK]
    }

    #[inline]
    fn node_mut(&mut self, id: u32) -> &mut Node<N> {
        &mut self.chunks[id as usize / CHUNK][id as usize % CHUNK]
    }

    fn add(&mut self, node: Node<N>, total: u32) -> u32 {
        if self.made.is_multiple_of(CHUNK) {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        // Fewer than 2^32: the memory for them would be a hundred times that of any machine.
        let id = self.made as u32;
        self.chunks[self.made / CHUNK].push(node);
        self.made += 1;
        self.open.push(total, node.depth.into(), id);
        id
    }

    fn path(&self, id: u32) -> Vec<u8> {
        let mut moves = Vec::new();
        let mut node = self.node(id);
        while node.parent != NO_PARENT {
            moves.push(node.colour);
            node = self.node(node.parent);
        }
        moves.reverse();
        moves
    }

    /// Looks for a shorter solution by a beam that costs about as much as the search so far: what
    /// cannot be shorter need not be kept, nor looked at closely.
    fn lower_the_roof(&mut self, gauge: &mut Gauge) {
        let width = self.next_beam / CHILDREN_PER_WIDTH;
        let room = self.memory.saturating_sub(self.bytes()) / beam::bytes_per_position(self.graph);
        self.next_beam *= 8;
        if let Some(moves) = beam::beam(self.graph, width.min(room).max(1), self.upper, gauge) {
            self.upper = moves.len() as u32;
            self.best = Some(moves);
        }
    }

    /// Whether the search has cost so much that the tables may pay.
    fn worth_pairs(&self) -> bool {
        let regions = self.graph.colour_of.len();
        self.pairs.is_none()
            && regions <= MOST_REGIONS_FOR_PAIRS
            && self.tried * PAIRS_PER_CHILD > regions * regions * self.graph.colours
    }

    fn make_pairs(&mut self, id: u32) {
        let mut samples = vec![self.node(id).flood];
        let step = (self.made / SAMPLES).max(1);
        for i in (0..self.made).step_by(step) {
            let node = self.node(i as u32);
            if node.waiting && node.todo != 0 && samples.len() < SAMPLES {
                samples.push(node.flood);
            }
        }
        let pairs = Pairs::new(self.graph, &samples);
        self.memory = self.memory.saturating_sub(pairs.bytes());
        self.pairs = Some(pairs);
    }

    /// Whether the sharper estimate of a node made before the tables moves it to a later turn.
    fn postponed(&mut self, id: u32) -> bool {
        let Some(pairs) = &self.pairs else {
            return false;
        };
        let node = self.node(id);
        if node.needs != UNKNOWN {
            return false;
        }
        let needs = pairs.needs(self.graph, &node.flood);
        let depth = u32::from(node.depth);
        let total = depth + pairs.moves_needed(self.graph, &needs, &node.flood.wet);
        self.node_mut(id).needs = needs;
        let later = total > self.lower;
        if later && total < self.upper {
            self.open.push(total, depth, id);
        }
        later
    }

    /// Makes the children of a node.
    fn expand(&mut self, id: u32, gauge: &mut Gauge) {
        let graph = self.graph;
        let node = *self.node(id);
        let flood = node.flood;
        let hidden = graph.all.minus(&flood.wet).minus(&flood.shore);
        let mut playable = 0u64;
        let mut finishing = None;
        for c in 0..graph.colours {
            self.gains[c] = graph.gain(&flood, c);
            if !self.gains[c].is_empty() {
                playable |= 1 << c;
                if finishing.is_none() && (graph.of_colour[c] & hidden).is_empty() {
                    finishing = Some(c);
                }
            }
        }
        let todo = finishing.map_or(node.todo & playable, |c| 1 << c) & !node.done;
        let parent = self.node_mut(id);
        parent.waiting = false;
        parent.todo = 0;
        parent.done = finishing.map_or(node.done | node.todo, |_| u64::MAX);
        // All of them are compared with one another, unless there is only one.
        each(finishing.map_or(playable, |_| todo), |c| {
            self.children[c] = graph.join(&flood, &self.gains[c]);
        });
        each(todo, |c| {
            if !gauge.node() {
                // The other children are lost: the search must end now.
                return;
            }
            self.tried += 1;
            let may_follow = if finishing.is_some() {
                u64::MAX
            } else {
                self.may_follow(playable, c)
            };
            self.child(id, &node, c, may_follow);
        });
    }

    /// Colours worth playing after `c`: see the module's head.
    #[inline]
    fn may_follow(&self, playable: u64, c: usize) -> u64 {
        let graph = self.graph;
        let mut follow = !playable;
        each(playable & !(1 << c), |d| {
            let gains_more = graph.gain(&self.children[c], d) != self.gains[d];
            let equal = || graph.gain(&self.children[d], c) == self.gains[c];
            if gains_more || d > c && equal() {
                follow |= 1 << d;
            }
        });
        follow
    }

    #[inline]
    fn child(&mut self, id: u32, parent: &Node<N>, c: usize, todo: u64) {
        let graph = self.graph;
        let flood = self.children[c];
        let depth = parent.depth + 1;
        let mut total = self.lower;
        let mut needs = parent.needs;
        if let Some(pairs) = &self.pairs {
            needs = pairs.after(&parent.needs, &self.gains[c], &flood.wet);
            let more = pairs.moves_needed(graph, &needs, &flood.wet);
            total = total.max(u32::from(depth) + more);
            if total >= self.upper {
                return;
            }
        }
        let hash = hash(&flood.wet);
        let chunks = &self.chunks;
        let wet_of = |n: u32| &chunks[n as usize / CHUNK][n as usize % CHUNK].flood.wet;
        let (slot, known) = self.seen.find(hash, |n| *wet_of(n) == flood.wet);
        if let Some(known) = known {
            let lower = self.lower;
            let other = self.node_mut(known);
            if other.depth < depth {
                return;
            }
            if other.depth == depth {
                other.todo |= todo & !other.done;
                if other.todo != 0 && !other.waiting {
                    other.waiting = true;
                    self.open.push(lower, depth.into(), known);
                }
                return;
            }
            // A shorter way to the same set: the longer one is given up.
            other.todo = 0;
            other.done = u64::MAX;
        }
        total = total.max(u32::from(depth) + moves_needed(graph, &flood));
        if total >= self.upper {
            return;
        }
        let node = Node {
            flood,
            todo,
            done: 0,
            needs,
            parent: id,
            depth,
            colour: c as u8,
            waiting: true,
        };
        let new = self.add(node, total);
        let chunks = &self.chunks;
        self.seen.put(slot, new, |n| {
            self::hash(&chunks[n as usize / CHUNK][n as usize % CHUNK].flood.wet)
        });
    }
}

/// Calls `f` with each colour of a set.
#[inline]
fn each(set: u64, mut f: impl FnMut(usize)) {
    let mut left = set;
    while left != 0 {
        f(left.trailing_zeros() as usize);
        left &= left - 1;
    }
}

#[inline]
fn hash<const N: usize>(set: &Bits<N>) -> u64 {
    let mut h = 0u64;
    for w in set.0 {
        h = (h.rotate_left(23) ^ w).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    h ^ (h >> 29)
}
