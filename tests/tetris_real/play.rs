//! The user's own command, from the title page to some rows.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use kibitzer::cli::bench::stage::TetrisProgram;
use serde_json::Value;

use super::screen;
use crate::support::Desktop;

/// The user's command for some games of so many rows.
fn play(desktop: &Desktop, program: TetrisProgram, games: u32, rows: u64) -> Command {
    let profile = format!("{}/calibration/{program}.toml", env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
    command
        .args(["play", &profile, "--json", "--give-up", "20"])
        .args(["--games", &games.to_string(), "--rows", &rows.to_string()])
        .arg("--journal")
        .arg(desktop.folder().join("journal.db"))
        .env("DISPLAY", desktop.display());
    command
}

fn rows(program: TetrisProgram, rows: u64) {
    let Some(desktop) = screen(program) else {
        return;
    };
    let _cores = crate::support::cores();
    let (_program, _window) = desktop.tetris(program).expect("it starts");
    let out = play(&desktop, program, 1, rows)
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
        .unwrap_or_else(|| panic!("no game ended: {text}{errors}"));
    assert_eq!(end["result"], "won", "{end}");
    assert!(end["lines"].as_u64() >= Some(rows), "{end}");
    assert!(out.status.success(), "{errors}");
}

#[test]
fn quadrapassel_from_its_play_button_to_ten_rows() {
    rows(TetrisProgram::Quadrapassel(1), 10);
}

#[test]
fn vitetris_from_its_menu_to_six_rows() {
    rows(TetrisProgram::Vitetris, 6);
}

/// Its table of scores lies over the board after a game with points, and is closed by the profile.
#[test]
fn quadrapassel_goes_on_after_a_lost_game() {
    let program = TetrisProgram::Quadrapassel(1);
    let Some(desktop) = screen(program) else {
        return;
    };
    let _cores = crate::support::cores();
    let (_program, _window) = desktop.tetris(program).expect("it starts");
    let child = play(&desktop, program, 2, 12)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("kibitzer runs");
    // Some rows, and then a person drops every piece where it is.
    std::thread::sleep(Duration::from_secs(7));
    let end = Instant::now() + Duration::from_secs(30);
    while desktop.windows().expect("listed").len() < 2 && Instant::now() < end {
        desktop
            .press(0x20, Duration::from_millis(15))
            .expect("pressed");
        std::thread::sleep(Duration::from_millis(40));
    }
    let out = child.wait_with_output().expect("ended");
    let text = String::from_utf8_lossy(&out.stdout);
    let games: Vec<Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).expect("an object"))
        .collect();
    let results: Vec<&str> = games.iter().filter_map(|g| g["result"].as_str()).collect();
    let errors = String::from_utf8_lossy(&out.stderr);
    assert_eq!(results, ["lost", "won"], "{games:?} {errors}");
    assert!(out.status.success(), "{errors}");
}
