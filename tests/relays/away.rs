//! A board that goes away and comes back.

use std::sync::Arc;
use std::time::Duration;

use kibitzer::act::serial::RelayKeyboard;
use kibitzer::act::simulated::Manner;
use kibitzer::act::worker::Worker;
use kibitzer::act::{ActError, Actuator as _, Hands as _};
use kibitzer::types::{Clock, ManualClock};

use super::{Bench, action, permit, press, wait_for};

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

#[test]
fn a_board_without_power_behind_an_adapter_that_stays_is_noticed() {
    let bench = Bench::new();
    let clock = Arc::new(ManualClock::default());
    let spec = bench.spec();
    let mut hands = RelayKeyboard::open(spec, clock.clone(), bench.stop.clone()).expect("a board");
    let after = |ms: u64| clock.set(clock.now() + Duration::from_millis(ms));
    // In virtual time, too, the lead and the hold are kept.
    let began = clock.now();
    press(&mut hands, "Left").expect("a key");
    assert_eq!(clock.now().since(began), hands.timing().period());

    let before = bench.heard_until("MK001 MK000 ");
    hands.tend();
    assert_eq!(bench.heard(), before, "not asked at once");
    after(5001);
    hands.tend();
    assert_eq!(bench.heard_until("RPK "), format!("{before}RPK "));
    // The answer comes in real time. Until it is taken nothing is asked again.
    std::thread::sleep(Duration::from_millis(100));
    after(900);
    hands.tend();
    after(4900);
    hands.tend();
    assert_eq!(bench.heard(), format!("{before}RPK "));
    assert!(hands.away().is_none(), "it has answered");

    bench.board.set_manner(Manner {
        mute: true,
        ..Manner::default()
    });
    // Also while keys are pressed all the time, which go nowhere.
    for _ in 0..4 {
        press(&mut hands, "Left").expect("nobody knows yet");
    }
    bench.heard_until("MK001 MK000 RPK MK001 MK000 MK001 MK000 ");
    assert!(hands.away().is_none());
    after(1001);
    hands.tend();
    let why = hands.away().expect("it is dumb");
    assert!(why.contains("does not answer"), "{why}");
    let refused = press(&mut hands, "Left");
    assert!(matches!(refused, Err(ActError::Away(_))), "{refused:?}");

    bench.board.set_manner(Manner::default());
    after(251);
    press(&mut hands, "Up").expect("it is found by the next key");
    assert!(hands.away().is_none());
    assert!(
        bench
            .heard_until("MK004 MK000 ")
            .ends_with("MK000 RPK MK004 MK000 ")
    );
}

#[test]
fn a_port_that_stays_but_does_not_answer_is_asked_less_and_less_often() {
    let bench = Bench::new();
    let clock = Arc::new(ManualClock::default());
    let spec = bench.spec();
    let mut hands = RelayKeyboard::open(spec, clock.clone(), bench.stop.clone()).expect("a board");
    let after = |ms: u64| clock.set(clock.now() + Duration::from_millis(ms));
    bench.board.set_manner(Manner {
        mute: true,
        ..Manner::default()
    });
    after(5001);
    hands.tend();
    after(1001);
    hands.tend();
    assert!(hands.away().is_some(), "it is dumb");
    let asked = || bench.heard().matches("RPK").count();
    for pause in [250, 500, 1000, 2000, 2000] {
        let before = asked();
        after(pause - 1);
        hands.tend();
        assert_eq!(asked(), before, "{pause}");
        after(1);
        hands.tend();
        wait_for("questions", || asked() > before);
    }
    // Nobody has to wait for the last of them to be over once it is back.
    bench.board.set_manner(Manner::default());
    after(2000);
    hands.tend();
    assert!(hands.away().is_none());
}
