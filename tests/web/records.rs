//! What is left of a run, and this machine: recordings, reports, the doctor, settings, the log; over
//! the socket and in the browser.

use std::io::Read as _;
use std::process::Command;

use serde_json::json;

use super::browser::Browser;
use super::client::{Daemon, NOWHERE};

/// The built-in Flood-It, whose mouse loses and doubles clicks.
const LOSSY: &str = "version = 1
[game]
name = \"flood\"
new_game = \"n\"
[source.simulated]
fast = true
[source.simulated.target]
size = \"8x8\"
cell = 24
seed = 3
[source.simulated.hands]
lost = 0.2
doubled = 0.1
seed = 4
";

/// A daemon in whose journal is a run with mismatches, that was recorded.
fn with_a_run() -> Daemon {
    let daemon = Daemon::start("127.0.0.1:0", &[("lossy", LOSSY)], 0);
    let home = daemon.home.path();
    let made = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(["play", "lossy", "--games", "1", "--record", "recordings"])
        .current_dir(home)
        .env("HOME", home)
        .env("XDG_DATA_HOME", home.join("data"))
        .env("XDG_STATE_HOME", home.join("state"))
        .env("XDG_CONFIG_HOME", home.join("config"))
        .env_remove("DISPLAY")
        .output()
        .expect("the program starts");
    assert!(made.status.success(), "{made:?}");
    daemon
}

#[test]
fn a_recorded_run_is_listed_run_again_and_exported() {
    let daemon = with_a_run();
    let list = daemon.get("/api/recordings").json();
    let id = list[0]["id"].as_str().expect("one recording");
    assert_eq!(list[0]["run"]["game"], "flood", "{list:#}");
    let again = |id: &str, body: &str| daemon.post(&format!("/api/recordings/{id}/replay"), body);
    let told = again(id, "{\"from_mismatch\":1}").json();
    assert_eq!(told["equal"], true, "{told:#}");
    let mismatches = daemon
        .get("/api/journal/mismatches?run=1&limit=2000")
        .json();
    let count = mismatches.as_array().map(Vec::len);
    assert_eq!(told["mismatches"].as_u64().map(|n| n as usize), count);
    let lines = told["lines"].as_array().expect("lines");
    let first = lines[0].as_str().expect("text");
    assert!(first.contains("mismatch 1"), "{first}");
    assert!(
        lines
            .iter()
            .any(|l| l.as_str().is_some_and(|l| l.contains("believed")))
    );
    let later = again(id, "{\"from_mismatch\":2}").json();
    assert!(later["lines"].as_array().expect("lines").len() < lines.len());
    for none in ["none", "..%2f..%2fetc%2fpasswd", "recordings%2fx"] {
        assert_eq!(again(none, "{}").status, 404, "{none}");
    }

    let report = daemon.get("/api/journal/runs/1/report.tar.gz");
    assert_eq!(report.status, 200, "{}", report.text());
    let mut names = Vec::new();
    let mut story = String::new();
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&report.body[..]));
    for entry in archive.entries().expect("a tar") {
        let mut entry = entry.expect("an entry");
        let name = entry.path().expect("a name").display().to_string();
        if name.ends_with("journal/run.txt") {
            entry.read_to_string(&mut story).expect("text");
        }
        names.push(name);
    }
    for part in [
        "doctor.txt",
        "profile.toml",
        "recording.mcap",
        "journal/events.jsonl",
    ] {
        assert!(names.iter().any(|n| n.ends_with(part)), "{part}: {names:?}");
    }
    assert!(story.contains("run 1,"), "{story}");
    assert_eq!(daemon.get("/api/journal/runs/77/report.tar.gz").status, 404);
}

#[test]
fn settings_are_checked_before_they_are_kept() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let file = daemon.home.path().join("config/kibitzer/config.toml");
    let key = |path: &str| {
        let all = daemon.get("/api/settings").json();
        let keys = all["keys"].as_array().expect("keys").clone();
        keys.into_iter().find(|k| k["path"] == path).expect("there")
    };
    let put = |changes: serde_json::Value| {
        let body = json!({"changes": changes}).to_string();
        daemon.with("PUT", "/api/settings", &[], &body)
    };
    assert_eq!(key("play.retries")["origin"], "default");
    assert_eq!(key("log.level")["restart"], true);
    assert_eq!(key("play.retries")["restart"], false);
    for (wrong, told) in [
        (json!({"play.retries": "many"}), "a whole number"),
        (json!({"play.retrys": "1"}), "did you mean play.retries"),
        (json!({"journal.path": "/tmp/x"}), "names a file"),
        (json!({"log.file": "/tmp/x"}), "names a file"),
        (
            json!({"policy.name": "jsonl:touch /tmp/x"}),
            "another program",
        ),
        (
            json!({"policy.fallback": "jsonl:touch /tmp/x"}),
            "another program",
        ),
        (
            json!({"play.retries": "1", "emergency.chord": "x y z"}),
            "emergency.chord",
        ),
    ] {
        let answer = put(wrong.clone());
        assert_eq!(answer.status, 422, "{wrong}: {}", answer.text());
        assert!(answer.text().contains(told), "{wrong}: {}", answer.text());
    }
    assert!(!file.exists(), "nothing of it was written");
    let kept = put(json!({"play.retries": "3", "policy.name": null}));
    assert_eq!(kept.status, 200, "{}", kept.text());
    let now = key("play.retries");
    assert_eq!(
        (&now["value"], &now["origin"]),
        (&"3".into(), &"file".into())
    );
    let text = std::fs::read_to_string(&file).expect("written");
    assert_eq!(text, "[play]\nretries = 3\n");
    assert_eq!(put(json!({"play.retries": null})).status, 200);
    assert_eq!(key("play.retries")["origin"], "default");
}

