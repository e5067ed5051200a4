//! Our policies behind the protocol: any of the games, to whoever speaks JSON lines.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::VERSION;
use super::client::{object, text};
use super::position::{tetris_move, triplex_level};
use crate::brains::serve;
use crate::games::connect4::policies::Connect4Policy;
use crate::games::flood::policies::FloodPolicy;
use crate::games::gomoku::policies::GomokuPolicy;
use crate::games::gomoku::rules::Rule;
use crate::games::tetris::policies::{MoveModel, Placement, Policy, Position};
use crate::games::tetris::rules::Kind;
use crate::games::triplex::policies::TriplexPolicy;
use crate::games::{connect4, flood, gomoku, tetris};
use crate::types::{Budget, Cell, GridSize, Stop};

/// Who thinks.
pub enum Thinker {
    /// About Flood-It.
    Flood(Box<dyn FloodPolicy>),
    /// About Tetris.
    Tetris(Box<dyn Policy>),
    /// About Connect-4.
    Connect4(Box<dyn Connect4Policy>),
    /// About five in a row.
    Gomoku(Box<dyn GomokuPolicy>),
    /// About TripleX.
    Triplex(Box<dyn TriplexPolicy>),
}

impl Thinker {
    const fn game(&self) -> &'static str {
        match self {
            Self::Flood(_) => "flood",
            Self::Tetris(_) => "tetris",
            Self::Connect4(_) => "connect4",
            Self::Gomoku(_) => "gomoku",
            Self::Triplex(_) => "triplex",
        }
    }
}

/// Kept back of each answer's time, for its way.
const MARGIN: Duration = Duration::from_millis(5);

/// A brain in conversation.
pub struct Engine {
    thinker: Thinker,
    stop: Stop,
}

/// A move with its score, positions visited and note.
type Found = (String, f64, u64, String);

impl Engine {
    /// A brain that plays one game.
    #[must_use]
    pub fn new(thinker: Thinker, stop: Stop) -> Self {
        Self { thinker, stop }
    }

    /// Answers a line; `None` for those without an answer.
    pub fn hear(&mut self, line: &str) -> Option<String> {
        let message = match object(line) {
            Ok(message) => message,
            Err(_) => return Some(json!({"error": "a line is a JSON object"}).to_string()),
        };
        let answer = match message.get("type").and_then(Value::as_str) {
            Some("hello") => json!({
                "type": "hello",
                "version": VERSION,
                "name": concat!("Kibitzer ", env!("CARGO_PKG_VERSION")),
                "games": [self.thinker.game()],
            }),
            Some("position") => {
                let id = message.get("id").cloned().unwrap_or_default();
                match self.decide(&message) {
                    Ok((action, score, nodes, note)) => json!({
                        "id": id, "move": action, "score": score, "nodes": nodes, "note": note,
                    }),
                    Err(error) => json!({"id": id, "error": error}),
                }
            }
            _ => return None,
        };
        Some(answer.to_string())
    }

    fn decide(&mut self, message: &Map<String, Value>) -> Result<Found, String> {
        let game = message.get("game").map(text).unwrap_or_default();
        if game != self.thinker.game() {
            return Err(format!(
                "{} is played here, not `{game}`",
                self.thinker.game()
            ));
        }
        let whole = |key: &str| message.get(key).and_then(Value::as_u64);
        let budget = Budget {
            time: whole("time_ms").map(|ms| {
                let time = Duration::from_millis(ms);
                time - MARGIN.min(time / 2)
            }),
            nodes: whole("nodes"),
            seed: whole("seed").unwrap_or(0),
            stop: self.stop.clone(),
            ..Budget::default()
        };
        let rows = message.get("board").and_then(Value::as_array);
        let rows: Option<Vec<&str>> = rows.and_then(|r| r.iter().map(Value::as_str).collect());
        let rows = rows.ok_or("`board` must be a list of rows")?.join("/");
        let rules = message.get("rules").map(text).unwrap_or_default();
        match &mut self.thinker {
            Thinker::Flood(policy) => decide_flood(policy.as_mut(), message, &rows, &budget),
            Thinker::Tetris(policy) => decide_tetris(policy.as_mut(), message, &rows, &budget),
            Thinker::Triplex(policy) => {
                let level = triplex_level(message, &rows)?;
                if size(message).is_ok_and(|size| size != level.field().size()) {
                    return Err("`size` is not that of `board`".to_owned());
                }
                let mut packed = None;
                let outcome = policy.solve(&level, &budget, &mut |tiling| {
                    packed = Some(tiling);
                    false
                });
                let tiling = packed.ok_or(match outcome.complete {
                    true => "there is no packing",
                    false => "no packing was found within the limits",
                })?;
                let action = tiling.text(level.field()).0;
                Ok((action, 1.0, outcome.iterations, String::new()))
            }
            Thinker::Connect4(policy) => {
                let size = size(message)?;
                let row = if rules.is_empty() { "4" } else { &rules };
                let line = format!("{}x{}x{row}:{rows}", size.cols, size.rows);
                let board = connect4::rules::parse_position(&line).map_err(|e| e.to_string())?;
                let choice = policy.decide(&board, &budget).ok_or("the game is over")?;
                let action = connect4::rules::letter(choice.column).to_string();
                Ok((action, choice.score, choice.nodes, choice.note))
            }
            Thinker::Gomoku(policy) => {
                let rule = match rules.as_str() {
                    "" => Rule::FiveOrMore,
                    name => Rule::by_name(name).ok_or("these rules are not played here")?,
                };
                let turn = match message.get("to_move").and_then(Value::as_str) {
                    Some("second") => "O",
                    _ => "X",
                };
                let line = format!("{rows} {turn}");
                let board = gomoku::rules::parse_position(&line, 1, size(message)?, rule);
                let board = board.map_err(|e| e.to_string())?;
                let choice = policy.decide(&board, &budget).ok_or("the game is over")?;
                let action = gomoku::rules::action(choice.cell);
                Ok((action, choice.score, choice.nodes, choice.note()))
            }
        }
    }
}

