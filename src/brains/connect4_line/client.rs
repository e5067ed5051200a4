//! A program that speaks lines as a player of Connect-4.

use std::time::Instant;

use super::words::{Answer, parse_answer};
use crate::brains::brain::Protocol;
use crate::brains::duel::DuelProtocol;
use crate::brains::process::{Process, Trouble};
use crate::brains::share::Share;
use crate::games::connect4::{NAME, rules::letter};
use crate::games::duel::{Duel, Thought};
use crate::types::{Budget, GridSize, Stop};

/// A conversation.
#[derive(Debug, Default)]
pub struct Connect4Line {
    time: Option<u64>,
}

impl Protocol for Connect4Line {
    fn begin(&mut self, _: &mut Process, _: Instant) -> Result<(), Trouble> {
        self.time = None;
        Ok(())
    }

    // It greets nobody.
    fn greeted(&mut self, _: &mut Process, _: Instant, _: &Stop) -> Result<(), Trouble> {
        Ok(())
    }

    fn farewell(&self) -> &'static [&'static str] {
        &["quit"]
    }
}

impl DuelProtocol for Connect4Line {
    fn plays(&self, game: &dyn Duel) -> Result<(), String> {
        match game.game() {
            NAME => Ok(()),
            other => Err(format!("the line protocol is for {NAME}, not {other}")),
        }
    }

    fn prepare(&mut self, _: &mut Process, _: &dyn Duel, _: &Share) -> Result<(), Trouble> {
        Ok(())
    }

    fn choose(
        &mut self,
        process: &mut Process,
        game: &dyn Duel,
        _: &Budget,
        share: &Share,
    ) -> Result<Thought, Trouble> {
        // What was said without being asked is no answer.
        process.forget_lines();
        let time = share.told_ms();
        if self.time != Some(time) {
            process.say(&format!("time {time}"), share.until)?;
            self.time = Some(time);
        }
        process.say(&position(game), share.until)?;
        let line = process.line(share.until, &share.stop)?;
        match parse_answer(&line).map_err(Trouble::Wrong)? {
            Answer::Error(text) => Err(Trouble::Wrong(format!("it says: {text}"))),
            Answer::Best { column, score, all } => {
                let scores: Vec<String> = all
                    .iter()
                    .map(|s| s.map_or(".".to_owned(), |s| s.to_string()))
                    .collect();
                Ok(Thought {
                    action: letter(column).to_string(),
                    score,
                    nodes: 0,
                    note: scores.join(" "),
                })
            }
        }
    }
}

/// The line of a game.
fn position(game: &dyn Duel) -> String {
    let moves = game.moves().concat();
    let (size, rules) = (game.size(), game.rules());
    let board = match (size == GridSize::new(7, 6), rules.as_str()) {
        (true, "") => String::new(),
        (_, "") => format!("{}x{}x4:", size.cols, size.rows),
        (_, row) => format!("{}x{}x{row}:", size.cols, size.rows),
    };
    match board.is_empty() && moves.is_empty() {
        true => "-".to_owned(),
        false => board + &moves,
    }
}
