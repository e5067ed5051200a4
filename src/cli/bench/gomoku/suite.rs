//! The suite of tactical positions: what is asked, and whether the policy finds it in time.
//!
//! A line is `KIND RULE POSITION = MOVES`; all of the moves are right. Kinds: `fours` (wins by
//! fours alone), `threats` (wins by fours and open threes, not by fours alone), `defence` (every
//! other move loses to fours or threats).

use anyhow::{Context as _, bail};
use serde_json::json;

use super::super::missed::Missed;
use super::super::table::Table;
use super::{MS, Options, POSITIONS, budget};
use crate::cli::cpu::thread_time;
use crate::games::gomoku::policies::{self, Proof};
use crate::games::gomoku::rules::{Board, Rule, parse_action, parse_position};
use crate::types::{Cell, GridSize};

const TEXT: &str = include_str!("../../../../tests/gomoku/suite.txt");

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Fours,
    Threats,
    Defence,
}

pub(super) const KINDS: [(&str, Kind); 3] = [
    ("fours", Kind::Fours),
    ("threats", Kind::Threats),
    ("defence", Kind::Defence),
];

/// A position of the suite.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// Its line in the file, from 1.
    pub(super) line: usize,
    pub(super) kind: Kind,
    pub(super) board: Board,
    pub(super) right: Vec<Cell>,
}

/// The suite.
///
/// # Errors
/// When a line of it is none.
pub(super) fn positions() -> anyhow::Result<Vec<Asked>> {
    let lines = TEXT.lines().enumerate();
    lines
        .filter(|(_, l)| !l.is_empty() && !l.starts_with('#'))
        .map(|(i, l)| read(l, i + 1).with_context(|| format!("suite.txt, line {}", i + 1)))
        .collect()
}

pub(super) fn read(line: &str, number: usize) -> anyhow::Result<Asked> {
    let (head, moves) = line.split_once('=').context("no `=`")?;
    let mut words = head.trim().splitn(3, ' ');
    let mut word = || words.next().context("too few words");
    let (kind, rule, position) = (word()?, word()?, word()?);
    let kind = KINDS.iter().find(|(name, _)| *name == kind);
    let kind = kind.context("an unknown kind")?.1;
    let rule = Rule::by_name(rule).context("an unknown rule")?;
    let board = parse_position(position, number, GridSize::new(15, 15), rule)?;
    let right: Option<Vec<Cell>> = (moves.split_whitespace())
        .map(|m| parse_action(m, board.size()))
        .collect();
    let right = right.context("a move that is none")?;
    if right.is_empty() || board.is_over() {
        bail!("nothing is asked");
    }
    Ok(Asked {
        line: number,
        kind,
        board,
        right,
    })
}

/// Asks the policy and prints a table: what is missed.
///
/// # Errors
/// When the policy is none or the suite is damaged.
pub(super) fn measure(options: &Options, json: bool) -> anyhow::Result<Missed> {
    let columns = [
        "suite",
        "positions",
        "solved",
        "proven",
        "ms",
        "cpu ms",
        "worst ms",
        "nodes",
    ];
    let mut table = Table::new(json, &columns);
    let budget = budget(options, MS[2]);
    let (asked, mut missed) = (positions()?, Missed::default());
    missed.must(asked.len() >= POSITIONS, || {
        format!("the suite has {} positions, not {POSITIONS}", asked.len())
    });
    for (name, kind) in KINDS {
        let (mut all, mut solved, mut proven, mut nodes) = (0u64, 0u64, 0, 0);
        let (mut cpu, mut worst) = (0.0, 0f64);
        for a in asked.iter().filter(|a| a.kind == kind) {
            // A new one each time: nothing is known from the position before.
            let mut policy = policies::by_name(&options.policy).context("--policy")?;
            let before = thread_time();
            let choice = policy.decide(&a.board, &budget);
            let took = (thread_time() - before).as_secs_f64() * 1e3;
            let choice = choice.context("the policy has no move")?;
            all += 1;
            cpu += took;
            worst = worst.max(took);
            nodes += choice.nodes;
            proven += u64::from(matches!(choice.proof, Proof::Win(_)));
            let is_right = a.right.contains(&choice.cell);
            solved += u64::from(is_right);
            missed.must(is_right, || {
                format!("suite, line {}: {name} is not solved", a.line)
            });
        }
        let mean = |sum: f64| sum / all.max(1) as f64;
        table.row(vec![
            json!(name),
            json!(all),
            json!(solved),
            json!(proven),
            json!(budget.time.map(|t| t.as_millis() as u64)),
            json!(mean(cpu)),
            json!(worst),
            json!(mean(nodes as f64)),
        ]);
    }
    table.finish();
    Ok(missed)
}
