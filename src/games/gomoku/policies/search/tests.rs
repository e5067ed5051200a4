//! Proofs are played out; the same budget gives the same answer.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::cell::{MAKES_FOUR, MAKES_THREE, WINS};
use super::field::{Field, cell, cells_of, number};
use super::vcf::Fours;
use super::vct::Threats;
use crate::games::gauge::Gauge;
use crate::games::gomoku::rules::{Board, Rule, Stone};
use crate::types::{Budget, Cell, GridSize};

/// Positions full of threats: stones near the middle, mostly where they make something.
fn sharp(seed: u64, rule: Rule) -> Board {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let size = GridSize::new(rng.random_range(9..16), rng.random_range(9..16));
    let mut board = Board::new(size, rule).expect("a size");
    let (cols, rows) = (size.cols / 2, size.rows / 2);
    for _ in 0..rng.random_range(8..26) {
        let cell = Cell::new(
            cols + rng.random_range(0..7) - 3,
            rows + rng.random_range(0..7) - 3,
        );
        if board.play(cell).is_ok() && board.winner().is_some() {
            board.undo();
        }
    }
    board
}

/// Whether `attacker` wins by repeating the search that proved it, whatever the defender does;
/// `left` stones are enough. Of the defender's moves all are tried that the rules allow.
fn holds(
    board: &mut Board,
    attacker: Stone,
    left: u32,
    tried: &mut u64,
    prove: &mut dyn FnMut(&Board) -> Option<(Cell, u32)>,
) -> bool {
    if let Some(winner) = board.winner() {
        return winner == attacker;
    }
    if left == 0 || board.is_full() {
        return false;
    }
    if board.to_move() == attacker {
        let Some((cell, stones)) = prove(board) else {
            return false;
        };
        assert!(
            stones <= left,
            "{stones} stones, {left} were promised: {} {cell:?}",
            board.text()
        );
        board.play(cell).expect("an empty cell");
        let won = holds(board, attacker, stones - 1, tried, prove);
        board.undo();
        return won;
    }
    *tried += 1;
    let mut cells: Vec<Cell> = board.size().cells().collect();
    if *tried > 60 {
        // Too many for all of them: those that matter.
        let field = Field::new(board).expect("not over");
        let (own, other) = (field.turn, 1 - field.turn);
        cells.retain(|&c| {
            let at = number(c);
            field.is_empty(at)
                && (field.worth(at, own).kind >= MAKES_FOUR
                    || field.worth(at, other).kind >= MAKES_THREE)
        });
    }
    cells.into_iter().all(|cell| {
        if board.play(cell).is_err() {
            return true;
        }
        let won = holds(board, attacker, left - 1, tried, prove);
        board.undo();
        won
    })
}

#[test]
fn wins_by_fours_hold_against_every_defence() {
    let budget = Budget::default();
    let mut wins = 0;
    for seed in 0..120 {
        let rule = if seed % 2 == 0 {
            Rule::FiveOrMore
        } else {
            Rule::Exact
        };
        let mut board = sharp(seed, rule);
        let mut fours = Fours::default();
        let mut prove = |board: &Board| {
            let mut field = Field::new(board)?;
            fours.forget();
            let n = fours.search(&mut field, 20, 20_000, &mut Gauge::start(&budget))?;
            Some((cell(fours.line().next()?), n))
        };
        let Some((_, n)) = prove(&board) else {
            continue;
        };
        wins += 1;
        let attacker = board.to_move();
        assert!(
            holds(&mut board, attacker, n, &mut 0, &mut prove),
            "{rule:?} {}",
            board.text()
        );
    }
    assert!(wins > 24, "{wins} wins are too few to say anything");
}

#[test]
fn wins_by_threats_hold_against_every_defence() {
    let budget = Budget::default();
    let mut wins = 0;
    for seed in 1000..1050 {
        let rule = if seed % 2 == 0 {
            Rule::FiveOrMore
        } else {
            Rule::Exact
        };
        let mut board = sharp(seed, rule);
        let mut fours = Fours::default();
        let mut threats = Threats::default();
        let mut prove = |board: &Board| {
            let mut field = Field::new(board)?;
            let (at, n) =
                threats.search(&mut field, &mut fours, 5_000, &mut Gauge::start(&budget))?;
            Some((cell(at), n))
        };
        let Some((_, n)) = prove(&board) else {
            continue;
        };
        if n > 3 {
            wins += 1;
        }
        let attacker = board.to_move();
        assert!(
            holds(&mut board, attacker, n, &mut 0, &mut prove),
            "{rule:?} {}",
            board.text()
        );
    }
    assert!(wins > 8, "{wins} wins are too few to say anything");
}

#[test]
fn five_at_once_is_a_win_by_fours() {
    let mut found = 0;
    for seed in 0..200 {
        let board = sharp(seed, Rule::Exact);
        let mut field = Field::new(&board).expect("not over");
        let five = cells_of(field.set(field.turn, WINS)).next();
        let budget = Budget::default();
        let n = Fours::default().search(&mut field, 4, 1000, &mut Gauge::start(&budget));
        assert_eq!(five.is_some(), n == Some(1));
        found += usize::from(five.is_some());
    }
    assert!(found > 10);
}
