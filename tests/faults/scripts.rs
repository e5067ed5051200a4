//! Scripts of a profile in the middle of everything: a game that is over already, a dialog that
//! comes over the board, one that does not go.

use std::process::Command;
use std::time::Duration;

use kibitzer::types::Rect;

use super::run::Run;
use super::table::{Table, until};

/// Plays by a profile with this after its usual beginning.
fn play(table: &Table, script: &str, more: &[&str]) -> Run {
    let file = table.folder.path().join("scripted.toml");
    let text =
        format!("version = 1\n[source]\nwindow = \"Flood\"\n[game]\nname = \"flood\"\n{script}");
    std::fs::write(&file, text).expect("written");
    let kibitzer = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
    let file = file.to_string_lossy();
    let (display, folder) = (table.desktop.display(), table.folder.path());
    Run::start_by(kibitzer, display, folder, &[&[&*file], more].concat())
}

/// A program's own dialog with an OK button that Return presses.
fn message(table: &Table) -> Option<crate::support::Child> {
    if !std::path::Path::new("/usr/bin/xmessage").exists() {
        println!("skipped: there is no xmessage");
        return None;
    }
    let args = [
        "-center", "-buttons", "OK", "-default", "OK", "-title", "Scores",
    ];
    let words = [&args[..], &["You are in the table of the best"]].concat();
    let before = table.desktop.windows().expect("listed").len();
    let child = table.desktop.run("xmessage", &words).expect("started");
    until("the message", || {
        table.desktop.windows().expect("listed").len() > before
    });
    Some(child)
}

#[test]
fn a_game_that_is_over_already_is_followed_by_one_that_the_profile_starts() {
    let Some(table) = Table::set("6x6:000000000000000000000000000000000001,9") else {
        return;
    };
    table.make_a_move(6);
    until("the board in one colour", || {
        table.cell(0, 0) == table.cell(5, 5)
    });
    let profile = format!("{}/calibration/sgt-flood.toml", env!("CARGO_MANIFEST_DIR"));
    let kibitzer = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
    let (display, folder) = (table.desktop.display(), table.folder.path());
    let mut run = Run::start_by(kibitzer, display, folder, &[&profile, "--games", "2"]);
    let ended = run.end();
    assert_eq!(ended.status, 0, "{} {}", ended.why, ended.stderr);
    assert_eq!(ended.games.len(), 2);
    let steps = run.steps();
    assert_eq!(
        steps,
        ["start 1: key n"],
        "the second is started by new_game"
    );
    table.only_the_board_was_clicked(&run);
}

#[test]
fn a_dialog_over_the_board_is_answered_and_the_game_goes_on() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let script = "[[dialog]]\nname = \"scores\"\nwindow = \"Scores\"\n\
                  steps = [{ key = \"Return\", window = \"Scores\" }]\n";
    let mut run = play(&table, script, &["--pace", "200"]);
    run.after_moves(3);
    let Some(_message) = message(&table) else {
        return;
    };
    until("the answer", || {
        run.steps() == ["dialog scores 1: key Return in \"Scores\""]
    });
    until("the message to go", || {
        table.desktop.windows().expect("listed").len() == 1
    });
    run.wins();
    table.only_the_board_was_clicked(&run);
}

#[test]
fn a_dialog_that_does_not_go_ends_the_run() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let script = "[[dialog]]\nname = \"notice\"\nwindow = \"=Notice\"\nafter_ms = 200\n\
                  steps = [{ click = \"50%,50%\", window = \"=Notice\" }]\n";
    // Slow enough that the notice comes before the end of the game on any machine.
    let mut run = play(&table, script, &["--pace", "60"]);
    run.after_moves(3);
    let area = Rect {
        x: 20,
        y: 500,
        width: 101,
        height: 61,
    };
    let notice = table.program("Notice", area, 0xff_ffff);
    let at = table.desktop.client(notice.window).expect("there");
    run.aborts("dialog notice is still there after 3 answers");
    let clicked = format!("press at {},{}", at.x + 50, at.y + 30);
    let mut strays = table.strays();
    strays.retain(|s| s.starts_with("press"));
    assert_eq!(strays, vec![clicked; 3], "its middle, and nothing else");
    assert_eq!(run.count("step-failed"), 1);
}

#[test]
fn steps_that_cannot_be_made_are_told_and_end_the_run() {
    let Some(table) = Table::set("6x6:000000000000000000000000000000000001,9") else {
        return;
    };
    table.make_a_move(6);
    until("the board in one colour", || {
        table.cell(0, 0) == table.cell(5, 5)
    });
    let script = "[start]\nsteps = [{ click = \"#123456\", within_ms = 200 }]\n";
    let mut run = play(&table, script, &[]);
    let ended = run.end();
    assert_eq!(
        (ended.status, ended.games.len()),
        (1, 0),
        "{}",
        ended.stderr
    );
    let words =
        "start 1 (click #123456) could not be made within 200 ms: #123456 is not to be seen";
    assert!(ended.stderr.contains(words), "{}", ended.stderr);
    assert_eq!(run.causes(), ["step-failed"; 3]);
    assert_eq!(run.acts(), 0);
    assert_eq!(table.strays(), Vec::<String>::new());
}

#[test]
fn watching_and_dry_runs_make_no_step() {
    let Some(table) = Table::set("6x6:000000000000000000000000000000000001,9") else {
        return;
    };
    table.make_a_move(6);
    let profile = table.folder.path().join("scripted.toml");
    let text = "version = 1\n[source]\nwindow = \"Flood\"\n[game]\nname = \"flood\"\n[start]\n\
                always = true\nsteps = [{ key = \"n\" }, { wait_ms = 5 }]\n";
    std::fs::write(&profile, text).expect("written");
    let out = table.folder.path().join("said");
    let mut child = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(["play", "--dry-run"])
        .arg(&profile)
        .arg("--journal")
        .arg(table.folder.path().join("journal.db"))
        .env("DISPLAY", table.desktop.display())
        .env("HOME", table.folder.path())
        .stdout(std::fs::File::create(&out).expect("a file"))
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("kibitzer starts");
    let said = || std::fs::read_to_string(&out).expect("readable");
    until("the steps to be told", || {
        said().contains("start (always) 2: wait 5 ms")
    });
    assert!(
        said().contains("would do when due: start (always) 1: key n"),
        "{}",
        said()
    );
    // Longer than the steps would wait for a game.
    std::thread::sleep(Duration::from_secs(3));
    super::table::signal(child.id(), "INT");
    child.wait().expect("ended");
    assert_eq!(
        table.cell(0, 0),
        table.cell(5, 5),
        "the old board is still there"
    );
    assert_eq!(table.strays(), Vec::<String>::new());
}
