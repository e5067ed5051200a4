//! The firmware of the Arduino board: its own tests, and its very logic behind a pseudo-terminal,
//! told by our driver what to do.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kibitzer::act::ActError;
use kibitzer::act::serial::RelayKeyboard;
use kibitzer::types::{Board, RelayHands, Stop, SystemClock};

use super::{press, wait_for};
use crate::support::together;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("hardware/firmware")
}

/// Builds one of the programs for this machine; `None`, with a word, where no compiler is.
fn build(main: &str, into: &Path) -> Option<PathBuf> {
    let made = into.join(main);
    let built = Command::new("cc")
        .args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror"])
        .arg("-o")
        .arg(&made)
        .arg(folder().join(main).with_extension("c"))
        .arg(folder().join("relays.c"))
        .output();
    let Ok(built) = built else {
        eprintln!("skipped: no C compiler (cc) is installed");
        return None;
    };
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{said}");
    Some(made)
}

#[test]
fn its_logic_passes_its_own_tests() {
    let into = tempfile::tempdir().expect("a folder");
    let Some(test) = build("test", into.path()) else {
        return;
    };
    let done = Command::new(test).output().expect("it runs");
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{said}");
}

#[test]
fn it_builds_for_the_board() {
    if Command::new("avr-gcc").arg("--version").output().is_err() {
        eprintln!("skipped: no compiler for the board (gcc-avr, avr-libc) is installed");
        return;
    }
    let into = tempfile::tempdir().expect("a folder");
    for low in ["0", "1"] {
        let out = into.path().join(low);
        let built = Command::new("make")
            .arg("-C")
            .arg(folder())
            .arg(format!("OUT={}", out.display()))
            .arg(format!("ACTIVE_LOW={low}"))
            .output()
            .expect("make runs");
        let said = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{said}");
        let hex = std::fs::read_to_string(out.join("relays.hex")).expect("a program");
        // A third of what an ATmega328P has would be a sign of something pulled in by mistake.
        assert!(hex.starts_with(':') && hex.len() < 30_000);
    }
}

/// The firmware running on this machine.
struct Running {
    child: Child,
    port: PathBuf,
    /// What its relays were set to, in order: milliseconds and mask.
    changes: Arc<Mutex<Vec<(u64, u8)>>>,
}

impl Running {
    fn start(program: &Path, port: PathBuf) -> Self {
        let mut child = Command::new(program)
            .arg(&port)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        assert_eq!(lines.next().expect("a line").expect("text"), "ready");
        let changes = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&changes);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let (ms, mask) = line.split_once(' ').expect("two numbers");
                let change = (ms.parse().expect("ms"), mask.parse().expect("mask"));
                log.lock().expect("sound").push(change);
            }
        });
        Self {
            child,
            port,
            changes,
        }
    }

    fn spec(&self) -> RelayHands {
        let wiring = vec![("Left".to_owned(), 0), ("Right".to_owned(), 7)];
        let port = self.port.display().to_string();
        let mut spec = RelayHands::new(Board::Arduino, 8, &port, wiring);
        // It has no boot loader.
        spec.line.boot = Duration::ZERO;
        (spec.lead, spec.hold) = (Duration::ZERO, Duration::from_millis(20));
        spec
    }

    fn masks(&self) -> Vec<u8> {
        self.changes
            .lock()
            .expect("sound")
            .iter()
            .map(|(_, mask)| *mask)
            .collect()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn open(spec: RelayHands) -> Result<RelayKeyboard, ActError> {
    RelayKeyboard::open(spec, Arc::new(SystemClock::start()), Stop::new())
}

#[test]
fn the_driver_and_the_firmware_understand_each_other() {
    let into = tempfile::tempdir().expect("a folder");
    let Some(program) = build("host", into.path()) else {
        return;
    };
    let _together = together();
    let board = Running::start(&program, into.path().join("port"));
    let mut hands = open(board.spec()).expect("a board");
    for key in ["Left", "Right", "Left+Right"] {
        press(&mut hands, key).expect(key);
    }
    wait_for("the keys", || board.masks() == [1, 0, 128, 0, 129, 0]);

    // A key that is held for longer than the dead man waits is kept alive.
    drop(hands);
    let mut spec = board.spec();
    spec.hold = Duration::from_millis(1100);
    let mut hands = open(spec.clone()).expect("a board");
    press(&mut hands, "Left").expect("a key");
    wait_for("the key", || board.masks().len() == 8);
    let (down, up) = {
        let changes = board.changes.lock().expect("sound");
        (changes[6], changes[7])
    };
    assert_eq!((down.1, up.1), (1, 0));
    assert!(up.0 - down.0 >= 1050, "{down:?} {up:?}");
    drop(hands);

    // A program that is killed with a key held: the board opens it by itself.
    let program = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(["bench", "hands", "--keys", "1", "--hold-ms", "600000"])
        .args(["--lead-ms", "0", "--board", "arduino", "--port"])
        .arg(&board.port)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut program = super::Running(program.expect("the program starts"));
    wait_for("the relay", || board.masks().len() == 9);
    program.signal("-KILL");
    let _ = program.end();
    wait_for("the dead man", || board.masks().len() == 10);
    assert_eq!(board.masks()[8..], [1, 0]);
}

#[test]
fn firmware_of_another_version_is_refused_with_the_fix() {
    let into = tempfile::tempdir().expect("a folder");
    // The same logic with another number.
    let header = std::fs::read_to_string(folder().join("relays.h")).expect("readable");
    let changed = header.replace("#define RELAYS_VERSION 1", "");
    assert_ne!(header, changed);
    for name in ["relays.c", "host.c"] {
        std::fs::copy(folder().join(name), into.path().join(name)).expect("copied");
    }
    std::fs::write(into.path().join("relays.h"), changed).expect("written");
    let made = into.path().join("other");
    let built = Command::new("cc")
        .args(["-std=gnu11", "-DRELAYS_VERSION=7", "-o"])
        .arg(&made)
        .args([into.path().join("host.c"), into.path().join("relays.c")])
        .status();
    let Ok(built) = built else {
        eprintln!("skipped: no C compiler (cc) is installed");
        return;
    };
    assert!(built.success());
    let _together = together();
    let board = Running::start(&made, into.path().join("port"));
    let error = open(board.spec()).err().expect("another version");
    let text = error.to_string();
    assert!(
        text.contains("version 7") && text.contains("make -C hardware/firmware flash"),
        "{text}"
    );
}
