//! Files: saved games, levels, weights, opening books, recordings, pictures; and the buffers of
//! cameras.

use std::io::Write as _;

use kibitzer::capture::camera::decode::{Decoder, Packing, Shape};
use kibitzer::capture::files;
use kibitzer::games::connect4::policies::book::{self, OpeningBook};
use kibitzer::games::tetris::policies::Model;
use kibitzer::games::tetris::rules::{Game, Setup};
use kibitzer::games::triplex::rules;
use kibitzer::journal::recording::{Caps, FORMAT, Header, Place, Reader, Recording};
use kibitzer::types::{Picture, Time, Turn};
use serde_json::json;

use crate::says;

/// What only the program itself writes, to begin with: by target.
pub fn seeds() -> [(&'static str, Vec<u8>); 3] {
    let mut game = Game::new(Setup::default(), Time(0));
    game.advance(Time(30_000_000));
    let lines = book::own().lines().take(20).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let header = Header {
        format: FORMAT,
        version: "0.0.0".into(),
        started_ms: 1,
        retold: false,
        run: json!({}),
        recipe: json!({"command": "play"}),
    };
    let path = folder.path().join("seed.mcap");
    let place = Place::File(path.clone());
    Recording::start(&place, &header, "flood", &[], Caps::default())
        .expect("a file")
        .finish();
    [
        ("saved-game", game.save(Time(30_000_000)).into_bytes()),
        ("book", OpeningBook::new(lines, 8, 0).to_bytes()),
        ("recording", std::fs::read(path).expect("written")),
    ]
}

/// A saved game of Tetris.
pub fn saved(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Err(error) = Game::load(&text, Time(0)) {
        says(&error);
    }
}

/// A file of TripleX levels.
pub fn levels(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Err(error) = rules::parse_file(&text) {
        says(&error);
    }
}

/// Weights.
pub fn model(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Err(error) = Model::parse(&text, "m.toml") {
        assert!(error.to_string().contains("m.toml"), "{error}");
    }
}

/// A book of openings.
pub fn book(data: &[u8]) {
    match OpeningBook::from_bytes(data) {
        Ok(book) => assert_eq!(
            OpeningBook::from_bytes(&book.to_bytes())
                .map(|b| b.len())
                .ok(),
            Some(book.len())
        ),
        Err(error) => says(&error),
    }
}

/// A recording.
pub fn recording(data: &[u8]) {
    let mut file = tempfile::Builder::new()
        .suffix(".mcap")
        .tempfile()
        .expect("a file");
    file.write_all(data).expect("written");
    match Reader::open(file.path()) {
        Ok(reader) => {
            for tick in reader {
                if let Err(error) = tick {
                    assert!(error.to_string().contains(".mcap"), "{error}");
                }
            }
        }
        Err(error) => assert!(error.to_string().contains(".mcap"), "{error}"),
    }
}

/// A picture file.
pub fn picture(data: &[u8]) {
    match files::decode(data) {
        Ok(picture) => assert!(picture.width() > 0 && picture.height() > 0),
        Err(error) => says(&error),
    }
}

/// A camera's buffer, its size and packing in the first bytes.
pub fn camera(data: &[u8]) {
    let &[packing, width, height, stride, turn, ref bytes @ ..] = data else {
        return;
    };
    const ALL: [Packing; 8] = [
        Packing::Yuyv,
        Packing::Uyvy,
        Packing::Nv12,
        Packing::Yuv420,
        Packing::Grey,
        Packing::Rgb,
        Packing::Bgr,
        Packing::Jpeg,
    ];
    let shape = Shape {
        packing: ALL[usize::from(packing) % ALL.len()],
        width: width.into(),
        height: height.into(),
        stride: u32::from(stride) * 4,
    };
    let turn = Turn {
        quarters: turn & 3,
        mirror: turn & 4 != 0,
    };
    let mut picture = Picture::default();
    let _ = Decoder::default().decode(shape, turn, bytes, &mut picture);
}
