//! Keyboard and mouse through a CH9329, against a chip that is simulated on a pseudo-terminal.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use kibitzer::act::serial::UsbKeyboard;
use kibitzer::act::worker::Worker;
use kibitzer::act::{ActError, Actuator as _, Hands as _};
use kibitzer::types::{Clock, Point, Pointing, Stop, Stroke, SystemClock, UsbHands};
use serialport::{SerialPort as _, TTYPort};

use super::{action, permit, press, wait_for};
use crate::support::together;

/// How the chip behaves.
#[derive(Clone, Copy, Default)]
struct Manner {
    mute: bool,
    unplugged: bool,
    /// Says no to the next reports with this status.
    refuse: Option<u8>,
    garbage: bool,
}

#[derive(Default)]
struct State {
    manner: Manner,
    /// Commands with their data, as they came.
    reports: Vec<(u8, Vec<u8>)>,
}

struct Chip {
    link: PathBuf,
    state: Arc<Mutex<State>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    _folder: tempfile::TempDir,
}

impl Chip {
    fn start(manner: Manner) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("chip");
        let mut chip = Self {
            link,
            state: Arc::default(),
            over: Arc::default(),
            thread: None,
            _folder: folder,
        };
        chip.state.lock().expect("sound").manner = manner;
        chip.plug_in();
        chip
    }

    fn plug_in(&mut self) {
        let (near, far) = TTYPort::pair().expect("a pseudo-terminal");
        let (near, far) = (near.try_clone_native(), far.try_clone_native());
        let (mut near, far) = (near.expect("an end"), far.expect("an end"));
        std::os::unix::fs::symlink(far.name().expect("a name"), &self.link).expect("a link");
        near.set_timeout(Duration::from_millis(2)).expect("set");
        self.over.store(false, Ordering::SeqCst);
        let (state, over) = (Arc::clone(&self.state), Arc::clone(&self.over));
        self.thread = Some(std::thread::spawn(move || {
            let _far = far;
            let mut heard = Vec::new();
            while !over.load(Ordering::SeqCst) {
                let mut piece = [0u8; 64];
                let Ok(n) = near.read(&mut piece) else {
                    continue;
                };
                heard.extend_from_slice(&piece[..n]);
                while let Some(answer) = take(&mut heard, &mut state.lock().expect("sound")) {
                    let _ = near.write_all(&answer);
                }
            }
        }));
    }

    fn unplug(&mut self) {
        let _ = std::fs::remove_file(&self.link);
        self.over.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("it ends");
        }
    }

    fn set(&self, manner: Manner) {
        self.state.lock().expect("sound").manner = manner;
    }

    /// The reports of keys and pointer so far.
    fn reports(&self) -> Vec<(u8, Vec<u8>)> {
        let state = self.state.lock().expect("sound");
        let all = state.reports.iter().filter(|(command, _)| *command != 1);
        all.cloned().collect()
    }

    /// Whether the last report of keys holds any.
    fn holds_keys(&self) -> bool {
        let reports = self.reports();
        let last = reports.iter().rev().find(|(c, _)| *c == 2);
        last.is_some_and(|(_, data)| data.iter().any(|b| *b != 0))
    }

    fn spec(&self) -> UsbHands {
        let mut spec = UsbHands::new(&self.link.display().to_string());
        spec.gap = Duration::ZERO;
        spec.hold = Duration::from_millis(10);
        spec
    }

    fn open(&self, spec: UsbHands) -> Result<UsbKeyboard, ActError> {
        UsbKeyboard::open(spec, Arc::new(SystemClock::start()), Stop::new())
    }
}

impl Drop for Chip {
    fn drop(&mut self) {
        self.unplug();
    }
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, b| sum.wrapping_add(*b))
}

fn framed(command: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x57, 0xab, 0, command, data.len() as u8];
    bytes.extend(data);
    bytes.push(sum(&bytes));
    bytes
}

