//! A game of five in a row as a referee sees it.

use super::openings;
use super::rules::{Board, BoardError, Rule, Stone, action, parse_action};
use crate::games::duel::{Duel, Ending, Side};
use crate::types::{BoardText, GridSize};

/// A game on an empty board of this size. Its moves are written `x,y`, and read as `h8` too.
///
/// # Errors
/// When a side is shorter than 5 or longer than 25.
pub fn duel(size: GridSize, rule: Rule) -> Result<Box<dyn Duel>, BoardError> {
    Ok(Box::new(Game {
        board: Board::new(size, rule)?,
        moves: Vec::new(),
    }))
}

/// The position of a game, for movers: `None` if it is another game or has a move that the rules
/// do not allow.
#[must_use]
pub fn board_of(game: &dyn Duel) -> Option<Board> {
    let rule = match game.rules().as_str() {
        "" => Rule::FiveOrMore,
        name => Rule::by_name(name)?,
    };
    let mut board = Board::new(game.size(), rule).ok()?;
    if game.game() != NAME {
        return None;
    }
    for text in game.moves() {
        board.play(parse_action(text, game.size())?).ok()?;
    }
    Some(board)
}

/// The game's name on the command line.
pub(super) const NAME: &str = "gomoku";

struct Game {
    board: Board,
    moves: Vec<String>,
}

impl Duel for Game {
    fn game(&self) -> &'static str {
        NAME
    }

    fn size(&self) -> GridSize {
        self.board.size()
    }

    fn rules(&self) -> String {
        match self.board.rule() {
            Rule::FiveOrMore => String::new(),
            other => other.name().to_owned(),
        }
    }

    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn play(&mut self, text: &str) -> Result<(), String> {
        let cell = parse_action(text, self.size())
            .ok_or_else(|| format!("`{text}` is no move: write x,y from 0,0 at the top left"))?;
        if self.ending() == Some(Ending::Draw) {
            return Err("the game is over: a draw".to_owned());
        }
        self.board.play(cell).map_err(|e| e.to_string())?;
        self.moves.push(action(cell));
        Ok(())
    }

    fn ending(&self) -> Option<Ending> {
        match self.board.winner() {
            Some(Stone::X) => Some(Ending::Won(Side::First)),
            Some(Stone::O) => Some(Ending::Won(Side::Second)),
            None => self.board.is_full().then_some(Ending::Draw),
        }
    }

    fn board(&self) -> BoardText {
        self.board.text()
    }

    fn fresh(&self) -> Box<dyn Duel> {
        Box::new(Self {
            board: openings::empty(&self.board),
            moves: Vec::new(),
        })
    }

    fn opening(&self, seed: u64) -> Vec<String> {
        let cells = openings::opening(&self.board, seed);
        cells.into_iter().map(action).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_played_and_refuses_what_is_no_move() {
        let mut game = duel(GridSize::new(7, 6), Rule::Exact).expect("a size");
        assert_eq!(
            (game.rules().as_str(), game.to_move()),
            ("exact", Side::First)
        );
        for text in ["0,0", "a5", "1,0", "1,1", "2,0", "2,1", "3,0", "3,1"] {
            game.play(text).expect("allowed");
        }
        assert!(game.play("3,1").expect_err("taken").contains("not empty"));
        assert!(
            game.play("pass")
                .expect_err("no move")
                .contains("write x,y")
        );
        assert_eq!(game.moves()[1], "0,1");
        let board = board_of(game.as_ref()).expect("its own moves");
        assert_eq!(board.text(), game.board());
        game.play("4,0").expect("allowed");
        assert_eq!(game.ending(), Some(Ending::Won(Side::First)));
        let fresh = game.fresh();
        assert_eq!((fresh.moves().len(), fresh.rules()), (0, game.rules()));
    }

    #[test]
    fn the_last_stone_wins_or_the_game_is_a_draw() {
        // By columns: X on even moves. Rows in which no five are, but for the last stone's.
        for (rows, ending, says) in [
            (
                ["XXOXO", "OXOXO", "OXXOX", "XOOXO", "OXOXX"],
                Ending::Won(Side::First),
                "X has won",
            ),
            (
                ["XXOXO", "OXOXO", "OXOOX", "XOXXO", "OXOXX"],
                Ending::Draw,
                "a draw",
            ),
        ] {
            let mut game = duel(GridSize::new(5, 5), Rule::FiveOrMore).expect("a size");
            let cells = |stone: char| {
                let all = rows.iter().enumerate().flat_map(move |(y, row)| {
                    row.char_indices()
                        .filter(move |(_, c)| *c == stone)
                        .map(move |(x, _)| format!("{x},{y}"))
                });
                all.collect::<Vec<_>>()
            };
            let (first, second) = (cells('X'), cells('O'));
            assert_eq!((first.len(), second.len()), (13, 12));
            for i in 0..25 {
                assert_eq!(game.ending(), None, "{:?}", game.moves());
                let own = if i % 2 == 0 { &first } else { &second };
                game.play(&own[i / 2]).expect("allowed");
            }
            assert_eq!(game.ending(), Some(ending));
            let after = game.play("0,0").expect_err("it is over");
            assert!(after.contains(says), "{after}");
        }
    }

    #[test]
    fn openings_can_be_played_and_differ() {
        for (cols, rows, rule) in [
            (5, 5, Rule::Exact),
            (7, 12, Rule::FiveOrMore),
            (15, 15, Rule::FiveOrMore),
            (20, 20, Rule::Exact),
        ] {
            let game = duel(GridSize::new(cols, rows), rule).expect("a size");
            let all: Vec<Vec<String>> = (0..4).map(|seed| game.opening(seed)).collect();
            for (seed, moves) in all.iter().enumerate() {
                let mut game = game.fresh();
                for text in moves {
                    game.play(text).expect("allowed");
                }
                assert_eq!(game.ending(), None);
                assert_eq!(*moves, game.opening(seed as u64), "the same seed");
            }
            let different: std::collections::HashSet<_> = all.iter().collect();
            assert!(different.len() >= 3, "{cols}x{rows}: {different:?}");
        }
    }
}
