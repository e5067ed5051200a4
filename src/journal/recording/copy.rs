//! A recording once more, with its words changed: what is private is taken out before it is
//! handed on. Pixels stay as they are.

use std::fs::File;
use std::path::Path;

use serde_json::Value;

use super::caps::Caps;
use super::file::Ongoing;
use super::lines::{Beside, Header, Topic};
use super::read::{Reader, RecordingError};
use crate::types::Time;

/// Writes `to` with what is in `from`; every JSON value passes through `values`, every other text
/// through `texts`. A file that ends early is copied to its end.
///
/// # Errors
/// When the one cannot be read or the other not be written.
pub fn copy(
    from: &Path,
    to: &Path,
    values: &dyn Fn(Value) -> Value,
    texts: &dyn Fn(&str) -> String,
) -> Result<(), RecordingError> {
    let wrong = |why: String| RecordingError::Io {
        path: to.to_owned(),
        error: std::io::Error::other(why),
    };
    let mut reader = Reader::open(from)?;
    let old = reader.header();
    let header = Header {
        run: values(old.run.clone()),
        recipe: values(old.recipe.clone()),
        ..old.clone()
    };
    let beside: Vec<Beside> = reader.beside().iter().map(|b| plain(b, texts)).collect();
    let file = File::create(to).map_err(|error| RecordingError::Io {
        path: to.to_owned(),
        error,
    })?;
    let mut out = Ongoing::new(to, file, None, Caps::default(), &header, &beside).map_err(wrong)?;
    let started = u64::try_from(header.started_ms).unwrap_or_default() * 1_000_000;
    while let Some((topic, at, data)) = reader.message()? {
        let now = Time(at.saturating_sub(started) / 1000);
        let data = match topic {
            Topic::Frame => data,
            _ => match serde_json::from_slice(&data) {
                Ok(value) => values(value).to_string().into_bytes(),
                // What nobody can read tells nobody anything.
                Err(_) => continue,
            },
        };
        out.write(topic, now, &data).map_err(wrong)?;
    }
    out.finish().map_err(wrong)
}

fn plain(file: &Beside, texts: &dyn Fn(&str) -> String) -> Beside {
    Beside {
        name: texts(&file.name),
        bytes: match std::str::from_utf8(&file.bytes) {
            Ok(text) => texts(text).into_bytes(),
            Err(_) => file.bytes.clone(),
        },
    }
}
