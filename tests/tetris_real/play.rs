//! The user's own command, from the title page to some rows.

use std::process::Command;

use kibitzer::cli::bench::stage::TetrisProgram;
use serde_json::Value;

use super::screen;

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
