//! A game as the pipeline sees it: object-safe, so that the loop is not generic.
//!
//! An agent holds the believed position and knows the rules; it tells no time and starts
//! nothing. How long to wait, how often to retry and when to give up is the reconciler's.

use std::time::Duration;

use super::action::Control;
use super::board::BoardText;
use super::calibration::ClassLook;
use super::event::{Cause, Outcome};
use super::geometry::Cell;
use super::reading::Reading;
use super::stop::Stop;
use super::time::Time;
use super::witness::Witness;

/// What the rules say about a board that was seen, given the belief and the move under way.
#[derive(Clone, Debug, PartialEq)]
pub enum Story {
    /// As believed; a move under way has had no effect yet.
    Same,
    /// The move under way has taken effect and nothing else has happened.
    Done,
    /// Moves that the rules allow lead to it.
    Moved {
        /// Why it is not what was waited for; `None` when it is: the other side has moved, after
        /// the move under way if there is one.
        cause: Option<Cause>,
        /// How many moves.
        moves: usize,
        /// Cells that differ from what was expected.
        cells: Vec<Cell>,
    },
    /// Something is on its way from one place to another (a disc that falls): no position, and no
    /// contradiction while it lasts.
    Passing,
    /// What can be read shows that the game has ended, whatever lies over the rest.
    Ended {
        /// Cells that differ from the belief or cannot be read.
        cells: Vec<Cell>,
    },
    /// Something else that the rules allow, or a position that the rules allow from nowhere.
    Other {
        /// The best explanation.
        cause: Cause,
        /// Cells that differ from what was expected.
        cells: Vec<Cell>,
    },
    /// Some cells cannot be read; those that can agree with the belief (or do not, if `false`).
    Partial {
        /// Whether all the readable cells are as before or as expected.
        agrees: bool,
    },
}

/// Where the game stands, as believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// No position is believed yet.
    Unknown,
    /// It is ours to move.
    ToMove,
    /// A move of ours is under way.
    UnderWay,
    /// It is the other side's to move, which may take any time.
    Theirs,
    /// A position is believed, but not enough is known to move; [`Agent::words`] say what is
    /// missing.
    Unclear,
    /// It is over.
    Over(Outcome),
}

/// How much a policy may spend on one decision; by default as much as it likes, with a stop switch
/// that nobody else has.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// How long it may take; `None` is as long as it likes. Decisions that must be the same in
    /// a replay are limited by nodes instead, or have a witness.
    pub time: Option<Duration>,
    /// Positions it may visit; `None` is any number.
    pub nodes: Option<u64>,
    /// Seed of all its random choices.
    pub seed: u64,
    /// Looked at often; a policy returns its best so far soon after it is pulled.
    pub stop: Stop,
    /// Who keeps when the time was spent, so that the decision can be made again.
    pub witness: Witness,
}

/// What a policy chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The move in the game's notation.
    pub action: String,
    /// How to make it, in order.
    pub controls: Vec<Control>,
    /// The board that must then be seen, when the rules tell.
    pub expected: Option<BoardText>,
    /// The policy's value of it, in the policy's own unit.
    pub score: f64,
    /// Positions visited.
    pub nodes: u64,
    /// For a person: the plan, a proof, the alternatives.
    pub note: String,
}

/// How a game ended that was not seen to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unseen {
    /// How.
    pub outcome: Outcome,
    /// What it is concluded from, in words.
    pub why: String,
}

/// One game with its belief and its policy.
pub trait Agent: Send {
    /// The game's name as on the command line.
    fn game(&self) -> &'static str;

    /// The policy's name as on the command line.
    fn policy(&self) -> &str;

    /// The believed position.
    fn believed(&self) -> Option<BoardText>;

    /// The position that will be believed when the move under way has taken effect.
    fn expected(&self) -> Option<BoardText>;

    /// A reading in the game's notation.
    fn text(&self, seen: &Reading) -> BoardText;

    /// Where the game stands.
    fn status(&self) -> Status;

    /// What the rules say about a board that was seen; changes nothing.
    fn interpret(&self, seen: &Reading) -> Story;

    /// Takes the seen board as the position, as the story tells it.
    fn accept(&mut self, seen: &Reading, story: &Story);

    /// Whether the seen board could be the start of a game.
    fn may_be_start(&self, seen: &Reading) -> bool;

    /// Forgets the position: the next certain board is the start of a game.
    fn forget(&mut self);

    /// Chooses a move; `None` when there is none to make.
    fn decide(&mut self, budget: &Budget, now: Time) -> Option<Decision>;

    /// The decision has been carried out; from now on its effect is expected.
    fn commit(&mut self, decision: &Decision);

    /// The move under way is given up: the belief is the position before it.
    fn withdraw(&mut self);

    /// How to make a decided move once more, after it had no effect.
    fn again(&mut self, decision: &Decision) -> Vec<Control> {
        decision.controls.clone()
    }

    /// How the classes of cells look from now on, in the order of their ids; told whenever a board
    /// was found.
    fn looks(&mut self, _classes: &[ClassLook]) {}

    /// Whether the cells that cannot be read may hold something that has not been seen before, and
    /// so has not been learnt: then it is learnt at once.
    fn may_be_new(&self, _seen: &Reading) -> bool {
        false
    }

    /// Whether a move changes so little that one wrongly read cell looks like it: then no single
    /// frame is proof of anything.
    fn moves_little(&self) -> bool {
        false
    }

    /// The last thing that was accepted or, where nothing goes on, what is waited for, in words.
    fn words(&self) -> Option<String> {
        None
    }

    /// If the board is gone or covered now: how the game must have ended, when that is certain.
    fn ended_unseen(&self) -> Option<Unseen> {
        None
    }

    /// Moves made in this game that were seen to take effect, whoever made them.
    fn moves(&self) -> u32;

    /// Something about the result that only this game knows, for its JSON object.
    fn result_note(&self) -> serde_json::Map<String, serde_json::Value>;
}
