//! Where the program keeps things: room on the disk, the folders, the journal.

use std::path::Path;

use super::finding::Finding;
use crate::config::Settings;
use crate::journal::read::Reader;
use crate::journal::{JournalError, recording};

/// Less than this is soon used up by a recording, in bytes.
const LITTLE: u64 = 1 << 30;
/// And less than this by the journal alone.
const NONE: u64 = 64 << 20;

/// Looks.
pub(super) fn look(settings: &Settings, tell: &mut dyn FnMut(Finding)) {
    let path = &settings.journal.path;
    let folder = match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    tell(room(folder));
    tell(writable(folder));
    journal(path, tell);
}

/// The nearest folder that is there.
fn existing(folder: &Path) -> &Path {
    folder
        .ancestors()
        .find(|f| f.is_dir())
        .unwrap_or(Path::new("/"))
}

fn room(folder: &Path) -> Finding {
    let Some(free) = recording::free(existing(folder)) else {
        return Finding::warn(
            "store",
            "disk space",
            format!("nobody tells how much is free for {}", folder.display()),
            "look with `df`",
        );
    };
    let text = format!("{} MiB are free for {}", free >> 20, folder.display());
    let fix = "make room, or set journal.path to a larger disk; journal.max_mb, \
               recording.max_mb and log.max_mb bound what is kept";
    if free < NONE {
        Finding::fail("store", "disk space", text, fix)
    } else if free < LITTLE {
        Finding::warn("store", "disk space", text, fix)
    } else {
        Finding::ok("store", "disk space", text)
    }
}

fn writable(folder: &Path) -> Finding {
    let there = existing(folder);
    match tempfile::Builder::new()
        .prefix(".doctor")
        .tempfile_in(there)
    {
        Ok(_) => Finding::ok(
            "store",
            "folder",
            format!("{} can be written", folder.display()),
        ),
        Err(error) => Finding::fail(
            "store",
            "folder",
            format!("{} cannot be written: {error}", there.display()),
            "give it to this user (`ls -ld` tells whose it is), or set journal.path",
        ),
    }
}

fn journal(path: &Path, tell: &mut dyn FnMut(Finding)) {
    let checked = Reader::open(path).and_then(|reader| {
        let reads = reader.reads();
        Ok((reads.faults()?, reads.runs(None)?))
    });
    tell(match checked {
        Ok((faults, runs)) if faults.is_empty() => {
            let games: u32 = runs
                .iter()
                .map(|r| r.won + r.lost + r.drawn + r.aborted)
                .sum();
            let text = format!("whole: {} runs, {games} games", runs.len());
            Finding::ok("store", "journal", text)
        }
        Ok((faults, _)) => Finding::fail(
            "store",
            "journal",
            format!("{} is damaged: {}", path.display(), faults.join("; ")),
            "move it away (a new one is made) or try `sqlite3 FILE .recover`",
        ),
        Err(JournalError::Missing { .. }) => {
            Finding::ok("store", "journal", "nothing has been played yet")
        }
        // The words say what to do.
        Err(error) => Finding::fail(
            "store",
            "journal",
            error.to_string(),
            "do what the text says",
        ),
    });
}
