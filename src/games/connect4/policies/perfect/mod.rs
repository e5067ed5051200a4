//! Exact scores of positions and the moves that reach them.
//!
//! Takes a board and a budget, gives a column with proven bounds of the score. Boards of up to 8x8
//! go through a search over bits; larger ones through a plain one.

mod follow;
pub(super) mod search;
mod solver;
mod table;

use std::sync::Arc;

pub use solver::{Analysis, Bounds, Solver};
pub use table::Table;

use super::book::OpeningBook;
use super::{Choice, Connect4Policy, general, note};
use crate::games::connect4::rules::Board;
use crate::games::connect4::rules::bits::{Any, Bits, Shape, Usual};
use crate::games::gauge::Gauge;
use crate::types::{Budget, GridSize};
use search::Book;

/// Bytes of the table unless told otherwise.
pub const MEMORY: usize = 128 << 20;

/// The exact policy. What it has found it keeps for the next position on the same board.
#[derive(Debug)]
pub struct Perfect {
    memory: usize,
    book: Option<Arc<OpeningBook>>,
    table: Option<((GridSize, u16), Table)>,
}

impl Perfect {
    /// A policy with a table of about so many bytes, without a book.
    #[must_use]
    pub const fn new(memory: usize) -> Self {
        Self {
            memory,
            book: None,
            table: None,
        }
    }

    /// The same with a book.
    #[must_use]
    pub fn with_book(mut self, book: Arc<OpeningBook>) -> Self {
        self.book = Some(book);
        self
    }

    /// Forgets what it has found: the next answer takes as long as a first one.
    pub fn forget(&mut self) {
        if let Some((_, table)) = &mut self.table {
            table.forget();
        }
    }

    /// The score of a position that is not over, without looking for the move that reaches it, and
    /// the positions visited.
    pub fn score(&mut self, board: &Board, budget: &Budget) -> (Bounds, u64) {
        let mut gauge = Gauge::start(budget);
        let bounds = self
            .ask(board, &mut gauge, Asked::of(Question::Score, budget))
            .score;
        (bounds, gauge.nodes())
    }

    /// Score and best column of a position of the usual board that is not over; `None` when the
    /// budget is spent before they are known.
    pub fn line(&mut self, bits: Bits<u64>, budget: &Budget) -> Option<(i32, u32)> {
        let mut gauge = Gauge::start(budget);
        let board = Board::usual();
        let analysis = self.search(
            Usual,
            &board,
            bits,
            None,
            &mut gauge,
            Asked::of(Question::Move, budget),
        );
        Some((analysis.score.exact()?, analysis.best))
    }

    fn ask(&mut self, board: &Board, gauge: &mut Gauge, asked: Asked) -> Analysis {
        if Board::usual().size() == board.size() && board.row() == 4 {
            let book = self.book.clone();
            let book = book.as_deref().map(|b| b as &dyn Book<u64>);
            return self.search(
                Usual,
                board,
                Bits::of(board, Usual.stride()),
                book,
                gauge,
                asked,
            );
        }
        if let Some(shape) = Any::<u64>::of(board) {
            return self.search(
                shape,
                board,
                Bits::of(board, shape.stride()),
                None,
                gauge,
                asked,
            );
        }
        if let Some(shape) = Any::<u128>::of(board) {
            return self.search(
                shape,
                board,
                Bits::of(board, shape.stride()),
                None,
                gauge,
                asked,
            );
        }
        plainly(board, gauge, asked.what)
    }

    fn search<S: Shape>(
        &mut self,
        shape: S,
        board: &Board,
        bits: Bits<S::Word>,
        book: Option<&dyn Book<S::Word>>,
        gauge: &mut Gauge,
        asked: Asked,
    ) -> Analysis {
        let id = (board.size(), board.row());
        self.table.take_if(|(of, _)| *of != id);
        let (_, table) = self.table.get_or_insert_with(|| {
            let key_bits = shape.stride() * shape.cols();
            (id, Table::new(self.memory, key_bits))
        });
        let mut solver = Solver::new(shape, table, book, gauge, asked.nodes);
        let analysis = match asked.what {
            Question::Score => Analysis::of(solver.score(bits, None)),
            Question::Move => solver.decide(bits),
            Question::All => solver.analyse(bits),
        };
        solver.count();
        analysis
    }

    fn answer(&mut self, board: &Board, budget: &Budget, what: Question) -> Option<Choice> {
        if board.is_over() {
            return None;
        }
        let mut gauge = Gauge::start(budget);
        let analysis = self.ask(board, &mut gauge, Asked::of(what, budget));
        let bounds = analysis.score;
        let cols = usize::from(board.size().cols);
        Some(Choice {
            column: analysis.best as usize,
            score: bounds.middle(),
            note: note(board, bounds),
            bounds: Some(bounds),
            nodes: gauge.nodes(),
            columns: matches!(what, Question::All)
                .then(|| analysis.columns.into_iter().take(cols).collect()),
        })
    }
}

impl Default for Perfect {
    fn default() -> Self {
        Self::new(MEMORY)
    }
}

#[derive(Clone, Copy)]
enum Question {
    Score,
    Move,
    All,
}

/// A question with the budget's number of nodes.
#[derive(Clone, Copy)]
struct Asked {
    what: Question,
    nodes: Option<u64>,
}

impl Asked {
    const fn of(what: Question, budget: &Budget) -> Self {
        Self {
            what,
            nodes: budget.nodes,
        }
    }
}

/// By the plain search, on boards of any size.
fn plainly(board: &Board, gauge: &mut Gauge, what: Question) -> Analysis {
    let (score, best) = general::solve(board, gauge);
    let mut analysis = Analysis {
        best: u32::try_from(best).unwrap_or(0),
        score,
        columns: vec![None; board.size().cols.into()],
    };
    if matches!(what, Question::All) {
        for col in board.legal() {
            let mut next = board.clone();
            let played = next.play(col).is_ok();
            analysis.columns[col] = Some(match next.is_over() {
                _ if !played => continue,
                true if next.winner().is_none() => Bounds::of(0),
                true => Bounds::of(general::score_of_win(board.size().len(), board.discs())),
                false => general::solve(&next, gauge).0.turned(),
            });
        }
    }
    analysis
}

impl Connect4Policy for Perfect {
    fn name(&self) -> &'static str {
        "perfect"
    }

    fn decide(&mut self, board: &Board, budget: &Budget) -> Option<Choice> {
        self.answer(board, budget, Question::Move)
    }

    fn analyse(&mut self, board: &Board, budget: &Budget) -> Option<Choice> {
        self.answer(board, budget, Question::All)
    }
}
