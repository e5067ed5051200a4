//! The relays on a simulated board: the bytes, their order, and every way out.

use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use super::RelayKeyboard;
use crate::act::release::release_everything;
use crate::act::simulated::{Faults, Manner, SimulatedBoard};
use crate::act::worker::Worker;
use crate::act::{ActError, Actuator, Hands};
use crate::types::{
    Action, Armed, BoardText, Clock, Picture, Point, RelayHands, Stop, Stroke, SystemClock, Target,
    Time,
};

#[derive(Default)]
struct Pad(Vec<String>);

impl Target for Pad {
    fn render(&mut self, _: Time, _: &mut Picture) {}
    fn click(&mut self, _: Point, _: Time) {}
    fn key(&mut self, name: &str, _: Time) {
        self.0.push(name.to_owned());
    }
    fn truth(&self) -> BoardText {
        BoardText::default()
    }
}

/// Letting go of everything reaches the boards of all tests of this process.
static EVERYTHING: RwLock<()> = RwLock::new(());

struct Bench {
    clock: Arc<SystemClock>,
    pad: Arc<Mutex<Pad>>,
    board: SimulatedBoard,
    stop: Stop,
    _folder: tempfile::TempDir,
    alone: Option<RwLockReadGuard<'static, ()>>,
}

fn wiring() -> Vec<(String, u8)> {
    [("Left", 0), ("Right", 1), ("Up", 2), ("space", 3), ("r", 4)]
        .map(|(k, r)| (k.to_owned(), r))
        .to_vec()
}

