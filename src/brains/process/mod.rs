//! A child process that is spoken to line by line.
//!
//! Takes a command; gives its lines, each waited for until a deadline and no longer, with a look
//! at the stop switch in between. A thread hears its output into a queue of bounded size, so that
//! a flood of it, or a line without end, costs no memory; its errors go to the log. Must never
//! wait without a limit, not even for the process to read what it is told or to die.

mod command;
mod ears;
mod guard;
mod lines;
mod trouble;

use std::io::{ErrorKind, PipeWriter, Write};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::types::Stop;

pub use command::{Launch, LaunchError};
pub use lines::{LONGEST, Line, Lines};
pub use trouble::Trouble;

use ears::Said;
use guard::Guard;

/// Time between two looks at the stop switch while nothing is heard.
const LOOK: Duration = Duration::from_millis(5);
/// How long a killed process is waited for before a thread is left with that.
const GRAVE: Duration = Duration::from_millis(10);
/// How long a process whose output has ended is looked at until it is known how it ended: at
/// least, and at most.
const LAST_WORDS: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));
/// How long a process that was told to end may take for it before it is killed.
const FAREWELL: Duration = Duration::from_millis(60);

/// A running process; dropping it ends it with all that it has started.
#[derive(Debug)]
pub struct Process {
    name: String,
    child: Option<Child>,
    pid: Pid,
    input: Option<ChildStdin>,
    heard: Receiver<Said>,
    /// A line that came too late for whoever waited last.
    late: Option<Said>,
    /// What came before this is passed over.
    since: Instant,
    /// Closing it ends the thread that hears.
    wake: Option<PipeWriter>,
    /// The last line of its errors.
    complaint: Arc<Mutex<String>>,
    guard: Option<Guard>,
    started: Instant,
}

impl Process {
    /// Starts it in a process group of its own.
    ///
    /// # Errors
    /// When there is no such program or it may not be run.
    pub fn start(launch: &Launch) -> Result<Self, Trouble> {
        let failed = |e: std::io::Error| Trouble::Start(format!("{}: {e}", launch.program()));
        let mut child = Command::new(launch.program())
            .args(launch.args())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let pid = Pid::from_child(&child);
        let guard = Guard::start(pid);
        let input = child.stdin.take();
        let complaint = Arc::new(Mutex::new(String::new()));
        let mut process = Self {
            name: launch.name().to_owned(),
            pid,
            input,
            heard: std::sync::mpsc::sync_channel(1).1,
            late: None,
            since: Instant::now(),
            wake: None,
            complaint,
            guard,
            started: Instant::now(),
            child: None,
        };
        let (out, err) = (child.stdout.take(), child.stderr.take());
        // From here on dropping the process ends the child.
        process.child = Some(child);
        if let Some(input) = &process.input {
            rustix::fs::fcntl_setfl(input, rustix::fs::OFlags::NONBLOCK)
                .map_err(|e| failed(e.into()))?;
        }
        if let (Some(out), Some(err)) = (out, err) {
            let complaint = Arc::clone(&process.complaint);
            let (heard, wake) = ears::listen(launch.name(), out, err, complaint).map_err(failed)?;
            process.heard = heard;
            process.wake = Some(wake);
        }
        Ok(process)
    }

    /// Its name in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its process id, which is also that of its group.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// How long it has been running.
    #[must_use]
    pub fn age(&self) -> Duration {
        self.started.elapsed()
    }

