use std::ffi::OsString;
use std::time::Duration;

use super::keys::KEYS;
use super::*;

fn env(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
    let mut all = vec![("HOME".into(), "/home/me".into())];
    all.extend(pairs.iter().map(|(k, v)| (k.into(), v.into())));
    all
}

fn sources(file: Option<&std::path::Path>, vars: &[(&str, &str)], set: &[(&str, &str)]) -> Sources {
    Sources {
        file: file.map(Into::into),
        env: env(vars),
        overrides: set
            .iter()
            .map(|(k, v)| ((*k).into(), (*v).into()))
            .collect(),
    }
}

#[test]
fn every_default_is_allowed_and_every_key_has_a_field() {
    for key in KEYS {
        if let Some(default) = key.default {
            let value: toml_edit::Value = default.parse().expect(key.path);
            key.kind.check(&value).expect(key.path);
        }
    }
    let s = Settings::load(&sources(None, &[], &[])).expect("defaults");
    let json: serde_json::Value = serde_json::from_str(&s.to_json()).expect("json");
    for key in KEYS {
        let (section, name) = key.path.split_once('.').expect("a section");
        assert!(json[section].get(name).is_some(), "{}", key.path);
    }
    assert_eq!(
        s.journal.path.to_str(),
        Some("/home/me/.local/state/kibitzer/journal.db")
    );
}

#[test]
fn later_sources_win() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("c.toml");
    std::fs::write(
        &path,
        "[play]\nretries = 3\nsettle_ms = 40\naction_expiry_ms = 700\npace = 30\n[journal]\npath = \"my.db\"\n",
    )
    .expect("written");
    let s = Settings::load(&sources(
        Some(&path),
        &[
            ("KIBITZER_PLAY__RETRIES", "4"),
            ("KIBITZER_PLAY__SETTLE_MS", "50"),
            ("KIBITZER_LOG", "debug"),
        ],
        &[("play.retries", "5")],
    ))
    .expect("good");
    assert_eq!(s.play.retries, 5);
    assert_eq!(s.play.settle, Some(Duration::from_millis(50)));
    assert_eq!(s.play.action_expiry, Duration::from_millis(700));
    assert_eq!(s.play.confirm_timeout, Duration::from_millis(600));
    assert_eq!(s.play.pace, Pace::PerMinute(30.0));
    assert_eq!(s.log.level, "debug");
    assert_eq!(s.journal.path, folder.path().join("my.db"));
    let origins =
        ["play.retries", "play.settle_ms", "play.pace", "capture.fps"].map(|k| s.origin(k));
    assert_eq!(
        origins,
        [
            Origin::CommandLine,
            Origin::Environment,
            Origin::File,
            Origin::Default
        ]
    );
    // What is printed is what is in force.
    let again = folder.path().join("again.toml");
    std::fs::write(&again, s.to_toml()).expect("written");
    let t = Settings::load(&sources(Some(&again), &[], &[]))
        .unwrap_or_else(|e| panic!("{e}\n{}", s.to_toml()));
    assert_eq!((&t.play, &t.log, &t.journal), (&s.play, &s.log, &s.journal));
}
