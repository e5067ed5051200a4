//! A brain as a policy of five in a row, with a policy of ours behind it: for whoever has a board
//! and not a game.

use super::duel::Outsider;
use super::share::Share;
use super::takeover::Reports;
use crate::games::duel::Duel;
use crate::games::gomoku::duel;
use crate::games::gomoku::policies::{Choice, GomokuPolicy, Proof};
use crate::games::gomoku::rules::{Board, Square, Stone, action, parse_action};
use crate::types::{Budget, Cell};

/// A policy in another process.
pub struct GomokuBrain {
    outsider: Box<dyn Outsider>,
    fallback: Box<dyn GomokuPolicy>,
    reports: Reports,
}

impl GomokuBrain {
    /// `fallback` makes the move whenever the outsider does not.
    #[must_use]
    pub fn new(outsider: Box<dyn Outsider>, fallback: Box<dyn GomokuPolicy>) -> Self {
        Self {
            reports: Reports::new(fallback.name()),
            outsider,
            fallback,
        }
    }
}

impl GomokuPolicy for GomokuBrain {
    fn name(&self) -> &str {
        self.outsider.name()
    }

    fn decide(&mut self, board: &Board, budget: &Budget) -> Option<Choice> {
        if board.is_over() {
            return None;
        }
        let share = Share::with_fallback(budget);
        let Some(game) = game_of(board) else {
            tracing::debug!(
                "no game leads to this position; {} moves",
                self.fallback.name()
            );
            return self.fallback.decide(board, budget);
        };
        match self.outsider.try_choose(game.as_ref(), budget, &share) {
            Ok(thought) => {
                self.reports.answered();
                let cell = parse_action(&thought.action, board.size())?;
                Some(Choice {
                    cell,
                    score: thought.score.unwrap_or(0.0),
                    nodes: thought.nodes,
                    depth: 0,
                    pv: vec![cell],
                    proof: Proof::None,
                })
            }
            Err(failure) => {
                self.reports.takes_over(&failure);
                self.fallback.decide(board, &share.rest(budget))
            }
        }
    }
}

/// A game that leads to a board: by its own moves, or if it was set up, by its stones in turn.
/// `None` when the stones are too many of one colour, or some cells are blocked.
#[must_use]
pub fn game_of(board: &Board) -> Option<Box<dyn Duel>> {
    let fresh = duel(board.size(), board.rule()).ok()?;
    let leads_there = |moves: Vec<Cell>| {
        let mut game = fresh.fresh();
        let played = moves.into_iter().all(|c| game.play(&action(c)).is_ok());
        (played && game.board() == board.text()).then_some(game)
    };
    if let Some(game) = leads_there(board.moves().to_vec()) {
        return Some(game);
    }
    let of = |stone: Stone| {
        let is = move |c: &Cell| board.at(*c) == Square::Stone(stone);
        board.size().cells().filter(is)
    };
    let mut second = of(Stone::O);
    let mut moves = Vec::new();
    for cell in of(Stone::X) {
        moves.push(cell);
        moves.extend(second.next());
    }
    let game = leads_there(moves)?;
    let turn = match game.moves().len() % 2 {
        0 => Stone::X,
        _ => Stone::O,
    };
    (turn == board.to_move()).then_some(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::rules::{Rule, parse_position};
    use crate::types::GridSize;

    fn game(text: &str) -> Option<Box<dyn Duel>> {
        let size = GridSize::new(7, 5);
        game_of(&parse_position(text, 1, size, Rule::FiveOrMore).expect("a position"))
    }

    #[test]
    fn boards_become_games() {
        let moved = game("0,0 3,3 1,0").expect("its moves");
        assert_eq!(moved.moves(), ["0,0", "3,3", "1,0"]);
        let seen = game("......./..X.O../...X.../....O../..X....").expect("its stones");
        assert_eq!(seen.moves().len(), 5);
        assert_eq!(seen.board().0, "......./..X.O../...X.../....O../..X....");
        assert!(
            game("......./XXX..../......./......./....... O").is_none(),
            "too many"
        );
        assert!(
            game("......./X.#..../......./......./....O..").is_none(),
            "blocked"
        );
    }
}
