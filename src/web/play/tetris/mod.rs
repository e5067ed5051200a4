//! The built-in Tetris for a page: the target as `kibitzer target tetris` shows it, on a thread of
//! its own.
//!
//! Takes what a page says, gives pictures when they differ from the one before, at most as many as
//! the page has said to have shown. Ends when the page's side is dropped. It never touches a file: a
//! saved game is given to the page, and comes from there.

mod wire;

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use rand::TryRngCore as _;
use rand::rngs::OsRng;
use serde::Deserialize;
use tokio::sync::mpsc;

pub use wire::encode;

use crate::games::tetris::rules::Setup;
use crate::games::tetris::target::keys::{Command, command};
use crate::games::tetris::target::{Options, TetrisTarget};
use crate::types::{Clock as _, Picture, Point, Pointer, SystemClock, Target as _, Time};

/// Pages at a time: each has a thread.
pub const MOST: usize = 8;
/// The smallest picture in px.
pub const SMALLEST: (u32, u32) = (160, 120);
/// The largest picture in px.
pub const LARGEST: (u32, u32) = (3840, 2160);

/// From one look at the game to the next.
const PERIOD: Duration = Duration::from_micros(16_667);
/// Drawn so often even when nothing is known to have changed.
const ANYWAY: Duration = Duration::from_millis(500);
/// Pictures that may be under way: the page draws one while the next one travels. What changes
/// meanwhile waits for the newest state, and is never queued.
const UNDER_WAY: u32 = 2;
/// Messages of a page that wait for the thread: more than anybody types.
const WAITING: usize = 256;

/// How a target begins.
#[derive(Clone, Debug)]
pub struct Begin {
    /// Of the picture, in px.
    pub size: (u32, u32),
    /// 1 to 10.
    pub level: u8,
    /// Of the pieces; any when `None`.
    pub seed: Option<u64>,
}

/// A seed that nobody chose; should the system have no random numbers, always the same one.
fn any_seed() -> u64 {
    { OsRng }.try_next_u64().unwrap_or_default()
}

impl Begin {
    /// The target's options.
    #[must_use]
    pub fn options(&self) -> Options {
        Options {
            setup: Setup {
                level: self.level,
                seed: self.seed.unwrap_or_else(any_seed),
                ..Setup::default()
            },
            picture: self.size,
            ..Options::default()
        }
    }
}

/// What a page says: one object with one field.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Said {
    /// A key goes down.
    Key(String),
    /// A key that is held acts again, if it is one that does.
    Repeat(String),
    /// The pointer: what it does, and where in px of the picture.
    Pointer(PointerWord, f64, f64),
    /// The picture shall have this size.
    Size(u32, u32),
    /// The picture of this number is on the screen.
    Shown(u32),
    /// A saved game is to go on.
    Load(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PointerWord {
    Press,
    Move,
    Release,
}

/// What a page is told.
#[derive(Debug)]
pub enum Told {
    /// What has changed in the picture, see [`encode`].
    Picture(Vec<u8>),
    /// The game, to be kept by the page.
    Saved(String),
    /// What did not work.
    Notice(String),
}

/// A target with its thread, which ends when this is dropped.
#[derive(Debug)]
pub struct Running {
    said: SyncSender<Said>,
    told: mpsc::Receiver<Told>,
}

impl Running {
    /// Starts one.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(begin: &Begin) -> Result<Self, String> {
        let target = TetrisTarget::new(begin.options(), Time::ZERO).map_err(|e| e.to_string())?;
        let (said, hears) = sync_channel(WAITING);
        let (tells, told) = mpsc::channel(UNDER_WAY as usize + 2);
        let game = Game {
            target,
            size: begin.size,
            clock: SystemClock::start(),
            picture: Picture::default(),
            sent: Picture::default(),
            number: 0,
            shown: 0,
            tells,
        };
        let thread = std::thread::Builder::new().name("tetris".to_owned());
        let started = thread.spawn(move || game.run(&hears));
        started.map_err(|e| e.to_string())?;
        Ok(Self { said, told })
    }

    /// Passes on what a page says.
    ///
    /// # Errors
    /// When it says nothing that is known, or too much.
    pub fn say(&self, text: &str) -> Result<(), String> {
        let said: Said = serde_json::from_str(text).map_err(|e| format!("no message: {e}"))?;
        if let Said::Size(width, height) = said
            && !(SMALLEST.0..=LARGEST.0).contains(&width)
                | !(SMALLEST.1..=LARGEST.1).contains(&height)
        {
            return Err(format!("a picture of {width}x{height} is not drawn"));
        }
        match self.said.try_send(said) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err("too many messages at once".to_owned()),
            Err(TrySendError::Disconnected(_)) => Err("the game has ended".to_owned()),
        }
    }

    /// What the page is to be told next; `None` when the game has ended.
    pub async fn told(&mut self) -> Option<Told> {
        self.told.recv().await
    }
}

