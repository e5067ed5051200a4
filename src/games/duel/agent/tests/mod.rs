//! Stories told about boards: ASCII boards in, stories out. `.` is nothing, `a` and `b` are kinds of
//! pieces, `?` cannot be read.

mod stories;
mod who;

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::games::duel::grid::tests::{grid, reading};
use crate::games::duel::rules::Rules;
use crate::games::duel::seat::Chosen;
use crate::types::{Beginner, GridSize, KindName, Outcome, SideName, Stop};

/// Three in a row win; pieces fall in one of the two games.
struct Toy {
    falls: bool,
}

impl Toy {
    fn under(&self, grid: &Grid, at: Cell) -> Option<Cell> {
        let under = Cell::new(at.col, at.row + 1);
        (self.falls && under.row < grid.size().rows).then_some(under)
    }
}

impl Rules for Toy {
    fn game(&self) -> &'static str {
        "toy"
    }
    fn allows(&self, size: GridSize) -> bool {
        size.cols >= 3
    }
    fn may_put(&self, grid: &Grid, at: Cell) -> bool {
        let rests = |under| grid.at(under) != EMPTY;
        grid.at(at) == EMPTY && self.under(grid, at).is_none_or(rests)
    }
    fn may_lift(&self, grid: &Grid, at: Cell) -> bool {
        let over = at.row.checked_sub(1).map(|row| Cell::new(at.col, row));
        !self.falls || over.is_none_or(|over| grid.at(over) == EMPTY)
    }
    fn hangs(&self, grid: &Grid, at: Cell) -> bool {
        self.under(grid, at)
            .is_some_and(|under| grid.at(under) == EMPTY)
    }
    fn wins(&self, run: usize) -> bool {
        run >= 3
    }
    fn action(&self, at: Cell) -> String {
        match self.falls {
            true => at.col.to_string(),
            false => format!("{},{}", at.col, at.row),
        }
    }
    fn place(&self, grid: &Grid, action: &str) -> Option<Cell> {
        let mut free = grid.size().cells().filter(|&at| self.may_put(grid, at));
        free.find(|&at| self.action(at) == action)
    }
}

/// Plays the first of its moves that is free.
struct Scripted {
    rules: Toy,
    moves: &'static str,
}

impl Seat for Scripted {
    fn rules(&self) -> &dyn Rules {
        &self.rules
    }
    fn policy(&self) -> &str {
        "scripted"
    }
    fn think(&mut self, position: Position<'_>, _: &Budget) -> Result<Chosen, String> {
        let place = |action| self.rules.place(position.grid, action);
        let at = self.moves.split(' ').find_map(place);
        Ok(Chosen {
            at: at.ok_or("the script is over")?,
            score: 0.0,
            nodes: 1,
            note: position.rows(),
        })
    }
    fn controls(&self, _: Position<'_>, at: Cell) -> Vec<Control> {
        vec![Control::Cell(at)]
    }
}

struct Table {
    agent: DuelAgent,
    now: Time,
}

fn table(falls: bool, moves: &'static str, who: Who) -> Table {
    let seat = Scripted {
        rules: Toy { falls },
        moves,
    };
    Table {
        agent: DuelAgent::new(Box::new(seat), who),
        now: Time::ZERO,
    }
}

/// A game in which pieces lie where they are put, with nothing said.
fn free(moves: &'static str) -> Table {
    table(false, moves, Who::default())
}

fn side(side: SideName) -> Who {
    Who {
        side: Some(side),
        ..Who::default()
    }
}

impl Table {
    /// Interprets and accepts, as the loop does with a certain board.
    fn look(&mut self, rows: &str) -> Story {
        let reading = reading(rows);
        let story = self.agent.interpret(&reading);
        self.agent.accept(&reading, &story);
        story
    }

    fn story(&self, rows: &str) -> Story {
        self.agent.interpret(&reading(rows))
    }

    fn status(&self) -> Status {
        self.agent.status()
    }

    fn decide(&mut self, later_ms: u64) -> Option<Decision> {
        self.now = self.now + Duration::from_millis(later_ms);
        let budget = Budget {
            time: None,
            nodes: None,
            seed: 0,
            stop: Stop::new(),
            ..Budget::default()
        };
        self.agent.decide(&budget, self.now)
    }

    /// Makes a move, however long it takes to be sure.
    fn play(&mut self) -> String {
        let first = self.decide(0);
        let decision = first.or_else(|| self.decide(10_000)).expect("a move");
        self.agent.commit(&decision);
        assert_eq!(self.status(), Status::UnderWay);
        decision.action
    }

    fn words(&self) -> String {
        self.agent.words().unwrap_or_default()
    }

    fn note(&self) -> Value {
        Value::Object(self.agent.result_note())
    }
}

/// A move that somebody else has chosen.
fn column(action: &str) -> Decision {
    Decision {
        action: action.into(),
        controls: Vec::new(),
        expected: None,
        score: 0.0,
        nodes: 0,
        note: String::new(),
    }
}

/// The cause of a story and how many moves it tells of; `None` is what was waited for.
fn cause(story: &Story) -> (Option<Cause>, usize) {
    match story {
        Story::Moved { cause, moves, .. } => (*cause, *moves),
        Story::Other { cause, .. } => (Some(*cause), 0),
        other => panic!("no change: {other:?}"),
    }
}

const WAITED_FOR: Option<Cause> = None;
