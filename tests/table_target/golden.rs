//! Pictures of the targets for two; `make golden` writes them anew.

use kibitzer::assemble::targets;
use kibitzer::types::{Picture, Point, Pointer, Time};
use serde_json::{Value, json};

use crate::golden::compare;

/// What is on the screen after these keys, one every second, the pointer at a place of the
/// picture, so many milliseconds after the last.
fn after(game: &str, settings: &Value, keys: &str, pointer: (f64, f64), late: u64) -> Picture {
    let mut built = targets::target(game, settings).expect("a target");
    let target = &mut built.target;
    let mut now = Time::ZERO;
    let mut out = Picture::default();
    for key in keys.split_whitespace() {
        now = Time(now.0 + 1_000_000);
        target.key(key, now);
        target.render(now, &mut out);
    }
    let at = Point::new(
        f64::from(built.picture.0) * pointer.0,
        f64::from(built.picture.1) * pointer.1,
    );
    target.pointer(Pointer::Move, at, now);
    target.render(Time(now.0 + late * 1000), &mut out);
    out
}

const POSITION: &str = "44535546122";

#[test]
fn connect4_flat_with_scores_and_the_sheet() {
    let settings = json!({"policy": "nobody", "moves": POSITION, "cell": 44,
                          "scores": true, "markers": true});
    let picture = after("connect4", &settings, "", (0.0, 0.0), 1000);
    compare("connect4-classic.png", &picture);
}

#[test]
fn connect4_with_a_disc_that_falls_behind_the_plate() {
    let settings = json!({"policy": "nobody", "moves": POSITION, "cell": 44, "style": "rings"});
    let picture = after("connect4", &settings, "g", (0.3, 0.4), 170);
    compare("connect4-rings.png", &picture);
}

#[test]
fn gomoku_on_wood_with_a_hint_and_a_ghost() {
    let settings = json!({"policy": "nobody", "moves": "h8 g7 i7 h6 g9 j6 f10", "cell": 29,
                          "hint": true});
    let picture = after("gomoku", &settings, "", (0.7, 0.3), 4000);
    compare("gomoku-wood.png", &picture);
}

#[test]
fn gomoku_on_paper_with_the_end_over_the_board() {
    let settings = json!({"policy": "nobody", "moves": "e5 c3 e6 c4 e7 c5 e8 c7", "size": "11x11",
                          "cell": 29, "style": "paper"});
    let keys = "Up Left Up Up Up Return";
    let picture = after("gomoku", &settings, keys, (0.9, 0.9), 9000);
    compare("gomoku-paper.png", &picture);
}
