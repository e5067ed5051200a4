//! The reference's evaluator: `G = M + a*N`, M what the mover gains by a stone on a cell, N what
//! the other side would gain there; the largest G, then the largest column, then the largest row.

use std::ops::RangeInclusive;

use super::{Choice, GomokuPolicy, Proof};
use crate::games::gomoku::rules::{Board, Rule, Square, Stone};
use crate::games::spec::{Spec, SpecError};
use crate::types::{Budget, Cell, GridSize};

/// A window with five stones of the mover's own.
const OWN_FIVE: f64 = 10_000.0;
/// A window with five stones of the other side's.
const OTHER_FIVE: f64 = 1_000.0;

/// Which windows count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Windows {
    /// Those of five cells.
    #[default]
    Full,
    /// Also what the border leaves of the others.
    Truncated,
}

/// The policy `evaluator`.
#[derive(Clone, Debug)]
pub struct Evaluator {
    a: f64,
    windows: Windows,
    win: Option<Rule>,
}

/// What a candidate is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// The cell.
    pub cell: Cell,
    /// `M`: what the side to move gains there.
    pub own: f64,
    /// `N`: what the other side would gain there.
    pub other: f64,
    /// `G = M + a*N`.
    pub value: f64,
}

impl Default for Evaluator {
    fn default() -> Self {
        Self {
            a: Self::COEFFICIENT,
            windows: Windows::Full,
            win: None,
        }
    }
}

impl Evaluator {
    /// The reference's `a`.
    pub const COEFFICIENT: f64 = 0.8;
    /// What `a` may be.
    pub const COEFFICIENTS: RangeInclusive<f64> = 0.1..=3.6;

    /// `a` weighs the other side's gain; `win` is when it takes the game to be over (the board's
    /// own rule if `None`).
    #[must_use]
    pub const fn new(a: f64, windows: Windows, win: Option<Rule>) -> Self {
        Self { a, windows, win }
    }

    pub(super) fn from_spec(spec: &mut Spec) -> Result<Self, SpecError> {
        let a = spec.number("a", Self::COEFFICIENT, Self::COEFFICIENTS)?;
        let windows = match spec.word("windows", &["full", "truncated"])? {
            0 => Windows::Full,
            _ => Windows::Truncated,
        };
        let win = match spec.take("win") {
            None => None,
            Some(name) => Some(Rule::by_name(&name).ok_or_else(|| {
                spec.error(format!("win={name}: allowed is one of exact, five-or-more"))
            })?),
        };
        Ok(Self::new(a, windows, win))
    }

    /// What a stone of this colour on an empty cell gains; `five` is the weight of five in a row.
    #[must_use]
    pub fn gain(&self, board: &Board, cell: Cell, stone: Stone, five: f64) -> f64 {
        let mut sum = 0.0;
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for first in -4..=0 {
                let cells = (first..first + 5).filter_map(|k| {
                    let col = u16::try_from(i32::from(cell.col) + k * dx).ok()?;
                    let row = u16::try_from(i32::from(cell.row) + k * dy).ok()?;
                    let GridSize { cols, rows } = board.size();
                    (col < cols && row < rows).then(|| Cell::new(col, row))
                });
                sum += self.window(board, cells, cell, stone, five);
            }
        }
        sum
    }

    fn window(
        &self,
        board: &Board,
        cells: impl Iterator<Item = Cell>,
        at: Cell,
        stone: Stone,
        five: f64,
    ) -> f64 {
        let (mut length, mut stones) = (0, 0);
        for cell in cells {
            length += 1;
            match board.at(cell) {
                _ if cell == at => stones += 1,
                Square::Empty => {}
                Square::Stone(s) if s == stone => stones += 1,
                Square::Stone(_) | Square::Blocked => return 0.0,
            }
        }
        match stones {
            _ if length < 5 && self.windows == Windows::Full => 0.0,
            0 | 1 => 0.0,
            5 => five,
            n => 3f64.powi(n),
        }
    }

    /// `G` of an empty cell.
    #[must_use]
    pub fn value(&self, board: &Board, cell: Cell) -> f64 {
        self.weight(board, cell).value
    }

    /// `G` of an empty cell with its parts.
    fn weight(&self, board: &Board, cell: Cell) -> Weight {
        let stone = board.to_move();
        let own = self.gain(board, cell, stone, OWN_FIVE);
        let other = self.gain(board, cell, stone.other(), OTHER_FIVE);
        let value = own + self.a * other;
        Weight {
            cell,
            own,
            other,
            value,
        }
    }

    /// All candidates with their values; none in a game that is over.
    #[must_use]
    pub fn weigh(&self, board: &Board) -> Vec<Weight> {
        let weigh = |cell| self.weight(board, cell);
        match board.is_over() {
            true => Vec::new(),
            false => candidates(board).map(weigh).collect(),
        }
    }
}