struct Game {
    target: TetrisTarget,
    size: (u32, u32),
    clock: SystemClock,
    picture: Picture,
    /// What the page has, or is about to have.
    sent: Picture,
    number: u32,
    shown: u32,
    tells: mpsc::Sender<Told>,
}

impl Game {
    fn run(mut self, hears: &Receiver<Said>) {
        let mut due = Instant::now();
        let mut drawn: Option<Instant> = None;
        loop {
            let mut changed = false;
            loop {
                let left = due.saturating_duration_since(Instant::now());
                match hears.recv_timeout(left) {
                    Ok(said) => changed |= self.hear(said),
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => return,
                }
                if Instant::now() >= due {
                    break;
                }
            }
            // What was missed is not made up for.
            due = (due + PERIOD).max(Instant::now());
            let steps = self.target.game().next_step_at();
            changed |= steps.is_some_and(|at| at <= self.clock.now());
            changed |= drawn.is_none_or(|at| at.elapsed() >= ANYWAY);
            if changed {
                drawn = Some(Instant::now());
                self.target.render(self.clock.now(), &mut self.picture);
            }
            self.show();
            if self.tells.is_closed() {
                return;
            }
        }
    }

    /// Whether something may look different now.
    fn hear(&mut self, said: Said) -> bool {
        let now = self.clock.now();
        match said {
            Said::Shown(number) => {
                self.shown = number.min(self.number).max(self.shown);
                return false;
            }
            Said::Repeat(name) if !self.target.repeats(&name) => return false,
            Said::Key(name) | Said::Repeat(name) => match command(&name) {
                Some(Command::Save) => self.tell(Told::Saved(self.target.game().save(now))),
                // The page has the saved game: it says so by itself.
                Some(Command::Load) => return false,
                _ => self.target.key(&name, now),
            },
            Said::Pointer(what, x, y) => {
                let what = match what {
                    PointerWord::Press => Pointer::Press,
                    PointerWord::Move => Pointer::Move,
                    PointerWord::Release => Pointer::Release,
                };
                self.target.pointer(what, Point::new(x, y), now);
            }
            Said::Size(width, height) => {
                self.size = (width, height);
                self.target.resize(width, height);
            }
            Said::Load(text) => {
                if let Err(error) = self.target.load(&text, now) {
                    self.tell(Told::Notice(error.to_string()));
                }
            }
        }
        true
    }

    fn tell(&self, told: Told) {
        // A page that takes nothing misses it.
        let _ = self.tells.try_send(told);
    }

    /// Sends what has changed, unless the page has enough to do.
    fn show(&mut self) {
        if self.number - self.shown >= UNDER_WAY || self.picture == self.sent {
            return;
        }
        let Ok(place) = self.tells.try_reserve() else {
            return;
        };
        self.number += 1;
        place.send(Told::Picture(encode(
            self.number,
            &self.sent,
            &self.picture,
        )));
        self.sent.clone_from(&self.picture);
    }
}

#[cfg(test)]
mod tests;
