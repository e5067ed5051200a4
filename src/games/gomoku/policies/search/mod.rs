//! `search`: principal variation search with fours search at its leaves.

mod cell;
mod field;
mod line;
mod moves;
mod root;
mod seeker;
mod table;
#[cfg(test)]
mod tests;
mod vcf;
mod vct;
mod weights;

use super::{Choice, GomokuPolicy, Proof};
use crate::games::gauge::Gauge;
use crate::games::gomoku::rules::Board;
use crate::types::{Budget, Cell};
use field::Field;
use seeker::{DECIDED, MATE, Memory, Seeker};
use table::Table;

/// The policy `search`.
#[derive(Debug)]
pub struct Search {
    table: Table,
    memory: Memory,
}

/// Bytes of the table of positions unless told otherwise.
pub const MEMORY: usize = 32 << 20;

impl Search {
    /// A search whose table of positions takes at most so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self {
            table: Table::new(bytes),
            memory: Memory::default(),
        }
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
        self.memory.fade();
        let mut seeker = Seeker {
            field,
            gauge,
            table: &self.table,
            memory: &mut self.memory,
            root_depth: 0,
        };
        let found = root::search(&mut seeker);
        let cells: Vec<Cell> = found.line.iter().map(|&at| field::cell(at)).collect();
        let stones = u32::try_from(MATE - found.value.abs()).unwrap_or(0);
        Some(Choice {
            cell: *cells.first()?,
            score: f64::from(found.value),
            nodes: seeker.gauge.nodes(),
            depth: found.depth,
            pv: cells,
            proof: match found.value {
                v if v > DECIDED => Proof::Win(stones),
                v if v < -DECIDED => Proof::Loss(stones),
                _ => Proof::None,
            },
        })
    }
}

/// Experiment: of quiet positions the pattern sets of the side to move (0) and the other (1).
pub fn features(board: &Board) -> Option<Vec<(usize, [u8; 4])>> {
    let field = Field::new(board)?;
    let own = field.turn;
    for c in 0..2 {
        if field.can_win(c) {
            return None;
        }
    }
    if field.can_win_by_four(own) {
        return None;
    }
    let mut list = Vec::new();
    for at in field::cells_of(field.empty_cells()) {
        for (side, colour) in [(0, own), (1, 1 - own)] {
            let f = field.patterns(at, colour);
            let mut set = [0, 4, 8, 12].map(|s| (f >> s & 15) as u8);
            set.sort_unstable_by(|a, b| b.cmp(a));
            if set[0] > 0 {
                list.push((side, set));
            }
        }
    }
    list.push((2, [field.tension() as u8, 0, 0, 0]));
    Some(list)
}
