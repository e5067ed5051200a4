//! Five in a row: the reply to a position, and what the reference's evaluator makes of each cell.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::{Body, time, turn, words, wrong};
use crate::games::facing::winning_rows;
use crate::games::gomoku::policies::{Choice, Evaluator, GomokuPolicy, Weight, Windows};
use crate::games::gomoku::rules::{Board, Rule, action, parse_position};
use crate::types::{Budget, GridSize};
use crate::web::api::Failure;
use crate::web::play::pool::Minds;
use crate::web::routes::App;

/// The board of a position that does not say.
const USUAL: GridSize = GridSize::new(10, 10);

/// A question.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// `10x10:4,4 5,5`, or rows.
    position: String,
    rule: Option<String>,
    policy: Option<String>,
    a: Option<f64>,
    side: Option<char>,
    time_ms: Option<u64>,
    /// Whether a move is wanted.
    reply: Option<bool>,
    /// Whether the value of each candidate is wanted.
    #[serde(default)]
    values: bool,
}

/// What a candidate is worth, for the side to move in the position that was sent.
#[derive(Debug, Serialize)]
pub struct Value {
    cell: String,
    own: f64,
    other: f64,
    value: f64,
}

/// The answer: the game after the reply.
#[derive(Debug, Serialize)]
pub struct Answer {
    r#move: Option<String>,
    score: Option<f64>,
    depth: u32,
    nodes: u64,
    note: String,
    board: String,
    to_move: char,
    over: bool,
    winner: Option<char>,
    /// The cells of the row that has won.
    row: Vec<String>,
    values: Option<Vec<Value>>,
}

/// `POST /api/play/gomoku`
///
/// # Errors
/// For a position that is none, another side's turn, and numbers out of range; when too many games
/// think.
pub async fn reply(
    State(app): State<App>,
    Body(asked): Body<Asked>,
) -> Result<Json<Answer>, Failure> {
    let rule = match &asked.rule {
        None => Rule::default(),
        Some(name) => Rule::by_name(name).ok_or_else(|| {
            wrong(format!(
                "rule: `{name}` is none: write five-or-more or exact"
            ))
        })?,
    };
    let board = parse_position(&asked.position, 1, USUAL, rule)
        .map_err(|e| wrong(format!("position, character {}: {}", e.column, e.text)))?;
    let a = asked.a.unwrap_or(Evaluator::COEFFICIENT);
    if !Evaluator::COEFFICIENTS.contains(&a) {
        let (least, most) = (
            Evaluator::COEFFICIENTS.start(),
            Evaluator::COEFFICIENTS.end(),
        );
        return Err(wrong(format!("a: {a} is not within {least} to {most}")));
    }
    let time = time(asked.time_ms)?;
    let searches = match asked.policy.as_deref() {
        None | Some("evaluator") => false,
        Some("search") => true,
        Some(other) => {
            let text = format!("policy: `{other}` is none: write evaluator or search");
            return Err(wrong(text));
        }
    };
    turn(asked.side, board.to_move().letter())?;
    let mut evaluator = Evaluator::new(a, Windows::Full, None);
    let values = asked.values.then(|| evaluator.weigh(&board));
    let wanted = asked.reply.unwrap_or(true) && !board.is_over();
    let choice = match (wanted, searches) {
        (false, _) => None,
        // It takes less than a millisecond: it never waits behind a search.
        (true, false) => evaluator.decide(&board, &Budget::default()),
        (true, true) => {
            let board = board.clone();
            let work = move |_: &mut Minds, budget: &Budget| {
                let mut search = Minds::search()?;
                Ok::<_, String>(search.decide(&board, budget))
            };
            let done = app.play.pool.ask(time, work).await?;
            done.map_err(|text| Failure(axum::http::StatusCode::SERVICE_UNAVAILABLE, text))?
        }
    };
    answer(board, choice, values)
}

fn answer(
    mut board: Board,
    choice: Option<Choice>,
    values: Option<Vec<Weight>>,
) -> Result<Json<Answer>, Failure> {
    if let Some(choice) = &choice {
        let played = board.play(choice.cell);
        played
            .map_err(|e| Failure(axum::http::StatusCode::INTERNAL_SERVER_ERROR, e.to_string()))?;
    }
    let value = |w: Weight| Value {
        cell: action(w.cell),
        own: w.own,
        other: w.other,
        value: w.value,
    };
    Ok(Json(Answer {
        r#move: choice.as_ref().map(|c| action(c.cell)),
        score: choice.as_ref().map(|c| c.score),
        depth: choice.as_ref().map_or(0, |c| c.depth),
        nodes: choice.as_ref().map_or(0, |c| c.nodes),
        note: choice.as_ref().map_or_else(String::new, Choice::note),
        board: board.text().0,
        to_move: board.to_move().letter(),
        over: board.is_over(),
        winner: board.winner().map(|w| w.letter()),
        row: words(&winning_rows(&board)),
        values: values.map(|v| v.into_iter().map(value).collect()),
    }))
}
