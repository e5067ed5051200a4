//! What can go wrong with a journal, each with what to do about it.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why a journal cannot be opened, written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The folder cannot be made.
    #[error("journal: cannot make the folder {}: {source}: set journal.path to a place that can be written", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The file cannot be opened or written.
    #[error("journal: cannot write {}: {why}: check its permissions or set journal.path to a place that can be written", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        why: String,
    },
    /// The path names a folder.
    #[error("journal: {} is a folder: set journal.path to a file", path.display())]
    IsFolder {
        /// The path.
        path: PathBuf,
    },
    /// There is no such file to read.
    #[error("journal: {} does not exist: nothing has been recorded there yet; --db names another journal", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// Some other file.
    #[error("journal: {} is not a journal of Kibitzer ({why}): move it away or set journal.path to another file", path.display())]
    NotAJournal {
        /// The file.
        path: PathBuf,
        /// How that shows.
        why: &'static str,
    },
    /// The file is damaged.
    #[error("journal: {} is damaged ({why}): move it away (a new one is made) or try `sqlite3 FILE .recover`", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// SQLite's words.
        why: String,
    },
    /// Written by a newer Kibitzer.
    #[error("journal: {} has format {found}, this Kibitzer knows up to {known}: use the newer Kibitzer or set journal.path to another file", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format known here.
        known: i64,
    },
    /// Another process holds it.
    #[error("journal: {} is locked by another program: close what holds it (`fuser FILE` tells) or set journal.path to another file", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// No room left.
    #[error("journal: disk full at {}: free space or set journal.max_mb", path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// An event came before `RunStarted`.
    #[error("journal: an event came before the run was started (a bug of Kibitzer)")]
    NoRun,
    /// There is no such run.
    #[error("journal: there is no run {run} in {}: `kibitzer journal runs` lists them", path.display())]
    NoSuchRun {
        /// The file.
        path: PathBuf,
        /// What was asked for.
        run: String,
    },
    /// A file of an export cannot be written.
    #[error("journal: cannot write {}: {source}: choose another folder with --out", path.display())]
    Export {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Anything else SQLite says.
    #[error("journal: {}: {source}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// SQLite's words.
        source: rusqlite::Error,
    },
}

impl JournalError {
    /// The kind of a SQLite error, by its code.
    pub(super) fn from_sqlite(path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotAJournal {
                path,
                why: "it is not an SQLite file",
            },
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged {
                path,
                why: source.to_string(),
            },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked { path },
            Some(
                ErrorCode::CannotOpen
                | ErrorCode::ReadOnly
                | ErrorCode::PermissionDenied
                | ErrorCode::AuthorizationForStatementDenied,
            ) => Self::Unwritable {
                path,
                why: source.to_string(),
            },
            _ if is_full(&source) => Self::Full { path },
            _ => Self::Sqlite { path, source },
        }
    }
}

/// Whether the disk has no room: SQLite says so itself, or could not extend its shared memory.
pub(super) fn is_full(error: &rusqlite::Error) -> bool {
    match error {
        rusqlite::Error::SqliteFailure(e, _) => {
            e.code == ErrorCode::DiskFull
                || e.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE
                || e.extended_code == rusqlite::ffi::SQLITE_IOERR_WRITE
        }
        _ => false,
    }
}
