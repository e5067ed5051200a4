//! Every kind of board: the bytes, echoes, late and garbled answers, silence, a board that goes
//! away and comes back, and letting go.

use std::sync::Arc;
use std::time::Duration;

use kibitzer::act::Hands as _;
use kibitzer::act::serial::RelayKeyboard;
use kibitzer::act::simulated::{Faults, Manner};
use kibitzer::act::worker::Worker;
use kibitzer::types::{Board, Clock, RELAY_BOARDS, RelayHands};

use super::{Bench, action, permit, press, wait_for};

/// All kinds in all their sizes that have room for two keys.
fn all() -> Vec<(Board, u8)> {
    let sizes = |kind: &kibitzer::types::RelayBoard| {
        let board = kind.board;
        let sizes = kind.sizes.iter().filter(|s| **s > 1);
        sizes.map(move |size| (board, *size)).collect::<Vec<_>>()
    };
    RELAY_BOARDS.iter().flat_map(sizes).collect()
}

/// Left on the first relay, Right on the last.
fn wiring((board, size): (Board, u8)) -> Vec<(String, u8)> {
    let first = board.kind().first;
    vec![
        ("Left".to_owned(), first),
        ("Right".to_owned(), first + size - 1),
    ]
}

fn bench(kind: (Board, u8), manner: Manner) -> Bench {
    let manner = Manner {
        board: kind.0,
        size: kind.1,
        // An answer to many questions is long.
        baud: 115_200,
        ..manner
    };
    Bench::wired(manner, Faults::default(), wiring(kind))
}

/// Hands that wait as little as they can, and look whether the board is there: each of the
/// simulated ones answers.
fn spec(bench: &Bench, kind: (Board, u8)) -> RelayHands {
    let mut spec = RelayHands::new(kind.0, kind.1, &bench.port(), wiring(kind));
    spec.line.handshake = true;
    spec.line.boot = Duration::ZERO;
    spec.line.baud = 115_200;
    spec.lead = Duration::ZERO;
    spec.hold = Duration::from_millis(10);
    spec
}

fn heard_bytes(bench: &Bench) -> Vec<u8> {
    bench.board.heard().iter().map(|(_, b)| *b).collect()
}

#[test]
fn the_bytes_of_a_key_are_those_of_the_manual() {
    let lcus = |n: u8, on: u8| vec![0xa0, n, on, 0xa0u8.wrapping_add(n).wrapping_add(on)];
    let expected = [
        (
            (Board::Lcus, 2),
            vec![
                lcus(1, 0),
                lcus(2, 0),
                vec![0xff],
                lcus(2, 1),
                lcus(2, 0),
                // Dropped: all once more.
                lcus(1, 0),
                lcus(2, 0),
            ],
        ),
        (
            (Board::Numato, 2),
            vec![
                b"relay off 0\rrelay off 1\rrelay read 0\rrelay read 1\r".to_vec(),
                b"relay on 1\rrelay off 1\r".to_vec(),
                b"relay off 0\rrelay off 1\r".to_vec(),
            ],
        ),
        (
            (Board::Numato, 16),
            vec![
                b"relay writeall 0000\rrelay readall\r".to_vec(),
                b"relay writeall 8000\rrelay writeall 0000\r".to_vec(),
                b"relay writeall 0000\r".to_vec(),
            ],
        ),
        (
            (Board::Denkovi, 16),
            vec![b"off//ask//16+//off//off//".to_vec()],
        ),
        (
            (Board::Arduino, 8),
            vec![b"MK000\rVER\rDM0500\rRPK\rMK128\rMK000\rMK000\r".to_vec()],
        ),
        (
            (Board::Adr2200, 8),
            vec![b"MK000\rRPK\rMK128\rMK000\rMK000\r".to_vec()],
        ),
    ];
    for (kind, expected) in expected {
        let bench = bench(kind, Manner::default());
        let mut hands = bench.open(spec(&bench, kind)).expect("a board");
        press(&mut hands, "Right").expect("a key");
        drop(hands);
        let expected = expected.concat();
        wait_for("the bytes", || heard_bytes(&bench).len() >= expected.len());
        let heard = heard_bytes(&bench);
        assert_eq!(
            heard.escape_ascii().to_string(),
            expected.escape_ascii().to_string(),
            "{kind:?}"
        );
        wait_for("the key", || {
            bench.pad.lock().expect("sound").0 == ["Right"]
        });
    }
}

