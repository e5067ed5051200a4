//! A policy as a player of a duel.

use super::{Connect4Policy, by_name};
use crate::games::connect4::board_of;
use crate::games::connect4::rules::letter;
use crate::games::duel::{Duel, Mover, NoMove, Thought};
use crate::games::spec::SpecError;
use crate::types::Budget;

struct Player {
    name: String,
    policy: Box<dyn Connect4Policy>,
}

/// A player by its policy's name and options.
///
/// # Errors
/// An unknown name or option, or a value that is none.
pub fn mover(spec: &str) -> Result<Box<dyn Mover>, SpecError> {
    Ok(Box::new(Player {
        name: spec.to_owned(),
        policy: by_name(spec)?,
    }))
}

impl Mover for Player {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, game: &dyn Duel, budget: &Budget) -> Result<Thought, NoMove> {
        let none = |text: String| NoMove {
            who: self.name.clone(),
            text,
        };
        let board = board_of(game).map_err(none)?;
        let choice = self.policy.decide(&board, budget);
        let choice = choice.ok_or_else(|| none("the game is over".to_owned()))?;
        Ok(Thought {
            action: letter(choice.column).to_string(),
            score: Some(choice.score),
            nodes: choice.nodes,
            note: choice.note,
        })
    }
}
