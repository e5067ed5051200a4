//! What was written, read back: runs, mismatches, everything of a run in order, latencies.
//!
//! Reads while another process writes. Must never change a journal (an older one is brought to
//! the present format when it is opened).

mod entry;
mod latencies;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;

pub use entry::{Entry, What};
pub use latencies::{Latencies, Spread};

use super::error::JournalError;
use super::restarts::{self, RestartRow};
use super::store::RunId;
use super::{schema, wall};

/// A journal opened for reading.
#[derive(Debug)]
pub struct Reader {
    conn: Connection,
    path: PathBuf,
}

impl Reader {
    /// Opens an existing journal.
    ///
    /// # Errors
    /// When there is none, or it is not a journal, damaged, newer or locked.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        Ok(Self {
            conn: schema::open_to_read(path)?,
            path: path.to_owned(),
        })
    }

    /// The queries.
    #[must_use]
    pub fn reads(&self) -> Reads<'_> {
        Reads::new(&self.conn, &self.path)
    }
}

/// The queries on an open journal.
#[derive(Clone, Copy, Debug)]
pub struct Reads<'c> {
    conn: &'c Connection,
    path: &'c Path,
}

/// One run, with its games counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunRow {
    /// Its number.
    pub run: RunId,
    /// Wall clock at its start, milliseconds since 1970.
    pub started_ms: Option<i64>,
    /// The same for people, UTC.
    pub started: Option<String>,
    /// Version that wrote it.
    pub program: String,
    /// The subcommand.
    pub command: String,
    /// The profile.
    pub profile: String,
    /// The source.
    pub source: String,
    /// The game.
    pub game: String,
    /// The policy.
    pub policy: String,
    /// Games won.
    pub won: u32,
    /// Games lost.
    pub lost: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games not played to their end.
    pub aborted: u32,
    /// Actions confirmed by sight.
    pub moves: u32,
    /// Mismatches.
    pub mismatches: u32,
    /// Microseconds from start to end; `None` when it never ended properly.
    pub ended_at: Option<u64>,
    /// Why it ended; `unfinished` when the process was killed (or still runs).
    pub why: String,
    /// Frames handled.
    pub frames: Option<u64>,
    /// Frames dropped.
    pub dropped: Option<u64>,
}

/// One mismatch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MismatchRow {
    /// The run.
    pub run: RunId,
    /// Its place in the run.
    pub ord: i64,
    /// When it was noticed, microseconds since the start of the run.
    pub at: u64,
    /// The frame.
    pub frame_seq: u64,
    /// When the frame was captured.
    pub captured_at: u64,
    /// Rows of the expected board, joined by `/`.
    pub expected: String,
    /// Rows of the seen board; empty when there was none.
    pub seen: String,
    /// Cells that differ, (column, row).
    pub cells: Vec<[u16; 2]>,
    /// The explanation.
    pub cause: String,
    /// What was done.
    pub handling: String,
    /// Details.
    pub text: String,
    /// Whether there is a picture.
    pub evidence: Evidence,
}

/// The picture of a mismatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// None was taken.
    None,
    /// It is there, under this id.
    Picture(i64),
    /// The process was killed before it was stored (or is about to store it).
    Pending,
    /// It was deleted to keep the journal within its size.
    Dropped,
}

/// Which mismatches.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Of this run only.
    pub run: Option<RunId>,
    /// With this cause only.
    pub cause: Option<String>,
    /// The newest this many.
    pub limit: Option<u32>,
}

/// What a run may be called: its number or `latest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The last one started.
    Latest,
    /// By number.
    Number(RunId),
}

impl std::str::FromStr for Which {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "latest" | "last" => Ok(Self::Latest),
            other => other
                .parse()
                .map(Self::Number)
                .map_err(|_| "a run's number or `latest`".into()),
        }
    }
}

/// SQLite has no unsigned numbers; ours were never negative.
fn unsigned(row: &Row<'_>, column: &str) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.max(0).unsigned_abs())
}