#[test]
fn both_ends_of_every_board_press_their_keys() {
    for kind in all() {
        let bench = bench(kind, Manner::default());
        let mut hands = bench.open(spec(&bench, kind)).expect("a board");
        for key in ["Left", "Right", "Left+Right"] {
            press(&mut hands, key).unwrap_or_else(|e| panic!("{kind:?} {key}: {e}"));
        }
        drop(hands);
        wait_for("the keys", || bench.pad.lock().expect("sound").0.len() == 4);
        let first = kind.0.kind().first;
        let relays: Vec<u8> = bench.board.presses().iter().map(|(.., r)| *r).collect();
        assert_eq!(relays[..2], [first, first + kind.1 - 1], "{kind:?}");
        wait_for("open relays", || bench.board.closed() == 0);
    }
}

#[test]
fn echo_late_answers_and_noise_are_passed_over_where_answers_have_a_form() {
    let manners = [
        Manner {
            echo: true,
            ..Manner::default()
        },
        Manner {
            answer_late: Duration::from_millis(120),
            ..Manner::default()
        },
        Manner {
            garbage: true,
            ..Manner::default()
        },
    ];
    for kind in [
        (Board::Lcus, 4),
        (Board::Numato, 4),
        (Board::Numato, 8),
        (Board::Denkovi, 16),
        (Board::Arduino, 8),
    ] {
        for manner in manners {
            let bench = bench(kind, manner);
            let opened = bench.open(spec(&bench, kind));
            if kind.0 == Board::Denkovi && manner.garbage {
                // Two bytes without a frame: among noise nothing is certain, so it is refused.
                let error = opened.err().expect("doubtful").to_string();
                assert!(
                    error.contains("does not answer") || error.contains("stays closed"),
                    "{error}"
                );
                continue;
            }
            let mut hands = opened.unwrap_or_else(|e| panic!("{kind:?} {manner:?}: {e}"));
            press(&mut hands, "Left").unwrap_or_else(|e| panic!("{kind:?} {manner:?}: {e}"));
        }
    }
}

#[test]
fn silence_is_told_with_what_to_look_at_and_a_lock_keeps_others_away() {
    for kind in all() {
        let bench = bench(
            kind,
            Manner {
                mute: true,
                ..Manner::default()
            },
        );
        let error = bench.open(spec(&bench, kind)).err().expect("mute");
        let error = error.to_string();
        assert!(
            error.contains("does not answer") && error.contains("handshake = false"),
            "{error}"
        );
        let mut dumb = spec(&bench, kind);
        dumb.line.handshake = false;
        let mut hands = bench.open(dumb).expect("nothing is asked");
        press(&mut hands, "Left").expect("a key");
        let second = bench.open(spec(&bench, kind)).err().expect("in use");
        assert!(second.to_string().contains("another program"), "{second}");
    }
}

