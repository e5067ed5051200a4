//! One event into its rows.

use std::sync::Arc;

use rusqlite::{Connection, params};

use crate::types::{Event, Picture, Time};

/// A number for SQLite, which has no unsigned ones; times and counts stay far below the limit.
pub(super) fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn micros(d: std::time::Duration) -> i64 {
    i64::try_from(d.as_micros()).unwrap_or(i64::MAX)
}

fn name<T: serde::Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        other => format!("{other:?}"),
    }
}

/// JSON of plain data, which cannot fail; a failure would be visible in the row.
fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|e| format!("\"{e}\""))
}

/// The run being written and how many of its events are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Current {
    /// Its id.
    pub(super) run: i64,
    /// `ord` of its last event.
    pub(super) ord: i64,
}

/// A picture whose row is there and whose pixels are not yet.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) evidence: i64,
    pub(super) picture: Arc<Picture>,
}

/// Inserts a run.
pub(super) fn start(
    conn: &Connection,
    started_ms: Option<i64>,
    event: &Event,
) -> rusqlite::Result<Option<Current>> {
    let Event::RunStarted {
        command,
        profile,
        source,
        game,
        policy,
        config,
    } = event
    else {
        return Ok(None);
    };
    conn.prepare_cached(
        "INSERT INTO runs (started_ms, program, command, profile, source, game, policy, config)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        started_ms,
        env!("CARGO_PKG_VERSION"),
        command,
        profile,
        source,
        game,
        policy,
        config
    ])?;
    Ok(Some(Current {
        run: conn.last_insert_rowid(),
        ord: 0,
    }))
}

/// Inserts any other event of the run.
pub(super) fn insert(
    conn: &Connection,
    current: &mut Current,
    at: Time,
    event: &Event,
    keep_evidence: bool,
    pending: &mut Vec<Pending>,
) -> rusqlite::Result<()> {
    current.ord += 1;
    let Current { run, ord } = *current;
    let at = int(at.0);
    match event {
        Event::RunStarted { .. } => {}
        Event::Calibrated {
            frame_seq,
            size,
            corners,
            quality,
            classes,
            took,
        } => {
            let corners: Vec<[f64; 2]> = corners.iter().map(|p| [p.x, p.y]).collect();
            conn.prepare_cached(
                "INSERT INTO calibrations VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                run,
                ord,
                at,
                int(*frame_seq),
                size.cols,
                size.rows,
                json(&corners),
                finite(f64::from(*quality)),
                json(classes),
                micros(*took)
            ])?;
        }
        Event::Decided {
            frame_seq,
            captured_at,
            board,
            action,
            score,
            nodes,
            took,
            note,
        } => {
            conn.prepare_cached(
                "INSERT INTO decisions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            )?
            .execute(params![
                run,
                ord,
                at,
                int(*frame_seq),
                int(captured_at.0),
                board.0,
                action,
                score,
                int(*nodes),
                micros(*took),
                note
            ])?;
        }
        Event::Acted {
            action,
            frame_seq,
            captured_at,
            strokes,
            retry,
        } => {
            conn.prepare_cached(
                "INSERT INTO actions (run, ord, at, action, retry, frame_seq, captured_at, strokes)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                run,
                ord,
                at,
                int(*action),
                retry,
                int(*frame_seq),
                int(captured_at.0),
                strokes
            ])?;
        }
        Event::Confirmed {
            action,
            frame_seq,
            captured_at,
        } => confirm(conn, *current, at, *action, *frame_seq, *captured_at)?,
        Event::Observed {
            frame_seq,
            captured_at,
            since,
            what,
            board,
            text,
        } => {
            conn.prepare_cached(
                "INSERT INTO observations VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?
            .execute(params![
                run,
                ord,
                at,
                int(*frame_seq),
                int(captured_at.0),
                int(since.0),
                name(what),
                board.0,
                text
            ])?;
        }
        Event::Mismatch {
            frame_seq,
            captured_at,
            expected,
            seen,
            cells,
            cause,
            handling,
            evidence,
            text,
        } => {
            let mut picture_id = None;
            if let Some(picture) = evidence.as_ref().filter(|_| keep_evidence) {
                conn.prepare_cached(
                    "INSERT INTO evidence (run, ord, frame_seq, captured_at, width, height)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )?
                .execute(params![
                    run,
                    ord,
                    int(*frame_seq),
                    int(captured_at.0),
                    picture.width(),
                    picture.height()
                ])?;
                let id = conn.last_insert_rowid();
                pending.push(Pending {
                    evidence: id,
                    picture: Arc::clone(picture),
                });
                picture_id = Some(id);
            }
            let cells: Vec<[u16; 2]> = cells.iter().map(|c| [c.col, c.row]).collect();
            conn.prepare_cached(
                "INSERT INTO mismatches
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            )?
            .execute(params![
                run,
                ord,
                at,
                int(*frame_seq),
                int(captured_at.0),
                expected.0,
                seen.0,
                json(&cells),
                name(cause),
                name(handling),
                text,
                picture_id
            ])?;
        }
        Event::Finished(result) => {
            conn.prepare_cached(
                "INSERT INTO results VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                run,
                ord,
                at,
                result.game,
                name(&result.result),
                result.moves,
                finite(result.seconds),
                result.mismatches,
                result.why,
                json(&result.extra)
            ])?;
        }
        Event::RunEnded { why, frames } => {
            conn.prepare_cached(
                "UPDATE runs SET ended_at = ?2, why = ?3, frames = ?4, dropped = ?5 WHERE id = ?1",
            )?
            .execute(params![run, at, why, int(frames.0), int(frames.1)])?;
        }
    }
    Ok(())
}

/// SQLite stores NaN as NULL, which a NOT NULL column refuses; a wrong duration must not cost the
/// row.
fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

/// Marks the last try of the action; an action never recorded gets a row of its own, for an event
/// is never dropped.
fn confirm(
    conn: &Connection,
    Current { run, ord }: Current,
    at: i64,
    action: u64,
    frame_seq: u64,
    captured_at: Time,
) -> rusqlite::Result<()> {
    let changed = conn
        .prepare_cached(
            "UPDATE actions SET confirmed_ord = ?3, confirmed_at = ?4, confirmed_frame = ?5,
                    confirmed_captured_at = ?6
             WHERE run = ?1
               AND ord = (SELECT max(ord) FROM actions WHERE run = ?1 AND action = ?2)",
        )?
        .execute(params![
            run,
            int(action),
            ord,
            at,
            int(frame_seq),
            int(captured_at.0)
        ])?;
    if changed == 0 {
        conn.prepare_cached(
            "INSERT INTO actions (run, ord, at, action, retry, frame_seq, captured_at, strokes,
                    confirmed_ord, confirmed_at, confirmed_frame, confirmed_captured_at)
             VALUES (?1, ?2, NULL, ?3, 0, ?5, ?6, '', ?2, ?4, ?5, ?6)",
        )?
        .execute(params![
            run,
            ord,
            int(action),
            at,
            int(frame_seq),
            int(captured_at.0)
        ])?;
    }
    Ok(())
}
