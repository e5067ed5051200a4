//! The line to a board, shared by the thread that presses and whoever must let go.
//!
//! Takes masks of relays. Must never close a relay after it was told to let go, and letting go
//! must never wait for a thread that hangs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use super::Protocol;
use super::port::Port;
use crate::act::ActError;
use crate::act::release::LetGo;
use crate::types::Stop;

/// How long letting go waits for a write under way before it writes past it.
const PATIENCE: u32 = 20;

/// One board's line.
pub(super) struct Line {
    protocol: &'static dyn Protocol,
    /// For messages.
    name: String,
    stop: Stop,
    /// The line in use; `None` while the board is away.
    port: Mutex<Option<Port>>,
    /// The same line for letting go while the first is held by a thread that hangs.
    spare: Mutex<Option<Port>>,
    /// Counts the times that somebody let go.
    round: AtomicU64,
}

impl Line {
    pub(super) fn new(protocol: &'static dyn Protocol, name: String, stop: Stop) -> Self {
        Self {
            protocol,
            name,
            stop,
            port: Mutex::new(None),
            spare: Mutex::new(None),
            round: AtomicU64::new(0),
        }
    }

    /// Takes a port whose relays are all open into use.
    pub(super) fn connect(&self, port: Port) -> Result<(), ActError> {
        let twin = port.twin()?;
        *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = Some(twin);
        *self.lock() = Some(port);
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

    /// Whether nothing may be closed any more in this round.
    pub(super) fn is_over(&self, round: u64) -> bool {
        self.stop.is_pulled() || self.round() != round
    }

    /// Closes exactly these relays, unless somebody has let go since the round began.
    ///
    /// # Errors
    /// [`ActError::Stopped`], or [`ActError::Away`] when the port takes no bytes: it is given up.
    pub(super) fn close(&self, relays: u8, round: u64) -> Result<(), ActError> {
        let mut port = self.lock();
        // Under the lock: whoever lets go after this look opens again what is closed here.
        if self.is_over(round) {
            return Err(ActError::Stopped);
        }
        self.write(&mut port, relays)
    }

    /// Opens all relays.
    ///
    /// # Errors
    /// [`ActError::Away`].
    pub(super) fn open_all(&self) -> Result<(), ActError> {
        self.write(&mut self.lock(), 0)
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

    fn write(&self, guard: &mut Option<Port>, relays: u8) -> Result<(), ActError> {
        let Some(port) = guard.as_mut() else {
            return Err(self.away("it is away"));
        };
        port.write(&self.protocol.set(relays)).map_err(|e| {
            *guard = None;
            self.away(&e.to_string())
        })
    }

    fn away(&self, why: &str) -> ActError {
        ActError::Away(format!(
            "the relay board on {} does not take commands: {why}",
            self.name
        ))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Port>> {
        self.port.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LetGo for Line {
    fn let_go(&self) -> Result<(), ActError> {
        self.round.fetch_add(1, Ordering::SeqCst);
        for _ in 0..PATIENCE {
            match self.port.try_lock() {
                Ok(mut port) => return self.write(&mut port, 0),
                Err(TryLockError::Poisoned(port)) => return self.write(&mut port.into_inner(), 0),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        // The thread that has the line hangs in it. A command is one write, so that two of them
        // do not mix.
        match self.spare.try_lock() {
            Ok(mut port) => self.write(&mut port, 0),
            Err(TryLockError::Poisoned(port)) => self.write(&mut port.into_inner(), 0),
            Err(TryLockError::WouldBlock) => Err(self.away("somebody else is letting go")),
        }
    }
}
