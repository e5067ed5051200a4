//! A brain as a policy of Connect-4, with a policy of ours behind it: for whoever has a board and
//! not a game.

use std::collections::HashSet;

use super::duel::Outsider;
use super::share::Share;
use super::takeover::Reports;
use crate::games::connect4::duel;
use crate::games::connect4::policies::{Choice, Connect4Policy};
use crate::games::connect4::rules::{Board, Disc, column_of, letter};
use crate::games::duel::Duel;
use crate::types::Budget;

/// A policy in another process.
pub struct Connect4Brain {
    outsider: Box<dyn Outsider>,
    fallback: Box<dyn Connect4Policy>,
    reports: Reports,
    /// The last game, which the next board mostly goes on from.
    last: Option<Box<dyn Duel>>,
}

impl Connect4Brain {
    /// `fallback` makes the move whenever the outsider does not.
    #[must_use]
    pub fn new(outsider: Box<dyn Outsider>, fallback: Box<dyn Connect4Policy>) -> Self {
        Self {
            reports: Reports::new(fallback.name()),
            outsider,
            fallback,
            last: None,
        }
    }
}

impl Connect4Policy for Connect4Brain {
    fn name(&self) -> &str {
        self.outsider.name()
    }

    fn decide(&mut self, board: &Board, budget: &Budget) -> Option<Choice> {
        if board.is_over() {
            return None;
        }
        let share = Share::with_fallback(budget);
        let known = self.last.take();
        let Some(game) = known
            .and_then(|g| continued(g, board))
            .or_else(|| game_of(board))
        else {
            tracing::debug!(
                "no game leads to this position; {} moves",
                self.fallback.name()
            );
            return self.fallback.decide(board, budget);
        };
        let chosen = self.outsider.try_choose(game.as_ref(), budget, &share);
        self.last = Some(game);
        match chosen {
            Ok(thought) => {
                self.reports.answered();
                Some(Choice {
                    column: thought.action.chars().next().and_then(column_of)?,
                    score: thought.score.unwrap_or(0.0),
                    bounds: None,
                    nodes: thought.nodes,
                    note: thought.note,
                    columns: None,
                })
            }
            Err(failure) => {
                let note = self.reports.takes_over(&failure);
                let mut choice = self.fallback.decide(board, &share.rest(budget))?;
                choice.note = format!("{note}; {}", choice.note);
                Some(choice)
            }
        }
    }
}

/// The same game, if one or two more discs lead from it to a board.
fn continued(game: Box<dyn Duel>, board: &Board) -> Option<Box<dyn Duel>> {
    let replayed = |more: &[String]| {
        let mut copy = game.fresh();
        let mut all = game.moves().iter().chain(more);
        (all.all(|m| copy.play(m).is_ok()) && copy.board() == board.text()).then_some(copy)
    };
    let columns: Vec<String> = (0..usize::from(board.size().cols))
        .map(|c| letter(c).to_string())
        .collect();
    let one = columns.iter().map(|a| vec![a.clone()]);
    let two = columns
        .iter()
        .flat_map(|a| columns.iter().map(|b| vec![a.clone(), b.clone()]));
    std::iter::once(Vec::new())
        .chain(one)
        .chain(two)
        .find_map(|more| replayed(&more))
}

/// Positions that are looked at before a board counts as one that no game leads to.
const MOST: usize = 200_000;

/// Some game that leads to a board; `None` when none was found.
#[must_use]
pub fn game_of(board: &Board) -> Option<Box<dyn Duel>> {
    let mut game = duel(board.size(), board.row()).ok()?;
    let cols = usize::from(board.size().cols);
    let discs: usize = (0..cols).map(|c| board.height(c)).sum();
    let mut heights = vec![0; cols];
    let (mut order, mut tried): (Vec<usize>, Vec<usize>) = (Vec::new(), vec![0]);
    let mut seen: HashSet<Vec<usize>> = HashSet::new();
    while order.len() < discs {
        let whose = match order.len() % 2 {
            0 => Disc::First,
            _ => Disc::Second,
        };
        let from = *tried.last()?;
        let fits =
            |&c: &usize| heights[c] < board.height(c) && board.at(c, heights[c]) == Some(whose);
        if let Some(column) = (from..cols).find(fits) {
            *tried.last_mut()? = column + 1;
            heights[column] += 1;
            if seen.len() < MOST && seen.insert(heights.clone()) {
                order.push(column);
                tried.push(0);
            } else {
                heights[column] -= 1;
            }
        } else {
            tried.pop();
            heights[order.pop()?] -= 1;
        }
    }
    for column in order {
        game.play(&letter(column).to_string()).ok()?;
    }
    (game.board() == board.text()).then_some(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect4::rules::parse_position;

    #[test]
    fn boards_become_games() {
        for line in ["", "444", "12345671234567", "445362211", "1122334"] {
            let board = parse_position(line).expect("a position");
            // Only what is seen is known.
            let seen = parse_position(&board.text().0).expect("its own text");
            let game = game_of(&seen).expect("a game");
            assert_eq!(game.board(), board.text(), "{line}");
            assert_eq!(game.moves().len(), line.len());
        }
    }

    #[test]
    fn a_game_goes_on() {
        let board = |line: &str| parse_position(line).expect("a position");
        let game = game_of(&board("44")).expect("a game");
        let game = continued(game, &board("4435")).expect("two discs more");
        assert_eq!(game.moves().concat(), "4435");
        let game = continued(game, &board("4435")).expect("the same");
        assert!(continued(game, &board("1")).is_none());
    }
}
