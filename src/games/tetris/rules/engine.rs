//! A running game in virtual time.
//!
//! Takes a [`Setup`], keys and the time; gives the pile, the falling piece, the score and what
//! happened. Its next event is always known ([`Game::next_step_at`]). Must never look at a clock;
//! steps and keys allocate nothing.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::board::{Board, JUNK};
use super::dealer::{Dealer, Draw};
use super::kind::Kind;
use super::system::{Pose, System};
use super::timing::{MAX_BIAS, MAX_LEVEL, MIN_LEVEL, biased_delay, earned_level, points};
use crate::types::{BoardText, Time};

/// What is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Columns, 4 to 200.
    pub cols: u16,
    /// Rows, 4 to 400.
    pub rows: u16,
    /// The level it begins with, 1 to 10.
    pub level: u8,
    /// Seed of the pieces.
    pub seed: u64,
    /// How pieces are drawn.
    pub draw: Draw,
    /// How pieces appear and turn.
    pub system: System,
    /// Speed bias, see [`biased_delay`].
    pub bias: i8,
}

impl Default for Setup {
    /// The standard: 10x20, level 1, uniform draws.
    fn default() -> Self {
        Self {
            cols: 10,
            rows: 20,
            level: MIN_LEVEL,
            seed: 0,
            draw: Draw::Uniform,
            system: System::standard(),
            bias: 0,
        }
    }
}

/// What a key asks for, on its press edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Key {
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
    /// One turn, counter-clockwise in the standard.
    Rotate,
    /// Down as far as it goes, and landed.
    Drop,
}

impl Key {
    /// All keys.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Rotate, Self::Drop];
}

/// A piece that became part of the pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landing {
    /// Where; its rows are those before complete rows vanished.
    pub pose: Pose,
    /// Rows that it completed.
    pub rows: u16,
    /// Points given for it.
    pub points: u64,
    /// When.
    pub at: Time,
}

/// What happened during a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Happened {
    /// Steps carried out: spawns, falls by a row, landings by themselves.
    pub steps: u64,
    /// Pieces that appeared.
    pub spawned: u64,
    /// Pieces that landed.
    pub landed: u64,
    /// Rows completed.
    pub rows: u64,
    /// Whether a key had an effect.
    pub acted: bool,
    /// Whether the game ended.
    pub ended: bool,
}

/// A running game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub(super) setup: Setup,
    pub(super) dealer: Dealer,
    pub(super) board: Board,
    pub(super) piece: Option<Pose>,
    pub(super) next: Kind,
    /// Fall steps of the piece so far.
    pub(super) fallen: u32,
    /// When the next step is carried out: a delay after the last one, the last landing or the
    /// beginning.
    pub(super) due: Time,
    /// Steps stand still since then: a pause or calibration.
    pub(super) held: Option<Time>,
    /// In calibration mode, what is shown at the top.
    pub(super) calibrating: Option<Option<Kind>>,
    pub(super) lines: u64,
    pub(super) score: u64,
    pub(super) pieces: u64,
    pub(super) junk: u64,
    pub(super) over: bool,
    pub(super) landing: Option<Landing>,
    /// By the height of the pile after each landing.
    pub(super) heights: Vec<u64>,
}

impl Game {
    /// A new game: nothing falls yet, the first piece appears a full delay after `now`. Sides,
    /// level and bias are brought into their ranges.
    #[must_use]
    pub fn new(mut setup: Setup, now: Time) -> Self {
        let board = Board::empty(setup.cols, setup.rows);
        (setup.cols, setup.rows) = (board.cols(), board.rows());
        setup.level = setup.level.clamp(MIN_LEVEL, MAX_LEVEL);
        setup.bias = setup.bias.clamp(-MAX_BIAS, MAX_BIAS);
        let mut dealer = Dealer::new(setup.draw, setup.seed);
        Self {
            due: now + biased_delay(setup.level, setup.bias),
            next: dealer.deal(),
            heights: vec![0; usize::from(board.rows()) + 1],
            board,
            dealer,
            setup,
            piece: None,
            fallen: 0,
            held: None,
            calibrating: None,
            lines: 0,
            score: 0,
            pieces: 0,
            junk: 0,
            over: false,
            landing: None,
        }
    }

    /// The same on a pile that is there already; the board's size goes before the setup's.
    #[must_use]
    pub fn with_board(setup: Setup, board: Board, now: Time) -> Self {
        let (cols, rows) = (board.cols(), board.rows());
        let mut game = Self::new(
            Setup {
                cols,
                rows,
                ..setup
            },
            now,
        );
        game.junk = board.cells().iter().filter(|&&v| v != 0).count() as u64;
        game.board = board;
        game
    }

