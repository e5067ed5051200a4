//! Another program that speaks the Piskvork protocol, for the matches of the bench only: no more
//! of the protocol than a match needs. A program that hangs is ended by its reader's patience.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::{Context as _, bail};

use crate::games::gomoku::rules::{Board, Rule, parse_action};
use crate::types::{Cell, GridSize};

/// The program, started.
pub(super) struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    patience: Duration,
}

/// How much longer than its time a program may take.
const PATIENCE: Duration = Duration::from_secs(10);

impl Engine {
    /// Starts the program for boards of this size.
    pub(super) fn start(path: &Path, size: GridSize, rule: Rule, ms: u64) -> anyhow::Result<Self> {
        let mut child = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} cannot be started", path.display()))?;
        let (input, output) = match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => (input, output),
            _ => bail!("{} has no pipes", path.display()),
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut engine = Self {
            child,
            input,
            lines,
            patience: Duration::from_millis(ms) + PATIENCE,
        };
        let start = match size.cols == size.rows {
            true => format!("START {}", size.cols),
            false => format!("RECTSTART {},{}", size.cols, size.rows),
        };
        engine.say(&start)?;
        engine.answer(|line| line.starts_with("OK").then_some(()))?;
        let rule = u8::from(rule == Rule::Exact);
        engine.say(&format!(
            "INFO timeout_turn {ms}\r\nINFO timeout_match 0\r\nINFO time_left 2147483647\r\n\
             INFO max_memory 0\r\nINFO game_type 1\r\nINFO rule {rule}"
        ))?;
        Ok(engine)
    }

    /// Its move in this position, whatever came before.
    pub(super) fn choose(&mut self, board: &Board) -> anyhow::Result<Cell> {
        let mut text = "BOARD\r\n".to_owned();
        let last = board.moves().len();
        for (i, cell) in board.moves().iter().enumerate() {
            let who = if (last - i).is_multiple_of(2) { 1 } else { 2 };
            text.push_str(&format!("{},{},{who}\r\n", cell.col, cell.row));
        }
        match last {
            0 => self.say("BEGIN")?,
            _ => self.say(&format!("{text}DONE"))?,
        }
        let size = board.size();
        self.answer(|line| line.contains(',').then(|| parse_action(line, size))?)
    }

    fn say(&mut self, text: &str) -> anyhow::Result<()> {
        let said = write!(self.input, "{text}\r\n").and_then(|()| self.input.flush());
        said.context("the program does not listen any more")
    }

    /// The first line that is an answer; messages are passed over.
    fn answer<T>(&mut self, take: impl Fn(&str) -> Option<T>) -> anyhow::Result<T> {
        loop {
            let line = self.lines.recv_timeout(self.patience);
            let line = line.context("the program does not answer")?;
            if let Some(error) = line.strip_prefix("ERROR") {
                bail!("the program says: {}", error.trim());
            }
            if let Some(answer) = take(line.trim()) {
                return Ok(answer);
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.say("END");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