/// Empty cells with a stone among their eight neighbours.
fn candidates(board: &Board) -> impl Iterator<Item = Cell> + '_ {
    let near = |cell: Cell| {
        (-1..=1).any(|dy: i32| {
            (-1..=1).any(|dx: i32| {
                let col = u16::try_from(i32::from(cell.col) + dx).unwrap_or(u16::MAX);
                let row = u16::try_from(i32::from(cell.row) + dy).unwrap_or(u16::MAX);
                matches!(board.at(Cell::new(col, row)), Square::Stone(_))
            })
        })
    };
    let empty = |cell: &Cell| board.at(*cell) == Square::Empty;
    board.size().cells().filter(empty).filter(move |&c| near(c))
}

impl GomokuPolicy for Evaluator {
    fn name(&self) -> &'static str {
        "evaluator"
    }

    fn decide(&mut self, board: &Board, _: &Budget) -> Option<Choice> {
        let judged = match self.win {
            Some(rule) if rule != board.rule() => {
                let squares = board.squares().to_vec();
                Board::from_squares(board.size(), rule, squares, board.to_move()).ok()?
            }
            _ => board.clone(),
        };
        if judged.is_over() || board.is_over() {
            return None;
        }
        let mut nodes = 0;
        let mut best: Option<(f64, Cell)> = None;
        for cell in candidates(board) {
            nodes += 1;
            let value = self.value(board, cell);
            // The larger cell also wins a tie: Cell orders by column, then by row.
            if best.is_none_or(|b| value > b.0 || value == b.0 && cell > b.1) {
                best = Some((value, cell));
            }
        }
        let (score, cell) = best.or_else(|| Some((0.0, alone(board)?)))?;
        Some(Choice {
            cell,
            score,
            nodes,
            depth: 1,
            pv: vec![cell],
            proof: Proof::None,
        })
    }
}

