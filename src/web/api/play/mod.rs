//! Games of a browser: every request brings the whole position, in the notation of `kibitzer solve`,
//! and is answered for itself.

pub mod connect4;
pub mod flood;
pub mod gomoku;
pub mod tetris;

use std::ops::RangeInclusive;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

pub(super) use super::Body;
use super::Failure;
use crate::types::{Cell, GridSize};
use crate::web::play::pool::{self, NoAnswer};
use crate::web::play::tetris as target;
use crate::web::routes::App;

/// How long a search may take, in ms.
const TIMES: RangeInclusive<u64> = 10..=pool::LONGEST.as_millis() as u64;
/// How long one takes when nobody says, in ms.
const USUAL_TIME: u64 = 1000;

impl From<NoAnswer> for Failure {
    fn from(none: NoAnswer) -> Self {
        let status = match none {
            NoAnswer::Busy => StatusCode::SERVICE_UNAVAILABLE,
            NoAnswer::Fault => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self(status, none.to_string())
    }
}

/// What is wrong with what was asked.
fn wrong(text: impl Into<String>) -> Failure {
    Failure(StatusCode::UNPROCESSABLE_ENTITY, text.into())
}

/// The time of a search.
fn time(asked: Option<u64>) -> Result<Duration, Failure> {
    let ms = asked.unwrap_or(USUAL_TIME);
    match TIMES.contains(&ms) {
        true => Ok(Duration::from_millis(ms)),
        false => Err(wrong(format!(
            "time_ms: {ms} is not within {} to {}",
            TIMES.start(),
            TIMES.end()
        ))),
    }
}

/// A whole number within limits.
fn within(
    name: &str,
    asked: Option<u32>,
    usual: u32,
    may: RangeInclusive<u32>,
) -> Result<u32, Failure> {
    let n = asked.unwrap_or(usual);
    match may.contains(&n) {
        true => Ok(n),
        false => Err(wrong(format!(
            "{name}: {n} is not within {} to {}",
            may.start(),
            may.end()
        ))),
    }
}

/// Whether an answer for this side can be given: it must be its turn.
fn turn(side: Option<char>, to_move: char) -> Result<(), Failure> {
    match side {
        Some(side) if !matches!(side, 'X' | 'O') => Err(wrong(format!(
            "side: `{side}` is none: write X, who moves first, or O"
        ))),
        Some(side) if side != to_move => Err(wrong(format!(
            "side: it is the turn of {to_move}, not of {side}"
        ))),
        _ => Ok(()),
    }
}

/// Cells as `x,y` from 0,0 at the top left.
fn words(cells: &[Cell]) -> Vec<String> {
    let word = |c: &Cell| format!("{},{}", c.col, c.row);
    cells.iter().map(word).collect()
}

/// `14x14`, or `14` for a square.
fn size(text: &str) -> Result<GridSize, Failure> {
    crate::games::gomoku::rules::parse_size(text)
        .ok_or_else(|| wrong(format!("size: `{text}` is none: write for instance 14x14")))
}

/// `GET /api/play`: what can be played, and the limits.
pub async fn limits(State(app): State<App>) -> Json<Value> {
    Json(json!({
        "games": ["gomoku", "connect4", "flood", "tetris"],
        "time_ms": [TIMES.start(), TIMES.end()],
        "searches": app.play.pool.threads(),
        "waiting": pool::WAITING,
        "tetris": {
            "most": target::MOST,
            "free": app.play.places.available_permits(),
            "smallest": target::SMALLEST,
            "largest": target::LARGEST,
        },
    }))
}
