//! The readers of recordings against damaged input: a value or an error that names the file, and
//! never a panic.

use std::path::Path;

use kibitzer::journal::recording::{
    Caps, FORMAT, Header, InputLine, InputWhat, Place, Reader, Recording, Tick,
};
use kibitzer::types::{Testimony, Time};
use proptest::prelude::*;
use serde_json::json;

use crate::support::damage;

const HEADER: &str = r#"{"format":1,"version":"0.1.0","started_ms":1700000000000,"retold":false,"run":{"game":"flood"},"recipe":{"command":"play","asks":{"profile":"x"},"terms":{"armed":true,"games":2},"settings":[["play.seed",true,"3"]],"timing":{"lead":0,"hold":0,"gap":0,"latency":0}}}"#;

const INPUT: &str = r#"{"tick":7,"now":233000,"outcomes":2,"what":{"frame":{"seq":7,"captured_at":232993,"source":"test","changed":true,"picture":3,"placement":{"on_screen":{"x":-3,"y":4,"width":37,"height":23},"visible":{"x":0,"y":0,"width":37,"height":23},"window":7,"obscured":false,"pointer":{"x":1.5,"y":2.25}}}},"testimony":{"clock":[1,2],"spent":[null,64],"shares":[0.25],"answers":[{"colour":2}]}}"#;

/// A small recording of some quiet ticks.
fn whole(folder: &Path) -> Vec<u8> {
    let header = Header {
        format: FORMAT,
        version: "0.0.0".into(),
        started_ms: 1,
        retold: false,
        run: json!({}),
        recipe: json!({"command": "play"}),
    };
    let path = folder.join("whole.mcap");
    let place = Place::File(path.clone());
    let recording =
        Recording::start(&place, &header, "flood", &[], Caps::default()).expect("a file");
    for tick in 1..50 {
        recording.recorder().tick(Tick {
            tick,
            now: Time(tick * 1000),
            what: InputWhat::Ended(format!("reason {tick}")),
            picture: None,
            testimony: Testimony::default(),
            effects: Vec::new(),
            seen: None,
            believed: None,
        });
    }
    recording.finish();
    std::fs::read(path).expect("there")
}

proptest! {
    #[test]
    fn damaged_recordings(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        end in any::<prop::sample::Index>(),
        cut in any::<bool>(),
    ) {
        static WHOLE: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
        let folder = tempfile::tempdir().expect("a folder");
        let mut bytes = WHOLE.get_or_init(|| whole(folder.path())).clone();
        for (place, value) in changes {
            let i = place.index(bytes.len());
            bytes[i] = value;
        }
        if cut {
            bytes.truncate(end.index(bytes.len()));
        }
        let path = folder.path().join("damaged.mcap");
        std::fs::write(&path, &bytes).expect("written");
        match Reader::open(&path) {
            Ok(reader) => {
                for tick in reader {
                    if let Err(error) = tick {
                        prop_assert!(error.to_string().contains("damaged.mcap"), "{}", error);
                    }
                }
            }
            Err(error) => prop_assert!(error.to_string().contains("damaged.mcap"), "{}", error),
        }
    }

    #[test]
    fn damaged_headers(text in damage::damaged(HEADER, any::<char>(), 1..6)) {
        let _ = serde_json::from_str::<Header>(&text);
    }

    #[test]
    fn damaged_inputs(text in damage::damaged(INPUT, any::<char>(), 1..6)) {
        if let Ok(line) = serde_json::from_str::<InputLine>(&text) {
            let again = serde_json::to_string(&line).expect("plain data");
            prop_assert_eq!(serde_json::from_str::<InputLine>(&again).expect("as written"), line);
        }
    }
}

#[test]
fn the_texts_of_these_tests_are_what_is_written() {
    let header: Header = serde_json::from_str(HEADER).expect("a header");
    assert_eq!(serde_json::to_value(&header).expect("plain")["format"], 1);
    let input: InputLine = serde_json::from_str(INPUT).expect("an input");
    let again = serde_json::to_string(&input).expect("plain data");
    assert_eq!(again, INPUT);
}