#[test]
fn boards_go_away_with_a_key_held_and_come_back_with_all_open() {
    for kind in [
        (Board::Lcus, 4),
        (Board::Numato, 4),
        (Board::Numato, 16),
        (Board::Denkovi, 16),
        (Board::Arduino, 8),
    ] {
        let mut bench = bench(kind, Manner::default());
        let clock: Arc<dyn Clock> = bench.clock.clone();
        let mut spec = spec(&bench, kind);
        spec.hold = Duration::from_secs(600);
        let hands = bench.open(spec).expect("a board");
        let mut worker = Worker::spawn(Box::new(hands), clock).expect("a thread");
        let start = |worker: &mut Worker, key| {
            worker
                .start(action(&[key]), permit(), bench.clock.now())
                .expect("free");
        };
        start(&mut worker, "Left");
        wait_for("the relay", || bench.board.closed() == 1);
        bench.board.vanish();
        let _ = worker.release_all();
        wait_for("its absence", || worker.away().is_some());
        bench.board.come_back().expect("another terminal");
        wait_for("the board", || worker.away().is_none());
        assert_eq!(bench.board.closed(), 0);
        let right = action(&["Right"]);
        worker
            .start(right, permit(), bench.clock.now())
            .expect("it is back");
        wait_for("the relay", || bench.board.closed() == 1 << (kind.1 - 1));
        // Whoever drops the hands opens what is closed.
        drop(worker);
        wait_for("open relays", || bench.board.closed() == 0);
    }
}

#[test]
fn commands_keep_their_distance() {
    let kind = (Board::Lcus, 4);
    let bench = bench(kind, Manner::default());
    let mut spec = spec(&bench, kind);
    spec.line.spacing = Duration::from_millis(20);
    spec.hold = Duration::from_millis(1);
    let mut hands = bench.open(spec).expect("a board");
    press(&mut hands, "Left+Right").expect("a key");
    drop(hands);
    let expected = 4 * 4 + 1 + 4 * 4 + 4 * 4;
    wait_for("the bytes", || bench.board.heard().len() >= expected);
    let heard = bench.board.heard();
    assert_eq!(heard.len(), expected);
    // First bytes of commands; the question is one byte.
    let starts: Vec<_> = heard
        .iter()
        .filter(|(_, b)| matches!(b, 0xa0 | 0xff))
        .map(|(at, _)| *at)
        .collect();
    assert_eq!(starts.len(), 13);
    for pair in starts.windows(2) {
        let apart = pair[1].since(pair[0]);
        // The board's end of the terminal is looked at every 2 ms at worst.
        assert!(apart >= Duration::from_millis(15), "{apart:?}");
    }
}

#[test]
fn an_arduino_is_kept_alive_while_a_key_is_held_and_opens_by_itself_when_it_is_not() {
    let kind = (Board::Arduino, 8);
    let bench = bench(kind, Manner::default());
    let mut held = spec(&bench, kind);
    held.hold = Duration::from_millis(1200);
    let mut hands = bench.open(held).expect("a board");
    press(&mut hands, "Left").expect("a key");
    let presses = bench.board.presses();
    wait_for("the end of it", || bench.board.presses().len() == 1);
    let (down, up, _) = bench.board.presses()[0];
    assert!(up.since(down) >= Duration::from_millis(1150), "{presses:?}");
    let heard = heard_bytes(&bench);
    let signs = heard.windows(3).filter(|w| *w == b"KA\r").count();
    assert!(signs >= 3, "{}", heard.escape_ascii());
    drop(hands);

    // A program that is killed keeps nothing alive.
    let bench = self::bench(kind, Manner::default());
    let mut program = super::ways_out::holding(&bench, &["--board", "arduino"]);
    program.signal("-KILL");
    let _ = program.end();
    wait_for("open relays", || bench.board.closed() == 0);
}

#[test]
fn what_a_board_does_not_have_is_refused() {
    let refused = |spec: RelayHands| {
        let clock = Arc::new(kibitzer::types::SystemClock::start());
        let stop = kibitzer::types::Stop::new();
        RelayKeyboard::open(spec, clock, stop)
            .err()
            .expect("refused")
            .to_string()
    };
    let relay = |n| vec![("Left".to_owned(), n)];
    let text = refused(RelayHands::new(Board::Lcus, 4, "x", relay(0)));
    assert!(text.contains("relays 1 to 4"), "{text}");
    let text = refused(RelayHands::new(Board::Denkovi, 16, "x", relay(17)));
    assert!(text.contains("relays 1 to 16"), "{text}");
    let text = refused(RelayHands::new(Board::Lcus, 3, "x", relay(1)));
    assert!(text.contains("[1, 2, 4, 8]"), "{text}");
}
