use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use mcap::sans_io::LinearReaderOptions;
use serde_json::json;

use super::{Place, *};
use crate::types::{BoardText, Picture, Placement, Point, Rect, Testimony, Time};

fn header() -> Header {
    Header {
        format: FORMAT,
        version: "0.0.0".into(),
        started_ms: 1_700_000_000_000,
        retold: false,
        run: json!({"game": "flood"}),
        recipe: json!({"anything": [1.25, null]}),
    }
}

/// A picture that no compression shortens much.
fn noise(seed: u32) -> Arc<Picture> {
    let mut picture = Picture::filled(37, 23, [0; 3]);
    let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
    for pixel in picture.pixels_mut() {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        *pixel = state & 0x00ff_ffff;
    }
    Arc::new(picture)
}

fn frame(n: u64, picture: &Arc<Picture>) -> Tick {
    Tick {
        tick: n,
        now: Time::from_millis(n * 33),
        what: InputWhat::Frame(FrameFacts {
            seq: n,
            captured_at: n * 33_000 - 7,
            source: "test".into(),
            changed: true,
            picture: None,
            placement: Some(Placement {
                on_screen: Rect {
                    x: -3,
                    y: 4,
                    width: 37,
                    height: 23,
                },
                visible: Rect::default(),
                window: Some(7),
                obscured: n.is_multiple_of(2),
                pointer: Some(Point::new(0.1 + n as f64, 1.0 / 3.0)),
            }),
            windows: None,
        }),
        picture: Some(Arc::clone(picture)),
        testimony: Testimony {
            clock: vec![n, n + 1],
            spent: vec![None, Some(64)],
            shares: vec![1.0 / 3.0],
            answers: vec![json!({"colour": 2})],
        },
        effects: vec![
            EffectLine::Eager(true),
            EffectLine::End {
                why: "test".into(),
                complete: false,
            },
        ],
        seen: Some((BoardText("ab/cd".into()), 1, 0.5)),
        believed: Some(None),
    }
}

fn quiet(n: u64) -> Tick {
    Tick {
        what: InputWhat::Quiet,
        picture: None,
        testimony: Testimony::default(),
        effects: Vec::new(),
        seen: None,
        believed: None,
        ..frame(n, &noise(0))
    }
}

fn write(path: &Path, ticks: Vec<Tick>) {
    let beside = [Beside {
        name: "profile/p.toml".into(),
        bytes: b"version = 1".to_vec(),
    }];
    let place = Place::File(path.to_owned());
    let recording =
        Recording::start(&place, &header(), "flood", &beside, Caps::default()).expect("a file");
    for tick in ticks {
        recording.recorder().tick(tick);
    }
    recording.recorder().log(Time::ZERO, 2, "a \"line\"");
    recording.finish();
}

fn read(path: &Path) -> Result<(Vec<RecordedTick>, bool), RecordingError> {
    let mut reader = Reader::open(path)?;
    let ticks = reader.by_ref().collect::<Result<Vec<_>, _>>()?;
    Ok((ticks, reader.is_complete()))
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mcap");
    let (one, two) = (noise(1), noise(2));
    let same = Arc::new(Picture::clone(&two));
    write(
        &path,
        vec![frame(1, &one), quiet(2), frame(3, &two), frame(4, &same)],
    );
    let reader = Reader::open(&path).expect("a recording");
    assert_eq!(reader.header(), &header());
    assert_eq!(reader.beside()[0].bytes, b"version = 1");
    let (ticks, complete) = read(&path).expect("whole");
    assert!(complete);
    assert_eq!(ticks.len(), 4);
    for (tick, picture) in [(&ticks[0], &one), (&ticks[2], &two), (&ticks[3], &two)] {
        let n = tick.input.tick;
        assert_eq!(tick.picture.as_ref(), Some(picture), "exact pixels");
        assert_eq!(tick.input.testimony, frame(n, picture).testimony);
        let InputWhat::Frame(facts) = &tick.input.what else {
            panic!("a frame");
        };
        let InputWhat::Frame(given) = frame(n, picture).what else {
            panic!("a frame");
        };
        assert_eq!(facts.placement, given.placement, "exact numbers");
        assert_eq!(
            facts.picture,
            Some(n.min(2)),
            "only changed pixels are kept"
        );
        let words: Vec<String> = tick.outcomes.iter().map(|(_, v)| v.to_string()).collect();
        assert_eq!(
            words,
            [
                r#"{"eager":true}"#,
                r#"{"end":{"complete":false,"why":"test"}}"#
            ]
        );
        assert_eq!(tick.reading.as_ref().expect("seen")["board"], "ab/cd");
        assert!(tick.belief.as_ref().expect("told")["board"].is_null());
    }
    assert_eq!(ticks[1].input.what, InputWhat::Quiet);
    assert!(ticks[1].outcomes.is_empty() && ticks[1].picture.is_none());
}

