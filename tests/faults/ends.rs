//! Ways out: the emergency stop, signals, a screen or a disk that goes away, nothing to play.

use std::process::Command;
use std::time::Duration;

use kibitzer::types::Rect;

use super::run::Run;
use super::table::{Table, signal, until};

/// The promise is 200 ms; a busy machine may be given more.
const AT_ONCE: Duration = Duration::from_secs(1);

/// A run in the middle of a game is stopped in some way.
fn stopped_by(what: &str, words: &str, stop: impl FnOnce(&Table, &Run)) {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&["--pace", "300"]);
    run.after_moves(3);
    stop(&table, &run);
    let took = run.time_to_end();
    println!("{what}: ended after {:.1} ms", took.as_secs_f64() * 1e3);
    assert!(took < AT_ONCE, "{what}: {took:?}");
    assert_eq!(table.held(), Vec::<String>::new(), "everything is released");
    let ended = run.aborts(words);
    assert_eq!(ended.games.len(), 1);
    assert_eq!(run.causes(), Vec::<String>::new(), "a stop is no mismatch");
    assert_eq!(table.strays(), Vec::<String>::new());
}

#[test]
fn stopped_by_interrupt() {
    stopped_by("SIGINT", "stopped by SIGINT", |_, run| run.signal("INT"));
}

#[test]
fn stopped_by_termination() {
    stopped_by("SIGTERM", "stopped by SIGTERM", |_, run| run.signal("TERM"));
}

#[test]
fn stopped_by_the_chord() {
    stopped_by(
        "ctrl+alt+x",
        "the keys ctrl+alt+x were pressed",
        |table, _| {
            // Keycodes of the server's built-in US layout: Control_L, Alt_L, x.
            for code in [37, 64, 53] {
                table.press(code, true);
            }
        },
    );
}

#[test]
fn stopped_by_the_corner() {
    stopped_by(
        "corner",
        "the pointer was pushed into the corner at 0,0",
        |table, _| {
            table.point(0, 0);
        },
    );
}

/// The worst moment: while a button is down.
#[test]
fn stopped_with_a_button_down() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let profile = table.folder.path().join("slow.toml");
    let text = "version = 1\n[source]\nwindow = \"Flood\"\n[game]\nname = \"flood\"\n\
                [timing]\nhold_ms = 300\n";
    std::fs::write(&profile, text).expect("written");
    let kibitzer = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
    let (display, folder) = (table.desktop.display(), table.folder.path());
    let mut run = Run::start_by(kibitzer, display, folder, &[&profile.to_string_lossy()]);
    until("a button down", || !table.held().is_empty());
    run.signal("TERM");
    let took = run.time_to_end();
    println!(
        "SIGTERM with a button down: ended after {:.1} ms",
        took.as_secs_f64() * 1e3
    );
    assert!(took < AT_ONCE, "{took:?}");
    assert_eq!(table.held(), Vec::<String>::new(), "everything is released");
    assert_eq!(run.end().status, 1);
}

#[test]
fn a_screen_that_dies_ends_the_run() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&["--pace", "300"]);
    run.after_moves(3);
    signal(table.server(), "KILL");
    let took = run.time_to_end();
    println!(
        "X server killed: ended after {:.1} ms",
        took.as_secs_f64() * 1e3
    );
    assert!(took < Duration::from_secs(2), "{took:?}");
    run.aborts("the X server went away");
    assert_eq!(run.causes(), ["source-gone"]);
}

/// A server that answers nothing must not keep a person from stopping the run.
#[test]
fn a_screen_that_hangs_does_not_keep_it_from_ending() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&["--pace", "300"]);
    run.after_moves(3);
    signal(table.server(), "STOP");
    run.signal("TERM");
    let took = run.time_to_end();
    signal(table.server(), "CONT");
    println!(
        "SIGTERM with a hung X server: ended after {:.1} ms",
        took.as_secs_f64() * 1e3
    );
    assert!(took < AT_ONCE, "{took:?}");
    assert_eq!(run.end().status, 1);
}

/// A disk that takes no more: the limit on the size of files stands for it.
#[test]
fn a_journal_that_cannot_be_written_ends_the_run() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut sh = Command::new("sh");
    // The signal that goes with the limit must not kill it: writing fails instead.
    sh.args(["-c", "ulimit -f 320; trap '' XFSZ; exec \"$@\"", "limited"]);
    sh.arg(env!("CARGO_BIN_EXE_kibitzer"));
    let args = ["--window", "Flood", "--game", "flood", "--games", "500"];
    let mut run = Run::start_by(sh, table.desktop.display(), table.folder.path(), &args);
    let ended = run.end();
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    let words = ended.stderr.lines().last().unwrap_or_default();
    assert!(words.starts_with("kibitzer: journal: "), "{}", ended.stderr);
    assert!(words.contains("journal.db"), "{words}");
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
    // A game was under way, unless the end of one was what could not be written.
    let last = &ended.games.last().expect("told")["result"];
    assert!(*last == "aborted" || *last == "won", "{last}");
    assert!(
        ended
            .games
            .iter()
            .rev()
            .skip(1)
            .all(|g| g["result"] == "won")
    );
    assert_eq!(table.held(), Vec::<String>::new());
    assert_eq!(table.strays(), Vec::<String>::new());
}

#[test]
fn no_such_window() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let (display, folder) = (table.desktop.display(), table.folder.path());
    let mut run = Run::start(display, folder, "Blood", &["--wait", "0"]);
    let ended = run.end();
    assert_eq!((ended.status, ended.games.len()), (1, 0));
    assert!(
        ended.stderr.contains("Blood") && ended.stderr.contains("Flood"),
        "{}",
        ended.stderr
    );
}

#[test]
fn nothing_to_play() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let area = Rect {
        x: 20,
        y: 40,
        width: 200,
        height: 300,
    };
    let _notes = table.program("Nothing", area, 0xff_ffff);
    let (display, folder) = (table.desktop.display(), table.folder.path());
    let mut run = Run::start(display, folder, "Nothing", &["--give-up", "2"]);
    let ended = run.end();
    assert_eq!(
        (ended.status, ended.games.len()),
        (1, 0),
        "{}",
        ended.stderr
    );
    assert!(
        ended.stderr.contains("no board is found in the picture"),
        "{}",
        ended.stderr
    );
    assert_eq!(table.strays(), Vec::<String>::new());
}

#[test]
fn a_game_that_is_over_is_not_played() {
    let Some(table) = Table::set("6x6:000000000000000000000000000000000001,9") else {
        return;
    };
    table.make_a_move(6);
    until("the board in one colour", || {
        table.cell(0, 0) == table.cell(5, 5)
    });
    let mut run = table.play(&["--give-up", "2"]);
    let ended = run.end();
    assert_eq!(
        (ended.status, ended.games.len()),
        (1, 0),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.contains("over already"), "{}", ended.stderr);
    assert_eq!(run.acts(), 0);
    assert_eq!(table.strays(), Vec::<String>::new());
}
