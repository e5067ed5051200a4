//! How long the parts of a move took, from the times in the journal.

use rusqlite::Connection;
use serde::Serialize;

/// Latencies of one run in microseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Latencies {
    /// From the capture of the frame that caused an action to its recording, which is directly
    /// before its strokes; first tries only, because a retry waits on purpose.
    pub screen_to_click: Spread,
    /// From an action to the capture of the first frame that shows its effect.
    pub click_to_seen: Spread,
    /// Time the policy took.
    pub thinking: Spread,
    /// From one move to the next within a game, first tries only.
    pub period: Spread,
    /// From the capture of the first frame that shows a move of the other side to our next action:
    /// until it was believed, thought about and done.
    pub answer: Spread,
}

/// A distribution: nearest-rank percentiles in microseconds; `None` without values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Spread {
    /// How many values.
    pub count: usize,
    /// Half are at most this.
    pub median: Option<u64>,
    /// 95 of 100 are at most this.
    pub p95: Option<u64>,
    /// The largest.
    pub max: Option<u64>,
}

impl Spread {
    /// Of these values.
    #[must_use]
    pub fn of(mut values: Vec<u64>) -> Self {
        values.sort_unstable();
        let rank = |percent: usize| {
            let index = (values.len() * percent).div_ceil(100).max(1) - 1;
            values.get(index).copied()
        };
        Self {
            count: values.len(),
            median: rank(50),
            p95: rank(95),
            max: values.last().copied(),
        }
    }
}

impl std::fmt::Display for Spread {
    /// `median 1.23 ms, 95% 4.56 ms, most 7.89 ms (n 10)`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Some(median), Some(p95), Some(max)) = (self.median, self.p95, self.max) else {
            return f.write_str("none");
        };
        let ms = |us: u64| us as f64 / 1000.0;
        write!(
            f,
            "median {:.2} ms, 95% {:.2} ms, most {:.2} ms (n {})",
            ms(median),
            ms(p95),
            ms(max),
            self.count
        )
    }
}

fn values(conn: &Connection, sql: &str, run: i64) -> rusqlite::Result<Spread> {
    let mut s = conn.prepare(sql)?;
    let all = s
        .query_map([run], |r| r.get::<_, i64>(0))?
        .map(|v| Ok(v?.max(0).unsigned_abs()))
        .collect::<rusqlite::Result<Vec<u64>>>()?;
    Ok(Spread::of(all))
}

/// Reads them.
pub(super) fn of_run(conn: &Connection, run: i64) -> rusqlite::Result<Latencies> {
    Ok(Latencies {
        screen_to_click: values(
            conn,
            "SELECT at - captured_at FROM actions
             WHERE run = ?1 AND retry = 0 AND at IS NOT NULL",
            run,
        )?,
        click_to_seen: values(
            conn,
            "SELECT confirmed_captured_at - at FROM actions
             WHERE run = ?1 AND at IS NOT NULL AND confirmed_captured_at IS NOT NULL",
            run,
        )?,
        thinking: values(conn, "SELECT took FROM decisions WHERE run = ?1", run)?,
        period: values(
            conn,
            "SELECT at - before FROM (
                SELECT ord AS this, at, lag(at) OVER (ORDER BY ord) AS before,
                       lag(ord) OVER (ORDER BY ord) AS previous
                FROM actions WHERE run = ?1 AND retry = 0 AND at IS NOT NULL
             ) WHERE before IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM results g
                WHERE g.run = ?1 AND g.ord BETWEEN previous AND this)",
            run,
        )?,
        answer: values(
            conn,
            "SELECT a.at - o.since FROM observations o JOIN actions a
                ON a.run = o.run AND a.ord = (
                    SELECT min(ord) FROM actions WHERE run = o.run AND ord > o.ord)
             WHERE o.run = ?1 AND o.what = 'moved' AND a.retry = 0 AND a.at IS NOT NULL
             AND NOT EXISTS (
                SELECT 1 FROM results g WHERE g.run = ?1 AND g.ord BETWEEN o.ord AND a.ord)
             AND NOT EXISTS (
                SELECT 1 FROM observations n
                WHERE n.run = ?1 AND n.what = 'moved' AND n.ord > o.ord AND n.ord < a.ord)",
            run,
        )?,
    })
}
