//! A program that plays against a person, as letters on a board: it thinks, its pieces fall, its
//! last move blinks, and words cover the board in the end. It knows what is true.

use std::time::Duration;

use kibitzer::games::connect4::rules::letter;
use kibitzer::games::duel::{Duel, Ending, Side};
use kibitzer::games::{connect4, gomoku};
use kibitzer::types::{Cell, GridSize, Time};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// How the program behaves.
#[derive(Clone, Debug)]
pub struct Manner {
    pub game: &'static str,
    pub size: GridSize,
    /// Whether the person moves first in the first game.
    pub person_begins: bool,
    /// Whether who begins changes from game to game.
    pub alternates: bool,
    /// Whether the first side always has the same pieces, or the person.
    pub colours_by_turn: bool,
    /// How long it thinks.
    pub thinks: Duration,
    /// How long a piece takes for each row that it falls.
    pub falls: Duration,
    /// How long the last piece is seen and hidden in turn; zero does not blink.
    pub blinks: Duration,
    /// How long after the end words cover the middle of the board; until the next game.
    pub words_after: Option<Duration>,
    /// Whether they cover all of it.
    pub words_everywhere: bool,
    /// Whether they are a window of their own.
    pub words_in_a_window: bool,
    /// Whether columns are played by keys: `1` to `9`, or a cursor that stays over the last piece.
    pub keys: bool,
    /// How long after the end the next game begins by itself.
    pub restarts_after: Option<Duration>,
    pub seed: u64,
}

