//! Our policies behind the protocol: a manager's lines in, the brain's lines out.
//!
//! Every line has its answer without a process or a clock but that of the thinking itself, so that
//! a conversation can be tested as text. Must never answer what the protocol does not let it: an
//! INFO and an END are silent, a wrong line is an ERROR, a strange one UNKNOWN.

use std::time::{Duration, Instant};

use super::clock::{Limits, whole};
use super::swap;
use super::words::{At, Command};
use crate::brains::serve;
use crate::games::gomoku::policies::{Choice, GomokuPolicy};
use crate::games::gomoku::rules::{Board, Rule, Square, Stone};
use crate::types::{Budget, Cell, GridSize, Stop};

/// What is said of ourselves.
const ABOUT: &str = concat!(
    "name=\"Kibitzer\", version=\"",
    env!("CARGO_PKG_VERSION"),
    "\", author=\"the authors of Kibitzer\", country=\"-\""
);

/// A position that is being told.
#[derive(Debug)]
enum Told {
    Board(Vec<(At, i64)>),
    Swap(Vec<At>),
}

/// Makes the policy anew for a limit of memory in bytes; `None` leaves it as it is.
pub type Remake = Box<dyn Fn(u64) -> Option<Box<dyn GomokuPolicy>>>;

/// A brain in conversation.
pub struct Engine {
    policy: Box<dyn GomokuPolicy>,
    remake: Option<Remake>,
    /// The manager's limit of memory that the policy keeps to.
    memory: Option<u64>,
    stop: Stop,
    seed: u64,
    limits: Limits,
    rules: i64,
    board: Option<Board>,
    /// Our colour, once somebody has moved.
    own: Stone,
    told: Option<Told>,
    /// Whether moves are only suggested, until the manager says what to play.
    suggests: bool,
}

/// Bits of `INFO rule`.
const EXACT: i64 = 1;
const RENJU: i64 = 4;
const CARO: i64 = 8;

impl Engine {
    /// A brain that no game was begun with. `stop` ends its thinking; with `suggests` it says
    /// SUGGEST and waits for PLAY, as the protocol allows.
    #[must_use]
    pub fn new(policy: Box<dyn GomokuPolicy>, seed: u64, suggests: bool, stop: Stop) -> Self {
        Self {
            policy,
            remake: None,
            memory: None,
            stop,
            seed,
            limits: Limits::default(),
            rules: 0,
            board: None,
            own: Stone::X,
            told: None,
            suggests,
        }
    }

    /// With a way to keep to the manager's limit of memory.
    #[must_use]
    pub fn remade_by(self, remake: Remake) -> Self {
        Self {
            remake: Some(remake),
            ..self
        }
    }

    fn obey(&mut self, command: Command, heard: Instant) -> Result<Option<String>, Fault> {
        let done = Ok(Some("OK".to_owned()));
        match command {
            Command::Start(Some(side)) => self.begin((side, side)).and(done),
            Command::RectStart(Some(sides)) => self.begin(sides).and(done),
            Command::Start(None) => Err(error("START takes the size of a square board")),
            Command::RectStart(None) => Err(error("RECTSTART takes columns,rows")),
            Command::Restart => {
                let size = self.board()?.size();
                self.begin((size.cols.into(), size.rows.into())).and(done)
            }
            Command::Begin => {
                if self.board()?.stones() > 0 {
                    return Err(error("BEGIN on a board with stones"));
                }
                self.own = self.board()?.to_move();
                self.think(heard).map(Some)
            }
            Command::Turn(at) => {
                let at = at.ok_or_else(|| error("TURN takes x,y"))?;
                let board = self.board()?;
                if board.stones() == 0 {
                    self.own = board.to_move().other();
                }
                self.put(at, self.own.other())?;
                self.think(heard).map(Some)
            }
            Command::Play(at) => {
                let at = at.ok_or_else(|| error("PLAY takes x,y"))?;
                if self.board()?.stones() == 0 {
                    self.own = Stone::X;
                }
                self.put(at, self.own)?;
                Ok(Some(format!("{},{}", at.0, at.1)))
            }
            Command::Takeback(at) => {
                let at = at.ok_or_else(|| error("TAKEBACK takes x,y"))?;
                self.take_back(at).and(done)
            }
            Command::Board => {
                self.board()?;
                self.told = Some(Told::Board(Vec::new()));
                Ok(None)
            }
            Command::Swap2Board => {
                self.board()?;
                self.told = Some(Told::Swap(Vec::new()));
                Ok(None)
            }
            Command::About => Ok(Some(ABOUT.to_owned())),
            Command::Info(key, value) => {
                self.inform(&key, &value);
                Ok(None)
            }
            Command::End => Ok(None),
            Command::Done => Err(error("DONE without BOARD")),
            Command::Stone(..) | Command::Unknown => Err(Fault::Unknown),
        }
    }

