//! Connect-4 as the loop sees it: discs fall, a move is a column.
//!
//! Gives the rules on boards of kinds, the policy's view of a position and the ways to make a
//! move. Must never judge what was seen: that is the duel's agent.

use super::NAME;
use super::policies::Connect4Policy;
use super::rules::{Board, MAX_SIDE, column_of, letter};
use crate::games::duel::agent::DuelAgent;
use crate::games::duel::grid::{EMPTY, Grid};
use crate::games::duel::rules::Rules;
use crate::games::duel::seat::{Chosen, Position, Seat};
use crate::games::duel::sides::Who;
use crate::types::{Agent, Budget, Cell, Control, GridSize};

/// Fewer columns or rows are no board on a screen.
const LEAST_SIDE: u16 = 4;

/// How a move is made.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Controls {
    /// By clicking the hole in which the disc comes to lie.
    #[default]
    Hole,
    /// By clicking the uppermost hole of the column.
    Top,
    /// By a key for each column, from the left.
    Keys(Vec<String>),
    /// By moving a cursor over the columns.
    Cursor(Cursor),
}

/// A cursor over the columns that keys move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Moves it a column to the left.
    pub left: String,
    /// Moves it a column to the right.
    pub right: String,
    /// Drops the disc.
    pub drop: String,
    /// Where it stands before a move.
    pub stands: Stands,
}

/// Where a cursor stands before a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stands {
    /// Anywhere: it is moved to the nearer edge first, where it stops.
    #[default]
    Anywhere,
    /// Over the disc that fell last; over the middle column when none has.
    Last,
    /// Always over the middle column.
    Middle,
}

/// What differs from one program to another.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentOptions {
    /// How many in a row win.
    pub row: u16,
    /// How a move is made.
    pub controls: Controls,
    /// Who is who, as far as it is said.
    pub who: Who,
}

impl Default for AgentOptions {
    fn default() -> Self {
        Self {
            row: 4,
            controls: Controls::default(),
            who: Who::default(),
        }
    }
}

/// An agent that has seen no board yet.
#[must_use]
pub fn agent(policy: Box<dyn Connect4Policy>, options: AgentOptions) -> Box<dyn Agent> {
    let seat = Connect4 {
        rules: Falling { row: options.row },
        policy,
        controls: options.controls,
    };
    Box::new(DuelAgent::new(Box::new(seat), options.who))
}

/// The rules on boards of kinds.
#[derive(Clone, Copy, Debug)]
struct Falling {
    row: u16,
}

fn below(grid: &Grid, at: Cell) -> Option<Cell> {
    let under = Cell::new(at.col, at.row + 1);
    (under.row < grid.size().rows).then_some(under)
}

fn above(at: Cell) -> Option<Cell> {
    Some(Cell::new(at.col, at.row.checked_sub(1)?))
}

impl Rules for Falling {
    fn game(&self) -> &'static str {
        NAME
    }

    fn allows(&self, size: GridSize) -> bool {
        let sides = LEAST_SIDE..=MAX_SIDE;
        sides.contains(&size.cols)
            && sides.contains(&size.rows)
            && self.row <= size.cols.max(size.rows)
    }

    fn may_put(&self, grid: &Grid, at: Cell) -> bool {
        grid.at(at) == EMPTY && below(grid, at).is_none_or(|under| grid.at(under) != EMPTY)
    }

    fn may_lift(&self, grid: &Grid, at: Cell) -> bool {
        grid.at(at) != EMPTY && above(at).is_none_or(|over| grid.at(over) == EMPTY)
    }

    fn hangs(&self, grid: &Grid, at: Cell) -> bool {
        grid.at(at) != EMPTY && below(grid, at).is_some_and(|under| grid.at(under) == EMPTY)
    }

    fn wins(&self, run: usize) -> bool {
        run >= usize::from(self.row)
    }

    fn action(&self, at: Cell) -> String {
        letter(at.col.into()).to_string()
    }

    fn place(&self, grid: &Grid, action: &str) -> Option<Cell> {
        let col = u16::try_from(column_of(action.chars().next()?)?).ok()?;
        let rows = (0..grid.size().rows).rev().map(|row| Cell::new(col, row));
        (col < grid.size().cols)
            .then(|| rows.into_iter().find(|&at| self.may_put(grid, at)))
            .flatten()
    }
}

