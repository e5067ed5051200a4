//! One line of a run's story.

use rusqlite::{Connection, Row};
use serde::Serialize;

use super::{Evidence, MismatchRow, maybe, unsigned};

/// One thing that happened, in the order of `ord`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The run.
    pub run: i64,
    /// Its place in the run.
    pub ord: i64,
    /// Microseconds since the start of the run.
    pub at: u64,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

/// What happened. Times are microseconds since the start of the run, boards are rows joined by `/`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[allow(missing_docs)] // The fields are those of types::Event, where they are described.
pub enum What {
    Calibrated {
        frame_seq: u64,
        cols: u16,
        rows: u16,
        corners: serde_json::Value,
        quality: f64,
        classes: serde_json::Value,
        took_us: u64,
    },
    Decided {
        frame_seq: u64,
        captured_at: u64,
        board: String,
        action: String,
        score: Option<f64>,
        nodes: u64,
        took_us: u64,
        note: String,
    },
    Acted {
        action: u64,
        retry: u8,
        frame_seq: u64,
        captured_at: u64,
        strokes: String,
        /// When its effect was seen: capture time of that frame.
        seen_at: Option<u64>,
    },
    Confirmed {
        action: u64,
        frame_seq: u64,
        captured_at: u64,
    },
    Observed {
        frame_seq: u64,
        captured_at: u64,
        since: u64,
        what: String,
        board: String,
        text: String,
    },
    Mismatch {
        frame_seq: u64,
        captured_at: u64,
        expected: String,
        seen: String,
        cells: Vec<[u16; 2]>,
        cause: String,
        handling: String,
        text: String,
        evidence: Evidence,
    },
    Finished {
        game: String,
        result: String,
        moves: u32,
        seconds: f64,
        mismatches: u32,
        why: String,
        extra: serde_json::Value,
    },
}

impl From<MismatchRow> for Entry {
    fn from(m: MismatchRow) -> Self {
        Self {
            run: m.run,
            ord: m.ord,
            at: m.at,
            what: What::Mismatch {
                frame_seq: m.frame_seq,
                captured_at: m.captured_at,
                expected: m.expected,
                seen: m.seen,
                cells: m.cells,
                cause: m.cause,
                handling: m.handling,
                text: m.text,
                evidence: m.evidence,
            },
        }
    }
}

fn json(row: &Row<'_>, column: &str) -> rusqlite::Result<serde_json::Value> {
    let text: String = row.get(column)?;
    // What is not JSON is shown as it is.
    Ok(serde_json::from_str(&text).unwrap_or(serde_json::Value::String(text)))
}

fn collect(
    conn: &Connection,
    sql: &str,
    (run, limit): (i64, i64),
    out: &mut Vec<Entry>,
    what: impl Fn(&Row<'_>) -> rusqlite::Result<What>,
) -> rusqlite::Result<()> {
    let mut s = conn.prepare(&format!("{sql} ORDER BY ord DESC LIMIT ?2"))?;
    let mut rows = s.query([run, limit])?;
    while let Some(row) = rows.next()? {
        out.push(Entry {
            run,
            ord: row.get("ord")?,
            at: unsigned(row, "at")?,
            what: what(row)?,
        });
    }
    Ok(())
}

/// Everything but mismatches, in no order; of each kind the last `limit`.
pub(super) fn of_run(
    conn: &Connection,
    run: i64,
    limit: Option<u32>,
) -> rusqlite::Result<Vec<Entry>> {
    let mut out = Vec::new();
    let which = (run, limit.map_or(-1, i64::from));
    let calibrations = "SELECT * FROM calibrations WHERE run = ?1";
    collect(conn, calibrations, which, &mut out, |r| {
        Ok(What::Calibrated {
            frame_seq: unsigned(r, "frame_seq")?,
            cols: r.get("cols")?,
            rows: r.get("rows")?,
            corners: json(r, "corners")?,
            quality: r.get("quality")?,
            classes: json(r, "classes")?,
            took_us: unsigned(r, "took")?,
        })
    })?;
    let decisions = "SELECT * FROM decisions WHERE run = ?1";
    collect(conn, decisions, which, &mut out, |r| {
        Ok(What::Decided {
            frame_seq: unsigned(r, "frame_seq")?,
            captured_at: unsigned(r, "captured_at")?,
            board: r.get("board")?,
            action: r.get("action")?,
            score: r.get("score")?,
            nodes: unsigned(r, "nodes")?,
            took_us: unsigned(r, "took")?,
            note: r.get("note")?,
        })
    })?;
    let acted = "SELECT * FROM actions WHERE run = ?1 AND at IS NOT NULL";
    collect(conn, acted, which, &mut out, |r| {
        Ok(What::Acted {
            action: unsigned(r, "action")?,
            retry: r.get("retry")?,
            frame_seq: unsigned(r, "frame_seq")?,
            captured_at: unsigned(r, "captured_at")?,
            strokes: r.get("strokes")?,
            seen_at: maybe(r, "confirmed_captured_at")?,
        })
    })?;
    let confirmed = "SELECT confirmed_ord AS ord, confirmed_at AS at, action, confirmed_frame,
        confirmed_captured_at FROM actions WHERE run = ?1 AND confirmed_ord IS NOT NULL";
    collect(conn, confirmed, which, &mut out, |r| {
        Ok(What::Confirmed {
            action: unsigned(r, "action")?,
            frame_seq: unsigned(r, "confirmed_frame")?,
            captured_at: unsigned(r, "confirmed_captured_at")?,
        })
    })?;
    let observations = "SELECT * FROM observations WHERE run = ?1";
    collect(conn, observations, which, &mut out, |r| {
        Ok(What::Observed {
            frame_seq: unsigned(r, "frame_seq")?,
            captured_at: unsigned(r, "captured_at")?,
            since: unsigned(r, "since")?,
            what: r.get("what")?,
            board: r.get("board")?,
            text: r.get("text")?,
        })
    })?;
    let results = "SELECT * FROM results WHERE run = ?1";
    collect(conn, results, which, &mut out, |r| {
        Ok(What::Finished {
            game: r.get("game")?,
            result: r.get("result")?,
            moves: r.get("moves")?,
            seconds: r.get("seconds")?,
            mismatches: r.get("mismatches")?,
            why: r.get("why")?,
            extra: json(r, "extra")?,
        })
    })?;
    Ok(out)
}