/// One whole frame from the front; the answer to it.
fn take(heard: &mut Vec<u8>, state: &mut State) -> Option<Vec<u8>> {
    let at = heard.windows(2).position(|w| w == [0x57, 0xab])?;
    let length = usize::from(*heard.get(at + 4)?);
    let end = at + 5 + length;
    let whole = heard.get(at..=end)?.to_vec();
    heard.drain(..=end);
    let (command, data) = (whole[3], &whole[5..5 + length]);
    assert_eq!(whole[5 + length], sum(&whole[..5 + length]), "{whole:x?}");
    state.reports.push((command, data.to_vec()));
    if state.manner.mute {
        return Some(Vec::new());
    }
    let mut answer = Vec::new();
    if state.manner.garbage {
        answer.extend([0x57, 0xab, 0xff, 0x0d, 0x57]);
    }
    answer.extend(match (command, state.manner.refuse) {
        (1, _) => framed(
            0x81,
            &[0x30, u8::from(!state.manner.unplugged), 0, 0, 0, 0, 0, 0],
        ),
        (_, Some(status)) => framed(command | 0xc0, &[status]),
        (_, None) => framed(command | 0x80, &[0]),
    });
    Some(answer)
}

#[test]
fn keys_are_reports_that_are_answered_and_let_go() {
    let _together = together();
    for garbage in [false, true] {
        let chip = Chip::start(Manner {
            garbage,
            ..Manner::default()
        });
        let mut hands = chip.open(chip.spec()).expect("a chip");
        for key in ["a", "Left", "ctrl+N"] {
            press(&mut hands, key).unwrap_or_else(|e| panic!("{key}: {e}"));
        }
        let error = press(&mut hands, "ß").expect_err("on no key");
        assert!(matches!(error, ActError::Unsupported(_)), "{error:?}");
        drop(hands);
        wait_for("the reports", || chip.reports().len() == 8);
        let none = vec![0; 8];
        let keys = |modifiers, key| vec![modifiers, 0, key, 0, 0, 0, 0, 0];
        let expected = [
            none.clone(),
            keys(0, 0x04),
            none.clone(),
            keys(0, 0x50),
            none.clone(),
            keys(0b11, 0x11),
            none.clone(),
            none,
        ];
        let expected: Vec<(u8, Vec<u8>)> = expected.into_iter().map(|data| (2, data)).collect();
        assert_eq!(chip.reports(), expected);
    }
}

#[test]
fn the_pointer_goes_to_a_place_of_the_picture_and_clicks_there() {
    let _together = together();
    let chip = Chip::start(Manner::default());
    let mut spec = chip.spec();
    // A screen of 640 by 480 in the middle of a camera's picture.
    let corners = [(100.0, 50.0), (740.0, 50.0), (740.0, 530.0), (100.0, 530.0)];
    spec.pointing = Some(Pointing {
        corners: Some(corners.map(|(x, y)| Point::new(x, y))),
        ..Pointing::default()
    });
    let mut hands = chip.open(spec.clone()).expect("a chip");
    let before = chip.reports().len();
    let at = Point::new(100.0 + 160.0, 50.0 + 360.0);
    hands
        .perform(&Stroke::Click(at), None, &permit())
        .expect("a click");
    let (x, y) = (1024u16.to_le_bytes(), 3071u16.to_le_bytes());
    let report = |down| (4, vec![2, down, x[0], x[1], y[0], y[1], 0]);
    wait_for("the click", || chip.reports().len() == before + 3);
    assert_eq!(chip.reports()[before..], [report(0), report(1), report(0)]);
    let beside = Stroke::Click(Point::new(99.0, 60.0));
    let error = hands.perform(&beside, None, &permit()).expect_err("beside");
    assert!(error.to_string().contains("beside the screen"), "{error}");
    drop(hands);

    // By steps: into the corner, then there.
    spec.pointing = Some(Pointing {
        screen: Some((640, 480)),
        relative: true,
        ..Pointing::default()
    });
    let mut hands = chip.open(spec.clone()).expect("a chip");
    let before = chip.reports().len();
    let at = Point::new(300.0, 10.0);
    hands
        .perform(&Stroke::Click(at), None, &permit())
        .expect("a click");
    wait_for("the click", || {
        let reports = chip.reports();
        let buttons = reports[before..].iter().map(|(_, data)| data[1]);
        buttons.sum::<u8>() == 1 && reports.last().expect("some").1[1] == 0
    });
    let reports = &chip.reports()[before..];
    assert!(reports.iter().all(|(command, _)| *command == 5));
    let place = reports.iter().fold((640, 480), |(x, y), (_, data)| {
        let step = |i: usize| i32::from(i8::from_le_bytes([data[i]]));
        ((x + step(2)).max(0), (y + step(3)).max(0))
    });
    assert_eq!(place, (300, 10));
    drop(hands);

    spec.pointing = None;
    let mut hands = chip.open(spec).expect("a chip");
    let refused = hands.perform(&Stroke::Click(at), None, &permit());
    let text = refused.expect_err("no pointer").to_string();
    assert!(text.contains("hands.screen"), "{text}");
}

