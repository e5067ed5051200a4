//! A board that goes away and comes back.

use std::sync::Arc;
use std::time::Duration;

use kibitzer::act::simulated::Manner;
use kibitzer::act::worker::Worker;
use kibitzer::act::{ActError, Hands as _};
use kibitzer::types::Clock;

use super::{Bench, action, permit, wait_for};

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