impl Manner {
    pub fn of(game: &'static str) -> Self {
        Self {
            game,
            size: match game {
                "connect4" => GridSize::new(7, 6),
                _ => GridSize::new(9, 9),
            },
            person_begins: true,
            alternates: false,
            colours_by_turn: false,
            thinks: Duration::from_millis(600),
            falls: Duration::ZERO,
            blinks: Duration::ZERO,
            words_after: None,
            words_everywhere: false,
            words_in_a_window: false,
            keys: false,
            restarts_after: None,
            seed: 1,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Shown {
    at: Cell,
    letter: char,
    since: Time,
}

/// The program at work.
pub struct Program {
    manner: Manner,
    duel: Box<dyn Duel>,
    shown: Vec<Shown>,
    person: Side,
    games: u32,
    rng: ChaCha8Rng,
    /// When the program moves, if it is to.
    answers_at: Option<Time>,
    /// The column of the cursor.
    cursor: u16,
    /// The kinds have changed their looks.
    swapped: bool,
    ended: Option<Time>,
    /// The last change of anything that is true.
    pub changed: Time,
    /// Clicks of the person under watch that came when it was not the person's turn.
    pub out_of_turn: Vec<(Time, Cell)>,
    /// Those on an empty board: nobody can see that a game is the other side's to begin.
    pub too_early: Vec<(Time, Cell)>,
    /// When each of the program's moves lay still, and when the next click came.
    pub answered: Vec<(Time, Option<Time>)>,
    /// How each game ended, for the person.
    pub results: Vec<&'static str>,
}

impl Program {
    pub fn new(manner: Manner) -> Self {
        let duel = match manner.game {
            "connect4" => connect4::duel(manner.size, 4).expect("a board"),
            _ => gomoku::duel(manner.size, Default::default()).expect("a board"),
        };
        let mut program = Self {
            rng: ChaCha8Rng::seed_from_u64(manner.seed),
            person: Side::First,
            duel,
            shown: Vec::new(),
            games: 0,
            answers_at: None,
            cursor: 0,
            swapped: false,
            ended: None,
            changed: Time::ZERO,
            out_of_turn: Vec::new(),
            too_early: Vec::new(),
            answered: Vec::new(),
            results: Vec::new(),
            manner,
        };
        program.begin(Time::ZERO);
        program
    }

    pub fn size(&self) -> GridSize {
        self.manner.size
    }

    /// Whether the person is to move.
    pub fn is_persons_turn(&self) -> bool {
        self.duel.ending().is_none() && self.duel.to_move() == self.person
    }

    fn begin(&mut self, now: Time) {
        let swap = self.manner.alternates && self.games % 2 == 1;
        self.person = match self.manner.person_begins != swap {
            true => Side::First,
            false => Side::Second,
        };
        self.games += 1;
        self.duel = self.duel.fresh();
        self.shown.clear();
        self.ended = None;
        self.changed = now;
        self.cursor = (self.manner.size.cols - 1) / 2;
        self.answers_at = (!self.is_persons_turn()).then(|| now + self.manner.thinks);
    }

    fn letter(&self, side: Side) -> char {
        let first = match self.manner.colours_by_turn {
            true => Side::First,
            false => self.person,
        };
        match (side == first) != self.swapped {
            true => 'a',
            false => 'b',
        }
    }

    /// From now on the pieces have each other's looks.
    pub fn recolour(&mut self, now: Time) {
        self.swapped = !self.swapped;
        self.changed = now;
        for s in &mut self.shown {
            s.letter = if s.letter == 'a' { 'b' } else { 'a' };
        }
    }

    fn cell_of(&self, action: &str) -> Cell {
        if self.manner.game == "connect4" {
            let col = action.chars().next().and_then(|c| c.to_digit(36));
            let col = col.expect("a column") as u16 - 1;
            let under = self.shown.iter().filter(|s| s.at.col == col).count() as u16;
            return Cell::new(col, self.manner.size.rows - 1 - under);
        }
        gomoku::rules::parse_action(action, self.manner.size).expect("a cell")
    }

    fn action_of(&self, cell: Cell) -> String {
        match self.manner.game {
            "connect4" => letter(cell.col.into()).to_string(),
            _ => gomoku::rules::action(cell),
        }
    }

    /// How long a piece takes to come to rest.
    fn falling(&self, at: Cell) -> Duration {
        self.manner.falls * u32::from(at.row)
    }

    fn put(&mut self, action: &str, now: Time) {
        let side = self.duel.to_move();
        let at = self.cell_of(action);
        let letter = self.letter(side);
        self.cursor = at.col;
        self.duel.play(action).expect("a legal move");
        self.shown.push(Shown {
            at,
            letter,
            since: now,
        });
        let rests = now + self.falling(at);
        self.changed = rests;
        self.answers_at = None;
        if side != self.person {
            self.answered.push((rests, None));
        }
        match self.duel.ending() {
            Some(ending) => {
                self.ended = Some(rests);
                self.results.push(match ending {
                    Ending::Won(side) if side == self.person => "won",
                    Ending::Won(_) => "lost",
                    Ending::Draw => "draw",
                });
            }
            None if !self.is_persons_turn() => self.answers_at = Some(rests + self.manner.thinks),
            None => {}
        }
    }

    fn legal(&self) -> Vec<String> {
        let mut all: Vec<String> = self
            .manner
            .size
            .cells()
            .map(|c| self.action_of(c))
            .collect();
        all.dedup();
        all.sort();
        all.dedup();
        all.retain(|action| {
            let mut copy = self.duel.fresh();
            self.duel
                .moves()
                .iter()
                .for_each(|m| copy.play(m).expect("legal"));
            copy.play(action).is_ok()
        });
        all
    }

    /// Whether the side to move wins by a move, or with `other` the other side would.
    fn wins(&self, action: &str, other: bool) -> bool {
        let mut copy = self.duel.fresh();
        let side = self.duel.to_move();
        self.duel
            .moves()
            .iter()
            .for_each(|m| copy.play(m).expect("legal"));
        let pass = |copy: &mut Box<dyn Duel>| {
            let all = self.legal();
            let quiet = all
                .iter()
                .find(|a| *a != action && self.cell_of(a).col != self.cell_of(action).col);
            quiet.is_some_and(|a| copy.play(a).is_ok() && copy.ending().is_none())
        };
        if other && !pass(&mut copy) {
            return false;
        }
        let winner = if other { side.other() } else { side };
        copy.play(action).is_ok() && copy.ending() == Some(Ending::Won(winner))
    }

    /// What the program (or a person who helps) plays: what wins, what keeps the other from it,
    /// else something near what there is.
    fn choice(&mut self) -> Option<String> {
        let legal = self.legal();
        let urgent = |other| legal.iter().find(|a| self.wins(a, other)).cloned();
        if let Some(action) = urgent(false).or_else(|| urgent(true)) {
            return Some(action);
        }
        let near = |action: &String| {
            let at = self.cell_of(action);
            let close =
                |s: &Shown| s.at.col.abs_diff(at.col) <= 1 && s.at.row.abs_diff(at.row) <= 1;
            self.manner.game == "connect4" || self.shown.iter().any(close)
        };
        let near: Vec<&String> = legal.iter().filter(|a| near(a)).collect();
        let of = match near.is_empty() {
            true => legal.iter().collect(),
            false => near,
        };
        if of.is_empty() {
            return None;
        }
        let at = self.rng.random_range(0..of.len());
        Some(of[at].clone())
    }

    /// What happens by itself until now.
    pub fn go_on(&mut self, now: Time) {
        if self.answers_at.is_some_and(|t| t <= now)
            && let Some(action) = self.choice()
        {
            self.put(&action, now);
        }
        let restart = self.ended.zip(self.manner.restarts_after);
        if restart.is_some_and(|(t, after)| t + after <= now) {
            self.begin(now);
        }
    }

    /// The person under watch clicks.
    pub fn click(&mut self, cell: Cell, now: Time) {
        self.go_on(now);
        if !self.is_persons_turn() {
            match self.shown.is_empty() {
                true => self.too_early.push((now, cell)),
                false => self.out_of_turn.push((now, cell)),
            }
            return;
        }
        if let Some((_, next @ None)) = self.answered.last_mut() {
            *next = Some(now);
        }
        let action = self.action_of(cell);
        if self.legal().contains(&action) {
            self.put(&action, now);
        }
    }

    /// A key of the program: `n` begins a new game; the others drop a piece or move the cursor.
    pub fn key(&mut self, name: &str, now: Time) {
        let top = |col: u16| Cell::new(col, 0);
        match name {
            "n" => self.begin(now),
            _ if !self.manner.keys => {}
            "Left" => self.cursor = self.cursor.saturating_sub(1),
            "Right" => self.cursor = (self.cursor + 1).min(self.manner.size.cols - 1),
            "Down" => self.click(top(self.cursor), now),
            digit => {
                let col = digit.parse::<u16>().expect("a column");
                self.click(top(col - 1), now);
            }
        }
    }

    /// Somebody moves for the person, if it is his turn.
    pub fn helped(&mut self, now: Time) -> bool {
        if !self.is_persons_turn() {
            return false;
        }
        match self.choice() {
            Some(action) => self.put(&action, now),
            None => return false,
        }
        true
    }

    /// Somebody takes so many moves back.
    pub fn undo(&mut self, moves: usize, now: Time) -> bool {
        let played = self.duel.moves().len();
        if moves > played || self.ended.is_some() {
            return false;
        }
        let kept: Vec<String> = self.duel.moves()[..played - moves].to_vec();
        self.duel = self.duel.fresh();
        kept.iter().for_each(|m| self.duel.play(m).expect("legal"));
        self.shown.truncate(kept.len());
        self.changed = now;
        self.answers_at = (!self.is_persons_turn()).then(|| now + self.manner.thinks);
        true
    }

    /// The position in letters, without anything on its way.
    pub fn truth(&self) -> Vec<char> {
        let mut rows = vec!['.'; self.manner.size.len()];
        for s in &self.shown {
            rows[self.manner.size.index(s.at)] = s.letter;
        }
        rows
    }

    /// What the screen shows.
    pub fn screen(&self, now: Time) -> Vec<char> {
        let size = self.manner.size;
        let mut rows = vec!['.'; size.len()];
        for (i, s) in self.shown.iter().enumerate() {
            let gone = now.since(s.since).as_micros();
            let step = self.manner.falls.as_micros();
            let fallen = gone
                .checked_div(step)
                .map_or(s.at.row, |r| r.min(999) as u16);
            let at = Cell::new(s.at.col, s.at.row.min(fallen));
            let blink = self.manner.blinks.as_micros();
            let last = i + 1 == self.shown.len() && self.ended.is_none();
            // A piece that has come to rest is shown first.
            let rested = now.since(s.since + self.falling(s.at)).as_micros();
            let hidden = last && blink > 0 && (rested / blink) % 2 == 1;
            if !hidden {
                rows[size.index(at)] = s.letter;
            }
        }
        if self.has_words(now) {
            for cell in size.cells() {
                let middle =
                    cell.col.abs_diff(size.cols / 2) <= 1 && cell.row.abs_diff(size.rows / 2) <= 1;
                if middle || self.manner.words_everywhere {
                    rows[size.index(cell)] = '?';
                }
            }
        }
        rows
    }

    fn has_words(&self, now: Time) -> bool {
        let words = self.ended.zip(self.manner.words_after);
        words.is_some_and(|(t, after)| t + after <= now)
    }

    /// Whether a window lies over the board.
    pub fn is_obscured(&self, now: Time) -> bool {
        self.manner.words_in_a_window && self.has_words(now)
    }
}
