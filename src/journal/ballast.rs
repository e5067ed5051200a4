//! A small file beside the journal that gives its room back when the disk is full.
//!
//! Deleting rows needs room too (every change passes through the write-ahead log), so a full disk
//! could not be left by deleting alone.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Enough for the log of one clean-up; small beside any journal.
const BYTES: usize = 256 * 1024;

/// Left free when it is made again.
const SLACK: usize = 64 * 1024;

/// The reserve; it stays on disk until it is needed.
#[derive(Debug)]
pub(super) struct Ballast {
    path: PathBuf,
}

impl Ballast {
    /// The reserve of a journal; made if there is room for it.
    pub(super) fn beside(journal: &Path) -> Self {
        let mut name = journal.as_os_str().to_owned();
        name.push("-reserve");
        let ballast = Self { path: name.into() };
        ballast.restore();
        ballast
    }

    /// Makes it again, if it is gone and there is room to spare; a disk without room for it is
    /// dealt with when the next row does not fit. False when it is not there.
    pub(super) fn restore(&self) -> bool {
        if std::fs::metadata(&self.path).is_ok_and(|m| m.len() == BYTES as u64) {
            return true;
        }
        if free(&self.path).is_some_and(|free| free < (BYTES + SLACK) as u64) {
            return false;
        }
        // Not zeros: compressing file systems would reserve nothing.
        let mut state = 0x9e37_79b9_u32;
        let bytes: Vec<u8> = std::iter::repeat_with(|| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state as u8
        })
        .take(BYTES)
        .collect();
        let made = std::fs::File::create(&self.path).and_then(|mut f| f.write_all(&bytes));
        if made.is_err() {
            self.release();
        }
        made.is_ok()
    }

    /// Gives the room back.
    pub(super) fn release(&self) {
        // That it is not there is as good as that it is removed.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Free bytes of the file system, where the system tells.
#[cfg(unix)]
fn free(path: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(path.parent().filter(|p| !p.as_os_str().is_empty())?).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

#[cfg(not(unix))]
fn free(_path: &Path) -> Option<u64> {
    None
}
