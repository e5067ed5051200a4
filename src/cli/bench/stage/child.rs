//! A program that cannot outlive this process.
//!
//! A small shell stands between: it waits for the end of its input, which comes when this
//! process drops the pipe or dies in whatever way, and then kills the program's group. Signals that
//! are meant for a whole group of processes (Ctrl+C) reach the shell, too, and are the end as well.

use std::io::{BufRead, BufReader};
use std::process::{ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};

const LEASH: &str = r#"signal=$1; shift
trap : HUP INT TERM
setsid "$@" <&- &
program=$!
read -r _
kill -s "$signal" -- -"$program" 2>/dev/null
wait "$program""#;

/// A running program; dropping it ends it and all it has started.
#[derive(Debug)]
pub struct Child {
    shell: std::process::Child,
    name: String,
}

impl Child {
    /// Starts a program with its arguments, and with `environment` added to ours. Programs that
    /// must tidy up at their end get a soft signal.
    ///
    /// # Errors
    /// When there is no shell; a missing program shows only by its doing nothing.
    pub fn start(
        program: &str,
        args: &[&str],
        environment: &[(&str, &str)],
        soft: bool,
    ) -> anyhow::Result<Self> {
        let shell = Command::new("sh")
            .args(["-c", LEASH, "leash", if soft { "TERM" } else { "KILL" }])
            .arg(program)
            .args(args)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{program}: sh cannot be started"))?;
        Ok(Self {
            shell,
            name: program.to_owned(),
        })
    }

    /// The first line that the program writes.
    ///
    /// # Errors
    /// When it ends without writing one, which it also does when it is not installed.
    pub fn first_line(&mut self) -> anyhow::Result<String> {
        let out: ChildStdout = self
            .shell
            .stdout
            .take()
            .ok_or_else(|| anyhow!("{}: its output was read before", self.name))?;
        let mut line = String::new();
        BufReader::new(out)
            .read_line(&mut line)
            .with_context(|| format!("{}: its output cannot be read", self.name))?;
        if line.is_empty() {
            return Err(anyhow!("{} did not start: is it installed?", self.name));
        }
        Ok(line.trim().to_owned())
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        let end = Instant::now() + Duration::from_secs(3);
        while Instant::now() < end {
            if !matches!(self.shell.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(3));
        }
        // The program ignores the soft signal: give up on it, but never hang.
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `timeout` and a terminal do: the signal goes to everybody in the group.
    #[test]
    fn a_signal_to_the_shell_ends_the_program_too() {
        let words = ["-c", "echo $$; exec sleep 1000"];
        let mut child = Child::start("sh", &words, &[], false).expect("started");
        let program: u32 = child
            .first_line()
            .expect("it tells")
            .parse()
            .expect("a number");
        let there = format!("/proc/{program}");
        assert!(std::path::Path::new(&there).exists());
        let shell = child.shell.id().to_string();
        let done = Command::new("kill").args(["-s", "TERM", &shell]).status();
        assert!(done.is_ok_and(|s| s.success()));
        let end = Instant::now() + Duration::from_secs(10);
        while std::path::Path::new(&there).exists() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!std::path::Path::new(&there).exists(), "it has gone");
    }
}
