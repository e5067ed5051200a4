//! Flood-It as the loop sees it: the believed board, the move under way and the policy.
//!
//! Takes readings whose classes are the colours, gives stories and decisions. Must never wait,
//! retry or judge how often something may happen: that is the reconciler's.

mod aim;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use super::policies::FloodPolicy;
use super::rules::{Board, MAX_COLOURS, colour_of, letter, moves_between};
use crate::types::{
    Agent, BoardText, Budget, Cause, Cell, Control, Decision, Label, Outcome, Point, Reading,
    Status, Story, Time,
};

/// How many moves of somebody else between two looks are recognised as moves.
const MOVES_UNSEEN: usize = 3;
/// Boards remembered, so that an undo is seen as one; more than any game has moves.
const PAST: usize = 512;

/// How a move is made.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Controls {
    /// By clicking a cell of the wanted colour.
    #[default]
    Cells,
    /// By clicking a button for each colour (class), given in cell space.
    Swatches(Vec<(u8, Point)>),
}

/// What differs from one Flood-It program to another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentOptions {
    /// The cell whose region is flooded.
    pub start: Cell,
    /// Moves allowed; without it 25 on 14x14 with six colours and unknown elsewhere. It is only
    /// reported: the game goes on beyond it.
    pub limit: Option<u32>,
    /// How a move is made.
    pub controls: Controls,
}

/// One game of Flood-It.
pub struct FloodAgent {
    policy: Box<dyn FloodPolicy>,
    options: AgentOptions,
    belief: Option<Board>,
    /// The board after the move under way.
    expected: Option<Board>,
    /// Boards of this game before the belief and the moves seen up to each.
    past: Vec<(Board, u32)>,
    moves: u32,
    /// Colours and usual limit of the board on which the game began.
    colours: usize,
    usual_limit: Option<u32>,
    last_click: Option<Cell>,
}

impl FloodAgent {
    /// An agent that has seen no board yet.
    #[must_use]
    pub fn new(policy: Box<dyn FloodPolicy>, options: AgentOptions) -> Self {
        Self {
            policy,
            options,
            belief: None,
            expected: None,
            past: Vec::new(),
            moves: 0,
            colours: 0,
            usual_limit: None,
            last_click: None,
        }
    }

    /// The board that was read, if every cell was.
    fn board(&self, seen: &Reading) -> Option<Board> {
        let cells = seen.cells.iter().map(|c| match c.label {
            Label::Class(class) => Some(class),
            Label::Unknown => None,
        });
        Board::new(seen.size, cells.collect::<Option<_>>()?, self.options.start).ok()
    }

    fn begin(&mut self, board: Board) {
        self.past.clear();
        self.moves = 0;
        self.colours = board.colours();
        self.usual_limit = board.usual_limit();
        self.belief = Some(board);
    }

    fn advance(&mut self, board: Board, moves: u32) {
        if let Some(before) = self.belief.replace(board) {
            if self.past.len() == PAST {
                self.past.remove(0);
            }
            self.past.push((before, self.moves));
        }
        self.moves += moves;
    }

    /// Moves that explain `seen`, and why they are not the expected one; changes nothing.
    fn explain(&self, seen: &Board) -> Option<(Cause, u32)> {
        let belief = self.belief.as_ref()?;
        let unseen =
            |from: &Board, most: usize| moves_between(from, seen, most).map(|m| m.len() as u32);
        if let Some(expected) = &self.expected {
            if unseen(belief, 1).is_some() {
                return Some((Cause::WrongMove, 1));
            }
            if let Some(n) = unseen(expected, MOVES_UNSEEN - 1) {
                return Some((Cause::UserMoved, 1 + n));
            }
        }
        unseen(belief, MOVES_UNSEEN).map(|n| (Cause::UserMoved, n))
    }

    fn limit(&self) -> Option<u32> {
        self.options.limit.or(self.usual_limit)
    }

    fn controls(&mut self, board: &Board, colour: u8) -> Option<Control> {
        match &self.options.controls {
            Controls::Cells => {
                let cell = aim::aim(board, colour, self.last_click)?;
                self.last_click = Some(cell);
                Some(Control::Cell(cell))
            }
            Controls::Swatches(swatches) => swatches
                .iter()
                .find(|(class, _)| *class == colour)
                .map(|(_, point)| Control::At(*point)),
        }
    }
}

/// Whether every readable cell is as on `board`.
fn agrees(seen: &Reading, board: &Board) -> bool {
    seen.size == board.size()
        && seen
            .cells
            .iter()
            .zip(board.cells())
            .all(|(s, b)| s.label == Label::Unknown || s.label == Label::Class(*b))
}

/// The one colour of all readable cells, if it is one.
fn only_colour(seen: &Reading) -> bool {
    let mut known = seen.cells.iter().filter(|c| c.label != Label::Unknown);
    known
        .next()
        .is_some_and(|first| known.all(|c| c.label == first.label))
}

fn differing(seen: &Reading, board: &Board) -> Vec<Cell> {
    let everywhere = seen.size != board.size();
    (0..seen.size.len().min(seen.cells.len()))
        .filter(|&i| everywhere || seen.cells[i].label != Label::Class(board.cells()[i]))
        .map(|i| seen.size.cell(i))
        .collect()
}