/// Two whole numbers.
fn pair(message: &Map<String, Value>, key: &str) -> Option<(u16, u16)> {
    let list = message.get(key)?.as_array()?;
    let number = |i: usize| u16::try_from(list.get(i)?.as_u64()?).ok();
    Some((number(0)?, number(1)?))
}

fn size(message: &Map<String, Value>) -> Result<GridSize, String> {
    let (cols, rows) = pair(message, "size").ok_or("`size` must be [columns, rows]")?;
    Ok(GridSize::new(cols, rows))
}

fn decide_flood(
    policy: &mut dyn FloodPolicy,
    message: &Map<String, Value>,
    rows: &str,
    budget: &Budget,
) -> Result<Found, String> {
    let (col, row) = pair(message, "start").unwrap_or_default();
    let board = flood::rules::Board::from_text(rows, Cell::new(col, row));
    let board = board.map_err(|e| e.to_string())?;
    let choice = policy.decide(&board, budget).ok_or("it is solved")?;
    let action = flood::rules::letter(choice.colour).to_string();
    Ok((action, choice.score, choice.nodes, choice.note))
}

fn decide_tetris(
    policy: &mut dyn Policy,
    message: &Map<String, Value>,
    rows: &str,
    budget: &Budget,
) -> Result<Found, String> {
    let board = tetris::rules::Board::from_text(rows).map_err(|e| e.to_string())?;
    let kind = |key: &str| {
        let mut letters = message.get(key)?.as_str()?.chars();
        let kind = letters.next().and_then(Kind::from_letter);
        kind.filter(|_| letters.next().is_none())
    };
    let piece = kind("piece").ok_or("`piece` must be one of OISZLJT")?;
    let legal = message.get("legal").and_then(Value::as_array);
    let allowed: Option<Vec<Placement>> = legal.map(|legal| {
        let is_legal = |p: &Placement| legal.iter().any(|l| *l == json!(tetris_move(p)));
        Placement::all(piece, board.cols())
            .filter(is_legal)
            .collect()
    });
    let position = Position {
        board: &board,
        kind: piece,
        next: kind("next"),
        model: MoveModel::AlsoAtSpawn,
        allowed: allowed.as_deref(),
    };
    let choice = policy.choose(&position, budget).ok_or("it fits nowhere")?;
    let action = tetris_move(&choice.placement);
    Ok((
        action,
        choice.value,
        choice.nodes,
        choice.placement.to_string(),
    ))
}

impl serve::Engine for Engine {
    /// Enough for any board.
    const LONGEST: usize = 1 << 20;
    const GRACE: Option<Duration> = None;

    fn is_farewell(line: &str) -> bool {
        object(line).is_ok_and(|m| m.get("type") == Some(&json!("bye")))
    }

    fn answer(&mut self, line: &str, _: Instant, say: &mut dyn FnMut(&str)) {
        if let Some(answer) = self.hear(line) {
            say(&answer);
        }
    }

    fn answer_too_long(&mut self, say: &mut dyn FnMut(&str)) {
        let text = format!("a line has at most {} bytes", Self::LONGEST);
        say(&json!({"error": text}).to_string());
    }
}