struct Connect4 {
    rules: Falling,
    policy: Box<dyn Connect4Policy>,
    controls: Controls,
}

impl Connect4 {
    /// The position as the rules have it: by its moves where they are known.
    fn board(&self, position: Position<'_>) -> Result<Board, String> {
        let row = self.rules.row;
        let Some(plies) = position.plies else {
            return Board::from_rows(&position.rows(), row).map_err(|e| e.to_string());
        };
        let mut board = Board::new(position.grid.size(), row).map_err(|e| e.to_string())?;
        for ply in plies {
            board.play(ply.at.col.into()).map_err(|e| e.to_string())?;
        }
        Ok(board)
    }
}

impl Seat for Connect4 {
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
        let action = letter(choice.column).to_string();
        let place = self.rules.place(position.grid, &action);
        Ok(Chosen {
            at: place.ok_or_else(|| format!("the policy's column {action} is full"))?,
            score: choice.score,
            nodes: choice.nodes,
            note: choice.note,
        })
    }

    fn controls(&self, position: Position<'_>, at: Cell) -> Vec<Control> {
        match &self.controls {
            Controls::Hole => vec![Control::Cell(at)],
            Controls::Top => vec![Control::Cell(Cell::new(at.col, 0))],
            Controls::Keys(keys) => keys
                .get(usize::from(at.col))
                .map(|key| Control::Key(key.clone()))
                .into_iter()
                .collect(),
            Controls::Cursor(cursor) => {
                let middle = (position.grid.size().cols - 1) / 2;
                let from = match cursor.stands {
                    Stands::Anywhere => return cursor.walk_from_edge(position.grid.size(), at.col),
                    Stands::Last => position.last.map_or(middle, |p| p.at.col),
                    Stands::Middle => middle,
                };
                cursor.keys(from, at.col)
            }
        }
    }

    fn again(&self, position: Position<'_>, at: Cell) -> Vec<Control> {
        match &self.controls {
            // Some of the keys may have arrived.
            Controls::Cursor(cursor) => cursor.walk_from_edge(position.grid.size(), at.col),
            _ => self.controls(position, at),
        }
    }
}

impl Cursor {
    fn keys(&self, from: u16, to: u16) -> Vec<Control> {
        let way = match to < from {
            true => &self.left,
            false => &self.right,
        };
        let moves = std::iter::repeat_n(way, from.abs_diff(to).into());
        let all = moves.chain(std::iter::once(&self.drop));
        all.map(|key| Control::Key(key.clone())).collect()
    }

