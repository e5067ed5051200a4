//! A whole game by relays: what the board closes are real keys of a real window, and the board
//! goes away in the middle.

use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kibitzer::act::Actuator as _;
use kibitzer::act::mouse::X11Mouse;
use kibitzer::act::simulated::{Faults, Manner, SimulatedBoard};
use kibitzer::journal::read::{Reader, What, Which};
use kibitzer::types::{BoardText, Picture, Point, Stroke, SystemClock, Target, Time};

use super::{Running, permit};
use crate::support::together;
use crate::tetris_target::Shown;

/// The keyboard of the machine that shows the game.
pub struct Keyboard {
    pub keys: X11Mouse,
    pub window: u32,
}

impl Target for Keyboard {
    fn render(&mut self, _: Time, _: &mut Picture) {}
    fn click(&mut self, _: Point, _: Time) {}
    fn key(&mut self, name: &str, _: Time) {
        let key = Stroke::Key(name.to_owned());
        self.keys
            .perform(&key, Some(self.window), &permit())
            .expect("a real key");
    }
    fn truth(&self) -> BoardText {
        BoardText::default()
    }
}

#[test]
fn a_game_goes_on_when_the_board_was_away() {
    let _cores = crate::support::cores();
    let _together = together();
    let words = ["tetris", "--start", "--seed", "42", "--next"];
    let Some(shown) = Shown::start(&words) else {
        return;
    };
    let clock = Arc::new(SystemClock::start());
    let display = shown.desktop.display();
    let keyboard = Keyboard {
        keys: X11Mouse::open(Some(display), clock.clone()).expect("a keyboard"),
        window: shown.window,
    };
    let folder = tempfile::tempdir().expect("a folder");
    let port = folder.path().join("by-id");
    let wiring = [("Left", 0), ("Right", 1), ("Up", 2), ("space", 3)];
    let mut board = SimulatedBoard::start(
        &port,
        wiring.map(|(k, r)| (k.to_owned(), r)).to_vec(),
        Arc::new(Mutex::new(keyboard)),
        clock,
        Faults::default(),
        Manner::default(),
    )
    .expect("a pseudo-terminal");
    let profile = folder.path().join("relays.toml");
    let text = format!(
        "version = 1\n[source]\nwindow = \"Tetris\"\n[game]\nname = \"tetris\"\n\
         [hands]\nkind = \"adr2200\"\nport = \"{}\"\n\
         [hands.relays]\nLeft = 0\nRight = 1\nUp = 2\nspace = 3\n",
        port.display()
    );
    std::fs::write(&profile, text).expect("written");
    let journal = folder.path().join("journal.db");
    let child = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .arg("play")
        .arg(&profile)
        .args(["--json", "--pieces", "16", "--journal"])
        .arg(&journal)
        .env("DISPLAY", display)
        .env("HOME", folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut run = Running(child.expect("the program starts"));

    let wait = |what: &str, good: &mut dyn FnMut() -> bool| {
        let began = Instant::now();
        while !good() {
            assert!(
                began.elapsed() < Duration::from_secs(120),
                "waiting for {what}"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    wait("the first keys", &mut || board.presses().len() >= 12);
    board.vanish();
    std::thread::sleep(Duration::from_millis(700));
    let before = board.heard().len();
    board.come_back().expect("another terminal");
    wait("the handshake", &mut || board.heard().len() >= before + 10);
    let bytes: Vec<u8> = board.heard()[before..before + 10]
        .iter()
        .map(|(_, b)| *b)
        .collect();
    assert_eq!(
        String::from_utf8_lossy(&bytes),
        "MK000\rRPK\r",
        "all open before anything else"
    );

    let (status, said, told) = run.end();
    assert!(status.success(), "{status} {told} {said}");
    let game: serde_json::Value = serde_json::from_str(&told).expect("one object");
    assert_eq!(
        (&game["result"], &game["moves"]),
        (&"won".into(), &16.into()),
        "{game}"
    );
    wait("open relays", &mut || board.closed() == 0);
    let reader = Reader::open(&journal).expect("a journal");
    let id = reader.reads().run(Which::Latest).expect("a run").run;
    let story = reader.reads().timeline(id).expect("readable");
    let refusals = story
        .iter()
        .filter(|e| matches!(&e.what, What::Mismatch { text, .. } if text.contains("relay board")));
    assert!(refusals.count() <= 2, "told once, not with every key");
}