#[test]
fn what_is_wrong_with_the_chip_is_told() {
    let _together = together();
    let mute = Manner {
        mute: true,
        ..Manner::default()
    };
    let chip = Chip::start(mute);
    let text = chip.open(chip.spec()).err().expect("mute").to_string();
    assert!(text.contains("does not answer"), "{text}");
    chip.set(Manner {
        unplugged: true,
        ..Manner::default()
    });
    let text = chip.open(chip.spec()).err().expect("unplugged").to_string();
    assert!(text.contains("plug its USB side"), "{text}");

    chip.set(Manner::default());
    let mut hands = chip.open(chip.spec()).expect("a chip");
    chip.set(Manner {
        refuse: Some(0xe4),
        ..Manner::default()
    });
    let text = press(&mut hands, "a").expect_err("refused").to_string();
    assert!(text.contains("E4") && hands.away().is_none(), "{text}");
    wait_for("keys let go", || !chip.holds_keys());
    chip.set(Manner::default());
    press(&mut hands, "a").expect("it works again");

    chip.set(mute);
    let text = press(&mut hands, "a").expect_err("mute").to_string();
    assert!(text.contains("does not answer any more"), "{text}");
    assert!(hands.away().is_some());
    chip.set(Manner::default());
    wait_for("the chip", || {
        hands.tend();
        hands.away().is_none()
    });
    press(&mut hands, "a").expect("it is back");
}

#[test]
fn a_held_key_is_let_go_by_whoever_lets_go_and_the_chip_may_go_away() {
    let _together = together();
    let mut chip = Chip::start(Manner::default());
    let mut spec = chip.spec();
    spec.hold = Duration::from_secs(600);
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let hands = UsbKeyboard::open(spec, Arc::clone(&clock), Stop::new()).expect("a chip");
    let mut worker = Worker::spawn(Box::new(hands), Arc::clone(&clock)).expect("a thread");
    let start = |worker: &mut Worker| {
        let started = worker.start(action(&["Left"]), permit(), clock.now());
        started.expect("free");
    };
    start(&mut worker);
    wait_for("the key", || chip.holds_keys());
    worker.release_all().expect("released");
    wait_for("no key", || !chip.holds_keys());
    start(&mut worker);
    wait_for("the key", || chip.holds_keys());
    chip.unplug();
    let _ = worker.release_all();
    wait_for("its absence", || worker.away().is_some());
    chip.plug_in();
    wait_for("the chip", || worker.away().is_none());
    assert!(!chip.holds_keys());
    start(&mut worker);
    wait_for("the key", || chip.holds_keys());
    drop(worker);
    wait_for("no key", || !chip.holds_keys());
}
