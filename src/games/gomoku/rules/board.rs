//! A board, what a move does to it, and who has won.

use std::ops::RangeInclusive;

use crate::types::{BoardText, Cell, GridSize};

/// How long a side of the board may be, in cells.
pub const SIDES: RangeInclusive<u16> = 5..=25;

/// How many in a row win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more (free-style).
    #[default]
    FiveOrMore,
    /// Exactly five; six or more in a row are nothing.
    Exact,
}

impl Rule {
    /// Whether a run of so many stones wins.
    #[must_use]
    pub const fn wins(self, run: u32) -> bool {
        match self {
            Self::FiveOrMore => run >= 5,
            Self::Exact => run == 5,
        }
    }

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FiveOrMore => "five-or-more",
            Self::Exact => "exact",
        }
    }

    /// The rule of a name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        [Self::FiveOrMore, Self::Exact]
            .into_iter()
            .find(|r| r.name() == name)
    }
}

/// A stone's colour, by its letter. X moves first in a game from the empty board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stone {
    /// Moves first.
    X,
    /// Moves second.
    O,
}

impl Stone {
    /// The other colour.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::X => Self::O,
            Self::O => Self::X,
        }
    }

    /// Its letter.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::X => 'X',
            Self::O => 'O',
        }
    }
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Square {
    /// Nothing: a stone may be put here.
    #[default]
    Empty,
    /// A stone.
    Stone(Stone),
    /// Neither player's and never to be played, like the border.
    Blocked,
}

impl Square {
    /// Its character: `.`, `X`, `O` or `#`.
    #[must_use]
    pub const fn symbol(self) -> char {
        match self {
            Self::Empty => '.',
            Self::Stone(s) => s.letter(),
            Self::Blocked => '#',
        }
    }

    /// What a character stands for; letters in either case.
    #[must_use]
    pub const fn from_symbol(c: char) -> Option<Self> {
        match c {
            '.' => Some(Self::Empty),
            'X' | 'x' => Some(Self::Stone(Stone::X)),
            'O' | 'o' => Some(Self::Stone(Stone::O)),
            '#' => Some(Self::Blocked),
            _ => None,
        }
    }
}

/// Why something is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// A side is too short or too long.
    #[error("a board of {0} cells: both sides must be 5 to 25")]
    Size(GridSize),
    /// The number of cells is not columns times rows.
    #[error("{found} cells for a board of {size}: {} are needed", size.len())]
    Count {
        /// The size asked for.
        size: GridSize,
        /// The cells given.
        found: usize,
    },
}

/// Why a move is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// It lies outside.
    #[error("{},{} lies outside a board of {size} (columns and rows count from 0)", cell.col, cell.row)]
    Outside {
        /// The move.
        cell: Cell,
        /// The board's size.
        size: GridSize,
    },
    /// The cell is not empty.
    #[error("{},{} is not empty", .0.col, .0.row)]
    Taken(Cell),
    /// Somebody has won.
    #[error("the game is over: {} has won", .0.letter())]
    Over(Stone),
}

/// A position with the moves that led to it, as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    size: GridSize,
    rule: Rule,
    squares: Vec<Square>,
    to_move: Stone,
    moves: Vec<Cell>,
    winner: Option<Stone>,
}

impl Board {
    /// An empty board, X to move.
    ///
    /// # Errors
    /// When a side is not within [`SIDES`].
    pub fn new(size: GridSize, rule: Rule) -> Result<Self, BoardError> {
        // Before there is memory for it.
        allowed(size)?;
        Self::from_squares(size, rule, vec![Square::Empty; size.len()], Stone::X)
    }

    /// A position made by hand, row-major; it may hold any number of stones of either colour.
    /// If both have a winning row, X counts as the winner.
    ///
    /// # Errors
    /// When a side is not within [`SIDES`] or the number of squares does not fit.
    pub fn from_squares(
        size: GridSize,
        rule: Rule,
        squares: Vec<Square>,
        to_move: Stone,
    ) -> Result<Self, BoardError> {
        allowed(size)?;
        if squares.len() != size.len() {
            let found = squares.len();
            return Err(BoardError::Count { size, found });
        }
        let mut board = Self {
            size,
            rule,
            squares,
            to_move,
            moves: Vec::new(),
            winner: None,
        };
        let won = |s: Stone| size.cells().any(|c| board.wins_at(c, s));
        board.winner = [Stone::X, Stone::O].into_iter().find(|&s| won(s));
        Ok(board)
    }

    /// Columns and rows.
    #[must_use]
    pub const fn size(&self) -> GridSize {
        self.size
    }

    /// How many in a row win.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Squares, row-major.
    #[must_use]
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// What a cell holds; outside is `Blocked`.
    #[must_use]
    pub fn at(&self, cell: Cell) -> Square {
        if cell.col < self.size.cols && cell.row < self.size.rows {
            self.squares[self.size.index(cell)]
        } else {
            Square::Blocked
        }
    }

