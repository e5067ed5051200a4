//! The threads that think for the players of games, and the line before them.
//!
//! Takes work that has a limit of its own, gives what came of it. Half of the cores at most, so that
//! everything else is answered meanwhile; whoever finds the line full is told so at once. Work for
//! somebody who has gone away is ended.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::games::connect4::policies::{Perfect, book};
use crate::games::gomoku::policies::Search;
use crate::types::{Budget, Stop};

/// Threads at most.
const MOST: usize = 4;
/// So much work waits at most: with [`LONGEST`] nobody waits for more than a minute.
pub const WAITING: usize = 8;
/// The longest that one answer may take.
pub const LONGEST: Duration = Duration::from_secs(5);
/// Bytes of what a thread remembers of Connect-4, and of a search of five in a row.
const MEMORY: usize = 32 << 20;

/// What a thread keeps from answer to answer: it makes later ones quicker, never different.
#[derive(Debug, Default)]
pub struct Minds {
    perfect: Option<Perfect>,
}

impl Minds {
    /// The exact player of Connect-4.
    pub fn perfect(&mut self) -> &mut Perfect {
        self.perfect
            .get_or_insert_with(|| Perfect::new(MEMORY).with_book(book::own()))
    }

    /// A new player of five in a row: what another game has left behind would change its answers.
    ///
    /// # Errors
    /// When the system does not give the memory.
    pub fn search() -> Result<Search, String> {
        Search::new(MEMORY, 1).map_err(|e| e.to_string())
    }
}

type Job = Box<dyn FnOnce(&mut Minds) + Send>;

/// The threads; they end when this is dropped.
#[derive(Debug)]
pub struct Pool {
    jobs: SyncSender<Job>,
    threads: usize,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// The line is full.
    #[error("too many games think at this moment: try again in a few seconds")]
    Busy,
    /// The work has failed.
    #[error("a fault in the program")]
    Fault,
}

/// Ends work when nobody waits for it any more.
struct Waits(Stop);

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.pull("nobody waits for it any more");
    }
}

impl Pool {
    /// Half of the cores, at least one.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start() -> std::io::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::of((cores / 2).clamp(1, MOST), WAITING)
    }

    /// So many threads with so many places in the line.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn of(threads: usize, waiting: usize) -> std::io::Result<Self> {
        let (jobs, line) = sync_channel(waiting);
        let line = Arc::new(Mutex::new(line));
        for i in 0..threads {
            let line = Arc::clone(&line);
            let thread = std::thread::Builder::new().name(format!("think-{i}"));
            thread.spawn(move || think(&line))?;
        }
        Ok(Self { jobs, threads })
    }

    /// How many think at the same time.
    #[must_use]
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// Has work done within a time, at most [`LONGEST`]; it must keep to the budget it is given.
    ///
    /// # Errors
    /// When too much work waits already, or it fails.
    pub async fn ask<T: Send + 'static>(
        &self,
        time: Duration,
        work: impl FnOnce(&mut Minds, &Budget) -> T + Send + 'static,
    ) -> Result<T, NoAnswer> {
        let waits = Waits(Stop::new());
        let budget = Budget {
            time: Some(time.min(LONGEST)),
            stop: waits.0.clone(),
            ..Budget::default()
        };
        let (answer, answered) = oneshot::channel();
        let job = move |minds: &mut Minds| {
            if !budget.stop.is_pulled() {
                // Whoever asked may have gone away meanwhile.
                let _ = answer.send(work(minds, &budget));
            }
        };
        match self.jobs.try_send(Box::new(job)) {
            Ok(()) => answered.await.map_err(|_| NoAnswer::Fault),
            Err(TrySendError::Full(_)) => Err(NoAnswer::Busy),
            Err(TrySendError::Disconnected(_)) => Err(NoAnswer::Fault),
        }
    }
}

fn think(line: &Mutex<Receiver<Job>>) {
    let mut minds = Minds::default();
    loop {
        let next = line.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // A fault is one game's and not all games'; what it has left half done is forgotten.
        if catch_unwind(AssertUnwindSafe(|| job(&mut minds))).is_err() {
            minds = Minds::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Instant;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime")
    }

    #[test]
    fn a_full_line_is_told_and_empties_again() {
        let pool = Arc::new(Pool::of(1, 1).expect("a thread"));
        let runtime = runtime();
        let (begun, begins) = mpsc::channel();
        let (go, gate) = mpsc::channel::<()>();
        let first = runtime.spawn({
            let pool = Arc::clone(&pool);
            async move {
                let work = move |_: &mut Minds, _: &Budget| {
                    begun.send(()).expect("told");
                    gate.recv().expect("let go")
                };
                pool.ask(LONGEST, work).await
            }
        });
        begins.recv().expect("it thinks");
        let second = runtime.spawn({
            let pool = Arc::clone(&pool);
            async move { pool.ask(LONGEST, |_, _| 2).await }
        });
        // The second has the one place of the line, sooner or later; then there is none.
        let began = Instant::now();
        while runtime.block_on(async {
            tokio::time::timeout(Duration::from_millis(10), pool.ask(LONGEST, |_, _| 3)).await
        }) != Ok(Err(NoAnswer::Busy))
        {
            assert!(began.elapsed() < Duration::from_secs(60), "never full");
        }
        go.send(()).expect("it waits");
        assert_eq!(runtime.block_on(first).expect("no panic"), Ok(()));
        let second = runtime.block_on(second).expect("no panic");
        assert!(matches!(second, Ok(2) | Err(NoAnswer::Busy)), "{second:?}");
        let again = || runtime.block_on(pool.ask(LONGEST, |_, _| 4));
        while again() != Ok(4) {
            assert!(began.elapsed() < Duration::from_secs(60), "full for ever");
        }
    }

    #[test]
    fn who_goes_away_is_not_worked_for_and_a_fault_is_not_the_end() {
        let pool = Pool::of(1, 1).expect("a thread");
        let runtime = runtime();
        let (stopped, stops) = mpsc::channel();
        let work = move |_: &mut Minds, budget: &Budget| {
            let began = Instant::now();
            while !budget.stop.is_pulled() && began.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(1));
            }
            stopped.send(budget.stop.is_pulled()).expect("told");
        };
        let gone = runtime.block_on(async {
            tokio::time::timeout(Duration::from_millis(20), pool.ask(LONGEST, work)).await
        });
        assert!(gone.is_err(), "it does not end by itself");
        assert!(stops.recv().expect("it ends"), "its stop was pulled");
        let fault = runtime.block_on(pool.ask(LONGEST, |_, _| -> u8 { panic!("a fault") }));
        assert_eq!(fault, Err(NoAnswer::Fault));
        assert_eq!(runtime.block_on(pool.ask(LONGEST, |_, _| 1)), Ok(1));
    }
}
