//! Games and players by what the command line names them.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};

use crate::brains::duel::Alone;
use crate::brains::external;
use crate::games::duel::{Duel, Mover, NoMove, Thought};
use crate::games::gomoku::rules::Rule;
use crate::games::spec::SpecError;
use crate::games::{connect4, gomoku};
use crate::types::{Budget, GridSize};

/// The games for two.
pub(super) const GAMES: [&str; 2] = ["connect4", "gomoku"];

/// A game that has not begun.
pub(super) fn duel(
    game: &str,
    size: Option<GridSize>,
    rule: Option<&str>,
) -> anyhow::Result<Box<dyn Duel>> {
    if game == "connect4" {
        let row = rule.unwrap_or("4").parse::<u16>().map_err(|_| {
            anyhow!("--rule: for connect4 write how many in a row win, for instance 4")
        })?;
        let size = size.unwrap_or(GridSize::new(7, 6));
        return connect4::duel(size, row).context("--size and --rule");
    }
    let rule = match rule {
        None => Rule::FiveOrMore,
        Some(name) => Rule::by_name(name)
            .with_context(|| format!("--rule {name}: there are five-or-more and exact"))?,
    };
    gomoku::duel(size.unwrap_or(GridSize::new(15, 15)), rule).context("--size")
}

/// Openings from a file: one a line, moves apart by blanks; for Connect-4 also columns without
/// blanks. Empty lines and lines beginning with `#` are passed over.
pub(super) fn opening_file(path: &Path, start: &dyn Duel) -> anyhow::Result<Vec<Vec<String>>> {
    let place = || format!("--openings {}", path.display());
    let text = std::fs::read_to_string(path).with_context(place)?;
    let mut all = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let moves: Vec<String> = match start.game() {
            "connect4" => line
                .chars()
                .filter(|c| !c.is_whitespace())
                .map(String::from)
                .collect(),
            _ => line.split_whitespace().map(str::to_owned).collect(),
        };
        let mut game = start.fresh();
        for action in &moves {
            game.play(action)
                .map_err(|e| anyhow!("{}:{}: {action}: {e}", place(), number + 1))?;
        }
        if game.ending().is_some() {
            bail!("{}:{}: the game is over after it", place(), number + 1);
        }
        all.push(game.moves().to_vec());
    }
    if all.is_empty() {
        bail!("{}: there is no opening in it", place());
    }
    Ok(all)
}

/// A policy of ours as a player.
fn ours(text: &str, game: &str) -> Result<Box<dyn Mover>, SpecError> {
    match game {
        "connect4" => connect4::policies::mover(text),
        _ => gomoku::mover(text),
    }
}

/// Who sits at the board.
pub(in crate::cli) enum Seat {
    /// A policy of ours.
    Ours(Box<dyn Mover>),
    /// A program.
    Outside(Alone),
}

impl Seat {
    pub(in crate::cli) fn new(
        text: &str,
        game: &str,
        memory: Option<u64>,
        grace: Duration,
    ) -> Result<Self, SpecError> {
        if external::is_external(text) {
            return Ok(Self::Outside(external::alone(text, game, memory, grace)?));
        }
        Ok(Self::Ours(ours(text, game)?))
    }

    /// Whether it can play this game at all.
    pub(super) fn check(&self, game: &dyn Duel) -> anyhow::Result<()> {
        match self {
            Self::Ours(_) => Ok(()),
            Self::Outside(alone) => alone.plays(game).map_err(|e| anyhow!("{e}")),
        }
    }

    /// Gets ready for a game; that does not count as thinking.
    pub(in crate::cli) fn prepare(
        &mut self,
        game: &dyn Duel,
        budget: &Budget,
    ) -> Result<(), NoMove> {
        match self {
            Self::Ours(_) => Ok(()),
            Self::Outside(alone) => alone.prepare(game, budget),
        }
    }

    pub(in crate::cli) fn choose(
        &mut self,
        game: &dyn Duel,
        budget: &Budget,
    ) -> Result<Thought, NoMove> {
        match self {
            Self::Ours(mover) => mover.choose(game, budget),
            Self::Outside(alone) => alone.choose(game, budget),
        }
    }
}
