//! Policies from outside by name: `PROTOCOL:COMMAND`, wherever a policy is named.

use std::time::Duration;

use super::connect4::Connect4Brain;
use super::connect4_line::Connect4Line;
use super::duel::{Alone, Backed, Outside, Outsider};
use super::flood::FloodBrain;
use super::gomoku::GomokuBrain;
use super::jsonl::{self, Jsonl};
use super::piskvork::Piskvork;
use super::process::{Launch, Trouble};
use super::tbp::Tbp;
use super::tetris::{TetrisBrain, TetrisJsonl};
use super::triplex::TriplexBrain;
use crate::games::connect4::policies::Connect4Policy;
use crate::games::duel::Mover;
use crate::games::flood::policies::FloodPolicy;
use crate::games::gomoku::policies::GomokuPolicy;
use crate::games::spec::SpecError;
use crate::games::tetris::policies::Policy;
use crate::games::triplex::policies::TriplexPolicy;

/// A protocol that a policy may be named by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Form {
    /// What stands before the colon.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The games that are played in it.
    pub games: &'static [&'static str],
}

/// All of them.
pub const FORMS: &[Form] = &[
    Form {
        name: "piskvork",
        about: "an engine of Gomocup and Piskvork",
        games: &["gomoku"],
    },
    Form {
        name: "connect4-line",
        about: "a program that reads columns and writes the best one",
        games: &["connect4"],
    },
    Form {
        name: "tbp",
        about: "a bot of the Tetris Bot Protocol",
        games: &["tetris"],
    },
    Form {
        name: "jsonl",
        about: "a program that reads positions and writes moves as JSON lines",
        games: &jsonl::GAMES,
    },
];

/// The forms of a game.
pub fn forms(game: &str) -> impl Iterator<Item = &'static Form> {
    FORMS.iter().filter(move |f| f.games.contains(&game))
}

/// Whether a text names a policy from outside, of whatever game.
#[must_use]
pub fn is_external(text: &str) -> bool {
    let scheme = text.split_once(':').map(|(scheme, _)| scheme.trim());
    FORMS.iter().any(|f| Some(f.name) == scheme)
}

/// Takes a text apart.
fn parse(text: &str, game: &str) -> Result<(&'static str, Launch), SpecError> {
    let (scheme, command) = text.split_once(':').unwrap_or((text, ""));
    let form = forms(game).find(|f| f.name == scheme.trim());
    let form = form.ok_or_else(|| {
        let names: Vec<String> = forms(game).map(|f| format!("{}:COMMAND", f.name)).collect();
        let names = names.join(", ");
        error(
            text,
            format!("{game} is not played in it; there are {names}"),
        )
    })?;
    let launch = Launch::parse(text.trim(), command).map_err(|e| error(text, e.to_string()))?;
    Ok((form.name, launch))
}

fn error(spec: &str, text: String) -> SpecError {
    SpecError {
        spec: spec.to_owned(),
        text,
    }
}

fn started<T>(text: &str, brain: Result<T, Trouble>) -> Result<T, SpecError> {
    brain.map_err(|trouble| error(text, trouble.to_string()))
}

/// A policy of Flood-It from outside, and who takes over when it fails.
///
/// # Errors
/// When the text is none, or there is no such program.
pub fn flood(
    text: &str,
    fallback: Box<dyn FloodPolicy>,
) -> Result<Box<dyn FloodPolicy>, SpecError> {
    let (_, launch) = parse(text, "flood")?;
    let brain = started(text, FloodBrain::new(launch, fallback))?;
    Ok(Box::new(brain))
}

/// A policy of Tetris from outside, and who takes over when it fails; see
/// [`TetrisBrain::new`] for `patience`.
///
/// # Errors
/// When the text is none, or there is no such program.
pub fn tetris(
    text: &str,
    fallback: Box<dyn Policy>,
    patience: Option<Duration>,
) -> Result<Box<dyn Policy>, SpecError> {
    match parse(text, "tetris")? {
        ("tbp", launch) => {
            let brain = TetrisBrain::new(launch, Tbp::default(), fallback, patience);
            Ok(Box::new(started(text, brain)?))
        }
        (_, launch) => {
            let brain = TetrisBrain::new(launch, TetrisJsonl::default(), fallback, patience);
            Ok(Box::new(started(text, brain)?))
        }
    }
}

/// A policy of Connect-4 from outside, and who takes over when it fails.
///
/// # Errors
/// When the text is none, or there is no such program.
pub fn connect4(
    text: &str,
    fallback: Box<dyn Connect4Policy>,
) -> Result<Box<dyn Connect4Policy>, SpecError> {
    let outsider = outsider(text, "connect4", None)?;
    Ok(Box::new(Connect4Brain::new(outsider, fallback)))
}

/// A policy of five in a row from outside, and who takes over when it fails. `memory` in bytes is
/// told to those who can be told.
///
/// # Errors
/// When the text is none, or there is no such program.
pub fn gomoku(
    text: &str,
    memory: Option<u64>,
    fallback: Box<dyn GomokuPolicy>,
) -> Result<Box<dyn GomokuPolicy>, SpecError> {
    let outsider = outsider(text, "gomoku", memory)?;
    Ok(Box::new(GomokuBrain::new(outsider, fallback)))
}

/// A policy of TripleX from outside, and who takes over when it fails.
///
/// # Errors
/// When the text is none, or there is no such program.
pub fn triplex(
    text: &str,
    fallback: Box<dyn TriplexPolicy>,
) -> Result<Box<dyn TriplexPolicy>, SpecError> {
    let (_, launch) = parse(text, "triplex")?;
    let brain = started(text, TriplexBrain::new(launch, fallback))?;
    Ok(Box::new(brain))
}

/// A player of a game for two from outside. `memory` in bytes is told to those who can be told.
///
/// # Errors
/// When the text is none, or there is no such program.
pub fn outsider(
    text: &str,
    game: &str,
    memory: Option<u64>,
) -> Result<Box<dyn Outsider>, SpecError> {
    let (scheme, launch) = parse(text, game)?;
    let game = match game {
        "connect4" => "connect4",
        _ => "gomoku",
    };
    Ok(match scheme {
        "piskvork" => {
            let protocol = Piskvork::new(memory);
            Box::new(started(text, Outside::new(launch, protocol))?)
        }
        "connect4-line" => {
            let protocol = Connect4Line::default();
            Box::new(started(text, Outside::new(launch, protocol))?)
        }
        _ => Box::new(started(text, Outside::new(launch, Jsonl::new(game)))?),
    })
}

/// A player from outside, and who takes over when it fails.
///
/// # Errors
/// When the text is none, or there is no such program.
pub fn mover(
    text: &str,
    game: &str,
    memory: Option<u64>,
    fallback: Box<dyn Mover>,
) -> Result<Box<dyn Mover>, SpecError> {
    let outsider = outsider(text, game, memory)?;
    Ok(Box::new(Backed::new(outsider, fallback)))
}

/// A player from outside with nobody behind it; it is told all of a budget's time and waited for
/// `grace` longer.
///
/// # Errors
/// When the text is none, or there is no such program.
pub fn alone(
    text: &str,
    game: &str,
    memory: Option<u64>,
    grace: Duration,
) -> Result<Alone, SpecError> {
    Ok(Alone::new(outsider(text, game, memory)?, grace))
}
