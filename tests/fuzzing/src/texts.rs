//! What people write: configuration, profiles, positions, names of things.

use std::io::Write as _;

use kibitzer::act::keys::Chord;
use kibitzer::assemble::Stage;
use kibitzer::capture::query::WindowQuery;
use kibitzer::capture::screen::Area;
use kibitzer::config::profile::Profile;
use kibitzer::config::{Settings, Sources};
use kibitzer::games::connect4::rules as connect4;
use kibitzer::games::flood::rules as flood;
use kibitzer::games::gomoku::rules::{self as gomoku, Rule};
use kibitzer::games::triplex::rules::{Field, Figure, Tiling};
use kibitzer::games::{gomoku as five, tetris, triplex};
use kibitzer::types::{Cell, GridSize};

use crate::says;

fn text(data: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(data)
}

/// A configuration file.
pub fn config(data: &[u8]) {
    let mut file = tempfile::Builder::new()
        .suffix(".toml")
        .tempfile()
        .expect("a file");
    file.write_all(data).expect("written");
    let sources = Sources {
        file: Some(file.path().to_owned()),
        env: Vec::new(),
        overrides: Vec::new(),
    };
    match Settings::load(&sources) {
        Ok(settings) => drop(settings.to_toml()),
        Err(error) => says(&error),
    }
}

/// A profile.
pub fn profile(data: &[u8]) {
    if let Err(error) = Profile::parse("p", "p.toml", &text(data)) {
        assert!(error.to_string().contains("p.toml"), "{error}");
    }
}

/// Positions of all games.
pub fn position(data: &[u8]) {
    let text = text(data);
    if let Err(error) = flood::parse_position(&text, 7, Cell::default()) {
        assert!(error.to_string().contains('7'), "{error}");
    }
    if let Err(error) = connect4::parse_position(&text) {
        says(&error);
    }
    for rule in [Rule::default(), Rule::Exact] {
        if let Err(error) = gomoku::parse_position(&text, 7, GridSize::new(15, 15), rule) {
            assert!(error.to_string().contains('7'), "{error}");
        }
    }
    let _ = gomoku::parse_action(&text, GridSize::new(15, 15));
}

/// Names of windows, areas, keys and policies.
pub fn name(data: &[u8]) {
    let text = text(data);
    match text.parse::<WindowQuery>() {
        Ok(query) => assert_eq!(query.to_string().parse().ok(), Some(query)),
        Err(error) => says(&error),
    }
    if let Err(error) = text.parse::<Area>() {
        says(&error);
    }
    if let Err(error) = Chord::parse(&text) {
        says(&error);
    }
    if let Ok(figure) = text.parse::<Figure>() {
        assert!(figure.squares() > 0);
    }
    if let Ok(field) = Field::parse(&text) {
        let _ = Tiling::from_text(&field, &text);
    }
    if let Ok(settings) = serde_json::from_str(&text)
        && let Err(error) = Stage::parse(&settings)
    {
        says(&error);
    }
    // A policy may read a file that it is given by name: not here.
    if !text.contains(['/', '\\', '.']) {
        if let Err(error) = tetris::policies::by_name(&text) {
            says(&error);
        }
        if let Err(error) = five::policies::by_name(&text) {
            says(&error);
        }
        if let Err(error) = triplex::policies::by_name(&text) {
            says(&error);
        }
    }
}
