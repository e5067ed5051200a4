//! A policy as a player of matches.

use super::{GomokuPolicy, by_name};
use crate::games::duel::{Duel, Mover, NoMove, Thought};
use crate::games::gomoku::board_of;
use crate::games::gomoku::rules::action;
use crate::games::spec::SpecError;
use crate::types::Budget;

/// The player of a policy's text like `evaluator:a=0.5`.
///
/// # Errors
/// For an unknown name, key or value, with what there is.
pub fn mover(spec: &str) -> Result<Box<dyn Mover>, SpecError> {
    Ok(Box::new(Player {
        policy: by_name(spec)?,
        name: spec.to_owned(),
    }))
}

struct Player {
    policy: Box<dyn GomokuPolicy>,
    name: String,
}

impl Mover for Player {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, game: &dyn Duel, budget: &Budget) -> Result<Thought, NoMove> {
        let none = |text: &str| NoMove {
            who: self.name.clone(),
            text: text.to_owned(),
        };
        let board = board_of(game)
            .ok_or_else(|| none("this is no game of five in a row by rules that it knows"))?;
        let choice = self.policy.decide(&board, budget);
        let choice = choice.ok_or_else(|| none("the game is over"))?;
        Ok(Thought {
            action: action(choice.cell),
            score: Some(choice.score),
            nodes: choice.nodes,
            note: choice.note(),
        })
    }
}
