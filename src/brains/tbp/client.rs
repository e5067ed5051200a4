//! The conversation with a bot.

use std::time::Instant;

use serde_json::{Map, Value, json};

use super::place::Location;
use crate::brains::brain::Protocol;
use crate::brains::jsonl::{object, text};
use crate::brains::process::{Process, Trouble};
use crate::brains::tetris::{Suggestion, TetrisProtocol};
use crate::games::tetris::policies::{Placement, Position};
use crate::games::tetris::rules::{Board, Kind};
use crate::types::{Budget, Stop};

/// Rows and columns of the protocol's board.
const ROWS: u16 = 40;
const COLS: u16 = 10;

/// How far a bot has got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// Its `info` has not come.
    #[default]
    New,
    /// It was told the rules.
    Told,
    /// It is ready.
    Ready,
}

/// What a bot believes.
#[derive(Clone, Debug)]
struct Belief {
    board: Board,
    next: Option<Kind>,
    /// The piece put since, as the bot is told it, and the board after it.
    played: Option<(Value, Board)>,
}

/// A conversation.
#[derive(Debug, Default)]
pub struct Tbp {
    stage: Stage,
    belief: Option<Belief>,
    /// Suggestions that were asked for and have not come. The protocol has no numbers: when the
    /// position has changed meanwhile, all but the last are about another one.
    owed: u32,
}

impl Protocol for Tbp {
    fn begin(&mut self, _: &mut Process, _: Instant) -> Result<(), Trouble> {
        *self = Self::default();
        Ok(())
    }

    fn greeted(
        &mut self,
        process: &mut Process,
        until: Instant,
        stop: &Stop,
    ) -> Result<(), Trouble> {
        while self.stage != Stage::Ready {
            let message = hear(process, until, stop)?;
            match (self.stage, kind_of(&message)) {
                (Stage::New, "info") => {
                    let of = |field: &str| message.get(field).map(text).unwrap_or_default();
                    tracing::debug!(
                        brain = process.name(),
                        "{} {} by {}",
                        of("name"),
                        of("version"),
                        of("author")
                    );
                    let rules = json!({"type": "rules", "randomizer": "uniform"});
                    process.say(&rules.to_string(), until)?;
                    self.stage = Stage::Told;
                }
                (Stage::Told, "ready") => self.stage = Stage::Ready,
                _ => {}
            }
        }
        Ok(())
    }

    fn farewell(&self) -> &'static [&'static str] {
        &[r#"{"type":"stop"}"#, r#"{"type":"quit"}"#]
    }
}

impl TetrisProtocol for Tbp {
    fn plays(&self, position: &Position<'_>) -> Result<(), String> {
        match position.board.cols() {
            COLS => Ok(()),
            cols => Err(format!(
                "the Tetris Bot Protocol knows boards of {COLS} columns, not of {cols}"
            )),
        }
    }

    fn ask(
        &mut self,
        process: &mut Process,
        position: &Position<'_>,
        _reachable: &[Placement],
        _budget: &Budget,
        _time_ms: u64,
        until: Instant,
    ) -> Result<(), Trouble> {
        let mut say = |message: Value| process.say(&message.to_string(), until);
        let before = self.belief.take();
        match before.as_ref().and_then(|b| b.followed_by(position)) {
            Some((played, new)) => {
                say(json!({"type": "play", "move": played}))?;
                for kind in new {
                    say(json!({"type": "new_piece", "piece": kind.letter()}))?;
                }
            }
            None => {
                if before.is_some() {
                    say(json!({"type": "stop"}))?;
                }
                say(start(position))?;
            }
        }
        say(json!({"type": "suggest"}))?;
        self.owed += 1;
        self.belief = Some(Belief {
            board: position.board.clone(),
            next: position.next,
            played: None,
        });
        Ok(())
    }

    fn answer(
        &mut self,
        process: &mut Process,
        position: &Position<'_>,
        until: Instant,
        stop: &Stop,
    ) -> Result<Vec<Suggestion>, Trouble> {
        let message = loop {
            let message = hear(process, until, stop)?;
            if kind_of(&message) == "suggestion" {
                self.owed = self.owed.saturating_sub(1);
                if self.owed == 0 {
                    break message;
                }
            }
        };
        let Some(Value::Array(moves)) = message.get("moves") else {
            return Err(Trouble::Wrong("its suggestion has no moves".to_owned()));
        };
        let suggestion = |m: &Value| suggested(m, position);
        let all: Result<Vec<_>, Trouble> = moves.iter().map(suggestion).collect();
        Ok(all?.into_iter().flatten().collect())
    }

