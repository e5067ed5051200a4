//! `kibitzer doctor`: what it finds without a display, on a private one, and with things broken.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::x11_window::Xvfb;

fn doctor(home: &Path, display: Option<&str>, args: &[&str]) -> (i32, Vec<Value>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
    command
        .args(["doctor", "--json"])
        .args(args)
        .current_dir(home)
        .env_clear()
        .env("HOME", home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    if let Some(display) = display {
        command.env("DISPLAY", display);
    }
    let out = command.output().expect("the program starts");
    let text = String::from_utf8(out.stdout).expect("text");
    let lines: Vec<Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).expect("an object"))
        .collect();
    for line in &lines {
        let good = line["level"] == "ok";
        let fix = line["fix"].as_str().unwrap_or_default();
        assert_eq!(good, fix.is_empty(), "what is wrong has its fix: {line}");
    }
    (out.status.code().expect("not killed"), lines)
}

fn level(lines: &[Value], topic: &str, name: &str) -> String {
    let found = lines
        .iter()
        .find(|l| l["topic"] == topic && l["name"] == name);
    let found = found.unwrap_or_else(|| panic!("{topic}: {name}: {lines:#?}"));
    found["level"].as_str().expect("text").to_owned()
}

#[test]
fn without_a_display_it_fails_unless_none_is_needed() {
    let home = tempfile::tempdir().expect("a folder");
    let (status, lines) = doctor(home.path(), None, &[]);
    assert_eq!(status, 1);
    assert_eq!(level(&lines, "display", "X display"), "fail");
    for (topic, name) in [
        ("versions", "kibitzer"),
        ("versions", "OpenCV"),
        ("config", "configuration"),
        ("config", "profiles"),
        ("store", "folder"),
        ("store", "journal"),
    ] {
        assert_eq!(level(&lines, topic, name), "ok", "{topic} {name}");
    }
    for (topic, name) in [
        ("clock", "timer"),
        ("clock", "wall clock"),
        ("store", "disk space"),
    ] {
        let _ = level(&lines, topic, name);
    }
    let (status, lines) = doctor(home.path(), None, &["webcam-gomoku"]);
    assert_eq!(level(&lines, "display", "X display"), "warn");
    assert_eq!(level(&lines, "config", "profile webcam-gomoku"), "ok");
    assert_eq!(status, 0, "{lines:#?}");
}

#[test]
fn what_is_broken_is_found() {
    let home = tempfile::tempdir().expect("a folder");
    let path = |name: &str| home.path().join(name);
    std::fs::write(path("bad.toml"), "version = 1\n[gmae]\nname = \"flood\"\n").expect("written");
    std::fs::write(path("config.toml"), "[play]\nretries = 99\n").expect("written");
    let args = ["./bad.toml", "--config", "config.toml"];
    let (status, lines) = doctor(home.path(), None, &args);
    assert_eq!(status, 1);
    assert_eq!(level(&lines, "config", "configuration"), "fail");
    assert_eq!(level(&lines, "config", "profile ./bad.toml"), "fail");
    let relays = "version = 1\n[game]\nname = \"tetris\"\n[source]\nscreen = \"all\"\n\
                  [hands]\nkind = \"adr2200\"\nport = \"/dev/no-such-port\"\n\
                  [hands.relays]\nLeft = 0\nRight = 1\nUp = 2\nspace = 3\n";
    std::fs::write(path("relays.toml"), relays).expect("written");
    let (_, lines) = doctor(home.path(), None, &["./relays.toml"]);
    if level(&lines, "config", "profile ./relays.toml") == "ok" {
        assert_eq!(level(&lines, "serial", "the profile's port"), "fail");
    } else {
        panic!("{lines:#?}");
    }
    std::fs::write(path("journal.db"), "this is no journal of anybody's").expect("written");
    let (status, lines) = doctor(home.path(), None, &["--journal", "journal.db"]);
    assert_eq!(status, 1);
    assert_eq!(level(&lines, "store", "journal"), "fail");
}

/// A click and a key into a window of its own, seen.
#[test]
fn on_a_display_all_is_well_and_a_click_is_seen() {
    let Some(server) = Xvfb::start("1024x768x24") else {
        return;
    };
    let _manager = server.openbox();
    let home = tempfile::tempdir().expect("a folder");
    let (status, lines) = doctor(home.path(), Some(&server.display), &["--test-click"]);
    for (topic, name) in [
        ("display", "X display"),
        ("display", "extensions"),
        ("display", "window manager"),
        ("hands", "mouse and keyboard"),
        ("hands", "test click"),
        ("hands", "test key"),
    ] {
        assert_eq!(
            level(&lines, topic, name),
            "ok",
            "{topic} {name}: {lines:#?}"
        );
    }
    assert_eq!(status, 0, "{lines:#?}");
}

/// A server that takes no synthetic input.
#[test]
fn without_xtest_the_hands_fail() {
    let Some(server) = Xvfb::start_without("800x600x24", "XTEST") else {
        return;
    };
    let home = tempfile::tempdir().expect("a folder");
    let (status, lines) = doctor(home.path(), Some(&server.display), &["--test-click"]);
    assert_eq!(status, 1);
    assert_eq!(level(&lines, "display", "extension XTEST"), "fail");
    assert_eq!(level(&lines, "hands", "mouse and keyboard"), "fail");
}