#[test]
fn foxglove_finds_topics_schemas_and_times() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mcap");
    write(&path, vec![frame(1, &noise(1)), quiet(2)]);
    let bytes = std::fs::read(&path).expect("there");
    // The library's own reader, with every check: what other programs use.
    let options = LinearReaderOptions::default()
        .with_prevalidate_chunk_crcs(true)
        .with_validate_data_section_crc(true)
        .with_validate_summary_section_crc(true);
    let all = mcap::io::MessageReader::new_with_options(bytes.as_slice(), options);
    let messages = all.collect::<Result<Vec<_>, _>>().expect("valid");
    let summary = mcap::Summary::read(&bytes).expect("valid").expect("there");
    assert_eq!(summary.channels.len(), Topic::ALL.len());
    for channel in summary.channels.values() {
        let schema = channel.schema.as_ref().expect("one");
        assert_eq!(
            (channel.message_encoding.as_str(), schema.encoding.as_str()),
            ("json", "jsonschema")
        );
        let text: serde_json::Value = serde_json::from_slice(&schema.data).expect("JSON");
        assert_eq!(text["title"], schema.name.as_str());
        assert_eq!(text["type"], "object");
    }
    let image = messages.iter().find(|m| m.channel.topic == "/frame");
    let image = image.expect("a frame");
    assert_eq!(image.log_time, 1_700_000_000_033_000_000);
    let value: serde_json::Value = serde_json::from_slice(&image.data).expect("JSON");
    assert_eq!(value["format"], "png");
    assert_eq!(value["timestamp"]["nsec"], 32_993_000);
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_read_to_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mcap");
    let place = Place::File(path.clone());
    let recording =
        Recording::start(&place, &header(), "flood", &[], Caps::default()).expect("a file");
    // Several chunks: one for each second.
    for part in 0..2 {
        for n in 1..=20 {
            let n = part * 20 + n;
            recording.recorder().tick(frame(n, &noise(n as u32)));
        }
        std::thread::sleep(Duration::from_millis(1100));
    }
    recording.finish();
    let (whole, complete) = read(&path).expect("whole");
    assert!(complete);
    assert_eq!(whole.len(), 40);
    let bytes = std::fs::read(&path).expect("there");
    let cut = folder.path().join("cut.mcap");
    let mut most = 0;
    for i in 0..200 {
        let end = bytes.len() * i / 200;
        std::fs::write(&cut, &bytes[..end]).expect("written");
        match read(&cut) {
            Ok((ticks, _)) => {
                assert!(ticks.len() >= most || end < bytes.len(), "never less");
                most = most.max(ticks.len());
                for (tick, wanted) in ticks.iter().zip(&whole) {
                    assert_eq!(tick.input, wanted.input);
                    assert_eq!(tick.picture, wanted.picture);
                    assert_eq!(tick.outcomes, wanted.outcomes);
                }
            }
            Err(RecordingError::NotOurs { .. }) => {
                assert_eq!(most, 0, "{end}: once it begins, it is read");
            }
            Err(error) => panic!("cut at {end}: {error}"),
        }
    }
    assert!(most >= 20, "all but what was cut: {most}");
}

#[test]
fn damage_is_told_with_its_place_and_other_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mcap");
    write(&path, (1..=5).map(|n| frame(n, &noise(n as u32))).collect());
    let mut bytes = std::fs::read(&path).expect("there");
    let middle = bytes.len() / 2;
    for byte in &mut bytes[middle..middle + 40] {
        *byte ^= 0x5a;
    }
    std::fs::write(&path, &bytes).expect("written");
    let error = read(&path).expect_err("damaged").to_string();
    assert!(error.contains("a.mcap: damaged after tick "), "{error}");
    for other in [&b""[..], b"short", b"version = 1\nand so on, for a while"] {
        std::fs::write(&path, other).expect("written");
        let error = read(&path).expect_err("none").to_string();
        assert!(error.contains("no recording of Kibitzer's"), "{error}");
    }
    let error = read(&folder.path().join("none.mcap")).expect_err("none");
    assert!(matches!(error, RecordingError::Io { .. }));
    let place = Place::File(path.clone());
    let newer = Header {
        format: FORMAT + 1,
        version: "9.9.9".into(),
        ..header()
    };
    Recording::start(&place, &newer, "flood", &[], Caps::default())
        .expect("a file")
        .finish();
    let error = read(&path).expect_err("newer").to_string();
    assert!(
        error.contains("Kibitzer 9.9.9") && error.contains("newer"),
        "{error}"
    );
}

