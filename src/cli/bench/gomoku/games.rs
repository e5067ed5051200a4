//! Matches of five in a row: openings by seed, each played with both colours, by the referee of
//! `kibitzer match`.

use std::time::Duration;

use anyhow::Context as _;

use super::{GAMES, Options, WINS};
use crate::cli::matches::referee::{self, Result};
use crate::cli::matches::seats::Seat;
use crate::games::duel::Side;
use crate::games::gomoku::duel;
use crate::types::{Budget, GridSize};

/// What a move may take beyond its time, as the judges of Gomocup have it.
const GRACE: Duration = Duration::from_secs(1);

/// Games for the first player.
#[derive(Debug, Default)]
pub(super) struct Score {
    pub(super) wins: usize,
    pub(super) draws: usize,
    pub(super) losses: usize,
    /// Games that somebody lost otherwise than by the rules; counted above, too.
    pub(super) forfeits: usize,
    /// The first player's longest move.
    pub(super) worst: Duration,
}

impl Score {
    pub(super) const fn games(&self) -> usize {
        self.wins + self.draws + self.losses
    }

    /// What must hold in a match of the usual length and does not: no loss, so many wins.
    pub(super) fn misses(&self, opponent: &str, size: GridSize, wins: bool) -> Vec<String> {
        let mut missed = Vec::new();
        if self.losses > 0 {
            let n = self.losses;
            missed.push(format!("{opponent}, {size}: {n} games are lost, not none"));
        }
        if wins && self.games() == GAMES && self.wins < WINS {
            let n = self.wins;
            missed.push(format!("{opponent}, {size}: {n} games are won, not {WINS}"));
        }
        missed
    }
}

/// A player by name: a policy, or another program as `piskvork:COMMAND`.
///
/// # Errors
/// When there is no such policy, or the command is none.
pub(super) fn seat(name: &str) -> anyhow::Result<Seat> {
    Ok(Seat::new(name, "gomoku", None, GRACE)?)
}

/// Plays a match; the first player begins in every other game.
///
/// # Errors
/// When the board is none or the match was stopped.
pub(super) fn play_match(
    own: &mut Seat,
    other: &mut Seat,
    size: GridSize,
    options: &Options,
    budget: &Budget,
) -> anyhow::Result<Score> {
    let start = duel(size, options.rule)?;
    let mut score = Score::default();
    for n in 0..options.games {
        let opening = start.opening(options.seed.wrapping_add(n as u64 / 2));
        let (side, players) = match n % 2 {
            0 => (Side::First, [&mut *own, &mut *other]),
            _ => (Side::Second, [&mut *other, &mut *own]),
        };
        let played = referee::play(start.fresh(), &opening, players, budget, GRACE)
            .context("the match was stopped")?;
        score.worst = score.worst.max(played.slowest(side));
        if played.forfeit {
            score.forfeits += 1;
            eprintln!("game {}: {}", n + 1, played.reason);
        }
        match played.result {
            Result::Draw => score.draws += 1,
            Result::Won(winner) if winner == side => score.wins += 1,
            Result::Won(_) => score.losses += 1,
        }
    }
    Ok(score)
}
