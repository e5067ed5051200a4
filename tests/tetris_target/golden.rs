//! Pictures of the target that must not change unnoticed; `make golden` writes them anew.

use kibitzer::games::tetris::rules::Setup;
use kibitzer::games::tetris::target::{Options, TetrisTarget};
use kibitzer::types::{Picture, Target, Time};

use crate::golden::compare;

/// What is on the screen after these keys, one every tenth of a second.
fn after(keys: &str, start_screen: bool) -> Picture {
    let options = Options {
        setup: Setup {
            seed: 42,
            level: 3,
            ..Setup::default()
        },
        start_screen,
        ..Options::default()
    };
    let mut target = TetrisTarget::new(options, Time::ZERO).expect("a known AI");
    let mut now = Time::ZERO;
    for key in keys.split_whitespace() {
        now = Time(now.0 + 100_000);
        target.key(key, now);
    }
    let mut out = Picture::default();
    target.render(Time(now.0 + 100_000), &mut out);
    out
}

#[test]
fn the_start_screen() {
    compare("tetris-start.png", &after("", true));
}

#[test]
fn a_game_with_everything_shown() {
    let keys = "n s shift+h shift+j shift+j Left Left space . . . . Right space . . . . Left";
    compare("tetris-game.png", &after(keys, false));
}

#[test]
fn calibration() {
    compare("tetris-calibration.png", &after("c 4", false));
}

#[test]
fn the_help() {
    compare("tetris-help.png", &after("F1", false));
}
