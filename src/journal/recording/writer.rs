//! The writing side: a thread with a bounded queue in front of it.
//!
//! The loop hands over whole ticks and never waits: when the disk cannot keep up, pixels are left
//! out first, then whole ticks, and the recording says so. When the disk is full, the file has
//! reached its cap or cannot be written, recording ends with a message and the run goes on.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use mcap::records::{MessageHeader, Metadata};
use mcap::{Attachment, Compression, WriteOptions, Writer};
use serde_json::{Value, json};

use super::caps::{self, Caps};
use super::effects::EffectLine;
use super::lines::{Beside, Header, InputLine, InputWhat, Topic};
use super::{pixels, schemas};
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
/// And when they are this large, in bytes.
const CHUNK: u64 = 4 << 20;

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
            .truncate(true)
            .open(&path)
            .map_err(|e| told(&e))?;
        if !caps::claim(&file) {
            return Err(told(&"another process is writing it"));
        }
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
            file.flush()
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

/// The open file.
pub(super) struct Ongoing {
    path: PathBuf,
    folder: Option<PathBuf>,
    caps: Caps,
    writer: Option<Writer<BufWriter<File>>>,
    channels: BTreeMap<Topic, u16>,
    started_ns: u64,
    sequence: u32,
    /// The picture that was written last, and its number.
    last: Option<(u64, Arc<Picture>)>,
    ticks: u64,
    /// The length up to which the file is whole.
    whole: u64,
}

/// What is wrong with a file that is written, in words.
pub(super) type Done = Result<(), String>;

impl Ongoing {
    pub(super) fn new(
        path: &Path,
        file: File,
        folder: Option<PathBuf>,
        caps: Caps,
        header: &Header,
        beside: &[Beside],
    ) -> Result<Self, String> {
        let options = WriteOptions::new()
            .compression(Some(Compression::Zstd))
            // Pixels are compressed already; what is left is text.
            .compression_level(1)
            .chunk_size(Some(CHUNK))
            // Chunks go out whole: one that is cut off is missing, not damaged.
            .disable_seeking(true)
            .library(format!("kibitzer {}", header.version));
        let told = |e: mcap::McapError| e.to_string();
        let mut writer = options.create(BufWriter::new(file)).map_err(told)?;
        let text = serde_json::to_string(header).map_err(|e| e.to_string())?;
        let metadata = BTreeMap::from([
            ("format".to_owned(), header.format.to_string()),
            ("header".to_owned(), text),
        ]);
        writer
            .write_metadata(&Metadata {
                name: "kibitzer".to_owned(),
                metadata,
            })
            .map_err(told)?;
        let started_ns = u64::try_from(header.started_ms).unwrap_or_default() * 1_000_000;
        for file in beside {
            writer
                .attach(&Attachment {
                    log_time: started_ns,
                    create_time: started_ns,
                    name: file.name.clone(),
                    media_type: "application/octet-stream".to_owned(),
                    data: file.bytes.as_slice().into(),
                })
                .map_err(told)?;
        }
        let mut channels = BTreeMap::new();
        for topic in Topic::ALL {
            let (name, schema) = schemas::of(topic);
            let schema = writer
                .add_schema(name, "jsonschema", schema.as_bytes())
                .map_err(told)?;
            let channel = writer
                .add_channel(schema, topic.name(), "json", &BTreeMap::new())
                .map_err(told)?;
            channels.insert(topic, channel);
        }
        let mut new = Self {
            path: path.to_owned(),
            folder,
            caps,
            writer: Some(writer),
            channels,
            started_ns,
            sequence: 0,
            last: None,
            ticks: 0,
            whole: 0,
        };
        new.flush()?;
        Ok(new)
    }

    fn ns(&self, at: Time) -> u64 {
        self.started_ns + at.0 * 1000
    }

    pub(super) fn write(&mut self, topic: Topic, at: Time, data: &[u8]) -> Done {
        self.sequence = self.sequence.wrapping_add(1);
        let header = MessageHeader {
            channel_id: self.channels.get(&topic).copied().unwrap_or_default(),
            sequence: self.sequence,
            log_time: self.ns(at),
            publish_time: self.ns(at),
        };
        match &mut self.writer {
            Some(writer) => writer
                .write_to_known_channel(&header, data)
                .map_err(|e| e.to_string()),
            None => Ok(()),
        }
    }

    fn value(&mut self, topic: Topic, at: Time, value: &Value) -> Done {
        self.write(topic, at, value.to_string().as_bytes())
    }

