//! A brain that is kept running: started, asked, ended when it fails and started again.
//!
//! Takes what a protocol has to say to a process; gives answers or what went wrong and what is done
//! about it. A failure ends the process: whoever is late, lies or babbles may still be talking
//! about the last position when it is asked about the next. Must never ask a process that has
//! not greeted, or start one for ever.

use std::time::{Duration, Instant};

use super::process::{Launch, Process, Trouble};
use crate::types::Stop;

/// How long a brain may take from its start to its greeting; until then being late is no failure.
pub const STARTING: Duration = Duration::from_secs(10);
/// Pauses before a brain that failed is started again, by how often it failed in a row; after the
/// last one it is given up.
const PAUSES: [Duration; 5] = [
    Duration::ZERO,
    Duration::from_millis(250),
    Duration::from_secs(1),
    Duration::from_secs(4),
    Duration::from_secs(15),
];
/// How long telling a new process who we are may take.
const GREETING: Duration = Duration::from_millis(20);

/// How one protocol begins a conversation.
pub trait Protocol: Send {
    /// A new process: forgets the old one and tells it what it must know first. Waits for nothing.
    ///
    /// # Errors
    /// When the process cannot be told.
    fn begin(&mut self, process: &mut Process, until: Instant) -> Result<(), Trouble>;

    /// Waits until the process has greeted; returns at once when it has before.
    ///
    /// # Errors
    /// When it does not until then, or does it wrongly.
    fn greeted(
        &mut self,
        process: &mut Process,
        until: Instant,
        stop: &Stop,
    ) -> Result<(), Trouble>;

    /// What it is told before it has to go.
    fn farewell(&self) -> &'static [&'static str];
}

/// A brain and its conversation; dropping it dismisses it with the words of its protocol.
#[derive(Debug)]
pub struct Brain<P: Protocol> {
    launch: Launch,
    /// The conversation.
    pub protocol: P,
    process: Option<Process>,
    failures: u32,
    rests_until: Option<Instant>,
    given_up: bool,
}

/// What went wrong, and what is done about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{who}: {trouble}{now}")]
pub struct Failure {
    /// The brain's name.
    pub who: String,
    /// What happened.
    pub trouble: Trouble,
    /// What is done with the process; empty when nothing has to be.
    pub now: String,
}

impl<P: Protocol> Brain<P> {
    /// Starts it, so that it gets ready while the board is still being looked for.
    ///
    /// # Errors
    /// When there is no such program. What ends a moment after its start is noticed when it is
    /// asked.
    pub fn new(launch: Launch, protocol: P) -> Result<Self, Trouble> {
        let mut brain = Self {
            launch,
            protocol,
            process: None,
            failures: 0,
            rests_until: None,
            given_up: false,
        };
        match brain.running() {
            Err(error @ Trouble::Start(_)) => Err(error),
            _ => Ok(brain),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.launch.name()
    }

    /// The process id, while it runs.
    pub fn id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// The process, started if it must be and may be.
    fn running(&mut self) -> Result<&mut Process, Trouble> {
        if self.given_up {
            return Err(Trouble::GivenUp);
        }
        if self.process.is_none() {
            if self.rests_until.is_some_and(|t| Instant::now() < t) {
                return Err(Trouble::Resting);
            }
            let mut process = Process::start(&self.launch)?;
            let until = Instant::now() + GREETING;
            self.protocol.begin(&mut process, until)?;
            self.process = Some(process);
        }
        self.process.as_mut().ok_or(Trouble::Resting)
    }

    /// Asks it something; `ask` must not wait longer than `until`.
    ///
    /// # Errors
    /// What went wrong; the process is ended then, unless it is not to blame.
    pub fn asked<T>(
        &mut self,
        until: Instant,
        stop: &Stop,
        ask: impl FnOnce(&mut P, &mut Process) -> Result<T, Trouble>,
    ) -> Result<T, Failure> {
        let answer = self.try_asked(until, stop, ask);
        match answer {
            Ok(answer) => {
                self.failures = 0;
                Ok(answer)
            }
            Err(trouble) => Err(self.failed(trouble)),
        }
    }

    fn try_asked<T>(
        &mut self,
        until: Instant,
        stop: &Stop,
        ask: impl FnOnce(&mut P, &mut Process) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        self.running()?;
        let process = self.process.as_mut().ok_or(Trouble::Resting)?;
        match self.protocol.greeted(process, until, stop) {
            Ok(()) => ask(&mut self.protocol, process),
            Err(Trouble::Late) if process.age() < STARTING => Err(Trouble::Starting),
            Err(Trouble::Late) => Err(Trouble::Wrong(format!(
                "no greeting within {} s of its start",
                STARTING.as_secs()
            ))),
            Err(trouble) => Err(trouble),
        }
    }

    /// Ends the process if it is to blame, and decides what becomes of it.
    fn failed(&mut self, trouble: Trouble) -> Failure {
        let mut now = String::new();
        if trouble.is_failure() {
            let was_running = self.process.take().is_some();
            let ended = match was_running && !matches!(trouble, Trouble::Ended(_)) {
                true => "it is killed and ",
                false => "it is ",
            };
            let pause = PAUSES.get(self.failures as usize);
            self.failures += 1;
            now = match pause {
                Some(pause) if pause.is_zero() => {
                    self.rests_until = None;
                    // Started at once, so that it is ready for the next move.
                    match self.running() {
                        Ok(_) => format!("; {ended}started again"),
                        Err(error) => format!("; {ended}not started again: {error}"),
                    }
                }
                Some(pause) => {
                    self.rests_until = Some(Instant::now() + *pause);
                    format!("; {ended}started again after {} ms", pause.as_millis())
                }
                None => {
                    self.given_up = true;
                    format!(
                        "; {ended}given up after {} failures in a row",
                        self.failures
                    )
                }
            };
        }
        Failure {
            who: self.name().to_owned(),
            trouble,
            now,
        }
    }
}

impl<P: Protocol> Drop for Brain<P> {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.dismiss(self.protocol.farewell());
        }
    }
}
