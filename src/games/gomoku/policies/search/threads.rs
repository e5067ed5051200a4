//! Several threads on one position: each searches for itself, and they share the table.
//!
//! The searches know nothing of this. The first thread's answer counts unless another has proven
//! something or looked deeper. With more than one thread answers are not repeatable.

use super::field::Field;
use super::root::{self, Found};
use super::seeker::{Memory, Seeker};
use super::table::Table;
use crate::games::gauge::Gauge;
use crate::types::{Budget, Stop};

/// Searches with as many threads as there are memories, of which there is at least one: what was
/// found and the positions visited.
pub(super) fn search(
    field: &Field,
    table: &Table,
    memories: &mut [Memory],
    budget: &Budget,
    gauge: Gauge<'_>,
) -> (Found, u64) {
    let Some((first, others)) = memories.split_first_mut() else {
        return (Found::default(), 0);
    };
    let own = |memory, gauge, ahead| {
        let field = field.clone();
        let mut seeker = Seeker {
            field,
            gauge,
            table,
            memory,
            ahead,
        };
        let found = root::search(&mut seeker);
        (found, seeker.gauge.nodes())
    };
    if others.is_empty() {
        return own(first, gauge, 0);
    }
    // The others end when the first does, whether by time, by nodes or because all is decided.
    let theirs = Budget {
        nodes: None,
        stop: Stop::new(),
        ..budget.clone()
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (others.iter_mut().enumerate())
            .map(|(i, memory)| {
                let (own, theirs) = (&own, &theirs);
                scope.spawn(move || own(memory, Gauge::start(theirs), (i as i32 + 1) % 2))
            })
            .collect();
        let (mut best, mut nodes) = own(first, gauge, 0);
        theirs.stop.pull("the first thread is done");
        for thread in running {
            // A thread that panicked has found nothing.
            let Ok((found, more)) = thread.join() else {
                continue;
            };
            nodes += more;
            let rank = |f: &Found| (f.proven, f.depth);
            if !best.proven && rank(&found) > rank(&best) {
                best = found;
            }
        }
        (best, nodes)
    })
}
