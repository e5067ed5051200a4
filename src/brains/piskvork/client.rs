//! An engine of another program as a player of five in a row.
//!
//! Takes a game; tells the engine only what is new since the last time, and all of it when it is
//! another game. What the engine answers is a move or a trouble; whether the move is allowed is
//! the caller's to find out.

use std::time::Instant;

use super::words::{At, Reply};
use crate::brains::brain::{Protocol, STARTING};
use crate::brains::duel::DuelProtocol;
use crate::brains::process::{Process, Trouble};
use crate::brains::share::Share;
use crate::games::duel::{Duel, Thought};
use crate::types::{Budget, GridSize, Stop};

/// More stones than this are not taken back one by one.
const TAKEN_BACK: usize = 4;
/// The largest number that the protocol knows: of milliseconds, and of bytes.
const MOST: u64 = 2_147_483_647;
/// A match without limit, as the protocol writes it.
const UNLIMITED: &str = "INFO time_left 2147483647";

/// What an engine was told last.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    size: GridSize,
    rules: String,
    moves: Vec<String>,
}

/// A conversation with an engine.
#[derive(Debug, Default)]
pub struct Piskvork {
    memory: Option<u64>,
    /// START was sent and not yet answered.
    starting: Option<Told>,
    game: Option<Told>,
    timeout: Option<u64>,
}

impl Protocol for Piskvork {
    fn begin(&mut self, _: &mut Process, _: Instant) -> Result<(), Trouble> {
        *self = Self::new(self.memory);
        Ok(())
    }

    // It says nothing before START.
    fn greeted(&mut self, _: &mut Process, _: Instant, _: &Stop) -> Result<(), Trouble> {
        Ok(())
    }

    fn farewell(&self) -> &'static [&'static str] {
        &["END\r"]
    }
}

impl DuelProtocol for Piskvork {
    fn plays(&self, game: &dyn Duel) -> Result<(), String> {
        match (game.game(), game.rules().as_str()) {
            ("gomoku", "" | "five-or-more" | "exact") => Ok(()),
            ("gomoku", other) => Err(format!("the protocol has no rule \"{other}\"")),
            (other, _) => Err(format!("a Piskvork engine plays gomoku, not {other}")),
        }
    }

    fn prepare(
        &mut self,
        process: &mut Process,
        game: &dyn Duel,
        share: &Share,
    ) -> Result<(), Trouble> {
        self.start(process, game, share)?;
        process.forget_lines();
        let fits = |t: &Told| is_prefix(&t.moves, game.moves());
        if !self.game.as_ref().is_some_and(fits) {
            self.restart(process, share)?;
        }
        Ok(())
    }

    fn choose(
        &mut self,
        process: &mut Process,
        game: &dyn Duel,
        _: &Budget,
        share: &Share,
    ) -> Result<Thought, Trouble> {
        self.start(process, game, share)?;
        // What was said without being asked is no answer.
        process.forget_lines();
        self.tell_time(process, share)?;
        self.ask(process, game, share)?;
        let at = self.answer(process, share)?;
        let action = format!("{},{}", at.0, at.1);
        if let Some(told) = &mut self.game {
            told.moves.push(action.clone());
        }
        Ok(Thought {
            action,
            score: None,
            nodes: 0,
            note: String::new(),
        })
    }
}

impl Piskvork {
    /// With an engine that may use so many bytes; `None`: it is told of no limit.
    #[must_use]
    pub fn new(memory: Option<u64>) -> Self {
        Self {
            memory,
            ..Self::default()
        }
    }

    fn say(process: &mut Process, line: &str, share: &Share) -> Result<(), Trouble> {
        // The line feed is added on the way.
        process.say(&format!("{line}\r"), share.until)
    }

    /// Begins a game of this size and these rules, if the last one was another.
    fn start(
        &mut self,
        process: &mut Process,
        game: &dyn Duel,
        share: &Share,
    ) -> Result<(), Trouble> {
        let (size, rules) = (game.size(), game.rules());
        let same = |t: &Told| t.size == size && t.rules == rules;
        if self.game.as_ref().is_some_and(same) {
            return Ok(());
        }
        if !self.starting.as_ref().is_some_and(same) {
            if self.starting.take().is_some() {
                // Its answer to the last START is still owed.
                self.expect_ok(process, share, "START")?;
            }
            self.game = None;
            let bits = i32::from(rules == "exact");
            let memory = self.memory.unwrap_or(0).min(MOST);
            let timeout = timeout(share);
            self.timeout = Some(timeout);
            process.forget_lines();
            for line in [
                format!("INFO timeout_turn {timeout}"),
                "INFO timeout_match 0".to_owned(),
                UNLIMITED.to_owned(),
                format!("INFO max_memory {memory}"),
                "INFO game_type 1".to_owned(),
                format!("INFO rule {bits}"),
                format!("INFO folder {}", std::env::temp_dir().display()),
                match size.cols == size.rows {
                    true => format!("START {}", size.cols),
                    false => format!("RECTSTART {},{}", size.cols, size.rows),
                },
            ] {
                Self::say(process, &line, share)?;
            }
            self.starting = Some(Told {
                size,
                rules,
                moves: Vec::new(),
            });
        }
        match self.expect_ok(process, share, "START") {
            // It may have to load what it knows.
            Err(Trouble::Late) if process.age() < STARTING => Err(Trouble::Starting),
            Err(trouble) => Err(trouble),
            Ok(()) => {
                self.game = self.starting.take();
                Ok(())
            }
        }
    }

