//! Several threads on one position: each searches for itself, and they share the table.
//!
//! The searches know nothing of this. The first thread's answer counts unless another has proven
//! something or looked deeper. With more than one thread answers are not repeatable.
//!
//! Whether the system gives the threads is found out when a search is made; one that it does not
//! give later is done without.

use std::sync::Mutex;

use super::field::Field;
use super::root::{self, Found};
use super::seeker::{Memory, Seeker};
use super::table::Table;
use crate::games::gauge::Gauge;
use crate::types::{Budget, Stop, Witness};

/// Whether the system gives so many threads at the same time; `stack` is the bytes of each one's
/// stack, if not the usual.
pub(super) fn are_given(threads: usize, stack: Option<usize>) -> std::io::Result<()> {
    // All wait at it until the last has been started, or cannot be.
    let gate = Mutex::new(());
    std::thread::scope(|scope| {
        let _closed = gate.lock();
        (0..threads).try_for_each(|_| {
            let mut builder = std::thread::Builder::new();
            if let Some(bytes) = stack {
                builder = builder.stack_size(bytes);
            }
            let waits = || drop(gate.lock());
            builder.spawn_scoped(scope, waits).map(drop)
        })
    })
}

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
    if others.is_empty() {
        return one(field, table, first, gauge, 0);
    }
    // The others end when the first does, whether by time, by nodes or because all is decided.
    let theirs = Budget {
        nodes: None,
        stop: Stop::new(),
        // Their answers are not repeatable, whatever is kept of them.
        witness: Witness::default(),
        ..budget.clone()
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (others.iter_mut().enumerate())
            .filter_map(|(i, memory)| {
                let (gauge, ahead) = (Gauge::start(&theirs), (i as i32 + 1) % 2);
                let search = move || one(field, table, memory, gauge, ahead);
                std::thread::Builder::new().spawn_scoped(scope, search).ok()
            })
            .collect();
        let (mut best, mut nodes) = one(field, table, first, gauge, 0);
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

/// One thread's search: what it found and the positions it visited.
fn one(
    field: &Field,
    table: &Table,
    memory: &mut Memory,
    gauge: Gauge<'_>,
    ahead: i32,
) -> (Found, u64) {
    let mut seeker = Seeker {
        field: field.clone(),
        gauge,
        table,
        memory,
        ahead,
    };
    let found = root::search(&mut seeker);
    (found, seeker.gauge.nodes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_there_are_not_are_an_error() {
        are_given(0, None).expect("nothing was asked for");
        are_given(8, None).expect("eight threads");
        let error = are_given(8, Some(1 << 60)).expect_err("no such stack");
        assert!(!error.to_string().is_empty());
    }
}
