//! The reading side: tick after tick, to wherever the file ends.
//!
//! A file that ends too early (the process was killed, the disk was full) is read as far as it
//! goes, and says so. One whose contents are wrong is an error that names the place. Must never
//! panic, whatever the bytes, nor take more memory than a picture and a chunk need.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mcap::records::Record;
use mcap::sans_io::{LinearReadEvent, LinearReader, LinearReaderOptions};
use serde_json::Value;

use super::lines::{Beside, FORMAT, Header, InputLine, InputWhat, Topic};
use super::pixels;
use crate::types::Picture;

/// Why a recording cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// It cannot be opened or read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// It is something else.
    #[error("{}: this is no recording of Kibitzer's: {why}", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// What tells.
        why: String,
    },
    /// It is newer than this program.
    #[error(
        "{}: format {format} of Kibitzer {version}; this one reads formats up to {FORMAT}: use the newer Kibitzer",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: u32,
        /// Who wrote it.
        version: String,
    },
    /// Its contents are wrong.
    #[error("{}: damaged after tick {tick}: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The last tick that could be read.
        tick: u64,
        /// What is wrong.
        why: String,
    },
}

/// One tick as it was recorded.
#[derive(Clone, Debug)]
pub struct RecordedTick {
    /// What it was given.
    pub input: InputLine,
    /// The frame's pixels; `None` where they are lost, or the input is no frame.
    pub picture: Option<Arc<Picture>>,
    /// What it gave, in order.
    pub outcomes: Vec<(Topic, Value)>,
    /// The message of `/reading`, where the board was read otherwise than before.
    pub reading: Option<Value>,
    /// The message of `/belief`, where the belief changed.
    pub belief: Option<Value>,
}

/// The largest record and chunk that are read, in bytes.
const LARGEST: usize = 1 << 30;

/// A recording, tick after tick.
pub struct Reader {
    path: PathBuf,
    file: BufReader<File>,
    records: LinearReader,
    header: Header,
    beside: Vec<Beside>,
    channels: BTreeMap<u16, Topic>,
    /// Messages that were read while the header was looked for.
    early: VecDeque<(Topic, u64, Vec<u8>)>,
    picture: Option<(u64, Arc<Picture>)>,
    current: Option<RecordedTick>,
    last: u64,
    complete: bool,
    over: bool,
}

/// A record that matters here.
enum Item {
    Header(String),
    Beside(Beside),
    Message(Topic, u64, Vec<u8>),
    Other,
}

impl Reader {
    /// Opens a file and reads what stands before its first tick.
    ///
    /// # Errors
    /// When it cannot be read or is something else.
    pub fn open(path: &Path) -> Result<Self, RecordingError> {
        let file = File::open(path).map_err(|error| RecordingError::Io {
            path: path.to_owned(),
            error,
        })?;
        let options = LinearReaderOptions::default()
            .with_skip_end_magic(true)
            .with_prevalidate_chunk_crcs(true)
            .with_record_length_limit(LARGEST);
        let mut reader = Self {
            path: path.to_owned(),
            file: BufReader::new(file),
            records: LinearReader::new_with_options(options),
            header: Header {
                format: 0,
                version: String::new(),
                started_ms: 0,
                retold: false,
                run: Value::Null,
                recipe: Value::Null,
            },
            beside: Vec::new(),
            channels: BTreeMap::new(),
            early: VecDeque::new(),
            picture: None,
            current: None,
            last: 0,
            complete: false,
            over: false,
        };
        reader.find_header()?;
        Ok(reader)
    }

    /// What made the run.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The files that are kept with it.
    #[must_use]
    pub fn beside(&self) -> &[Beside] {
        &self.beside
    }

