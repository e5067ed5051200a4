//! The reference's way of working, for comparison: a piece is recognised where it appears, played
//! in a local game, and the local game is never compared with the board.
//!
//! Takes readings, looks only at the 4x2 cells where pieces appear. Must never look at the rest.

use std::collections::VecDeque;

use serde_json::{Map, Value};

use super::super::policies::{MoveModel, Placement, Policy, Position};
use super::super::rules::{Board, Kind, Pose};
use super::options::AgentOptions;
use super::paths::Ground;
use super::press::Press;
use super::view::{DARK, FULL, View};
use crate::types::{
    BoardText, Budget, Control, Decision, Finding, LiveAgent, Outcome, Reading, Status, Time,
};

/// A player by dead reckoning.
pub struct BlindAgent {
    policy: Box<dyn Policy>,
    options: AgentOptions,
    view: View,
    /// The local game.
    pile: Board,
    pieces: u32,
    lines: u32,
    /// The piece that has appeared and is not decided on.
    fresh: Option<Kind>,
    /// The region was seen empty since the last piece: what is seen there next is a new one.
    clear: bool,
    keys: VecDeque<Press>,
    /// Keys wait until the piece has left the row where it cannot turn.
    turns_from: Time,
    appeared_at: Time,
    started: bool,
    over: bool,
}

impl BlindAgent {
    /// An agent with an empty local game.
    #[must_use]
    pub fn new(policy: Box<dyn Policy>, options: AgentOptions) -> Self {
        Self {
            policy,
            view: View::default(),
            pile: Board::empty(options.size.cols, options.size.rows),
            pieces: 0,
            lines: 0,
            fresh: None,
            clear: true,
            keys: VecDeque::new(),
            turns_from: Time::ZERO,
            appeared_at: Time::ZERO,
            started: false,
            over: false,
            options,
        }
    }

    fn spawn(&self, kind: Kind) -> Pose {
        (self.options.system).spawn(kind, self.options.size.cols, self.options.size.rows)
    }

    /// The kind whose cells, and no others, are filled in the region; `Err` when it is empty.
    fn recognised(&self) -> Result<Option<Kind>, ()> {
        let (cols, rows) = (self.options.size.cols as i16, self.options.size.rows as i16);
        let region = (cols / 2 - 2..cols / 2 + 2).flat_map(|x| [(x, rows - 1), (x, rows - 2)]);
        let (mut full, mut dark) = (Vec::new(), 0);
        for (x, y) in region {
            match self.view.at(x, y) {
                FULL => full.push((x, y)),
                DARK => dark += 1,
                _ => {}
            }
        }
        if full.is_empty() && dark == 0 {
            return Err(());
        }
        let fits = |&kind: &Kind| {
            let cells = self.options.system.cells(self.spawn(kind));
            full.len() == 4 && cells.iter().all(|c| full.contains(c))
        };
        Ok(Kind::ALL.into_iter().find(fits))
    }
}

impl LiveAgent for BlindAgent {
    fn game(&self) -> &'static str {
        "tetris"
    }

    fn policy(&self) -> &str {
        self.policy.name()
    }

    fn believed(&self) -> Option<BoardText> {
        self.started.then(|| BoardText(self.pile.text()))
    }

    fn text(&self, seen: &Reading) -> BoardText {
        super::live::text(&self.options, seen)
    }

    fn status(&self) -> Status {
        match (self.over, self.started) {
            (true, _) => Status::Over(Outcome::Lost),
            (false, true) => Status::ToMove,
            (false, false) => Status::Unknown,
        }
    }

    fn forget(&mut self) {
        self.pile = Board::empty(self.options.size.cols, self.options.size.rows);
        (self.pieces, self.lines) = (0, 0);
        (self.fresh, self.clear) = (None, true);
        self.keys.clear();
        (self.started, self.over) = (false, false);
    }

    fn learn_classes(&mut self, letters: &[char]) {
        self.options.values = AgentOptions::values_of(letters);
    }

    fn see(&mut self, seen: &Reading, at: Time, _out: &mut Vec<Finding>) {
        if !(self.view).take(seen, self.options.size, &self.options.values) {
            return;
        }
        match self.recognised() {
            Err(()) => self.clear = true,
            Ok(Some(kind)) if self.clear => {
                self.clear = false;
                self.fresh = Some(kind);
                self.appeared_at = at;
                self.started = true;
                self.keys.clear();
            }
            Ok(_) => {}
        }
    }

    fn decide(&mut self, budget: &Budget, _now: Time) -> Option<Decision> {
        let kind = self.fresh.take()?;
        let spawn = self.spawn(kind);
        let ground = Ground::new(&self.pile, &self.options.system);
        if !ground.fits(spawn) {
            self.over = true;
            return None;
        }
        let position = Position {
            board: &self.pile,
            kind,
            next: None,
            model: MoveModel::AlsoAtSpawn,
            allowed: None,
        };
        let choice = self.policy.choose(&position, budget)?;
        let placement: Placement = choice.placement;
        self.keys.clear();
        for _ in 0..placement.turn {
            self.keys.push_back(Press::Rotate);
        }
        let dx = placement.origin_x() - spawn.x;
        let side = if dx < 0 { Press::Left } else { Press::Right };
        self.keys
            .extend(std::iter::repeat_n(side, usize::from(dx.unsigned_abs())));
        self.keys.push_back(Press::Drop);
        self.turns_from = self.appeared_at
            + if placement.turn > 0 {
                self.delay()
            } else {
                std::time::Duration::ZERO
            };
        let (after, rows) = placement.applied(&self.pile)?;
        self.pile = after;
        self.pieces += 1;
        self.lines += u32::from(rows);
        let names = self.keys.iter().filter_map(|&k| self.options.keys.name(k));
        Some(Decision {
            action: placement.to_string(),
            controls: names.map(|n| Control::Key(n.to_owned())).collect(),
            expected: Some(BoardText(self.pile.text())),
            score: choice.value,
            nodes: choice.nodes,
            note: "by dead reckoning".to_owned(),
        })
    }

    fn next_key(&mut self, now: Time) -> Option<String> {
        if now < self.turns_from {
            return None;
        }
        let press = *self.keys.front()?;
        Some(self.options.keys.name(press)?.to_owned())
    }

    fn sent(&mut self, key: &str, _down: Time, _up: Time) {
        if self.options.keys.press(key) == self.keys.front().copied() {
            self.keys.pop_front();
        }
    }

    fn refused(&mut self, _key: &str) {}

    fn moves(&self) -> u32 {
        self.pieces
    }

    fn rows(&self) -> u32 {
        self.lines
    }

    fn confidence(&self) -> f32 {
        1.0
    }

    fn result_note(&self) -> Map<String, Value> {
        let mut note = Map::new();
        note.insert("lines".into(), self.lines.into());
        note.insert("pieces".into(), self.pieces.into());
        note.insert("mode".into(), "dead-reckoning".into());
        note
    }
}

impl BlindAgent {
    /// The fall delay by the table and the rows of the local game.
    fn delay(&self) -> std::time::Duration {
        use super::super::rules::{delay, earned_level};
        use super::clock::FallPrior;
        match self.options.fall {
            FallPrior::Fixed(d) => d,
            FallPrior::Standard(level) => {
                delay(level.unwrap_or(1).max(earned_level(self.lines.into())))
            }
            FallPrior::Program(pace, level) => pace.delay(pace.level(level, self.lines)),
            FallPrior::Learn => delay(1),
        }
    }
}
