//! The tables, and how files of older formats are brought to the present one.
//!
//! Times are microseconds since the start of their run; `ord` counts the events of a run from 1,
//! so that events of the same moment keep their order.

use std::path::Path;

use rusqlite::Connection;

use super::error::JournalError;

/// "KIBZ": tells our files from other programs' SQLite files.
const APPLICATION: i64 = 0x4b49_425a;

/// Entry n brings a file of format n to format n + 1. Entries are never changed, only added.
pub(super) const MIGRATIONS: &[&str] = &[
    "
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    started_ms INTEGER,           -- milliseconds since 1970, from the caller; NULL if not told
    program TEXT NOT NULL,        -- version that wrote it
    command TEXT NOT NULL, profile TEXT NOT NULL, source TEXT NOT NULL,
    game TEXT NOT NULL, policy TEXT NOT NULL, config TEXT NOT NULL,
    ended_at INTEGER, why TEXT, frames INTEGER, dropped INTEGER  -- NULL: unfinished
);
CREATE TABLE calibrations (
    run INTEGER NOT NULL, ord INTEGER NOT NULL, at INTEGER NOT NULL, frame_seq INTEGER NOT NULL,
    cols INTEGER NOT NULL, rows INTEGER NOT NULL, corners TEXT NOT NULL, quality REAL NOT NULL,
    classes TEXT NOT NULL, took INTEGER NOT NULL,
    PRIMARY KEY (run, ord)
) WITHOUT ROWID;
CREATE TABLE decisions (
    run INTEGER NOT NULL, ord INTEGER NOT NULL, at INTEGER NOT NULL, frame_seq INTEGER NOT NULL,
    captured_at INTEGER NOT NULL, board TEXT NOT NULL, action TEXT NOT NULL, score REAL,
    nodes INTEGER NOT NULL, took INTEGER NOT NULL, note TEXT NOT NULL,
    PRIMARY KEY (run, ord)
) WITHOUT ROWID;
CREATE TABLE actions (
    run INTEGER NOT NULL, ord INTEGER NOT NULL,
    at INTEGER,                   -- NULL: a confirmation came of an action never recorded
    action INTEGER NOT NULL, retry INTEGER NOT NULL, frame_seq INTEGER NOT NULL,
    captured_at INTEGER NOT NULL, strokes TEXT NOT NULL,
    confirmed_ord INTEGER, confirmed_at INTEGER, confirmed_frame INTEGER,
    confirmed_captured_at INTEGER,
    PRIMARY KEY (run, ord)
) WITHOUT ROWID;
CREATE INDEX actions_by_number ON actions (run, action);
CREATE TABLE mismatches (
    run INTEGER NOT NULL, ord INTEGER NOT NULL, at INTEGER NOT NULL, frame_seq INTEGER NOT NULL,
    captured_at INTEGER NOT NULL, expected TEXT NOT NULL, seen TEXT NOT NULL,
    cells TEXT NOT NULL,          -- JSON: [[column, row], ...]
    cause TEXT NOT NULL, handling TEXT NOT NULL, text TEXT NOT NULL,
    evidence INTEGER,             -- an id that may be gone: pictures are the first to make room
    PRIMARY KEY (run, ord)
) WITHOUT ROWID;
CREATE TABLE evidence (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL, ord INTEGER NOT NULL, frame_seq INTEGER NOT NULL,
    captured_at INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
    png BLOB                      -- NULL until it is encoded
);
CREATE TABLE results (
    run INTEGER NOT NULL, ord INTEGER NOT NULL, at INTEGER NOT NULL, game TEXT NOT NULL,
    result TEXT NOT NULL, moves INTEGER NOT NULL, seconds REAL NOT NULL,
    mismatches INTEGER NOT NULL, why TEXT NOT NULL, extra TEXT NOT NULL,
    PRIMARY KEY (run, ord)
) WITHOUT ROWID;
",
    "
CREATE TABLE observations (
    run INTEGER NOT NULL, ord INTEGER NOT NULL, at INTEGER NOT NULL, frame_seq INTEGER NOT NULL,
    captured_at INTEGER NOT NULL, since INTEGER NOT NULL, what TEXT NOT NULL,
    board TEXT NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (run, ord)
) WITHOUT ROWID;
",
    "
CREATE TABLE restarts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,       -- milliseconds since 1970
    session INTEGER NOT NULL, profile TEXT NOT NULL, game TEXT NOT NULL,
    run INTEGER,                  -- the run that failed, which may be gone; NULL where none began
    attempt INTEGER NOT NULL, why TEXT NOT NULL, pause_ms INTEGER NOT NULL
);
",
];

/// The format written by this program.
pub(super) const FORMAT: i64 = MIGRATIONS.len() as i64;

/// Tables whose rows belong to a run by (run, ord), for making room.
pub(super) const RUN_TABLES: &[&str] = &[
    "calibrations",
    "decisions",
    "actions",
    "mismatches",
    "observations",
    "results",
];

fn number(conn: &Connection, pragma: &str) -> rusqlite::Result<i64> {
    conn.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0))
}

/// The format of a file, which must be a journal (or empty: format 0) and not newer than `known`.
pub(super) fn check(conn: &Connection, path: &Path, known: i64) -> Result<i64, JournalError> {
    let sqlite = |e| JournalError::from_sqlite(path, e);
    // In this order, since another process may make the journal meanwhile: all three change in one
    // step, so what the first look sees the last one sees too.
    let tables: i64 = conn
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(sqlite)?;
    let found = number(conn, "user_version").map_err(sqlite)?;
    let application = number(conn, "application_id").map_err(sqlite)?;
    if application != APPLICATION && (tables > 0 || found != 0) {
        return Err(JournalError::NotAJournal {
            path: path.to_owned(),
            why: "it is another program's SQLite file",
        });
    }
    if found > known {
        return Err(JournalError::Newer {
            path: path.to_owned(),
            found,
            known,
        });
    }
    Ok(found)
}

