//! The lines of both sides.

use crate::games::connect4::rules::{column_of, letter};

/// What a host says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Milliseconds for each answer from now on.
    Time(u64),
    /// A setting that is not known, to be passed over.
    Other,
    /// Go.
    Quit,
    /// A position, as the game's own notation writes it.
    Position(String),
}

/// What a brain says.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The best column from 0, with what is known about it and all columns (`None`: full, or not
    /// known).
    Best {
        /// From 0 at the left.
        column: usize,
        /// Its score.
        score: Option<f64>,
        /// The scores of all columns from the left, if they are given.
        all: Vec<Option<f64>>,
    },
    /// There is no move.
    Error(String),
}

/// Reads a line of a host.
#[must_use]
pub fn parse_request(line: &str) -> Request {
    let line = line.trim();
    let mut words = line.split_whitespace();
    match (words.next(), words.next()) {
        (Some("quit"), None) => Request::Quit,
        (Some("time"), Some(ms)) => ms.parse().map_or(Request::Other, Request::Time),
        // Positions have no blanks in them.
        (Some(_), Some(_)) => Request::Other,
        _ if line == "-" => Request::Position(String::new()),
        _ => Request::Position(line.to_owned()),
    }
}

/// Reads a line of a brain.
///
/// # Errors
/// What is wrong with it.
pub fn parse_answer(line: &str) -> Result<Answer, String> {
    let wrong = || {
        let start: String = line.chars().take(80).collect();
        format!("it answers `{start}` instead of a column and perhaps scores")
    };
    let mut words = line.split_whitespace();
    let first = words.next().ok_or_else(wrong)?;
    if first == "error" {
        let text: Vec<&str> = words.collect();
        return Ok(Answer::Error(text.join(" ")));
    }
    let mut chars = first.chars();
    let (Some(column), None) = (chars.next().and_then(column_of), chars.next()) else {
        return Err(wrong());
    };
    let mut scores = Vec::new();
    for word in words {
        scores.push(match word {
            "?" | "." => None,
            number => match number.parse::<f64>() {
                Ok(score) if score.is_finite() => Some(score),
                _ => return Err(wrong()),
            },
        });
    }
    let score = scores.first().copied().flatten();
    Ok(Answer::Best {
        column,
        score,
        all: scores.get(1..).unwrap_or_default().to_vec(),
    })
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Error(text) => write!(f, "error {text}"),
            Self::Best { column, score, all } => {
                write!(f, "{}", letter(*column))?;
                match score {
                    Some(score) => write!(f, " {score}")?,
                    None if all.is_empty() => {}
                    None => write!(f, " ?")?,
                }
                for score in all {
                    match score {
                        Some(score) => write!(f, " {score}")?,
                        None => write!(f, " .")?,
                    }
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests() {
        let position = |t: &str| Request::Position(t.to_owned());
        for (line, request) in [
            ("444", position("444")),
            ("-", position("")),
            ("9x7x5:123\r", position("9x7x5:123")),
            ("time 300", Request::Time(300)),
            ("time soon", Request::Other),
            ("colour red", Request::Other),
            ("quit", Request::Quit),
        ] {
            assert_eq!(parse_request(line), request, "{line}");
        }
    }

    #[test]
    fn answers_there_and_back() {
        for line in [
            "4",
            "4 1",
            "4 ? . -2.5 0",
            "a 1",
            "4 1 -2 -1 0 1 0 -1 -2",
            "error it is over",
        ] {
            let answer = parse_answer(line).expect(line);
            assert_eq!(answer.to_string(), line);
        }
        for line in ["", "0", "44", "4 x", "4 1 inf", "I play 4", "?"] {
            assert!(parse_answer(line).is_err(), "{line}");
        }
    }
}
