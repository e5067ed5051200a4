//! Matches of five in a row: openings by seed, each played with both colours.

use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::engine::Engine;
use super::{GAMES, Options, WINS};
use crate::games::gomoku::duel;
use crate::games::gomoku::policies::GomokuPolicy;
use crate::games::gomoku::rules::{Board, Stone, parse_action};
use crate::types::{Budget, Cell, GridSize};

/// Who plays.
pub(super) enum Player {
    Policy(Box<dyn GomokuPolicy>),
    Engine(Engine),
}

impl Player {
    fn choose(&mut self, board: &Board, budget: &Budget) -> anyhow::Result<Cell> {
        match self {
            Self::Policy(policy) => {
                let choice = policy.decide(board, budget);
                Ok(choice.context("the policy has no move")?.cell)
            }
            Self::Engine(engine) => engine.choose(board),
        }
    }
}

/// Games for the first player.
#[derive(Debug, Default)]
pub(super) struct Score {
    pub(super) wins: usize,
    pub(super) draws: usize,
    pub(super) losses: usize,
    /// The first player's longest move.
    pub(super) worst: Duration,
}

impl Score {
    pub(super) const fn games(&self) -> usize {
        self.wins + self.draws + self.losses
    }

    /// What must hold in a match of the usual length and does not.
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

/// Plays a match; the first player begins in every other game.
pub(super) fn play_match(
    own: &mut Player,
    other: &mut Player,
    size: GridSize,
    options: &Options,
    budget: &Budget,
) -> anyhow::Result<Score> {
    let game = duel(size, options.rule)?;
    let mut score = Score::default();
    for n in 0..options.games {
        let mut board = Board::new(size, options.rule)?;
        for text in game.opening(options.seed + n as u64 / 2) {
            let cell = parse_action(&text, size).context("an opening's move")?;
            board.play(cell)?;
        }
        let stone = [Stone::X, Stone::O][n % 2];
        while !board.is_over() {
            let before = Instant::now();
            let cell = if board.to_move() == stone {
                let cell = own.choose(&board, budget)?;
                score.worst = score.worst.max(before.elapsed());
                cell
            } else {
                other.choose(&board, budget)?
            };
            let played = board.play(cell);
            played.with_context(|| format!("game {}, position {}", n + 1, board.text().0))?;
        }
        match board.winner() {
            None => score.draws += 1,
            Some(winner) if winner == stone => score.wins += 1,
            Some(_) => score.losses += 1,
        }
    }
    Ok(score)
}
