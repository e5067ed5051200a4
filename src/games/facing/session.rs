//! One board, two seats, game after game.
//!
//! Takes moves and times; gives the position, whose turn it is and how it ended. The policy's move
//! is thought out once the move before it has been seen at rest, and made when its time has come,
//! however late anybody looks.

use std::time::Duration;

use super::contest::{Contest, Thinker, winning_row};
use super::level::Level;
use crate::games::duel::{Ending, Side};
use crate::types::{Cell, Time};

/// Nothing is thought about a position before it has been at rest for so long: thinking holds up
/// the picture, and a move must be seen before.
const SEEN: Duration = Duration::from_millis(60);

/// The two sides of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// The person at the window.
    You,
    /// The policy, or a second person.
    Opponent,
}

impl Seat {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::You => Self::Opponent,
            Self::Opponent => Self::You,
        }
    }
}

/// How a session begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Who makes the first move.
    pub starts: Seat,
    /// How well the policy plays.
    pub level: Level,
    /// The most nodes that it visits for a move.
    pub nodes: u64,
    /// Seed of its slips.
    pub seed: u64,
    /// From the moment at which a move has come to rest to the reply.
    pub delay: Duration,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            starts: Seat::You,
            level: Level::MOST,
            nodes: 1_000_000,
            seed: 0,
            delay: Duration::from_millis(300),
        }
    }
}

/// A move that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played<M> {
    /// The move.
    pub action: M,
    /// Where its stone lies.
    pub cell: Cell,
    /// Whose it is.
    pub side: Side,
    /// When it was made.
    pub at: Time,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Somebody has a row.
    Row(Side),
    /// The other one has given up.
    Resigned(Side),
    /// Nobody can move or win.
    Draw,
}

/// The session.
pub struct Session<B: Contest> {
    empty: B,
    board: B,
    setup: Setup,
    /// `None`: the other seat is a person's, too.
    policy: Option<Box<dyn Thinker<B>>>,
    /// Games begun, the first one counted as 0.
    game: u64,
    moves: Vec<Played<B::Move>>,
    resigned: Option<Side>,
    settled_at: Time,
    /// The policy's move and when it is made.
    reply: Option<(B::Move, Time)>,
    row: Vec<Cell>,
}

impl<B: Contest> Session<B> {
    /// A first game on an empty board, beginning at `now`.
    #[must_use]
    pub fn new(empty: B, setup: Setup, policy: Option<Box<dyn Thinker<B>>>, now: Time) -> Self {
        Self {
            board: empty.clone(),
            empty,
            setup,
            policy,
            game: 0,
            moves: Vec::new(),
            resigned: None,
            settled_at: now,
            reply: None,
            row: Vec::new(),
        }
    }

    /// The position.
    #[must_use]
    pub const fn board(&self) -> &B {
        &self.board
    }

    /// The moves of this game.
    #[must_use]
    pub fn moves(&self) -> &[Played<B::Move>] {
        &self.moves
    }

    /// The cells of the row that has won.
    #[must_use]
    pub fn row(&self) -> &[Cell] {
        &self.row
    }

