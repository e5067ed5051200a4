//! The rules against a second, naive form of them, and by counting.

use std::collections::HashSet;

use proptest::prelude::*;

use super::bits::{Any, Bits, Shape, Usual};
use super::*;
use crate::types::GridSize;

fn board(line: &str) -> Board {
    parse_position(line).expect(line)
}

fn problem(line: &str) -> String {
    parse_position(line).expect_err(line).to_string()
}

#[test]
fn discs_fall_and_rows_win() {
    let game = board("44535621");
    assert_eq!(
        game.text().to_string(),
        "\
.......
.......
.......
.......
...OX..
OXOXXO."
    );
    assert_eq!(game.to_move(), Disc::First);
    for (line, winner) in [
        ("4142434", Some(Disc::First)),
        ("1122334", Some(Disc::First)),
        ("12234334464", Some(Disc::First)),
        ("76654554424", Some(Disc::First)),
        ("71525354", Some(Disc::Second)),
        ("112233", None),
        ("9x9x5:11213141", None),
        ("9x9x5:112131415", Some(Disc::First)),
        ("9x9x5:121212121", Some(Disc::First)),
        ("3x3x3:11223", Some(Disc::First)),
        ("3x3x3:112132", None),
    ] {
        let board = board(line);
        assert_eq!(board.winner(), winner, "{line}\n{}", board.text());
        assert_eq!(board.is_over(), winner.is_some(), "{line}");
    }
}

#[test]
fn a_full_board_is_a_draw() {
    let mut game = board("5x2x4:");
    for col in [0, 1, 2, 3, 4, 0, 1, 2, 3, 4] {
        game.play(col).expect("legal");
    }
    assert_eq!((game.winner(), game.is_over()), (None, true));
    assert_eq!(game.play(0), Err(BoardError::Over));
    game.undo(4);
    assert!(game.is_legal(4) && !game.is_legal(3));
}

#[test]
fn rows_and_moves_are_the_same_position() {
    for line in ["", "444", "44535621", "1234567", "4142434"] {
        let by_moves = board(line);
        let by_rows = board(&by_moves.text().0);
        assert_eq!(by_moves, by_rows);
    }
    assert_eq!(board("7x6:"), Board::usual());
    assert_eq!(board("7x6x4:44"), board("44"));
    assert_eq!(board("5x3x3:...../...../X...."), board("5x3x3:1"));
    assert_eq!(letter(column_of('c').expect("a column")), 'c');
}

#[test]
fn what_is_no_position_says_why() {
    assert_eq!(problem("48"), "move 2, `8`: there is no column 8");
    assert_eq!(problem("1111111"), "move 7, `1`: column 1 is full");
    assert_eq!(problem("41424341"), "move 8, `1`: the game is over");
    assert_eq!(problem("4?"), "move 2, `?`: it is no column");
    assert!(problem("7:4").contains("write WxH"));
    assert!(problem("3x3:").contains("in a row"));
    assert!(problem("99x9:1").contains("allowed are"));
    assert!(problem("X.../....").contains("hangs in the air"));
    assert!(problem("..../XX..").contains("2 `X` and 0 `O`"));
    assert!(problem("..../XX.").contains("has 3 cells"));
    assert!(problem("..../XZ..").contains("`Z` is no cell"));
    assert!(problem("5x2:XXXX./OOOO.").contains("both have a row"));
    assert!(problem("5x2:OOO../XXXXO").contains("moved after it"));
}

/// Positions after so many moves: games that lead to them, and different ones among them.
fn count(size: GridSize, depth: usize) -> (Vec<u64>, Vec<usize>) {
    let mut games = Vec::new();
    let mut different = Vec::new();
    let mut boards: Vec<(Board, u64)> = vec![(Board::new(size, 4).expect("a board"), 1)];
    for _ in 0..=depth {
        games.push(boards.iter().map(|b| b.1).sum());
        different.push(boards.len());
        let mut next: rustc_hash::FxHashMap<Board, u64> = rustc_hash::FxHashMap::default();
        for (board, ways) in &boards {
            for col in board.legal() {
                let mut after = board.clone();
                after.play(col).expect("legal");
                *next.entry(after).or_default() += ways;
            }
        }
        boards = next.into_iter().collect();
    }
    (games, different)
}

#[test]
fn the_first_moves_are_as_many_as_is_known() {
    let (games, different) = count(GridSize::new(7, 6), 7);
    assert_eq!(different, [1, 7, 49, 238, 1120, 4263, 16422, 54859]);
    assert_eq!(games, [1, 7, 49, 343, 2401, 16807, 117_649, 823_536]);
}

/// The same by bits, one move further.
#[test]
fn the_fast_form_counts_the_same() {
    let mut all: HashSet<(u64, u64)> = HashSet::from([(0, 0)]);
    let mut sizes = Vec::new();
    for _ in 0..=8 {
        sizes.push(all.len());
        let mut next = HashSet::new();
        for &(own, mask) in &all {
            if Usual.has_row(own ^ mask) {
                continue;
            }
            let mut cells = (mask + Usual.bottom()) & Usual.cells();
            while cells != 0 {
                let after = Bits { own, mask }.after(cells & cells.wrapping_neg());
                next.insert((after.own, after.mask));
                cells &= cells - 1;
            }
        }
        all = next;
    }
    assert_eq!(sizes, [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184_275]);
}

