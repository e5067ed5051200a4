//! A game that does not wait (Tetris), as the pipeline sees it: object-safe, so that the loop is
//! not generic. Games that wait for a move are [`Agent`](super::agent::Agent)s.
//!
//! A live agent holds the believed position and explains every frame by the rules and by the keys
//! that were sent. It tells no time and starts nothing: all times are handed to it.

use std::time::Duration;

use super::agent::{Budget, Decision, Status};
use super::board::BoardText;
use super::event::{Cause, Handling};
use super::geometry::Cell;
use super::reading::Reading;
use super::time::Time;

/// How long the hands take for a key. The same for all keys of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyTiming {
    /// From asking to the key going down (the reference's relays: 30 ms).
    pub lead: Duration,
    /// How long it is held (30 ms).
    pub hold: Duration,
    /// From letting go until the next may be asked for.
    pub gap: Duration,
    /// From going down to its effect being on the screen, at most.
    pub latency: Duration,
}

impl KeyTiming {
    /// From one key to the next, when they are sent without a pause.
    #[must_use]
    pub fn period(&self) -> Duration {
        self.lead + self.hold + self.gap
    }
}

/// A difference between belief and sight that was explained; the pipeline writes it down.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The whole board as it was expected.
    pub expected: BoardText,
    /// The cells that differ.
    pub cells: Vec<Cell>,
    /// The explanation.
    pub cause: Cause,
    /// What is done about it.
    pub handling: Handling,
    /// Details for a person.
    pub text: String,
}

/// One real-time game with its belief and its policy.
pub trait LiveAgent: Send {
    /// The game's name as on the command line.
    fn game(&self) -> &'static str;

    /// The policy's name as on the command line.
    fn policy(&self) -> &str;

    /// The whole board believed, falling piece included.
    fn believed(&self) -> Option<BoardText>;

    /// A reading in the game's notation.
    fn text(&self, seen: &Reading) -> BoardText;

    /// Where the game stands; `UnderWay` is never told.
    fn status(&self) -> Status;

    /// Forgets the position: the next clear frame is the start of a belief.
    fn forget(&mut self);

    /// What the classes of readings are from now on, by their letters, in the order of their ids.
    fn learn_classes(&mut self, _letters: &[char]) {}

    /// Takes the reading of a frame captured at `at`, brings the belief up to that time and
    /// appends every mismatch. Frames come in order of their capture; a frame may have been
    /// captured before the last keys were sent.
    fn see(&mut self, seen: &Reading, at: Time, out: &mut Vec<Finding>);

    /// Chooses where the piece shall go, when that is due (a new piece, or the old plan has
    /// become impossible); `None` otherwise. Its `controls` are the keys in order, for a person:
    /// the keys to press are asked for one by one with [`Self::next_key`].
    fn decide(&mut self, budget: &Budget, now: Time) -> Option<Decision>;

    /// The key to press now. `None`: none, or not yet; it is asked again with the next frame or
    /// soon. The hands are free at `now` and take `KeyTiming` from then.
    fn next_key(&mut self, now: Time) -> Option<String>;

    /// The key was sent: it was down from `down` to `up` as far as the hands can tell.
    fn sent(&mut self, key: &str, down: Time, up: Time);

    /// The key that was asked for was not sent.
    fn refused(&mut self, key: &str);

    /// Pieces that have landed in this game.
    fn moves(&self) -> u32;

    /// Rows completed in this game.
    fn rows(&self) -> u32 {
        0
    }

    /// How sure the belief is, 0 to 1: keys are sent only above the gate's limit.
    fn confidence(&self) -> f32;

    /// Something about the result that only this game knows, for its JSON object.
    fn result_note(&self) -> serde_json::Map<String, serde_json::Value>;
}