    /// Whether the file was ended as it should be; known when the last tick has been read.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    fn not_ours(&self, why: &str) -> RecordingError {
        RecordingError::NotOurs {
            path: self.path.clone(),
            why: why.to_owned(),
        }
    }

    fn damaged(&self, why: impl std::fmt::Display) -> RecordingError {
        RecordingError::Damaged {
            path: self.path.clone(),
            tick: self.last,
            why: why.to_string(),
        }
    }

    fn find_header(&mut self) -> Result<(), RecordingError> {
        let mut found = false;
        loop {
            let item = match self.item() {
                Ok(Some(item)) => item,
                Ok(None) if found => break,
                Ok(None) => return Err(self.not_ours("it ends before its first record is whole")),
                Err(RecordingError::Damaged { why, .. }) if !found => {
                    return Err(self.not_ours(&why));
                }
                Err(error) => return Err(error),
            };
            match item {
                Item::Header(text) => {
                    self.header = self.parse_header(&text)?;
                    found = true;
                }
                Item::Beside(beside) => self.beside.push(beside),
                Item::Message(topic, at, data) => {
                    self.early.push_back((topic, at, data));
                    break;
                }
                Item::Other => {}
            }
        }
        if found {
            Ok(())
        } else {
            Err(self.not_ours("what made the run is not written in it"))
        }
    }

    fn parse_header(&self, text: &str) -> Result<Header, RecordingError> {
        // A newer one may have another shape: its number is the one thing to say.
        let value: Value = serde_json::from_str(text).map_err(|e| self.damaged(e))?;
        let format = value["format"].as_u64().unwrap_or_default();
        if format > u64::from(FORMAT) {
            return Err(RecordingError::Newer {
                path: self.path.clone(),
                format: u32::try_from(format).unwrap_or(u32::MAX),
                version: value["version"].as_str().unwrap_or("?").to_owned(),
            });
        }
        serde_json::from_value(value).map_err(|e| self.damaged(format!("its header: {e}")))
    }

    /// The next record; `None` where the file ends.
    fn item(&mut self) -> Result<Option<Item>, RecordingError> {
        loop {
            // The borrow of a record's bytes ends before anything else is done with the reader.
            let parsed = match self.records.next_event() {
                None => return Ok(None),
                Some(Err(mcap::McapError::UnexpectedEof)) => return Ok(None),
                Some(Err(error)) => return Err(self.damaged(error)),
                Some(Ok(LinearReadEvent::ReadRequest(need))) => {
                    let room = self.records.insert(need.min(LARGEST));
                    let read = loop {
                        match self.file.read(room) {
                            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                            read => break read,
                        }
                    };
                    let n = read.map_err(|error| RecordingError::Io {
                        path: self.path.clone(),
                        error,
                    })?;
                    self.records.notify_read(n);
                    continue;
                }
                Some(Ok(LinearReadEvent::Record { opcode, data })) => {
                    parse(opcode, data, &mut self.channels, &mut self.complete)
                }
            };
            return parsed.map(Some).map_err(|e| self.damaged(e));
        }
    }

    /// The next message as it is written: topic, nanoseconds since 1970, bytes.
    ///
    /// # Errors
    /// When the file is damaged.
    pub(super) fn message(&mut self) -> Result<Option<(Topic, u64, Vec<u8>)>, RecordingError> {
        if let Some(early) = self.early.pop_front() {
            return Ok(Some(early));
        }
        while !self.complete {
            match self.item()? {
                Some(Item::Message(topic, at, data)) => return Ok(Some((topic, at, data))),
                Some(_) => {}
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// A tick that is whole; one of which the end is missing was cut off.
    fn whole(&self, tick: Option<RecordedTick>) -> Option<RecordedTick> {
        tick.filter(|t| t.outcomes.len() == t.input.outcomes as usize)
    }

    fn tick(&mut self) -> Result<Option<RecordedTick>, RecordingError> {
        loop {
            let Some((topic, _, data)) = self.message()? else {
                self.over = true;
                let last = self.current.take();
                return Ok(self.whole(last));
            };
            match topic {
                Topic::Log => {}
                Topic::Frame => {
                    let (number, picture) = pixels::read(&data).map_err(|e| self.damaged(e))?;
                    self.picture = Some((number, Arc::new(picture)));
                }
                Topic::Input => {
                    let input: InputLine =
                        serde_json::from_slice(&data).map_err(|e| self.damaged(e))?;
                    if input.tick <= self.last {
                        let why = format!("tick {} comes after it", input.tick);
                        return Err(self.damaged(why));
                    }
                    self.last = input.tick;
                    let next = RecordedTick {
                        picture: self.pixels(&input)?,
                        input,
                        outcomes: Vec::new(),
                        reading: None,
                        belief: None,
                    };
                    let before = self.current.replace(next);
                    if before.is_some() {
                        let before = self.whole(before);
                        return match before {
                            Some(before) => Ok(Some(before)),
                            None => Err(self.damaged("an outcome of the tick before is missing")),
                        };
                    }
                }
                other => {
                    let value: Value =
                        serde_json::from_slice(&data).map_err(|e| self.damaged(e))?;
                    self.outcome(other, value);
                }
            }
        }
    }

    fn outcome(&mut self, topic: Topic, mut value: Value) {
        let Some(current) = &mut self.current else {
            return;
        };
        // Events of the shell carry no tick.
        let tick = value.as_object_mut().and_then(|o| o.remove("tick"));
        if tick.and_then(|t| t.as_u64()) != Some(current.input.tick) {
            return;
        }
        match topic {
            Topic::Reading => current.reading = Some(value),
            Topic::Belief => current.belief = Some(value),
            outcome => current.outcomes.push((outcome, value)),
        }
    }

    fn pixels(&self, input: &InputLine) -> Result<Option<Arc<Picture>>, RecordingError> {
        let InputWhat::Frame(facts) = &input.what else {
            return Ok(None);
        };
        let Some(number) = facts.picture else {
            return Ok(None);
        };
        match &self.picture {
            Some((n, picture)) if *n == number => Ok(Some(Arc::clone(picture))),
            _ => Err(self.damaged(format!("picture {number} is missing"))),
        }
    }
}

fn parse(
    opcode: u8,
    data: &[u8],
    channels: &mut BTreeMap<u16, Topic>,
    complete: &mut bool,
) -> Result<Item, String> {
    Ok(
        match mcap::parse_record(opcode, data).map_err(|e| e.to_string())? {
            Record::Metadata(mut metadata) if metadata.name == "kibitzer" => {
                Item::Header(metadata.metadata.remove("header").unwrap_or_default())
            }
            Record::Attachment { header, data, .. } => Item::Beside(Beside {
                name: header.name,
                bytes: data.into_owned(),
            }),
            Record::Channel(channel) => {
                // What other programs have added is theirs.
                if let Some(topic) = Topic::by_name(&channel.topic) {
                    channels.insert(channel.id, topic);
                }
                Item::Other
            }
            Record::Message { header, data } => match channels.get(&header.channel_id) {
                Some(topic) => Item::Message(*topic, header.log_time, data.into_owned()),
                None => Item::Other,
            },
            Record::DataEnd(_) => {
                *complete = true;
                Item::Other
            }
            _ => Item::Other,
        },
    )
}

impl Iterator for Reader {
    type Item = Result<RecordedTick, RecordingError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let tick = self.tick();
        self.over |= tick.is_err();
        tick.transpose()
    }
}
