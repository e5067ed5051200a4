//! What a service manager is told: systemd's protocol of notifications (`sd_notify`).
//!
//! Takes what the environment says (`NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID`); sends
//! datagrams. Where there is no manager it does nothing. Must never wait long, and never say that
//! something is alive which it has not been told so: there is no timer in it.

use std::ffi::OsString;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// How long a datagram may wait for its place in the manager's queue.
const PATIENCE: Duration = Duration::from_millis(100);

/// The manager of this process, if it has one.
#[derive(Debug, Default)]
pub struct Notify {
    socket: Option<(UnixDatagram, SocketAddr)>,
    watchdog: Option<Duration>,
    pinged: Option<Instant>,
    status: String,
}

impl Notify {
    /// As the environment of this process says.
    #[must_use]
    pub fn of_process() -> Self {
        let text = |name| std::env::var(name).ok();
        let own = text("WATCHDOG_PID").is_none_or(|pid| pid == std::process::id().to_string());
        let micros = text("WATCHDOG_USEC").filter(|_| own);
        let opened = std::env::var_os("NOTIFY_SOCKET").map(open).transpose();
        Self {
            socket: opened.unwrap_or_else(|error| {
                tracing::warn!(%error, "the service manager cannot be told anything");
                None
            }),
            watchdog: { micros.and_then(|n| n.parse().ok()) }
                .filter(|n| *n > 0)
                .map(Duration::from_micros),
            ..Self::default()
        }
    }

    /// Within this the manager wants a sign of life; `None` where it wants none.
    #[must_use]
    pub const fn watchdog(&self) -> Option<Duration> {
        self.watchdog
    }

    /// It has begun, or is as before after settings were read again.
    pub fn ready(&self) {
        self.send("READY=1");
    }

    /// It reads its settings again.
    pub fn reloading(&self) {
        let now = clock_gettime(ClockId::Monotonic);
        let micros = now.tv_sec * 1_000_000 + now.tv_nsec / 1000;
        self.send(&format!("RELOADING=1\nMONOTONIC_USEC={micros}"));
    }

    /// It ends.
    pub fn stopping(&self) {
        self.send("STOPPING=1");
    }

    /// What it does, in one line; said again only when it is something else.
    pub fn status(&mut self, words: &str) {
        if self.status != words {
            words.clone_into(&mut self.status);
            self.send(&format!("STATUS={words}"));
        }
    }

    /// Whether a sign of life is due: four in the time that the manager waits.
    #[must_use]
    pub fn is_due(&self) -> bool {
        let due = |watchdog: Duration| self.pinged.is_none_or(|at| at.elapsed() >= watchdog / 4);
        self.watchdog.is_some_and(due)
    }

    /// It is alive, says who has just seen that it is.
    pub fn alive(&mut self) {
        self.pinged = Some(Instant::now());
        self.send("WATCHDOG=1");
    }

    fn send(&self, text: &str) {
        if let Some((socket, manager)) = &self.socket
            && let Err(error) = socket.send_to_addr(text.as_bytes(), manager)
        {
            tracing::warn!(%error, text, "the service manager was not told");
        }
    }
}

/// The name begins with `@` for the abstract ones, which have no file.
fn open(name: OsString) -> std::io::Result<(UnixDatagram, SocketAddr)> {
    let manager = match name.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(&name)?,
    };
    let socket = UnixDatagram::unbound()?;
    socket.set_write_timeout(Some(PATIENCE))?;
    Ok((socket, manager))
}
