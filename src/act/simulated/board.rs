//! A relay board without a board: a pseudo-terminal that speaks the protocol of any of the kinds
//! and types into a built-in target, in real time.
//!
//! Takes what any program writes into its port. Must never be needed by the hands themselves:
//! they cannot tell it from a board.

use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serialport::{SerialPort as _, TTYPort};

use super::Faults;
use super::commands::{Command, Commands};
use super::keyboard::{KeyLine, REPEAT};
use crate::types::{Board, Clock, Target, Time};

/// How long a contact must be closed to count as a press: what keyboards need against bouncing.
const DEBOUNCE: Duration = Duration::from_millis(5);

/// The longest wait for bytes, and so the least resolution of what is due.
const LOOK: Duration = Duration::from_millis(2);

/// Keys that change what others mean.
const MODIFIERS: [&str; 3] = ["ctrl", "alt", "shift"];

/// What is kept of what was heard, in bytes: an hour of fast play.
const MOST_HEARD: usize = 1 << 20;

/// The Arduino's relays open when it has heard no command for so long.
const DEAD_MAN: Duration = Duration::from_millis(500);

/// The largest number of relays.
const MOST: usize = 32;

/// How the board behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Which kind of board it is. It stays so.
    pub board: Board,
    /// How many relays it has. It stays so.
    pub size: u8,
    /// It answers so much later than it could.
    pub answer_late: Duration,
    /// It never answers.
    pub mute: bool,
    /// It sends back every byte that it gets.
    pub echo: bool,
    /// Noise comes before every answer.
    pub garbage: bool,
    /// Bits per second on the line, where bytes take their time; 0 takes none.
    pub baud: u32,
}

impl Default for Manner {
    /// As the manual has it.
    fn default() -> Self {
        Self {
            board: Board::Adr2200,
            size: 8,
            answer_late: Duration::ZERO,
            mute: false,
            echo: false,
            garbage: false,
            baud: 9600,
        }
    }
}

/// A board that is running; dropping it unplugs it.
pub struct SimulatedBoard {
    inside: Arc<Inside>,
    thread: Option<JoinHandle<()>>,
}

struct Inside {
    /// The name that stays the same, as below `/dev/serial/by-id`.
    link: PathBuf,
    /// Locked while the thread waits for bytes, never together with the state.
    port: Mutex<Option<Ends>>,
    state: Mutex<State>,
    keys: KeyLine,
    clock: Arc<dyn Clock>,
}

struct State {
    over: bool,
    wiring: Vec<(String, u8)>,
    faults: Faults,
    manner: Manner,
    rng: ChaCha8Rng,
    commands: Commands,
    /// Bytes on the line, each with the time at which it has arrived.
    coming: std::collections::VecDeque<(Time, u8)>,
    answers: std::collections::VecDeque<(Time, Vec<u8>)>,
    heard: Vec<(Time, u8)>,
    closed: u32,
    /// When the last command came, and how long after it all relays open by themselves.
    told: Time,
    dead_man: Option<Duration>,
    /// When each relay was closed last, if that is not yet a press.
    bouncing: [Option<Time>; MOST],
    presses: Vec<(Time, Time, u8)>,
    since: [Time; MOST],
    lost: u64,
    doubled: u64,
}

/// Both ends of the pseudo-terminal. The far one is kept open, or the near one could not be read
/// while no program has it open.
struct Ends {
    near: TTYPort,
    _far: TTYPort,
}

impl SimulatedBoard {
    /// Plugs a board in: `link` becomes the name of its port. `wiring` says which key of the
    /// target each relay presses.
    ///
    /// # Errors
    /// When the system gives no pseudo-terminal, or `link` cannot be made.
    pub fn start(
        link: &Path,
        wiring: Vec<(String, u8)>,
        target: Arc<Mutex<dyn Target>>,
        clock: Arc<dyn Clock>,
        faults: Faults,
        manner: Manner,
    ) -> std::io::Result<Self> {
        let inside = Arc::new(Inside {
            link: link.to_owned(),
            port: Mutex::new(None),
            state: Mutex::new(State {
                over: false,
                wiring,
                rng: ChaCha8Rng::seed_from_u64(faults.seed),
                faults,
                manner,
                commands: Commands::new(manner.board, manner.size),
                coming: std::collections::VecDeque::new(),
                answers: std::collections::VecDeque::new(),
                heard: Vec::new(),
                closed: 0,
                told: Time::ZERO,
                dead_man: (manner.board == Board::Arduino).then_some(DEAD_MAN),
                bouncing: [None; MOST],
                presses: Vec::new(),
                since: [Time::ZERO; MOST],
                lost: 0,
                doubled: 0,
            }),
            keys: KeyLine::new(target),
            clock,
        });
        let mut made = Self {
            inside: Arc::clone(&inside),
            thread: None,
        };
        made.come_back()?;
        let thread = std::thread::Builder::new().name("board".into());
        made.thread = Some(thread.spawn(move || inside.serve())?);
        Ok(made)
    }

