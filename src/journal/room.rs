//! Keeping the journal within its size, and making room on a full disk.
//!
//! Pictures go first, oldest first; then the rows of the oldest runs; of the run being written
//! only its oldest rows, never its own entry.

use rusqlite::{Connection, params};

use super::schema::RUN_TABLES;

/// Rows of one step: few enough that a record waiting for the lock waits a few milliseconds.
const STEP: i64 = 1000;

/// Size of the rows and pictures in bytes, without pages that are free to be used again.
pub(super) fn used_bytes(conn: &Connection) -> rusqlite::Result<u64> {
    let (pages, free, size) = pages(conn)?;
    Ok(((pages - free).max(0) * size) as u64)
}

fn pages(conn: &Connection) -> rusqlite::Result<(i64, i64, i64)> {
    let read = |sql: &str| -> rusqlite::Result<i64> {
        conn.prepare_cached(sql)?.query_row([], |row| row.get(0))
    };
    Ok((
        read("PRAGMA page_count")?,
        read("PRAGMA freelist_count")?,
        read("PRAGMA page_size")?,
    ))
}

/// Gives free pages back to the file system, up to this many; what the log does not move is cut
/// off at the next checkpoint. False when there are no more.
pub(super) fn shorten(conn: &Connection, pages: i64) -> rusqlite::Result<bool> {
    let mut s = conn.prepare(&format!("PRAGMA incremental_vacuum({pages})"))?;
    // One page per step, although there are no rows.
    let mut rows = s.query([])?;
    while rows.next()?.is_some() {}
    drop(rows);
    drop(s);
    Ok(self::pages(conn)?.1 > 0)
}

/// Deletes the oldest pictures, about `bytes` of them; false when there are none.
pub(super) fn drop_oldest_pictures(conn: &Connection, bytes: u64) -> rusqlite::Result<bool> {
    let (mut last, mut sum) = (None, 0u64);
    {
        let mut rows = conn.prepare_cached(
            "SELECT id, length(png) FROM evidence WHERE png IS NOT NULL ORDER BY id LIMIT 64",
        )?;
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            last = Some(row.get::<_, i64>(0)?);
            sum += row.get::<_, i64>(1)?.unsigned_abs();
            if sum >= bytes {
                break;
            }
        }
    }
    let Some(last) = last else { return Ok(false) };
    conn.prepare_cached("DELETE FROM evidence WHERE id <= ?1 AND png IS NOT NULL")?
        .execute([last])?;
    Ok(true)
}

/// Deletes all pictures; what the log holds of them need then not be moved into the file once
/// that is made shorter. False when there are none.
pub(super) fn drop_all_pictures(conn: &Connection) -> rusqlite::Result<bool> {
    let dropped = conn.execute("DELETE FROM evidence WHERE png IS NOT NULL", [])?;
    shorten(conn, i64::from(i32::MAX))?;
    Ok(dropped > 0)
}

/// Deletes some of the oldest rows of the oldest run; false when there is nothing to delete.
pub(super) fn drop_oldest_rows(conn: &Connection, current: Option<i64>) -> rusqlite::Result<bool> {
    let oldest: Option<i64> = conn.query_row("SELECT min(id) FROM runs", [], |row| row.get(0))?;
    let Some(run) = oldest else { return Ok(false) };
    if let Some(first) = first_row(conn, run)? {
        for table in RUN_TABLES {
            conn.prepare_cached(&format!("DELETE FROM {table} WHERE run = ?1 AND ord < ?2"))?
                .execute(params![run, first + STEP])?;
        }
    } else if current == Some(run) {
        return Ok(false);
    }
    if current != Some(run) && first_row(conn, run)?.is_none() {
        conn.execute("DELETE FROM runs WHERE id = ?1", [run])?;
    }
    Ok(true)
}

/// `ord` of the oldest row of a run.
fn first_row(conn: &Connection, run: i64) -> rusqlite::Result<Option<i64>> {
    let mut first: Option<i64> = None;
    for table in RUN_TABLES {
        let ord: Option<i64> = conn
            .prepare_cached(&format!("SELECT min(ord) FROM {table} WHERE run = ?1"))?
            .query_row([run], |row| row.get(0))?;
        first = match (first, ord) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
    Ok(first)
}

/// One step towards `cap` bytes; true when another step is needed.
pub(super) fn step_below(
    conn: &Connection,
    cap: u64,
    current: Option<i64>,
) -> rusqlite::Result<bool> {
    let used = used_bytes(conn)?;
    if used <= cap {
        let (pages, free, _) = pages(conn)?;
        // Free pages are kept for the rows to come; a file mostly empty is made shorter.
        if free > 1024 && free * 2 > pages {
            shorten(conn, 2048)?;
            return Ok(true);
        }
        return Ok(false);
    }
    // A little below the cap, so that not every record ends here.
    let excess = used - (cap - cap / 20);
    conn.execute_batch("BEGIN IMMEDIATE")?;
    let step = drop_oldest_pictures(conn, excess.min(1 << 20))
        .and_then(|dropped| Ok(dropped || drop_oldest_rows(conn, current)?));
    conn.execute_batch(if step.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    step
}
