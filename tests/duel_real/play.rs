//! The user's own command, from what a program shows when it is started to the end of a game; what
//! the journal says of it is what the program says. Every run of the tests plays a game of each
//! program that can be seen so far.

use std::process::Command;

use kibitzer::cli::bench::stage::{BoardProgram, BovoTheme, Told};
use serde_json::Value;

use super::screen;

/// Plays a game and returns its result, which is what the program told.
fn game(program: BoardProgram) -> Option<Told> {
    let desktop = screen(program)?;
    let _cores = crate::support::cores();
    let (_program, window) = desktop.board_game(program).expect("it starts");
    let profile = format!(
        "{}/calibration/{}.toml",
        env!("CARGO_MANIFEST_DIR"),
        program.name()
    );
    let out = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(["play", &profile, "--games", "1", "--json"])
        .args(["--give-up", "40"])
        .arg("--journal")
        .arg(desktop.folder().join("journal.db"))
        .env("DISPLAY", desktop.display())
        .output()
        .expect("kibitzer runs");
    let (text, errors) = (
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr),
    );
    let end: Value = text
        .lines()
        .last()
        .and_then(|l| serde_json::from_str(l).ok())
        .unwrap_or_else(|| panic!("{program}: no game ended: {text}{errors}"));
    assert!(out.status.success(), "{program}: {end} {errors}");
    let told = desktop.wait("the program's own word", |d| {
        let picture = d.picture(d.client(window)?)?;
        d.told(program, window, &picture)
    });
    let told = told.unwrap_or_else(|e| panic!("{program}: {e}; {end}"));
    let result = match told {
        Told::Won => "won",
        Told::Lost => "lost",
        Told::Draw => "draw",
    };
    assert_eq!(end["result"], result, "{program}: {end}");
    Some(told)
}

#[test]
fn a_game_against_xvier() {
    let program = BoardProgram::Xvier {
        level: 2,
        size: (7, 6),
    };
    assert!(matches!(game(program), None | Some(Told::Won)));
}

#[test]
fn a_game_against_four_in_a_row() {
    let program = BoardProgram::FourInARow { level: 1 };
    assert!(matches!(game(program), None | Some(Told::Won)));
}

#[test]
fn a_game_against_kfourinline() {
    assert_ne!(game(BoardProgram::Kfourinline), Some(Told::Lost));
}

#[test]
fn a_game_against_explosive_c4() {
    assert_ne!(game(BoardProgram::ExplosiveC4), Some(Told::Lost));
}

fn bovo(theme: BovoTheme) {
    let program = BoardProgram::Bovo { theme, level: 2 };
    assert!(matches!(game(program), None | Some(Told::Won)));
}

#[test]
fn a_game_against_bovo_on_crossings() {
    bovo(BovoTheme::Gomoku);
}

#[test]
#[ignore = "X and O as drawn by hand are not surely read yet: make prove-duel-real"]
fn a_game_against_bovo_in_cells() {
    bovo(BovoTheme::Scribble);
}

#[test]
fn a_game_against_gomoku_app() {
    let program = BoardProgram::GomokuApp { level: 3 };
    assert_ne!(game(program), Some(Told::Lost));
}
