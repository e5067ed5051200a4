//! Positions of each game as objects.

use serde_json::{Map, Value, json};

use super::client::text;
use crate::games::duel::{Duel, Side};
use crate::games::tetris::policies::{Placement, Position};
use crate::games::triplex::rules::{Entry, HEAD, Level, parse_line};
use crate::games::{connect4, flood};
use crate::types::{BoardText, Budget, GridSize};

/// What all games have.
fn position(
    game: &str,
    size: GridSize,
    board: &BoardText,
    budget: &Budget,
    time_ms: u64,
) -> Map<String, Value> {
    let mut object = Map::new();
    for (key, value) in [
        ("type", json!("position")),
        ("game", json!(game)),
        ("size", json!([size.cols, size.rows])),
        ("rules", json!("")),
        ("board", board.rows().collect()),
        ("moves", json!([])),
        ("time_ms", json!(time_ms)),
        ("nodes", json!(budget.nodes)),
        ("seed", json!(budget.seed)),
    ] {
        object.insert(key.to_owned(), value);
    }
    object
}

/// A game for two.
#[must_use]
pub fn of_duel(game: &dyn Duel, budget: &Budget, time_ms: u64) -> Map<String, Value> {
    let mut object = position(game.game(), game.size(), &game.board(), budget, time_ms);
    let to_move = match game.to_move() {
        Side::First => "first",
        Side::Second => "second",
    };
    object.insert("rules".into(), game.rules().into());
    object.insert("moves".into(), json!(game.moves()));
    object.insert("to_move".into(), to_move.into());
    if game.game() == "connect4" {
        object.insert("legal".into(), json!(columns(game)));
    }
    object
}

/// The columns that a disc can be dropped into.
fn columns(game: &dyn Duel) -> Vec<String> {
    let allowed = |column: &String| {
        let mut copy = game.fresh();
        game.moves().iter().all(|m| copy.play(m).is_ok()) && copy.play(column).is_ok()
    };
    let all = (0..game.size().cols.into()).map(|c| connect4::rules::letter(c).to_string());
    all.filter(allowed).collect()
}

/// A Flood-It board.
#[must_use]
pub fn of_flood(board: &flood::rules::Board, budget: &Budget, time_ms: u64) -> Map<String, Value> {
    let mut object = position("flood", board.size(), &board.text(), budget, time_ms);
    let colours = (0..flood::rules::MAX_COLOURS as u8).filter(|&c| gains(board, c));
    let legal: Vec<String> = colours.map(|c| flood::rules::letter(c).into()).collect();
    object.insert("legal".into(), json!(legal));
    object.insert(
        "start".into(),
        json!([board.start().col, board.start().row]),
    );
    object
}

/// Whether a colour makes the flooded region larger: other moves lead nowhere, and a brain that
/// made them would play for ever.
#[must_use]
pub fn gains(board: &flood::rules::Board, colour: u8) -> bool {
    board.is_move(colour) && board.after(colour).region_size() > board.region_size()
}

/// A Tetris position with the placements that can be reached.
#[must_use]
pub fn of_tetris(
    at: &Position<'_>,
    reachable: &[Placement],
    budget: &Budget,
    time_ms: u64,
) -> Map<String, Value> {
    let size = GridSize::new(at.board.cols(), at.board.rows());
    let board = BoardText(at.board.text());
    let mut object = position("tetris", size, &board, budget, time_ms);
    let legal: Vec<String> = reachable.iter().map(tetris_move).collect();
    object.insert("legal".into(), json!(legal));
    object.insert("piece".into(), json!(at.kind.letter()));
    object.insert("next".into(), json!(at.next.map(|k| k.letter())));
    object
}

/// A TripleX level.
#[must_use]
pub fn of_triplex(level: &Level, budget: &Budget, time_ms: u64) -> Map<String, Value> {
    let field = level.field();
    let mut object = position("triplex", field.size(), &field.text(), budget, time_ms);
    let fixed = level.stock().iter();
    let fixed = fixed.flat_map(|(f, n)| std::iter::repeat_n(f.text('x'), (*n).into()));
    let turnable = level.turnable().map(|f| f.text('o'));
    let figures: Vec<String> = fixed.chain(turnable).collect();
    object.insert("figures".into(), json!(figures));
    object
}

/// The level of such a position.
///
/// # Errors
/// What is wrong with it.
pub(super) fn triplex_level(message: &Map<String, Value>, rows: &str) -> Result<Level, String> {
    let figures = message.get("figures").and_then(Value::as_array);
    let figures: Option<Vec<&str>> = figures.and_then(|f| f.iter().map(Value::as_str).collect());
    let figures =
        figures.ok_or("`figures` must be a list of figures, each its rows joined by /")?;
    let plain = |text: &str| !text.contains(|c: char| c.is_whitespace() || "=;*".contains(c));
    if let Some(word) = figures.iter().find(|f| !plain(f)) {
        return Err(format!("`{}` is no figure", text(&json!(word))));
    }
    if !plain(rows) || rows.is_empty() {
        return Err("`board` is no field".to_owned());
    }
    // The game's own notation, in which a level is one line.
    let line = format!("{HEAD} {rows} {}", figures.join(" "));
    match parse_line(&line, 1) {
        Ok(Entry { level, .. }) => Ok(level),
        Err(error) => Err(error.text),
    }
}

/// A placement as `TURN,LEFT`.
#[must_use]
pub fn tetris_move(placement: &Placement) -> String {
    format!("{},{}", placement.turn, placement.left)
}
