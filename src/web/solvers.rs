//! Who solved which level of TripleX first, and how long everybody took: a SQLite file of its own in
//! the state folder.
//!
//! Takes claims that were judged already; gives the statistics of each level. Tickets make a claim
//! good for one time. Must never be made before somebody asks for it: a daemon in which nobody plays
//! leaves no file.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rand::TryRngCore as _;
use rand::rngs::OsRng;
use rusqlite::{Connection, params};
use serde::Serialize;

/// Tickets that are out at the same time; the oldest is good no more when another is asked for.
const TICKETS: usize = 256;
/// How long a ticket is good.
const GOOD: Duration = Duration::from_secs(120);
/// Requests that are answered within [`WINDOW`]: a level takes two, and is solved by a person.
const REQUESTS: usize = 240;
/// The time in which requests are counted.
const WINDOW: Duration = Duration::from_secs(60);
/// Solves that are kept, some 100 bytes each.
const MOST: i64 = 200_000;
/// "TRIX": tells this file from other programs' SQLite files.
const APPLICATION: i64 = 0x5452_4958;
/// The format that this program writes.
const FORMAT: i64 = 1;

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS solved (
    ord INTEGER PRIMARY KEY AUTOINCREMENT,   -- who came first
    level INTEGER NOT NULL, name TEXT NOT NULL,
    seconds INTEGER NOT NULL,
    at INTEGER NOT NULL,                     -- milliseconds since 1970
    UNIQUE (level, name)
);";

/// What is known of a level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelStatistics {
    /// Its number, from 1.
    pub level: u16,
    /// Who solved it first; as it was typed, so to be escaped.
    pub first: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// By how many.
    pub solved: u32,
    /// The shortest time, in seconds.
    pub fastest: u32,
    /// The middle one of all times, in seconds.
    pub median: f64,
    /// Their mean, in seconds.
    pub mean: f64,
}

/// A solve that was believed.
#[derive(Clone, Copy, Debug)]
pub struct Solve<'a> {
    /// The level's number.
    pub level: u16,
    /// Who.
    pub name: &'a str,
    /// How long it took.
    pub seconds: u32,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// Why solves cannot be kept or shown.
