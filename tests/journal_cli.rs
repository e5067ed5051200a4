//! `kibitzer journal` as a person or a script sees it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use kibitzer::journal::{Journal, Limits};
use kibitzer::types::*;

use crate::journal::{acted, decided, mismatch, noise, started};

/// A journal with a finished and an unfinished run.
fn example(folder: &Path) -> PathBuf {
    let path = folder.join("journal.db");
    let mut j = Journal::open(&path, Limits::default()).expect("opened");
    j.starts_at(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    j.record(Time(0), &started()).expect("kept");
    j.record_all(&[(Time(2300), &decided(2, "")), (Time(2400), &acted(2))])
        .expect("kept");
    let seen = Event::Confirmed {
        action: 2,
        frame_seq: 3,
        captured_at: Time(9000),
    };
    j.record(Time(9100), &seen).expect("kept");
    j.record(Time(10_000), &mismatch(10, Some(noise(5, 32))))
        .expect("kept");
    let result = GameResult {
        game: "flood".into(),
        result: Outcome::Won,
        moves: 1,
        seconds: 0.01,
        mismatches: 1,
        why: "one colour".into(),
        extra: serde_json::Map::new(),
    };
    j.record(Time(11_000), &Event::Finished(result))
        .expect("kept");
    let end = Event::RunEnded {
        why: "one game played".into(),
        frames: (12, 3),
    };
    j.record(Time(12_000), &end).expect("kept");
    j.record(Time(0), &started()).expect("kept");
    path
}

fn kibitzer(args: &[&str], db: &Path) -> (bool, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .arg("journal")
        .args(args)
        .arg("--db")
        .arg(db)
        .output()
        .expect("runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (out.status.success(), text(&out.stdout), text(&out.stderr))
}

#[test]
fn the_command_line_lists_shows_and_exports() {
    let folder = tempfile::tempdir().expect("folder");
    let db = example(folder.path());
    let (_, runs, _) = kibitzer(&["runs"], &db);
    assert_eq!(
        runs,
        "\
run  started (UTC)        command  game   policy  won  lost  drawn  aborted  moves  mismatches  seconds  ended
2    2023-11-14 22:13:20  play     flood  greedy  0    0     0      0        0      0           -        unfinished
1    2023-11-14 22:13:20  play     flood  greedy  1    0     0      0        1      1           0.0      one game played
"
    );
    let (_, lines, _) = kibitzer(&["runs", "--json"], &db);
    let rows: Vec<serde_json::Value> = lines
        .lines()
        .map(|l| serde_json::from_str(l).expect("an object per line"))
        .collect();
    assert_eq!(
        (&rows[0]["why"], &rows[1]["won"]),
        (&"unfinished".into(), &1.into())
    );
    let (_, text, _) = kibitzer(&["mismatches", "--cause", "covered"], &db);
    assert_eq!(
        text,
        "\
run  seconds  frame  cause    handling  cells  picture  details
1    0.010    10     covered  pause     1      kept     a window lies over it
"
    );
    let (_, text, _) = kibitzer(&["mismatches", "--cause", "misread"], &db);
    assert_eq!(text, "no such mismatches; the journal has covered (1)\n");
    let (_, text, _) = kibitzer(&["show", "1"], &db);
    assert!(text.contains("frame to action: median 0.40 ms"), "{text}");
    assert!(text.contains("action to seen:  median 6.60 ms"), "{text}");
    assert!(
        text.contains("MISMATCH covered, handled by pause: a window lies over it"),
        "{text}"
    );
    assert!(text.ends_with("end: one game played\n"), "{text}");
    let boards = "\
                expected  seen
                aa        aa
                bb        b?  <
";
    assert!(text.contains(boards), "{text}");
    let out = folder.path().join("out");
    let (ok, text, _) = kibitzer(&["export", "1", "--out", out.to_str().expect("text")], &db);
    assert!(ok);
    assert!(
        text.starts_with("run 1: 5 events and 1 pictures in "),
        "{text}"
    );
    let picture = image::open(out.join("pictures/000004-covered.png")).expect("a picture");
    assert_eq!(Picture::from_rgb(&picture.to_rgb8()), *noise(5, 32));
    for name in ["run.txt", "run.json", "events.jsonl", "config.json"] {
        assert!(out.join(name).exists(), "{name}");
    }
    let (ok, _, error) = kibitzer(&["show", "99"], &db);
    assert!(!ok);
    assert!(error.contains("there is no run 99 in"), "{error}");
    let (ok, _, error) = kibitzer(&["runs"], &folder.path().join("none.db"));
    assert!(!ok);
    assert!(
        error.contains("does not exist: nothing has been recorded there yet"),
        "{error}"
    );
}