    fn put(&mut self, placement: Placement, own: Option<&Value>) {
        let Some(belief) = &mut self.belief else {
            return;
        };
        let location = || Location::of(placement, &belief.board);
        let told = match own {
            Some(own) => Some(own.clone()),
            None => location().map(|l| json!({"location": l.to_json(), "spin": "none"})),
        };
        let after = placement.applied(&belief.board);
        belief.played = told.zip(after.map(|(board, _)| board));
    }
}

impl Belief {
    /// What leads from here to a position: the move, and pieces that are new in the queue.
    fn followed_by(&self, position: &Position<'_>) -> Option<(Value, Vec<Kind>)> {
        let (played, after) = self.played.as_ref()?;
        if after != position.board {
            return None;
        }
        let mut new = Vec::new();
        match self.next {
            Some(next) if next != position.kind => return None,
            Some(_) => {}
            None => new.push(position.kind),
        }
        new.extend(position.next);
        Some((played.clone(), new))
    }
}

/// A move that ends where a drop ends: `None` for one that our rules do not know.
fn suggested(value: &Value, position: &Position<'_>) -> Result<Option<Suggestion>, Trouble> {
    let location = value.get("location").unwrap_or(&Value::Null);
    let location = Location::parse(location).map_err(Trouble::Wrong)?;
    if location.kind != position.kind {
        // It would hold the falling piece.
        return Ok(None);
    }
    let illegal = |why: &str| Trouble::Illegal {
        action: location.to_json().to_string(),
        why: why.to_owned(),
    };
    let cells = location.cells();
    let Some(placement) = location.placement(COLS) else {
        return Err(illegal("it lies outside the walls"));
    };
    let at = |&(x, y): &(i64, i64)| {
        let (x, y) = (
            i16::try_from(x).unwrap_or(-1),
            i16::try_from(y).unwrap_or(-1),
        );
        position.board.get(x, y)
    };
    if cells
        .iter()
        .any(|c| c.1 < 0 || at(c).is_some_and(|v| v != 0))
    {
        return Err(illegal("it overlaps the pile"));
    }
    let landing = Location::of(placement, position.board);
    if landing.map(Location::cells) != Some(cells) {
        // Under an overhang, or in the air.
        return Ok(None);
    }
    Ok(Some(Suggestion {
        placement,
        own: Some(value.clone()),
        score: None,
        nodes: 0,
        note: String::new(),
    }))
}

/// The position as a new game.
fn start(position: &Position<'_>) -> Value {
    let queue: Vec<char> = std::iter::once(position.kind)
        .chain(position.next)
        .map(Kind::letter)
        .collect();
    let cell = |x: u16, y: u16| match position.board.get(x as i16, y as i16) {
        None | Some(0) => Value::Null,
        Some(value) => match Kind::from_number(value) {
            Some(kind) => json!(kind.letter()),
            None => json!("G"),
        },
    };
    let board: Vec<Vec<Value>> = (0..ROWS)
        .map(|y| (0..COLS).map(|x| cell(x, y)).collect())
        .collect();
    json!({
        "type": "start",
        "hold": null,
        "queue": queue,
        "combo": 0,
        "back_to_back": false,
        "board": board,
        "randomizer": {"type": "uniform"},
    })
}

fn kind_of(message: &Map<String, Value>) -> &str {
    message.get("type").and_then(Value::as_str).unwrap_or("")
}

/// The next message; an error is a trouble.
fn hear(process: &mut Process, until: Instant, stop: &Stop) -> Result<Map<String, Value>, Trouble> {
    let line = process.line(until, stop)?;
    let message = object(&line)?;
    if kind_of(&message) == "error" {
        let reason = message.get("reason").map(text).unwrap_or_default();
        return Err(match reason.as_str() {
            "unsupported_rules" => {
                Trouble::Refused("it does not play by these rules (unsupported_rules)".to_owned())
            }
            other => Trouble::Wrong(format!("it says: error {other}")),
        });
    }
    Ok(message)
}
