//! `search`: our own player. Principal variation search over incremental line patterns, with
//! searches for wins by fours and by threats.
//!
//! Takes a board and a budget, gives a move with its value and whether a win is proven. Time and
//! nodes come only through the gauge; with one thread and a budget of nodes a new `Search` always
//! gives the same answers.

mod cell;
mod field;
mod line;
mod moves;
mod prover;
mod replay;
mod root;
mod seeker;
mod table;
#[cfg(test)]
mod tests;
mod threads;
mod vcf;
mod vct;
mod weights;

use super::{Choice, GomokuPolicy, Proof};
use crate::games::gauge::Gauge;
use crate::games::gomoku::rules::Board;
use crate::games::spec::{Spec, SpecError};
use crate::types::{Budget, Cell};
use field::Field;
pub use prover::Prover;
pub use replay::Replay;
use seeker::{MATE, Memory};
use table::Table;

/// The policy `search`.
#[derive(Debug)]
pub struct Search {
    table: Table,
    /// One for each thread.
    memories: Vec<Memory>,
}

/// Bytes of the table of positions unless told otherwise.
pub const MEMORY: usize = 32 << 20;

/// What the system does not give.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Shortage {
    /// So many bytes, of the table and of the threads.
    #[error("the system does not give {} MB of memory", .0 >> 20)]
    Memory(usize),
    /// So many threads.
    #[error("the system does not give {0} threads: {1}")]
    Threads(usize, String),
}

impl Search {
    /// A search whose table of positions takes at most so many bytes, with this many threads (at
    /// least one), each of which takes a few MB more.
    ///
    /// # Errors
    /// When the system does not give as much.
    pub fn new(bytes: usize, threads: usize) -> Result<Self, Shortage> {
        let threads = threads.max(1);
        let beside = Memory::BYTES.saturating_mul(threads);
        let short = |_| Shortage::Memory(bytes.saturating_add(beside));
        let table = Table::new(bytes).map_err(short)?;
        // What the threads remember is made of many small parts: whether there is room for all of
        // them is asked before.
        Vec::<u8>::new().try_reserve_exact(beside).map_err(short)?;
        let mut memories = Vec::new();
        memories.resize_with(threads, Memory::default);
        threads::are_given(threads - 1, None)
            .map_err(|e| Shortage::Threads(threads, e.to_string()))?;
        Ok(Self { table, memories })
    }

    pub(super) fn from_spec(spec: &mut Spec) -> Result<Self, SpecError> {
        let memory = spec.number("memory", MEMORY >> 20, 1..=4096)?;
        let threads = spec.number("threads", 1, 1..=64)?;
        Self::new(memory << 20, threads).map_err(|e| {
            let fix = "ask for less, for instance memory=32,threads=1";
            spec.error(format!("{e}; {fix}"))
        })
    }

    /// Forgets all it has seen: the next answer is that of a new search.
    pub fn forget(&mut self) {
        self.table.clear();
        self.memories.iter_mut().for_each(Memory::forget);
    }
}

impl GomokuPolicy for Search {
    fn name(&self) -> &'static str {
        "search"
    }

    fn decide(&mut self, board: &Board, budget: &Budget) -> Option<Choice> {
        let gauge = Gauge::start(budget);
        let field = Field::new(board)?;
        self.table.grow_older();
        self.memories.iter_mut().for_each(Memory::fade);
        let (found, nodes) =
            threads::search(&field, &self.table, &mut self.memories, budget, gauge);
        let cells: Vec<Cell> = found.line.iter().map(|&at| field::cell(at)).collect();
        let stones = u32::try_from(MATE - found.value.abs()).unwrap_or(0);
        Some(Choice {
            cell: *cells.first()?,
            score: f64::from(found.value),
            nodes,
            depth: found.depth,
            pv: cells,
            proof: match found.value {
                _ if !found.proven => Proof::None,
                v if v > 0 => Proof::Win(stones),
                _ => Proof::Loss(stones),
            },
        })
    }
}
