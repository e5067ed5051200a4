//! How much recordings may take: the oldest go first, and never one that is being written.
//!
//! Only files that [`file_name`] has named are touched, whatever else lies in the folder.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::journal::wall;

/// The limits of recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// All recordings of the folder together, in bytes; one alone stops there.
    pub bytes: u64,
    /// Older ones are removed.
    pub age: Duration,
    /// Recording stops when less than this is free on the disk, in bytes.
    pub free: u64,
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            bytes: 2 << 30,
            age: Duration::from_secs(30 * 86_400),
            free: 256 << 20,
        }
    }
}

const PREFIX: &str = "kibitzer-";

/// The name of a recording that began at this time: names in order of time, none twice in a
/// process that starts one run a millisecond at most.
pub(super) fn file_name(started: SystemTime, game: &str) -> String {
    let ms = wall::millis(started);
    let text: String = wall::text(ms)
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    let (day, clock) = text.split_at(text.len().saturating_sub(6));
    let game: String = game.chars().filter(char::is_ascii_alphanumeric).collect();
    format!(
        "{PREFIX}{day}-{clock}.{:03}-{game}.mcap",
        ms.rem_euclid(1000)
    )
}

/// Whether a file is named as recordings in a folder are.
#[must_use]
pub fn is_ours(path: &Path) -> bool {
    let name = path.file_name().and_then(|n| n.to_str());
    name.is_some_and(|n| n.starts_with(PREFIX) && n.ends_with(".mcap"))
}

/// Marks a file as being written, for as long as it is open; false if another process has done so.
/// A file system without locks cannot tell, and is believed.
pub(super) fn claim(file: &File) -> bool {
    !matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock))
}

/// Whether some process is writing it.
fn is_claimed(path: &Path) -> bool {
    match File::open(path) {
        Ok(file) => matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock)),
        // Gone, or not ours to remove.
        Err(_) => true,
    }
}

struct Old {
    path: PathBuf,
    bytes: u64,
    changed: SystemTime,
}

fn recordings(folder: &Path) -> io::Result<Vec<Old>> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if !is_ours(&path) {
            continue;
        }
        // One that another process has just removed is no trouble.
        let Ok(known) = path.symlink_metadata() else {
            continue;
        };
        if known.is_file() {
            all.push(Old {
                path,
                bytes: known.len(),
                changed: known.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            });
        }
    }
    all.sort_by(|a, b| (a.changed, &a.path).cmp(&(b.changed, &b.path)));
    Ok(all)
}

/// Removes recordings of a folder that are too old or too much, oldest first; those that are
/// being written count, and stay. What was removed.
///
/// # Errors
/// When the folder cannot be read, or a file not removed.
pub fn tidy(folder: &Path, caps: &Caps, now: SystemTime) -> io::Result<Vec<PathBuf>> {
    let all = recordings(folder)?;
    let mut used: u64 = all.iter().map(|r| r.bytes).sum();
    let mut removed = Vec::new();
    for old in all {
        let age = now.duration_since(old.changed).unwrap_or_default();
        if used <= caps.bytes && age <= caps.age {
            continue;
        }
        if is_claimed(&old.path) {
            continue;
        }
        match std::fs::remove_file(&old.path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
        used -= old.bytes;
        removed.push(old.path);
    }
    Ok(removed)
}

/// Bytes that are free for this user on the disk of a folder; `None` where nobody tells.
#[cfg(unix)]
#[must_use]
pub fn free(folder: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(folder).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// Nobody tells.
#[cfg(not(unix))]
#[must_use]
pub fn free(_folder: &Path) -> Option<u64> {
    None
}
