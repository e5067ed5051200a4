//! A game of Connect-4 as a referee sees it.

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

use super::rules::{Board, BoardError, Disc, column_of, letter};
use crate::games::duel::{Duel, Ending, Side};
use crate::types::{BoardText, GridSize};

/// Moves that an opening has at most.
const LONGEST_OPENING: usize = 6;

/// A game on a board of this size on which `row` in a row win (7x6 and 4 are the usual ones).
/// Moves are columns as one character, `1` the leftmost.
///
/// # Errors
/// When there is no such board.
pub fn duel(size: GridSize, row: u16) -> Result<Box<dyn Duel>, BoardError> {
    Ok(Box::new(Game {
        board: Board::new(size, row)?,
        moves: Vec::new(),
    }))
}

/// The board of a game that came as a [`Duel`]: its moves made on a board of its size.
///
/// # Errors
/// When it is no game of Connect-4, with the reason.
pub fn board_of(game: &dyn Duel) -> Result<Board, String> {
    if game.game() != NAME {
        return Err(format!("a game of {} is none of {NAME}", game.game()));
    }
    let rules = game.rules();
    let row = match rules.as_str() {
        "" => 4,
        text => text
            .parse()
            .map_err(|_| format!("`{text}` are no rules of {NAME}"))?,
    };
    let mut board = Board::new(game.size(), row).map_err(|e| e.to_string())?;
    for action in game.moves() {
        make(&mut board, action)?;
    }
    Ok(board)
}

/// The game's name on the command line.
pub const NAME: &str = "connect4";

#[derive(Debug)]
struct Game {
    board: Board,
    moves: Vec<String>,
}

fn side(disc: Disc) -> Side {
    match disc {
        Disc::First => Side::First,
        Disc::Second => Side::Second,
    }
}

fn make(board: &mut Board, action: &str) -> Result<(), String> {
    let mut chars = action.trim().chars();
    let col = match (chars.next().and_then(column_of), chars.next()) {
        (Some(col), None) => col,
        _ => {
            return Err(format!(
                "`{action}` is no column: write one character, 1 is the leftmost"
            ));
        }
    };
    board.play(col).map_err(|e| e.to_string())
}

impl Duel for Game {
    fn game(&self) -> &'static str {
        NAME
    }

    fn size(&self) -> GridSize {
        self.board.size()
    }

    /// How many in a row win, if it is not four.
    fn rules(&self) -> String {
        match self.board.row() {
            4 => String::new(),
            row => row.to_string(),
        }
    }

    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn play(&mut self, action: &str) -> Result<(), String> {
        make(&mut self.board, action)?;
        self.moves.push(action.trim().to_ascii_lowercase());
        Ok(())
    }

    fn ending(&self) -> Option<Ending> {
        match self.board.winner() {
            Some(winner) => Some(Ending::Won(side(winner))),
            None if self.board.is_over() => Some(Ending::Draw),
            None => None,
        }
    }

    fn board(&self) -> BoardText {
        self.board.text()
    }

    fn fresh(&self) -> Box<dyn Duel> {
        Box::new(Self {
            board: self.fresh_board(),
            moves: Vec::new(),
        })
    }

    /// Up to six random moves after which nobody can win at once.
    fn opening(&self, seed: u64) -> Vec<String> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let length = random.random_range(0..=LONGEST_OPENING);
        let mut board = self.fresh_board();
        let mut moves = Vec::new();
        while moves.len() < length {
            let quiet = board.legal().filter(|&col| {
                let mut next = board.clone();
                next.play(col).is_ok() && !next.is_over() && is_quiet(&next)
            });
            let quiet: Vec<usize> = quiet.collect();
            if quiet.is_empty() {
                break;
            }
            let col = quiet[random.random_range(0..quiet.len())];
            if board.play(col).is_err() {
                break;
            }
            moves.push(letter(col).to_string());
        }
        moves
    }
}

impl Game {
    fn fresh_board(&self) -> Board {
        let board = Board::new(self.board.size(), self.board.row());
        board.unwrap_or_else(|_| unreachable!("there is one of this size already"))
    }
}

/// Whether the player to move cannot win at once, and could not if it were his turn again.
fn is_quiet(board: &Board) -> bool {
    let none_wins = |b: &Board| b.legal().all(|c| !b.wins(c));
    none_wins(board)
        && board.legal().all(|c| {
            let mut next = board.clone();
            next.play(c).is_ok() && (next.is_over() || none_wins(&next))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> Box<dyn Duel> {
        let mut game = duel(GridSize::new(7, 6), 4).expect("the usual board");
        for c in moves.chars() {
            game.play(&c.to_string()).expect("legal");
        }
        game
    }

    #[test]
    fn a_game_is_played_to_its_end() {
        let game = game("4455667");
        assert_eq!(game.ending(), Some(Ending::Won(Side::First)));
        assert_eq!(game.to_move(), Side::Second);
        assert_eq!(
            game.board().0,
            "......./......./......./......./...OOO./...XXXX"
        );
        let fresh = game.fresh();
        assert_eq!((fresh.moves().len(), fresh.ending()), (0, None));
        assert_eq!(board_of(&*game).expect("connect4").text(), game.board());
    }

    #[test]
    fn what_is_no_move_changes_nothing() {
        let mut game = game("111111");
        for bad in ["1", "8", "0", "", "12", "?"] {
            let text = game.play(bad).expect_err(bad);
            assert!(text.len() > 5, "{text}");
        }
        assert_eq!(game.moves().len(), 6);
        let mut five = duel(GridSize::new(9, 7), 5).expect("a board");
        five.play(" 9 ").expect("legal");
        assert_eq!(
            (five.rules().as_str(), five.moves()),
            ("5", &["9".to_owned()][..])
        );
        assert_eq!(board_of(&*five).expect("connect4").row(), 5);
    }

    #[test]
    fn openings_differ_and_decide_nothing_at_once() {
        let game = game("");
        let all: Vec<Vec<String>> = (0..60).map(|s| game.opening(s)).collect();
        assert_eq!(all[7], game.opening(7));
        let mut different = all.clone();
        different.sort();
        different.dedup();
        assert!(different.len() > 40, "{}", different.len());
        for moves in all {
            let mut game = game.fresh();
            assert!(moves.len() <= LONGEST_OPENING);
            moves.iter().for_each(|m| game.play(m).expect("legal"));
            let board = board_of(&*game).expect("connect4");
            assert!(is_quiet(&board) || moves.is_empty(), "{moves:?}");
        }
        // Two in a row win: nothing is quiet on it, and nothing hangs.
        let tiny = duel(GridSize::new(2, 1), 2).expect("a board");
        assert!(tiny.opening(3).len() < 2);
    }
}