    /// Games begun before this one.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.game
    }

    /// How well the policy plays.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.setup.level
    }

    /// The policy's name; `None` if two people play.
    #[must_use]
    pub fn policy(&self) -> Option<&str> {
        self.policy.as_deref().map(Thinker::name)
    }

    /// Who sits where.
    #[must_use]
    pub const fn seat(&self, side: Side) -> Seat {
        match side {
            Side::First => self.setup.starts,
            Side::Second => self.setup.starts.other(),
        }
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn finish(&self) -> Option<Finish> {
        if let Some(side) = self.resigned {
            return Some(Finish::Resigned(side.other()));
        }
        Some(match self.board.ending()? {
            Ending::Won(side) => Finish::Row(side),
            Ending::Draw => Finish::Draw,
        })
    }

    /// Whose turn it is; nobody's when the game is over.
    #[must_use]
    pub fn turn(&self) -> Option<Side> {
        self.finish().is_none().then(|| self.board.to_move())
    }

    /// Whether the policy is to move.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.policy.is_some() && self.turn().is_some_and(|s| self.seat(s) == Seat::Opponent)
    }

    /// When the last move has come, or will come, to rest.
    #[must_use]
    pub const fn settled_at(&self) -> Time {
        self.settled_at
    }

    /// Whether a person may move now: nothing is on its way and it is not the policy's turn.
    #[must_use]
    pub fn awaits_person(&self, now: Time) -> bool {
        now >= self.settled_at && self.turn().is_some() && !self.is_thinking()
    }

    /// Whether a person may move and the position has been seen.
    #[must_use]
    pub fn awaits_thought(&self, now: Time) -> bool {
        self.awaits_person(now) && now >= self.settled_at + SEEN
    }

    /// The policy's move, if its time has come. `travel` says how long a stone takes to a cell.
    pub fn advance(&mut self, now: Time, travel: impl Fn(Cell) -> Duration) {
        if !self.is_thinking() || now < self.settled_at + self.setup.delay.min(SEEN) {
            return;
        }
        if self.reply.is_none() {
            let seed = self.seed();
            let Setup { level, nodes, .. } = self.setup;
            let policy = self.policy.as_deref_mut();
            let action = policy.and_then(|p| level.answer(p, &self.board, nodes, seed));
            self.reply = action.map(|action| (action, self.settled_at + self.setup.delay));
        }
        if let Some((action, due)) = self.reply
            && now >= due
        {
            self.put(action, due, travel);
        }
    }

    /// A person's move; false if it is none, or not a person's turn.
    pub fn play(&mut self, action: B::Move, now: Time, travel: impl Fn(Cell) -> Duration) -> bool {
        self.awaits_person(now) && self.put(action, now, travel)
    }

    fn put(&mut self, action: B::Move, at: Time, travel: impl Fn(Cell) -> Duration) -> bool {
        let side = self.board.to_move();
        self.reply = None;
        let Some(cell) = self.board.landing(action) else {
            return false;
        };
        if !self.board.play(action) {
            return false;
        }
        self.moves.push(Played {
            action,
            cell,
            side,
            at,
        });
        self.settled_at = at + travel(cell);
        if let Some(Ending::Won(_)) = self.board.ending() {
            self.row = winning_row(&self.board, cell);
        }
        true
    }

    /// Puts moves on the board that are already at rest; false at the first that is not allowed.
    pub fn set_up(&mut self, actions: &[B::Move], now: Time) -> bool {
        actions
            .iter()
            .all(|&action| self.turn().is_some() && self.put(action, now, |_| Duration::ZERO))
    }

    /// Takes back the last move of a person and what followed, or that somebody gave up; false if
    /// there is nothing to take back.
    pub fn undo(&mut self, now: Time) -> bool {
        let keep = match self.policy {
            _ if self.resigned.is_some() => self.moves.len(),
            None => self.moves.len().saturating_sub(1),
            Some(_) => {
                let own = |m: &Played<B::Move>| self.seat(m.side) == Seat::You;
                // A policy that has opened would only do so again.
                self.moves.iter().rposition(own).unwrap_or(self.moves.len())
            }
        };
        let changed = keep < self.moves.len() || self.resigned.is_some();
        if !changed {
            return false;
        }
        for last in self.moves.drain(keep..).rev() {
            self.board.take_back(last.action);
        }
        self.resigned = None;
        self.row.clear();
        self.reply = None;
        self.settled_at = now;
        true
    }

    /// The side whose turn it is gives up, or the person's if that is the policy's; false if the
    /// game is over.
    pub fn resign(&mut self, now: Time) -> bool {
        let Some(turn) = self.turn() else {
            return false;
        };
        let side = match self.is_thinking() {
            true => turn.other(),
            false => turn,
        };
        self.resigned = Some(side);
        self.reply = None;
        self.settled_at = self.settled_at.min(now);
        true
    }

    /// A new game, begun by the same seat.
    pub fn restart(&mut self, now: Time) {
        self.board = self.empty.clone();
        self.moves.clear();
        self.row.clear();
        self.resigned = None;
        self.reply = None;
        self.settled_at = now;
        self.game += 1;
    }

    /// A new game, begun by the other seat.
    pub fn change_starter(&mut self, now: Time) {
        self.setup.starts = self.setup.starts.other();
        self.restart(now);
    }

    /// From now on the policy plays at this level.
    pub fn set_level(&mut self, level: Level) {
        self.setup.level = level;
        self.reply = None;
    }

    /// Decides the slips of the move that is due: another one for each move of each game.
    fn seed(&self) -> u64 {
        let game = self.game.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let ply = self.moves.len() as u64;
        (self.setup.seed ^ game).wrapping_add(ply.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }
}
