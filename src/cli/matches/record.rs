//! A game on record: headers and moves as in chess, and the same as an object.

use std::io::Write;
use std::time::Duration;

use serde_json::{Value, json};

use super::referee::{Played, Result};
use crate::games::duel::{Duel, Side};

/// What stands above the moves.
pub(super) struct Header<'a> {
    /// Any game of this kind.
    pub(super) game: &'a dyn Duel,
    /// From 1.
    pub(super) number: usize,
    /// The pair and which game of it, both from 1.
    pub(super) round: (usize, usize),
    /// Who moves first, and the other.
    pub(super) players: [&'a str; 2],
    /// Moves of the opening.
    pub(super) book: usize,
    pub(super) time: Option<Duration>,
    pub(super) nodes: Option<u64>,
    pub(super) seed: u64,
}

/// The longest line of moves.
const WIDTH: usize = 90;

fn result(played: &Played) -> &'static str {
    match played.result {
        Result::Draw => "1/2-1/2",
        Result::Won(Side::First) => "1-0",
        Result::Won(Side::Second) => "0-1",
    }
}

/// Writes a game: a header a line in brackets, the moves numbered by pairs, after each what its
/// player said of it in braces.
pub(super) fn write(
    mut out: impl Write,
    header: &Header<'_>,
    played: &Played,
) -> std::io::Result<()> {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let time = header
        .time
        .map_or("any".to_owned(), |t| t.as_secs_f64().to_string());
    let nodes = header.nodes.map_or("any".to_owned(), |n| n.to_string());
    for (key, value) in [
        ("Event", "kibitzer match"),
        ("Game", header.game.game()),
        ("Size", &header.game.size().to_string()),
        ("Rules", &header.game.rules()),
        ("Round", &format!("{}.{}", header.round.0, header.round.1)),
        ("First", header.players[0]),
        ("Second", header.players[1]),
        ("Book", &header.book.to_string()),
        ("SecondsPerMove", &time),
        ("NodesPerMove", &nodes),
        ("Seed", &header.seed.to_string()),
        ("Result", result(played)),
        ("Termination", &played.reason),
    ] {
        writeln!(out, "[{key} \"{}\"]", quoted(value))?;
    }
    writeln!(out)?;
    let mut words = Vec::new();
    let book = played.book.iter().map(|m| (m.clone(), "book".to_owned()));
    let plies = played.plies.iter().map(|p| {
        let score = p.score.map_or(String::new(), |s| format!("{s:+.2} "));
        let nodes = match p.nodes {
            0 => String::new(),
            n => format!("n={n} "),
        };
        (
            p.action.clone(),
            format!("{score}{nodes}{:.3}s", p.time.as_secs_f64()),
        )
    });
    for (i, (action, said)) in book.chain(plies).enumerate() {
        if i % 2 == 0 {
            words.push(format!("{}.", i / 2 + 1));
        }
        words.push(action);
        words.push(format!("{{{said}}}"));
    }
    words.push(result(played).to_owned());
    let mut line = String::new();
    for word in words {
        if !line.is_empty() && line.len() + 1 + word.len() > WIDTH {
            writeln!(out, "{line}")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    writeln!(out, "{line}\n")
}

/// The same as an object.
pub(super) fn object(header: &Header<'_>, played: &Played) -> Value {
    let word = match played.result {
        Result::Draw => "draw",
        Result::Won(Side::First) => "first",
        Result::Won(Side::Second) => "second",
    };
    let winner = match played.result {
        Result::Draw => None,
        Result::Won(Side::First) => Some(header.players[0]),
        Result::Won(Side::Second) => Some(header.players[1]),
    };
    let moves: Vec<&str> = (played.book.iter().map(String::as_str))
        .chain(played.plies.iter().map(|p| p.action.as_str()))
        .collect();
    let ms = |side: Side| (played.slowest(side).as_secs_f64() * 1e4).round() / 10.0;
    json!({
        "game": header.number,
        "pair": header.round.0,
        "first": header.players[0],
        "second": header.players[1],
        "result": word,
        "winner": winner,
        "reason": played.reason,
        "forfeit": played.forfeit,
        "book": header.book,
        "moves": moves,
        "scores": played.plies.iter().map(|p| p.score).collect::<Vec<_>>(),
        "nodes": played.plies.iter().map(|p| p.nodes).sum::<u64>(),
        "slowest_ms": [ms(Side::First), ms(Side::Second)],
    })
}