    fn tell_time(&mut self, process: &mut Process, share: &Share) -> Result<(), Trouble> {
        let timeout = timeout(share);
        if self.timeout != Some(timeout) {
            Self::say(process, &format!("INFO timeout_turn {timeout}"), share)?;
            self.timeout = Some(timeout);
        }
        Self::say(process, UNLIMITED, share)
    }

    fn restart(&mut self, process: &mut Process, share: &Share) -> Result<(), Trouble> {
        Self::say(process, "RESTART", share)?;
        self.expect_ok(process, share, "RESTART")?;
        if let Some(told) = &mut self.game {
            told.moves.clear();
        }
        Ok(())
    }

    /// Asks for the next move of the game.
    fn ask(
        &mut self,
        process: &mut Process,
        game: &dyn Duel,
        share: &Share,
    ) -> Result<(), Trouble> {
        let moves = game.moves();
        let known = self.game.as_ref().map_or(&[][..], |t| &t.moves);
        let common = known.iter().zip(moves).take_while(|(a, b)| a == b).count();
        let surplus = known.len() - common;
        let last = match moves.split_last() {
            Some((last, before)) if before.len() == common && surplus <= TAKEN_BACK => last.clone(),
            None if known.is_empty() => {
                return Self::say(process, "BEGIN", share);
            }
            _ => return self.ask_board(process, game, share),
        };
        let back: Vec<String> = known[common..].iter().rev().cloned().collect();
        for stone in back {
            Self::say(process, &format!("TAKEBACK {stone}"), share)?;
            if let Err(trouble) = self.expect_ok(process, share, "TAKEBACK") {
                return match trouble {
                    // The word is new; a position as a whole is understood by all.
                    Trouble::Wrong(_) => self.ask_board(process, game, share),
                    other => Err(other),
                };
            }
            if let Some(told) = &mut self.game {
                told.moves.pop();
            }
        }
        if let Some(told) = &mut self.game {
            told.moves.push(last.clone());
        }
        Self::say(process, &format!("TURN {last}"), share)
    }

    /// Asks for a move in a position told as a whole.
    fn ask_board(
        &mut self,
        process: &mut Process,
        game: &dyn Duel,
        share: &Share,
    ) -> Result<(), Trouble> {
        let moves = game.moves();
        if self.game.as_ref().is_some_and(|t| !t.moves.is_empty()) {
            self.restart(process, share)?;
        }
        if moves.is_empty() {
            return Self::say(process, "BEGIN", share);
        }
        Self::say(process, "BOARD", share)?;
        for (i, stone) in moves.iter().enumerate() {
            // The last stone is the opponent's.
            let owner = if (moves.len() - i) % 2 == 1 { 2 } else { 1 };
            Self::say(process, &format!("{stone},{owner}"), share)?;
        }
        if let Some(told) = &mut self.game {
            told.moves = moves.to_vec();
        }
        Self::say(process, "DONE", share)
    }

    fn expect_ok(&self, process: &mut Process, share: &Share, word: &str) -> Result<(), Trouble> {
        match self.hear(process, share)? {
            Reply::Ok => Ok(()),
            Reply::Error(text) => Err(Trouble::Wrong(format!("{word}: ERROR {text}"))),
            Reply::Unknown(_) => Err(Trouble::Wrong(format!("it does not know {word}"))),
            other => Err(strange(&other, &format!("OK to {word}"))),
        }
    }

    fn answer(&self, process: &mut Process, share: &Share) -> Result<At, Trouble> {
        match self.hear(process, share)? {
            Reply::Moves(moves) if moves.len() == 1 => Ok(moves[0]),
            Reply::Suggest((x, y)) => {
                // It shall play what it suggests, and says so.
                Self::say(process, &format!("PLAY {x},{y}"), share)?;
                match self.hear(process, share)? {
                    Reply::Moves(moves) if moves == [(x, y)] => Ok((x, y)),
                    other => Err(strange(&other, &format!("{x},{y}"))),
                }
            }
            Reply::Error(text) => Err(Trouble::Wrong(format!("ERROR {text}"))),
            Reply::Unknown(text) => Err(Trouble::Wrong(format!("UNKNOWN {text}"))),
            other => Err(strange(&other, "a move")),
        }
    }

    /// The next line that is an answer.
    fn hear(&self, process: &mut Process, share: &Share) -> Result<Reply, Trouble> {
        loop {
            match Reply::parse(&process.line(share.until, &share.stop)?) {
                Reply::Talk(text) => tracing::debug!(brain = process.name(), "{text}"),
                // Whoever answers INFO breaks the protocol but means no harm.
                Reply::Unknown(text) if text.to_ascii_uppercase().contains("INFO") => {}
                reply => return Ok(reply),
            }
        }
    }
}

/// Milliseconds for a move.
fn timeout(share: &Share) -> u64 {
    share.told_ms().min(MOST)
}

fn is_prefix(short: &[String], long: &[String]) -> bool {
    long.starts_with(short)
}

fn strange(reply: &Reply, wanted: &str) -> Trouble {
    let said = match reply {
        Reply::Strange(text) => text.chars().take(80).collect(),
        other => format!("{other:?}"),
    };
    Trouble::Wrong(format!("it answers `{said}` instead of {wanted}"))
}
