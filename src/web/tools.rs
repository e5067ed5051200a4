//! What the commands of this program can do beside sessions, for the pages.
//!
//! Handed in by the command that serves: the web knows no command. Everything may take seconds and
//! is called where it holds up no other request. Must never act.

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::lines::Lines;
use crate::config::Settings;

/// A run that was recorded.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recorded {
    /// Its name: no way to any other file.
    pub id: String,
    /// When it began, in milliseconds since 1970.
    pub started_ms: i64,
    /// Command, source, game and policy.
    pub run: Value,
    /// Bytes of the file.
    pub bytes: u64,
}

/// The commands.
pub trait Tools: std::fmt::Debug + Send + Sync {
    /// What works on this machine and what does not: objects with `level`, `topic`, `name`, `text`
    /// and `fix`.
    fn findings(&self) -> Vec<Value>;

    /// The last lines of the log.
    fn lines(&self) -> Arc<Lines>;

    /// The settings as they are in force for what begins now.
    ///
    /// # Errors
    /// When they have become wrong.
    fn settings(&self) -> anyhow::Result<Settings>;

    /// Writes one archive that explains a run, without names and secrets.
    ///
    /// # Errors
    /// When there is no such run, or it cannot be written.
    fn report(&self, run: i64, out: &Path) -> anyhow::Result<()>;

    /// The runs that were recorded, the newest first.
    fn recordings(&self) -> Vec<Recorded>;

    /// Runs a recording again and tells whether it goes the same way, and line by line what happens
    /// from a mismatch on (they count from 1).
    ///
    /// # Errors
    /// When there is none of this name, or it cannot be read.
    fn replay(&self, id: &str, from_mismatch: Option<u32>) -> anyhow::Result<Value>;
}