/// Sets the connection up and brings the file to the newest of `migrations`.
///
/// # Errors
/// When the file is none of ours, newer, damaged, locked, or cannot be written.
pub(super) fn prepare(
    conn: &Connection,
    path: &Path,
    migrations: &[&str],
) -> Result<(), JournalError> {
    let sqlite = |e| JournalError::from_sqlite(path, e);
    let known = migrations.len() as i64;
    // One snapshot: another process may be making the tables right now.
    conn.execute_batch("BEGIN").map_err(sqlite)?;
    let checked = check(conn, path, known);
    let ended = conn.execute_batch("COMMIT").map_err(sqlite);
    let mut found = checked?;
    ended?;
    if found == 0 {
        // Takes effect only before the first table is made.
        conn.execute_batch("PRAGMA auto_vacuum = INCREMENTAL")
            .map_err(sqlite)?;
    }
    // Checkpoints are the second thread's; the limit is for the case that it cannot keep up.
    conn.execute_batch(
        "PRAGMA journal_mode = WAL;
         PRAGMA synchronous = NORMAL;
         PRAGMA wal_autocheckpoint = 2000;
         PRAGMA journal_size_limit = 8388608;
         PRAGMA temp_store = MEMORY;",
    )
    .map_err(sqlite)?;
    while found < known {
        // The lock is taken before looking again: two processes may start at once.
        conn.execute_batch("BEGIN IMMEDIATE").map_err(sqlite)?;
        let step = check(conn, path, known).and_then(|now| {
            let Some(sql) = migrations.get(now as usize) else {
                return Ok(now);
            };
            conn.execute_batch(sql)
                .and_then(|()| {
                    conn.execute_batch(&format!(
                        "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {}",
                        now + 1
                    ))
                })
                .map_err(sqlite)?;
            Ok(now + 1)
        });
        match step {
            Ok(now) => {
                conn.execute_batch("COMMIT").map_err(sqlite)?;
                found = now;
            }
            Err(error) => {
                let _ = conn.execute_batch("ROLLBACK");
                return Err(error);
            }
        }
    }
    Ok(())
}

/// Opens for reading and writing, making folder and file where they are missing.
pub(super) fn open(path: &Path) -> Result<Connection, JournalError> {
    if path.is_dir() {
        return Err(JournalError::IsFolder {
            path: path.to_owned(),
        });
    }
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|source| JournalError::Folder {
            path: folder.to_owned(),
            source,
        })?;
    }
    let sqlite = |e| explain_readonly(path, JournalError::from_sqlite(path, e));
    let conn = Connection::open(path).map_err(sqlite)?;
    conn.busy_timeout(PATIENCE).map_err(sqlite)?;
    conn.set_prepared_statement_cache_capacity(48);
    // SQLite does not wait where two that have begun to read want to write, as when a program that
    // reads meets a file in the making: the one that is told so begins anew.
    let began = std::time::Instant::now();
    loop {
        match prepare(&conn, path, MIGRATIONS) {
            Err(JournalError::Locked { .. }) if began.elapsed() < PATIENCE => {
                std::thread::sleep(ANEW);
            }
            done => return done.map(|_| conn).map_err(|e| explain_readonly(path, e)),
        }
    }
}

/// How long another program may hold a journal that is wanted.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);
/// Pause before an attempt to begin anew.
const ANEW: std::time::Duration = std::time::Duration::from_millis(20);

/// SQLite says "readonly database" or "unable to open" for several reasons; the file system's own
/// words are better.
fn explain_readonly(path: &Path, error: JournalError) -> JournalError {
    let JournalError::Unwritable { path: p, why } = error else {
        return error;
    };
    let mut options = std::fs::OpenOptions::new();
    let io = options.append(true).create(true).open(path).err();
    JournalError::Unwritable {
        path: p,
        why: io.map_or(why, |e| e.to_string()),
    }
}

/// Opens for reading only; an older file is brought to the present format first.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, JournalError> {
    if path.is_dir() {
        return Err(JournalError::IsFolder {
            path: path.to_owned(),
        });
    }
    if !path.exists() {
        return Err(JournalError::Missing {
            path: path.to_owned(),
        });
    }
    let sqlite = |e: rusqlite::Error| JournalError::from_sqlite(path, e);
    let flags =
        rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY | rusqlite::OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags).map_err(sqlite)?;
    conn.busy_timeout(PATIENCE).map_err(sqlite)?;
    let found = match check(&conn, path, FORMAT) {
        // A folder that cannot be written has no place for the shared memory of the log.
        Err(JournalError::Unwritable { .. }) => {
            drop(conn);
            let uri = format!("file:{}?immutable=1", uri_path(path));
            let flags = flags | rusqlite::OpenFlags::SQLITE_OPEN_URI;
            let conn = Connection::open_with_flags(uri, flags).map_err(sqlite)?;
            check(&conn, path, FORMAT)?;
            return Ok(conn);
        }
        other => other?,
    };
    if found < FORMAT {
        drop(conn);
        return open(path);
    }
    Ok(conn)
}

/// A path as part of a `file:` URI.
fn uri_path(path: &Path) -> String {
    let mut out = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                out.push(char::from(*byte));
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}
