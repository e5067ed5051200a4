//! Positions of each game as objects.

use serde_json::{Map, Value, json};

use crate::games::duel::{Duel, Side};
use crate::games::tetris::policies::{Placement, Position};
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

/// A placement as `TURN,LEFT`.
#[must_use]
pub fn tetris_move(placement: &Placement) -> String {
    format!("{},{}", placement.turn, placement.left)
}