#[test]
fn this_machine_and_its_log_are_shown() {
    let daemon = Daemon::start("127.0.0.1:0", &[("nowhere", NOWHERE)], 0);
    let findings = daemon.get("/api/doctor").json();
    let of = |topic: &str| {
        let all = findings.as_array().expect("findings");
        all.iter()
            .find(|f| f["topic"] == topic)
            .cloned()
            .unwrap_or_default()
    };
    assert_eq!(of("versions")["level"], "ok", "{findings:#}");
    assert!(
        of("display")["fix"].is_string(),
        "there is no screen here: {findings:#}"
    );
    let devices = daemon.get("/api/devices").json();
    assert!(
        devices["screens"].as_array().is_some_and(Vec::is_empty),
        "{devices:#}"
    );
    assert_eq!(
        daemon
            .post("/api/sessions", "{\"profile\":\"nowhere\"}")
            .status,
        201
    );
    let text = |all: &[u8]| String::from_utf8_lossy(all).into_owned();
    let failed = |all: &[u8]| text(all).contains("a run has failed");
    let warnings = daemon.stream("/api/logs/events?level=warn", failed);
    assert!(
        !text(&warnings).contains("\"level\":\"info\""),
        "{}",
        text(&warnings)
    );
    assert_eq!(daemon.get("/api/logs/events?level=loud").status, 400);
}

#[test]
fn a_mismatch_is_looked_into_in_the_browser() {
    let daemon = with_a_run();
    let own = format!("http://{}/", daemon.address);
    let browser = Browser::open(1280, 900, "en");
    browser.go(&own);
    browser.until(
        "it is ready",
        "return document.querySelector('#profile option')",
    );
    browser.click("#show-mismatches");
    browser.until(
        "mismatches",
        "return document.querySelectorAll('#rows article').length > 1",
    );
    browser.until(
        "the picture",
        "return document.querySelector('#rows img').naturalWidth",
    );
    let boards = "return document.querySelectorAll('#rows article:first-child .board').length";
    assert_eq!(browser.eval(boards), 2, "expected and seen");
    // The newest comes first: it is the last one of its run.
    browser.click("#rows article button");
    browser.until(
        "it runs again",
        "return /same again/.test(document.querySelector('.replayed').textContent)",
    );
    let count = browser.eval("return document.querySelectorAll('#rows article').length");
    let told = browser.text(".replayed pre");
    assert!(
        told.starts_with(' ') || told.contains(&format!("mismatch {count}")),
        "{told}"
    );
    let exported = "return fetch(document.querySelector('#rows a').href).then(r => r.status)";
    assert_eq!(browser.eval(exported), 200);
    let runs =
        "return [...document.querySelectorAll('#run option')].map(o => o.textContent).join()";
    assert!(
        browser
            .eval(runs)
            .as_str()
            .is_some_and(|r| r.contains("1. lossy"))
    );
    browser.is_content(&own);
}

#[test]
fn settings_and_the_log_are_at_hand_in_the_browser() {
    let daemon = Daemon::start("127.0.0.1:0", &[("nowhere", NOWHERE)], 1);
    let own = format!("http://{}/", daemon.address);
    let browser = Browser::open(1280, 900, "de");
    browser.go(&own);
    browser.until(
        "it is ready",
        "return document.querySelector('#profile option')",
    );
    browser.click("#show-machine");
    browser.until("findings", "return document.querySelector('.finding.ok')");
    browser.until("the log", "return document.querySelector('#lines .warn')");
    let field = "document.getElementById('key-play.retries')";
    browser.until("settings", &format!("return !!{field}"));
    let fill = |text: &str| {
        browser.eval(&format!("{field}.focus(); {field}.select()"));
        browser.keys(&text.chars().chain(['\u{e007}']).collect::<Vec<_>>());
    };
    fill("viele");
    browser.until(
        "what is wrong",
        "return /play.retries/.test(document.getElementById('settings-words').textContent)",
    );
    fill("3");
    browser.until(
        "kept",
        "return /Gespeichert/.test(document.getElementById('settings-words').textContent)",
    );
    let file = daemon.home.path().join("config/kibitzer/config.toml");
    assert_eq!(
        std::fs::read_to_string(file).expect("written"),
        "[play]\nretries = 3\n"
    );
    // The browser itself says that an answer was a refusal.
    let complaints = browser.complaints();
    assert!(
        complaints.iter().all(|c| c.contains("422")),
        "{complaints:?}"
    );
}
