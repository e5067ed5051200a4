//! Runs that are recorded and run again, through the program itself: every game gives the same
//! decisions, actions, mismatches and results; what is changed is found.

use std::path::{Path, PathBuf};
use std::process::Command;

use kibitzer::journal::recording::{Reader, Topic};
use serde_json::Value;

mod bundle;
mod parsing;

/// A folder of its own for each test, and the program in it.
pub struct Home(tempfile::TempDir);

impl Home {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn kibitzer(&self, args: &[&str]) -> (i32, String, String) {
        let out = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
            .args(args)
            .current_dir(self.0.path())
            .env_clear()
            .env("HOME", self.0.path())
            .env("USER", "annabel")
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .output()
            .expect("the program starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let status = out.status.code().expect("not killed");
        (status, text(&out.stdout), text(&out.stderr))
    }

    /// Runs something that must go well.
    pub fn good(&self, args: &[&str]) -> String {
        let (status, out, errors) = self.kibitzer(args);
        assert_eq!(status, 0, "{args:?}: {out}{errors}");
        out
    }

    /// What a replay says.
    pub fn replay(&self, args: &[&str]) -> (i32, Value) {
        let args = [&["replay", "--json"], args].concat();
        let (status, out, errors) = self.kibitzer(&args);
        let line = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{args:?}: {out}{errors}"));
        (status, line)
    }

    /// The decisions, actions and so on of the journal's only run, in order.
    fn journal(&self) -> Vec<String> {
        let text = self.good(&["journal", "show", "latest", "--json"]);
        text.lines().map(str::to_owned).collect()
    }

