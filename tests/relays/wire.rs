//! What is on the wire, and what is refused before anything is.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kibitzer::act::simulated::{Faults, Manner, SimulatedBoard};
use kibitzer::act::{ActError, Actuator as _};
use kibitzer::types::{Clock as _, Point, RelayHands, Stroke, Target};

use super::{Bench, permit, permit_until, press, wait_for};

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
    let bench = Bench::new();
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
    // The board cannot have had the command before it was on the line; both ends read the clock
    // for themselves.
    let apart = Duration::from_millis(1);
    assert!(
        true_down + apart >= down && true_up + apart >= up,
        "{down:?} {true_down:?}"
    );
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
    let void = permit_until(bench.clock.now(), bench.clock.now());
    let refused = hands.perform(&Stroke::Key("Left".into()), None, &void);
    assert!(matches!(refused, Err(ActError::Expired)), "{refused:?}");
    // Valid when asked for, but not when the lead is over.
    let short = permit_until(
        bench.clock.now(),
        bench.clock.now() + Duration::from_millis(10),
    );
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
    spec.line.handshake = false;
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
fn keys_together_are_one_key_with_its_modifiers() {
    let bench = Bench::new();
    let relays = |names: [(&str, u8); 3]| names.map(|(k, r)| (k.to_owned(), r)).to_vec();
    let folder = bench.board.path().with_extension("shift");
    let board = SimulatedBoard::start(
        &folder,
        relays([("Shift", 5), ("k", 6), ("+", 7)]),
        Arc::clone(&bench.pad) as Arc<Mutex<dyn Target>>,
        bench.clock.clone(),
        Faults::default(),
        Manner::default(),
    )
    .expect("a pseudo-terminal");
    let wiring = relays([("shift", 5), ("k", 6), ("+", 7)]);
    let spec = RelayHands::adr2200(&board.path().display().to_string(), wiring);
    let mut hands = bench.open(spec).expect("a board");
    for key in ["k", "shift+k", "+"] {
        press(&mut hands, key).expect(key);
    }
    wait_for("the keys", || bench.pad.lock().expect("sound").0.len() == 3);
    assert_eq!(bench.pad.lock().expect("sound").0, ["k", "shift+k", "+"]);
}

#[test]
fn lost_and_doubled_presses_come_at_their_rate() {
    let faults = Faults {
        lost: 0.2,
        doubled: 0.2,
        latency_ms: 3,
        jitter_ms: 5,
        seed: 4,
    };
    let bench = Bench::with(Manner::default(), faults);
    let mut spec = bench.spec();
    (spec.lead, spec.hold) = (Duration::ZERO, Duration::from_millis(8));
    let mut hands = bench.open(spec).expect("a board");
    for _ in 0..100 {
        press(&mut hands, "Left").expect("a key");
    }
    drop(hands);
    bench.heard_until("MK000 MK000 ");
    let (lost, doubled) = bench.board.faults_made();
    assert!((5..40).contains(&lost) && (5..40).contains(&doubled));
    let arrived = || bench.pad.lock().expect("sound").0.len() as u64;
    wait_for("the keys", || arrived() == 100 - lost + doubled);
    assert_eq!(bench.board.presses().len(), 100);
}
