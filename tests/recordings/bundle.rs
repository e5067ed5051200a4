//! A report: what is in it, what must not be, and that the recording in it can be run again.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use kibitzer::journal::recording::Reader;

use super::{FLOOD, Home};

/// The files of an archive by their names.
fn unpack(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let file = std::fs::File::open(path).expect("there");
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(file));
    let entries = archive.entries().expect("an archive");
    let read = entries.map(|entry| {
        let mut entry = entry.expect("whole");
        assert_eq!(entry.header().uid().expect("a number"), 0, "nobody's");
        let name = entry.path().expect("text").display().to_string();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("whole");
        (name, bytes)
    });
    read.collect()
}

#[test]
fn a_report_explains_a_run_and_names_nobody() {
    let home = Home::new();
    // The profile's name, a window's title, and folders tell who somebody is.
    let text = FLOOD.replace("version = 1", "version = 1 # annabel@example.org");
    let profile = home.profile("of-annabel", &text);
    home.good(&["play", &profile, "--json", "--record", "recordings"]);
    let said = home.good(&["report", "--json"]);
    let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(said["report"], "kibitzer-report-1.tar.gz");
    let path = home.path("kibitzer-report-1.tar.gz");
    let files = unpack(&path);
    for name in [
        "README.txt",
        "doctor.txt",
        "doctor.jsonl",
        "config.toml",
        "journal/run.txt",
        "journal/events.jsonl",
        "log/kibitzer.log",
        "recording.mcap",
    ] {
        let there = files.contains_key(&format!("kibitzer-report-1/{name}"));
        assert!(there, "{name}: {:?}", files.keys());
    }
    let pictures = files.keys().filter(|n| n.contains("/pictures/"));
    assert!(pictures.count() > 0, "lost clicks have pictures");
    let homes = home.path("").display().to_string();
    let homes = homes.trim_end_matches('/');
    let private = |text: &str, name: &str| {
        for word in ["annabel", "example.org", homes] {
            assert!(!text.contains(word), "{name} tells {word}: {text}");
        }
    };
    for (name, bytes) in &files {
        private(name, "a name");
        if let Ok(text) = std::str::from_utf8(bytes) {
            private(text, name);
        }
    }
    // Also what is packed inside the recording.
    let inside = home.path("inside.mcap");
    std::fs::write(&inside, &files["kibitzer-report-1/recording.mcap"]).expect("written");
    let mut reader = Reader::open(&inside).expect("a recording");
    private(&format!("{:?}", reader.header()), "the header");
    for file in reader.beside() {
        private(&file.name, "a name");
        private(&String::from_utf8_lossy(&file.bytes), &file.name);
    }
    for tick in reader.by_ref() {
        private(&format!("{:?}", tick.expect("whole").input), "an input");
    }
    let (status, said) = home.replay(&["kibitzer-report-1.tar.gz"]);
    assert_eq!((status, &said["equal"]), (0, &true.into()), "{said}");
}

#[test]
fn what_is_missing_is_told() {
    let home = Home::new();
    // Nothing has been played: a report about the machine.
    let out = home.good(&["report", "--out", "empty.tar.gz"]);
    assert!(out.contains("empty.tar.gz"), "{out}");
    let files = unpack(&home.path("empty.tar.gz"));
    let words = &files["kibitzer-report-0/README.txt"];
    let words = String::from_utf8_lossy(words);
    assert!(
        words.contains("nothing has been recorded there yet"),
        "{words}"
    );
    let (status, said) = home.replay(&["empty.tar.gz"]);
    assert_eq!(status, 1);
    let error = said["error"].as_str().expect("why");
    assert!(
        error.contains("there is no recording in this report"),
        "{error}"
    );
    // A run without a recording, and one that is too large.
    let profile = home.profile("flood", FLOOD);
    home.good(&["play", &profile, "--json"]);
    home.good(&["report", "--out", "a.tgz"]);
    let words = |name: &str, run: u32| {
        let files = unpack(&home.path(name));
        let text = &files[&format!("kibitzer-report-{run}/README.txt")];
        String::from_utf8_lossy(text).into_owned()
    };
    assert!(words("a.tgz", 1).contains("there is no recording of this run"));
    home.good(&["play", &profile, "--json", "--record", "recordings"]);
    home.good(&["report", "--out", "b.tgz", "--max-mb", "0"]);
    assert!(
        words("b.tgz", 2).contains("is left out"),
        "{}",
        words("b.tgz", 2)
    );
    let (status, _, errors) = home.kibitzer(&["report", "--run", "77"]);
    assert_eq!(status, 1);
    assert!(errors.contains("77"), "{errors}");
    let (status, _, errors) = home.kibitzer(&["report", "--out", "x.zip"]);
    assert_eq!(status, 1);
    assert!(errors.contains("ends in .tar.gz"), "{errors}");
}