    /// Lines of a position, to its end.
    fn hear_told(&mut self, command: Command, heard: Instant, say: &mut dyn FnMut(&str)) {
        let wrong = match (&mut self.told, command) {
            (Some(Told::Board(stones)), Command::Stone(at, Some(owner))) => {
                stones.push((at, owner));
                None
            }
            (Some(Told::Swap(stones)), Command::Stone(at, None)) => {
                stones.push(at);
                None
            }
            (_, Command::Done) => {
                let answer = match self.told.take() {
                    Some(Told::Board(stones)) => self.set_up(&stones, heard),
                    Some(Told::Swap(stones)) => self.swap(&stones, heard),
                    None => Err(error("DONE without BOARD")),
                };
                match answer {
                    Ok(answer) => {
                        say(&answer);
                        None
                    }
                    Err(Fault::Error(text)) => Some(text),
                    Err(_) => Some("the position cannot be played".to_owned()),
                }
            }
            (Some(Told::Board(_)), _) => Some("a position is lines x,y,owner and then DONE".into()),
            _ => Some("an opening is lines x,y and then DONE".into()),
        };
        if let Some(text) = wrong {
            // What follows would be taken for commands; they are unknown one by one.
            self.told = None;
            say(&format!("ERROR {text}"));
        }
    }

    fn board(&self) -> Result<&Board, Fault> {
        self.board
            .as_ref()
            .ok_or_else(|| error("no game was started"))
    }

    fn rule(&self) -> Rule {
        match self.rules & EXACT {
            0 => Rule::FiveOrMore,
            _ => Rule::Exact,
        }
    }

    fn begin(&mut self, (cols, rows): At) -> Result<(), Fault> {
        let side = |n: i64| u16::try_from(n).unwrap_or(0);
        let size = GridSize::new(side(cols), side(rows));
        let board = Board::new(size, self.rule())
            .map_err(|_| error("unsupported size: both sides must be 5 to 25"))?;
        self.board = Some(board);
        self.own = Stone::X;
        Ok(())
    }

    fn inform(&mut self, key: &str, value: &str) {
        match key {
            "rule" => {
                let Ok(rules) = value.parse::<i64>() else {
                    return;
                };
                self.rules = rules;
                // It may come before or after START.
                let rule = self.rule();
                if let Some(board) = &mut self.board
                    && let Ok(same) = Board::from_squares(
                        board.size(),
                        rule,
                        board.squares().into(),
                        board.to_move(),
                    )
                {
                    *board = same;
                }
            }
            "max_memory" => {
                // 0 is no limit. A policy that is made anew has forgotten all.
                let limit = whole(value).and_then(|n| u64::try_from(n).ok());
                let limit = limit.filter(|&bytes| bytes > 0 && self.memory != Some(bytes));
                let made = limit.and_then(|bytes| self.remake.as_ref()?(bytes));
                if let Some(policy) = made {
                    self.policy = policy;
                    self.memory = limit;
                }
            }
            _ => self.limits.inform(key, value),
        }
    }

    /// Puts a stone of a colour, whoever's turn it would be.
    fn put(&mut self, at: At, stone: Stone) -> Result<(), Fault> {
        let cell = self.cell(at)?;
        let board = self.board()?;
        let turned = match board.to_move() == stone {
            true => None,
            false => Some(with(board, board.squares().to_vec(), stone)?),
        };
        // There is one, or this had failed before.
        if let Some(board) = &mut self.board {
            if let Some(turned) = turned {
                *board = turned;
            }
            board.play(cell).map_err(|e| error(&e.to_string()))?;
        }
        Ok(())
    }

    fn cell(&self, (x, y): At) -> Result<Cell, Fault> {
        let size = self.board()?.size();
        match (u16::try_from(x), u16::try_from(y)) {
            (Ok(x), Ok(y)) if x < size.cols && y < size.rows => Ok(Cell::new(x, y)),
            _ => Err(error(&format!("{x},{y} lies outside a board of {size}"))),
        }
    }

    fn take_back(&mut self, at: At) -> Result<(), Fault> {
        let cell = self.cell(at)?;
        let board = self.board()?;
        let Square::Stone(stone) = board.at(cell) else {
            return Err(error(&format!("there is no stone on {},{}", at.0, at.1)));
        };
        let mut before = board.clone();
        if board.moves().last() == Some(&cell) {
            before.undo();
        } else {
            let mut squares = board.squares().to_vec();
            squares[board.size().index(cell)] = Square::Empty;
            before = with(board, squares, stone)?;
        }
        self.board = Some(before);
        Ok(())
    }