    fn log(&mut self, at: Time, level: u8, text: &str) -> Done {
        let ns = self.ns(at);
        let value = json!({
            "timestamp": {"sec": ns / 1_000_000_000, "nsec": ns % 1_000_000_000},
            "level": level, "message": text, "name": "kibitzer", "file": "", "line": 0,
        });
        self.value(Topic::Log, at, &value)
    }

    fn tick(&mut self, tick: Tick) -> Done {
        let (number, now) = (tick.tick, tick.now);
        let missing = number.saturating_sub(self.ticks + 1);
        if missing > 0 {
            let text =
                format!("{missing} ticks before tick {number} are missing: the disk was too slow");
            self.log(now, 3, &text)?;
        }
        self.ticks = number;
        let mut what = tick.what;
        if let InputWhat::Frame(facts) = &mut what {
            facts.picture = match &tick.picture {
                Some(picture) => Some(self.picture(picture, Time(facts.captured_at), now)?),
                None => {
                    let text =
                        format!("the pixels of tick {number} are missing: the disk was too slow");
                    self.log(now, 3, &text)?;
                    None
                }
            };
        }
        let line = InputLine {
            tick: number,
            now: now.0,
            outcomes: tick.effects.len() as u32,
            what,
            testimony: tick.testimony,
        };
        let text = serde_json::to_vec(&line).map_err(|e| e.to_string())?;
        self.write(Topic::Input, now, &text)?;
        if let Some((board, unknown, confidence)) = tick.seen {
            let value = json!({
                "tick": number, "board": board, "unknown": unknown, "confidence": confidence,
            });
            self.value(Topic::Reading, now, &value)?;
        }
        if let Some(board) = tick.believed {
            let value = json!({"tick": number, "board": board});
            self.value(Topic::Belief, now, &value)?;
        }
        for effect in tick.effects {
            let (topic, mut value) = effect.message();
            value["tick"] = number.into();
            self.value(topic, now, &value)?;
        }
        Ok(())
    }

    /// The number of a picture, which is written unless it is the same as the last one.
    fn picture(
        &mut self,
        picture: &Arc<Picture>,
        captured: Time,
        now: Time,
    ) -> Result<u64, String> {
        if let Some((number, last)) = &self.last
            && (Arc::ptr_eq(last, picture) || **last == **picture)
        {
            return Ok(*number);
        }
        let number = self.last.as_ref().map_or(0, |(n, _)| *n) + 1;
        let message = pixels::message(picture, number, self.ns(captured))?;
        self.write(Topic::Frame, now, &message)?;
        self.last = Some((number, Arc::clone(picture)));
        Ok(number)
    }

    /// Brings everything so far into the file, and looks at the limits.
    fn flush(&mut self) -> Done {
        if let Some(mut writer) = self.writer.take() {
            writer.flush().map_err(|e| e.to_string())?;
            // The file's length, and not the writer's position: what is counted is on its way to
            // the disk.
            self.whole = std::fs::metadata(&self.path).map_or(self.whole, |m| m.len());
            self.writer = Some(writer);
        }
        if self.whole > self.caps.bytes {
            let cap = self.caps.bytes >> 20;
            return Err(format!("it has reached recording.max_mb = {cap}"));
        }
        let folder = match self.path.parent() {
            Some(p) if !p.as_os_str().is_empty() => p,
            _ => Path::new("."),
        };
        if let Some(free) = caps::free(folder)
            && free < self.caps.free
        {
            return Err(format!(
                "only {} MiB are free on the disk; recording needs {}",
                free >> 20,
                self.caps.free >> 20
            ));
        }
        if let Some(folder) = &self.folder {
            match caps::tidy(folder, &self.caps, SystemTime::now()) {
                Ok(removed) => {
                    for path in removed {
                        tracing::info!("an old recording is removed: {}", path.display());
                    }
                }
                // Others in the folder are no reason to stop this one.
                Err(error) => tracing::debug!(%error, "old recordings"),
            }
        }
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Done {
        match self.writer.take() {
            Some(mut writer) => writer.finish().map(drop).map_err(|e| e.to_string()),
            None => Ok(()),
        }
    }

    /// After a failure: the file ends where it was whole; what could not be written is dropped.
    fn cut(&mut self) {
        // Where it reached a limit the file itself is good, and is ended as it should.
        if let Some(mut writer) = self.writer.take()
            && writer.finish().is_ok()
        {
            return;
        }
        let cut = OpenOptions::new().write(true).open(&self.path);
        if let Err(error) = cut.and_then(|file| file.set_len(self.whole)) {
            tracing::debug!(%error, "cutting the recording");
        }
    }
}