/// Where to play when no empty cell has a neighbour (the reference never moves first): the middle,
/// or the empty cell nearest to it.
fn alone(board: &Board) -> Option<Cell> {
    let size = board.size();
    let middle = Cell::new(size.cols / 2, size.rows / 2);
    size.cells()
        .filter(|&c| board.at(c) == Square::Empty)
        .min_by_key(|c| c.col.abs_diff(middle.col).max(c.row.abs_diff(middle.row)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::policies::by_name;
    use crate::games::gomoku::rules::parse_position;

    fn board(text: &str) -> Board {
        parse_position(text, 1, GridSize::new(10, 10), Rule::FiveOrMore).expect("a position")
    }

    fn chosen(policy: &str, text: &str) -> (Cell, f64) {
        let budget = Budget::default();
        let mut policy = by_name(policy).expect("a policy");
        let choice = policy.decide(&board(text), &budget).expect("a move");
        (choice.cell, choice.score)
    }

    #[test]
    fn one_stone_in_the_middle() {
        // A neighbour of the stone: four windows of five hold both, 9 each, times 0.8.
        let b = board("5,5");
        let policy = Evaluator::default();
        assert_eq!(policy.value(&b, Cell::new(5, 4)), 0.8 * 36.0);
        assert_eq!(policy.value(&b, Cell::new(4, 4)), 0.8 * 36.0);
        // All eight are equal: the largest column, then the largest row.
        assert_eq!(chosen("evaluator", "5,5"), (Cell::new(6, 6), 0.8 * 36.0));
    }

    #[test]
    fn windows_at_the_border() {
        // X at 1,0: from 0,0 the only full window along the row is 0-4. Cut short are those that
        // begin at -1, -2 and -3 (cells 0-3, 0-2, 0-1), which hold both stones, too.
        let b = board("1,0");
        let at = Cell::new(0, 0);
        let truncated = Evaluator::new(1.0, Windows::Truncated, None);
        assert_eq!(Evaluator::new(1.0, Windows::Full, None).value(&b, at), 9.0);
        assert_eq!(truncated.value(&b, at), 36.0);
    }

    #[test]
    fn own_five_before_the_other_sides_and_four_before_three() {
        // X to move has four in a row 1-4 open at both ends, and O has four 1-4 in row 5.
        let text = "10x10:1,1 1,5 2,1 2,5 3,1 3,5 4,1 4,5";
        let b = board(text);
        let policy = Evaluator::default();
        // 5,1: windows 1-5 (five: 10000), 2-6 (81), 3-7 (27), 4-8 (9), 5-9 (nothing but itself).
        let own = 10_000.0 + 81.0 + 27.0 + 9.0;
        assert_eq!(policy.gain(&b, Cell::new(5, 1), Stone::X, 10_000.0), own);
        // 5,5 likewise for the other side with 1000; the diagonal's window 1-5 holds X's 1,1.
        let other = 1_000.0 + 81.0 + 27.0 + 9.0;
        assert_eq!(policy.value(&b, Cell::new(5, 5)), 9.0 + 0.8 * other);
        // O would gain 9 there: one window of its diagonal holds 1,5.
        let value = own + 0.8 * 9.0;
        assert_eq!(chosen("evaluator", text), (Cell::new(5, 1), value));
        // With a above 10000/1000 it would defend; 3.6 does not.
        assert_eq!(chosen("evaluator:a=3.6", text).0, Cell::new(5, 1));
    }

    #[test]
    fn a_window_with_an_opposing_stone_is_nothing() {
        // X at 4,4 and 5,4, O at 6,4: for X a stone on 3,4 has windows 1-5 (27), 2-6 no, 0-4 (9),
        // -1 outside; on column 3 nothing else.
        let b = board("4,4 6,4 5,4 9,9");
        let policy = Evaluator::default();
        let gain = policy.gain(&b, Cell::new(3, 4), Stone::X, 10_000.0);
        assert_eq!(gain, 27.0 + 9.0);
    }

    #[test]
    fn the_win_rule_says_when_the_game_is_over() {
        let budget = Budget::default();
        let text = format!("XXXXXX..../OOOO.O....{} X", "/..........".repeat(8));
        let read =
            |rule| parse_position(&text, 1, GridSize::new(10, 10), rule).expect("a position");
        let mut plain = Evaluator::default();
        assert!(plain.decide(&read(Rule::Exact), &budget).is_some());
        assert!(plain.decide(&read(Rule::FiveOrMore), &budget).is_none());
        let mut strict = by_name("evaluator:win=five-or-more").expect("a policy");
        assert!(strict.decide(&read(Rule::Exact), &budget).is_none());
        let error = by_name("evaluator:win=six").err().expect("an error");
        assert!(error.to_string().contains("exact, five-or-more"), "{error}");
    }

    #[test]
    fn an_empty_board_has_a_move() {
        assert_eq!(chosen("evaluator", "10x10:").0, Cell::new(5, 5));
    }
}
