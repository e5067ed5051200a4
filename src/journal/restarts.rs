//! Why sessions of the daemon were begun again.
//!
//! A restart stands beside the runs, not in one: what could not even be opened has none. Takes a
//! [`Restart`] and keeps it in the journal at a path, through a connection of its own, for the
//! journal of the failed run is closed by then. Must never grow without a limit.

use std::path::Path;

use rusqlite::{Connection, Row, params};
use serde::Serialize;

use super::error::JournalError;
use super::rows::int;
use super::store::RunId;
use super::{schema, wall};

/// So many restarts are kept, the newest: what is broken for days fails once a minute.
pub(super) const KEPT: i64 = 2000;

/// A session that has failed and is begun again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restart {
    /// When it failed, milliseconds since 1970.
    pub at_ms: i64,
    /// Its number in its daemon.
    pub session: u32,
    /// Its profile.
    pub profile: String,
    /// Its game.
    pub game: String,
    /// The run that failed; `None` where none had begun.
    pub run: Option<RunId>,
    /// Counts failures in a row from 1.
    pub attempt: u32,
    /// What failed, in words.
    pub why: String,
    /// Milliseconds until it is begun again.
    pub pause_ms: u64,
}

/// A restart as it is read back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RestartRow {
    /// Counts restarts of a journal from 1.
    pub restart: i64,
    /// When the session failed, milliseconds since 1970.
    pub at_ms: i64,
    /// The same for people, UTC.
    pub at: String,
    /// Number of the session in its daemon.
    pub session: u32,
    /// Its profile.
    pub profile: String,
    /// Its game.
    pub game: String,
    /// The run that failed; `None` where none had begun.
    pub run: Option<RunId>,
    /// Counts failures in a row from 1.
    pub attempt: u32,
    /// What failed, in words.
    pub why: String,
    /// Milliseconds until it was begun again.
    pub pause_ms: u64,
}

/// Keeps a restart in the journal at `path`, which is made where it is missing.
///
/// # Errors
/// When it cannot be written, is no journal, damaged, newer or locked.
pub fn keep(path: &Path, restart: &Restart) -> Result<(), JournalError> {
    let conn = schema::open(path)?;
    insert(&conn, restart).map_err(|e| JournalError::from_sqlite(path, e))
}

/// In one transaction, so that a program killed meanwhile leaves all or nothing of it.
pub(super) fn insert(conn: &Connection, restart: &Restart) -> rusqlite::Result<()> {
    let all = conn.unchecked_transaction()?;
    all.execute(
        "INSERT INTO restarts (at_ms, session, profile, game, run, attempt, why, pause_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            restart.at_ms,
            restart.session,
            restart.profile,
            restart.game,
            restart.run,
            restart.attempt,
            restart.why,
            int(restart.pause_ms)
        ],
    )?;
    all.execute(
        "DELETE FROM restarts WHERE id <= ?1",
        [all.last_insert_rowid() - KEPT],
    )?;
    all.commit()
}

/// The newest restarts, newest first.
pub(super) fn newest(conn: &Connection, limit: Option<u32>) -> rusqlite::Result<Vec<RestartRow>> {
    let mut s = conn.prepare("SELECT * FROM restarts ORDER BY id DESC LIMIT ?1")?;
    s.query_map([limit.map_or(-1, i64::from)], row)?.collect()
}

fn row(row: &Row<'_>) -> rusqlite::Result<RestartRow> {
    let at_ms = row.get("at_ms")?;
    Ok(RestartRow {
        restart: row.get("id")?,
        at_ms,
        at: wall::text(at_ms),
        session: row.get("session")?,
        profile: row.get("profile")?,
        game: row.get("game")?,
        run: row.get("run")?,
        attempt: row.get("attempt")?,
        why: row.get("why")?,
        pause_ms: row.get::<_, i64>("pause_ms")?.max(0).unsigned_abs(),
    })
}
