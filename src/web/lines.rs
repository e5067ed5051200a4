//! The last lines of the log, for whoever looks on.
//!
//! Takes lines from any thread, gives them to streams. Must never make the one who logs wait.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use serde::Serialize;
use tokio::sync::watch;

/// So many are kept.
const KEPT: usize = 1000;

/// How important a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Timings of the stages.
    Trace,
    /// Why something is done.
    Debug,
    /// What is done.
    Info,
    /// A person may want to act.
    Warn,
    /// A person must act.
    Error,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Counts from 1.
    pub n: u64,
    /// Milliseconds since 1970.
    pub ms: u64,
    /// How important it is.
    pub level: Level,
    /// Which part of the program says it.
    pub target: String,
    /// What it says, with its fields.
    pub text: String,
}

/// All that are kept.
#[derive(Debug)]
pub struct Lines {
    kept: Mutex<(u64, VecDeque<Line>)>,
    version: watch::Sender<u64>,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            kept: Mutex::default(),
            version: watch::Sender::new(0),
        }
    }
}

impl Lines {
    fn lock(&self) -> MutexGuard<'_, (u64, VecDeque<Line>)> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds one.
    pub fn add(&self, level: Level, target: &str, text: String) {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let ms = since.map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX));
        let mut kept = self.lock();
        kept.0 += 1;
        if kept.1.len() == KEPT {
            kept.1.pop_front();
        }
        let n = kept.0;
        kept.1.push_back(Line {
            n,
            ms,
            level,
            target: target.to_owned(),
            text,
        });
        drop(kept);
        self.version.send_replace(n);
    }

    /// Those after the `n`th that are at least this important, as far as they are kept.
    #[must_use]
    pub fn since(&self, n: u64, level: Level) -> Vec<Line> {
        let kept = self.lock();
        let wanted = kept.1.iter().filter(|l| l.n > n && l.level >= level);
        wanted.cloned().collect()
    }

    /// The number of the newest one.
    #[must_use]
    pub fn newest(&self) -> u64 {
        self.lock().0
    }

    /// Waits for more.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_lines_are_kept_and_chosen_by_level() {
        let lines = Lines::default();
        for i in 0..KEPT + 5 {
            let level = if i % 2 == 0 { Level::Info } else { Level::Warn };
            lines.add(level, "test", format!("{i}"));
        }
        assert_eq!(lines.newest(), KEPT as u64 + 5);
        let all = lines.since(0, Level::Trace);
        assert_eq!((all.len(), all[0].n), (KEPT, 6));
        let warnings = lines.since(1000, Level::Warn);
        let texts: Vec<&str> = warnings.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(texts, ["1001", "1003"]);
        assert!(lines.since(0, Level::Error).is_empty());
    }
}