    /// Carries out every step due at `now`, in order, each at its own time.
    pub fn advance(&mut self, now: Time) -> Happened {
        let mut happened = Happened::default();
        while let Some(at) = self.next_step_at()
            && at <= now
        {
            self.step(at, &mut happened);
        }
        happened
    }

    /// A key goes down: the steps due before it, then the key at once. What does not fit is
    /// ignored.
    pub fn press(&mut self, key: Key, now: Time) -> Happened {
        let mut happened = self.advance(now);
        if self.held.is_some() {
            return happened;
        }
        let Some(piece) = self.piece else {
            return happened;
        };
        let wanted = match key {
            Key::Left => piece.moved(-1, 0),
            Key::Right => piece.moved(1, 0),
            Key::Rotate => match self.board.turned(&self.setup.system, piece) {
                Some(pose) => pose,
                None => return happened,
            },
            Key::Drop => {
                self.piece = Some(self.board.dropped(&self.setup.system, piece));
                happened.acted = true;
                self.land(now, &mut happened);
                return happened;
            }
        };
        if wanted != piece && self.board.is_free(&self.setup.system, wanted) {
            self.piece = Some(wanted);
            happened.acted = true;
        }
        happened
    }

    fn step(&mut self, at: Time, happened: &mut Happened) {
        happened.steps += 1;
        match self.piece {
            None => self.spawn(at, happened),
            Some(piece) => {
                let below = piece.moved(0, -1);
                if self.board.is_free(&self.setup.system, below) {
                    self.piece = Some(below);
                    self.fallen += 1;
                    self.due = at + self.delay();
                } else {
                    self.land(at, happened);
                }
            }
        }
    }

    fn spawn(&mut self, at: Time, happened: &mut Happened) {
        self.due = at + self.delay();
        let pose = (self.setup.system).spawn(self.next, self.board.cols(), self.board.rows());
        if self.board.is_free(&self.setup.system, pose) {
            self.piece = Some(pose);
            self.fallen = 0;
            self.next = self.dealer.deal();
            happened.spawned += 1;
        } else {
            self.over = true;
            happened.ended = true;
        }
    }

    fn land(&mut self, at: Time, happened: &mut Happened) {
        let Some(pose) = self.piece.take() else {
            return;
        };
        let points = points(self.level(), self.fallen);
        self.board.lock(&self.setup.system, pose);
        let rows = self.board.clear_full();
        self.score += points;
        self.lines += u64::from(rows);
        self.pieces += 1;
        self.heights[usize::from(self.board.height())] += 1;
        self.landing = Some(Landing {
            pose,
            rows,
            points,
            at,
        });
        self.due = at + self.delay();
        happened.landed += 1;
        happened.rows += u64::from(rows);
    }

    /// Pushes a row with one hole in from below. A piece in its way goes up with the pile. When
    /// the pile or the piece would leave the board at the top, the game ends instead.
    pub fn push_junk(&mut self, hole: u16, now: Time) -> Happened {
        let mut happened = self.advance(now);
        if self.over {
            return happened;
        }
        happened.acted = true;
        let room = self.board.height() < self.board.rows();
        if room {
            self.board.push_row(hole.min(self.board.cols() - 1), JUNK);
            self.junk += u64::from(self.board.cols()) - 1;
        }
        let fits = |piece| self.board.is_free(&self.setup.system, piece);
        if let Some(piece) = self.piece
            && room
            && !fits(piece)
        {
            let raised = piece.moved(0, 1);
            self.piece = fits(raised).then_some(raised);
            self.over = self.piece.is_none();
        }
        self.over |= !room;
        happened.ended = self.over;
        happened
    }

    /// Lets time stand still, or go on as if it had not passed.
    pub fn hold(&mut self, hold: bool, now: Time) {
        if hold {
            self.advance(now);
            self.held = self.held.or(Some(now));
        } else if let Some(since) = self.held.take() {
            self.due = self.due + now.since(since);
            self.calibrating = None;
        }
    }

    /// Calibration mode: time stands still and [`Self::piece`] is the one shown with
    /// [`Self::show`], at first none. Afterwards the game goes on where it was.
    pub fn calibrate(&mut self, on: bool, now: Time) {
        self.hold(on, now);
        self.calibrating = on.then_some(None);
    }

    /// In calibration mode, puts a piece at the top, or none; otherwise nothing happens.
    pub fn show(&mut self, kind: Option<Kind>) {
        if let Some(shown) = &mut self.calibrating {
            *shown = kind;
        }
    }

