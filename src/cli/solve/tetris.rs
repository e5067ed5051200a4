//! `kibitzer solve tetris`

use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::{Bad, Limits, chosen, each_line};
use crate::brains::external;
use crate::cli::cpu::thread_time;
use crate::games::tetris::policies::{MoveModel, Policy, Position, USUAL_WEIGHTS, by_name};
use crate::games::tetris::rules::{Board, Kind};
use crate::types::Budget;

const EXAMPLES: &str = "\
Positions, one a line: BOARD PIECE [NEXT]. The board is its rows, top row first, joined by `/`:
`.` is empty, a letter of a piece or `#` filled. Pieces are O, I, S, Z, L, J and T.

Example:
  $ echo '..../..../..../..../##.#/##.# T' | kibitzer solve tetris
  {\"move\":\"T turn 1 column 3\",\"score\":...,\"nodes\":...,\"micros\":...,\"turn\":1,\"left\":2,...}

`turn` counts presses of the rotate key, `left` is the leftmost column from 0, `cells` are
[column, row from the top]; `board` is what is left when complete rows are gone. `move` is null
when the piece cannot appear. A line that is no position gives {\"error\":\"...\",\"line\":N} and, at
the end, exit status 1.";

/// Options of `kibitzer solve tetris`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Who solves: weights (kibitzer, dellacherie, bcts, dt10, dt20, el-tetris, a .toml file),
    /// two-piece[:WEIGHTS], expectimax[:WEIGHTS[:DEPTH]], beam[:WEIGHTS[:WIDTH]]
    /// (--list shows their options), or tbp:COMMAND or jsonl:COMMAND
    #[arg(long, value_name = "NAME", default_value = USUAL_WEIGHTS)]
    policy: String,
    /// Who places the pieces that another program does not
    #[arg(long, value_name = "NAME", default_value = USUAL_WEIGHTS)]
    fallback: String,
    /// Where pieces can go: f (turned, then moved, one row below where they appear), s (also
    /// moved where they appear), a (turned and moved in any order), i (everywhere)
    #[arg(long, value_name = "MODEL", default_value = "a", value_parser = model)]
    model: MoveModel,
    #[command(flatten)]
    limits: Limits,
    /// Seed of random choices (none of the policies makes any)
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// A move model as on the command line.
pub(in crate::cli) fn model(text: &str) -> Result<MoveModel, String> {
    MoveModel::by_name(text).ok_or_else(|| {
        let names = MoveModel::ALL.map(MoveModel::name).join(", ");
        format!("there are {names}")
    })
}

/// A position as a line.
#[derive(Debug)]
struct Line {
    board: Board,
    kind: Kind,
    next: Option<Kind>,
}

fn parse(line: &str) -> Result<Line, String> {
    let mut words = line.split_whitespace();
    let board = words.next().unwrap_or_default();
    let board = Board::from_text(board).map_err(|e| format!("the board: {e}"))?;
    let kind = |word: &str| {
        let mut letters = word.chars();
        let kind = letters.next().and_then(Kind::from_letter);
        kind.filter(|_| letters.next().is_none())
            .ok_or_else(|| format!("`{word}` is no piece: write O, I, S, Z, L, J or T"))
    };
    let piece = words
        .next()
        .ok_or("there is no piece: write its letter (OISZLJT) after the board")?;
    let parsed = Line {
        board,
        kind: kind(piece)?,
        next: words.next().map(kind).transpose()?,
    };
    match words.next() {
        Some(word) => Err(format!(
            "`{word}` is too much: a line is a board, a piece and perhaps the next piece"
        )),
        None => Ok(parsed),
    }
}

/// Runs `kibitzer solve tetris`.
///
/// # Errors
/// When there is no such policy, stdin cannot be read or stdout not be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut policy = chosen(
        &options.policy,
        &options.fallback,
        |name| Ok(by_name(name)?),
        |name, fallback| external::tetris(name, fallback, None),
    )?;
    let budget = Budget {
        seed: options.seed,
        ..options.limits.budget()
    };
    each_line(|line, number| match parse(line) {
        Ok(position) => Ok(solve(&position, options.model, policy.as_mut(), &budget)),
        Err(error) => Err(Bad {
            error,
            line: number,
        }),
    })
}

fn solve(line: &Line, model: MoveModel, policy: &mut dyn Policy, budget: &Budget) -> Value {
    let position = Position {
        board: &line.board,
        kind: line.kind,
        next: line.next,
        model,
        allowed: None,
    };
    let before = thread_time();
    let choice = policy.choose(&position, budget);
    let micros = (thread_time().saturating_sub(before)).as_micros() as u64;
    let Some(choice) = choice else {
        return json!({"move": null, "score": null, "nodes": 0, "micros": micros});
    };
    let placement = choice.placement;
    let rows = line.board.rows() as i16;
    let cells: Vec<[i16; 2]> = placement
        .cells(&line.board)
        .into_iter()
        .flatten()
        .map(|(x, y)| [x, rows - 1 - y])
        .collect();
    let (after, removed) = placement
        .applied(&line.board)
        .map_or((None, 0), |(b, n)| (Some(b.text()), n));
    let features: Map<String, Value> = choice
        .features
        .iter()
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect();
    let alternatives: Vec<Value> = choice
        .alternatives
        .iter()
        .map(|(p, score)| json!({"move": p.to_string(), "score": score}))
        .collect();
    json!({
        "move": placement.to_string(),
        "score": choice.value,
        "nodes": choice.nodes,
        "micros": micros,
        "turn": placement.turn,
        "left": placement.left,
        "cells": cells,
        "rows": removed,
        "board": after,
        "next": choice.next_placement.map(|p| p.to_string()),
        "features": features,
        "alternatives": alternatives,
    })
}
