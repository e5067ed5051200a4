//! The thread that hears what a process says and complains about.

use std::io::{PipeReader, PipeWriter, Read};
use std::os::fd::AsFd;
use std::process::{ChildStderr, ChildStdout};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, poll};

use super::lines::{Line, Lines};

/// Lines that wait to be read. When there are more, the process has to wait.
const WAITING: usize = 256;
/// Complaints of one process that are logged; later ones are only counted.
const LOGGED: u32 = 1000;

/// A line and when it came.
pub(super) type Said = (Line, Instant);

/// Begins to listen. Dropping the writer ends it, also while the process lives on.
pub(super) fn listen(
    name: &str,
    out: ChildStdout,
    err: ChildStderr,
    complaint: Arc<Mutex<String>>,
) -> std::io::Result<(Receiver<Said>, PipeWriter)> {
    let (told, heard) = sync_channel(WAITING);
    let (asleep, wake) = std::io::pipe()?;
    let ears = Ears {
        name: name.to_owned(),
        out: Some(out),
        err: Some(err),
        asleep,
        complaint,
        complaints: 0,
    };
    std::thread::Builder::new()
        .name(format!("ears of {name}"))
        .spawn(move || ears.run(told))?;
    Ok((heard, wake))
}

struct Ears {
    name: String,
    out: Option<ChildStdout>,
    err: Option<ChildStderr>,
    asleep: PipeReader,
    complaint: Arc<Mutex<String>>,
    complaints: u32,
}

impl Ears {
    fn run(mut self, told: SyncSender<Said>) {
        let mut told = Some(told);
        let (mut lines, mut complaints) = (Lines::default(), Lines::default());
        let mut bytes = [0; 4096];
        while self.out.is_some() || self.err.is_some() {
            let Some((hears_out, hears_err)) = self.wait() else {
                return;
            };
            // Complaints first: they tell why the output ends.
            if hears_err {
                match self.err.as_mut().map(|err| err.read(&mut bytes)) {
                    Some(Ok(n)) if n > 0 => {
                        complaints.take(&bytes[..n], |line| self.complains(&line));
                    }
                    Some(Err(e)) if is_passing(&e) => {}
                    _ => self.err = None,
                }
            }
            if hears_out {
                match self.out.as_mut().map(|out| out.read(&mut bytes)) {
                    Some(Ok(n)) if n > 0 => {
                        let Some(to) = &told else { return };
                        let now = Instant::now();
                        if !lines.take(&bytes[..n], |line| to.send((line, now)).is_ok()) {
                            return;
                        }
                    }
                    Some(Err(e)) if is_passing(&e) => {}
                    _ => {
                        if let Some(to) = told.take() {
                            lines.end(|line| to.send((line, Instant::now())).is_ok());
                        }
                        self.out = None;
                    }
                }
            }
        }
    }

    /// Waits until there is something to hear; `None` when nobody listens any more.
    fn wait(&self) -> Option<(bool, bool)> {
        let mut fds = vec![PollFd::new(&self.asleep, PollFlags::IN)];
        fds.extend(
            self.out
                .as_ref()
                .map(|f| PollFd::from_borrowed_fd(f.as_fd(), PollFlags::IN)),
        );
        fds.extend(
            self.err
                .as_ref()
                .map(|f| PollFd::from_borrowed_fd(f.as_fd(), PollFlags::IN)),
        );
        match poll(&mut fds, None) {
            Err(rustix::io::Errno::INTR) => return Some((false, false)),
            Err(_) => return None,
            Ok(_) => {}
        }
        let hears = |i: usize| fds.get(i).is_some_and(|fd| !fd.revents().is_empty());
        if hears(0) {
            return None;
        }
        Some(match (&self.out, &self.err) {
            (Some(_), Some(_)) => (hears(1), hears(2)),
            (Some(_), None) => (hears(1), false),
            _ => (false, hears(1)),
        })
    }

    fn complains(&mut self, line: &Line) -> bool {
        self.complaints = self.complaints.saturating_add(1);
        let text = match line {
            Line::Whole(text) => text,
            Line::TooLong => "(a line too long to show)",
        };
        if self.complaints <= LOGGED {
            tracing::debug!(brain = self.name, "stderr: {text}");
        }
        let short: String = text.chars().take(200).collect();
        *self
            .complaint
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = short;
        true
    }
}

fn is_passing(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        std::io::ErrorKind::Interrupted | std::io::ErrorKind::WouldBlock
    )
}