    /// Whose turn it is (or would be, if the game is over).
    #[must_use]
    pub const fn to_move(&self) -> Stone {
        self.to_move
    }

    /// The moves made on this board since it was set up.
    #[must_use]
    pub fn moves(&self) -> &[Cell] {
        &self.moves
    }

    /// Stones of both colours.
    #[must_use]
    pub fn stones(&self) -> usize {
        let stone = |s: &&Square| matches!(s, Square::Stone(_));
        self.squares.iter().filter(stone).count()
    }

    /// Who has won.
    #[must_use]
    pub const fn winner(&self) -> Option<Stone> {
        self.winner
    }

    /// Whether there is no empty cell.
    #[must_use]
    pub fn is_full(&self) -> bool {
        !self.squares.contains(&Square::Empty)
    }

    /// Whether somebody has won or there is no empty cell (a draw).
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.winner.is_some() || self.is_full()
    }

    /// Puts a stone of the colour to move.
    ///
    /// # Errors
    /// When the cell lies outside or is not empty, or the game is won; nothing has changed then.
    pub fn play(&mut self, cell: Cell) -> Result<(), MoveError> {
        if let Some(winner) = self.winner {
            return Err(MoveError::Over(winner));
        }
        if cell.col >= self.size.cols || cell.row >= self.size.rows {
            let size = self.size;
            return Err(MoveError::Outside { cell, size });
        }
        let at = self.size.index(cell);
        if self.squares[at] != Square::Empty {
            return Err(MoveError::Taken(cell));
        }
        let stone = self.to_move;
        self.squares[at] = Square::Stone(stone);
        if self.wins_at(cell, stone) {
            self.winner = Some(stone);
        }
        self.to_move = stone.other();
        self.moves.push(cell);
        Ok(())
    }

    /// Takes the last move back; `None` if none is known.
    pub fn undo(&mut self) -> Option<Cell> {
        let cell = self.moves.pop()?;
        let at = self.size.index(cell);
        self.squares[at] = Square::Empty;
        self.to_move = self.to_move.other();
        // No move follows a win.
        self.winner = None;
        Some(cell)
    }

    /// Whether the run of `stone` through this cell wins.
    fn wins_at(&self, cell: Cell, stone: Stone) -> bool {
        DIRECTIONS
            .iter()
            .any(|&d| self.rule.wins(self.run(cell, d, stone)))
    }

    /// Stones of this colour in a row through this cell; 0 if it holds none.
    fn run(&self, cell: Cell, (dx, dy): (i32, i32), stone: Stone) -> u32 {
        if self.at(cell) != Square::Stone(stone) {
            return 0;
        }
        let along = |sign: i32| {
            let mut n = 0;
            let next = |k: i32| {
                let col = u16::try_from(i32::from(cell.col) + sign * k * dx).ok()?;
                let row = u16::try_from(i32::from(cell.row) + sign * k * dy).ok()?;
                Some(Cell::new(col, row))
            };
            while next(n + 1).is_some_and(|c| self.at(c) == Square::Stone(stone)) {
                n += 1;
            }
            n.unsigned_abs()
        };
        1 + along(1) + along(-1)
    }

    /// The board as rows of `.`, `X`, `O` and `#`.
    #[must_use]
    pub fn text(&self) -> BoardText {
        let symbols = self.squares.iter().map(|s| s.symbol());
        BoardText::from_cells(self.size.cols.into(), symbols)
    }
}

fn allowed(size: GridSize) -> Result<(), BoardError> {
    match SIDES.contains(&size.cols) && SIDES.contains(&size.rows) {
        true => Ok(()),
        false => Err(BoardError::Size(size)),
    }
}

