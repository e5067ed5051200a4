//! Five in a row as the loop sees it: a stone may be put on any empty crossing.
//!
//! Gives the rules on boards of kinds, the policy's view of a position and the way to make a move.
//! Must never judge what was seen: that is the duel's agent.

use super::policies::GomokuPolicy;
use super::rules::{Board, Rule, SIDES, Square, Stone, action, parse_action};
use crate::games::duel::Side;
use crate::games::duel::agent::DuelAgent;
use crate::games::duel::grid::{EMPTY, Grid};
use crate::games::duel::rules::Rules;
use crate::games::duel::seat::{Chosen, Position, Seat};
use crate::games::duel::sides::Who;
use crate::types::{Agent, Budget, Cell, Control, GridSize};

/// What differs from one program to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AgentOptions {
    /// How many in a row win.
    pub rule: Rule,
    /// Who is who, as far as it is said.
    pub who: Who,
}

/// An agent that has seen no board yet.
#[must_use]
pub fn agent(policy: Box<dyn GomokuPolicy>, options: AgentOptions) -> Box<dyn Agent> {
    let seat = Gomoku {
        rules: Anywhere { rule: options.rule },
        policy,
    };
    Box::new(DuelAgent::new(Box::new(seat), options.who))
}

/// The rules on boards of kinds.
#[derive(Clone, Copy, Debug)]
struct Anywhere {
    rule: Rule,
}

impl Rules for Anywhere {
    fn game(&self) -> &'static str {
        super::NAME
    }

    fn allows(&self, size: GridSize) -> bool {
        SIDES.contains(&size.cols) && SIDES.contains(&size.rows)
    }

    fn may_put(&self, grid: &Grid, at: Cell) -> bool {
        let size = grid.size();
        at.col < size.cols && at.row < size.rows && grid.at(at) == EMPTY
    }

    fn may_lift(&self, grid: &Grid, at: Cell) -> bool {
        grid.at(at) != EMPTY
    }

    fn hangs(&self, _: &Grid, _: Cell) -> bool {
        false
    }

    fn wins(&self, run: usize) -> bool {
        self.rule.wins(u32::try_from(run).unwrap_or(u32::MAX))
    }

    fn action(&self, at: Cell) -> String {
        action(at)
    }

    fn place(&self, grid: &Grid, action: &str) -> Option<Cell> {
        parse_action(action, grid.size()).filter(|&at| self.may_put(grid, at))
    }
}

struct Gomoku {
    rules: Anywhere,
    policy: Box<dyn GomokuPolicy>,
}

impl Gomoku {
    /// The position as the rules have it: by its moves where they are known.
    fn board(&self, position: Position<'_>) -> Result<Board, String> {
        let (size, rule) = (position.grid.size(), self.rules.rule);
        if let Some(plies) = position.plies {
            let mut board = Board::new(size, rule).map_err(|e| e.to_string())?;
            for ply in plies {
                board.play(ply.at).map_err(|e| e.to_string())?;
            }
            return Ok(board);
        }
        let square = |kind: &u8| match *kind {
            EMPTY => Square::Empty,
            kind if Some(kind) == position.first => Square::Stone(Stone::X),
            _ => Square::Stone(Stone::O),
        };
        let squares = position.grid.kinds().iter().map(square).collect();
        let to_move = match position.turn {
            Side::First => Stone::X,
            Side::Second => Stone::O,
        };
        Board::from_squares(size, rule, squares, to_move).map_err(|e| e.to_string())
    }
}

impl Seat for Gomoku {
    fn rules(&self) -> &dyn Rules {
        &self.rules
    }

    fn policy(&self) -> &str {
        self.policy.name()
    }

    fn think(&mut self, position: Position<'_>, budget: &Budget) -> Result<Chosen, String> {
        let board = self.board(position)?;
        let choice = self.policy.decide(&board, budget);
        let choice = choice.ok_or_else(|| "the policy knows no move".to_owned())?;
        Ok(Chosen {
            at: choice.cell,
            score: choice.score,
            nodes: choice.nodes,
            note: choice.note(),
        })
    }

    fn controls(&self, _: Position<'_>, at: Cell) -> Vec<Control> {
        vec![Control::Cell(at)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::duel::grid::Piece;
    use crate::games::gomoku::policies::by_name;
    use crate::types::Stop;

    #[test]
    fn the_policy_sees_the_same_position_with_and_without_its_moves() {
        let size = GridSize::new(9, 9);
        let cells = [
            (4, 4),
            (0, 0),
            (5, 4),
            (8, 0),
            (6, 4),
            (0, 8),
            (3, 4),
            (2, 4),
        ];
        let (mut grid, mut plies) = (Grid::new(size), Vec::new());
        for (i, (col, row)) in cells.into_iter().enumerate() {
            let piece = Piece {
                at: Cell::new(col, row),
                kind: 2 - i as u8 % 2,
            };
            grid.set(piece.at, piece.kind);
            plies.push(piece);
        }
        let budget = Budget {
            time: None,
            nodes: Some(10_000),
            seed: 0,
            stop: Stop::new(),
            ..Budget::default()
        };
        let mut seat = Gomoku {
            rules: Anywhere {
                rule: Rule::FiveOrMore,
            },
            policy: by_name("evaluator").expect("a policy"),
        };
        let mut asked = |plies| {
            let position = Position {
                grid: &grid,
                first: Some(2),
                turn: Side::First,
                plies,
                last: None,
            };
            seat.think(position, &budget).expect("a move").at
        };
        assert_eq!(asked(Some(&plies[..])), Cell::new(7, 4), "five");
        assert_eq!(asked(None), Cell::new(7, 4), "five");
    }

    #[test]
    fn any_free_crossing_is_a_place() {
        let rules = Anywhere { rule: Rule::Exact };
        let mut grid = Grid::new(GridSize::new(6, 5));
        grid.set(Cell::new(2, 1), 1);
        assert_eq!(rules.place(&grid, "2,2"), Some(Cell::new(2, 2)));
        assert_eq!(rules.place(&grid, "2,1"), None, "taken");
        assert_eq!(rules.place(&grid, "6,1"), None, "outside");
        assert_eq!(rules.place(&grid, "pass"), None);
        assert!(rules.wins(5) && !rules.wins(6) && !rules.wins(4));
        assert!(!rules.allows(GridSize::new(4, 8)) && rules.allows(GridSize::new(8, 22)));
    }
}
