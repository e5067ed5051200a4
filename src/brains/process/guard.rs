//! Somebody who sees to it that a brain does not outlive this process.
//!
//! A brain that ignores the end of its input would go on for ever when this process is killed. A
//! small shell waits for the end of a pipe that only this process holds, and then kills the
//! brain's group; told a word before, or killed, it does not.

use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use rustix::process::Pid;

const SCRIPT: &str = r#"trap '' INT TERM HUP
word=
read -r word
[ -n "$word" ] || kill -s KILL -- -"$1" 2>/dev/null"#;

#[derive(Debug)]
pub(super) struct Guard(Child);

impl Guard {
    /// Begins to guard a process group; without a shell there is no guard, which is no reason not
    /// to play.
    pub(super) fn start(group: Pid) -> Option<Self> {
        let started = Command::new("sh")
            .args(["-c", SCRIPT, "guard", &group.as_raw_nonzero().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        match started {
            Ok(child) => Some(Self(child)),
            Err(error) => {
                tracing::debug!("no guard for a brain: {error}");
                None
            }
        }
    }

    /// The group is gone and its number may become another's: the guard goes, too.
    pub(super) fn dismiss(mut self) {
        // Killed, it is gone at once.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