/// Right, down, and the two diagonals.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::rules::parse_position;
    use proptest::prelude::*;

    /// Every line of cells, read whole: runs of a colour that win.
    fn naive_winner(board: &Board) -> Option<Stone> {
        let (cols, rows) = (i32::from(board.size.cols), i32::from(board.size.rows));
        let get = |x: i32, y: i32| match (u16::try_from(x), u16::try_from(y)) {
            (Ok(x), Ok(y)) => board.at(Cell::new(x, y)).symbol(),
            _ => '#',
        };
        let mut lines: Vec<String> = Vec::new();
        for start in -(cols + rows)..(cols + rows) {
            let far = cols.max(rows);
            lines.push((0..cols).map(|x| get(x, start)).collect());
            lines.push((0..rows).map(|y| get(start, y)).collect());
            lines.push((0..far).map(|k| get(k, start + k)).collect());
            lines.push((0..far).map(|k| get(k, start - k)).collect());
        }
        [Stone::X, Stone::O].into_iter().find(|s| {
            lines.iter().any(|line| {
                let runs = line.split(|c| c != s.letter());
                runs.into_iter()
                    .any(|run| board.rule.wins(u32::try_from(run.len()).unwrap_or(0)))
            })
        })
    }

    fn read(text: &str, rule: Rule) -> Board {
        parse_position(text, 1, GridSize::new(15, 15), rule).expect("a position")
    }

    #[test]
    fn five_win_and_six_win_or_not() {
        let five = "......./.XXXX../......./..OOO../....... X";
        for (rule, wins) in [(Rule::FiveOrMore, true), (Rule::Exact, true)] {
            let mut board = read(five, rule);
            board.play(Cell::new(5, 1)).expect("allowed");
            assert_eq!(board.winner().is_some(), wins, "{rule:?}");
        }
        let six = "......../.XXX.XX./......../..OOO.../........ X";
        for (rule, wins) in [(Rule::FiveOrMore, true), (Rule::Exact, false)] {
            let mut board = read(six, rule);
            board.play(Cell::new(4, 1)).expect("allowed");
            assert_eq!(board.winner().is_some(), wins, "{rule:?}");
            assert_eq!(board.is_over(), wins);
        }
    }

    #[test]
    fn moves_that_are_none_change_nothing() {
        let mut board = read("...../.X#O./...../...../.....", Rule::FiveOrMore);
        let before = board.clone();
        for (col, row) in [(1, 1), (2, 1), (3, 1)] {
            let cell = Cell::new(col, row);
            assert_eq!(board.play(cell), Err(MoveError::Taken(cell)));
        }
        let outside = board.play(Cell::new(5, 0)).expect_err("outside");
        assert!(outside.to_string().contains("outside a board of 5x5"));
        assert_eq!(board, before);
        let mut won = read("XXXXX/OOOO./...../...../.....", Rule::Exact);
        assert_eq!(won.winner(), Some(Stone::X));
        let over = won.play(Cell::new(4, 1));
        assert_eq!(over, Err(MoveError::Over(Stone::X)));
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let board = read("XXOXX/OOXOO/XXOXX/OOXOO/XXOXX X", Rule::FiveOrMore);
        assert!(board.is_full() && board.is_over() && board.winner().is_none());
    }

    #[test]
    fn the_last_stone_of_a_full_board_may_win() {
        // X makes five on the diagonal, O makes four.
        for (last, winner) in [("X", Some(Stone::X)), ("O", None)] {
            for rule in [Rule::FiveOrMore, Rule::Exact] {
                let text = format!("XXOXO/OXOXO/OXXOX/XOOXO/OXOX. {last}");
                let mut board = read(&text, rule);
                assert!(!board.is_over());
                board.play(Cell::new(4, 4)).expect("the last cell");
                assert!(board.is_full() && board.is_over());
                assert_eq!(board.winner(), winner, "{rule:?}");
                let again =
                    Board::from_squares(board.size, rule, board.squares.clone(), board.to_move);
                assert_eq!(again.expect("a board").winner(), winner);
            }
        }
    }

    #[test]
    fn sides_have_their_limits() {
        for (cols, rows) in [
            (4, 9),
            (9, 4),
            (26, 9),
            (9, 26),
            (u16::MAX, u16::MAX),
            (0, 0),
        ] {
            let size = GridSize::new(cols, rows);
            let error = Board::new(size, Rule::Exact).expect_err("a size");
            assert_eq!(error, BoardError::Size(size));
        }
    }

    proptest! {
        #[test]
        fn the_last_stone_tells_who_has_won(
            cols in 5u16..9, rows in 5u16..9, exact: bool, near in prop::collection::vec((0u16..9, 0u16..9), 1..80),
        ) {
            let rule = if exact { Rule::Exact } else { Rule::FiveOrMore };
            let mut board = Board::new(GridSize::new(cols, rows), rule).expect("a size");
            for (col, row) in near {
                let before = board.clone();
                if board.play(Cell::new(col % cols, row % rows)).is_err() {
                    prop_assert_eq!(&board, &before);
                    continue;
                }
                prop_assert_eq!(board.winner(), naive_winner(&board));
                let mut back = board.clone();
                back.undo();
                prop_assert_eq!(back, before);
            }
            let again = Board::from_squares(board.size, rule, board.squares.clone(), board.to_move);
            prop_assert_eq!(again.expect("a board").winner(), board.winner());
        }

        #[test]
        fn boards_with_many_rows_are_judged_alike(exact: bool, cells in prop::collection::vec(0u8..3, 63)) {
            // Mostly X, so that rows of five and six are common.
            let rule = if exact { Rule::Exact } else { Rule::FiveOrMore };
            let squares = cells.iter().map(|&c| if c == 2 { Square::Empty } else { Square::Stone(Stone::X) });
            let board = Board::from_squares(GridSize::new(9, 7), rule, squares.collect(), Stone::O);
            let board = board.expect("a board");
            prop_assert_eq!(board.winner(), naive_winner(&board));
        }
    }
}
