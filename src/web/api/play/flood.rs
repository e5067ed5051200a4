//! Flood-It: a colour for a board, the true minimum number of moves, and boards to play on.

use std::ops::RangeInclusive;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};

use super::{Body, size, time, within, wrong};
use crate::games::flood::policies::{Choice, FloodPolicy as _, Lookahead, by_name};
use crate::games::flood::rules::{Board, SeededBoards, parse_position, symbol};
use crate::types::{Budget, Cell};
use crate::web::api::Failure;
use crate::web::api::sessions::blocking;
use crate::web::play::pool::Minds;
use crate::web::routes::App;

/// Memory of the exact search, in bytes.
const MEMORY: usize = 128 << 20;
/// Moves that `lookahead` looks ahead when nobody says.
const DEPTH: u32 = 4;
/// Sides and colours of the boards that are made here.
const SIDES: RangeInclusive<u16> = 2..=40;
const COLOURS: RangeInclusive<u32> = 2..=10;
/// Moves allowed on the usual board, its columns and rows, and its colours.
const USUAL: (u32, u32, u32) = (25, 28, 6);

/// A question.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// `14x14:DIGITS`, or rows.
    position: String,
    /// Column and row of the cell whose region is flooded.
    start: Option<[u16; 2]>,
    policy: Option<String>,
    depth: Option<u32>,
    time_ms: Option<u64>,
}

/// The answer.
#[derive(Debug, Default, Serialize)]
pub struct Answer {
    r#move: Option<char>,
    /// All moves to the end, if the policy knows them.
    moves: Option<String>,
    /// The fewest moves to the end, if that is proven.
    minimum: Option<u32>,
    /// What is proven: no fewer.
    at_least: u32,
    /// What is known to do.
    at_most: Option<usize>,
    over: bool,
    nodes: u64,
    note: String,
}

/// `POST /api/play/flood`
///
/// # Errors
/// For a position that is none and numbers out of range; when too many games think.
pub async fn reply(
    State(app): State<App>,
    Body(asked): Body<Asked>,
) -> Result<Json<Answer>, Failure> {
    let position = parse_position(&asked.position, 1, Cell::default())
        .map_err(|e| wrong(format!("position, character {}: {}", e.column, e.text)))?;
    let board = started(position.board, asked.start)?;
    let depth = within("depth", asked.depth, DEPTH, 1..=6)?;
    let time = time(asked.time_ms)?;
    let name = asked.policy.as_deref().unwrap_or("optimal");
    let policy = by_name(name, depth, MEMORY);
    let mut policy = policy.ok_or_else(|| {
        wrong(format!(
            "policy: `{name}` is none: write optimal, lookahead or greedy"
        ))
    })?;
    let work = move |_: &mut Minds, budget: &Budget| policy.decide(&board, budget);
    let choice = app.play.pool.ask(time, work).await?;
    Ok(Json(choice.map_or_else(over, told)))
}

fn started(board: Board, start: Option<[u16; 2]>) -> Result<Board, Failure> {
    let [col, row] = start.unwrap_or_default();
    let cells = board.cells().to_vec();
    let board = Board::new(board.size(), cells, Cell::new(col, row));
    board.map_err(|e| wrong(format!("start: {e}")))
}

fn over() -> Answer {
    Answer {
        minimum: Some(0),
        at_most: Some(0),
        over: true,
        note: "the board has one colour".to_owned(),
        ..Answer::default()
    }
}

fn told(choice: Choice) -> Answer {
    Answer {
        r#move: Some(symbol(choice.colour)),
        minimum: choice.is_optimal().then_some(choice.lower_bound),
        at_least: choice.lower_bound,
        at_most: choice.plan.as_ref().map(Vec::len),
        moves: choice.plan.map(|p| p.into_iter().map(symbol).collect()),
        over: false,
        nodes: choice.nodes,
        note: choice.note,
    }
}

/// What a board shall be like.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    size: Option<String>,
    colours: Option<u32>,
    seed: u64,
}

/// A board to play on.
#[derive(Debug, Serialize)]
pub struct Made {
    /// In the notation of a question.
    position: String,
    /// Moves allowed.
    limit: u32,
}

/// `GET /api/play/flood/boards`: the board of a seed, the same everywhere.
///
/// # Errors
/// For a size or a number of colours out of range.
pub async fn board(wanted: Result<Query<Wanted>, QueryRejection>) -> Result<Json<Made>, Failure> {
    let Query(wanted) = wanted.map_err(|e| Failure(e.status(), e.body_text()))?;
    let size = size(wanted.size.as_deref().unwrap_or("14x14"))?;
    if !SIDES.contains(&size.cols) || !SIDES.contains(&size.rows) {
        let (least, most) = (SIDES.start(), SIDES.end());
        return Err(wrong(format!(
            "size: both sides of {size} must be {least} to {most}"
        )));
    }
    let colours = within("colours", wanted.colours, USUAL.2, COLOURS)?;
    let board = SeededBoards::new(wanted.seed, size, colours as usize).next();
    let board = board.ok_or_else(|| wrong("size: there is no such board"))?;
    let digits: String = board.cells().iter().map(|&c| symbol(c)).collect();
    Ok(Json(Made {
        position: format!("{size}:{digits}"),
        limit: blocking(move || limit(board, colours)).await?,
    }))
}

/// Moves allowed: those of the usual board; on others in its measure by sides and colours, and never
/// fewer than a look ahead needs, so that every board can be won.
fn limit(mut board: Board, colours: u32) -> u32 {
    if let Some(usual) = board.usual_limit() {
        return usual;
    }
    let (limit, sides, usual) = USUAL;
    let all = u32::from(board.size().cols) + u32::from(board.size().rows);
    let measured = limit * all * colours / (sides * usual);
    let mut ahead = Lookahead::new(DEPTH - 1);
    let mut needed = 0;
    while let Some(choice) = ahead.decide(&board, &Budget::default()) {
        board.flood(choice.colour);
        needed += 1;
    }
    measured.max(needed).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::GridSize;

    /// Small boards need more moves than the measure of the usual one allows.
    #[test]
    fn every_board_can_be_won() {
        let mut raised = 0;
        for board in SeededBoards::new(1, GridSize::new(6, 6), 6).take(60) {
            let mut exact = by_name("optimal", 1, MEMORY).expect("it exists");
            let choice = exact.decide(&board, &Budget::default()).expect("moves");
            assert!(choice.is_optimal());
            let limit = limit(board, 6);
            assert!(limit >= choice.lower_bound, "{limit}");
            raised += u32::from(limit > 10);
        }
        assert!(raised > 0);
    }
}
