//! Our policies behind the protocol.

use std::io::{BufRead, Write};
use std::time::Duration;

use super::words::{Answer, Request, parse_request};
use crate::games::connect4;
use crate::games::connect4::rules::{column_of, letter, parse_position};
use crate::games::duel::Mover;
use crate::types::{Budget, Stop};

/// A brain in conversation.
pub struct Engine {
    mover: Box<dyn Mover>,
    budget: Budget,
}

/// Kept back of each answer's time, for its way.
const MARGIN: Duration = Duration::from_millis(5);

impl Engine {
    /// A brain without a limit of time until it is told one.
    #[must_use]
    pub fn new(mover: Box<dyn Mover>, seed: u64, stop: Stop) -> Self {
        Self {
            mover,
            budget: Budget {
                time: None,
                nodes: None,
                seed,
                stop,
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
        // Checked as a whole first: its errors say where they are.
        let board = parse_position(text).map_err(|e| e.to_string())?;
        if text.contains(['.', '/', 'X', 'O']) {
            return Err("write the position as the columns played".to_owned());
        }
        if board.is_over() {
            return Err("the game is over".to_owned());
        }
        let mut game = connect4::duel(board.size(), board.row()).map_err(|e| e.to_string())?;
        let moves = text.rsplit(':').next().unwrap_or_default();
        for column in moves.trim().chars() {
            game.play(&column.to_string())?;
        }
        let thought = self.mover.choose(game.as_ref(), &self.budget);
        let thought = thought.map_err(|e| e.to_string())?;
        let column = thought.action.chars().next().and_then(column_of);
        let column = column.ok_or_else(|| format!("`{}` is no column", thought.action))?;
        Ok(Answer::Best {
            column,
            score: thought.score,
            all: scores(&thought.note, board.size().cols.into()),
        })
    }
}

/// The scores of all columns, where a policy's note begins with them: `1:-2 2:-1 ...`.
fn scores(note: &str, cols: usize) -> Vec<Option<f64>> {
    let mut all = vec![None; cols];
    let mut any = false;
    for word in note.split([' ', ',', ';']) {
        let Some((column, score)) = word.split_once(':') else {
            break;
        };
        let mut chars = column.chars();
        if let (Some(col), None, Ok(score)) = (
            chars.next().and_then(column_of),
            chars.next(),
            score.parse::<f64>(),
        ) && let Some(slot) = all.get_mut(col)
        {
            *slot = Some(score);
            any = true;
        }
    }
    debug_assert!(all.len() <= 36 && letter(0) == '1');
    match any {
        true => all,
        false => Vec::new(),
    }
}

/// Serves until `quit`, the end of the input, or an output that nobody reads any more.
///
/// # Errors
/// When the input cannot be read.
pub fn serve(
    mut engine: Engine,
    input: impl BufRead,
    mut output: impl Write,
) -> std::io::Result<()> {
    for line in input.split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        if line.trim().is_empty() {
            continue;
        }
        if parse_request(&line) == Request::Quit {
            break;
        }
        if let Some(answer) = engine.hear(&line)
            && writeln!(output, "{answer}").and_then(|()| output.flush()).is_err()
        {
            break;
        }
    }
    Ok(())
}
