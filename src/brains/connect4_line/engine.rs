//! Our policies behind the protocol.

use std::time::{Duration, Instant};

use super::words::{Answer, Request, parse_request};
use crate::brains::serve;
use crate::games::connect4::policies::{Bounds, Connect4Policy};
use crate::games::connect4::rules::parse_position;
use crate::types::{Budget, Stop};

/// A brain in conversation.
pub struct Engine {
    policy: Box<dyn Connect4Policy>,
    budget: Budget,
}

/// Kept back of each answer's time, for its way.
const MARGIN: Duration = Duration::from_millis(5);

impl Engine {
    /// A brain without a limit of time until it is told one.
    #[must_use]
    pub fn new(policy: Box<dyn Connect4Policy>, seed: u64, stop: Stop) -> Self {
        Self {
            policy,
            budget: Budget {
                time: None,
                nodes: None,
                seed,
                stop,
                ..Budget::default()
            },
        }
    }

    /// Answers a line; `None` for those without an answer.
    pub fn hear(&mut self, line: &str) -> Option<String> {
        let answer = match parse_request(line) {
            Request::Quit | Request::Other => return None,
            Request::Time(ms) => {
                let time = Duration::from_millis(ms);
                self.budget.time = Some(time - MARGIN.min(time / 2));
                return None;
            }
            Request::Position(text) => self.best(&text).unwrap_or_else(Answer::Error),
        };
        Some(answer.to_string())
    }

    fn best(&mut self, text: &str) -> Result<Answer, String> {
        if text.contains(['.', '/', 'X', 'O']) {
            return Err("write the position as the columns played".to_owned());
        }
        let board = parse_position(text).map_err(|e| e.to_string())?;
        let choice = self.policy.analyse(&board, &self.budget);
        let choice = choice.ok_or("the game is over")?;
        let exact = |b: Bounds| (b.lower == b.upper).then(|| f64::from(b.lower));
        let all = choice.columns.unwrap_or_default();
        Ok(Answer::Best {
            column: choice.column,
            score: Some(choice.score),
            all: all.into_iter().map(|b| b.and_then(exact)).collect(),
        })
    }
}

impl serve::Engine for Engine {
    const LONGEST: usize = 1 << 13;
    const GRACE: Option<Duration> = None;

    fn is_farewell(line: &str) -> bool {
        parse_request(line) == Request::Quit
    }

    fn answer(&mut self, line: &str, _: Instant, say: &mut dyn FnMut(&str)) {
        if let Some(answer) = self.hear(line) {
            say(&answer);
        }
    }

    fn answer_too_long(&mut self, say: &mut dyn FnMut(&str)) {
        let text = format!("a line has at most {} bytes", Self::LONGEST);
        say(&Answer::Error(text).to_string());
    }
}
