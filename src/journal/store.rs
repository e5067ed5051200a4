//! The journal of this process: opened once, written by the loop.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use rusqlite::Connection;

use super::background::{Background, lock};
use super::ballast::Ballast;
use super::error::{JournalError, is_full};
use super::read::Reads;
use super::rows::{self, Current, Pending};
use super::{background, room, schema, wall};
use crate::types::{Event, EventSink, SinkError, Time};

/// Numbers the runs of a journal from 1.
pub type RunId = i64;

/// What the journal may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest size of rows and pictures in MiB; the oldest pictures go first. The write-ahead log
    /// beside the file comes on top (some MiB) and a reserve of 256 KiB.
    pub max_mb: u32,
    /// Whether pictures are kept at all.
    pub evidence: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_mb: 200,
            evidence: true,
        }
    }
}

impl Limits {
    pub(super) fn bytes(self) -> u64 {
        u64::from(self.max_mb.max(1)) << 20
    }
}

/// The connection and what belongs to it, shared with the second thread.
pub(super) struct Db {
    pub(super) conn: Connection,
    /// `None` in memory.
    pub(super) path: Option<PathBuf>,
    pub(super) limits: Limits,
    pub(super) ballast: Option<Ballast>,
    /// For checkpoints by the second thread.
    pub(super) checkpoints: Arc<Mutex<Option<Connection>>>,
    /// The run being written.
    pub(super) run: Option<RunId>,
}

impl Db {
    /// The file's path, for messages.
    fn name(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new(":memory:"))
    }

    /// On a full disk: moves the log into the file and deletes the oldest pictures; when that has
    /// not helped twice, all of them. Whether it helped shows when the row is written again.
    ///
    /// The reserve is spent here only, so that it is there the next time.
    pub(super) fn make_room(&self, attempt: u32) {
        // Two checkpoints at once would refuse each other.
        let _alone = lock(&self.checkpoints);
        // An open transaction would keep the log from being emptied.
        if !self.conn.is_autocommit() {
            let _ = self.conn.execute_batch("ROLLBACK");
        }
        if let Some(ballast) = &self.ballast {
            ballast.release();
        }
        // What fails here fails because the disk is full, which the caller finds.
        let empty_log = || {
            let _ = self
                .conn
                .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        };
        empty_log();
        loop {
            let dropped = if attempt <= 2 {
                room::drop_oldest_pictures(&self.conn, 1 << 20)
            } else {
                room::drop_all_pictures(&self.conn)
            };
            let dropped = dropped.unwrap_or(false);
            // In small steps, each of which needs room in the log.
            for _ in 0..16 {
                empty_log();
                if !matches!(room::shorten(&self.conn, 16), Ok(true)) {
                    break;
                }
            }
            empty_log();
            if !dropped || self.ballast.as_ref().is_none_or(Ballast::restore) {
                return;
            }
        }
    }
}

/// The journal that this process writes.
pub struct Journal {
    db: Arc<Mutex<Db>>,
    background: Background,
    current: Option<Current>,
    started_ms: Option<i64>,
    since_tidy: usize,
}

impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Journal")
            .field("current", &self.current)
            .finish_non_exhaustive()
    }
}

/// Events between two checkpoints; keeps the log at about a MiB.
const TIDY_EVERY: usize = 200;

impl Journal {
    /// Opens or makes the journal at `path`, with its folder.
    ///
    /// # Errors
    /// When it cannot be written, is no journal, damaged, newer or locked; the text says what to do.
    pub fn open(path: &Path, limits: Limits) -> Result<Self, JournalError> {
        let conn = schema::open(path)?;
        Self::with(Db {
            conn,
            path: Some(path.to_owned()),
            limits,
            ballast: Some(Ballast::beside(path)),
            checkpoints: Arc::new(Mutex::new(background::checkpointer(path))),
            run: None,
        })
    }

