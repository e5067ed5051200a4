//! What every mind is: a pure tick from inputs to effects, and what may be looked at from outside.
//!
//! Two kinds of games have a mind each: those that wait for a move ([`turn`](super::turn)) and
//! those that do not ([`live`](super::live)). The same inputs give the same effects. Must never
//! do I/O, wait or start a thread.

use crate::types::{
    Action, Armed, BoardText, Calibration, Cause, Event, Frame, Hidden, Reading, Time,
};

/// Something that happened to the loop.
#[derive(Debug)]
pub enum Input<'a> {
    /// A frame.
    Frame(&'a Frame),
    /// No new frame for a while.
    Quiet,
    /// The source shows nothing.
    Hidden(Hidden),
    /// The source is gone for good.
    Ended(&'a str),
    /// The action asked for was made; its last key or button was down from `down` to `up`.
    Performed {
        /// When it went down, as far as the hands can tell.
        down: Time,
        /// When it was let go.
        up: Time,
    },
    /// The action asked for was not made.
    Refused {
        /// What it looks like.
        cause: Cause,
        /// The hands' words.
        why: String,
    },
    /// A person arms (or disarms) a run that was made for it.
    Arm(bool),
}

/// What the shell must do.
#[derive(Debug)]
pub enum Effect {
    /// Record it.
    Note(Event),
    /// Perform it and answer with [`Input::Performed`] or [`Input::Refused`].
    Act(Action, Armed),
    /// Frames are wanted as fast as they come (or no longer).
    Eager(bool),
    /// The run is over.
    End(Ending),
}

/// Why and how a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// In words.
    pub why: String,
    /// Whether all that was asked for was done.
    pub complete: bool,
}

/// Everything the loop knows, and how it goes on from there.
pub trait Mind: Send {
    /// Takes one input; appends what must be done, in order.
    fn tick(&mut self, input: Input<'_>, now: Time, out: &mut Vec<Effect>);

    /// Ends the run, as a person or a signal asked: the game under way counts as aborted.
    fn end(&mut self, why: &str, now: Time, out: &mut Vec<Effect>);

    /// The present calibration.
    fn calibration(&self) -> Option<&Calibration>;

    /// The last reading.
    fn reading(&self) -> &Reading;

    /// The last reading in the game's notation.
    fn seen(&self) -> BoardText;

    /// The believed board.
    fn believed(&self) -> Option<BoardText>;

    /// Whether anything may be done.
    fn is_armed(&self) -> bool;
}