    /// The name of its port.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inside.link
    }

    /// Unplugs it: the port is hung up and its name is gone. Relays drop open without power.
    pub fn vanish(&mut self) {
        let _ = std::fs::remove_file(&self.inside.link);
        *self.inside.port() = None;
        let mut state = self.inside.lock();
        let now = self.inside.clock.now();
        state.set(0, now, &self.inside.keys);
        state.commands = Commands::new(state.manner.board, state.manner.size);
        state.coming.clear();
        state.answers.clear();
    }

    /// Plugs it in again: the same name, another terminal.
    ///
    /// # Errors
    /// As for [`Self::start`].
    pub fn come_back(&mut self) -> std::io::Result<()> {
        let (near, far) = TTYPort::pair()?;
        // The copies are closed when this process starts another one, the originals would not be:
        // a child that kept an end would keep the board plugged in.
        let (near, far) = (near.try_clone_native()?, far.try_clone_native()?);
        let name = far.name().ok_or(ErrorKind::NotFound)?;
        *self.inside.port() = Some(Ends { near, _far: far });
        // In one step, so that nobody finds half a name.
        let fresh = self.inside.link.with_extension("fresh");
        let _ = std::fs::remove_file(&fresh);
        std::os::unix::fs::symlink(name, &fresh)?;
        std::fs::rename(&fresh, &self.inside.link)
    }

    /// Behaves otherwise from now on, as the same kind of board.
    pub fn set_manner(&self, manner: Manner) {
        let mut state = self.inside.lock();
        let (board, size) = (state.manner.board, state.manner.size);
        state.manner = Manner {
            board,
            size,
            ..manner
        };
    }

    /// Every byte heard so far with its time, the oldest first.
    #[must_use]
    pub fn heard(&self) -> Vec<(Time, u8)> {
        self.inside.lock().heard.clone()
    }

    /// The relays that are closed now: bit n for the n-th.
    #[must_use]
    pub fn closed(&self) -> u32 {
        self.inside.lock().closed
    }

    /// When each press began and ended and by which relay, in the order of their ends.
    #[must_use]
    pub fn presses(&self) -> Vec<(Time, Time, u8)> {
        self.inside.lock().presses.clone()
    }

    /// How many presses were lost and how many doubled so far.
    #[must_use]
    pub fn faults_made(&self) -> (u64, u64) {
        let state = self.inside.lock();
        (state.lost, state.doubled)
    }

    /// Keys on their way, for whoever draws the target.
    #[must_use]
    pub fn line(&self) -> KeyLine {
        self.inside.keys.clone()
    }
}

