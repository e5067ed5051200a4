//! Games for two over JSON lines.

use super::client::Jsonl;
use super::position::of_duel;
use crate::brains::duel::DuelProtocol;
use crate::brains::process::{Process, Trouble};
use crate::brains::share::Share;
use crate::games::duel::{Duel, Thought};
use crate::types::Budget;

impl DuelProtocol for Jsonl {
    fn plays(&self, game: &dyn Duel) -> Result<(), String> {
        match game.game() == self.game() {
            true => Ok(()),
            false => Err(format!(
                "it was asked for {}, not {}",
                self.game(),
                game.game()
            )),
        }
    }

    fn prepare(&mut self, _: &mut Process, _: &dyn Duel, _: &Share) -> Result<(), Trouble> {
        Ok(())
    }

    fn choose(
        &mut self,
        process: &mut Process,
        game: &dyn Duel,
        budget: &Budget,
        share: &Share,
    ) -> Result<Thought, Trouble> {
        let position = of_duel(game, budget, share.told_ms());
        let id = self.ask(process, position, share.until)?;
        let answer = self.answer(process, id, share.until, &share.stop)?;
        Ok(Thought {
            action: answer.action,
            score: answer.score,
            nodes: answer.nodes,
            note: answer.note,
        })
    }
}