    /// From the nearer edge, which it reaches from anywhere.
    fn walk_from_edge(&self, size: GridSize, to: u16) -> Vec<Control> {
        let last = size.cols - 1;
        let (way, edge) = match to <= last - to {
            true => (&self.left, 0),
            false => (&self.right, last),
        };
        let mut all = vec![Control::Key(way.clone()); last.into()];
        all.extend(self.keys(edge, to));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect4::policies::Minimax;
    use crate::games::duel::Side;
    use crate::games::duel::grid::Piece;
    use crate::types::{Control, Stop};

    const SIZE: GridSize = GridSize::new(7, 6);

    fn seat(controls: Controls) -> Connect4 {
        Connect4 {
            rules: Falling { row: 4 },
            policy: Box::new(Minimax::new(4, 0.2, false)),
            controls,
        }
    }

    /// A board after these columns, with kinds 1 and 2 in turn, and its moves.
    fn played(columns: &str) -> (Grid, Vec<Piece>) {
        let (mut grid, mut plies) = (Grid::new(SIZE), Vec::new());
        for (i, c) in columns.chars().enumerate() {
            let rules = Falling { row: 4 };
            let at = rules.place(&grid, &c.to_string()).expect("a free column");
            let kind = i as u8 % 2 + 1;
            grid.set(at, kind);
            plies.push(Piece { at, kind });
        }
        (grid, plies)
    }

    fn position<'a>(grid: &'a Grid, plies: &'a [Piece], whole: bool) -> Position<'a> {
        Position {
            grid,
            first: Some(1),
            turn: match plies.len() % 2 {
                0 => Side::First,
                _ => Side::Second,
            },
            plies: whole.then_some(plies),
            last: plies.last().copied(),
        }
    }

    fn keys(controls: &[Control]) -> String {
        let name = |c: &Control| match c {
            Control::Key(name) => name.clone(),
            other => format!("{other:?}"),
        };
        controls.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn discs_fall_to_the_lowest_free_hole() {
        let rules = Falling { row: 4 };
        let (grid, _) = played("4453");
        assert_eq!(rules.place(&grid, "4"), Some(Cell::new(3, 3)));
        assert_eq!(rules.place(&grid, "1"), Some(Cell::new(0, 5)));
        assert_eq!(rules.place(&grid, "8"), None);
        assert_eq!(rules.place(&grid, ""), None);
        assert!(rules.may_put(&grid, Cell::new(3, 3)) && !rules.may_put(&grid, Cell::new(3, 2)));
        assert!(rules.may_lift(&grid, Cell::new(3, 4)) && !rules.may_lift(&grid, Cell::new(3, 5)));
        let flying = grid.with(Piece {
            at: Cell::new(0, 2),
            kind: 1,
        });
        assert!(rules.hangs(&flying, Cell::new(0, 2)) && !rules.hangs(&grid, Cell::new(3, 4)));
        let (full, _) = played("111111");
        assert_eq!(rules.place(&full, "1"), None);
        assert!(rules.allows(SIZE) && !rules.allows(GridSize::new(3, 6)));
    }

    #[test]
    fn the_policy_sees_the_same_position_with_and_without_its_moves() {
        let budget = Budget {
            time: None,
            nodes: Some(50_000),
            seed: 0,
            stop: Stop::new(),
            ..Budget::default()
        };
        let (grid, plies) = played("445566");
        let mut seat = seat(Controls::Hole);
        for whole in [true, false] {
            let chosen = seat.think(position(&grid, &plies, whole), &budget);
            let at = chosen.expect("a move").at;
            assert!(
                [Cell::new(2, 5), Cell::new(6, 5)].contains(&at),
                "{at:?} wins"
            );
        }
        let odd = grid.with(Piece {
            at: Cell::new(0, 5),
            kind: 2,
        });
        let why = seat.think(position(&odd, &plies, false), &budget);
        assert!(why.expect_err("no such game").contains("moves first"));
    }

    #[test]
    fn a_move_is_a_click_or_keys() {
        let (grid, plies) = played("6");
        let at = Cell::new(1, 5);
        let made = |controls: Controls| seat(controls).controls(position(&grid, &plies, true), at);
        assert_eq!(made(Controls::Hole), [Control::Cell(at)]);
        assert_eq!(made(Controls::Top), [Control::Cell(Cell::new(1, 0))]);
        let letters = "abcdefg".chars().map(String::from).collect();
        assert_eq!(keys(&made(Controls::Keys(letters))), "b");
        let cursor = |stands| {
            Controls::Cursor(Cursor {
                left: "L".into(),
                right: "R".into(),
                drop: "D".into(),
                stands,
            })
        };
        assert_eq!(keys(&made(cursor(Stands::Last))), "L L L L D");
        assert_eq!(keys(&made(cursor(Stands::Middle))), "L L D");
        assert_eq!(keys(&made(cursor(Stands::Anywhere))), "L L L L L L R D");
        let tracked = seat(cursor(Stands::Last));
        let again = tracked.again(position(&grid, &plies, true), Cell::new(5, 4));
        assert_eq!(
            keys(&again),
            "R R R R R R L D",
            "nothing is known of the cursor"
        );
    }
}