    /// A journal that is gone when dropped, for tests.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn in_memory() -> Result<Self, JournalError> {
        let path = Path::new(":memory:");
        let conn = Connection::open_in_memory().map_err(|e| JournalError::from_sqlite(path, e))?;
        schema::prepare(&conn, path, schema::MIGRATIONS)?;
        conn.set_prepared_statement_cache_capacity(48);
        Self::with(Db {
            conn,
            path: None,
            limits: Limits::default(),
            ballast: None,
            checkpoints: Arc::default(),
            run: None,
        })
    }

    fn with(db: Db) -> Result<Self, JournalError> {
        let path = db.name().to_owned();
        let db = Arc::new(Mutex::new(db));
        let background =
            Background::start(Arc::clone(&db)).map_err(|e| JournalError::Unwritable {
                path,
                why: format!("no second thread: {e}"),
            })?;
        // A lowered limit takes effect now.
        background.tidy();
        Ok(Self {
            db,
            background,
            current: None,
            started_ms: None,
            since_tidy: 0,
        })
    }

    /// Says what the wall clock shows at [`Time::ZERO`] of the runs that follow.
    pub fn starts_at(&mut self, wall: SystemTime) {
        self.started_ms = Some(wall::millis(wall));
    }

    /// The run being written, once it has started.
    #[must_use]
    pub fn run(&self) -> Option<RunId> {
        self.current.map(|c| c.run)
    }

    /// Keeps several events in one transaction, all or none, before returning.
    ///
    /// # Errors
    /// When they cannot be kept.
    pub fn record_all(&mut self, events: &[(Time, &Event)]) -> Result<(), JournalError> {
        let mut pending = Vec::new();
        {
            let mut db = lock(&self.db);
            let mut attempt = 0u32;
            let current = loop {
                match write(&db, self.current, self.started_ms, events, &mut pending) {
                    Ok(current) => break current,
                    Err(Failed::NoRun) => return Err(JournalError::NoRun),
                    Err(Failed::Sqlite(error)) => {
                        let _ = db.conn.execute_batch("ROLLBACK");
                        pending.clear();
                        attempt += 1;
                        if !is_full(&error) || attempt > 4 {
                            return Err(JournalError::from_sqlite(db.name(), error));
                        }
                        db.make_room(attempt);
                    }
                }
            };
            db.run = current.map(|c| c.run);
            self.current = current;
        }
        self.since_tidy += events.len();
        for picture in pending {
            self.background.picture(picture);
        }
        if self.since_tidy >= TIDY_EVERY {
            self.since_tidy = 0;
            self.background.tidy();
        }
        Ok(())
    }

    /// Returns when all pictures are stored and the size is within its limit.
    pub fn flush(&self) {
        self.background.flush();
    }

    #[cfg(test)]
    pub(super) fn db(&self) -> &Mutex<Db> {
        &self.db
    }

    /// Reads what has been written so far.
    pub fn reads<T>(&self, read: impl FnOnce(Reads<'_>) -> T) -> T {
        let db = lock(&self.db);
        read(Reads::new(&db.conn, db.name()))
    }
}

enum Failed {
    NoRun,
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Failed {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

fn write(
    db: &Db,
    mut current: Option<Current>,
    started_ms: Option<i64>,
    events: &[(Time, &Event)],
    pending: &mut Vec<Pending>,
) -> Result<Option<Current>, Failed> {
    let conn = &db.conn;
    conn.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    for (at, event) in events {
        if let Some(run) = rows::start(conn, started_ms, event)? {
            current = Some(run);
            continue;
        }
        let Some(current) = current.as_mut() else {
            conn.execute_batch("ROLLBACK")?;
            return Err(Failed::NoRun);
        };
        rows::insert(conn, current, *at, event, db.limits.evidence, pending)?;
    }
    conn.prepare_cached("COMMIT")?.execute([])?;
    Ok(current)
}

impl EventSink for Journal {
    /// Returns when the rows are committed; the picture of a mismatch follows within milliseconds.
    fn record(&mut self, at: Time, event: &Event) -> Result<(), SinkError> {
        self.record_all(&[(at, event)])
            .map_err(|e| SinkError(e.to_string()))
    }
}
