//! The writing side: a thread with a bounded queue in front of it.
//!
//! The loop hands over whole ticks and never waits: when the disk cannot keep up, pixels are left
//! out first, then whole ticks, and the recording says so. When the disk is full, the file has
//! reached its cap or cannot be written, recording ends with a message and the run goes on.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use super::caps::{self, Caps};
use super::effects::EffectLine;
use super::file::Ongoing;
use super::lines::{Beside, Header, InputWhat};
use crate::types::{BoardText, Event, Picture, Testimony, Time};

/// Where a recording goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// This file; one that is there already is replaced.
    File(PathBuf),
    /// A file of its own in this folder, whose recordings are kept within the caps.
    Folder(PathBuf),
}

impl Place {
    /// A path that ends in `.mcap` is a file, any other a folder.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        match path.extension() {
            Some(e) if e.eq_ignore_ascii_case("mcap") && !path.is_dir() => {
                Self::File(path.to_owned())
            }
            _ => Self::Folder(path.to_owned()),
        }
    }
}

/// One tick of the loop, all of it.
#[derive(Clone, Debug)]
pub struct Tick {
    /// Counts from 1, also those that are lost.
    pub tick: u64,
    /// When it ran.
    pub now: Time,
    /// What it was given; of a frame the facts, whose `picture` is filled in here.
    pub what: InputWhat,
    /// The frame's pixels.
    pub picture: Option<Arc<Picture>>,
    /// What it learnt beside its input.
    pub testimony: Testimony,
    /// What it gave, in order.
    pub effects: Vec<EffectLine>,
    /// The board as seen, unreadable cells and lowest confidence, where it changed.
    pub seen: Option<(BoardText, usize, f32)>,
    /// The board as believed, where it changed.
    pub believed: Option<Option<BoardText>>,
}

enum Entry {
    Tick(Box<Tick>),
    Event(Time, Box<Event>),
    Log(Time, u8, String),
    Close,
}

/// Entries that may wait: some seconds of a busy loop.
const QUEUE: usize = 2048;
/// Bytes of pixels that may wait.
const WAITING: usize = 192 << 20;
/// Chunks are written at least this often.
const FLUSH: Duration = Duration::from_secs(1);

/// The loop's end of the queue; all clones lead to the same file.
#[derive(Clone, Debug)]
pub struct Recorder {
    to: SyncSender<Entry>,
    waiting: Arc<AtomicUsize>,
    over: Arc<AtomicBool>,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Entry")
    }
}

impl Recorder {
    /// Hands a tick over; what finds no room is left out.
    pub fn tick(&self, mut tick: Tick) {
        let bytes = tick.picture.as_ref().map_or(0, |p| size(p));
        if bytes > 0 && self.waiting.load(Ordering::Relaxed) + bytes > WAITING {
            tick.picture = None;
        }
        let bytes = tick.picture.as_ref().map_or(0, |p| size(p));
        self.waiting.fetch_add(bytes, Ordering::Relaxed);
        if !self.send(Entry::Tick(Box::new(tick))) {
            self.waiting.fetch_sub(bytes, Ordering::Relaxed);
        }
    }

    /// Keeps an event that is the shell's and no tick's.
    pub fn event(&self, at: Time, event: &Event) {
        self.send(Entry::Event(at, Box::new(event.clone())));
    }

    /// Keeps words for a person; `level` from 1 (debug) to 4 (error).
    pub fn log(&self, at: Time, level: u8, text: &str) {
        self.send(Entry::Log(at, level, text.to_owned()));
    }

    /// Whether recording has ended, for whatever reason.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    fn send(&self, entry: Entry) -> bool {
        if self.is_over() {
            return false;
        }
        match self.to.try_send(entry) {
            Ok(()) => true,
            // The number of the next tick tells that one is missing.
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => false,
        }
    }
}

fn size(picture: &Picture) -> usize {
    picture.pixels().len() * 4
}

