//! The agent as the pipeline sees it.

use std::time::Duration;

use serde_json::{Map, Value};

use super::super::policies::{Placement, Policy};
use super::super::rules::{JUNK, Kind, Pose};
use super::belief::Belief;
use super::clock::FallClock;
use super::correct::Doubt;
use super::explain::Explainer;
use super::options::AgentOptions;
use super::paths::Ground;
use super::plan::Planner;
use super::press::{Flights, Odds};
use super::steer::Aim;
use super::turns::Turns;
use super::view::View;
use crate::types::{
    BoardText, Budget, Decision, Finding, Label, LiveAgent, Outcome, Reading, Status, Time,
};

/// A player of Tetris that checks the whole board in every frame.
pub struct TetrisAgent {
    pub(super) policy: Box<dyn Policy>,
    pub(super) options: AgentOptions,
    pub(super) turns: Turns,
    pub(super) view: View,
    pub(super) explainer: Explainer,
    pub(super) planner: Planner,
    pub(super) clock: FallClock,
    pub(super) flights: Flights,
    pub(super) odds: Vec<Odds>,
    pub(super) doubt: Doubt,
    pub(super) belief: Belief,
    /// Whether a position is believed at all.
    pub(super) known: bool,
    /// When the last frame was captured.
    pub(super) looked_at: Time,
    /// The kind in the grid beside the board in the last frame.
    pub(super) shown: Option<Kind>,
    pub(super) aim: Option<Aim>,
    /// The latency of the options, which may be longer for a while.
    pub(super) latency: Duration,
    /// Until when the rows below this one are not looked at, since some of them vanish.
    pub(super) clearing: (Time, u16),
    pub(super) allowed: Vec<Placement>,
    pub(super) landings: Vec<Pose>,
}

/// A reading in the game's notation.
pub(super) fn text(options: &AgentOptions, seen: &Reading) -> BoardText {
    let letter = |label| match label {
        Label::Unknown => '?',
        Label::Class(0) => '.',
        Label::Class(class) => {
            let value = options.values.get(usize::from(class));
            Kind::from_number(value.copied().unwrap_or(JUNK)).map_or('#', Kind::letter)
        }
    };
    BoardText::from_cells(
        seen.size.cols.into(),
        seen.cells.iter().map(|c| letter(c.label)),
    )
}

impl TetrisAgent {
    /// An agent that has seen no board yet.
    #[must_use]
    pub fn new(policy: Box<dyn Policy>, options: AgentOptions) -> Self {
        let (cols, rows) = (options.size.cols, options.size.rows);
        Self {
            policy,
            turns: Turns::new(&options.system),
            view: View::default(),
            explainer: Explainer::default(),
            planner: Planner::default(),
            clock: FallClock::new(options.fall),
            flights: Flights::default(),
            odds: Vec::new(),
            doubt: Doubt::default(),
            belief: Belief::new(cols, rows),
            known: false,
            looked_at: Time::ZERO,
            shown: None,
            aim: None,
            clearing: (Time::ZERO, 0),
            allowed: Vec::new(),
            landings: Vec::new(),
            latency: options.timing.latency,
            options,
        }
    }

    pub(super) fn ground(&self) -> Ground<'_> {
        Ground::new(&self.belief.pile, &self.options.system)
    }

    /// The piece where it should be at the time of the last frame.
    fn piece_now(&self) -> Option<Pose> {
        let pose = self.belief.piece?;
        if self.looked_at <= self.belief.seen_at || !self.clock.is_known() {
            return Some(pose);
        }
        let (least, most) = (self.clock).steps(pose.y, self.belief.seen_at, self.looked_at);
        let ground = self.ground();
        let mut now = pose;
        for _ in 0..i16::midpoint(least, most) {
            if ground.rests(now) {
                break;
            }
            now = now.moved(0, -1);
        }
        Some(now)
    }
}

impl LiveAgent for TetrisAgent {
    fn game(&self) -> &'static str {
        "tetris"
    }

    fn policy(&self) -> &str {
        self.policy.name()
    }

    fn believed(&self) -> Option<BoardText> {
        if !self.known || self.doubt.strikes > 1 || self.is_blind(self.looked_at) {
            return None;
        }
        Some(self.belief.text(self.ground(), self.piece_now()))
    }

    fn text(&self, seen: &Reading) -> BoardText {
        text(&self.options, seen)
    }

    fn status(&self) -> Status {
        if self.known && self.belief.over {
            Status::Over(Outcome::Lost)
        } else if self.known && self.belief.started {
            Status::ToMove
        } else {
            Status::Unknown
        }
    }

    fn forget(&mut self) {
        let (cols, rows) = (self.options.size.cols, self.options.size.rows);
        self.belief = Belief::new(cols, rows);
        self.known = false;
        self.aim = None;
        self.doubt = Doubt::default();
        self.flights.clear();
        self.clock = FallClock::new(self.options.fall);
    }

    fn learn_classes(&mut self, letters: &[char]) {
        self.options.values = AgentOptions::values_of(letters);
    }

    fn see(&mut self, seen: &Reading, at: Time, out: &mut Vec<Finding>) {
        self.take(seen, at, out);
    }

    fn decide(&mut self, budget: &Budget, now: Time) -> Option<Decision> {
        self.choose(budget, now)
    }

    fn next_key(&mut self, now: Time) -> Option<String> {
        let press = self.next_press(now)?;
        let name = self.options.keys.name(press)?.to_owned();
        self.flights.ask(press, now, &self.options.timing);
        Some(name)
    }

    fn sent(&mut self, key: &str, down: Time, _up: Time) {
        if let Some(press) = self.options.keys.press(key) {
            self.flights.sent(press, down);
        }
    }

    fn refused(&mut self, _key: &str) {
        self.flights.refused();
    }

    fn moves(&self) -> u32 {
        self.belief.pieces
    }

    fn rows(&self) -> u32 {
        self.belief.lines
    }

    fn confidence(&self) -> f32 {
        if !self.known {
            0.0
        } else if self.doubt.strikes > 0 || self.is_blind(self.looked_at) {
            0.2
        } else if self.doubt.torn > 0 || self.looked_at > self.belief.seen_at {
            0.8
        } else {
            1.0
        }
    }

    fn result_note(&self) -> Map<String, Value> {
        let mut note = Map::new();
        note.insert("lines".into(), self.belief.lines.into());
        note.insert("pieces".into(), self.belief.pieces.into());
        note.insert("level".into(), self.belief.level.into());
        note.insert("score_estimate".into(), self.belief.score.into());
        let delay = self.clock.delay().as_millis() as u64;
        let known = self.clock.is_known().then_some(delay);
        note.insert("fall_ms".into(), known.into());
        note
    }
}
