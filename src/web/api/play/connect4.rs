//! Connect-4: the reply to a position, and the score of every column.

use std::ops::RangeInclusive;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::{Body, time, turn, within, words, wrong};
use crate::games::connect4::policies::{Bounds, Choice, Connect4Policy as _, by_name};
use crate::games::connect4::rules::{Board, letter, parse_position};
use crate::games::facing::winning_rows;
use crate::types::Budget;
use crate::web::api::Failure;
use crate::web::play::pool::Minds;
use crate::web::routes::App;

/// Moves that `minimax` may look ahead here, and looks when nobody says.
const DEPTHS: RangeInclusive<u32> = 1..=10;
const DEPTH: u32 = 6;

/// A question.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// `7x6x4:4453`, or rows.
    position: String,
    policy: Option<String>,
    depth: Option<u32>,
    side: Option<char>,
    time_ms: Option<u64>,
    /// Whether a move is wanted.
    reply: Option<bool>,
    /// Whether the score of every column is wanted.
    #[serde(default)]
    scores: bool,
}

/// The answer: the game after the reply. Scores are for the side to move in the position that was
/// sent.
#[derive(Debug, Default, Serialize)]
pub struct Answer {
    r#move: Option<char>,
    score: Option<f64>,
    nodes: u64,
    note: String,
    board: String,
    to_move: char,
    over: bool,
    winner: Option<char>,
    /// The cells of the row that has won, from 0,0 at the top left.
    row: Vec<String>,
    /// Exact scores; null where a column is full or its score is not known in the time.
    scores: Option<Vec<Option<i32>>>,
    /// What is proven of each.
    bounds: Option<Vec<Option<[i32; 2]>>>,
}

/// `POST /api/play/connect4`
///
/// # Errors
/// For a position that is none, another side's turn, and numbers out of range; when too many games
/// think.
pub async fn reply(
    State(app): State<App>,
    Body(asked): Body<Asked>,
) -> Result<Json<Answer>, Failure> {
    let board = parse_position(&asked.position).map_err(|e| wrong(format!("position: {e}")))?;
    let depth = within("depth", asked.depth, DEPTH, DEPTHS)?;
    let time = time(asked.time_ms)?;
    let perfect = match asked.policy.as_deref() {
        None | Some("perfect") => true,
        Some("minimax") => false,
        Some(other) => {
            let text = format!("policy: `{other}` is none: write perfect or minimax");
            return Err(wrong(text));
        }
    };
    let mut ahead = by_name(&format!("minimax:depth={depth}")).map_err(|e| wrong(e.to_string()))?;
    turn(asked.side, board.to_move().symbol())?;
    let reply = asked.reply.unwrap_or(true);
    let scores = asked.scores;
    if board.is_over() || !(reply || scores) {
        return Ok(Json(answer(&board)));
    }
    let work = move |minds: &mut Minds, budget: &Budget| {
        let analysis = scores.then(|| minds.perfect().analyse(&board, budget));
        let choice = match (reply, analysis.clone()) {
            (false, _) => None,
            (true, Some(known)) if perfect => known,
            (true, _) if perfect => minds.perfect().decide(&board, budget),
            (true, _) => ahead.decide(&board, budget),
        };
        told(board, choice, analysis.flatten())
    };
    let done = app.play.pool.ask(time, work).await?;
    Ok(Json(done.map_err(|text| {
        Failure(axum::http::StatusCode::INTERNAL_SERVER_ERROR, text)
    })?))
}

fn told(mut board: Board, choice: Option<Choice>, known: Option<Choice>) -> Result<Answer, String> {
    if let Some(choice) = &choice {
        board.play(choice.column).map_err(|e| e.to_string())?;
    }
    let columns = known.and_then(|k| k.columns);
    let pair = |b: Bounds| [b.lower, b.upper];
    Ok(Answer {
        r#move: choice.as_ref().map(|c| letter(c.column)),
        score: choice.as_ref().map(|c| c.score),
        nodes: choice.as_ref().map_or(0, |c| c.nodes),
        note: choice.map(|c| c.note).unwrap_or_default(),
        scores: columns
            .as_ref()
            .map(|c| c.iter().map(|b| b.and_then(Bounds::exact)).collect()),
        bounds: columns.map(|c| c.into_iter().map(|b| b.map(pair)).collect()),
        ..answer(&board)
    })
}

/// How a game stands.
fn answer(board: &Board) -> Answer {
    Answer {
        board: board.text().0,
        to_move: board.to_move().symbol(),
        over: board.is_over(),
        winner: board.winner().map(|w| w.symbol()),
        row: words(&winning_rows(board)),
        ..Answer::default()
    }
}
