//! Every key of the configuration: what it may hold, its default and what it does.

use super::chord::Chord;
use super::key::{Key, Kind, some_text};

const PATH: Kind = Kind::Text(some_text, "a path");

fn log_level(text: &str) -> Result<(), String> {
    tracing_subscriber::EnvFilter::try_new(text)
        .map(|_| ())
        .map_err(|e| e.to_string())
}

fn chord(text: &str) -> Result<(), String> {
    text.parse::<Chord>().map(|_| ())
}

const fn key(path: &'static str, kind: Kind, default: &'static str, doc: &'static str) -> Key {
    Key {
        path,
        kind,
        default: Some(default),
        doc,
    }
}

/// A key whose default is not a fixed value; the text tells what it is.
const fn open(path: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key {
        path,
        kind,
        default: None,
        doc,
    }
}

/// All of them, by section.
pub(super) const KEYS: &[Key] = &[
    key(
        "log.level",
        Kind::Text(
            log_level,
            "error, warn, info, debug or trace, or filters like \"info,kibitzer::act=debug\"",
        ),
        "\"info,enigo=error\"",
        "How much is logged; also --log and KIBITZER_LOG",
    ),
    open(
        "log.file",
        PATH,
        "The log file, or \"none\"; by default kibitzer/log/kibitzer.log in the state folder",
    ),
    key(
        "log.max_mb",
        Kind::Whole(1, 10_000),
        "10",
        "A log file of this size (MiB) is put aside and a new one begun",
    ),
    key(
        "log.keep",
        Kind::Whole(0, 100),
        "5",
        "Log files kept beside the one being written",
    ),
    key(
        "log.json",
        Kind::Bool,
        "false",
        "Whether the log file has one JSON object per line",
    ),
    open(
        "journal.path",
        PATH,
        "The journal; by default kibitzer/journal.db in the state folder",
    ),
    key(
        "journal.max_mb",
        Kind::Whole(1, 1_000_000),
        "200",
        "Largest size of the journal (MiB); the oldest pictures are deleted first",
    ),
    key(
        "journal.evidence",
        Kind::Bool,
        "true",
        "Whether a mismatch keeps its picture",
    ),
    key(
        "recording.max_mb",
        Kind::Whole(1, 10_000_000),
        "2000",
        "Largest size of a folder of recordings, and of one recording (MiB); the oldest are removed first",
    ),
    key(
        "recording.max_days",
        Kind::Whole(1, 36_500),
        "30",
        "Recordings in the folder that are older (days) are removed",
    ),
    key(
        "recording.free_mb",
        Kind::Whole(0, 10_000_000),
        "256",
        "Recording ends when less than this is free on the disk (MiB); the run goes on",
    ),
    key(
        "play.max_actions_per_second",
        Kind::Number(0.1, 1000.0),
        "100",
        "Never more actions than this in a second",
    ),
    key(
        "play.retries",
        Kind::Whole(0, 10),
        "2",
        "How often an action without effect is tried again",
    ),
    open(
        "play.settle_ms",
        Kind::Whole(0, 10_000),
        "How long the board must be unchanged before it is believed (ms); by default the profile's",
    ),
    key(
        "play.confirm_timeout_ms",
        Kind::Whole(50, 60_000),
        "600",
        "An action whose effect is not seen within this (ms) has had none",
    ),
    key(
        "play.action_expiry_ms",
        Kind::Whole(10, 60_000),
        "500",
        "An action not performed within this (ms) after its frame is not performed at all",
    ),
    key(
        "play.pace",
        Kind::NumberOr(0.1, 100_000.0, "fast"),
        "\"fast\"",
        "Moves per minute, or \"fast\"",
    ),
    open(
        "play.seed",
        Kind::Whole(0, i64::MAX),
        "Seed of all random choices; by default another one for each run",
    ),
    open(
        "policy.name",
        Kind::Text(some_text, "the name of a policy"),
        "Who decides: one of `kibitzer solve GAME --list`, or another program as \"jsonl:COMMAND\"; by default the game's strongest that keeps up",
    ),
    open(
        "policy.fallback",
        Kind::Text(some_text, "the name of a policy"),
        "Who makes the move when another program does not; by default the game's usual policy",
    ),
    open(
        "policy.depth",
        Kind::Whole(1, 1000),
        "Moves to look ahead; by default the policy's own",
    ),
    open(
        "policy.time_ms",
        Kind::Whole(1, 3_600_000),
        "Longest time for one decision (ms); by default the policy's own",
    ),
    open(
        "policy.memory_mb",
        Kind::Whole(1, 1_000_000),
        "Memory for search (MiB); by default the policy's own",
    ),
    key(
        "emergency.chord",
        Kind::Text(chord, "keys like \"ctrl+alt+x\""),
        "\"ctrl+alt+x\"",
        "Keys that stop everything when pressed together",
    ),
    key(
        "emergency.corner",
        Kind::Bool,
        "true",
        "Whether the pointer in a corner of the screen stops everything",
    ),
    key(
        "capture.fps",
        Kind::Number(0.1, 1000.0),
        "30",
        "Frames per second while nothing is under way",
    ),
    key(
        "capture.eager_ms",
        Kind::Whole(0, 1000),
        "2",
        "After an action the screen is looked at this often (ms) until the effect is seen",
    ),
    key(
        "capture.frozen_ms",
        Kind::Whole(0, 3_600_000),
        "5000",
        "A source that has not answered for this long (ms) is frozen; 0 is never",
    ),
];
