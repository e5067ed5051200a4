//! Policies that cannot be asked again: a program from outside, a search by several threads.
//!
//! While a run is recorded their answers are kept; in a replay they are told again, without
//! starting any program. What is kept is the move, its value and its nodes, not the words.

use serde_json::{Value, json};

use crate::brains::external;
use crate::games::connect4::policies::{self as connect4, Connect4Policy};
use crate::games::flood::policies::{self as flood, FloodPolicy};
use crate::games::gomoku::policies::{self as gomoku, GomokuPolicy, Proof};
use crate::games::tetris::policies::{self as tetris, Placement};
use crate::games::tetris::rules::Kind;
use crate::games::{connect4 as connect4_game, flood as flood_game, gomoku as gomoku_game};
use crate::types::{Budget, Cell, Witness};

/// Whether a policy's answers are kept, because it may answer otherwise when it is asked again.
#[must_use]
pub fn is_retold(policy: &str) -> bool {
    let threads = policy
        .split([':', ','])
        .filter_map(|o| o.trim().strip_prefix("threads="))
        .any(|n| n.trim() != "1");
    threads || external::is_external(policy)
}

/// A policy whose answers a witness keeps or tells.
pub(super) struct Retold<P: ?Sized> {
    name: String,
    policy: Option<Box<P>>,
    witness: Witness,
}

impl<P: ?Sized> Retold<P> {
    /// The policy of this name, made by `open` unless its answers are told; `None` where nobody
    /// wants its answers.
    pub(super) fn wanted<E>(
        name: &str,
        witness: &Witness,
        open: impl FnOnce() -> Result<Box<P>, E>,
    ) -> Result<Result<Self, Box<P>>, E> {
        if !witness.is_there() || !is_retold(name) {
            return open().map(Err);
        }
        Ok(Ok(Self {
            name: name.to_owned(),
            policy: match witness.is_telling() {
                true => None,
                false => Some(open()?),
            },
            witness: witness.clone(),
        }))
    }

    /// Asks the policy, or takes what it answered then.
    fn answer<T>(
        &mut self,
        ask: impl FnOnce(&mut P) -> Option<T>,
        keep: impl Fn(&T) -> Value,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Option<T> {
        match &mut self.policy {
            Some(policy) => {
                let choice = ask(policy);
                let kept = choice.as_ref().map_or(Value::Null, keep);
                self.witness.keep_answer(kept);
                choice
            }
            None => self.witness.told_answer().as_ref().and_then(read),
        }
    }
}

fn score(v: &Value) -> f64 {
    // What is no number in JSON was infinite or none.
    v["score"].as_f64().unwrap_or_default()
}

fn nodes(v: &Value) -> u64 {
    v["nodes"].as_u64().unwrap_or_default()
}

fn whole<T: TryFrom<u64>>(v: &Value) -> Option<T> {
    T::try_from(v.as_u64()?).ok()
}

impl FloodPolicy for Retold<dyn FloodPolicy> {
    fn name(&self) -> &str {
        &self.name
    }

    fn decide(
        &mut self,
        board: &flood_game::rules::Board,
        budget: &Budget,
    ) -> Option<flood::Choice> {
        self.answer(
            |p| p.decide(board, budget),
            |c| json!({"colour": c.colour, "score": c.score, "nodes": c.nodes}),
            |v| {
                Some(flood::Choice {
                    colour: whole(&v["colour"])?,
                    score: score(v),
                    nodes: nodes(v),
                    note: String::new(),
                    plan: None,
                    lower_bound: 0,
                })
            },
        )
    }
}

impl Connect4Policy for Retold<dyn Connect4Policy> {
    fn name(&self) -> &str {
        &self.name
    }

    fn decide(
        &mut self,
        board: &connect4_game::rules::Board,
        budget: &Budget,
    ) -> Option<connect4::Choice> {
        self.answer(
            |p| p.decide(board, budget),
            |c| json!({"column": c.column, "score": c.score, "nodes": c.nodes}),
            |v| {
                Some(connect4::Choice {
                    column: whole(&v["column"])?,
                    score: score(v),
                    bounds: None,
                    nodes: nodes(v),
                    note: String::new(),
                    columns: None,
                })
            },
        )
    }
}

impl GomokuPolicy for Retold<dyn GomokuPolicy> {
    fn name(&self) -> &str {
        &self.name
    }

    fn decide(
        &mut self,
        board: &gomoku_game::rules::Board,
        budget: &Budget,
    ) -> Option<gomoku::Choice> {
        self.answer(
            |p| p.decide(board, budget),
            |c| json!({"col": c.cell.col, "row": c.cell.row, "score": c.score, "nodes": c.nodes}),
            |v| {
                let cell = Cell::new(whole(&v["col"])?, whole(&v["row"])?);
                Some(gomoku::Choice {
                    cell,
                    score: score(v),
                    nodes: nodes(v),
                    depth: 0,
                    pv: vec![cell],
                    proof: Proof::None,
                })
            },
        )
    }
}

impl tetris::Policy for Retold<dyn tetris::Policy> {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(
        &mut self,
        position: &tetris::Position<'_>,
        budget: &Budget,
    ) -> Option<tetris::Choice> {
        self.answer(
            |p| p.choose(position, budget),
            |c| {
                let at = c.placement;
                json!({
                    "kind": at.kind.letter(), "turn": at.turn, "left": at.left,
                    "score": c.value, "nodes": c.nodes,
                })
            },
            |v| {
                let kind = Kind::from_letter(v["kind"].as_str()?.chars().next()?)?;
                Some(tetris::Choice {
                    placement: Placement {
                        kind,
                        turn: whole(&v["turn"])?,
                        left: whole(&v["left"])?,
                    },
                    value: score(v),
                    nodes: nodes(v),
                    features: Vec::new(),
                    next_placement: None,
                    alternatives: Vec::new(),
                })
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::is_retold;

    #[test]
    fn who_may_answer_otherwise() {
        for retold in [
            "jsonl:./bot",
            "piskvork:pbrain",
            "search:threads=4,memory=64",
        ] {
            assert!(is_retold(retold), "{retold}");
        }
        for again in ["search", "search:threads=1", "optimal", "minimax:depth=3"] {
            assert!(!is_retold(again), "{again}");
        }
    }
}
