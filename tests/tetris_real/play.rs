//! The user's own command, from the title page to some rows.

use std::process::Command;
use std::time::{Duration, Instant};

use kibitzer::cli::bench::stage::TetrisProgram;
use serde_json::Value;

use super::screen;
use crate::faults::run::Run;

fn rows(program: TetrisProgram, rows: u64) {
    let Some(desktop) = screen(program) else {
        return;
    };
    let _cores = crate::support::cores();
    let (_program, _window) = desktop.tetris(program).expect("it starts");
    let profile = format!("{}/calibration/{program}.toml", env!("CARGO_MANIFEST_DIR"));
    let out = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args([
            "play",
            &profile,
            "--games",
            "1",
            "--json",
            "--give-up",
            "20",
        ])
        .args(["--rows", &rows.to_string()])
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
    let profile = format!("{}/calibration/{program}.toml", env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    let kibitzer = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
    let args = [&*profile, "--games", "2", "--rows", "16", "--give-up", "20"];
    let mut run = Run::start_usual(kibitzer, desktop.display(), folder.path(), &args);
    // Some rows, and then a person drops every piece where it is.
    run.after_moves(20);
    let end = Instant::now() + Duration::from_secs(30);
    while desktop.windows().expect("listed").len() < 2 && Instant::now() < end {
        desktop
            .press(0x20, Duration::from_millis(15))
            .expect("pressed");
        std::thread::sleep(Duration::from_millis(30));
    }
    let ended = run.end();
    let results: Vec<&str> = (ended.games.iter())
        .filter_map(|g| g["result"].as_str())
        .collect();
    assert_eq!(
        results,
        ["lost", "won"],
        "{:?} {}",
        ended.games,
        ended.stderr
    );
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let answer = "dialog scores 1: key Escape in \"=Quadrapassel\"";
    assert_eq!(run.steps(), [answer]);
}
