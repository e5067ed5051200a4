//! A brain as a player of a game for two, alone or with somebody who takes over when it fails.
//!
//! Takes a game; gives a move that the rules allow. Must never pass on a move that they do not.

use std::time::Duration;

use super::brain::{Brain, Failure, Protocol, STARTING};
use super::process::{Launch, Process, Trouble};
use super::share::Share;
use super::takeover::Reports;
use crate::games::duel::{Duel, Mover, NoMove, Thought};
use crate::types::Budget;

/// A protocol in which games for two are played.
pub trait DuelProtocol: Protocol {
    /// Whether it can say this game at all.
    ///
    /// # Errors
    /// Why not.
    fn plays(&self, game: &dyn Duel) -> Result<(), String>;

    /// Gets the process ready for a game that may begin.
    ///
    /// # Errors
    /// When it is not ready in time or refuses the game.
    fn prepare(
        &mut self,
        process: &mut Process,
        game: &dyn Duel,
        share: &Share,
    ) -> Result<(), Trouble>;

    /// Asks for a move.
    ///
    /// # Errors
    /// When there is none in time.
    fn choose(
        &mut self,
        process: &mut Process,
        game: &dyn Duel,
        budget: &Budget,
        share: &Share,
    ) -> Result<Thought, Trouble>;
}

/// A brain that plays a game for two.
pub struct Outside<P: DuelProtocol> {
    brain: Brain<P>,
}

impl<P: DuelProtocol> Outside<P> {
    /// Starts it.
    ///
    /// # Errors
    /// When there is no such program.
    pub fn new(launch: Launch, protocol: P) -> Result<Self, Trouble> {
        Ok(Self {
            brain: Brain::new(launch, protocol)?,
        })
    }
}

/// A player in another process, whatever its protocol.
pub trait Outsider: Send {
    /// Its name.
    fn name(&self) -> &str;

    /// Whether it can play this game at all.
    ///
    /// # Errors
    /// Why not.
    fn plays(&self, game: &dyn Duel) -> Result<(), String>;

    /// Waits until it is ready to begin a game, as long as a start may take; what it did in the last
    /// one is forgiven.
    ///
    /// # Errors
    /// When it is not.
    fn prepare(&mut self, game: &dyn Duel, budget: &Budget) -> Result<(), Failure>;

    /// Asks for a move within a share of time.
    ///
    /// # Errors
    /// When there is none, or one that the rules do not allow.
    fn try_choose(
        &mut self,
        game: &dyn Duel,
        budget: &Budget,
        share: &Share,
    ) -> Result<Thought, Failure>;
}

impl<P: DuelProtocol> Outsider for Outside<P> {
    fn name(&self) -> &str {
        self.brain.name()
    }

    fn plays(&self, game: &dyn Duel) -> Result<(), String> {
        self.brain.protocol.plays(game)
    }

    fn prepare(&mut self, game: &dyn Duel, budget: &Budget) -> Result<(), Failure> {
        self.brain.forgive();
        let mut tries = 2;
        loop {
            let told = Share::alone(budget, Duration::ZERO);
            let share = Share::alone(budget, STARTING).telling(told.told);
            let ready = self
                .brain
                .asked(share.until, &budget.stop, |protocol, process| {
                    protocol.prepare(process, game, &share)
                });
            tries -= 1;
            match ready {
                // One that knows no RESTART is started anew.
                Err(f) if tries > 0 && f.trouble.is_failure() => {}
                done => return done,
            }
        }
    }

    fn try_choose(
        &mut self,
        game: &dyn Duel,
        budget: &Budget,
        share: &Share,
    ) -> Result<Thought, Failure> {
        let until = share.until;
        self.brain.asked(until, &budget.stop, |protocol, process| {
            protocol.plays(game).map_err(Trouble::Unfit)?;
            let thought = protocol.choose(process, game, budget, share)?;
            allowed(game, &thought.action)?;
            Ok(thought)
        })
    }
}

/// Whether the rules allow a move.
///
/// # Errors
/// When they do not, with the reason.
fn allowed(game: &dyn Duel, action: &str) -> Result<(), Trouble> {
    let illegal = |why: String| Trouble::Illegal {
        action: action.chars().take(40).collect(),
        why,
    };
    let mut copy = game.fresh();
    for played in game.moves() {
        copy.play(played).map_err(&illegal)?;
    }
    copy.play(action).map_err(illegal)
}

/// An outsider alone: what it fails at is the caller's to judge.
pub struct Alone {
    outsider: Box<dyn Outsider>,
    grace: Duration,
}

impl Alone {
    /// An outsider that is told all of a budget's time and waited for `grace` longer.
    #[must_use]
    pub fn new(outsider: Box<dyn Outsider>, grace: Duration) -> Self {
        Self { outsider, grace }
    }

    /// Whether it can play this game at all.
    ///
    /// # Errors
    /// Why not.
    pub fn plays(&self, game: &dyn Duel) -> Result<(), NoMove> {
        self.outsider.plays(game).map_err(|text| NoMove {
            who: self.outsider.name().to_owned(),
            text,
        })
    }

    /// Waits until it is ready to begin a game.
    ///
    /// # Errors
    /// When it is not.
    pub fn prepare(&mut self, game: &dyn Duel, budget: &Budget) -> Result<(), NoMove> {
        self.outsider.prepare(game, budget).map_err(no_move)
    }
}

impl Mover for Alone {
    fn name(&self) -> &str {
        self.outsider.name()
    }

    fn choose(&mut self, game: &dyn Duel, budget: &Budget) -> Result<Thought, NoMove> {
        let share = Share::alone(budget, self.grace);
        let chosen = self.outsider.try_choose(game, budget, &share);
        chosen.map_err(no_move)
    }
}

fn no_move(failure: Failure) -> NoMove {
    NoMove {
        who: failure.who,
        text: failure.trouble.to_string(),
    }
}

/// An outsider with a player of ours behind it.
pub struct Backed {
    outsider: Box<dyn Outsider>,
    fallback: Box<dyn Mover>,
    reports: Reports,
}

impl Backed {
    /// `fallback` makes the move whenever the outsider does not.
    #[must_use]
    pub fn new(outsider: Box<dyn Outsider>, fallback: Box<dyn Mover>) -> Self {
        let reports = Reports::new(fallback.name());
        Self {
            outsider,
            fallback,
            reports,
        }
    }
}

impl Mover for Backed {
    fn name(&self) -> &str {
        self.outsider.name()
    }

    fn choose(&mut self, game: &dyn Duel, budget: &Budget) -> Result<Thought, NoMove> {
        let share = Share::with_fallback(budget);
        match self.outsider.try_choose(game, budget, &share) {
            Ok(thought) => {
                self.reports.answered();
                Ok(thought)
            }
            Err(failure) => {
                let note = self.reports.takes_over(&failure);
                let mut thought = self.fallback.choose(game, &share.rest(budget))?;
                thought.note = format!("{note}; {}", thought.note);
                Ok(thought)
            }
        }
    }
}