/// A row that is looked for at every cell in every direction.
fn naive_row(board: &Board, disc: Disc) -> bool {
    let n = i32::from(board.row());
    let at = |c: i32, r: i32| match (usize::try_from(c), usize::try_from(r)) {
        (Ok(c), Ok(r)) => board.at(c, r) == Some(disc),
        _ => false,
    };
    let (cols, rows) = (i32::from(board.size().cols), i32::from(board.size().rows));
    (0..cols).any(|c| {
        (0..rows).any(|r| {
            [(1, 0), (0, 1), (1, 1), (1, -1)]
                .iter()
                .any(|(dc, dr)| (0..n).all(|i| at(c + dc * i, r + dr * i)))
        })
    })
}

/// What the fast form says of a position is what the board says.
fn agrees<S: Shape>(board: &Board, shape: S) {
    let bits: Bits<S::Word> = Bits::of(board, shape.stride());
    let empty = shape.cells() & !bits.mask;
    let completing = shape.completing(bits.own) & empty;
    let playable = (bits.mask + shape.bottom()) & shape.cells();
    let one = <S::Word as super::bits::Word>::ONE;
    let zero = <S::Word as super::bits::Word>::ZERO;
    for col in 0..shape.cols() {
        let cell = one << (col * shape.stride() + board.height(col as usize) as u32);
        let legal = board.height(col as usize) < shape.rows() as usize;
        assert_eq!(playable & shape.column(col) != zero, legal);
        if legal && !board.is_over() {
            assert_eq!(
                completing & cell != zero,
                board.wins(col as usize),
                "column {col} of\n{}",
                board.text()
            );
        }
    }
    let last = bits.own ^ bits.mask;
    assert_eq!(shape.has_row(last), board.winner().is_some());
    assert_eq!(shape.in_rows(last) != zero, board.winner().is_some());
    assert_eq!(shape.in_rows(last) & !last, zero);
    assert_eq!(shape.mirror(shape.mirror(bits.mask)), bits.mask);
    assert_eq!(
        shape.mirror(shape.column(0)),
        shape.column(shape.cols() - 1)
    );
}

proptest! {
    /// Random games on random boards, to their end and back.
    #[test]
    fn games_agree_with_naive_rules(cols in 1u16..=10, rows in 1u16..=10, row in 2u16..=6,
                                    choices in prop::collection::vec(any::<prop::sample::Index>(), 100)) {
        let Ok(mut board) = Board::new(GridSize::new(cols, rows), row) else {
            prop_assert!(row > cols.max(rows));
            return Ok(());
        };
        let mut played: Vec<(usize, Board)> = Vec::new();
        for choice in choices {
            let naive = [Disc::First, Disc::Second].into_iter().find(|&d| naive_row(&board, d));
            prop_assert_eq!(board.winner(), naive);
            if let Some(shape) = Any::<u64>::of(&board) {
                agrees(&board, shape);
            }
            if let Some(shape) = Any::<u128>::of(&board) {
                agrees(&board, shape);
            }
            if (cols, rows, row) == (7, 6, 4) {
                agrees(&board, Usual);
            }
            prop_assert_eq!(&parse_position(&format!("{cols}x{rows}x{row}:{}", board.text().0)).expect("rows"), &board);
            let legal: Vec<usize> = board.legal().collect();
            if legal.is_empty() {
                prop_assert!(board.is_over());
                break;
            }
            let col = legal[choice.index(legal.len())];
            played.push((col, board.clone()));
            prop_assert_eq!(board.wins(col), {
                let mut next = board.clone();
                next.play(col).expect("legal");
                next.winner().is_some()
            });
            board.play(col).expect("legal");
        }
        let line: String = played.iter().map(|p| letter(p.0)).collect();
        prop_assert_eq!(&parse_position(&format!("{cols}x{rows}x{row}:{line}")).expect("moves"), &board);
        while let Some((col, before)) = played.pop() {
            board.undo(col);
            prop_assert_eq!(&board, &before);
        }
    }

    /// The usual shape in constants is the usual shape.
    #[test]
    fn the_usual_shape_is_like_any(discs in any::<u64>()) {
        let any = Any::<u64>::of(&Board::usual()).expect("it fits");
        let discs = discs & Usual.cells();
        let cells = Usual.cells();
        prop_assert_eq!((any.cells(), any.bottom(), any.odd_rows()), (cells, Usual.bottom(), Usual.odd_rows()));
        prop_assert_eq!(any.completing(discs) & cells, Usual.completing(discs) & cells);
        prop_assert_eq!(any.has_row(discs), Usual.has_row(discs));
        prop_assert_eq!(any.in_rows(discs), Usual.in_rows(discs));
        prop_assert_eq!(any.mirror(discs), Usual.mirror(discs));
    }

    /// Any text is a position or an error that says something.
    #[test]
    fn no_line_panics(text in "\\PC*", wild in "[0-9a-z.xXO/:]{0,60}") {
        for line in [&text, &wild] {
            if let Err(e) = parse_position(line) {
                prop_assert!(e.to_string().len() > 5);
            }
        }
    }
}