    /// Changes the speed bias; what has passed of the delay counts.
    pub fn set_bias(&mut self, bias: i8, now: Time) {
        let now = self.held.unwrap_or(now);
        self.advance(now);
        let passed = self.delay().saturating_sub(self.due.since(now));
        self.setup.bias = bias.clamp(-MAX_BIAS, MAX_BIAS);
        self.due = now + self.delay().saturating_sub(passed);
    }

    /// Makes this the next piece instead of the one drawn.
    pub fn set_next(&mut self, kind: Kind) {
        self.next = kind;
    }

    /// How pieces are drawn.
    #[must_use]
    pub const fn draw(&self) -> Draw {
        self.dealer.draw()
    }

    /// Draws pieces in another way from the next piece on.
    pub fn set_draw(&mut self, draw: Draw) {
        self.dealer.set_draw(draw);
        self.setup.draw = draw;
        self.next = self.dealer.deal();
    }

    /// The board as it is to be seen, the falling piece included, in the notation of
    /// [`Board::text`]. In calibration mode there is only the piece that is shown.
    #[must_use]
    pub fn text(&self) -> BoardText {
        let (cols, rows) = (self.board.cols(), self.board.rows());
        let cells = self.piece().map(|p| (p.kind, self.setup.system.cells(p)));
        let at = |x: i16, y: i16| match cells {
            Some((kind, cells)) if cells.contains(&(x, y)) => kind.letter(),
            _ if self.is_calibrating() => '.',
            _ => match self.board.get(x, y) {
                Some(0) | None => '.',
                Some(v) => Kind::from_number(v).map_or('#', Kind::letter),
            },
        };
        let all = (0..rows as i16)
            .rev()
            .flat_map(|y| (0..cols as i16).map(move |x| (x, y)));
        BoardText::from_cells(cols.into(), all.map(|(x, y)| at(x, y)))
    }

    /// When the next step is due; `None` when the game is over or held.
    #[must_use]
    pub fn next_step_at(&self) -> Option<Time> {
        let runs = !self.over && self.held.is_none();
        runs.then_some(self.due)
    }

    /// From one step to the next, as it is now.
    #[must_use]
    pub fn delay(&self) -> Duration {
        biased_delay(self.level(), self.setup.bias)
    }

    /// The pile, without the falling piece.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The falling piece; in calibration mode the one shown.
    #[must_use]
    pub fn piece(&self) -> Option<Pose> {
        match self.calibrating {
            None => self.piece,
            Some(kind) => {
                kind.map(|k| (self.setup.system).spawn(k, self.board.cols(), self.board.rows()))
            }
        }
    }

    /// Where the falling piece would land if it were dropped now.
    #[must_use]
    pub fn shadow(&self) -> Option<Pose> {
        let piece = self.piece()?;
        Some(self.board.dropped(&self.setup.system, piece))
    }

    /// The piece that comes next.
    #[must_use]
    pub const fn next(&self) -> Kind {
        self.next
    }

    /// The level, initial or earned, whichever is higher.
    #[must_use]
    pub fn level(&self) -> u8 {
        self.setup.level.max(earned_level(self.lines))
    }

    /// Rows completed.
    #[must_use]
    pub const fn lines(&self) -> u64 {
        self.lines
    }

    /// Points.
    #[must_use]
    pub const fn score(&self) -> u64 {
        self.score
    }

    /// Pieces that have landed.
    #[must_use]
    pub const fn pieces(&self) -> u64 {
        self.pieces
    }

    /// Cells that came from junk rows, or were on the board at first.
    #[must_use]
    pub const fn junk(&self) -> u64 {
        self.junk
    }

    /// Fall steps of the falling piece so far.
    #[must_use]
    pub const fn fallen(&self) -> u32 {
        self.fallen
    }

    /// Whether it is over.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// Whether time stands still.
    #[must_use]
    pub const fn is_held(&self) -> bool {
        self.held.is_some()
    }

    /// Whether it is in calibration mode.
    #[must_use]
    pub const fn is_calibrating(&self) -> bool {
        self.calibrating.is_some()
    }

    /// The piece that landed last.
    #[must_use]
    pub const fn landing(&self) -> Option<Landing> {
        self.landing
    }

    /// How often the pile had each height (the index, 0 to the number of rows) after a landing.
    #[must_use]
    pub fn heights(&self) -> &[u64] {
        &self.heights
    }

    /// What is played; the bias is the present one.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// How pieces appear and turn.
    #[must_use]
    pub const fn system(&self) -> &System {
        &self.setup.system
    }
}

#[cfg(test)]
mod tests;
