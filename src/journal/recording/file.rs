//! The file of a recording while it is written: what stands before the first tick, ticks as
//! messages, whole chunks on the disk, and the limits.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use mcap::records::{MessageHeader, Metadata};
use mcap::{Attachment, Compression, WriteOptions, Writer};
use serde_json::{Value, json};

use super::caps::{self, Caps};
use super::lines::{Beside, Header, InputLine, InputWhat, Topic};
use super::writer::Tick;
use super::{pixels, schemas};
use crate::types::{Picture, Time};

/// Chunks are written when they are this large, in bytes.
const CHUNK: u64 = 4 << 20;

/// The open file.
pub(super) struct Ongoing {
    pub(super) path: PathBuf,
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

    /// A message that is a JSON value.
    pub(super) fn value(&mut self, topic: Topic, at: Time, value: &Value) -> Done {
        self.write(topic, at, value.to_string().as_bytes())
    }

    /// Words for a person.
    pub(super) fn log(&mut self, at: Time, level: u8, text: &str) -> Done {
        let ns = self.ns(at);
        let value = json!({
            "timestamp": {"sec": ns / 1_000_000_000, "nsec": ns % 1_000_000_000},
            "level": level, "message": text, "name": "kibitzer", "file": "", "line": 0,
        });
        self.value(Topic::Log, at, &value)
    }

    /// A tick, and what is missing before it.
    pub(super) fn tick(&mut self, tick: Tick) -> Done {
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

    /// Brings everything so far into the file.
    pub(super) fn flush(&mut self) -> Done {
        if let Some(mut writer) = self.writer.take() {
            writer.flush().map_err(|e| e.to_string())?;
            // The file's length, and not the writer's position: what is counted is on its way to
            // the disk.
            self.whole = std::fs::metadata(&self.path).map_or(self.whole, |m| m.len());
            self.writer = Some(writer);
        }
        Ok(())
    }

    /// Whether the recording may go on; old ones make room for it.
    pub(super) fn keep_within_limits(&self) -> Done {
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
    pub(super) fn cut(&mut self) {
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