    /// A position as told, and our move in it.
    fn set_up(&mut self, stones: &[(At, i64)], heard: Instant) -> Result<String, Fault> {
        let size = self.board()?.size();
        let count = |owner: i64| stones.iter().filter(|(_, o)| *o == owner).count();
        // Black has moved first: whoever has more stones, or else the one to move.
        let own = match count(1) < count(2) {
            true => Stone::O,
            false => Stone::X,
        };
        let mut squares = vec![Square::Empty; size.len()];
        for &(at, owner) in stones {
            let square = &mut squares[size.index(self.cell(at)?)];
            if *square != Square::Empty {
                return Err(error(&format!("{},{} is told twice", at.0, at.1)));
            }
            *square = match owner {
                1 => Square::Stone(own),
                2 => Square::Stone(own.other()),
                3 => Square::Blocked,
                _ => {
                    let text = format!("{},{},{owner}: owners are 1, 2 and 3", at.0, at.1);
                    return Err(error(&text));
                }
            };
        }
        self.board = Some(with(self.board()?, squares, own)?);
        self.own = own;
        self.think(heard)
    }

    /// Answers an opening.
    fn swap(&mut self, stones: &[At], heard: Instant) -> Result<String, Fault> {
        let size = self.board()?.size();
        if stones.is_empty() {
            return swap::opening(size, self.seed)
                .ok_or_else(|| error("the board is too small for an opening"));
        }
        if !matches!(stones.len(), 3 | 5) {
            return Err(error("an opening has no, three or five stones"));
        }
        let mut board = Board::new(size, self.rule()).map_err(|e| error(&e.to_string()))?;
        for &at in stones {
            let cell = self.cell(at)?;
            board.play(cell).map_err(|e| error(&e.to_string()))?;
        }
        // White is to move after three stones and after five, and is ours if we do not swap.
        self.board = Some(board);
        self.own = Stone::O;
        let choice = self.choose(heard)?;
        if swap::is_bad(&choice) {
            self.own = Stone::X;
            return Ok("SWAP".to_owned());
        }
        self.answer(choice.cell)
    }

    /// Our move, made and said.
    fn think(&mut self, heard: Instant) -> Result<String, Fault> {
        if self.rules & (RENJU | CARO) != 0 {
            return Err(error("the rules of renju and caro are not played here"));
        }
        let choice = self.choose(heard)?;
        self.answer(choice.cell)
    }

    fn answer(&mut self, cell: Cell) -> Result<String, Fault> {
        let at = (i64::from(cell.col), i64::from(cell.row));
        if self.suggests {
            return Ok(format!("SUGGEST {},{}", at.0, at.1));
        }
        self.put(at, self.own)?;
        Ok(format!("{},{}", at.0, at.1))
    }

    fn choose(&mut self, heard: Instant) -> Result<Choice, Fault> {
        let board = self.board()?;
        if board.is_over() {
            return Err(error("the game is over"));
        }
        let stones = board.stones();
        let thinks = self.limits.time_for_move(stones);
        let budget = Budget {
            time: Some(thinks.saturating_sub(heard.elapsed())),
            nodes: None,
            seed: self.seed,
            stop: self.stop.clone(),
            ..Budget::default()
        };
        let board = self
            .board
            .as_ref()
            .ok_or_else(|| error("no game was started"))?;
        let choice = self.policy.decide(board, &budget);
        self.limits.spent(heard.elapsed());
        choice.ok_or_else(|| error("there is no move"))
    }
}

impl serve::Engine for Engine {
    const LONGEST: usize = 1 << 13;
    /// A move that is being thought about when the manager goes is finished within this.
    const GRACE: Option<Duration> = Some(Duration::from_millis(500));

    fn is_farewell(line: &str) -> bool {
        Command::parse(line) == Command::End
    }

    /// The time of a move counts from when its line was heard.
    fn answer(&mut self, line: &str, heard: Instant, say: &mut dyn FnMut(&str)) {
        let command = Command::parse(line);
        if self.told.is_some() && !matches!(command, Command::Info(..) | Command::End) {
            return self.hear_told(command, heard, say);
        }
        match self.obey(command, heard) {
            Ok(Some(answer)) => say(&answer),
            Ok(None) => {}
            Err(Fault::Error(text)) => say(&format!("ERROR {text}")),
            Err(Fault::Unknown) => say("UNKNOWN command"),
        }
    }

    fn answer_too_long(&mut self, say: &mut dyn FnMut(&str)) {
        self.told = None;
        say("UNKNOWN a line of that length");
    }
}

/// The same board with other squares and another side to move.
fn with(board: &Board, squares: Vec<Square>, to_move: Stone) -> Result<Board, Fault> {
    Board::from_squares(board.size(), board.rule(), squares, to_move)
        .map_err(|e| error(&e.to_string()))
}

/// Why a line is not answered as wished.
enum Fault {
    Error(String),
    Unknown,
}

fn error(text: &str) -> Fault {
    Fault::Error(text.to_owned())
}
