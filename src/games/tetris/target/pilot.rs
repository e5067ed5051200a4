//! The chosen AI: where it would put the piece, and its hands when it plays itself.
//!
//! Takes a game, gives a placement or presses the game's keys. Must never see more of the game
//! than is shown: the next piece only when it is.

use crate::games::tetris::policies::{self, MoveModel, Placement, Policy, Position, UnknownPolicy};
use crate::games::tetris::rules::{Game, Key, Kind};
use crate::types::{Budget, Time};

/// Placements that may be rated for one piece: between two frames, and the same at every run.
const NODES: u64 = 20_000;

/// What a choice depends on, as far as it changes during a game.
type Occasion = (u64, u64, Kind, Option<Kind>);

/// An AI and its last choice.
pub struct Pilot {
    name: String,
    policy: Box<dyn Policy>,
    chosen: Option<(Occasion, Option<Placement>)>,
}

impl Pilot {
    /// The AI of this name.
    ///
    /// # Errors
    /// When there is none; the text lists them.
    pub fn new(name: &str) -> Result<Self, UnknownPolicy> {
        Ok(Self {
            name: name.to_owned(),
            policy: policies::by_name(name)?,
            chosen: None,
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The one after this, of those that can be chosen by a key.
    pub fn change(&mut self) {
        let mut names = policies::names::names();
        names.retain(|n| !n.contains(':'));
        let at = names.iter().position(|n| *n == self.name);
        let after = at.map_or(0, |i| (i + 1) % names.len().max(1));
        if let Some(other) = names.get(after).and_then(|n| Self::new(n).ok()) {
            *self = other;
        }
    }

    /// Another game has begun.
    pub fn forget(&mut self) {
        self.chosen = None;
    }

    /// Where the falling piece shall go, knowing the next one or not.
    pub fn plan(&mut self, game: &Game, next: Option<Kind>) -> Option<Placement> {
        let kind = game.piece()?.kind;
        let occasion = (game.pieces(), game.junk(), kind, next);
        if let Some((then, placement)) = self.chosen
            && then == occasion
        {
            return placement;
        }
        let position = Position {
            board: game.board(),
            kind,
            next,
            model: MoveModel::AfterOneStep,
            allowed: None,
        };
        let budget = Budget {
            nodes: Some(NODES),
            ..Budget::default()
        };
        let choice = self.policy.choose(&position, &budget);
        let placement = choice.map(|c| c.placement);
        self.chosen = Some((occasion, placement));
        placement
    }

    /// Presses the keys that bring the piece where it shall go, as far as they act now: nothing
    /// turns before the first fall step. What could not be done is tried again after the next.
    pub fn fly(&mut self, game: &mut Game, next: Option<Kind>, now: Time) {
        let Some(placement) = self.plan(game, next) else {
            return;
        };
        if game.fallen() == 0 {
            return;
        }
        while let Some(piece) = game.piece() {
            let x = placement.origin_x();
            let key = if piece.turn != placement.turn {
                Key::Rotate
            } else if piece.x > x {
                Key::Left
            } else if piece.x < x {
                Key::Right
            } else {
                Key::Drop
            };
            if !game.press(key, now).acted {
                return;
            }
        }
    }
}
