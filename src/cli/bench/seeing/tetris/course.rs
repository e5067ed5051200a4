//! A course of play without sense: pieces fall, are pushed about and land; what is on the board
//! at each moment is known.

use std::collections::VecDeque;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::games::tetris::rules::{Board, JUNK, Kind, Pose, System};
use crate::types::{GridSize, Time};

/// What the screen shows from some time on.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Since when.
    pub from: Time,
    /// Row-major from the bottom row.
    pub pile: Vec<u8>,
    /// The falling piece.
    pub piece: Option<Pose>,
    /// The next one.
    pub next: Kind,
}

/// A game played at random.
pub struct Course {
    rng: ChaCha8Rng,
    system: System,
    board: Board,
    piece: Option<Pose>,
    next: Kind,
    /// Microseconds between fall steps.
    step: u64,
    fall: Time,
    push: Time,
    past: VecDeque<Shown>,
}

/// States kept: more than change within two frames.
const KEPT: usize = 24;

impl Course {
    /// A game under way at time zero; `step` is the time between fall steps in microseconds.
    #[must_use]
    pub fn new(seed: u64, size: GridSize, step: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x7e75);
        let next = any_kind(&mut rng);
        let mut course = Self {
            board: Board::empty(size.cols, size.rows),
            system: System::standard(),
            piece: None,
            next,
            step,
            fall: Time(0),
            push: Time(0),
            past: VecDeque::new(),
            rng,
        };
        course.renew();
        course.spawn();
        course.keep(Time::ZERO);
        course
    }

    /// A pile of some height with holes in each row.
    fn renew(&mut self) {
        let (cols, rows) = (self.board.cols(), self.board.rows());
        self.board = Board::empty(cols, rows);
        let height = self.rng.random_range(0..=rows * 2 / 5);
        for y in 0..height as i16 {
            let hole = self.rng.random_range(0..cols) as i16;
            for x in 0..cols as i16 {
                if x != hole && self.rng.random_bool(0.75) {
                    let value = self.rng.random_range(1..=JUNK);
                    self.board.set(x, y, value);
                }
            }
        }
    }

    fn spawn(&mut self) {
        let pose = self
            .system
            .spawn(self.next, self.board.cols(), self.board.rows());
        self.next = any_kind(&mut self.rng);
        if !self.board.is_free(&self.system, pose)
            || self.board.height() * 4 > self.board.rows() * 3
        {
            self.renew();
        }
        self.piece = Some(pose);
    }

    fn keep(&mut self, from: Time) {
        if self.past.len() >= KEPT {
            self.past.pop_front();
        }
        self.past.push_back(Shown {
            from,
            pile: self.board.cells().to_vec(),
            piece: self.piece,
            next: self.next,
        });
    }

    /// Plays up to a time.
    fn play(&mut self, until: Time) {
        loop {
            let now = self.fall.min(self.push);
            if now > until {
                return;
            }
            if now == self.fall {
                self.fall = Time(now.0 + self.step);
                match self.piece {
                    None => self.spawn(),
                    Some(pose) => {
                        let lower = pose.moved(0, -1);
                        if self.board.is_free(&self.system, lower) {
                            self.piece = Some(lower);
                        } else {
                            self.board.lock(&self.system, pose);
                            self.board.clear_full();
                            self.piece = None;
                        }
                    }
                }
            } else {
                self.push = Time(now.0 + self.rng.random_range(50_000..250_000));
                self.any_key();
            }
            self.keep(now);
        }
    }

    fn any_key(&mut self) {
        let Some(pose) = self.piece else { return };
        let wish = match self.rng.random_range(0..10) {
            0..=2 => pose.moved(-1, 0),
            3..=5 => pose.moved(1, 0),
            6..=8 => self.system.turned(pose),
            _ => {
                let mut low = pose;
                while self.board.is_free(&self.system, low.moved(0, -1)) {
                    low = low.moved(0, -1);
                }
                low
            }
        };
        if self.board.is_free(&self.system, wish) {
            self.piece = Some(wish);
        }
    }

    /// What the screen shows at a time; times not long before an earlier one are still known.
    pub fn at(&mut self, now: Time) -> Shown {
        self.play(now);
        let known = self.past.iter().rev().find(|s| s.from <= now);
        // The first state is never younger than the oldest one kept.
        known.unwrap_or(&self.past[0]).clone()
    }

    /// All that the screen shows at some time from one moment to another.
    pub fn between(&mut self, from: Time, to: Time) -> Vec<Shown> {
        self.play(to);
        let first = self.past.iter().rposition(|s| s.from <= from).unwrap_or(0);
        let end = self.past.iter().filter(|s| s.from <= to).count();
        self.past
            .range(first..end.max(first + 1))
            .cloned()
            .collect()
    }

    /// The system of its pieces.
    #[must_use]
    pub const fn system(&self) -> &System {
        &self.system
    }
}

fn any_kind(rng: &mut impl Rng) -> Kind {
    Kind::ALL[rng.random_range(0..7)]
}
