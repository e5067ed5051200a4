//! Every parser against arbitrary and damaged input: a value or an error that says something, and
//! never a panic. More cases: `PROPTEST_CASES=100000 cargo test fuzz`.

use std::path::Path;

use kibitzer::act::keys::Chord;
use kibitzer::capture::files;
use kibitzer::capture::query::WindowQuery;
use kibitzer::capture::screen::Area;
use kibitzer::config::profile::Profile;
use kibitzer::games::flood::rules::{Board, parse_position};
use kibitzer::types::Cell;
use proptest::prelude::*;

use crate::support::damage;

/// A text with one to five characters changed to any others.
fn damaged(text: &'static str) -> impl Strategy<Value = String> {
    damage::damaged(text, any::<char>(), 1..6)
}

/// A picture file with a few bytes changed and its end cut off.
fn damaged_picture() -> impl Strategy<Value = Vec<u8>> {
    let formats = [
        image::ImageFormat::Png,
        image::ImageFormat::Jpeg,
        image::ImageFormat::Gif,
        image::ImageFormat::Bmp,
        image::ImageFormat::WebP,
    ];
    let whole: Vec<Vec<u8>> = formats
        .iter()
        .map(|&format| {
            let image = image::RgbImage::from_fn(37, 23, |x, y| {
                image::Rgb([(x * 7) as u8, (y * 11) as u8, (x * y) as u8])
            });
            let mut out = std::io::Cursor::new(Vec::new());
            image::DynamicImage::from(image)
                .write_to(&mut out, format)
                .expect("encoded");
            out.into_inner()
        })
        .collect();
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8);
    (
        prop::sample::select(whole),
        changes,
        any::<prop::sample::Index>(),
        any::<bool>(),
    )
        .prop_map(|(mut bytes, changes, end, cut)| {
            for (place, value) in changes {
                let i = place.index(bytes.len());
                bytes[i] = value;
            }
            if cut {
                bytes.truncate(end.index(bytes.len()));
            }
            bytes
        })
}

fn says_something(error: &impl ToString) {
    assert!(
        error.to_string().len() > 5,
        "\"{}\" helps nobody",
        error.to_string()
    );
}

const PROFILE: &str = include_str!("../calibration/sgt-flood.toml");

proptest! {
    #[test]
    fn positions(line in prop_oneof![any::<String>(), damaged("14x14:0123450,24"), damaged("aab/bca/abc"), damaged("012345678")]) {
        if let Err(e) = parse_position(&line, 7, Cell::default()) {
            says_something(&e);
            prop_assert!(e.to_string().contains('7'), "the line is named: {e}");
        }
    }

    #[test]
    fn boards(text in prop_oneof![any::<String>(), damaged("abc/bca/cab")]) {
        if let Ok(board) = Board::from_text(&text, Cell::default()) {
            prop_assert_eq!(board.text().0, text);
        }
    }

    #[test]
    fn windows(text in prop_oneof![any::<String>(), damaged("id:0x2a0000c"), damaged("class:XTerm")]) {
        match text.parse::<WindowQuery>() {
            Ok(query) => {
                let again = query.to_string().parse::<WindowQuery>();
                prop_assert_eq!(again.ok(), Some(query));
            }
            Err(e) => says_something(&e),
        }
    }

    #[test]
    fn areas(text in prop_oneof![any::<String>(), damaged("10,20,300x200")]) {
        if let Err(e) = text.parse::<Area>() {
            says_something(&e);
        }
    }

    #[test]
    fn chords(text in prop_oneof![any::<String>(), damaged("ctrl+alt+x")]) {
        if let Err(e) = Chord::parse(&text) {
            says_something(&e);
        }
    }

    #[test]
    fn profiles(text in prop_oneof![any::<String>(), damaged(PROFILE)]) {
        if let Err(e) = Profile::parse("p", "p.toml", &text) {
            prop_assert!(e.to_string().contains("p.toml"), "the file is named: {e}");
        }
    }

    #[test]
    fn pictures(bytes in prop_oneof![prop::collection::vec(any::<u8>(), 0..200), damaged_picture()]) {
        match files::decode(&bytes) {
            Ok(picture) => prop_assert!(picture.width() > 0 && picture.height() > 0),
            Err(e) => says_something(&e),
        }
    }
}

#[test]
fn a_picture_that_is_a_device_is_not_read_for_ever() {
    let error = files::load(Path::new("/dev/null")).expect_err("nothing in it");
    says_something(&error);
}