fn maybe(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<u64>> {
    Ok(row
        .get::<_, Option<i64>>(column)?
        .map(|v| v.max(0).unsigned_abs()))
}

const RUNS: &str = "SELECT r.*,
    (SELECT count(*) FROM results g WHERE g.run = r.id AND g.result = 'won') AS won,
    (SELECT count(*) FROM results g WHERE g.run = r.id AND g.result = 'lost') AS lost,
    (SELECT count(*) FROM results g WHERE g.run = r.id AND g.result = 'draw') AS drawn,
    (SELECT count(*) FROM results g WHERE g.run = r.id AND g.result = 'aborted') AS aborted,
    (SELECT count(*) FROM actions a WHERE a.run = r.id AND a.confirmed_at IS NOT NULL) AS moves,
    (SELECT count(*) FROM mismatches m WHERE m.run = r.id) AS mismatches
    FROM runs r";

fn run_row(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    let started_ms: Option<i64> = row.get("started_ms")?;
    Ok(RunRow {
        run: row.get("id")?,
        started_ms,
        started: started_ms.map(wall::text),
        program: row.get("program")?,
        command: row.get("command")?,
        profile: row.get("profile")?,
        source: row.get("source")?,
        game: row.get("game")?,
        policy: row.get("policy")?,
        won: row.get("won")?,
        lost: row.get("lost")?,
        drawn: row.get("drawn")?,
        aborted: row.get("aborted")?,
        moves: row.get("moves")?,
        mismatches: row.get("mismatches")?,
        ended_at: maybe(row, "ended_at")?,
        why: row
            .get::<_, Option<String>>("why")?
            .unwrap_or_else(|| "unfinished".into()),
        frames: maybe(row, "frames")?,
        dropped: maybe(row, "dropped")?,
    })
}

fn mismatch_row(row: &Row<'_>) -> rusqlite::Result<MismatchRow> {
    let cells: String = row.get("cells")?;
    let id: Option<i64> = row.get("evidence")?;
    let there: Option<i64> = row.get("there")?;
    let stored: bool = row.get("stored")?;
    Ok(MismatchRow {
        run: row.get("run")?,
        ord: row.get("ord")?,
        at: unsigned(row, "at")?,
        frame_seq: unsigned(row, "frame_seq")?,
        captured_at: unsigned(row, "captured_at")?,
        expected: row.get("expected")?,
        seen: row.get("seen")?,
        cells: serde_json::from_str(&cells).unwrap_or_default(),
        cause: row.get("cause")?,
        handling: row.get("handling")?,
        text: row.get("text")?,
        evidence: match (id, there, stored) {
            (None, ..) => Evidence::None,
            (Some(_), None, _) => Evidence::Dropped,
            (Some(_), Some(_), false) => Evidence::Pending,
            (Some(id), Some(_), true) => Evidence::Picture(id),
        },
    })
}

impl<'c> Reads<'c> {
    pub(super) const fn new(conn: &'c Connection, path: &'c Path) -> Self {
        Self { conn, path }
    }

    fn sqlite<T>(&self, done: rusqlite::Result<T>) -> Result<T, JournalError> {
        done.map_err(|e| JournalError::from_sqlite(self.path, e))
    }

    /// The newest runs, newest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn runs(&self, limit: Option<u32>) -> Result<Vec<RunRow>, JournalError> {
        self.sqlite((|| {
            let mut s = self
                .conn
                .prepare(&format!("{RUNS} ORDER BY r.id DESC LIMIT ?1"))?;
            let limit = limit.map_or(-1, i64::from);
            s.query_map([limit], run_row)?.collect()
        })())
    }

    /// One run.
    ///
    /// # Errors
    /// When there is no such run or the file cannot be read.
    pub fn run(&self, which: Which) -> Result<RunRow, JournalError> {
        let (wanted, text) = match which {
            Which::Latest => ("(SELECT max(id) FROM runs)".to_owned(), "latest".into()),
            Which::Number(n) => (n.to_string(), n.to_string()),
        };
        let sql = format!("{RUNS} WHERE r.id = {wanted}");
        self.sqlite(self.conn.query_row(&sql, [], run_row).optional())?
            .ok_or(JournalError::NoSuchRun {
                path: self.path.to_owned(),
                run: text,
            })
    }

    /// What is damaged, in SQLite's words; reads the whole file.
    ///
    /// # Errors
    /// When the file cannot be read at all.
    pub fn faults(&self) -> Result<Vec<String>, JournalError> {
        self.sqlite((|| {
            let mut s = self.conn.prepare("PRAGMA quick_check(5)")?;
            let lines: rusqlite::Result<Vec<String>> = s.query_map([], |r| r.get(0))?.collect();
            Ok(lines?.into_iter().filter(|l| l != "ok").collect())
        })())
    }

    /// The usable configuration of a run as JSON.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn config(&self, run: RunId) -> Result<String, JournalError> {
        self.sqlite(
            self.conn
                .query_row("SELECT config FROM runs WHERE id = ?1", [run], |r| r.get(0)),
        )
    }

    /// Mismatches in the order of time; with a limit, the newest.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn mismatches(&self, filter: &Filter) -> Result<Vec<MismatchRow>, JournalError> {
        let done = (|| {
            let mut s = self.conn.prepare(
                "SELECT m.*, e.id AS there, e.png IS NOT NULL AS stored
                 FROM mismatches m LEFT JOIN evidence e ON e.id = m.evidence
                 WHERE (?1 IS NULL OR m.run = ?1) AND (?2 IS NULL OR m.cause = ?2)
                 ORDER BY m.run DESC, m.ord DESC LIMIT ?3",
            )?;
            let limit = filter.limit.map_or(-1, i64::from);
            s.query_map(params![filter.run, filter.cause, limit], mismatch_row)?
                .collect::<rusqlite::Result<Vec<_>>>()
        })();
        let mut rows = self.sqlite(done)?;
        rows.reverse();
        Ok(rows)
    }

    /// The causes that occur, most frequent first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn causes(&self) -> Result<Vec<(String, u64)>, JournalError> {
        self.sqlite((|| {
            let mut s = self.conn.prepare(
                "SELECT cause, count(*) AS n FROM mismatches GROUP BY cause ORDER BY n DESC, cause",
            )?;
            s.query_map([], |r| Ok((r.get(0)?, unsigned(r, "n")?)))?
                .collect()
        })())
    }

    /// The PNG file of a picture, if it is there.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn picture(&self, id: i64) -> Result<Option<Vec<u8>>, JournalError> {
        let png = self.sqlite(
            self.conn
                .query_row("SELECT png FROM evidence WHERE id = ?1", [id], |r| {
                    r.get::<_, Option<Vec<u8>>>(0)
                })
                .optional(),
        )?;
        Ok(png.flatten())
    }

    /// Everything of a run in the order in which it happened.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn timeline(&self, run: RunId) -> Result<Vec<Entry>, JournalError> {
        self.last_of(run, None)
    }

    /// The last `limit` things of a run in the order in which they happened: a run of days has
    /// millions.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn last_of(&self, run: RunId, limit: Option<u32>) -> Result<Vec<Entry>, JournalError> {
        // Each kind gives its last ones, so that the last of all are among them.
        let mut entries = self.sqlite(entry::of_run(self.conn, run, limit))?;
        let filter = Filter {
            run: Some(run),
            limit,
            ..Filter::default()
        };
        entries.extend(self.mismatches(&filter)?.into_iter().map(Entry::from));
        entries.sort_by_key(|e| e.ord);
        if let Some(limit) = limit {
            entries.drain(..entries.len().saturating_sub(limit as usize));
        }
        Ok(entries)
    }

    /// The newest restarts of sessions, newest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn restarts(&self, limit: Option<u32>) -> Result<Vec<RestartRow>, JournalError> {
        self.sqlite(restarts::newest(self.conn, limit))
    }

    /// How long the parts of a move took.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn latencies(&self, run: RunId) -> Result<Latencies, JournalError> {
        self.sqlite(latencies::of_run(self.conn, run))
    }
}
