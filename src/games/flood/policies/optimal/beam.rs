//! A good solution soon: a beam search that keeps the most promising positions of each depth.
//!
//! It always gives a solution. When the budget is spent it completes the best position with the
//! moves that flood most cells.

use rustc_hash::FxHashSet;

use super::super::bits::Bits;
use super::super::bound::moves_needed;
use super::super::graph::{Flood, Graph};
use crate::games::gauge::Gauge;

struct Candidate<const N: usize> {
    /// Moves needed at least, then what is not flooded: smaller is better.
    rank: u64,
    flood: Flood<N>,
    parent: u32,
    colour: u8,
}

/// The best solution that keeping `width` positions per depth finds, if it is shorter than
/// `upper` moves; moves in the graph's colours. With `upper` = `u32::MAX` there always is one.
#[must_use]
pub fn beam<const N: usize>(
    graph: &Graph<N>,
    width: usize,
    upper: u32,
    gauge: &mut Gauge,
) -> Option<Vec<u8>> {
    let mut history: Vec<Vec<(u32, u8)>> = Vec::new();
    let mut kept = vec![graph.start()];
    let mut candidates: Vec<Candidate<N>> = Vec::new();
    let mut met: FxHashSet<Bits<N>> = FxHashSet::default();
    for depth in 1.. {
        if kept.iter().any(|f| f.shore.is_empty()) {
            break;
        }
        candidates.clear();
        met.clear();
        'parents: for (parent, flood) in kept.iter().enumerate() {
            for c in 0..graph.colours {
                let gain = graph.gain(flood, c);
                if gain.is_empty() {
                    continue;
                }
                let next = graph.join(flood, &gain);
                if !met.insert(next.wet) {
                    continue;
                }
                // A spent budget still looks at the children of the first position.
                if !gauge.node() && parent > 0 {
                    break 'parents;
                }
                let needed = if gauge.is_spent() {
                    0
                } else {
                    moves_needed(graph, &next)
                };
                if depth + needed < upper {
                    candidates.push(Candidate {
                        rank: u64::from(needed) << 32 | rest(graph, &next),
                        flood: next,
                        parent: parent as u32,
                        colour: c as u8,
                    });
                }
            }
        }
        if candidates.is_empty() {
            return None;
        }
        // Enough for one path to the end.
        let width = if gauge.is_spent() { 1 } else { width };
        if candidates.len() > width {
            candidates.select_nth_unstable_by_key(width - 1, |c| (c.rank, c.parent, c.colour));
            candidates.truncate(width);
        }
        // The most promising first, so that a budget that ends goes on from the best.
        candidates.sort_unstable_by_key(|c| (c.rank, c.parent, c.colour));
        history.push(candidates.iter().map(|c| (c.parent, c.colour)).collect());
        kept.clear();
        kept.extend(candidates.iter().map(|c| c.flood));
    }
    let mut at = kept.iter().position(|f| f.shore.is_empty())?;
    let mut moves = Vec::with_capacity(history.len());
    for level in history.iter().rev() {
        let (parent, colour) = level[at];
        moves.push(colour);
        at = parent as usize;
    }
    moves.reverse();
    Some(moves)
}

/// Memory that a beam holds for each position of its width, in bytes.
#[must_use]
pub fn bytes_per_position<const N: usize>(graph: &Graph<N>) -> usize {
    // Its children, each a candidate and an entry of the set, whose vectors may be half empty.
    2 * graph.colours.max(1) * (size_of::<Candidate<N>>() + size_of::<Bits<N>>())
}

/// What is left to flood: regions neither flooded nor next to the flood count most.
fn rest<const N: usize>(graph: &Graph<N>, flood: &Flood<N>) -> u64 {
    let dry = graph.all.minus(&flood.wet);
    let hidden = dry.minus(&flood.shore);
    (dry.len() + hidden.len()) as u64
}