#[derive(Debug, thiserror::Error)]
pub enum SolversError {
    /// The file.
    #[error("{}: {source}: move it away, and another is made", path.display())]
    Store {
        /// Which.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// A file of another program, or of a later version of this one.
    #[error("{}: this is no list of solvers that this program can read: move it away", .0.display())]
    Foreign(PathBuf),
    /// As many as may be.
    #[error("{MOST} solves are kept already, and there is no room for more")]
    Full,
}

/// All solvers.
pub struct Solvers {
    /// `None` keeps them as long as the program runs.
    path: Option<PathBuf>,
    store: Mutex<Option<Connection>>,
    tickets: Mutex<VecDeque<(Instant, String)>>,
    asked: Mutex<VecDeque<Instant>>,
}

impl std::fmt::Debug for Solvers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solvers").finish_non_exhaustive()
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Solvers {
    /// Solvers kept in this file.
    #[must_use]
    pub fn new(path: Option<PathBuf>) -> Self {
        Self {
            path,
            store: Mutex::default(),
            tickets: Mutex::default(),
            asked: Mutex::default(),
        }
    }

    /// Whether one more request is answered now.
    #[must_use]
    pub fn admits(&self, now: Instant) -> bool {
        let mut asked = lock(&self.asked);
        while asked
            .front()
            .is_some_and(|at| now.duration_since(*at) >= WINDOW)
        {
            asked.pop_front();
        }
        let admits = asked.len() < REQUESTS;
        if admits {
            asked.push_back(now);
        }
        admits
    }

    /// A ticket for one claim; `None` when the system gives no random numbers.
    #[must_use]
    pub fn ticket(&self, now: Instant) -> Option<String> {
        let mut bytes = [0; 16];
        OsRng.try_fill_bytes(&mut bytes).ok()?;
        let ticket: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
        let mut tickets = lock(&self.tickets);
        if tickets.len() >= TICKETS {
            tickets.pop_front();
        }
        tickets.push_back((now, ticket.clone()));
        Some(ticket)
    }

    /// Takes a ticket in; false when it was never given, is too old or was taken in before.
    #[must_use]
    pub fn takes(&self, ticket: &str, now: Instant) -> bool {
        let mut tickets = lock(&self.tickets);
        tickets.retain(|(at, _)| now.duration_since(*at) < GOOD);
        let found = tickets.iter().position(|(_, given)| given == ticket);
        found.and_then(|i| tickets.remove(i)).is_some()
    }

    /// Keeps a solve; false when the same person solved this level before: the first time counts.
    ///
    /// # Errors
    /// When the file cannot be used, or is full.
    pub fn keep(&self, solve: &Solve<'_>) -> Result<bool, SolversError> {
        self.with(|store| {
            let count: i64 = store.query_row("SELECT count(*) FROM solved", [], |r| r.get(0))?;
            if count >= MOST {
                return Ok(None);
            }
            let kept = store.execute(
                "INSERT OR IGNORE INTO solved (level, name, seconds, at) VALUES (?, ?, ?, ?)",
                params![solve.level, solve.name, solve.seconds, solve.at],
            )?;
            Ok(Some(kept == 1))
        })?
        .ok_or(SolversError::Full)
    }

    /// Every level that somebody has solved, in order.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn statistics(&self) -> Result<Vec<LevelStatistics>, SolversError> {
        self.with(|store| {
            let mut query = store.prepare_cached(
                "WITH placed AS (
                    SELECT level, seconds, ord,
                        row_number() OVER (PARTITION BY level ORDER BY seconds) AS place,
                        count(*) OVER (PARTITION BY level) AS n
                    FROM solved),
                levels AS (
                    SELECT level, n, min(ord) AS first, min(seconds) AS fastest, avg(seconds) AS mean,
                        avg(CASE WHEN place IN ((n + 1) / 2, (n + 2) / 2) THEN seconds END) AS median
                    FROM placed GROUP BY level)
                SELECT levels.level, name, at, n, fastest, median, mean
                FROM levels JOIN solved ON ord = first ORDER BY levels.level",
            )?;
            let rows = query.query_map([], |r| {
                Ok(LevelStatistics {
                    level: r.get(0)?,
                    first: r.get(1)?,
                    at: r.get(2)?,
                    solved: r.get(3)?,
                    fastest: r.get(4)?,
                    median: r.get(5)?,
                    mean: r.get(6)?,
                })
            })?;
            rows.collect()
        })
    }

    /// Does something with the store, which is opened the first time.
    fn with<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, SolversError> {
        let path = || self.path.clone().unwrap_or_default();
        let fails = |source| SolversError::Store {
            path: path(),
            source,
        };
        let mut store = lock(&self.store);
        if store.is_none() {
            let opened = self.open().map_err(fails)?;
            *store = Some(opened.ok_or_else(|| SolversError::Foreign(path()))?);
        }
        // It was opened just now, or before.
        let store = store
            .as_ref()
            .ok_or_else(|| SolversError::Foreign(path()))?;
        work(store).map_err(fails)
    }

    /// Opens the file, or makes it; `None` when it is somebody else's.
    fn open(&self) -> rusqlite::Result<Option<Connection>> {
        let store = match &self.path {
            Some(path) => {
                if let Some(folder) = path.parent() {
                    // Where this fails, opening tells why.
                    let _ = std::fs::create_dir_all(folder);
                }
                Connection::open(path)?
            }
            None => Connection::open_in_memory()?,
        };
        store.busy_timeout(Duration::from_secs(5))?;
        let number = |name: &str| -> rusqlite::Result<i64> {
            store.pragma_query_value(None, name, |r| r.get(0))
        };
        let tables: i64 =
            store.query_row("SELECT count(*) FROM sqlite_master", [], |r| r.get(0))?;
        let ours = number("application_id")? == APPLICATION && number("user_version")? == FORMAT;
        if tables > 0 && !ours {
            return Ok(None);
        }
        store.pragma_update(None, "journal_mode", "WAL")?;
        store.pragma_update(None, "application_id", APPLICATION)?;
        store.pragma_update(None, "user_version", FORMAT)?;
        store.execute_batch(SCHEMA)?;
        Ok(Some(store))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(level: u16, name: &str, seconds: u32, at: i64) -> Solve<'_> {
        Solve {
            level,
            name,
            seconds,
            at,
        }
    }

    #[test]
    fn the_first_solver_stays_and_times_are_counted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new/triplex.db");
        let solvers = Solvers::new(Some(path.clone()));
        assert!(!path.exists(), "made when first used");
        for (name, seconds, at) in [("Ada", 40, 1), ("Bo", 10, 2), ("Cy", 30, 3), ("Di", 4, 4)] {
            assert!(solvers.keep(&solve(7, name, seconds, at)).expect("kept"));
        }
        assert!(!solvers.keep(&solve(7, "Ada", 1, 5)).expect("kept"));
        assert!(solvers.keep(&solve(2, "Ada", 5, 6)).expect("kept"));
        let seventh = LevelStatistics {
            level: 7,
            first: "Ada".to_owned(),
            at: 1,
            solved: 4,
            fastest: 4,
            median: 20.0,
            mean: 21.0,
        };
        let again = Solvers::new(Some(path));
        let known = again.statistics().expect("read");
        assert_eq!(known.len(), 2);
        assert_eq!((known[0].level, known[0].median), (2, 5.0));
        assert_eq!(known[1], seventh);
    }

    #[test]
    fn a_file_of_somebody_else_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("triplex.db");
        let other = Connection::open(&path).expect("made");
        other
            .execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
            .expect("filled");
        let told = Solvers::new(Some(path.clone())).statistics();
        let told = told.expect_err("no list of solvers").to_string();
        assert!(
            told.contains("triplex.db") && told.contains("move it away"),
            "{told}"
        );
        std::fs::write(&path, "no database at all, but long enough to be looked at")
            .expect("written");
        assert!(Solvers::new(Some(path)).statistics().is_err());
    }

    #[test]
    fn a_ticket_is_good_once_and_not_for_long() {
        let solvers = Solvers::new(None);
        let now = Instant::now();
        let ticket = solvers.ticket(now).expect("random numbers");
        assert!(!solvers.takes("", now) && !solvers.takes("0123", now));
        assert!(solvers.takes(&ticket, now));
        assert!(!solvers.takes(&ticket, now), "a second time");
        let old = solvers.ticket(now).expect("random numbers");
        assert!(!solvers.takes(&old, now + GOOD), "too late");
        let first = solvers.ticket(now).expect("random numbers");
        for _ in 0..TICKETS {
            assert!(solvers.ticket(now).is_some());
        }
        assert!(!solvers.takes(&first, now), "too many after it");
    }

    #[test]
    fn requests_are_counted_for_a_while() {
        let solvers = Solvers::new(None);
        let now = Instant::now();
        assert!((0..REQUESTS).all(|_| solvers.admits(now)));
        assert!(!solvers.admits(now));
        assert!(solvers.admits(now + WINDOW));
    }
}
