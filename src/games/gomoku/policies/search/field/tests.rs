//! What is kept step by step is what is there.

use super::*;
use crate::games::gomoku::rules::{Rule, Stone};
use proptest::prelude::*;

fn same(a: &Field, b: &Field) {
    assert_eq!(a.hash, b.hash);
    assert_eq!((a.turn, a.free, a.sums), (b.turn, b.free, b.sums));
    for colour in 0..2 {
        assert_eq!(a.counts[colour][1..], b.counts[colour][1..]);
        assert_eq!(a.sets[colour][1..], b.sets[colour][1..]);
    }
    assert_eq!((a.occupied, a.empty), (b.occupied, b.empty));
    assert!(a.stones == b.stones);
    for at in a.size.cells().map(number) {
        let i = usize::from(at);
        if a.stones[i] == EMPTY {
            assert_eq!(a.patterns[i], b.patterns[i], "{:?}", cell(at));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn what_is_kept_is_what_is_there(
        cols in 5u16..26, rows in 5u16..26, exact: bool, blocked in prop::collection::vec((0u16..25, 0u16..25), 0..5),
        moves in prop::collection::vec((0u16..9, 0u16..9, 0u8..4), 1..60),
    ) {
        let size = GridSize::new(cols, rows);
        let rule = if exact { Rule::Exact } else { Rule::FiveOrMore };
        let mut squares = vec![Square::Empty; size.len()];
        for (x, y) in blocked {
            squares[size.index(Cell::new(x % cols, y % rows))] = Square::Blocked;
        }
        let mut board = Board::from_squares(size, rule, squares, Stone::X).expect("a board");
        let mut field = Field::new(&board).expect("not over");
        for (x, y, back) in moves {
            if back == 0 {
                if let Some(c) = board.undo() {
                    field.undo(number(c));
                }
            } else {
                let c = Cell::new(x % cols, y % rows);
                if board.play(c).is_ok() {
                    if board.is_over() {
                        board.undo();
                        continue;
                    }
                    field.make(number(c));
                }
            }
            same(&field, &Field::new(&board).expect("not over"));
        }
    }

    #[test]
    fn kinds_are_what_the_rules_say(
        exact: bool, moves in prop::collection::vec((0u16..6, 0u16..6), 1..24),
    ) {
        let rule = if exact { Rule::Exact } else { Rule::FiveOrMore };
        let mut board = Board::new(GridSize::new(7, 7), rule).expect("a board");
        for (x, y) in moves {
            if board.play(Cell::new(x, y)).is_ok() && board.winner().is_some() {
                board.undo();
            }
        }
        let field = Field::new(&board).expect("not over");
        for stone in [Stone::X, Stone::O] {
            let turned = |squares: &[Square]| Board::from_squares(board.size(), rule, squares.to_vec(), stone);
            let fives = |squares: &[Square]| -> Vec<Cell> {
                board.size().cells().filter(|&c| {
                    let mut b = turned(squares).expect("a board");
                    b.play(c).is_ok() && b.winner() == Some(stone)
                }).collect()
            };
            let mut own: Vec<Cell> = fives(board.squares());
            own.sort_by_key(|c| (c.row, c.col));
            let seen: Vec<Cell> = cells_of(field.set(stone as usize, WINS)).map(cell).collect();
            prop_assert_eq!(&seen, &own);
            if own.is_empty() {
                for c in board.size().cells().filter(|&c| board.at(c) == Square::Empty) {
                    let mut squares = board.squares().to_vec();
                    squares[board.size().index(c)] = Square::Stone(stone);
                    let kind = field.worth(number(c), stone as usize).kind;
                    prop_assert_eq!(kind == WINS_BY_FOUR, fives(&squares).len() > 1);
                    prop_assert_eq!(kind == super::super::cell::MAKES_FOUR, fives(&squares).len() == 1);
                }
            }
        }
    }
}
