//! The second thread: encodes pictures, moves the log into the file, keeps the size.
//!
//! It shares the connection with the recording thread, under one lock held for a statement at a
//! time: two connections would wait for each other by sleeping. Only checkpoints have a connection
//! of their own, for they wait for the disk and need no write lock.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use rusqlite::{Connection, params};

use super::error::is_full;
use super::room;
use super::rows::Pending;
use super::store::Db;
use crate::types::Picture;

/// Pictures waiting to be encoded; a recorder that is faster waits.
const QUEUE: usize = 64;

/// Bytes of pictures after which the log is moved into the file: half of the reserve for a full
/// disk.
const UNMOVED: usize = 128 * 1024;

/// What the second thread is asked for.
enum Work {
    Picture(Pending),
    /// Checkpoint and size.
    Tidy,
    /// Says when everything asked before is done.
    Flush(SyncSender<()>),
}

/// The second thread; dropping it waits until everything asked for is done.
pub(super) struct Background {
    work: Option<SyncSender<Work>>,
    thread: Option<JoinHandle<()>>,
}

/// The lock; a thread that died while holding it left a transaction at worst, which is rolled
/// back by the next.
pub(super) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Background {
    /// Starts it.
    pub(super) fn start(db: Arc<Mutex<Db>>) -> std::io::Result<Self> {
        let (work, todo) = sync_channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name("journal".into())
            .spawn(move || run(&db, &todo))?;
        Ok(Self {
            work: Some(work),
            thread: Some(thread),
        })
    }

    fn send(&self, work: Work) {
        if let Some(tx) = &self.work
            && tx.send(work).is_err()
        {
            tracing::error!("journal: its second thread has ended; pictures are not kept");
        }
    }

    /// Adds the picture to its row, soon.
    pub(super) fn picture(&self, pending: Pending) {
        self.send(Work::Picture(pending));
    }

    /// Checkpoint and size, soon; when it is behind anyway it will be asked again.
    pub(super) fn tidy(&self) {
        if let Some(tx) = &self.work {
            let _ = tx.try_send(Work::Tidy);
        }
    }

    /// Returns when everything asked for before is done.
    pub(super) fn flush(&self) {
        let (done, wait) = sync_channel(1);
        self.send(Work::Tidy);
        self.send(Work::Flush(done));
        let _ = wait.recv();
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.work = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(db: &Mutex<Db>, todo: &Receiver<Work>) {
    let checkpoints = Arc::clone(&lock(db).checkpoints);
    let mut unmoved = 0;
    while let Ok(work) = todo.recv() {
        match work {
            Work::Picture(pending) => {
                unmoved += add_picture(db, &pending);
                if unmoved >= UNMOVED {
                    unmoved = 0;
                    tidy(db, &checkpoints);
                }
            }
            Work::Tidy => tidy(db, &checkpoints),
            Work::Flush(done) => {
                let _ = done.send(());
            }
        }
    }
    tidy(db, &checkpoints);
}

/// A connection for checkpoints; without it the recorder makes them itself, now and then.
pub(super) fn checkpointer(path: &Path) -> Option<Connection> {
    let conn = Connection::open(path).ok()?;
    conn.busy_timeout(std::time::Duration::ZERO).ok()?;
    conn.execute_batch("PRAGMA synchronous = NORMAL").ok()?;
    Some(conn)
}

/// Lossless and fast: pictures are rare, and read by people and tests, not often.
pub(super) fn png(picture: &Picture) -> image::ImageResult<Vec<u8>> {
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Up).write_image(
        picture.to_rgb().as_raw(),
        picture.width(),
        picture.height(),
        ExtendedColorType::Rgb8,
    )?;
    Ok(bytes)
}

/// Returns the size of what was added.
fn add_picture(db: &Mutex<Db>, pending: &Pending) -> usize {
    let bytes = match png(&pending.picture) {
        Ok(bytes) => bytes,
        Err(error) => {
            tracing::warn!("journal: a picture cannot be encoded: {error}");
            return 0;
        }
    };
    let db = lock(db);
    for attempt in 1..=5 {
        let added = db
            .conn
            .prepare_cached("UPDATE evidence SET png = ?2 WHERE id = ?1")
            .and_then(|mut s| s.execute(params![pending.evidence, bytes]));
        match added {
            Ok(_) => return bytes.len(),
            Err(error) if is_full(&error) && attempt < 5 => {
                db.make_room(attempt);
            }
            Err(error) => {
                tracing::warn!("journal: a picture is not kept: {error}");
                return 0;
            }
        }
    }
    0
}

/// Moves the log into the file; readers may hold it up, then the next one gets further. False
/// when the disk is full.
fn checkpoint(connection: &Mutex<Option<Connection>>) -> bool {
    lock(connection).as_ref().is_none_or(|conn| {
        conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
            .err()
            .is_none_or(|e| !is_full(&e))
    })
}

/// The first write after a checkpoint begins the log anew and waits for the disk (milliseconds);
/// done here, so that the recorder need not.
fn begin_log_anew(db: &Db) {
    let _ = db
        .conn
        .prepare_cached("UPDATE runs SET program = program WHERE id = ?1")
        .and_then(|mut s| s.execute([db.run]));
}

fn tidy(db: &Mutex<Db>, checkpoints: &Mutex<Option<Connection>>) {
    let mut rounds = 0;
    loop {
        let full = !checkpoint(checkpoints);
        // The lock is given back after each step, for the recorder.
        let db = lock(db);
        if full {
            // Before the log holds more than the reserve can take.
            rounds += 1;
            db.make_room(rounds);
            if rounds >= 4 {
                return;
            }
            continue;
        }
        match room::step_below(&db.conn, db.limits.bytes(), db.run) {
            Ok(true) => {}
            Ok(false) => {
                begin_log_anew(&db);
                if let Some(ballast) = &db.ballast {
                    ballast.restore();
                }
                return;
            }
            Err(error) => {
                tracing::debug!("journal: no room made: {error}");
                return;
            }
        }
    }
}