impl Bench {
    fn with(manner: Manner, faults: Faults) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let clock = Arc::new(SystemClock::start());
        let pad = Arc::new(Mutex::new(Pad::default()));
        let board = SimulatedBoard::start(
            &folder.path().join("board"),
            wiring(),
            Arc::clone(&pad) as Arc<Mutex<dyn Target>>,
            clock.clone(),
            faults,
            manner,
        );
        Self {
            clock,
            pad,
            board: board.expect("a pseudo-terminal"),
            stop: Stop::new(),
            _folder: folder,
            alone: Some(EVERYTHING.read().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    fn new() -> Self {
        Self::with(Manner::default(), Faults::default())
    }

    fn spec(&self) -> RelayHands {
        RelayHands::adr2200(&self.board.path().display().to_string(), wiring())
    }

    fn open(&self, spec: RelayHands) -> Result<RelayKeyboard, ActError> {
        RelayKeyboard::open(spec, self.clock.clone(), self.stop.clone())
    }

    fn hands(&self) -> RelayKeyboard {
        self.open(self.spec()).expect("a board that answers")
    }

    /// What was heard, once it ends so; commands are separated by spaces.
    fn heard_until(&self, end: &str) -> String {
        let began = Instant::now();
        loop {
            let text = self.heard();
            if text.ends_with(end) {
                return text;
            }
            assert!(began.elapsed() < Duration::from_secs(20), "heard {text:?}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn heard(&self) -> String {
        let bytes: Vec<u8> = self.board.heard().iter().map(|(_, b)| *b).collect();
        String::from_utf8_lossy(&bytes).replace('\r', " ")
    }
}

fn permit() -> Armed {
    Armed::grant(1, Time::from_millis(600_000))
}

fn press(hands: &mut dyn Actuator, key: &str) -> Result<(), ActError> {
    hands.perform(&Stroke::Key(key.into()), None, &permit())
}

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "waiting for {what}"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn action(keys: &[&str]) -> Action {
    Action {
        id: 1,
        cause_seq: 1,
        cause_at: Time::ZERO,
        expires_at: Time::from_millis(600_000),
        strokes: keys.iter().map(|k| Stroke::Key((*k).into())).collect(),
        window: None,
        origin: None,
    }
}

#[test]
fn the_bytes_are_those_of_the_reference_and_in_its_order() {
    let bench = Bench::new();
    let mut hands = bench.hands();
    for key in ["Left", "right", "Up", "space", "r"] {
        press(&mut hands, key).expect(key);
    }
    press(&mut hands, "Left+Up").expect("two at once");
    drop(hands);
    let text = bench.heard_until("MK005 MK000 MK000 ");
    assert_eq!(
        text,
        "MK000 RPK MK001 MK000 MK002 MK000 MK004 MK000 MK008 MK000 MK016 MK000 MK005 MK000 MK000 "
    );
    wait_for("the keys", || bench.pad.lock().expect("sound").0.len() == 7);
    let keys = bench.pad.lock().expect("sound").0.clone();
    assert_eq!(keys, ["Left", "Right", "Up", "space", "r", "Left", "Up"]);
}

#[test]
fn a_key_is_down_for_as_long_as_it_is_said_to_be() {
    let bench = Bench::with(
        Manner {
            baud: 9600,
            ..Manner::default()
        },
        Faults::default(),
    );
    let mut hands = bench.hands();
    let asked = bench.clock.now();
    press(&mut hands, "Left").expect("a key");
    let (down, up) = hands.last_key().expect("a key was made");
    // The lead (30 ms) and six bytes at 9600 bits per second (6.25 ms).
    assert!(down.since(asked) >= Duration::from_micros(36_250));
    assert!(up.since(down) >= Duration::from_millis(30));
    assert_eq!(hands.timing().period(), Duration::from_micros(66_250));
    wait_for("the press", || bench.board.presses().len() == 1);
    let (true_down, true_up, relay) = bench.board.presses()[0];
    assert_eq!(relay, 0);
    // The board cannot have had the command before it was on the line.
    assert!(true_down >= down && true_up >= up, "{down:?} {true_down:?}");
}

#[test]
fn clicks_unknown_keys_and_void_permits_are_refused() {
    let bench = Bench::new();
    let mut hands = bench.hands();
    let before = bench.heard_until("RPK ");
    let click = Stroke::Click(Point::new(1.0, 1.0));
    let refused = hands.perform(&click, None, &permit());
    assert!(
        matches!(refused, Err(ActError::Unsupported(_))),
        "{refused:?}"
    );
    let refused = press(&mut hands, "Down")
        .expect_err("not wired")
        .to_string();
    assert!(
        refused.contains("Down") && refused.contains("Left, Right"),
        "{refused}"
    );
    let void = Armed::grant(1, bench.clock.now());
    let refused = hands.perform(&Stroke::Key("Left".into()), None, &void);
    assert!(matches!(refused, Err(ActError::Expired)), "{refused:?}");
    // Valid when asked for, but not when the lead is over.
    let short = Armed::grant(1, bench.clock.now() + Duration::from_millis(10));
    let refused = hands.perform(&Stroke::Key("Left".into()), None, &short);
    assert!(matches!(refused, Err(ActError::Expired)), "{refused:?}");
    assert_eq!(bench.heard(), before);
    let wide = RelayHands::adr2200("x", vec![("Left".into(), 8)]);
    let refused = bench.open(wide).err().expect("no such relay").to_string();
    assert!(refused.contains("relays 0 to 7"), "{refused}");
}

#[test]
fn garbage_echo_and_late_answers_are_no_hindrance_but_silence_is() {
    let manners = [
        Manner {
            garbage: true,
            ..Manner::default()
        },
        Manner {
            echo: true,
            ..Manner::default()
        },
        Manner {
            answer_late: Duration::from_millis(120),
            garbage: true,
            echo: true,
            ..Manner::default()
        },
        // Later than one question is waited for: the answer counts for the next.
        Manner {
            answer_late: Duration::from_millis(350),
            ..Manner::default()
        },
    ];
    for manner in manners {
        let bench = Bench::with(manner, Faults::default());
        let mut hands = bench.hands();
        press(&mut hands, "Left").unwrap_or_else(|e| panic!("{manner:?}: {e}"));
    }
    let mute = Manner {
        mute: true,
        ..Manner::default()
    };
    let bench = Bench::with(mute, Faults::default());
    let error = bench
        .open(bench.spec())
        .err()
        .expect("it is mute")
        .to_string();
    assert!(
        error.contains("does not answer") && error.contains("handshake = false"),
        "{error}"
    );
    let mut spec = bench.spec();
    spec.handshake = false;
    let mut hands = bench.open(spec).expect("nothing is asked");
    press(&mut hands, "Left").expect("a key");
}

#[test]
fn the_port_is_locked() {
    let bench = Bench::new();
    let first = bench.hands();
    let error = bench.open(bench.spec()).err().expect("in use").to_string();
    assert!(error.contains("another program"), "{error}");
    drop(first);
    bench.hands();
}

#[test]
fn whoever_lets_go_ends_the_hold_at_once() {
    let mut bench = Bench::new();
    bench.alone = None;
    let _alone = EVERYTHING.write().unwrap_or_else(PoisonError::into_inner);
    let slow = |bench: &Bench| {
        let mut spec = bench.spec();
        spec.lead = Duration::ZERO;
        spec.hold = Duration::from_secs(600);
        bench.open(spec).expect("a board")
    };
    let held = |bench: &Bench| wait_for("the relay", || bench.board.closed() == 1);
    let open = |bench: &Bench| wait_for("open relays", || bench.board.closed() == 0);
    let clock: Arc<dyn Clock> = bench.clock.clone();

    // The owner of the hands.
    let mut worker = Worker::spawn(Box::new(slow(&bench)), clock.clone()).expect("a thread");
    worker
        .start(action(&["Left"]), permit(), bench.clock.now())
        .expect("free");
    held(&bench);
    worker.release_all().expect("released");
    open(&bench);

    // Anybody, as a panic or the emergency stop does.
    worker
        .start(action(&["Left", "Up"]), permit(), bench.clock.now())
        .expect("free");
    held(&bench);
    release_everything();
    open(&bench);
    wait_for("the end", || worker.poll(bench.clock.now()).is_some());

    // Whoever drops them in the middle.
    worker
        .start(action(&["Left"]), permit(), bench.clock.now())
        .expect("free");
    held(&bench);
    drop(worker);
    open(&bench);

    // The stop switch alone; and after it nothing is pressed any more.
    let mut worker = Worker::spawn(Box::new(slow(&bench)), clock).expect("a thread");
    worker
        .start(action(&["Left"]), permit(), bench.clock.now())
        .expect("free");
    held(&bench);
    bench.stop.pull("enough");
    open(&bench);
    let mut ended = None;
    wait_for("the end", || {
        ended = worker.poll(bench.clock.now());
        ended.is_some()
    });
    assert!(matches!(ended, Some(Err(ActError::Stopped))), "{ended:?}");
    let heard = bench.heard();
    worker
        .start(action(&["Left"]), permit(), bench.clock.now())
        .expect("free");
    wait_for("the end", || worker.poll(bench.clock.now()).is_some());
    assert_eq!(bench.heard(), heard);
}

#[test]
fn a_board_that_goes_away_is_found_again_under_its_name() {
    let mut bench = Bench::new();
    let clock: Arc<dyn Clock> = bench.clock.clone();
    let mut spec = bench.spec();
    spec.hold = Duration::from_secs(600);
    let hands = bench.open(spec).expect("a board");
    let mut worker = Worker::spawn(Box::new(hands), clock).expect("a thread");

    // While a key is held.
    worker
        .start(action(&["Left"]), permit(), bench.clock.now())
        .expect("free");
    wait_for("the relay", || bench.board.closed() == 1);
    bench.board.vanish();
    let _ = worker.release_all();
    wait_for("its absence to be noticed", || worker.away().is_some());
    let refused = worker.start(action(&["Left"]), permit(), bench.clock.now());
    assert!(matches!(refused, Err(ActError::Away(_))), "{refused:?}");

    let before = bench.heard().len();
    bench.board.come_back().expect("another terminal");
    wait_for("the board", || worker.away().is_none());
    let after = bench.heard()[before..].to_owned();
    assert!(after.starts_with("MK000 RPK "), "{after:?}");
    worker
        .start(action(&["Up"]), permit(), bench.clock.now())
        .expect("it is back");
    wait_for("the relay", || bench.board.closed() == 4);
    worker.release_all().expect("released");

    // While nothing is done: noticed by itself.
    bench.board.vanish();
    wait_for("its absence to be noticed", || worker.away().is_some());
    let why = worker.away().expect("away");
    assert!(why.contains("board"), "{why}");
    // It comes back dumb: that is no board yet.
    bench.board.set_manner(Manner {
        mute: true,
        ..Manner::default()
    });
    bench.board.come_back().expect("another terminal");
    wait_for("a reason", || {
        worker
            .away()
            .is_some_and(|why| why.contains("does not answer"))
    });
    bench.board.set_manner(Manner::default());
    wait_for("the board", || worker.away().is_none());
    drop(worker);
    wait_for("open relays", || bench.board.closed() == 0);
}