    /// Tells it a line, which gets its line feed here (the protocols that want a carriage return
    /// bring it).
    ///
    /// # Errors
    /// When it has ended, or does not read what it is told until then.
    pub fn say(&mut self, line: &str, until: Instant) -> Result<(), Trouble> {
        tracing::trace!(brain = self.name, "> {}", line.trim_end());
        let mut text = line.as_bytes().to_vec();
        text.push(b'\n');
        let mut rest = &text[..];
        while !rest.is_empty() {
            let Some(input) = &mut self.input else {
                return Err(self.ended(until));
            };
            match input.write(rest) {
                Ok(0) => return Err(self.ended(until)),
                Ok(n) => rest = &rest[n..],
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Err(Trouble::Deaf);
                    }
                    let mut fds = [PollFd::new(input, PollFlags::OUT)];
                    // A wait that fails is a wait that is over: writing tells what is wrong.
                    let _ = poll(&mut fds, timespec(left.min(LOOK)).as_ref());
                }
                Err(_) => return Err(self.ended(until)),
            }
        }
        Ok(())
    }

    /// The next line that is not empty. One that came later than `until` is kept for whoever asks
    /// next, so that a flood ends no later than a silence.
    ///
    /// # Errors
    /// When there is none until then, the switch is pulled, or the process has ended or closed its
    /// output.
    pub fn line(&mut self, until: Instant, stop: &Stop) -> Result<String, Trouble> {
        loop {
            if stop.is_pulled() {
                return Err(Trouble::Stopped);
            }
            let left = until.saturating_duration_since(Instant::now());
            let said = match self.late.take() {
                Some(said) => Ok(said),
                None => self.heard.recv_timeout(left.min(LOOK)),
            };
            match said {
                Ok((_, came)) if came < self.since => {}
                Ok(said @ (_, came)) if came > until => {
                    self.late = Some(said);
                    return Err(Trouble::Late);
                }
                Ok((Line::Whole(line), _)) => {
                    tracing::trace!(brain = self.name, "< {line}");
                    return Ok(line);
                }
                Ok((Line::TooLong, _)) => {
                    return Err(Trouble::Wrong(format!(
                        "a line of more than {LONGEST} bytes"
                    )));
                }
                Err(RecvTimeoutError::Timeout) if left > LOOK => {}
                Err(RecvTimeoutError::Timeout) => return Err(Trouble::Late),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(until)),
            }
        }
    }

    /// Passes over all that has come up to now: whoever asks next, in a protocol that does not say
    /// what a line is an answer to, must not take it for his.
    pub fn forget_lines(&mut self) {
        self.since = Instant::now();
    }

    /// What became of it. The system tells a moment after its output ends; a caller who has time
    /// left waits longer for that.
    fn ended(&mut self, until: Instant) -> Trouble {
        let now = Instant::now();
        let until = until.clamp(now + LAST_WORDS.0, now + LAST_WORDS.1);
        loop {
            let over = Instant::now() >= until;
            // The last words are heard before the end of the output is.
            if let Some(how) = self.status().filter(|_| over || self.has_heard_all()) {
                let complaint = self
                    .complaint
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                let last = match complaint.is_empty() {
                    true => String::new(),
                    false => format!("; its last words: {complaint}"),
                };
                return Trouble::Ended(format!("{how}{last}"));
            }
            if over {
                return Trouble::Ended("it closed its output or input but runs on".to_owned());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether its output has ended and nobody listens to it any more; what is left of it is gone.
    fn has_heard_all(&self) -> bool {
        loop {
            match self.heard.try_recv() {
                Ok(_) => {}
                Err(TryRecvError::Empty) => return false,
                Err(TryRecvError::Disconnected) => return true,
            }
        }
    }

    /// How it ended, if it has. It stays a zombie, so that nobody else gets its number.
    fn status(&self) -> Option<String> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.pid), options).ok()??;
        Some(match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => format!("exit status {code}"),
            (_, Some(signal)) => format!("killed by signal {signal}"),
            _ => "it ended".to_owned(),
        })
    }

    /// Whether it has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.status().is_some()
    }

    /// Ends it politely: it is told `words` and has a moment to go by itself.
    pub fn dismiss(mut self, words: &[&str]) {
        let until = Instant::now() + FAREWELL;
        for word in words {
            if self.say(word, until).is_err() {
                break;
            }
        }
        drop(self.input.take());
        while self.status().is_none() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.input.take());
        drop(self.wake.take());
        let Some(child) = self.child.take() else {
            return;
        };
        // Not reaped yet, so the number is still its own, and what it has started dies with it.
        let _ = kill_process_group(self.pid, Signal::KILL);
        let mut dead = vec![child];
        dead.extend(self.guard.take().map(Guard::dismiss));
        let until = Instant::now() + GRAVE;
        loop {
            dead.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
            if dead.is_empty() {
                return;
            }
            if Instant::now() >= until {
                break;
            }
            std::thread::sleep(Duration::from_micros(300));
        }
        // The machine is busy, or it hangs in the kernel: somebody else waits for that.
        let name = format!("bury {}", self.name);
        let _ = std::thread::Builder::new().name(name).spawn(move || {
            for mut child in dead {
                let _ = child.wait();
            }
        });
    }
}

/// A length of time as the system wants it.
fn timespec(time: Duration) -> Option<rustix::time::Timespec> {
    rustix::time::Timespec::try_from(time).ok()
}