/// A recording that is being made; it is finished when this is dropped.
#[derive(Debug)]
pub struct Recording {
    recorder: Recorder,
    thread: Option<JoinHandle<()>>,
    path: PathBuf,
}

impl Recording {
    /// Makes the file with everything that stands before the first tick, and starts the thread.
    ///
    /// # Errors
    /// When the file cannot be made; the words name it.
    pub fn start(
        place: &Place,
        header: &Header,
        game: &str,
        beside: &[Beside],
        caps: Caps,
    ) -> Result<Self, String> {
        let started = SystemTime::UNIX_EPOCH
            + Duration::from_millis(u64::try_from(header.started_ms).unwrap_or_default());
        let (path, folder) = match place {
            Place::File(path) => (path.clone(), None),
            Place::Folder(folder) => {
                std::fs::create_dir_all(folder)
                    .map_err(|e| format!("{}: {e}", folder.display()))?;
                // A clock that stands at zero names no file.
                let named = if header.started_ms > 0 {
                    started
                } else {
                    SystemTime::now()
                };
                (
                    folder.join(caps::file_name(named, game)),
                    Some(folder.clone()),
                )
            }
        };
        let told = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|e| told(&e))?;
        if !caps::claim(&file) {
            return Err(told(&"another process is writing it"));
        }
        // Only now: what another process writes is not touched.
        file.set_len(0).map_err(|e| told(&e))?;
        let file = Ongoing::new(&path, file, folder, caps, header, beside).map_err(|e| told(&e))?;
        let (to, from) = sync_channel(QUEUE);
        let recorder = Recorder {
            to,
            waiting: Arc::default(),
            over: Arc::default(),
        };
        let (waiting, over) = (Arc::clone(&recorder.waiting), Arc::clone(&recorder.over));
        let thread = std::thread::Builder::new()
            .name("recording".to_owned())
            .spawn(move || {
                write_all(file, &from, &waiting);
                over.store(true, Ordering::Relaxed);
            })
            .map_err(|e| told(&e))?;
        Ok(Self {
            recorder,
            thread: Some(thread),
            path,
        })
    }

    /// The loop's end.
    #[must_use]
    pub fn recorder(&self) -> Recorder {
        self.recorder.clone()
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what is still waiting and ends the file.
    pub fn finish(mut self) {
        self.close();
    }

    fn close(&mut self) {
        if let Some(thread) = self.thread.take() {
            // Waits for room: the thread is taking entries out.
            let _ = self.recorder.to.send(Entry::Close);
            // A thread that panicked has left a file that is read to where it ends.
            let _ = thread.join();
        }
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        self.close();
    }
}

fn write_all(mut file: Ongoing, from: &Receiver<Entry>, waiting: &AtomicUsize) {
    let mut flush_at = Instant::now() + FLUSH;
    loop {
        let wait = flush_at.saturating_duration_since(Instant::now());
        let done = match from.recv_timeout(wait) {
            Ok(Entry::Tick(tick)) => {
                let bytes = tick.picture.as_ref().map_or(0, |p| size(p));
                let done = file.tick(*tick);
                waiting.fetch_sub(bytes, Ordering::Relaxed);
                done
            }
            Ok(Entry::Event(at, event)) => {
                let (topic, value) = EffectLine::Note(*event).message();
                file.value(topic, at, &value)
            }
            Ok(Entry::Log(at, level, text)) => file.log(at, level, &text),
            Ok(Entry::Close) | Err(RecvTimeoutError::Disconnected) => {
                if let Err(error) = file.finish() {
                    tracing::warn!("the recording could not be ended: {error}");
                }
                return;
            }
            Err(RecvTimeoutError::Timeout) => Ok(()),
        };
        let done = done.and_then(|()| {
            if Instant::now() < flush_at {
                return Ok(());
            }
            flush_at = Instant::now() + FLUSH;
            file.flush()?;
            file.keep_within_limits()
        });
        if let Err(error) = done {
            tracing::warn!(
                "recording has ended, the run goes on: {}: {error}",
                file.path.display()
            );
            file.cut();
            return;
        }
    }
}
