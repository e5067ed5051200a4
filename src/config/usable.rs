//! The configuration as the rest of the program uses it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::chord::Chord;
use super::folders::Folders;
use super::keys::KEYS;
use super::problem::{ConfigError, Problem};
use super::written::{Merged, Origin, PaceKey, Sources, Written, merge};

/// The whole configuration; plain data that needs no further checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// What is logged and where.
    pub log: Log,
    /// Where the journal is and how large it may become.
    pub journal: JournalKeeping,
    /// How large recordings may become.
    pub recording: Recording,
    /// How moves are made.
    pub play: Play,
    /// Who decides.
    pub policy: Policy,
    /// How everything is stopped.
    pub emergency: Emergency,
    /// How the screen is looked at.
    pub capture: Capture,
    /// The file that was read, if one was.
    pub file: Option<PathBuf>,
    /// Where the program's files live.
    pub folders: Folders,
    origins: BTreeMap<String, Origin>,
    written: Written,
}

/// `[log]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// Filters in the notation of tracing's `EnvFilter`.
    pub level: String,
    /// The file; `None` for no file.
    pub file: Option<PathBuf>,
    /// A file of this many bytes is put aside.
    pub max_bytes: u64,
    /// Files put aside and kept.
    pub keep: u32,
    /// One JSON object per line in the file.
    pub json: bool,
}

/// `[journal]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalKeeping {
    /// The file.
    pub path: PathBuf,
    /// Largest size of rows and pictures in MiB.
    pub max_mb: u32,
    /// Whether mismatches keep their pictures.
    pub evidence: bool,
}

/// `[recording]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recording {
    /// Largest size of a folder of recordings, and of one recording, in bytes.
    pub bytes: u64,
    /// Recordings that are older are removed.
    pub age: Duration,
    /// Recording ends when less than this is free on the disk, in bytes.
    pub free: u64,
}

/// How fast moves are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// As soon as the board is certain.
    Fast,
    /// At most this many moves per minute.
    PerMinute(f64),
}

impl Pace {
    /// The least time from one move to the next.
    #[must_use]
    pub fn period(self) -> Duration {
        match self {
            Self::Fast => Duration::ZERO,
            Self::PerMinute(n) => Duration::from_secs_f64(60.0 / n),
        }
    }
}

/// `[play]`
#[derive(Clone, Debug, PartialEq)]
pub struct Play {
    /// Never more actions than this in a second; 0.1 to 1000.
    pub max_actions_per_second: f64,
    /// How often an action without effect is tried again.
    pub retries: u8,
    /// How long the board must be unchanged before it is believed; `None` leaves it to the
    /// profile.
    pub settle: Option<Duration>,
    /// An action whose effect is not seen within this has had none.
    pub confirm_timeout: Duration,
    /// An action not performed within this after its frame is not performed.
    pub action_expiry: Duration,
    /// How fast moves are made.
    pub pace: Pace,
    /// Seed of all random choices; `None`: the caller takes a new one for each run.
    pub seed: Option<u64>,
}

/// `[policy]`; `None` leaves it to the game or the policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Its name as on the command line.
    pub name: Option<String>,
    /// Who makes the move when a program from outside does not.
    pub fallback: Option<String>,
    /// Moves to look ahead.
    pub depth: Option<u32>,
    /// Longest time for one decision.
    pub time: Option<Duration>,
    /// Memory for search in MiB.
    pub memory_mb: Option<u32>,
}

/// `[emergency]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emergency {
    /// Keys that stop everything.
    pub chord: Chord,
    /// Whether the pointer in a corner of the screen stops everything.
    pub corner: bool,
}

/// `[capture]`
#[derive(Clone, Debug, PartialEq)]
pub struct Capture {
    /// Frames per second while nothing is under way; 0.1 to 1000.
    pub fps: f64,
    /// Time between two looks after an action, until its effect is seen.
    pub eager: Duration,
    /// A source that has not answered for this long is frozen; `None` is never.
    pub frozen: Option<Duration>,
}

impl Settings {
    /// Reads all sources.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place and what is allowed.
    pub fn load(sources: &Sources) -> Result<Self, ConfigError> {
        usable(merge(sources)?)
    }

    /// Whether a run goes the same way with the other settings.
    #[must_use]
    pub fn runs_like(&self, other: &Self) -> bool {
        let of = |s: &Self| {
            let (journal, play, policy) = (s.journal.clone(), s.play.clone(), s.policy.clone());
            (
                journal,
                play,
                policy,
                s.emergency.clone(),
                s.capture.clone(),
            )
        };
        of(self) == of(other)
    }

    /// Where the value of a key (`play.retries`) comes from; `Default` for keys not set.
    #[must_use]
    pub fn origin(&self, key: &str) -> Origin {
        self.origins.get(key).copied().unwrap_or(Origin::Default)
    }

    /// The value in force of a key that a profile may set too: the command line and the environment
    /// come before the profile, which comes before the file, which is not about one program.
    #[must_use]
    pub fn unless_profile<T>(&self, key: &str, ours: T, profiles: Option<T>) -> T {
        match profiles {
            Some(value) if self.origin(key) < Origin::Environment => value,
            _ => ours,
        }
    }