impl Drop for SimulatedBoard {
    fn drop(&mut self) {
        self.vanish();
        self.inside.lock().over = true;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Inside {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn port(&self) -> MutexGuard<'_, Option<Ends>> {
        self.port.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The thread: bytes in, keys out.
    fn serve(&self) {
        let mut piece = [0u8; 256];
        let mut answers = Vec::new();
        let mut wait = LOOK;
        loop {
            let n = self.listen(&mut piece, wait);
            let now = self.clock.now();
            let mut state = self.lock();
            if state.over {
                return;
            }
            state.hear(&piece[..n], now);
            state.advance(now, &self.keys, &mut answers);
            let next = [state.next(), self.keys.next()].into_iter().flatten().min();
            drop(state);
            self.keys.deliver(now);
            if !answers.is_empty()
                && let Some(ends) = self.port().as_mut()
            {
                // Nobody may be reading.
                let _ = ends.near.write(&answers);
            }
            answers.clear();
            let until = next.map_or(now + LOOK, |at| at.min(now + LOOK));
            wait = until.since(self.clock.now());
        }
    }

    /// Waits for bytes that are written into the port; how many there were.
    fn listen(&self, piece: &mut [u8], wait: Duration) -> usize {
        if let Some(ends) = self.port().as_mut() {
            // A wait of zero would be one without end on some systems.
            let wait = wait.max(Duration::from_micros(50));
            if ends.near.set_timeout(wait).is_ok()
                && let Ok(n) = ends.near.read(piece)
            {
                return n;
            }
            // Its time is over, unless it failed at once: then the sleep below keeps it slow.
            if ends.near.bytes_to_read().is_ok() {
                return 0;
            }
        }
        std::thread::sleep(wait.max(Duration::from_millis(1)));
        0
    }
}

impl State {
    /// Takes what has been written into the port.
    fn hear(&mut self, bytes: &[u8], now: Time) {
        let byte_time = match self.manner.baud {
            0 => Duration::ZERO,
            baud => Duration::from_secs(10) / baud,
        };
        for byte in bytes {
            let after = self.coming.back().map_or(now, |(at, _)| now.max(*at));
            self.coming.push_back((after + byte_time, *byte));
        }
    }

    /// When something is due.
    fn next(&self) -> Option<Time> {
        let coming = self.coming.front().map(|(at, _)| *at);
        let answer = self.answers.front().map(|(at, _)| *at);
        let dead_man = self.dead_man.filter(|_| self.closed != 0);
        let silence = dead_man.map(|d| self.told + d);
        let press = self
            .bouncing
            .iter()
            .flatten()
            .map(|at| *at + DEBOUNCE)
            .min();
        [coming, answer, press, silence].into_iter().flatten().min()
    }

    fn advance(&mut self, now: Time, keys: &KeyLine, answers: &mut Vec<u8>) {
        while self.coming.front().is_some_and(|(at, _)| *at <= now) {
            let Some((at, byte)) = self.coming.pop_front() else {
                break;
            };
            if self.heard.len() < MOST_HEARD {
                self.heard.push((at, byte));
            }
            if self.manner.echo {
                self.answers.push_back((at, vec![byte]));
            }
            self.settle(at, keys);
            if let Some(command) = self.commands.take(byte) {
                self.obey(command, at, keys);
            }
        }
        let silent = |d| self.closed != 0 && self.told + d <= now;
        if self.dead_man.is_some_and(silent) {
            self.set(0, now, keys);
        }
        self.settle(now, keys);
        while self.answers.front().is_some_and(|(at, _)| *at <= now) {
            if let Some((_, bytes)) = self.answers.pop_front() {
                answers.extend(bytes);
            }
        }
    }

    fn obey(&mut self, command: Command, at: Time, keys: &KeyLine) {
        self.told = at;
        match command {
            Command::Set(mask) => self.set(mask, at, keys),
            Command::Close(relay) => self.set(self.closed | 1 << relay, at, keys),
            Command::Open(relay) => self.set(self.closed & !(1 << relay), at, keys),
            Command::DeadMan(after) => self.dead_man = Some(after),
            Command::Tell(_) | Command::Nothing => {}
        }
        let answer = self.commands.answer(command, self.closed);
        if answer.is_empty() {
            return;
        }
        if self.manner.mute {
            return;
        }
        let mut bytes = Vec::new();
        if self.manner.garbage {
            let length = self.rng.random_range(1..12);
            bytes.extend((0..length).map(|_| self.rng.random::<u8>()));
            bytes.push(b'\r');
        }
        bytes.extend(answer);
        self.answers
            .push_back((at + self.manner.answer_late, bytes));
    }

    /// Relays change.
    fn set(&mut self, mask: u32, at: Time, keys: &KeyLine) {
        self.settle(at, keys);
        let changed = self.closed ^ mask;
        self.closed = mask;
        for relay in (0..MOST as u8).filter(|r| changed & 1 << r != 0) {
            let i = usize::from(relay);
            if mask & 1 << relay != 0 {
                self.since[i] = at;
                self.bouncing[i] = Some(at);
            } else {
                self.bouncing[i] = None;
                if self.presses.len() < MOST_HEARD {
                    let number = relay + self.manner.board.kind().first;
                    self.presses.push((self.since[i], at, number));
                }
            }
        }
    }

    /// The key of a relay with the modifiers that are held now; a modifier alone is no key.
    fn name_of(&self, relay: usize) -> Option<String> {
        let is_modifier = |key: &str| MODIFIERS.iter().any(|m| m.eq_ignore_ascii_case(key));
        let first = self.manner.board.kind().first;
        let index = |number: u8| usize::from(number.wrapping_sub(first));
        let wired = self.wiring.iter().find(|(_, r)| index(*r) == relay);
        let (key, _) = wired.filter(|(key, _)| !is_modifier(key))?;
        let held = self.wiring.iter().filter(|(key, r)| {
            let closed = self.closed.checked_shr(index(*r) as u32).unwrap_or(0) & 1 != 0;
            is_modifier(key) && closed
        });
        let mut name = String::new();
        for (modifier, _) in held {
            name.push_str(&modifier.to_ascii_lowercase());
            name.push('+');
        }
        Some(name + key)
    }

    /// Contacts that have been closed for long enough are presses.
    fn settle(&mut self, now: Time, keys: &KeyLine) {
        for relay in 0..MOST {
            let Some(down) = self.bouncing[relay].filter(|at| *at + DEBOUNCE <= now) else {
                continue;
            };
            self.bouncing[relay] = None;
            let Some(key) = self.name_of(relay) else {
                continue;
            };
            // The keyboard's own time is part of the latency.
            let at = (down + self.faults.delay(&mut self.rng)).max(down + DEBOUNCE);
            match self.faults.arrivals(&mut self.rng) {
                0 => self.lost += 1,
                1 => keys.put(at, &key),
                _ => {
                    self.doubled += 1;
                    keys.put(at, &key);
                    let more = self.rng.random_range(0..=REPEAT.as_micros() as u64 / 2);
                    keys.put(at + REPEAT + Duration::from_micros(more), &key);
                }
            }
        }
    }
}