    fn profile(&self, name: &str, text: &str) -> String {
        let path = self.path(&format!("{name}.toml"));
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    }
}

const FLOOD: &str = r#"version = 1
[game]
name = "flood"
new_game = "n"
[source.simulated]
fast = true
[source.simulated.target]
size = "8x8"
cell = 24
seed = 3
[source.simulated.hands]
lost = 0.2
doubled = 0.1
seed = 4
"#;

const CONNECT4: &str = r#"version = 1
[game]
name = "connect4"
new_game = "n"
[source.simulated]
fast = true
[source.simulated.target]
policy = "minimax:depth=2"
[source.simulated.hands]
lost = 0.1
seed = 2
"#;

const GOMOKU: &str = r#"version = 1
[game]
name = "gomoku"
new_game = "n"
[source.simulated]
fast = true
[source.simulated.target]
size = "9x9"
style = "dark"
mark = "none"
policy = "evaluator"
level = 2
[source.simulated.hands]
lost = 0.1
seed = 2
"#;

/// Records a run in virtual time and runs it again: equal, with this many decisions at least.
fn again(home: &Home, record: &[&str], decisions: usize) {
    let args = [record, &["--record", "run.mcap"]].concat();
    let (_, out, errors) = home.kibitzer(&args);
    let events = home.journal();
    let count = |kind: &str| {
        let kind = format!("\"event\":\"{kind}\"");
        events.iter().filter(|l| l.contains(&kind)).count()
    };
    assert!(count("decided") >= decisions, "{out}{errors}");
    let (status, said) = home.replay(&["run.mcap"]);
    assert_eq!(status, 0, "{said}");
    assert_eq!(said["equal"], true, "{said}");
    assert_eq!(said["missing"], 0, "{said}");
    assert_eq!(said["ended_early"], false, "{said}");
    assert_eq!(said["mismatches"], count("mismatch"), "{said}");
    // What was recorded, and so what the replay gave, is what the journal has.
    let reader = Reader::open(&home.path("run.mcap")).expect("a recording");
    let recorded = reader.flat_map(|tick| tick.expect("whole").outcomes);
    let recorded = recorded.filter_map(|(topic, value)| match topic {
        Topic::Decision => Some(told("decided", &value)),
        Topic::Action => Some(told("acted", &value)),
        Topic::Mismatch => Some(told("mismatch", &value)),
        Topic::Result => Some(told("finished", &value)),
        _ => None,
    });
    let kept = events.iter().filter_map(|line| {
        let value: Value = serde_json::from_str(line).expect("an object");
        let kind = value["event"].as_str().expect("its kind").to_owned();
        ["decided", "acted", "mismatch", "finished"]
            .contains(&kind.as_str())
            .then(|| told(&kind, &value))
    });
    assert_eq!(recorded.collect::<Vec<_>>(), kept.collect::<Vec<_>>());
    let all = [
        "calibrated",
        "decided",
        "acted",
        "confirmed",
        "observed",
        "mismatch",
        "finished",
    ];
    let kept: usize = all.map(count).iter().sum();
    assert_eq!(said["events"], kept, "{events:?}");
}

/// What matters of an event, as text.
fn told(kind: &str, event: &Value) -> String {
    let fields = match kind {
        "decided" => &["frame_seq", "board", "action", "nodes", "note"][..],
        "acted" => &["frame_seq", "strokes", "retry"],
        "mismatch" => &["frame_seq", "expected", "seen", "cause", "handling", "text"],
        _ => &["game", "result", "moves", "mismatches", "why"],
    };
    let values: Vec<String> = fields.iter().map(|f| event[*f].to_string()).collect();
    format!("{kind} {}", values.join(" "))
}

#[test]
fn flood_is_played_again() {
    let home = Home::new();
    let profile = home.profile("flood", FLOOD);
    again(&home, &["play", &profile, "--games", "2", "--json"], 8);
}

/// The rig of a profile: relays across the keys, a webcam, presses that are lost, and the next piece
/// where the target shows it.
#[test]
fn the_rig_of_a_profile_is_played_again() {
    const TETRIS: &str = r#"version = 1
[game]
name = "tetris"
new_game = "Return"
[source.simulated]
fast = true
[source.simulated.target]
level = 4
seed = 5
[source.simulated.camera]
seed = 2
[source.simulated.hands]
lost = 0.05
doubled = 0.02
seed = 3
"#;
    let home = Home::new();
    let profile = home.profile("tetris", TETRIS);
    let run = ["play", &profile, "--pieces", "8", "--json"];
    again(&home, &run, 8);
    let won = home.good(&run);
    let won: Value = serde_json::from_str(won.trim()).expect("one game");
    assert_eq!(won["result"], "won", "{won}");
    assert_eq!(won["pieces"], 8, "{won}");
}

#[test]
fn connect4_is_played_again() {
    let home = Home::new();
    let profile = home.profile("connect4", CONNECT4);
    let policy = ["--policy", "minimax:depth=5"];
    again(
        &home,
        &[&["play", &profile, "--json"], &policy[..]].concat(),
        4,
    );
}

/// The usual policy, which thinks until its time is over: with a witness it does so again.
#[test]
fn five_in_a_row_with_a_limit_of_time_is_played_again() {
    let home = Home::new();
    let profile = home.profile("gomoku", GOMOKU);
    let time = ["--set", "policy.time_ms=15"];
    again(
        &home,
        &[&["play", &profile, "--json"], &time[..]].concat(),
        4,
    );
}

#[test]
fn tetris_is_played_again() {
    let home = Home::new();
    let demo = [
        "demo", "--fast", "--pieces", "12", "--level", "8", "--knocks", "6", "--json",
    ];
    again(&home, &demo, 12);
}

#[test]
fn the_demo_of_flood_is_played_again() {
    let home = Home::new();
    let demo = [
        "demo", "flood", "--fast", "--size", "6x6", "--lost", "0.2", "--json",
    ];
    again(&home, &demo, 3);
}

/// A program from outside is not asked again: what it answered is taken, and that is said.
#[test]
fn a_program_from_outside_is_not_needed_again() {
    let home = Home::new();
    let profile = home.profile("flood", FLOOD);
    // It never answers with a move, so the fallback does; its answers are kept all the same.
    let program = home.path("bot");
    std::fs::write(&program, "#!/bin/sh\nexec cat\n").expect("written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, mode).expect("set");
    let policy = format!("jsonl:{}", program.display());
    home.good(&[
        "play", &profile, "--policy", &policy, "--json", "--record", "run.mcap",
    ]);
    std::fs::remove_file(&program).expect("removed");
    let (status, said) = home.replay(&["run.mcap"]);
    assert_eq!(status, 0, "{said}");
    assert_eq!(
        (&said["equal"], &said["retold"]),
        (&true.into(), &true.into())
    );
}

/// The recordings of a folder.
pub fn recordings(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder was made");
    entries.map(|e| e.expect("readable").path()).collect()
}

#[test]
fn what_goes_another_way_is_found_with_both_sides() {
    let home = Home::new();
    let profile = home.profile("flood", FLOOD);
    home.good(&[
        "play",
        &profile,
        "--games",
        "2",
        "--json",
        "--record",
        "recordings",
    ]);
    let files = recordings(&home.path("recordings"));
    let [file] = files.as_slice() else {
        panic!("{files:?}");
    };
    let name = file.file_name().and_then(|n| n.to_str()).expect("text");
    assert!(
        name.starts_with("kibitzer-") && name.ends_with("-flood.mcap"),
        "{name}"
    );
    // The whole folder, as a regression test.
    let (status, out, _) = home.kibitzer(&["replay", "recordings"]);
    assert_eq!(status, 0, "{out}");
    assert!(out.contains(": equal: play of flood by optimal"), "{out}");
    // The second game is asked for by another key.
    let other = home.profile(
        "other",
        &FLOOD.replace("new_game = \"n\"", "new_game = \"m\""),
    );
    let (status, out, errors) = home.kibitzer(&["replay", "recordings", "--profile", &other]);
    assert_eq!(status, 1, "{out}{errors}");
    for wanted in [
        "DIFFERENT",
        "first at",
        "recorded: /action",
        "key n",
        "replayed: /action",
        "key m",
    ] {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
    // A run without a profile has none to change.
    home.good(&[
        "demo",
        "flood",
        "--fast",
        "--size",
        "6x6",
        "--json",
        "--record",
        "demo.mcap",
    ]);
    let (status, said) = home.replay(&["demo.mcap", "--profile", &other]);
    assert_eq!(status, 1);
    assert!(
        said["error"]
            .as_str()
            .expect("why")
            .contains("without a profile"),
        "{said}"
    );
}

#[test]
fn a_mismatch_is_jumped_to() {
    let home = Home::new();
    let profile = home.profile("flood", FLOOD);
    home.good(&[
        "play", &profile, "--games", "2", "--json", "--record", "run.mcap",
    ]);
    let (_, said) = home.replay(&["run.mcap"]);
    let mismatches = said["mismatches"].as_u64().expect("a number");
    assert!(mismatches >= 2, "one click in five is lost: {said}");
    let out = home.good(&["replay", "run.mcap", "--from-mismatch", "2"]);
    let first = out.lines().next().expect("a line");
    assert!(first.contains("mismatch 2: "), "{out}");
    assert!(!out.contains("mismatch 1: "), "{out}");
    assert!(out.contains("believed"), "the boards are shown: {out}");
    let out = home.good(&["replay", "run.mcap", "--from-mismatch", "999"]);
    assert!(
        out.contains(&format!("there are {mismatches} mismatches")),
        "{out}"
    );
}

#[test]
fn a_run_that_is_cut_off_is_replayed_to_its_end() {
    let home = Home::new();
    let profile = home.profile("flood", FLOOD);
    home.good(&["play", &profile, "--json", "--record", "run.mcap"]);
    let bytes = std::fs::read(home.path("run.mcap")).expect("there");
    // Only the end of the file is missing, so all ticks are there.
    std::fs::write(home.path("cut.mcap"), &bytes[..bytes.len() - 9]).expect("written");
    let (status, said) = home.replay(&["cut.mcap"]);
    assert_eq!((status, &said["equal"]), (0, &true.into()), "{said}");
    std::fs::write(home.path("cut.mcap"), &bytes[..100]).expect("written");
    let (status, said) = home.replay(&["cut.mcap"]);
    assert_eq!(status, 1);
    assert!(
        said["error"]
            .as_str()
            .expect("why")
            .contains("no recording"),
        "{said}"
    );
}

#[test]
fn wrong_usage_is_told_apart() {
    let home = Home::new();
    let (status, _, errors) = home.kibitzer(&["replay"]);
    assert_eq!(status, 2, "{errors}");
    let (status, _, errors) = home.kibitzer(&["replay", "none.mcap"]);
    assert_eq!(status, 1);
    assert!(errors.contains("none.mcap"), "{errors}");
    std::fs::create_dir(home.path("empty")).expect("made");
    let (status, _, errors) = home.kibitzer(&["replay", "empty"]);
    assert_eq!(status, 1);
    assert!(errors.contains("there are no recordings"), "{errors}");
}

/// A recording of an earlier version: what it decides must not change without anybody noticing.
/// Make it anew (and say why in the commit) with `tests/recordings/make`.
#[test]
fn the_recordings_kept_here_still_give_the_same() {
    let home = Home::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings/kept");
    let (status, out, errors) = home.kibitzer(&["replay", &folder.display().to_string()]);
    assert_eq!(status, 0, "{out}{errors}");
    assert!(out.lines().count() >= 2, "{out}");
}
