//! Matches of five in a row: openings by seed, each played with both colours, by the referee of
//! `kibitzer match`.

use std::time::Duration;

use anyhow::Context as _;

use super::super::missed::Missed;
use super::{GAMES, Options, WINS};
use crate::cli::matches::referee::{self, Played, Result};
use crate::cli::matches::seats::Seat;
use crate::games::duel::Side;
use crate::games::gomoku::duel;
use crate::types::{Budget, GridSize};

/// What a move may take beyond its time, as the judges of Gomocup have it.
const GRACE: Duration = Duration::from_secs(1);

/// What must hold in a match of the usual length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    NoLoss,
    Wins,
    NoLossAndWins,
}

/// Games for the first player.
#[derive(Debug, Default)]
pub(super) struct Score {
    /// By the rules.
    pub(super) wins: usize,
    pub(super) draws: usize,
    /// By the rules or otherwise.
    pub(super) losses: usize,
    /// Games that the opponent lost otherwise than by the rules: they say nothing about strength.
    pub(super) forfeits: usize,
    /// The first player's longest move.
    pub(super) worst: Duration,
}

impl Score {
    pub(super) const fn games(&self) -> usize {
        self.wins + self.draws + self.losses + self.forfeits
    }

    /// Counts a game in which the first player was this side.
    fn count(&mut self, played: &Played, own: Side) {
        self.worst = self.worst.max(played.slowest(own));
        let of = match played.result {
            Result::Draw => &mut self.draws,
            Result::Won(winner) if winner != own => &mut self.losses,
            Result::Won(_) if played.forfeit => &mut self.forfeits,
            Result::Won(_) => &mut self.wins,
        };
        *of += 1;
    }

    /// What must hold and does not.
    pub(super) fn misses(&self, opponent: &str, size: GridSize, wanted: Wanted) -> Missed {
        let mut missed = Missed::default();
        let (wins, losses, forfeits) = (self.wins, self.losses, self.forfeits);
        missed.must(losses == 0 || wanted == Wanted::Wins, || {
            format!("{opponent}, {size}: {losses} games are lost, not none")
        });
        let few = self.games() == GAMES && wins < WINS;
        missed.must(!few || wanted == Wanted::NoLoss, || {
            let beside = match forfeits {
                0 => String::new(),
                n => format!(" ({n} that it forfeited are no wins)"),
            };
            format!("{opponent}, {size}: {wins} games are won, not {WINS}{beside}")
        });
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
        if played.forfeit {
            eprintln!("game {}: {}", n + 1, played.reason);
        }
        score.count(&played, side);
    }
    Ok(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(result: Result, forfeit: bool) -> Played {
        Played {
            result,
            reason: String::new(),
            forfeit,
            book: Vec::new(),
            plies: Vec::new(),
        }
    }

    /// The score of games that ended so, each so many times, the first player being `Side::First`.
    fn score(games: &[(Result, bool, usize)]) -> Score {
        let mut score = Score::default();
        for &(result, forfeit, times) in games {
            for _ in 0..times {
                score.count(&played(result, forfeit), Side::First);
            }
        }
        score
    }

    const WON: Result = Result::Won(Side::First);
    const LOST: Result = Result::Won(Side::Second);

    fn misses(score: &Score, wanted: Wanted) -> Vec<String> {
        let missed = score.misses("it", GridSize::new(15, 15), wanted);
        missed.lines().to_vec()
    }

    #[test]
    fn games_that_the_opponent_forfeits_are_no_wins() {
        let crashed = score(&[(WON, false, 17), (WON, true, 3)]);
        assert_eq!(
            (crashed.games(), crashed.wins, crashed.forfeits),
            (20, 17, 3)
        );
        for wanted in [Wanted::Wins, Wanted::NoLossAndWins] {
            assert_eq!(
                misses(&crashed, wanted),
                ["it, 15x15: 17 games are won, not 18 (3 that it forfeited are no wins)"]
            );
        }
        assert!(misses(&crashed, Wanted::NoLoss).is_empty());
        let all = score(&[(WON, true, 20)]);
        assert_eq!(misses(&all, Wanted::Wins).len(), 1);
    }

    #[test]
    fn what_we_forfeit_is_lost() {
        let late = score(&[(WON, false, 19), (LOST, true, 1)]);
        assert_eq!((late.losses, late.forfeits), (1, 0));
        assert!(misses(&late, Wanted::Wins).is_empty());
        assert_eq!(
            misses(&late, Wanted::NoLossAndWins),
            ["it, 15x15: 1 games are lost, not none"]
        );
    }

    #[test]
    fn a_short_match_misses_no_wins() {
        let short = score(&[(WON, false, 2), (Result::Draw, false, 2)]);
        assert!(misses(&short, Wanted::NoLossAndWins).is_empty());
        let even = score(&[(WON, false, 18), (Result::Draw, false, 2)]);
        assert!(misses(&even, Wanted::NoLossAndWins).is_empty());
    }
}
