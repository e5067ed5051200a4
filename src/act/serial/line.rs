//! The line to a device, shared by the thread that presses and whoever must let go.
//!
//! Takes commands. Must never press anything after it was told to let go, and letting go must
//! never wait for a thread that hangs.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use super::Protocol;
use super::port::Port;
use crate::act::ActError;
use crate::act::release::LetGo;
use crate::types::Stop;

/// How long letting go waits for a write under way before it writes past it.
const PATIENCE: u32 = 20;

/// One device's line.
pub(super) struct Line {
    protocol: Arc<dyn Protocol>,
    /// The port's, for messages.
    name: String,
    stop: Stop,
    /// The shortest time between two commands.
    spacing: Duration,
    /// When the last command was written.
    last: Mutex<Option<Instant>>,
    /// The line in use; `None` while the device is away.
    port: Mutex<Option<Port>>,
    /// The same line for letting go while the first is held by a thread that hangs.
    spare: Mutex<Option<Port>>,
    /// Counts the times that somebody let go.
    round: AtomicU64,
    /// What may be held, in the protocol's bits.
    held: AtomicU32,
}

impl Line {
    pub(super) fn new(
        protocol: Arc<dyn Protocol>,
        name: String,
        spacing: Duration,
        stop: Stop,
    ) -> Self {
        Self {
            protocol,
            name,
            stop,
            spacing,
            last: Mutex::new(None),
            port: Mutex::new(None),
            spare: Mutex::new(None),
            round: AtomicU64::new(0),
            held: AtomicU32::new(0),
        }
    }

    /// Takes a port into use on which nothing is held.
    pub(super) fn connect(&self, port: Port) -> Result<(), ActError> {
        let twin = port.twin()?;
        *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = Some(twin);
        *self.lock() = Some(port);
        self.held.store(0, Ordering::SeqCst);
        self.mark();
        Ok(())
    }

    /// Gives the port up, if there is one.
    pub(super) fn disconnect(&self) {
        *self.lock() = None;
        *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(super) fn is_connected(&self) -> bool {
        self.lock().is_some()
    }

    /// How often somebody let go so far.
    pub(super) fn round(&self) -> u64 {
        self.round.load(Ordering::SeqCst)
    }

    /// Whether nothing may be pressed any more in this round.
    pub(super) fn is_over(&self, round: u64) -> bool {
        self.stop.is_pulled() || self.round() != round
    }

    /// Sends commands that press what `held` has, unless somebody has let go since the round
    /// began.
    ///
    /// # Errors
    /// [`ActError::Stopped`], or [`ActError::Away`] when the port takes no bytes: it is given up.
    pub(super) fn press(
        &self,
        commands: &[Vec<u8>],
        held: u32,
        round: u64,
    ) -> Result<(), ActError> {
        for command in commands {
            self.keep_spacing();
            let mut port = self.lock();
            // Under the lock: whoever lets go after this look lets go of what is pressed here.
            if self.is_over(round) {
                return Err(ActError::Stopped);
            }
            self.held.fetch_or(held, Ordering::SeqCst);
            self.write(&mut port, command)?;
        }
        Ok(())
    }

    /// Sends commands after which what `held` has is let go.
    ///
    /// # Errors
    /// [`ActError::Away`].
    pub(super) fn release(&self, commands: &[Vec<u8>], held: u32) -> Result<(), ActError> {
        let mut done = Ok(());
        for command in commands {
            self.keep_spacing();
            done = done.and(self.write(&mut self.lock(), command));
        }
        done?;
        self.held.fetch_and(!held, Ordering::SeqCst);
        Ok(())
    }

    /// Lets go of everything without ending the round.
    ///
    /// # Errors
    /// [`ActError::Away`].
    pub(super) fn release_all(&self) -> Result<(), ActError> {
        let held = self.held.load(Ordering::SeqCst);
        self.release(&self.protocol.let_go(held), u32::MAX)
    }

    /// Waits until the next command may be written. Without the lock, so that letting go need
    /// not wait for it; two that wait at once may then come closer than they should.
    fn keep_spacing(&self) {
        if self.spacing.is_zero() {
            return;
        }
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // Real time: the device keeps no other, whatever the run's clock says.
        let passed = last.map_or(self.spacing, |at| at.elapsed());
        std::thread::sleep(self.spacing.saturating_sub(passed));
    }

    /// A command was written now.
    fn mark(&self) {
        if !self.spacing.is_zero() {
            let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            *last = Some(Instant::now());
        }
    }

    /// Asks something, after forgetting what came in before.
    ///
    /// # Errors
    /// [`ActError::Away`].
    pub(super) fn ask(&self, question: &[u8]) -> Result<(), ActError> {
        self.keep_spacing();
        let asked = self.with(|port| {
            port.forget_input()?;
            port.write(question)
        });
        self.mark();
        asked
    }

    /// Does something with the open port; an error of the port gives it up.
    pub(super) fn with<T>(
        &self,
        act: impl FnOnce(&mut Port) -> std::io::Result<T>,
    ) -> Result<T, ActError> {
        let mut guard = self.lock();
        let Some(port) = guard.as_mut() else {
            return Err(self.away("it is away"));
        };
        act(port).map_err(|e| {
            *guard = None;
            self.away(&e.to_string())
        })
    }

    fn write(&self, guard: &mut Option<Port>, command: &[u8]) -> Result<(), ActError> {
        let Some(port) = guard.as_mut() else {
            return Err(self.away("it is away"));
        };
        let written = port.write(command);
        self.mark();
        written.map_err(|e| {
            *guard = None;
            self.away(&e.to_string())
        })
    }

    fn away(&self, why: &str) -> ActError {
        ActError::Away(format!(
            "the {} on {} does not take commands: {why}",
            self.protocol.name(),
            self.name
        ))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Port>> {
        self.port.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One command of letting go, past a thread that hangs in the line if need be.
    fn write_past(&self, command: &[u8]) -> Result<(), ActError> {
        self.keep_spacing();
        for _ in 0..PATIENCE {
            match self.port.try_lock() {
                Ok(mut port) => return self.write(&mut port, command),
                Err(TryLockError::Poisoned(port)) => {
                    return self.write(&mut port.into_inner(), command);
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        // A command is one write, so that two of them do not mix.
        match self.spare.try_lock() {
            Ok(mut port) => self.write(&mut port, command),
            Err(TryLockError::Poisoned(port)) => self.write(&mut port.into_inner(), command),
            Err(TryLockError::WouldBlock) => Err(self.away("somebody else is letting go")),
        }
    }
}

impl LetGo for Line {
    fn let_go(&self) -> Result<(), ActError> {
        self.round.fetch_add(1, Ordering::SeqCst);
        let held = self.held.load(Ordering::SeqCst);
        // One command that fails keeps no other from being sent.
        let mut done = Ok(());
        for command in self.protocol.let_go(held) {
            done = done.and(self.write_past(&command));
        }
        done?;
        // What the round that has just ended pressed meanwhile is let go by its own thread.
        self.held.fetch_and(!held, Ordering::SeqCst);
        Ok(())
    }
}