impl Agent for FloodAgent {
    fn game(&self) -> &'static str {
        "flood"
    }

    fn policy(&self) -> &str {
        self.policy.name()
    }

    fn believed(&self) -> Option<BoardText> {
        self.belief.as_ref().map(Board::text)
    }

    fn expected(&self) -> Option<BoardText> {
        self.expected.as_ref().map(Board::text)
    }

    fn text(&self, seen: &Reading) -> BoardText {
        let cells = seen.cells.iter().map(|c| match c.label {
            Label::Class(class) => letter(class),
            Label::Unknown => '?',
        });
        BoardText::from_cells(seen.size.cols.into(), cells)
    }

    fn status(&self) -> Status {
        match (&self.belief, &self.expected) {
            (None, _) => Status::Unknown,
            (Some(board), _) if board.is_solved() => Status::Over(Outcome::Won),
            (Some(_), Some(_)) => Status::UnderWay,
            (Some(_), None) => Status::ToMove,
        }
    }

    fn interpret(&self, seen: &Reading) -> Story {
        let belief = self.belief.as_ref();
        let unreadable = |c: &Label| match c {
            Label::Class(class) => usize::from(*class) >= MAX_COLOURS,
            Label::Unknown => true,
        };
        let whole = seen.cells.len() == seen.size.len();
        if !whole || seen.cells.iter().any(|c| unreadable(&c.label)) {
            let won = |b: &Board| b.is_solved() && b.size() == seen.size && only_colour(seen);
            let fits = |b: &Board| agrees(seen, b) || won(b);
            // Without a belief nothing contradicts it.
            let agrees =
                whole && belief.is_none_or(fits) || self.expected.as_ref().is_some_and(fits);
            return Story::Partial { agrees };
        }
        let Some(belief) = belief else {
            return Story::Other {
                cause: Cause::BoardChanged,
                cells: Vec::new(),
            };
        };
        // A program may show the end in any colour: its fireworks are over then.
        let one_colour = seen.size == belief.size() && only_colour(seen);
        if agrees(seen, belief) || belief.is_solved() && one_colour {
            return Story::Same;
        }
        if let Some(expected) = &self.expected
            && (agrees(seen, expected) || expected.is_solved() && one_colour)
        {
            return Story::Done;
        }
        let explained = if belief.is_solved() {
            None
        } else {
            self.board(seen).and_then(|b| self.explain(&b))
        };
        Story::Other {
            cause: explained.map_or(Cause::BoardChanged, |(cause, _)| cause),
            cells: differing(seen, self.expected.as_ref().unwrap_or(belief)),
        }
    }

    fn accept(&mut self, seen: &Reading, story: &Story) {
        match story {
            Story::Same | Story::Partial { .. } | Story::Passing | Story::Ended { .. } => {}
            Story::Done => {
                if let Some(board) = self.expected.take() {
                    self.advance(board, 1);
                }
            }
            Story::Moved { .. } | Story::Other { .. } => {
                let Some(board) = self.board(seen) else {
                    return;
                };
                let explained = self.explain(&board);
                self.expected = None;
                let undone = self.past.iter().rposition(|(b, _)| *b == board);
                match (explained, undone) {
                    (Some((_, moves)), _) => self.advance(board, moves),
                    (None, Some(i)) => {
                        self.moves = self.past[i].1;
                        self.past.truncate(i);
                        self.belief = Some(board);
                    }
                    (None, None) => self.begin(board),
                }
            }
        }
    }

    fn may_be_start(&self, seen: &Reading) -> bool {
        self.board(seen).is_some_and(|b| !b.is_solved())
    }

    fn forget(&mut self) {
        self.belief = None;
        self.expected = None;
        self.past.clear();
        self.moves = 0;
        self.last_click = None;
    }

    fn decide(&mut self, budget: &Budget, _now: Time) -> Option<Decision> {
        if self.status() != Status::ToMove {
            return None;
        }
        let board = self.belief.clone()?;
        let choice = self.policy.decide(&board, budget)?;
        let control = self.controls(&board, choice.colour);
        let mut note = choice.note;
        if control.is_none() {
            note = format!(
                "no button is known for colour {}; {note}",
                letter(choice.colour)
            );
        }
        Some(Decision {
            action: letter(choice.colour).to_string(),
            controls: control.into_iter().collect(),
            expected: Some(board.after(choice.colour).text()),
            score: choice.score,
            nodes: choice.nodes,
            note,
        })
    }

    fn commit(&mut self, decision: &Decision) {
        let colour = decision.action.chars().next().and_then(colour_of);
        if let (Some(colour), Some(belief)) = (colour, &self.belief)
            && belief.is_move(colour)
        {
            self.expected = Some(belief.after(colour));
        }
    }

    fn withdraw(&mut self) {
        self.expected = None;
    }

    fn moves(&self) -> u32 {
        self.moves
    }

    fn result_note(&self) -> Map<String, Value> {
        let solved = self.belief.as_ref().is_some_and(Board::is_solved);
        let size = self.belief.as_ref().map(|b| b.size().to_string());
        let mut note = Map::new();
        note.insert("limit".into(), self.limit().into());
        let within = self.limit().map(|limit| solved && self.moves <= limit);
        note.insert("within_limit".into(), within.into());
        note.insert("colours".into(), self.colours.into());
        note.insert("size".into(), size.into());
        note
    }
}
