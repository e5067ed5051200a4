//! The host's side of a conversation.

use std::time::Instant;

use serde_json::{Map, Value, json};

use super::VERSION;
use crate::brains::brain::Protocol;
use crate::brains::process::{Process, Trouble};
use crate::types::Stop;

/// A conversation about one game.
#[derive(Debug)]
pub struct Jsonl {
    game: &'static str,
    greeted: bool,
    last_id: u64,
    /// Positions up to this number are answered, or will never be.
    answered: u64,
}

/// What a brain answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The move.
    pub action: String,
    /// Its value, if it says.
    pub score: Option<f64>,
    /// Positions visited; 0 if it does not say.
    pub nodes: u64,
    /// For a person.
    pub note: String,
}

impl Jsonl {
    /// About this game.
    #[must_use]
    pub const fn new(game: &'static str) -> Self {
        Self {
            game,
            greeted: false,
            last_id: 0,
            answered: 0,
        }
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &'static str {
        self.game
    }

    /// Sends a position; its number for [`Self::answer`].
    ///
    /// # Errors
    /// When the process cannot be told.
    pub fn ask(
        &mut self,
        process: &mut Process,
        mut position: Map<String, Value>,
        until: Instant,
    ) -> Result<u64, Trouble> {
        self.last_id += 1;
        position.insert("id".into(), self.last_id.into());
        process.say(&Value::Object(position).to_string(), until)?;
        Ok(self.last_id)
    }

    /// Waits for the answer to the position of this number. An answer without a number is one to
    /// the first position that has none.
    ///
    /// # Errors
    /// When there is none until then, or no answer to anything.
    pub fn answer(
        &mut self,
        process: &mut Process,
        id: u64,
        until: Instant,
        stop: &Stop,
    ) -> Result<Answer, Trouble> {
        loop {
            let object = hear(process, until, stop)?;
            let said = |key: &str| object.get(key).filter(|value| !value.is_null());
            let (action, error) = (said("move"), said("error"));
            if action.is_none() && error.is_none() {
                // A type that we do not know.
                continue;
            }
            let to = match object.get("id") {
                Some(number) => number.as_u64().filter(|n| *n <= self.last_id),
                None => Some(self.answered + 1),
            };
            self.answered = self.answered.max(to.unwrap_or(0));
            if to != Some(id) {
                continue;
            }
            if let Some(error) = error {
                // It has answered: nothing is gained by starting it again.
                return Err(Trouble::Unfit(format!("it says: {}", text(error))));
            }
            if let Some(action) = action {
                return Ok(Answer {
                    action: text(action),
                    score: object.get("score").and_then(Value::as_f64),
                    nodes: object.get("nodes").and_then(Value::as_u64).unwrap_or(0),
                    note: object.get("note").map(text).unwrap_or_default(),
                });
            }
        }
    }
}

impl Protocol for Jsonl {
    fn begin(&mut self, process: &mut Process, until: Instant) -> Result<(), Trouble> {
        self.greeted = false;
        self.answered = self.last_id;
        let hello = json!({
            "type": "hello", "protocol": "kibitzer", "version": VERSION, "game": self.game,
        });
        process.say(&hello.to_string(), until)
    }

    fn greeted(
        &mut self,
        process: &mut Process,
        until: Instant,
        stop: &Stop,
    ) -> Result<(), Trouble> {
        while !self.greeted {
            let object = hear(process, until, stop)?;
            if let Some(error) = object.get("error") {
                return Err(Trouble::Wrong(format!("it says: {}", text(error))));
            }
            if object.get("type") != Some(&json!("hello")) {
                continue;
            }
            let version = object.get("version");
            if version != Some(&json!(VERSION)) {
                let version = version.map_or("none".to_owned(), text);
                return Err(Trouble::Refused(format!(
                    "it speaks version {version} of the protocol; here it is {VERSION}"
                )));
            }
            if let Some(Value::Array(games)) = object.get("games")
                && !games.contains(&json!(self.game))
            {
                return Err(Trouble::Refused(format!(
                    "it plays {}, not {}",
                    Value::Array(games.clone()),
                    self.game
                )));
            }
            self.greeted = true;
        }
        Ok(())
    }

    fn farewell(&self) -> &'static [&'static str] {
        &[r#"{"type":"bye"}"#]
    }
}

/// The next object.
fn hear(process: &mut Process, until: Instant, stop: &Stop) -> Result<Map<String, Value>, Trouble> {
    let line = process.line(until, stop)?;
    object(&line)
}

/// A line as an object.
pub(crate) fn object(line: &str) -> Result<Map<String, Value>, Trouble> {
    match serde_json::from_str(line) {
        Ok(Value::Object(object)) => Ok(object),
        _ => {
            let start: String = line.chars().take(80).collect();
            Err(Trouble::Wrong(format!(
                "it says `{start}`, which is no JSON object"
            )))
        }
    }
}

/// A value for a person: text without its quotes.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.chars().take(300).collect(),
        other => other.to_string().chars().take(300).collect(),
    }
}