#[test]
fn ticks_and_pixels_that_found_no_room_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mcap");
    let mut lost = frame(4, &noise(4));
    lost.picture = None;
    write(&path, vec![frame(1, &noise(1)), lost, quiet(5)]);
    let (ticks, _) = read(&path).expect("whole");
    let numbers: Vec<u64> = ticks.iter().map(|t| t.input.tick).collect();
    assert_eq!(numbers, [1, 4, 5]);
    assert!(ticks[1].picture.is_none());
    let bytes = std::fs::read(&path).expect("there");
    let words: Vec<String> = mcap::MessageStream::new(&bytes)
        .expect("valid")
        .map(|m| m.expect("valid"))
        .filter(|m| m.channel.topic == "/log")
        .map(|m| String::from_utf8_lossy(&m.data).into_owned())
        .collect();
    assert!(
        words[0].contains("2 ticks before tick 4 are missing"),
        "{words:?}"
    );
    assert!(words[1].contains("the pixels of tick 4"), "{words:?}");
}

#[test]
fn a_disk_without_room_ends_the_recording_and_not_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mcap");
    let caps = Caps {
        free: u64::MAX,
        ..Caps::default()
    };
    let place = Place::File(path.clone());
    let recording = Recording::start(&place, &header(), "flood", &[], caps).expect("a file");
    let recorder = recording.recorder();
    let mut n = 0;
    let until = std::time::Instant::now() + Duration::from_secs(20);
    while !recorder.is_over() && std::time::Instant::now() < until {
        n += 1;
        recorder.tick(quiet(n));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(recorder.is_over());
    // The loop goes on as if nothing were.
    recorder.tick(quiet(n + 1));
    let (ticks, complete) = read(&path).expect("ended well");
    assert!(complete && !ticks.is_empty());
}

#[test]
fn a_recording_stops_at_its_cap() {
    let folder = tempfile::tempdir().expect("a folder");
    let caps = Caps {
        bytes: 20_000,
        ..Caps::default()
    };
    let place = Place::Folder(folder.path().join("new"));
    let recording = Recording::start(&place, &header(), "flood", &[], caps).expect("a file");
    let recorder = recording.recorder();
    let mut n = 0;
    let until = std::time::Instant::now() + Duration::from_secs(20);
    while !recorder.is_over() && std::time::Instant::now() < until {
        n += 1;
        recorder.tick(frame(n, &noise(n as u32)));
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(recorder.is_over(), "after {n} ticks");
    let (ticks, complete) = read(recording.path()).expect("ended well");
    assert!(complete && ticks.len() > 5);
    assert!(is_ours(recording.path()));
}

#[test]
fn old_recordings_make_room_and_nothing_else_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let now = SystemTime::now();
    let make = |name: &str, age: u64| {
        let path = folder.path().join(name);
        std::fs::write(&path, [0; 1000]).expect("written");
        let file = std::fs::File::options()
            .write(true)
            .open(&path)
            .expect("there");
        file.set_modified(now - Duration::from_secs(age))
            .expect("set");
        path
    };
    let old = make("kibitzer-1-flood.mcap", 5000);
    let middle = make("kibitzer-2-flood.mcap", 400);
    let new = make("kibitzer-3-flood.mcap", 300);
    let others = [make("mine.mcap", 9000), make("kibitzer-notes.txt", 9000)];
    let caps = |bytes, age| Caps {
        bytes,
        age: Duration::from_secs(age),
        free: 0,
    };
    let run = |c: &Caps| tidy(folder.path(), c, now).expect("a folder");
    assert!(run(&caps(10_000, 10_000)).is_empty());
    assert_eq!(run(&caps(10_000, 1000)), [old], "too old");
    // One that is being written stays, however old it is.
    let written = std::fs::File::open(&middle).expect("there");
    assert!(written.try_lock().is_ok());
    assert_eq!(run(&caps(1000, 10_000)), [new], "the oldest that may go");
    assert!(run(&caps(10, 10)).is_empty());
    drop(written);
    assert_eq!(run(&caps(10, 10_000)), [middle]);
    assert!(others.iter().all(|p| p.exists()));
    assert!(tidy(&folder.path().join("none"), &caps(1, 1), now).is_err());
}

#[test]
fn a_path_is_a_file_or_a_folder() {
    let place = |p: &str| Place::of(Path::new(p));
    assert_eq!(place("a/b.mcap"), Place::File("a/b.mcap".into()));
    assert_eq!(place("a/b"), Place::Folder("a/b".into()));
    assert_eq!(place("b.MCAP"), Place::File("b.MCAP".into()));
}

#[test]
fn two_processes_do_not_write_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mcap");
    let place = Place::File(path.clone());
    let start = || Recording::start(&place, &header(), "flood", &[], Caps::default());
    let first = start().expect("a file");
    first.recorder().tick(quiet(1));
    let error = start().expect_err("it is being written");
    assert!(error.contains("another process"), "{error}");
    first.finish();
    assert_eq!(read(&path).expect("whole").0.len(), 1, "nothing was lost");
    start().expect("it may be replaced now").finish();
    assert!(read(&path).expect("whole").0.is_empty());
}