    /// The configuration in force as a JSON object, for the journal.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Plain data with text keys cannot fail; the journal would show it.
        serde_json::to_string(&self.written).unwrap_or_else(|e| format!("\"{e}\""))
    }

    /// The keys that some source has set, with their values as text as the command line takes them.
    #[must_use]
    pub fn entries(&self) -> Vec<(String, Origin, String)> {
        let values = serde_json::to_value(&self.written).unwrap_or_default();
        let set = self.origins.iter().filter(|(_, o)| **o != Origin::Default);
        set.filter_map(|(path, origin)| {
            let (section, name) = path.split_once('.')?;
            let text = match &values[section][name] {
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Null => return None,
                other => other.to_string(),
            };
            Some((path.clone(), *origin, text))
        })
        .collect()
    }

    /// The configuration in force as a file: every key with what it does; those not set are
    /// comments.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let values = serde_json::to_value(&self.written).unwrap_or_default();
        let mut out = String::new();
        let mut section = "";
        for key in KEYS {
            let (s, name) = key.path.split_once('.').unwrap_or(("", key.path));
            if s != section {
                let gap = if section.is_empty() { "" } else { "\n" };
                let _ = writeln!(out, "{gap}[{s}]");
                section = s;
            }
            let _ = writeln!(out, "# {} ({})", key.doc, key.kind.allowed());
            let value = match &values[s][name] {
                serde_json::Value::String(v) => toml_edit::Value::from(v.as_str()).to_string(),
                serde_json::Value::Null => String::new(),
                other => other.to_string(),
            };
            let set = self.origin(key.path) != Origin::Default;
            let _ = writeln!(
                out,
                "{}{name} = {}",
                if set { "" } else { "# " },
                value.trim()
            );
        }
        out
    }
}

fn millis(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn usable(merged: Merged) -> Result<Settings, ConfigError> {
    let Merged {
        mut written,
        origins,
        file,
        folders,
    } = merged;
    let w = &mut written;
    // A relative path in a file is relative to that file, so that it means the same everywhere.
    let base = |key: &str| match origins.get(key) {
        Some(Origin::File) => file
            .as_deref()
            .and_then(Path::parent)
            .unwrap_or(Path::new("")),
        _ => Path::new(""),
    };
    let no_folder = |key: &str| {
        Problem::new(
            key,
            "neither XDG_STATE_HOME nor HOME is set to an absolute path, so there is no usual \
             place: set this key",
        )
    };
    let journal = match &w.journal.path {
        Some(path) => folders.resolve(path, base("journal.path")),
        None => folders.journal().ok_or_else(|| no_folder("journal.path"))?,
    };
    w.journal.path = Some(journal.display().to_string());
    let log = match w.log.file.as_deref() {
        Some("none") => None,
        Some(path) => Some(folders.resolve(path, base("log.file"))),
        None => {
            let state = folders
                .state
                .as_ref()
                .ok_or_else(|| no_folder("log.file"))?;
            Some(state.join("log/kibitzer.log"))
        }
    };
    w.log.file = Some(
        log.as_ref()
            .map_or_else(|| "none".into(), |p| p.display().to_string()),
    );
    let chord = w
        .emergency
        .chord
        .parse()
        .map_err(|e: String| Problem::new("emergency.chord", e))?;
    Ok(Settings {
        log: Log {
            level: w.log.level.clone(),
            file: log,
            max_bytes: u64::from(w.log.max_mb) << 20,
            keep: w.log.keep,
            json: w.log.json,
        },
        journal: JournalKeeping {
            path: journal,
            max_mb: w.journal.max_mb,
            evidence: w.journal.evidence,
        },
        recording: Recording {
            bytes: u64::from(w.recording.max_mb) << 20,
            age: Duration::from_secs(u64::from(w.recording.max_days) * 86_400),
            free: u64::from(w.recording.free_mb) << 20,
        },
        play: Play {
            max_actions_per_second: w.play.max_actions_per_second,
            retries: w.play.retries,
            settle: w.play.settle_ms.map(millis),
            confirm_timeout: millis(w.play.confirm_timeout_ms),
            action_expiry: millis(w.play.action_expiry_ms),
            pace: match w.play.pace {
                PaceKey::PerMinute(n) => Pace::PerMinute(n),
                PaceKey::Word(_) => Pace::Fast,
            },
            seed: w.play.seed,
        },
        policy: Policy {
            name: w.policy.name.clone(),
            fallback: w.policy.fallback.clone(),
            depth: w.policy.depth,
            time: w.policy.time_ms.map(millis),
            memory_mb: w.policy.memory_mb,
        },
        emergency: Emergency {
            chord,
            corner: w.emergency.corner,
        },
        capture: Capture {
            fps: w.capture.fps,
            eager: millis(w.capture.eager_ms),
            frozen: (w.capture.frozen_ms > 0).then(|| millis(w.capture.frozen_ms)),
        },
        file,
        folders,
        origins,
        written,
    })
}
