//! One game between two players, neither of whom is trusted.

use std::time::{Duration, Instant};

use super::seats::Seat;
use crate::games::duel::{Duel, Ending, Side};
use crate::types::Budget;

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Result {
    /// This one.
    Won(Side),
    /// Nobody.
    Draw,
}

/// A move that was made.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Ply {
    pub(in crate::cli) action: String,
    pub(in crate::cli) score: Option<f64>,
    pub(in crate::cli) nodes: u64,
    pub(in crate::cli) time: Duration,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Played {
    pub(in crate::cli) result: Result,
    /// Why it ended.
    pub(in crate::cli) reason: String,
    /// Whether somebody lost otherwise than by the rules.
    pub(in crate::cli) forfeit: bool,
    /// The opening.
    pub(in crate::cli) book: Vec<String>,
    /// The moves after it.
    pub(in crate::cli) plies: Vec<Ply>,
}

impl Played {
    /// The longest time of a move.
    pub(in crate::cli) fn slowest(&self, side: Side) -> Duration {
        let of = |i: usize| match (self.book.len() + i) % 2 {
            0 => Side::First,
            _ => Side::Second,
        };
        let own = self
            .plies
            .iter()
            .enumerate()
            .filter(|(i, _)| of(*i) == side);
        own.map(|(_, p)| p.time).max().unwrap_or_default()
    }
}

/// Plays a game; `None` when it was stopped.
pub(in crate::cli) fn play(
    mut game: Box<dyn Duel>,
    opening: &[String],
    players: [&mut Seat; 2],
    budget: &Budget,
    grace: Duration,
) -> Option<Played> {
    for action in opening {
        // Openings were tried before.
        if game.play(action).is_err() {
            break;
        }
    }
    let mut played = Played {
        result: Result::Draw,
        reason: String::new(),
        forfeit: false,
        book: game.moves().to_vec(),
        plies: Vec::new(),
    };
    let lost = |played: Played, side: Side, reason: String| {
        let stopped = budget.stop.is_pulled();
        (!stopped).then_some(Played {
            result: Result::Won(side.other()),
            reason,
            forfeit: true,
            ..played
        })
    };
    let [first, second] = players;
    for (side, seat) in [(Side::First, &mut *first), (Side::Second, &mut *second)] {
        if let Err(error) = seat.prepare(game.as_ref(), budget) {
            return lost(played, side, error.to_string());
        }
    }
    loop {
        if let Some(ending) = game.ending() {
            (played.result, played.reason) = match ending {
                Ending::Won(side) => (Result::Won(side), "won by the rules".to_owned()),
                Ending::Draw => (Result::Draw, "a draw by the rules".to_owned()),
            };
            return Some(played);
        }
        let side = game.to_move();
        let seat = match side {
            Side::First => &mut *first,
            Side::Second => &mut *second,
        };
        let began = Instant::now();
        let thought = seat.choose(game.as_ref(), budget);
        let time = began.elapsed();
        let thought = match thought {
            Ok(thought) if !budget.stop.is_pulled() => thought,
            Ok(_) => return None,
            Err(error) => return lost(played, side, error.to_string()),
        };
        if budget.time.is_some_and(|limit| time > limit + grace) {
            let (took, limit) = (time.as_secs_f64(), budget.time.unwrap_or_default());
            let limit = limit.as_secs_f64();
            return lost(
                played,
                side,
                format!("time: {took:.3} s for a move of {limit} s"),
            );
        }
        if let Err(why) = game.play(&thought.action) {
            let action: String = thought.action.chars().take(40).collect();
            return lost(played, side, format!("illegal move {action}: {why}"));
        }
        played.plies.push(Ply {
            action: game.moves().last().cloned().unwrap_or(thought.action),
            score: thought.score,
            nodes: thought.nodes,
            time,
        });
    }
}
